/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_fdt.h 0.3.1 -- build a map from an untrusted flattened device tree.
 *
 * QUICK START
 *	#include "pmumap_fdt.h"			// includes pmumap.h
 *
 *	static uint64_t block[PMUMAP_BLOCK(64, 64, 64) / 8];	// rows of each table
 *	size_t fdt_size = pmumap_fdt_size(fdt), need;
 *	const struct pmumap *map;
 *	struct pmumap_job job;
 *	enum pmumap_status status;
 *
 *	status = pmumap_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status == PMUMAP_E_NOSPACE) {	// more rows: measure first, with a heap
 *		status = pmumap_fdt_measure(fdt, fdt_size, 0, &need);
 *		if (status == PMUMAP_OK)
 *			status = pmumap_fdt_build(fdt, fdt_size, 0, malloc(need), need, &map);
 *	}
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no PMU, a bad blob, ...
 *		return;
 *	}
 *	// dTLB read misses; counters: the hart's unused ones; features: see pmumap_fdt_harts()
 *	int counter = pmumap_plan(map, 0x10019, 0, counters, features, PMUMAP_RULE_ABSENT, &job);
 *
 * WHAT IS READ
 *   The first node that is compatible with "riscv,pmu", wherever it is. opt->node selects another,
 *   such as that of a hart. It has up to three tables:
 *	riscv,event-to-mhpmevent	<event selector-hi selector-lo>
 *	riscv,event-to-mhpmcounters	<first-event last-event counters>
 *	riscv,raw-event-to-mhpmcounters	<select-hi select-lo mask-hi mask-lo counters>
 *   If a table is missing, its form of 2021 is read: the prefix is "pmu,", and raw rows have no
 *   mask. Nodes of the drafts of 2018-2020, which have the same compatible, are skipped.
 *
 * CONTRACT
 *   As in pmumap.h, and:
 *   Blob	any bytes at any address are safe. A tree has version 17 and at most 64 levels. It
 *		is validated in one pass before any row is used; libfdt is not needed. Only
 *		pmumap_fdt_emit() and pmumap_fdt_fixup() write to it.
 *   Offsets	of nodes are libfdt's, in and out: pass them to fdt_get_path() and so on.
 */
#include "pmumap.h"

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

#ifndef PMUMAP_FDT_H
#define PMUMAP_FDT_H

/* ---- fdt/size_api.h: The length of a blob */
#ifndef PMUMAP_HAS_FDT_SIZE_API_
#define PMUMAP_HAS_FDT_SIZE_API_
/*
 * The size in the header of the blob that starts here; 0 if none does, or for NULL. It reads 8
 * bytes. For an untrusted blob, you must know by other means how much memory is readable.
 */
PMUMAP_API uint32_t pmumap_fdt_size(const void *fdt);
#endif /* PMUMAP_HAS_FDT_SIZE_API_ */

/* ---- riscv/fdt_api.h: Trees in and out */
/* How to read a tree. Zero-initialise for the defaults, or pass NULL. */
struct pmumap_fdt_options {
	int node; /* libfdt's offset of the node, of any compatible; 0: the first riscv,pmu */
};

/*
 * Bytes of block that pmumap_fdt_build() needs for the same tree and options; always enough.
 *
 * Errors   those of pmumap_fdt_build() except E_NOSPACE.
 * Cost     one pass over the blob, and one over the rows.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes);

/*
 * Validate the blob, read the PMU node and build the map.
 *
 * Any blob at any address is safe: no read outside fdt_size or the size in its header, no write
 * outside the block. If the two overlap, it returns E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*, E_NOTFOUND.
 * Cost     O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
					       const struct pmumap_fdt_options *opt, void *mem,
					       size_t bytes, const struct pmumap **map);

/*
 * A child of /cpus that is a cpu by device_type or name. Its node is the first riscv,pmu whose
 * interrupts-extended, two cells an entry, names the interrupt controller that is its own child; if
 * none does, the first one without that property.
 */
struct pmumap_fdt_hart {
	uint64_t hart;     /* its mhartid (reg) */
	int node;          /* libfdt's offset of its node, or PMUMAP_NO_NODE */
	uint32_t features; /* PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF, PMUMAP_DELEGATED */
	/* Private. */
	uint32_t cpu, phandle;
};

/*
 * List all harts of a tree, each once, sorted by hart. Harts with one node can share a map: build
 * it with options.node, or by pmumap_fdt_add_node(). Features are those of riscv,isa-extensions, or
 * of riscv,isa if that is absent.
 *
 * Returns  PMUMAP_OK and *count harts; with E_NOSPACE, *count is a room that is enough.
 * Errors   E_ARG, E_NOSPACE, E_FDT_*.
 * Cost     O(n log n) for any n bytes of blob: two passes, and two sorts of the harts.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_harts(const void *fdt, size_t fdt_size,
					       struct pmumap_fdt_hart *harts, size_t room,
					       size_t *count);

/* Find a hart in such a list. Returns NULL if the tree does not have it. */
PMUMAP_API const struct pmumap_fdt_hart *pmumap_fdt_hart_find(const struct pmumap_fdt_hart *harts,
							      size_t count, uint64_t hart);

/*
 * Add the rows of the node at libfdt's offset. Any blob and offset are safe, but only this node is
 * validated: one pass over its properties. On failure nothing is added.
 * Errors   E_NODE, E_FDT_*; E_ARG, also if the tree overlaps the builder's block.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_add_node(struct pmumap_builder *b, const void *fdt,
						  size_t fdt_size, int node);

/*
 * The functions below edit a tree at the start of a buffer of this many bytes, into which it may
 * grow. They validate it first. A map must not overlap the buffer: E_ARG. On failure the tree is
 * unchanged. With OK and E_NOSPACE, *need (unless NULL) is the buffer size needed.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_NODE, E_FDT_*.
 * Cost     one pass over the blob and, if it grows, one move of the bytes behind.
 */

/*
 * Write a map as node "pmu" below the node at libfdt's offset parent. An existing "pmu" node keeps
 * its other properties. Reading the node yields the same map. For a guest, write the map of
 * pmumap_restrict().
 */
PMUMAP_API enum pmumap_status pmumap_fdt_emit(void *fdt, size_t bytes, int parent,
					      const struct pmumap *m, size_t *need);

/*
 * Delete the tables from every riscv,pmu node: they are for firmware, not for the next stage. The
 * tree does not grow.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_fixup(void *fdt, size_t bytes);

#endif /* PMUMAP_FDT_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_fdt.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_FDT_IMPLEMENTED_)
#define PMUMAP_FDT_IMPLEMENTED_

/* ---- fdt/blob.h: Cells and strings of an untrusted blob */
#ifndef PMUMAP_HAS_FDT_BLOB_
#define PMUMAP_HAS_FDT_BLOB_
#define PMUMAP_FDT_MAGIC_NUMBER_ 0xd00dfeedu
#define PMUMAP_FDT_DEPTH_ 64u

enum {
	PMUMAP_FDT_MAGIC_,
	PMUMAP_FDT_TOTAL_,
	PMUMAP_FDT_TAGS_,
	PMUMAP_FDT_NAMES_,
	PMUMAP_FDT_RESERVED_,
	PMUMAP_FDT_VERSION_,
	PMUMAP_FDT_COMPATIBLE_WITH_,
	PMUMAP_FDT_NAMES_SIZE_ = 8,
	PMUMAP_FDT_TAGS_SIZE_,
	PMUMAP_FDT_CELLS_
};

/* Whether a part of the blob is in bounds: behind the header, and up to total. */
static inline int pmumap_fdt_holds_part_(uint32_t total, uint32_t offset, uint32_t bytes)
{
	return offset >= 4 * PMUMAP_FDT_CELLS_ && offset <= total && bytes <= total - offset;
}

/*
 * Compare a terminated string with a literal; prefix: only its beginning. Returns the rest of the
 * string, or NULL if they differ.
 */
