#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make hosts-glue
#
# The files for semu, rv32emu, Xvisor and Bao: compiled with stubs of these hosts and the hosts' own
# warnings, for their machine and for this one, and driven by a test here. Also compares the functions
# that some hosts have instead of pmumap's, and tests hosts/edit.sh, the editor behind each apply.sh.
. tests/check/lib.sh

# host NAME SOURCE COMPILER WARNINGS [HEADER...]: each HEADER includes tests/hosts/NAME.h
host() {
	name=$1 source=$2 compiler=$3 warnings=$4
	here=$dir/$name
	mkdir -p "$here/arch" "$here/pmumap"
	hosts/header.sh $name >"$here/pmumap.h"
	cp "$here/pmumap.h" "$here/pmumap/"
	for header in hosts/$name/*.h; do
		[ ! -e "$header" ] || cp "$header" "$here/"
		[ ! -e "$header" ] || cp "$header" "$here/arch/"
	done
	shift 4
	for header; do
		echo "#include \"$name.h\"" >"$here/$header"
	done
	include="-I$here -Itests/hosts -I."
	for level in -O2 -Os; do
		works "$name, $level" $compiler $level $warnings $include -c "$source" -o "$here/target.o"
	done
	works "$name here" $sanitized $warnings $include -c "$source" -o "$here/$name.o"
	works "$name, its driver" $sanitized -std=c11 -Wall -Wextra -Werror $include \
		tests/hosts/$name.c "$here/$name.o" -o "$here/driver"
}

# driven NAME: adds the counts of its last line
driven() {
	name=$1
	"$dir/$name/driver" >"$dir/out" 2>&1
	status=$?
	sed '$d' "$dir/out"
	count=$(sed -n '$s/^\([0-9]*\) passed, 0 failed$/\1/p' "$dir/out")
	[ $status = 0 ] && [ "${count:-0}" -gt 0 ] && passed=$((passed + count)) ||
		fail "$name: $(tail -n 1 "$dir/out")"
}

sanitized="gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"

host semu hosts/semu/semu_pmu.c gcc "-Wall -Wextra -Werror" riscv.h riscv_private.h
driven semu
host rv32emu hosts/rv32emu/sbi_pmu.c "gcc -std=gnu11" "-Wall -Wextra -Werror" \
	riscv.h riscv_private.h
driven rv32emu

bao="-std=c11 -pedantic -pedantic-errors -Wall -Wextra -Werror -Warith-conversion
	-Wbuiltin-declaration-mismatch -Wcomments -Wdiscarded-qualifiers -Wimplicit-fallthrough
	-Wswitch-unreachable -Wreturn-local-addr -Wshift-count-negative -Wuninitialized -Wunused
	-Wunused-local-typedefs -Wunused-parameter -Wunused-result -Wvla -Wconversion
	-Wsign-conversion -Wmissing-prototypes -Wmissing-declarations -Wswitch-default -Wshadow
	-Wshadow=global -Wcast-qual -Wunused-macros -Wstrict-prototypes -Wunused-but-set-variable"
host bao hosts/bao/vpmu.c \
	"riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -mstrict-align" \
	"$bao -ffreestanding" arch/sbi.h config.h cpu.h mem.h platform.h string.h vm.h
driven bao

host xvisor hosts/xvisor/cpu_vcpu_pmu.c "riscv64-linux-gnu-gcc -mcmodel=medany -mstrict-align" \
	"-Wall -Werror -fno-strict-aliasing -fno-omit-frame-pointer -nostdlib" vmm_error.h \
	vmm_guest_aspace.h vmm_heap.h vmm_manager.h vmm_percpu.h vmm_types.h cpu_hwcap.h \
	cpu_vcpu_sbi.h riscv_csr.h riscv_sbi.h
driven xvisor

# same FILE CALLS [FLAG...]: the functions of hosts/FILE answer as those of pmumap.h
same() {
	name=${1##*/} calls="pmumap_begin pmumap_finish pmumap_selector pmumap_counters pmumap_size pmumap_add_counters $2"
	mkdir -p "$dir/$name"
	scripts/host-header.py $calls "hosts/$1" >"$dir/$name/host.h"
	shift 2
	works "$name, its side" $sanitized -Wall -Wextra -Werror -I"$dir/$name" "$@" -DHOST \
		'-DHEADER="host.h"' -c tests/hosts/same.c -o "$dir/$name/host.o"
	works "$name, both sides" $sanitized -Wall -Wextra -Werror -I. "$@" '-DHEADER="pmumap.h"' \
		tests/hosts/same.c "$dir/$name/host.o" -o "$dir/$name/driver"
	driven $name
}

same events_of_sbi.h "pmumap_add_selector pmumap_add_raw pmumap_raw_counters" -DRAW -DSBI_EVENTS
same no_raw.h ""

