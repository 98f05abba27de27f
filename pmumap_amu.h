/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_amu.h 0.3.1 -- Arm's activity monitors: each CPU's counters, by device tree. Mistakes and
 *	labels are in pmumap_amu_check.h, registers in pmumap_amu_hw.h.
 *
 * QUICK START
 *	#include "pmumap_amu.h"			// nothing else to copy, nothing to link
 *
 *	static uint64_t block[PMUMAP_AMU_BLOCK(128, 16) / 8];	// 128 CPUs, 16 counters
 *	const struct pmumap_amu *map;
 *	struct pmumap_amu_cpu cpu;
 *	enum pmumap_status status;
 *
 *	status = pmumap_amu_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status != PMUMAP_OK)
 *		puts(pmumap_status_str(status));	// no activity monitors, a bad blob, ...
 *	else if (pmumap_amu_cpu_find(map, mpidr, &cpu))
 *		use(cpu.described, cpu.enable);	// 16-bit masks of auxiliary counters
 *
 * WHAT IS READ
 *   The CPUs in /cpus, the views that their property amu names, and the counters in these. Views
 *   are nodes in /cpus/amus. Elsewhere, a view at most seven levels deep is read too, without the
 *   counters that follow a nested view.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_amu_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock.
 *   Input	any tree, image or argument is safe, and any address of a tree. Pointers must be
 *		valid, or NULL if their length is 0. The block must not overlap the tree: E_ARG.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 */

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

/* ---- core/linkage.h: How functions are linked */
#ifndef PMUMAP_HAS_CORE_LINKAGE_
#define PMUMAP_HAS_CORE_LINKAGE_
#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

#if defined(PMUMAP_IMPLEMENTATION) && !defined(PMUMAP_EXTERN)
#define PMUMAP_EXTERN
#endif
#ifdef PMUMAP_EXTERN
#define PMUMAP_LINKAGE_ 2
#define PMUMAP_API extern
#define PMUMAP_DEF
#else
#define PMUMAP_LINKAGE_ 1
#define PMUMAP_API static inline
#define PMUMAP_DEF static inline
#endif
#endif /* PMUMAP_HAS_CORE_LINKAGE_ */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PMUMAP_AMU_H
#define PMUMAP_AMU_H

/* ---- core/api.h: Status codes, and the image */
#ifndef PMUMAP_HAS_CORE_API_
#define PMUMAP_HAS_CORE_API_
/*
 * 1 to 9: the caller's mistake; 10 to 19: the device tree's; from 20: the image's. Numbers never
 * change.
 */
#define PMUMAP_STATUS_LIST(X)                                                                      \
	X(OK, 0, "success")                                                                        \
	X(E_ARG, 1, "a null pointer, or memory that overlaps or is not 8-byte aligned")            \
	X(E_NOSPACE, 2, "the block is too small")                                                  \
	X(E_LIMIT, 3, "the map would pass 2 GiB, or another limit of its kind")                    \
	X(E_NODE, 4, "the tree has no node at the given offset")                                   \
	X(E_FDT_MAGIC, 10, "not a flattened device tree")                                          \
	X(E_FDT_VERSION, 11, "a device tree format other than version 17")                         \
	X(E_FDT_SIZE, 12, "the device tree is truncated, or its header lies about its parts")      \
	X(E_FDT_STRUCT, 13, "the device tree is malformed, or more than 64 levels deep")           \
	X(E_NOTFOUND, 14, "the tree describes no PMU")                                             \
	X(E_FDT_LAYOUT, 16, "strings do not come last in the device tree: fdt_open_into() it")     \
	X(E_IMAGE_MAGIC, 20, "not a map image")                                                    \
	X(E_IMAGE_ORDER, 21, "a map image of the other byte order")                                \
	X(E_IMAGE_VERSION, 22, "a map image of another version")                                   \
	X(E_IMAGE_SIZE, 23, "the map image is truncated, or above 2 GiB")                          \
	X(E_IMAGE_TABLE, 24, "a table of the map image is out of bounds or out of order")

enum pmumap_status {
#define PMUMAP_X_(name, number, text) PMUMAP_##name = number,
	PMUMAP_STATUS_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* A status as a phrase for people, without a full stop; never NULL. */
PMUMAP_API const char *pmumap_status_str(enum pmumap_status status);

#define PMUMAP_IMAGE_VERSION 4u

/* The head of every image, for all kinds of maps. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
};
#endif /* PMUMAP_HAS_CORE_API_ */

/* ---- amu/api.h: AMU: each CPU's activity monitors, by device tree */
struct pmumap_amu; /* a map: read it through the functions below */

/*
 * Bytes of a block that is enough for a tree with this many CPUs, and counters in all views
 * together (CPUs share views), as an integer constant for numbers up to a million. It allows for
 * one view per counter, names of 31 bytes, and no labels.
 */
#define PMUMAP_AMU_BLOCK(cpus, counters) (104u + 12u * (cpus) + 56u * (counters))

struct pmumap_amu_build_;

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of /cpus, to read nothing else; 0: the whole tree
 *   labels	pmumap_amu_labels (pmumap_amu_check.h), to name counters by the labels of dtc -@.
 *		NULL: by their nodes, and no code for labels is linked
 */
struct pmumap_amu_options {
	int node;
	void (*labels)(struct pmumap_amu_build_ *b);
};

/*
 * Measure the block for a tree, or validate the tree and build its map. The map takes
 * pmumap_amu_size() bytes of the block; you may reuse the rest.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not from measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     two walks (measure: one), and O(n log n) for n CPUs and views.
 */
PMUMAP_API enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_amu_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_amu_options *opt, void *mem,
						   size_t bytes, const struct pmumap_amu **map);

