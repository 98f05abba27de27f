/* SPDX-License-Identifier: BSD-2-Clause */
/* The length of a blob */
#pragma once

#include "core/linkage.h"

/*
 * The size in the header of the blob that starts here; 0 if none does, or for NULL. It reads 8
 * bytes. For an untrusted blob, you must know by other means how much memory is readable.
 */
PMUMAP_API uint32_t pmumap_fdt_size(const void *fdt);
