/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Parts of IMC that need no map: scales, counters, trace words, availability, the catalog
 * container.
 */
#include "imc_support.h"

/* ---- scales ---------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	uint64_t mantissa; /* 0: rejected */
	int32_t exponent;
} scales[] = {
	{ "1", 1, 0 },
	{ "4", 4, 0 },
	{ "256", 256, 0 },
	{ "65536", 65536, 0 },
	{ "1.2207e-4", 12207, -8 },
	{ "1.2207E-4", 12207, -8 },
	{ "1.2207e4", 12207, 0 },
	{ "1.2207e+4", 12207, 0 },
	{ "100", 100, 0 },
	{ "1.50", 150, -2 },
	{ "0.125", 125, -3 },
	{ "1e0", 1, 0 },
	{ "1e00000000000000000000000000002", 1, 2 },
	{ "1e9999", 1, 9999 },
	{ "1e-9999", 1, -9999 },
	{ "1.0e-9998", 10, -9999 },
	{ "1.0e10000", 10, 9999 },
	{ "18446744073709551615", 0xffffffffffffffff, 0 },
	{ "18446744073709551614", 0xfffffffffffffffe, 0 },
	{ "18446744073709551610", 0xfffffffffffffffa, 0 },
	{ "00000000000000000000018446744073709551615", 0xffffffffffffffff, 0 },
	{ "1844674407370955161.5", 0xffffffffffffffff, -1 },
	{ "0.00000000000000000000000001", 1, -26 },
	{ "", 0, 0 },
	{ "0", 0, 0 },
	{ "0.0", 0, 0 },
	{ "0e5", 0, 0 },
	{ "18446744073709551616", 0, 0 },
	{ "184467440737095516165", 0, 0 },
	{ "18446744073709551620", 0, 0 },
	{ "1844674407370955161.6", 0, 0 },
	{ "99999999999999999999999999", 0, 0 },
	{ "1e10000", 0, 0 },
	{ "1e-10000", 0, 0 },
	{ "1.0e-9999", 0, 0 },
	{ "1e4294967296", 0, 0 },
	{ "1e18446744073709551616", 0, 0 },
	{ "1e-18446744073709551617", 0, 0 },
	{ "-1", 0, 0 },
	{ "+1", 0, 0 },
	{ " 1", 0, 0 },
	{ "1 ", 0, 0 },
	{ "1e 4", 0, 0 },
	{ "0x10", 0, 0 },
	{ "1,5", 0, 0 },
	{ ".", 0, 0 },
	{ "e4", 0, 0 },
	{ ".e4", 0, 0 },
	{ "1e", 0, 0 },
	{ "1e+", 0, 0 },
	{ "1e-", 0, 0 },
	{ "1e+-4", 0, 0 },
	{ "1e4.", 0, 0 },
	{ "1.2.3", 0, 0 },
	{ "inf", 0, 0 },
	{ "1f", 0, 0 },
	{ "1d4", 0, 0 },
	{ "1\n", 0, 0 },
};

static void check_scale(const char *text, int good, uint64_t mantissa, int32_t exponent)
{
	char *copy = exact_copy(text, strlen(text) + 1);
	uint64_t got = 77;
	int32_t power = 77;

	test_now = text;
	CHECK_EQ(pmumap_imc_scale(copy, &got, &power), good);
	CHECK_EQ(got, good ? mantissa : 77);
	CHECK_EQ(power, good ? exponent : 77);
	free(copy);
}

static void scale_table(void)
{
	size_t i;

	for (i = 0; i < sizeof(scales) / sizeof(scales[0]); i++)
		check_scale(scales[i].text, scales[i].mantissa != 0, scales[i].mantissa,
			    scales[i].exponent);
	test_now = "";
}

/* Digits after the point can compensate for a too large exponent. */
static void scale_far(void)
{
	const size_t zeros = 90000;
	char *text = exact(zeros + 10);
	uint64_t mantissa = 77;
	int32_t exponent = 77;

	memset(text, '0', zeros + 2);
	text[1] = '.';
	memcpy(text + zeros + 2, "1e99990", 8);
	CHECK(pmumap_imc_scale(text, &mantissa, &exponent));
	CHECK(mantissa == 1 && exponent == 9989);
	free(text);
}

