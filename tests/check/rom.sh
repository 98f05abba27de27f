#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make check-rom
#
# Output of "pmumap rom": C source on every installed target, and images, are the map built from the
# same tree, byte by byte. Every compiler accepts the source without a warning.
. tests/check/lib.sh

tool=${TOOL:-build/pmumap}
cc=${CC:-gcc}
export LC_ALL=C

# matches WHAT WANT GOT: the files are equal
matches() {
	if cmp -s "$2" "$3"; then
		pass
	else
		fail "$1"
		diff "$2" "$3" | head -n 10
	fi
}

# says WHAT STATUS PATTERN COMMAND...: fails with a one-line message
says() {
	what=$1 status=$2 pattern=$3
	shift 3
	got=0
	"$@" >"$dir/out" 2>"$dir/error" || got=$?
	if [ $got = "$status" ] && grep -Eq -- "$pattern" "$dir/error" &&
		[ "$(wc -l <"$dir/error")" = 1 ]; then
		pass
	else
		fail "$what: status $got: $(head -n 3 "$dir/error")"
	fi
}

# ---- boards: all of them, a tree with more raw rows than an index can have, events in a sorted run

mkdir -p "$dir/trees" "$dir/maps"
trees="$(echo build/boards/*.dtb | tr " " "\n" | grep -vE "amu-three|imc-and-riscv")" # these have several kinds of map
for tree in build/corpus-imc/power9-4e0200 build/corpus-imc/power10-800200; do
	[ ! -f $tree.dtb ] || trees="$trees $tree.dtb"
done

# raw COUNT: rows with disjoint masks
raw() {
	i=0
	while [ $i -lt "$1" ]; do
		printf '0x0 0x%x 0x0 0x%x 0x%x ' $((1 << i % 28)) $((1 << i % 28 | i / 28)) \
			$(((i % 29 + 1) << 3))
		i=$((i + 1))
	done
}
cat >"$dir/trees/odd.dts" <<-END
	/dts-v1/;
	/ {
		pmu {
			compatible = "riscv,pmu";
			riscv,event-to-mhpmevent = <0x5 0xffffffff 0xfffffffe 0x12345 0x1 0x2>;
			riscv,event-to-mhpmcounters = <0x100 0x1ff 0xf8 0x5 0x5 0x8
				0x12340 0x12350 0x10>;
			riscv,raw-event-to-mhpmcounters = <$(raw 200)>;
		};
	};
END
dtc -q -I dts -O dtb -o "$dir/trees/odd.dtb" "$dir/trees/odd.dts"
trees="$trees $dir/trees/odd.dtb"

names=
built=

# write_map NAME NAMING TREE OPTIONS...: writes the map in all forms. NAME: its function; NAMING:
# the option for that, if any.
write_map() {
	name=$1 naming=$2 tree=$3
	shift 3
	if ! $tool rom $naming "$@" "$tree" >"$dir/maps/$name.h" 2>"$dir/error"; then
		fail "rom $* $tree: $(cat "$dir/error")"
		return
	fi
	echo "#include \"$name.h\"" >>"$dir/maps/maps.h"
	names="$names X($name)"
	built="$built $name=$tree"
	$tool rom --binary "$@" "$tree" >"$dir/maps/$name.little"
	$tool rom --binary --big "$@" "$tree" >"$dir/maps/$name.big"
	$tool rom --binary "$dir/maps/$name.little" >"$dir/again"
	matches "$name: the image of the image" "$dir/maps/$name.little" "$dir/again"
}
for tree in $trees; do
	write_map "$(basename "$tree" .dtb | tr -c 'A-Za-z0-9\n' _)_map" "" "$tree"
done
for tree in build/boards/imc-power9.dtb build/boards/imc-same-name.dtb; do
	stem=$(basename "$tree" .dtb | tr - _)
	write_map ${stem}_desc "--name ${stem}_desc" $tree --desc
done
echo "#define ALL_MAPS$names" >>"$dir/maps/maps.h"

# ---- maps

