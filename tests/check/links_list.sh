# SPDX-License-Identifier: BSD-2-Clause
#
# Rules for web addresses in this repository. tests/links.txt lists them. Source this file from the
# repository root, after lib.sh.

# addresses FOLDER: web addresses in its files, except reserved ones in examples
addresses() {
	(cd "$1" && find . \( -path ./build -o -path ./target -o -path ./.git -o -path ./Cargo.lock \
		-o -path ./tests/links.txt \) -prune \
		-o -type f -print0 | xargs -0 grep -hoIE "https?://[^][)\"'<>\`\\[:space:]]+") |
		grep -vE '^https?://(127\.0\.0\.1|example\.org)' | sort -u
}

# listed LIST: its addresses
listed() {
	grep -E '^[^#[:space:]]' "$1"
}

# links_to_follow LIST: those that are more than a name
links_to_follow() {
	awk '/^[^#[:space:]]/ { link = $0 } /^\tshows: / { print link }' "$1"
}

# Hosts that keep their pages for years.
hosts='github\.com|lore\.kernel\.org'

# list_errors LIST: malformed entries, and links to pages that may change. Mail archives do not
# change; on GitHub a link must name a commit or a version.
list_errors() {
	awk -v hosts="^https:[/][/]($hosts)/[^[:space:]]+$" '
		function over() {
			if (link != "" && rest != "name" && rest != "shows seen")
				print "neither a name nor a link that was seen: " link
			rest = ""
		}
		/^#/ || /^$/ { next }
		/^\t(name|shows|seen): ./ {
			kind = substr($1, 1, length($1) - 1)
			rest = rest (rest == "" ? "" : " ") kind
			if (kind == "shows" && link !~ hosts)
				print "no https, or not of a host that keeps its pages: " link
			if (kind == "shows" && link ~ /github/ && link !~ /\/commit\/[0-9a-f]+$/ &&
			    link !~ /\/(blob|tree)\/([0-9a-f]+|v[0-9.]+)\/./)
				print "no commit and no version: " link
			next
		}
		/^\t/ { print "not understood: " $0; next }
		{ over(); link = $0 }
		END { over() }' "$1"
	listed "$1" | LC_ALL=C sort -c 2>&1
}

# same_links LIST FOLDER: addresses that only one of them has
same_links() {
	listed "$1" | sort -u >"$dir/listed"
	addresses "$2" >"$dir/used"
	comm -13 "$dir/listed" "$dir/used" | sed 's/^/not in the list: /' >"$dir/links"
	comm -23 "$dir/listed" "$dir/used" | sed 's/^/in no file: /' >>"$dir/links"
	list_errors "$1" >>"$dir/links"
	cat "$dir/links"
	[ ! -s "$dir/links" ]
}