static inline const unsigned char *pmumap_fdt_match_string_(const unsigned char *s,
							    const char *text, int prefix)
{
	while (*text && *s == (unsigned char)*text) {
		s++;
		text++;
	}
	return *text == 0 && (prefix || *s == 0) ? s : 0;
}

/* The same for a list of strings; the first match wins. */
static inline const unsigned char *pmumap_fdt_match_list_(const unsigned char *s, uint32_t bytes,
							  const char *text, int prefix)
{
	const unsigned char *found = 0;
	uint32_t from = 0, i;

	for (i = 0; i < bytes && !found; i++) {
		if (s[i])
			continue;
		found = pmumap_fdt_match_string_(s + from, text, prefix);
		from = i + 1;
	}
	return found;
}

enum {
	PMUMAP_FDT_BEGIN_NODE_ = 1,
	PMUMAP_FDT_END_NODE_ = 2,
	PMUMAP_FDT_PROPERTY_ = 3,
	PMUMAP_FDT_NOP_ = 4,
	PMUMAP_FDT_END_ = 9
};

#define PMUMAP_FDT_PROPERTY_HEAD_ 12u /* bytes before a property's value: tag, length, name */

/* The value at this offset of the blob, and its length; NULL and 0 for offset 0. */
static inline const unsigned char *pmumap_fdt_value_at_(const unsigned char *blob, uint32_t at,
							uint32_t *bytes)
{
	*bytes = at ? pmumap_load_be32_(blob + at - 8) : 0;
	return at ? blob + at : 0;
}

/* The blob's size by its header, at most fdt_size. Nothing behind it is read. */
static inline size_t pmumap_fdt_blob_bytes_(const void *fdt, size_t fdt_size)
{
	uint32_t total = fdt_size < 8 ? 0 : pmumap_load_be32_((const unsigned char *)fdt + 4);

	return total < fdt_size ? total : fdt_size;
}
#endif /* PMUMAP_HAS_FDT_BLOB_ */

/* ---- fdt/size.h: The size of a blob */
#ifndef PMUMAP_HAS_FDT_SIZE_
#define PMUMAP_HAS_FDT_SIZE_
PMUMAP_DEF uint32_t pmumap_fdt_size(const void *fdt)
{
	const unsigned char *p = (const unsigned char *)fdt;

	if (!p || pmumap_load_be32_(p) != PMUMAP_FDT_MAGIC_NUMBER_)
		return 0;
	return pmumap_load_be32_(p + 4) < 4 * PMUMAP_FDT_CELLS_ ? 0 : pmumap_load_be32_(p + 4);
}
#endif /* PMUMAP_HAS_FDT_SIZE_ */

/* ---- fdt/next.h: One walk over the nodes of an untrusted blob, with the properties that a reader wants */
#ifndef PMUMAP_HAS_FDT_NEXT_
#define PMUMAP_HAS_FDT_NEXT_
/*
 * A reader lists the properties it wants once, as X(NAME, "name"). A '*' at the end matches any
 * rest. From its list it makes an enum and, with these macros, the concatenated texts and their
 * lengths.
 */
#define PMUMAP_FDT_WANT_(name, text) text "\0"
#define PMUMAP_FDT_WANT_BYTES_(name, text) sizeof(text),

/*
 * Invariant: start <= at <= end; at and end are multiples of 4 from start; end is in bounds; every
 * offset below names_bytes is a terminated string.
 */
struct pmumap_fdt_cursor_ {
	const unsigned char *blob;
	uint32_t start, at, end;
	uint32_t names, names_bytes;
	uint32_t depth, offset; /* of the current node */
	uint32_t closed;        /* the root has ended */
	const char *wanted;     /* the texts */
	const unsigned char *lengths;
	uint32_t count;       /* so many of them are wanted now */
	uint32_t *found;      /* for each, the offset of its value in the current node, or 0 */
	uint32_t (*memos)[2]; /* for memo.h */
};

/*
 * Returns a property's number by its name in the blob, or count if it is not wanted:
 * pmumap_fdt_number_(), or that of memo.h. NULL wants none: programs that only edit trees link no
 * search. It is an argument of the walk, not a member, so that compilers inline it.
 */
typedef uint32_t pmumap_fdt_number_fn_(const struct pmumap_fdt_cursor_ *c,
				       const unsigned char *name);

/* Validate the header, and go before the root. */
static inline enum pmumap_status pmumap_fdt_begin_(struct pmumap_fdt_cursor_ *c, const void *fdt,
						   size_t size)
{
	uint32_t h[PMUMAP_FDT_CELLS_], i;

	c->blob = (const unsigned char *)fdt;
	for (i = 0; i < PMUMAP_FDT_CELLS_ && 4 * i + 4 <= size; i++)
		h[i] = pmumap_load_be32_(c->blob + 4 * i);
	if (i && h[PMUMAP_FDT_MAGIC_] != PMUMAP_FDT_MAGIC_NUMBER_)
		return PMUMAP_E_FDT_MAGIC;
	if (i < PMUMAP_FDT_CELLS_)
		return PMUMAP_E_FDT_SIZE;
	if (h[PMUMAP_FDT_VERSION_] < 17 || h[PMUMAP_FDT_COMPATIBLE_WITH_] > 17)
		return PMUMAP_E_FDT_VERSION;
	if (h[PMUMAP_FDT_TOTAL_] > size || h[PMUMAP_FDT_TOTAL_] > PMUMAP_MAX_BYTES_ ||
	    h[PMUMAP_FDT_TAGS_] % 4 || h[PMUMAP_FDT_RESERVED_] % 8 ||
	    !pmumap_fdt_holds_part_(h[PMUMAP_FDT_TOTAL_], h[PMUMAP_FDT_RESERVED_], 16) ||
	    !pmumap_fdt_holds_part_(h[PMUMAP_FDT_TOTAL_], h[PMUMAP_FDT_TAGS_],
				    h[PMUMAP_FDT_TAGS_SIZE_]) ||
	    !pmumap_fdt_holds_part_(h[PMUMAP_FDT_TOTAL_], h[PMUMAP_FDT_NAMES_],
				    h[PMUMAP_FDT_NAMES_SIZE_]))
		return PMUMAP_E_FDT_SIZE;
	c->start = c->at = h[PMUMAP_FDT_TAGS_];
	c->end = c->start + h[PMUMAP_FDT_TAGS_SIZE_] / 4 * 4;
	c->names = h[PMUMAP_FDT_NAMES_];
	c->names_bytes = h[PMUMAP_FDT_NAMES_SIZE_];
	while (c->names_bytes && c->blob[c->names + c->names_bytes - 1])
		c->names_bytes--;
	c->depth = c->offset = c->closed = 0;
	return PMUMAP_OK;
}

/* The current node's name, terminated in bounds. */
static inline const unsigned char *pmumap_fdt_name_(const struct pmumap_fdt_cursor_ *c)
{
	return c->blob + c->start + c->offset + 4;
}

static inline uint32_t pmumap_fdt_number_(const struct pmumap_fdt_cursor_ *c,
					  const unsigned char *name)
{
	const char *text = c->wanted;
	uint32_t i, k;

	for (i = 0; i < c->count; text += c->lengths[i++]) {
		k = 0;
		while (name[k] && name[k] == (unsigned char)text[k])
			k++;
		if (text[k] == '*' || (text[k] == 0 && name[k] == 0))
			break;
	}
	return i;
}

/* Skip a property. If it is wanted and the first of its name, store where its value is. */
PMUMAP_INLINE_ int pmumap_fdt_take_property_(struct pmumap_fdt_cursor_ *c,
					     pmumap_fdt_number_fn_ *number)
{
	uint32_t bytes, name, i;

	if (c->end - c->at < 8)
		return 0;
	bytes = pmumap_load_be32_(c->blob + c->at);
	name = pmumap_load_be32_(c->blob + c->at + 4);
	c->at += 8;
	if (bytes > c->end - c->at || name >= c->names_bytes)
		return 0;
	i = number ? number(c, c->blob + c->names + name) : c->count;
	if (i < c->count && !c->found[i])
		c->found[i] = c->at;
	c->at += bytes + (4 - bytes % 4) % 4; /* the rest of the block is a multiple of 4 */
	return 1;
}

