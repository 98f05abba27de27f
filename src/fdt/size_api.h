/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a blob is */
#pragma once

#include "core/linkage.h"

/*
 * Bytes of the blob that starts here, as its own header says; 0: no blob starts here, or it is
 * NULL. It reads 8 bytes. If you do not trust the blob, you have to know by other means how much of
 * it may be read.
 */
PMUMAP_API uint32_t pmumap_fdt_size(const void *fdt);
