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

static void json_string_or_null(const char *key, const char *text)
{
	if (text)
		json_string(key, text);
	else
		json_null(key);
}

static const char *const answer_words[] = { "no", "yes", "wrong" };

static struct text linux_text(const struct driver *d)
{
	return d->version ? brief("%" PRIu32 ".%" PRIu32, d->version >> 16, d->version & 0xffff)
			  : brief("none");
}

static void json_assumptions(const struct answers *all)
{
	static const char *const overflows[] = { NULL, NULL, "thead-c9xx", "xandespmu" };
	const struct reading *r = &all->reading;
	const char *by = overflows[r->cores.overflow];

	json_kind("perf-assumptions");
	json_string("firmware", firmware_name(r->firmware));
	json_string("linux", linux_text(&all->driver).s);
	json_list("extensions");
	if (r->features & PMUMAP_SSCOFPMF)
		json_item_text("sscofpmf");
	if (r->features & PMUMAP_SMCNTRPMF)
		json_item_text("smcntrpmf");
	if (by)
		json_item_text(by);
	if (r->firmware == DELEGATED) {
		json_item_text("smcdeleg");
		json_item_text("ssccfg");
	}
	json_list_end();
	json_bool("guessed", r->cores.guessed || (r->firmware == DELEGATED && !r->cores.delegated));
	json_bool("user", all->driver.user);
	json_end();
}

static void put_json(const struct answers *all, const char *name, const struct verdict *v,
		     const char *why, const struct answer *kernel)
{
	json_kind("perf");
	json_string("name", name);
	if (v->reason == REASON_NO_EVENT || !v->event) /* of SBI */
		json_null("event");
	else
		json_hex("event", v->event);
	json_string_or_null("answer", all->no_model ? NULL : answer_words[v->answer]);
	json_bool("samples", v->samples);
	json_counters(v->counts ? v->counters : 0);
	if (v->counts && v->has_value)
		json_hex("mhpmevent", v->value);
	else
		json_null("mhpmevent");
	json_string_or_null("reason", reason_codes[v->reason]);
	json_string_or_null("why", *why ? why : NULL);
	if (kernel) {
		json_bool("live", kernel->outcome == KERNEL_COUNTS);
		if (kernel->samples < 0)
			json_null("live_samples");
		else
			json_bool("live_samples", kernel->samples);
		json_string("kernel", answer_text(kernel));
	}
	json_end();
}

/* A column that stays empty is not printed. */
static void put_row(struct answers *all, const char *name, const struct verdict *v, const char *why,
		    const struct answer *kernel)
{
	struct table *t = &all->table;

	table_cells(t, name, all->no_model ? "" : answer_words[v->answer],
		    kernel      ? answer_text(kernel)
		    : all->live ? "-"
				: "");
	if (all->no_model) {
		table_cells(t, "", "", "", kernel ? "" : why);
		return;
	}
	table_cells(t,
		    !all->driver.version ? ""
		    : v->samples         ? "yes"
					 : "no",
		    v->counts && v->counters ? counter_list(v->counters).s : "-",
		    v->counts && v->has_value ? hex(v->value).s : "-", why);
}

/* Nothing may have happened to count, so an event that stays 0 contradicts no model. */
static int differs(const struct verdict *v, const struct answer *kernel)
{
	if (!is_about_event(kernel))
		return 0;
	if (kernel->outcome == KERNEL_STILL)
		return kernel->samples == 0 && v->samples;
	return (v->answer != ANSWER_NO) != (kernel->outcome == KERNEL_COUNTS) ||
	       (kernel->samples >= 0 && v->samples != kernel->samples);
}

static void add_difference(struct answers *all, const char *name)
{
	char *list = printed("%s%s%s", all->names ? all->names : "", all->names ? ", " : "", name);

	free(all->names);
	all->names = list;
	all->differ++;
}

