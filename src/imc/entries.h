/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "builder/api.h"
#include "core/text.h"
#include "core/image.h"
#include "builder/rows.h"
#include "builder/entries.h"
#include "builder/pool.h"
#include "imc/tables.h"

/* Bytes of the index of so many names, with what building it takes: pmumap_imc_build_index_(). */
static inline uint64_t pmumap_imc_index_bytes_(uint64_t names)
{
	return names * 26 + 256;
}

/* Kinds of rows: what value, x and y hold, and the flags in the low bits. */
enum {
	PMUMAP_IMC_LIST_ = 1 << 24,    /* id; number of events; node, later the first event */
	PMUMAP_IMC_EVENT_ = 2 << 24,   /* name; reg; node */
	PMUMAP_IMC_SCALE_ = 3 << 24,   /* string, of the event or unit before it */
	PMUMAP_IMC_MEASURE_ = 4 << 24, /* likewise */
	PMUMAP_IMC_DESC_ = 5 << 24,    /* likewise */
	PMUMAP_IMC_UNIT_ = 6 << 24,    /* name; reg; node. Flags: type, OWN_...; behind it: */
	PMUMAP_IMC_PREFIX_ = 7 << 24,  /* prefix; size; id of the list, later its row or NO_ROW */
	PMUMAP_IMC_PLACE_ = 8 << 24,   /* first chip << 32 | chips; offset; control */
	PMUMAP_IMC_CHIP_ = 9 << 24,    /* base; chip. Of the unit before it */
	PMUMAP_IMC_HOMER_ = 10 << 24,  /* base; chip. Of every nest unit without chips */

	PMUMAP_IMC_OWN_LIST_ = 0x100,    /* of a unit: the list is the one before it */
	PMUMAP_IMC_OWN_CHIPS_ = 0x200,   /* of a unit: no others, even if it has none */
	PMUMAP_IMC_OWN_CONTROL_ = 0x400, /* of a unit: control is what it says, also 0 */
	PMUMAP_IMC_USED_ = 1,            /* of a list: by a unit ... */
	PMUMAP_IMC_COUNTED_ = 2,         /* ... whose offsets are those of counters */

	PMUMAP_IMC_NO_UNIT_ = 1 /* instead of a kind: chips of a unit that was dropped */
};

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* where the control block is unless the unit says so */

/* What pmumap_imc_finish_part_() works on. */
struct pmumap_imc_build_ {
	struct pmumap_builder *b;
	struct pmumap *m;
	struct pmumap_imc *c;
	struct pmumap_pool_ pool;
	uint32_t *lists; /* numbers of the rows of all lists, by id */
	uint32_t list_count, text_count;
	uint32_t blind;   /* 1: no room to compare the places of counters */
	uint32_t *order;  /* of the events of one list: numbers of their rows */
	uint32_t *nodes;  /* of the units */
	uint32_t *counts; /* of the events in their lists */
};

/* Rows of events, by name; of one name in the order of their offsets, then of the tree. */
static inline int pmumap_imc_entry_name_before_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	const struct pmumap_row_ *x = pmumap_builder_entry_(w->b, a),
				 *y = pmumap_builder_entry_(w->b, b);
	const char *s = (const char *)pmumap_image_at_(w->m, (uint32_t)x->value);
	const char *t = (const char *)pmumap_image_at_(w->m, (uint32_t)y->value);

	if (x->value != y->value && pmumap_text_before_(s, t))
		return 1;
	if (x->value != y->value && pmumap_text_before_(t, s))
		return 0;
	return x->counters != y->counters ? x->counters < y->counters : a < b;
}

/* All counters as such numbers. */
static inline void pmumap_imc_number_names_(const struct pmumap *m, uint32_t *to)
{
	uint32_t unit, i;

	for (unit = 0; unit < pmumap_imc_part_(m)->unit_count; unit++) {
		for (i = 0; i < pmumap_imc_unit_rows_(m)[unit].events; i++)
			*to++ = unit << pmumap_imc_part_(m)->unit_bit | i;
	}
}
