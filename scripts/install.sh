#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Installs those of the named Debian packages that are missing, without a word if it works.
set -u

missing=
for package; do
	dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
		missing="$missing $package"
done
[ -n "$missing" ] || exit 0

root=
[ "$(id -u)" = 0 ] || root=sudo
for tool in apt-get $root; do
	command -v "$tool" >/dev/null && continue
	echo "needed, but there is no $tool to install it:$missing" >&2
	exit 1
done

apt() {
	$root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null
}

install() {
	apt install -y --no-install-recommends $missing
}

mkdir -p build
log=build/install.log
# The lists may be absent or stale: then, and only then, the first attempt fails.
install >$log 2>&1 || { apt update && install; } >>$log 2>&1 || { tail -n 20 $log >&2; exit 1; }
