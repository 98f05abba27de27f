/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Compares an IMC map built from a tree with the tests' model.
 */
#ifndef IMC_CHECK_H
#define IMC_CHECK_H

#include "imc_model.h"
#include "support.h"
#include "fuzz_imc.h"

static inline int is_counter(const struct imc_model *model, uint32_t counter,
			     const struct pmumap_imc_event *e)
{
	const struct imc_model_counter *c = &model->counter[counter];
	const struct imc_model_unit *u = &model->unit[c->unit];

	return e->unit_index == c->unit && !strcmp(e->unit, u->name) &&
	       !strcmp(e->prefix, c->prefix) && !strcmp(e->name, c->name) &&
	       imc_same_text(e->scale, c->scale) && imc_same_text(e->measure, c->measure) &&
	       e->type == u->type && e->offset == c->offset;
}

static inline void check_unit(const struct pmumap_imc *image, const struct imc_model *model,
			      uint32_t unit)
{
	const struct imc_model_unit *u = &model->unit[unit];
	struct pmumap_imc_event e;
	struct pmumap_imc_unit got;
	uint32_t i, chip;
	uint64_t base;

	MUST(pmumap_imc_unit_at(image, unit, &got));
	MUST(!strcmp(got.name, u->name) && !strcmp(got.prefix, u->prefix));
	MUST(imc_same_text(got.scale, u->scale) && imc_same_text(got.measure, u->measure));
	MUST(got.type == u->type && got.reg == u->reg && got.size == u->size);
	MUST(got.offset == u->offset && got.control == u->control);
	MUST(got.events == u->counters && got.chips == u->chips);
	for (i = 0; i < u->counters; i++)
		MUST(imc_event_at(image, unit, i, &e) && is_counter(model, u->first + i, &e));
	for (i = 0; i < u->chips; i++)
		MUST(pmumap_imc_chip_at(image, unit, i, &chip, &base) && chip == u->chip[i] &&
		     base == u->base[i]);
}

/* All matches of a query, up to a limit. */
static inline void check_question(const struct pmumap_imc *image, const struct imc_model *model,
				  const char *text, size_t len)
{
	uint32_t match[IMC_MATCHES], n = imc_model_find(model, text, len, match, IMC_MATCHES), i;
	struct pmumap_imc_event e;

	for (i = 0; i < n && i < IMC_MATCHES; i++)
		MUST(imc_find(image, text, len, i, &e) && is_counter(model, match[i], &e));
	MUST(!imc_find(image, text, len, n, &e));
}

/* By its full name and within its unit. */
static inline void check_questions(const struct pmumap_imc *image, const struct imc_model *model,
				   uint32_t counter)
{
	const char *full = model->counter[counter].full;
	const char *unit = model->unit[model->counter[counter].unit].name;
	size_t room = strlen(unit) + strlen(full) + 3;
	char *text = malloc(room);

	MUST(text);
	snprintf(text, room, "%s/%s%s", unit, full, counter & 1 ? "/" : "");
	check_question(image, model, full, strlen(full));
	check_question(image, model, text, strlen(text));
	free(text);
}

/* With a slash in a name, a query is ambiguous. */
static inline int any_slash(const struct imc_model *model)
{
	uint32_t i, n = 0;

	for (i = 0; i < model->counters; i++)
		n += strchr(model->counter[i].full, '/') != NULL;
	for (i = 0; i < model->units; i++)
		n += strchr(model->unit[i].name, '/') != NULL;
	return n != 0;
}

static inline void check_place(const struct pmumap_imc *image, const struct imc_model *model,
			       uint32_t counter)
{
	const struct imc_model_counter *c = &model->counter[counter];
	uint32_t unit = fuzz_random() & 1 ? c->unit : PMUMAP_IMC_ALL;
	uint32_t match[IMC_MATCHES], i, chip = (uint32_t)fuzz_random() & 24;
	uint32_t n = imc_model_at(model, unit, c->offset, match, IMC_MATCHES);
	uint64_t want = 0x5555, got = 0x5555;
	struct pmumap_imc_event e;

	for (i = 0; i < n && i < IMC_MATCHES; i++)
		MUST(imc_at(image, unit, c->offset, i, &e) && is_counter(model, match[i], &e));
	MUST(!imc_at(image, unit, c->offset, n, &e));
	MUST(imc_event_at(image, c->unit, counter - model->unit[c->unit].first, &e));
	MUST(imc_model_address(model, counter, chip, &want) ==
	     pmumap_imc_address(image, &e, chip, &got));
	MUST(want == got);
	MUST(imc_model_control(model, c->unit, chip, &want) ==
	     pmumap_imc_control_address(image, c->unit, chip, &got));
	MUST(want == got);
}

#define MODEL_NAMES 4096u
#define MODEL_BYTES (1u << 16)

static inline void check_imc(const uint8_t *fdt, size_t size, const struct pmumap_imc_options *opt,
			     const struct pmumap_imc *image, const struct findings *seen)
{
	struct imc_model model;
	uint64_t names = fuzz_imc(image, 1);
	uint32_t i, unit = 0;
	int slash;

	MUST(pmumap_imc_names(image) == names);
	if (names > MODEL_NAMES || size > MODEL_BYTES)
		return;
	MUST(imc_model_read(&model, fdt, opt->generation, opt->available));
	MUST(model.counters == names);
	for (; unit < model.units; unit++)
		check_unit(image, &model, unit);
	MUST(!pmumap_imc_unit_at(image, unit, &(struct pmumap_imc_unit){ 0 }));
	slash = any_slash(&model);
	for (i = 0; i < model.counters; i += 1 + model.counters / 64) {
		if (!slash)
			check_questions(image, &model, i);
		check_place(image, &model, i);
	}
	if (seen->n < sizeof(seen->at) / sizeof(seen->at[0]))
		match_findings(seen, model.finding, model.findings, NULL, imc_model_same_finding,
			       &model);
	MUST(!test_failed);
	imc_model_free(&model);
}

#endif
