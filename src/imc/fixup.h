/* SPDX-License-Identifier: BSD-2-Clause */
/* Give nest units their chips */
#pragma once

#include "imc/available.h"
#include "fdt/edit.h"

/* Overwrite every property of this name in the current node with NOPs. */
static inline void pmumap_fdt_nop_property_(struct pmumap_fdt_edit_ *e, const char *name)
{
	uint32_t at = e->first;

	while ((at = pmumap_fdt_edit_find_property_(e, at, name)) < e->last)
		pmumap_fdt_nop_bytes_(e, at, pmumap_fdt_tag_bytes_(e->blob + at));
}

/* Overwrite the current node and its children with NOPs, and step past its end. */
static inline void pmumap_fdt_nop_node_(struct pmumap_fdt_edit_ *e)
{
	uint32_t depth = e->depth;

	pmumap_fdt_nop_bytes_(e, e->begin, e->to - e->begin);
	while (e->depth >= depth) {
		uint32_t tag = pmumap_load_be32_(e->blob + e->at);
		uint32_t bytes = pmumap_fdt_tag_bytes_(e->blob + e->at);

		e->depth += tag == PMUMAP_FDT_BEGIN_NODE_;
		e->depth -= tag == PMUMAP_FDT_END_NODE_;
		pmumap_fdt_nop_bytes_(e, e->to, bytes);
		e->at += bytes;
		e->to += bytes;
	}
}

enum { PMUMAP_IMC_NO_CELL_ = -1, PMUMAP_IMC_ABSENT_ = 0, PMUMAP_IMC_CELL_ = 1 };

/* Read a property of the current node that must be one cell; if not, *value is unchanged. */
static inline int pmumap_imc_edit_cell_(const struct pmumap_fdt_edit_ *e, const char *name,
					uint32_t *value)
{
	uint32_t at = pmumap_fdt_edit_find_property_(e, e->first, name);

	if (at >= e->last)
		return PMUMAP_IMC_ABSENT_;
	if (pmumap_load_be32_(e->blob + at + 4) != 4)
		return PMUMAP_IMC_NO_CELL_;
	*value = pmumap_load_be32_(e->blob + at + PMUMAP_FDT_PROPERTY_HEAD_);
	return PMUMAP_IMC_CELL_;
}

/* The type of the current unit; 0 if its own node has a finding of severity error. */
static inline uint32_t pmumap_imc_good_type_(const struct pmumap_fdt_edit_ *e)
{
	uint32_t type = 0, value, size = 0, at;
	int found = pmumap_imc_edit_cell_(e, "size", &size);

	if (pmumap_imc_edit_cell_(e, "type", &type) != PMUMAP_IMC_CELL_ ||
	    !pmumap_imc_is_type_(type) || found == PMUMAP_IMC_NO_CELL_)
		return 0;
	if (type == PMUMAP_IMC_NEST &&
	    (size == 0 || pmumap_imc_edit_cell_(e, "offset", &value) != PMUMAP_IMC_CELL_ ||
	     pmumap_imc_edit_cell_(e, "cb_offset", &value) == PMUMAP_IMC_NO_CELL_))
		return 0;
	if (pmumap_fdt_edit_find_property_(e, e->first, "events") >= e->last)
		return type;
	at = pmumap_fdt_edit_find_property_(e, e->first, "reg");
	return at < e->last && pmumap_load_be32_(e->blob + at + 4) >= 4 ? type : 0;
}

/* Whether the current node is a unit in the current format; root: depth of its root, or 0. */
static inline int pmumap_imc_is_unit_node_(const struct pmumap_fdt_edit_ *e, uint32_t root)
{
	return root && e->depth == root + 1 &&
	       pmumap_fdt_edit_is_compatible_(e, "ibm,imc-counters");
}

/* Give the current unit base-addr and chip-id, after its other properties. */
static inline void pmumap_imc_put_chips_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					 const struct pmumap_imc_chips *chips)
{
	uint32_t i;

	pmumap_fdt_nop_property_(e, "base-addr");
	pmumap_fdt_nop_property_(e, "chip-id");
	pmumap_fdt_edit_put_property_(e, names[0], 8 * chips->count);
	for (i = 0; i < chips->count; i++)
		pmumap_fdt_edit_put_pair_(e, chips->bases[i]);
	pmumap_fdt_edit_put_property_(e, names[1], 4 * chips->count);
	for (i = 0; i < chips->count; i++)
		pmumap_fdt_edit_put_cell_(e, chips->chips[i]);
}

/*
 * Walk over all units. Returns how many of them get chips. really: write these chips and delete the
 * units that are dropped; the tree must have room.
 */
static inline uint32_t pmumap_imc_edit_units_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					      const struct pmumap_imc_chips *chips, int really)
{
	uint32_t root = 0, units = 0, type;

	while (pmumap_fdt_edit_next_node_(e)) {
		const char *name = (const char *)e->blob + e->begin + 4;

		if (e->depth <= root)
			root = 0;
		if (!root && pmumap_fdt_edit_is_compatible_(e, "ibm,opal-in-memory-counters")) {
			root = e->depth;
		} else if (pmumap_imc_is_unit_node_(e, root)) {
			type = pmumap_imc_good_type_(e);
			if (!type || !pmumap_imc_is_wanted_(chips->generation, chips->available,
							    type, name)) {
				if (really)
					pmumap_fdt_nop_node_(e);
			} else if (type == PMUMAP_IMC_NEST) {
				units++;
				if (really)
					pmumap_imc_put_chips_(e, names, chips);
			}
		}
	}
	return units;
}

PMUMAP_DEF enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need)
{
	static const char texts[2][10] = { "base-addr", "chip-id" };
	uint32_t names[2], units;
	struct pmumap_fdt_edit_ e;
	uint64_t each;
	enum pmumap_status status;

	if (!fdt || !chips)
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	if (chips->count > PMUMAP_MAX_BYTES_ / 16)
		return PMUMAP_E_LIMIT;
	each = 2 * PMUMAP_FDT_PROPERTY_HEAD_ + (uint64_t)chips->count * (8 + 4);
	names[0] = names[1] = 0;
	units = pmumap_imc_edit_units_(&e, names, chips, 0);
	if (units) {
		names[0] = pmumap_fdt_edit_place_string_(&e, texts[0]);
		names[1] = pmumap_fdt_edit_place_string_(&e, texts[1]);
	}
	status = pmumap_fdt_edit_check_room_(&e, bytes, units * each, 0, need);
	if (status != PMUMAP_OK)
		return status;
	e.moved = e.names_to - e.w.names;
	e.at = e.w.start + e.moved;
	e.to = e.w.start;
	pmumap_fdt_move_bytes_(e.blob, e.to, e.at, e.total - e.to);
	(void)pmumap_imc_edit_units_(&e, names, chips, 1);
	if (units) {
		pmumap_fdt_edit_append_string_(&e, names[0], texts[0]);
		pmumap_fdt_edit_append_string_(&e, names[1], texts[1]);
	}
	pmumap_fdt_edit_end_(&e);
	return PMUMAP_OK;
}
