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
 *	// dTLB read misses; counters: the unused counters of the hart
 *	uint32_t features = pmumap_fdt_features(fdt, fdt_size, hart);
 *	int counter = pmumap_plan(map, 0x10019, 0, counters, features, PMUMAP_RULE_ABSENT, &job);
 *
 * WHAT IS READ
 *   The first node that is compatible with "riscv,pmu", wherever it is. opt->node selects another;
 *   PMUMAP_FOR_HART selects the one that serves a hart. It has up to three tables:
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
/*
 * Every header has this part. A header left over from another release would compile and read a
 * struct with another layout.
 */
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
#define PMUMAP_FOR_HART 1u

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of the node to read, whatever its compatible. 0: the first riscv,pmu
 *		node; nodes in the format of the old draft are skipped
 *   flags	PMUMAP_FOR_HART: the first node that serves this hart, unless node is set
 *   hart	its mhartid (reg in /cpus), for PMUMAP_FOR_HART. A node serves the harts whose
 *		interrupt controllers its interrupts-extended names, two cells each. A node without
 *		that property serves all other harts
 */
struct pmumap_fdt_options {
	int node;
	uint32_t flags;
	uint64_t hart;
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
 * The libfdt offset of the node that pmumap_fdt_build() reads. Harts with the same node can share a
 * map: build it once with this offset as options.node.
 * Errors   E_FDT_*, E_NOTFOUND, E_NODE, E_ARG; then *node is PMUMAP_NO_NODE.
 */
PMUMAP_API enum pmumap_status pmumap_fdt_node(const void *fdt, size_t fdt_size,
					      const struct pmumap_fdt_options *opt, int *node);

/*
 * The features that the tree names for a hart (its mhartid): PMUMAP_SSCOFPMF, PMUMAP_SMCNTRPMF,
 * PMUMAP_DELEGATED; from riscv,isa-extensions, or riscv,isa if that is absent. Returns 0 for a bad
 * blob or an unknown hart. Cost: one pass over the blob.
 */
PMUMAP_API uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart);

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

/* ---- core/text.h: Parse text that people write: numbers and words */
#ifndef PMUMAP_HAS_CORE_TEXT_
#define PMUMAP_HAS_CORE_TEXT_
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

#define PMUMAP_TENTH_ 0x1999999999999999u /* a tenth of the largest 64-bit number */

/* Parse all of the text in base 10 or 16. Returns 0 if it is empty, malformed or above 64 bits. */
static inline int pmumap_parse_digits_(const char *at, const char *end, uint32_t base,
				       uint64_t *value)
{
	if (at == end)
		return 0;
	for (*value = 0; at < end; at++) {
		char c = pmumap_fold_case_(*at);
		uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
				 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
							: 16;

		if (digit >= base || *value > (base == 16 ? ~(uint64_t)0 >> 4 : PMUMAP_TENTH_))
			return 0;
		if (digit > ~(uint64_t)0 - *value * base)
			return 0;
		*value = *value * base + digit;
	}
	return 1;
}
#endif /* PMUMAP_HAS_CORE_TEXT_ */

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
	const char *wanted;     /* the texts from first on */
	const unsigned char *lengths;
	uint32_t first, count; /* only properties from first up to count are wanted now */
	uint32_t *found;       /* for each, the offset of its value in the current node, or 0 */
	uint32_t (*memos)[2];  /* for memo.h */
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

	for (i = c->first; i < c->count; text += c->lengths[i++]) {
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

/* ---- fdt/address.h: Addresses of nodes */
#ifndef PMUMAP_HAS_FDT_ADDRESS_
#define PMUMAP_HAS_FDT_ADDRESS_
/* Read the first address of a reg. Returns 0 if it is too short, or cells is not 1 or 2. */
static inline int pmumap_fdt_load_address_(const unsigned char *reg, uint32_t bytes, uint32_t cells,
					   uint64_t *address)
{
	if (cells < 1 || cells > 2 || bytes / 4 < cells)
		return 0;
	*address = cells == 2 ? pmumap_load_be64_(reg) : pmumap_load_be32_(reg);
	return 1;
}

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

	return pmumap_fdt_load_address_(p, bytes, cells, address);
}
#endif /* PMUMAP_HAS_FDT_ADDRESS_ */

