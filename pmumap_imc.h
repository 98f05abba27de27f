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
 *   Every node that is compatible with "ibm,opal-in-memory-counters", in the formats since February
 *   2017: the root of a catalog, or /imc-counters of a running system. Its children are PMUs
 *   ("ibm,imc-counters", earlier "ibm,imc-counters-nest" and so on) and lists of events.
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

#ifndef PMUMAP_IMC_H
#define PMUMAP_IMC_H

/* ---- fdt/size_api.h: The length of a blob */
#ifndef PMUMAP_HAS_FDT_SIZE_API_
#define PMUMAP_HAS_FDT_SIZE_API_
/*
 * The size in the header of the blob that starts here; 0 if none does, or for NULL. It reads 8
 * bytes. For an untrusted blob, you must know by other means how much memory is readable.
 */
PMUMAP_API uint32_t pmumap_fdt_size(const void *fdt);
#endif /* PMUMAP_HAS_FDT_SIZE_API_ */

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

/* ---- imc/api.h: IMC: names, PMUs, offsets, addresses */
struct pmumap_imc; /* a map: read it through the functions below */

/*
 * Bytes of a block for so many PMUs, and events in all PMUs together, each up to 65535. It allows
 * for 16 chips in each PMU, node names and prefixes of 31 bytes, full names of 47 bytes, scales and
 * measures of 15 bytes, and no descriptions.
 */
#define PMUMAP_IMC_BLOCK(units, events) (256u + 416u * (units) + 128u * (events))

/* Where a PMU's counters are; values of the property "type". */
#define PMUMAP_IMC_THREAD 0x1u /* a page for each hardware thread */
#define PMUMAP_IMC_TRACE 0x2u  /* nowhere: the offset is the trace configuration */
#define PMUMAP_IMC_CORE 0x4u   /* a page for each core */
#define PMUMAP_IMC_NEST 0x10u  /* a window in the memory of each chip */

/*
 * A PMU: its name here is unit, and its property unit is measure. Strings are in the map. An
 * event's full name is its PMU's prefix, then its name.
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

/* How to read a tree. Zero-initialise for the defaults, or pass NULL. */
struct pmumap_imc_options {
	uint32_t flags; /* PMUMAP_DESC */
	int node;       /* libfdt's offset of the only IMC root to read; 0: all roots */
	/* Return 0 to leave out a PMU, as pmumap_imc_wanted (pmumap_imc_hw.h) does; or NULL. */
	int (*wanted)(const struct pmumap_imc_options *opt, uint32_t type, const char *unit);
	unsigned generation; /* for pmumap_imc_wanted */
	uint64_t available;
};

/*
 * Measure the block for a tree, or validate the tree and build its map. The map takes
 * pmumap_imc_size() bytes of the block; you may reuse the rest. Any blob at any address is safe.
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
 * Validate an 8-byte aligned image from elsewhere; afterwards no look-up reads outside it. The map
 * is the image itself; on failure *map is NULL. Errors: E_ARG, E_IMAGE_*. Cost: O(size).
 */
PMUMAP_API enum pmumap_status pmumap_imc_open(const void *image, size_t bytes,
					      const struct pmumap_imc **map);

/* Bytes of the image, for copying or storing it. */
PMUMAP_API size_t pmumap_imc_size(const struct pmumap_imc *m);

/* Events in all PMUs. They are numbered from 0: by PMU in the order of the tree, then by offset. */
PMUMAP_API uint32_t pmumap_imc_names(const struct pmumap_imc *m);

/*
 * Find an event by its full name, or in one PMU by UNIT/NAME or UNIT/NAME/ with the full name. UNIT
 * is its node's name (mcs01@c8), possibly without the address, or Linux's name (nest_mcs01_imc). An
 * event's name may end in a slash, and it may be empty: then the full name is the prefix.
 *
 * nth counts the matches from 0: longer prefixes first, then in the order of PMUs, then by offset.
 *
 * Returns 1; or 0, and *event is unchanged. Cost: usually one compared name, at worst a binary
 * search; with UNIT/, also each match of the name.
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
 * Write Linux's name of a PMU: nest_mcs01_imc, core_imc. It is cut to bytes, and terminated unless
 * that is 0. Returns the length of the whole name; 0 for a wrong PMU.
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

/* ---- imc/tables.h: The tables of a map, hashes, and spellings of units */
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
	uint32_t chips, chip_count;
	uint32_t rows, names;           /* events */
	uint32_t strings, string_bytes; /* at least 8; the last 8 are 0 */
	uint32_t by_name, name_starts;
	uint32_t by_offset, offset_starts;
	uint64_t multiplier; /* of hashes, which CPUs load faster from here */
	uint64_t whole;      /* names shorter than this are hashed whole: 9, or more than any */
	uint32_t lowest;     /* no name of a unit begins with a lower byte */
	uint32_t shift;      /* of a hash of 64 bits to its bucket: 48 to 63 */
};

struct pmumap_imc_entry_ {
	uint16_t tag, event;
};

/* In the order of the tree. During a build, strings are in the tree. */
struct pmumap_imc_unit_row_ {
	uint32_t name, prefix, scale, measure; /* strings; 0: none */
	uint32_t reg, size, offset, control;
	uint32_t first, events; /* its rows */
	uint32_t chips, chip_count;
	uint16_t prefix_bytes;
	uint8_t type;
	uint8_t own; /* 1: behind each event's name are its own scale, measure and desc, or "" */
};

/* An event of a unit. Sorted by unit, then by offset. */
struct pmumap_imc_row_ {
	uint32_t name; /* its full name, 8-byte aligned, terminated, padded with 0 to 8 bytes */
	uint32_t offset;
	uint16_t unit;
	uint16_t length; /* of its name */
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused;
};

#define PMUMAP_IMC_MOST_ 65535u /* events in all units; units */
#define PMUMAP_IMC_COUNTER_BYTES_ 8u
#define PMUMAP_IMC_CONTROL_BYTES_ 40u

/* A table of a map, which a build may write. */
#define PMUMAP_IMC_TABLE_(m, type, at) ((type *)(void *)((char *)(size_t)(m) + (at)))
#define PMUMAP_IMC_UNITS_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_unit_row_, (m)->units)
#define PMUMAP_IMC_ROWS_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_row_, (m)->rows)
#define PMUMAP_IMC_CHIPS_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_chip_row_, (m)->chips)
#define PMUMAP_IMC_BY_NAME_(m) PMUMAP_IMC_TABLE_(m, struct pmumap_imc_entry_, (m)->by_name)
#define PMUMAP_IMC_NUMBERS_(m, at) PMUMAP_IMC_TABLE_(m, uint16_t, at)
#define PMUMAP_IMC_TEXT_(m, at) PMUMAP_IMC_TABLE_(m, char, at)
#define PMUMAP_IMC_STRING_(m, at) ((at) ? PMUMAP_IMC_TEXT_(m, at) : 0)
#define PMUMAP_IMC_BYTES_(m, at) PMUMAP_IMC_TABLE_(m, unsigned char, at)

