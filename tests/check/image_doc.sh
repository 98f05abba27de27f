#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# doc/image.md matches the headers: its tables have every field at the right offset, and the numbers
# drawn for the U74 are those of its map.
. tests/check/lib.sh

includes $headers >"$dir/headers.h"

# fields PAGE: compares the tables of fields with the compiler. A heading has struct and size; a row
# has offset, field, text.
fields() {
	awk '
	BEGIN {
		print "#include <stdio.h>"
		print "#include \"headers.h\""
		print "#define SIZE(s, f) (unsigned)sizeof(((s *)0)->f)"
		print "static int bad;"
		print "static void same(const char *what, unsigned is, unsigned said)"
		print "{\n\tif (is != said && ++bad)"
		print "\t\tprintf(\"%s: %u, and not %u; \", what, is, said);\n}"
		print "int main(void)\n{"
	}
	function row(field, is, said) { printf "\tsame(\"%s %s\", (unsigned)%s, %s);\n", s, field, is, said }
	function end() { # the last field ends with the struct
		if (s && before) row("ends", "offsetof(" s ", " before ") + SIZE(" s ", " before ")", bytes)
		s = before = ""
	}
	/^#/ { end() }
	/^### `struct / { split($0, part, "`"); s = part[2]; bytes = $(NF - 1)
		row("has bytes", "sizeof(" s ")", bytes); structs++ }
	s && /^\| [0-9]+ \| `/ {
		split($4, part, "`"); field = part[2]; fields++
		if (s ~ /^struct pmumap(_[a-z]+)?$/ && field ~ /^(magic|version|size|flags)$/)
			field = "head." field
		row(field, "offsetof(" s ", " field ")", $2)
		row("before " field, before ? "offsetof(" s ", " before ") + SIZE(" s ", " before ")" : 0, $2)
		before = field
	}
	END { end(); print "\treturn bad;\n}"; print structs, fields >"/dev/stderr" }
' "$1" >"$dir/fields.c" 2>"$dir/counts" &&
	${CC:-gcc} -std=c11 $warnings -I. -I"$dir" "$dir/fields.c" -o "$dir/fields" && "$dir/fields"
}

# drawn PAGE: compares the numbers in the figure with the map. A line has an offset, then names and
# values. Text after dots or a bar is a remark.
drawn() {
	awk '/u74 begin/ { on = 1 } /u74 end/ { on = 0 } on && /^ 0x[0-9a-f]+  \|/ {
	at = $1; sub(/^[^|]*\|/, ""); sub(/ \.\.\..*/, ""); sub(/\|.*/, "")
	for (i = 1; i < NF; i += 2) printf "\tdrawn(%s, \"%s\", %s);\n", at, $i, $(i + 1)
}' "$1" >"$dir/drawn.h"
	${CC:-gcc} -std=c11 $warnings -I. "$dir/u74.c" -o "$dir/u74" && "$dir/u74" "$dir/map"
}
cat >"$dir/u74.c" <<'EOF'
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "pmumap.h"

static union { uint64_t align[1024]; struct pmumap map; unsigned char bytes[8192]; } image;
static struct { unsigned at; char name[32]; uint64_t value; int drawn; } number[512];
static unsigned count, bad;

static void put(size_t at, const char *name, uint64_t value)
{
	number[count].at = (unsigned)at;
	strcpy(number[count].name, name);
	number[count++].value = value;
}

static void drawn(unsigned at, const char *name, uint64_t value)
{
	for (unsigned i = 0; i < count; i++) {
		if (number[i].at != at || strcmp(number[i].name, name))
			continue;
		number[i].drawn++;
		if (number[i].value != value && ++bad)
			printf("0x%03x %s is 0x%" PRIx64 "; ", at, name, number[i].value);
		return;
	}
	bad++;
	printf("0x%03x has no %s; ", at, name);
}

