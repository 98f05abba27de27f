/* SPDX-License-Identifier: BSD-2-Clause */
/* Give nest units their chips */
#pragma once

#include "fdt/edit.h"
#include "imc/fixup_api.h"
#include "imc/tables.h"
#include "imc/vector.h"

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

/* Properties of a unit that must be one cell. */
enum {
	PMUMAP_IMC_TYPE_CELL_,
	PMUMAP_IMC_SIZE_CELL_,
	PMUMAP_IMC_OFFSET_CELL_,
	PMUMAP_IMC_CONTROL_CELL_,
	PMUMAP_IMC_UNIT_CELLS_
};

/* The type of the current unit; 0 if its own node has a finding of severity error. */
static inline uint32_t pmumap_imc_good_type_(const struct pmumap_fdt_edit_ *e)
{
	static const char texts[][10] = { "type", "size", "offset", "cb_offset" };
	uint32_t value[PMUMAP_IMC_UNIT_CELLS_], type, at, i;
	int found[PMUMAP_IMC_UNIT_CELLS_];

	for (i = 0; i < PMUMAP_IMC_UNIT_CELLS_; i++) {
		value[i] = 0;
		found[i] = pmumap_imc_edit_cell_(e, texts[i], &value[i]);
	}
	type = value[PMUMAP_IMC_TYPE_CELL_]; /* 0: missing, or no cell */
	if (!pmumap_imc_is_type_(type) || found[PMUMAP_IMC_SIZE_CELL_] == PMUMAP_IMC_NO_CELL_)
		return 0;
	if (type == PMUMAP_IMC_NEST && (value[PMUMAP_IMC_SIZE_CELL_] == 0 ||
					found[PMUMAP_IMC_OFFSET_CELL_] != PMUMAP_IMC_CELL_ ||
					found[PMUMAP_IMC_CONTROL_CELL_] == PMUMAP_IMC_NO_CELL_))
		return 0;
	if (pmumap_fdt_edit_find_property_(e, e->first, "events") >= e->last)
		return type;
	at = pmumap_fdt_edit_find_property_(e, e->first, "reg");
	return at < e->last && pmumap_load_be32_(e->blob + at + 4) >= 4 ? type : 0;
}

#define PMUMAP_IMC_CHIP_NAMES_ 2u
#define PMUMAP_IMC_CHIP_NAME_(i) ((i) ? "chip-id" : "base-addr")

/* Whether a chip has the current unit. Units of other types than nest are on all chips. */
static inline int pmumap_imc_is_on_chip_(const struct pmumap_fdt_edit_ *e,
					 const struct pmumap_imc_chips *chips, uint32_t type,
					 uint32_t i)
{
	uint64_t vector = chips->vectors && chips->count ? chips->vectors[i] : chips->available;

	return pmumap_imc_is_wanted_(chips->generation, vector, type,
				     (const char *)e->blob + e->begin + 4);
}

/* Whether all chips have the same vector. Then each unit need be looked up only once. */
static inline int pmumap_imc_are_alike_(const struct pmumap_imc_chips *chips)
{
	uint32_t i = 1;

	if (!chips->vectors)
		return 1;
	while (i < chips->count && chips->vectors[i] == chips->vectors[0])
		i++;
	return i >= chips->count;
}

/* Whether the current unit exists anywhere; *n: the chips of a nest unit; alike: ask only once. */
static inline int pmumap_imc_count_chips_(const struct pmumap_fdt_edit_ *e,
					  const struct pmumap_imc_chips *chips, int alike,
					  uint32_t type, uint32_t *n)
{
	uint32_t i, all = type == PMUMAP_IMC_NEST ? chips->count : 0;
	int exists;

	*n = 0;
	if (!all || alike) {
		exists = pmumap_imc_is_on_chip_(e, chips, type, 0);
		*n = exists ? all : 0;
		return exists;
	}
	for (i = 0; i < all; i++)
		*n += (uint32_t)pmumap_imc_is_on_chip_(e, chips, type, i);
	return *n != 0;
}