/* UNALIGNED: one instruction loads a word from any address. WORD: any text as words. */
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1
#define PMUMAP_PACKED_ __attribute__((__packed__, __may_alias__))
#else
#define PMUMAP_UNALIGNED_ 0
#define PMUMAP_PACKED_ PMUMAP_MAY_ALIAS_
#endif
struct pmumap_word_ {
	uint64_t value;
} PMUMAP_PACKED_;
#define PMUMAP_WORD_(p) (((const struct pmumap_word_ *)(const void *)(p))->value)

/* The XOR of two words, the first byte highest, so that images do not depend on the order. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_xor_(const unsigned char *p, const unsigned char *q)
{
#if PMUMAP_UNALIGNED_
	uint64_t x = PMUMAP_WORD_(p) ^ PMUMAP_WORD_(q);

	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? x : __builtin_bswap64(x);
#else
#define PMUMAP_XOR_(i) ((uint64_t)(p[i] ^ q[i]) << (56 - 8 * (i)))
	uint64_t x = PMUMAP_XOR_(0) | PMUMAP_XOR_(1) | PMUMAP_XOR_(2);

	PMUMAP_NO_LIBCALL_(); /* nor spills: not all bytes are loaded first */
	x |= PMUMAP_XOR_(3) | PMUMAP_XOR_(4) | PMUMAP_XOR_(5);
	PMUMAP_NO_LIBCALL_();
	return x | PMUMAP_XOR_(6) | PMUMAP_XOR_(7);
#undef PMUMAP_XOR_
#endif
}

/* The hash of a name of more than 8 bytes: the first and last 16 tell it from almost all others. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_imc_hash_long_(const struct pmumap_imc *m,
						     const unsigned char *p, size_t n)
{
	uint64_t first = pmumap_load_xor_(p, n < 16 ? p + n - 8 : p + 8), last = n;

	if (n >= 16)
		last = pmumap_load_xor_(p + n - 8, p + n - 16);
	first *= m->multiplier;
	return ((first << 32 | first >> 32) ^ last) * m->multiplier;
}

/*
 * The same hash for any name, of which it reads 16 bytes a turn: the first, the last and, if many
 * names have both ends in common, those between. Names that are chosen against that, too, cost a
 * binary search. The word of up to 8 bytes has them all.
 */
static inline uint64_t pmumap_imc_hash_(const struct pmumap_imc *m, const unsigned char *p,
					size_t n)
{
	uint64_t hash = 0, word;
	size_t i = n - 16;

	if (n <= 8) {
		for (; n; n--) {
			hash = hash << 8 | *p++;
			PMUMAP_NO_LIBCALL_();
		}
		return hash * m->multiplier;
	}
	hash = pmumap_load_xor_(p, n < 16 ? p + n - 8 : p + 8);
	do {
		word = n < 16 ? n : pmumap_load_xor_(p + i, p + i + 8);
		hash *= m->multiplier;
		hash = (hash << 32 | hash >> 32) ^ word;
		i = i == n - 16 ? 16 : i + 16;
	} while (n < m->whole && i + 16 < n);
	return hash * m->multiplier;
}

#define PMUMAP_IMC_TAG_(hash) ((uint32_t)((hash) >> 32) & 0xffff)
/* Its bucket. The upper half is enough, and 32-bit CPUs shift it without libgcc. */
#define PMUMAP_IMC_BUCKET_(m, hash) ((uint32_t)((hash) >> 32) >> ((m)->shift & 31))

/* A hash of an offset: an odd factor keeps all different. Its bucket. */
#define PMUMAP_IMC_MIX_OFFSET_ 0x9e3779b1u
#define PMUMAP_IMC_OFFSET_BUCKET_(m, hash) ((uint32_t)((uint64_t)(hash) * ((m)->names + 1) >> 32))

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

#define PMUMAP_IMC_LINUX_NEST_ "nest_"
#define PMUMAP_IMC_LINUX_END_ "_imc"

/* Part 0 to 2 of Linux's name of a unit, up to its '@' or end: nest_mcs01_imc, core_imc. */
static inline const char *pmumap_imc_linux_part_(const struct pmumap_imc *m, uint32_t unit,
						 uint32_t part)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;

	if (part == 0)
		return u->type == PMUMAP_IMC_NEST ? PMUMAP_IMC_LINUX_NEST_ : "";
	return part == 1 ? PMUMAP_IMC_TEXT_(m, u->name) : PMUMAP_IMC_LINUX_END_;
}

/* ---- imc/open.h: Validate the tables of a foreign image */
/* Whether a string is in bounds, where the last one ends. */
#define PMUMAP_IMC_HOLDS_STRING_(m, at) ((at) - (m)->strings < (m)->string_bytes)

/* Whether the starts of buckets are in bounds and in order. */
static inline int pmumap_imc_open_starts_(const struct pmumap_imc *m, uint32_t table, uint32_t n)
{
	const uint16_t *starts = PMUMAP_IMC_NUMBERS_(m, table);

	if (!PMUMAP_IMAGE_HOLDS_(m, table, n + 1, sizeof(*starts)) || starts[n] > m->names)
		return 0;
	while (n && starts[n - 1] <= starts[n])
		n--;
	return n == 0;
}

/*
 * Whether what rows refer to is in bounds, and each row is one of its unit's. A name can be
 * compared by words.
 */
