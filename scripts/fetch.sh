#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# fetch.sh source NAME TO [PART]    unpacks the upstream source of a Debian package into TO, or only
#                                   its folder PART. SUITE: the Debian suite (trixie)
# fetch.sh deb ARCH NAME TO [MORE]  unpacks a package into TO, with the packages MORE. For a
#                                   kernel's metapackage, unpacks the kernel's
# fetch.sh root NAME TO             unpacks a package with all its dependencies
#
# apt uses lists in its own folder, not the machine's, and still checks signatures. TO appears only
# when it is complete.
set -eu

kind=$1
case $kind in
source) type=deb-src arch=$(dpkg --print-architecture) name=$2 to=$3 part=${4:-} more= ;;
deb)
	type=deb arch=$2 name=$3 to=$4
	shift 4
	more=$*
	;;
root) type=deb arch=$(dpkg --print-architecture) name=$2 to=$3 more= ;;
*) exit 2 ;;
esac
[ ! -e "$to" ] || exit 0

apt=$PWD/build/apt/$name
mkdir -p build/apt
exec 8>"$apt.lock"
flock 8
[ ! -e "$to" ] || exit 0
mirror=$(scripts/mirror.sh) || { echo "this machine has no Debian mirror configured" >&2; exit 1; }
suite=${SUITE:-trixie}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
# For some hours a mirror's index may not match its signature. The suite's alias has a second copy;
# update() checks that it is the same suite.
case $suite in
trixie) names="trixie stable" ;;
sid) names="sid unstable" ;;
*) names=$suite ;;
esac

rm -rf "$apt" "$to.new"
mkdir -p "$apt/cache/archives/partial" "$apt/parts" "$apt/files" "$to.new"

own() {
	"$@" -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::Cache="$apt/cache" \
		-o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/parts" \
		-o Dir::State::Lists="$apt/lists" -o Dir::State::Status=/dev/null \
		-o Acquire::Retries=3 -o Acquire::Languages=none -o APT::Sandbox::User=""
}

# Tries the suite's names until the lists of one can be read.
update() {
	for listed in $names; do
		rm -rf "$apt/lists"
		mkdir -p "$apt/lists/partial"
		echo "$type [signed-by=$keyring] $mirror $listed main" >"$apt/sources.list"
		own apt-get -q update --error-on=any &&
			grep -qx "Codename: $suite" "$apt"/lists/*_InRelease && return
	done
	return 1
}

# Resolves a kernel's metapackage to the package whose name begins like its own, and adds the parts that
# newer kernel packages are split into.
real() {
	main=$name
	case $name in
	linux-*)
		main=$(own apt-cache depends "$name" |
			sed -nE "s/^ *Depends: (${name%-*}-[0-9].*)/\1/p")
		;;
	esac
	main=${main:-$name}
	own apt-cache depends "$main" | sed -nE 's/^ *Depends: (linux-(binary|modules)-[0-9].*)/\1/p'
	echo "$main"
}

fetch() {
	update || return
	[ $kind = root ] || cd "$apt/files"
	case $kind in
	source) own apt-get -q source --only-source --download-only --tar-only "$name" ;;
	deb) own apt-get -q download $(real) $more ;;
	root) mmdebstrap --quiet --variant=extract --include="$name" "$listed" "$to.new" "$mirror" ;;
	esac
}

(fetch) >"$apt/log" 2>&1 || { tail -n 20 "$apt/log" >&2; exit 1; }
case $kind in
source)
	depth=$(printf '%s' "/$part" | sed 's,/$,,' | tr -cd / | wc -c)
	tar -xf "$apt/files/$name"_*.orig.tar.* -C "$to.new" --strip-components=$((depth + 1)) \
		--wildcards "*/${part:-*}"
	;;
deb)
	for deb in "$apt"/files/*.deb; do
		dpkg -x "$deb" "$to.new"
	done
	;;
esac
rm -rf "$apt"
mv "$to.new" "$to"
