/* SPDX-License-Identifier: BSD-2-Clause
 *
 * words.c -- vendors name events freely, but draw on few words. Each known word of a name says what
 * the event counts. A name without known words gets no judgement.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <strings.h>
#include "report.h"

/* Meanings of words. */
enum {
	MISSES = 1 << 0,
	ACCESSES = 1 << 1,
	READS = 1 << 2,
	WRITES = 1 << 3,
	PREFETCHES = 1 << 4,
	CYCLES = 1 << 5,
	TIME = 1 << 6, /* measured in cycles: stalls, busy units */
	INSTRUCTIONS = 1 << 7,
	OTHER = 1 << 8, /* neither time nor a place */
	BRANCH = 1 << 9,
	DTLB = 1 << 10,
	ITLB = 1 << 11,
	TLB = 1 << 12, /* instruction, data or unspecified TLB */
	L1D = 1 << 13,
	L1I = 1 << 14,
	LAST = 1 << 15, /* a cache beyond the first level */
	NODE = 1 << 16,
	DATA = 1 << 17,
	FRONTEND = 1 << 18,
	BACKEND = 1 << 19,
	CACHES = L1D | L1I | LAST,
	TLBS = DTLB | ITLB | TLB,
	PLACES = CACHES | TLBS | BRANCH | NODE
};

static const struct {
	unsigned says;
	const char *words; /* with a star: longer words that begin like this mean the same */
} meanings[] = {
	{ MISSES | BRANCH, "MISPRED*" },
	{ MISSES, "MISS* REFILL*" },
	{ ACCESSES, "ACCESS* REFERENCE* REQ* HIT*" },
	{ READS, "LOAD* READ READS RD LD" },
	{ WRITES, "STORE* WRITE WRITES WR ST" },
	{ READS | WRITES, "LDST" },
	{ PREFETCHES, "PREFETCH* PF" },
	{ CYCLES, "CYCLE* CLOCK* CLK" },
	{ TIME, "STALL* WAIT* BUSY INTERLOCK* READY RDY NORDY TOPDOWN" },
	{ INSTRUCTIONS, "INST* INSN* INS RETIRE*" },
	{ OTHER, "FAIL* FLUSH* EXCEPTION*" },
	{ BRANCH, "BRANCH* BR BTB BPU JMP JUMP* JAL JALR JR IJR PREDICT*" },
	{ DTLB, "DTLB*" },
	{ ITLB, "ITLB*" },
	{ TLB, "TLB UTLB JTLB STLB" },
	{ L1D, "DCACHE* L1D" },
	{ L1I, "ICACHE* L1I" },
	{ LAST, "LL LLC L2 L2C L3 SCACHE" },
	{ NODE, "NODE REMOTE" },
	{ DATA, "DATA" },
	{ FRONTEND, "FRONTEND*" },
	{ BACKEND, "BACKEND*" },
};

static int has_word(const char *list, const char *text, size_t length)
{
	for (; *list; list += strcspn(list, " "), list += strspn(list, " ")) {
		size_t n = strcspn(list, "* ");

		if ((list[n] == '*' ? n <= length : n == length) && !strncasecmp(list, text, n))
			return 1;
	}
	return 0;
}

static unsigned read_words(const char *name)
{
	unsigned says = 0;

	while (*name) {
		size_t length = 0;

		while (isalnum((unsigned char)name[length]))
			length++;
		for (size_t i = 0; i < LENGTH(meanings); i++) {
			if (has_word(meanings[i].words, name, length))
				says |= meanings[i].says;
		}
		name += length ? length : 1;
	}
	/* RISC-V's TLB.L1D and TLB.L1I are not caches. */
	if (says & TLB && says & L1D)
		says = (says & ~(unsigned)(TLB | L1D)) | DTLB;
	if (says & TLB && says & L1I)
		says = (says & ~(unsigned)(TLB | L1I)) | ITLB;
	/* DATA_TLB and INST_TLB. */
	if (says & TLB && says & DATA)
		says = (says & ~(unsigned)TLB) | DTLB;
	if (says & TLB && says & INSTRUCTIONS)
		says = (says & ~(unsigned)(TLB | INSTRUCTIONS)) | ITLB;
	return says;
}

/* ---- comparison with SBI's meaning ----------------------------------------------------------- */