static inline int pmumap_imc_open_rows_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m);
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m);
	uint32_t i, n = 0, first;

	for (i = 0; i < m->unit_count; i++, u++) {
		if (!pmumap_imc_is_type_(u->type) || !PMUMAP_IMC_HOLDS_STRING_(m, u->name) ||
		    !PMUMAP_IMC_HOLDS_STRING_(m, u->prefix) ||
		    (u->scale && !PMUMAP_IMC_HOLDS_STRING_(m, u->scale)) ||
		    (u->measure && !PMUMAP_IMC_HOLDS_STRING_(m, u->measure)) || u->first != n ||
		    u->events > m->names - n || u->chips > m->chip_count ||
		    u->chip_count > m->chip_count - u->chips)
			return 0;
		for (first = n; n - first < u->events; n++, row++) {
			if (row->unit != i || row->name % 8 || row->length < u->prefix_bytes ||
			    !PMUMAP_IMC_HOLDS_STRING_(m, row->name) ||
			    row->length + 8u > m->strings + m->string_bytes - row->name ||
			    PMUMAP_IMC_BY_NAME_(m)[n].event >= m->names ||
			    PMUMAP_IMC_NUMBERS_(m, m->by_offset)[n] >= m->names)
				return 0;
		}
	}
	return n == m->names;
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
	if (m->names > PMUMAP_IMC_MOST_ || m->unit_count > PMUMAP_IMC_MOST_ ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->units, m->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->rows, m->names, sizeof(struct pmumap_imc_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->names, sizeof(struct pmumap_imc_entry_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, sizeof(uint16_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes < 8 ||
	    m->string_bytes % 8 || m->shift < 48 || m->shift > 63 || m->whole < 9 ||
	    *PMUMAP_IMC_TABLE_(m, uint64_t, m->strings + m->string_bytes - 8) ||
	    !pmumap_imc_open_starts_(m, m->name_starts, 1u << (64 - m->shift)) ||
	    !pmumap_imc_open_starts_(m, m->offset_starts, m->names + 1) ||
	    !pmumap_imc_open_rows_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

/* ---- imc/find.h: Find names and offsets */
/* Whether a text is any spelling of a unit of the map. */
static inline int pmumap_imc_unit_is_(const struct pmumap_imc *m, uint32_t unit, const char *text,
				      size_t len)
{
	const char *node = PMUMAP_IMC_TEXT_(m, PMUMAP_IMC_UNITS_(m)[unit].name), *part;
	size_t n = 0;
	uint32_t i;

	while (n < len && node[n] && node[n] == text[n])
		n++;
	if (n == len && (node[n] == 0 || node[n] == '@'))
		return 1;
	n = 0;
	for (i = 0; i < 3; i++) {
		for (part = pmumap_imc_linux_part_(m, unit, i); *part && *part != '@'; part++) {
			if (n == len || text[n++] != *part)
				return 0;
		}
	}
	return n == len;
}

/* Compare a row's name with a text, in some order: by length first. Returns below 0, 0 or above. */
static inline int pmumap_imc_compare_(const struct pmumap_imc *m, uint32_t event,
				      const unsigned char *text, size_t len)
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + event;
	const unsigned char *name = PMUMAP_IMC_BYTES_(m, row->name);
	size_t i = 0, end = len - 8;

	if (row->length != len)
		return row->length < len ? -1 : 1;
	if (PMUMAP_UNALIGNED_ && len > 8 && PMUMAP_WORD_(text + end) == PMUMAP_WORD_(name + end)) {
		while (i < end && PMUMAP_WORD_(text + i) == PMUMAP_WORD_(name + i))
			i += 8; /* the last words may overlap */
		if (i >= end)
			return 0;
	} else if (!PMUMAP_UNALIGNED_ && (size_t)text % 8 == 0) {
		while (i + 8 <= len && PMUMAP_WORD_(text + i) == PMUMAP_WORD_(name + i))
			i += 8;
	}
	while (i < len && text[i] == name[i])
		i++;
	return i == len ? 0 : (int)name[i] - (int)text[i];
}

/*
 * Find the nth match of a name by bisecting its bucket. The name begins at from; before it, unless
 * that is 0, are the spelling of a unit and a slash. Returns 1; 0: no match; -1: fewer.
 */
static inline int pmumap_imc_bisect_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t from, size_t len, uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_entry_ *order = PMUMAP_IMC_BY_NAME_(m);
	const unsigned char *name = text + from;
	uint64_t hash = pmumap_imc_hash_(m, name, len -= from);
	const uint16_t *start =
		PMUMAP_IMC_NUMBERS_(m, m->name_starts) + PMUMAP_IMC_BUCKET_(m, hash);
	uint32_t at = start[0], end = start[1], stop = end, tag = PMUMAP_IMC_TAG_(hash), half;
	int found = 0;

	while (at < stop) {
		half = at + (stop - at) / 2;
		if (order[half].tag < tag ||
		    (order[half].tag == tag &&
		     pmumap_imc_compare_(m, order[half].event, name, len) < 0))
			at = half + 1;
		else
			stop = half;
	}
	for (; at < end && !pmumap_imc_compare_(m, order[at].event, name, len); at++) {
		if (from && !pmumap_imc_unit_is_(m, PMUMAP_IMC_ROWS_(m)[order[at].event].unit,
						 (const char *)text, from - 1))
			continue;
		if (nth == 0) {
			*event = order[at].event;
			return 1;
		}
		found = -1;
		if (!from && nth >= end - at)
			break;
		at += from ? 0 : nth - 1; /* equal names are neighbours */
		nth = from ? nth - 1 : 0;
	}
	return found;
}

/* Find any name: a later match, UNIT/NAME, or one that is hashed whole. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *text, size_t len, uint32_t nth,
					       uint32_t *event)
{
	int found = pmumap_imc_bisect_(m, text, 0, len, nth, event);
	size_t from = 0;

	/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
	while (!found && from < len) {
		if (text[from++] != '/')
			continue;
		found = pmumap_imc_bisect_(m, text, from, len, nth, event);
		if (!found && from < len && text[len - 1] == '/')
			found = pmumap_imc_bisect_(m, text, from, len - 1, nth, event);
		break;
	}
	return found > 0;
}

/* Take the event with the tag of a text of at least 8 bytes: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_(const struct pmumap_imc *m, const unsigned char *text,
				     size_t len, const struct pmumap_imc_entry_ *at,
				     uint32_t *event)
{
	if (pmumap_imc_compare_(m, at->event, text, len))
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	*event = at->event;
	return 1;
}

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find_name(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t nth, uint32_t *event)
{
	const unsigned char *text = (const unsigned char *)name;
	const struct pmumap_imc_entry_ *at;
	const uint16_t *start;
	uint64_t hash;
	size_t n;

	if (nth || len < m->whole)
		return pmumap_imc_find_otherwise_(m, text, len, nth, event);
	hash = pmumap_imc_hash_long_(m, text, len);
	start = PMUMAP_IMC_NUMBERS_(m, m->name_starts) + PMUMAP_IMC_BUCKET_(m, hash);
	at = PMUMAP_IMC_BY_NAME_(m) + start[0];
	for (n = (size_t)start[1] - start[0]; n; n--, at++) {
		if (at->tag == PMUMAP_IMC_TAG_(hash))
			return pmumap_imc_take_(m, text, len, at, event);
		PMUMAP_LOADED_(n); /* so that compilers do not unroll: there are one or two */
	}
	/* A miss need not search for a slash unless a unit may begin so. */
	if (text[0] >= m->lowest)
		return pmumap_imc_find_otherwise_(m, text, len, 0, event);
	return 0;
}