/* Enter a node behind its tag. Returns 0 if none may begin here. */
static inline int pmumap_fdt_enter_node_(struct pmumap_fdt_cursor_ *c)
{
	if (c->depth == PMUMAP_FDT_DEPTH_ || c->closed)
		return 0;
	c->offset = c->at - 4 - c->start;
	while (c->at < c->end && c->blob[c->at])
		c->at++;
	if (c->at == c->end)
		return 0;
	c->at += 4 - (c->at - c->start) % 4; /* at least the NUL; end is a multiple of 4 */
	c->depth++;
	pmumap_zero_words_(c->found, c->count * sizeof(*c->found));
	return 1;
}

/* Go to the next node and note its properties. Returns 1; 0 behind the last; -1: malformed. */
PMUMAP_INLINE_ int pmumap_fdt_next_(struct pmumap_fdt_cursor_ *c, pmumap_fdt_number_fn_ *number)
{
	uint32_t open = 0, tag;

	while (c->end - c->at >= 4) {
		tag = pmumap_load_be32_(c->blob + c->at);
		if (open && tag != PMUMAP_FDT_PROPERTY_ && tag != PMUMAP_FDT_NOP_)
			return 1;
		c->at += 4;
		if (tag == PMUMAP_FDT_BEGIN_NODE_) {
			if (!pmumap_fdt_enter_node_(c))
				return -1;
			open = 1;
		} else if (tag == PMUMAP_FDT_END_NODE_) {
			if (c->depth == 0)
				return -1;
			c->closed = --c->depth == 0;
		} else if (tag == PMUMAP_FDT_PROPERTY_) {
			if (!open || !pmumap_fdt_take_property_(c, number))
				return -1;
		} else if (tag != PMUMAP_FDT_NOP_) {
			return tag == PMUMAP_FDT_END_ && c->closed ? 0 : -1;
		}
	}
	return -1;
}

/* The value of a property and its length; NULL and 0 if it is missing. */
static inline const unsigned char *pmumap_fdt_value_(const struct pmumap_fdt_cursor_ *c,
						     uint32_t property, uint32_t *bytes)
{
	return pmumap_fdt_value_at_(c->blob, c->found[property], bytes);
}

/* Read the first cell of a property. Returns 0, and *value is unchanged, if it is missing. */
static inline int pmumap_fdt_cell_(const struct pmumap_fdt_cursor_ *c, uint32_t property,
				   uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(c, property, &bytes);

	if (bytes < 4)
		return 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* The first string of a property; NULL if it is missing or unterminated. */
static inline const char *pmumap_fdt_text_(const struct pmumap_fdt_cursor_ *c, uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_value_(c, property, &bytes);

	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/*
 * The current node's phandle, from its current or older property; 0 if it has neither. 0xffffffff
 * counts as absent: libfdt rejects it too.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_cursor_ *c, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_cell_(c, property, &phandle))
		(void)pmumap_fdt_cell_(c, older, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}
#endif /* PMUMAP_HAS_FDT_NEXT_ */

/* ---- riscv/reader.h: Walk from node to node */
/*
 * Properties of a node: the tables, their names of 2021, and those only in drafts of 2018 to 2020.
 * The last is only read if harts matter.
 */
#define PMUMAP_RISCV_PROPERTY_LIST_(X)                                                             \
	X(COMPATIBLE, "compatible")                                                                \
	X(SELECTORS, "riscv,event-to-mhpmevent")                                                   \
	X(RANGES, "riscv,event-to-mhpmcounters")                                                   \
	X(RAW, "riscv,raw-event-to-mhpmcounters")                                                  \
	X(OLD_SELECTORS, "pmu,event-to-mhpmevent")                                                 \
	X(OLD_RANGES, "pmu,event-to-mhpmcounters")                                                 \
	X(OLD_RAW, "pmu,raw-event-to-mhpmcounters")                                                \
	X(DRAFT_HW, "riscv,hw-*")                                                                  \
	X(DRAFT_WIDTH, "riscv,width-*")                                                            \
	X(HARTS, "interrupts-extended")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_PROPERTY_##name##_,
	PMUMAP_RISCV_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_PROPERTIES_
};

static inline const char *pmumap_riscv_property_texts_(void)
{
	static const char texts[] = PMUMAP_RISCV_PROPERTY_LIST_(PMUMAP_FDT_WANT_);

	return texts;
}

/* A walk; the node that it has chosen, and its tables. */
struct pmumap_reader_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_RISCV_PROPERTIES_];
	uint32_t chosen;                 /* offset of the node */
	uint32_t tables[PMUMAP_TABLES_]; /* offsets of their values in the blob, or 0 */
	uint32_t old;                    /* bit N: table N has its name of 2021 */
};

/* Begin to read a tree. Of each node, read the properties up to end. */
static inline enum pmumap_status
pmumap_riscv_begin_nodes_(struct pmumap_reader_ *r, const void *fdt, size_t fdt_size, uint32_t end)
{
	static const unsigned char lengths[] = { PMUMAP_RISCV_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	r->w.wanted = pmumap_riscv_property_texts_();
	r->w.lengths = lengths;
	r->w.count = end;
	r->w.found = r->found;
	return pmumap_fdt_begin_(&r->w, fdt, fdt_size);
}

/* Go to the next node. One call of the walk for all readers: only edits pass other arguments. */
static inline int pmumap_riscv_next_(struct pmumap_reader_ *r)
{
	return pmumap_fdt_next_(&r->w, pmumap_fdt_number_);
}

/* ---- riscv/fdt.h: Nodes of riscv,pmu */
/*
 * Whether the current node is a PMU by its compatible. 0: no; 1: yes; -1: an old draft, with its
 * own properties instead of the tables.
 */
static inline int pmumap_riscv_is_pmu_node_(const struct pmumap_fdt_cursor_ *w)
{
	uint32_t bytes, tables = 0, i;
	const unsigned char *p = pmumap_fdt_value_(w, PMUMAP_RISCV_PROPERTY_COMPATIBLE_, &bytes);

	if (!pmumap_fdt_match_list_(p, bytes, "riscv,pmu", 0))
		return 0;
	for (i = PMUMAP_RISCV_PROPERTY_SELECTORS_; i <= PMUMAP_RISCV_PROPERTY_OLD_RAW_; i++)
		tables |= w->found[i];
	return !tables && (w->found[PMUMAP_RISCV_PROPERTY_DRAFT_HW_] |
			   w->found[PMUMAP_RISCV_PROPERTY_DRAFT_WIDTH_])
		       ? -1
		       : 1;
}

/* Whether the current node is the one to read: the wanted one, or if that is 0 a riscv,pmu. */
static inline int pmumap_riscv_fits_(const struct pmumap_reader_ *r, uint32_t wanted)
{
	return wanted ? r->w.offset == wanted : pmumap_riscv_is_pmu_node_(&r->w) > 0;
}

/* The name of a table; from PMUMAP_TABLES_ on, its name of 2021. */
static inline const char *pmumap_riscv_table_name_(uint32_t table)
{
	return pmumap_nth_text_(pmumap_riscv_property_texts_(),
				PMUMAP_RISCV_PROPERTY_SELECTORS_ + table);
}

/* Whether a property has the name of a table, current or of 2021. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ int pmumap_riscv_is_table_name_(const unsigned char *name)
{
	const char *text = pmumap_riscv_table_name_(0);
	uint32_t i;

	for (i = 0; i < 2 * PMUMAP_TABLES_; i++, text = pmumap_nth_text_(text, 1)) {
		if (pmumap_fdt_match_string_(name, text, 0))
			return 1;
	}
	return 0;
}

/* Choose the current node's tables. The current name wins over that of 2021. */
static inline void pmumap_riscv_use_node_(struct pmumap_reader_ *r)
{
	const uint32_t *found = r->found + PMUMAP_RISCV_PROPERTY_SELECTORS_;
	uint32_t table;

	r->chosen = r->w.offset;
	r->old = 0;
	for (table = 0; table < PMUMAP_TABLES_; table++) {
		r->tables[table] = found[table];
		if (!found[table]) {
			r->tables[table] = found[table + PMUMAP_TABLES_];
			r->old |= 1u << table;
		}
	}
}

/* A table's form: its number, or that of 2021. The chosen node has it. */
static inline enum pmumap_table pmumap_riscv_form_(const struct pmumap_reader_ *r, uint32_t table)
{
	return table == PMUMAP_TABLE_RAW && (r->old >> PMUMAP_TABLE_RAW & 1)
		       ? PMUMAP_TABLE_RAW_2021
		       : (enum pmumap_table)table;
}

/* Add all rows of the chosen node. */
static inline void pmumap_riscv_read_tables_(const struct pmumap_reader_ *r,
					     struct pmumap_builder *b)
{
	const unsigned char *cells;
	uint32_t table, bytes;

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		cells = pmumap_fdt_value_at_(r->w.blob, r->tables[table], &bytes);
		(void)pmumap_add_table(b, pmumap_riscv_form_(r, table), cells, bytes);
	}
}

