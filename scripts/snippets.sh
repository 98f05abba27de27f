#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# snippets.sh FILE HEADING [LANGUAGE]: prints the code blocks in LANGUAGE (c) of one section,
# unchanged.
awk -v heading="$2" -v mark="\`\`\`${3:-c}" '
	/^#/ && !block { on = $0 == heading }
	/^```/ { block = !block; code = block && on && $0 == mark; found += code; next }
	code { print }
	END { exit !found }' "$1"
