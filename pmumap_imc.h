/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_imc.h 0.3.1 -- IBM's In-Memory Collection (IMC): event names to offsets, and back.
 *	Mistakes are in pmumap_imc_check.h, registers and what firmware does in pmumap_imc_hw.h.
 *
 * QUICK START
 *	#include "pmumap_imc.h"			// nothing else to copy, nothing to link
 *
 *	const struct pmumap_imc *map;
 *	struct pmumap_imc_event event;
 *	enum pmumap_status status;
 *	uint32_t number;
 *	uint64_t phys;
 *	size_t need;
 *
 *	status = pmumap_imc_fdt_measure(fdt, fdt_size, 0, &need);
 *	if (status == PMUMAP_OK)
 *		status = pmumap_imc_fdt_build(fdt, fdt_size, 0, malloc(need), need, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no IMC, a bad blob, ...
 *		return;
 *	}
 *	if (pmumap_imc_find_name(map, name, strlen(name), 0, &number) &&
 *	    pmumap_imc_event(map, number, &event) &&
 *	    pmumap_imc_address(map, &event, chip, &phys))
 *		use(phys);			// where this chip counts it
 *
 * WHAT IS READ
 *   Every node that is compatible with "ibm,opal-in-memory-counters": the root of a catalog, or
 *   /imc-counters of a running system. Its children are PMUs ("ibm,imc-counters") and lists of
 *   events, linked by phandle in either order. Until June 2017, PMUs were compatible with
 *   "ibm,imc-counters-nest" and so on. Chips come from base-addr and chip-id, or base_addr and
 *   chipids. Formats before February 2017 are not read: "ibm,ima-...", and events inside their PMU.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_imc_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock.
 *   Input	any tree, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0. The block must not overlap the tree: E_ARG.
 *   Failure	a failed build yields no map.
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

#ifndef PMUMAP_IMC_H
#define PMUMAP_IMC_H

/* ---- core/api.h: Status codes, findings, and the image */
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

/*
 * How bad a finding is:
 *   error    the row, the node or the property is dropped
 *   warning  this is probably a mistake
 *   note     it is legal, and worth knowing
 */
enum pmumap_severity { PMUMAP_NOTE = 1, PMUMAP_WARNING = 2, PMUMAP_ERROR = 3 };

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
 * Your callback for each finding during a build. The finding is valid until it returns. It must not
 * use the builder or the block, must not change the tree, and must return: no longjmp, no
 * exception.
 */
typedef void pmumap_report_fn(void *arg, const struct pmumap_finding *finding);

/* "error", "warning" or "note" */
PMUMAP_API const char *pmumap_severity_str(enum pmumap_severity severity);

#define PMUMAP_IMAGE_VERSION 4u

/* The head of every image, for all kinds of maps. */
struct pmumap_head_ {
	uint32_t magic, version;
	uint32_t size; /* of the whole image, a multiple of 8 */
	uint32_t flags;
};
#endif /* PMUMAP_HAS_CORE_API_ */

/* ---- imc/api.h: IMC: names, PMUs, offsets, addresses */
struct pmumap_imc; /* a map: read it through the functions below */

/*
 * Bytes of a block that is enough for a tree with this many PMUs, and events in all PMUs together
 * (each counts once for each PMU that has it), as an integer constant for numbers up to 65535. It
 * allows for 16 chips in each PMU, node names and prefixes of 31 bytes, full names of 47 bytes, a
 * scale and a measure of 15 bytes for each PMU and event, and no descriptions.
 *
 *	static uint64_t block[PMUMAP_IMC_BLOCK(64, 640) / 8];
 */
#define PMUMAP_IMC_BLOCK(units, events) (256u + 440u * (units) + 168u * (events))

/* Where a PMU's counters are; values of the property "type". */
#define PMUMAP_IMC_THREAD 0x1u /* a page for each hardware thread */
#define PMUMAP_IMC_TRACE 0x2u  /* nowhere: the offset is the trace configuration */
#define PMUMAP_IMC_CORE 0x4u   /* a page for each core */
#define PMUMAP_IMC_NEST 0x10u  /* a window in the memory of each chip */

/*
 * A PMU. Names here say "unit" for a PMU, and "measure" for its property unit. Strings are in the
 * map. An event's full name is its PMU's prefix, then its name.
 */
struct pmumap_imc_unit {
	const char *name;            /* of the node: "mcs01@c8" */
	const char *prefix;          /* "PM_MCS01_"; may be "" */
	const char *scale, *measure; /* for events without their own; or NULL */
	uint32_t type;
	uint32_t reg;     /* added to the offset of each event */
	uint32_t size;    /* of the window or page; 0: unknown */
	uint32_t offset;  /* of the window from the chip's base */
	uint32_t control; /* of the control block in the window */
	uint32_t events, chips;
};

struct pmumap_imc_event {
	const char *unit, *prefix, *name; /* unit: the name of its node */
	const char *scale, *measure;      /* its own, otherwise the PMU's, otherwise NULL */
	const char *desc;                 /* NULL, unless built with PMUMAP_DESC */
	uint32_t type;
	uint32_t offset; /* in the window or page; for trace events, the configuration */
	uint32_t unit_index;
};

#define PMUMAP_DESC 2u /* flags: keep the descriptions of events */

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   flags	PMUMAP_DESC
 *   node	libfdt's offset of the only IMC root to read; 0: all roots
 *   wanted	called for each PMU, with its type and its node's name: return 0 to leave it out.
 *		pmumap_imc_wanted (pmumap_imc_hw.h) decides by generation and available. NULL: keep
 *		all, and no code for it is linked
 */
struct pmumap_imc_options {
	uint32_t flags;
	int node;
	int (*wanted)(const struct pmumap_imc_options *opt, uint32_t type, const char *unit);
	unsigned generation;
	uint64_t available;
};

/*
 * Measure the block for a tree, or validate the tree and build its map. The map takes
 * pmumap_imc_size() bytes of the block; you may reuse the rest.
 *
 * Any blob at any address is safe. If blob and block overlap, it returns E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not from measure), E_FDT_*, E_NOTFOUND; with node, E_NODE; E_LIMIT for
 *          more than 65535 events in all PMUs, 65535 PMUs, 128 lists, or a full name of more than
 *          4095 bytes.
 * Cost     two walks (measure: one), and O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_imc_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_imc_options *opt, void *mem,
						   size_t bytes, const struct pmumap_imc **map);

#define PMUMAP_IMC_MAGIC 0x504d5549u

/*
 * Validate an image from elsewhere; afterwards no look-up reads outside it. image: 8-byte aligned;
 * bytes: at least its size, which is at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_*.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_imc_open(const void *image, size_t bytes,
					      const struct pmumap_imc **map);

/* Bytes of the image, for copying or storing it. */
PMUMAP_API size_t pmumap_imc_size(const struct pmumap_imc *m);

/*
 * Events in all PMUs together. An event's number, from 0 on, is its place among these: by PMU in
 * the order of the tree, then by offset.
 */
PMUMAP_API uint32_t pmumap_imc_names(const struct pmumap_imc *m);

/*
 * Find an event by its full name, or in one PMU by UNIT/NAME or UNIT/NAME/ with the full name. UNIT
 * is its node's name (mcs01@c8), possibly without the address, or Linux's name (nest_mcs01_imc).
 *
 * A name may end in a slash, and it may be empty: then the full name is the prefix, as in Linux.
 *
 * Several PMUs may have the name. nth counts them from 0: longer prefixes first, then in the order
 * of PMUs, then by offset.
 *
 * Returns  1; or 0, and *event is unchanged.
 * Cost     usually one or two compared tags and one compared name, at worst a binary search; with
 *          UNIT/, for each match of the name.
 */
PMUMAP_API int pmumap_imc_find_name(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t nth, uint32_t *event);

#define PMUMAP_IMC_ALL 0xffffffffu

/*
 * The nth event at an offset, in the order of PMUs. unit: one PMU, or PMUMAP_IMC_ALL. Returns 1; or
 * 0, and *event is unchanged. Cost: a binary search in one hash bucket, or in one PMU.
 */
PMUMAP_API int pmumap_imc_find_offset(const struct pmumap_imc *m, uint32_t unit, uint32_t offset,
				      uint32_t nth, uint32_t *event);

/* Describe an event, by its number. Returns 1; or 0, and *out is unchanged. */
PMUMAP_API int pmumap_imc_event(const struct pmumap_imc *m, uint32_t event,
				struct pmumap_imc_event *out);

/* Find the first PMU with a name, in any spelling of pmumap_imc_find_name(). Cost: O(PMUs). */
PMUMAP_API int pmumap_imc_unit_find(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t *unit);

/*
 * Write Linux's name of a unit: nest_mcs01_imc, core_imc. It is cut to the size of text, and
 * terminated unless that is 0. Returns the length of the whole name; 0 for a wrong PMU.
 */
PMUMAP_API size_t pmumap_imc_linux_name(const struct pmumap_imc *m, uint32_t unit, char *text,
					size_t bytes);

/* List the map: PMUs in the order of the tree, events by offset. Returns 0 for a wrong index. */
PMUMAP_API int pmumap_imc_unit_at(const struct pmumap_imc *m, uint32_t index,
				  struct pmumap_imc_unit *out);
PMUMAP_API int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   uint32_t *event);
PMUMAP_API int pmumap_imc_chip_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				  uint32_t *chip, uint64_t *base);

/*
 * The physical address of a nest counter, or of a nest PMU's control block, on a chip. Returns 1;
 * or 0, and *phys is unchanged: not a nest PMU, no such chip, or out of bounds.
 */
PMUMAP_API int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys);
PMUMAP_API int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys);

#endif /* PMUMAP_IMC_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_imc.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_IMC_IMPLEMENTED_)
#define PMUMAP_IMC_IMPLEMENTED_

/* ---- core/compiler.h: Keep compilers from calling libc */
#ifndef PMUMAP_HAS_CORE_COMPILER_
#define PMUMAP_HAS_CORE_COMPILER_
/*
 * For loops that look like memset, memcpy or strlen: compilers turn those into calls of libc, even
 * when freestanding. `make check-undef` fails where this is missing.
 */
#ifdef __GNUC__
#define PMUMAP_NO_LIBCALL_() __asm__ __volatile__("" : : : "memory")
#else
#define PMUMAP_NO_LIBCALL_() ((void)0)
#endif

