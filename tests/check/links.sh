#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Requests each link of tests/links.txt and prints SKIP for unreachable hosts. docs.sh checks
# without network that the list is complete and well-formed.
. tests/check/lib.sh
. tests/check/links_list.sh

command -v curl >/dev/null || {
	echo "SKIP what the web has (curl is not installed)"
	finish
}
no_way= # unreachable hosts
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
