#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# README.md and doc/ match reality: output of commands and programs, figures, public functions,
# links. Web links are compared with tests/links.txt; make check-links asks the web.
# tests/check/voice.py checks the language. After a deliberate change run "make docs" and read the
# difference.
. tests/check/lib.sh
. tests/check/links_list.sh

pages="README.md $(ls doc/*.md) hosts/README.md examples/server.md"
all="$(ls ./*.md) $(find bench conformance doc examples hosts proofs tests -name '*.md' 2>/dev/null)"

# targets PAGE: targets of its links and pictures, without code blocks
targets() {
	awk '/^ *```/ { code = !code; next }
		code { next }
		{
			gsub(/`[^`]*`/, "`")
			while (match($0, /\]\([^)]*\)|(src|srcset)="[^"]*"/)) {
				link = substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
				gsub(/^\]\(|\)$|^[a-z]*="|"$/, "", link)
				print link
			}
		}' "$1"
}

# anchors PAGE: anchors of its headings
anchors() {
	awk '/^ *```/ { code = !code; next }
		!code && sub(/^#+ /, "") {
			$0 = tolower($0)
			gsub(/[^a-z0-9 _-]/, "")
			gsub(/ /, "-")
			print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")
		}' "$1"
}

# links PAGE [AS]: prints dead links; paths are relative to AS
links() {
	base=$(dirname "${2:-$1}")
	known=
	targets "$1" | sort -u | while read -r link; do
		case $link in *://* | mailto:*) continue ;; esac
		path=${link%%#*}
		if [ -z "$path" ]; then
			path=$1
		else
			path=$base/$path
		fi
		if [ ! -e "$path" ]; then
			echo "dead link: $link"
		elif [ "$link" != "${link#*#}" ]; then
			[ "$path" = "$known" ] || anchors "$path" >"$dir/anchors"
			known=$path
			grep -qx -e "${link#*#}" "$dir/anchors" || echo "dead anchor: $link"
		fi
	done >"$dir/dead"
	cat "$dir/dead"
	[ ! -s "$dir/dead" ]
}

# same PAGE: its generated parts are up to date
same() {
	scripts/page.sh "$1" >"$dir/page.md" && diff -u "$1" "$dir/page.md"
}

# documented PAGE: it has a heading for each public function
documented() {
	tr ',' '\n' <"$1" | sed -nE 's/^(### | )(pmumap_[a-z0-9_]+)$/\2/p' | sort -u >"$dir/headings"
	functions | sort -u | comm -23 - "$dir/headings" |
		sed 's/^/not in the page: /' >"$dir/absent"
	cat "$dir/absent"
	[ ! -s "$dir/absent" ]
}

# short PAGE MOST: its first program has at most MOST lines
short() {
	[ "$(awk '/^```c/ { on = 1; next } /^```/ && on { exit } on' "$1" | wc -l)" -le "$2" ]
}

command -v dtc >/dev/null || {
	echo "SKIP what pages say (device-tree-compiler is not installed)"
	finish
}
# HERE: programs as C only, without sanitizers, and not the answers for all boards
[ -z "${HERE:-}" ] || export CXX='' FLAGS=-O0
for page in $pages; do
	[ -z "${HERE:-}" ] || [ "$page" != doc/boards.md ] || continue
	if [ "$page" = doc/findings.md ] && ! grep -q JANSSON build/pmumap.libs; then
		echo "SKIP $page (libjansson-dev is not installed)"
		continue
	fi
	works "$page is not what is, make docs" same "$page"
done

# The pages' programs again: optimised, because only then compilers warn of uninitialised variables;
# and under valgrind, which finds them at run time. HERE: not these
programs=$(grep -lE '^int main\((void|int)' $pages)
[ "$(echo "$programs" | wc -l)" -ge 3 ] && pass || fail "programs of pages were not found"
for cc in gcc-12 gcc-14 clang-19; do
	[ -z "${HERE:-}" ] && command -v $cc >/dev/null || continue
	case $cc in
	gcc*) flags="-O2 -Wmaybe-uninitialized" ;;
	clang*) flags="-O2 -Wconditional-uninitialized -Wsometimes-uninitialized" ;;
	esac
	for page in $programs; do
		CC=$cc CXX='' FLAGS=$flags works "programs of $page by $cc" same "$page"
	done
done
if [ -n "${HERE:-}" ]; then
	:
elif command -v valgrind >/dev/null; then
	for page in $programs; do
		CXX='' FLAGS="-O0 -g" RUN="valgrind -q" \
			works "programs of $page under valgrind" same "$page"
	done
else
	echo "SKIP programs of pages under valgrind (it is not installed)"
fi

for page in $all; do
	works "links of $page" links "$page"
done
works "links to the web" same_links tests/links.txt .
works "functions in doc/api.md" documented doc/api.md
works "the picture of the README, make docs" \
	sh -c 'scripts/pages/picture.sh | cmp - doc/sg2044.svg'

