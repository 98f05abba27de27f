/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_imc_check.h 0.3.1 -- find mistakes in a description of IMC; numbers from scales.
 *
 * QUICK START
 *	#include "pmumap_imc_check.h"		// includes pmumap_imc.h
 *
 *	static void print(void *arg, const struct pmumap_finding *f)
 *	{
 *		(void)arg;			// "warning: events: events-missing"
 *		printf("%s: %s: %s\n", pmumap_severity_str(f->severity),
 *		       f->property ? f->property : "imc", f->name);
 *	}
 *
 *	enum pmumap_status status = pmumap_imc_check(fdt, fdt_size, 0, block, sizeof(block), print,
 *						     0);
 *
 * CONTRACT
 *   As in pmumap_imc.h. The block is as large as for a build; it is free again afterwards.
 */
#include "pmumap_imc.h"

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

#ifndef PMUMAP_IMC_CHECK_H
#define PMUMAP_IMC_CHECK_H

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

/* ---- imc/findings_api.h: Findings: mistakes in a device tree */
/* Mistakes in a description of IMC. Codes never change. */
#define PMUMAP_IMC_FINDING_LIST(X)                                                                 \
	X(REG_MISSING, 25, "reg-missing")         /* value: 0 */                                   \
	X(REG_OVERFLOW, 26, "reg-overflow")       /* value: reg of the first event */              \
	X(NAME_MISSING, 27, "name-missing")       /* value: 0 */                                   \
	X(NAME_DUPLICATE, 28, "name-duplicate")   /* value: reg of the second event */             \
	X(UNIT_DUPLICATE, 29, "unit-duplicate")   /* value: 0 */                                   \
	X(PREFIX_MISSING, 30, "prefix-missing")   /* value: 0 */                                   \
	X(EVENTS_MISSING, 31, "events-missing")   /* value: phandle, or 0 */                       \
	X(LIST_EMPTY, 32, "list-empty")           /* value: phandle */                             \
	X(OFFSET_RANGE, 33, "offset-range")       /* value: the first offset */                    \
	X(OFFSET_ALIGN, 34, "offset-align")       /* value: reg */                                 \
	X(OFFSET_CLASH, 35, "offset-clash")       /* value: offset */                              \
	X(CONTROL_OVERLAP, 36, "control-overlap") /* value: the first offset */                    \
	X(SCALE_BAD, 37, "scale-bad")             /* value: 0 */                                   \
	X(TYPE_MISSING, 38, "type-missing")       /* value: 0 */                                   \
	X(TYPE_UNKNOWN, 39, "type-unknown")       /* value: type */                                \
	X(CHIP_MISMATCH, 40, "chip-mismatch")     /* value: number of chip ids */                  \
	X(OLD_FORMAT, 41, "old-format")           /* value: 0 */                                   \
	X(WINDOW_MISSING, 43, "window-missing")   /* value: 0 */                                   \
	X(CELL_WIDTH, 44, "cell-width")           /* value: bytes, instead of 4 */                 \
	X(CONTROL_RANGE, 45, "control-range")     /* value: cb_offset */                           \
	X(SCALE_EMPTY, 46, "scale-empty")         /* value: 0 */                                   \
	X(LIST_UNUSED, 47, "list-unused")         /* value: phandle */                             \
	X(OFFSET_ALIAS, 48, "offset-alias")       /* value: offset */

enum pmumap_imc_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/*
 * Report mistakes in a tree. row and other are numbers of PMUs; for a dropped PMU, row is the
 * number that the next one gets. For an event, row counts the events of the tree. report may be
 * called until this returns; it must not change the tree.
 *
 * mem: a block as for pmumap_imc_fdt_build(), which fills it meanwhile. Afterwards its contents are
 * undefined: build a map if you also want one.
 *
 * Returns  PMUMAP_OK; or the error of pmumap_imc_fdt_build(), and nothing is reported.
 * Cost     O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_imc_options *opt, void *mem,
					       size_t bytes, pmumap_report_fn *report, void *arg);

/*
 * Parse a scale exactly: "1.2207e-4" is 12207 * 10^-8. Returns 0 unless it is a positive decimal
 * number with digits in 64 bits and an exponent from -9999 to 9999.
 */
PMUMAP_API int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);

