#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the address that this Debian machine takes its main packages from. On sid the machine's
# codename is that of testing, which its sources do not name.
set -eu
. /etc/os-release
format='$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)'
apt-get indextargets --no-release-info --format "$format" |
	awk -v release="$VERSION_CODENAME" '
		$1 != "Packages" || $3 != "main" { next }
		$2 == release { address = $4; exit }
		$2 ~ /^(sid|unstable|testing)$/ { address = $4 }
		END {
			print address
			exit address == ""
		}'
