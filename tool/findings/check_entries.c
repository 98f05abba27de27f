/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_entries.c -- reports mistakes in event files, alone and beside a tree.
 */
#include <ctype.h>
#include <stdarg.h>
#include "checks.h"
#include "findings.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "text/text.h"

static const char *const key_names[KEYS] = { "EventName", "EventCode", "CounterIDMask" };

/* Reports a finding about a key. The format continues the event's name. */
__attribute__((format(printf, 6, 7))) static void
tell_entry(struct report *r, const struct entry *e, enum entry_key key, int code,
	   enum pmumap_severity severity, const char *format, ...)
{
	struct found found = { .f = { .code = (uint32_t)code,
				      .severity = severity,
				      .node = -1,
				      .property = key_names[key],
				      .row = PMUMAP_NO_ROW,
				      .other = PMUMAP_NO_ROW,
				      .value = e->config },
			       .spot = { e->file, e->line[key], 1 },
			       .name = e->name };
	size_t size;
	FILE *out = open_text(&found.about, &size);
	va_list list;

	if (key == CODE_KEY && e->from_config)
		found.f.property = "ConfigCode";
	if (key == MASK_KEY)
		found.f.value = e->counters;
	put_escaped(out, e->name, 0);
	va_start(list, format);
	vfprintf(out, format, list);
	va_end(list);
	close_text(out);
	add_found(r, &found);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Why perf -e cannot read the name, or NULL. It reads r and hexadecimal digits as a raw event. */
static const char *trouble_with(const char *name)
{
	size_t digits = strspn(name + (*name == 'r' || *name == 'R'), "0123456789abcdefABCDEF");

	for (const char *c = name; *c; c++) {
		if (strchr("*?[]", *c))
			return "perf reads it as a pattern";
		if (!isalnum((unsigned char)*c) && !strchr("_.-!", *c))
			return "perf allows only letters, digits and _ . -";
	}
	if (!isalnum((unsigned char)*name) && *name != '_')
		return "it begins with no letter";
	if (*name && (*name == 'r' || *name == 'R') && digits && !name[1 + digits])
		return "perf reads it as a raw event";
	return name[strspn(name, "0123456789")] ? NULL : "perf reads it as a number";
}

/* Reports that another entry came first. */
static void tell_twice(struct report *r, const struct entry *e, enum entry_key key, int code,
		       enum pmumap_severity severity, const struct entry *other)
{
	char *file = escaped(base_name(other->file), "");

	tell_entry(r, e, key, code, severity, ": %s is in line %" PRIu32 " of %s, too",
		   key == NAME_KEY ? "the name" : hex(e->config).s, other->line[key], file);
	free(file);
}

static void check_name(struct report *r, const struct entry *e)
{
	const char *trouble = trouble_with(e->name);

	if (trouble)
		tell_entry(r, e, NAME_KEY, EVENT_NAME, PMUMAP_ERROR, ": %s", trouble);
	else if (isdigit((unsigned char)*e->name))
		tell_entry(r, e, NAME_KEY, EVENT_NAME, PMUMAP_WARNING,
			   ": older versions of perf want a letter first");
	else if (is_perfs_own(e->name))
		tell_entry(r, e, NAME_KEY, EVENT_NAME, PMUMAP_WARNING,
			   ": perf has its own event or term of this name");
	if (e->same_name)
		tell_twice(r, e, NAME_KEY, EVENT_TWICE, PMUMAP_ERROR, e->same_name);
}

/* ---- codes ----------------------------------------------------------------------------------- */

/* perf stores an EventCode in bits 0 to 55. Bits 62 and 63 of a ConfigCode select the kind. */
static void check_width(struct report *r, const struct entry *e)
{
	uint64_t kind = e->config >> 62;
	int wide = kind ? !e->from_config || kind == 1 : e->config >> 56 != 0;

	if (wide || (!kind && e->config >> 48))
		tell_entry(r, e, CODE_KEY, CODE_WIDE, wide ? PMUMAP_ERROR : PMUMAP_NOTE,
			   ": 0x%" PRIx64 "%s", e->config,
			   wide ? "" : " needs SBI 3.0 (raw events of 56 bits)");
}

static void check_code(struct report *r, const struct entry *e)
{
	static const char *const states[] = { [NO_NUMBER] = "no EventCode",
					      [BAD_NUMBER] = "not a number",
					      [BARE_NUMBER] = "a number, not text" };

	if (e->standard && e->code == NO_NUMBER)
		tell_entry(r, e, NAME_KEY, CODE_MISSING, PMUMAP_ERROR,
			   ": no ArchStdEvent of this name here or in the folders above");
	else if (e->code == ZERO_FIRST && !e->standard)
		tell_entry(r, e, CODE_KEY, CODE_MISSING, PMUMAP_ERROR,
			   ": a leading 0 without x: perf does not build; write 0x%" PRIx64,
			   e->config);
	else if (e->code != GOOD_NUMBER && !e->standard)
		tell_entry(r, e, CODE_KEY, CODE_MISSING, PMUMAP_ERROR, ": %s", states[e->code]);
	if (e->code < BARE_NUMBER)
		return;
	if (!e->config)
		tell_entry(r, e, e->standard ? NAME_KEY : CODE_KEY, CODE_ZERO, PMUMAP_ERROR,
			   ": 0x0");
	else if (e->same_code && e->same_code != e->same_name)
		tell_twice(r, e, CODE_KEY, CODE_TWICE, PMUMAP_WARNING, e->same_code);
	check_width(r, e);
}

static void check_mask(struct report *r, const struct entry *e)
{
	static const char *const states[] = { [OTHER_CASE] = "the key is misspelt; perf ignores it",
					      [BAD_NUMBER] = "names none of counters 0 to 31",
					      [BARE_NUMBER] = "a number, not text" };

	if (e->mask == ZERO_FIRST)
		tell_entry(r, e, MASK_KEY, MASK_WRONG, PMUMAP_WARNING,
			   ": a leading 0 without x; write 0x%" PRIx32, e->counters);
	else if (e->mask < LENGTH(states) && states[e->mask])
		tell_entry(r, e, MASK_KEY, MASK_WRONG, PMUMAP_WARNING, ": %s", states[e->mask]);
}

/* ---- beside a tree --------------------------------------------------------------------------- */

static void compare_with(struct report *r, const struct entry *e, const struct pmumap *map)
{
	uint32_t counters = pmumap_raw_counters(map, e->config);
	uint32_t mask = e->mask < BARE_NUMBER ? 0 : e->counters & ~FIXED_MASK;

	if (e->code < BARE_NUMBER || !e->config || e->config >> 56)
		return;
	if (!counters)
		tell_entry(r, e, CODE_KEY, EVENTS_REFUSED, PMUMAP_WARNING, ": 0x%" PRIx64,
			   e->config);
	else if (mask && mask != counters)
		tell_entry(r, e, MASK_KEY, EVENTS_COUNTERS,
			   mask & ~counters ? PMUMAP_WARNING : PMUMAP_NOTE,
			   ": counters %s; the tree has %s", counter_list(mask).s,
			   counter_list(counters).s);
}

void check_entries(struct report *r, const struct pmumap *map)
{
	for (size_t i = 0; i < r->core->entry_count; i++) {
		const struct entry *e = &r->core->entries[i];

		if (e->file != r->source.file.name)
			continue;
		check_name(r, e);
		check_code(r, e);
		check_mask(r, e);
		if (map)
			compare_with(r, e, map);
	}
}
