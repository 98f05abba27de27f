#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# std.sh COMPILER...: every function compiles in every standard without a warning, in both modes. A
# compiler whose name ends in ++ is a C++ one.
. tests/check/lib.sh
sources

for target; do
	compiler "$target" || continue
	case $target in
	*++) standards="c++11 c++20" suffix=cc ;;
	*) standards="c99 c11 c17 c2x" suffix=c ;;
	esac
	for standard in $standards; do
		for file in all implementation; do
			works "$target $standard" $cc -std=$standard -fsyntax-only -ffreestanding \
				$warnings -I. "$dir/$file.$suffix"
		done
	done
	# Some warnings come from the optimiser.
	for file in all implementation; do
		works "$target -O2" $cc -O2 -ffreestanding $warnings -I. -c "$dir/$file.$suffix" \
			-o "$dir/o.o"
	done
	# A binding alone, where nothing may stay unused either.
	for binding in PMUMAP_RISCV PMUMAP_IMC PMUMAP_AMU; do
		works "$target $binding" $cc -O2 -ffreestanding $warnings -DPMUMAP_BINDINGS=$binding \
			-I. -c "$dir/main.$suffix" -o "$dir/o.o"
	done
done
finish