#define PMUMAP_AMU_MAGIC 0x504d5541u

/*
 * Validate an 8-byte aligned image from elsewhere; afterwards no look-up reads outside it. The map
 * is the image itself; on failure *map is NULL. Errors: E_ARG, E_IMAGE_*. Cost: O(size).
 */
PMUMAP_API enum pmumap_status pmumap_amu_open(const void *image, size_t bytes,
					      const struct pmumap_amu **map);

/* Bytes of the image, for copying or storing it. */
PMUMAP_API size_t pmumap_amu_size(const struct pmumap_amu *m);

#define PMUMAP_AMU_AFFINITY 0xff00ffffffu /* the bits of MPIDR that identify a CPU */
#define PMUMAP_AMU_NO_VIEW 0xffffffffu

/* One CPU. Bit N of the masks: auxiliary counter N, of 16. */
struct pmumap_amu_cpu {
	uint64_t mpidr;     /* its affinity bits */
	uint32_t view;      /* its set of counters, which CPUs may share, or NO_VIEW */
	uint16_t described; /* counters that the tree describes */
	uint16_t enable;    /* of these, those that the highest exception level is to enable */
};

/*
 * Find a CPU by its affinity bits (other bits of MPIDR are ignored), or by its position in the
 * tree. Returns 1; or 0, and *out is unchanged. Cost: a binary search, and one access.
 */
PMUMAP_API int pmumap_amu_cpu_find(const struct pmumap_amu *m, uint64_t mpidr,
				   struct pmumap_amu_cpu *out);
PMUMAP_API int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out);

/* The masks of a view. Returns 0 if there is no such view. */
PMUMAP_API int pmumap_amu_view_at(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
				  uint16_t *enable);

/*
 * The label of a counter, if it was asked for and is shorter than 64 bytes; otherwise its node's
 * name, "counter@1". NULL if it is not described.
 */
PMUMAP_API const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter);

#endif /* PMUMAP_AMU_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_amu.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_AMU_IMPLEMENTED_)
#define PMUMAP_AMU_IMPLEMENTED_

/* ---- core/image.h: Checks of a foreign image's head, and its offsets */
#ifndef PMUMAP_HAS_CORE_IMAGE_
#define PMUMAP_HAS_CORE_IMAGE_
#define PMUMAP_MAX_BYTES_ 0x7fffffffu

static inline const void *pmumap_image_at_(const void *m, uint32_t offset)
{
	return (const char *)m + offset;
}

/*
 * Whether count elements of this size are in bounds, 8-byte aligned and behind the kind's head.
 * Nothing can wrap, and there is no division.
 */
static inline int pmumap_image_holds_(const struct pmumap_head_ *h, uint32_t head, uint32_t offset,
				      uint32_t count, uint32_t each)
{
	return offset >= head && offset % 8 == 0 && offset <= h->size &&
	       (uint64_t)count * each <= h->size - offset;
}

/* The same for an image with the head of m's type. */
#define PMUMAP_IMAGE_HOLDS_(m, offset, count, each)                                                \
	pmumap_image_holds_(&(m)->head, sizeof(*(m)), offset, count, each)

/* Check the head of a foreign image. head: the size of its kind's head, which includes this one. */
static inline enum pmumap_status pmumap_image_check_(const void *image, size_t bytes,
						     uint32_t magic, size_t head)
{
	const struct pmumap_head_ *h = (const struct pmumap_head_ *)image;

	if (!image || (size_t)image % 8)
		return PMUMAP_E_ARG;
	if (bytes < 2 * sizeof(uint32_t))
		return PMUMAP_E_IMAGE_SIZE;
	if (h->magic ==
	    ((magic & 0xff) << 24 | (magic & 0xff00) << 8 | (magic >> 8 & 0xff00) | magic >> 24))
		return PMUMAP_E_IMAGE_ORDER;
	if (h->magic != magic)
		return PMUMAP_E_IMAGE_MAGIC;
	if (h->version != PMUMAP_IMAGE_VERSION)
		return PMUMAP_E_IMAGE_VERSION;
	if (bytes < head || h->size < head || h->size > bytes || h->size > PMUMAP_MAX_BYTES_ ||
	    h->size % 8)
		return PMUMAP_E_IMAGE_SIZE;
	return PMUMAP_OK;
}
#endif /* PMUMAP_HAS_CORE_IMAGE_ */

/* ---- amu/map.h: The tables of a map, their validation, and look-ups */
#define PMUMAP_AMU_COUNTERS_ 16u /* auxiliary counters that a CPU can have */

/* The head of a map; its tables follow in the same block, at offsets in bytes from the head. */
struct pmumap_amu {
	struct pmumap_head_ head;
	uint32_t cpus, cpu_count; /* sorted by affinity */
	uint32_t by_tree;         /* the row of each CPU in the order of the tree */
	uint32_t views, view_count;
	uint32_t names, name_count; /* offsets of strings: each view's counters, lowest first */
	uint32_t strings, string_bytes;
	uint32_t unused;
};

struct pmumap_amu_cpu_row_ {
	uint32_t affinity; /* Aff3..Aff0 */
	uint32_t view;
};

struct pmumap_amu_view_row_ {
	uint16_t described, enable;
	uint32_t first; /* index in names of its lowest counter */
};