/*
 * LOADED: load the value before the branch that depends on it, so that the compiler can select
 * without a branch. On x86-64 a selector takes 3 ns instead of 9 if keys come in random order.
 * OUTLINE: never inline. For slow paths, so that the fast path needs no stack frame; and for what
 * gcc -Os would copy into each caller.
 * COLD: runs once per boot; optimised for size even at -O2. Not for work per node or per name.
 * INLINE: inline into callers unless optimising for size: a leaf look-up needs no stack frame.
 * ALWAYS_INLINE: inline even when optimising for size: the call would be larger.
 * LOAD: where unaligned big-endian loads are one instruction, a call would be larger.
 * MAY_ALIAS: memory of this type may be accessed as another type.
 */
#ifdef __GNUC__
#define PMUMAP_LOADED_(x) __asm__ __volatile__("" : "+r"(x))
#define PMUMAP_OUTLINE_ static __attribute__((__noinline__, __unused__))
#define PMUMAP_ALWAYS_INLINE_ static inline __attribute__((__always_inline__))
#ifdef __OPTIMIZE_SIZE__
#define PMUMAP_INLINE_ static inline
#else
#define PMUMAP_INLINE_ PMUMAP_ALWAYS_INLINE_
#endif
#ifdef __powerpc64__
#define PMUMAP_LOAD_ PMUMAP_ALWAYS_INLINE_
#else
#define PMUMAP_LOAD_ static inline
#endif
#define PMUMAP_MAY_ALIAS_ __attribute__((__may_alias__))
#define PMUMAP_COLD_ __attribute__((__cold__))
#else
#define PMUMAP_LOADED_(x) ((void)0)
#define PMUMAP_OUTLINE_ static inline
#define PMUMAP_ALWAYS_INLINE_ static inline
#define PMUMAP_INLINE_ static inline
#define PMUMAP_LOAD_ static inline
#define PMUMAP_MAY_ALIAS_
#define PMUMAP_COLD_
#endif
#endif /* PMUMAP_HAS_CORE_COMPILER_ */

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

/* ---- imc/type.h: Types of units */
static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/* ---- imc/unit_name.h: Spellings of a unit */
/*
 * Strip what Linux adds to a unit's name, as in nest_mcs01_imc and core_imc. Returns 0 and leaves
 * the text unchanged if it does not have that form.
 */
static inline int pmumap_imc_strip_linux_name_(const char **text, size_t *len, int nest)
{
	const char *around = nest ? "nest__imc" : "_imc";
	size_t before = nest ? 5 : 0, all = before + 4, i;

	if (*len <= all)
		return 0;
	for (i = 0; i < all; i++) {
		if ((*text)[i < before ? i : *len - all + i] != around[i])
			return 0;
	}
	for (i = before; i < *len - 4; i++) {
		if ((*text)[i] == '@')
			return 0;
	}
	*text += before;
	*len -= all;
	return 1;
}

/* Whether a text is the name of a node, with or without the address. */
static inline int pmumap_imc_node_is_(const char *node, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (node[i] != text[i] || node[i] == 0)
			return 0;
	}
	return node[len] == 0 || node[len] == '@';
}

/* Whether a text is the name of a node, or Linux's name for a unit of this name and type. */
static inline int pmumap_imc_unit_name_matches_(const char *node, uint32_t type, const char *text,
						size_t len)
{
	return pmumap_imc_node_is_(node, text, len) ||
	       (pmumap_imc_strip_linux_name_(&text, &len, type == PMUMAP_IMC_NEST) &&
		pmumap_imc_node_is_(node, text, len));
}

/* ---- imc/tables.h: The tables of a map, and texts in them */
/*
 * The head of a map; its tables follow in the same block, at offsets in bytes from the head.
 *
 * A hash selects a bucket, and a tag in it. by_name has all events sorted by hash, name, and what
 * decides between equal names; name_starts has where each bucket begins in it, then the end. The
 * same for offsets.
 */
struct pmumap_imc {
	struct pmumap_head_ head;
	uint32_t units, unit_count;
	uint32_t rows, names; /* events */
	uint32_t by_name, name_starts;
	uint32_t by_offset, offset_starts;
	uint32_t owns, own_count;
	uint32_t chips, chip_count;
	uint32_t strings, string_bytes; /* at least 8; the last 8 are 0 */
	uint64_t multiplier;            /* of hashes: HASH_, which CPUs load faster from here */
	uint64_t bisect; /* 16: bisect for names shorter than half of it; NONE_: for all */
	uint32_t shift;  /* of a hash of 64 bits to its bucket: 48 to 63 */
	uint32_t lowest; /* the lowest byte with which some spelling of a unit begins */
};

struct pmumap_imc_entry_ {
	uint16_t tag, event;
};

/* In the order of the tree. */
struct pmumap_imc_unit_row_ {
	uint32_t name, prefix, scale, measure; /* strings; 0: none */
	uint32_t reg, size, offset, control;
	uint32_t first, events; /* its rows */
	uint32_t chips, chip_count;
	uint16_t type, prefix_bytes;
};

/* An event of a unit. Sorted by unit, then by offset. */
struct pmumap_imc_row_ {
	uint32_t name; /* its full name, 8-byte aligned, padded with at least one 0 to 8 bytes */
	uint32_t offset;
	uint16_t unit;
	uint16_t length; /* of its name */
};

#define PMUMAP_IMC_NONE_ 0xffffffffu
#define PMUMAP_IMC_LONGEST_ 4095u
#define PMUMAP_IMC_MOST_ 65535u /* events in all units; units */

/* An event's own strings; 0: its unit's. Sorted by row. Most events have none. */
struct pmumap_imc_own_ {
	uint32_t row, scale, measure, desc;
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused;
};

static inline const struct pmumap_imc_unit_row_ *pmumap_imc_unit_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_unit_row_ *)pmumap_image_at_(m, m->units);
}

static inline const struct pmumap_imc_row_ *pmumap_imc_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_row_ *)pmumap_image_at_(m, m->rows);
}

static inline const struct pmumap_imc_own_ *pmumap_imc_owns_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_own_ *)pmumap_image_at_(m, m->owns);
}

static inline const struct pmumap_imc_chip_row_ *pmumap_imc_chip_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m, m->chips);
}

static inline const struct pmumap_imc_entry_ *pmumap_imc_by_name_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_entry_ *)pmumap_image_at_(m, m->by_name);
}

static inline const uint16_t *pmumap_imc_numbers_(const struct pmumap_imc *m, uint32_t table)
{
	return (const uint16_t *)pmumap_image_at_(m, table);
}

static inline const char *pmumap_imc_string_(const struct pmumap_imc *m, uint32_t string)
{
	return string ? (const char *)pmumap_image_at_(m, string) : 0;
}

/* UNALIGNED: one instruction loads a word from any address. WORD: any text as words. */
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1
struct pmumap_word_ {
	uint64_t value;
} __attribute__((__packed__, __may_alias__));
#else
#define PMUMAP_UNALIGNED_ 0
struct PMUMAP_MAY_ALIAS_ pmumap_word_ {
	uint64_t value;
};
#endif

#define PMUMAP_WORD_(p) (((const struct pmumap_word_ *)(const void *)(p))->value)

/* The XOR of two words, the first byte highest, so that images do not depend on the order. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_xor_(const unsigned char *p, const unsigned char *q)
{
#if PMUMAP_UNALIGNED_ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return PMUMAP_WORD_(p) ^ PMUMAP_WORD_(q);
#elif PMUMAP_UNALIGNED_
	return __builtin_bswap64(PMUMAP_WORD_(p) ^ PMUMAP_WORD_(q));
#else
#define PMUMAP_XOR_(i) ((uint64_t)(p[i] ^ q[i]) << (56 - 8 * (i)))
	return PMUMAP_XOR_(0) | PMUMAP_XOR_(1) | PMUMAP_XOR_(2) | PMUMAP_XOR_(3) | PMUMAP_XOR_(4) |
	       PMUMAP_XOR_(5) | PMUMAP_XOR_(6) | PMUMAP_XOR_(7);
#undef PMUMAP_XOR_
#endif
}

#define PMUMAP_IMC_HASH_ 0x9e3779b97f4a7c15u

PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_mix_(uint64_t first, uint64_t last, uint64_t multiplier)
{
	first *= multiplier;
	return ((first << 32 | first >> 32) ^ last) * multiplier;
}

/*
 * The hash of a name of at least 16 bytes: the first and the last 16 tell it from almost all
 * others. Names that have both in common cost a binary search.
 */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_hash_long_(const struct pmumap_imc *m,
						     const unsigned char *p, size_t n)
{
	return pmumap_imc_mix_(pmumap_load_xor_(p, p + 8), pmumap_load_xor_(p + n - 8, p + n - 16),
			       m->multiplier);
}

/* The same from 8 to 15 bytes. */
static inline uint64_t pmumap_imc_hash_short_(const struct pmumap_imc *m, const unsigned char *p,
					      size_t n)
{
	return pmumap_imc_mix_(pmumap_load_be64_(p), pmumap_load_be64_(p + n - 8), m->multiplier);
}

/* The hash of any name. */
static inline uint64_t pmumap_imc_hash_(const struct pmumap_imc *m, const unsigned char *p,
					size_t n)
{
	uint64_t word = 0;

	if (n >= 8)
		return n < 16 ? pmumap_imc_hash_short_(m, p, n) : pmumap_imc_hash_long_(m, p, n);
	for (; n; n--) {
		word = word << 8 | *p++;
		PMUMAP_NO_LIBCALL_();
	}
	return pmumap_imc_mix_(0, word, m->multiplier);
}

/* The tag of a hash. */
static inline uint32_t pmumap_imc_tag_(uint64_t hash)
{
	return (uint32_t)(hash >> 32) & 0xffff;
}

/* The bucket of a hash. The upper half is enough, and 32-bit CPUs shift it without libgcc. */
static inline uint32_t pmumap_imc_bucket_of_(const struct pmumap_imc *m, uint64_t hash)
{
	return (uint32_t)(hash >> 32) >> (m->shift & 31);
}

/* Multiply by an odd number: different offsets have different hashes. */
static inline uint32_t pmumap_imc_hash_offset_(uint32_t offset)
{
	return offset * 0x9e3779b1u;
}

/* The bucket of a hash of 32 bits, of so many buckets. */
static inline uint32_t pmumap_imc_bucket_(uint32_t hash, uint32_t buckets)
{
	return (uint32_t)((uint64_t)hash * buckets >> 32);
}