/* In a bucket, rows are sorted by the hash of their offset, then by number, so by unit. */
PMUMAP_DEF int pmumap_imc_find_offset(const struct pmumap_imc *m, uint32_t unit, uint32_t offset,
				      uint32_t nth, uint32_t *event)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	const struct pmumap_imc_row_ *rows = PMUMAP_IMC_ROWS_(m);
	const uint16_t *order = PMUMAP_IMC_NUMBERS_(m, m->by_offset), *start;
	uint32_t hash = offset * PMUMAP_IMC_MIX_OFFSET_, first = 0, end = m->names, at, n, half,
		 row, other;

	if (unit != PMUMAP_IMC_ALL) {
		if (unit >= m->unit_count)
			return 0;
		first = u->first;
		end = first + u->events;
	}
	start = PMUMAP_IMC_NUMBERS_(m, m->offset_starts) + PMUMAP_IMC_OFFSET_BUCKET_(m, hash);
	at = start[0];
	for (n = start[1] - at; n; n -= half) {
		half = (n + 1) / 2;
		row = order[at + half - 1];
		other = rows[row].offset * PMUMAP_IMC_MIX_OFFSET_;
		at += other < hash || (other == hash && row < first) ? half : 0;
	}
	if (nth >= start[1] - at)
		return 0;
	row = order[at + nth];
	if (rows[row].offset != offset || row >= end)
		return 0;
	*event = row;
	return 1;
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

/* ---- imc/list.h: Events, units, addresses */
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
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + index;

	if (index >= m->unit_count)
		return 0;
	out->name = PMUMAP_IMC_TEXT_(m, u->name);
	out->prefix = PMUMAP_IMC_TEXT_(m, u->prefix);
	out->scale = PMUMAP_IMC_STRING_(m, u->scale);
	out->measure = PMUMAP_IMC_STRING_(m, u->measure);
	out->type = u->type;
	out->reg = u->reg;
	out->size = u->size;
	out->offset = u->offset;
	out->control = u->control;
	out->events = u->events;
	out->chips = u->chip_count;
	return 1;
}

PMUMAP_DEF int pmumap_imc_event(const struct pmumap_imc *m, uint32_t event,
				struct pmumap_imc_event *out)
{
	const struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + event;
	const struct pmumap_imc_unit_row_ *u;
	const char *own;

	if (event >= m->names)
		return 0;
	u = PMUMAP_IMC_UNITS_(m) + row->unit;
	out->unit = PMUMAP_IMC_TEXT_(m, u->name);
	out->prefix = PMUMAP_IMC_TEXT_(m, u->prefix);
	out->name = PMUMAP_IMC_TEXT_(m, row->name + u->prefix_bytes);
	out->scale = PMUMAP_IMC_STRING_(m, u->scale);
	out->measure = PMUMAP_IMC_STRING_(m, u->measure);
	out->desc = 0;
	if (u->own) {
		own = PMUMAP_IMC_TEXT_(m, row->name + row->length + 1u);
		out->scale = *own ? own : out->scale;
		own = pmumap_nth_text_(own, 1);
		out->measure = *own ? own : out->measure;
		own = pmumap_nth_text_(own, 1);
		out->desc = *own ? own : 0;
	}
	out->type = u->type;
	out->offset = row->offset;
	out->unit_index = row->unit;
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
	const char *part;
	size_t n = 0;
	uint32_t i;

	if (unit >= m->unit_count)
		return 0;
	for (i = 0; i < 3; i++) {
		for (part = pmumap_imc_linux_part_(m, unit, i); *part && *part != '@'; part++) {
			if (++n < bytes)
				text[n - 1] = *part;
		}
	}
	if (bytes)
		text[n < bytes ? n : bytes - 1] = 0;
	return n;
}

PMUMAP_DEF int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   uint32_t *event)
{
	if (unit >= m->unit_count || index >= PMUMAP_IMC_UNITS_(m)[unit].events)
		return 0;
	*event = PMUMAP_IMC_UNITS_(m)[unit].first + index;
	return 1;
}

PMUMAP_DEF int pmumap_imc_chip_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				  uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_chip_row_ *c = PMUMAP_IMC_CHIPS_(m) + index;

	if (unit >= m->unit_count || index >= PMUMAP_IMC_UNITS_(m)[unit].chip_count)
		return 0;
	c += PMUMAP_IMC_UNITS_(m)[unit].chips;
	*chip = c->chip;
	*base = c->base;
	return 1;
}

/* Both addresses. counter: its offset; NULL: of the control block. */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, const uint32_t *counter, uint64_t *phys)
{
	const struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	uint32_t bytes = counter ? PMUMAP_IMC_COUNTER_BYTES_ : PMUMAP_IMC_CONTROL_BYTES_;
	uint32_t i = 0, found, offset;
	uint64_t base, place;

	do {
		if (!pmumap_imc_chip_at(m, unit, i++, &found, &base))
			return 0;
	} while (found != chip);
	offset = counter ? *counter : u->control;
	place = (uint64_t)u->offset + offset;
	if (u->type != PMUMAP_IMC_NEST || u->size < bytes || offset > u->size - bytes ||
	    place + bytes - 1 > ~(uint64_t)0 - base)
		return 0;
	*phys = base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, &e->offset, phys);
}

PMUMAP_DEF int pmumap_imc_control_address(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
					  uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, unit, chip, 0, phys);
}

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

/* ---- imc/read.h: Read a tree: its units and events */
/* The properties to read. */
/* clang-format off */
#define PMUMAP_IMC_PROPERTY_LIST_(X) \
	X(COMPATIBLE, "compatible") X(REG, "reg") X(PHANDLE, "phandle") \
	X(LINUX_PHANDLE, "linux,phandle") X(EVENT_NAME, "event-name") X(DESC, "desc") \
	X(SCALE, "scale") X(UNIT, "unit") X(EVENTS, "events") X(PREFIX, "events-prefix") \
	X(TYPE, "type") X(SIZE, "size") X(OFFSET, "offset") X(CONTROL, "cb_offset") \
	X(BASE, "base-addr") X(CHIP, "chip-id") X(DOC_BASE, "base_addr") \
	X(DOC_CHIP, "chipids") X(NEST_OFFSET, "imc-nest-offset") \
	X(NEST_SIZE, "imc-nest-size")
/* clang-format on */

enum {
#define PMUMAP_X_(name, text) PMUMAP_IMC_P_##name##_,
	PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_IMC_P_COUNT_
};

#define PMUMAP_IMC_LISTS_ 129u

