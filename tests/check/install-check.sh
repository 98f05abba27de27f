#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Installs into an empty directory, builds a program with what is there as a user would, completes a
# command line, and removes it all again.
. tests/check/lib.sh

root=$PWD/$dir/root
works "make install" make install DESTDIR="$root" PREFIX=/opt/pmumap
find "$root" -type f | sed "s|^$root||" | sort >"$dir/files"
cat >"$dir/want" <<-EOF
	/opt/pmumap/bin/pmumap
	/opt/pmumap/include/pmumap.h
	/opt/pmumap/include/pmumap_fdt.h
	/opt/pmumap/include/pmumap_hw.h
	/opt/pmumap/include/pmumap_server.h
	/opt/pmumap/share/bash-completion/completions/pmumap
	/opt/pmumap/share/man/man1/pmumap.1
	/opt/pmumap/share/pkgconfig/pmumap.pc
EOF
works "the files" diff "$dir/want" "$dir/files"
works "the tool" sh -c "'$root/opt/pmumap/bin/pmumap' show | grep -q U74"
nothing "files that name the directory they were made in" "$(grep -rlF "$PWD" "$root/opt/pmumap/share" \
	"$root/opt/pmumap/include")"

cp examples/from_fdt.c "$dir/user.c"
if command -v pkg-config >/dev/null; then
	export PKG_CONFIG_PATH="$root/opt/pmumap/share/pkgconfig"
	flags=$(pkg-config --define-variable=prefix="$root/opt/pmumap" --cflags --libs pmumap)
	[ "$(pkg-config --modversion pmumap)" = "$(build/pmumap --version | sed 's/pmumap //')" ] &&
		pass || fail "pkg-config: version $(pkg-config --modversion pmumap)"
else
	echo "SKIP pkg-config (not installed)"
	flags=-I$root/opt/pmumap/include
fi
works "a program of a user" ${CC:-gcc} "$dir/user.c" $flags -o "$dir/user"
includes $headers >"$dir/headers.c"
works "all headers" ${CC:-gcc} "$dir/headers.c" $flags -c -o "$dir/headers.o"

# complete WORDS...: what bash offers for the last of them
complete() {
	PATH="$root/opt/pmumap/bin:$PATH" bash -c '
		. "$0"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_pmumap
		printf "%s\n" "${COMPREPLY[@]}"' \
		"$root/opt/pmumap/share/bash-completion/completions/pmumap" "$@" 2>&1
}

# offered WORD WORDS...: WORD is among what bash offers for the last of WORDS
offered() {
	word=$1
	shift
	if complete "$@" | grep -qxF -e "$word"; then
		pass
	else
		fail "$*: $word is not offered, but:" $(complete "$@")
	fi
}

if command -v bash >/dev/null; then
	offered assign pmumap a
	offered --sarif pmumap check --s
	offered --features pmumap assign --f
	offered raw-dead pmumap check --explain raw-d
	offered sscofpmf pmumap assign --features s
	offered tests/boards/sifive-u74.dts pmumap show tests/boards/si
	offered L1-dcache-load-misses pmumap lookup board.dtb L1-dcache-load-
	offered picture pmumap help p
	offered tests/events/ax45.json pmumap check --events tests/events/a
else
	echo "SKIP completion (bash is not installed)"
fi

works "make uninstall" make uninstall DESTDIR="$root" PREFIX=/opt/pmumap
nothing "files that uninstall has left" "$(find "$root" -type f)"
finish