/* ---- imc/open.h: Validate the tables of a foreign image */
/* Whether an offset is in the strings, which end in 8 bytes of 0. absent: it may be 0, for none. */
static inline int pmumap_imc_holds_string_(const struct pmumap_imc *m, uint32_t string, int absent)
{
	return (absent && string == 0) ||
	       (string >= m->strings && string - m->strings < m->string_bytes);
}

static inline int pmumap_imc_holds_strings_(const struct pmumap_imc *m, const uint32_t *strings,
					    uint32_t n)
{
	while (n && pmumap_imc_holds_string_(m, *strings, 1)) {
		strings++;
		n--;
	}
	return n == 0;
}

/* Whether the starts of buckets are in bounds and in order. */
static inline int pmumap_imc_open_starts_(const struct pmumap_imc *m, uint32_t table, uint32_t n)
{
	const uint16_t *starts = pmumap_imc_numbers_(m, table);
	uint32_t i;

	if (!PMUMAP_IMAGE_HOLDS_(m, table, n + 1, sizeof(*starts)))
		return 0;
	for (i = 0; i < n; i++) {
		if (starts[i] > starts[i + 1])
			return 0;
	}
	return starts[n] <= m->names;
}

static inline int pmumap_imc_open_units_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t i;

	for (i = 0; i < m->unit_count; i++, u++) {
		if (!pmumap_imc_is_type_(u->type) || !pmumap_imc_holds_string_(m, u->name, 0) ||
		    !pmumap_imc_holds_string_(m, u->prefix, 0) ||
		    !pmumap_imc_holds_strings_(m, &u->scale, 1) ||
		    !pmumap_imc_holds_strings_(m, &u->measure, 1) || u->first > m->names ||
		    u->events > m->names - u->first || u->chips > m->chip_count ||
		    u->chip_count > m->chip_count - u->chips)
			return 0;
	}
	return 1;
}

/* A row's name can be compared by words, and its unit's prefix is in it. */
static inline int pmumap_imc_open_rows_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m);
	uint32_t i;

	for (i = 0; i < m->names; i++, row++) {
		if (row->name % 8 || !pmumap_imc_holds_string_(m, row->name, 0) ||
		    row->length + 8u > m->strings + m->string_bytes - row->name ||
		    row->unit >= m->unit_count ||
		    pmumap_imc_unit_rows_(m)[row->unit].prefix_bytes > row->length ||
		    pmumap_imc_by_name_(m)[i].event >= m->names ||
		    pmumap_imc_numbers_(m, m->by_offset)[i] >= m->names)
			return 0;
	}
	for (i = 0; i < m->own_count; i++) {
		if (!pmumap_imc_holds_strings_(m, &pmumap_imc_owns_(m)[i].scale, 3))
			return 0;
	}
	return 1;
}

/* Validate all tables. Returns 0 if a look-up could read out of bounds. */
static inline int pmumap_imc_open_tables_(const struct pmumap_imc *m)
{
	if (m->names > PMUMAP_IMC_MOST_ || m->unit_count > PMUMAP_IMC_MOST_ ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->units, m->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->rows, m->names, sizeof(struct pmumap_imc_row_)) ||
	    m->shift < 48 || m->shift > 63 || m->bisect < 16 ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->names, sizeof(struct pmumap_imc_entry_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, sizeof(uint16_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->owns, m->own_count, sizeof(struct pmumap_imc_own_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes < 8 ||
	    m->string_bytes % 8)
		return 0;
	return !*(const uint64_t *)pmumap_image_at_(m, m->strings + m->string_bytes - 8) &&
	       pmumap_imc_open_starts_(m, m->name_starts, 1u << (64 - m->shift)) &&
	       pmumap_imc_open_starts_(m, m->offset_starts, m->names + 1) &&
	       pmumap_imc_open_units_(m) && pmumap_imc_open_rows_(m);
}

PMUMAP_DEF enum pmumap_status pmumap_imc_open(const void *image, size_t bytes,
					      const struct pmumap_imc **map)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)image;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_IMC_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_imc_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

/* ---- imc/find.h: Find a name */
/* Whether a text is any spelling of a unit of the map. */
static inline int pmumap_imc_unit_is_(const struct pmumap_imc *m, uint32_t unit, const char *text,
				      size_t len)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;

	return pmumap_imc_unit_name_matches_((const char *)pmumap_image_at_(m, u->name), u->type,
					     text, len);
}

/* Compare a row's name with a text, in some order: by length first. Returns below 0, 0 or above. */
static inline int pmumap_imc_compare_(const struct pmumap_imc *m, const struct pmumap_imc_row_ *row,
				      const unsigned char *text, size_t len)
{
	const unsigned char *name = (const unsigned char *)pmumap_image_at_(m, row->name);
	size_t i = 0;

	if (row->length != len)
		return row->length < len ? -1 : 1;
	if (PMUMAP_UNALIGNED_ || (size_t)text % 8 == 0) {
		while (i + 8 <= len && PMUMAP_WORD_(text + i) == PMUMAP_WORD_(name + i))
			i += 8;
	}
	while (i + 4 <= len && text[i] == name[i] && text[i + 1] == name[i + 1] &&
	       text[i + 2] == name[i + 2] && text[i + 3] == name[i + 3])
		i += 4;
	while (i < len && text[i] == name[i])
		i++;
	return i == len ? 0 : (int)name[i] - (int)text[i];
}

/* Whether a row has this name. */
static inline int pmumap_imc_is_name_(const struct pmumap_imc *m, const struct pmumap_imc_row_ *row,
				      const unsigned char *text, size_t len)
{
	return pmumap_imc_compare_(m, row, text, len) == 0;
}

/*
 * Find the nth match of a name by bisecting its bucket; unit: only in units with this spelling;
 * NULL: in all. Returns 1; 0 if there is no match; -1 if there are fewer.
 */
static inline int pmumap_imc_bisect_(const struct pmumap_imc *m, const unsigned char *name,
				     size_t len, const char *unit, size_t unit_len, uint32_t nth,
				     uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	const struct pmumap_imc_entry_ *order = pmumap_imc_by_name_(m);
	uint64_t hash = pmumap_imc_hash_(m, name, len);
	const uint16_t *start =
		pmumap_imc_numbers_(m, m->name_starts) + pmumap_imc_bucket_of_(m, hash);
	uint32_t at = start[0], end = start[1], stop = end, tag = pmumap_imc_tag_(hash), half;
	int found = 0;

	while (at < stop) {
		half = at + (stop - at) / 2;
		if (order[half].tag < tag ||
		    (order[half].tag == tag &&
		     pmumap_imc_compare_(m, rows + order[half].event, name, len) < 0))
			at = half + 1;
		else
			stop = half;
	}
	for (; at < end && pmumap_imc_is_name_(m, rows + order[at].event, name, len); at++) {
		if (unit && !pmumap_imc_unit_is_(m, rows[order[at].event].unit, unit, unit_len))
			continue;
		if (nth == 0) {
			*event = order[at].event;
			return 1;
		}
		found = -1;
		if (!unit && nth >= end - at)
			break;
		/* Equal names are neighbours. */
		at += unit ? 0 : nth - 1;
		nth = unit ? nth - 1 : 0;
	}
	return found;
}

/* Find any name: a later match, UNIT/NAME, or one in a large bucket. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *text, size_t len, uint32_t nth,
					       uint32_t *event)
{
	int found = pmumap_imc_bisect_(m, text, len, 0, 0, nth, event);
	size_t slash = 0, n;

	/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
	while (slash < len && text[slash] != '/')
		slash++;
	if (found || slash == len)
		return found > 0;
	n = len - slash - 1;
	found = pmumap_imc_bisect_(m, text + slash + 1, n, (const char *)text, slash, nth, event);
	if (!found && n && text[len - 1] == '/')
		found = pmumap_imc_bisect_(m, text + slash + 1, n - 1, (const char *)text, slash,
					   nth, event);
	return found > 0;
}

/* Take the event at this place, if it has this name; otherwise find another one. */
PMUMAP_OUTLINE_ int pmumap_imc_take_any_(const struct pmumap_imc *m, const unsigned char *text,
					 size_t len, uint32_t x, uint32_t *event)
{
	if (!pmumap_imc_is_name_(m, pmumap_imc_rows_(m) + x, text, len))
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	*event = x;
	return 1;
}

#if PMUMAP_UNALIGNED_
/* 0 if n bytes are equal, from 8 to 32. Words may overlap. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_differ_(const unsigned char *a, const unsigned char *b,
						  size_t n)
{
	uint64_t differ = (PMUMAP_WORD_(a) ^ PMUMAP_WORD_(b)) |
			  (PMUMAP_WORD_(a + n - 8) ^ PMUMAP_WORD_(b + n - 8));

	if (n >= 16)
		differ |= (PMUMAP_WORD_(a + 8) ^ PMUMAP_WORD_(b + 8)) |
			  (PMUMAP_WORD_(a + n - 16) ^ PMUMAP_WORD_(b + n - 16));
	return differ;
}
#endif

/* The same for one with the hash of a text of at least 8 bytes: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t len, const struct pmumap_imc_entry_ *at,
				     uint32_t *event)
{
	uint32_t x = at->event;
#if PMUMAP_UNALIGNED_
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m) + x;

	if (row->length == len && len <= 32 &&
	    !pmumap_imc_differ_(text, (const unsigned char *)pmumap_image_at_(m, row->name), len)) {
		*event = x;
		return 1;
	}
#endif
	return pmumap_imc_take_any_(m, text, len, x, event);
}

/* Find the first match by scanning a bucket, which is small. */
PMUMAP_ALWAYS_INLINE_ int pmumap_imc_scan_(const struct pmumap_imc *m, const unsigned char *text,
					   size_t len, uint64_t hash, uint32_t *event)
{
	const uint16_t *start =
		pmumap_imc_numbers_(m, m->name_starts) + pmumap_imc_bucket_of_(m, hash);
	const struct pmumap_imc_entry_ *at = pmumap_imc_by_name_(m);
	size_t first = start[0], n = start[1] - first;

	for (at += first; n; n--, at++) {
		if (at->tag == pmumap_imc_tag_(hash))
			return pmumap_imc_take_(m, text, len, at, event);
		PMUMAP_LOADED_(n); /* so that compilers do not unroll: there are one or two */
	}
	/* A miss need not search for a slash unless a unit may begin so. */
	if (text[0] >= m->lowest)
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	return 0;
}