/* A list of events; the first node with its phandle. List 0 has none, for units without a list. */
struct pmumap_imc_list_ {
	uint32_t phandle, node; /* node: its offset; 0: the walk has not come to it */
	uint32_t events;        /* that have a name and an offset, so far in this walk */
	uint32_t own;           /* not 0: some have own strings */
	uint32_t bytes;         /* that its events take for each user, without prefixes */
	uint32_t users;         /* units that are kept */
	uint32_t first;         /* its first event in the scratch memory */
	uint32_t longest_name, longest_prefix;
};

/* The state of a build. */
struct pmumap_imc_build_ {
	struct pmumap_fdt_cursor_ w;
	uint32_t found[PMUMAP_IMC_P_COUNT_];
	uint32_t memos[PMUMAP_FDT_MEMOS_][2];
	const void *fdt;
	size_t fdt_size;
	const struct pmumap_imc_options *opt;
	uint32_t root, roots;            /* depth of the IMC root around the walk, or 0; how many */
	uint32_t nest_offset, nest_size; /* the window that the root gives its units */
	uint32_t nest_window;            /* 1: it gives both, in one cell each */
	struct pmumap_imc *m;            /* NULL: count */
	uint64_t need;                   /* bytes of the block */
	uint32_t scratch;                /* offset of the scratch memory, at its end */
	uint32_t units, chips, names;    /* counted */
	uint32_t events;                 /* of lists that are used */
	uint32_t list_count, full;       /* 1: there are too many */
	struct pmumap_imc_list_ *list;   /* that the next events belong to, or NULL */
	struct pmumap_imc_list_ lists[PMUMAP_IMC_LISTS_];
};

/* Begin a walk over the tree. */
static inline enum pmumap_status pmumap_imc_begin_(struct pmumap_imc_build_ *b)
{
	static const char wanted[] = PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_WANT_);
	static const unsigned char lengths[] = { PMUMAP_IMC_PROPERTY_LIST_(
		PMUMAP_FDT_WANT_BYTES_) };

	b->w.memos = b->memos;
	b->w.wanted = wanted;
	b->w.lengths = lengths;
	b->w.count = PMUMAP_IMC_P_COUNT_;
	b->w.found = b->found;
	b->root = b->roots = 0;
	b->list = 0;
	return pmumap_fdt_begin_(&b->w, b->fdt, b->fdt_size);
}

