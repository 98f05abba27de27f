/* SPDX-License-Identifier: BSD-2-Clause */
#include "checks.h"
#include "findings.h"
#include "map/riscv.h"
#include "report.h"
#include "source/rows.h"
#include "text/json.h"
#include "text/table.h"
#include "text/text.h"

static const char *const fixed[] = { "", "cycles", "instructions", "cycles and instructions" };

static void put_name(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	const char *text = event_name(&r->source, f->node, f->value);

	fputs(": ", out);
	put_escaped(out, text ? text : "?", 0);
	fprintf(out, " at reg 0x%" PRIx64, f->value);
}

static void put_property(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	const char *text = property_text(&r->source, f->node, f->property);

	fputs(": \"", out);
	put_escaped(out, text ? text : "", 0);
	putc('"', out);
}

/* Prints the event that the number of another one selects. */
static void put_selected(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, row = 3 * f->other;
	const unsigned char *cell = property_cells(&r->source, f->node, f->other_property, &cells);
	int raw = same(f->other_property, RAW_ROWS);
	uint32_t event = !raw && row < cells ? big_endian(cell + 4 * (size_t)row) : 0;

	fputs(", whose number selects ", out);
	if (raw || !event)
		fprintf(out, "raw event 0x%" PRIx64, f->value);
	else
		fprintf(out, "event 0x%" PRIx32, event);
	if (named(event))
		fprintf(out, " (%s)", pmumap_event_name(event));
}

/* True if the row's selector is an event that has counters but no selector of its own. */
static int holds_event(const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells, event;
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);

	if (!same(f->property, SELECTORS) || f->row >= cells / 3)
		return 0;
	cell += 12 * (size_t)f->row;
	event = big_endian(cell + 8);
	return !big_endian(cell + 4) && pmumap_counters(r->source.map, event) & ~FIXED_MASK &&
	       row_of_event(&r->source, f->node, SELECTORS, event) == PMUMAP_NO_ROW;
}

/* Prints an event. If a raw row should match its selector, also prints the mistake in that row. */
static void put_event(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	const char *label = explain(f->code)->label;

	fprintf(out, ": %s%sevent 0x%" PRIx64, label, *label ? " " : "", f->value);
	if (f->value < PMUMAP_EVENT_LIMIT && named((uint32_t)f->value))
		fprintf(out, " (%s)", pmumap_event_name((uint32_t)f->value));
	if ((int)f->code == SELECTOR_UNMATCHED && f->other_property)
		fputs("; that row would match it with its cells swapped", out);
	if (f->code == PMUMAP_F_DEFAULT_COLLISION)
		put_selected(out, r, f);
	if (f->code == PMUMAP_F_EVENT_INVALID && holds_event(r, f))
		fputs("; are event and selector swapped?", out);
}

/* Prints a select and those of its bits that the mask ignores. */
static void put_dead(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	uint32_t cells;
	const unsigned char *cell = property_cells(&r->source, f->node, f->property, &cells);

	fprintf(out, ": %s 0x%" PRIx64, explain(f->code)->label, f->value);
	if (f->row < cells / WIDEST)
		fprintf(out, ", of which the mask ignores 0x%" PRIx64,
			f->value & ~two_cells(cell + 4 * (f->row * WIDEST + 2)));
}

/* Prints the number of cells in a row, and the row that was probably meant. */
static void put_cells(FILE *out, const struct report *r, const struct pmumap_finding *f)
{
	const struct odd_row *odd = odd_row(r, f->property, f->row);
	uint32_t width = row_width(f->property);
	int sure = odd->lacks != PMUMAP_NO_ROW, shown = sure || is_probable(odd);

	fprintf(out, ": %" PRIu64 " cell%s, %" PRIu32 " expected%s", f->value,
		f->value == 1 ? "" : "s", width,
		lacks_counters(odd) ? ": the counters are missing"
		: sure              ? "; write"
		: shown             ? "; perhaps"
				    : "");
	for (uint32_t i = 0; i < width && shown; i++)
		fprintf(out, "%s0x%" PRIx32 "%s", i ? " " : " <", odd->meant[i],
			i + 1 < width ? "" : ">");
	if (odd->wide)
		fputs("; /bits/ 64 makes two cells of each number", out);
}