static inline const struct pmumap_amu_cpu_row_ *pmumap_amu_cpu_rows_(const struct pmumap_amu *m)
{
	return (const struct pmumap_amu_cpu_row_ *)pmumap_image_at_(m, m->cpus);
}

static inline const struct pmumap_amu_view_row_ *pmumap_amu_view_rows_(const struct pmumap_amu *m)
{
	return (const struct pmumap_amu_view_row_ *)pmumap_image_at_(m, m->views);
}

/* The affinity bits of MPIDR in 32 bits: Aff3 on top of Aff2, Aff1 and Aff0. */
static inline uint32_t pmumap_amu_pack_affinity_(uint64_t mpidr)
{
	return ((uint32_t)mpidr & 0xffffffu) | (uint32_t)(mpidr >> 32) << 24;
}

static inline uint32_t pmumap_amu_count_bits_(uint32_t bits)
{
	uint32_t n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Where a view has the name of a counter: they are in the order of the counters' indices. */
static inline uint32_t pmumap_amu_place_of_name_(const struct pmumap_amu_view_row_ *v,
						 uint32_t index)
{
	return v->first + pmumap_amu_count_bits_(v->described & ((1u << index) - 1));
}

/* Validate the tables of an image. Returns 0 if an offset, number or string is out of bounds. */
static inline int pmumap_amu_open_tables_(const struct pmumap_amu *m)
{
	const uint32_t *names;
	const struct pmumap_amu_view_row_ *v;
	uint32_t i;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->cpus, m->cpu_count, sizeof(struct pmumap_amu_cpu_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_tree, m->cpu_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->views, m->view_count, sizeof(struct pmumap_amu_view_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->names, m->name_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, m->strings) + m->string_bytes - 1))
		return 0;
	names = (const uint32_t *)pmumap_image_at_(m, m->names);
	for (i = 0; i < m->cpu_count; i++) {
		uint32_t view = pmumap_amu_cpu_rows_(m)[i].view;

		if (((const uint32_t *)pmumap_image_at_(m, m->by_tree))[i] >= m->cpu_count ||
		    (view >= m->view_count && view != PMUMAP_AMU_NO_VIEW))
			return 0;
	}
	for (i = 0; i < m->view_count; i++) {
		v = pmumap_amu_view_rows_(m) + i;
		if (v->first > m->name_count ||
		    pmumap_amu_count_bits_(v->described) > m->name_count - v->first)
			return 0;
	}
	for (i = 0; i < m->name_count; i++) {
		if (names[i] < m->strings || names[i] - m->strings >= m->string_bytes)
			return 0;
	}
	return 1;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_open(const void *image, size_t bytes,
					      const struct pmumap_amu **map)
{
	const struct pmumap_amu *m = (const struct pmumap_amu *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	status = pmumap_image_check_(image, bytes, PMUMAP_AMU_MAGIC, sizeof(*m));
	if (status == PMUMAP_OK && !pmumap_amu_open_tables_(m))
		status = PMUMAP_E_IMAGE_TABLE;
	*map = status == PMUMAP_OK ? m : 0;
	return status;
}

PMUMAP_DEF size_t pmumap_amu_size(const struct pmumap_amu *m)
{
	return m->head.size;
}

PMUMAP_DEF int pmumap_amu_view_at(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
				  uint16_t *enable)
{
	if (view >= m->view_count)
		return 0;
	*described = pmumap_amu_view_rows_(m)[view].described;
	*enable = pmumap_amu_view_rows_(m)[view].enable;
	return 1;
}

/* Fill in a CPU from its row. Without a view both masks are 0. */
static inline int pmumap_amu_fill_cpu_(const struct pmumap_amu *m,
				       const struct pmumap_amu_cpu_row_ *r,
				       struct pmumap_amu_cpu *out)
{
	out->mpidr = (uint64_t)(r->affinity >> 24) << 32 | (r->affinity & 0xffffffu);
	out->view = r->view;
	out->described = out->enable = 0;
	(void)pmumap_amu_view_at(m, r->view, &out->described, &out->enable);
	return 1;
}

PMUMAP_DEF int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out)
{
	const uint32_t *row = (const uint32_t *)pmumap_image_at_(m, m->by_tree);

	if (index >= m->cpu_count)
		return 0;
	return pmumap_amu_fill_cpu_(m, pmumap_amu_cpu_rows_(m) + row[index], out);
}

PMUMAP_DEF int pmumap_amu_cpu_find(const struct pmumap_amu *m, uint64_t mpidr,
				   struct pmumap_amu_cpu *out)
{
	const struct pmumap_amu_cpu_row_ *r = pmumap_amu_cpu_rows_(m);
	uint32_t affinity = pmumap_amu_pack_affinity_(mpidr), n = m->cpu_count, half;

	if (n == 0)
		return 0;
	for (; n > 1; n -= half) {
		half = n / 2;
		r += r[half].affinity <= affinity ? half : 0;
	}
	if (r->affinity != affinity)
		return 0;
	return pmumap_amu_fill_cpu_(m, r, out);
}

PMUMAP_DEF const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter)
{
	const uint32_t *names = (const uint32_t *)pmumap_image_at_(m, m->names);
	const struct pmumap_amu_view_row_ *v;

	if (view >= m->view_count || counter > 15)
		return 0;
	v = pmumap_amu_view_rows_(m) + view;
	if (!(v->described >> counter & 1))
		return 0;
	return (const char *)pmumap_image_at_(m, names[pmumap_amu_place_of_name_(v, counter)]);
}

