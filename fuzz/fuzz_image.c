/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as an image. Bytes that begin like an image are used directly. Others choose rows, from
 * which the builder makes a valid map, and then corrupt it: this reaches the same depth in any
 * image format.
 */
#include "fuzz_amu.h"
#include "fuzz_imc.h"
#include "steps.h"
#include <libfdt.h>

#define KINDS 256u
#define KIND_IMC 128u
#define KIND_AMU 255u /* this one is of AMU */

static int put_string(void *fdt, const char *name, const char *value)
{
	return fdt_property(fdt, name, value, (int)strlen(value) + 1);
}

static int put_imc_event(void *fdt, uint32_t i, int long_name)
{
	char name[64];
	int bad = fdt_begin_node(fdt, "event");

	snprintf(name, sizeof(name), long_name ? "EVENT_%022u_OF_A_LONG_NAME" : "EVENT_%u", i % 50);
	bad |= put_string(fdt, "event-name", name) || fdt_property_u32(fdt, "reg", i * 8);
	bad |= i & 1 && put_string(fdt, "scale", "1.5");
	bad |= i & 2 && put_string(fdt, "unit", "MiB");
	bad |= i & 4 && put_string(fdt, "desc", "words");
	return bad | fdt_end_node(fdt);
}

static int put_imc_unit(void *fdt, uint32_t i)
{
	static const uint32_t types[] = { PMUMAP_IMC_NEST, PMUMAP_IMC_NEST, PMUMAP_IMC_CORE,
					  PMUMAP_IMC_THREAD, PMUMAP_IMC_TRACE };
	char name[16];
	int bad;

	snprintf(name, sizeof(name), "u%u_", i % 50);
	bad = fdt_begin_node(fdt, name);
	bad |= put_string(fdt, "compatible", "ibm,imc-counters");
	snprintf(name, sizeof(name), "u%u_", i % 40);
	bad |= put_string(fdt, "events-prefix", name);
	bad |= i & 1 && put_string(fdt, "scale", "256");
	bad |= fdt_property_u32(fdt, "type", types[i % 5]) || fdt_property_u32(fdt, "reg", i * 8);
	bad |= fdt_property_u32(fdt, "events", 1 + i % 3);
	bad |= i & 2 && fdt_property_u32(fdt, "size", 0x40000);
	bad |= fdt_property_u32(fdt, "offset", 0x180000);
	bad |= i % 4 && fdt_property_u64(fdt, "base-addr", (uint64_t)i << 40);
	bad |= i % 4 && fdt_property_u32(fdt, "chip-id", i & 8);
	return bad | fdt_end_node(fdt);
}

/* kind: bits 0-1 number of units, 2-3 length of lists, 4 descriptions, 5 long names */
static const struct pmumap_imc *make_imc(uint32_t kind)
{
	static const uint32_t counts[] = { 0, 1, 5, 60 };
	static uint64_t block[1 << 16];
	static char fdt[1 << 16];
	struct pmumap_imc_options opt = { 0 };
	const struct pmumap_imc *map = NULL;
	uint32_t units = 1u << 2 * (kind & 3), events = counts[kind >> 2 & 3], i;
	int bad = fdt_create(fdt, sizeof(fdt)) || fdt_finish_reservemap(fdt);

	opt.flags = kind & 16 ? PMUMAP_DESC : 0;
	bad |= fdt_begin_node(fdt, "");
	bad |= put_string(fdt, "compatible", "ibm,opal-in-memory-counters");
	for (i = 0; i < 2 * events; i++) {
		bad |= i % events == 0 && (fdt_begin_node(fdt, "list") ||
					   fdt_property_u32(fdt, "phandle", 1 + i / events));
		bad |= put_imc_event(fdt, i, kind & 32);
		bad |= i % events == events - 1 && fdt_end_node(fdt);
	}
	for (i = 0; i < units; i++)
		bad |= put_imc_unit(fdt, i);
	bad |= fdt_end_node(fdt) || fdt_finish(fdt);
	MUST(!bad &&
	     pmumap_imc_fdt_build(fdt, sizeof(fdt), &opt, block, sizeof(block), &map) == PMUMAP_OK);
	return map;
}

static const struct pmumap_amu *made_amu;

