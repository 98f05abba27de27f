#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: make check-rust
#
# Tests the crate: its declarations against the headers, each board's map against the tool's, and
# the example in QEMU. Uses this machine's cargo with the crate cc, as installed by Debian or kept by
# cargo. REQUIRE=1: Debian trixie's, which is the oldest that Cargo.toml allows.
. tests/check/lib.sh

export CARGO_TARGET_DIR="$PWD/build/cargo"
oldest=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
crates=/usr/share/cargo/registry

# Unpacks Debian trixie's Rust, and its core library for RV64. The programs need the libraries that
# they were linked with.
rust_of_trixie() {
	root=$PWD/build/trixie-rust
	core=$PWD/build/trixie-rust-rv64
	library=$root/usr/lib/$(gcc -print-multiarch)
	scripts/fetch.sh root cargo,librust-cc-dev,rustfmt "$root" &&
		scripts/fetch.sh deb riscv64 libstd-rust-dev "$core" ||
		{ fail "no Rust of Debian trixie"; finish; }
	ln -sfn "$core/usr/lib/rustlib/riscv64gc-unknown-linux-gnu" "$root/usr/lib/rustlib"
	for program in cargo rustc rustdoc rustfmt; do
		[ ! -e "$root/usr/bin/$program.elf" ] || continue
		mv "$root/usr/bin/$program" "$root/usr/bin/$program.elf"
		echo "#!/bin/sh
exec $(echo "$library"/ld-linux-*.so.*) --library-path $library $root/usr/bin/$program.elf \"\$@\"" \
			>"$root/usr/bin/$program"
		chmod +x "$root/usr/bin/$program"
	done
	# Only these: its compilers do not run here.
	mkdir -p "$dir/bin"
	for program in cargo rustc rustdoc rustfmt; do
		ln -s "$root/usr/bin/$program" "$dir/bin/$program"
	done
	PATH=$PWD/$dir/bin:$PATH
	crates=$root$crates
	# These do not change with a new Rust.
	export RUSTFLAGS="-D warnings" RUSTDOCFLAGS="-D warnings"
	works "format" rustfmt --check --edition 2024 --config use_small_heuristics=Max \
		rust/*.rs examples/rust/main.rs
}

# skip REASON: the whole check
skip() {
	echo "SKIP check-rust: $*"
	finish
}

if [ -n "${REQUIRE:-}" ]; then
	rust_of_trixie
else
	command -v cargo >/dev/null || skip "cargo is not installed"
	version=$(cargo -V | cut -d ' ' -f 2)
	[ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ] ||
		skip "cargo $version is older than $oldest"
fi

# Crates of Debian, or those that cargo has kept. A lock file may name others.
rm -f Cargo.lock
set -- --offline
[ ! -d "$(echo "$crates"/cc-[1-9]*)" ] || set -- --offline \
	--config 'source.crates-io.replace-with="debian"' --config "source.debian.directory=\"$crates\""
if ! cargo metadata --format-version 1 "$@" >"$dir/out" 2>&1; then
	! grep -q '`cc`' "$dir/out" || skip "there is no crate cc (make deps-ci, or cargo fetch)"
	fail "Cargo.toml: $(cat "$dir/out")"
	finish
fi

works "the crate's tests" cargo test "$@" -- --nocapture
passed=$((passed - 1 + $(awk '/^test result: / { n += $4 } END { print n + 0 }' "$dir/out")))
grep -E '^(SKIP|sys.rs:|[0-9]+ (boards|maps) )' "$dir/out"
works "its pages" cargo doc --no-deps "$@"

# The comparison notices a constant, a type, the order of members, a missing one, and a prototype.
for change in 's/(PMUMAP_TOLD: u32 =) 64/\1 63/' 's/(pub width:) u32/\1 i32/' \
	'/^    pub bytes: usize,/{h;d};/^    pub room: usize,/G' '/^    pub sorted_bound: u32,/d' \
	's/fn pmumap_hart_probe(.*) -> u32/fn pmumap_hart_probe\1/'; do
	sed -E "$change" rust/sys.rs >"$dir/sys.rs"
	cmp -s rust/sys.rs "$dir/sys.rs" && fail "nothing changed: $change"
	refused "$change" "bindings.c:[0-9:]* error: " env SYS="$PWD/$dir/sys.rs" cargo test "$@" --test tests bindings
done

# example TARGET FLAGS: builds it for this target, and boots it
example() {
	name=$(echo "$1" | tr a-z- A-Z_)
	export "CARGO_TARGET_${name}_RUSTFLAGS=-C link-arg=-T$PWD/examples/firmware/runtime/link.ld $2"
	target=$1
	shift 2
	works "the example for $target" env -u RUSTFLAGS -u CC cargo build "$@" --release --example count \
		--target "$target"
	elf=$CARGO_TARGET_DIR/$target/release/examples/count
	for cpu in rv64 rv64,sscofpmf=true; do
		works "the example in QEMU, $cpu" scripts/limit.sh 60 qemu-system-riscv64 -M virt \
			-cpu $cpu -bios none -nographic -icount shift=0,sleep=off -kernel "$elf"
		cp "$dir/out" "$dir/console"
		works "its counts, $cpu" grep -q '^1000 turns: 2000 instructions' "$dir/console"
	done
}

# has_core TARGET: this Rust has the core library for it
has_core() {
	[ -f "$(echo "$(rustc --print target-libdir --target "$1")"/libcore-*.rlib)" ]
}

bare=riscv64imac-unknown-none-elf
hosted=riscv64gc-unknown-linux-gnu
if ! command -v qemu-system-riscv64 >/dev/null; then
	echo "SKIP the crate's example: qemu-system-riscv64 is not installed"
elif has_core $bare; then
	example $bare "" "$@"
elif has_core $hosted && command -v riscv64-linux-gnu-gcc >/dev/null; then
	# Its core library expects a C library.
	works "string.c" riscv64-linux-gnu-gcc -O2 -ffreestanding -fno-pic -mcmodel=medany \
		-fno-tree-loop-distribute-patterns -Iexamples/firmware/runtime \
		-c examples/firmware/runtime/string.c -o "$dir/string.o"
	example $hosted "-C relocation-model=static -C linker=riscv64-linux-gnu-gcc
		-C link-arg=-nostdlib -C link-arg=-static -C link-arg=$PWD/$dir/string.o" "$@"
else
	echo "SKIP the crate's example: this Rust lacks the target $bare"
fi
finish
