/* SPDX-License-Identifier: BSD-2-Clause */
/* Validate the tables of a foreign image */
#pragma once

#include "imc/tables.h"

/*
 * Whether a string has exactly this many bytes, so that equal bytes mean an equal string. room: the
 * bytes from its start to the end of the strings.
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

/* Validate units and their classes. Returns 0 if one of them points out of bounds. */
static inline int pmumap_imc_open_units_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const struct pmumap_imc_unit_class_ *k;
	uint64_t names = 0;
	uint32_t i, bytes;

	for (i = 0; i < m->unit_count; i++, u++) {
		names += u->events;
		bytes = PMUMAP_IMC_PREFIX_BYTES_(u);
		if (!pmumap_imc_is_string_(m, u->name) || !pmumap_imc_is_string_(m, u->prefix) ||
		    u->first > m->event_count || u->events > m->event_count - u->first ||
		    PMUMAP_IMC_CLASS_OF_(u) >= m->unit_class_count)
			return 0;
		if (bytes == PMUMAP_IMC_LONG_PREFIX_
			    ? m->slots != 0 && u->events != 0
			    : !pmumap_imc_ends_at_((const char *)pmumap_image_at_(m, u->prefix),
						   m->string_bytes - (u->prefix - m->strings),
						   bytes))
			return 0;
	}
	if (m->names != (names < 0xffffffffu ? names : 0xffffffffu))
		return 0;
	k = (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(m, m->unit_classes);
	for (i = 0; i < m->unit_class_count; i++, k++) {
		if (!pmumap_imc_is_type_(k->type) ||
		    (k->scale && !pmumap_imc_is_string_(m, k->scale)) ||
		    (k->measure && !pmumap_imc_is_string_(m, k->measure)) ||
		    k->chips > m->chip_count || k->chip_count > m->chip_count - k->chips)
			return 0;
	}
	return 1;
}

/* Validate events and overrides. Returns 0 if one of their strings is out of bounds. */
static inline int pmumap_imc_open_events_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_override_ *o =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, m->overrides);
	uint32_t i;

	for (i = 0; i < m->event_count; i++) {
		if (!pmumap_imc_is_string_(m, e[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_) ||
		    ((e[i].name & PMUMAP_IMC_HAS_OVERRIDE_) && m->override_count == 0))
			return 0;
	}
	for (i = 0; i < m->override_count; i++) {
		if ((o[i].scale && !pmumap_imc_is_string_(m, o[i].scale)) ||
		    (o[i].measure && !pmumap_imc_is_string_(m, o[i].measure)) ||
		    (o[i].desc && !pmumap_imc_is_string_(m, o[i].desc)))
			return 0;
	}
	return 1;
}

/*
 * Validate the lengths of the names. Names are compared by words, so from each of their bytes on,
 * BEHIND_STRINGS_ bytes must be readable.
 */
static inline int pmumap_imc_open_lengths_(const struct pmumap_imc *m)
{
	const uint8_t *bytes;
	uint32_t i, at;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->name_bytes, m->event_count, 1) ||
	    m->head.size - (m->strings + m->string_bytes) < PMUMAP_IMC_BEHIND_STRINGS_)
		return 0;
	bytes = (const uint8_t *)pmumap_image_at_(m, m->name_bytes);
	for (i = 0; i < m->event_count; i++) {
		at = pmumap_imc_event_rows_(m)[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_;
		if (!pmumap_imc_ends_at_((const char *)pmumap_image_at_(m, at),
					 m->string_bytes - (at - m->strings), bytes[i]))
			return 0;
	}
	return 1;
}

/*
 * Validate the index, or the sorted tables in its place. nth_bit must be 1 to 31: with 0, a look-up
 * with UNIT/ could count matches in an endless loop.
 */
static inline int pmumap_imc_open_names_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t i, slot, unit, event;

	if (m->slots) {
		if (m->slot_count == 0 || m->bucket_count == 0 || m->nth_bit - 1 > 30 ||
		    m->unit_bit > m->nth_bit ||
		    !PMUMAP_IMAGE_HOLDS_(m, m->slots, m->slot_count, sizeof(uint32_t)) ||
		    !PMUMAP_IMAGE_HOLDS_(m, m->shifts, m->bucket_count, sizeof(uint16_t)))
			return 0;
		for (i = 0; i < m->slot_count; i++) {
			slot = pmumap_imc_numbers_at_(m, m->slots)[i];
			event = pmumap_imc_event_of_slot_(m, slot);
			unit = pmumap_imc_unit_of_slot_(m, slot);
			if (unit >= m->unit_count || event >= u[unit].events)
				return 0;
		}
		return pmumap_imc_open_lengths_(m);
	}
	if (!PMUMAP_IMAGE_HOLDS_(m, m->by_prefix, m->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chain, m->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->event_count, sizeof(uint32_t)))
		return 0;
	for (i = 0; i < m->unit_count; i++) {
		if (pmumap_imc_numbers_at_(m, m->by_prefix)[i] >= m->unit_count ||
		    (pmumap_imc_numbers_at_(m, m->chain)[i] != PMUMAP_IMC_NO_PREFIX_ &&
		     (pmumap_imc_numbers_at_(m, m->chain)[i] & ~PMUMAP_IMC_SAME_PREFIX_) >= i))
			return 0;
	}
	for (i = 0; i < m->event_count; i++) {
		if (pmumap_imc_numbers_at_(m, m->by_name)[i] >= m->event_count)
			return 0;
	}
	return 1;
}

/* Validate the order of offsets: its units and events exist, and its buckets are in bounds. */
static inline int pmumap_imc_open_offsets_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t buckets = pmumap_imc_count_offset_buckets_(m->names) + 1, i, number, unit, event;
	int wide = pmumap_imc_has_wide_numbers_(m);
	uint32_t each = wide ? sizeof(uint32_t) : sizeof(uint16_t);

	if (!m->by_offset)
		return 1;
	if (m->nth_bit - 1 > 30 || m->unit_bit > m->nth_bit ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, each) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->offset_buckets, buckets, each))
		return 0;
	for (i = 0; i < m->names; i++) {
		number = pmumap_imc_number_at_(m, m->by_offset, i, wide);
		unit = number >> m->unit_bit;
		event = pmumap_imc_event_of_slot_(m, number);
		if (unit >= m->unit_count || event >= u[unit].events)
			return 0;
	}
	for (i = 0; i < buckets; i++) {
		if (pmumap_imc_number_at_(m, m->offset_buckets, i, wide) > m->names)
			return 0;
	}
	return 1;
}

/* Validate all tables. Returns 0 if a look-up could read out of bounds or loop endlessly. */
static inline int pmumap_imc_open_tables_(const struct pmumap_imc *m)
{
	if (!PMUMAP_IMAGE_HOLDS_(m, m->units, m->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->unit_classes, m->unit_class_count,
				 sizeof(struct pmumap_imc_unit_class_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->events, m->event_count,
				 sizeof(struct pmumap_imc_event_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->overrides, m->override_count,
				 sizeof(struct pmumap_imc_override_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, m->strings) + m->string_bytes - 1))
		return 0;
	return pmumap_imc_open_units_(m) && pmumap_imc_open_events_(m) &&
	       pmumap_imc_open_names_(m) && pmumap_imc_open_offsets_(m);
}

PMUMAP_DEF enum pmumap_status pmumap_imc_open(const void *image, size_t bytes,
					      const struct pmumap_imc **map)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_IMC_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_imc_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_imc_size(const struct pmumap_imc *m)
{
	return m->head.size;
}
