#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Writes a container of catalogs, as the partition IMA_CATALOG is one: contents of 4 KiB, then for
# each processor a compressed tree in a part of 8000 bytes.
#
#	container.sh [-s] [-o] PVR TREE [PVR TREE]...
#
# -s: behind a signed header as skiboot has it; -o: as containers were before mid-2017.
set -eu

contents=4096
part=8000

cell() {
	for shift in 24 16 8 0; do
		printf "\\$(printf %o $(($1 >> shift & 255)))"
	done
}

# pad BYTES: the input, and zeros up to so many bytes
pad() {
	{
		cat
		head -c "$1" /dev/zero
	} | head -c "$1"
}

magic=IMCC
while getopts so option; do
	case $option in
	s)
		{
			cell 0x17082011
			printf 'its other bytes do not matter'
		} | pad 4096
		;;
	o) magic=IMAC ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))

offset=$contents
for argument; do
	case $argument in
	0x*)
		cell "$argument"
		cell $offset
		cell $part
		offset=$((offset + part))
		;;
	esac
done | {
	printf '%s\0\0\0\1' $magic
	cat
} | pad $contents
for argument; do
	case $argument in
	0x*) ;;
	*) xz -9 -C crc32 -c "$argument" | pad $part ;;
	esac
done