/* Two views of three counters each, and six CPUs. */
static void make_amu(void)
{
	static uint64_t block[512];
	static char fdt[4096];
	const struct pmumap_amu *map = NULL;
	int bad = fdt_create(fdt, sizeof(fdt)) || fdt_finish_reservemap(fdt);
	char name[24];
	uint32_t i;

	bad |= fdt_begin_node(fdt, "") || fdt_begin_node(fdt, "cpus");
	bad |= fdt_property_u32(fdt, "#address-cells", 1) || fdt_begin_node(fdt, "amus");
	for (i = 0; i < 6; i++) {
		bad |= i % 3 == 0 && (fdt_begin_node(fdt, i ? "amu-1" : "amu-0") ||
				      fdt_property_u32(fdt, "phandle", 1 + i));
		snprintf(name, sizeof(name), "counter@%x", i & 1 ? 3 : i);
		bad |= fdt_begin_node(fdt, name) || fdt_property_u32(fdt, "reg", 3 * i);
		bad |= (i & 1 && fdt_property(fdt, "enable-at-el3", NULL, 0)) || fdt_end_node(fdt);
		bad |= i % 3 == 2 && fdt_end_node(fdt);
	}
	bad |= fdt_end_node(fdt);
	for (i = 0; i < 6; i++) {
		snprintf(name, sizeof(name), "cpu@%x", i);
		bad |= fdt_begin_node(fdt, name) || fdt_property_u32(fdt, "reg", (5 - i) << 8);
		bad |= fdt_property_u32(fdt, "amu", i & 3 ? i & 3 : 4) || fdt_end_node(fdt);
	}
	bad |= fdt_end_node(fdt) || fdt_end_node(fdt) || fdt_finish(fdt);
	MUST(!bad &&
	     pmumap_amu_fdt_build(fdt, sizeof(fdt), NULL, block, sizeof(block), &map) == PMUMAP_OK);
	made_amu = (const struct pmumap_amu *)fuzz_copy(map, pmumap_amu_size(map));
}

/* kind: bits 0-1 masks of raw rows, 2-3 number of rows, 4-5 distance between events. */
static const struct pmumap *make_base(uint32_t kind)
{
	static const uint32_t counts[] = { 0, 3, 24, 150 };
	static uint64_t block[16384];
	uint32_t rows = counts[kind >> 2 & 3], spread = 6 * (kind >> 4 & 3), i;
	const struct pmumap *map = NULL;
	struct pmumap_builder b;

	fuzz_state = kind;
	pmumap_begin(&b, block, sizeof(block));
	for (i = 0; i < rows; i++) {
		uint64_t select = fuzz_random() >> 24;
		uint64_t mask = kind & 2 ? fuzz_random() & fuzz_random() & fuzz_random() : ~0ull;
		uint32_t event = (i & 1) << 16 | (i + 1) << spread, counters = (uint32_t)select;

		if (kind & 1)
			mask = kind & 2 ? 1ull << (i & 63) : ~0ull << (i & 7);
		pmumap_add_raw(&b, select & mask, mask, counters | 8);
		pmumap_add_counters(&b, event, event + (1u << spread), counters | 16);
		if (!(kind & 64))
			pmumap_add_selector(&b, event, select);
	}
	MUST(pmumap_finish(&b, &map) == PMUMAP_OK);
	return map;
}

static const void *made[KINDS];
static size_t made_bytes[KINDS];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	uint32_t kind;

	(void)argc;
	(void)argv;
	for (kind = 0; kind < KINDS; kind++) {
		const void *map;

		if (kind & KIND_IMC) {
			const struct pmumap_imc *imc = make_imc(kind);

			map = imc;
			made_bytes[kind] = pmumap_imc_size(imc);
		} else {
			const struct pmumap *riscv = make_base(kind);

			map = riscv;
			made_bytes[kind] = pmumap_size(riscv);
		}
		made[kind] = fuzz_copy(map, made_bytes[kind]);
	}
	make_amu();
	return 0;
}

/* A copy to corrupt. */
static uint8_t *copy_base(uint32_t kind, size_t *bytes)
{
	if (kind == KIND_AMU) {
		*bytes = pmumap_amu_size(made_amu);
		return (uint8_t *)fuzz_copy(made_amu, *bytes);
	}
	*bytes = made_bytes[kind];
	return (uint8_t *)fuzz_copy(made[kind], *bytes);
}

/*
 * Four bytes each: offset (two), operation, value; many of them in a head. Returns the remaining
 * size.
 */
static size_t spoil(uint8_t *image, size_t bytes, const uint8_t *data, size_t size)
{
	size_t left = bytes;

	for (; size >= 4 && left; data += 4, size -= 4) {
		size_t at = (size_t)(data[0] | data[1] << 8) % (data[2] & 0x80 ? 256 : bytes);
		uint32_t word;

		if (data[2] & 0x40)
			at %= 120; /* the head of IMC's */
		at = at < bytes ? at : bytes - 1;
		if ((data[2] & 3) == 0) {
			image[at] = data[3];
			continue;
		}
		if ((data[2] & 3) == 3) {
			left = data[2] & 4 ? at : left;
			continue;
		}
		at = (at & ~(size_t)3) + 4 <= bytes ? at & ~(size_t)3 : 0;
		memcpy(&word, image + at, 4);
		word = (data[2] & 3) == 1 ? word + data[3] - 128u : data[3] * 0x1010101u;
		memcpy(image + at, &word, 4);
	}
	return left;
}