#define NAMED(name, f) put(offsetof(struct pmumap, f) & ~(size_t)7, name, m->f)
#define HEAD(f) NAMED(#f, f)
#define FIELD(r, f) put((size_t)((const unsigned char *)(r) - image.bytes), #f, (r)->f)

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	const struct pmumap *m = &image.map;
	size_t n = file ? fread(&image, 1, sizeof(image), file) : 0;
	const struct pmumap_raw_row *row;
	const uint16_t *place;
	char name[32];

	if (pmumap_open(&image, n, &m) != PMUMAP_OK || m->head.size != n || m->raw_low != 3)
		return 1;
	NAMED("magic", head.magic), NAMED("version", head.version), NAMED("size", head.size);
	NAMED("flags", head.flags), HEAD(records), HEAD(sorted);
	HEAD(sorted_count), HEAD(raw_rows), HEAD(raw_count), HEAD(raw_copies), HEAD(raw_low);
	HEAD(reserved);
	FIELD(&m->raw_none, select), FIELD(&m->raw_none, mask), FIELD(&m->raw_none, counters);
	FIELD(&m->raw_none, more);
	for (unsigned i = 0; i < sizeof(m->event_index); i++) {
		sprintf(name, "[0x%02x]", i);
		if (m->event_index[i])
			put(offsetof(struct pmumap, event_index), name, m->event_index[i]);
	}
	for (const struct pmumap_record *r = m->record; r < m->record + m->records; r++) {
		if (r != m->record + 1)
			FIELD(r, selector), FIELD(r, counters), FIELD(r, key);
	}
	row = (const struct pmumap_raw_row *)(const void *)(image.bytes + m->raw_rows);
	for (unsigned i = 0; i < m->raw_count + m->raw_copies; i++, row++)
		FIELD(row, select), FIELD(row, mask), FIELD(row, counters), FIELD(row, more);
	place = (const uint16_t *)(const void *)&m->record[1];
	for (unsigned i = 0; i <= m->raw_low; i++) {
		sprintf(name, "place_%u", i);
		put(offsetof(struct pmumap, record[1]), name, place[i]);
	}
#include "drawn.h"
	for (unsigned i = 0; i < count; i++) {
		if (number[i].drawn != 1 && ++bad)
			printf("0x%03x %s is drawn %d times; ", number[i].at, number[i].name,
			       number[i].drawn);
	}
	return bad != 0;
}
EOF

page=doc/image.md
works "the U74's map" build/pmumap rom --binary -o "$dir/map" tests/trees/boards/sifive-u74.dts
works "fields and offsets of $page" fields $page
read -r structs all <"$dir/counts"
[ "$structs" -ge 11 ] && [ "$all" -ge 80 ] && pass || fail "$page: only $structs structs, $all fields"
works "the numbers drawn in $page" drawn $page

# Tests of this check itself. HERE: none
[ -z "${HERE:-}" ] || finish

# notices WHAT PATTERN SED...: the check fails on the edited page, with a message like PATTERN
notices() {
	sed "$3" $page >"$dir/wrong.md"
	refused "$3" "$2" "$1" "$dir/wrong.md"
}
notices fields 'raw_none: 48, and not 52' 's/^| 48 | `raw_none`/| 52 | `raw_none`/'
notices fields 'unit_row_ ends: 51, and not 52' '/^| 51 | `own`/d'
notices fields 'before raw_count: 28, and not 32' '/^| 28 | `raw_rows`/d'
notices fields 'has bytes: 16, and not 12' 's/^### `struct pmumap_record`, 16/### `struct pmumap_record`, 12/'
notices drawn '0x018 raw_rows is 0x188' 's/raw_rows 0x188/raw_rows 0x170/'
notices drawn '0x1b8 select is 0x2' 's/select 2 /select 3 /'
notices drawn '0x048 .0x49. is drawn 0 times' 's/ \[0x49\] 8//'
notices drawn '0x0d0 has no place_2' 's/0x0d8  |/0x0d0  |/'
finish
