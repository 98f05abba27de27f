#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# planted.sh [BUG...]: plants each bug of bugs.sh alone into a copy of the sources and runs the
# layers that must notice it. Prints rows for the tables in README.md: CPU seconds to the first
# failure, for AFL++ wall-clock seconds.
#
# LAYERS: layers to run (unit replay wp cbmc fuzz golden scripts browser). LIMIT: seconds for AFL++
# (600). OBJECTS: folder with the objects of unit tests and harnesses (build/extern); AFL: the same
# for AFL++ (build/afl). FIT=1: runs nothing; checks that each bug matches one line and each
# annotation has its place, and that a table has a row for each bug with these layers, at least two
# and one of them not fuzzing.
. tests/check/lib.sh

layers=${LAYERS:-unit replay wp cbmc fuzz golden scripts browser}
objects=${OBJECTS:-build/extern}
afl=${AFL:-build/afl}
table=tests/planted/README.md
san="-fsanitize=address,undefined -fno-sanitize-recover=all"
models="$objects/model.o $objects/imc_model.o $objects/amu_model.o $objects/sbi_model.o"
wanted=" $* "
export PMUMAP_QUICK=1
. proofs/wp/lib.sh
. fuzz/env.sh

# replace_in FUNCTION FROM TO FILE: as replace, but FROM occurs once in this function of FILE
replace_in() {
	local first last
	read -r first last < <(awk -v name="$1(" '
		/^[a-zA-Z]/ && index($0, name) && !/;$/ && !first { first = NR }
		first && /^}/ { print first, NR; exit }' "$4")
	[ -n "${last:-}" ] || return
	sed -n "$first,${last}p" "$4" >"$dir/function"
	head -n $((first - 1)) "$4"
	replace "$2" "$3" "$dir/function" && tail -n +$((last + 1)) "$4"
}

