#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Installs the missing ones of the named Debian packages. First prints their number and size; then
# shows apt's latest line every few seconds.
set -u

missing=
for package; do
	dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
		missing="$missing $package"
done
if [ -z "$missing" ]; then
	echo "nothing to install: all $# Debian packages that this needs are there"
	exit 0
fi

root=
[ "$(id -u)" = 0 ] || root=sudo
for tool in apt-get $root; do
	command -v "$tool" >/dev/null && continue
	echo "needed, but there is no $tool to install it:$missing" >&2
	exit 1
done

apt() {
	$root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null
}

install() {
	apt install "$@" --no-install-recommends $missing
}

# One line: what apt would do. Empty if its lists are missing or stale.
plan() {
	install --assume-no 2>/dev/null | awk '
		/ newly installed, / { packages = $3 }
		/^Need to get / { sub(/^Need to get /, ""); sub(/ of archives.*/, ""); fetched = $0 }
		/^After this operation, / { disk = $4 " " $5 }
		END {
			if (packages)
				print "installs " packages " packages: " fetched " to fetch, " disk " on disk"
		}'
}

mkdir -p build
log=build/install.log
: >$log

# The sleep must not outlive the script or keep the terminal or a pipe open.
progress() {
	trap 'kill $! 2>/dev/null; exit' TERM
	while :; do
		sleep 5 >/dev/null 2>&1 &
		wait $!
		[ ! -s $log ] || tail -n 1 $log | cut -c 1-98
	done
}
progress &
trap 'kill $!' EXIT
trap 'exit 130' INT TERM

what=$(plan)
if [ -z "$what" ]; then
	apt update >>$log 2>&1 || { tail -n 20 $log >&2; exit 1; }
	what=$(plan)
fi
echo "${what:-installs:$missing}"
# The first attempt fails if the lists name a version that the mirror has dropped.
install -y >>$log 2>&1 || { apt update && install -y; } >>$log 2>&1 ||
	{ tail -n 20 $log >&2; exit 1; }
