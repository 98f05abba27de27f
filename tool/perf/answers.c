/* SPDX-License-Identifier: BSD-2-Clause */
#include "answers.h"
#include "map/riscv.h"
#include "map/suggest.h"
#include "text/json.h"
#include "text/text.h"

static void json_null(const char *key)
{
	json_key(key);
	fputs("null", stdout);
}

static void put_json(const struct answers *all, const char *name, const struct verdict *v,
		     const char *why, const struct answer *kernel)
{
	json_kind("perf");
	json_string("event", name);
	if (all->no_model)
		json_null("counts");
	else
		json_bool("counts", v->counts);
	json_list("counters");
	for (unsigned i = 0; i < 32 && v->counts; i++) {
		if (v->counters >> i & 1) {
			json_item();
			printf("%u", i);
		}
	}
	json_list_end();
	if (v->counts && v->has_value)
		json_hex("mhpmevent", v->value);
	else
		json_null("mhpmevent");
	if (*why)
		json_string("why", why);
	else
		json_null("why");
	if (kernel) {
		json_bool("live", kernel->outcome == KERNEL_COUNTS);
		json_string("kernel", answer_text(kernel));
	}
	json_end();
}

/* A column that stays empty is not printed. */
static void put_row(struct answers *all, const char *name, const struct verdict *v, const char *why,
		    const struct answer *kernel)
{
	struct table *t = &all->table;

	table_cell(t, name);
	table_cell(t, all->no_model ? "" : v->counts ? "yes" : "no");
	table_cell(t, kernel ? answer_text(kernel) : all->live ? "-" : "");
	if (all->no_model) {
		table_cell(t, "");
		table_cell(t, "");
		table_cell(t, kernel ? "" : why);
		return;
	}
	table_cell(t, v->counts && v->counters ? counter_list(v->counters).s : "-");
	table_cell(t, v->counts && v->has_value ? hex(v->value).s : "-");
	table_cell(t, why);
}

/*
 * Nothing may have happened to count, so an event that stays 0 contradicts no model. With
 * REASON_UNLISTED, the kernel's version decides.
 */
static int differs(const struct verdict *v, const struct answer *kernel)
{
	return is_about_event(kernel) && kernel->outcome != KERNEL_STILL &&
	       v->reason != REASON_UNLISTED && v->counts != (kernel->outcome == KERNEL_COUNTS);
}

static void add_difference(struct answers *all, const char *name)
{
	char *list;
	size_t size;
	FILE *out = open_text(&list, &size);

	fprintf(out, "%s%s%s", all->names ? all->names : "", all->names ? ", " : "", name);
	close_text(out);
	free(all->names);
	all->names = list;
	all->differ++;
}

void put_answer(struct answers *all, const char *name, const struct verdict *v,
		const struct answer *kernel)
{
	static const struct verdict none = { 0 };
	char *why;
	size_t size;
	FILE *out = open_text(&why, &size);

	if (v)
		put_verdict(out, &all->reading, v);
	else
		fprintf(out, "no such event%s", hint_of(name).s);
	close_text(out);
	if (kernel && !all->no_model && differs(v, kernel))
		add_difference(all, name);
	v = v ? v : &none;
	all->asked++;
	all->counted += kernel ? kernel->outcome == KERNEL_COUNTS : v->counts != 0;
	if (all->json)
		put_json(all, name, v, why, kernel);
	else
		put_row(all, name, v, why, kernel);
	free(why);
}

static void put_head(const struct answers *all)
{
	const struct reading *r = &all->reading;

	if (all->no_model) {
		puts(r->tables == TABLES_TAKEN
			     ? "Linux. Firmware removed the tables from this tree, so no model can "
			       "answer;\ngive the board's own .dtb or .dts.\n"
			     : "Linux. Without the board's .dtb or .dts no model can answer.\n");
		return;
	}
	printf("%s, on ", firmware_text(r->firmware));
	if (r->id)
		printf("hart %" PRIu64, *r->id);
	else
		fputs("harts", stdout);
	printf(" with%s%s\n\n",
	       r->features == (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF) ? " Sscofpmf and Smcntrpmf"
	       : r->features == PMUMAP_SSCOFPMF  ? " Sscofpmf but without Smcntrpmf"
	       : r->features == PMUMAP_SMCNTRPMF ? " Smcntrpmf but without Sscofpmf"
						 : "out Sscofpmf and Smcntrpmf",
	       all->live ? "; the kernel of this machine" : "");
}

void put_summary(struct answers *all)
{
	static const char *const heads[] = { "event",    "counts",    "kernel",
					     "counters", "mhpmevent", "why" };

	if (all->json)
		return;
	put_head(all);
	all->table.heads = heads;
	table_end(&all->table);
	printf("%s%" PRIu32 " of %" PRIu32 " event%s%s\n", all->live ? "The kernel counts " : "",
	       all->counted, all->asked, all->asked == 1 ? "" : "s",
	       all->live         ? ""
	       : all->asked == 1 ? " is counted"
				 : " are counted");
	if (!all->names)
		return;
	printf("%s and the kernel differ about %" PRIu32 " event%s: ",
	       firmware_text(all->reading.firmware), all->differ, all->differ == 1 ? "" : "s");
	put_escaped(stdout, all->names, 0);
	putchar('\n');
}
