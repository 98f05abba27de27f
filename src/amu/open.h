/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tables of a foreign image must satisfy */
#pragma once

#include "amu/tables.h"

/*
 * Validate the tables of an image. Returns 0: an offset, a number or a string would lead outside of
 * it.
 */
static inline int pmumap_amu_open_tables_(const struct pmumap_amu *m)
{
	const uint32_t *names;
	uint32_t i, bits, n;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->cpus, m->cpu_count, sizeof(struct pmumap_amu_cpu_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_tree, m->cpu_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->views, m->view_count, sizeof(struct pmumap_amu_view_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->names, m->name_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, m->strings) + m->string_bytes - 1))
		return 0;
	names = (const uint32_t *)pmumap_image_at_(m, m->names);
	for (i = 0; i < m->cpu_count; i++) {
		uint32_t view = pmumap_amu_cpu_rows_(m)[i].view;

		if (((const uint32_t *)pmumap_image_at_(m, m->by_tree))[i] >= m->cpu_count ||
		    (view >= m->view_count && view != PMUMAP_AMU_NO_VIEW))
			return 0;
	}
	for (i = 0; i < m->view_count; i++) {
		for (n = 0, bits = pmumap_amu_view_rows_(m)[i].described; bits; bits &= bits - 1)
			n++;
		if (pmumap_amu_view_rows_(m)[i].first > m->name_count ||
		    n > m->name_count - pmumap_amu_view_rows_(m)[i].first)
			return 0;
	}
	for (i = 0; i < m->name_count; i++) {
		if (names[i] < m->strings || names[i] - m->strings >= m->string_bytes)
			return 0;
	}
	return 1;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_open(const void *image, size_t bytes,
					      const struct pmumap_amu **map)
{
	const struct pmumap_amu *m = (const struct pmumap_amu *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_AMU_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_amu_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_amu_size(const struct pmumap_amu *m)
{
	return m->head.size;
}