#endif /* PMUMAP_IMC_CHECK_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_imc_check.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) &&                                    \
	!defined(PMUMAP_IMC_CHECK_IMPLEMENTED_)
#define PMUMAP_IMC_CHECK_IMPLEMENTED_

/* ---- imc/scale.h: Scales */
#define PMUMAP_IMC_EXPONENTS_ 9999 /* from -9999 to 9999 */

PMUMAP_DEF int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent)
{
	int32_t point = 0, tens = 0, sign = 1;
	uint64_t value = 0;

	for (; *scale == '.' || (*scale >= '0' && *scale <= '9'); scale++) {
		uint32_t digit = (uint32_t)(*scale - '0');

		if (*scale == '.') {
			if (point++)
				return 0;
			continue;
		}
		if (value > ~(uint64_t)0 / 10 || (value == ~(uint64_t)0 / 10 && digit > 5))
			return 0;
		value = value * 10 + digit;
		tens -= point;
	}
	if (*scale == 'e' || *scale == 'E') {
		int32_t power = 0;

		scale++;
		if (*scale == '+' || *scale == '-')
			sign = *scale++ == '-' ? -1 : 1;
		if (*scale == 0)
			return 0;
		for (; *scale >= '0' && *scale <= '9' && power <= PMUMAP_IMC_EXPONENTS_; scale++)
			power = power * 10 + (*scale - '0');
		tens += sign * power;
	}
	if (*scale || value == 0 || tens < -PMUMAP_IMC_EXPONENTS_ || tens > PMUMAP_IMC_EXPONENTS_)
		return 0;
	*mantissa = value;
	*exponent = tens;
	return 1;
}

/* ---- core/findings.h: The texts of findings */
#ifndef PMUMAP_HAS_CORE_FINDINGS_
#define PMUMAP_HAS_CORE_FINDINGS_
PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}
#endif /* PMUMAP_HAS_CORE_FINDINGS_ */

/* ---- imc/check_node.h: Check a node of the tree */
/* The state of a check: what a build collects of the tree, and a walk over it. */
struct pmumap_imc_checker_ {
	struct pmumap_imc_build_ b;
	pmumap_report_fn *report; /* NULL: report nothing */
	void *arg;
	uint32_t node;           /* of the next finding */
	uint32_t units, events;  /* so far; without dropped units */
	uint32_t child, phandle; /* of the last child; */
	uint32_t in_unit;        /* 1: it is a unit, so its nodes are no events; */
	uint32_t unused;         /* if it is a list that no unit uses, its events */
	uint32_t old_format;     /* units in the formats before June 2017 */
	uint32_t left_out;       /* 1: a unit was dropped, here or by firmware */
	uint32_t counted[PMUMAP_IMC_LISTS_ / 32 + 1]; /* bits of lists that some unit counts */
};

/* Report a finding. property: of the node, or NULL. row, other: units or an event, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_imc_tell_(const struct pmumap_imc_checker_ *c,
						   enum pmumap_imc_code code,
						   enum pmumap_severity severity,
						   const char *property, uint32_t row,
						   uint32_t other, uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_IMC_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_IMC_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
	struct pmumap_finding f;

	if (!c->report)
		return;
	f.code = (uint32_t)code;
	f.name = pmumap_text_of_number_(numbers, sizeof(numbers), names, f.code);
	f.severity = severity;
	f.node = (int)c->node;
	f.property = property;
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : property;
	f.other = other;
	f.value = value;
	c->report(c->arg, &f);
}

#define PMUMAP_IMC_TELL_(c, code, severity, property, row, value)                                  \
	pmumap_imc_tell_(c, PMUMAP_F_##code, PMUMAP_##severity, property, row, PMUMAP_NO_ROW, value)

/* Check the scale and measure of the current unit or event. is_read: pmumap keeps it. */
static inline void pmumap_imc_check_scale_(const struct pmumap_imc_checker_ *c, uint32_t row,
					   int is_read)
{
	const char *scale = pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_SCALE_);
	const char *measure = pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_UNIT_);
	uint64_t mantissa;
	int32_t exponent;

	if (scale && !*scale)
		PMUMAP_IMC_TELL_(c, SCALE_EMPTY, WARNING, "scale", row, 0);
	else if (scale && is_read && !pmumap_imc_scale(scale, &mantissa, &exponent))
		PMUMAP_IMC_TELL_(c, SCALE_BAD, WARNING, "scale", row, 0);
	if (measure && !*measure)
		PMUMAP_IMC_TELL_(c, SCALE_EMPTY, WARNING, "unit", row, 0);
}

