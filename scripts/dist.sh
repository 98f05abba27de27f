#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: dist.sh TO
#
# Writes the archive of the last commit, its bill of materials, the changes of its version, a wrap
# for Meson, the conformance suite for RV64 and RV32, and checksums to the folder TO.
# Reproducible: the same commit gives the same bytes.
set -eu
to=$1
name=pmumap-$(scripts/version.sh)

git diff --quiet HEAD || echo "dist: changes that are not committed are left out" >&2
rm -rf "$to"
mkdir -p "$to"
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$to/$name.tar.gz"
scripts/bill.py "$to/$name.tar.gz" "$(git log -1 --format=%ct)" >"$to/$name.spdx.json"
git show HEAD:CHANGELOG.md | awk -v v="[$(scripts/version.sh)]" '
	/^## / { on = $2 == v; next }
	on' >"$to/$name.notes.md"
[ -s "$to/$name.notes.md" ] || { echo "dist: CHANGELOG.md lacks this version" >&2; exit 1; }
# suite XLEN ABI BASE: by the command of doc/conformance.md, without names of temporary files
suite() {
	git archive HEAD conformance | tar -x -C "$to"
	(cd "$to/conformance" && riscv64-linux-gnu-gcc -O2 -march="$1imac_zicsr_zifencei" -mabi="$2" \
		-mcmodel=medany -ffreestanding -static -nostdlib -s -Tlink.ld -Wl,--defsym=BASE="$3" \
		start.S main.c rules.c -o "../conformance-$1.elf")
	rm -r "$to/conformance"
}
suite rv64 lp64 0x80200000
suite rv32 ilp32 0x80400000
cd "$to"
cat >pmumap.wrap <<-EOF
	# SPDX-License-Identifier: BSD-2-Clause
	[wrap-file]
	directory = $name
	source_filename = $name.tar.gz
	source_hash = $(sha256sum "$name.tar.gz" | cut -d ' ' -f 1)

	[provide]
	pmumap = pmumap_dep
EOF
sha256sum "$name.tar.gz" "$name.spdx.json" "$name.notes.md" pmumap.wrap \
	conformance-*.elf >SHA256SUMS
