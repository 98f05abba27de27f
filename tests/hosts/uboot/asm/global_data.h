/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GLOBAL_DATA_H
#define GLOBAL_DATA_H

struct global_data {
	const void *fdt_blob;
};

#define DECLARE_GLOBAL_DATA_PTR extern struct global_data *gd

#endif
