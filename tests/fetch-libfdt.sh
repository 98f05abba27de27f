#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Fetches the libfdt of Debian trixie (1.7.2) as source into build/libfdt-src. apt works beside the
# machine's own lists, in a folder of its own, and checks the signatures as ever.
set -eu

to=build/libfdt-src
[ ! -e "$to/libfdt.h" ] || exit 0
apt=$PWD/build/apt
mirror=$(tests/mirror.sh) || { echo "this machine has no Debian mirror configured" >&2; exit 1; }

rm -rf "$apt" "$to"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$apt/source"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$keyring] $mirror trixie main" >"$apt/sources.list"

own_apt() {
	apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User="" -o Dir::Cache="$apt/cache" \
		-o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/parts" \
		-o Dir::State::Lists="$apt/lists" -o Dir::State::Status=/dev/null "$@"
}

fetch() {
	own_apt update
	cd "$apt/source"
	own_apt source --only-source --download-only --tar-only device-tree-compiler
}

(fetch) >"$apt/log" 2>&1 || { tail -n 20 "$apt/log" >&2; exit 1; }
mkdir -p "$to.new"
tar -xf "$apt"/source/device-tree-compiler_1.7.2.orig.tar.* -C "$to.new" --strip-components=2 \
	--wildcards '*/libfdt/*.[ch]'
mv "$to.new" "$to"
