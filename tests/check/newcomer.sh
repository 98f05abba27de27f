#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the README's two commands on a clone of what is committed, each in a Debian bookworm that holds
# nothing but gcc, make and git, and has /proc as any machine does; the second on all cores, where
# nothing may be compiled before it is installed. Needs root and mmdebstrap.
set -eu

mirror=$(scripts/mirror.sh)
root=$(mktemp -d)
clean() {
	umount "$root/debian/proc" 2>/dev/null || :
	rm -rf --one-file-system "$root/debian"
}
trap 'clean; rm -rf --one-file-system "$root"' EXIT

mmdebstrap --quiet --variant=apt --include=gcc,make,git,ca-certificates --format=tar bookworm \
	"$root/debian.tar" "$mirror"
for command in "make deps demo" "make -j$(nproc) deps check"; do
	echo "$ $command"
	mkdir "$root/debian"
	tar -xf "$root/debian.tar" -C "$root/debian"
	git clone --quiet --no-hardlinks . "$root/debian/root/pmumap"
	mount -t proc proc "$root/debian/proc"
	chroot "$root/debian" sh -c "cd /root/pmumap && $command"
	clean
done