/* Like pmumap_imc_read_cell_(), but report a wrong width. name: of the property. */
static inline int pmumap_imc_check_cell_(const struct pmumap_imc_checker_ *c, uint32_t property,
					 const char *name, uint32_t *value)
{
	int found = pmumap_imc_read_cell_(&c->b, property, value);
	uint32_t bytes;

	(void)pmumap_fdt_value_(&c->b.w, property, &bytes);
	if (found < 0)
		PMUMAP_IMC_TELL_(c, CELL_WIDTH, ERROR, name, c->units, bytes);
	return found;
}

/* Report why the current unit has no type. */
static inline void pmumap_imc_check_type_(const struct pmumap_imc_checker_ *c)
{
	uint32_t type = 0;
	int found = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_TYPE_, "type", &type);

	if (found == 0)
		PMUMAP_IMC_TELL_(c, TYPE_MISSING, ERROR, "type", c->units, 0);
	else if (found > 0)
		PMUMAP_IMC_TELL_(c, TYPE_UNKNOWN, ERROR, "type", c->units, type);
}

/* Check the window of the current nest unit, and the control block in it. */
static inline void pmumap_imc_check_window_(const struct pmumap_imc_checker_ *c, int known)
{
	uint32_t window = known ? c->b.nest_size : 0, at = 0, ignored;
	int size = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_SIZE_, "size", &window);
	int offset = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_OFFSET_, "offset", &ignored);
	int control = pmumap_imc_check_cell_(c, PMUMAP_IMC_P_CONTROL_, "cb_offset", &at);

	if (size < 0 || offset < 0)
		return;
	if (window == 0)
		PMUMAP_IMC_TELL_(c, WINDOW_MISSING, ERROR, "size", c->units, 0);
	else if (!offset && !known)
		PMUMAP_IMC_TELL_(c, WINDOW_MISSING, ERROR, "offset", c->units, 0);
	else if (control > 0 &&
		 (window < PMUMAP_IMC_CONTROL_BYTES_ || at > window - PMUMAP_IMC_CONTROL_BYTES_))
		PMUMAP_IMC_TELL_(c, CONTROL_RANGE, WARNING, "cb_offset", c->units, at);
}

/* Check the current unit, which is kept. */
static inline void pmumap_imc_check_kept_unit_(struct pmumap_imc_checker_ *c,
					       const unsigned char *suffix,
					       const struct pmumap_imc_unit_row_ *u)
{
	uint32_t size, bases, chips, phandle = 0, list = u->first;

	pmumap_imc_check_scale_(c, c->units, 1);
	if (u->type == PMUMAP_IMC_NEST)
		pmumap_imc_check_window_(c, *suffix && c->b.nest_window);
	else if (!pmumap_imc_check_cell_(c, PMUMAP_IMC_P_SIZE_, "size", &size) && *suffix == 0)
		PMUMAP_IMC_TELL_(c, WINDOW_MISSING, WARNING, "size", c->units, 0);
	if (!pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_PREFIX_) && c->b.found[PMUMAP_IMC_P_EVENTS_])
		PMUMAP_IMC_TELL_(c, PREFIX_MISSING, WARNING, "events-prefix", c->units, 0);
	(void)pmumap_fdt_value_(&c->b.w, PMUMAP_IMC_P_BASE_, &bases);
	(void)pmumap_fdt_value_(&c->b.w, PMUMAP_IMC_P_CHIP_, &chips);
	if (u->type == PMUMAP_IMC_NEST && u->size &&
	    (bases % 8 || chips % 4 || bases / 8 != chips / 4))
		PMUMAP_IMC_TELL_(c, CHIP_MISMATCH, WARNING, "chip-id", c->units, chips / 4);
	if (u->type != PMUMAP_IMC_TRACE)
		c->counted[list / 32] |= 1u << list % 32; /* traces have no counters */
	(void)pmumap_fdt_cell_(&c->b.w, PMUMAP_IMC_P_EVENTS_, &phandle);
	if (c->b.lists[list].node == 0)
		PMUMAP_IMC_TELL_(c, EVENTS_MISSING, WARNING, "events", c->units, phandle);
}

