#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Installs into an empty folder, builds a program against it, completes a command line, and
# uninstalls.
. tests/check/lib.sh

root=$PWD/$dir/root
works "make install" make install DESTDIR="$root" PREFIX=/opt/pmumap
find "$root" -type f | sed "s|^$root||" | sort >"$dir/files"
{
	echo /opt/pmumap/bin/pmumap
	printf '/opt/pmumap/include/%s\n' $headers | sort
	echo /opt/pmumap/share/bash-completion/completions/pmumap
	printf '/opt/pmumap/share/cmake/pmumap/pmumap-config%s.cmake\n' -version ""
	printf '/opt/pmumap/share/doc/pmumap/%s.md\n' findings tool
	echo /opt/pmumap/share/fish/vendor_completions.d/pmumap.fish
	echo /opt/pmumap/share/man/man1/pmumap.1
	echo /opt/pmumap/share/pkgconfig/pmumap.pc
	echo /opt/pmumap/share/pmumap/pmumap.schema.json
	echo /opt/pmumap/share/zsh/site-functions/_pmumap
} >"$dir/want"
works "the files" diff "$dir/want" "$dir/files"
works "the tool" sh -c "'$root/opt/pmumap/bin/pmumap' show | grep -q U74"
nothing "files that name the directory they were made in" "$(grep -rlwF "$PWD" "$root/opt/pmumap/share" \
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

# SHELL_completes WORDS...: what the shell offers for the last word
bash_completes() {
	bash -c '
		. "$0"
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_pmumap
		printf "%s\n" "${COMPREPLY[@]}"' \
		"$root/opt/pmumap/share/bash-completion/completions/pmumap" "$@" 2>&1
}

fish_completes() {
	fish --no-config -c 'source $argv[1]; complete -C "$argv[2..-1]"' \
		"$root/opt/pmumap/share/fish/vendor_completions.d/pmumap.fish" "$@" 2>&1 | cut -f 1
}

# Stubs for zsh's functions that receive words, descriptions and files.
zsh_completes() {
	zsh -fc '
		compadd() { [[ $1 != -- ]] || shift; print -rl -- "$@" }
		_describe() { local name=$@[-1]; print -rl -- "${(@P)name}" | cut -d: -f1 }
		_files() { print -rl -- $PREFIX*(N) }
		words=("$@") CURRENT=$# PREFIX=$@[-1]
		. "$0"' "$root/opt/pmumap/share/zsh/site-functions/_pmumap" "$@" 2>&1
}

# offered WORD WORDS...: the shell offers WORD for the last of WORDS
offered() {
	word=$1
	shift
	if ${shell}_completes "$@" | grep -qxF -e "$word"; then
		pass
	else
		fail "$shell: $*: $word is not offered, but:" $(${shell}_completes "$@")
	fi
}

export PATH="$root/opt/pmumap/bin:$PATH"
: >"$dir/over.dtso"
# HERE: only bash, which every Debian has
others="fish zsh"
[ -z "${HERE:-}" ] || others=
for shell in bash $others; do
	if ! command -v $shell >/dev/null; then
		echo "SKIP completion ($shell is not installed)"
		continue
	fi
	for verb in $(pmumap --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
		offered "$verb" pmumap "$verb"
		for option in $(pmumap "$verb" --help | grep -o '^  --[a-z-]*'); do
			[ "$verb" = help ] || offered "$option" pmumap "$verb" "$option"
		done
	done
	offered --version pmumap --v
	offered raw-dead pmumap check --explain raw-d
	offered raw-dead pmumap check --ignore raw-d
	offered rustsbi pmumap perf --firmware r
	offered opensbi-1.9 pmumap perf --firmware opensbi-
	offered 6.18 pmumap perf --linux 6.1
	offered branch-misses pmumap perf board.dtb branch-m
	offered "$dir/over.dtso" pmumap check "$dir/ov"
	offered sscofpmf pmumap assign --features s
	offered tests/trees/boards/sifive-u74.dts pmumap show tests/trees/boards/si
	offered L1-dcache-load-misses pmumap lookup board.dtb L1-dcache-load-
	offered picture pmumap help p
	offered tests/events/ax45.json pmumap check --events tests/events/a
done

# If a package is missing, make says so before it compiles anything.
refused "make demo without libfdt" "run: make deps" make demo B="$dir/none" CC="${CC:-gcc} -nostdinc"
refused "make demo without dtc" "run: make deps" sh -c "
	mkdir '$dir/bin' && for tool in sh mkdir touch make nproc cmp gcc as; do
		ln -s \$(command -v \$tool) '$dir/bin' || exit
	done
	PATH='$PWD/$dir/bin' make demo B='$dir/none'"
nothing "objects that were compiled without them" "$(find "$dir/none" -name '*.o')"

works "make uninstall" make uninstall DESTDIR="$root" PREFIX=/opt/pmumap
nothing "files that uninstall has left" "$(find "$root" -type f)"
finish