works "a program of at most 25 lines in README.md" short README.md 25
works "a program of at most 40 lines in doc/firmware.md" short doc/firmware.md 40
for command in "make deps demo" "make deps check"; do
	works "\"$command\" at the top of README.md" \
		sh -c "head -n 10 README.md | grep -q '^$command '"
done

works "the command that make demo ends with" sh -c \
	'MAKEFLAGS= make demo | tail -n 1 | sed "s/.*: build/build/" | grep "^build/pmumap " | sh'

# Targets named in pages exist.
make -pq : >"$dir/make" 2>/dev/null
sed -nE 's/^([a-z0-9.-]+):.*/\1/p' "$dir/make" | sort -u >"$dir/targets"

# A table of proofs/README.md says what "make check", "ci" and "nightly" run.
for set in checks:3 more:4 rest:5; do
	sed -n "s/^${set%:*} := //p" "$dir/make" | tr "\"'" '  ' |
		awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^check-/ || $(i - 1) == "make") print $i }' |
		sort -u >"$dir/run"
	awk -F '[|]' -v column="${set#*:}" '/^[|] what [|] .make check/ { on = 1; next } on && !/^[|]/ { exit }
		on { print $column }' proofs/README.md | grep -o '`[^`]*`' | tr '` ' '\n\n' |
		grep -xFf "$dir/targets" | sort -u >"$dir/told"
	nothing "the table of proofs/README.md differs from ${set%:*} in scripts/mk" \
		"$(comm -3 "$dir/run" "$dir/told" | tr -d '\t')"
done
# shellcheck disable=SC2086
cat $pages CONTRIBUTING.md | grep -oE '(^|`)make [a-z0-9 /.-]+' | sed -E 's/^`?make //; s/  .*//' | tr ' ' '\n' |
	grep '^[a-z]' | grep -v / | grep -vxF alone | sort -u >"$dir/named"
nothing "targets that pages name, but make does not have" "$(comm -13 "$dir/targets" "$dir/named")"

# README.md's claims on speed: bench/baseline.txt gives all boards but one the same instruction
# count for a raw event, and in bench/boards.svg a peer is faster on that board only.
slower=$(sed -nE 's,^x86_64/raw-hits/([a-z0-9-]+) ([0-9]+).*,\2 \1,p' bench/baseline.txt | sort -n |
	awk 'NR == 1 { least = $1 } $1 > least { print $2 }')
