/* SPDX-License-Identifier: BSD-2-Clause */
/* Check them in a foreign image */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "core/image.h"
#include "imc/tables.h"

/*
 * Whether a string has so many bytes, and then ends: what equals them is then all of it. room: from
 * there to the end of the strings.
 */
static inline int pmumap_imc_ends_at_(const char *string, uint32_t room, uint32_t bytes)
{
	uint32_t i;

	if (bytes >= room || string[bytes])
		return 0;
	for (i = 0; i < bytes; i++) {
		if (!string[i])
			return 0;
	}
	return 1;
}

/* Validate units and their classes. Returns 0: one of them would lead outside of its tables. */
static inline int pmumap_imc_open_units_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const struct pmumap_imc_unit_class_ *k;
	uint64_t names = 0;
	uint32_t i, bytes;

	for (i = 0; i < c->unit_count; i++, u++) {
		names += u->events;
		bytes = PMUMAP_IMC_PREFIX_BYTES_(u);
		if (!pmumap_imc_is_string_(c, u->name) || !pmumap_imc_is_string_(c, u->prefix) ||
		    u->first > c->event_count || u->events > c->event_count - u->first ||
		    PMUMAP_IMC_CLASS_OF_(u) >= c->unit_class_count)
			return 0;
		if (bytes == PMUMAP_IMC_LONG_PREFIX_
			    ? c->slots != 0 && u->events != 0
			    : !pmumap_imc_ends_at_((const char *)pmumap_image_at_(m, u->prefix),
						   c->string_bytes - (u->prefix - c->strings),
						   bytes))
			return 0;
	}
	if (c->names != (names < 0xffffffffu ? names : 0xffffffffu))
		return 0;
	k = (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(m, c->unit_classes);
	for (i = 0; i < c->unit_class_count; i++, k++) {
		if (!pmumap_imc_is_type_(k->type) ||
		    (k->scale && !pmumap_imc_is_string_(c, k->scale)) ||
		    (k->measure && !pmumap_imc_is_string_(c, k->measure)) ||
		    k->chips > c->chip_count || k->chip_count > c->chip_count - k->chips)
			return 0;
	}
	return 1;
}

/* Validate events and overrides. Returns 0: one of their strings lies outside of the strings. */
static inline int pmumap_imc_open_events_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_override_ *o =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, c->overrides);
	uint32_t i;

	for (i = 0; i < c->event_count; i++) {
		if (!pmumap_imc_is_string_(c, e[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_) ||
		    ((e[i].name & PMUMAP_IMC_HAS_OVERRIDE_) && c->override_count == 0))
			return 0;
	}
	for (i = 0; i < c->override_count; i++) {
		if ((o[i].scale && !pmumap_imc_is_string_(c, o[i].scale)) ||
		    (o[i].measure && !pmumap_imc_is_string_(c, o[i].measure)) ||
		    (o[i].desc && !pmumap_imc_is_string_(c, o[i].desc)))
			return 0;
	}
	return 1;
}

/*
 * Validate the lengths of the names. They are compared by words, so BEHIND_STRINGS_ bytes may be
 * read from any of theirs on.
 */
static inline int pmumap_imc_open_lengths_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const uint8_t *bytes;
	uint32_t i, at;

	if (!PMUMAP_IMAGE_HOLDS_(m, c->name_bytes, c->event_count, 1) ||
	    m->head.size - (c->strings + c->string_bytes) < PMUMAP_IMC_BEHIND_STRINGS_)
		return 0;
	bytes = (const uint8_t *)pmumap_image_at_(m, c->name_bytes);
	for (i = 0; i < c->event_count; i++) {
		at = pmumap_imc_event_rows_(m)[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_;
		if (!pmumap_imc_ends_at_((const char *)pmumap_image_at_(m, at),
					 c->string_bytes - (at - c->strings), bytes[i]))
			return 0;
	}
	return 1;
}

/*
 * Validate the index, or the orders that stand for it. nth_bit is 1 to 31: with 0, a look-up with
 * UNIT/ could count its matches without end.
 */
