/* SPDX-License-Identifier: BSD-2-Clause
 *
 * check_cells.c -- reports rows with too few or too many cells.
 */
#include "checks.h"
#include "findings.h"
#include "text/text.h"

const struct odd_row *odd_row(const struct report *r, const char *property, uint32_t row)
{
	for (uint32_t i = 0; property && i < r->odds; i++) {
		if (r->odd[i].row == row && !strcmp(r->odd[i].property, property))
			return &r->odd[i];
	}
	return NULL;
}

int has_odd_row(const struct report *r, const struct pmumap_finding *f)
{
	return (int)f->code != ROW_CELLS &&
	       (odd_row(r, f->property, f->row) || odd_row(r, f->other_property, f->other));
}

uint32_t senseless_row(const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, row = 0, width, values[WIDEST];
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);
	int rest = 0;

	if (strncmp(f->property, "riscv,", 6))
		return PMUMAP_NO_ROW;
	width = row_width(f->property);
	for (uint32_t i = cells - cells % width; i < cells; i++)
		rest |= big_endian(cell + 4 * i) != 0;
	for (; row < cells / width; row++) {
		for (uint32_t i = 0; i < width; i++)
			values[i] = big_endian(cell + 4 * (row * width + i));
		if (!is_sensible(f->property, values))
			break;
	}
	return rest ? row : PMUMAP_NO_ROW;
}

void check_cells(struct report *r, const struct input *input, pmumap_report_fn *report)
{
	struct checker c = { r, pmu_node(&r->source, input), report };

	for (uint32_t i = 0; i < r->odds; i++)
		tell_mistake(&c, ROW_CELLS, PMUMAP_ERROR, r->odd[i].property, r->odd[i].row,
			     r->odd[i].cells);
}
