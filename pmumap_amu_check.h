/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_amu_check.h 0.3.1 -- find mistakes in a tree's activity monitors; labels of counters.
 *
 * QUICK START
 *	#include "pmumap_amu_check.h"		// includes pmumap_amu.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: reg: unit-mismatch"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "amu", f->name);
 *	}
 *
 *	enum pmumap_status status;
 *
 *	status = pmumap_amu_check(fdt, fdt_size, 0, block, sizeof(block), print, 0);
 *
 * CONTRACT
 *   As in pmumap_amu.h.
 */
#include "pmumap_amu.h"

/* ---- core/version.h: Refuse a header of another version */
/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_AMU_CHECK_H
#define PMUMAP_AMU_CHECK_H

/* ---- core/findings_api.h: Findings */
#ifndef PMUMAP_HAS_CORE_FINDINGS_API_
#define PMUMAP_HAS_CORE_FINDINGS_API_
/* How bad a finding is. */
enum pmumap_severity {
	PMUMAP_NOTE = 1,    /* it is legal, and worth knowing */
	PMUMAP_WARNING = 2, /* this is probably a mistake */
	PMUMAP_ERROR = 3    /* the row, the node or the property is dropped */
};

#define PMUMAP_NO_NODE (-1)
#define PMUMAP_NO_ROW 0xffffffffu

/* A mistake in a tree. The comment on the kind's check function says what row and other count. */
struct pmumap_finding {
	uint32_t code;    /* from the kind's list of findings */
	const char *name; /* "raw-dead", as in that list */
	enum pmumap_severity severity;
	int node;             /* libfdt's offset of the node, or PMUMAP_NO_NODE for the whole map */
	const char *property; /* of row, or NULL; points into the tree, may hold any bytes */
	uint32_t row;         /* PMUMAP_NO_ROW: not about a single row */
	const char *other_property; /* the other row's property, or NULL */
	uint32_t other;             /* the other row of a conflict, or PMUMAP_NO_ROW */
	uint64_t value;             /* its meaning is in the list of findings */
};

/*
 * Your callback for each finding, which is valid until it returns. It must not use the builder or
 * the block, must not change the tree, and must return: no longjmp, no exception.
 */
typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

/* "error", "warning" or "note" */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);
#endif /* PMUMAP_HAS_CORE_FINDINGS_API_ */

/* ---- amu/findings_api.h: Findings: mistakes in a device tree; labels */
/* Mistakes in a description of activity monitors. Codes never change. */
#define PMUMAP_AMU_FINDING_LIST(X)                                                                 \
	X(VIEW_MISSING, 50, "view-missing")           /* value: phandle */                         \
	X(VIEW_FOREIGN, 51, "view-foreign")           /* value: 0 */                               \
	X(VIEW_EXTRA, 52, "view-extra")               /* value: cells, at most 65535 */            \
	X(CELLS, 53, "cells")                         /* value: #address-cells */                  \
	X(COUNTER_REG, 54, "counter-reg")             /* value: 0 */                               \
	X(COUNTER_RANGE, 55, "counter-range")         /* value: index, at most 2^32 - 1 */         \
	X(COUNTER_DUPLICATE, 56, "counter-duplicate") /* value: index */                           \
	X(COUNTER_NAME, 57, "counter-name")           /* value: index */                           \
	X(UNIT_MISMATCH, 58, "unit-mismatch")         /* value: index */                           \
	X(ENABLE_VALUE, 59, "enable-value")           /* value: index */                           \
	X(CPU_REG, 60, "cpu-reg")                     /* value: MPIDR */                           \
	X(CPU_DUPLICATE, 61, "cpu-duplicate")         /* value: MPIDR */                           \
	X(CPU_DISABLED, 62, "cpu-disabled")           /* value: 0 */                               \
	X(CPU_NAME, 63, "cpu-name")                   /* value: 0 */

enum pmumap_amu_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_AMU_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * Report mistakes in a tree, in the order of its views, then of its CPUs. row and other are numbers
 * of CPUs. For a dropped CPU, row is the number that the next one gets.
 *
 * mem: a block as for pmumap_amu_fdt_build(). Afterwards, build a map there if you want one.
 *
 * Returns  PMUMAP_OK; or the error of pmumap_amu_fdt_build(), and nothing is reported.
 * Cost     four walks, and O(n log n) for n CPUs and views.
 */
PMUMAP_API enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_amu_options *opt, void *mem,
					       size_t bytes, pmumap_report_fn *report, void *arg);

/* For options.labels: name the counters of views in /cpus/amus by labels of up to 63 bytes. */
PMUMAP_API void pmumap_amu_labels(struct pmumap_amu_build_ *b);

