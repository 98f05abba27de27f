/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <strings.h>
#include <sys/stat.h>
#include "events.h"
#include "text/text.h"

#define CLASS 0xffu /* the event class on SiFive's cores, not an event bit */
#define FEWEST 4u   /* codes needed to tell how the core forms them */

/* ---- the events of a file -------------------------------------------------------------------- */

int is_event_file(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && !strcmp(name + length - 5, ".json");
}

int names_events(const char *path)
{
	struct stat about;

	return is_event_file(path) || (!stat(path, &about) && S_ISDIR(about.st_mode));
}

/* A number in C notation. If perf lists several, as for other architectures, the first counts. */
int read_code(const char *text, uint64_t *code)
{
	size_t length = strcspn(text, ",");
	char one[24];

	if (length >= sizeof(one))
		return 0;
	memcpy(one, text, length);
	one[length] = '\0';
	if (one[0] == '0' && one[1] == 'X')
		one[1] = 'x';
	return read_number(one, UINT64_MAX, code);
}

int add_event(struct events *events, const char *name, uint64_t config, uint32_t counters)
{
	struct vendor_event e = { .config = config, .counters = counters };

	switch (config >> 62) {
	case 0:
		if (config >> 56)
			return 0;
		e.event = config >> 48 ? PMUMAP_EVENT_RAW_V2 : PMUMAP_EVENT_RAW;
		e.data = config;
		break;
	case 2:
		e.event = PMUMAP_EVENT_FIRMWARE | (uint32_t)(config & 0xffff);
		break;
	case 3:
		e.event = PMUMAP_EVENT_FIRMWARE | 0xffff;
		e.data = config << 2 >> 2;
		break;
	default:
		return 0;
	}
	e.name = escaped(name, "");
	events->list = grow(events->list, events->count, sizeof(e));
	events->list[events->count++] = e;
	return 1;
}

int is_raw(const struct vendor_event *e)
{
	return e->event < PMUMAP_EVENT_FIRMWARE;
}