/* ---- riscv/read.h: Read a tree into a map */
/* Validate the blob and choose a node: the wanted one, or the first riscv,pmu. */
static inline enum pmumap_status pmumap_riscv_choose_node_(struct pmumap_reader_ *r,
							   const void *fdt, size_t fdt_size,
							   const struct pmumap_fdt_options *opt)
{
	enum pmumap_status status =
		pmumap_riscv_begin_nodes_(r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_HARTS_);
	uint32_t wanted = opt ? (uint32_t)opt->node : 0;
	int more;

	if (status != PMUMAP_OK)
		return status;
	while ((more = pmumap_riscv_next_(r)) > 0) {
		if (r->w.count && pmumap_riscv_fits_(r, wanted)) {
			pmumap_riscv_use_node_(r);
			r->w.count = 0; /* the rest is only validated */
		}
	}
	if (more)
		return PMUMAP_E_FDT_STRUCT;
	if (r->w.count)
		return wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_measure(const void *fdt, size_t fdt_size,
						 const struct pmumap_fdt_options *opt,
						 size_t *bytes)
{
	struct pmumap_reader_ r;
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	*bytes = 0;
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	pmumap_begin(&b, 0, 0);
	pmumap_riscv_read_tables_(&r, &b);
	*bytes = pmumap_need(&b);
	return pmumap_finish(&b, 0);
}

/* Begin the map of a tree in a block. Returns 0 if an argument is wrong. */
static inline int pmumap_riscv_begin_tree_(struct pmumap_builder *b, const void *fdt,
					   size_t fdt_size, void *mem, size_t bytes)
{
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return 0;
	pmumap_begin(b, mem, bytes);
	return 1;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_build(const void *fdt, size_t fdt_size,
							    const struct pmumap_fdt_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap **map)
{
	struct pmumap_reader_ r;
	struct pmumap_builder b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!pmumap_riscv_begin_tree_(&b, fdt, fdt_size, mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	pmumap_riscv_read_tables_(&r, &b);
	return pmumap_finish(&b, map);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_fdt_add_node(struct pmumap_builder *b, const void *fdt, size_t fdt_size, int node)
{
	struct pmumap_reader_ r;
	enum pmumap_status status;
	uint32_t at = (uint32_t)node;

	if (!fdt ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), b->mem, b->bytes))
		return PMUMAP_E_ARG;
	status = pmumap_riscv_begin_nodes_(&r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_HARTS_);
	if (status != PMUMAP_OK)
		return status;
	if (at % 4 || at >= r.w.end - r.w.start ||
	    pmumap_load_be32_(r.w.blob + r.w.start + at) != PMUMAP_FDT_BEGIN_NODE_)
		return PMUMAP_E_NODE;
	r.w.at += at;
	if (pmumap_riscv_next_(&r) < 0)
		return PMUMAP_E_FDT_STRUCT;
	pmumap_riscv_use_node_(&r);
	pmumap_riscv_read_tables_(&r, b);
	return b->status;
}

/* ---- core/words.h: Compare text that people write */
#ifndef PMUMAP_HAS_CORE_WORDS_
#define PMUMAP_HAS_CORE_WORDS_
/* Text is compared in lower case, with '_' as '-'. */
static inline char pmumap_fold_case_(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c == '_' ? '-' : c;
}

/* Skip a word if the text begins with it. Returns 1; or 0, and *at is unchanged. */
static inline int pmumap_skip_word_(const char **at, const char *end, const char *word)
{
	const char *c = *at;

	for (; *word; word++, c++) {
		if (c == end || pmumap_fold_case_(*c) != pmumap_fold_case_(*word))
			return 0;
	}
	*at = c;
	return 1;
}
#endif /* PMUMAP_HAS_CORE_WORDS_ */

/* ---- fdt/address.h: Addresses of nodes */
#ifndef PMUMAP_HAS_FDT_ADDRESS_
#define PMUMAP_HAS_FDT_ADDRESS_
/* The current node's #address-cells, whose number is property; 2 if they are missing. */
static inline uint32_t pmumap_fdt_address_cells_(const struct pmumap_fdt_cursor_ *c,
						 uint32_t property)
{
	uint32_t cells = 2;

	(void)pmumap_fdt_cell_(c, property, &cells);
	return cells;
}

/*
 * Read an address of this many cells from a property. Returns 0 if it is too short, or cells is not
 * 1 or 2.
 */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_cursor_ *c, uint32_t property,
					  uint32_t cells, uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(c, property, &bytes);

	if (cells < 1 || cells > 2 || bytes / 4 < cells)
		return 0;
	*address = cells == 2 ? pmumap_load_be64_(p) : pmumap_load_be32_(p);
	return 1;
}
#endif /* PMUMAP_HAS_FDT_ADDRESS_ */

/* ---- riscv/hart.h: A hart in /cpus, its features and its interrupt controller */
/* Properties of a hart and its controller. The last two are only read by a check. */
#define PMUMAP_RISCV_HART_LIST_(X)                                                                 \
	X(REG, "reg")                                                                              \
	X(CELLS, "#address-cells")                                                                 \
	X(TYPE, "device_type")                                                                     \
	X(PHANDLE, "phandle")                                                                      \
	X(CONTROLLER, "interrupt-controller")                                                      \
	X(EXTENSIONS, "riscv,isa-extensions")                                                      \
	X(ISA, "riscv,isa")                                                                        \
	X(STATUS, "status")                                                                        \
	X(SERVED, "interrupts-extended")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_HART_##name##_,
	PMUMAP_RISCV_HART_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_HART_PROPERTIES_
};

/* The first four letters of the node "cpus", and those of "cpu" with its NUL. */
#define PMUMAP_RISCV_CPUS_ 0x63707573u
#define PMUMAP_RISCV_CPU_ 0x63707500u

enum { PMUMAP_RISCV_IN_CPUS_ = 1, PMUMAP_RISCV_IN_HART_ = 2 };

/* A walk that lists harts; place: where it is. */
struct pmumap_riscv_list_ {
	struct pmumap_reader_ r;
	struct pmumap_fdt_hart *harts;
	size_t room, count;
	uint32_t place;
	uint32_t cells; /* of an address in /cpus */
};

/*
 * Whether a string like "rv64imafdc_zicntr_sscofpmf1p0" lists an extension. The first word behind
 * the single letters needs no '_': "rv64imacsscofpmf_svpbmt".
 */
static inline int pmumap_riscv_isa_lists_(const char *isa, const char *end, const char *name)
{
	int letters = 1;

	for (; isa < end && *isa; isa++) {
		char c = pmumap_fold_case_(*isa);
		const char *at = isa;

		if (*isa == '_')
			at++;
		else if (!letters || (c != 's' && c != 'x' && c != 'z'))
			continue;
		letters = 0;
		if (pmumap_skip_word_(&at, end, name) &&
		    (at == end || *at == 0 || *at == '_' || (*at >= '0' && *at <= '9')))
			return 1;
	}
	return 0;
}

