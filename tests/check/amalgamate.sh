#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# The headers at the top are what src/ says; and scripts/amalgamate.sh refuses what it has to.
# Usage: amalgamate.sh NAME...

. tests/check/lib.sh

put=scripts/amalgamate.sh
for name; do
	if $put "src/$name.h" >"$dir/$name.h" && cmp -s "$dir/$name.h" "$name.h"; then
		pass
	else
		fail "$name.h is not what src/ says: run make headers"
	fi
	# With #line it is the same otherwise, and each number is right.
	$put -l "src/$name.h" | awk '
		/^#line / { at = $2; file = substr($3, 2, length($3) - 2); next }
		file { n = 0; while (n < at && (getline line <file) > 0) n++; close(file)
			if (line != $0 && ($0 != "" || line !~ /^#include/)) print file ":" at; lines++; file = "" }
		END { if (lines < 5) print "no lines" }' >"$dir/lines"
	nothing "#line in $name.h" "$(cat "$dir/lines")"
done

# tree: a header of three parts, each of which needs those before it
tree() {
	rm -rf "$dir/src"
	mkdir -p "$dir/src/core" "$dir/src/riscv" "$dir/src/imc"
	printf '%s\n' '/* SPDX' ' * a */' '#include "core/a.h"  /* one */' \
		'#include "core/b.h"  /* two */' '#include "riscv/c.h" /* three */' \
		'#include "imc/d.h"   /* four */' >"$dir/src/x.h"
	printf '%s\n' '/* SPDX */' '#pragma once' '' 'int a;' >"$dir/src/core/a.h"
	printf '%s\n' '/* SPDX */' '#pragma once' '' '#include "core/a.h"' '' 'int b;' >"$dir/src/core/b.h"
	printf '%s\n' '/* SPDX */' '#pragma once' '' '#include "core/b.h"' '' 'int c;' \
		>"$dir/src/riscv/c.h"
	printf '%s\n' '/* SPDX */' '#pragma once' '' '#include "core/b.h"' '' 'int d;' >"$dir/src/imc/d.h"
}
tree
works "a good tree" $put "$dir/src/x.h"
if [ "$(tr '\n' ' ' <"$dir/out")" = '/* SPDX  * Generated from src/ by "make headers": change it there.  * a */  /* ---- core/a.h: one */  int a;  /* ---- core/b.h: two */  int b;  /* ---- riscv/c.h: three */  int c;  /* ---- imc/d.h: four */  int d;  ' ]; then
	pass
else
	fail "a good tree is put together wrongly"
	cat "$dir/out"
fi
sed -i 's,core/a.h,riscv/c.h,' "$dir/src/core/b.h"
refused "a part that comes later" "core/b.h may not need riscv/c.h" $put "$dir/src/x.h"
tree
sed -i 's,core/b.h,riscv/c.h,' "$dir/src/imc/d.h"
refused "another binding" "imc/d.h may not need riscv/c.h" $put "$dir/src/x.h"
tree
sed -i '/core\/b/d; $a #include "core/b.h" /* two */' "$dir/src/x.h"
sed -i 's,core/b.h,core/a.h,' "$dir/src/riscv/c.h" "$dir/src/imc/d.h"
sed -i 's,core/a.h,imc/d.h,' "$dir/src/core/b.h"
refused "a part of a room above" "core/b.h may not need imc/d.h" $put "$dir/src/x.h"
tree
rm "$dir/src/core/a.h"
refused "a part that is not there" "no part: core/a.h" $put "$dir/src/x.h"
tree
mv "$dir/src/core" "$dir/src/attic"
sed -i 's,core/,attic/,' "$dir/src/x.h" "$dir"/src/*/*.h
refused "a room that is none" "no room for attic/a.h" $put "$dir/src/x.h"
refused "a header that is not there" "no header" $put "$dir/src/y.h"
finish