#endif /* PMUMAP_AMU_CHECK_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_amu_check.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) &&                                    \
	!defined(PMUMAP_AMU_CHECK_IMPLEMENTED_)
#define PMUMAP_AMU_CHECK_IMPLEMENTED_

/* ---- amu/labels.h: The labels of counters */
/* Longer labels and paths are ignored, and further labels of one hash: bounds the time. */
#define PMUMAP_AMU_LABEL_BYTES_ 64u
#define PMUMAP_AMU_PATH_BYTES_ 256u
#define PMUMAP_AMU_LABEL_TRIES_ 64u

/* The hash of a text that continues the one of this hash: of so many bytes as a path may have. */
static inline uint32_t pmumap_amu_hash_text_(uint32_t hash, const unsigned char *text)
{
	uint32_t left = PMUMAP_AMU_PATH_BYTES_;

	for (; *text && left; left--)
		hash = (hash ^ *text++) * 0x01000193u;
	return hash;
}

/* Count the labels of counters, or list each by its path's hash, with the offset of that path. */
static inline void pmumap_amu_list_labels_(struct pmumap_amu_build_ *b)
{
	const unsigned char *blob = b->r.w.blob, *name, *path, *slash;
	const unsigned char *tag = blob + b->r.w.start + b->r.symbols + 4 + sizeof("__symbols__");
	uint32_t kind, bytes, i, n = 0;

	while ((kind = pmumap_load_be32_(tag)) == PMUMAP_FDT_PROPERTY_ || kind == PMUMAP_FDT_NOP_) {
		tag += 4;
		if (kind == PMUMAP_FDT_NOP_)
			continue;
		bytes = pmumap_load_be32_(tag);
		name = blob + b->r.w.names + pmumap_load_be32_(tag + 4);
		path = tag + 8;
		tag = path + ((bytes + 3) & ~3u);
		if (bytes == 0 || bytes > PMUMAP_AMU_PATH_BYTES_ || path[bytes - 1])
			continue;
		slash = pmumap_fdt_match_string_(path, "/cpus/amus/", 1);
		while (slash && *slash && *slash != '/')
			slash++;
		/* Many properties can share one name's bytes: read no more than a label has. */
		i = 0;
		while (i < PMUMAP_AMU_LABEL_BYTES_ && name[i])
			i++;
		if (!slash || !*slash || i >= PMUMAP_AMU_LABEL_BYTES_)
			continue;
		if (b->m) {
			b->labels[n][0] = pmumap_amu_hash_text_(0, path);
			b->labels[n][1] = (uint32_t)(path - blob);
		}
		b->r.text_bytes += i + 1;
		n++;
	}
	b->label_count = n;
	if (b->m)
		pmumap_sort_pairs_(b->labels, n, 0, 0);
}

/*
 * Replace the name of the current counter by its first label. If several nodes have one path, it
 * means the first: use up all labels with this path.
 */
static inline void pmumap_amu_take_label_(struct pmumap_amu_build_ *b)
{
	static const unsigned char amus[] = "/cpus/amus/", slash[] = "/";
	const unsigned char *blob = b->r.w.blob, *counter = pmumap_fdt_name_(&b->r.w), *path;
	const unsigned char *view = blob + b->r.w.start + b->r.view->offset + 4;
	const uint32_t *end = b->labels[b->label_count];
	uint32_t *label, hash, i, is_taken = 0;

	hash = pmumap_amu_hash_text_(pmumap_amu_hash_text_(0, amus), view);
	hash = pmumap_amu_hash_text_(pmumap_amu_hash_text_(hash, slash), counter);
	label = pmumap_amu_find_pair_(b->labels, b->label_count, hash);
	for (i = 0; label && label < end && label[0] == hash && i < PMUMAP_AMU_LABEL_TRIES_; i++) {
		path = blob + label[1] + sizeof(amus) - 1;
		path = label[1] ? pmumap_fdt_match_string_(path, (const char *)view, 1) : 0;
		if (path && *path == '/' &&
		    pmumap_fdt_match_string_(path + 1, (const char *)counter, 0)) {
			if (!is_taken++)
				b->name = b->r.w.names + pmumap_load_be32_(blob + label[1] - 4);
			label[1] = 0;
		}
		label += 2;
	}
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_labels(struct pmumap_amu_build_ *b)
{
	if (b->name)
		pmumap_amu_take_label_(b);
	else
		pmumap_amu_list_labels_(b);
}

/* ---- core/findings.h: The texts of findings */
#ifndef PMUMAP_HAS_CORE_FINDINGS_
#define PMUMAP_HAS_CORE_FINDINGS_
PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}
#endif /* PMUMAP_HAS_CORE_FINDINGS_ */

/* ---- amu/check.h: Mistakes in a tree */
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

#endif /* PMUMAP_AMU_CHECK_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
