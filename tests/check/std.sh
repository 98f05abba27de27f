#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# std.sh COMPILER...: every function compiles without a warning in every standard and both modes. A
# name that ends in ++ is a C++ compiler. Then repeats this with warnings that other projects
# enable: hypervisors, boot loaders and kernels in C, Spike and Genode in C++. HERE: not c11 and c17.
. tests/check/lib.sh
sources

for target; do
	compiler "$target" || continue
	case $target in
	*++)
		standards="c++11 c++20" suffix=cc
		more="-std=c++20 -Wswitch-default -Wzero-as-null-pointer-constant -Wold-style-cast
			-Weffc++ -Wcast-qual -Wcast-align -Wdouble-promotion -Wmissing-declarations"
		case $target in clang*) ;; *) more="$more -Wuseless-cast" ;; esac
		;;
	*)
		standards="c99 c11 c17 c2x" suffix=c
		[ -z "${HERE:-}" ] || standards="c99 c2x"
		more="-std=c11 -Wswitch-default -Wmissing-prototypes -Wmissing-declarations
			-Wstrict-prototypes -Wcast-qual -Wvla -Wimplicit-fallthrough -Wcast-align
			-Wdeclaration-after-statement -Wredundant-decls -Wnested-externs
			-Wold-style-definition -Wbad-function-cast"
		;;
	esac
	for standard in $standards; do
		for file in all implementation; do
			works "$target $standard" $cc -std=$standard -fsyntax-only -ffreestanding \
				$warnings -I. "$dir/$file.$suffix"
		done
	done
	# Some warnings need the optimiser. undef.sh covers those in C.
	if [ $suffix = cc ]; then
		works "$target -O2" $cc -O2 -ffreestanding $warnings -I. -c "$dir/all.cc" -o "$dir/o.o"
	fi
	# Extra warnings of other projects. None of them needs the optimiser.
	includes $headers >"$dir/include.$suffix"
	for file in include implementation; do
		works "$target, with more warnings" $cc -fsyntax-only -ffreestanding $warnings $more -I. \
			"$dir/$file.$suffix"
	done
	# Each header alone: nothing in it may be unused either.
	for header in $headers; do
		includes "$header" >"$dir/alone.$suffix"
		works "$target $header" $cc -fsyntax-only -ffreestanding $warnings -DPMUMAP_IMPLEMENTATION \
			-I. "$dir/alone.$suffix"
	done
done
finish