/* All texts of a few letters, then longer ones, against the model. */
static void scale_texts(void)
{
	static const char letters[] = "0159.eE+- ";
	uint32_t n = sizeof(letters) - 1, i, k, bad = 0;

	for (i = 0; i < quick(1000000, 20000); i++) {
		char text[40];
		uint32_t length = i < 100000 ? 5 : 1 + random_below(32), rest = i;
		uint64_t got = 0, want = 0;
		int32_t power = 0, wanted = 0;

		for (k = 0; k < length; k++) {
			text[k] = letters[i < 100000 ? rest % n : random_below(n)];
			rest /= n;
		}
		text[length] = 0;
		bad += pmumap_imc_scale(text, &got, &power) !=
		       imc_model_scale(text, &want, &wanted);
		bad += got != want || power != wanted;
	}
	CHECK_EQ(bad, 0);
}

/* ---- counters -------------------------------------------------------------------------------- */

static void counters(void)
{
	static const unsigned char bytes[16] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
						 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	unsigned char *counter = exact_copy(bytes, 8);
	unsigned char *last = exact_copy(bytes + 8, 8);
	uint32_t i;

	test_now = "counters";
	CHECK_EQ(pmumap_imc_load_counter(counter), 0x0123456789abcdef);
	CHECK_EQ(pmumap_imc_load_counter(last), ~0ull);
	for (i = 0; i < 8; i++) {
		memset(counter, 0, 8);
		counter[i] = 0x80;
		CHECK_EQ(pmumap_imc_load_counter(counter), 0x80ull << (56 - 8 * i));
	}
	free(counter);
	free(last);
}

static void control_block(void)
{
	test_now = "control block";
	CHECK_EQ(PMUMAP_IMC_CB_STATUS, 0);
	CHECK_EQ(PMUMAP_IMC_CB_COMMAND, 8);
	CHECK_EQ(PMUMAP_IMC_CB_SPEED, 16);
	CHECK_EQ(PMUMAP_IMC_CB_AVAILABLE, 24);
	CHECK_EQ(PMUMAP_IMC_CB_MODE, 32);
	CHECK_EQ(PMUMAP_IMC_CB_BYTES, 40);
	CHECK_EQ(PMUMAP_IMC_PAUSE, 2);
	CHECK_EQ(PMUMAP_IMC_RESUME, 1);
}

/* ---- trace words ----------------------------------------------------------------------------- */

static const struct {
	struct pmumap_imc_trace_scom fields;
	uint64_t scom;
} scoms[] = {
	{ { 1, 250, 4, 2, 0 }, 0x7fffffc142020000 }, /* POWER9's */
	{ { 0, 250, 4, 2, 0 }, 0x3fffffc142020000 }, /* POWER10's */
	{ { 0, 0xffffffff, 0, 0, 0 }, 0 },
	{ { 0, 0, 0, 0, 0 }, 0x3fffffffc0000000 },
	{ { 3, 0xffffffff, 0, 0, 0 }, 0xc000000000000000 },
	{ { 0, 0x7fffffff, 0, 0, 0 }, 0x2000000000000000 },
	{ { 0, 0xfffffffe, 0, 0, 0 }, 0x0000000040000000 },
	{ { 0, 0xffffffff, 0x7f, 0, 0 }, 0x000000003f800000 },
	{ { 0, 0xffffffff, 0, 0x7f, 0 }, 0x00000000007f0000 },
	{ { 0, 0xffffffff, 0, 0, 1 }, 0x0000000000002000 },
	{ { 0, 0xffffffff, 0, 0, 4 }, 0x0000000000008000 },
	{ { 3, 0, 0x7f, 0x7f, 4 }, 0xffffffffffff8000 },
};

static const struct pmumap_imc_trace_scom wide_scoms[] = {
	{ 4, 250, 4, 2, 0 },          { 1, 250, 0x80, 2, 0 }, { 1, 250, 4, 0x80, 0 },
	{ 1, 250, 4, 2, 5 },          { 1, 250, 4, 2, 8 },    { 0xffffffff, 250, 4, 2, 0 },
	{ 1, 250, 0xffffffff, 2, 0 }, { 1, 250, 4, 256, 0 },  { 1, 250, 4, 2, 0xffffffff },
};

