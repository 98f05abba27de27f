/* SPDX-License-Identifier: BSD-2-Clause
 *
 * uboot.c -- runs the command amu of hosts/uboot on this machine.
 *
 *	uboot BOARD.dtb
 */
#include <stdio.h>
#include <stdlib.h>

struct cmd_tbl;
struct global_data {
	const void *fdt_blob;
};

extern int (*const uboot_amu)(struct cmd_tbl *, int, int, char *const[]);
extern struct global_data *gd;

static struct global_data data;
struct global_data *gd = &data;

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	char *fdt = malloc(1 << 20);

	if (!file || !fdt || !fread(fdt, 1, 1 << 20, file))
		return 2;
	fclose(file);
	data.fdt_blob = fdt;
	return uboot_amu(NULL, 0, argc - 1, argv + 1) & 0xff;
}
