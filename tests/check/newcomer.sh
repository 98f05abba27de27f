#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# newcomer.sh RELEASES COMMAND...: runs each command on a clone of the last commit, in a fresh
# Debian that has only gcc, make, git and ca-certificates, with /proc and terminals. RELEASES: names
# of Debian releases, e.g. "bookworm trixie sid".
#
# A command must succeed, skip nothing, and print something at least every 15 seconds. Before the
# first command, "make demo" must fail with a hint to "make deps". Logs: build/newcomer.RELEASES.
# Needs root and mmdebstrap; uses this machine's mirror.
. tests/check/lib.sh

export LC_ALL=C
mirror=$(scripts/mirror.sh) || { fail "this machine has no Debian mirror configured"; finish; }
releases=$1
shift
dir=$PWD/$dir.$(echo $releases | tr ' ' -)
root=$dir/root
clean() {
	umount "$root/dev/pts" "$root/proc" 2>/dev/null || :
	rm -rf --one-file-system "$root"
}
clean
rm -rf "$dir"
mkdir -p "$dir"
trap clean EXIT
trap 'exit 130' INT TERM

# Unpacks a fresh machine. Two shortcuts save time: dpkg does not sync, and packages downloaded by
# an earlier command are kept.
fresh() {
	clean
	mkdir -p "$root" "$dir/$release.debs"
	tar -xf "$dir/$release.tar" -C "$root" &&
		ln -f "$dir/$release.debs"/*.deb "$root/var/cache/apt/archives/" 2>/dev/null
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/newcomer"
	git clone --quiet --no-hardlinks . "$root/root/pmumap" && mkdir -p "$root/dev/pts" &&
		mount -t proc proc "$root/proc" &&
		mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
}

# inside COMMAND: without this make's environment
inside() {
	env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
		chroot "$root" sh -c "cd /root/pmumap && $1" 2>&1
}

number=0
for release in $releases; do
	# The lists of a mirror that lags behind have expired.
	if ! mmdebstrap --quiet --variant=apt --include=gcc,make,git,ca-certificates --format=tar \
		--aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Retries "3"' \
		$release "$dir/$release.tar" "$mirror"; then
		fail "$release: mmdebstrap"
		continue
	fi
	bare=y
	for command; do
		number=$((number + 1))
		log=$dir/$number.log
		fresh || fail "$release: the machine could not be made"
		[ -z "$bare" ] || refused "$release: make demo" "run: make deps" inside "make demo"
		bare=
		{
			inside "$command"
			echo $? >"$dir/status"
		} | scripts/silence.py "$dir/silence" >"$log"
		find "$root/var/cache/apt/archives" -name '*.deb' -exec ln -f {} "$dir/$release.debs/" \;
		read -r seconds silence before <"$dir/silence"
		skips=$(grep -c '^ *SKIP' "$log")
		last=$(grep -v '^make' "$log" | tail -n 1)
		echo "$release, $command: $seconds s, longest silence $silence s, $skips skipped: $last"

		[ "$(cat "$dir/status")" = 0 ] && pass || {
			fail "$release, $command: status $(cat "$dir/status")"
			tail -n 60 "$log"
		}
		nothing "$release, $command: skipped" "$(grep '^ *SKIP' "$log")"
		[ "${silence%.*}" -lt 15 ] && pass ||
			fail "$release, $command: silent for $silence s after: $before"
	done
	rm -rf "$dir/$release.tar" "$dir/$release.debs"
done
finish
