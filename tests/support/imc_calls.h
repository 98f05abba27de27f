/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of the IMC builder, and an equivalent tree to compare findings.
 */
#ifndef IMC_CALLS_H
#define IMC_CALLS_H

#include "imc_make.h"
#include "imc_support.h"

enum imc_call_kind { IMC_CALL_LIST, IMC_CALL_EVENT, IMC_CALL_UNIT, IMC_CALL_CHIP };

static struct imc_call {
	enum imc_call_kind kind;
	uint32_t number; /* of a list, or a chip */
	struct pmumap_imc_event event;
	struct pmumap_imc_unit unit;
	uint64_t base;
} * imc_calls;

static uint32_t imc_called;
static size_t imc_call_bytes; /* of strings */

static inline struct imc_call *imc_note(enum imc_call_kind kind, uint32_t number)
{
	struct imc_call *c;

	imc_calls = model_grow(imc_calls, imc_called, sizeof(*imc_calls));
	c = &imc_calls[imc_called++];
	memset(c, 0, sizeof(*c));
	c->kind = kind;
	c->number = number;
	return c;
}

static inline void imc_forget(void)
{
	imc_called = 0;
	imc_call_bytes = 0;
}

static inline void imc_count_text(const char *s)
{
	imc_call_bytes += s ? strlen(s) + 32 : 0;
}

static inline enum pmumap_status call_list(struct pmumap_imc_builder *b, uint32_t id)
{
	imc_note(IMC_CALL_LIST, id);
	return pmumap_imc_add_list(b, id);
}

static inline enum pmumap_status call_event(struct pmumap_imc_builder *b,
					    const struct pmumap_imc_event *e)
{
	imc_note(IMC_CALL_EVENT, 0)->event = *e;
	imc_count_text(e->name);
	imc_count_text(e->scale);
	imc_count_text(e->measure);
	imc_count_text(e->desc);
	return pmumap_imc_add_event(b, e);
}

static inline enum pmumap_status call_unit(struct pmumap_imc_builder *b, uint32_t id,
					   const struct pmumap_imc_unit *u)
{
	imc_note(IMC_CALL_UNIT, id)->unit = *u;
	imc_count_text(u->name);
	imc_count_text(u->prefix);
	imc_count_text(u->scale);
	imc_count_text(u->measure);
	return pmumap_imc_add_unit(b, id, u);
}

static inline enum pmumap_status call_chip(struct pmumap_imc_builder *b, uint32_t chip,
					   uint64_t base)
{
	imc_note(IMC_CALL_CHIP, chip)->base = base;
	return pmumap_imc_add_chip(b, chip, base);
}

static inline void imc_text(const char *name, const char *value)
{
	if (value && *value)
		text(name, value);
}

static inline void imc_number(const char *name, uint32_t value)
{
	if (value)
		cell(name, value);
}

/* A list, and the events added before the next list. */
static inline void list_of_calls(uint32_t i)
{
	list(imc_calls[i].number);
	for (i++; i < imc_called && imc_calls[i].kind != IMC_CALL_LIST; i++) {
		const struct pmumap_imc_event *e = &imc_calls[i].event;

		if (imc_calls[i].kind != IMC_CALL_EVENT)
			continue;
		begin("event");
		imc_text("event-name", e->name);
		cell("reg", e->offset);
		imc_text("scale", e->scale);
		imc_text("unit", e->measure);
		imc_text("desc", e->desc);
		end();
	}
	end();
}

/* A unit, and the chips added to it. */
static inline void unit_of_calls(uint32_t i)
{
	const struct pmumap_imc_unit *u = &imc_calls[i].unit;
	uint32_t chips, k;
	unsigned char *bases, *ids;
	void *value;

	begin(u->name ? u->name : "");
	text("compatible", "ibm,imc-counters");
	text("events-prefix", u->prefix ? u->prefix : "");
	cell("type", u->type);
	cell("reg", u->reg);
	imc_number("events", imc_calls[i].number);
	/* For the builder, 0 means a page of any size. */
	imc_number("size", u->size || u->type == PMUMAP_IMC_NEST ? u->size : 0xfffffff8);
	if (u->offset || (u->size && u->type == PMUMAP_IMC_NEST))
		cell("offset", u->offset);
	imc_number("cb_offset", u->control);
	imc_text("scale", u->scale);
	imc_text("unit", u->measure);
	for (chips = 0;
	     i + 1 + chips < imc_called && imc_calls[i + 1 + chips].kind == IMC_CALL_CHIP;)
		chips++;
	if (chips) {
		must(fdt_property_placeholder(tree, "base-addr", (int)(8 * chips), &value));
		for (bases = value, k = 0; k < chips; k++)
			put_cells(&bases,
				  (uint32_t[]){ (uint32_t)(imc_calls[i + 1 + k].base >> 32),
						(uint32_t)imc_calls[i + 1 + k].base },
				  2);
		must(fdt_property_placeholder(tree, "chip-id", (int)(4 * chips), &value));
		for (ids = value, k = 0; k < chips; k++)
			put_cells(&ids, &imc_calls[i + 1 + k].number, 1);
	}
	end();
}

static inline unsigned char *tree_of_calls(size_t *size)
{
	uint32_t i;

	start(4096 + imc_call_bytes + 256 * (size_t)imc_called);
	root("");
	for (i = 0; i < imc_called; i++) {
		if (imc_calls[i].kind == IMC_CALL_LIST)
			list_of_calls(i);
		else if (imc_calls[i].kind == IMC_CALL_UNIT)
			unit_of_calls(i);
	}
	return finish(size);
}

/* Findings in a tree of these calls. bytes: size of the map's block, 0 for the need. */
static inline enum pmumap_status findings_of_calls(struct findings *f, size_t bytes)
{
	struct pmumap_imc_options opt = { .check = pmumap_imc_check, .report = collect, .arg = f };
	const struct pmumap_imc *map;
	enum pmumap_status status;
	unsigned char *fdt;
	size_t size;
	void *block;

	fdt = tree_of_calls(&size);
	if (!bytes)
		CHECK_EQ(pmumap_imc_fdt_measure(fdt, size, NULL, &bytes), PMUMAP_OK);
	block = exact(bytes);
	f->n = 0;
	status = pmumap_imc_fdt_build(fdt, size, &opt, block, bytes, &map);
	free(block);
	free(fdt);
	return status;
}

#endif /* IMC_CALLS_H */