/* ---- riscv/hart.h: Walk from node to node; find a hart in /cpus, and its interrupt controller */
/*
 * Properties to read: the tables, their names of 2021, and those only in drafts of 2018 to 2020.
 * From "interrupts-extended" on, only if the harts of a node matter; from "riscv,isa-extensions"
 * on, only for their features.
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
	X(HARTS, "interrupts-extended")                                                            \
	X(REG, "reg")                                                                              \
	X(CELLS, "#address-cells")                                                                 \
	X(TYPE, "device_type")                                                                     \
	X(PHANDLE, "phandle")                                                                      \
	X(CONTROLLER, "interrupt-controller")                                                      \
	X(STATUS, "status")                                                                        \
	X(EXTENSIONS, "riscv,isa-extensions")                                                      \
	X(ISA, "riscv,isa")

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

/* The first four letters of the node "cpus", and those of "cpu" with its NUL. */
#define PMUMAP_RISCV_CPUS_ 0x63707573u
#define PMUMAP_RISCV_CPU_ 0x63707500u

/* Where the walk is while it looks for a hart. The order matters. */
enum {
	PMUMAP_RISCV_ELSEWHERE_,
	PMUMAP_RISCV_IN_CPUS_,
	PMUMAP_RISCV_IN_HART_, /* from here on the hart is found */
	PMUMAP_RISCV_BEHIND_HART_
};

struct pmumap_riscv_hart_ {
	uint64_t id;      /* its reg */
	size_t place;     /* size_t gives the smallest code on RISC-V */
	uint32_t cells;   /* of an address in /cpus */
	uint32_t phandle; /* of its interrupt controller; 0: no node can name it */
};

/* State of a walk, which chooses a node. */
struct pmumap_reader_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_RISCV_PROPERTIES_];
	uint32_t wanted;   /* offset of the only node to read, or 0 */
	uint32_t for_hart; /* only nodes that serve this hart qualify */
	struct pmumap_riscv_hart_ hart;
	uint32_t rank;   /* of the chosen node, by pmumap_riscv_rank_node_(); 0: none */
	uint32_t chosen; /* its offset */
	uint32_t tables[PMUMAP_TABLES_]; /* offsets of their values in the blob, or 0 */
	uint32_t old;                    /* bit N: table N has its name of 2021 */
};

