/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The bytes of maps. For each it prints whether it opens, and a hash of its bytes.
 *
 *	rom_images FOLDER			maps in the program, from the file MAPS
 *	rom_images FOLDER NAME=FILE...		with -DBUILT: maps built from device trees, with
 *						descriptions if NAME contains "desc"
 *
 * Writes each image into the folder. With -DBARE it is a program for examples/firmware/runtime, and
 * only prints.
 */
#ifdef BUILT
#include "pmumap_fdt.h"
#include "pmumap_amu_check.h"
#else
#include "pmumap.h"
#include "pmumap_amu.h"
#endif
#include "pmumap_imc.h"
#ifdef BARE
#include "runtime.h"
#else
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *folder;
#endif

/* A map of any kind. */
static void put_map(const char *name, const void *map, size_t bytes)
{
	const struct pmumap *riscv;
	const struct pmumap_imc *imc;
	const struct pmumap_amu *amu;
	unsigned status = (unsigned)pmumap_open(map, bytes, &riscv);
	uint64_t hash = 0;
	size_t i;

	if (status == PMUMAP_E_IMAGE_MAGIC)
		status = (unsigned)pmumap_imc_open(map, bytes, &imc);
	if (status == PMUMAP_E_IMAGE_MAGIC)
		status = (unsigned)pmumap_amu_open(map, bytes, &amu);
	for (i = 0; i < bytes; i++)
		hash = (hash ^ ((const unsigned char *)map)[i]) * 0x100000001b3;
#ifdef BARE
	put(name);
	put(" ");
	put_decimal(status, 0);
	put(" ");
	put_hex(hash, 0);
	put("\n");
#else
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "wb");
	if (!out || fwrite(map, 1, bytes, out) != bytes || fclose(out))
		exit(1);
	printf("%s %u 0x%" PRIx64 "\n", name, status, hash);
#endif
}

#ifdef BUILT
static uint64_t tree[1 << 20], block[1 << 20];

int main(int argc, char **argv)
{
	folder = argv[1];
	for (int i = 2; i < argc; i++) {
		char *file = strchr(argv[i], '=');
		FILE *in = file ? fopen(file + 1, "rb") : NULL;
		struct pmumap_imc_options options = { 0 };
		const struct pmumap *riscv = NULL;
		const struct pmumap_imc *imc = NULL;
		const struct pmumap_amu_options named = { 0, pmumap_amu_labels };
		const struct pmumap_amu *amu = NULL;
		size_t bytes;

		if (!in)
			return 1;
		*file = '\0';
		if (strstr(argv[i], "desc"))
			options.flags |= PMUMAP_DESC;
		bytes = fread(tree, 1, sizeof(tree), in);
		fclose(in);
		if (!pmumap_fdt_build(tree, bytes, NULL, block, sizeof(block), &riscv))
			put_map(argv[i], riscv, pmumap_size(riscv));
		else if (!pmumap_imc_fdt_build(tree, bytes, &options, block, sizeof(block), &imc))
			put_map(argv[i], imc, pmumap_imc_size(imc));
		else if (!pmumap_amu_fdt_build(tree, bytes, &named, block, sizeof(block), &amu))
			put_map(argv[i], amu, pmumap_amu_size(amu));
		else
			return 1;
	}
	return 0;
}
#else
/* MAPS includes the generated files; ALL_MAPS is X(NAME) for each map. */
#include MAPS

#ifdef BARE
int main(unsigned long hart, const void *fdt)
{
	(void)hart;
	(void)fdt;
#else
int main(int argc, char **argv)
{
	folder = argv[argc - 1];
#endif
#define X(name) put_map(#name, name(), name##_bytes);
	ALL_MAPS
	return 0;
}
#endif