static void trace_scoms(void)
{
	uint64_t scom;
	size_t i;

	test_now = "trace SCOM";
	for (i = 0; i < sizeof(scoms) / sizeof(scoms[0]); i++) {
		scom = 77;
		CHECK_EQ(pmumap_imc_trace_scom_encode(&scoms[i].fields, &scom), 1);
		CHECK_EQ(scom, scoms[i].scom);
	}
	for (i = 0; i < sizeof(wide_scoms) / sizeof(wide_scoms[0]); i++) {
		scom = 77;
		CHECK_EQ(pmumap_imc_trace_scom_encode(&wide_scoms[i], &scom), 0);
		CHECK_EQ(scom, 77);
	}
}

static const struct {
	struct pmumap_imc_trace_config fields;
	uint64_t config;
} configs[] = {
	{ { 2, 1, 0 }, 0x10200000 }, /* trace_cycles */
	{ { 0, 0, 0 }, 0 },
	{ { 0xff, 0, 0 }, 0x0ff00000 },
	{ { 0, 3, 0 }, 0x30000000 },
	{ { 0, 0, 1 }, 0x40000000 },
	{ { 0, 0, 0xffffffff }, 0x3fffffffc0000000 },
	{ { 0xff, 3, 0xffffffff }, 0x3ffffffffff00000 },
};

static void trace_configs(void)
{
	uint64_t config;
	size_t i;

	test_now = "trace configuration";
	for (i = 0; i < sizeof(configs) / sizeof(configs[0]); i++) {
		struct pmumap_imc_trace_config fields = { 77, 77, 77 };

		CHECK_EQ(pmumap_imc_trace_config_decode(configs[i].config, &fields), 1);
		CHECK(fields.event == configs[i].fields.event &&
		      fields.sample == configs[i].fields.sample &&
		      fields.load == configs[i].fields.load);
	}
	for (i = 0; i < 22; i++) {
		struct pmumap_imc_trace_config fields = { 77, 78, 79 };

		config = 0x10200000 | 1ull << (i < 20 ? i : i + 42);
		CHECK_EQ(pmumap_imc_trace_config_decode(config, &fields), 0);
		CHECK(fields.event == 77 && fields.sample == 78 && fields.load == 79);
	}
}

/* ---- availability ---------------------------------------------------------------------------- */

#define BIT(i) (1ull << (63 - (i)))

