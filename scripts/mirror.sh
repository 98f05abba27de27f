#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the address that this Debian machine takes its main packages from.
set -eu
. /etc/os-release
format='$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)'
apt-get indextargets --no-release-info --format "$format" |
	awk -v release="$VERSION_CODENAME" '
		$1 == "Packages" && $2 == release && $3 == "main" { print $4; found = 1; exit }
		END { exit !found }'