/* ---- core/compiler.h: Keep compilers from calling libc */
#ifndef PMUMAP_HAS_CORE_COMPILER_
#define PMUMAP_HAS_CORE_COMPILER_
#ifdef __GNUC__
/* For loops like memset, memcpy or strlen, which compilers replace by calls, even freestanding. */
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
/*
 * Load the value before the branch that depends on it, so that the compiler can select without a
 * branch. On x86-64 a selector takes 3 ns instead of 9 if keys come in random order.
 */
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
/* Never inline: a fast path needs no stack frame then, and gcc -Os makes no copies. */
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
/* Inline even when optimising for size: the call would be larger. */
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
/* Inline into callers unless optimising for size: a leaf look-up needs no stack frame. */
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
/* Where unaligned big-endian loads are one instruction, a call would be larger. */
#ifdef __powerpc64__
#define PMUMAP_LOAD_ PMUMAP_ALWAYS_INLINE_
#else
#define PMUMAP_LOAD_ static inline
#endif
/* Memory of this type may be accessed as another type. */
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
/* Runs once per boot; optimised for size even at -O2. Not for work per node or per name. */
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_LOAD_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
#endif /* PMUMAP_HAS_CORE_COMPILER_ */

/* ---- core/pairs.h: Pairs of numbers, sorted in place */
#ifndef PMUMAP_HAS_CORE_PAIRS_
#define PMUMAP_HAS_CORE_PAIRS_
/* Orders two values whose keys are equal: below 0 if a comes first; 0: as numbers. */
typedef int pmumap_tie_fn_(const void *context, uint32_t a, uint32_t b);

/* Orders pairs of a key and a value. tie: NULL to compare the values as numbers. */
static inline int pmumap_is_pair_before_(const uint32_t *a, const uint32_t *b, pmumap_tie_fn_ *tie,
					 const void *context)
{
	int order;

	if (a[0] != b[0])
		return a[0] < b[0];
	order = tie ? tie(context, a[1], b[1]) : 0;
	return order ? order < 0 : a[1] < b[1];
}

static inline void pmumap_copy_pair_(uint32_t *to, const uint32_t *from)
{
	to[0] = from[0];
	to[1] = from[1];
}

/*
 * Sort without spare memory: make a heap, then take it apart from its end. If values stand for
 * texts, each comparison places one of the two. So a long text does not make the others expensive.
 */
static inline void pmumap_sort_pairs_(uint32_t (*pairs)[2], uint32_t n, pmumap_tie_fn_ *tie,
				      const void *context)
{
	uint32_t root = n / 2, at, child, x[2];

	while (n > 1) {
		if (root) {
			pmumap_copy_pair_(x, pairs[--root]);
		} else {
			pmumap_copy_pair_(x, pairs[--n]);
			pmumap_copy_pair_(pairs[n], pairs[0]);
		}
		for (at = root; (child = 2 * at + 1) < n; at = child) {
			if (child + 1 < n &&
			    pmumap_is_pair_before_(pairs[child], pairs[child + 1], tie, context))
				child++;
			if (!pmumap_is_pair_before_(x, pairs[child], tie, context))
				break;
			pmumap_copy_pair_(pairs[at], pairs[child]);
		}
		pmumap_copy_pair_(pairs[at], x);
	}
}
#endif /* PMUMAP_HAS_CORE_PAIRS_ */

