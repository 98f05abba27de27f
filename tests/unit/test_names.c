/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of events, both ways.
 */
#include <ctype.h>

#include "support.h"

#define RAW PMUMAP_EVENT_RAW
#define RAW_V2 PMUMAP_EVENT_RAW_V2
#define FW PMUMAP_EVENT_FIRMWARE

static const char *const general[] = {
	NULL,
	"CPU_CYCLES",
	"INSTRUCTIONS",
	"CACHE_REFERENCES",
	"CACHE_MISSES",
	"BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES",
	"BUS_CYCLES",
	"STALLED_CYCLES_FRONTEND",
	"STALLED_CYCLES_BACKEND",
	"REF_CPU_CYCLES",
};

static const char *const firmware[] = {
	"MISALIGNED_LOAD",
	"MISALIGNED_STORE",
	"ACCESS_LOAD",
	"ACCESS_STORE",
	"ILLEGAL_INSN",
	"SET_TIMER",
	"IPI_SENT",
	"IPI_RECEIVED",
	"FENCE_I_SENT",
	"FENCE_I_RECEIVED",
	"SFENCE_VMA_SENT",
	"SFENCE_VMA_RECEIVED",
	"SFENCE_VMA_ASID_SENT",
	"SFENCE_VMA_ASID_RECEIVED",
	"HFENCE_GVMA_SENT",
	"HFENCE_GVMA_RECEIVED",
	"HFENCE_GVMA_VMID_SENT",
	"HFENCE_GVMA_VMID_RECEIVED",
	"HFENCE_VVMA_SENT",
	"HFENCE_VVMA_RECEIVED",
	"HFENCE_VVMA_ASID_SENT",
	"HFENCE_VVMA_ASID_RECEIVED",
};

