#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Macros, the first line of each manual, vcpkg's port, the crate and the top of CHANGELOG.md have the
# same version. There, a section "(unreleased)" may come first, and a release has at most 15 lines.
. tests/check/lib.sh

number() {
	sed -nE "s/^#define PMUMAP_VERSION_$1 ([0-9]+)$/\1/p" pmumap.h
}

# same WHAT VERSION
same() {
	[ "$2" = "$version" ] && pass || fail "pmumap.h's macros say $version, $1 says '$2'"
}

version=$(number MAJOR).$(number MINOR).$(number PATCH)
for header in $headers; do
	same "what $header refuses" "$(sed -nE 's/^#elif PMUMAP_VERSION_MAJOR != ([0-9]+) \|\| PMUMAP_VERSION_MINOR != ([0-9]+) \|\| PMUMAP_VERSION_PATCH != ([0-9]+)$/\1.\2.\3/p' "$header")"
	same "the manual of $header" "$(sed -nE "1,5s/^ \* $header ([0-9.]+) .*/\1/p" "$header")"
done
same packaging/vcpkg/vcpkg.json "$(sed -nE 's/^  "version": "(.*)",$/\1/p' packaging/vcpkg/vcpkg.json)"
same Cargo.toml "$(sed -nE 's/^version = "(.*)"$/\1/p' Cargo.toml)"
same CHANGELOG.md "$(sed -nE '/\(unreleased\)$/!s/^## \[?v?([0-9]+\.[0-9]+\.[0-9]+).*/\1/p' CHANGELOG.md | head -n 1)"
nothing "releases of more than 15 lines in CHANGELOG.md" "$(awk '
	/^## / { release = $2; lines = 0 }
	/[^ ]/ && !/^## / && ++lines == 16 { print release }' CHANGELOG.md)"
finish
