#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The version in the macros, on the first line of the manual and on top of CHANGELOG.md is one.
. tests/check/lib.sh

number() {
	sed -nE "s/^#define PMUMAP_VERSION_$1 ([0-9]+)$/\1/p" pmumap.h
}

# same WHAT VERSION
same() {
	[ "$2" = "$version" ] && pass || fail "pmumap.h's macros say $version, $1 says '$2'"
}

version=$(number MAJOR).$(number MINOR).$(number PATCH)
same "the manual" "$(sed -nE '1,5s/^ \* pmumap\.h ([0-9.]+) .*/\1/p' pmumap.h)"
same CHANGELOG.md "$(sed -nE 's/^## \[?v?([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' CHANGELOG.md | head -n 1)"
finish