/* Begin to read a tree. Of each node, read the properties from first up to end. */
static inline enum pmumap_status pmumap_riscv_begin_nodes_(struct pmumap_reader_ *r,
							   const void *fdt, size_t fdt_size,
							   uint32_t first, uint32_t end)
{
	static const unsigned char lengths[] = { PMUMAP_RISCV_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	pmumap_zero_words_(r, sizeof(*r));
	r->w.wanted = pmumap_nth_text_(pmumap_riscv_property_texts_(), first);
	r->w.lengths = lengths;
	r->w.first = first;
	r->w.count = end;
	r->w.found = r->found;
	return pmumap_fdt_begin_(&r->w, fdt, fdt_size);
}

/* Go to the next node. One call of the walk for all readers: only edits pass other arguments. */
static inline int pmumap_riscv_next_(struct pmumap_reader_ *r)
{
	return pmumap_fdt_next_(&r->w, pmumap_fdt_number_);
}

/* Call a function for each node, from the root on, up to the first that is malformed. */
static inline enum pmumap_status
pmumap_riscv_read_nodes_(struct pmumap_reader_ *r, void (*read_node)(struct pmumap_reader_ *r))
{
	int more;

	r->w.at = r->w.start;
	r->w.closed = 0;
	while ((more = pmumap_riscv_next_(r)) > 0)
		read_node(r);
	return more ? PMUMAP_E_FDT_STRUCT : PMUMAP_OK;
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

	(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_PROPERTY_TYPE_, &type);
	return type == PMUMAP_RISCV_CPU_ ||
	       (pmumap_riscv_name_start_(w) & ~(uint32_t)'@') == PMUMAP_RISCV_CPU_;
}

/* The phandle of a cpu's interrupt controller. Ask in each node below the cpu; the first wins. */
static inline void pmumap_riscv_note_controller_(const struct pmumap_fdt_cursor_ *w,
						 uint32_t *phandle)
{
	if (w->depth == 4 && w->found[PMUMAP_RISCV_PROPERTY_CONTROLLER_] && !*phandle)
		(void)pmumap_fdt_cell_(w, PMUMAP_RISCV_PROPERTY_PHANDLE_, phandle);
}

/* Check whether the current node is /cpus or the hart. The first node for it wins; returns 1. */
static inline int pmumap_riscv_is_hart_(const struct pmumap_fdt_cursor_ *w,
					struct pmumap_riscv_hart_ *h)
{
	uint64_t address;

	if (h->place >= PMUMAP_RISCV_IN_HART_) {
		if (w->depth <= 3)
			h->place = PMUMAP_RISCV_BEHIND_HART_;
	} else if (w->depth < 3) {
		h->place = (size_t)pmumap_riscv_is_cpus_(w);
		h->cells = pmumap_fdt_address_cells_(w, PMUMAP_RISCV_PROPERTY_CELLS_);
	} else if (w->depth == 3 && h->place == PMUMAP_RISCV_IN_CPUS_ &&
		   pmumap_fdt_reg_address_(w, PMUMAP_RISCV_PROPERTY_REG_, h->cells, &address) &&
		   address == h->id && pmumap_riscv_is_cpu_(w)) {
		h->place = PMUMAP_RISCV_IN_HART_;
		return 1;
	}
	return 0;
}

/* ---- riscv/features.h: A hart's extensions */
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
static inline int pmumap_riscv_has_extension_(const struct pmumap_reader_ *r, const char *name)
{
	uint32_t bytes;
	const unsigned char *p;

	if (r->found[PMUMAP_RISCV_PROPERTY_EXTENSIONS_]) {
		p = pmumap_fdt_value_(&r->w, PMUMAP_RISCV_PROPERTY_EXTENSIONS_, &bytes);
		return pmumap_fdt_match_list_(p, bytes, name, 0) != 0;
	}
	p = pmumap_fdt_value_(&r->w, PMUMAP_RISCV_PROPERTY_ISA_, &bytes);
	return p && pmumap_riscv_isa_lists_((const char *)p, (const char *)p + bytes, name);
}

PMUMAP_DEF uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart)
{
	struct pmumap_reader_ r;
	uint32_t features = 0;
	int more;

	if (!fdt || pmumap_riscv_begin_nodes_(&r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_REG_,
					      PMUMAP_RISCV_PROPERTIES_) != PMUMAP_OK)
		return 0;
	r.hart.id = hart;
	while ((more = pmumap_riscv_next_(&r)) > 0) {
		if (!pmumap_riscv_is_hart_(&r.w, &r.hart))
			continue;
		if (pmumap_riscv_has_extension_(&r, "sscofpmf"))
			features |= PMUMAP_SSCOFPMF;
		if (pmumap_riscv_has_extension_(&r, "smcntrpmf"))
			features |= PMUMAP_SMCNTRPMF;
		if (pmumap_riscv_has_extension_(&r, "smcdeleg") &&
		    pmumap_riscv_has_extension_(&r, "ssccfg"))
			features |= PMUMAP_DELEGATED;
	}
	return more ? 0 : features;
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

/*
 * How well the current node fits. 2: it is the wanted node, or names the hart. 1: it serves all
 * harts that no node names, or no hart is wanted. 0: it does not fit.
 */
static inline uint32_t pmumap_riscv_rank_node_(const struct pmumap_reader_ *r)
{
	uint32_t bytes;
	const unsigned char *p;

	if (r->wanted)
		return r->w.offset == r->wanted ? 2 : 0;
	/* Skip nodes that cannot beat the chosen one. Without a phandle, no node names the hart. */
	if (r->rank > r->hart.phandle || pmumap_riscv_is_pmu_node_(&r->w) <= 0)
		return 0;
	p = pmumap_fdt_value_(&r->w, PMUMAP_RISCV_PROPERTY_HARTS_, &bytes);
	if (!p || !r->for_hart)
		return 1;
	for (; r->hart.phandle && bytes >= 8; bytes -= 8, p += 8) {
		if (pmumap_load_be32_(p) == r->hart.phandle)
			return 2;
	}
	return 0;
}

static inline PMUMAP_COLD_ void pmumap_riscv_read_hart_(struct pmumap_reader_ *r)
{
	if (r->hart.place == PMUMAP_RISCV_IN_HART_ && r->w.depth > 3)
		pmumap_riscv_note_controller_(&r->w, &r->hart.phandle);
	else
		(void)pmumap_riscv_is_hart_(&r->w, &r->hart);
}

/* Choose the current node if it fits better than any before. */
static inline void pmumap_riscv_read_node_(struct pmumap_reader_ *r)
{
	uint32_t rank = pmumap_riscv_rank_node_(r);

	if (rank > r->rank) {
		r->rank = rank;
		pmumap_riscv_use_node_(r);
	}
}

/* The unread rows of a table. */
struct pmumap_riscv_rest_ {
	const unsigned char *at;
	uint32_t bytes;
	uint32_t cells; /* of a row */
};

/* Begin to read a table of the chosen node, which has it. In 2021, raw rows had no mask. */
static inline void pmumap_riscv_begin_table_(const struct pmumap_reader_ *r, uint32_t table,
					     struct pmumap_riscv_rest_ *rest)
{
	rest->at = r->w.blob + r->tables[table];
	rest->bytes = pmumap_load_be32_(rest->at - 8);
	rest->cells = table == PMUMAP_RAW_ && !(r->old >> PMUMAP_RAW_ & 1) ? 5 : 3;
}

/* Read the next row's cells. Returns 0 at the end; some bytes may be left. */
static inline int pmumap_riscv_next_row_(struct pmumap_riscv_rest_ *rest, uint32_t *cells)
{
	uint32_t i;

	if (rest->bytes < 4 * rest->cells)
		return 0;
	for (i = 0; i < rest->cells; i++, rest->at += 4)
		cells[i] = pmumap_load_be32_(rest->at);
	rest->bytes -= 4 * rest->cells;
	return 1;
}

/* Join two cells, the upper one first. */
static inline uint64_t pmumap_fdt_join_cells_(const uint32_t *cells)
{
	return (uint64_t)cells[0] << 32 | cells[1];
}

/* Decode a raw row of 5 or 3 cells. With 3 there is no mask: all bits are compared. */
static inline void pmumap_riscv_load_raw_(const uint32_t *cells, uint32_t count, uint64_t *select,
					  uint64_t *mask, uint32_t *counters)
{
	*select = pmumap_fdt_join_cells_(cells);
	*mask = count == 3 ? ~(uint64_t)0 : pmumap_fdt_join_cells_(cells + 2);
	*counters = cells[count - 1];
}

/* Add the rows of a table of the chosen node, which has it. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_riscv_read_table_(const struct pmumap_reader_ *r,
							   uint32_t table, struct pmumap_builder *b)
{
	struct pmumap_riscv_rest_ rest;
	uint32_t cells[5], counters;
	uint64_t select, mask;

	if (table == PMUMAP_SELECTORS_) /* even an empty table disables the default */
		b->map_flags |= PMUMAP_HAS_SELECTORS;
	pmumap_riscv_begin_table_(r, table, &rest);
	while (pmumap_riscv_next_row_(&rest, cells)) {
		if (table == PMUMAP_SELECTORS_) {
			(void)pmumap_add_selector(b, cells[0], pmumap_fdt_join_cells_(cells + 1));
		} else if (table == PMUMAP_RANGES_) {
			(void)pmumap_add_counters(b, cells[0], cells[1], cells[2]);
		} else {
			pmumap_riscv_load_raw_(cells, rest.cells, &select, &mask, &counters);
			(void)pmumap_add_raw(b, select, mask, counters);
		}
	}
}

