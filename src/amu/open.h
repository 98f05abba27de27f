/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "amu/api.h"
#include "core/image.h"
#include "amu/tables.h"

/*
 * Validate the AMU part of an image, which has one. Returns 0: an offset, a number or a string
 * would lead outside of it.
 */
static inline int pmumap_amu_open_tables_(const struct pmumap *m)
{
	const struct pmumap_amu *a;
	const uint32_t *names;
	uint32_t i, bits, n;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->amu, 1, sizeof(*a)))
		return 0;
	a = pmumap_amu_part_(m);
	if (!PMUMAP_IMAGE_HOLDS_(m, a->cpus, a->cpu_count, sizeof(struct pmumap_amu_cpu_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, a->by_tree, a->cpu_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, a->views, a->view_count, sizeof(struct pmumap_amu_view_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, a->names, a->name_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, a->strings, a->string_bytes, 1) || a->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, a->strings) + a->string_bytes - 1))
		return 0;
	names = (const uint32_t *)pmumap_image_at_(m, a->names);
	for (i = 0; i < a->cpu_count; i++) {
		uint32_t view = pmumap_amu_cpu_rows_(m)[i].view;

		if (((const uint32_t *)pmumap_image_at_(m, a->by_tree))[i] >= a->cpu_count ||
		    (view >= a->view_count && view != PMUMAP_AMU_NO_VIEW))
			return 0;
	}
	for (i = 0; i < a->view_count; i++) {
		for (n = 0, bits = pmumap_amu_view_rows_(m)[i].described; bits; bits &= bits - 1)
			n++;
		if (pmumap_amu_view_rows_(m)[i].first > a->name_count ||
		    n > a->name_count - pmumap_amu_view_rows_(m)[i].first)
			return 0;
	}
	for (i = 0; i < a->name_count; i++) {
		if (names[i] < a->strings || names[i] - a->strings >= a->string_bytes)
			return 0;
	}
	return 1;
}
