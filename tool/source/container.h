/* SPDX-License-Identifier: BSD-2-Clause
 *
 * container.h -- the IMA_CATALOG partition: a table of contents, and a compressed tree for each
 * processor. Built with PMUMAP_TOOL_LZMA, the tool unpacks one with liblzma.
 */
#ifndef CONTAINER_H
#define CONTAINER_H

#include "text/output.h"

/* True if the data is such a partition. */
int is_container(const unsigned char *data, size_t size);

/* Prints its table of contents. */
void list_catalogs(const char *name, const unsigned char *data, size_t size, int json);

/* Replaces the container by the tree for this processor. Returns an exit code. */
int choose_catalog(const char *name, uint32_t pvr, unsigned char **data, size_t *size);

#endif /* CONTAINER_H */
