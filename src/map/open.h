/* SPDX-License-Identifier: BSD-2-Clause */
/* Open a foreign image */
#pragma once

#include "core/linkage.h"
#include "core/api.h"
#include "builder/map_api.h"
#include "core/image.h"
#include "riscv/open.h"
#include "imc/open.h"

/* The layout is the image format. So it is the same on every target of one byte order. */
typedef char pmumap_image_layout_[sizeof(struct pmumap) == 232 &&
						  sizeof(struct pmumap_record) == 16 &&
						  sizeof(struct pmumap_raw_row) == 24
					  ? 1
					  : -1];

/*
 * Validate the tables of each binding that this program has (PMUMAP_BINDINGS); it never reads the
 * others. Returns 0: one of them is wrong.
 */
static inline int pmumap_map_open_tables_(const struct pmumap *m)
{
#if PMUMAP_BINDINGS & PMUMAP_RISCV
	if (!pmumap_riscv_open_events_(m) || !pmumap_riscv_open_raw_(m))
		return 0;
#endif
#if PMUMAP_BINDINGS & PMUMAP_IMC
	if (m->imc && !pmumap_imc_open_tables_(m))
		return 0;
#endif
	return 1;
}

PMUMAP_DEF enum pmumap_status pmumap_open(const void *image, size_t bytes,
					  const struct pmumap **map)
{
	const struct pmumap *m = (const struct pmumap *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	/* The map has a part that is unknown here: a newer version built it. */
	if (m->reserved[0] | m->reserved[1] | m->reserved[2] | m->reserved[3] | m->reserved[4])
		return PMUMAP_E_IMAGE_VERSION;
	if (!pmumap_map_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_size(const struct pmumap *m)
{
	return m->head.size;
}