/* Calls whose time depends on the claims of the image. */
static void restricted(const struct pmumap *m)
{
	static uint64_t block[1 << 16];
	const struct pmumap_range ranges[] = { { 0, ~0u }, { (uint32_t)fuzz_random() >> 12, ~0u } };
	const struct pmumap_grant grant = { ~0u, 2, ranges };
	const struct pmumap *part;
	struct pmumap_builder b;

	pmumap_begin(&b, NULL, 0);
	STEPS(ADD_MAP, pmumap_size(m), (void)pmumap_add_map(&b, m, &grant));
	STEPS(RESTRICT, pmumap_size(m),
	      (void)pmumap_restrict(m, &grant, block, sizeof(block), &part));
}

static void check_image(const uint8_t *bytes, size_t size, int must_open)
{
	uint8_t *exact = fuzz_copy(bytes, size);
	const struct pmumap *m = (const struct pmumap *)(const void *)bytes;
	enum pmumap_status status;

	STEPS(OPEN, size, status = pmumap_open(exact, size, &m));
	MUST((status == PMUMAP_OK) == (m != NULL) && *pmumap_status_str(status));
	MUST(!must_open || status == PMUMAP_OK);
	if (m) {
		MUST((const uint8_t *)m == exact && pmumap_size(m) <= size);
		STEPS(LOOKUPS, size, fuzz_look_up(m, 4));
		restricted(m);
	}
	MUST(!size || !memcmp(exact, bytes, size));
	free(exact);
}

static void check_imc_image(const uint8_t *bytes, size_t size, int must_open)
{
	uint8_t *exact = fuzz_copy(bytes, size);
	const struct pmumap_imc *m = (const struct pmumap_imc *)(const void *)bytes;
	uint32_t e;
	enum pmumap_status status;

	STEPS(OPEN, size, status = pmumap_imc_open(exact, size, &m));
	MUST((status == PMUMAP_OK) == (m != NULL));
	MUST(!must_open || status == PMUMAP_OK);
	if (m) {
		MUST((const uint8_t *)m == exact && pmumap_imc_size(m) <= size);
		STEPS(AT, size,
		      (void)pmumap_imc_find_offset(m, fuzz_random() & 1 ? 1 : PMUMAP_IMC_ALL,
						   (uint32_t)fuzz_random() & 0xfff8,
						   (uint32_t)fuzz_random(), &e));
		(void)fuzz_imc(m, 0);
	}
	MUST(!size || !memcmp(exact, bytes, size));
	free(exact);
}

static void check_amu_image(const uint8_t *bytes, size_t size, int must_open)
{
	uint8_t *exact = fuzz_copy(bytes, size);
	const struct pmumap_amu *m = (const struct pmumap_amu *)(const void *)bytes;
	enum pmumap_status status;

	STEPS(OPEN, size, status = pmumap_amu_open(exact, size, &m));
	MUST((status == PMUMAP_OK) == (m != NULL));
	MUST(!must_open || status == PMUMAP_OK);
	if (m) {
		MUST((const uint8_t *)m == exact && pmumap_amu_size(m) <= size);
		STEPS(LOOKUPS, size, fuzz_amu(m, 0));
	}
	MUST(!size || !memcmp(exact, bytes, size));
	free(exact);
}

/* Returns whether an image of any kind, in any byte order, may begin so. */
static int is_head(uint8_t byte)
{
	return byte == PMUMAP_MAGIC >> 24 || byte == (PMUMAP_MAGIC & 0xff) ||
	       byte == (PMUMAP_IMC_MAGIC & 0xff) || byte == (PMUMAP_AMU_MAGIC & 0xff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *image;
	size_t bytes;

	if (!size)
		return 0;
	if (is_head(data[0])) {
		fuzz_seed(data, size);
		check_image(data, size, 0);
		check_imc_image(data, size, 0);
		check_amu_image(data, size, 0);
		return 0;
	}
	image = copy_base(data[0] % KINDS, &bytes);
	fuzz_seed(data, size);
	bytes = spoil(image, bytes, data + 1, size - 1);
	if (data[0] % KINDS == KIND_AMU)
		check_amu_image(image, bytes, size < 5);
	else if (data[0] % KINDS & KIND_IMC)
		check_imc_image(image, bytes, size < 5);
	else
		check_image(image, bytes, size < 5);
	free(image);
	return 0;
}