/* Whether the current node, a hart, has an extension. */
static inline int pmumap_riscv_has_extension_(const struct pmumap_fdt_cursor_ *w, const char *name)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_EXTENSIONS_, &bytes);

	if (p)
		return pmumap_fdt_match_list_(p, bytes, name, 0) != 0;
	p = pmumap_fdt_value_(w, PMUMAP_RISCV_HART_ISA_, &bytes);
	return p && pmumap_riscv_isa_lists_((const char *)p, (const char *)p + bytes, name);
}

/* The features of the current node, a hart. */
static inline uint32_t pmumap_riscv_features_(const struct pmumap_fdt_cursor_ *w)
{
	uint32_t features = 0;

	if (pmumap_riscv_has_extension_(w, "sscofpmf"))
		features |= PMUMAP_SSCOFPMF;
	if (pmumap_riscv_has_extension_(w, "smcntrpmf"))
		features |= PMUMAP_SMCNTRPMF;
	if (pmumap_riscv_has_extension_(w, "smcdeleg") && pmumap_riscv_has_extension_(w, "ssccfg"))
		features |= PMUMAP_DELEGATED;
	return features;
}

/* Begin to list harts. Of each node, read the properties up to end. */
static inline enum pmumap_status pmumap_riscv_begin_list_(struct pmumap_riscv_list_ *l,
							  const void *fdt, size_t fdt_size,
							  uint32_t end)
{
	static const char texts[] = PMUMAP_RISCV_HART_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_RISCV_HART_LIST_(PMUMAP_FDT_WANT_BYTES_) };

	l->r.w.wanted = texts;
	l->r.w.lengths = lengths;
	l->r.w.count = end;
	l->r.w.found = l->r.found;
	l->count = 0;
	return pmumap_fdt_begin_(&l->r.w, fdt, fdt_size);
}

/* The first four letters of the current node's name, padded with NULs. */
static inline uint32_t pmumap_riscv_name_start_(const struct pmumap_fdt_cursor_ *w)
{
	return pmumap_load_be32_(pmumap_fdt_name_(w));
}

/* Whether the current node is /cpus. Ask down to depth 2. */
static inline int pmumap_riscv_is_cpus_(const struct pmumap_fdt_cursor_ *w)
{
	return pmumap_riscv_name_start_(w) == PMUMAP_RISCV_CPUS_ && pmumap_fdt_name_(w)[4] == 0;
}

/*
 * Whether the current node, a child of /cpus, is a cpu: by its device_type or its name without the
 * address, as in Linux.
 */
static inline int pmumap_riscv_is_cpu_(const struct pmumap_fdt_cursor_ *w)
{
	uint32_t type = 0;

	(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_HART_TYPE_, &type);
	return type == PMUMAP_RISCV_CPU_ ||
	       (pmumap_riscv_name_start_(w) & ~(uint32_t)'@') == PMUMAP_RISCV_CPU_;
}

/*
 * Note the current node. Returns 1 if it is a hart; it is the last in the table then, if there is
 * room. The first interrupt controller with a phandle is the hart's.
 */
static inline int pmumap_riscv_list_hart_(struct pmumap_riscv_list_ *l)
{
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	struct pmumap_fdt_hart *h;
	uint64_t id;

	if (w->depth < 3) {
		l->place = (uint32_t)pmumap_riscv_is_cpus_(w);
		l->cells = pmumap_fdt_address_cells_(w, PMUMAP_RISCV_HART_CELLS_);
	} else if (w->depth == 3) {
		l->place &= PMUMAP_RISCV_IN_CPUS_;
		if (!l->place || !pmumap_riscv_is_cpu_(w) ||
		    !pmumap_fdt_reg_address_(w, PMUMAP_RISCV_HART_REG_, l->cells, &id))
			return 0;
		l->place |= PMUMAP_RISCV_IN_HART_;
		if (l->count++ < l->room) {
			h = &l->harts[l->count - 1];
			h->hart = id;
			h->node = PMUMAP_NO_NODE;
			h->features = h->phandle = 0;
			h->cpu = w->offset;
		}
		return 1;
	} else if (w->depth == 4 && (l->place & PMUMAP_RISCV_IN_HART_) && l->count <= l->room &&
		   w->found[PMUMAP_RISCV_HART_CONTROLLER_]) {
		h = &l->harts[l->count - 1];
		if (!h->phandle)
			(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_HART_PHANDLE_, &h->phandle);
	}
	return 0;
}

/* ---- riscv/harts.h: The node of every hart */
/* Orders of a table: by interrupt controller, and in the end by hart. */
enum { PMUMAP_RISCV_BY_PHANDLE_, PMUMAP_RISCV_BY_HART_ };

static inline uint64_t pmumap_riscv_hart_key_(const struct pmumap_fdt_hart *h, int order)
{
	return order == PMUMAP_RISCV_BY_HART_ ? h->hart : h->phandle;
}

/* With equal keys, the first in the tree comes first. */
static inline int pmumap_riscv_is_hart_before_(const struct pmumap_fdt_hart *a,
					       const struct pmumap_fdt_hart *b, int order)
{
	uint64_t left = pmumap_riscv_hart_key_(a, order), right = pmumap_riscv_hart_key_(b, order);

	return left != right ? left < right : a->cpu < b->cpu;
}

/* Member by member, because compilers turn an assignment into memcpy. */
static inline void pmumap_riscv_copy_hart_(struct pmumap_fdt_hart *to,
					   const struct pmumap_fdt_hart *from)
{
	to->hart = from->hart;
	to->node = from->node;
	to->features = from->features;
	to->cpu = from->cpu;
	to->phandle = from->phandle;
}

