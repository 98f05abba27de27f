/* SPDX-License-Identifier: BSD-2-Clause */
/* The size of a blob */
#pragma once

#include "core/image.h"
#include "fdt/size_api.h"
#include "fdt/blob.h"

PMUMAP_DEF uint32_t pmumap_fdt_size(const void *fdt)
{
	const unsigned char *p = (const unsigned char *)fdt;

	if (!p || pmumap_load_be32_(p) != PMUMAP_FDT_MAGIC_NUMBER_)
		return 0;
	return pmumap_load_be32_(p + 4) < 4 * PMUMAP_FDT_CELLS_ ? 0 : pmumap_load_be32_(p + 4);
}