/* Check the current child as a unit. */
static inline void pmumap_imc_check_unit_(struct pmumap_imc_checker_ *c,
					  const unsigned char *suffix)
{
	struct pmumap_imc_unit_row_ u;
	int kept = pmumap_imc_describe_unit_(&c->b, suffix, &u);

	if (!kept && !u.type)
		pmumap_imc_check_type_(c);
	else if (!kept)
		PMUMAP_IMC_TELL_(c, REG_MISSING, ERROR, "reg", c->units, 0);
	/* Dropped here, or earlier by firmware, which keeps the lists. */
	if (kept <= 0 || c->b.w.depth > 2 || c->b.found[PMUMAP_IMC_P_BASE_] ||
	    c->b.found[PMUMAP_IMC_P_CHIP_])
		c->left_out = 1;
	if (kept > 0) {
		pmumap_imc_check_kept_unit_(c, suffix, &u);
		c->units++;
	}
}

/* The last child has ended: report it if it is a list that no unit uses. */
static inline void pmumap_imc_end_child_(struct pmumap_imc_checker_ *c)
{
	c->node = c->child;
	if (c->unused && !c->left_out)
		PMUMAP_IMC_TELL_(c, LIST_UNUSED, WARNING, 0, PMUMAP_NO_ROW, c->phandle);
	c->unused = 0;
}

/* Begin the current child: a unit, or a list whose events follow. */
static inline void pmumap_imc_check_child_(struct pmumap_imc_checker_ *c)
{
	const unsigned char *suffix = pmumap_imc_begin_child_(&c->b);
	int unread = !suffix && pmumap_imc_compatible_(&c->b, "ibm,ima-counters", 1);

	pmumap_imc_end_child_(c);
	c->node = c->child = c->b.w.offset;
	c->phandle =
		pmumap_fdt_phandle_(&c->b.w, PMUMAP_IMC_P_PHANDLE_, PMUMAP_IMC_P_LINUX_PHANDLE_);
	c->in_unit = suffix || unread;
	if ((unread || (suffix && *suffix)) && !c->old_format++)
		pmumap_imc_tell_(c, PMUMAP_F_OLD_FORMAT, unread ? PMUMAP_ERROR : PMUMAP_WARNING,
				 "compatible", c->units, PMUMAP_NO_ROW, 0);
	if (suffix)
		pmumap_imc_check_unit_(c, suffix);
	if (c->b.list && c->b.list->users && c->b.list->events == 0)
		PMUMAP_IMC_TELL_(c, LIST_EMPTY, ERROR, 0, PMUMAP_NO_ROW, c->phandle);
}

/* Check the current node as an event. */
static inline void pmumap_imc_check_event_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_imc_list_ *list = c->b.list;
	const char *name = pmumap_fdt_text_(&c->b.w, PMUMAP_IMC_P_EVENT_NAME_);
	uint32_t strings[PMUMAP_IMC_STRINGS_], row, number, offset = 0;
	int is_read = pmumap_imc_read_event_(&c->b, strings, &offset);

	if (!c->b.found[PMUMAP_IMC_P_REG_] && !c->b.found[PMUMAP_IMC_P_EVENT_NAME_])
		return;
	row = c->events++;
	pmumap_imc_check_scale_(c, row, is_read);
	if (!name)
		PMUMAP_IMC_TELL_(c, NAME_MISSING, ERROR, "event-name", row, 0);
	else if (!is_read)
		PMUMAP_IMC_TELL_(c, REG_MISSING, ERROR, "reg", row, 0);
	if (name && !*name)
		PMUMAP_IMC_TELL_(c, NAME_MISSING, WARNING, "event-name", row, 0);
	if (is_read && (!list || !list->users))
		c->unused++;
	number = list ? (uint32_t)(list - c->b.lists) : 0;
	if (is_read && list && (c->counted[number / 32] >> number % 32 & 1) &&
	    offset % PMUMAP_IMC_COUNTER_BYTES_)
		PMUMAP_IMC_TELL_(c, OFFSET_ALIGN, WARNING, "reg", PMUMAP_NO_ROW, offset);
}