static void doubt(struct judgement *j, int is, int plain, const char *what)
{
	if (!is || j->count == DOUBTS)
		return;
	j->doubts[j->count++] = what;
	j->plain |= plain;
}

/* True if the event counts cycles of some kind. */
static int is_time(uint32_t event)
{
	return event == 1 || (event >= 7 && event <= 10);
}

/* Judges a cache event. operation: 0 read, 1 write, 2 prefetch. */
static void judge_operation(struct judgement *j, uint32_t event, unsigned says)
{
	unsigned operation = event >> 1 & 3;

	doubt(j, operation == 0 && says & WRITES && !(says & READS), 1, "counts writes, not reads");
	doubt(j, operation == 1 && says & READS && !(says & WRITES), 1, "counts reads, not writes");
	doubt(j, operation == 2 && says & (READS | WRITES) && !(says & PREFETCHES), 1,
	      "counts no prefetches");
}

static void judge_result(struct judgement *j, uint32_t event, unsigned says)
{
	int cache = event >= PMUMAP_EVENT_CACHE;
	int misses = cache ? (event & 1) != 0 : event == 4 || event == 6;
	int branch = event == 6 || (event & ~7u) == 0x10028;
	unsigned others = ACCESSES | READS | WRITES | (branch ? BRANCH : 0u);

	doubt(j, misses && says & others && !(says & MISSES), 1, "counts no misses");
	doubt(j, !misses && says & MISSES, 1, "counts misses");
}

/*
 * The places that an event means, and the doubts raised by other places. Doubts about nearby places
 * are milder.
 */
struct aim {
	unsigned at, near;
	const char *other, *milder;
};

static struct aim aim_of(uint32_t event)
{
	static const struct aim caches[] = {
		{ L1D, LAST, "does not count in the L1 data cache", NULL },
		{ L1I, LAST, "does not count in the L1 instruction cache", NULL },
		{ LAST, L1D | L1I | TLBS, "does not count in the last-level cache", NULL },
		{ DTLB | TLB, 0, "does not count in the data TLB", NULL },
		{ ITLB | TLB, 0, "does not count in the instruction TLB", NULL },
		{ BRANCH, 0, "counts no branch predictions", NULL },
		{ NODE, CACHES, "counts no accesses to node memory", NULL },
	};

	if (event >= PMUMAP_EVENT_CACHE)
		return caches[event >> 3 & 7];
	if (event == 3 || event == 4)
		return (struct aim){ L1D | LAST, L1I, "counts no cache",
				     "counts only the instruction cache" };
	return (struct aim){ BRANCH, 0, "counts no branches", NULL };
}

static void judge_place(struct judgement *j, uint32_t event, unsigned says)
{
	struct aim aim = aim_of(event);
	unsigned places = says & PLACES;
	int near = (places & aim.near) != 0;

	doubt(j, places && !(places & aim.at), !near, near && aim.milder ? aim.milder : aim.other);
}

/* Judges SBI's hardware and cache events. Other events get no judgement. */
struct judgement judge(uint32_t event, const char *const *names, unsigned count)
{
	struct judgement j = { .count = 0 };
	unsigned says = 0, time = CYCLES | TIME, ends = FRONTEND | BACKEND;

	for (unsigned i = 0; i < count; i++)
		says |= read_words(names[i]);
	if (event >= PMUMAP_EVENT_RAW || !pmumap_event_valid(event))
		return j;
	if (event == 2) {
		doubt(&j, (says & (MISSES | ACCESSES | PREFETCHES | READS | WRITES | PLACES)) != 0,
		      1, "counts other than all instructions");
		doubt(&j, (says & time) != 0, (says & CYCLES) != 0, "counts cycles");
		return j;
	}
	if (is_time(event)) {
		doubt(&j, says & ~(unsigned)DATA && !(says & time) && !(says & ends), 1,
		      "counts no cycles");
		doubt(&j, event == 8 && (says & ends) == BACKEND, 1, "counts the backend");
		doubt(&j, event == 9 && (says & ends) == FRONTEND, 1, "counts the frontend");
		return j;
	}
	doubt(&j, (says & time) != 0, (says & CYCLES) != 0, "counts cycles");
	if (j.count)
		return j;
	if (event >= PMUMAP_EVENT_CACHE)
		judge_operation(&j, event, says);
	judge_result(&j, event, says);
	judge_place(&j, event, says);
	return j;
}
