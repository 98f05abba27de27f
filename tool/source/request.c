/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "request.h"
#include "text/json.h"

int read_vendor(const struct request *request, struct events *events)
{
	return VALUE(request, EVENTS) ? read_events(events, VALUE(request, EVENTS)) : GOOD;
}

int read_file_name(const struct request *request, const char *verb, const char **file)
{
	*file = request->count ? request->args[0] : NULL;
	return request->count > 1
		       ? complain(USAGE, NULL, "%s takes one FILE, not %d", verb, request->count)
		       : GOOD;
}

static int names_event(const char *arg)
{
	uint32_t event;
	uint64_t data;

	return pmumap_event_parse(arg, strlen(arg), &event, &data) ||
	       parse_standard(arg, strlen(arg), &event) || is_standard(arg);
}

/* The first argument is optional. An event's name is never taken for a file. */
static int names_file(const char *arg)
{
	return !names_event(arg) &&
	       (!strcmp(arg, "-") || strpbrk(arg, "./") || access(arg, F_OK) == 0);
}

int count_files(const struct request *request)
{
	for (int i = 1; i < request->count; i++) {
		const char *arg = request->args[i];

		if (!names_event(arg) && !access(arg, F_OK)) {
			complain(USAGE, arg, "put the FILE first; only one is accepted");
			return -1;
		}
	}
	return request->count && names_file(request->args[0]);
}

void put_sample(const struct request *request, int file)
{
	const char *first = request->args[0];

	if (file)
		return;
	if (request->options & JSON)
		json_board("sample");
	else
		puts("No FILE given; using the sample board, SiFive's U74:\n");
	if (!(request->options & EVENTS) && !names_event(first) && !strpbrk(first, "@:*?"))
		complain(GOOD, first, "no such FILE; using the sample board, SiFive's U74");
	else if (request->options & JSON)
		complain(GOOD, NULL, "no FILE given; using the sample board, SiFive's U74");
}
