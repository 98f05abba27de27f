#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: release.sh X.Y.Z
#
# Makes a release of CHANGELOG.md's section "[X.Y.Z] (unreleased)": writes version and date, commits,
# tags vX.Y.Z and writes build/dist. Pushes nothing.
set -eu
version=$1
old=$(scripts/version.sh)

stop() {
	echo "release: $*" >&2
	exit 1
}
expr "$version" : '[0-9]*\.[0-9]*\.[0-9]*$' >/dev/null || stop "'$version' is not X.Y.Z"
[ -z "$(git status --porcelain)" ] || stop "there are changes that are not committed"
grep -qxF "## [$version] (unreleased)" CHANGELOG.md ||
	stop "CHANGELOG.md has no section \"## [$version] (unreleased)\""

echo "$version" | {
	IFS=. read -r major minor patch
	sed -i -E "s/(VERSION_MAJOR( !=)?) [0-9]+/\1 $major/; s/(VERSION_MINOR( !=)?) [0-9]+/\1 $minor/
		s/(VERSION_PATCH( !=)?) [0-9]+/\1 $patch/" src/core/version.h
	sed -i "s/find_package(pmumap [0-9.]*/find_package(pmumap $major.$minor/" doc/packages.md
}
sed -i -E "1,5s/^( \* pmumap[a-z_]*\.h) [0-9.]+ /\1 $version /" src/*.h
sed -i "s/^  \"version\": .*/  \"version\": \"$version\",/" packaging/vcpkg/vcpkg.json
sed -i "s/^version = .*/version = \"$version\"/" Cargo.toml
sed -i "s/^pmumap $old\$/pmumap $version/" tests/tool/*.txt
sed -i "s/^## \[$version\] (unreleased)\$/## [$version] - $(date -u +%F)/" CHANGELOG.md
make headers docs check-version
git commit -aqm "Release $version"
git tag -a "v$version" -m "pmumap $version"
make dist
echo "next: git push --follow-tags"