static inline int pmumap_imc_open_names_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t i, slot, unit, event;

	if (c->slots) {
		if (c->slot_count == 0 || c->bucket_count == 0 || c->nth_bit - 1 > 30 ||
		    c->unit_bit > c->nth_bit ||
		    !PMUMAP_IMAGE_HOLDS_(m, c->slots, c->slot_count, sizeof(uint32_t)) ||
		    !PMUMAP_IMAGE_HOLDS_(m, c->shifts, c->bucket_count, sizeof(uint16_t)))
			return 0;
		for (i = 0; i < c->slot_count; i++) {
			slot = pmumap_imc_numbers_at_(m, c->slots)[i];
			event = pmumap_imc_event_of_slot_(c, slot);
			unit = pmumap_imc_unit_of_slot_(c, slot);
			if (unit >= c->unit_count || event >= u[unit].events)
				return 0;
		}
		return pmumap_imc_open_lengths_(m, c);
	}
	if (!PMUMAP_IMAGE_HOLDS_(m, c->by_prefix, c->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->chain, c->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->by_name, c->event_count, sizeof(uint32_t)))
		return 0;
	for (i = 0; i < c->unit_count; i++) {
		if (pmumap_imc_numbers_at_(m, c->by_prefix)[i] >= c->unit_count ||
		    (pmumap_imc_numbers_at_(m, c->chain)[i] != PMUMAP_IMC_NO_PREFIX_ &&
		     (pmumap_imc_numbers_at_(m, c->chain)[i] & ~PMUMAP_IMC_SAME_PREFIX_) >= i))
			return 0;
	}
	for (i = 0; i < c->event_count; i++) {
		if (pmumap_imc_numbers_at_(m, c->by_name)[i] >= c->event_count)
			return 0;
	}
	return 1;
}

/* Validate the order of offsets: its units and events exist, and no bucket ends behind it. */
static inline int pmumap_imc_open_offsets_(const struct pmumap *m, const struct pmumap_imc *c)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t buckets = pmumap_imc_count_offset_buckets_(c->names) + 1, i, number, unit, event;
	int wide = pmumap_imc_has_wide_numbers_(c);
	uint32_t each = wide ? sizeof(uint32_t) : sizeof(uint16_t);

	if (!c->by_offset)
		return 1;
	if (c->nth_bit - 1 > 30 || c->unit_bit > c->nth_bit ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->by_offset, c->names, each) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->offset_buckets, buckets, each))
		return 0;
	for (i = 0; i < c->names; i++) {
		number = pmumap_imc_number_at_(m, c->by_offset, i, wide);
		unit = number >> c->unit_bit;
		event = pmumap_imc_event_of_slot_(c, number);
		if (unit >= c->unit_count || event >= u[unit].events)
			return 0;
	}
	for (i = 0; i < buckets; i++) {
		if (pmumap_imc_number_at_(m, c->offset_buckets, i, wide) > c->names)
			return 0;
	}
	return 1;
}

/*
 * Validate the IMC part of an image, which has one. Returns 0: a look-up could leave the image, or
 * never end.
 */
static inline int pmumap_imc_open_tables_(const struct pmumap *m)
{
	const struct pmumap_imc *c;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->imc, 1, sizeof(*c)))
		return 0;
	c = pmumap_imc_part_(m);
	if (!PMUMAP_IMAGE_HOLDS_(m, c->units, c->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->unit_classes, c->unit_class_count,
				 sizeof(struct pmumap_imc_unit_class_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->events, c->event_count,
				 sizeof(struct pmumap_imc_event_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->overrides, c->override_count,
				 sizeof(struct pmumap_imc_override_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->chips, c->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, c->strings, c->string_bytes, 1) || c->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, c->strings) + c->string_bytes - 1))
		return 0;
	return pmumap_imc_open_units_(m, c) && pmumap_imc_open_events_(m, c) &&
	       pmumap_imc_open_names_(m, c) && pmumap_imc_open_offsets_(m, c);
}