/* Check all nodes, in the order of the tree. */
static inline void pmumap_imc_check_nodes_(struct pmumap_imc_checker_ *c)
{
	c->units = c->events = c->old_format = c->unused = c->child = 0;
	(void)pmumap_imc_begin_(&c->b);
	while (pmumap_imc_next_(&c->b) > 0) {
		c->node = c->b.w.offset;
		if (c->b.w.depth == c->b.root + 1)
			pmumap_imc_check_child_(c);
		else if (!c->in_unit)
			pmumap_imc_check_event_(c);
	}
	pmumap_imc_end_child_(c);
}

/* ---- imc/check.h: Check lists and units: names, offsets, and counters in one place */
/* Pairs to sort, where a build would put the tables of the map. */
static inline uint32_t (*pmumap_imc_check_pairs_(const struct pmumap_imc_checker_ *c))[2]
{
	return (uint32_t(*)[2])(void *)((char *)c->b.m + c->b.m->head.size);
}

/* The name of the event at a place among the pairs. */
static inline const unsigned char *pmumap_imc_name_at_(const struct pmumap_imc_build_ *b,
						       uint32_t place)
{
	return b->w.blob + PMUMAP_IMC_EVENTS_(b)[PMUMAP_IMC_PAIRS_(b)[place][1]][0];
}

/* Compare two strings, up to their end or this byte. */
static inline int pmumap_imc_compare_texts_(const unsigned char *s, const unsigned char *t,
					    unsigned char end)
{
	for (; *s == *t && *s && *s != end; s++)
		t++;
	return (*s == end ? 0 : *s) - (*t == end ? 0 : *t);
}

static inline int pmumap_imc_compare_names_(const void *context, uint32_t x, uint32_t y)
{
	const struct pmumap_imc_build_ *b = (const struct pmumap_imc_build_ *)context;

	return pmumap_imc_compare_texts_(pmumap_imc_name_at_(b, x), pmumap_imc_name_at_(b, y), 0);
}

/* Report names that a list has twice. */
static inline void pmumap_imc_check_names_(struct pmumap_imc_checker_ *c,
					   const struct pmumap_imc_list_ *list)
{
	uint32_t(*pairs)[2] = pmumap_imc_check_pairs_(c), i;

	for (i = 0; i < list->events; i++) {
		pairs[i][0] = 0;
		pairs[i][1] = list->first + i;
	}
	pmumap_sort_pairs_(pairs, list->events, pmumap_imc_compare_names_, &c->b);
	c->node = list->node;
	for (i = 1; i < list->events; i++) {
		if (!pmumap_imc_compare_names_(&c->b, pairs[i - 1][1], pairs[i][1]))
			PMUMAP_IMC_TELL_(c, NAME_DUPLICATE, WARNING, "event-name", PMUMAP_NO_ROW,
					 PMUMAP_IMC_PAIRS_(&c->b)[pairs[i][1]][0]);
	}
}

static inline uint32_t pmumap_imc_node_of_unit_(const struct pmumap_imc_checker_ *c, uint32_t unit)
{
	/* Behind the tag of a node is its name. */
	return PMUMAP_IMC_UNITS_(c->b.m)[unit].name - 4 - c->b.w.start;
}

/* The offset of a unit's nth event. */
static inline uint32_t pmumap_imc_offset_of_(const struct pmumap_imc_build_ *b,
					     const struct pmumap_imc_unit_row_ *u, uint32_t n)
{
	return u->reg + PMUMAP_IMC_PAIRS_(b)[u->first + n][0];
}

/* Check the offsets of a unit, and count the events that it keeps. */
static inline void pmumap_imc_check_offsets_(struct pmumap_imc_checker_ *c, uint32_t unit)
{
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(c->b.m) + unit;
	uint32_t(*pairs)[2] = PMUMAP_IMC_PAIRS_(&c->b);
	uint32_t events = c->b.lists[u->first].events, n = 0;

	u->first = c->b.lists[u->first].first;
	while (n < events && pmumap_imc_is_kept_(u, pairs[u->first + n][0]))
		n++;
	u->events = n;
	while (n < events && pairs[u->first + n][0] <= ~u->reg)
		n++;
	if (n < events)
		PMUMAP_IMC_TELL_(c, REG_OVERFLOW, ERROR, "reg", unit, pairs[u->first + n][0]);
	if (u->events < n)
		PMUMAP_IMC_TELL_(c, OFFSET_RANGE, ERROR, "reg", unit,
				 pmumap_imc_offset_of_(&c->b, u, u->events));
	if (u->type != PMUMAP_IMC_TRACE && u->reg % PMUMAP_IMC_COUNTER_BYTES_)
		PMUMAP_IMC_TELL_(c, OFFSET_ALIGN, WARNING, "reg", unit, u->reg);
}