/* Give the current nest unit base-addr and chip-id for n chips, after its other properties. */
static inline void pmumap_imc_put_chips_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					 const struct pmumap_imc_chips *chips, uint32_t n)
{
	uint32_t k, i, at;

	for (k = 0; k < PMUMAP_IMC_CHIP_NAMES_; k++) {
		at = e->first;
		while ((at = pmumap_fdt_edit_find_property_(e, at, PMUMAP_IMC_CHIP_NAME_(k))) <
		       e->last)
			pmumap_fdt_nop_bytes_(e, at, pmumap_fdt_tag_bytes_(e->blob + at));
		pmumap_fdt_edit_put_property_(e, names[k], (k ? 4 : 8) * n);
		for (i = 0; i < chips->count; i++) {
			if (n < chips->count &&
			    !pmumap_imc_is_on_chip_(e, chips, PMUMAP_IMC_NEST, i))
				continue;
			if (!k)
				pmumap_fdt_edit_put_cell_(e, (uint32_t)(chips->bases[i] >> 32));
			pmumap_fdt_edit_put_cell_(e,
						  k ? chips->chips[i] : (uint32_t)chips->bases[i]);
		}
	}
}

/*
 * Walk over all units in the current format. Returns the bytes that their chips take. names: the
 * offsets of their properties' names, to write these chips and delete the units that are dropped,
 * for which the tree must have room; or NULL.
 */
static inline uint64_t pmumap_imc_edit_units_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					      const struct pmumap_imc_chips *chips, int alike)
{
	uint32_t root = 0, type, n; /* root: the depth of the root around the walk */
	uint64_t bytes = 0;

	while (pmumap_fdt_edit_next_node_(e)) {
		if (e->depth <= root)
			root = 0;
		if (root && e->depth > root + 1)
			continue;
		if (!pmumap_fdt_edit_is_compatible_(e, root ? "ibm,imc-counters"
							    : "ibm,opal-in-memory-counters"))
			continue;
		if (!root) {
			root = e->depth;
			continue;
		}
		type = pmumap_imc_good_type_(e);
		if (!type || !pmumap_imc_count_chips_(e, chips, alike, type, &n)) {
			if (names)
				pmumap_fdt_nop_node_(e);
		} else if (type == PMUMAP_IMC_NEST) {
			bytes += PMUMAP_IMC_CHIP_NAMES_ * PMUMAP_FDT_PROPERTY_HEAD_ +
				 (uint64_t)n * (8 + 4);
			if (names)
				pmumap_imc_put_chips_(e, names, chips, n);
		}
	}
	return bytes;
}

PMUMAP_DEF enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need)
{
	uint32_t names[PMUMAP_IMC_CHIP_NAMES_] = { 0, 0 }, i;
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	uint64_t added;
	int alike;

	if (!fdt || !chips)
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	if (chips->count > PMUMAP_MAX_BYTES_ / 16)
		return PMUMAP_E_LIMIT;
	alike = pmumap_imc_are_alike_(chips);
	added = pmumap_imc_edit_units_(&e, 0, chips, alike);
	for (i = 0; added && i < PMUMAP_IMC_CHIP_NAMES_; i++)
		names[i] = pmumap_fdt_edit_place_string_(&e, PMUMAP_IMC_CHIP_NAME_(i));
	status = pmumap_fdt_edit_check_room_(&e, bytes, added, 0, need);
	if (status != PMUMAP_OK)
		return status;
	e.moved = e.names_to - e.w.names;
	e.at = e.w.start + e.moved;
	e.to = e.w.start;
	pmumap_fdt_move_bytes_(e.blob, e.to, e.at, e.total - e.to);
	(void)pmumap_imc_edit_units_(&e, names, chips, alike);
	for (i = 0; added && i < PMUMAP_IMC_CHIP_NAMES_; i++)
		pmumap_fdt_edit_append_string_(&e, names[i], PMUMAP_IMC_CHIP_NAME_(i));
	pmumap_fdt_edit_end_(&e);
	return PMUMAP_OK;
}
