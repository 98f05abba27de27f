/* SPDX-License-Identifier: BSD-2-Clause */
/* Mistakes in a tree */
#pragma once

#include "core/findings.h"
#include "amu/findings_api.h"
#include "amu/build.h"

/* State of a check: the map, and a walk that compares the tree with it. */
struct pmumap_amu_checker_ {
	struct pmumap_amu_build_ b; /* first, because visit casts */
	pmumap_report_fn *report;
	void *arg;
	uint32_t is_kept; /* the current view is in the map */
	uint32_t foreign; /* node of a view whose finding follows those of its counters, or 0 */
	uint32_t cells;   /* the view's if they are not 1 and not reported yet, or 1 */
	uint32_t row;     /* NO_ROW for views; then how many CPUs of the map were checked */
};

/* Report a finding. property: of the node, or NULL. other: a CPU, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_amu_tell_(const struct pmumap_amu_checker_ *c,
						   enum pmumap_amu_code code,
						   enum pmumap_severity severity, uint32_t node,
						   const char *property, uint32_t other,
						   uint64_t value)
{
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_AMU_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
	struct pmumap_finding f;

	f.code = (uint32_t)code;
	f.name = pmumap_nth_text_(names, f.code - PMUMAP_F_VIEW_MISSING); /* without gaps */
	f.severity = severity;
	f.node = (int)node;
	f.property = property;
	f.row = c->row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : property;
	f.other = other;
	f.value = value;
	c->report(c->arg, &f);
}