/* ---- riscv/read.h: Read a tree into a map */
/*
 * Validate the blob and choose a node. end: of the properties to read. read_node:
 * pmumap_riscv_read_node_() or a checker's.
 */
static inline enum pmumap_status
pmumap_riscv_choose_node_(struct pmumap_reader_ *r, const void *fdt, size_t fdt_size,
			  const struct pmumap_fdt_options *opt, uint32_t end,
			  void (*read_node)(struct pmumap_reader_ *r))
{
	enum pmumap_status status = pmumap_riscv_begin_nodes_(r, fdt, fdt_size, 0, end);

	if (status != PMUMAP_OK)
		return status;
	if (opt) {
		r->wanted = (uint32_t)opt->node;
		r->for_hart = opt->flags & PMUMAP_FOR_HART;
	}
	if (opt && r->for_hart) {
		r->w.count = PMUMAP_RISCV_PROPERTY_STATUS_;
		r->hart.id = opt->hart;
		status = pmumap_riscv_read_nodes_(r, pmumap_riscv_read_hart_);
	}
	if (status == PMUMAP_OK && (!r->for_hart || r->hart.place >= PMUMAP_RISCV_IN_HART_))
		status = pmumap_riscv_read_nodes_(r, read_node);
	if (status == PMUMAP_OK && !r->rank)
		status = r->wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

static inline void pmumap_riscv_read_tables_(const struct pmumap_reader_ *r,
					     struct pmumap_builder *b)
{
	uint32_t table;

	for (table = 0; table < PMUMAP_TABLES_; table++) {
		if (r->tables[table])
			pmumap_riscv_read_table_(r, table, b);
	}
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
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt, PMUMAP_RISCV_PROPERTY_HARTS_,
					   pmumap_riscv_read_node_);
	if (status != PMUMAP_OK)
		return status;
	pmumap_begin(&b, 0, 0);
	pmumap_riscv_read_tables_(&r, &b);
	*bytes = pmumap_need(&b);
	return pmumap_finish(&b, 0);
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_fdt_node(const void *fdt, size_t fdt_size, const struct pmumap_fdt_options *opt, int *node)
{
	struct pmumap_reader_ r;
	enum pmumap_status status;

	if (!node)
		return PMUMAP_E_ARG;
	*node = PMUMAP_NO_NODE;
	if (!fdt)
		return PMUMAP_E_ARG;
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt, PMUMAP_RISCV_PROPERTY_HARTS_,
					   pmumap_riscv_read_node_);
	if (status == PMUMAP_OK)
		*node = (int)r.chosen;
	return status;
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
	status = pmumap_riscv_choose_node_(&r, fdt, fdt_size, opt, PMUMAP_RISCV_PROPERTY_HARTS_,
					   pmumap_riscv_read_node_);
	if (status != PMUMAP_OK)
		return status;
	pmumap_riscv_read_tables_(&r, &b);
	return pmumap_finish(&b, map);
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
	e->at = e->to = e->w.start;
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

	rows[PMUMAP_SELECTORS_] = rows[PMUMAP_RANGES_] = rows[PMUMAP_RAW_] = 0;
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		rows[PMUMAP_SELECTORS_] += run.has_selector ? run.last - run.first + 1 : 0;
		rows[PMUMAP_RANGES_] += run.counters != 0;
	}
	while (pmumap_raw_at(m, rows[PMUMAP_RAW_], &select, &mask, &counters))
		rows[PMUMAP_RAW_]++;
	if (rows[PMUMAP_RAW_])
		tables |= 1u << PMUMAP_RAW_;
	if (rows[PMUMAP_SELECTORS_] || (m->head.flags & PMUMAP_HAS_SELECTORS))
		tables |= 1u << PMUMAP_SELECTORS_;
	if (rows[PMUMAP_RANGES_] || !tables)
		tables |= 1u << PMUMAP_RANGES_;
	return tables;
}

static inline uint32_t pmumap_riscv_table_bytes_(uint32_t table, uint32_t rows)
{
	return rows * (table == PMUMAP_RAW_ ? 20 : 12);
}

static inline void pmumap_riscv_put_table_(struct pmumap_fdt_edit_ *e, const struct pmumap *m,
					   uint32_t table)
{
	struct pmumap_run run;
	uint64_t select, mask;
	uint32_t from, counters;

	if (table == PMUMAP_RAW_) {
		for (from = 0; pmumap_raw_at(m, from, &select, &mask, &counters); from++) {
			pmumap_fdt_edit_put_pair_(e, select);
			pmumap_fdt_edit_put_pair_(e, mask);
			pmumap_fdt_edit_put_cell_(e, counters);
		}
		return;
	}
	for (from = 0; pmumap_event_next(m, from, &run); from = run.last + 1) {
		uint32_t event = run.first;

		if (table == PMUMAP_RANGES_ && run.counters) {
			pmumap_fdt_edit_put_cell_(e, run.first);
			pmumap_fdt_edit_put_cell_(e, run.last);
			pmumap_fdt_edit_put_cell_(e, run.counters);
		}
		for (; table == PMUMAP_SELECTORS_ && run.has_selector && event <= run.last;
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
