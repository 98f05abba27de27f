/* SPDX-License-Identifier: BSD-2-Clause
 *
 * grid.c -- a grid of events and counters: # where the counter can count the event.
 */
#include "show.h"
#include "text/text.h"

#define GREEN "\033[32m"
#define CYAN "\033[36m"
#define FAINT "\033[2m"

/* Adjacent cells of one kind share an escape sequence. */
static void put_cells(const char *cells)
{
	char last = '\0';

	for (unsigned c = 0; cells[c]; c++) {
		const char *colour = cells[c] == '#'   ? GREEN
				     : cells[c] == 'o' ? CYAN
				     : cells[c] == '.' ? FAINT
						       : "";

		if (cells[c] != last && *colour)
			printf("%s%s", paint(PLAIN), paint(colour));
		printf("%s%c", c && c % 8 == 0 ? " " : "", cells[c]);
		last = cells[c];
	}
	puts(paint(PLAIN));
}

/* fixed: the fixed counter that counts the event, or negative. */
static void put_row(uint32_t counters, int fixed, unsigned top)
{
	char cells[33] = "";

	for (unsigned c = 0; c <= top; c++)
		cells[c] = counters >> c & 1 ? '#' : (int)c == fixed ? 'o' : '.';
	put_cells(cells);
}

/* Prints the numbers of the counters, indented by this many columns. */
static void put_heads(int left, unsigned top)
{
	static const char tens[] = "          1         2         3", units[] = "0123456789";
	char cells[33];

	putchar('\n');
	if (top >= 10) {
		printf("%s%*s", paint(BOLD), left, "");
		snprintf(cells, top / 10 * 10 + 2, "%s", tens);
		put_cells(cells);
	}
	printf("%s%-*s", paint(BOLD), left, "event x counter");
	for (unsigned c = 0; c <= top; c++)
		cells[c] = units[c % 10];
	cells[top + 1] = '\0';
	put_cells(cells);
}

/* Adjacent rows with the same counters share a line. */
static void put_raw_rows(const struct pmumap *map, int left, unsigned top)
{
	uint32_t count, next;
	struct map_row *rows = list_raw_rows(map, &count);

	if (count)
		puts("\nraw events, by select:");
	for (uint32_t i = 0; i < count; i = next) {
		char text[160];

		for (next = i + 1; next < count && rows[next].counters == rows[i].counters;)
			next++;
		if (next - i > 1)
			snprintf(text, sizeof(text), "%s-%s, %" PRIu32 " rows",
				 hex(rows[i].select).s, hex(rows[next - 1].select).s, next - i);
		else
			snprintf(text, sizeof(text), "%s", hex(rows[i].select).s);
		printf("%-*s", left, text);
		if ((int)strlen(text) >= left)
			printf("\n%*s", left, "");
		put_row(rows[i].counters, -1, top);
	}
	free(rows);
}

/* Cycles and instructions if a fixed counter counts them without a row. */
static void put_fixed(const struct pmumap *map, const struct extent *x, int left, unsigned top)
{
	int code = wider(x->code, "0x00001");
	struct pmumap_run line;

	for (uint32_t event = 1; event <= 2; event++) {
		if (next_line(map, event, &line) && line.first == event)
			continue;
		printf("%-*s  %-*s", code, event_code(event, event).s, left - code - 2,
		       pmumap_event_name(event));
		put_row(0, fixed_counter(map, event, 0), top);
	}
}

/* Needs at most 15 + 2 + 38 + 2 + 32 + 3 columns. */
void show_grid(const struct pmumap *map, const struct extent *x, int all)
{
	const int least = 7 + 2 + 23 + 2; /* an event, and the name of instructions */
	int left = x->code + 2 + x->name + 2;
	struct pmumap_run line;
	unsigned top = 31;

	while (top && !(x->counters >> top & 1))
		top--;
	if (all) {
		left = left > least ? left : least;
		top = top > 2 ? top : 2;
	}
	put_heads(left, top);
	if (all)
		put_fixed(map, x, left, top);
	for (uint32_t e = 0; next_line(map, e, &line); e = line.last + 1) {
		printf("%-*s  %-*s  ", x->code, event_code(line.first, line.last).s, x->name,
		       line_name(&line));
		put_row(line.counters, all ? fixed_counter(map, line.first, 0) : -1, top);
	}
	if (!all)
		return;
	put_raw_rows(map, left, top);
	puts("\n#: a row says so; o: a fixed counter, which always counts it");
}
