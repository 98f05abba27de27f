#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Uses the headers as users do: through CMake, Meson, pkg-config and as a Zephyr module. Builds the
# release archive twice, and from it the Debian package, whose build runs the tests.
. tests/check/lib.sh

here=$PWD
there=$PWD/$dir
version=$(scripts/version.sh)
name=pmumap-$version
python=/usr/bin/python3 # Debian's modules belong to this one, whatever PATH has first

# have WHAT PROGRAM...: prints SKIP if one is missing
have() {
	what=$1
	shift
	for program; do
		command -v "$program" >/dev/null && continue
		echo "SKIP $what: there is no $program"
		return 1
	done
}

# cmake_user HOW OPTIONS...: builds and runs the program as C and C++
cmake_user() {
	how=$1
	shift
	works "cmake: $how" cmake -S tests/packages/cmake -B "$dir/cmake-$how" -D HOW="$how" "$@"
	works "cmake: build, $how" cmake --build "$dir/cmake-$how"
	works "cmake: run, $how" "$dir/cmake-$how/user"
	works "cmake: run in C++, $how" "$dir/cmake-$how/user_cc"
}

packages_cmake() {
	works "cmake: configure" cmake -B "$dir/cmake" -D CMAKE_INSTALL_PREFIX="$there/cmake-root"
	works "cmake: install" cmake --install "$dir/cmake"
	cmake_user find -D VERSION="$version" -D CMAKE_PREFIX_PATH="$there/cmake-root"
	cmake_user fetch -D FROM="file://$there/dist/$name.tar.gz"
	cmake_user folder -D FROM="$here"
	mkdir "$dir/firmware"
	scripts/snippets.sh doc/packages.md "## CMake" cmake >"$dir/firmware/CMakeLists.txt"
	cp tests/packages/user.c "$dir/firmware/main.c"
	cp "$dir/dist/$name.tar.gz" "$dir/firmware/pmumap.tar.gz"
	works "cmake: of the page" sh -c "cmake -S '$dir/firmware' -B '$dir/firmware/out' &&
		cmake --build '$dir/firmware/out' && '$dir/firmware/out/firmware'"
	refused "cmake: another minor version" "pmumap. that is compatible" cmake \
		-S tests/packages/cmake -B "$dir/cmake-minor" -D HOW=find -D VERSION=0.1 \
		-D CMAKE_PREFIX_PATH="$there/cmake-root"
	refused "cmake: a later version than there is" "pmumap. that is compatible" cmake \
		-S tests/packages/cmake -B "$dir/cmake-later" -D HOW=find -D VERSION=99 \
		-D CMAKE_PREFIX_PATH="$there/cmake-root"
}

# meson_user FOLDER: builds and runs its program
meson_user() {
	works "meson: $1" meson setup "$dir/$1/out" "$dir/$1"
	works "meson: build, $1" meson compile -C "$dir/$1/out"
	works "meson: run, $1" "$dir/$1/out/user"
}

packages_meson() {
	works "meson: configure" meson setup --prefix="$there/meson-root" "$dir/meson" .
	works "meson: install" meson install -C "$dir/meson"
	for user in meson-installed meson-subproject; do
		mkdir -p "$dir/$user/subprojects"
		cp tests/packages/meson/meson.build tests/packages/user.c "$dir/$user"
	done
	mkdir "$dir/meson-subproject/subprojects/packagefiles"
	cp "$dir/dist/pmumap.wrap" "$dir/meson-subproject/subprojects"
	cp "$dir/dist/$name.tar.gz" "$dir/meson-subproject/subprojects/packagefiles"
	meson_user meson-subproject
	PKG_CONFIG_PATH=$there/meson-root/share/pkgconfig
	export PKG_CONFIG_PATH
	meson_user meson-installed
	[ "$(pkg-config --modversion pmumap)" = "$version" ] && pass ||
		fail "pkg-config: version $(pkg-config --modversion pmumap)"
	works "pkg-config" ${CC:-gcc} tests/packages/user.c $(pkg-config --cflags pmumap) \
		-o "$dir/pkg-config-user"
}

# module KEY: a value of zephyr/module.yml
module() {
	$python -c 'import sys, yaml
print(yaml.safe_load(open("zephyr/module.yml"))["build"][sys.argv[1]])' "$1"
}