/* Without another CPU; about a node, and about the item's node. */
#define PMUMAP_AMU_TELL_AT_(c, code, rank, node, property, value)                                  \
	pmumap_amu_tell_(c, PMUMAP_F_##code, PMUMAP_##rank, node, property, PMUMAP_NO_ROW, value)
#define PMUMAP_AMU_TELL_(c, code, rank, property, value)                                           \
	PMUMAP_AMU_TELL_AT_(c, code, rank, (c)->b.r.node, property, value)

/* Whether the hexadecimal number behind the '@' of a kept counter's name is its index. */
static inline int pmumap_amu_is_unit_(const struct pmumap_amu_reader_ *r)
{
	static const unsigned char digits[] = "0123456789abcdef0123456789ABCDEF";
	const unsigned char *s = pmumap_fdt_name_(&r->w) + sizeof("counter@") - 1;

	while (s[0] == '0' && s[1])
		s++;
	return (s[0] == digits[r->index] || s[0] == digits[16 + r->index]) && s[1] == 0;
}

static inline void pmumap_amu_check_counter_(struct pmumap_amu_checker_ *c)
{
	const struct pmumap_amu_reader_ *r = &c->b.r;
	uint32_t bytes;

	if (c->cells != 1)
		PMUMAP_AMU_TELL_AT_(c, CELLS, WARNING, r->view->offset, "#address-cells", c->cells);
	c->cells = 1;
	if (r->flags & PMUMAP_AMU_AGAIN_)
		PMUMAP_AMU_TELL_(c, COUNTER_DUPLICATE, ERROR, "reg", r->index);
	else if (r->flags & PMUMAP_AMU_BAD_NAME_)
		PMUMAP_AMU_TELL_(c, COUNTER_NAME, WARNING, 0, r->index);
	else if (r->flags & PMUMAP_AMU_BAD_REG_)
		PMUMAP_AMU_TELL_(c, COUNTER_REG, ERROR, "reg", r->index);
	else if (r->flags & PMUMAP_AMU_BAD_INDEX_)
		PMUMAP_AMU_TELL_(c, COUNTER_RANGE, ERROR, "reg", r->index);
	else if (!pmumap_amu_is_unit_(r))
		PMUMAP_AMU_TELL_(c, UNIT_MISMATCH, WARNING, "reg", r->index);
	(void)pmumap_fdt_value_(&r->w, PMUMAP_AMU_PROPERTY_ENABLE_, &bytes);
	if (bytes && (!r->flags || r->flags == PMUMAP_AMU_AGAIN_))
		PMUMAP_AMU_TELL_(c, ENABLE_VALUE, WARNING, "enable-at-el3", r->index);
}

/* Check a CPU. Its pair in the map has its view until then, and its number afterwards. */
static inline void pmumap_amu_check_cpu_(struct pmumap_amu_checker_ *c)
{
	const struct pmumap_amu_reader_ *r = &c->b.r;
	struct pmumap_amu *m = c->b.m;
	const unsigned char *status =
		(const unsigned char *)pmumap_fdt_text_(&r->w, PMUMAP_AMU_PROPERTY_STATUS_);
	uint32_t(*pairs)[2] = PMUMAP_AMU_PAIRS_(m, m->cpus), *pair, bytes;

	if (r->flags) {
		PMUMAP_AMU_TELL_(c, CPU_REG, ERROR, "reg", 0);
		return;
	}
	pair = pmumap_amu_find_pair_(pairs, m->cpu_count, pmumap_amu_pack_affinity_(r->mpidr));
	if (c->row == m->cpu_count || pair != pairs[PMUMAP_AMU_WORDS_(m, m->by_tree)[c->row]]) {
		pmumap_amu_tell_(c, PMUMAP_F_CPU_DUPLICATE, PMUMAP_ERROR, r->node, "reg", pair[1],
				 r->mpidr);
		return;
	}
	if (r->mpidr & ~(uint64_t)PMUMAP_AMU_AFFINITY)
		PMUMAP_AMU_TELL_(c, CPU_REG, WARNING, "reg", r->mpidr);
	if (!pmumap_amu_is_node_(r, "cpu@", 1))
		PMUMAP_AMU_TELL_(c, CPU_NAME, WARNING, 0, 0);
	if (status && !pmumap_fdt_match_string_(status, "okay", 0) &&
	    !pmumap_fdt_match_string_(status, "ok", 0))
		PMUMAP_AMU_TELL_(c, CPU_DISABLED, NOTE, "status", 0);
	if (pmumap_fdt_value_(&r->w, PMUMAP_AMU_PROPERTY_AMU_, &bytes) &&
	    pair[1] == PMUMAP_AMU_NO_VIEW)
		PMUMAP_AMU_TELL_(c, VIEW_MISSING, ERROR, "amu", r->id);
	if (bytes / 4 > 1)
		PMUMAP_AMU_TELL_(c, VIEW_EXTRA, WARNING, "amu",
				 bytes / 4 < 0xffff ? bytes / 4 : 0xffff);
	pair[1] = c->row++;
}

/* Check a view or a counter, or a CPU in the second walk. */
static inline void pmumap_amu_check_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_checker_ *c = (struct pmumap_amu_checker_ *)(void *)r;

	if (c->row != PMUMAP_NO_ROW) {
		if (item == PMUMAP_AMU_CPU_)
			pmumap_amu_check_cpu_(c);
	} else if (item == PMUMAP_AMU_VIEW_) {
		if (c->foreign)
			PMUMAP_AMU_TELL_AT_(c, VIEW_FOREIGN, WARNING, c->foreign, 0, 0);
		c->is_kept = c->b.numbers[r->view_count] != PMUMAP_AMU_NONE_;
		c->foreign = c->is_kept && !r->in_amus ? r->node : 0;
		c->cells = r->view->cells;
	} else if (item == PMUMAP_AMU_COUNTER_ && c->is_kept) {
		pmumap_amu_check_counter_(c);
	}
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_amu_options *opt,
							    void *mem, size_t bytes,
							    pmumap_report_fn *report, void *arg)
{
	struct pmumap_amu_checker_ c;
	enum pmumap_status status =
		report ? pmumap_amu_build_tree_(&c.b, fdt, fdt_size, opt, mem, bytes)
		       : PMUMAP_E_ARG;

	if (status != PMUMAP_OK)
		return status;
	c.report = report;
	c.arg = arg;
	c.foreign = 0;
	c.row = PMUMAP_NO_ROW;
	(void)pmumap_amu_read_tree_(&c.b.r, fdt, fdt_size, opt, pmumap_amu_check_item_);
	if (c.foreign)
		PMUMAP_AMU_TELL_AT_(&c, VIEW_FOREIGN, WARNING, c.foreign, 0, 0);
	c.row = 0;
	(void)pmumap_amu_read_tree_(&c.b.r, fdt, fdt_size, opt, pmumap_amu_check_item_);
	return PMUMAP_OK;
}
