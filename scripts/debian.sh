#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: DEBFULLNAME=... DEBEMAIL=... debian.sh ARCHIVE.tar.gz TO
#
# Builds a Debian source package of the archive in the folder TO. DEBFULLNAME becomes its
# maintainer.
set -eu
[ -n "${DEBFULLNAME:-}" ] && [ -n "${DEBEMAIL:-}" ] ||
	{ echo "debian: set DEBFULLNAME and DEBEMAIL: who makes a package is its maintainer" >&2; exit 1; }
archive=$1
to=$2
name=$(basename "$archive" .tar.gz)
version=${name#pmumap-}
maintainer="$DEBFULLNAME <$DEBEMAIL>"

rm -rf "$to"
mkdir -p "$to"
cp "$archive" "$to/pmumap_$version.orig.tar.gz"
tar -xf "$archive" -C "$to"
debian=$to/$name/debian
cp -R "$to/$name/packaging/debian" "$debian"
sed -i "s/@maintainer@/$maintainer/" "$debian/control"
cat >"$debian/changelog" <<-EOF
	pmumap ($version-1) unstable; urgency=medium

	  * Version $version; /usr/share/doc/pmumap/changelog.gz has the changes.

	 -- $maintainer  $(date -R -u -d "@$(stat -c %Y "$to/$name/pmumap.h")")
EOF
cat >"$debian/copyright" <<-EOF
	Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
	Upstream-Name: pmumap

	Files: *
	Copyright: $(sed -n 's/^Copyright (c) //p' "$to/$name/LICENSE")
	License: BSD-2-clause
	$(sed -n '/^Redistribution/,$p' "$to/$name/LICENSE" | sed 's/^/ /; s/^ $/ ./')
EOF
cd "$to"
dpkg-source --build "$name"