# zephyr_app NAME BOARD: builds the application of doc/packages.md for a board's tree
zephyr_app() {
	cmake -S "$dir/app" -B "$dir/app-$1" -D Zephyr_DIR="$here/tests/packages/zephyr" \
		-D MODULE_CMAKE="$(module cmake)" -D TREE="$here/tests/trees/$2.dts" \
		-D PMUMAP="$here/build/pmumap" && cmake --build "$dir/app-$1"
}

packages_zephyr() {
	mkdir -p "$dir/app/src"
	ln -s "$here" "$dir/app/pmumap"
	scripts/snippets.sh doc/packages.md "## Zephyr" cmake >"$dir/app/CMakeLists.txt"
	scripts/snippets.sh doc/packages.md "## Zephyr" >"$dir/app/src/main.c"
	echo 'int main(void) { say_counter_of_cache_misses(); }' >>"$dir/app/src/main.c"
	echo CONFIG_PMUMAP=y >"$dir/app/prj.conf"
	works "zephyr: with CONFIG_PMUMAP" zephyr_app on boards/sifive-u74
	"$dir/app-on/app" >"$dir/said"
	works "zephyr: the program" grep -qx 'counter 3, mhpmevent 0x302' "$dir/said"
	refused "zephyr: a wrong tree" "2 errors: rows are missing from the map" zephyr_app wrong range-reversed
	echo >"$dir/app/prj.conf"
	refused "zephyr: without it" "pmumap.h: No such file" zephyr_app off boards/sifive-u74
	works "zephyr: its option" $python -c 'import sys, kconfiglib
symbol = kconfiglib.Kconfig(sys.argv[1]).syms["PMUMAP"]
assert symbol.str_value == "n" and symbol.nodes[0].help
symbol.set_value("y")
assert symbol.str_value == "y"' "$(module kconfig)"
}

packages_dist() {
	works "dist" scripts/dist.sh "$dir/dist"
	sleep 1 # so that an embedded time would differ
	works "dist, again" scripts/dist.sh "$dir/dist-again"
	works "dist: the same bytes" diff -r "$dir/dist" "$dir/dist-again"
	works "dist: checksums" sh -c "cd '$dir/dist' && sha256sum -c SHA256SUMS"
	tar -tf "$dir/dist/$name.tar.gz" | sed "s|^$name/||" | grep -v '/$' | grep . | sort >"$dir/in"
	git ls-tree -r --name-only HEAD | sort >"$dir/committed"
	works "dist: what is committed" diff "$dir/committed" "$dir/in"
	$python -c 'import json, sys
bill = json.load(open(sys.argv[1]))
assert bill["spdxVersion"] == "SPDX-2.3"
for file in bill["files"]:
	print(file["checksums"][1]["checksumValue"], "", file["fileName"])' \
		"$dir/dist/$name.spdx.json" >"$dir/bill"
	mkdir "$dir/unpacked"
	tar -xf "$dir/dist/$name.tar.gz" -C "$dir/unpacked" --strip-components=1
	works "dist: every file is in the bill" [ "$(wc -l <"$dir/bill")" = "$(wc -l <"$dir/in")" ]
	works "dist: as the bill says" sh -c "cd '$dir/unpacked' && sha256sum --quiet -c '$there/bill'"
}

packages_release() {
	clone=$dir/release
	git clone -q . "$clone"
	git -C "$clone" config user.name Nobody
	git -C "$clone" config user.email nobody@debian.org
	refused "release: no such section" "has no section" make -C "$clone" release VERSION=9.8.7
	sed -i '0,/^## /s//## [9.8.7] (unreleased)\n\n- A change.\n\n&/' "$clone/CHANGELOG.md"
	refused "release: changes left" "not committed" make -C "$clone" release VERSION=9.8.7
	git -C "$clone" commit -qam "Start 9.8.7"
	refused "release: half a version" "not X.Y.Z" make -C "$clone" release VERSION=9.8
	works "release" make -C "$clone" release VERSION=9.8.7
	works "release: the tag" [ "$(git -C "$clone" describe)" = v9.8.7 ]
	works "release: the notes" grep -qx -- "- A change." "$clone/build/dist/pmumap-9.8.7.notes.md"
}

