/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tfa.c -- asks the platform file of hosts/tfa, as TF-A has compiled it, what it would enable.
 *
 *	tfa BOARD.dtb [BYTES]	the result, then each core's mask and what is described for it
 *
 * With ARRAY it is that of TF-A 2.13 and later.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define CORES 32 /* of the platform "qemu" */

struct topology {
	uint16_t enable[CORES];
};

int plat_amu_setup(const void *hw_config, size_t bytes);
uint16_t plat_amu_described(uint64_t mpidr);
#ifdef ARRAY
extern uint16_t plat_amu_aux_enables[CORES];
#else
const struct topology *plat_amu_topology(void);
#endif
int plat_core_pos_by_mpidr(uint64_t mpidr);
void tf_log(const char *format, ...);

/* Cores are numbered by one affinity field or the other. */
int plat_core_pos_by_mpidr(uint64_t mpidr)
{
	uint64_t pos = (mpidr & 0xff) + (mpidr >> 8 & 0xff);

	return mpidr >> 16 || pos >= CORES ? -1 : (int)pos;
}

/* The first byte of a format is its level. A release build prints 20 (NOTICE) and below. */
void tf_log(const char *format, ...)
{
	va_list list;

	if (format[0] > 20)
		return;
	va_start(list, format);
	vprintf(format + 1, list);
	va_end(list);
}

static void print(void)
{
#ifdef ARRAY
	const uint16_t *enable = plat_amu_aux_enables;
#else
	const uint16_t *enable = plat_amu_topology()->enable;
#endif
	unsigned i;

	for (i = 0; i < CORES; i++)
		printf("%s0x%x", i ? " " : "", enable[i]);
	printf("\n");
	for (i = 0; i < CORES; i++)
		printf("%s0x%x", i ? " " : "", plat_amu_described((uint64_t)i << 8 | 1u << 31));
	printf("\n");
}

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	char *fdt = malloc(1 << 20);
	size_t bytes;

	if (!file || !fdt)
		return 2;
	bytes = fread(fdt, 1, 1 << 20, file);
	fclose(file);
	if (argc > 2)
		bytes = (size_t)atoi(argv[2]);
	printf("%d\n", plat_amu_setup(fdt, bytes));
	print();
	free(fdt);
	return 0;
}