# images NAME ORDER: all maps that the program has written equal the images
images() {
	for map in "$dir"/maps/*."$2"; do
		file=$(basename "$map" ".$2")
		matches "$file on $1" "$map" "$dir/$1/$file"
	done
}

mkdir "$dir/built"
works "reference" $cc -std=c11 -O0 -I. -DBUILT $warnings tests/qemu/rom_images.c -lfdt -o "$dir/build"
"$dir/build" "$dir/built" $built >"$dir/built.txt" || fail "the maps cannot be built"
awk '$2 != 0' "$dir/built.txt" | grep -q . && fail "a built map is not accepted"
images built little

# hosted NAME ORDER RUN CC...: ORDER is little or big
hosted() {
	name=$1 order=$2 run=$3
	shift 3
	if ! command -v "$1" >/dev/null || { [ -n "$run" ] && ! command -v $run >/dev/null; }; then
		echo "SKIP $name ($1 or $run not found)"
		return
	fi
	works "compile for $name" "$@" $warnings -I. -I"$dir/maps" -DMAPS='"maps.h"' \
		tests/qemu/rom_images.c -o "$dir/answers-$name"
	mkdir "$dir/$name"
	$run "$dir/answers-$name" "$dir/$name" >"$dir/$name.txt" 2>&1 || fail "$name: status $?"
	awk '$2 != 0' "$dir/$name.txt" | grep -q . && fail "$name does not accept a map"
	images $name $order
}
hosted x86-64 little "" $cc -std=c11 -O2
hosted x86-64-O0 little "" $cc -std=c99 -O0 -fsanitize=undefined -fno-sanitize-recover=all
hosted x86-64-clang little "" clang -std=c11 -O3
hosted riscv64 little qemu-riscv64 riscv64-linux-gnu-gcc -std=c11 -O2 -static
hosted armhf little qemu-arm arm-linux-gnueabihf-gcc -std=c11 -O2 -static
hosted ppc64 big qemu-ppc64 powerpc64-linux-gnu-gcc -std=c11 -O2 -static

# ---- the bare machine

# bare XLEN ISA ABI BASE: runs it on the bare machine
bare() {
	if ! command -v riscv64-unknown-elf-gcc >/dev/null ||
		! command -v qemu-system-riscv$1 >/dev/null; then
		echo "SKIP bare rv$1 (riscv64-unknown-elf-gcc or qemu-system-riscv$1 not found)"
		return
	fi
	runtime=examples/firmware/runtime
	works "compile for bare rv$1" riscv64-unknown-elf-gcc -std=c11 $warnings -O2 -march=$2 \
		-mabi=$3 -ffreestanding -fno-pic -mcmodel=medany \
		-fno-tree-loop-distribute-patterns -I. -I$runtime -I"$dir/maps" -DBARE \
		-DMAPS='"maps.h"' -static -nostdlib -T $runtime/link.ld -Wl,--build-id=none \
		-Wl,--no-warn-rwx-segments -Wl,--defsym=BASE=0x80000000 $runtime/start.S \
		$runtime/console.c $runtime/trap.c $runtime/string.c tests/qemu/rom_images.c \
		-o "$dir/answers-rv$1.elf"
	scripts/limit.sh 60 qemu-system-riscv$1 -M virt -bios none -nographic \
		-kernel "$dir/answers-rv$1.elf" </dev/null >"$dir/rv$1.txt" 2>&1 ||
		fail "bare rv$1 ends with $?"
	tr -d '\r' <"$dir/rv$1.txt" >"$dir/rv$1.lines"
	matches "maps on bare rv$1" "$dir/built.txt" "$dir/rv$1.lines"
}
bare 32 rv32imac_zicsr_zifencei ilp32
bare 64 rv64imac_zicsr_zifencei lp64

# ---- the source

matches "the source is reproducible" "$dir/maps/sifive_u74_map.h" - <<-END
	$($tool rom "$PWD/build/boards/sifive-u74.dtb")
END
nothing "lines of more than 100 columns" \
	"$(expand "$dir"/maps/*_map.h | grep -Ec '.{101}' | grep -v '^0')"
mkdir "$dir/copy"
cp build/boards/imc-power9.dtb "$dir/copy/*#-o\"*.dtb" 2>/dev/null
cp build/boards/imc-power9.dtb "$dir/copy/a \*/ x.dtb" 2>/dev/null
for file in "$dir"/copy/*; do
	$tool rom "$file" >"$dir/copy.h"
	echo '#include "copy.h"' >"$dir/copy.c"
	works "$file" $cc -std=c11 $warnings -I. -I"$dir" -c "$dir/copy.c" -o "$dir/copy.o"
done

$tool rom --name board build/boards/sifive-u74.dtb >"$dir/board.h"
compilers="$cc ${CXX:-g++} clang clang++"
for lang in c99 c11 c2x c++11 c++20; do
	for compiler in $compilers; do
		case $lang$compiler in c++*++) ;; c++* | *++) continue ;; esac
		command -v $compiler >/dev/null || continue
		[ $lang = c2x ] && ! $compiler -std=c2x -E -x c /dev/null >/dev/null 2>&1 && continue
		case $compiler in *++) x=c++ ;; *) x=c ;; esac
		printf '%s\n' '#include "board.h"' '#include "board.h"' \
			'#include "maps/imc_power9_map.h"' '#include "maps/amu_tc2_map.h"' \
			'extern int answer(void);' 'int answer(void)' \
			'{ return (int)pmumap_counters(board(), 4); }' >"$dir/use.c"
		works "$compiler -std=$lang" $compiler -x $x -std=$lang $warnings -O2 -I. -I"$dir" \
			-c "$dir/use.c" -o "$dir/use.o"
	done
done
works "beside PMUMAP_EXTERN" $cc $warnings -DPMUMAP_EXTERN -I. -I"$dir" -c "$dir/use.c" -o "$dir/use.o"
sed 's/\(#define PMUMAP_IMAGE_VERSION\) .*/\1 99u/' pmumap.h >"$dir/pmumap.h"
refused "an image of another version" "regenerate it" $cc -I"$dir" -c "$dir/use.c" -o "$dir/use.o"
rm "$dir/pmumap.h"

works "examples/rom_map.c" $cc -std=c11 -O2 $warnings -I. -I"$dir" examples/rom_map.c \
	-o "$dir/rom_map"
"$dir/rom_map" >"$dir/rom_map.txt" || fail "rom_map: status $?"
printf '%s\n' 'cache misses: selector 0x302, counters 0x18' 'raw event 0x1801: counters 0x18' \
	'counter for cache misses: 3' "the image is good: $(wc -c <"$dir/maps/sifive_u74_map.little") bytes" |
	matches "examples/rom_map.c" - "$dir/rom_map.txt"

# ---- the image

for map in sifive_u74_map imc_power9_map amu_tc2_map; do
	says "$map of the other order" 3 "other byte order" $tool show "$dir/maps/$map.big"
done
$tool rom --binary --little -o "$dir/file" build/boards/sifive-u74.dtb
matches "-o" "$dir/maps/sifive_u74_map.little" "$dir/file"
says "no such folder" 3 "No such file" $tool rom --binary -o "$dir/none/file" build/boards/amu-tc2.dtb
for name in 1a a-b "" "a b" 'a"' x0123456789012345678901234567890123456789012345678901234567890123; do
	says "--name '$name'" 2 "not a C name" $tool rom --name "$name" build/boards/amu-tc2.dtb
done
says "--name of a keyword" 2 "a keyword of C" $tool rom --name int build/boards/amu-tc2.dtb
says "a full disk" 3 "cannot be written" sh -c "$tool rom -o /dev/full build/boards/amu-tc2.dtb"

# Tables that share bytes (here raw rows and a record more) are ambiguous, so rom refuses them.
cp "$dir/maps/sifive_u74_map.little" "$dir/shared"
printf '\015\000\000\000' | dd of="$dir/shared" bs=1 seek=16 conv=notrunc 2>/dev/null
says "tables that share bytes" 1 "share bytes" $tool rom "$dir/shared"
finish
