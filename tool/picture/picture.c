/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture.c -- the verb picture: draws a map as SVG.
 */
#include "findings/findings.h"
#include "map/amu.h"
#include "map/riscv.h"
#include "picture.h"

/* Collects errors and warnings about a single RISC-V event. */
static void mark(void *marks, const struct pmumap_finding *f)
{
	struct marks *m = marks;

	if (f->severity == PMUMAP_NOTE || m->used == ROWS_LIMIT ||
	    explain(f->code)->kind != VALUE_EVENT)
		return;
	m->list = grow(m->list, m->used, sizeof(*m->list));
	m->list[m->used++] = (struct mark){ f->value, f->name };
}

static void draw(struct canvas *c, const struct source *source, const char *unit,
		 const struct marks *marks)
{
	const struct pmumap *map = source->map;
	int imc = has_imc(source->imc), amu = has_amu(source->amu);

	c->y = 38;
	put_text(c, LEFT, c->y, "nh", 0, base_name(source->file.name));
	reach(c, c->narrow ? 0 : 480);
	if (has_riscv(map) && !unit)
		draw_riscv(c, map, marks);
	if (imc)
		draw_imc(c, source->imc, unit);
	if (amu && !unit)
		draw_amu(c, source->amu);
	if (!imc && !amu && !has_riscv(map))
		put_note(c, "nothing to count");
	c->y += LEFT;
}

static int put_picture(const struct request *request, const struct source *source,
		       const struct marks *marks)
{
	struct canvas c = { .narrow = (request->options & NARROW) != 0 };
	const char *unit = VALUE(request, UNIT), *output = VALUE(request, OUTPUT);
	char *body;
	size_t bytes;
	FILE *out;

	if (unit && !means_any(source->imc, unit))
		return complain(FAULT, source->file.name, "no PMU %s", unit);
	c.out = open_text(&body, &bytes);
	draw(&c, source, unit, marks);
	close_text(c.out);
	out = open_output(output);
	if (!out) {
		free(body);
		return UNREADABLE;
	}
	put_svg(out, &c, base_name(source->file.name), body, bytes);
	free(body);
	return close_output(out, output);
}

int picture_verb(const struct request *request)
{
	struct source source = { 0 };
	struct marks marks = { 0 };
	const char *file;
	int code = read_file_name(request, "picture", &file);

	if (code == GOOD)
		code = load(&source, file, &request->input, mark, &marks);
	if (code == GOOD)
		code = put_picture(request, &source, &marks);
	unload(&source);
	free(marks.list);
	return code;
}