/* Read a property that must be one cell. Returns 1; otherwise 0: absent; or -1: another width. */
static inline int pmumap_imc_read_cell_(const struct pmumap_imc_build_ *b, uint32_t property,
					uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_value_(&b->w, property, &bytes);

	if (!p || bytes != 4)
		return p ? -1 : 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* Match the current node's compatible. Returns the rest of the string, or NULL. */
static inline const unsigned char *pmumap_imc_compatible_(const struct pmumap_imc_build_ *b,
							  const char *text, int prefix)
{
	uint32_t bytes;
	const unsigned char *list = pmumap_fdt_value_(&b->w, PMUMAP_IMC_P_COMPATIBLE_, &bytes);

	return pmumap_fdt_match_list_(list, bytes, text, prefix);
}

/* Go to the next child of a root, or to the next node in one. Below 0: the tree is malformed. */
static inline int pmumap_imc_next_(struct pmumap_imc_build_ *b)
{
	int more;

	while ((more = pmumap_fdt_next_(&b->w, pmumap_fdt_recall_)) > 0) {
		if (b->w.depth <= b->root)
			b->root = 0;
		if (b->root && b->w.depth <= b->root + 2)
			break;
		if (b->root || !pmumap_imc_compatible_(b, "ibm,opal-in-memory-counters", 0) ||
		    (b->opt->node && (uint32_t)b->opt->node != b->w.offset))
			continue;
		b->root = b->w.depth;
		b->roots++;
		b->nest_window =
			pmumap_imc_read_cell_(b, PMUMAP_IMC_P_NEST_OFFSET_, &b->nest_offset) > 0 &&
			pmumap_imc_read_cell_(b, PMUMAP_IMC_P_NEST_SIZE_, &b->nest_size) > 0;
	}
	return more;
}

/* The list of the phandle in a property, or in its older one. 0: none, or there are too many. */
static inline uint32_t pmumap_imc_list_of_(struct pmumap_imc_build_ *b, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = pmumap_fdt_phandle_(&b->w, property, older), i = 0;

	while (i < b->list_count && b->lists[i].phandle != phandle)
		i++;
	b->full |= i == PMUMAP_IMC_LISTS_;
	if (b->full)
		return 0;
	if (i == b->list_count) {
		pmumap_zero_words_(b->lists + i, sizeof(b->lists[i]));
		b->lists[i].phandle = phandle;
		b->list_count++;
	}
	return i;
}

/*
 * Begin the current child. If it is a unit, returns what its compatible has behind "imc-counters":
 * "", or its type in the formats before June 2017. Otherwise returns NULL: it may be a list.
 */
static inline const unsigned char *pmumap_imc_begin_child_(struct pmumap_imc_build_ *b)
{
	const unsigned char *suffix = pmumap_imc_compatible_(b, "ibm,imc-counters", 1);
	struct pmumap_imc_list_ *list = b->lists;

	b->list = 0;
	if (!b->found[PMUMAP_IMC_P_BASE_])
		b->found[PMUMAP_IMC_P_BASE_] = b->found[PMUMAP_IMC_P_DOC_BASE_];
	if (!b->found[PMUMAP_IMC_P_CHIP_])
		b->found[PMUMAP_IMC_P_CHIP_] = b->found[PMUMAP_IMC_P_DOC_CHIP_];
	if (suffix)
		return suffix;
	list += pmumap_imc_list_of_(b, PMUMAP_IMC_P_PHANDLE_, PMUMAP_IMC_P_LINUX_PHANDLE_);
	if (list != b->lists && list->node == 0)
		list->node = b->w.offset;
	if (list->node == b->w.offset)
		b->list = list;
	return 0;
}

/* The offset in the tree of a string of the current node; 0 if it is missing or empty. */
static inline uint32_t pmumap_imc_text_(const struct pmumap_imc_build_ *b, uint32_t property)
{
	const char *text = pmumap_fdt_text_(&b->w, property);

	return text && *text ? b->found[property] : 0;
}

/* Bytes of a string in the tree; 0 for offset 0. */
static inline uint32_t pmumap_imc_text_bytes_(const struct pmumap_imc_build_ *b, uint32_t at)
{
	uint32_t n = 0;

	for (; at && b->w.blob[at + n]; n++)
		PMUMAP_NO_LIBCALL_();
	return n;
}

#define PMUMAP_IMC_STRINGS_ 4u

/* Whether the current node is an event. strings: where its name, scale, measure and desc are. */
static inline int pmumap_imc_read_event_(const struct pmumap_imc_build_ *b, uint32_t *strings,
					 uint32_t *offset)
{
	if (!pmumap_fdt_text_(&b->w, PMUMAP_IMC_P_EVENT_NAME_) ||
	    !pmumap_fdt_cell_(&b->w, PMUMAP_IMC_P_REG_, offset))
		return 0;
	strings[0] = b->found[PMUMAP_IMC_P_EVENT_NAME_];
	strings[1] = pmumap_imc_text_(b, PMUMAP_IMC_P_SCALE_);
	strings[2] = pmumap_imc_text_(b, PMUMAP_IMC_P_UNIT_);
	strings[3] = b->opt->flags & PMUMAP_DESC ? pmumap_imc_text_(b, PMUMAP_IMC_P_DESC_) : 0;
	return 1;
}

/*
 * Describe the current unit, whose compatible ends in suffix. Returns 1 if it is kept: then first
 * is its list, and strings and chips are in the tree, the bases at chips, the numbers at events.
 * Returns 0 if it is wrong: without a type, or the place of its counters is unknown; -1: unwanted.
 */
static inline int pmumap_imc_describe_unit_(struct pmumap_imc_build_ *b,
					    const unsigned char *suffix,
					    struct pmumap_imc_unit_row_ *u)
{
	uint32_t known = *suffix && b->nest_window, base_bytes, chip_bytes;
	uint32_t type = pmumap_fdt_match_string_(suffix, "-nest", 0)     ? PMUMAP_IMC_NEST
			: pmumap_fdt_match_string_(suffix, "-core", 0)   ? PMUMAP_IMC_CORE
			: pmumap_fdt_match_string_(suffix, "-thread", 0) ? PMUMAP_IMC_THREAD
									 : 0;
	int size, offset;

	pmumap_zero_words_(u, sizeof(*u));
	if (pmumap_imc_read_cell_(b, PMUMAP_IMC_P_TYPE_, &type) < 0 || !pmumap_imc_is_type_(type))
		return 0;
	u->type = (uint8_t)type;
	if (b->opt->wanted && !b->opt->wanted(b->opt, type, (const char *)pmumap_fdt_name_(&b->w)))
		return -1;
	if (!pmumap_fdt_cell_(&b->w, PMUMAP_IMC_P_REG_, &u->reg) && b->found[PMUMAP_IMC_P_EVENTS_])
		return 0;
	u->first = pmumap_imc_list_of_(b, PMUMAP_IMC_P_EVENTS_, PMUMAP_IMC_P_EVENTS_);
	u->name = b->w.start + b->w.offset + 4;
	u->prefix = pmumap_imc_text_(b, PMUMAP_IMC_P_PREFIX_);
	u->prefix_bytes = (uint16_t)pmumap_imc_text_bytes_(b, u->prefix);
	u->scale = pmumap_imc_text_(b, PMUMAP_IMC_P_SCALE_);
	u->measure = pmumap_imc_text_(b, PMUMAP_IMC_P_UNIT_);
	if (type == PMUMAP_IMC_NEST && known) {
		u->size = b->nest_size;
		u->offset = b->nest_offset;
	}
	size = pmumap_imc_read_cell_(b, PMUMAP_IMC_P_SIZE_, &u->size);
	if (type != PMUMAP_IMC_NEST)
		return 1;
	offset = pmumap_imc_read_cell_(b, PMUMAP_IMC_P_OFFSET_, &u->offset);
	if (size < 0 || offset < 0 || (!offset && !known))
		u->size = 0;  /* it has no window */
	u->control = 0x3fc00; /* where it usually is */
	if (pmumap_imc_read_cell_(b, PMUMAP_IMC_P_CONTROL_, &u->control) < 0)
		u->control = 0xffffffffu; /* outside every window */
	u->chips = b->found[PMUMAP_IMC_P_BASE_];
	u->events = b->found[PMUMAP_IMC_P_CHIP_];
	(void)pmumap_fdt_value_(&b->w, PMUMAP_IMC_P_BASE_, &base_bytes);
	(void)pmumap_fdt_value_(&b->w, PMUMAP_IMC_P_CHIP_, &chip_bytes);
	if (u->size)
		u->chip_count = base_bytes / 8 < chip_bytes / 4 ? base_bytes / 8 : chip_bytes / 4;
	return 1;
}

/* ---- imc/collect.h: Count the units, lists and events of a tree, then collect them in the block */
/*
 * In the scratch memory: each event's offset and number, sorted in each list. Behind them: by
 * number, the places of its strings.
 */
#define PMUMAP_IMC_PAIRS_(b) ((uint32_t(*)[2])(void *)((char *)(b)->m + (b)->scratch))
#define PMUMAP_IMC_EVENTS_(b)                                                                      \
	((uint32_t(*)[PMUMAP_IMC_STRINGS_])(void *)(PMUMAP_IMC_PAIRS_(b) + (b)->events))

/* Append a table. Returns its offset; the padding is 0. */
static inline uint32_t pmumap_imc_append_(struct pmumap_imc *m, uint32_t bytes)
{
	uint32_t at = m->head.size;

	m->head.size += (bytes + 7) & ~7u;
	if (bytes)
		*PMUMAP_IMC_TABLE_(m, uint64_t, m->head.size - 8) = 0;
	return at;
}

/* Count the current unit if it is kept; or collect it. */
static inline void pmumap_imc_add_unit_(struct pmumap_imc_build_ *b, const unsigned char *suffix)
{
	struct pmumap_imc_unit_row_ counted, *u = &counted;
	struct pmumap_imc_list_ *list;
	uint32_t prefix;

	if (b->m) /* there is room, also for one that is not kept: the next overwrites it */
		u = PMUMAP_IMC_UNITS_(b->m) + b->m->unit_count;
	if (pmumap_imc_describe_unit_(b, suffix, u) <= 0)
		return;
	if (b->m) {
		b->m->unit_count++;
		return;
	}
	b->units++;
	b->chips += u->chip_count;
	prefix = pmumap_imc_text_bytes_(b, u->prefix);
	b->need += pmumap_imc_text_bytes_(b, u->name) + prefix +
		   pmumap_imc_text_bytes_(b, u->scale) + pmumap_imc_text_bytes_(b, u->measure) + 11;
	list = b->lists + u->first;
	list->users++;
	if (list->longest_prefix < prefix)
		list->longest_prefix = prefix;
}

/* Count an event of the current list if the current node is one; or collect it for its users. */
static inline void pmumap_imc_add_event_(struct pmumap_imc_build_ *b)
{
	struct pmumap_imc_list_ *list = b->list;
	uint32_t n = list->first + list->events, counted[PMUMAP_IMC_STRINGS_], offset, bytes, i;
	uint32_t *strings = counted;

	if (b->m && !list->users)
		return;
	if (b->m)
		strings = &PMUMAP_IMC_EVENTS_(b)[n][0];
	if (!pmumap_imc_read_event_(b, strings, &offset))
		return;
	list->events++;
	if (b->m) {
		PMUMAP_IMC_PAIRS_(b)[n][0] = offset;
		PMUMAP_IMC_PAIRS_(b)[n][1] = n;
		return;
	}
	bytes = pmumap_imc_text_bytes_(b, strings[0]);
	if (list->longest_name < bytes)
		list->longest_name = bytes;
	list->bytes += bytes + 8;
	for (i = 1; i < PMUMAP_IMC_STRINGS_; i++) {
		list->bytes += pmumap_imc_text_bytes_(b, strings[i]);
		list->own |= strings[i];
	}
}

/* Walk over the tree: count or, if there is a map, collect. */
static inline enum pmumap_status pmumap_imc_walk_(struct pmumap_imc_build_ *b)
{
	enum pmumap_status status = pmumap_imc_begin_(b);
	const unsigned char *suffix;
	int more = 0;

	while (status == PMUMAP_OK && (more = pmumap_imc_next_(b)) > 0) {
		if (b->w.depth > b->root + 1 && b->list)
			pmumap_imc_add_event_(b);
		if (b->w.depth == b->root + 1 && (suffix = pmumap_imc_begin_child_(b)) != 0)
			pmumap_imc_add_unit_(b, suffix);
	}
	if (status != PMUMAP_OK || more < 0)
		return status != PMUMAP_OK ? status : PMUMAP_E_FDT_STRUCT;
	if (b->roots == 0)
		return b->opt->node ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return PMUMAP_OK;
}

/*
 * Count a tree, and add up the block: the map without its index, then the collected lists; or, in
 * their place, the index and what is sorted for it.
 */
static inline enum pmumap_status pmumap_imc_count_(struct pmumap_imc_build_ *b, const void *fdt,
						   size_t fdt_size,
						   const struct pmumap_imc_options *opt)
{
	static const struct pmumap_imc_options defaults = { 0, 0, 0, 0, 0 };
	enum pmumap_status status;
	struct pmumap_imc_list_ *list;
	uint64_t names = 0, each;

	pmumap_zero_words_(b, sizeof(*b) - sizeof(b->lists) + sizeof(b->lists[0]));
	b->list_count = 1;
	b->fdt = fdt;
	b->fdt_size = fdt_size;
	b->opt = opt ? opt : &defaults;
	status = pmumap_imc_walk_(b);
	if (status != PMUMAP_OK)
		return status;
	for (list = b->lists; list < b->lists + b->list_count; list++) {
		if (list->users == 0 || list->events == 0)
			continue;
		if (list->longest_name + list->longest_prefix > 4095)
			return PMUMAP_E_LIMIT;
		names += (uint64_t)list->users * list->events;
		each = list->longest_prefix + (list->own ? 3 : 0);
		b->need += list->users * (list->bytes + list->events * each);
		list->first = b->events;
		b->events += list->events;
		list->events = 0;
	}
	if (b->full || b->units > PMUMAP_IMC_MOST_ || names > PMUMAP_IMC_MOST_)
		return PMUMAP_E_LIMIT;
	b->names = (uint32_t)names;
	each = 24 * (uint64_t)b->events;
	b->need += sizeof(struct pmumap_imc) + b->units * sizeof(struct pmumap_imc_unit_row_) +
		   (uint64_t)b->chips * sizeof(struct pmumap_imc_chip_row_) +
		   names * sizeof(struct pmumap_imc_row_) + 64 +
		   (each < 20 * names ? 20 * names : each);
	b->need = (b->need + 7) / 8 * 8;
	b->scratch = (uint32_t)(b->need - each);
	return b->need > PMUMAP_MAX_BYTES_ ? PMUMAP_E_LIMIT : PMUMAP_OK;
}

/* Begin a map, and collect the units and lists of a tree in the block. */
static inline enum pmumap_status pmumap_imc_collect_tree_(struct pmumap_imc_build_ *b,
							  const void *fdt, size_t fdt_size,
							  const struct pmumap_imc_options *opt,
							  void *mem, size_t bytes)
{
	enum pmumap_status status;
	uint32_t i;

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
	(void)pmumap_imc_walk_(b);
	for (i = 0; i < b->list_count; i++) {
		if (b->lists[i].users)
			pmumap_sort_pairs_(PMUMAP_IMC_PAIRS_(b) + b->lists[i].first,
					   b->lists[i].events, 0, 0);
	}
	return PMUMAP_OK;
}

/* ---- imc/build.h: From what was collected of a tree to a map */
/* Append a string of the tree, or "" for place 0. Returns its offset. */
static inline uint32_t pmumap_imc_put_(const struct pmumap_imc_build_ *b, uint32_t place)
{
	uint32_t at = b->m->head.size;
	const unsigned char *from = b->w.blob + place;
	char *to = (char *)b->m + at;

	*to = 0;
	while (place && (*to = (char)*from++) != 0) {
		to++;
		PMUMAP_NO_LIBCALL_();
	}
	b->m->head.size = (uint32_t)(to + 1 - (char *)b->m);
	return at;
}

/* Whether the counter at an offset in a unit's list ends in the unit's window. */
static inline int pmumap_imc_is_kept_(const struct pmumap_imc_unit_row_ *u, uint32_t offset)
{
	uint64_t end = u->type != PMUMAP_IMC_TRACE && u->size ? u->size : 0x100000007u;

	return offset + (uint64_t)u->reg + PMUMAP_IMC_COUNTER_BYTES_ <= end;
}

/* Append a row, and the strings of its event. */
static inline void pmumap_imc_add_row_(const struct pmumap_imc_build_ *b, uint32_t unit,
				       uint32_t prefix, const uint32_t *pair)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_row_ *row = PMUMAP_IMC_ROWS_(m) + m->names++;
	const uint32_t *strings = &PMUMAP_IMC_EVENTS_(b)[pair[1]][0];
	uint32_t i;

	while (m->head.size % 8)
		(void)pmumap_imc_put_(b, 0);
	row->name = pmumap_imc_put_(b, prefix);
	m->head.size--; /* the name follows */
	(void)pmumap_imc_put_(b, strings[0]);
	row->offset = PMUMAP_IMC_UNITS_(m)[unit].reg + pair[0];
	row->unit = (uint16_t)unit;
	row->length = (uint16_t)(m->head.size - row->name - 1);
	for (i = 1; PMUMAP_IMC_UNITS_(m)[unit].own && i < PMUMAP_IMC_STRINGS_; i++)
		(void)pmumap_imc_put_(b, strings[i]);
}