packages_debian() {
	refused "debian: without a maintainer" "set DEBFULLNAME" env -u DEBEMAIL \
		scripts/debian.sh "$dir/dist/$name.tar.gz" "$dir/debian"
	# Not a real address: the package is deleted again.
	works "debian: source package" env DEBFULLNAME="Nobody Yet" DEBEMAIL=nobody@debian.org \
		scripts/debian.sh "$dir/dist/$name.tar.gz" "$dir/debian"
	works "debian: build, with the tests" sh -c \
		"cd '$dir/debian/$name' && env -u REQUIRE MAKEFLAGS= dpkg-buildpackage -us -uc"
	# A package that nobody uploads closes no bug.
	works "debian: lintian" lintian --fail-on warning,error \
		--suppress-tags initial-upload-closes-no-bugs "$dir/debian/"*.changes
	for deb in "$dir/debian/"*.deb; do
		dpkg -x "$deb" "$dir/debian-root"
	done
	works "debian: the headers" ${CC:-gcc} -I"$dir/debian-root/usr/include" tests/packages/user.c \
		-o "$dir/debian-user"
	works "debian: the tool" "$dir/debian-root/usr/bin/pmumap" show
}

# Public CI services: the targets they call exist, and actions are pinned to a commit, not a tag.
packages_workflows() {
	for file in .github/workflows/*.yml .ci/gitlab.yml; do
		works "$file: YAML" $python -c 'import sys, yaml
yaml.safe_load(open(sys.argv[1]))' "$file"
		targets=$(sed -nE 's/^ *- (run: )?make ([-a-z ]+)$/\2/p' "$file")
		nothing "$file: actions without a commit" \
			"$(grep 'uses:' "$file" | grep -vE '@[0-9a-f]{40} # v[0-9.]+$')"
		nothing "$file: runs no make" "$([ -n "$targets" ] || echo "$file")"
		for target in $targets; do
			works "$file: make $target" grep -q "^$target:" scripts/mk/*.mk
		done
	done
	# YAML reads the key "on" as true.
	works "check.yml: one run for a commit of a pull request, the sanitizers of project.yaml" \
		$python -c 'import yaml
flow = yaml.safe_load(open(".github/workflows/check.yml"))
project = yaml.safe_load(open(".clusterfuzzlite/project.yaml"))
assert flow[True]["push"] == {"branches": ["main"]}
assert flow["jobs"]["fuzz"]["strategy"]["matrix"]["sanitizer"] == project["sanitizers"]'
}

# files_below FOLDER: the installed files and their bytes, without the tool's
files_below() {
	(cd "$1" && find include share/cmake share/pkgconfig -type f -exec sha256sum {} + | sort)
}

# Make, CMake and Meson install the same, and only for a project of their own.
packages_alike() {
	works "make: install" make install-headers PREFIX="$there/make-root"
	files_below "$dir/make-root" >"$dir/alike"
	for way in cmake meson; do
		files_below "$dir/$way-root" >"$dir/alike-$way"
		works "$way: installs what make installs" diff "$dir/alike" "$dir/alike-$way"
	done
	cmake_user made -D HOW=find -D VERSION="$version" -D CMAKE_PREFIX_PATH="$there/make-root"
	for way in folder fetch; do
		works "cmake: install of a user, $way" cmake --install "$dir/cmake-$way" --prefix "$there/user-$way"
		nothing "cmake: a user's folder, $way" "$(find "$dir/user-$way" -type f 2>/dev/null)"
	done
	works "meson: install of a user" meson install -C "$dir/meson-subproject/out" --destdir "$there/user-meson"
	nothing "meson: a user's folder" "$(find "$dir/user-meson" -type f 2>/dev/null)"
}

have dist git python3 riscv64-linux-gnu-gcc && packages_dist
have release git python3 && packages_release
have cmake cmake && packages_cmake
have meson meson ninja pkg-config && packages_meson
have alike cmake meson ninja && packages_alike
have zephyr cmake python3 && packages_zephyr
have debian dpkg-buildpackage dh lintian && packages_debian
have workflows python3 && packages_workflows
finish