/* Sort without spare memory: make a heap, then take it apart from its end. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_sort_harts_(struct pmumap_fdt_hart *h, size_t n,
							   int order)
{
	size_t root = n / 2, at, child;
	struct pmumap_fdt_hart x;

	while (n > 1) {
		if (root) {
			pmumap_riscv_copy_hart_(&x, &h[--root]);
		} else {
			pmumap_riscv_copy_hart_(&x, &h[--n]);
			pmumap_riscv_copy_hart_(&h[n], &h[0]);
		}
		for (at = root; (child = 2 * at + 1) < n; at = child) {
			if (child + 1 < n &&
			    pmumap_riscv_is_hart_before_(&h[child], &h[child + 1], order))
				child++;
			if (!pmumap_riscv_is_hart_before_(&x, &h[child], order))
				break;
			pmumap_riscv_copy_hart_(&h[at], &h[child]);
		}
		pmumap_riscv_copy_hart_(&h[at], &x);
	}
}

/* Search a sorted table. Returns the index of the first hart with this key, or n. */
static inline size_t pmumap_riscv_find_hart_(const struct pmumap_fdt_hart *h, size_t n,
					     uint64_t key, int order)
{
	size_t from = 0, to = n, middle;

	while (from < to) {
		middle = from + (to - from) / 2;
		if (pmumap_riscv_hart_key_(&h[middle], order) < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from < n && pmumap_riscv_hart_key_(&h[from], order) == key ? from : n;
}

/*
 * Give the harts with this phandle to a node, unless one has them. Returns the first, or NULL. They
 * are given all at once, so a row that names them again costs no more if they are many.
 */
static inline struct pmumap_fdt_hart *pmumap_riscv_serve_harts_(struct pmumap_riscv_list_ *l,
								uint32_t phandle, uint32_t node)
{
	struct pmumap_fdt_hart *h = l->harts;
	size_t n = l->count, i, first;

	first = phandle ? pmumap_riscv_find_hart_(h, n, phandle, PMUMAP_RISCV_BY_PHANDLE_) : n;
	for (i = first; i < n && h[i].phandle == phandle && h[i].node == PMUMAP_NO_NODE; i++)
		h[i].node = (int)node;
	return first < n ? &h[first] : 0;
}

/* Give harts to the nodes that name them. Returns the node of all others. The blob is valid. */
static inline int pmumap_riscv_serve_named_(struct pmumap_riscv_list_ *l, const void *fdt,
					    size_t fdt_size)
{
	const struct pmumap_fdt_cursor_ *w = &l->r.w;
	const unsigned char *p;
	int rest = PMUMAP_NO_NODE;
	uint32_t bytes;

	(void)pmumap_riscv_begin_nodes_(&l->r, fdt, fdt_size, PMUMAP_RISCV_PROPERTIES_);
	while (pmumap_riscv_next_(&l->r) > 0) {
		if (pmumap_riscv_is_pmu_node_(w) <= 0)
			continue;
		p = pmumap_fdt_value_(w, PMUMAP_RISCV_PROPERTY_HARTS_, &bytes);
		if (!p && rest == PMUMAP_NO_NODE)
			rest = (int)w->offset;
		for (; bytes >= 8; bytes -= 8, p += 8)
			(void)pmumap_riscv_serve_harts_(l, pmumap_load_be32_(p), w->offset);
	}
	return rest;
}

/* Of harts with one number, which are adjacent, keep the first. Give rest those without a node. */
static inline size_t pmumap_riscv_merge_harts_(struct pmumap_fdt_hart *h, size_t n, int rest)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (h[i].node == PMUMAP_NO_NODE)
			h[i].node = rest;
		if (!kept || h[kept - 1].hart != h[i].hart)
			pmumap_riscv_copy_hart_(&h[kept++], &h[i]);
	}
	return kept;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_fdt_harts(const void *fdt, size_t fdt_size,
							    struct pmumap_fdt_hart *harts,
							    size_t room, size_t *count)
{
	struct pmumap_riscv_list_ l;
	enum pmumap_status status;
	size_t bytes;
	int more, rest;

	if (!count)
		return PMUMAP_E_ARG;
	*count = 0;
	if (!fdt || (!harts && room))
		return PMUMAP_E_ARG;
	bytes = pmumap_fdt_blob_bytes_(fdt, fdt_size);
	l.harts = harts;
	l.room = bytes / sizeof(*harts); /* enough: a hart is longer in the tree */
	l.room = room < l.room ? room : l.room;
	if (pmumap_is_overlap_(fdt, bytes, harts, l.room * sizeof(*harts)))
		return PMUMAP_E_ARG;
	status = pmumap_riscv_begin_list_(&l, fdt, fdt_size, PMUMAP_RISCV_HART_STATUS_);
	if (status != PMUMAP_OK)
		return status;
	while ((more = pmumap_riscv_next_(&l.r)) > 0) {
		if (pmumap_riscv_list_hart_(&l) && l.count <= l.room)
			harts[l.count - 1].features = pmumap_riscv_features_(&l.r.w);
	}
	if (more)
		return PMUMAP_E_FDT_STRUCT;
	*count = l.count;
	if (l.count > l.room)
		return PMUMAP_E_NOSPACE;
	pmumap_riscv_sort_harts_(harts, l.count, PMUMAP_RISCV_BY_PHANDLE_);
	rest = pmumap_riscv_serve_named_(&l, fdt, fdt_size);
	pmumap_riscv_sort_harts_(harts, l.count, PMUMAP_RISCV_BY_HART_);
	*count = pmumap_riscv_merge_harts_(harts, l.count, rest);
	return PMUMAP_OK;
}

PMUMAP_DEF const struct pmumap_fdt_hart *pmumap_fdt_hart_find(const struct pmumap_fdt_hart *harts,
							      size_t count, uint64_t hart)
{
	size_t i = pmumap_riscv_find_hart_(harts, count, hart, PMUMAP_RISCV_BY_HART_);

	return i < count ? &harts[i] : 0;
}

/* ---- fdt/tags.h: Tags and properties of a validated blob */
#ifndef PMUMAP_HAS_FDT_TAGS_
#define PMUMAP_HAS_FDT_TAGS_
/* Bytes from a tag to the next one, in a validated blob. */
static inline uint32_t pmumap_fdt_tag_bytes_(const unsigned char *tag)
{
	uint32_t n = 4;

	switch (pmumap_load_be32_(tag)) {
	case PMUMAP_FDT_BEGIN_NODE_:
		for (; tag[n]; n++)
			PMUMAP_NO_LIBCALL_();
		return (n + 4) & ~3u;
	case PMUMAP_FDT_PROPERTY_:
		return PMUMAP_FDT_PROPERTY_HEAD_ + ((pmumap_load_be32_(tag + 4) + 3) & ~3u);
	default:
		return 4;
	}
}

/*
 * The next property of a node, or NULL. tag: that of the node or of one of its properties, in a
 * validated blob.
 */
static inline const unsigned char *pmumap_fdt_next_property_(const unsigned char *tag)
{
	do
		tag += pmumap_fdt_tag_bytes_(tag);
	while (pmumap_load_be32_(tag) == PMUMAP_FDT_NOP_);
	return pmumap_load_be32_(tag) == PMUMAP_FDT_PROPERTY_ ? tag : 0;
}
#endif /* PMUMAP_HAS_FDT_TAGS_ */

/* ---- fdt/edit.h: Edit a tree in place */
#ifndef PMUMAP_HAS_FDT_EDIT_
#define PMUMAP_HAS_FDT_EDIT_
/* A validated tree that is being edited. */
struct pmumap_fdt_edit_ {
	struct pmumap_fdt_cursor_ w; /* start, end, names */
	unsigned char *blob;
	uint32_t tags_bytes, names_bytes; /* as in the header */
	uint32_t total;                   /* end of its last part */
	uint32_t names_to;                /* offset of the strings after the edit */
	uint32_t grow_names;              /* bytes of strings to add */
	uint32_t moved;                   /* how far the strings were moved */
	/* the current node */
	uint32_t begin, first, last; /* offsets of its tag, its properties and their end */
	uint32_t depth;
	/* the next tag */
	uint32_t at;
	uint32_t to; /* its destination: below at while the tree is growing */
};

/* Write a big-endian number, possibly unaligned. */
static inline void pmumap_fdt_write_cell_(unsigned char *p, uint32_t cell)
{
	p[0] = (unsigned char)(cell >> 24);
	p[1] = (unsigned char)(cell >> 16);
	p[2] = (unsigned char)(cell >> 8);
	p[3] = (unsigned char)cell;
}

/* Validate a tree before editing it, by a walk that wants no properties. */
static inline enum pmumap_status pmumap_fdt_edit_begin_(struct pmumap_fdt_edit_ *e, void *fdt,
							size_t bytes)
{
	enum pmumap_status status = pmumap_fdt_begin_(&e->w, fdt, bytes);
	int more;

	if (status != PMUMAP_OK)
		return status;
	e->blob = (unsigned char *)fdt;
	e->w.count = 0;
	e->w.found = 0;
	do
		more = pmumap_fdt_next_(&e->w, 0);
	while (more > 0);
	if (more < 0)
		return PMUMAP_E_FDT_STRUCT;
	e->tags_bytes = pmumap_load_be32_(e->blob + 4 * PMUMAP_FDT_TAGS_SIZE_);
	e->names_bytes = pmumap_load_be32_(e->blob + 4 * PMUMAP_FDT_NAMES_SIZE_);
	e->total = e->w.names + e->names_bytes;
	e->grow_names = e->moved = 0;
	e->begin = e->first = e->last = e->at = e->to = e->w.start;
	e->depth = 0;
	return PMUMAP_OK;
}

/*
 * Check whether the tree has room for a change: bytes of tags added and removed, and strings
 * placed. The strings must come last, so that they can grow. Nothing in the tree changes.
 */
static inline enum pmumap_status pmumap_fdt_edit_check_room_(struct pmumap_fdt_edit_ *e,
							     size_t bytes, uint64_t added,
							     uint32_t removed, size_t *need)
{
	uint64_t all = e->total - removed + added + e->grow_names;

	if (e->w.names < e->w.start + e->tags_bytes ||
	    pmumap_load_be32_(e->blob + 4 * PMUMAP_FDT_RESERVED_) > e->w.start)
		return PMUMAP_E_FDT_LAYOUT;
	if (all > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	if (need)
		*need = (size_t)all;
	e->names_to = (uint32_t)(e->w.names - removed + added);
	return all > bytes ? PMUMAP_E_NOSPACE : PMUMAP_OK;
}

/* Move bytes of the blob; the two ranges may overlap. */
static inline void pmumap_fdt_move_bytes_(unsigned char *blob, uint32_t from, uint32_t to,
					  uint32_t bytes)
{
	uint32_t i;

	for (i = 0; to < from && i < bytes; i++) {
		blob[to + i] = blob[from + i];
		PMUMAP_NO_LIBCALL_();
	}
	for (i = bytes; to > from && i > 0; i--) {
		blob[to + i - 1] = blob[from + i - 1];
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Advance to the next node, moving its tag and properties to their destination. Returns 0 at the
 * end.
 */
static inline int pmumap_fdt_edit_next_node_(struct pmumap_fdt_edit_ *e)
{
	int open = 0;

	for (;;) {
		uint32_t tag = pmumap_load_be32_(e->blob + e->at);
		uint32_t bytes = pmumap_fdt_tag_bytes_(e->blob + e->at);

		if (open && (tag == PMUMAP_FDT_BEGIN_NODE_ || tag == PMUMAP_FDT_END_NODE_)) {
			e->last = e->to;
			return 1;
		}
		pmumap_fdt_move_bytes_(e->blob, e->at, e->to, bytes);
		if (tag == PMUMAP_FDT_BEGIN_NODE_) {
			open = 1;
			e->depth++;
			e->begin = e->to;
			e->first = e->to + bytes;
		} else if (tag == PMUMAP_FDT_END_NODE_) {
			e->depth--;
		}
		e->at += bytes;
		e->to += bytes;
		if (tag == PMUMAP_FDT_END_)
			return 0;
	}
}

/* The name of the property at this offset of a validated blob. */
static inline const unsigned char *pmumap_fdt_edit_property_name_(const struct pmumap_fdt_edit_ *e,
								  uint32_t at)
{
	return e->blob + e->w.names + e->moved + pmumap_load_be32_(e->blob + at + 8);
}

/* The current node's first property with this name, from at on; otherwise last. */
static inline uint32_t pmumap_fdt_edit_find_property_(const struct pmumap_fdt_edit_ *e, uint32_t at,
						      const char *name)
{
	for (; at < e->last; at += pmumap_fdt_tag_bytes_(e->blob + at)) {
		if (pmumap_load_be32_(e->blob + at) == PMUMAP_FDT_PROPERTY_ &&
		    pmumap_fdt_match_string_(pmumap_fdt_edit_property_name_(e, at), name, 0))
			break;
	}
	return at;
}

static inline int pmumap_fdt_edit_is_compatible_(const struct pmumap_fdt_edit_ *e,
						 const char *compatible)
{
	uint32_t at = pmumap_fdt_edit_find_property_(e, e->first, "compatible");

	return at < e->last &&
	       pmumap_fdt_match_list_(e->blob + at + PMUMAP_FDT_PROPERTY_HEAD_,
				      pmumap_load_be32_(e->blob + at + 4), compatible, 0);
}

/* Overwrite tags with NOPs; bytes is a multiple of 4. */
static inline void pmumap_fdt_nop_bytes_(struct pmumap_fdt_edit_ *e, uint32_t at, uint32_t bytes)
{
	for (; bytes; bytes -= 4, at += 4)
		pmumap_fdt_write_cell_(e->blob + at, PMUMAP_FDT_NOP_);
}

/* The offset of a name among the strings or, if it is missing, where it will be appended. */
static inline uint32_t pmumap_fdt_edit_place_string_(struct pmumap_fdt_edit_ *e, const char *name)
{
	const unsigned char *strings = e->blob + e->w.names;
	uint32_t at, bytes = 1;

	for (at = 0; at < e->w.names_bytes; at++) {
		if (strings[at] == (unsigned char)*name &&
		    pmumap_fdt_match_string_(strings + at, name, 0))
			return at;
	}
	at = e->names_bytes + e->grow_names;
	for (; name[bytes - 1]; bytes++)
		PMUMAP_NO_LIBCALL_();
	e->grow_names += bytes;
	return at;
}

/* Append a placed string, unless it existed. All else has been moved already. */
static inline void pmumap_fdt_edit_append_string_(struct pmumap_fdt_edit_ *e, uint32_t at,
						  const char *name)
{
	unsigned char *to = e->blob + e->names_to + at;

	if (at < e->names_bytes)
		return;
	for (; *name; name++) {
		*to++ = (unsigned char)*name;
		PMUMAP_NO_LIBCALL_();
	}
	*to = 0;
}

/* Write the header of the edited tree. totalsize may grow, and never shrinks. */
static inline void pmumap_fdt_edit_end_(struct pmumap_fdt_edit_ *e)
{
	unsigned char *total = e->blob + 4 * PMUMAP_FDT_TOTAL_;
	uint32_t names_bytes = e->names_bytes + e->grow_names, all = e->names_to + names_bytes;

	pmumap_fdt_write_cell_(e->blob + 4 * PMUMAP_FDT_TAGS_SIZE_,
			       e->tags_bytes + e->names_to - e->w.names);
	pmumap_fdt_write_cell_(e->blob + 4 * PMUMAP_FDT_NAMES_, e->names_to);
	pmumap_fdt_write_cell_(e->blob + 4 * PMUMAP_FDT_NAMES_SIZE_, names_bytes);
	if (all > pmumap_load_be32_(total))
		pmumap_fdt_write_cell_(total, all);
}

static inline void pmumap_fdt_edit_put_cell_(struct pmumap_fdt_edit_ *e, uint32_t cell)
{
	pmumap_fdt_write_cell_(e->blob + e->to, cell);
	e->to += 4;
}

static inline void pmumap_fdt_edit_put_pair_(struct pmumap_fdt_edit_ *e, uint64_t pair)
{
	pmumap_fdt_edit_put_cell_(e, (uint32_t)(pair >> 32));
	pmumap_fdt_edit_put_cell_(e, (uint32_t)pair);
}

/* Insert the head of a property; its cells follow. */
static inline void pmumap_fdt_edit_put_property_(struct pmumap_fdt_edit_ *e, uint32_t name,
						 uint32_t bytes)
{
	pmumap_fdt_edit_put_cell_(e, PMUMAP_FDT_PROPERTY_);
	pmumap_fdt_edit_put_cell_(e, bytes);
	pmumap_fdt_edit_put_cell_(e, name);
}
#endif /* PMUMAP_HAS_FDT_EDIT_ */

/* ---- riscv/emit.h: Write a riscv,pmu node; delete its tables */
/* The properties written: compatible, then the three tables. */
#define PMUMAP_RISCV_EMITTED_NAMES_ (PMUMAP_TABLES_ + 1)

static inline const char *pmumap_riscv_emitted_name_(uint32_t n)
{
	return n ? pmumap_riscv_table_name_(n - 1) : "compatible";
}

/*
 * Count the rows of each table. Returns a bitmap of tables to write. Selectors are written even
 * without a row if the map has no default. Ranges are written if no other table is, because a node
 * without tables would look like an old draft.
 */
static inline uint32_t pmumap_riscv_count_rows_(const struct pmumap *m, uint32_t *rows)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t from, counters, tables = 0;

	rows[PMUMAP_TABLE_SELECTORS] = rows[PMUMAP_TABLE_COUNTERS] = rows[PMUMAP_TABLE_RAW] = 0;
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		rows[PMUMAP_TABLE_SELECTORS] += run.has_selector ? run.last - run.first + 1 : 0;
		rows[PMUMAP_TABLE_COUNTERS] += run.counters != 0;
	}
	while (pmumap_raw_at(m, rows[PMUMAP_TABLE_RAW], &select, &mask, &counters))
		rows[PMUMAP_TABLE_RAW]++;
	if (rows[PMUMAP_TABLE_RAW])
		tables |= 1u << PMUMAP_TABLE_RAW;
	if (rows[PMUMAP_TABLE_SELECTORS] || (m->head.flags & PMUMAP_HAS_SELECTORS))
		tables |= 1u << PMUMAP_TABLE_SELECTORS;
	if (rows[PMUMAP_TABLE_COUNTERS] || !tables)
		tables |= 1u << PMUMAP_TABLE_COUNTERS;
	return tables;
}

static inline uint32_t pmumap_riscv_table_bytes_(uint32_t table, uint32_t rows)
{
	return rows * (table == PMUMAP_TABLE_RAW ? 20 : 12);
}

static inline void pmumap_riscv_put_table_(struct pmumap_fdt_edit_ *e, const struct pmumap *m,
					   uint32_t table)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t from, counters;

	if (table == PMUMAP_TABLE_RAW) {
		for (from = 0; pmumap_raw_at(m, from, &select, &mask, &counters); from++) {
			pmumap_fdt_edit_put_pair_(e, select);
			pmumap_fdt_edit_put_pair_(e, mask);
			pmumap_fdt_edit_put_cell_(e, counters);
		}
		return;
	}
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		uint32_t event = run.first;

		if (table == PMUMAP_TABLE_COUNTERS && run.counters) {
			pmumap_fdt_edit_put_cell_(e, run.first);
			pmumap_fdt_edit_put_cell_(e, run.last);
			pmumap_fdt_edit_put_cell_(e, run.counters);
		}
		for (; table == PMUMAP_TABLE_SELECTORS && run.has_selector && event <= run.last;
		     event++) {
			pmumap_fdt_edit_put_cell_(e, event);
			pmumap_fdt_edit_put_pair_(e, run.selector);
		}
	}
}