/* Report a nest unit that has a counter in its control block. */
static inline void pmumap_imc_check_control_(const struct pmumap_imc_checker_ *c, uint32_t unit)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(c->b.m) + unit;
	uint64_t begin = u->control, at = 0;
	uint32_t n = 0;

	while (n < u->events &&
	       (at = pmumap_imc_offset_of_(&c->b, u, n)) + PMUMAP_IMC_COUNTER_BYTES_ <= begin)
		n++;
	if (u->type == PMUMAP_IMC_NEST && n < u->events && at < begin + PMUMAP_IMC_CONTROL_BYTES_)
		PMUMAP_IMC_TELL_(c, CONTROL_OVERLAP, WARNING, "reg", unit, at);
}

/* Compare the names of units without the address. */
static inline int pmumap_imc_compare_units_(const void *context, uint32_t x, uint32_t y)
{
	const struct pmumap_imc_build_ *b = (const struct pmumap_imc_build_ *)context;

	return pmumap_imc_compare_texts_(b->w.blob + PMUMAP_IMC_UNITS_(b->m)[x].name,
					 b->w.blob + PMUMAP_IMC_UNITS_(b->m)[y].name, '@');
}

/* Report units with the same name: Linux cannot tell their events apart. */
static inline void pmumap_imc_check_unit_names_(struct pmumap_imc_checker_ *c)
{
	uint32_t(*pairs)[2] = pmumap_imc_check_pairs_(c), i, first = 0;

	for (i = 0; i < c->units; i++) {
		pairs[i][0] = PMUMAP_IMC_UNITS_(c->b.m)[i].type == PMUMAP_IMC_NEST;
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, c->units, pmumap_imc_compare_units_, &c->b);
	for (i = 1; i < c->units; i++) {
		if (pairs[first][0] != pairs[i][0] ||
		    pmumap_imc_compare_units_(&c->b, pairs[first][1], pairs[i][1])) {
			first = i;
			continue;
		}
		c->node = pmumap_imc_node_of_unit_(c, pairs[i][1]);
		pmumap_imc_tell_(c, PMUMAP_F_UNIT_DUPLICATE, PMUMAP_WARNING, 0, pairs[i][1],
				 pairs[first][1], 0);
	}
}

/* Whether a unit shares its memory: nest units with one window do, unless it is unknown. */
static inline int pmumap_imc_shares_window_(const struct pmumap_imc_unit_row_ *u)
{
	return u->type == PMUMAP_IMC_NEST && (u->size || u->offset);
}

/* A counter as a number: its unit in the upper 16 bits, and which of the unit's events. */
#define PMUMAP_IMC_UNIT_OF_(counter) ((counter) >> 16)

/* Compare the memory of two counters. */
static inline int pmumap_imc_compare_memories_(const void *context, uint32_t x, uint32_t y)
{
	const struct pmumap_imc_build_ *b = (const struct pmumap_imc_build_ *)context;
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(b->m) + PMUMAP_IMC_UNIT_OF_(x);
	const struct pmumap_imc_unit_row_ *v = PMUMAP_IMC_UNITS_(b->m) + PMUMAP_IMC_UNIT_OF_(y);
	int shared = pmumap_imc_shares_window_(u);

	if (shared != pmumap_imc_shares_window_(v))
		return shared ? -1 : 1;
	x = shared ? u->offset : PMUMAP_IMC_UNIT_OF_(x);
	y = shared ? v->offset : PMUMAP_IMC_UNIT_OF_(y);
	return x < y ? -1 : x > y;
}

/* A byte of a counter's full name, its unit's prefix and its own name; 0 at the end. */
static inline unsigned char pmumap_imc_name_byte_(const struct pmumap_imc_build_ *b,
						  uint32_t counter, uint32_t i)
{
	const struct pmumap_imc_unit_row_ *u =
		PMUMAP_IMC_UNITS_(b->m) + PMUMAP_IMC_UNIT_OF_(counter);

	if (i < u->prefix_bytes)
		return b->w.blob[u->prefix + i];
	return pmumap_imc_name_at_(b, u->first + (counter & 0xffff))[i - u->prefix_bytes];
}