peers=$(awk '/<text/ && /counters of a raw event/ { raw = 1 }
	/class="ink"/ { sub(/<\/text>/, ""); sub(/.*>/, ""); board = $0 }
	raw && match($0, /(RustSBI|OpenSBI|pmumap): [0-9.]+ ns/) {
		split(substr($0, RSTART, RLENGTH), word, ": ")
		if (word[1] == "pmumap")
			own = word[2] + 0
		else if (!(board in best) || word[2] + 0 < best[board])
			best[board] = word[2] + 0
		if (word[1] == "pmumap" && best[board] < own)
			print board
	}' bench/boards.svg)
nothing "boards where raw events take longer, README.md names JHB100" \
	"$([ "$slower" = starfive-jhb100 ] || echo "$slower")"
nothing "boards where a peer is faster, README.md names those with up to 3 raw rows" \
	"$(echo "$peers" | grep -vxE 'U74|K1|X280|JHB100')"
empty=$(sed -nE 's/^\| count_once\(\) .* work\(\) \| ([0-9]+) .*/\1/p' doc/performance.md)
works "README.md on an empty work()" grep -q "QEMU 10 counts ${empty:-none} instructions" README.md
works "README.md on few raw rows" grep -q 'random raw events of up to 3 rows' README.md

if command -v python3 >/dev/null; then
	tests/check/voice.py >"$dir/voice" 2>&1 && pass ||
		while IFS= read -r line; do fail "$line"; done <"$dir/voice"
fi
nothing "the manual has cpp run by hand, which the tool does" "$(grep -n '^\.Dl cpp' tool/pmumap.1)"

# Tests of this check itself. HERE: none
[ -z "${HERE:-}" ] || finish

# plain FILE TEXT: voice.py accepts a file with this text
plain() {
	printf '%s\n' "$2" >"$dir/$1"
	tests/check/voice.py "$dir/$1"
}
if command -v python3 >/dev/null; then
	while IFS= read -r line; do
		refused "$line" ':1: [^:0-9]*: ' plain page.md "$line"
	done <<END
What the map has is the row.
The block keeps what the map does not use: what is left is cleared.
It says that there is a counter.
It answers, whatever it is asked.
This event is counted; it is none of the fixed ones.
Use a counter that is there.
OpenSBI stops here, as it is the first row of two.
Rows are lost, as fixed counters cannot count them.
The check is left out, for it needs the web.
Use a number; else pass 0.
Each row is programmed as it stands.
The tool tells of the rows that are wrong.
END
	long="Ten words of prose, of which not one is code, $(printf 'and %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)"
	works "sentences of 30 words" plain page.md "- $long\`two words\`. $long
| nothing else | \`\`"
	refused "a sentence of 31 words" 'page.md:2: 31 words, at most 30: Ten' plain page.md "It counts.
${long}[more words](a-b.md)."
	refused "a text of a finding" 'findings.c:2: that there is: Say' plain findings.c '{ "It is", EXAMPLE("as there is") },
{ "Say " "that there"
" is one." }'
	refused "a manual" 'manual.h:3: that there is: It' plain manual.h "/*
 *   Term	it says
 *		no more. It says that there is one.
 */"
	works "code" plain manual.h "/*
 *	use(that there is);
 */
/* that there is */"
fi

# notices PAGE PATTERN SED CHECK...: the check fails on the edited page, with a message like PATTERN
notices() {
	page=$1 pattern=$2 change=$3
	shift 3
	sed "$change" "$page" >"$dir/wrong.md"
	cmp -s "$page" "$dir/wrong.md" && fail "nothing changed: $change"
	refused "$change" "$pattern" "$@"
}
notices README.md '^-.* 99999 |' 's/\(code of the look-ups |\) [0-9]*/\1 99999/' \
	same "$dir/wrong.md"
notices README.md '^-bus-cycles  yes' 's/^bus-cycles  wrong/bus-cycles  yes  /' same "$dir/wrong.md"
notices README.md 'dead link: doc/apis.md' 's,(doc/api\.md),(doc/apis.md),' \
	links "$dir/wrong.md" README.md
notices doc/api.md 'dead anchor: #pmumap_siz$' 's/(#pmumap_size)/(#pmumap_siz)/' \
	links "$dir/wrong.md"
mkdir "$dir/web"
sed 's,/v6\.12/,/v6.13/,' doc/field.md >"$dir/web/page.md"
refused "a link that nobody has looked at" 'not in the list: .*/v6\.13/tools/perf/util/pmu.c$' \
	same_links tests/links.txt "$dir/web"
notices tests/links.txt 'in no file: .*/p550s$' 's,sifive/p550$,&s,' same_links "$dir/wrong.md" .
notices tests/links.txt 'no https.* http:.*/hw/imc.c$' 's,^https\(.*hw/imc.c\)$,http\1,' \
	same_links "$dir/wrong.md" .
notices tests/links.txt 'no https.* https.*github.example' 's,github.com/qemu,github.example/qemu,' \
	same_links "$dir/wrong.md" .
notices tests/links.txt 'no commit and no version: .*/master/hw' 's,v7.1/hw,master/hw,' \
	same_links "$dir/wrong.md" .
notices tests/links.txt 'neither a name nor a link that was seen: .*/p550$' \
	'/sifive.p550$/{n;n;d}' same_links "$dir/wrong.md" .
notices doc/api.md 'not in the page: pmumap_size$' '/^### pmumap_size$/d' documented "$dir/wrong.md"
mkdir "$dir/tree"
cp -r src pmumap*.h "$dir/tree"
sed '/^\/\* Bytes of the image, for copying/d' src/riscv/map_api.h >"$dir/tree/src/riscv/map_api.h"
refused "a function without a comment" 'no comment says what pmumap_size does' \
	sh -c "cd $dir/tree && ../../../scripts/pages/api.sh"
# The upgrade script renames calls to ones that exist, once, and names what is left to people.
cat >"$dir/old.c" <<'END'
#include "pmumap_imc.h"
struct pmumap_imc_unit unit;
ok = pmumap_imc_unit(map, 0, &unit) && pmumap_imc_read(p);
pmumap_imc_find(map, name, length, 0, &event);
END
cat >"$dir/new.c" <<'END'
#include "pmumap_imc.h"
#include "pmumap_imc_hw.h"
struct pmumap_imc_unit unit;
ok = pmumap_imc_unit_at(map, 0, &unit) && pmumap_imc_load_counter(p);
pmumap_imc_find(map, name, length, 0, &event);
END
for run in first second; do
	[ "$(scripts/upgrade-0.4 "$dir/old.c")" = "$dir/old.c:5:$(tail -n 1 "$dir/new.c")" ] && pass ||
		fail "scripts/upgrade-0.4, $run run: what is left"
	works "scripts/upgrade-0.4, $run run" diff "$dir/new.c" "$dir/old.c"
done
for call in $(sed -nE 's/^(imc|amu)_[a-z_]+[[:space:]]+([a-z_]+)$/\2/p' scripts/upgrade-0.4); do
	grep -qE "^(PMUMAP_API .*[ *])?pmumap_$call\(" $headers && pass ||
		fail "scripts/upgrade-0.4: there is no pmumap_$call()"
done

finish
