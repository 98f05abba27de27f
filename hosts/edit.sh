# SPDX-License-Identifier: BSD-2-Clause
#
# How apply.sh of each host edits a checkout of that host. Source it with $1, the checkout.
#
# Every place is found by an anchor, an extended regular expression which one line of a file has to
# match, and no second one. The edits are made on copies: where an anchor is missing or ambiguous,
# nothing in the checkout has changed. A checkout of git gets one commit of it all in the end, of
# these edits alone: a file of theirs must not have others that are not committed.
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

# copy FILE: the copy that is edited
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

# insert FILE LINE: puts standard input behind that line
insert() {
	sed "$2r /dev/stdin" "$edited/$1" >"$edited/.new"
	cat "$edited/.new" >"$edited/$1"
}

# after FILE ANCHOR, before FILE ANCHOR: put standard input there
after() {
	line "$1" "$2"
	insert "$1" "$line"
}

before() {
	line "$1" "$2"
	[ "$line" -gt 1 ] || give_up "$1 begins with '$2'"
	insert "$1" $((line - 1))
}

# inside FILE ANCHOR: the same behind the first { that ends a line, from the anchor on
inside() {
	line "$1" "$2"
	brace=$(sed -n "$line,\$ { /{\$/ { =; q; } }" "$edited/$1")
	[ -n "$brace" ] || give_up "$1: nothing opens after '$2'"
	insert "$1" "$brace"
}

# change FILE ANCHOR COMMAND: that command of sed on that line, which changes it
change() {
	line "$1" "$2"
	sed -E "$line$3" "$edited/$1" >"$edited/.new"
	! cmp -s "$edited/.new" "$edited/$1" || give_up "$1: '$3' changes nothing"
	cat "$edited/.new" >"$edited/$1"
}

# add FROM TO: a file of our own
add() {
	[ ! -e "$src/$2" ] || give_up "$2 is there already: to apply again, revert the old commit first"
	mkdir -p "$(dirname "$edited/$2")"
	cp "$1" "$edited/$2"
}

# commit TITLE FILE...: the edits, if git can
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

# finish TITLE: make it so
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
