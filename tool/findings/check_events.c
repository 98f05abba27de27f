/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_events.c -- reports where a tree and the core's event file disagree. None of these is an
 * error, because either side may be wrong.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <strings.h>
#include "checks.h"
#include "findings.h"
#include "map/riscv.h"
#include "source/rows.h"
#include "text/json.h"
#include "text/text.h"
#include "report.h"

/* ---- the words of a vendor's event ----------------------------------------------------------- */

/*
 * Vendors name events freely, but draw on few words. Each known word of a name says what the event
 * counts. A name without known words gets no judgement.
 */

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
	MEMORY = 1 << 16,
	DATA = 1 << 17,
	FRONTEND = 1 << 18,
	BACKEND = 1 << 19,
	CACHES = L1D | L1I | LAST,
	TLBS = DTLB | ITLB | TLB,
	PLACES = CACHES | TLBS | BRANCH | MEMORY
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
	{ MEMORY, "NODE REMOTE" },
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

/* At most this many doubts per judgement. Each is a short phrase such as "counts no cycles". */
enum { DOUBTS = 4 };

struct judgement {
	const char *doubts[DOUBTS];
	unsigned count;
	int plain; /* true: contradicts; false: is close, and acceptable if nothing better exists */
};

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
		{ MEMORY, CACHES, "counts no accesses to node memory", NULL },
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

/* Judges SBI's hardware and cache events; others get no judgement. */
static struct judgement judge(uint32_t event, const struct vendor_event *const *parts,
			      unsigned count)
{
	struct judgement j = { .count = 0 };
	unsigned says = 0, time = CYCLES | TIME, ends = FRONTEND | BACKEND;

	for (unsigned i = 0; i < count; i++)
		says |= read_words(parts[i]->name);
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

/* ---- rows of the tree ------------------------------------------------------------------------ */

/* The row that matches the code, or PMUMAP_NO_ROW. */
static uint32_t row_of_code(const struct report *r, int node, uint64_t code)
{
	uint64_t select, mask;
	uint32_t counters;

	for (uint32_t i = 0; pmumap_raw_at(r->source.map, i, &select, &mask, &counters); i++) {
		if ((code & mask) == select)
			return row_of_raw(&r->source, node, select, mask);
	}
	return PMUMAP_NO_ROW;
}

/* ---- findings -------------------------------------------------------------------------------- */

static uint32_t count_refused(const struct pmumap *map, const struct events *core)
{
	uint32_t refused = 0;

	for (size_t i = 0; i < core->raw; i++)
		refused += !pmumap_raw_counters(map, core->list[i].data);
	return refused;
}

/* The event counts nothing on counters that the file lacks, so report them as more than a note. */
static void check_counters(const struct checker *c, uint32_t tree, uint32_t file,
			   const char *property, uint32_t row, uint64_t value)
{
	if (file && tree && tree != file)
		tell_mistake(c, EVENTS_COUNTERS, tree & ~file ? PMUMAP_WARNING : PMUMAP_NOTE,
			     property, row, value);
}

static void check_selector(const struct checker *c, uint32_t event, uint64_t selector)
{
	const struct vendor_event *parts[PARTS];
	unsigned count = parts_of(c->r->core, selector, parts);
	uint32_t row = row_of_event(&c->r->source, c->node, SELECTORS, event);
	uint32_t counters = pmumap_counters(c->r->source.map, event) & ~FIXED_MASK;
	struct judgement j = judge(event, parts, count);

	if (!counters)
		return;
	if (!count)
		tell_mistake(c, SELECTOR_UNLISTED, PMUMAP_NOTE, SELECTORS, row, event);
	else if (j.count)
		tell_mistake(c, SELECTOR_EVENT, j.plain ? PMUMAP_WARNING : PMUMAP_NOTE, SELECTORS,
			     row, event);
	check_counters(c, counters, shared_counters(c->r->core, selector) & ~FIXED_MASK, RANGES,
		       row_of_event(&c->r->source, c->node, RANGES, event), event);
}

static void check_raw(const struct checker *c)
{
	uint32_t refused = count_refused(c->r->source.map, c->r->core);

	if (c->r->core->checked)
		return; /* check_entries() reports them where they are */
	if (refused)
		tell_mistake(c, EVENTS_REFUSED, PMUMAP_WARNING, RAW_ROWS, PMUMAP_NO_ROW, refused);
	for (size_t i = 0; i < c->r->core->raw; i++) {
		const struct vendor_event *e = &c->r->core->list[i];

		check_counters(c, pmumap_raw_counters(c->r->source.map, e->data),
			       e->counters & ~FIXED_MASK, RAW_ROWS,
			       row_of_code(c->r, c->node, e->data), e->data);
	}
}

void check_events(struct report *r, const struct input *input, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, input), report };
	struct pmumap_run line;
	uint64_t selector;

	if (!has_riscv(r->source.map) && c.node < 0)
		return;
	for (uint32_t e = 0; next_line(r->source.map, e, &line); e = line.last + 1) {
		if (named(line.first) && pmumap_selector(r->source.map, line.first, &selector))
			check_selector(&c, line.first, selector);
	}
	check_raw(&c);
}

/* ---- messages -------------------------------------------------------------------------------- */

static int is_of_raw(const struct pmumap_finding *f)
{
	return !strcmp(f->property, RAW_ROWS);
}

/* Prints, for example, "counters 3-18; the file has 3-6". */
static void put_two_sets(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	uint64_t code = f->value;
	uint32_t tree = pmumap_raw_counters(r->source.map, code), file;

	if (!is_of_raw(f)) {
		pmumap_selector(r->source.map, (uint32_t)f->value, &code);
		tree = pmumap_counters(r->source.map, (uint32_t)f->value);
	}
	file = shared_counters(r->core, code);
	fprintf(out, "counters %s; the file has %s", counter_list(tree).s, counter_list(file).s);
}

void put_vendor(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const struct vendor_event *parts[PARTS];
	uint64_t code = f->value;
	struct judgement j;
	unsigned count;
	char *names;

	if ((int)f->code == EVENTS_REFUSED) {
		fprintf(out,
			": %" PRIu64 " of %zu events are rejected; "
			"pmumap check EVENTS TREE lists them",
			f->value, r->core->raw);
		return;
	}
	fputs(": ", out);
	if (!is_of_raw(f)) {
		fprintf(out, "event 0x%" PRIx64 " (%s) selects ", code,
			pmumap_event_name((uint32_t)code));
		pmumap_selector(r->source.map, (uint32_t)f->value, &code);
	}
	names = names_of(r->core, code);
	fprintf(out, "0x%" PRIx64 "%s%s", code, names ? ", " : "", names ? names : "");
	free(names);
	if ((int)f->code == EVENTS_COUNTERS) {
		fputs(": ", out);
		put_two_sets(out, r, f);
		return;
	}
	count = parts_of(r->core, code, parts);
	j = judge((uint32_t)f->value, parts, count);
	for (unsigned i = 0; i < j.count; i++)
		fprintf(out, "%s %s", i ? ";" : ":", j.doubts[i]);
}

void json_vendor(struct report *r, const struct pmumap_finding *f)
{
	char *text;
	size_t size;
	FILE *out;

	json_hex("value", f->value);
	out = open_text(&text, &size);
	put_vendor(out, r, f);
	close_text(out);
	json_string("text", text + 2);
	free(text);
}
