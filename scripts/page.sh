#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: scripts/page.sh PAGE.md
#
# Prints the page as it has to be. What is made anew:
#   - the output of commands: in a block that begins with "$ ", each line that does so is run
#   - the output of programs: a block of C with a main() of a system is compiled, as C and as C++,
#     under sanitizers and not optimised, which is cheap, and takes nothing away that they look at;
#     a block "text" behind it is what it prints, and the command ./program runs it
#     FLAGS: instead of these; CXX= (empty): as C only; RUN: what runs it, as valgrind
#   - what is between the lines "<!-- NAME begin -->" and "<!-- NAME end -->", where there is a
#     scripts/pages/NAME.sh that prints it; in a manual page they are comments, .\" NAME begin
# build/pmumap has to be there. tests/check/docs.sh compares, "make docs" takes the output over.
# Fails if a program does not compile, or a script fails.
set -u
export LC_ALL=C NO_COLOR=1 COLUMNS=100 PATH="$PWD/build:$PATH"
export ASAN_OPTIONS=detect_leaks=0 # that needs ptrace, which a container may not give

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Werror"
flags=${FLAGS:--O0 -fsanitize=address,undefined -fno-sanitize-recover=all}
cxx=${CXX-g++}
run=${RUN:-}

# compile: $dir/program.c, if it is one; else a block behind it is not its output
compile() {
	rm -f "$dir/program" "$dir/program++"
	grep -qE '^int main\((void|int)' "$dir/program.c" || return 0
	${CC:-gcc} -std=c11 $flags $warnings -I. "$dir/program.c" -o "$dir/program" || exit
	[ -z "$cxx" ] || $cxx -std=c++20 $flags $warnings -I. -x c++ "$dir/program.c" \
		-o "$dir/program++" || exit
}

# output COMMAND: of a program, what both of its compilers' programs print
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

inside=text # what the line is in
while IFS= read -r line; do
	if [ $inside = block ]; then # its first line
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
		name=scripts/pages/${name%% *}.sh
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
	marked,*) "$name" || exit ;;
	compiled,*) compile; inside=text ;;
	program,*) output ./program && inside=printed ;;
	commands,*) output "${line#??}" ;;
	esac
done <"$1"
