/* SPDX-License-Identifier: BSD-2-Clause */
/* Validate the tables of a foreign image */
#pragma once

#include "imc/tables.h"

/* Whether the string at an offset can have so many bytes: then a comparison stays inside. */
static inline int pmumap_imc_ends_at_(const struct pmumap_imc *m, uint32_t at, uint32_t bytes)
{
	return bytes < m->string_bytes - (at - m->strings) &&
	       ((const char *)pmumap_image_at_(m, at))[bytes] == 0;
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
		if (bytes != PMUMAP_IMC_LONG_PREFIX_ && !pmumap_imc_ends_at_(m, u->prefix, bytes))
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

/* Whether a number is that of an event. */
static inline int pmumap_imc_is_number_(const struct pmumap_imc *m, uint32_t number)
{
	uint32_t unit = pmumap_imc_unit_of_number_(m, number);

	return unit < m->unit_count &&
	       pmumap_imc_event_of_number_(m, number) < pmumap_imc_unit_rows_(m)[unit].events;
}

/* Whether a slot of the index is free, or its length is that of its event's full name. */
static inline int pmumap_imc_open_slot_(const struct pmumap_imc *m, uint32_t slot)
{
	uint32_t len = slot & PMUMAP_IMC_INDEXED_BYTES_, prefix, at;
	struct pmumap_imc_match_ match;

	if (len == 0)
		return 1;
	if (!pmumap_imc_is_number_(m, slot >> PMUMAP_IMC_TAG_BITS_))
		return 0;
	match = pmumap_imc_match_of_number_(m, slot >> PMUMAP_IMC_TAG_BITS_);
	prefix = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(m) + match.unit);
	at = pmumap_imc_event_rows_(m)[match.event].name & ~PMUMAP_IMC_HAS_OVERRIDE_;
	return prefix <= len && pmumap_imc_ends_at_(m, at, len - prefix);
}

/* Validate the name index. */
static inline int pmumap_imc_open_slots_(const struct pmumap_imc *m)
{
	uint32_t i;

	if (m->homes - 1 >= PMUMAP_MAX_BYTES_ ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->slots, m->homes + PMUMAP_IMC_REACH_ - 1, sizeof(uint32_t)))
		return 0;
	for (i = 0; i < m->homes + PMUMAP_IMC_REACH_ - 1; i++) {
		if (!pmumap_imc_open_slot_(m, pmumap_imc_numbers_at_(m, m->slots)[i]))
			return 0;
	}
	return 1;
}

/* Validate the sorted tables. */
static inline int pmumap_imc_open_orders_(const struct pmumap_imc *m)
{
	uint32_t i;

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
	uint32_t buckets = pmumap_imc_count_offset_buckets_(m->names) + 1, i;
	int wide = pmumap_imc_has_wide_numbers_(m);
	uint32_t each = wide ? sizeof(uint32_t) : sizeof(uint16_t);

	if (!m->by_offset)
		return 1;
	if (!PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, each) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->offset_buckets, buckets, each))
		return 0;
	for (i = 0; i < m->names; i++) {
		if (!pmumap_imc_is_number_(m, pmumap_imc_number_at_(m, m->by_offset, i, wide)))
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
	return m->unit_bit < 32 && pmumap_imc_open_units_(m) && pmumap_imc_open_events_(m) &&
	       (m->slots == 0 || pmumap_imc_open_slots_(m)) &&
	       ((m->slots && !m->by_prefix) || pmumap_imc_open_orders_(m)) &&
	       pmumap_imc_open_offsets_(m);
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