/* Present if one of these bits is set; 0: always present, whatever the vector. */
static const struct {
	unsigned generation;
	const char *unit;
	uint64_t bits;
} units[] = {
	{ 9, "powerbus0", BIT(0) },
	{ 9, "mba0", BIT(9) },
	{ 9, "mba7", BIT(16) },
	{ 9, "centaur0", BIT(17) },
	{ 9, "centaur7", BIT(24) },
	{ 9, "xlink0", BIT(25) },
	{ 9, "xlink2", BIT(27) },
	{ 9, "mcd0", BIT(28) },
	{ 9, "mcd1", BIT(29) },
	{ 9, "phb0", BIT(30) },
	{ 9, "phb5", BIT(35) },
	{ 9, "nx", BIT(36) },
	{ 9, "capp0", BIT(37) },
	{ 9, "capp1", BIT(38) },
	{ 9, "vas", BIT(39) },
	{ 9, "int", BIT(40) },
	{ 9, "alink0", BIT(41) },
	{ 9, "alink3", BIT(44) },
	{ 9, "nvlink0", BIT(45) },
	{ 9, "nvlink5", BIT(50) },
	{ 9, "mcs01", BIT(1) | BIT(2) },
	{ 9, "mcs23", BIT(3) | BIT(4) },
	{ 9, "mcs45", BIT(5) | BIT(6) },
	{ 9, "mcs67", BIT(7) | BIT(8) },
	{ 9, "mcs12", 0 },
	{ 9, "mcs8", 0 },
	{ 9, "mcs", 0 },
	{ 9, "mba8", 0 },
	{ 9, "centaur8", 0 },
	{ 9, "mcd2", 0 },
	{ 9, "capp2", 0 },
	{ 9, "mba", 0 },
	{ 9, "mba00", 0 },
	{ 9, "powerbus", 0 },
	{ 9, "powerbus1", 0 },
	{ 9, "xlink3", 0 },
	{ 9, "phb6", 0 },
	{ 9, "phb0_0", 0 },
	{ 9, "nvlink6", 0 },
	{ 9, "alink4", 0 },
	{ 9, "pb", 0 },
	{ 9, "ocmb0", 0 },
	{ 9, "pec0", 0 },
	{ 9, "otl0_0", 0 },
	{ 9, "nx0", 0 },
	{ 9, "n", 0 },
	{ 9, "", 0 },
	{ 10, "pb", BIT(0) },
	{ 10, "mcs01", BIT(1) | BIT(2) },
	{ 10, "mcs23", BIT(3) | BIT(4) },
	{ 10, "mcs45", BIT(5) | BIT(6) },
	{ 10, "mcs67", BIT(7) | BIT(8) },
	{ 10, "pec0", BIT(9) },
	{ 10, "pec1", BIT(10) },
	{ 10, "phb0", BIT(35) },
	{ 10, "phb0_0", BIT(35) },
	{ 10, "phb0_1", BIT(35) },
	{ 10, "phb0_2", BIT(35) },
	{ 10, "phb5_2", BIT(40) },
	{ 10, "ocmb0", BIT(41) },
	{ 10, "ocmb9", BIT(50) },
	{ 10, "ocmb10", BIT(51) },
	{ 10, "ocmb15", BIT(56) },
	{ 10, "nx", BIT(57) },
	{ 10, "ocmb16", 0 },
	{ 10, "ocmb:", 0 },
	{ 10, "ocmb?", 0 },
	{ 10, "ocmb01", 0 },
	{ 10, "phb0_3", 0 },
	{ 10, "phb6_0", 0 },
	{ 10, "phb6", 0 },
	{ 10, "pec2", 0 },
	{ 10, "xlink8", 0 },
	{ 10, "alink8", 0 },
	{ 10, "otl8_0", 0 },
	{ 10, "otl0_2", 0 },
	{ 10, "pau", 0 },
	{ 10, "pci0", 0 },
	{ 10, "powerbus0", 0 },
	{ 10, "mba0", 0 },
	{ 10, "nvlink0", 0 },
	{ 10, "centaur0", 0 },
	{ 10, "vas", 0 },
	{ 9, "mba:", 0 },
	{ 9, "mba/", 0 },
	{ 9, "mba0x", 0 },
	{ 9, "mba00", 0 },
	{ 9, "mba10", 0 },
	{ 9, "powerbus0x", 0 },
	{ 9, "mcs/", 0 },
	{ 9, "mcs:", 0 },
	{ 9, "mcs0x", 0 },
	{ 9, "mcs02", 0 },
	{ 9, "mcs10", 0 },
	{ 9, "mcs78", 0 },
	{ 9, "mcs00", 0 },
	{ 9, "mcs21", 0 },
	{ 9, "mcs6/", 0 },
	{ 9, "mcs012", 0 },
	{ 10, "phb0_", 0 },
	{ 10, "phb0-1", 0 },
	{ 10, "otl0-1", 0 },
	{ 10, "phb0_/", 0 },
	{ 10, "phb0_:", 0 },
	{ 10, "phb0_10", 0 },
	{ 10, "phb0_00", 0 },
	{ 10, "phb0x", 0 },
	{ 10, "phb00", 0 },
	{ 10, "phb_0", 0 },
	{ 10, "otl0_", 0 },
	{ 10, "otl0x1", 0 },
	{ 10, "otl0_0x", 0 },
	{ 10, "otl_0", 0 },
	{ 10, "ocmb1x", 0 },
	{ 10, "ocmb1/", 0 },
	{ 10, "ocmb1-", 0 },
	{ 10, "ocmb2 ", 0 },
	{ 10, "ocmb1:", 0 },
	{ 10, "ocmb100", 0 },
	{ 10, "pbx", 0 },
	{ 10, "p", 0 },
	{ 9, "powerbus0_0", 0 },
	{ 9, "mba0_0", 0 },
	{ 9, "centaur0_0", 0 },
	{ 9, "xlink0_0", 0 },
	{ 9, "mcd0_0", 0 },
	{ 9, "phb0_0", 0 },
	{ 9, "nx_0", 0 },
	{ 9, "capp0_0", 0 },
	{ 9, "vas_0", 0 },
	{ 9, "int_0", 0 },
	{ 9, "alink0_0", 0 },
	{ 9, "nvlink0_0", 0 },
	{ 10, "pb_0", 0 },
	{ 10, "nest_mcs", 0 },
	{ 10, "xlink0_0", 0 },
	{ 10, "alink0_0", 0 },
	{ 10, "nest_mcs01_im", 0 },
	{ 10, "nx_0", 0 },
};