/* Find a name that is short, or not the first match. */
PMUMAP_OUTLINE_ int pmumap_imc_find_short_(const struct pmumap_imc *m, const unsigned char *text,
					   size_t len, uint32_t nth, uint32_t *event)
{
	if (nth || len < m->bisect / 2)
		return pmumap_imc_find_otherwise_(m, text, len, nth, event);
	return pmumap_imc_scan_(m, text, len, pmumap_imc_hash_short_(m, text, len), event);
}

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find_name(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t nth, uint32_t *event)
{
	const unsigned char *text = (const unsigned char *)name;

	if (nth || len < m->bisect)
		return pmumap_imc_find_short_(m, text, len, nth, event);
	return pmumap_imc_scan_(m, text, len, pmumap_imc_hash_long_(m, text, len), event);
}

/*
 * Load everything before storing anything: to the compiler, a store might change the map.
 */
PMUMAP_DEF int pmumap_imc_event(const struct pmumap_imc *m, uint32_t event,
				struct pmumap_imc_event *out)
{
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m) + event;
	const struct pmumap_imc_own_ *own;
	const struct pmumap_imc_unit_row_ *u;
	uint32_t unit, node, prefix, name, scale, measure, type, offset, desc = 0, n;

	if (event >= m->names)
		return 0;
	unit = row->unit;
	offset = row->offset;
	u = pmumap_imc_unit_rows_(m) + unit;
	name = row->name + u->prefix_bytes;
	node = u->name;
	prefix = u->prefix;
	scale = u->scale;
	measure = u->measure;
	type = u->type;
	if (m->own_count) {
		own = pmumap_imc_owns_(m);
		for (n = m->own_count; n > 1; n -= n / 2)
			own += own[n / 2].row <= event ? n / 2 : 0;
		if (own->row == event) {
			scale = own->scale ? own->scale : scale;
			measure = own->measure ? own->measure : measure;
			desc = own->desc;
		}
	}
	out->unit = (const char *)pmumap_image_at_(m, node);
	out->prefix = (const char *)pmumap_image_at_(m, prefix);
	out->name = (const char *)pmumap_image_at_(m, name);
	out->scale = pmumap_imc_string_(m, scale);
	out->measure = pmumap_imc_string_(m, measure);
	out->desc = pmumap_imc_string_(m, desc);
	out->type = type;
	out->offset = offset;
	out->unit_index = unit;
	return 1;
}

/* ---- imc/offset.h: Find an offset */
/* Find an offset in one unit, whose rows are sorted by it. */
static inline int pmumap_imc_find_in_unit_(const struct pmumap_imc *m, uint32_t unit,
					   uint32_t offset, uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	uint32_t at, end, n;

	if (unit >= m->unit_count)
		return 0;
	at = pmumap_imc_unit_rows_(m)[unit].first;
	n = pmumap_imc_unit_rows_(m)[unit].events;
	end = at + n;
	while (n) {
		uint32_t half = (n + 1) / 2;

		at += rows[at + half - 1].offset < offset ? half : 0;
		n -= half;
	}
	if (nth >= end - at || rows[at + nth].offset != offset)
		return 0;
	*event = at + nth;
	return 1;
}

/* Bisect a bucket by hash. Matches are neighbours, in the order of their numbers. */
PMUMAP_DEF int pmumap_imc_find_offset(const struct pmumap_imc *m, uint32_t unit, uint32_t offset,
				      uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_row_ *rows = pmumap_imc_rows_(m);
	const uint16_t *order = pmumap_imc_numbers_(m, m->by_offset), *start;
	uint32_t hash = pmumap_imc_hash_offset_(offset), at, end, n;

	if (unit != PMUMAP_IMC_ALL)
		return pmumap_imc_find_in_unit_(m, unit, offset, nth, event);
	start = pmumap_imc_numbers_(m, m->offset_starts) + pmumap_imc_bucket_(hash, m->names + 1);
	at = start[0];
	end = start[1];
	for (n = end - at; n;) {
		uint32_t half = (n + 1) / 2;

		at += pmumap_imc_hash_offset_(rows[order[at + half - 1]].offset) < hash ? half : 0;
		n -= half;
	}
	if (nth >= end - at || rows[order[at + nth]].offset != offset)
		return 0;
	*event = order[at + nth];
	return 1;
}

/* ---- imc/list.h: Units, lists, addresses */
PMUMAP_DEF size_t pmumap_imc_size(const struct pmumap_imc *m)
{
	return m->head.size;
}

PMUMAP_DEF uint32_t pmumap_imc_names(const struct pmumap_imc *m)
{
	return m->names;
}

PMUMAP_DEF int pmumap_imc_unit_at(const struct pmumap_imc *m, uint32_t index,
				  struct pmumap_imc_unit *out)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + index;

	if (index >= m->unit_count)
		return 0;
	out->name = pmumap_imc_string_(m, u->name);
	out->prefix = pmumap_imc_string_(m, u->prefix);
	out->scale = pmumap_imc_string_(m, u->scale);
	out->measure = pmumap_imc_string_(m, u->measure);
	out->type = u->type;
	out->reg = u->reg;
	out->size = u->size;
	out->offset = u->offset;
	out->control = u->control;
	out->events = u->events;
	out->chips = u->chip_count;
	return 1;
}

PMUMAP_DEF int pmumap_imc_unit_find(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t *unit)
{
	uint32_t i = 0;

	while (i < m->unit_count && !pmumap_imc_unit_is_(m, i, name, len))
		i++;
	if (i == m->unit_count)
		return 0;
	*unit = i;
	return 1;
}

PMUMAP_DEF size_t pmumap_imc_linux_name(const struct pmumap_imc *m, uint32_t unit, char *text,
					size_t bytes)
{
	struct pmumap_imc_unit u;
	const char *part[3];
	size_t n = 0, i;

	if (!pmumap_imc_unit_at(m, unit, &u))
		return 0;
	part[0] = u.type == PMUMAP_IMC_NEST ? "nest_" : "";
	part[1] = u.name;
	part[2] = "_imc";
	for (i = 0; i < 3; i++) {
		for (; *part[i] && *part[i] != '@'; part[i]++, n++) {
			if (n + 1 < bytes)
				text[n] = *part[i];
		}
	}
	if (bytes)
		text[n < bytes ? n : bytes - 1] = 0;
	return n;
}

PMUMAP_DEF int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   uint32_t *event)
{
	if (unit >= m->unit_count || index >= pmumap_imc_unit_rows_(m)[unit].events)
		return 0;
	*event = pmumap_imc_unit_rows_(m)[unit].first + index;
	return 1;
}

PMUMAP_DEF int pmumap_imc_chip_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				  uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_chip_row_ *c = pmumap_imc_chip_rows_(m);

	if (unit >= m->unit_count || index >= pmumap_imc_unit_rows_(m)[unit].chip_count)
		return 0;
	c += pmumap_imc_unit_rows_(m)[unit].chips + index;
	*chip = c->chip;
	*base = c->base;
	return 1;
}

#define PMUMAP_IMC_COUNTER_BYTES_ 8u
#define PMUMAP_IMC_CONTROL_BYTES_ 40u

/* The physical address of bytes in a nest window on a chip. Fails like pmumap_imc_address(). */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, uint32_t offset, uint32_t bytes,
					    uint64_t *phys)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;
	uint32_t i = 0, found = ~chip;
	uint64_t base = 0, place;

	if (unit >= m->unit_count || u->type != PMUMAP_IMC_NEST ||
	    (u->size && (u->size < bytes || offset > u->size - bytes)))
		return 0;
	while (found != chip && pmumap_imc_chip_at(m, unit, i, &found, &base))
		i++;
	place = (uint64_t)u->offset + offset;
	if (found != chip || place + bytes - 1 > ~(uint64_t)0 - base)
		return 0;
	*phys = base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, e->offset,
					 PMUMAP_IMC_COUNTER_BYTES_, phys);
}

PMUMAP_DEF int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys)
{
	struct pmumap_imc_unit u;

	return pmumap_imc_unit_at(m, unit, &u) &&
	       pmumap_imc_place_on_chip_(m, unit, chip, u.control, PMUMAP_IMC_CONTROL_BYTES_, phys);
}

/* ---- core/pairs.h: Pairs of numbers, sorted in place and searched */
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