static void put_counters(FILE *out, const struct pmumap_finding *f)
{
	fprintf(out, ": counter%s %s", f->value & (f->value - 1) ? "s" : "",
		counter_list((uint32_t)f->value).s);
}

static void put_node(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const char *path = node_path(&r->source, (int)f->value);

	fprintf(out, ": %s ", explain(f->code)->label);
	put_escaped(out, path ? path : "?", 0);
}

/* Suggests where the mistake may be. */
static const char *advice_of(struct report *r, const struct pmumap_finding *f)
{
	if ((int)f->code == ROWS_LOST)
		return reading_of(r, f->node)->why;
	return f->code == PMUMAP_F_TRAILING_BYTES && f->row != PMUMAP_NO_ROW
		       ? "; this row or one above has a cell too few or too many"
		       : "";
}

static const char *layout_at(const struct report *r, const struct pmumap_finding *f)
{
	unsigned t = 0;

	while (t < TABLES - 1 && !same(f->property, table_names[t]))
		t++;
	return layout_of(&r->source, f->node, t);
}

/* The event, or the select of a raw row. */
static void put_key(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	if (f->property && strstr(f->property, "raw-"))
		fprintf(out, ": select 0x%" PRIx64, f->value);
	else
		put_event(out, r, f);
}

/* Prints the value in the wording of its code, such as ": select 0x3ffff00". */
static void put_value(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const struct explanation *x = explain(f->code);

	switch (x->kind) {
	case VALUE_KEY:
		put_key(out, r, f);
		break;
	case VALUE_EVENT:
		put_event(out, r, f);
		break;
	case VALUE_NONZERO:
	case VALUE_HEX:
		if (f->value || x->kind == VALUE_HEX)
			fprintf(out, ": %s%s0x%" PRIx64, x->label, *x->label ? " " : "", f->value);
		break;
	case VALUE_DEAD:
		put_dead(out, r, f);
		break;
	case VALUE_COUNTER:
		fprintf(out, ": counter %" PRIu64, f->value);
		break;
	case VALUE_NUMBER:
		fprintf(out, ": %" PRIu64 " %s%s", f->value, x->label, advice_of(r, f));
		break;
	case VALUE_NODE:
		put_node(out, r, f);
		break;
	case VALUE_NAME:
		put_name(out, r, f);
		break;
	case VALUE_TEXT:
		put_property(out, r, f);
		break;
	case VALUE_TABLE:
		fprintf(out, ": %s %s", x->label, table_names[f->value]);
		break;
	case VALUE_FIXED:
		fprintf(out, ": %s", fixed[f->value >> 1]);
		break;
	case VALUE_CELLS:
		put_cells(out, r, f);
		break;
	case VALUE_ABSENT:
		put_counters(out, f);
		break;
	case VALUE_LIKE:
		fprintf(out, ": like %s", like_property(&r->source, f->node, f->property).s);
		break;
	case VALUE_LAYOUT:
		fprintf(out, ": %s", layout_at(r, f));
		break;
	case VALUE_VENDOR:
		put_vendor(out, r, f);
		break;
	case VALUE_CLASH:
	case VALUE_ENTRY:
	case VALUE_NONE:
		break;
	}
}