for name in hosts/*/; do
	grep -q "^| .*(${name#hosts/}README.md)" hosts/README.md && pass ||
		fail "hosts/README.md: no row for $name"
done

# ---- the editor

# editor COMMANDS: runs an apply.sh of these commands on a checkout with one file
editor() {
	mkdir -p "$dir/hosts/some"
	printf '. hosts/edit.sh\n%s\nfinish done\n' "$1" >"$dir/hosts/some/apply.sh"
	rm -rf "$dir/checkout"
	mkdir "$dir/checkout"
	printf 'one\nint f(void)\n{\n\ttwo\n}\nthree\nthree\n' >"$dir/checkout/a"
	sh "$dir/hosts/some/apply.sh" "$dir/checkout"
}

# edits WHAT COMMANDS RESULT: RESULT is the file with its lines joined
edits() {
	editor "$2" >"$dir/out" 2>&1 || fail "$1: $(cat "$dir/out")"
	result=$(tr '\n\t' ',_' <"$dir/checkout/a")
	[ "$result" = "$3" ] && pass || fail "$1: $result"
}

# refuses WHAT COMMANDS MESSAGE: fails and leaves the checkout unchanged
refuses() {
	editor "$2" >"$dir/out" 2>&1 && fail "$1: accepted"
	grep -qF "$3" "$dir/out" && pass || fail "$1: $(cat "$dir/out")"
	[ "$(cd "$dir/checkout" && cat *)" = "$(printf 'one\nint f(void)\n{\n\ttwo\n}\nthree\nthree')" ] &&
		pass || fail "$1: the checkout has changed"
}

edits after "echo new | after a '^one\$'" "one,new,int f(void),{,_two,},three,three,"
edits before "echo new | before a two" "one,int f(void),{,new,_two,},three,three,"
edits inside "echo new | inside a '^int f\\('" "one,int f(void),{,new,_two,},three,three,"
edits change "change a two 's/two/2/'" "one,int f(void),{,_2,},three,three,"
edits cut_out "{ echo '/* of'; echo ' * f */'; } | before a '^int f'; cut_out a '^int f' '^}\$'" \
	"one,three,three,"
edits "two edits" "echo x | after a one; echo y | after a x" \
	"one,x,y,int f(void),{,_two,},three,three,"
good="echo new | after a one;"
refuses "no such line" "$good echo new | after a four" "a has no line like 'four'"
refuses "two such lines" "$good echo new | after a three" "a has more than one line like 'three'"
refuses "no such file" "$good echo new | after b one" "b is not in"
refuses "no change" "$good change a two 's/2/3/'" "changes nothing"
refuses "nothing opens" "$good echo new | inside a '^}'" "nothing opens"
refuses "a file in the way" "$good add LICENSE a" "a is there already"

# In a git checkout it commits its own edits, unless git refuses.
git init -q "$dir/git"
echo one >"$dir/git/a"
git -C "$dir/git" add a
export GIT_AUTHOR_NAME=Nobody GIT_AUTHOR_EMAIL=nobody@example.org
export GIT_COMMITTER_NAME=Nobody GIT_COMMITTER_EMAIL=nobody@example.org
git -C "$dir/git" commit -q -m first
printf '%s\n' '. hosts/edit.sh' 'echo two | after a one' 'add LICENSE b' 'finish "Add two"' \
	'give_up enough' >"$dir/hosts/some/apply.sh"
apply="sh $dir/hosts/some/apply.sh $dir/git"

# kept WHAT STATUS: no commit was added, and git's status is STATUS
kept() {
	[ "$(git -C "$dir/git" log --format=%s)" = first ] && pass || fail "$1: a commit"
	[ "$(git -C "$dir/git" status --porcelain)" = "$2" ] && pass ||
		fail "$1: $(git -C "$dir/git" status --porcelain)"
}

refused "an unknown committer" "git does not know who commits .*; nothing was changed" env -i \
	PATH="$PATH" HOME=/nonexistent GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null \
	EMAIL= GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.useConfigOnly GIT_CONFIG_VALUE_0=true $apply
kept "an unknown committer" ""
echo more >>"$dir/git/a"
refused "a change of theirs" "commit or stash first what has changed in a; nothing was changed" $apply
kept "a change of theirs" " M a"
git -C "$dir/git" checkout -q a
printf '#!/bin/sh\nexit 1\n' >"$dir/git/.git/hooks/pre-commit"
chmod +x "$dir/git/.git/hooks/pre-commit"
refused "a hook says no" "edited and staged, but git refused the commit" $apply
kept "a hook says no" "M  a
A  b"
rm "$dir/git/.git/hooks/pre-commit"
git -C "$dir/git" reset -q --hard
echo staged >"$dir/git/c"
git -C "$dir/git" add c
refused "what follows a commit" "enough; what was done before stays" $apply
[ "$(git -C "$dir/git" log -1 --format=%s)" = "Add two" ] && pass || fail "no commit"
[ "$(git -C "$dir/git" status --porcelain)" = "A  c" ] && pass ||
	fail "not as it was: $(git -C "$dir/git" status --porcelain)"
refused "a second time" "b is there already: to apply again, revert the old commit first" $apply
finish