static const char *const caches[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
static const char *const operations[] = { "READ", "WRITE", "PREFETCH" };
static const char *const results[] = { "ACCESS", "MISS" };

static int parse(const char *text, uint32_t *event, uint64_t *data)
{
	size_t len = strlen(text);
	char *exactly = exact_copy(text, len);
	int found = pmumap_event_parse(exactly, len, event, data);

	free(exactly);
	return found;
}

static int reads_as(const char *text, uint32_t event, uint64_t data)
{
	uint32_t e = ~event;
	uint64_t d = ~data;
	int good = parse(text, &e, &d) == 1 && e == event && d == data;

	if (!good)
		printf("\t\"%s\" reads as 0x%" PRIx32 " 0x%" PRIx64 "\n", text, e, d);
	return good;
}

static int rejected(const char *text)
{
	uint32_t e = 0x12345;
	uint64_t d = 0x123456789;
	int good = parse(text, &e, &d) == 0 && e == 0x12345 && d == 0x123456789;

	if (!good)
		printf("\t\"%s\" reads as 0x%" PRIx32 " 0x%" PRIx64 "\n", text, e, d);
	return good;
}

/* Upper case with '_', lower case with '-', and any mix of both. */
static int any_case(const char *name, uint32_t event)
{
	char text[80];
	int way, good = 1;
	size_t i;

	for (way = 0; way < 4; way++) {
		for (i = 0; name[i]; i++) {
			int low = way == 1 || (way > 1 && (random64() >> 40 & 1));

			text[i] = name[i] == '_' ? (low ? '-' : '_')
				  : low          ? (char)tolower((unsigned char)name[i])
						 : name[i];
		}
		text[i] = '\0';
		good &= reads_as(text, event, 0);
	}
	return good;
}

/* With its prefix, without either of its two parts, without both; and back. */
static void name(uint32_t event, const char *prefix, const char *rest)
{
	char text[80], first[80];

	snprintf(text, sizeof(text), "SBI_PMU_%s%s", prefix, rest);
	test_input = text;
	CHECK(same_text(pmumap_event_name(event), text));
	CHECK(any_case(text, event));
	CHECK(any_case(text + strlen("SBI_PMU_"), event));
	CHECK(any_case(rest, event));
	snprintf(first, sizeof(first), "SBI_PMU_%s", rest);
	CHECK(any_case(first, event));
	CHECK(pmumap_event_valid(event));
	text[strlen(text) + 1] = '\0';
	text[strlen(text)] = 'S';
	CHECK(rejected(text));
	text[strlen(text) - 3] = '\0';
	CHECK(rejected(text));
	test_input = "";
}

static void sbi_names(void)
{
	uint32_t i, event;
	char text[40];

	for (i = 1; i < sizeof(general) / sizeof(general[0]); i++)
		name(i, "HW_", general[i]);
	for (i = 0; i < 7 * 3 * 2; i++) {
		snprintf(text, sizeof(text), "%s_%s_%s", caches[i / 6], operations[i / 2 % 3],
			 results[i % 2]);
		name(0x10000 + i / 6 * 8 + i % 6, "HW_CACHE_", text);
		CHECK(reads_as(text, 0x10000 + i / 6 * 8 + i % 6, 0));
	}
	for (i = 0; i < sizeof(firmware) / sizeof(firmware[0]); i++)
		name(FW + i, "FW_", firmware[i]);
	CHECK(same_text(pmumap_event_name(FW + 0xffff), "SBI_PMU_FW_PLATFORM"));
	for (i = event = 0; event < MODEL_EVENTS; event += event % 0x10000 == 0x200 ? 0xfdff : 1)
		i += pmumap_event_name(event) != NULL;
	CHECK_EQ(i, 10 + 42 + 22 + 1);
	CHECK(!pmumap_event_name(MODEL_EVENTS + 1) && !pmumap_event_name(~0u));
}

/* perf's names of cache events: with "s", and "-misses" without. */
static void perf_names(void)
{
	static const char *const names[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
					     "iTLB",      "branch",    "node" };
	static const char *const done[] = { "load", "store", "prefetch" };
	char text[40];
	uint32_t i;

	for (i = 0; i < 7 * 3; i++) {
		snprintf(text, sizeof(text), "%s-%s%s", names[i / 3], done[i % 3],
			 i % 3 == 2 ? "es" : "s");
		CHECK(reads_as(text, 0x10000 + i / 3 * 8 + i % 3 * 2, 0));
		snprintf(text, sizeof(text), "%s-%s-misses", names[i / 3], done[i % 3]);
		CHECK(reads_as(text, 0x10001 + i / 3 * 8 + i % 3 * 2, 0));
	}
}

static void valid(void)
{
	uint32_t event, bad = 0;

	for (event = 0; event < MODEL_EVENTS; event++) {
		uint32_t type = event >> 16, rest = event & 0xffff;
		int want = type == 0     ? rest >= 1 && rest <= 10
			   : type == 1   ? rest / 8 < 7 && rest / 2 % 4 < 3
			   : type == 0xf ? rest < 22 || rest >= 256
					 : (type == 2 || type == 3) && rest == 0;

		bad += pmumap_event_valid(event) != want;
	}
	CHECK_EQ(bad, 0);
	CHECK(!pmumap_event_valid(MODEL_EVENTS) && !pmumap_event_valid(MODEL_EVENTS | 1));
	CHECK(!pmumap_event_valid(~0u));
}

static const struct {
	const char *text;
	uint32_t event;
	uint64_t data;
} good[] = {
	/* perf's names of general events */
	{ "cycles", 1, 0 },
	{ "cpu-cycles", 1, 0 },
	{ "instructions", 2, 0 },
	{ "cache-references", 3, 0 },
	{ "cache-misses", 4, 0 },
	{ "branches", 5, 0 },
	{ "branch-instructions", 5, 0 },
	{ "branch-misses", 6, 0 },
	{ "bus-cycles", 7, 0 },
	{ "stalled-cycles-frontend", 8, 0 },
	{ "idle-cycles-frontend", 8, 0 },
	{ "stalled-cycles-backend", 9, 0 },
	{ "idle-cycles-backend", 9, 0 },
	{ "ref-cycles", 10, 0 },
	/* synonyms of cache events */
	{ "l1-data", 0x10000, 0 },
	{ "l1-d", 0x10000, 0 },
	{ "l1d", 0x10000, 0 },
	{ "l1-instruction", 0x10008, 0 },
	{ "l1-i", 0x10008, 0 },
	{ "l1i", 0x10008, 0 },
	{ "ll", 0x10010, 0 },
	{ "l2", 0x10010, 0 },
	{ "d-tlb", 0x10018, 0 },
	{ "data-tlb", 0x10018, 0 },
	{ "i-tlb", 0x10020, 0 },
	{ "instruction-tlb", 0x10020, 0 },
	{ "branches-load", 0x10028, 0 },
	{ "bpu", 0x10028, 0 },
	{ "btb", 0x10028, 0 },
	{ "bpc", 0x10028, 0 },
	{ "node", 0x10030, 0 },
	{ "llc-read", 0x10010, 0 },
	{ "llc-store", 0x10012, 0 },
	{ "llc-write", 0x10012, 0 },
	{ "llc-prefetch", 0x10014, 0 },
	{ "llc-speculative-read", 0x10014, 0 },
	{ "llc-speculative-load", 0x10014, 0 },
	{ "llc-refs", 0x10010, 0 },
	{ "llc-reference", 0x10010, 0 },
	{ "llc-ops", 0x10010, 0 },
	{ "llc-access", 0x10010, 0 },
	{ "llc-miss", 0x10011, 0 },
	{ "llc-misses-write", 0x10013, 0 },
	{ "llc-write-refs", 0x10012, 0 },
	{ "llc-write-reference", 0x10012, 0 },
	{ "llc-write-ops", 0x10012, 0 },
	{ "llc-write-access", 0x10012, 0 },
	{ "llc-write-miss", 0x10013, 0 },
	/* in any case */
	{ "l1-DCACHE_load-Misses", 0x10001, 0 },
	{ "DTLB_LOAD_MISSES", 0x10019, 0 },
	{ "Ref_Cycles", 10, 0 },
	/* numbers */
	{ "0x10019", 0x10019, 0 },
	{ "0X1001B", 0x1001b, 0 },
	{ "3", 3, 0 },
	{ "0", 0, 0 },
	{ "65561", 0x10019, 0 },
	{ "0xfffff", 0xfffff, 0 },
	{ "1048575", 0xfffff, 0 },
	{ "0x20000", RAW, 0 },
	{ "0x000000000000000000000004", 4, 0 },
	/* raw events */
	{ "r1801", RAW, 0x1801 },
	{ "R1801", RAW, 0x1801 },
	{ "r0", RAW, 0 },
	{ "rbad", RAW, 0xbad },
	{ "rffffffffffff", RAW, 0xffffffffffff },
	{ "r1000000000000", RAW_V2, 1ull << 48 },
	{ "rffffffffffffff", RAW_V2, 0xffffffffffffff },
	{ "r8000000000000005", FW + 5, 0 }, /* bits 62 and 63 as in perf */
	{ "r8000000000000100", FW + 256, 0 },
	{ "r800000000000FFFF", FW + 0xffff, 0 },
	{ "rc000000000000000", FW + 0xffff, 0 },
	{ "rc000000000000007", FW + 0xffff, 7 },
	{ "rffffffffffffffff", FW + 0xffff, ~0ull >> 2 },
	{ "raw:0x1801", RAW, 0x1801 },
	{ "RAW:6145", RAW, 6145 },
	{ "raw:0", RAW, 0 },
	{ "raw:0x1000000000000", RAW_V2, 1ull << 48 },
	{ "raw-v2:0x1801", RAW_V2, 0x1801 },
	{ "raw_V2:0", RAW_V2, 0 },
	{ "raw-v2:0xffffffffffffff", RAW_V2, 0xffffffffffffff },
	/* firmware events */
	{ "fw:0", FW, 0 },
	{ "fw:5", FW + 5, 0 },
	{ "FW:0x15", FW + 21, 0 },
	{ "fw:256", FW + 256, 0 },
	{ "fw:65534", FW + 0xfffe, 0 },
	{ "fw:65535", FW + 0xffff, 0 },
	{ "set-timer", FW + 5, 0 },
	{ "fw-set-timer", FW + 5, 0 },
	{ "platform", FW + 0xffff, 0 },
	{ "SBI_PMU_FW_PLATFORM", FW + 0xffff, 0 },
	{ "platform:0x1", FW + 0xffff, 1 },
	{ "platform:0", FW + 0xffff, 0 },
	{ "platform:0xffffffffffffffff", FW + 0xffff, ~0ull },
	{ "platform:0x0ffffffffffffffff", FW + 0xffff, ~0ull },
	{ "platform:1844674407370955161", FW + 0xffff, 1844674407370955161u },
	{ "platform:12000000000000000000", FW + 0xffff, 12000000000000000000u },
	{ "platform:018446744073709551615", FW + 0xffff, ~0ull },
	{ "raw-v2:72057594037927935", RAW_V2, 72057594037927935u },
};

static const char *const bad[] = {
	"",
	" ",
	" cycles",
	"cycles ",
	"cycle",
	"cyclesx",
	"cycles-",
	"-cycles",
	"no-event",
	"SBI_PMU_",
	"SBI_PMU_HW_",
	"SBI_PMU_HW_NO_EVENT",
	"SBI_PMU_CYCLES",
	"SBI_PMU_L1-dcache-loads",
	"misses",
	"L1-dcache-loads-stores",
	"L1-dcache-load-misses-misses",
	"L1-dcache--loads",
	"L1-dcache-",
	"L1-dcache-load-",
	"L2D-loads",
	"dTLBloads",
	"dTLB,loads",
	"gned-load", /* the ends of fw-misaligned-load, ...-store, and of hw-ref-cpu-cycles */
	"gned-store",
	"u-cycles",
	"L1-dcache+loads",
	"L1-dcache-loads,misses",
	"0x",
	"0xg",
	"0x100000",
	"1048576",
	"4294967299",
	"0x100000003",
	"0x10000000000000003",
	"18446744073709551619",
	"-1",
	"+3",
	"3 ",
	"3x",
	"0b11",
	"1[", /* what lies between Z and a */
	"1`",
	"r1]",
	"0x1\\",
	"1e3",
	"r",
	"r 1",
	"rx1",
	"r0x1801",
	"r100000000000000",
	"r4000000000000005",
	"r8000000000000016",
	"r8000000000010005",
	"r8001000000000005",
	"raw:0x8000000000000005",
	"rfffffffffffffffff",
	"r10000000000000001",
	"raw",
	"raw:",
	"raw:g",
	"raw:0x",
	"raw:0x100000000000000",
	"raw:0x10000000000000001",
	"raw-v2:",
	"raw-v2:0x100000000000000",
	"raw-v3:1",
	"raw v2:1",
	"fw:",
	"fw:22",
	"fw:255",
	"fw:65536",
	"fw:0x10000",
	"fw:set-timer",
	"fw:4294967296",
	"platform:",
	"platform:x",
	"platform:0x10000000000000000",
	"platform:0x1ffffffffffffffff",
	"platform:18446744073709551616",
	"platform:18446744073709551620",
	"platform:18446744073709551700",
	"platform:184467440737095516150",
	"platform:20000000000000000000",
	"raw-v2:72057594037927936",
	"raw:12000000000000000000",
	"fw:18446744073709551616",
	"18446744073709551617",
	"SBI_PMU_FW_SET_TIMER:1",
};

static void tables(void)
{
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		test_now = good[i].text;
		CHECK(reads_as(good[i].text, good[i].event, good[i].data));
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		test_now = bad[i];
		CHECK(rejected(bad[i]));
	}
	test_now = "";
}

