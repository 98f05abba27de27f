#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: scripts/page.sh PAGE.md
#
# Prints the page with its generated parts up to date:
#   - Command output: in a block that begins with "$ ", each such line is run.
#   - Program output: a C block with a hosted main() is compiled as C and C++, with sanitizers. -O0
#     compiles quickly and removes nothing that the sanitizers check. A "text" block after it shows
#     the output; the command ./program runs it. FLAGS replaces the flags; CXX= (empty) compiles as
#     C only; RUN runs the program, e.g. under valgrind.
#   - Text between "<!-- NAME begin -->" and "<!-- NAME end -->", if scripts/pages/NAME.sh exists.
#     In a manual page these are comments, with an option for the script: .\" NAME -v begin
# Needs build/pmumap. tests/check/docs.sh compares the result with the page; "make docs" writes it.
# Fails if a program does not compile or a script fails.
set -u
export LC_ALL=C NO_COLOR=1 COLUMNS=100 PATH="$PWD/build:$PATH"
export ASAN_OPTIONS=detect_leaks=0 # leak detection needs ptrace, which containers may forbid

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror"
flags=${FLAGS:--O0 -fsanitize=address,undefined -fno-sanitize-recover=all}
cxx=${CXX-g++}
run=${RUN:-}

# compile: builds $dir/program.c if it has a main(); otherwise a block after it is not output
compile() {
	rm -f "$dir/program" "$dir/program++"
	grep -qE '^int main\((void|int)' "$dir/program.c" || return 0
	${CC:-gcc} -std=c11 $flags $warnings -I. "$dir/program.c" -o "$dir/program" || exit
	[ -z "$cxx" ] || $cxx -std=c++20 $flags $warnings -I. -x c++ "$dir/program.c" \
		-o "$dir/program++" || exit
}

# output COMMAND: for ./program, also shows where the C and C++ builds differ
output() {
	case $1 in
	./program*)
		arguments=${1#./program}
		sh -c "$run $dir/program$arguments" >"$dir/said" 2>&1 </dev/null
		[ -z "$cxx" ] ||
			sh -c "$run $dir/program++$arguments" 2>&1 </dev/null | diff "$dir/said" -
		cat "$dir/said"
		;;
	*) sh -c "$1" 2>&1 </dev/null ;;
	esac
}

inside=text # state of the parser
while IFS= read -r line; do
	if [ $inside = block ]; then # first line of a block
		case $line in '$ '*) inside=commands ;; *) inside=other ;; esac
	fi
	case $inside,$line in
	marked,'<!-- '*' end -->' | marked,'.\" '*' end') inside=text ;;
	marked,* | printed,[!\`]*) continue ;;
	text,'```') inside=block ;;
	text,'```c') inside=source && : >"$dir/program.c" ;;
	text,'```text') inside=other && [ ! -x "$dir/program" ] || inside=program ;;
	text,'```'*) inside=other ;;
	text,'<!-- '*' begin -->' | text,'.\" '*' begin')
		name=${line#* }
		option=${name% begin*}
		name=${option%% *}
		option=${option#"$name"}
		name=scripts/pages/$name.sh
		[ ! -x "$name" ] || inside=marked
		;;
	source,'```') inside=compiled ;;
	*,'```') inside=text ;;
	source,*) printf '%s\n' "$line" >>"$dir/program.c" ;;
	commands,'$ '*) ;;
	commands,* | printed,*) continue ;;
	esac
	printf '%s\n' "$line"
	case $inside,$line in
	marked,*) "$name" $option || exit ;;
	compiled,*) compile; inside=text ;;
	program,*) output ./program && inside=printed ;;
	commands,*) output "${line#??}" ;;
	esac
done <"$1"