void put_answer(struct answers *all, const char *name, const struct verdict *v,
		const struct answer *kernel)
{
	static const struct verdict none = { .reason = REASON_NO_EVENT };
	char *why;
	size_t size;
	FILE *out = open_text(&why, &size);

	if (all->json && !all->asked && !all->no_model)
		json_assumptions(all);
	if (v)
		put_verdict(out, &all->reading, v);
	else
		fprintf(out, "no such event%s", hint_of(name).s);
	close_text(out);
	if (kernel && !all->no_model && differs(v, kernel))
		add_difference(all, name);
	v = v ? v : &none;
	all->asked++;
	all->right += kernel ? kernel->outcome == KERNEL_COUNTS : v->answer == ANSWER_YES;
	all->wrong += !kernel && v->answer == ANSWER_WRONG;
	if (all->json)
		put_json(all, name, v, why, kernel);
	else
		put_row(all, name, v, why, kernel);
	free(why);
}

static const char *extensions_text(const struct reading *r)
{
	if (r->cores.guessed && !r->features)
		return "harts that the tree does not list, as if without Sscofpmf";
	if (r->cores.overflow == OVERFLOW_THEAD)
		return "T-Head's harts with an overflow interrupt of their own";
	if (r->cores.overflow == OVERFLOW_ANDES)
		return "Andes' harts with Xandespmu";
	return r->features == (PMUMAP_SSCOFPMF | PMUMAP_SMCNTRPMF) ? "with Sscofpmf and Smcntrpmf"
	       : r->features == PMUMAP_SSCOFPMF  ? "with Sscofpmf but without Smcntrpmf"
	       : r->features == PMUMAP_SMCNTRPMF ? "with Smcntrpmf but without Sscofpmf"
						 : "without Sscofpmf and Smcntrpmf";
}

static void put_head(const struct answers *all)
{
	const struct reading *r = &all->reading;
	const char *extensions = extensions_text(r);

	if (all->no_model) {
		puts(r->tables == TABLES_TAKEN
			     ? "Linux. Firmware removed the tables from this tree, so no model can "
			       "answer;\ngive the board's own .dtb or .dts.\n"
			     : "Linux. Without the board's .dtb or .dts no model can answer.\n");
		return;
	}
	fputs(firmware_text(r->firmware), stdout);
	if (all->driver.version)
		printf(" and Linux %s", linux_text(&all->driver).s);
	fputs(", on ", stdout);
	if (r->id)
		printf("hart %" PRIu64 " ", *r->id);
	else if (!strncmp(extensions, "with", 4))
		fputs("harts ", stdout);
	fputs(extensions, stdout);
	if (r->firmware == DELEGATED)
		fputs(r->cores.delegated ? "; with Smcdeleg and Ssccfg"
					 : "; assumes Smcdeleg and Ssccfg, which the tree lacks",
		      stdout);
	printf("%s%s\n\n", all->driver.user ? ", for an ordinary user" : "",
	       all->live ? "; the kernel of this machine" : "");
}

void put_summary(struct answers *all)
{
	static const char *const heads[] = { "event",    "answer",    "kernel", "samples",
					     "counters", "mhpmevent", "why" };

	if (all->json)
		return;
	put_head(all);
	all->table.heads = heads;
	table_end(&all->table);
	if (all->live && all->driver.legacy)
		puts("perf_user_access is 2: Linux forces cycles and instructions onto the fixed "
		     "counters.");
	if (all->live)
		printf("The kernel counts %" PRIu32 " of %" PRIu32 " event%s\n", all->right,
		       all->asked, all->asked == 1 ? "" : "s");
	else
		printf("%" PRIu32 " event%s: %" PRIu32 " yes, %" PRIu32 " wrong, %" PRIu32 " no\n",
		       all->asked, all->asked == 1 ? "" : "s", all->right, all->wrong,
		       all->asked - all->right - all->wrong);
	if (!all->names)
		return;
	printf("%s and the kernel differ about %" PRIu32 " event%s: ",
	       firmware_text(all->reading.firmware), all->differ, all->differ == 1 ? "" : "s");
	put_escaped(stdout, all->names, 0);
	putchar('\n');
}
