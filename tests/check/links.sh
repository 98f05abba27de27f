#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Asks the web for each link of tests/links.txt, and says SKIP where there is no way to a host.
# That the list is what the files have, and well-formed, is part of docs.sh: it needs no network.
. tests/check/lib.sh
. tests/check/links_list.sh

command -v curl >/dev/null || {
	echo "SKIP what the web has (curl is not installed)"
	finish
}
no_way= # to these hosts
for link in $(links_to_follow tests/links.txt); do
	host=$(echo "$link" | cut -d / -f 3)
	case $no_way in *" $host "*) continue ;; esac
	code=$(curl -sIL --connect-timeout 10 --max-time 30 -A Mozilla/5.0 -o /dev/null \
		-w '%{http_code}' "$link") || {
		echo "SKIP the links to $host (not reached)"
		no_way="$no_way $host "
		continue
	}
	[ "$code" = 200 ] && pass || fail "$link: $code"
done
finish