/* Sorts firmware events last, the others by code. */
static int by_code(const void *left, const void *right)
{
	const struct vendor_event *a = left, *b = right;

	if (is_raw(a) != is_raw(b))
		return is_raw(a) ? -1 : 1;
	if (a->config != b->config)
		return a->config < b->config ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* If events can be ORed, each code has exactly one bit above the class. */
void sort_out(struct events *events)
{
	if (events->count)
		qsort(events->list, events->count, sizeof(*events->list), by_code);
	events->ored = 1;
	for (size_t i = 0; i < events->count; i++) {
		uint64_t bits = events->list[i].data & ~(uint64_t)CLASS;

		if (!is_raw(&events->list[i]))
			continue;
		events->raw++;
		if (!bits || bits & (bits - 1))
			events->ored = 0;
	}
	if (events->raw < FEWEST)
		events->ored = 0;
}

void unload_events(struct events *events)
{
	for (size_t i = 0; i < events->count; i++)
		free(events->list[i].name);
	for (size_t i = 0; i < events->entry_count; i++)
		free(events->entries[i].name);
	for (size_t i = 0; i < events->file_count; i++)
		free(events->files[i]);
	free(events->list);
	free(events->entries);
	free(events->files);
}

/* ---- entries in order of name, or of code ---------------------------------------------------- */

/* True if the code is that of an architectural event, not yet found. */
static int lacks_code(const struct entry *e)
{
	return e->standard && e->code == NO_NUMBER;
}

/* perf ignores case. Of equal names, those with a code come first, in order. */
static int by_name(const void *left, const void *right)
{
	const struct entry *a = *(struct entry *const *)left, *b = *(struct entry *const *)right;
	int order = strcasecmp(a->name, b->name);

	if (!order)
		order = lacks_code(a) - lacks_code(b);
	return order ? order : (a > b) - (a < b);
}

static int by_config(const void *left, const void *right)
{
	const struct entry *a = *(struct entry *const *)left, *b = *(struct entry *const *)right;

	if (a->code < BARE_NUMBER || b->code < BARE_NUMBER)
		return (a->code < BARE_NUMBER) - (b->code < BARE_NUMBER);
	return a->config != b->config ? (a->config > b->config) - (a->config < b->config)
				      : (a > b) - (a < b);
}

static struct entry **sorted(const struct events *events, int (*by)(const void *, const void *))
{
	struct entry **order = reallocate(NULL, events->entry_count + 1, sizeof(*order));

	for (size_t i = 0; i < events->entry_count; i++)
		order[i] = &events->entries[i];
	qsort(order, events->entry_count, sizeof(struct entry *), by);
	return order;
}

static void link_same(struct events *events, int codes)
{
	struct entry **order = sorted(events, codes ? by_config : by_name);

	for (size_t i = 1, first = 0; i < events->entry_count; i++) {
		struct entry *e = order[i], *other = order[first];

		if (codes ? e->code < BARE_NUMBER || e->config != other->config
			  : strcasecmp(e->name, other->name))
			first = i;
		else if (codes)
			e->same_code = other;
		else
			e->same_name = other;
	}
	free(order);
}

void link_entries(struct events *events)
{
	link_same(events, 0);
	link_same(events, 1);
}

/* ---- architectural events -------------------------------------------------------------------- */

/* The entry with this name that sorted() puts first, or NULL. */
static const struct entry *find_named(struct entry *const *order, size_t count, const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcasecmp(order[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && !strcasecmp(order[low]->name, name) ? order[low] : NULL;
}

size_t resolve_entries(struct events *events, const struct events *from)
{
	struct entry **order = sorted(from, by_name);
	size_t left = 0;

	for (size_t i = 0; i < events->entry_count; i++) {
		struct entry *e = &events->entries[i];
		const struct entry *named;

		if (!lacks_code(e))
			continue;
		named = find_named(order, from->entry_count, e->name);
		if (!named || lacks_code(named)) {
			left++;
			continue;
		}
		/* perf takes 0 for a missing code. */
		e->code = named->code == NO_NUMBER ? GOOD_NUMBER : named->code;
		e->config = named->config;
		e->from_config = named->from_config;
		e->counters = e->counters ? e->counters : named->counters;
	}
	free(order);
	return left;
}

void resolve_firmware(struct events *events)
{
	for (size_t i = 0; i < events->entry_count; i++) {
		struct entry *e = &events->entries[i];
		uint32_t event;
		uint64_t data;

		if (!lacks_code(e) ||
		    !pmumap_event_parse(e->name, strlen(e->name), &event, &data) ||
		    event < PMUMAP_EVENT_FIRMWARE)
			continue;
		e->code = GOOD_NUMBER;
		e->from_config = 1;
		e->config = (uint64_t)2 << 62 | (event & 0xffff);
	}
}

/* ---- names ----------------------------------------------------------------------------------- */

static int plain(char c)
{
	return c == '-' ? '_' : tolower((unsigned char)c);
}

static int same_name(const char *name, const char *text, size_t length)
{
	size_t i = 0;

	while (i < length && name[i] && plain(name[i]) == plain(text[i]))
		i++;
	return i == length && !name[i];
}

const struct vendor_event *event_by_name(const struct events *events, const char *name,
					 size_t length)
{
	for (size_t i = 0; i < events->count; i++) {
		if (same_name(events->list[i].name, name, length))
			return &events->list[i];
	}
	return NULL;
}

const struct vendor_event *event_by_code(const struct events *events, uint64_t code)
{
	size_t low = 0, high = events->raw;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (events->list[middle].data < code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < events->raw && events->list[low].data == code ? &events->list[low] : NULL;
}

unsigned parts_of(const struct events *events, uint64_t code, const struct vendor_event *parts[])
{
	uint64_t bits = code & ~(uint64_t)CLASS;
	unsigned count = 0;

	parts[0] = event_by_code(events, code);
	if (parts[0])
		return 1;
	if (!events->ored)
		return 0;
	for (; bits; bits &= bits - 1) {
		parts[count] = event_by_code(events, (code & CLASS) | (bits & (0 - bits)));
		if (!parts[count++])
			return 0;
	}
	return count;
}

uint32_t shared_counters(const struct events *events, uint64_t code)
{
	const struct vendor_event *parts[PARTS];
	unsigned count = parts_of(events, code, parts);
	uint32_t counters = count ? UINT32_MAX : 0;

	while (count)
		counters &= parts[--count]->counters;
	return counters;
}

char *names_of(const struct events *events, uint64_t code)
{
	const struct vendor_event *parts[PARTS];
	unsigned count = parts_of(events, code, parts);
	char *text;
	size_t size;
	FILE *out;

	if (!count)
		return NULL;
	out = open_text(&text, &size);
	for (unsigned i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? " | " : "", parts[i]->name);
	close_text(out);
	return text;
}

int parse_event(const struct events *events, const char *text, size_t length, uint32_t *event,
		uint64_t *data)
{
	const struct vendor_event *e = event_by_name(events, text, length);

	if (!e) {
		*data = 0;
		return pmumap_event_parse(text, length, event, data) ||
		       parse_standard(text, length, event);
	}
	*event = e->event;
	*data = e->data;
	return 1;
}
