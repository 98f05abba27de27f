#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the commands of tests/tool/*.txt and of the manual page and compares the results. A command
# is a line that begins with "$ ". Its output and errors follow, then its exit status if not 0; the
# manual omits the status. Lines that begin with "# " are comments. Map sizes are masked: they are
# not the tool's business. After a deliberate change: cp build/tool/*.txt tests/tool/
#
# HERE: most of these. Otherwise also colours, widths, JSON, SARIF and the examples of --explain.
. tests/check/lib.sh

for example in build_map from_fdt imc_names imc_firmware; do
	works $example ${CC:-gcc} -std=c11 $warnings -I. examples/$example.c -lfdt -o "$dir/$example"
done
# Three files depend on optional libraries. Build those without; the others are the same.
mkdir "$dir/plain"
objects=
for file in tool/*.c tool/*/*.c; do
	object=${file#tool/}
	object=build/command/${object%.c}.o
	if grep -qE 'PMUMAP_TOOL_(LZMA|JANSSON)' "$file"; then
		object=$dir/$(basename "$object")
		works "$file without its library" ${CC:-gcc} -std=c11 $warnings -I. -Itool -c "$file" \
			-o "$object"
	fi
	objects="$objects $object"
done
works "without liblzma and jansson" ${CC:-gcc} ${CFLAGS:-} $objects -lfdt -o "$dir/plain/pmumap"

# pmumap-live asks a kernel of the test's own.
mkdir "$dir/live"
live=$(tr ' ' '\n' <build/pmumap.libs | grep -E '^-l|\.o$' | grep -v '/perf/\(perf\|kernel\)\.o')
works "perf --live" ${CC:-gcc} -std=c11 $warnings -I. -Itool -DPMUMAP_TOOL_LIVE \
	-DLIVE_TREE='"build/trees/tables-taken.dtb"' tool/perf/perf.c tool/perf/kernel.c \
	tests/tool/kernel.c $live -Wl,--wrap=syscall,--wrap=ioctl,--wrap=read,--wrap=uname,--wrap=geteuid -lfdt \
	-o "$dir/live/pmumap-live"

export PATH="$PWD/build:$PWD/$dir/live:$PATH" LC_ALL=C

# run FILE [shown]: its commands with current output; "shown" omits the exit status
run() {
	now=$dir/$(basename "$1")
	run_commands "$1" "$now" "${2:-}"
	commands=$(grep -c '^\$ ' "$1")
	changed=$(diff "$1" "$now" | grep -c '^[0-9]')
	if [ "$changed" = 0 ]; then
		passed=$((passed + commands))
	else
		fail "$1: places that differ: $changed"
		diff -U 10 "$1" "$now"
	fi
}

run tests/tool/cases.txt
run tests/tool/verbs.txt
run tests/tool/perf.txt
run tests/tool/live.txt
run tests/tool/imc.txt
run tests/tool/amu.txt
run tests/tool/write.txt
if grep -q JANSSON build/pmumap.libs; then
	run tests/tool/events.txt
else
	echo "SKIP a vendor's events (libjansson-dev is not installed)"
fi

mkdir "$dir/shown"
awk '/^\.Ed/ { inside = 0 } inside; /^\.Bd -literal/ { inside = 1 }' tool/pmumap.1 |
	sed 's/\\-/-/g; s/\\e/\\/g; s/\\&//g' >"$dir/shown/manual"
[ "$(grep -c '^\$ ' "$dir/shown/manual")" -ge 3 ] || fail "the manual's commands were not found"
export COLUMNS=100 # as a terminal has them
run "$dir/shown/manual" shown
unset COLUMNS

# The CI commands in doc/ci.md: with a good board and one without a PMU, then with a bad board. The
# packages must be the project's.
snippet() {
	sed -nE 's/^ *- (run: )?(pmumap\/build\/pmumap .*)/\2/p' doc/ci.md
}
mkdir -p "$dir/ci/boards" "$dir/ci/pmumap"
ln -sf "$PWD/build" "$dir/ci/pmumap/build"
cp tests/trees/boards/qemu-virt.dts "$dir/ci/boards/"
printf '/dts-v1/; / { };\n' >"$dir/ci/boards/none.dts"
snippet >"$dir/snippet"
[ "$(wc -l <"$dir/snippet")" = 3 ] && pass || fail "doc/ci.md: not 3 commands"
while read -r line; do
	works "doc/ci.md: $line" sh -c "cd '$dir/ci' && $line"
done <"$dir/snippet"
cp tests/trees/raw-dead.dts "$dir/ci/boards/"
while read -r line; do
	sh -c "cd '$dir/ci' && $line" >/dev/null 2>&1
	case $?:$line in
	0:*"|| true" | 1:*) pass ;;
	*) fail "doc/ci.md: a bad board passes: $line" ;;
	esac
done <"$dir/snippet"
grep -q raw-dead "$dir/ci/pmumap.sarif" && pass || fail "doc/ci.md: pmumap.sarif lacks the finding"
for package in $(grep -oE 'lib[a-z0-9]+-dev|device-tree-compiler|g\+\+' doc/ci.md | sort -u); do
	grep -qE "^DEPS := .*$(printf %s "$package" | sed 's/+/[+]/g')" scripts/mk/packages.mk && pass ||
		fail "doc/ci.md: $package is no package of the project"