/* The first of n sorted pairs with this key, or NULL. */
static inline uint32_t *pmumap_find_pair_(uint32_t (*pairs)[2], uint32_t n, uint32_t key)
{
	uint32_t low = 0, count = n;

	while (count) {
		uint32_t half = count / 2;

		if (pairs[low + half][0] < key) {
			low += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return low < n && pairs[low][0] == key ? &pairs[low][0] : 0;
}
#endif /* PMUMAP_HAS_CORE_PAIRS_ */

/* ---- imc/build_index.h: Sort names and offsets */
/* The lowest byte with which a spelling of a unit begins; without a name, it is a slash. */
static inline uint32_t pmumap_imc_lowest_(const struct pmumap_imc *m,
					  const struct pmumap_imc_unit_row_ *u)
{
	uint32_t first = *(const unsigned char *)pmumap_image_at_(m, u->name);

	if (first == 0 || first == '@')
		first = '/';
	return u->type == PMUMAP_IMC_NEST && first > 'n' ? 'n' : first;
}

/* Order rows by name, then longer prefixes first. */
static inline int pmumap_imc_order_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_row_ *x = pmumap_imc_rows_(m) + a, *y = pmumap_imc_rows_(m) + b;
	int order = pmumap_imc_compare_(m, x, (const unsigned char *)pmumap_image_at_(m, y->name),
					y->length);

	return order ? order
		     : (int)pmumap_imc_unit_rows_(m)[y->unit].prefix_bytes -
			       (int)pmumap_imc_unit_rows_(m)[x->unit].prefix_bytes;
}

/* Fill in where each bucket begins. scale: so many buckets would be all values of the keys. */
static inline void pmumap_imc_fill_starts_(struct pmumap_imc *m, uint32_t table, uint32_t buckets,
					   uint32_t scale, uint32_t (*pairs)[2])
{
	uint16_t *starts = (uint16_t *)(void *)((char *)m + table);
	uint32_t i, bucket = 0;

	for (i = 0; i < m->names; i++) {
		while (bucket <= pmumap_imc_bucket_(pairs[i][0], scale))
			starts[bucket++] = (uint16_t)i;
	}
	while (bucket <= buckets)
		starts[bucket++] = (uint16_t)i;
}

#define PMUMAP_IMC_NEAR_ 16u /* with a larger bucket, bisect all of them */

/* Sort all rows by offset. pairs: scratch memory for all of them. */
static inline void pmumap_imc_sort_offsets_(struct pmumap_imc *m, uint32_t (*pairs)[2])
{
	uint16_t *by_offset = (uint16_t *)(void *)((char *)m + m->by_offset);
	uint32_t i;

	for (i = 0; i < m->names; i++) {
		pairs[i][0] = pmumap_imc_hash_offset_(pmumap_imc_rows_(m)[i].offset);
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, 0, 0);
	pmumap_imc_fill_starts_(m, m->offset_starts, m->names + 1, m->names + 1, pairs);
	for (i = 0; i < m->names; i++)
		by_offset[i] = (uint16_t)pairs[i][1];
}

/* The same by name. */
static inline void pmumap_imc_sort_names_(struct pmumap_imc *m, uint32_t (*pairs)[2])
{
	struct pmumap_imc_entry_ *by_name =
		(struct pmumap_imc_entry_ *)(void *)((char *)m + m->by_name);
	const struct pmumap_imc_row_ *row = pmumap_imc_rows_(m);
	uint32_t i;

	for (i = 0; i < m->names; i++, row++) {
		uint64_t hash = pmumap_imc_hash_(
			m, (const unsigned char *)pmumap_image_at_(m, row->name), row->length);

		pairs[i][0] = pmumap_imc_bucket_of_(m, hash) << 16 | pmumap_imc_tag_(hash);
		pairs[i][1] = i;
	}
	pmumap_sort_pairs_(pairs, m->names, pmumap_imc_order_names_, m);
	pmumap_imc_fill_starts_(m, m->name_starts, 1u << (64 - m->shift), 1u << 16, pairs);
	m->bisect = 16;
	for (i = 0; i < m->names; i++) {
		by_name[i].tag = (uint16_t)pairs[i][0];
		by_name[i].event = (uint16_t)pairs[i][1];
		if (i >= PMUMAP_IMC_NEAR_ &&
		    pairs[i][0] >> 16 == pairs[i - PMUMAP_IMC_NEAR_][0] >> 16)
			m->bisect = ~(uint64_t)0;
	}
}

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

/* The value at this offset of the blob, and its length; NULL and 0 for offset 0. */
static inline const unsigned char *pmumap_fdt_value_at_(const unsigned char *blob, uint32_t at,
							uint32_t *bytes)
{
	*bytes = at ? pmumap_load_be32_(blob + at - 8) : 0;
	return at ? blob + at : 0;
}

/* Read the first address of a reg. Returns 0 if it is too short, or cells is not 1 or 2. */
static inline int pmumap_fdt_load_address_(const unsigned char *reg, uint32_t bytes, uint32_t cells,
					   uint64_t *address)
{
	if (cells < 1 || cells > 2 || bytes / 4 < cells)
		return 0;
	*address = cells == 2 ? pmumap_load_be64_(reg) : pmumap_load_be32_(reg);
	return 1;
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
 * A reader lists the properties it wants once, as X(NAME, "name"). From its list it makes an enum
 * and, with these macros, the concatenated texts and their lengths.
 */
#define PMUMAP_FDT_WANT_(name, text) text "\0"
#define PMUMAP_FDT_WANT_BYTES_(name, text) sizeof(text),

#define PMUMAP_FDT_MEMOS_ 32u /* a power of two */

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
	uint32_t count;  /* of them */
	uint32_t *found; /* for each, the offset of its value in the current node, or 0 */
	/* Names of properties, by offset + 1, and their numbers: a tree has few. */
	uint32_t memos[PMUMAP_FDT_MEMOS_][2];
};

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

/* A property's number in the list, or count if it is not wanted. name: its offset in the blob. */
PMUMAP_OUTLINE_ uint32_t pmumap_fdt_number_(const struct pmumap_fdt_cursor_ *c, uint32_t name)
{
	const char *text = c->wanted;
	uint32_t i;

	for (i = 0; i < c->count && !pmumap_fdt_match_string_(c->blob + name, text, 0);)
		text += c->lengths[i++];
	return i;
}

/* Skip a property. If it is wanted and the first of its name, store where its value is. */
static inline int pmumap_fdt_take_property_(struct pmumap_fdt_cursor_ *c)
{
	uint32_t bytes, name, *memo;

	if (c->end - c->at < 8)
		return 0;
	bytes = pmumap_load_be32_(c->blob + c->at);
	name = pmumap_load_be32_(c->blob + c->at + 4);
	c->at += 8;
	if (bytes > c->end - c->at || name >= c->names_bytes)
		return 0;
	memo = c->memos[name % PMUMAP_FDT_MEMOS_];
	if (memo[0] != name + 1) {
		memo[0] = name + 1;
		memo[1] = pmumap_fdt_number_(c, c->names + name);
	}
	if (memo[1] < c->count && !c->found[memo[1]])
		c->found[memo[1]] = c->at;
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
static inline int pmumap_fdt_next_(struct pmumap_fdt_cursor_ *c)
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
			if (!open || !pmumap_fdt_take_property_(c))
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

/* ---- imc/read.h: Read a tree: its units, lists and events */
/* The properties to read. */
#define PMUMAP_IMC_PROPERTY_LIST_(X)                                                               \
	X(COMPATIBLE, "compatible")                                                                \
	X(REG, "reg")                                                                              \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")                                                          \
	X(EVENT_NAME, "event-name")                                                                \
	X(DESC, "desc")                                                                            \
	X(SCALE, "scale")                                                                          \
	X(UNIT, "unit")                                                                            \
	X(EVENTS, "events")                                                                        \
	X(PREFIX, "events-prefix")                                                                 \
	X(TYPE, "type")                                                                            \
	X(SIZE, "size")                                                                            \
	X(OFFSET, "offset")                                                                        \
	X(CONTROL, "cb_offset")                                                                    \
	X(BASE, "base-addr")                                                                       \
	X(CHIP, "chip-id")                                                                         \
	X(DOC_BASE, "base_addr")                                                                   \
	X(DOC_CHIP, "chipids")                                                                     \
	X(NEST_OFFSET, "imc-nest-offset")                                                          \
	X(NEST_SIZE, "imc-nest-size")

enum {
#define PMUMAP_X_(name, text) PMUMAP_IMC_PROPERTY_##name##_,
	PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_IMC_PROPERTIES_
};

struct pmumap_imc_reader_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_IMC_PROPERTIES_];
	const struct pmumap_imc_options *opt;
	uint32_t root;                   /* depth of the IMC root around the walk; 0: outside */
	uint32_t roots;                  /* so far */
	uint32_t nest_offset, nest_size; /* the window that the root gives its units */
	uint32_t nest_window;            /* 1: it gives both, in one cell each */
};

/* Begin a walk over the tree. */
static inline enum pmumap_status pmumap_imc_begin_(struct pmumap_imc_reader_ *r, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	static const char wanted[] = PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_IMC_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	pmumap_zero_words_(r, sizeof(*r));
	r->w.wanted = wanted;
	r->w.lengths = lengths;
	r->w.count = PMUMAP_IMC_PROPERTIES_;
	r->w.found = r->found;
	r->opt = opt;
	return pmumap_fdt_begin_(&r->w, fdt, fdt_size);
}

/*
 * Read a property of the current node that must be one cell. Returns 1; 0 if it is absent; -1 if it
 * has another width. Unless 1, *value is unchanged.
 */
static inline int pmumap_imc_read_cell_(const struct pmumap_imc_reader_ *r, uint32_t property,
					uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(&r->w, property, &bytes);

	if (!p)
		return 0;
	if (bytes != 4)
		return -1;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* Read a root, unless it is not the one that the options want. */
static inline void pmumap_imc_read_root_(struct pmumap_imc_reader_ *r)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(&r->w, PMUMAP_IMC_PROPERTY_COMPATIBLE_, &bytes);

	if (!pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) ||
	    (r->opt && r->opt->node && (uint32_t)r->opt->node != r->w.offset))
		return;
	r->root = r->w.depth;
	r->roots++;
	r->nest_window =
		pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_NEST_OFFSET_, &r->nest_offset) > 0 &&
		pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_NEST_SIZE_, &r->nest_size) > 0;
}

/* What the walk has come to. */
enum {
	PMUMAP_IMC_END_,
	PMUMAP_IMC_CHILD_, /* of a root: a unit, or a list of events */
	PMUMAP_IMC_EVENT_  /* a node in the last child */
};

/* Go to the next item. Returns below 0 if the tree is malformed. */
static inline int pmumap_imc_next_(struct pmumap_imc_reader_ *r)
{
	int more;

	while ((more = pmumap_fdt_next_(&r->w)) > 0) {
		if (r->w.depth <= r->root)
			r->root = 0;
		if (!r->root)
			pmumap_imc_read_root_(r);
		else if (r->w.depth <= r->root + 2)
			return r->w.depth == r->root + 1 ? PMUMAP_IMC_CHILD_ : PMUMAP_IMC_EVENT_;
	}
	return more;
}

/* The result of a walk, from that of its last step. */
static inline enum pmumap_status pmumap_imc_end_(const struct pmumap_imc_reader_ *r, int more)
{
	if (more < 0)
		return PMUMAP_E_FDT_STRUCT;
	if (r->roots)
		return PMUMAP_OK;
	return r->opt && r->opt->node ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
}

/* How a unit says what it is. */
enum {
	PMUMAP_IMC_NO_UNIT_,
	PMUMAP_IMC_UNREAD_, /* in the format of 2016 */
	PMUMAP_IMC_BY_TYPE_,
	PMUMAP_IMC_BY_DOMAIN_ /* by its compatible, before June 2017 */
};