static inline int pmumap_imc_is_same_name_(const struct pmumap_imc_build_ *b, uint32_t x,
					   uint32_t y)
{
	unsigned char byte;
	uint32_t i = 0;

	do {
		byte = pmumap_imc_name_byte_(b, x, i);
		if (byte != pmumap_imc_name_byte_(b, y, i++))
			return 0;
	} while (byte);
	return 1;
}

/*
 * Report a place that n counters share: two with different names, otherwise two units with the same
 * name. The same name twice in one unit is reported as name-duplicate.
 */
static inline void pmumap_imc_check_place_(struct pmumap_imc_checker_ *c, uint32_t (*counters)[2],
					   uint32_t n)
{
	uint32_t first = counters[0][1], other = first, clash = 0, i;

	for (i = 1; i < n && !clash; i++) {
		clash = !pmumap_imc_is_same_name_(&c->b, first, counters[i][1]);
		if (clash || PMUMAP_IMC_UNIT_OF_(other) == PMUMAP_IMC_UNIT_OF_(first))
			other = counters[i][1];
	}
	if (!clash && PMUMAP_IMC_UNIT_OF_(other) == PMUMAP_IMC_UNIT_OF_(first))
		return;
	c->node = pmumap_imc_node_of_unit_(c, PMUMAP_IMC_UNIT_OF_(other));
	pmumap_imc_tell_(c, clash ? PMUMAP_F_OFFSET_CLASH : PMUMAP_F_OFFSET_ALIAS,
			 clash ? PMUMAP_WARNING : PMUMAP_NOTE, "reg", PMUMAP_IMC_UNIT_OF_(other),
			 PMUMAP_IMC_UNIT_OF_(first), counters[0][0]);
}

/* Report places that several counters share, each place once. */
static inline void pmumap_imc_check_places_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(c->b.m);
	uint32_t(*counters)[2] = pmumap_imc_check_pairs_(c), i, k, n = 0;

	for (i = 0; i < c->units; i++, u++) {
		for (k = 0; u->type != PMUMAP_IMC_TRACE && k < u->events; k++, n++) {
			counters[n][0] = pmumap_imc_offset_of_(&c->b, u, k);
			counters[n][1] = i << 16 | k;
		}
	}
	pmumap_sort_pairs_(counters, n, pmumap_imc_compare_memories_, &c->b);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && counters[k][0] == counters[i][0]; k++) {
			if (pmumap_imc_compare_memories_(&c->b, counters[k][1], counters[i][1]))
				break;
		}
		pmumap_imc_check_place_(c, counters + i, k - i);
	}
}

static inline void pmumap_imc_check_units_(struct pmumap_imc_checker_ *c)
{
	uint32_t i;

	for (i = 0; i < c->units; i++) {
		c->node = pmumap_imc_node_of_unit_(c, i);
		pmumap_imc_check_offsets_(c, i);
		pmumap_imc_check_control_(c, i);
	}
	pmumap_imc_check_unit_names_(c);
	pmumap_imc_check_places_(c);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_imc_options *opt,
							    void *mem, size_t bytes,
							    pmumap_report_fn *report, void *arg)
{
	struct pmumap_imc_checker_ c;
	enum pmumap_status status =
		report ? pmumap_imc_collect_tree_(&c.b, fdt, fdt_size, opt, mem, bytes)
		       : PMUMAP_E_ARG;
	uint32_t i;

	if (status != PMUMAP_OK)
		return status;
	c.left_out = c.in_unit = 0;
	pmumap_zero_words_(c.counted, sizeof(c.counted));
	c.report = 0;
	pmumap_imc_check_nodes_(&c); /* to learn whether units were dropped */
	c.report = report;
	c.arg = arg;
	pmumap_imc_check_nodes_(&c);
	for (i = 0; i < c.b.list_count; i++) {
		if (c.b.lists[i].users)
			pmumap_imc_check_names_(&c, &c.b.lists[i]);
	}
	pmumap_imc_check_units_(&c);
	return PMUMAP_OK;
}

#endif /* PMUMAP_IMC_CHECK_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
