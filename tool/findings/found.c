/* SPDX-License-Identifier: BSD-2-Clause */
#include "findings.h"
#include "found.h"
#include "source/rows.h"

int same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

void add_found(struct report *r, const struct found *found)
{
	r->count[found->f.severity]++;
	r->found = grow(r->found, r->finds, sizeof(*r->found));
	r->found[r->finds] = *found;
	r->found[r->finds].number = r->finds;
	r->finds++;
}

int has_rows(const struct pmumap_finding *f)
{
	return f->property && strstr(f->property, "event-to-mhpm");
}

int has_cpu(uint32_t code)
{
	return code == PMUMAP_F_VIEW_MISSING || code == PMUMAP_F_VIEW_EXTRA ||
	       code == PMUMAP_F_CPU_DISABLED || code == PMUMAP_F_CPU_NAME;
}

int shares_place(uint32_t code)
{
	return code == PMUMAP_F_OFFSET_CLASH || code == PMUMAP_F_OFFSET_ALIAS;
}

struct spot spot_of(struct report *r, const struct pmumap_finding *f)
{
	return find_spot(&r->source, &r->lines, f->node, f->property,
			 has_rows(f) ? f->row : PMUMAP_NO_ROW);
}

/* FNV-1a over a text and its terminator. */
static uint64_t add_text(uint64_t hash, const char *text)
{
	do
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	while (*text++);
	return hash;
}

/* The cells of the finding's row: another row may have the same mistake. */
static uint64_t add_row(uint64_t hash, const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, width = row_width(f->property);
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);

	for (uint32_t i = 0; f->row < cells / width && i < width; i++)
		hash = add_text(hash, hex(big_endian(cell + 4 * (f->row * width + i))).s);
	return hash;
}

uint64_t fingerprint(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	const char *node = node_path(&r->source, f->node);
	enum value_kind kind = explain(f->code)->kind;
	uint64_t hash = 0xcbf29ce484222325u;

	hash = add_text(hash, base_name(found->spot.line ? found->spot.file : r->source.file.name));
	hash = add_text(hash, code_text(f->code));
	hash = add_text(hash, found->name ? found->name : node ? node : "");
	hash = add_text(hash, f->property ? f->property : "");
	if (has_rows(f))
		hash = add_row(hash, r, f);
	if (kind == VALUE_NODE) /* an offset in the blob, which any edit moves */
		return hash;
	return add_text(hash, hex(kind == VALUE_NONE && !has_rows(f) ? f->row : f->value).s);
}

void tell_conflict(const struct checker *c, int code, enum pmumap_severity severity,
		   const char *property, uint32_t row, const char *other_property, uint32_t other,
		   uint64_t value)
{
	struct pmumap_finding f = { .code = (uint32_t)code,
				    .severity = severity,
				    .node = c->node,
				    .property = table_name(&c->r->source, c->node, property),
				    .row = row,
				    .other_property =
					    table_name(&c->r->source, c->node, other_property),
				    .other = other,
				    .value = value };

	c->report(c->r, &f);
}

void tell_mistake(const struct checker *c, int code, enum pmumap_severity severity,
		  const char *property, uint32_t row, uint64_t value)
{
	tell_conflict(c, code, severity, property, row, NULL, PMUMAP_NO_ROW, value);
}
