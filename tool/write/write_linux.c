/* SPDX-License-Identifier: BSD-2-Clause
 *
 * write_linux.c -- write --linux: prints the generic events of a tree as the tables that Linux's
 * driver reads if it owns the counters. The driver is version 8 of its patches (July 2026).
 */
#include "map/riscv.h"
#include "source/rows.h"
#include "text/text.h"
#include "write.h"

/* Prints the event's place in its table, as C. Linux's words are those of SBI's name. */
static void put_index(FILE *out, uint32_t event)
{
	const char *name = pmumap_event_name(event) + strlen("SBI_PMU_HW_");
	char cache[16], operation[16], result[16];

	if (sscanf(name, "CACHE_%15[^_]_%15[^_]_%15s", cache, operation, result) == 3)
		fprintf(out, "[C(%s)][C(OP_%s)][C(RESULT_%s)]", cache, operation, result);
	else
		fprintf(out, "[PERF_COUNT_HW_%s]", name);
}

/* Prints the events of a table. The driver knows no event's number, so each needs a selector. */
static void put_events(FILE *out, const struct pmumap *map, uint32_t first, uint32_t last,
		       uint32_t *lacking)
{
	for (uint32_t e = first; e <= last; e++) {
		uint32_t counters = pmumap_event_valid(e) ? pmumap_counters(map, e) : 0;
		uint64_t selector = 0;

		if (!counters)
			continue;
		pmumap_selector(map, e, &selector);
		if (!selector || !(counters & ~FIXED_MASK)) {
			++*lacking;
			continue;
		}
		fputs("\t", out);
		put_index(out, e);
		fprintf(out, " = { 0x%" PRIx64 ", 0x%" PRIx32 " },\n", selector,
			counters & ~FIXED_MASK);
	}
	fputs("};\n\n", out);
}

static int put_tables(const struct source *board, const char *name, const char *output)
{
	FILE *out = open_output(output);
	uint32_t lacking = 0;

	if (!out)
		return UNREADABLE;
	fprintf(out,
		"static const struct riscv_pmu_event %s_hw_event_map[PERF_COUNT_HW_MAX] = {\n"
		"\tPERF_MAP_ALL_UNSUPPORTED,\n",
		name);
	put_events(out, board->map, 1, 10, &lacking);
	fprintf(out,
		"static const struct riscv_pmu_event %s_cache_event_map[PERF_COUNT_HW_CACHE_MAX]\n"
		"\t[PERF_COUNT_HW_CACHE_OP_MAX][PERF_COUNT_HW_CACHE_RESULT_MAX] = {\n"
		"\tPERF_CACHE_MAP_ALL_UNSUPPORTED,\n",
		name);
	put_events(out, board->map, PMUMAP_EVENT_CACHE, PMUMAP_EVENT_CACHE + 0x3f, &lacking);
	fprintf(out,
		"/* In pmu_vendor_events_table, with this core's mvendorid, marchid and mimpid:\n"
		" * RISCV_VENDOR_PMU_EVENTS(VENDOR, ARCH, IMP, %s_hw_event_map,\n"
		" *                         %s_cache_event_map, NULL)\n */\n",
		name, name);
	if (lacking)
		complain(GOOD, board->file.name,
			 "%" PRIu32
			 " events are left out: Linux needs a selector and a programmable "
			 "counter for each",
			 lacking);
	return close_output(out, output);
}

int write_linux(const struct request *request)
{
	const char *name = VALUE(request, LINUX);
	struct source board = { 0 };
	int code;

	if (!is_identifier(name))
		return complain(USAGE, name, "not a name in C, such as acme_x1");
	code = load_board(&board, request);
	if (code == GOOD)
		code = put_tables(&board, name, VALUE(request, OUTPUT));
	unload(&board);
	return code;
}
