#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: hosts/header.sh HOST
#
# Prints the header that apply.sh adds to a host: the functions of pmumap that its files call. The
# files that define some of these functions anew leave out what the host never needs.
cd "$(dirname "$0")" || exit 1
case ${1-} in
opensbi/map) set -- opensbi/sbi_pmu_map.c events_of_sbi.h ;;
opensbi/server) set -- opensbi/sbi_pmu_*.[ch] no_snapshots.h ;;
semu | xvisor) set -- "$1"/*.c no_raw.h no_snapshots.h ;;
bao | rv32emu) set -- "$1"/*.c no_raw.h ;;
skiboot | tfa) set -- "$1"/*.c ;;
*)
	echo "usage: $0 HOST" >&2
	exit 2
	;;
esac
case $1 in
skiboot/*) ;;
*) set -- -U__powerpc64__ "$@" ;;
esac
exec ../scripts/host-header.py "$@"
