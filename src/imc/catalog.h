/* SPDX-License-Identifier: BSD-2-Clause */
/* Find a processor's part of a catalog image */
#pragma once

#include "imc/machine_api.h"
#include "core/bits.h"

/* The table of contents: a magic, version, then entries of processor, offset, size. */
#define PMUMAP_IMC_TOC_ 4096u
#define PMUMAP_IMC_TOC_MAGIC_ 0x494d4343u     /* "IMCC" */
#define PMUMAP_IMC_OLD_TOC_MAGIC_ 0x494d4143u /* "IMAC" */
#define PMUMAP_IMC_SIGNED_MAGIC_ 0x17082011u  /* of an optional signed header; its bytes: */
#define PMUMAP_IMC_SIGNED_ 4096u
#define PMUMAP_IMC_TOC_ENTRY_ 12u
#define PMUMAP_IMC_PVR_IGNORED_ 0xf0ffu /* bits of a PVR that entries leave 0 */

/* The bytes before the table of contents; all of them if the image has none. */
static inline size_t pmumap_imc_bytes_before_toc_(const unsigned char *p, size_t bytes)
{
	size_t before = 0;
	uint32_t magic;

	if (bytes >= PMUMAP_IMC_SIGNED_ && pmumap_load_be32_(p) == PMUMAP_IMC_SIGNED_MAGIC_)
		before = PMUMAP_IMC_SIGNED_;
	if (bytes - before < PMUMAP_IMC_TOC_)
		return bytes;
	magic = pmumap_load_be32_(p + before);
	if (magic != PMUMAP_IMC_TOC_MAGIC_ && magic != PMUMAP_IMC_OLD_TOC_MAGIC_)
		return bytes;
	return pmumap_load_be32_(p + before + 4) == 1 ? before : bytes;
}

PMUMAP_DEF int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size)
{
	const unsigned char *p = (const unsigned char *)image;
	size_t before = pmumap_imc_bytes_before_toc_(p, bytes);
	uint32_t at, cell[3];

	if (before == bytes)
		return 0;
	p += before;
	bytes -= before;
	for (at = 8; at + PMUMAP_IMC_TOC_ENTRY_ <= PMUMAP_IMC_TOC_; at += PMUMAP_IMC_TOC_ENTRY_) {
		cell[0] = pmumap_load_be32_(p + at);
		cell[1] = pmumap_load_be32_(p + at + 4);
		cell[2] = pmumap_load_be32_(p + at + 8);
		if (!(cell[0] | cell[1] | cell[2]))
			break;
		if (cell[0] != (pvr & ~PMUMAP_IMC_PVR_IGNORED_))
			continue;
		if (cell[1] < PMUMAP_IMC_TOC_ || cell[1] > bytes || cell[2] == 0 ||
		    cell[2] > bytes - cell[1])
			return 0;
		*offset = before + cell[1];
		*size = cell[2];
		return 1;
	}
	return 0;
}