/* Complete a unit that was collected, with its rows. */
static inline void pmumap_imc_fill_unit_(const struct pmumap_imc_build_ *b, uint32_t unit)
{
	struct pmumap_imc *m = b->m;
	struct pmumap_imc_unit_row_ *u = PMUMAP_IMC_UNITS_(m) + unit;
	struct pmumap_imc_chip_row_ *c = PMUMAP_IMC_CHIPS_(m) + m->chip_count;
	const struct pmumap_imc_list_ *list = b->lists + u->first;
	uint32_t(*pairs)[2] = PMUMAP_IMC_PAIRS_(b) + list->first;
	uint32_t prefix = u->prefix, i;

	for (i = 0; i < u->chip_count; i++, c++) {
		c->base = pmumap_load_be64_(b->w.blob + u->chips + 8 * i);
		c->chip = pmumap_load_be32_(b->w.blob + u->events + 4 * i);
		c->unused = 0;
	}
	u->chips = m->chip_count;
	m->chip_count += i;
	i = b->w.blob[u->name];
	if (i < m->lowest)
		m->lowest = i == '@' ? 0 : i; /* its spelling may be empty, before a slash */
	u->name = pmumap_imc_put_(b, u->name);
	u->prefix = pmumap_imc_put_(b, prefix);
	u->scale = u->scale ? pmumap_imc_put_(b, u->scale) : 0;
	u->measure = u->measure ? pmumap_imc_put_(b, u->measure) : 0;
	u->own = list->own != 0;
	u->first = m->names;
	for (i = 0; i < list->events && pmumap_imc_is_kept_(u, pairs[i][0]); i++)
		pmumap_imc_add_row_(b, unit, prefix, pairs[i]);
	u->events = i;
}