/* Prints the place of the finding: node, property and rows. */
static void put_place(FILE *out, struct report *r, const struct pmumap_finding *f)
{
	const char *node = node_path(&r->source, f->node), *other = NULL;
	struct pmumap_imc_unit unit;

	if (node)
		put_escaped(out, node, 0);
	if (f->property) {
		fputs(node ? " " : "", out);
		put_escaped(out, f->property, 0); /* unknown: its name comes from the tree */
	}
	if (!node && !f->property)
		fputs("the map", out);
	if (has_rows(f) && f->row != PMUMAP_NO_ROW)
		fprintf(out, " row %" PRIu32, f->row);
	if (f->other_property)
		fputs(" and", out);
	if (f->other_property && !same(f->property, f->other_property))
		fprintf(out, " %s", f->other_property);
	if (has_rows(f) && f->other != PMUMAP_NO_ROW)
		fprintf(out, " row %" PRIu32, f->other);
	if (f->code == PMUMAP_F_UNIT_DUPLICATE &&
	    pmumap_imc_unit_at(r->source.imc, f->other, &unit))
		other = unit.name;
	else if (f->code == PMUMAP_F_CPU_DUPLICATE)
		other = node_path(&r->source, first_cpu(&r->source, f));
	if (other) {
		fputs(f->other_property ? " " : " and ", out);
		put_escaped(out, other, 0);
	}
}

char *describe(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	char *text;
	size_t size;
	FILE *out = open_text(&text, &size);

	if (found->about) {
		fprintf(out, "%s of %s", f->property, found->about);
	} else if (shares_place(f->code)) {
		put_clash(out, r->source.imc, f);
	} else {
		put_place(out, r, f);
		put_value(out, r, f);
	}
	close_text(out);
	return text;
}

void finding_json(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	enum value_kind kind = explain(f->code)->kind;
	char *text = describe(r, found), *firmware = here(r, f);
	const char *node = node_path(&r->source, f->node); /* valid until the next call */

	json_kind("finding");
	json_string("code", code_text(f->code));
	json_string("severity", pmumap_severity_str(f->severity));
	if (f->property)
		json_string("property", f->property);
	if (f->row != PMUMAP_NO_ROW)
		json_number("row", f->row);
	if (f->other_property)
		json_string("other_property", f->other_property);
	if (f->other != PMUMAP_NO_ROW)
		json_number("other", f->other);
	if (node)
		json_string("node", node);
	if (found->about)
		json_hex("value", f->value);
	else if (kind == VALUE_TEXT)
		json_text("text", property_text(&r->source, f->node, f->property));
	else if (kind == VALUE_LIKE)
		json_string("like", like_property(&r->source, f->node, f->property).s);
	else if (kind == VALUE_LAYOUT)
		json_string("text", layout_at(r, f));
	else if (kind == VALUE_VENDOR)
		json_vendor(r, f);
	else if (kind != VALUE_NONE)
		json_hex("value", f->value);
	json_text("here", *firmware ? firmware : NULL);
	json_units(r->source.imc, f);
	if (r->source.file.name)
		json_string("file", found->spot.line ? found->spot.file : r->source.file.name);
	if (found->spot.line)
		json_number("line", found->spot.line);
	json_hex("fingerprint", fingerprint(r, found));
	json_string("message", text);
	json_string("problem", explain(f->code)->problem);
	json_string("effect", explain(f->code)->effect);
	json_string("fix", fix_of(f));
	json_end();
	free(text);
	free(firmware);
}

void finding_text(struct report *r, const struct found *found)
{
	const struct pmumap_finding *f = &found->f;
	static const char *const colours[] = { "", "\033[36m", "\033[33m", "\033[31m" };
	const char *severity = pmumap_severity_str(f->severity), *code = code_text(f->code);
	struct spot spot = found->spot;
	char *text = describe(r, found), *head = NULL;

	count_output(strlen(text) + LINE_WIDTH);
	if (spot.line || r->many)
		head = escaped(spot.line ? spot.file : r->source.file.name, spot.line ? ":" : ": ");
	if (head)
		fputs(head, stdout);
	if (spot.line)
		printf("%s: ", decimal(spot.line).s);
	printf("%s%s%s %s: ", paint(colours[f->severity]), severity, paint(PLAIN), code);
	put_folded(text,
		   (int)((head ? strlen(head) : 0) +
			 (spot.line ? strlen(decimal(spot.line).s) + 2 : 0) + strlen(severity) +
			 strlen(code) + 3),
		   4);
	free(head);
	free(text);
	text = here(r, f);
	if (*text) {
		fputs("    here     ", stdout);
		put_folded(text, 13, 13);
	}
	free(text);
}
