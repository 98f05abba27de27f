# SPDX-License-Identifier: BSD-2-Clause
#
# The editor behind each host's apply.sh. Source it with the checkout as $1.
#
# An anchor, an extended regular expression, must match exactly one line of its file. All edits go to
# copies, so a missing or ambiguous anchor leaves the checkout unchanged. A git checkout gets one
# commit with these edits alone, so the edited files must have no uncommitted changes.
set -eu

src=${1-}
[ -n "$src" ] || { echo "usage: $0 CHECKOUT" >&2; exit 2; }
[ -d "$src" ] || { echo "$0: $src is no directory" >&2; exit 2; }
host=$(cd "$(dirname "$0")" && pwd)
product=$(cd "$host/../.." && pwd)
edited=$(mktemp -d)
trap 'rm -rf "$edited"' EXIT

left="nothing was changed"
give_up() {
	echo "$0: $*; $left" >&2
	exit 1
}

# copy FILE: copies it, once, to where it is edited
copy() {
	[ -e "$edited/$1" ] && return
	[ -f "$src/$1" ] || give_up "$1 is not in $src"
	mkdir -p "$(dirname "$edited/$1")"
	cp -p "$src/$1" "$edited/$1"
}

# line FILE ANCHOR: sets $line to the number of the one line that matches
line() {
	copy "$1"
	line=$(grep -nE -e "$2" "$edited/$1" | cut -d: -f1)
	case $line in
	'') give_up "$1 has no line like '$2'" ;;
	*[!0-9]*) give_up "$1 has more than one line like '$2'" ;;
	esac
}

# insert FILE LINE: inserts standard input after that line
insert() {
	sed "$2r /dev/stdin" "$edited/$1" >"$edited/.new"
	cat "$edited/.new" >"$edited/$1"
}

# after FILE ANCHOR, before FILE ANCHOR: insert standard input there
after() {
	line "$1" "$2"
	insert "$1" "$line"
}

before() {
	line "$1" "$2"
	[ "$line" -gt 1 ] || give_up "$1 begins with '$2'"
	insert "$1" $((line - 1))
}

# inside FILE ANCHOR: inserts it after the first line, from the anchor on, that ends with {
inside() {
	line "$1" "$2"
	brace=$(sed -n "$line,\$ { /{\$/ { =; q; } }" "$edited/$1")
	[ -n "$brace" ] || give_up "$1: nothing opens after '$2'"
	insert "$1" "$brace"
}

# change FILE ANCHOR COMMAND: runs the sed command on that line; it must change the line
change() {
	line "$1" "$2"
	sed -E "$line$3" "$edited/$1" >"$edited/.new"
	! cmp -s "$edited/.new" "$edited/$1" || give_up "$1: '$3' changes nothing"
	cat "$edited/.new" >"$edited/$1"
}

# cut_out FILE ANCHOR [END]: removes that line, the comment above it and the blank line behind it; with
# END, all lines up to the next one that matches END
cut_out() {
	line "$1" "$2"
	awk -v first="$line" -v end="${3-}" '{ text[NR] = $0 }
		END {
			from = to = first
			if (text[from - 1] ~ /\*\/$/)
				do
					from--
				while (text[from] !~ /\/\*/)
			while (to < NR && text[to] !~ end)
				to++
			to += text[to + 1] == ""
			for (i = 1; i <= NR; i++)
				if (i < from || i > to)
					print text[i]
		}' "$edited/$1" >"$edited/.new"
	cat "$edited/.new" >"$edited/$1"
}

# add FROM TO: adds a new file
add() {
	[ ! -e "$src/$2" ] || give_up "$2 is there already: to apply again, revert the old commit first"
	mkdir -p "$(dirname "$edited/$2")"
	cp "$1" "$edited/$2"
}

# header FILE HOST: adds the header with as much of pmumap as this host needs
header() {
	"$product/hosts/header.sh" "$2" >"$edited/.header" || give_up "$1 cannot be written (python3?)"
	add "$edited/.header" "$1"
	rm "$edited/.header"
}

# commit TITLE FILE...: applies and commits the edits
commit() {
	title=$1
	shift
	dirty=$(git -C "$src" status --porcelain -- "$@" | cut -c 4- | sort -u)
	[ -z "$dirty" ] || give_up "commit or stash first what has changed in" $dirty
	git -C "$src" var GIT_AUTHOR_IDENT >/dev/null 2>&1 ||
		give_up "git does not know who commits (git config user.name and user.email)"
	cp -R "$edited/." "$src/"
	git -C "$src" add -- "$@"
	git -C "$src" commit -q -m "$title" -- "$@" || {
		echo "$0: edited and staged, but git refused the commit: it is yours to make" >&2
		exit 1
	}
	git -C "$src" --no-pager log -1 --stat --format='%s' | sed '/^$/d'
}

# finish TITLE: applies the edits, with a commit in a git checkout
finish() {
	rm -f "$edited/.new"
	if [ "$(git -C "$src" rev-parse --show-prefix 2>/dev/null || echo no)" ]; then
		cp -R "$edited/." "$src/"
		echo "$src: edited; it is no checkout of git, so there is no commit"
	else
		commit "$1" $(cd "$edited" && find . -type f | sed 's,^\./,,' | sort)
	fi
	left="what was done before stays"
}
