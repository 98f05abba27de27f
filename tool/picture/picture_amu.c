/* SPDX-License-Identifier: BSD-2-Clause */
#include "map/amu.h"
#include "picture.h"

static void put_cpu_row(struct canvas *c, const struct pmumap_amu *map, uint16_t shown, double left,
			const struct pmumap_amu_cpu *cpu)
{
	struct text on = { "on " }, part = { "on part " };
	unsigned column = 0;

	strcat(on.s, colour(cpu->view).s);
	strcat(part.s, colour(cpu->view).s);
	put_label(c, left - LETTER * 6, c->y + 14, "s", view_number(cpu->view).s);
	for (uint32_t i = 0; i < AMU_COUNTERS; i++) {
		const char *name = pmumap_amu_counter_name(map, cpu->view, i);
		const char *kind = !name ? "off" : cpu->enable >> i & 1 ? on.s : part.s;

		if (!(shown >> i & 1))
			continue;
		put_box(c, cell_x(c, left, column++), c->y + 2, CELL, CELL, kind);
		fprintf(c->out, "><title>counter %" PRIu32 ": ", i);
		put_xml(c->out, name ? name : "not described", SIZE_MAX);
		fputs("</title></rect>\n", c->out);
	}
	fputs("</g>\n", c->out);
	c->y += LINE;
}

static void put_cpus(struct canvas *c, const struct pmumap_amu *map, const struct amu_sum *sum,
		     double left)
{
	double mpidrs = LEFT + LETTER * (sum->cpus > GRID_LIMIT ? 14 : 6);
	struct cpu_line line;
	uint32_t rows = 0;

	for (uint32_t i = 0; next_cpu_line(map, sum, i, &line); i = line.last + 1) {
		if (rows++ == ROWS_LIMIT) {
			put_note(c, "There are more CPUs.");
			return;
		}
		fputs("<g>", c->out);
		put_label(c, LEFT, c->y + 14, "label", line.numbers.s);
		put_label(c, mpidrs, c->y + 14, "label", line.mpidrs.s);
		put_cpu_row(c, map, sum->described, left, &line.cpu);
	}
}

static void put_views(struct canvas *c, const struct pmumap_amu *map)
{
	uint16_t described, enable;

	c->y += 10;
	for (uint32_t v = 0; pmumap_amu_view_at(map, v, &described, &enable); v++) {
		if (v == ROWS_LIMIT) {
			put_note(c, "There are more views.");
			return;
		}
		put_key(c, LEFT, colour(v).s, "", "view");
		put_label(c, LEFT + CELL + 8 + LETTER * 5, c->y + 14, "", decimal(v).s);
		for (uint32_t i = 0; i < AMU_COUNTERS; i++) {
			const char *name = pmumap_amu_counter_name(map, v, i);

			if (!name)
				continue;
			put_text(c, LEFT + CELL + 8 + LETTER * 12, c->y + 14, "", 'e',
				 decimal(i).s);
			put_label(c, LEFT + CELL + 8 + LETTER * 14, c->y + 14,
				  enable >> i & 1 ? "" : "s", name);
			c->y += LINE;
		}
		c->y += described ? 4 : LINE;
	}
}

void draw_amu(struct canvas *c, const struct pmumap_amu *map)
{
	struct amu_sum sum = sum_up_amu(map);
	double left = LEFT + LETTER * (sum.cpus > GRID_LIMIT ? 48 : 26);
	unsigned column = 0;

	put_title(c, "CPUs and their counters");
	put_label(c, LEFT, c->y + 14, "s", "CPU");
	put_label(c, LEFT + LETTER * (sum.cpus > GRID_LIMIT ? 14 : 6), c->y + 14, "s", "MPIDR");
	put_label(c, left - LETTER * 6, c->y + 14, "s", "view");
	for (uint32_t i = 0; i < AMU_COUNTERS; i++) {
		if (sum.described >> i & 1)
			put_text(c, cell_x(c, left, column++) + CELL / 2.0, c->y + 14, "", 'm',
				 decimal(i).s);
	}
	c->y += LINE;
	put_cpus(c, map, &sum, left);
	c->y += 10;
	put_key(c, LEFT, "k0", "n s", "to be enabled at EL3");
	c->y += c->narrow ? LINE : 0;
	put_key(c, LEFT + (c->narrow ? 0 : 260), "part k0", "n s", "only described");
	c->y += c->narrow ? LINE : 0;
	put_key(c, LEFT + (c->narrow ? 0 : 400), "off", "n s", "not described");
	c->y += LINE;
	put_views(c, map);
}