/* Find node "pmu" in parent. Returns 1: found; 0: only parent exists; -1: no parent. */
static inline int pmumap_riscv_find_node_(struct pmumap_fdt_edit_ *e, int parent)
{
	uint32_t depth = 0, last = 0;

	while (pmumap_fdt_edit_next_node_(e)) {
		if (e->depth <= depth)
			break;
		if (depth && e->depth == depth + 1 &&
		    pmumap_fdt_match_string_(e->blob + e->begin + 4, "pmu", 0))
			return 1;
		if (e->begin - e->w.start == (uint32_t)parent) {
			depth = e->depth;
			last = e->last;
		}
	}
	e->depth = depth;
	e->last = last;
	return depth ? 0 : -1;
}

/* Whether the tag at this offset begins a table. */
static inline int pmumap_riscv_is_table_(const struct pmumap_fdt_edit_ *e, uint32_t at)
{
	return pmumap_load_be32_(e->blob + at) == PMUMAP_FDT_PROPERTY_ &&
	       pmumap_riscv_is_table_name_(pmumap_fdt_edit_property_name_(e, at));
}

/*
 * Delete the tables and compatible from the node's properties by moving the others up, if really.
 * Returns how many bytes that frees.
 */
static inline uint32_t pmumap_riscv_take_tables_out_(struct pmumap_fdt_edit_ *e, int really)
{
	uint32_t at, to = e->first, bytes;

	for (at = e->first; at < e->last; at += bytes) {
		bytes = pmumap_fdt_tag_bytes_(e->blob + at);
		if (pmumap_riscv_is_table_(e, at) ||
		    (pmumap_load_be32_(e->blob + at) == PMUMAP_FDT_PROPERTY_ &&
		     pmumap_fdt_match_string_(pmumap_fdt_edit_property_name_(e, at), "compatible",
					      0)))
			continue;
		if (really)
			pmumap_fdt_move_bytes_(e->blob, at, to, bytes);
		to += bytes;
	}
	return e->last - to;
}