/* The format of the current child. *type: the one that its compatible implies, or 0. */
static inline int pmumap_imc_format_(const struct pmumap_imc_reader_ *r, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *list =
		pmumap_fdt_value_(&r->w, PMUMAP_IMC_PROPERTY_COMPATIBLE_, &bytes);
	const unsigned char *p = pmumap_fdt_match_list_(list, bytes, "ibm,imc-counters", 1);

	*type = 0;
	if (!p)
		return pmumap_fdt_match_list_(list, bytes, "ibm,ima-counters", 1)
			       ? PMUMAP_IMC_UNREAD_
			       : PMUMAP_IMC_NO_UNIT_;
	if (*p == 0)
		return PMUMAP_IMC_BY_TYPE_;
	if (pmumap_fdt_match_string_(p, "-nest", 0))
		*type = PMUMAP_IMC_NEST;
	else if (pmumap_fdt_match_string_(p, "-core", 0))
		*type = PMUMAP_IMC_CORE;
	else if (pmumap_fdt_match_string_(p, "-thread", 0))
		*type = PMUMAP_IMC_THREAD;
	return PMUMAP_IMC_BY_DOMAIN_;
}

/* The chips of a unit: as many bases as ids, unless the tree is wrong. */
struct pmumap_imc_chip_cells_ {
	const unsigned char *bases, *chips;
	uint32_t base_bytes, chip_bytes;
};

/* Returns 0 if the current node has no properties of chips. */
static inline int pmumap_imc_find_chips_(const struct pmumap_imc_reader_ *r,
					 struct pmumap_imc_chip_cells_ *c)
{
	c->bases = pmumap_fdt_value_(&r->w,
				     r->found[PMUMAP_IMC_PROPERTY_BASE_]
					     ? PMUMAP_IMC_PROPERTY_BASE_
					     : PMUMAP_IMC_PROPERTY_DOC_BASE_,
				     &c->base_bytes);
	c->chips = pmumap_fdt_value_(&r->w,
				     r->found[PMUMAP_IMC_PROPERTY_CHIP_]
					     ? PMUMAP_IMC_PROPERTY_CHIP_
					     : PMUMAP_IMC_PROPERTY_DOC_CHIP_,
				     &c->chip_bytes);
	return c->bases || c->chips;
}

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* place of the control block if the unit gives none */
#define PMUMAP_IMC_NO_CONTROL_ 0xffffffffu /* outside every window: cb_offset is malformed */

/*
 * Read the window of a nest unit; format: the root may give it for all units. Without one, the size
 * becomes 0.
 */
static inline void pmumap_imc_read_window_(const struct pmumap_imc_reader_ *r, int format,
					   struct pmumap_imc_unit *u)
{
	int known = format == PMUMAP_IMC_BY_DOMAIN_ && r->nest_window, size, offset;

	if (known) {
		u->size = r->nest_size;
		u->offset = r->nest_offset;
	}
	size = pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
	offset = pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_OFFSET_, &u->offset);
	if (size < 0 || offset < 0 || (!offset && !known))
		u->size = 0;
	u->control = PMUMAP_IMC_USUAL_CONTROL_;
	if (pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_CONTROL_, &u->control) < 0)
		u->control = PMUMAP_IMC_NO_CONTROL_;
}

/* Whether a unit is kept, or why it is dropped. */
enum pmumap_imc_fate_ {
	PMUMAP_IMC_KEPT_,
	PMUMAP_IMC_BAD_TYPE_, /* dropped: its type is missing or unknown */
	PMUMAP_IMC_UNWANTED_, /* dropped: by the options, it does not exist */
	PMUMAP_IMC_NO_REG_    /* dropped: the place of its counters is unknown */
};

/*
 * Describe the current unit, whose format implies a type. If it is kept, fill in everything but
 * events, and c; strings are in the tree, or NULL.
 */
static inline enum pmumap_imc_fate_ pmumap_imc_describe_unit_(const struct pmumap_imc_reader_ *r,
							      int format, uint32_t type,
							      struct pmumap_imc_unit *u,
							      struct pmumap_imc_chip_cells_ *c)
{
	u->name = (const char *)pmumap_fdt_name_(&r->w);
	u->type = type;
	u->reg = u->offset = u->control = u->size = u->chips = 0;
	if (pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_TYPE_, &u->type) < 0 ||
	    !pmumap_imc_is_type_(u->type))
		return PMUMAP_IMC_BAD_TYPE_;
	if (r->opt && r->opt->wanted && !r->opt->wanted(r->opt, u->type, u->name))
		return PMUMAP_IMC_UNWANTED_;
	if (!pmumap_fdt_cell_(&r->w, PMUMAP_IMC_PROPERTY_REG_, &u->reg) &&
	    r->found[PMUMAP_IMC_PROPERTY_EVENTS_])
		return PMUMAP_IMC_NO_REG_;
	u->prefix = pmumap_fdt_text_(&r->w, PMUMAP_IMC_PROPERTY_PREFIX_);
	u->scale = pmumap_fdt_text_(&r->w, PMUMAP_IMC_PROPERTY_SCALE_);
	u->measure = pmumap_fdt_text_(&r->w, PMUMAP_IMC_PROPERTY_UNIT_);
	if (u->type != PMUMAP_IMC_NEST) {
		(void)pmumap_imc_read_cell_(r, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
		return PMUMAP_IMC_KEPT_;
	}
	pmumap_imc_read_window_(r, format, u);
	if (u->size && pmumap_imc_find_chips_(r, c))
		u->chips = c->base_bytes / 8 < c->chip_bytes / 4 ? c->base_bytes / 8
								 : c->chip_bytes / 4;
	return PMUMAP_IMC_KEPT_;
}

/* ---- imc/count.h: Measure a tree */
#define PMUMAP_IMC_LISTS_ 128u

/* A list of events; the first node with its phandle. */
struct pmumap_imc_list_ {
	uint32_t phandle;
	uint32_t node;   /* its offset; NONE_: units refer to it, but the walk has not come to it */
	uint32_t events; /* that have a name and an offset */
	uint32_t users;  /* units that are kept */
	uint32_t bytes;  /* that its events take for each user, without prefixes */
	uint32_t once;   /* and once for all users */
	uint32_t owns;   /* events with own strings */
	uint32_t first;  /* its first event in the scratch memory */
	uint16_t longest_name, longest_prefix;
};

/* The state of a build. */
struct pmumap_imc_build_ {
	struct pmumap_imc_reader_ r;
	struct pmumap_imc *m; /* NULL: measure */
	uint64_t need;        /* bytes of the block */
	uint32_t scratch;     /* offset of the scratch memory, at the end of the block */
	uint32_t units, chips;
	uint32_t names;  /* including those that are dropped later: outside of their unit */
	uint32_t events; /* of lists that are used */
	uint32_t owns;   /* and those of them that have own strings */
	uint32_t list_count;
	struct pmumap_imc_list_ *list; /* that the next events belong to, or NULL */
	struct pmumap_imc_list_ lists[PMUMAP_IMC_LISTS_];
};

static inline uint32_t pmumap_imc_text_bytes_(const char *text)
{
	uint32_t n = 0;

	for (; text[n]; n++)
		PMUMAP_NO_LIBCALL_();
	return n;
}

/* The bytes that a string takes in the map at most: it is padded with 0. */
static inline uint32_t pmumap_imc_string_bytes_(const char *text)
{
	return text && *text ? pmumap_imc_text_bytes_(text) + 8 : 0;
}

/* The list with a phandle, a new one if there is none. NULL: there are too many. */
static inline struct pmumap_imc_list_ *pmumap_imc_list_of_(struct pmumap_imc_build_ *b,
							   uint32_t phandle)
{
	struct pmumap_imc_list_ *list = b->lists;
	uint32_t i;

	for (i = 0; i < b->list_count; i++, list++) {
		if (list->phandle == phandle)
			return list;
	}
	if (i == PMUMAP_IMC_LISTS_)
		return 0;
	pmumap_zero_words_(list, sizeof(*list));
	list->phandle = phandle;
	list->node = PMUMAP_IMC_NONE_;
	b->list_count++;
	return list;
}

/* The list that the current unit refers to. Returns 0 if there are too many; *list may be NULL. */
static inline int pmumap_imc_list_of_unit_(struct pmumap_imc_build_ *b,
					   struct pmumap_imc_list_ **list)
{
	uint32_t phandle = 0;

	*list = 0;
	if (!pmumap_fdt_cell_(&b->r.w, PMUMAP_IMC_PROPERTY_EVENTS_, &phandle) || phandle == 0 ||
	    phandle == 0xffffffffu)
		return 1;
	*list = pmumap_imc_list_of_(b, phandle);
	return *list != 0;
}

/* Count the current unit, which is kept. Returns 0 if there are too many, or too many lists. */
static inline int pmumap_imc_count_unit_(struct pmumap_imc_build_ *b,
					 const struct pmumap_imc_unit *u)
{
	struct pmumap_imc_list_ *list;
	uint32_t prefix = u->prefix ? pmumap_imc_text_bytes_(u->prefix) : 0;

	if (++b->units > PMUMAP_IMC_MOST_ || !pmumap_imc_list_of_unit_(b, &list))
		return 0;
	b->chips += u->chips;
	b->need += pmumap_imc_text_bytes_(u->name) + 8 + pmumap_imc_string_bytes_(u->prefix) +
		   pmumap_imc_string_bytes_(u->scale) + pmumap_imc_string_bytes_(u->measure);
	if (list) {
		list->users++;
		prefix = prefix <= PMUMAP_IMC_LONGEST_ ? prefix : PMUMAP_IMC_LONGEST_ + 1;
		if (list->longest_prefix < prefix)
			list->longest_prefix = (uint16_t)prefix;
	}
	return 1;
}

/* Begin the list at the current child, unless it has no phandle, or an earlier one has the same. */
static inline int pmumap_imc_begin_list_(struct pmumap_imc_build_ *b)
{
	uint32_t phandle = pmumap_fdt_phandle_(&b->r.w, PMUMAP_IMC_PROPERTY_PHANDLE_,
					       PMUMAP_IMC_PROPERTY_LINUX_PHANDLE_);
	struct pmumap_imc_list_ *list;

	if (phandle == 0)
		return 1;
	list = pmumap_imc_list_of_(b, phandle);
	if (!list)
		return 0;
	if (b->m ? list->node == b->r.w.offset : list->node == PMUMAP_IMC_NONE_) {
		list->node = b->r.w.offset;
		b->list = list;
	}
	return 1;
}

/* Whether the current node is an event. Fills in what is read of it; own strings may be NULL. */
static inline int pmumap_imc_read_event_(const struct pmumap_imc_build_ *b,
					 struct pmumap_imc_event *e)
{
	const struct pmumap_fdt_cursor_ *w = &b->r.w;

