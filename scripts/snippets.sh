#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# snippets.sh FILE HEADING: the C that a section of a text shows, as it stands there.
awk -v heading="$2" '
	/^#/ && !code { on = $0 == heading }
	/^```/ { code = on && $0 == "```c"; found += code; next }
	code { print }
	END { exit !found }' "$1"