/* ---- core/bits.h: Bits, and words of memory */
#ifndef PMUMAP_HAS_CORE_BITS_
#define PMUMAP_HAS_CORE_BITS_
/* bytes: a multiple of 4; to: aligned to 4. */
static inline void pmumap_zero_words_(void *to, size_t bytes)
{
	uint32_t *word = (uint32_t *)to;

	for (bytes /= sizeof(*word); bytes; bytes--) {
		*word++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Big-endian numbers, read byte by byte because they may be unaligned. */
PMUMAP_LOAD_ uint32_t pmumap_load_be32_(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline uint64_t pmumap_load_be64_(const unsigned char *p)
{
	return (uint64_t)pmumap_load_be32_(p) << 32 | pmumap_load_be32_(p + 4);
}

static inline int pmumap_is_overlap_(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	return (size_t)a - (size_t)b < b_bytes || (size_t)b - (size_t)a < a_bytes;
}
#endif /* PMUMAP_HAS_CORE_BITS_ */

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

/* ---- fdt/memo.h: Remember the numbers of properties: a tree has few names, and large trees repeat them */
#ifndef PMUMAP_HAS_FDT_MEMO_
#define PMUMAP_HAS_FDT_MEMO_
#define PMUMAP_FDT_MEMOS_ 32u /* a power of two */

/* pmumap_fdt_number_(), with memos: offsets of names in the blob, and numbers. All 0 at first. */
static inline uint32_t pmumap_fdt_recall_(const struct pmumap_fdt_cursor_ *c,
					  const unsigned char *name)
{
	uint32_t offset = (uint32_t)(name - c->blob);
	uint32_t *memo = c->memos[offset % PMUMAP_FDT_MEMOS_];

	if (memo[0] != offset) {
		memo[0] = offset;
		memo[1] = pmumap_fdt_number_(c, name);
	}
	return memo[1];
}
#endif /* PMUMAP_HAS_FDT_MEMO_ */

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

/* ---- amu/read.h: Read a tree: its views, their counters, and CPUs */
/* The properties to read. */
#define PMUMAP_AMU_PROPERTY_LIST_(X)                                                               \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")                                                          \
	X(AMU, "amu")                                                                              \
	X(ENABLE, "enable-at-el3")                                                                 \
	X(DEVICE_TYPE, "device_type")                                                              \
	X(STATUS, "status")

enum {
#define PMUMAP_X_(name, text) PMUMAP_AMU_PROPERTY_##name##_,
	PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_AMU_PROPERTIES_
};

#define PMUMAP_AMU_PARENTS_ 8u /* nodes outside /cpus/amus at this depth are no views */

/* An item that was read. A counter belongs to the view before it. */
enum { PMUMAP_AMU_VIEW_, PMUMAP_AMU_COUNTER_, PMUMAP_AMU_CPU_ };

/* Why a counter or CPU is left out. AGAIN: its view has this counter, which it may still enable. */
enum {
	PMUMAP_AMU_AGAIN_ = 1,
	PMUMAP_AMU_BAD_NAME_ = 2,
	PMUMAP_AMU_BAD_REG_ = 4,
	PMUMAP_AMU_BAD_INDEX_ = 8
};

/* A node on the path to the current one that may hold counters. */
struct pmumap_amu_parent_ {
	uint32_t id; /* its phandle */
	uint32_t offset, cells;
	uint32_t is_view; /* 1: it was passed to visit already */
};

/* State of the walk. */
struct pmumap_amu_reader_ {
	struct pmumap_fdt_cursor_ w;
	void (*visit)(struct pmumap_amu_reader_ *r, uint32_t item);
	uint32_t found[PMUMAP_AMU_PROPERTIES_];
	uint32_t memos[PMUMAP_FDT_MEMOS_][2];
	uint32_t wanted;                               /* offset of the only /cpus to read, or 0 */
	uint32_t in_cpus, in_amus;                     /* 1: in /cpus, or in /cpus/amus */
	uint32_t cpus_cells;                           /* of addresses in /cpus */
	uint32_t symbols;                              /* offset of /__symbols__, or 0 */
	uint32_t seen;                                 /* 1: this tree has something of AMU */
	uint32_t view_count, counter_count, cpu_count; /* without those that are left out */
	uint64_t text_bytes;                           /* of the names of counters */
	struct pmumap_amu_parent_ parents[PMUMAP_AMU_PARENTS_]; /* by depth */
	struct pmumap_amu_parent_ *view; /* the last one, which counters are added to */
	uint32_t described, enable;      /* its counters so far */
	/* the item */
	uint32_t node, flags;
	uint32_t index; /* of a counter; ~0 if it has more than 32 bits */
	uint32_t id;    /* of the view that a CPU names */
	uint64_t mpidr; /* of a CPU */
};

/* Whether the current node has this name; prefix: a name that begins with it. */
static inline int pmumap_amu_is_node_(const struct pmumap_amu_reader_ *r, const char *name,
				      int prefix)
{
	return pmumap_fdt_match_string_(pmumap_fdt_name_(&r->w), name, prefix) != 0;
}

/* Whether the current node's name is "cpu", decimal digits, '@' and an address. */
static inline int pmumap_amu_is_cpu_name_(const struct pmumap_amu_reader_ *r)
{
	const unsigned char *s = pmumap_fdt_match_string_(pmumap_fdt_name_(&r->w), "cpu", 1);

	while (s && *s >= '0' && *s <= '9')
		s++;
	return s && *s == '@';
}

/* Read a child of /cpus, which may be a CPU. */
static inline void pmumap_amu_read_cpu_(struct pmumap_amu_reader_ *r)
{
	const char *type = pmumap_fdt_text_(&r->w, PMUMAP_AMU_PROPERTY_DEVICE_TYPE_);

	if (!pmumap_amu_is_cpu_name_(r) &&
	    (!type || !pmumap_fdt_match_string_((const unsigned char *)type, "cpu", 0)))
		return;
	r->node = r->w.offset;
	r->flags = r->id = 0;
	r->mpidr = 0;
	if (!pmumap_fdt_reg_address_(&r->w, PMUMAP_AMU_PROPERTY_REG_, r->cpus_cells, &r->mpidr))
		r->flags = PMUMAP_AMU_BAD_REG_;
	if (r->found[PMUMAP_AMU_PROPERTY_AMU_])
		r->seen = 1;
	(void)pmumap_fdt_cell_(&r->w, PMUMAP_AMU_PROPERTY_AMU_, &r->id);
	r->visit(r, PMUMAP_AMU_CPU_);
	r->cpu_count += !r->flags;
}

/* Read a view: a node on the path to the current one. */
static inline void pmumap_amu_read_view_(struct pmumap_amu_reader_ *r,
					 struct pmumap_amu_parent_ *view)
{
	r->view = view;
	r->node = view->offset;
	r->described = r->enable = 0;
	view->is_view = 1;
	r->visit(r, PMUMAP_AMU_VIEW_);
	r->view_count++;
}

/* Read the current counter. Its index has as many cells of its reg as the view says, or exist. */
static inline void pmumap_amu_read_counter_(struct pmumap_amu_reader_ *r)
{
	struct pmumap_amu_parent_ *view = &r->parents[r->w.depth - 1];
	uint32_t bytes, cells, i;
	const unsigned char *p = pmumap_fdt_value_(&r->w, PMUMAP_AMU_PROPERTY_REG_, &bytes);

	if (!view->is_view)
		pmumap_amu_read_view_(r, view);
	if (r->view != view)
		return; /* it follows a view nested in its view */
	r->node = r->w.offset;
	r->flags = bytes == 0 || bytes % 4 ? PMUMAP_AMU_BAD_REG_ : 0;
	cells = view->cells == 0 || view->cells > bytes / 4 ? bytes / 4 : view->cells;
	r->index = 0;
	for (i = 0; i < cells && !r->flags; i++)
		r->index = r->index ? 0xffffffffu : pmumap_load_be32_(p + 4 * i);
	if (!pmumap_amu_is_node_(r, "counter@", 1))
		r->flags |= PMUMAP_AMU_BAD_NAME_;
	if (r->index >= PMUMAP_AMU_COUNTERS_)
		r->flags |= PMUMAP_AMU_BAD_INDEX_;
	if (!r->flags) {
		r->flags = r->described >> r->index & 1 ? PMUMAP_AMU_AGAIN_ : 0;
		r->described |= 1u << r->index;
		r->enable |= (uint32_t)(r->found[PMUMAP_AMU_PROPERTY_ENABLE_] != 0) << r->index;
	}
	r->visit(r, PMUMAP_AMU_COUNTER_);
	if (r->flags)
		return;
	r->counter_count++;
	for (p = pmumap_fdt_name_(&r->w), r->text_bytes++; *p; p++)
		r->text_bytes++;
}

/* Remember the current node as a possible view. In /cpus/amus it is one. */
static inline void pmumap_amu_note_view_(struct pmumap_amu_reader_ *r)
{
	struct pmumap_amu_parent_ *view = &r->parents[r->w.depth];

	view->id = pmumap_fdt_phandle_(&r->w, PMUMAP_AMU_PROPERTY_PHANDLE_,
				       PMUMAP_AMU_PROPERTY_LINUX_PHANDLE_);
	view->offset = r->w.offset;
	view->cells = pmumap_fdt_address_cells_(&r->w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	view->is_view = 0;
	if (r->in_amus)
		pmumap_amu_read_view_(r, view);
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_amu_read_node_(struct pmumap_amu_reader_ *r)
{
	const struct pmumap_fdt_cursor_ *w = &r->w;

	if (w->depth == 2) {
		r->in_cpus =
			pmumap_amu_is_node_(r, "cpus", 0) && (!r->wanted || r->wanted == w->offset);
		r->cpus_cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
		if (!r->symbols && pmumap_amu_is_node_(r, "__symbols__", 0))
			r->symbols = w->offset;
	}
	if (r->wanted && !r->in_cpus)
		return;
	if (w->depth < 4)
		r->in_amus = r->in_cpus && w->depth == 3 && pmumap_amu_is_node_(r, "amus", 0);
	if (r->in_amus)
		r->seen = 1;
	else if (r->in_cpus && w->depth == 3)
		pmumap_amu_read_cpu_(r);
	/* Elsewhere a counter makes its parent a view, unless that is the root, at depth 1. */
	if (r->in_amus
		    ? w->depth == 5
		    : w->depth > 2 && w->depth <= PMUMAP_AMU_PARENTS_ &&
			      r->parents[w->depth - 1].id && pmumap_amu_is_node_(r, "counter@", 1))
		pmumap_amu_read_counter_(r);
	if (r->in_amus ? w->depth == 4 : w->depth < PMUMAP_AMU_PARENTS_)
		pmumap_amu_note_view_(r);
}

/* Validate the tree and visit its items. */
static inline enum pmumap_status
pmumap_amu_read_tree_(struct pmumap_amu_reader_ *r, const void *fdt, size_t fdt_size,
		      const struct pmumap_amu_options *opt,
		      void (*visit)(struct pmumap_amu_reader_ *r, uint32_t item))
{
	static const char wanted[] = PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_AMU_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };
	enum pmumap_status status;
	int more = 0;

	pmumap_zero_words_(r, sizeof(*r));
	r->w.memos = r->memos;
	r->w.wanted = wanted;
	r->w.lengths = lengths;
	r->w.count = PMUMAP_AMU_PROPERTIES_;
	r->w.found = r->found;
	r->wanted = opt ? (uint32_t)opt->node : 0;
	r->visit = visit;
	status = pmumap_fdt_begin_(&r->w, fdt, fdt_size);
	while (status == PMUMAP_OK && (more = pmumap_fdt_next_(&r->w, pmumap_fdt_recall_)) > 0)
		pmumap_amu_read_node_(r);
	if (more < 0)
		status = PMUMAP_E_FDT_STRUCT;
	if (status == PMUMAP_OK && !r->seen)
		status = r->wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

/* ---- amu/fill.h: Fill the tables of a map: one walk counts, a second one fills */
#define PMUMAP_AMU_NONE_ 0xffffffffu

/* Tables of the block that a map is built in. */
#define PMUMAP_AMU_TABLE_(m, type, at) ((type *)(void *)((char *)(m) + (at)))
#define PMUMAP_AMU_WORDS_(m, at) PMUMAP_AMU_TABLE_(m, uint32_t, at)
#define PMUMAP_AMU_PAIRS_(m, at) ((uint32_t(*)[2])(void *)PMUMAP_AMU_WORDS_(m, at))
#define PMUMAP_AMU_ROOM_(n, each) (((uint64_t)(n) * (each) + 7) & ~(uint64_t)7)
#define PMUMAP_AMU_VIEWS_(m) PMUMAP_AMU_TABLE_(m, struct pmumap_amu_view_row_, (m)->views)

/*
 * State of a build. Until the map is packed, its tables have room for all that was counted, and
 * names are offsets in the tree. Behind them are lists that a finished map does not need. The
 * reader comes first, because visit casts it to this struct.
 */
struct pmumap_amu_build_ {
	struct pmumap_amu_reader_ r;
	const struct pmumap_amu_options *opt;
	struct pmumap_amu *m; /* NULL: only count */
	uint64_t need;
	uint32_t label_count;
	uint32_t (*ids)[2];    /* phandle and place in the tree of each view */
	uint32_t *numbers;     /* of each view: whether the map has it; then its number, or NONE */
	uint32_t (*labels)[2]; /* for pmumap_amu_labels(), like the rest */
	uint32_t name;         /* offset in the tree of the current counter's; 0: list the labels */
};

/* Fill in a counter. The names of its view are in the order of the counters' indices. */
static inline void pmumap_amu_fill_counter_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu_view_row_ *v = PMUMAP_AMU_VIEWS_(b->m) + b->r.view_count - 1;
	uint32_t *names = PMUMAP_AMU_WORDS_(b->m, b->m->names), place, i;

	b->name = (uint32_t)(pmumap_fdt_name_(&b->r.w) - b->r.w.blob);
	if (b->label_count && b->r.in_amus)
		b->opt->labels(b);
	v->described = (uint16_t)b->r.described;
	v->enable = (uint16_t)b->r.enable;
	if (b->r.flags)
		return;
	place = pmumap_amu_place_of_name_(v, b->r.index);
	for (i = b->r.counter_count; i > place; i--) {
		names[i] = names[i - 1];
		PMUMAP_NO_LIBCALL_();
	}
	names[place] = b->name;
}

/* Fill in an item, unless there is no block yet. */
static inline void pmumap_amu_fill_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_build_ *b = (struct pmumap_amu_build_ *)(void *)r;
	uint32_t *pair;

	if (!b->m)
		return;
	if (item == PMUMAP_AMU_COUNTER_) {
		pmumap_amu_fill_counter_(b);
	} else if (item == PMUMAP_AMU_VIEW_) {
		PMUMAP_AMU_VIEWS_(b->m)[r->view_count].first = r->counter_count;
		pair = b->ids[r->view_count];
		pair[0] = r->view->id;
		pair[1] = r->view_count;
		b->numbers[r->view_count] = r->in_amus;
	} else if (!r->flags) {
		pair = &PMUMAP_AMU_PAIRS_(b->m, b->m->cpus)[r->cpu_count][0];
		pair[0] = pmumap_amu_pack_affinity_(r->mpidr);
		pair[1] = r->cpu_count;
		PMUMAP_AMU_WORDS_(b->m, b->m->by_tree)[r->cpu_count] = r->id;
	}
}

/*
 * Validate the tree and count. Then lay out the block at mem, or only measure it if mem is NULL.
 * Strings come last in the map, because only their number is known; lists of the build follow.
 */
static inline enum pmumap_status pmumap_amu_lay_out_(struct pmumap_amu_build_ *b, const void *fdt,
						     size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     void *mem, size_t bytes)
{
	uint64_t names, cpus, by_tree, strings, ids, numbers, labels;
	enum pmumap_status status;

	b->m = 0;
	b->opt = opt;
	b->label_count = b->name = 0;
	status = pmumap_amu_read_tree_(&b->r, fdt, fdt_size, opt, pmumap_amu_fill_item_);
	if (status != PMUMAP_OK)
		return status;
	if (opt && opt->labels && b->r.symbols)
		opt->labels(b);
	names = sizeof(*b->m) + PMUMAP_AMU_ROOM_(b->r.view_count, 8);
	cpus = names + PMUMAP_AMU_ROOM_(b->r.counter_count, 4);
	by_tree = cpus + PMUMAP_AMU_ROOM_(b->r.cpu_count, 8);
	strings = by_tree + PMUMAP_AMU_ROOM_(b->r.cpu_count, 4);
	ids = strings + PMUMAP_AMU_ROOM_(b->r.text_bytes + 1, 1);
	numbers = ids + PMUMAP_AMU_ROOM_(b->r.view_count, 8);
	labels = numbers + PMUMAP_AMU_ROOM_(b->r.view_count, 4);
	b->need = labels + PMUMAP_AMU_ROOM_(b->label_count, 8);
	if ((size_t)mem % 8)
		return PMUMAP_E_ARG;
	if (b->need > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	if (!mem || bytes < b->need)
		return mem ? PMUMAP_E_NOSPACE : PMUMAP_OK;
	b->m = (struct pmumap_amu *)mem;
	pmumap_zero_words_(b->m, (size_t)strings);
	b->m->views = sizeof(*b->m);
	b->m->names = (uint32_t)names;
	b->m->cpus = (uint32_t)cpus;
	b->m->by_tree = (uint32_t)by_tree;
	b->m->strings = (uint32_t)strings;
	b->ids = PMUMAP_AMU_PAIRS_(mem, ids);
	b->numbers = PMUMAP_AMU_WORDS_(mem, numbers);
	b->labels = PMUMAP_AMU_PAIRS_(mem, labels);
	if (b->label_count)
		opt->labels(b);
	return PMUMAP_OK;
}

/* ---- amu/build.h: Turn filled tables into a map */
/* The first of n sorted pairs with this key, or NULL. */
static inline uint32_t *pmumap_amu_find_pair_(uint32_t (*pairs)[2], uint32_t n, uint32_t key)
{
	uint32_t half;

	if (n == 0)
		return 0;
	for (; n > 1; n -= half) {
		half = n / 2;
		pairs += pairs[half - 1][0] < key ? half : 0;
	}
	return pairs[0][0] == key ? &pairs[0][0] : 0;
}

/* Sort the CPUs, drop those whose affinity an earlier one has, and find the views they name. */
static inline void pmumap_amu_resolve_cpus_(struct pmumap_amu_build_ *b)
{
	uint32_t(*cpus)[2] = PMUMAP_AMU_PAIRS_(b->m, b->m->cpus);
	uint32_t *order = PMUMAP_AMU_WORDS_(b->m, b->m->by_tree), *view, i, at, n = 0;

	pmumap_sort_pairs_(b->ids, b->r.view_count, 0, 0);
	pmumap_sort_pairs_(cpus, b->r.cpu_count, 0, 0);
	for (i = 0; i < b->r.cpu_count; i++) {
		at = cpus[i][1];
		view = order[at] ? pmumap_amu_find_pair_(b->ids, b->r.view_count, order[at]) : 0;
		order[at] = PMUMAP_AMU_NONE_;
		if (n && cpus[n - 1][0] == cpus[i][0])
			continue;
		cpus[n][0] = cpus[i][0];
		cpus[n][1] = view ? view[1] : PMUMAP_AMU_NO_VIEW;
		order[at] = n++;
		if (view)
			b->numbers[view[1]] = 1;
	}
	for (i = at = 0; i < b->r.cpu_count; i++) {
		order[at] = order[i];
		at += order[i] != PMUMAP_AMU_NONE_;
	}
	b->m->cpu_count = n;
}

/* Keep the views in /cpus/amus and those that a CPU names, and number them. */
static inline void pmumap_amu_number_views_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu *m = b->m;
	struct pmumap_amu_view_row_ *v = PMUMAP_AMU_VIEWS_(m);
	uint32_t *view, i, is_kept;

	for (i = 0; i < b->r.view_count; i++) {
		is_kept = b->numbers[i];
		b->numbers[i] = is_kept ? m->view_count : PMUMAP_AMU_NONE_;
		v[m->view_count] = v[i];
		m->view_count += is_kept;
	}
	for (i = 0; i < m->cpu_count; i++) {
		view = &PMUMAP_AMU_PAIRS_(m, m->cpus)[i][1];
		*view = *view == PMUMAP_AMU_NO_VIEW ? *view : b->numbers[*view];
	}
}

/* Copy the names, which are offsets in the tree, behind the tables. */
static inline void pmumap_amu_copy_names_(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu *m = b->m;
	uint32_t *name = PMUMAP_AMU_WORDS_(m, m->names), i;
	unsigned char *to = PMUMAP_AMU_TABLE_(m, unsigned char, m->strings);
	const unsigned char *from;

	m->name_count = b->r.counter_count;
	for (i = 0; i < m->name_count; i++, name++) {
		from = b->r.w.blob + *name;
		*name = (uint32_t)(to - (unsigned char *)m);
		do {
			*to++ = *from;
			PMUMAP_NO_LIBCALL_();
		} while (*from++);
	}
	do
		*to++ = 0;
	while ((size_t)to % 8);
	m->head.size = (uint32_t)(to - (unsigned char *)m);
	m->string_bytes = m->head.size - m->strings;
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.magic = PMUMAP_AMU_MAGIC;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes)
{
	struct pmumap_amu_build_ b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	status = pmumap_amu_lay_out_(&b, fdt, fdt_size, opt, 0, 0);
	*bytes = status == PMUMAP_OK ? (size_t)b.need : 0;
	return status;
}

/* Build the map of a tree. Afterwards b has the number of each view in the tree. */
static inline enum pmumap_status pmumap_amu_build_tree_(struct pmumap_amu_build_ *b,
							const void *fdt, size_t fdt_size,
							const struct pmumap_amu_options *opt,
							void *mem, size_t bytes)
{
	enum pmumap_status status;

	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_amu_lay_out_(b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	(void)pmumap_amu_read_tree_(&b->r, fdt, fdt_size, opt, pmumap_amu_fill_item_);
	pmumap_amu_resolve_cpus_(b);
	pmumap_amu_number_views_(b);
	pmumap_amu_copy_names_(b);
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_amu_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_amu_options *opt,
		     void *mem, size_t bytes, const struct pmumap_amu **map)
{
	struct pmumap_amu_build_ b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	status = pmumap_amu_build_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	*map = status == PMUMAP_OK ? b.m : 0;
	return status;
}

/* ---- core/status.h: The texts of status codes */
#ifndef PMUMAP_HAS_CORE_STATUS_
#define PMUMAP_HAS_CORE_STATUS_
/* Skip n strings. They are one array because an array of pointers would need relocations. */
static inline const char *pmumap_nth_text_(const char *texts, uint32_t n)
{
	while (n) {
		if (*texts++ == 0)
			n--;
		PMUMAP_NO_LIBCALL_();
	}
	return texts;
}

/* The text of a number; an unknown number gets the text after the last one. */
static inline const char *pmumap_text_of_number_(const unsigned char *numbers, uint32_t n,
						 const char *texts, uint32_t number)
{
	uint32_t i = 0;

	while (i < n && numbers[i] != number)
		i++;
	return pmumap_nth_text_(texts, i);
}

PMUMAP_DEF const char *pmumap_status_str(enum pmumap_status status)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_STATUS_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char texts[] = PMUMAP_STATUS_LIST(PMUMAP_X_) "unknown status";
#undef PMUMAP_X_

	return pmumap_text_of_number_(numbers, sizeof(numbers), texts, (uint32_t)status);
}
#endif /* PMUMAP_HAS_CORE_STATUS_ */

#endif /* PMUMAP_AMU_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
