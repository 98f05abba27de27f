#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: fuzz/pack.sh FROM HARNESS...
#
# Packs FROM/HARNESS into corpus/HARNESS.tar.xz. The same inputs give the same archive, and an
# archive that already has them stays, since another xz may pack them differently.
set -eu
from=$1
shift
export LC_ALL=C

# packed FOLDER: its files as an archive without owners and times
packed() {
	find "$1" -type f -printf '%P\n' | sort | tar -c -C "$1" --owner=0 --group=0 --numeric-owner \
		--mode=644 --mtime=@0 --format=ustar -T -
}

for harness; do
	archive=fuzz/corpus/$harness.tar.xz
	packed "$from/$harness" >"$from/$harness.tar"
	if [ -e "$archive" ] && xz -dc "$archive" | cmp -s - "$from/$harness.tar"; then
		rm "$from/$harness.tar"
	else
		xz -9e -c "$from/$harness.tar" >"$archive"
		rm "$from/$harness.tar"
		touch "$from/$harness" # not older than its archive
		echo "$archive: $(find "$from/$harness" -type f | wc -l) inputs"
	fi
done
