#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: scripts/rename.sh OLD NEW
#
# Renames a field of an image in every file (sources, tests, proofs, mutant lists, pages) and
# regenerates the headers. Everything else with that name is renamed too. Refuses an OLD without
# "_", which may be an English word, and a NEW that exists already.
set -eu
old=$1 new=$2

refuse() {
	echo "rename: $*" >&2
	exit 1
}

echo "$old $new" | grep -qE '^[a-z0-9]+(_[a-z0-9]+)+ [a-z][a-z0-9_]*$' || refuse "give two names, the first with a _"
git grep -nw "$new" && refuse "$new is there already"
git grep -qw "$old" -- src || refuse "src/ has no $old"
files=$(git grep -lIw "$old" -- . ':!pmumap*.h' ':!CHANGELOG.md')
sed -i -E "s/\b$old\b/$new/g" $files
clang-format -i $(echo "$files" | grep '[.][ch]$')
make -s headers
git diff --stat