/* One answer for all spellings, equal to the model's; bad counts failures. */
static uint32_t ask(unsigned generation, uint64_t vector, const char *unit, int there)
{
	static const char *const spellings[] = { "%s", "%s@c8", "%s@0", "nest_%s_imc" };
	uint32_t bad = 0;
	size_t i;

	for (i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		char text[64], *copy;

		snprintf(text, sizeof(text), spellings[i], unit);
		copy = exact_copy(text, strlen(text) + 1);
		bad += pmumap_imc_available(generation, vector, copy) != there;
		bad += imc_model_available(generation, vector, copy) != there;
		free(copy);
	}
	return bad;
}

static void each_unit(void)
{
	size_t i;
	uint32_t bit;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		unsigned generation = units[i].generation;
		const char *unit = units[i].unit;
		uint64_t bits = units[i].bits;
		uint32_t bad = 0;

		test_now = unit;
		for (bit = 0; bit < 64; bit++) {
			bad += ask(generation, BIT(bit), unit, !bits || (bits & BIT(bit)));
			bad += ask(generation, ~BIT(bit), unit, !bits || (bits & ~BIT(bit)));
		}
		bad += ask(generation, 0, unit, 0); /* no microcode runs */
		bad += ask(generation, ~0ull, unit, 1);
		bad += bits ? ask(generation, bits, unit, 1) : 0;
		bad += ask(generation, ~bits, unit, !bits);
		CHECK_EQ(bad, 0);
	}
	test_now = "";
}

static void links(void)
{
	uint32_t link, value, other, bad = 0;

	test_now = "links";
	for (link = 0; link < 8; link++)
		for (value = 0; value < 8; value++) {
			uint32_t shift = 50 - 3 * link;
			uint64_t vector = ~(7ull << shift) | (uint64_t)value << shift;

			for (other = 0; other < 2; other++, vector ^= ~(7ull << shift)) {
				char name[4][16];

				snprintf(name[0], sizeof(name[0]), "xlink%" PRIu32, link);
				snprintf(name[1], sizeof(name[1]), "alink%" PRIu32, link);
				snprintf(name[2], sizeof(name[2]), "otl%" PRIu32 "_0", link);
				snprintf(name[3], sizeof(name[3]), "otl%" PRIu32 "_1", link);
				bad += ask(10, vector, name[0], value == 5);
				bad += ask(10, vector, name[1], value == 6);
				bad += ask(10, vector, name[2], value == 7);
				bad += ask(10, vector, name[3], value == 7);
			}
		}
	CHECK_EQ(bad, 0);
}

static void debug_units(void)
{
	uint32_t n, bad = 0;
	char name[16];

	test_now = "debug units";
	for (n = 0; n < 8; n++) {
		snprintf(name, sizeof(name), "mcs%" PRIu32, n);
		bad += ask(9, ~0ull, name, 0) + ask(10, ~0ull, name, 0);
		bad += ask(9, 0, name, 0) + ask(10, 0, name, 0);
	}
	bad += ask(9, 1, "", 1) + ask(10, 1, "", 1); /* no name is none of these */
	CHECK_EQ(bad, 0);
}

/* In other generations no vector tells anything. */
static void other_generations(void)
{
	static const unsigned generations[] = { 0, 8, 11, ~0u };
	size_t i;

	test_now = "other generations";
	for (i = 0; i < sizeof(generations) / sizeof(generations[0]); i++) {
		CHECK_EQ(pmumap_imc_available(generations[i], 0, "nx"), 1);
		CHECK_EQ(pmumap_imc_available(generations[i], 0, "mba0"), 1);
	}
	test_now = "";
}

/* ---- the catalog's container ----------------------------------------------------------------- */

static void put(unsigned char *p, uint32_t cell)
{
	p[0] = (unsigned char)(cell >> 24);
	p[1] = (unsigned char)(cell >> 16);
	p[2] = (unsigned char)(cell >> 8);
	p[3] = (unsigned char)cell;
}