/* Write the node (or, if not whole, its properties) into the gap at e->to. */
static inline void pmumap_riscv_put_node_(struct pmumap_fdt_edit_ *e, const struct pmumap *m,
					  const uint32_t *rows, uint32_t tables,
					  const uint32_t *names, int whole)
{
	uint32_t n;

	if (whole) {
		pmumap_fdt_edit_put_cell_(e, PMUMAP_FDT_BEGIN_NODE_);
		pmumap_fdt_edit_put_cell_(e, 0x706d7500); /* "pmu" */
	}
	pmumap_fdt_edit_put_property_(e, names[0], 10);
	pmumap_fdt_edit_put_pair_(e, 0x72697363762c706du); /* "riscv,pm" */
	pmumap_fdt_edit_put_cell_(e, 0x75000000);          /* "u" */
	for (n = 0; n < PMUMAP_TABLES_; n++) {
		if (tables >> n & 1) {
			pmumap_fdt_edit_put_property_(e, names[n + 1],
						      pmumap_riscv_table_bytes_(n, rows[n]));
			pmumap_riscv_put_table_(e, m, n);
		}
	}
	if (whole)
		pmumap_fdt_edit_put_cell_(e, PMUMAP_FDT_END_NODE_);
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_emit(void *fdt, size_t bytes, int parent,
					      const struct pmumap *m, size_t *need)
{
	uint32_t rows[PMUMAP_TABLES_], names[PMUMAP_RISCV_EMITTED_NAMES_], tables, n, out,
		added = 12 + 12;
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	int there;

	if (!fdt || !m || pmumap_is_overlap_(fdt, bytes, m, m->head.size))
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	there = pmumap_riscv_find_node_(&e, parent);
	if (there < 0)
		return PMUMAP_E_NODE;
	if (!there && e.depth == PMUMAP_FDT_DEPTH_)
		return PMUMAP_E_LIMIT;
	out = there ? pmumap_riscv_take_tables_out_(&e, 0) : 0;
	added += there ? 0 : 12; /* its tags and name */
	tables = pmumap_riscv_count_rows_(m, rows);
	names[0] = pmumap_fdt_edit_place_string_(&e, pmumap_riscv_emitted_name_(0));
	for (n = 0; n < PMUMAP_TABLES_; n++) {
		names[n + 1] = 0;
		if (tables >> n & 1) {
			names[n + 1] = pmumap_fdt_edit_place_string_(
				&e, pmumap_riscv_emitted_name_(n + 1));
			added += 12 + pmumap_riscv_table_bytes_(n, rows[n]);
		}
	}
	status = pmumap_fdt_edit_check_room_(&e, bytes, added, out, need);
	if (status != PMUMAP_OK)
		return status;
	if (there)
		(void)pmumap_riscv_take_tables_out_(&e, 1);
	pmumap_fdt_move_bytes_(e.blob, e.last, e.last - out + added, e.total - e.last);
	e.to = e.last - out;
	pmumap_riscv_put_node_(&e, m, rows, tables, names, !there);
	for (n = 0; n < PMUMAP_RISCV_EMITTED_NAMES_; n++) {
		if (n == 0 || (tables >> (n - 1) & 1))
			pmumap_fdt_edit_append_string_(&e, names[n], pmumap_riscv_emitted_name_(n));
	}
	pmumap_fdt_edit_end_(&e);
	return PMUMAP_OK;
}

PMUMAP_DEF enum pmumap_status pmumap_fdt_fixup(void *fdt, size_t bytes)
{
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	uint32_t at, size;

	if (!fdt)
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	while (pmumap_fdt_edit_next_node_(&e)) {
		if (!pmumap_fdt_edit_is_compatible_(&e, "riscv,pmu"))
			continue;
		for (at = e.first; at < e.last; at += size) {
			size = pmumap_fdt_tag_bytes_(e.blob + at);
			if (pmumap_riscv_is_table_(&e, at))
				pmumap_fdt_nop_bytes_(&e, at, size);
		}
	}
	return PMUMAP_OK;
}

#endif /* PMUMAP_FDT_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