# plant PLACE FROM TO LAYER...: writes headers with the bug to $dir, or the tool; with FIT, only for
# WP
plant() {
	local header function=${1#*:} file=${1%%:*}
	case $file in
	tool/* | packaging/page/*) ;;
	*) file=src/$file ;;
	esac
	rm -rf "$dir/src" "$dir/tool" "$dir/packaging"
	if [[ -z "$fit" || " $*" == *" wp:"* ]]; then
		cp -r "${file%%/*}" "$dir"
	else
		mkdir -p "$dir/${file%/*}"
	fi
	if [ "$function" = "$1" ]; then
		replace "$2" "$3" "$file"
	else
		replace_in "$function" "$2" "$3" "$file"
	fi >"$dir/$file" || return
	shift 3
	[[ -z "$fit" || " $*" == *" wp:"* ]] || return 0
	case $file in
	tool/*) build_tool "$file" ;;
	packaging/page/*) build_page ;;
	*)
		for header in $headers; do
			if grep -qF "/* ---- ${file#src/}: " "$header"; then
				scripts/amalgamate.py "$dir/src/$header" >"$dir/$header" || return
			else
				cp "$header" "$dir"
			fi
		done
		;;
	esac
}

# build_tool FILE: $dir/bin/pmumap, with this file of $dir instead of its own object
build_tool() {
	local file objects=$dir/planted.o
	for file in tool/*.c tool/*/*.c; do
		[ "$file" = "$1" ] || objects+=" build/command/${file#tool/}"
	done
	mkdir -p "$dir/bin"
	gcc -std=c11 -w $(grep -o -e '-D[A-Z_]*' build/pmumap.libs) -I. -I"$dir/tool" -c "$dir/$1" \
		-o "$dir/planted.o" &&
		gcc ${objects//.c/.o} -lfdt $(grep -o -e '-l[a-z]*' build/pmumap.libs) \
			-o "$dir/bin/pmumap"
}

# build_page: $dir/page.html from the scripts in $dir/packaging/page
build_page() {
	mkdir -p "$dir/doc" && cp doc/boards.md "$dir/doc" || return
	"$dir/packaging/page/build.py" 0 build/page/pmumap.deflate "$dir/page.html" \
		"SG2044=build/boards/sophgo-sg2044.dtb" "POWER9=build/boards/imc-power9.dtb" \
		"TC2=build/boards/amu-tc2.dtb"
}

# compile FLAGS
compile() {
	gcc -std=c11 -O0 -DPMUMAP_EXTERN $1 -Itests/support -I"$dir" -c "$dir/implementation.c" \
		-o "$dir/implementation.o"
}

# runs PROGRAM FLAGS: it passes with the compiled functions; a harness runs its corpus
runs() {
	local program=$1 flags=$2 more= input=
	[[ $program != fuzz_* ]] ||
		more=$objects/main.o input=build/inputs/${program#fuzz_}
	gcc $flags "$objects/$program.o" $more $models "$dir/implementation.o" -lfdt -o "$dir/program" &&
		scripts/limit.sh 20 "$dir/program" $input >"$dir/program.log" 2>&1
}

# fails FLAGS PREFIX NAME,...: one of these programs fails; 2: it does not compile
fails() {
	local name
	compile "$1" || return 2
	for name in ${3//,/ }; do
		runs "$2_$name" "$1" || return 0
	done
	return 1
}

# Layers return 0 if they notice the bug.
unit() {
	fails "" test "$1" || fails "$san" test "$1"
}

replay() {
	fails "$san" fuzz "$1"
}

wp_layer() {
	local part=${1%%:*} name=${1#*:} proved total
	original=$dir weave "$part" || return
	[ -z "$fit" ] || return 0
	wp "$part" proof "$name" -wp-timeout 3 -wp-prop=-@assigns
	read -r proved total < <(counts "$part" | sed -n "s/^$name //p")
	[ "${total:-0}" -gt "${proved:-0}" ]
}

cbmc() {
	local found
	found=$(CHECKED=$dir JOBS=1 proofs/cbmc/run.sh "$1")
	! grep -q '^[^ ].*SUCCESS$' <<<"$found" && grep -q '^  \[.*: FAILURE' <<<"$found"
}

# fuzz HARNESS: AFL++ without inputs that show the bug; sets $took in wall-clock seconds
fuzz() {
	local file afl_models=${models//$objects/$afl}
	afl-clang-fast -std=c11 -O0 -fsanitize=address -DPMUMAP_EXTERN -I"$dir" \
		-c "$dir/implementation.c" -o "$dir/afl.o" 2>"$dir/layer.log" &&
		afl-clang-fast $san "$afl/fuzz_$1.o" "$afl/main.o" "$afl/steps.o" $afl_models \
			"$dir/afl.o" -lfdt -o "$dir/harness" 2>"$dir/layer.log" || return
	rm -rf "$dir/in" "$dir/out"
	mkdir -p "$dir/in"
	for file in build/inputs/"$1"/*; do
		! scripts/limit.sh 30 "$dir/harness" <"$file" >/dev/null || cp "$file" "$dir/in"
	done 2>/dev/null # for harnesses that abort
	[ -n "$(ls "$dir/in")" ] || printf '\1' >"$dir/in/one"
	mutator "$1" "$afl"
	AFL_BENCH_UNTIL_CRASH=1 afl-fuzz -t 5000 -V "${LIMIT:-600}" -x fuzz/fdt.dict \
		-i "$dir/in" -o "$dir/out" -- "$dir/harness" >"$dir/layer.log" 2>&1
	took=$(find "$dir/out" -path '*crashes/id*' -o -path '*hangs/id*' | head -n 1 |
		sed -nE 's/.*,time:([0-9]+),.*/\1/p' | awk '{ printf "%.1f", $1 / 1000 }')
	[ -n "$took" ]
}

# golden FILE,...: a command of tests/tool/FILE.txt has another output
golden() {
	local name
	local PATH=$PWD/$dir/bin:$PWD/build/tool/live:$PATH
	for name in ${1//,/ }; do
		LC_ALL=C run_commands "tests/tool/$name.txt" "$dir/now"
		cmp -s "tests/tool/$name.txt" "$dir/now" || return 0
	done
	return 1
}

# scripts SCRIPT[+PART],...: a script of tests/check fails
scripts() {
	local script part bin=$PWD/$dir/bin
	for script in ${1//,/ }; do
		part=${script#"${script%%+*}"}
		script=${script%%+*}
		case $script in
		page.mjs) node tests/check/page.mjs "$dir/packaging/page" build/page/linked.wasm build/pmumap ;;
		*.py) "tests/check/$script" "$bin/pmumap" ${part#+} ;;
		*) TOOL=$bin FIT= LAYERS=planted "tests/check/$script" ;;
		esac >"$dir/check.log" 2>&1 || return 0
	done
	return 1
}

browser() {
	! tests/check/page.py "$dir/page.html" build/pmumap build/boards >"$dir/check.log" 2>&1
}

# seconds COMMAND...: sets $took in CPU seconds
seconds() {
	local TIMEFORMAT='%U' status
	{ time "$@" >"$dir/layer.log" 2>&1; status=$?; } 2>"$dir/took"
	took=$(tail -n 1 "$dir/took")
	return $status
}

# layer NAME ARGUMENT: sets $took; returns 0 if it notices
layer() {
	case $1 in
	wp) seconds wp_layer "$2" ;;
	fuzz) fuzz "$2" ;; # sets $took itself
	*) seconds "$1" "$2" ;;
	esac
}

# asks LAYER:ARGUMENT...: one of these layers shall run
asks() {
	local asked
	for asked; do
		[[ " $layers " != *" ${asked%%:*} "* ]] || return 0
	done
	return 1
}

bug() {
	local name=$1 what=$2 part=$3 from=$4 to=$5 asked argument kind row cells= kinds
	kinds="unit replay wp cbmc fuzz"
	[[ $part != tool/* && $part != packaging/page/* ]] || kinds="golden scripts browser"
	shift 5
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	[ -n "$fit" ] || asks "$@" || return 0
	if ! plant "$part" "$from" "$to" "$@"; then
		fail "$name: not once in $part: $from"
		return
	fi
	row="| $name | $what |"
	for kind in $kinds; do
		argument=
		for asked; do
			[ "${asked%%:*}" != $kind ] || argument=${asked#*:}
		done
		if [ -z "$argument" ]; then
			cells="$cells-"
			row="$row |"
			continue
		fi
		cells="${cells}x"
		row="$row -"
		[[ " $layers " == *" $kind "* ]] || { row="$row |"; continue; }
		if [ -n "$fit" ]; then
			[ $kind != wp ] || wp_layer "$argument" || fail "$name: $argument"
		elif layer $kind "$argument"; then
			pass
			row="${row% -} $took |"
		else
			fail "$name: $kind does not notice"
			tail -n 3 "$dir/layer.log"
			row="$row |"
		fi
	done
	if [ -n "$fit" ]; then
		row=$(grep -F "| $name | $what |" $table | awk -F'|' '{
			for (i = 4; i < NF; i++)
				printf "%s", $i ~ /[a-z0-9]/ ? "x" : "-"
		}')
		if [ "$row" != "$cells" ]; then
			fail "$name: $table has ${row:-no row}, its layers are $cells"
		elif [[ ${cells%?} != *x* || $cells != *x*x* ]]; then
			fail "$name: fewer than two layers, or fuzzing alone"
		else
			pass
		fi
	else
		echo "$row"
	fi
}

# Control: without a bug nothing may fail. Otherwise any failure would count.
control() {
	local kind=$1 all
	[[ " $layers " == *" $kind "* && -z "$fit" ]] || return
	cp $headers "$dir"
	all=$(grep -o "\b$kind:[a-z_,/.+]\+" tests/planted/bugs.sh | cut -d: -f2 | tr , '\n' |
		sort -u | paste -sd,)
	$kind "${2:-$all}"
	[ $? = 1 ] && pass || fail "one of $kind $all does not compile, or notices a bug where none is"
}

cp build/implementation.c "$dir"
control unit
control replay
mkdir -p "$dir/bin"
[ -n "$fit" ] || cp -r build/pmumap "$dir/bin" && cp -r packaging "$dir"
# The commands need the programs that check-tool builds.
[[ " $layers " != *" golden "* || -n "$fit" || -x build/tool/build_map ]] ||
	env -u LAYERS tests/check/tool.sh >/dev/null
control golden
control scripts
[ ! -f build/page/pmumap.html ] || cp build/page/pmumap.html "$dir/page.html"
control browser -
. tests/planted/bugs.sh
finish