static void put_entry(unsigned char *image, uint32_t index, uint32_t ec, uint32_t offset,
		      uint32_t size)
{
	put(image + 8 + 12 * index, ec);
	put(image + 8 + 12 * index + 4, offset);
	put(image + 8 + 12 * index + 8, size);
}

/* Three parts: 32 bytes at 4096, 24 at 4128, and the last 8 bytes at 4152. */
#define IMAGE 4160u

static unsigned char *container(void)
{
	unsigned char *image = exact(IMAGE);

	memset(image, 0, IMAGE);
	memcpy(image, "IMCC", 4);
	put(image + 4, 1);
	put_entry(image, 0, 0x4e0100, 4096, 32);
	put_entry(image, 1, 0x4e0200, 4128, 24);
	put_entry(image, 2, 0x800200, 4152, 8);
	return image;
}

/* Found at this offset; size 0: not found. */
static int catalog(const unsigned char *image, size_t bytes, uint32_t pvr, size_t offset,
		   size_t size)
{
	size_t at = 77, n = 78;
	int found = pmumap_imc_catalog(image, bytes, pvr, &at, &n);

	return size ? found == 1 && at == offset && n == size : !found && at == 77 && n == 78;
}

/* Without the magic there is no table, even if it appears one byte later. */
static void catalog_magic(void)
{
	unsigned char *image = exact(IMAGE);

	test_now = "no catalog";
	memset(image, 0, IMAGE);
	put_entry(image + 1, 0, 0x4e0100, 4096, 32);
	CHECK(catalog(image, IMAGE, 0x004e0100, 0, 0));
	memcpy(image, "IMCC", 4); /* and of another version */
	CHECK(catalog(image, IMAGE, 0x004e0100, 0, 0));
	free(image);
}

static void catalog_processors(void)
{
	unsigned char *image = container();

	test_now = "catalog";
	CHECK(catalog(image, IMAGE, 0x004e0100, 4096, 32));
	CHECK(catalog(image, IMAGE, 0x004e0200, 4128, 24));
	CHECK(catalog(image, IMAGE, 0x004e1202, 4128, 24)); /* Nimbus DD2.2 */
	CHECK(catalog(image, IMAGE, 0x004ef2ff, 4128, 24));
	CHECK(catalog(image, IMAGE, 0x00802200, 4152, 8));
	CHECK(catalog(image, IMAGE, 0x004e0300, 0, 0));
	CHECK(catalog(image, IMAGE, 0x004e0000, 0, 0));
	CHECK(catalog(image, IMAGE, 0x004d0200, 0, 0));
	CHECK(catalog(image, IMAGE, 0x014e0200, 0, 0));
	CHECK(catalog(image, IMAGE, 0, 0, 0));
	CHECK(catalog(image, IMAGE, 0xf0ff, 0, 0));
	free(image);
}

static void catalog_damage(void)
{
	static const struct {
		uint32_t at, cell;
	} damage[] = {
		{ 0, 0x494d4344 }, { 0, 0x43434d49 },  { 0, 0 },           { 4, 0 },
		{ 4, 2 },          { 4, 0x01000000 },  { 24, 4095 },       { 24, 0 },
		{ 24, 8 },         { 24, 4137 },       { 24, 0xffffffff }, { 28, 0 },
		{ 28, 33 },        { 28, 0xffffffff }, { 28, 0xfffff000 }, { 20, 0x4e1200 },
		{ 20, 0x4e0201 },
	};
	size_t i;

	test_now = "damaged catalog";
	for (i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		unsigned char *image = container();

		put(image + damage[i].at, damage[i].cell);
		dirty_stack();
		CHECK(catalog(image, IMAGE, 0x4e0200, 0, 0));
		free(image);
	}
}

static void catalog_truncated(void)
{
	unsigned char *image = container();
	uint32_t cut, bad = 0;

	test_now = "truncated catalog";
	for (cut = 0; cut < IMAGE; cut++) {
		unsigned char *part = exact_copy(image, cut);

		bad += !catalog(part, cut, 0x4e0200, 4128, cut < 4152 ? 0 : 24);
		bad += !catalog(part, cut, 0x800200, 0, 0);
		bad += !catalog(part, cut, 0, 0, 0);
		free(part);
	}
	CHECK_EQ(bad, 0);
	free(image);
}