	e->name = pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_EVENT_NAME_);
	e->scale = pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_SCALE_);
	e->measure = pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_UNIT_);
	e->desc = b->r.opt && (b->r.opt->flags & PMUMAP_DESC)
			  ? pmumap_fdt_text_(w, PMUMAP_IMC_PROPERTY_DESC_)
			  : 0;
	return e->name && pmumap_fdt_cell_(w, PMUMAP_IMC_PROPERTY_REG_, &e->offset);
}

static inline void pmumap_imc_count_event_(struct pmumap_imc_list_ *list,
					   const struct pmumap_imc_event *e)
{
	uint32_t once = pmumap_imc_string_bytes_(e->scale) + pmumap_imc_string_bytes_(e->measure) +
			pmumap_imc_string_bytes_(e->desc);
	uint32_t name = pmumap_imc_text_bytes_(e->name);

	list->events++;
	list->bytes += name + 8 + (once ? (uint32_t)sizeof(struct pmumap_imc_own_) : 0);
	list->once += once;
	list->owns += once != 0;
	name = name <= PMUMAP_IMC_LONGEST_ ? name : PMUMAP_IMC_LONGEST_ + 1;
	if (list->longest_name < name)
		list->longest_name = (uint16_t)name;
}

/* Count the events of the lists that are used. Returns 0 if there are too many, or too long. */
static inline int pmumap_imc_count_lists_(struct pmumap_imc_build_ *b)
{
	const struct pmumap_imc_list_ *list = b->lists;
	uint64_t names = 0;
	uint32_t i;

	for (i = 0; i < b->list_count; i++, list++) {
		if (list->users == 0 || list->events == 0)
			continue;
		if (list->longest_name + list->longest_prefix > PMUMAP_IMC_LONGEST_)
			return 0;
		names += (uint64_t)list->users * list->events;
		b->events += list->events;
		b->owns += list->owns;
		b->need += list->once +
			   (uint64_t)list->users *
				   (list->bytes + (uint64_t)list->events * list->longest_prefix);
	}
	b->names = (uint32_t)names;
	return names <= PMUMAP_IMC_MOST_;
}

/*
 * Add up the block: the map, then scratch memory, where the lists are collected first, and the
 * index is sorted afterwards.
 */
static inline enum pmumap_status pmumap_imc_add_up_(struct pmumap_imc_build_ *b)
{
	uint32_t most = b->names < b->units ? b->units : b->names, scratch = 8 * most + 64;
	uint32_t collected =
		8 * b->events + (uint32_t)sizeof(struct pmumap_imc_own_) * (b->owns + 1);

	scratch = scratch < collected ? collected : scratch;
	b->need += sizeof(struct pmumap_imc) +
		   (uint64_t)b->units * sizeof(struct pmumap_imc_unit_row_) +
		   (uint64_t)b->chips * sizeof(struct pmumap_imc_chip_row_) +
		   b->names * (sizeof(struct pmumap_imc_row_) + 14) + 2 * 6 + 7 * 8 + 2 * 8;
	b->need = (b->need + 7) / 8 * 8;
	if (b->need + scratch > PMUMAP_MAX_BYTES_)
		return PMUMAP_E_LIMIT;
	b->scratch = (uint32_t)b->need;
	b->need += scratch;
	return PMUMAP_OK;
}

/* Walk over the tree and count. */
static inline enum pmumap_status pmumap_imc_count_(struct pmumap_imc_build_ *b, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	struct pmumap_imc_chip_cells_ chips;
	enum pmumap_status status = pmumap_imc_begin_(&b->r, fdt, fdt_size, opt);
	struct pmumap_imc_unit u;
	struct pmumap_imc_event e;
	int more = 0, good = 1;

	b->m = 0;
	b->need = 0;
	b->units = b->chips = b->events = b->owns = b->list_count = 0;
	while (status == PMUMAP_OK && (more = pmumap_imc_next_(&b->r)) > 0) {
		int format;

		if (more == PMUMAP_IMC_EVENT_) {
			if (b->list && pmumap_imc_read_event_(b, &e))
				pmumap_imc_count_event_(b->list, &e);
			continue;
		}
		b->list = 0;
		format = pmumap_imc_format_(&b->r, &u.type);
		if (format == PMUMAP_IMC_NO_UNIT_)
			good &= pmumap_imc_begin_list_(b);
		else if (format != PMUMAP_IMC_UNREAD_ &&
			 pmumap_imc_describe_unit_(&b->r, format, u.type, &u, &chips) ==
				 PMUMAP_IMC_KEPT_)
			good &= pmumap_imc_count_unit_(b, &u);
	}
	if (status == PMUMAP_OK)
		status = pmumap_imc_end_(&b->r, more);
	if (status == PMUMAP_OK && good)
		good = pmumap_imc_count_lists_(b);
	if (status == PMUMAP_OK && !good)
		status = PMUMAP_E_LIMIT;
	return status == PMUMAP_OK ? pmumap_imc_add_up_(b) : status;
}

/* ---- imc/collect.h: Collect units, lists and events in the block */
static inline void *pmumap_imc_block_at_(const struct pmumap_imc_build_ *b, uint32_t offset)
{
	return (char *)b->m + offset;
}

/*
 * In the scratch memory: the offset of each event, sorted in each list, and twice the place of its
 * name in the tree, plus 1 if it has own strings.
 */
static inline uint32_t (*pmumap_imc_pairs_(const struct pmumap_imc_build_ *b))[2]
{
	return (uint32_t(*)[2])pmumap_imc_block_at_(b, b->scratch);
}

static inline const char *pmumap_imc_name_of_pair_(const struct pmumap_imc_build_ *b,
						   const uint32_t *pair)
{
	return (const char *)b->r.w.blob + pair[1] / 2;
}

/* Behind them: own strings, sorted by where the name is in the tree, which is in row. */
static inline struct pmumap_imc_own_ *pmumap_imc_collected_owns_(const struct pmumap_imc_build_ *b)
{
	return (struct pmumap_imc_own_ *)(void *)(pmumap_imc_pairs_(b) + b->events);
}

static inline struct pmumap_imc_unit_row_ *
pmumap_imc_built_units_(const struct pmumap_imc_build_ *b)
{
	return (struct pmumap_imc_unit_row_ *)pmumap_imc_block_at_(b, b->m->units);
}

/* Append a table. Returns its offset; the padding is 0. */
static inline uint32_t pmumap_imc_append_(struct pmumap_imc *m, uint32_t bytes)
{
	uint32_t at = m->head.size;

	m->head.size += (bytes + 7) & ~7u;
	if (bytes)
		*(uint64_t *)(void *)((char *)m + m->head.size - 8) = 0;
	return at;
}

/* The offset in the tree of a string that is kept; 0 if it is absent or empty. */
static inline uint32_t pmumap_imc_tree_offset_(const struct pmumap_imc_build_ *b, const char *text)
{
	return text && *text ? (uint32_t)((const unsigned char *)text - b->r.w.blob) : 0;
}

/* Collect the current unit: strings by their offsets in the tree, and its list in first. */
static inline void pmumap_imc_collect_unit_(struct pmumap_imc_build_ *b,
					    const struct pmumap_imc_unit *u,
					    const struct pmumap_imc_chip_cells_ *chips)
{
	struct pmumap_imc_unit_row_ *row = pmumap_imc_built_units_(b) + b->m->unit_count++;
	struct pmumap_imc_list_ *list;

	(void)pmumap_imc_list_of_unit_(b, &list);
	row->name = (uint32_t)((const unsigned char *)u->name - b->r.w.blob);
	row->prefix = pmumap_imc_tree_offset_(b, u->prefix);
	row->scale = pmumap_imc_tree_offset_(b, u->scale);
	row->measure = pmumap_imc_tree_offset_(b, u->measure);
	row->reg = u->reg;
	row->size = u->size;
	row->offset = u->offset;
	row->control = u->control;
	row->first = list ? (uint32_t)(list - b->lists) : PMUMAP_IMC_NONE_;
	row->events = u->chips ? (uint32_t)(chips->chips - b->r.w.blob) : 0;
	row->chips = u->chips ? (uint32_t)(chips->bases - b->r.w.blob) : 0;
	row->chip_count = u->chips;
	row->type = (uint16_t)u->type;
	row->prefix_bytes = (uint16_t)(u->prefix ? pmumap_imc_text_bytes_(u->prefix) : 0);
}

/* Collect the current event, which has number n. */
static inline void pmumap_imc_collect_event_(struct pmumap_imc_build_ *b,
					     const struct pmumap_imc_event *e, uint32_t n)
{
	struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b) + b->owns;
	uint32_t *pair = pmumap_imc_pairs_(b)[n];

	own->row = (uint32_t)((const unsigned char *)e->name - b->r.w.blob);
	pair[0] = e->offset;
	pair[1] = 2 * own->row;
	own->scale = pmumap_imc_tree_offset_(b, e->scale);
	own->measure = pmumap_imc_tree_offset_(b, e->measure);
	own->desc = pmumap_imc_tree_offset_(b, e->desc);
	if (own->scale | own->measure | own->desc) {
		pair[1]++;
		b->owns++;
	}
}

/* Walk over the tree again and collect units, and the events of lists that are used. */
static inline void pmumap_imc_collect_(struct pmumap_imc_build_ *b, const void *fdt,
				       size_t fdt_size)
{
	struct pmumap_imc_chip_cells_ chips;
	struct pmumap_imc_unit u;
	struct pmumap_imc_event e;
	uint32_t n = 0, i;
	int more, format;

	(void)pmumap_imc_begin_(&b->r, fdt, fdt_size, b->r.opt);
	b->owns = 0;
	while ((more = pmumap_imc_next_(&b->r)) > 0) {
		if (more == PMUMAP_IMC_EVENT_) {
			if (b->list && b->list->users && pmumap_imc_read_event_(b, &e))
				pmumap_imc_collect_event_(b, &e, n++);
			continue;
		}
		b->list = 0;
		format = pmumap_imc_format_(&b->r, &u.type);
		if (format == PMUMAP_IMC_NO_UNIT_) {
			(void)pmumap_imc_begin_list_(b);
			if (b->list)
				b->list->first = n;
		} else if (format != PMUMAP_IMC_UNREAD_ &&
			   pmumap_imc_describe_unit_(&b->r, format, u.type, &u, &chips) ==
				   PMUMAP_IMC_KEPT_) {
			pmumap_imc_collect_unit_(b, &u, &chips);
		}
	}
	for (i = 0; i < b->list_count; i++) {
		if (b->lists[i].users)
			pmumap_sort_pairs_(pmumap_imc_pairs_(b) + b->lists[i].first,
					   b->lists[i].events, 0, 0);
	}
}