done
# Safe to copy: no job for pull requests has write access, and each action is pinned to a commit.
nothing "doc/ci.md: pull requests with secrets" "$(grep -n '^on:.*pull_request_target' doc/ci.md)"
nothing "doc/ci.md: an action that is no commit" \
	"$(grep -n 'uses:' doc/ci.md | grep -vE '@([0-9a-f]{40}|COMMIT) # ')"
[ "$(grep -c '^ *persist-credentials: false' doc/ci.md)" = "$(grep -c actions/checkout doc/ci.md)" ] &&
	pass || fail "doc/ci.md: a checkout keeps its token"
if python3 -c 'import yaml' 2>/dev/null; then
	works "doc/ci.md: jobs of pull requests only read" python3 -c 'import sys, yaml
flow = yaml.safe_load(sys.stdin.read().split("```yaml")[1].split("```")[0])
assert set(flow["permissions"].values()) == {"read"}
for job in flow["jobs"].values():
    assert job.get("if") == "github.event_name == \x27push\x27" or "permissions" not in job' <doc/ci.md
fi
nothing "doc/ci.md: tabs" "$(grep -n "$(printf '\t')" doc/ci.md)"
if python3 -c 'import yaml' 2>/dev/null; then
	awk '/^```$/ { inside = 0 } inside; /^```yaml/ { inside = 1; print "---" }' doc/ci.md >"$dir/ci.yaml"
	works "doc/ci.md: YAML" python3 -c 'import sys, yaml
assert len([d for d in yaml.safe_load_all(open(sys.argv[1])) if d]) == 3' "$dir/ci.yaml"
fi

[ -z "${HERE:-}" ] || finish

run tests/tool/linter.txt
run tests/tool/hostile.txt
if ! command -v xz >/dev/null || ! grep -q LZMA build/pmumap.libs; then
	echo "SKIP containers of catalogs (xz-utils or liblzma-dev is not installed)"
else
	run tests/tool/container.txt
fi

# Colours on a terminal, unless NO_COLOR is set.
coloured() {
	script -qec "$*" /dev/null </dev/null 2>/dev/null | grep -c "$(printf '\033')"
}
if [ "$(script -qec "echo yes" /dev/null </dev/null 2>/dev/null | tr -d '\r')" = yes ]; then
	check="pmumap check build/trees/counters-differ.dtb"
	if [ "$(coloured $check)" = 2 ] && [ "$(coloured NO_COLOR= $check)" = 2 ] &&
		[ "$(coloured NO_COLOR=1 $check)" = 0 ] && [ "$(coloured "$check | cat")" = 0 ]; then
		pass
	else
		fail "colours"
	fi
else
	echo "SKIP colours (script has no terminal to give)"
fi

# Text lines fit the terminal, except for long paths.
for blob in build/boards/*.dtb build/trees/*.dtb; do
	for verb in show "check --all"; do
		COLUMNS=100 pmumap $verb "$blob" 2>/dev/null
	done
done | grep -E '.{101}' | grep -v 'build/[^ ]*: ' >"$dir/long"
nothing "lines of more than 100 columns" "$(head -n 3 "$dir/long")"

# JSON is valid, and SARIF has rules, files and lines.
events=
grep -q JANSSON build/pmumap.libs && events=tests/tool/mistakes.json
pmumap check --sarif build/boards/*.dtb tests/trees/*.dts $events >"$dir/log" 2>/dev/null
for blob in build/boards/*.dtb build/trees/*.dtb; do
	pmumap show --json --events "$blob"
	pmumap check --json "$blob"
	pmumap lookup --json "$blob" cycles r1801 amu:#0 imc:0x10
	pmumap assign --json "$blob" cycles cache-misses
	if grep -q JANSSON build/pmumap.libs; then
		pmumap check --json --events tests/events/c900 "$blob"
		pmumap show --json --events tests/events/c900 "$blob"
	fi
done >"$dir/lines" 2>/dev/null
for verb in "check --json $events build/boards/sifive-u74.dtb" "perf --json build/boards/qemu-virt.dtb" "perf --json build/boards/amu-tc2.dtb" \
	"check --json --explain all" "check --json build/tool/none.dtb" \
	"lookup --json build/boards/imc-power9.dtb PM_NONE mcs01/*rd*" "perf --json build/boards/qemu-virt.dtb cycles nosuch"; do
	pmumap $verb
done >>"$dir/lines" 2>/dev/null
if command -v python3 >/dev/null; then
	works "JSON and SARIF" python3 tests/tool/judge.py "$dir/log" "$dir/lines"
elif command -v node >/dev/null; then
	works "SARIF" node -e 'JSON.parse(require("fs").readFileSync(process.argv[1]))' "$dir/log"
else
	echo "SKIP what a JSON parser says of --json and --sarif (no python3, no node)"
fi

# Examples in --explain: the wrong one has the finding, the right one does not.
mkdir "$dir/examples"
if ! command -v python3 >/dev/null; then
	echo "SKIP the examples of --explain (no python3)"
elif grep -q JANSSON build/pmumap.libs; then
	works "examples" python3 tests/tool/examples.py "$dir/examples" events
else
	works "examples" python3 tests/tool/examples.py "$dir/examples" none
fi

if command -v man >/dev/null && man --help 2>/dev/null | grep -q -e --warnings; then
	scripts/page.sh tool/pmumap.1 >"$dir/pmumap.1"
	nothing "man: warnings" "$(man -l --warnings=w "$dir/pmumap.1" 2>&1 >/dev/null)"
else
	echo "SKIP what man says of the manual page (man-db is not installed)"
fi
finish