/* Order rows by name, then longer prefixes first. */
static inline int pmumap_imc_order_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_row_ *x = PMUMAP_IMC_ROWS_(m) + a, *y = PMUMAP_IMC_ROWS_(m) + b;
	int order = pmumap_imc_compare_(m, a, PMUMAP_IMC_BYTES_(m, y->name), y->length);

	return order ? order
		     : (int)PMUMAP_IMC_UNITS_(m)[y->unit].prefix_bytes -
			       (int)PMUMAP_IMC_UNITS_(m)[x->unit].prefix_bytes;
}

#define PMUMAP_IMC_NEAR_ 16u /* with more names in a bucket, hash all of them whole */

/* Append all rows sorted by name, otherwise by offset, and where buckets begin. */
static inline void pmumap_imc_sort_(struct pmumap_imc *m, int by_name, uint32_t (*pairs)[2])
{
	const struct pmumap_imc_row_ *row;
	uint32_t buckets = by_name ? 1u << (64 - m->shift) : m->names + 1, key, near, i;
	uint32_t order = pmumap_imc_append_(m, m->names * (by_name ? 4 : 2));
	uint32_t table = pmumap_imc_append_(m, 2 * (buckets + 1));
	uint16_t *to = PMUMAP_IMC_NUMBERS_(m, order), *start = PMUMAP_IMC_NUMBERS_(m, table);
	uint64_t hash;

	pmumap_zero_words_(start, m->head.size - table);
	for (i = 0; i < m->names; i++) {
		row = PMUMAP_IMC_ROWS_(m) + i;
		key = row->offset * PMUMAP_IMC_MIX_OFFSET_;
		near = PMUMAP_IMC_OFFSET_BUCKET_(m, key);
		if (by_name) {
			hash = pmumap_imc_hash_(m, PMUMAP_IMC_BYTES_(m, row->name), row->length);
			near = PMUMAP_IMC_BUCKET_(m, hash);
			key = near << 16 | PMUMAP_IMC_TAG_(hash);
		}
		pairs[i][0] = key;
		pairs[i][1] = i;
		near = ++start[near + 1];
		if (by_name && near > PMUMAP_IMC_NEAR_ && m->whole == 9) {
			m->whole = ~(uint64_t)0;
			pmumap_zero_words_(start, m->head.size - table);
			i = ~0u; /* begin again */
		}
	}
	for (i = 0; i < buckets; i++)
		start[i + 1] = (uint16_t)(start[i + 1] + start[i]);
	pmumap_sort_pairs_(pairs, m->names, by_name ? pmumap_imc_order_names_ : 0, m);
	for (i = 0; i < m->names; i++) {
		if (by_name)
			*to++ = (uint16_t)pairs[i][0];
		*to++ = (uint16_t)pairs[i][1];
	}
	*(by_name ? &m->by_name : &m->by_offset) = order;
	*(by_name ? &m->name_starts : &m->offset_starts) = table;
}

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
	struct pmumap_imc *m;
	enum pmumap_status status;
	uint32_t i;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	status = pmumap_imc_collect_tree_(&b, fdt, fdt_size, opt, mem, bytes);
	if (status != PMUMAP_OK)
		return status;
	m = b.m;
	m->chips = pmumap_imc_append_(m, b.chips * (uint32_t)sizeof(struct pmumap_imc_chip_row_));
	m->rows = pmumap_imc_append_(m, b.names * (uint32_t)sizeof(struct pmumap_imc_row_));
	m->strings = m->head.size;
	m->lowest = (unsigned char)*PMUMAP_IMC_LINUX_NEST_;
	for (i = 0; i < m->unit_count; i++)
		pmumap_imc_fill_unit_(&b, i);
	pmumap_zero_words_(PMUMAP_IMC_ROWS_(m) + m->names,
			   (b.names - m->names) * sizeof(struct pmumap_imc_row_));
	for (i = 0; i < 8 || m->head.size % 8; i++)
		(void)pmumap_imc_put_(&b, 0); /* which ends all other strings */
	m->string_bytes = m->head.size - m->strings;
	m->multiplier = 0x9e3779b97f4a7c15u;
	m->whole = 9;
	for (m->shift = 63; m->names >> (64 - m->shift); m->shift--)
		;
	b.scratch = (uint32_t)b.need - 8 * m->names; /* behind the index */
	pmumap_imc_sort_(m, 0, PMUMAP_IMC_PAIRS_(&b));
	pmumap_imc_sort_(m, 1, PMUMAP_IMC_PAIRS_(&b));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.magic = PMUMAP_IMC_MAGIC;
	*map = m;
	return PMUMAP_OK;
}

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

#endif /* PMUMAP_IMC_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