/* Begin a map, and collect the units and lists of a tree in the block. */
static inline enum pmumap_status pmumap_imc_collect_tree_(struct pmumap_imc_build_ *b,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_imc_options *opt,
							  void *mem, size_t bytes)
{
	enum pmumap_status status;

	if (!fdt || !mem || (size_t)mem % 8 ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(b, fdt, fdt_size, opt);
	if (status != PMUMAP_OK)
		return status;
	if (bytes < b->need)
		return PMUMAP_E_NOSPACE;
	b->m = (struct pmumap_imc *)mem;
	pmumap_zero_words_(b->m, sizeof(*b->m));
	b->m->head.size = sizeof(*b->m);
	b->m->units =
		pmumap_imc_append_(b->m, b->units * (uint32_t)sizeof(struct pmumap_imc_unit_row_));
	pmumap_imc_collect_(b, fdt, fdt_size);
	return PMUMAP_OK;
}

/* ---- imc/fill.h: Fill the tables of a map from what was collected */
/* Copy n bytes into the map. */
static inline void pmumap_imc_copy_(struct pmumap_imc *m, uint32_t at, const unsigned char *from,
				    uint32_t n)
{
	unsigned char *to = (unsigned char *)m + at;

	for (; n; n--) {
		*to++ = *from++;
		PMUMAP_NO_LIBCALL_();
	}
}

/* Append a string of the tree, by its offset there. Returns its offset. */
static inline uint32_t pmumap_imc_append_string_(struct pmumap_imc_build_ *b, uint32_t string)
{
	const unsigned char *text = b->r.w.blob + string;
	uint32_t n = pmumap_imc_text_bytes_((const char *)text);
	uint32_t at = pmumap_imc_append_(b->m, n + 1);

	pmumap_imc_copy_(b->m, at, text, n);
	return at;
}

/* The same for a string that may be absent: 0. */
static inline uint32_t pmumap_imc_keep_string_(struct pmumap_imc_build_ *b, uint32_t string)
{
	return string ? pmumap_imc_append_string_(b, string) : 0;
}

/* Count the events of its list that a unit keeps: the first ones, up to the end of its window. */
static inline void pmumap_imc_count_kept_(struct pmumap_imc_build_ *b,
					  struct pmumap_imc_unit_row_ *u)
{
	const struct pmumap_imc_list_ *list;
	uint32_t last = 0xffffffffu, at; /* last: the place of the last counter */

	u->events = 0;
	if (u->first == PMUMAP_IMC_NONE_)
		return;
	list = b->lists + u->first;
	if (list->events == 0)
		return;
	u->first = at = list->first;
	if (u->type != PMUMAP_IMC_TRACE && u->size) {
		if (u->size < PMUMAP_IMC_COUNTER_BYTES_)
			return;
		last = u->size - PMUMAP_IMC_COUNTER_BYTES_;
	}
	for (; u->events < list->events && u->reg <= last; at++, u->events++) {
		if (pmumap_imc_pairs_(b)[at][0] > last - u->reg)
			break;
		b->m->own_count += pmumap_imc_pairs_(b)[at][1] % 2;
	}
	b->m->names += u->events;
}

/* Append the chips of a unit, unless those of the unit before it are the same. */
static inline void pmumap_imc_append_chips_(struct pmumap_imc_build_ *b,
					    struct pmumap_imc_unit_row_ *u, uint32_t *before,
					    uint32_t *count)
{
	const unsigned char *bases = b->r.w.blob + u->chips, *chips = b->r.w.blob + u->events;
	struct pmumap_imc_chip_row_ *c =
		(struct pmumap_imc_chip_row_ *)pmumap_imc_block_at_(b, b->m->chips);
	uint32_t i = 0;

	u->chips = 0;
	if (u->chip_count == 0)
		return;
	while (u->chip_count == *count && i < *count &&
	       c[*before + i].base == pmumap_load_be64_(bases + 8 * i) &&
	       c[*before + i].chip == pmumap_load_be32_(chips + 4 * i))
		i++;
	if (i < u->chip_count) {
		*before = b->m->chip_count;
		*count = u->chip_count;
		b->m->chip_count += u->chip_count;
		(void)pmumap_imc_append_(b->m, u->chip_count * (uint32_t)sizeof(*c));
		for (i = 0, c += *before; i < u->chip_count; i++, c++) {
			c->base = pmumap_load_be64_(bases + 8 * i);
			c->chip = pmumap_load_be32_(chips + 4 * i);
			c->unused = 0;
		}
	}
	u->chips = *before;
}

/* Count what each unit keeps, and append the tables whose size is then known. */
static inline void pmumap_imc_append_tables_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = pmumap_imc_built_units_(b);
	uint32_t i, before = 0, count = 0;

	m->chips = m->head.size;
	for (i = 0; i < m->unit_count; i++, u++) {
		pmumap_imc_append_chips_(b, u, &before, &count);
		pmumap_imc_count_kept_(b, u);
	}
	m->rows = pmumap_imc_append_(m, m->names * (uint32_t)sizeof(struct pmumap_imc_row_));
	for (m->shift = 63; m->shift > 48 && m->names >> (64 - m->shift); m->shift--)
		;
	m->multiplier = PMUMAP_IMC_HASH_;
	m->by_name = pmumap_imc_append_(m, 4 * m->names);
	m->name_starts = pmumap_imc_append_(m, 2 * ((1u << (64 - m->shift)) + 1));
	m->by_offset = pmumap_imc_append_(m, 2 * m->names);
	m->offset_starts = pmumap_imc_append_(m, 2 * (m->names + 2));
	m->owns = pmumap_imc_append_(m, m->own_count * (uint32_t)sizeof(struct pmumap_imc_own_));
}

/* The own strings of the event whose name is here in the tree. */
static inline const struct pmumap_imc_own_ *
pmumap_imc_collected_own_(const struct pmumap_imc_build_ *b, uint32_t name)
{
	const struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b);
	uint32_t n;

	for (n = b->owns; n > 1; n -= n / 2)
		own += own[n / 2].row <= name ? n / 2 : 0;
	return own;
}

/* Add the rows of a unit. prefix: in the tree; first: its first row; own: its next own strings. */
static inline struct pmumap_imc_own_ *pmumap_imc_add_rows_(struct pmumap_imc_build_ *b,
							   const struct pmumap_imc_unit_row_ *u,
							   uint32_t prefix, uint32_t first,
							   struct pmumap_imc_own_ *own)
{
	struct pmumap_imc_row_ *rows =
		(struct pmumap_imc_row_ *)pmumap_imc_block_at_(b, b->m->rows);
	const struct pmumap_imc_own_ *collected;
	uint32_t i, n;

	for (i = 0; i < u->events; i++) {
		const uint32_t *pair = pmumap_imc_pairs_(b)[u->first + i];
		const char *name = pmumap_imc_name_of_pair_(b, pair);
		struct pmumap_imc_row_ *row = rows + first + i;

		n = pmumap_imc_text_bytes_(name);
		row->name = pmumap_imc_append_(b->m, u->prefix_bytes + n + 1);
		row->offset = u->reg + pair[0];
		row->unit = (uint16_t)(u - pmumap_imc_built_units_(b));
		row->length = (uint16_t)(u->prefix_bytes + n);
		pmumap_imc_copy_(b->m, row->name, b->r.w.blob + prefix, u->prefix_bytes);
		pmumap_imc_copy_(b->m, row->name + u->prefix_bytes, (const unsigned char *)name, n);
		if (pair[1] % 2 == 0)
			continue;
		collected = pmumap_imc_collected_own_(b, pair[1] / 2);
		own->row = first + i;
		own->scale = collected->scale;
		own->measure = collected->measure;
		own++->desc = collected->desc;
	}
	return own;
}

/* Copy all strings, and fill the rows. */
static inline void pmumap_imc_fill_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = pmumap_imc_built_units_(b);
	struct pmumap_imc_own_ *own = pmumap_imc_collected_owns_(b);
	uint32_t i, first = 0, prefix, lowest;

	m->lowest = 256;
	m->strings = pmumap_imc_append_(m, 8); /* an empty string */
	for (i = 0; i < b->owns; i++, own++) {
		own->scale = pmumap_imc_keep_string_(b, own->scale);
		own->measure = pmumap_imc_keep_string_(b, own->measure);
		own->desc = pmumap_imc_keep_string_(b, own->desc);
	}
	own = (struct pmumap_imc_own_ *)pmumap_imc_block_at_(b, m->owns);
	for (i = 0; i < m->unit_count; i++, u++) {
		u->name = pmumap_imc_append_string_(b, u->name);
		lowest = pmumap_imc_lowest_(m, u);
		m->lowest = lowest < m->lowest ? lowest : m->lowest;
		prefix = u->prefix;
		u->prefix = prefix ? pmumap_imc_append_string_(b, prefix) : m->strings;
		u->scale = pmumap_imc_keep_string_(b, u->scale);
		u->measure = pmumap_imc_keep_string_(b, u->measure);
		own = pmumap_imc_add_rows_(b, u, prefix, first, own);
		u->first = first;
		first += u->events;
	}
	(void)pmumap_imc_append_(m, 8); /* a string that ends the others */
	m->string_bytes = m->head.size - m->strings;
}

/* ---- imc/build.h: From a tree to a map */
PMUMAP_DEF enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	status = pmumap_imc_count_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? (size_t)b.need : 0;
	return status;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ b;
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	pmumap_imc_append_tables_(&b);
	pmumap_imc_fill_(&b);
	pmumap_imc_sort_offsets_(b.m, pmumap_imc_pairs_(&b));
	pmumap_imc_sort_names_(b.m, pmumap_imc_pairs_(&b));
	b.m->head.version = PMUMAP_IMAGE_VERSION;
	b.m->head.magic = PMUMAP_IMC_MAGIC;
	*map = b.m;
	return PMUMAP_OK;
}

/* ---- core/status.h: The texts of status codes and findings */
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

PMUMAP_DEF const char *pmumap_severity_str(enum pmumap_severity severity)
{
	return severity == PMUMAP_ERROR ? "error" : severity == PMUMAP_WARNING ? "warning" : "note";
}
#endif /* PMUMAP_HAS_CORE_STATUS_ */

#endif /* PMUMAP_IMC_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