/* Text after the end does not matter: a prefix parses as it would alone. */
static void beginnings(void)
{
	uint32_t wrong = 0, event[2] = { 0, 0 };
	uint64_t data[2] = { 0, 0 };
	size_t i, len;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const char *text = good[i].text;

		for (len = 0; len < strlen(text); len++) {
			char *alone = exact_copy(text, len);
			int found = pmumap_event_parse(alone, len, &event[0], &data[0]);

			wrong += pmumap_event_parse(text, len, &event[1], &data[1]) != found ||
				 (found && (event[0] != event[1] || data[0] != data[1]));
			free(alone);
		}
	}
	CHECK_EQ(wrong, 0);
}

/* The length counts, not a NUL; bytes that are no text are no event. */
static void lengths(void)
{
	uint32_t event = 0, i, count = quick(10000, 500);
	uint64_t data = 0;
	char noise[12];
	unsigned refused = 0, wide = 0;

	CHECK(pmumap_event_parse("cycles and more", 6, &event, &data) && event == 1);
	CHECK(pmumap_event_parse("0x10019", 3, &event, &data) && event == 1);
	CHECK(!pmumap_event_parse("cycles", 7, &event, &data));
	CHECK(!pmumap_event_parse("r1\0", 3, &event, &data));
	for (i = 0; i < count; i++) {
		uint32_t n = random_below(sizeof(noise)), k;

		for (k = 0; k < n; k++)
			noise[k] = i & 1 ? (char)random64() : "0xraw:v2-_l1dfw"[random_below(15)];
		refused += !pmumap_event_parse(noise, n, &event, &data);
		wide += event >= MODEL_EVENTS;
	}
	CHECK(refused > count / 2 && !wide);
}

int main(void)
{
	sbi_names();
	perf_names();
	valid();
	tables();
	beginnings();
	lengths();
	return test_summary();
}
