/* SPDX-License-Identifier: BSD-2-Clause */
#include "firmware.h"
#include "text/text.h"

int is_opensbi(enum firmware firmware)
{
	return firmware <= NEWEST_OPENSBI;
}

int is_raw_event(uint32_t event)
{
	return event == PMUMAP_EVENT_RAW || event == PMUMAP_EVENT_RAW_V2;
}

int has_event(const struct kept_row *row, uint32_t event, uint64_t data)
{
	return row->first <= event && event <= row->last &&
	       (!is_raw_event(event) || row->select == (data & row->mask));
}

struct kept_row row_at(const unsigned char *cell, int raw)
{
	if (raw)
		return (struct kept_row){ .raw = 1,
					  .first = PMUMAP_EVENT_RAW,
					  .last = PMUMAP_EVENT_RAW_V2,
					  .counters = big_endian(cell + 16),
					  .select = two_cells(cell),
					  .mask = two_cells(cell + 8) };
	return (struct kept_row){ .first = big_endian(cell),
				  .last = big_endian(cell + 4),
				  .counters = big_endian(cell + 8) };
}

void keep_row(struct reading *r, const struct kept_row *row)
{
	r->rows = grow(r->rows, r->kept, sizeof(*row));
	r->rows[r->kept++] = *row;
}

int find_selector(const struct reading *r, uint32_t event, uint64_t *value)
{
	uint32_t cells;
	const unsigned char *cell = property_cells(r->source, r->node, SELECTORS, &cells);

	for (uint32_t row = 0; row < r->selectors; row++, cell += 12) {
		if (big_endian(cell) == event) {
			*value = two_cells(cell + 4);
			return 1;
		}
	}
	return 0;
}

uint32_t fixed_of(uint32_t event)
{
	return event == 1 ? 1u : event == 2 ? 4u : 0;
}

int has_sbi_3(enum firmware firmware)
{
	return firmware >= OWN || (firmware >= OPENSBI_1_7 && is_opensbi(firmware));
}

int denies_fixed(const struct reading *r)
{
	return r->features == PMUMAP_SSCOFPMF && (r->firmware == OPENSBI_1_9 || r->firmware == OWN);
}