/* The table ends with an entry of zeros, or where the first part may begin. */
static void catalog_table(void)
{
	unsigned char *image = container();
	uint32_t i;

	test_now = "catalog's table";
	put_entry(image, 0, 0, 4096, 8);
	CHECK(catalog(image, IMAGE, 0x4e0200, 4128, 24));
	put_entry(image, 0, 0, 0, 8);
	CHECK(catalog(image, IMAGE, 0x4e0200, 4128, 24));
	put_entry(image, 0, 0, 4096, 0);
	CHECK(catalog(image, IMAGE, 0x4e0200, 4128, 24));
	put_entry(image, 0, 0x4d0100, 0, 0);
	CHECK(catalog(image, IMAGE, 0x4e0200, 4128, 24));
	put_entry(image, 0, 0x4e0100, 4096, 32);
	memset(image + 8 + 12, 0, 12);
	CHECK(catalog(image, IMAGE, 0x4e0100, 4096, 32));
	CHECK(catalog(image, IMAGE, 0x4e0200, 0, 0));
	CHECK(catalog(image, IMAGE, 0x800200, 0, 0));
	for (i = 0; i < 340; i++)
		put_entry(image, i, 0x4d0000 + (i < 339 ? 0 : 0x100), 4096, i < 339 ? 8 : 16);
	CHECK(catalog(image, IMAGE, 0x4d0100, 4096, 16));
	CHECK(catalog(image, IMAGE, 0x4d0200, 0, 0));
	/* The table has at most 340 entries. */
	put(image + 4088, 0x4e0200);
	put(image + 4092, 4096);
	put(image + 4096, 8);
	CHECK(catalog(image, IMAGE, 0x4e0200, 0, 0));
	memset(image, 0, IMAGE);
	CHECK(catalog(image, IMAGE, 0x4e0200, 0, 0));
	CHECK(catalog(image, IMAGE, 0, 0, 0));
	free(image);
}

/*
 * What skiboot loads besides: after a signed header, whose other bytes do not matter, and with the
 * magic that catalogs had before mid-2017.
 */
static void catalog_forms(void)
{
	static const size_t behind = 4096;
	unsigned char *image = container(), *form = exact(behind + IMAGE);
	uint32_t i, cut, bad = 0, old;

	test_now = "forms of a catalog";
	for (old = 0; old < 2; old++) {
		if (old)
			memcpy(image, "IMAC", 4);
		CHECK(catalog(image, IMAGE, 0x004e0200, 4128, 24));
		for (i = 0; i < behind; i++)
			form[i] = (unsigned char)random64();
		put(form, 0x17082011);
		memcpy(form + behind, image, IMAGE);
		CHECK(catalog(form, behind + IMAGE, 0x004e0100, behind + 4096, 32));
		CHECK(catalog(form, behind + IMAGE, 0x004e1202, behind + 4128, 24));
		CHECK(catalog(form, behind + IMAGE, 0x00802200, behind + 4152, 8));
		CHECK(catalog(form, behind + IMAGE, 0x004e0300, 0, 0));
		for (cut = 0; cut < behind + IMAGE; cut += quick(1, 7)) {
			unsigned char *part = exact_copy(form, cut);

			bad += !catalog(part, cut, 0x4e0200, behind + 4128,
					cut < behind + 4152 ? 0 : 24);
			free(part);
		}
	}
	CHECK_EQ(bad, 0);
	for (i = 0; i < 4; i++) { /* another magic of the header, or of what is behind it */
		form[i] ^= 1;
		CHECK(catalog(form, behind + IMAGE, 0x4e0200, 0, 0));
		form[i] ^= 1;
		form[behind + i] ^= 1;
		CHECK(catalog(form, behind + IMAGE, 0x4e0200, 0, 0));
		form[behind + i] ^= 1;
	}
	put(form + behind, 0x17082011); /* no header is behind a header */
	CHECK(catalog(form, behind + IMAGE, 0x4e0200, 0, 0));
	free(form);
	free(image);
}

int main(void)
{
	scale_table();
	scale_far();
	scale_texts();
	counters();
	control_block();
	trace_scoms();
	trace_configs();
	each_unit();
	links();
	debug_units();
	other_generations();
	catalog_magic();
	catalog_processors();
	catalog_damage();
	catalog_truncated();
	catalog_table();
	catalog_forms();
	return test_summary();
}
