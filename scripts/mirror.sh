#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the URL of this machine's Debian mirror for main. On sid, os-release has testing's
# codename, which the sources do not use.
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
