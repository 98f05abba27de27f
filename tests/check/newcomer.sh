#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the README's two commands on a clone of what is committed, in a Debian bookworm that holds
# nothing but gcc, make and git, and has /proc as any machine does. Needs root and mmdebstrap.
set -eu

mirror=$(scripts/mirror.sh)
root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT

mmdebstrap --quiet --variant=apt --include=gcc,make,git,ca-certificates bookworm "$root" "$mirror"
git clone --quiet --no-hardlinks . "$root/root/pmumap"
mount -t proc proc "$root/proc"
for command in "make deps demo" "make deps check"; do
	echo "$ $command"
	chroot "$root" sh -c "cd /root/pmumap && $command"
done
