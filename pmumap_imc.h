/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_imc.h 0.3.1 -- IBM's In-Memory Collection (IMC): event names to offsets, and back.
 *
 * QUICK START: a tree
 *	#include "pmumap_imc.h"			// nothing else to copy, nothing to link
 *
 *	const struct pmumap_imc *map;
 *	struct pmumap_imc_event event;
 *	enum pmumap_status status;
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
 *	if (pmumap_imc_find(map, name, strlen(name), 0, &event) &&
 *	    pmumap_imc_address(map, &event, chip, &phys))
 *		use(phys);			// where this chip counts it
 *
 * QUICK START: control blocks and SCOMs, in firmware of a POWER machine
 *	struct pmumap_imc_hw power = { my_load, my_store, my_scom, 0, 0 };
 *	uint64_t state;
 *
 *	if (!pmumap_imc_cb_load(map, &power, unit, chip, PMUMAP_IMC_CB_STATUS, &state))
 *		return;				// the PMU has no control block on this chip
 *	if (pmumap_imc_core_init(&power, PMUMAP_IMC_P9, core, page))
 *		pmumap_imc_core_run(&power, PMUMAP_IMC_P9, core, 1);
 *
 * WHAT IS READ
 *   Every node that is compatible with "ibm,opal-in-memory-counters": the root of a catalog, or
 *   /imc-counters of a running system. Its children are PMUs ("ibm,imc-counters") and lists of
 *   events, linked by phandle in either order. Formats before June 2017 have the events inside
 *   their PMUs, which are compatible with "ibm,imc-counters-nest" and so on, or "ibm,ima-...".
 *   Chips come from base-addr and chip-id, base_addr and chipids, or ibm,homer-image nodes.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_imc_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock.
 *   Input	any tree, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0. The block must not overlap the tree: E_ARG.
 *   Failure	a failed build yields no map. A register operation that is refused returns 0.
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
	X(E_LIMIT, 3, "the map would pass 2 GiB, or 2^30 rows")                                    \
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

#define PMUMAP_IMAGE_VERSION 3u

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
 * Bytes of a block that is enough for the map and index of a tree with this many PMUs and event
 * nodes, as an integer constant for numbers up to a million. It allows for 16 chips in each PMU,
 * a list for each PMU, names and prefixes of 31 bytes, a scale and a measure of 15 bytes for each
 * PMU and event, and no descriptions.
 *
 *	static uint64_t block[PMUMAP_IMC_BLOCK(64, 512) / 8];
 */
#define PMUMAP_IMC_BLOCK(units, events) (512u + 1024u * (units) + 232u * (events))

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
	uint32_t control; /* of the control block in the window; for a builder, 0: the default */
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
 *   check	pmumap_imc_check, to get findings in report. NULL: no findings, and no code for them
 *		is linked
 *   generation	PMUMAP_IMC_P9 or P10: leave out nest PMUs that do not exist, by
 *		pmumap_imc_available(); 0: keep all. Add PMUMAP_IMC_NO_TRACE to leave out trace
 *		PMUs
 *   available	the availability vector for generation; 0: no nest PMU exists
 */
struct pmumap_imc_options {
	uint32_t flags;
	int node;
	enum pmumap_status (*check)(const void *fdt, size_t fdt_size,
				    const struct pmumap_imc_options *opt, void *mem, size_t bytes,
				    const struct pmumap_imc **map);
	pmumap_report_fn *report; /* called for each finding; pmumap_report_fn has its rules */
	void *arg;                /* passed to report */
	unsigned generation;
	uint64_t available;
};

/*
 * Measure the block for a tree, or validate the tree and build its map.
 *
 * Any blob at any address is safe. If blob and block overlap, it returns E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not from measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     O(n log n) for any n bytes of blob and block. Lists that PMUs share are read once.
 */
PMUMAP_API enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_imc_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_imc_options *opt, void *mem,
						   size_t bytes, const struct pmumap_imc **map);

/*
 * For options.check: build the map and report mistakes in the tree. row and other are numbers of
 * PMUs; for a dropped PMU, row is the number that the next one gets. For an event, row counts the
 * events of the tree.
 */
PMUMAP_API enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
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
 * Find an event by its full name, or in one PMU by UNIT/NAME or UNIT/NAME/ with the full name. UNIT
 * is its node's name (mcs01@c8), possibly without the address, or Linux's name (nest_mcs01_imc).
 *
 * A name may end in a slash, and it may be empty: then the full name is the prefix, as in Linux.
 *
 * Several PMUs may have the name. nth counts them from 0: longer prefixes first, then in the order
 * of PMUs, then by offset.
 *
 * Returns  1; or 0, and *out is unchanged.
 * Cost     at most 8 hash probes, usually one or two; with UNIT/, for each match of the name. For
 *          names that are not in the index (128 bytes or more, more than 16 matches, collisions
 *          with every key): binary searches for each length of prefix, and for each list and window
 *          with that prefix; with UNIT/, for each PMU with the name.
 */
PMUMAP_API int pmumap_imc_find(const struct pmumap_imc *m, const char *name, size_t len,
			       uint32_t nth, struct pmumap_imc_event *out);

/*
 * The nth event at an offset, in the order of PMUs. unit: one PMU, spelled as above, or NULL for
 * all.
 *
 * Returns  1; or 0, and *out is unchanged.
 * Cost     a binary search in one hash bucket; with a PMU, also one step per event at that offset.
 *          Without the order of offsets: O(PMUs), and two binary searches in each PMU that may
 *          have it.
 */
PMUMAP_API int pmumap_imc_at(const struct pmumap_imc *m, const char *unit, uint32_t offset,
			     uint32_t nth, struct pmumap_imc_event *out);

/* How many names all PMUs have, and whether they are indexed. */
PMUMAP_API uint32_t pmumap_imc_names(const struct pmumap_imc *m, int *indexed);

/* Find the first PMU with a name, in any spelling of pmumap_imc_find(). Cost: O(PMUs). */
PMUMAP_API int pmumap_imc_unit_find(const struct pmumap_imc *m, const char *name, size_t len,
				    uint32_t *unit);

/*
 * Write Linux's name of a unit: nest_mcs01_imc, core_imc. It is cut to the size of text, and
 * terminated unless that is 0. Returns the length of the whole name; 0 for a wrong PMU.
 */
PMUMAP_API size_t pmumap_imc_linux_name(const struct pmumap_imc *m, uint32_t unit, char *text,
					size_t bytes);

/* List the map: PMUs in the order of the tree, events by offset. Returns 0 for a wrong index. */
PMUMAP_API int pmumap_imc_unit(const struct pmumap_imc *m, uint32_t index,
			       struct pmumap_imc_unit *out);
PMUMAP_API int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   struct pmumap_imc_event *out);
PMUMAP_API int pmumap_imc_chip(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
			       uint32_t *chip, uint64_t *base);

/*
 * The physical address of a nest counter, or of a nest PMU's control block, on a chip. Returns 1;
 * or 0, and *phys is unchanged: not a nest PMU, no such chip, or out of bounds.
 */
PMUMAP_API int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys);
PMUMAP_API int pmumap_imc_control(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
				  uint64_t *phys);

/*
 * Parse a scale exactly: "1.2207e-4" is 12207 * 10^-8. Returns 0 unless it is a positive decimal
 * number with digits in 64 bits and an exponent from -9999 to 9999.
 */
PMUMAP_API int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);

/* Read a counter: 64 bits, big-endian, 8-byte aligned; it wraps. */
PMUMAP_API uint64_t pmumap_imc_read(const volatile void *counter);

/*
 * The control block: on POWER9 to POWER11, its distance from a chip's base; offsets of its
 * big-endian 64-bit words; their values.
 */
enum {
	PMUMAP_IMC_CONTROL = 0x1bfc00,

	PMUMAP_IMC_CB_STATUS = 0,
	PMUMAP_IMC_CB_COMMAND = 8,
	PMUMAP_IMC_CB_SPEED = 16,
	PMUMAP_IMC_CB_AVAILABLE = 24, /* the vector for pmumap_imc_available() */
	PMUMAP_IMC_CB_MODE = 32,      /* 0: normal; 1 to 6: debug modes */
	PMUMAP_IMC_CB_BYTES = 40,

	PMUMAP_IMC_INITIALIZING = 0, /* status */
	PMUMAP_IMC_RUNNING = 1,
	PMUMAP_IMC_PAUSED = 2,

	PMUMAP_IMC_NOP = 0, /* command */
	PMUMAP_IMC_RESUME = 1,
	PMUMAP_IMC_PAUSE = 2,
	PMUMAP_IMC_RESTART = 3, /* clears the counters */

	PMUMAP_IMC_128US = 0, /* speed: time between two updates of the counters */
	PMUMAP_IMC_256US = 1,
	PMUMAP_IMC_1MS = 2,
	PMUMAP_IMC_4MS = 3,
	PMUMAP_IMC_16MS = 4,
	PMUMAP_IMC_64MS = 5,
	PMUMAP_IMC_256MS = 6,
	PMUMAP_IMC_1000MS = 7
};

/* The trace SCOM; buffer: 0..4, for 4096 << buffer records of 64 bytes. */
struct pmumap_imc_trace_scom {
	uint32_t sample;         /* 2 bits */
	uint32_t load;           /* 32 bits: events between two records */
	uint32_t event1, event2; /* 7 bits each */
	uint32_t buffer;
};

/* The offset of a trace event, which is perf's configuration. */
struct pmumap_imc_trace_config {
	uint32_t event;  /* 8 bits */
	uint32_t sample; /* 2 bits */
	uint32_t load;   /* 32 bits */
};

/*
 * Encode the trace SCOM's word; decode the word of a configuration. Returns 1; or 0 if a field or a
 * reserved bit is out of range, and the result is unchanged.
 */
PMUMAP_API int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom);
PMUMAP_API int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields);

/*
 * Processor generations with an availability vector. Options accept NO_TRACE alone or added to one:
 * leave out the trace PMU.
 */
enum { PMUMAP_IMC_P9 = 9, PMUMAP_IMC_P10 = 10 /* and POWER11 */, PMUMAP_IMC_NO_TRACE = 0x100 };

/*
 * Whether a nest PMU, in any spelling, exists by its generation's availability vector, whose bit 0
 * is the highest; P10's links have three bits each. PMUs without a bit exist, except those of debug
 * modes (mcs0 to mcs7). A combined PMU (mcs01) exists if either half does. With vector 0 no
 * microcode counts, so no PMU exists. For any other generation, 0 included, every PMU exists.
 */
PMUMAP_API int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit);

/*
 * Find a processor's part of an IMA_CATALOG image: an xz-compressed tree. skiboot's signed header
 * of 4096 bytes may come first; it is skipped unchecked, but offset includes it. The magic is IMCC,
 * or IMAC before mid-2017.
 * Returns  1; or 0: the image is invalid or truncated, or has no part for this PVR.
 */
PMUMAP_API int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size);

/*
 * Chips and the bases of their memory (skiboot: homer_base); generation as in the options. vectors:
 * each chip's availability vector, from pmumap_imc_vector(); NULL: all have the vector available.
 */
struct pmumap_imc_chips {
	const uint32_t *chips;
	const uint64_t *bases;
	uint32_t count;
	unsigned generation;
	uint64_t available;
	const uint64_t *vectors;
};

/*
 * Prepare a catalog for the next stage, as firmware does: replace base-addr and chip-id in every
 * nest PMU by the chips that have it, and delete
 *   - nest PMUs that no chip has, by generation and its vector, as in the options
 *   - trace PMUs, if generation has PMUMAP_IMC_NO_TRACE (POWER9 before DD2.2)
 *   - PMUs whose own node has a finding of severity error: type-missing, type-unknown, cell-width,
 *     window-missing, reg-missing. skiboot and Linux fail on them.
 * Lists and events stay, and so do PMUs in formats before June 2017.
 *
 * The tree is at the start of a buffer of this many bytes, into which it may grow. It is validated
 * first. chips must not overlap the buffer. On failure the tree is unchanged. With OK and
 * E_NOSPACE, *need (unless NULL) is the buffer size needed.
 *
 * skiboot keeps combined PMUs (mcs01 to mcs67) without either half, because it looks for names
 * without an address. This function deletes them.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_FDT_*.
 * Cost     one pass over the blob, one move of the bytes behind; with vectors, PMUs times chips.
 */
PMUMAP_API enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need);

/* ---- pool/entries_api.h: A builder's memory */
#ifndef PMUMAP_HAS_POOL_ENTRIES_API_
#define PMUMAP_HAS_POOL_ENTRIES_API_
/* Entries wait at the end of the block, newest first, while the map grows from its start. */
struct pmumap_entries_ {
	unsigned char *mem;
	size_t bytes, room; /* of the block; how many entries fit into it */
	uint32_t count;     /* entries added so far */
	uint64_t need;      /* upper bound of bytes for them and their tables */
	enum pmumap_status status;
};
#endif /* PMUMAP_HAS_POOL_ENTRIES_API_ */

/* ---- imc/builder_api.h: The builder: from lists, PMUs and chips to a map */
/* The PMUs that the next chips belong to. */
enum pmumap_imc_chips_of_ {
	PMUMAP_IMC_CHIPS_OF_ALL_,  /* before the first unit: nest PMUs without their own chips */
	PMUMAP_IMC_CHIPS_OF_UNIT_, /* the last PMU */
	PMUMAP_IMC_CHIPS_DROPPED_  /* a PMU that was dropped */
};

/*
 * One per build, usually on the stack. You may set flags after pmumap_imc_begin(); other members
 * are private.
 */
struct pmumap_imc_builder {
	uint32_t flags; /* PMUMAP_DESC */
	int node;       /* the current node of a tree, or PMUMAP_NO_NODE */
	struct pmumap_entries_ entries;
	uint32_t names; /* events and PMUs so far */
	enum pmumap_imc_chips_of_ chips_of;
};

/*
 * Build a map without a device tree, from lists of events and PMUs that use them. Several PMUs
 * may use one list, which may be added before or after them.
 *
 * begin    mem: your block, 8-byte aligned; NULL: measure only. The block belongs to the builder
 *          until pmumap_imc_finish().
 * add      The id of a list is not 0. An event belongs to the list added last; its name, scale,
 *          measure, desc (with PMUMAP_DESC) and offset are used. Of a PMU, all members except
 *          events and chips are used. Chips belong to the PMU added last; those before the first
 *          PMU, to every nest PMU without its own. Events whose name is NULL and PMUs of
 *          unknown type are dropped. Strings must not overlap the block, and must live until
 *          finish() copies them. NULL means absent, and so does an empty scale, measure or desc.
 * need     returns the bytes of block needed so far, including the name index and the order of
 *          offsets for up to 2 names per PMU and event. With less, the map lacks these two: see
 *          pmumap_imc_names().
 * finish   builds the map at the start of the block. It takes pmumap_imc_size() bytes; you may
 *          reuse the rest. The builder is used up: its functions return E_ARG.
 *
 * Returns  PMUMAP_OK and the map (NULL when measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT.
 * Cost     O(n log n) for any n entries and their strings; for the index, as much again per name
 *          that the block has room for.
 */
PMUMAP_API void pmumap_imc_begin(struct pmumap_imc_builder *b, void *mem, size_t bytes);
PMUMAP_API enum pmumap_status pmumap_imc_add_list(struct pmumap_imc_builder *b, uint32_t id);
PMUMAP_API enum pmumap_status pmumap_imc_add_event(struct pmumap_imc_builder *b,
						   const struct pmumap_imc_event *event);
PMUMAP_API enum pmumap_status pmumap_imc_add_unit(struct pmumap_imc_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit);
PMUMAP_API enum pmumap_status pmumap_imc_add_chip(struct pmumap_imc_builder *b, uint32_t chip,
						  uint64_t base);
PMUMAP_API size_t pmumap_imc_need(const struct pmumap_imc_builder *b);
PMUMAP_API enum pmumap_status pmumap_imc_finish(struct pmumap_imc_builder *b,
						const struct pmumap_imc **map);

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
	X(NO_INDEX, 42, "no-index")               /* value: bytes needed; 0: never */              \
	X(WINDOW_MISSING, 43, "window-missing")   /* value: 0 */                                   \
	X(CELL_WIDTH, 44, "cell-width")           /* value: bytes, instead of 4 */                 \
	X(CONTROL_RANGE, 45, "control-range")     /* value: cb_offset */                           \
	X(SCALE_EMPTY, 46, "scale-empty")         /* value: 0 */                                   \
	X(LIST_UNUSED, 47, "list-unused")         /* value: phandle */                             \
	X(OFFSET_ALIAS, 48, "offset-alias")       /* value: offset */

/* The properties that findings are about. */
#define PMUMAP_IMC_PLACE_LIST_(X)                                                                  \
	X(REG, "reg")                                                                              \
	X(EVENT_NAME, "event-name")                                                                \
	X(SCALE, "scale")                                                                          \
	X(COMPATIBLE, "compatible")                                                                \
	X(EVENTS, "events")                                                                        \
	X(EVENTS_PREFIX, "events-prefix")                                                          \
	X(TYPE, "type")                                                                            \
	X(SIZE, "size")                                                                            \
	X(OFFSET, "offset")                                                                        \
	X(CONTROL, "cb_offset")                                                                    \
	X(UNIT, "unit")                                                                            \
	X(CHIP_ID, "chip-id")

enum pmumap_imc_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* ---- imc/hw_api.h: Control blocks and SCOMs of a POWER machine */
/* The chiplet that owns a SCOM: the core, or its quad of four cores. */
enum pmumap_imc_chiplet { PMUMAP_IMC_CORE_CHIPLET, PMUMAP_IMC_QUAD_CHIPLET };

/*
 * Memory and core SCOMs of an IBM POWER machine, for firmware. load and store convert big-endian
 * words. scom writes a register by its address in the chiplet; the host adds the chiplet's position
 * (skiboot: XSCOM_ADDR_P9_EC, _EQ and so on), and returns 0 on failure. core is the core's number
 * in its chip; arg must tell the chip.
 */
struct pmumap_imc_hw {
	uint64_t (*load)(void *arg, uint64_t phys);
	void (*store)(void *arg, uint64_t phys, uint64_t value);
	int (*scom)(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		    uint64_t value);
	void *arg;
	/*
	 * Record a value that the core loses in a deep stop state, so that it gets it back when it
	 * wakes up (skiboot: p9_stop_save_scom(), in the section of the chiplet). Like scom; NULL
	 * if no core stops so deeply.
	 */
	int (*save)(void *arg, enum pmumap_imc_chiplet chiplet, uint32_t core, uint32_t address,
		    uint64_t value);
};

/*
 * The availability vector in the control block of the chip whose memory begins at base, before
 * there is a map: for struct pmumap_imc_chips. Returns 0 if the chip has no microcode running; then
 * pass 0 for all chips, because skiboot keeps no nest PMU on any.
 */
PMUMAP_API uint64_t pmumap_imc_vector(struct pmumap_imc_hw *hw, uint64_t base);

/*
 * Read or write a word of a nest PMU's control block on a chip: PMUMAP_IMC_CB_STATUS and so on.
 * Returns 1; or 0, and nothing changes: no such PMU, chip, word or control block.
 */
PMUMAP_API int pmumap_imc_cb_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				  uint32_t unit, uint32_t chip, uint32_t word, uint64_t *value);
PMUMAP_API int pmumap_imc_cb_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				   uint32_t unit, uint32_t chip, uint32_t word, uint64_t value);

/*
 * Set up a core's counters to count into a page, initially stopped; run or stop them; set up its
 * trace. generation: PMUMAP_IMC_P9 or PMUMAP_IMC_P10. Returns 1; or 0 if the generation is unknown
 * or a value is out of range (nothing is written), or if a SCOM or save failed. page is aligned to
 * 8 KiB and below 2^50.
 *
 * core_init writes page, event mask and mode, and saves the first two; trace_init writes mode and
 * trace, and saves the trace. Nobody saves the mode, which says whether counters run. A fused core
 * of eight threads is two cores: call core_init for both, with the same page.
 */
PMUMAP_API int pmumap_imc_core_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				    uint64_t page);
PMUMAP_API int pmumap_imc_core_run(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				   int run);
PMUMAP_API int pmumap_imc_trace_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				     const struct pmumap_imc_trace_scom *fields);

/* ---- fdt/size_api.h: The length of a blob */
#ifndef PMUMAP_HAS_FDT_SIZE_API_
#define PMUMAP_HAS_FDT_SIZE_API_
/*
 * The size in the header of the blob that starts here; 0 if none does, or for NULL. It reads 8
 * bytes. For an untrusted blob, you must know by other means how much memory is readable.
 */
PMUMAP_API uint32_t pmumap_fdt_size(const void *fdt);
#endif /* PMUMAP_HAS_FDT_SIZE_API_ */

#endif /* PMUMAP_IMC_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_imc.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_IMC_IMPLEMENTED_)
#define PMUMAP_IMC_IMPLEMENTED_

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

/* ---- imc/tables.h: The tables of units, lists, events and strings */
/*
 * The head of a map; its tables follow in the same block. Offsets are in bytes from the head. Units
 * share lists of events, and all share strings. Full names are not stored: a number leads to a unit
 * and one of its events.
 */
struct pmumap_imc {
	struct pmumap_head_ head;
	uint32_t units, unit_count;
	uint32_t unit_classes, unit_class_count;
	uint32_t events, event_count;
	uint32_t overrides, override_count;
	uint32_t chips, chip_count;
	uint32_t strings, string_bytes; /* the last byte is 0 */
	uint32_t names;                 /* of all units; 2^32 - 1: that many or more */
	uint32_t slots;                 /* the name index: number and tag of each name */
	uint64_t key;                   /* of its hashes */
	uint32_t homes;                 /* in its table, which has REACH_ - 1 slots more */
	uint32_t first_bytes;           /* which first bytes of a query UNIT/NAME may have */
	uint32_t unit_bit,
		number_bits;     /* lowest bit of the unit in a number, and all; 0: no room */
	uint32_t by_prefix;      /* for names that are not in it: units sorted by prefix, */
	uint32_t chain;          /* the next shorter prefix of each, */
	uint32_t by_name;        /* and all events sorted by name */
	uint32_t event_bits;     /* mask of the event in a number */
	uint32_t by_offset;      /* all names, sorted by pmumap_imc_offset_key_() */
	uint32_t offset_buckets; /* where each bucket of keys begins, then the end */
};

struct pmumap_imc_unit_row_ {
	uint32_t name, prefix;
	uint32_t reg;
	uint32_t first, events;
	uint32_t kind; /* class << 8 | bytes of the prefix */
};

/* The parts of a unit's kind. LONG_PREFIX_ means that many bytes of prefix or more. */
#define PMUMAP_IMC_CLASS_OF_(u) ((u)->kind >> 8)
#define PMUMAP_IMC_PREFIX_BYTES_(u) ((u)->kind & PMUMAP_IMC_LONG_PREFIX_)
#define PMUMAP_IMC_LONG_PREFIX_ 0xffu

/*
 * The name index is an open-addressing table. A slot has the length of a full name (7 bits), 5 bits
 * of its hash, and its number; 0: free. Length and hash are its tag. A name is in the first free
 * slot from its home on or nearer, less than REACH_ slots from home: a look-up ends there or at a
 * free slot. Matches of one name have different tags and homes: the hash of the nth is
 * nth * NTH_ more, and NTH_ is 1 in its lower 5 bits.
 *
 * Names that do not fit are found by the sorted tables only.
 */
#define PMUMAP_IMC_REACH_ 8u
#define PMUMAP_IMC_INDEXED_BYTES_ 127u  /* the longest full name in an index, */
#define PMUMAP_IMC_INDEXED_MATCHES_ 16u /* and the most matches of a name */
#define PMUMAP_IMC_LENGTH_BITS_ 7u
#define PMUMAP_IMC_TAG_BITS_ 12u
#define PMUMAP_IMC_TAG_ 0xfffu
#define PMUMAP_IMC_HASH_TAGS_ 32u /* of names with one length */
#define PMUMAP_IMC_NTH_ 0x9e3779b97f4a7c01u

/* A class of units: the properties that several units share. */
struct pmumap_imc_unit_class_ {
	uint32_t scale, measure;
	uint32_t type;
	uint32_t size, offset, control;
	uint32_t chips, chip_count;
};

/* Sorted by reg within a list. */
struct pmumap_imc_event_row_ {
	uint32_t name; /* plus PMUMAP_IMC_HAS_OVERRIDE_ if it has one */
	uint32_t reg;
};

/* An event's own strings, which replace its unit's; 0: it has none. Sorted by event. */
struct pmumap_imc_override_ {
	uint32_t event;
	uint32_t scale, measure, desc;
};

struct pmumap_imc_chip_row_ {
	uint64_t base;
	uint32_t chip, unused;
};

#define PMUMAP_IMC_HAS_OVERRIDE_ 0x80000000u
#define PMUMAP_IMC_COUNTER_BYTES_ 8u

static inline const struct pmumap_imc_unit_row_ *pmumap_imc_unit_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_unit_row_ *)pmumap_image_at_(m, m->units);
}

static inline const struct pmumap_imc_event_row_ *pmumap_imc_event_rows_(const struct pmumap_imc *m)
{
	return (const struct pmumap_imc_event_row_ *)pmumap_image_at_(m, m->events);
}

static inline const struct pmumap_imc_unit_class_ *
pmumap_imc_class_of_unit_(const struct pmumap_imc *m, const struct pmumap_imc_unit_row_ *u)
{
	return (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(m, m->unit_classes) +
	       PMUMAP_IMC_CLASS_OF_(u);
}

/* The string at an offset; NULL for offset 0. */
static inline const char *pmumap_imc_string_at_(const struct pmumap_imc *m, uint32_t offset)
{
	return offset ? (const char *)pmumap_image_at_(m, offset) : 0;
}

/* The name of an event by its number, without the prefix of a unit. */
static inline const char *pmumap_imc_event_name_(const struct pmumap_imc *m, uint32_t event)
{
	return (const char *)pmumap_image_at_(m, pmumap_imc_event_rows_(m)[event].name &
							 ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/* A unit and one of its events, both by their number in the map. */
struct pmumap_imc_match_ {
	uint32_t unit, event;
};

/* A table of 32-bit numbers. */
static inline const uint32_t *pmumap_imc_numbers_at_(const struct pmumap_imc *m, uint32_t offset)
{
	return (const uint32_t *)pmumap_image_at_(m, offset);
}

/*
 * by_prefix lists the units sorted by prefix. For each place in it, chain holds
 * the place of the next shorter prefix that this one begins with. Of units with the same prefix
 * only the first holds that; the others hold the place of the first, plus SAME_PREFIX_. They are
 * sorted by the end of their events, then in the order of the tree.
 *
 *	place		0	1	2		3	4	5
 *	prefix		""	"PM_"	"PM_A_"		"PM_A_"	"PM_B_"	"X_"
 *	chain		none	0	1		same, 2	1	0
 *
 * A chain ends at a link that is not below its own place. NO_PREFIX_ ("none") never is, nor is a
 * link with SAME_PREFIX_.
 */
#define PMUMAP_IMC_SAME_PREFIX_ 0x80000000u
#define PMUMAP_IMC_NO_PREFIX_ 0xffffffffu

/* The first event of a unit at or above an offset, or the end. The unit must have events. */
static inline uint32_t pmumap_imc_first_event_from_(const struct pmumap_imc *m,
						    const struct pmumap_imc_unit_row_ *u,
						    uint32_t offset)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + u->first;
	uint32_t low = 0, n = u->events, reg = offset - u->reg;

	if (offset < u->reg)
		return u->first;
	while (n > 1) {
		uint32_t half = n / 2;

		low += e[low + half].reg < reg ? half : 0;
		n -= half;
	}
	return u->first + low + (e[low].reg < reg);
}

/*
 * How many of n events, sorted by reg, are at or below reg. Bisects, because many units may share
 * one list, and each may drop all of its events.
 */
static inline uint32_t pmumap_imc_count_events_to_(const struct pmumap_imc_event_row_ *e,
						   uint32_t n, uint32_t reg)
{
	uint32_t low = 0;

	while (n) {
		uint32_t half = n / 2;

		if (e[low + half].reg <= reg) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/*
 * Names are sorted by a hash of their offset, the key. Names with equal offsets stay together, and
 * the upper bits of a key predict its place, even if offsets cluster. The multiplier is odd, so two
 * offsets never share a key.
 */
static inline uint32_t pmumap_imc_offset_key_(uint32_t offset)
{
	return offset * 0x9e3779b1u;
}

#define PMUMAP_IMC_OFFSET_BUCKET_ 8u /* average names per bucket of keys */

static inline uint32_t pmumap_imc_count_offset_buckets_(uint32_t names)
{
	return names / PMUMAP_IMC_OFFSET_BUCKET_ + 1;
}

/* Whether a number (unit and event) may exceed 16 bits. */
static inline int pmumap_imc_has_wide_numbers_(const struct pmumap_imc *m)
{
	return m->number_bits > 16;
}

/* A number from by_offset or offset_buckets, which have the same width. */
static inline uint32_t pmumap_imc_number_at_(const struct pmumap_imc *m, uint32_t table,
					     uint32_t place, int wide)
{
	return wide ? pmumap_imc_numbers_at_(m, table)[place]
		    : ((const uint16_t *)pmumap_image_at_(m, table))[place];
}

/* The first chip of a class of units. */
static inline const struct pmumap_imc_chip_row_ *
pmumap_imc_chip_rows_(const struct pmumap_imc *m, const struct pmumap_imc_unit_class_ *k)
{
	return (const struct pmumap_imc_chip_row_ *)pmumap_image_at_(m, m->chips) + k->chips;
}

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/* Whether an offset is in the strings. Their last byte is 0, so every string ends there. */
static inline int pmumap_imc_is_string_(const struct pmumap_imc *m, uint32_t offset)
{
	return offset >= m->strings && offset - m->strings < m->string_bytes;
}

/* The unit of a number. */
static inline uint32_t pmumap_imc_unit_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return number >> m->unit_bit;
}

/* The event in it, counted from the unit's first. */
static inline uint32_t pmumap_imc_event_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return number & m->event_bits;
}

static inline struct pmumap_imc_match_ pmumap_imc_match_of_number_(const struct pmumap_imc *m,
								   uint32_t number)
{
	struct pmumap_imc_match_ match;

	match.unit = pmumap_imc_unit_of_number_(m, number);
	match.event =
		pmumap_imc_unit_rows_(m)[match.unit].first + pmumap_imc_event_of_number_(m, number);
	return match;
}

/* The offset of a number's counter in the window or page of its unit. */
static inline uint32_t pmumap_imc_offset_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	const struct pmumap_imc_unit_row_ *u =
		pmumap_imc_unit_rows_(m) + pmumap_imc_unit_of_number_(m, number);

	return u->reg +
	       pmumap_imc_event_rows_(m)[u->first + pmumap_imc_event_of_number_(m, number)].reg;
}

/* The length of s if the text begins with it, otherwise len + 1. */
static inline size_t pmumap_prefix_length_(const char *s, const unsigned char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len && s[i]; i++) {
		if ((unsigned char)s[i] != text[i])
			return len + 1;
	}
	return s[i] ? len + 1 : i;
}

/* ---- imc/open.h: Validate the tables of a foreign image */
/* Whether the string at an offset can have so many bytes: then a comparison stays inside. */
static inline int pmumap_imc_ends_at_(const struct pmumap_imc *m, uint32_t at, uint32_t bytes)
{
	return bytes < m->string_bytes - (at - m->strings) &&
	       ((const char *)pmumap_image_at_(m, at))[bytes] == 0;
}

/* Validate units and their classes. Returns 0 if one of them points out of bounds. */
static inline int pmumap_imc_open_units_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const struct pmumap_imc_unit_class_ *k;
	uint64_t names = 0;
	uint32_t i, bytes;

	for (i = 0; i < m->unit_count; i++, u++) {
		names += u->events;
		bytes = PMUMAP_IMC_PREFIX_BYTES_(u);
		if (!pmumap_imc_is_string_(m, u->name) || !pmumap_imc_is_string_(m, u->prefix) ||
		    u->first > m->event_count || u->events > m->event_count - u->first ||
		    PMUMAP_IMC_CLASS_OF_(u) >= m->unit_class_count)
			return 0;
		if (bytes != PMUMAP_IMC_LONG_PREFIX_ && !pmumap_imc_ends_at_(m, u->prefix, bytes))
			return 0;
	}
	if (m->names != (names < 0xffffffffu ? names : 0xffffffffu))
		return 0;
	k = (const struct pmumap_imc_unit_class_ *)pmumap_image_at_(m, m->unit_classes);
	for (i = 0; i < m->unit_class_count; i++, k++) {
		if (!pmumap_imc_is_type_(k->type) ||
		    (k->scale && !pmumap_imc_is_string_(m, k->scale)) ||
		    (k->measure && !pmumap_imc_is_string_(m, k->measure)) ||
		    k->chips > m->chip_count || k->chip_count > m->chip_count - k->chips)
			return 0;
	}
	return 1;
}

/* Validate events and overrides. Returns 0 if one of their strings is out of bounds. */
static inline int pmumap_imc_open_events_(const struct pmumap_imc *m)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_override_ *o =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, m->overrides);
	uint32_t i;

	for (i = 0; i < m->event_count; i++) {
		if (!pmumap_imc_is_string_(m, e[i].name & ~PMUMAP_IMC_HAS_OVERRIDE_) ||
		    ((e[i].name & PMUMAP_IMC_HAS_OVERRIDE_) && m->override_count == 0))
			return 0;
	}
	for (i = 0; i < m->override_count; i++) {
		if ((o[i].scale && !pmumap_imc_is_string_(m, o[i].scale)) ||
		    (o[i].measure && !pmumap_imc_is_string_(m, o[i].measure)) ||
		    (o[i].desc && !pmumap_imc_is_string_(m, o[i].desc)))
			return 0;
	}
	return 1;
}

/* Whether a number is that of an event. */
static inline int pmumap_imc_is_number_(const struct pmumap_imc *m, uint32_t number)
{
	uint32_t unit = pmumap_imc_unit_of_number_(m, number);

	return unit < m->unit_count &&
	       pmumap_imc_event_of_number_(m, number) < pmumap_imc_unit_rows_(m)[unit].events;
}

/* Whether a slot of the index is free, or its length is that of its event's full name. */
static inline int pmumap_imc_open_slot_(const struct pmumap_imc *m, uint32_t slot)
{
	uint32_t len = slot & PMUMAP_IMC_INDEXED_BYTES_, prefix, at;
	struct pmumap_imc_match_ match;

	if (len == 0)
		return 1;
	if (!pmumap_imc_is_number_(m, slot >> PMUMAP_IMC_TAG_BITS_))
		return 0;
	match = pmumap_imc_match_of_number_(m, slot >> PMUMAP_IMC_TAG_BITS_);
	prefix = PMUMAP_IMC_PREFIX_BYTES_(pmumap_imc_unit_rows_(m) + match.unit);
	at = pmumap_imc_event_rows_(m)[match.event].name & ~PMUMAP_IMC_HAS_OVERRIDE_;
	return prefix <= len && pmumap_imc_ends_at_(m, at, len - prefix);
}

/* Validate the name index. */
static inline int pmumap_imc_open_slots_(const struct pmumap_imc *m)
{
	uint32_t i;

	if (m->homes - 1 >= PMUMAP_MAX_BYTES_ ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->slots, m->homes + PMUMAP_IMC_REACH_ - 1, sizeof(uint32_t)))
		return 0;
	for (i = 0; i < m->homes + PMUMAP_IMC_REACH_ - 1; i++) {
		if (!pmumap_imc_open_slot_(m, pmumap_imc_numbers_at_(m, m->slots)[i]))
			return 0;
	}
	return 1;
}

/* Validate the sorted tables. */
static inline int pmumap_imc_open_orders_(const struct pmumap_imc *m)
{
	uint32_t i;

	if (!PMUMAP_IMAGE_HOLDS_(m, m->by_prefix, m->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chain, m->unit_count, sizeof(uint32_t)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->by_name, m->event_count, sizeof(uint32_t)))
		return 0;
	for (i = 0; i < m->unit_count; i++) {
		if (pmumap_imc_numbers_at_(m, m->by_prefix)[i] >= m->unit_count ||
		    (pmumap_imc_numbers_at_(m, m->chain)[i] != PMUMAP_IMC_NO_PREFIX_ &&
		     (pmumap_imc_numbers_at_(m, m->chain)[i] & ~PMUMAP_IMC_SAME_PREFIX_) >= i))
			return 0;
	}
	for (i = 0; i < m->event_count; i++) {
		if (pmumap_imc_numbers_at_(m, m->by_name)[i] >= m->event_count)
			return 0;
	}
	return 1;
}

/* Validate the order of offsets: its units and events exist, and its buckets are in bounds. */
static inline int pmumap_imc_open_offsets_(const struct pmumap_imc *m)
{
	uint32_t buckets = pmumap_imc_count_offset_buckets_(m->names) + 1, i;
	int wide = pmumap_imc_has_wide_numbers_(m);
	uint32_t each = wide ? sizeof(uint32_t) : sizeof(uint16_t);

	if (!m->by_offset)
		return 1;
	if (!PMUMAP_IMAGE_HOLDS_(m, m->by_offset, m->names, each) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->offset_buckets, buckets, each))
		return 0;
	for (i = 0; i < m->names; i++) {
		if (!pmumap_imc_is_number_(m, pmumap_imc_number_at_(m, m->by_offset, i, wide)))
			return 0;
	}
	for (i = 0; i < buckets; i++) {
		if (pmumap_imc_number_at_(m, m->offset_buckets, i, wide) > m->names)
			return 0;
	}
	return 1;
}

/* Validate all tables. Returns 0 if a look-up could read out of bounds or loop endlessly. */
static inline int pmumap_imc_open_tables_(const struct pmumap_imc *m)
{
	if (!PMUMAP_IMAGE_HOLDS_(m, m->units, m->unit_count, sizeof(struct pmumap_imc_unit_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->unit_classes, m->unit_class_count,
				 sizeof(struct pmumap_imc_unit_class_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->events, m->event_count,
				 sizeof(struct pmumap_imc_event_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->overrides, m->override_count,
				 sizeof(struct pmumap_imc_override_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->chips, m->chip_count, sizeof(struct pmumap_imc_chip_row_)) ||
	    !PMUMAP_IMAGE_HOLDS_(m, m->strings, m->string_bytes, 1) || m->string_bytes == 0 ||
	    *((const char *)pmumap_image_at_(m, m->strings) + m->string_bytes - 1))
		return 0;
	return m->unit_bit < 32 && pmumap_imc_open_units_(m) && pmumap_imc_open_events_(m) &&
	       (m->slots == 0 || pmumap_imc_open_slots_(m)) &&
	       ((m->slots && !m->by_prefix) || pmumap_imc_open_orders_(m)) &&
	       pmumap_imc_open_offsets_(m);
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

PMUMAP_DEF size_t pmumap_imc_size(const struct pmumap_imc *m)
{
	return m->head.size;
}

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

/* ---- pool/text.h: Compare and hash strings */
#ifndef PMUMAP_HAS_POOL_TEXT_
#define PMUMAP_HAS_POOL_TEXT_
/* Map a 32-bit number to 0..n-1 without a division. */
static inline uint32_t pmumap_scale_to_(uint32_t x, uint32_t n)
{
	return (uint32_t)((uint64_t)x * n >> 32);
}

/* Compare two strings by bytes. Returns -1, 0 or 1. */
static inline int pmumap_compare_strings_(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (*a != *b) * ((unsigned char)*a < (unsigned char)*b ? -1 : 1);
}

/* Compare a terminated string with a text of len bytes. Returns -1, 0 or 1. */
static inline int pmumap_compare_text_(const char *s, const unsigned char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if ((unsigned char)s[i] != text[i] || s[i] == 0)
			return s[i] == 0 || (unsigned char)s[i] < text[i] ? -1 : 1;
	}
	return s[len] != 0;
}

/*
 * Words of 8 bytes from any address, the first byte highest, so that images do not depend on the
 * order. Where one instruction loads a word, say so: in loops, compilers do not recognise bytes.
 */
#if defined(__GNUC__) && (defined(__powerpc__) || defined(__x86_64__) || defined(__i386__) ||      \
			  defined(__s390__) || defined(__ARM_FEATURE_UNALIGNED))
#define PMUMAP_UNALIGNED_ 1

struct pmumap_unaligned_ {
	union {
		uint64_t word;
		uint32_t half;
	} at;
} __attribute__((__packed__, __may_alias__));

#define PMUMAP_READ_(part, p) (((const struct pmumap_unaligned_ *)(const void *)(p))->at.part)
#define PMUMAP_DIFFER_(part, a, b) (PMUMAP_READ_(part, a) ^ PMUMAP_READ_(part, b))

#else
#define PMUMAP_UNALIGNED_ 0
#endif

PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_load_word_(const unsigned char *p)
{
#if PMUMAP_UNALIGNED_ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return PMUMAP_READ_(word, p);
#elif PMUMAP_UNALIGNED_
	return __builtin_bswap64(PMUMAP_READ_(word, p));
#else
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
	       (uint64_t)p[6] << 8 | (uint64_t)p[7];
#endif
}

/* 0 if n bytes are equal. The last words compared may overlap the previous ones. */
PMUMAP_ALWAYS_INLINE_ uint64_t pmumap_differ_(const unsigned char *a, const unsigned char *b,
					      size_t n)
{
#if PMUMAP_UNALIGNED_
	if (n >= 16) {
		for (; n > 16; n -= 16, a += 16, b += 16) {
			if (PMUMAP_DIFFER_(word, a, b) | PMUMAP_DIFFER_(word, a + 8, b + 8))
				return 1;
		}
		a += n;
		b += n;
		return PMUMAP_DIFFER_(word, a - 16, b - 16) | PMUMAP_DIFFER_(word, a - 8, b - 8);
	}
	if (n >= 8)
		return PMUMAP_DIFFER_(word, a, b) | PMUMAP_DIFFER_(word, a + n - 8, b + n - 8);
	if (n >= 4)
		return PMUMAP_DIFFER_(half, a, b) | PMUMAP_DIFFER_(half, a + n - 4, b + n - 4);
#else
	for (; n >= 4; n -= 4, a += 4, b += 4) {
		if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2] || a[3] != b[3])
			return 1;
	}
#endif
	return n && (a[0] != b[0] || a[n / 2] != b[n / 2] || a[n - 1] != b[n - 1]);
}

/* The result has a bit of PMUMAP_HIGH_BITS_ if and only if a byte is 0; ignore its other bits. */
static inline uint64_t pmumap_zero_bytes_(uint64_t word)
{
	return (word - 0x0101010101010101u) & ~word;
}

#define PMUMAP_HIGH_BITS_ 0x8080808080808080u

/* Multiply to 128 bits, and fold: the upper half XOR the lower half. */
PMUMAP_INLINE_ uint64_t pmumap_hash_mix_(uint64_t a, uint64_t b)
{
#if defined(__GNUC__) && defined(__SIZEOF_INT128__)
	__extension__ typedef unsigned __int128 product;
	product p = (product)a * b;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
#else
	uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b;
	uint64_t one = (a >> 32) * (uint32_t)b + (low >> 32);
	uint64_t two = (b >> 32) * (uint32_t)a + (uint32_t)one;

	return ((a >> 32) * (b >> 32) + (one >> 32) + (two >> 32)) ^ (two << 32 | (uint32_t)low);
#endif
}

/*
 * Hash a text by two words at a time; the last two may overlap the previous ones. Texts that
 * collide with one key almost never do with another.
 */
PMUMAP_INLINE_ uint64_t pmumap_hash_text_(const unsigned char *p, size_t len, uint64_t key)
{
	uint64_t hash = len ^ (key << 32 | key >> 32), word = 0;
	size_t at;

	if (len >= 16) {
		for (at = 0; at < len - 16; at += 16)
			hash = pmumap_hash_mix_(pmumap_load_word_(p + at) ^ key,
						pmumap_load_word_(p + at + 8) ^ hash);
		return pmumap_hash_mix_(pmumap_load_word_(p + len - 16) ^ key,
					pmumap_load_word_(p + len - 8) ^ hash);
	}
	if (len >= 8)
		return pmumap_hash_mix_(pmumap_load_word_(p) ^ key,
					pmumap_load_word_(p + len - 8) ^ hash);
	for (; len; len--) {
		word = word << 8 | *p++;
		PMUMAP_NO_LIBCALL_();
	}
	return pmumap_hash_mix_(word ^ key, hash);
}
#endif /* PMUMAP_HAS_POOL_TEXT_ */

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

static inline const char *pmumap_imc_node_name_(const struct pmumap_imc *m, uint32_t unit)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;

	return (const char *)pmumap_image_at_(m, u->name);
}

/* Whether a text is any spelling of a unit of the map, by its number. */
static inline int pmumap_imc_unit_is_(const struct pmumap_imc *m, uint32_t unit, const char *text,
				      size_t len)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit;

	return pmumap_imc_unit_name_matches_(pmumap_imc_node_name_(m, unit),
					     pmumap_imc_class_of_unit_(m, u)->type, text, len);
}

/* ---- imc/search.h: Find a name by the sorted tables */
/* A query for the nth match of a name; unit: only in units with this spelling; NULL: all. */
struct pmumap_imc_query_ {
	const unsigned char *name;
	size_t len;
	const char *unit;
	size_t unit_len;
	uint32_t nth;
};

/*
 * Without an index: units with one prefix, as places in by_prefix, and events named like the rest
 * of the name, as places in by_name. Each range goes from its first place to one past its last. In
 * an unsorted image, both ranges are arbitrary.
 */
struct pmumap_imc_group_ {
	uint32_t units, units_end;
	uint32_t events, events_end;
	const unsigned char *rest;
	size_t len;
};

/*
 * The first of the sorted numbers between from and end that is not below this one, otherwise end.
 * Steps double before it bisects, so a near result is cheap.
 */
static inline uint32_t pmumap_imc_find_number_(const uint32_t *numbers, uint32_t from, uint32_t end,
					       uint32_t number)
{
	uint32_t n = 1;

	for (; n <= (end - from) / 2 && numbers[from + n - 1] < number; n *= 2)
		from += n;
	n = n > (end - from) / 2 ? end - from : n - 1;
	while (n) {
		uint32_t half = n / 2;

		if (numbers[from + half] < number) {
			from += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return from;
}

/* The first place in by_name, at from or later, whose name is not below a text; after: above it. */
static inline uint32_t pmumap_imc_find_event_name_(const struct pmumap_imc *m, uint32_t from,
						   const unsigned char *text, size_t len, int after)
{
	const uint32_t *order = pmumap_imc_numbers_at_(m, m->by_name);
	uint32_t low = from, n = m->event_count - from;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_compare_text_(pmumap_imc_event_name_(m, order[low + half]), text, len) <
		    after) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return low;
}

/* The end of a unit's events. Units with the same prefix are sorted by it. */
static inline uint32_t pmumap_imc_events_end_(const struct pmumap_imc *m, uint32_t unit)
{
	return pmumap_imc_unit_rows_(m)[unit].first + pmumap_imc_unit_rows_(m)[unit].events;
}

/* The first place between place and end of a unit whose events end beyond event. */
static inline uint32_t pmumap_imc_find_unit_beyond_(const struct pmumap_imc *m, uint32_t place,
						    uint32_t end, uint32_t event)
{
	const uint32_t *units = pmumap_imc_numbers_at_(m, m->by_prefix);
	uint32_t n = 1;

	for (; n <= (end - place) / 2 && pmumap_imc_events_end_(m, units[place + n - 1]) <= event;
	     n *= 2)
		place += n;
	n = n > (end - place) / 2 ? end - place : n - 1;
	while (n) {
		uint32_t half = n / 2;

		if (pmumap_imc_events_end_(m, units[place + half]) <= event) {
			place += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return place;
}

/*
 * Count the matches in those units of a group whose number is below this one. Units with the same
 * names are counted in one step, unless the query has a unit. Units without any of the events are
 * skipped in one step. *lowest: the first unit with a match, below it or not.
 */
static inline uint64_t pmumap_imc_count_matches_(const struct pmumap_imc *m,
						 const struct pmumap_imc_query_ *q,
						 const struct pmumap_imc_group_ *g, uint32_t below,
						 uint32_t *lowest)
{
	const uint32_t *units = pmumap_imc_numbers_at_(m, m->by_prefix);
	const uint32_t *events = pmumap_imc_numbers_at_(m, m->by_name);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t place, next, from = g->events, end = from;
	uint64_t matches = 0;

	*lowest = PMUMAP_NO_ROW;
	for (place = g->units; place < g->units_end; place = next) {
		u = pmumap_imc_unit_rows_(m) + units[place];
		from = pmumap_imc_find_number_(events, from, g->events_end, u->first);
		if (from == g->events_end)
			break;
		if (events[from] - u->first >= u->events) {
			next = pmumap_imc_find_unit_beyond_(m, place + 1, g->units_end,
							    events[from]);
			continue;
		}
		next = place + 1;
		if (!q->unit)
			next = pmumap_imc_find_unit_beyond_(m, next, g->units_end,
							    u->first + u->events);
		if (q->unit && !pmumap_imc_unit_is_(m, units[place], q->unit, q->unit_len))
			continue;
		end = pmumap_imc_find_number_(events, end < from ? from : end, g->events_end,
					      u->first + u->events);
		matches += (uint64_t)(end - from) *
			   (pmumap_imc_find_number_(units, place, next, below) - place);
		if (units[place] < *lowest)
			*lowest = units[place];
	}
	return matches;
}

/*
 * Find the nth match in a group of units. Returns 0 if it has fewer, and lowers nth by that many.
 * To find the unit of a later match, bisect: count the matches of the units before.
 */
static inline int pmumap_imc_search_group_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					   const struct pmumap_imc_group_ *g,
					   struct pmumap_imc_match_ *match)
{
	const uint32_t *events = pmumap_imc_numbers_at_(m, m->by_name);
	const struct pmumap_imc_unit_row_ *u;
	uint32_t unit, place, unused, n;
	const char *prefix;
	uint64_t matches = pmumap_imc_count_matches_(m, q, g, PMUMAP_NO_ROW, &unit);

	if (q->nth >= matches) {
		q->nth -= (uint32_t)matches;
		return 0;
	}
	for (n = m->unit_count - unit; q->nth && n > 1; n -= n / 2) {
		if (pmumap_imc_count_matches_(m, q, g, unit + n / 2, &unused) <= q->nth)
			unit += n / 2;
	}
	if (q->nth)
		q->nth -= (uint32_t)pmumap_imc_count_matches_(m, q, g, unit, &unused);
	u = pmumap_imc_unit_rows_(m) + unit;
	prefix = (const char *)pmumap_image_at_(m, u->prefix);
	place = pmumap_imc_find_number_(events, g->events, g->events_end, u->first);
	/* A foreign image may be unsorted, so compare the result. */
	if (q->nth >= g->events_end - place)
		return 0;
	match->unit = unit;
	match->event = events[place + q->nth];
	return match->event - u->first < u->events &&
	       pmumap_prefix_length_(prefix, q->name, q->len) == q->len - g->len &&
	       pmumap_compare_text_(pmumap_imc_event_name_(m, match->event), g->rest, g->len) == 0;
}

/* The end of the units that share the prefix of the one at first, the first of them. */
static inline uint32_t pmumap_imc_find_other_prefix_(const uint32_t *chain, uint32_t first,
						     uint32_t end)
{
	uint32_t place = first, n = end - first;

	while (n > 1) {
		uint32_t half = n / 2;

		place += chain[place + half] == (first | PMUMAP_IMC_SAME_PREFIX_) ? half : 0;
		n -= half;
	}
	return place + 1;
}

/*
 * Find the nth match without an index. Returns 0 if there is none.
 *
 * The last prefix that is not above the name has all prefixes of the name in its chain: any text
 * sorted between a name and its beginning has that beginning too. For "PM_B_EVENT" in the example
 * of PMUMAP_IMC_NO_PREFIX_, these are places 4, 1 and 0.
 */
PMUMAP_OUTLINE_ int pmumap_imc_search_name_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	const uint32_t *units = pmumap_imc_numbers_at_(m, m->by_prefix);
	const uint32_t *chain = pmumap_imc_numbers_at_(m, m->chain);
	uint32_t low = 0, n = m->unit_count;
	struct pmumap_imc_group_ g;
	size_t prefix;

	while (n) {
		uint32_t half = n / 2;
		const char *s = (const char *)pmumap_image_at_(m, u[units[low + half]].prefix);

		if (pmumap_compare_text_(s, q->name, q->len) <= 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (low-- == 0)
		return 0;
	if (chain[low] != PMUMAP_IMC_NO_PREFIX_ && (chain[low] & PMUMAP_IMC_SAME_PREFIX_))
		low = chain[low] & ~PMUMAP_IMC_SAME_PREFIX_;
	for (;; low = chain[low]) {
		const char *s = (const char *)pmumap_image_at_(m, u[units[low]].prefix);

		prefix = pmumap_prefix_length_(s, q->name, q->len);
		if (prefix <= q->len) {
			g.rest = q->name + prefix;
			g.len = q->len - prefix;
			g.units = low;
			g.units_end = pmumap_imc_find_other_prefix_(chain, low, m->unit_count);
			g.events = pmumap_imc_find_event_name_(m, 0, g.rest, g.len, 0);
			g.events_end = pmumap_imc_find_event_name_(m, g.events, g.rest, g.len, 1);
			if (pmumap_imc_search_group_(m, q, &g, match))
				return 1;
		}
		if (chain[low] >= low)
			return 0;
	}
}

/* ---- imc/find.h: Find a name: by the index, or as UNIT/NAME */
/* Where the search for a hash begins. */
static inline uint32_t pmumap_imc_home_(const struct pmumap_imc *m, uint64_t hash)
{
	return pmumap_scale_to_((uint32_t)(hash >> 32), m->homes);
}

/* The tag of a name with a hash; higher bits are arbitrary. */
static inline uint32_t pmumap_imc_tag_(uint64_t hash, size_t len)
{
	return (uint32_t)hash << PMUMAP_IMC_LENGTH_BITS_ | (uint32_t)len;
}

/* Whether a slot has a tag. */
static inline int pmumap_imc_has_tag_(uint32_t slot, uint32_t tag)
{
	return ((slot ^ tag) & PMUMAP_IMC_TAG_) == 0;
}

/* Whether a text is the full name of a match, an event whose full name has its length. */
PMUMAP_ALWAYS_INLINE_ int pmumap_imc_is_name_of_(const struct pmumap_imc *m,
						 const struct pmumap_imc_match_ *match,
						 const unsigned char *text, size_t len)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + match->unit;
	uint32_t n = PMUMAP_IMC_PREFIX_BYTES_(u);

	return !pmumap_differ_(text, (const unsigned char *)pmumap_image_at_(m, u->prefix), n) &&
	       !pmumap_differ_(text + n,
			       (const unsigned char *)pmumap_imc_event_name_(m, match->event),
			       len - n);
}

/*
 * Find the match with this hash in the index. Returns 1; or 0: there is none; or -1: none is near
 * home, but it may not have fit.
 */
static inline int pmumap_imc_probe_index_(const struct pmumap_imc *m, const unsigned char *text,
					  size_t len, uint64_t hash,
					  struct pmumap_imc_match_ *match)
{
	const uint32_t *slot = pmumap_imc_numbers_at_(m, m->slots) + pmumap_imc_home_(m, hash);
	uint32_t i;

	for (i = 0; i < PMUMAP_IMC_REACH_; i++) {
		if (slot[i] == 0)
			return 0;
		if (!pmumap_imc_has_tag_(slot[i], pmumap_imc_tag_(hash, len)))
			continue;
		*match = pmumap_imc_match_of_number_(m, slot[i] >> PMUMAP_IMC_TAG_BITS_);
		if (pmumap_imc_is_name_of_(m, match, text, len))
			return 1;
	}
	return -1;
}

/*
 * Find the nth match of a name, by the index if it has that. Returns 0 if there is no match; nth
 * may then have changed.
 */
static inline int pmumap_imc_run_query_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					struct pmumap_imc_match_ *match)
{
	uint32_t nth = q->nth, i;
	uint64_t hash;
	int found;

	if (m->slots && q->len - 1 < PMUMAP_IMC_INDEXED_BYTES_) {
		hash = pmumap_hash_text_(q->name, q->len, m->key);
		for (i = 0; i < PMUMAP_IMC_INDEXED_MATCHES_; i++, hash += PMUMAP_IMC_NTH_) {
			found = pmumap_imc_probe_index_(m, q->name, q->len, hash, match);
			if (found == 0)
				return 0;
			if (found < 0)
				break;
			if ((!q->unit ||
			     pmumap_imc_unit_is_(m, match->unit, q->unit, q->unit_len)) &&
			    q->nth-- == 0)
				return 1;
		}
	}
	q->nth = nth;
	return m->by_prefix && pmumap_imc_search_name_(m, q, match);
}

/* Split the name of a query at its first slash, as UNIT/NAME. */
static inline void pmumap_imc_split_query_(struct pmumap_imc_query_ *q, size_t slash)
{
	q->unit = (const char *)q->name;
	q->unit_len = slash;
	q->name += slash + 1;
	q->len -= slash + 1;
}

/* Run a query that has no nth match as UNIT/NAME, as UNIT/NAME/ if it ends in a slash. */
static inline int pmumap_imc_run_shorter_(const struct pmumap_imc *m, struct pmumap_imc_query_ *q,
					  uint32_t nth, struct pmumap_imc_match_ *match)
{
	if (q->len == 0 || q->name[q->len - 1] != '/')
		return 0;
	q->nth = 0;
	if (nth && pmumap_imc_run_query_(m, q, match))
		return 0;
	q->nth = nth;
	q->len--;
	return pmumap_imc_run_query_(m, q, match);
}

/*
 * The override of an event. Check PMUMAP_IMC_HAS_OVERRIDE_ first: without its own, an event gets
 * that of another. The map must have overrides.
 */
static inline const struct pmumap_imc_override_ *
pmumap_imc_override_of_event_(const struct pmumap_imc *m, uint32_t event)
{
	const struct pmumap_imc_override_ *own =
		(const struct pmumap_imc_override_ *)pmumap_image_at_(m, m->overrides);
	uint32_t n = m->override_count;

	while (n > 1) {
		uint32_t half = n / 2;

		own += own[half].event <= event ? half : 0;
		n -= half;
	}
	return own;
}

/*
 * Describe an event of a unit; returns 1. Load everything before storing anything: to the compiler,
 * a store might change the map.
 */
PMUMAP_INLINE_ int pmumap_imc_fill_event_(const struct pmumap_imc *m, uint32_t unit_index,
					  uint32_t event, struct pmumap_imc_event *out)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + unit_index;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + event;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	uint32_t unit = u->name, prefix = u->prefix, name = e->name, offset = u->reg + e->reg;
	uint32_t scale = k->scale, measure = k->measure, type = k->type;
	const char *desc = 0;

	if (name & PMUMAP_IMC_HAS_OVERRIDE_) {
		const struct pmumap_imc_override_ *own = pmumap_imc_override_of_event_(m, event);

		scale = own->scale ? own->scale : scale;
		measure = own->measure ? own->measure : measure;
		desc = pmumap_imc_string_at_(m, own->desc);
	}
	out->unit = (const char *)pmumap_image_at_(m, unit);
	out->prefix = (const char *)pmumap_image_at_(m, prefix);
	out->name = (const char *)pmumap_image_at_(m, name & ~PMUMAP_IMC_HAS_OVERRIDE_);
	out->scale = pmumap_imc_string_at_(m, scale);
	out->measure = pmumap_imc_string_at_(m, measure);
	out->desc = desc;
	out->type = type;
	out->offset = offset;
	out->unit_index = unit_index;
	return 1;
}

/* Find any name: a later match, or UNIT/NAME, or one that is not in the index. */
PMUMAP_OUTLINE_ int pmumap_imc_find_otherwise_(const struct pmumap_imc *m,
					       const unsigned char *name, size_t len, uint32_t nth,
					       struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	struct pmumap_imc_query_ q;
	size_t slash = 0;

	q.name = name;
	q.len = len;
	q.unit = 0;
	q.unit_len = 0;
	q.nth = nth;
	if (!pmumap_imc_run_query_(m, &q, &match)) {
		while (slash < len && name[slash] != '/')
			slash++;
		q.nth = 0;
		/* If the whole text is a name with fewer matches, it is not UNIT/NAME. */
		if (slash == len || (nth && pmumap_imc_run_query_(m, &q, &match)))
			return 0;
		q.nth = nth;
		pmumap_imc_split_query_(&q, slash);
		if (!pmumap_imc_run_query_(m, &q, &match) &&
		    !pmumap_imc_run_shorter_(m, &q, nth, &match))
			return 0;
	}
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

/* Take the event in a slot with the tag of a text: almost always it has this name. */
PMUMAP_OUTLINE_ int pmumap_imc_take_slot_(const struct pmumap_imc *m, const unsigned char *name,
					  size_t len, uint32_t slot, struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match =
		pmumap_imc_match_of_number_(m, slot >> PMUMAP_IMC_TAG_BITS_);

	if (!pmumap_imc_is_name_of_(m, &match, name, len))
		return pmumap_imc_find_otherwise_(m, name, len, 0, out);
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

/*
 * Whether a query may begin with the spelling of a unit. first_bytes has a bit for each 8 values of
 * the first byte, so that a miss need not search for a slash.
 */
static inline int pmumap_imc_may_begin_unit_(const struct pmumap_imc *m, unsigned char first)
{
	return (int)(m->first_bytes >> (first >> 3) & 1);
}

/* The first match of a name: few instructions, and no stack frame. The rest is elsewhere. */
PMUMAP_DEF int pmumap_imc_find(const struct pmumap_imc *m, const char *name, size_t len,
			       uint32_t nth, struct pmumap_imc_event *out)
{
	const unsigned char *text = (const unsigned char *)name;
	const uint32_t *slot;
	uint64_t hash;
	uint32_t tag, i;

	if (nth || !m->slots || len - 1 >= PMUMAP_IMC_INDEXED_BYTES_)
		return pmumap_imc_find_otherwise_(m, text, len, nth, out);
	hash = pmumap_hash_text_(text, len, m->key);
	tag = pmumap_imc_tag_(hash, len);
	slot = pmumap_imc_numbers_at_(m, m->slots) + pmumap_imc_home_(m, hash);
	for (i = 0; i < PMUMAP_IMC_REACH_ && slot[i]; i++) {
		if (pmumap_imc_has_tag_(slot[i], tag))
			return pmumap_imc_take_slot_(m, text, len, slot[i], out);
	}
	if ((i == PMUMAP_IMC_REACH_ && m->by_prefix) || pmumap_imc_may_begin_unit_(m, text[0]))
		return pmumap_imc_find_otherwise_(m, text, len, 0, out);
	return 0;
}

/* ---- imc/offset.h: Find an offset */
/* Without an order of offsets, search each unit that spans it. Returns 0 if none has it. */
static inline int pmumap_imc_search_offset_(const struct pmumap_imc *m, const char *spelling,
					    size_t len, uint32_t offset, uint32_t nth,
					    struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m);
	uint32_t unit, event, end, n, reg;

	for (unit = 0; unit < m->unit_count; unit++, u++) {
		reg = offset - u->reg;
		end = u->first + u->events;
		if (u->events == 0 || offset < u->reg || e[u->first].reg > reg ||
		    e[end - 1].reg < reg ||
		    (spelling && !pmumap_imc_unit_is_(m, unit, spelling, len)))
			continue;
		event = pmumap_imc_first_event_from_(m, u, offset);
		n = pmumap_imc_count_events_to_(e + event, end - event, reg);
		if (nth >= n) {
			nth -= n;
			continue;
		}
		match->unit = unit;
		match->event = event + nth;
		return e[event + nth].reg == reg; /* a foreign image may not be sorted */
	}
	return 0;
}

/*
 * The first place in the order of offsets whose key is not below that of an offset. Bisects one
 * bucket; each step reads a unit and its event. Invariant: the result is end or one of the n places
 * before it. The loads that pmumap_imc_offset_of_number_() would repeat are done once.
 */
PMUMAP_INLINE_ uint32_t pmumap_imc_find_place_(const struct pmumap_imc *m, uint32_t offset,
					       int wide)
{
	const struct pmumap_imc_event_row_ *events = pmumap_imc_event_rows_(m);
	const struct pmumap_imc_unit_row_ *units = pmumap_imc_unit_rows_(m), *u;
	uint32_t unit_bit = m->unit_bit, event_bits = m->event_bits;
	uint32_t key = pmumap_imc_offset_key_(offset), table = m->by_offset, number, event, n, half;
	uint32_t bucket = pmumap_scale_to_(key, pmumap_imc_count_offset_buckets_(m->names));
	uint32_t begin = pmumap_imc_number_at_(m, m->offset_buckets, bucket, wide);
	uint32_t end = pmumap_imc_number_at_(m, m->offset_buckets, bucket + 1, wide);

	for (n = begin < end ? end - begin : 0; n; n -= half) {
		half = (n + 1) / 2;
		number = pmumap_imc_number_at_(m, table, end - half, wide);
		u = units + (number >> unit_bit);
		event = u->first + (number & event_bits);
		end -= pmumap_imc_offset_key_(u->reg + events[event].reg) < key ? 0 : half;
	}
	return end;
}

/* The match at a place of the order of offsets. Returns 0 at the end or at another offset. */
PMUMAP_INLINE_ int pmumap_imc_match_of_place_(const struct pmumap_imc *m, uint32_t place,
					      uint32_t offset, int wide,
					      struct pmumap_imc_match_ *match)
{
	const struct pmumap_imc_unit_row_ *u;
	uint32_t number;

	if (place >= m->names)
		return 0;
	number = pmumap_imc_number_at_(m, m->by_offset, place, wide);
	match->unit = number >> m->unit_bit;
	u = pmumap_imc_unit_rows_(m) + match->unit;
	match->event = u->first + pmumap_imc_event_of_number_(m, number);
	return u->reg + pmumap_imc_event_rows_(m)[match->event].reg == offset;
}

/*
 * Find an offset in any map, for any spelling of the unit. place: where to begin in the order of
 * offsets.
 */
PMUMAP_OUTLINE_ int pmumap_imc_at_otherwise_(const struct pmumap_imc *m, const char *unit,
					     uint32_t offset, uint32_t nth, uint32_t place,
					     struct pmumap_imc_event *out)
{
	struct pmumap_imc_match_ match;
	size_t len = 0;

	for (; unit && unit[len]; len++)
		PMUMAP_NO_LIBCALL_();
	if (!m->by_offset) {
		if (!pmumap_imc_search_offset_(m, unit, len, offset, nth, &match))
			return 0;
	} else {
		for (;; place++) {
			if (!pmumap_imc_match_of_place_(m, place, offset,
							pmumap_imc_has_wide_numbers_(m), &match))
				return 0;
			if ((!unit || pmumap_imc_unit_is_(m, match.unit, unit, len)) && nth-- == 0)
				break;
		}
	}
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

/* The length of a string that names a node, with or without the address; 0 if it does not. */
PMUMAP_INLINE_ size_t pmumap_imc_spells_node_(const char *string, const char *node)
{
	size_t i;

	for (i = 0; string[i] == node[i]; i++) {
		if (!string[i])
			return i;
	}
	return !string[i] && node[i] == '@' ? i : 0;
}

/*
 * The fast path: find an offset in an order of 16-bit numbers. It leaves to the slow path all but
 * the first match of a node's name, and names in _imc: Linux may mean another unit.
 */
PMUMAP_INLINE_ int pmumap_imc_at_place_(const struct pmumap_imc *m, const char *unit,
					uint32_t offset, uint32_t nth, struct pmumap_imc_event *out)
{
	uint32_t place = pmumap_imc_find_place_(m, offset, 0), first = place;
	struct pmumap_imc_match_ match;
	size_t len = 0;

	match.unit = match.event = 0; /* or gcc warns after inlining all of this */
	if (!unit) {
		/* In a sorted map, a wrapped sum is a place before the first match. */
		if (!pmumap_imc_match_of_place_(m, place + nth, offset, 0, &match))
			return 0;
	} else {
		for (; !len; place++) {
			if (!pmumap_imc_match_of_place_(m, place, offset, 0, &match))
				break;
			len = pmumap_imc_spells_node_(unit, pmumap_imc_node_name_(m, match.unit));
		}
		if (!len || nth || unit[len - 1] == 'c')
			return pmumap_imc_at_otherwise_(m, unit, offset, nth, first, out);
	}
	return pmumap_imc_fill_event_(m, match.unit, match.event, out);
}

PMUMAP_DEF int pmumap_imc_at(const struct pmumap_imc *m, const char *unit, uint32_t offset,
			     uint32_t nth, struct pmumap_imc_event *out)
{
	uint32_t place = 0;

	if (m->by_offset) {
		if (!pmumap_imc_has_wide_numbers_(m))
			return pmumap_imc_at_place_(m, unit, offset, nth, out);
		place = pmumap_imc_find_place_(m, offset, 1);
	}
	return pmumap_imc_at_otherwise_(m, unit, offset, nth, place, out);
}

/* ---- imc/list.h: Lists, addresses */
PMUMAP_DEF uint32_t pmumap_imc_names(const struct pmumap_imc *m, int *indexed)
{
	*indexed = m->slots != 0;
	return m->names;
}

PMUMAP_DEF int pmumap_imc_unit(const struct pmumap_imc *m, uint32_t index,
			       struct pmumap_imc_unit *out)
{
	const struct pmumap_imc_unit_row_ *u;
	const struct pmumap_imc_unit_class_ *k;

	if (index >= m->unit_count)
		return 0;
	u = pmumap_imc_unit_rows_(m) + index;
	k = pmumap_imc_class_of_unit_(m, u);
	out->name = pmumap_imc_string_at_(m, u->name);
	out->prefix = pmumap_imc_string_at_(m, u->prefix);
	out->scale = pmumap_imc_string_at_(m, k->scale);
	out->measure = pmumap_imc_string_at_(m, k->measure);
	out->type = k->type;
	out->reg = u->reg;
	out->size = k->size;
	out->offset = k->offset;
	out->control = k->control;
	out->events = u->events;
	out->chips = k->chip_count;
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
	const char *part[3];
	size_t n = 0, i;

	if (unit >= m->unit_count)
		return 0;
	part[0] = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit)->type ==
				  PMUMAP_IMC_NEST
			  ? "nest_"
			  : "";
	part[1] = pmumap_imc_node_name_(m, unit);
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
				   struct pmumap_imc_event *out)
{
	if (unit >= m->unit_count || index >= pmumap_imc_unit_rows_(m)[unit].events)
		return 0;
	return pmumap_imc_fill_event_(m, unit, pmumap_imc_unit_rows_(m)[unit].first + index, out);
}

PMUMAP_DEF int pmumap_imc_chip(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
			       uint32_t *chip, uint64_t *base)
{
	const struct pmumap_imc_unit_class_ *k;

	if (unit >= m->unit_count)
		return 0;
	k = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit);
	if (index >= k->chip_count)
		return 0;
	*chip = pmumap_imc_chip_rows_(m, k)[index].chip;
	*base = pmumap_imc_chip_rows_(m, k)[index].base;
	return 1;
}

/* The physical address of bytes in a nest window on a chip. Fails like pmumap_imc_address(). */
static inline int pmumap_imc_place_on_chip_(const struct pmumap_imc *m, uint32_t unit,
					    uint32_t chip, uint32_t offset, uint32_t bytes,
					    uint64_t *phys)
{
	const struct pmumap_imc_unit_class_ *k;
	uint64_t place;
	uint32_t i = 0;

	if (unit >= m->unit_count)
		return 0;
	k = pmumap_imc_class_of_unit_(m, pmumap_imc_unit_rows_(m) + unit);
	if (k->type != PMUMAP_IMC_NEST ||
	    (k->size && (k->size < bytes || offset > k->size - bytes)))
		return 0;
	while (i < k->chip_count && pmumap_imc_chip_rows_(m, k)[i].chip != chip)
		i++;
	if (i == k->chip_count)
		return 0;
	place = (uint64_t)k->offset + offset;
	if (place + bytes - 1 > ~(uint64_t)0 - pmumap_imc_chip_rows_(m, k)[i].base)
		return 0;
	*phys = pmumap_imc_chip_rows_(m, k)[i].base + place;
	return 1;
}

PMUMAP_DEF int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys)
{
	return pmumap_imc_place_on_chip_(m, e->unit_index, chip, e->offset, 8, phys);
}

PMUMAP_DEF int pmumap_imc_control(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
				  uint64_t *phys)
{
	struct pmumap_imc_unit u;

	return pmumap_imc_unit(m, unit, &u) &&
	       pmumap_imc_place_on_chip_(m, unit, chip, u.control, PMUMAP_IMC_CB_BYTES, phys);
}

/* ---- imc/words.h: Scales, counters, trace words */
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

PMUMAP_DEF uint64_t pmumap_imc_read(const volatile void *counter)
{
	static const union {
		uint8_t byte[8];
		uint64_t word;
	} order = { { 0, 1, 2, 3, 4, 5, 6, 7 } };
	uint64_t x = *(const volatile uint64_t *)counter; /* one load where the target allows */

	if (order.word == 0x0001020304050607u)
		return x;
	x = (x & 0x00ff00ff00ff00ffu) << 8 | (x >> 8 & 0x00ff00ff00ff00ffu);
	x = (x & 0x0000ffff0000ffffu) << 16 | (x >> 16 & 0x0000ffff0000ffffu);
	return x << 32 | x >> 32;
}

/*
 * The trace SCOM, bit 0 the highest: sample 0:1, complement of load 2:33, event1 34:40, event2
 * 41:47, buffer 48:50.
 */
PMUMAP_DEF int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom)
{
	if (fields->sample > 3 || fields->event1 > 127 || fields->event2 > 127 ||
	    fields->buffer > 4)
		return 0;
	*scom = (uint64_t)fields->sample << 62 | (uint64_t)(uint32_t)~fields->load << 30 |
		(uint64_t)fields->event1 << 23 | (uint64_t)fields->event2 << 16 |
		(uint64_t)fields->buffer << 13;
	return 1;
}

/* The trace configuration, bit 0 the lowest: event 20:27, sample 28:29, load 30:61. */
PMUMAP_DEF int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields)
{
	if ((config & 0xfffff) || config >> 62)
		return 0;
	fields->event = (uint32_t)(config >> 20) & 255;
	fields->sample = (uint32_t)(config >> 28) & 3;
	fields->load = (uint32_t)(config >> 30);
	return 1;
}

/* ---- imc/available.h: Which nest units a machine has */
/* The rest of a text after stem; NULL if it does not begin with stem. */
static inline const char *pmumap_skip_stem_(const char *text, const char *stem)
{
	while (*stem && *text == *stem) {
		text++;
		stem++;
	}
	return *stem ? 0 : text;
}

/* Units with bits in an availability vector, by the stem of their name. */
struct pmumap_imc_vector_row_ {
	char stem[9];
	uint8_t bit, count; /* first bit; number of units; 0: one unit, no number in its name */
	uint8_t state;      /* of a link: it exists if its three bits are this; 0: one bit each */
	uint8_t parts;      /* how many suffixes _0, _1, ... the name may have, at most 10 */
};

/* So many bits of the vector, from bit n on; bit 0 is the highest. At most bit 63. */
static inline uint32_t pmumap_imc_vector_bits_(uint64_t vector, uint32_t n, uint32_t width)
{
	uint32_t high = (uint32_t)(vector >> 32), low = (uint32_t)vector;

	if (n >= 32) {
		high = low;
		low = 0;
	}
	if (n % 32)
		high = high << n % 32 | low >> (32 - n % 32);
	return high >> (32 - width);
}

/* Consume a number below 100 without leading zeros. Returns it, or 100 if there is none. */
static inline uint32_t pmumap_imc_take_number_(const char **text)
{
	uint32_t n = 100;

	if (**text >= '0' && **text <= '9') {
		n = (uint32_t)(*(*text)++ - '0');
		if (n && **text >= '0' && **text <= '9')
			n = n * 10 + (uint32_t)(*(*text)++ - '0');
	}
	return n;
}

/* Whether a row names the unit from text to end; *bit: its first one. */
PMUMAP_OUTLINE_ int pmumap_imc_is_row_of_unit_(const struct pmumap_imc_vector_row_ *row,
					       const char *text, const char *end, uint32_t *bit)
{
	uint32_t n = 0;

	text = pmumap_skip_stem_(text, row->stem);
	if (!text)
		return 0;
	if (row->count) {
		n = pmumap_imc_take_number_(&text);
		if (n >= row->count)
			return 0;
	}
	if (end - text == 2 && *text == '_' && (uint32_t)text[1] - '0' < row->parts)
		text = end;
	*bit = row->bit + n * (row->state ? 3 : 1);
	return text == end;
}

/*
 * Memory controllers have bits 1 to 8 in all generations. A pair like mcs01 exists if either half
 * does. mcs0 to mcs7 alone belong to the debug modes and do not exist. Returns the digits of such a
 * name, 1 or 2, and *bit, the first one; 0 for any other name.
 */
static inline int pmumap_imc_digits_of_mcs_(const char *text, const char *end, uint32_t *bit)
{
	text = pmumap_skip_stem_(text, "mcs");
	if (!text || *text < '0' || *text > '7')
		return 0;
	*bit = 1u + (uint32_t)(*text - '0');
	if (end - text == 2 && *text % 2 == 0 && text[1] == *text + 1)
		return 2;
	return end - text == 1;
}

/* Whether a nest unit exists; unit: the name of its node. */
static inline int pmumap_imc_has_unit_(unsigned generation, uint64_t vector, const char *unit,
				       size_t len)
{
	static const struct pmumap_imc_vector_row_ p9[] = {
		/* clang-format off */
		{ "powerbus", 0, 1, 0, 0 }, { "mba", 9, 8, 0, 0 }, { "centaur", 17, 8, 0, 0 },
		{ "xlink", 25, 3, 0, 0 }, { "mcd", 28, 2, 0, 0 }, { "phb", 30, 6, 0, 0 },
		{ "nx", 36, 0, 0, 0 }, { "capp", 37, 2, 0, 0 }, { "vas", 39, 0, 0, 0 },
		{ "int", 40, 0, 0, 0 }, { "alink", 41, 4, 0, 0 }, { "nvlink", 45, 6, 0, 0 }
		/* clang-format on */
	};
	static const struct pmumap_imc_vector_row_ p10[] = {
		/* clang-format off */
		{ "pb", 0, 0, 0, 0 }, { "pec", 9, 2, 0, 0 }, { "xlink", 11, 8, 5, 0 },
		{ "alink", 11, 8, 6, 0 }, { "otl", 11, 8, 7, 2 }, { "phb", 35, 6, 0, 3 },
		{ "ocmb", 41, 16, 0, 0 }, { "nx", 57, 0, 0, 0 }
		/* clang-format on */
	};
	const struct pmumap_imc_vector_row_ *row = generation == PMUMAP_IMC_P9 ? p9 : p10;
	const struct pmumap_imc_vector_row_ *end =
		row + (generation == PMUMAP_IMC_P9 ? sizeof(p9) / sizeof(p9[0])
						   : sizeof(p10) / sizeof(p10[0]));
	uint32_t bit = 0, bits, state = 0;
	int digits;

	if (generation != PMUMAP_IMC_P9 && generation != PMUMAP_IMC_P10)
		return 1;
	digits = pmumap_imc_digits_of_mcs_(unit, unit + len, &bit);
	if (vector == 0 || digits == 1)
		return 0;
	if (digits == 0) {
		while (row < end && !pmumap_imc_is_row_of_unit_(row, unit, unit + len, &bit))
			row++;
		if (row == end)
			return 1;
		state = row->state;
	}
	bits = pmumap_imc_vector_bits_(vector, bit, digits ? 2 : state ? 3 : 1);
	return state ? bits == state : bits != 0;
}

/* The length of a node's name without the address. */
static inline size_t pmumap_imc_base_name_bytes_(const char *node)
{
	size_t len = 0;

	for (; node[len] && node[len] != '@'; len++)
		PMUMAP_NO_LIBCALL_();
	return len;
}

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	size_t len = pmumap_imc_base_name_bytes_(unit);

	(void)pmumap_imc_strip_linux_name_(&unit, &len, 1);
	return pmumap_imc_has_unit_(generation, vector, unit, len);
}

/*
 * Whether to keep a unit, by the options generation (with or without NO_TRACE) and available. unit:
 * the node's name.
 */
static inline int pmumap_imc_is_wanted_(unsigned generation, uint64_t vector, uint32_t type,
					const char *unit)
{
	if (type == PMUMAP_IMC_TRACE)
		return !(generation & PMUMAP_IMC_NO_TRACE);
	return type != PMUMAP_IMC_NEST ||
	       pmumap_imc_has_unit_(generation & ~(unsigned)PMUMAP_IMC_NO_TRACE, vector, unit,
				    pmumap_imc_base_name_bytes_(unit));
}

/* ---- imc/catalog.h: Find a processor's part of a catalog image */
/* The table of contents: a magic, version, then entries of processor, offset, size. */
#define PMUMAP_IMC_TOC_ 4096u
#define PMUMAP_IMC_TOC_MAGIC_ 0x494d4343u     /* "IMCC" */
#define PMUMAP_IMC_OLD_TOC_MAGIC_ 0x494d4143u /* "IMAC" */
#define PMUMAP_IMC_SIGNED_MAGIC_ 0x17082011u  /* of an optional signed header; its bytes: */
#define PMUMAP_IMC_SIGNED_ 4096u
#define PMUMAP_IMC_TOC_ENTRY_ 12u
#define PMUMAP_IMC_PVR_IGNORED_ 0xf0ffu /* bits of a PVR that entries leave 0 */

/* The bytes before the table of contents; all of them if the image has none. */
static inline size_t pmumap_imc_bytes_before_toc_(const unsigned char *p, size_t bytes)
{
	size_t before = 0;
	uint32_t magic;

	if (bytes >= PMUMAP_IMC_SIGNED_ && pmumap_load_be32_(p) == PMUMAP_IMC_SIGNED_MAGIC_)
		before = PMUMAP_IMC_SIGNED_;
	if (bytes - before < PMUMAP_IMC_TOC_)
		return bytes;
	magic = pmumap_load_be32_(p + before);
	if (magic != PMUMAP_IMC_TOC_MAGIC_ && magic != PMUMAP_IMC_OLD_TOC_MAGIC_)
		return bytes;
	return pmumap_load_be32_(p + before + 4) == 1 ? before : bytes;
}

PMUMAP_DEF int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size)
{
	const unsigned char *p = (const unsigned char *)image;
	size_t before = pmumap_imc_bytes_before_toc_(p, bytes);
	uint32_t at, cell[3];

	if (before == bytes)
		return 0;
	p += before;
	bytes -= before;
	for (at = 8; at + PMUMAP_IMC_TOC_ENTRY_ <= PMUMAP_IMC_TOC_; at += PMUMAP_IMC_TOC_ENTRY_) {
		cell[0] = pmumap_load_be32_(p + at);
		cell[1] = pmumap_load_be32_(p + at + 4);
		cell[2] = pmumap_load_be32_(p + at + 8);
		if (!(cell[0] | cell[1] | cell[2]))
			break;
		if (cell[0] != (pvr & ~PMUMAP_IMC_PVR_IGNORED_))
			continue;
		if (cell[1] < PMUMAP_IMC_TOC_ || cell[1] > bytes || cell[2] == 0 ||
		    cell[2] > bytes - cell[1])
			return 0;
		*offset = before + cell[1];
		*size = cell[2];
		return 1;
	}
	return 0;
}

/* ---- pool/entries.h: A builder's entries */
#ifndef PMUMAP_HAS_POOL_ENTRIES_
#define PMUMAP_HAS_POOL_ENTRIES_
#define PMUMAP_NO_ENTRY_ 0xffffffffu

/*
 * The common layout of all entries. Each kind has its own struct: it begins with a number to search
 * for, or a text, and ends with the kind. Hence MAY_ALIAS.
 */
struct pmumap_pool_entry_ {
	uint64_t value;
	uint32_t numbers[3];
	uint32_t kind; /* and its flags */
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_POOL_ENTRY_FLAGS_ 0xffffffu /* the bits of kind for flags */

/* Start adding entries to a block; with mem NULL, only measure. */
static inline void pmumap_entries_begin_(struct pmumap_entries_ *e, void *mem, size_t bytes)
{
	e->mem = (unsigned char *)mem;
	e->bytes = bytes;
	e->status = (size_t)mem % 8 ? PMUMAP_E_ARG : PMUMAP_OK;
	e->room = mem && e->status == PMUMAP_OK ? bytes / sizeof(struct pmumap_pool_entry_) : 0;
	e->count = 0;
	e->need = 0;
}

/* Entry i; 0 is the oldest. */
static inline void *pmumap_entries_at_(const struct pmumap_entries_ *e, uint32_t i)
{
	return (struct pmumap_pool_entry_ *)(void *)(e->mem + (e->bytes & ~(size_t)7)) - 1 - i;
}

/* The lowest byte used by entries. */
static inline void *pmumap_entries_end_(const struct pmumap_entries_ *e)
{
	return (struct pmumap_pool_entry_ *)(void *)(e->mem + (e->bytes & ~(size_t)7)) - e->count;
}

static inline uint32_t pmumap_entries_kind_(const struct pmumap_entries_ *e, uint32_t i)
{
	return ((const struct pmumap_pool_entry_ *)pmumap_entries_at_(e, i))->kind &
	       ~PMUMAP_POOL_ENTRY_FLAGS_;
}

/* The number that an entry begins with. */
static inline uint64_t pmumap_entries_value_(const struct pmumap_entries_ *e, uint32_t i)
{
	return ((const struct pmumap_pool_entry_ *)pmumap_entries_at_(e, i))->value;
}

/* Add an entry; the caller fills in everything but the kind. NULL if full, or when measuring. */
PMUMAP_OUTLINE_ void *pmumap_entries_add_(struct pmumap_entries_ *e, uint32_t kind)
{
	struct pmumap_pool_entry_ *entry = 0;

	e->need += sizeof(*entry);
	if (e->need > PMUMAP_MAX_BYTES_) /* pmumap_entries_fit_() reports that */
		return 0;
	if (e->count < e->room) {
		entry = (struct pmumap_pool_entry_ *)pmumap_entries_at_(e, e->count);
		entry->kind = kind;
	}
	e->count++;
	return entry;
}

/* Count the memory of a string and of its two places in the string table. */
static inline void pmumap_entries_reserve_text_(struct pmumap_entries_ *e, const char *text)
{
	uint32_t bytes = 1;

	while (text[bytes - 1]) {
		bytes++;
		PMUMAP_NO_LIBCALL_();
	}
	e->need += bytes + 2 * sizeof(uint32_t);
}

/* Compare entries by number. */
static inline int pmumap_entries_order_ids_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_entries_ *e = (const struct pmumap_entries_ *)context;
	uint64_t x = pmumap_entries_value_(e, a), y = pmumap_entries_value_(e, b);

	return x < y ? -1 : x > y;
}

/* The first of these sorted entries with this number, or NO_ENTRY; always NO_ENTRY for 0. */
static inline uint32_t pmumap_entries_find_(const struct pmumap_entries_ *e,
					    const uint32_t *entries, uint32_t count, uint32_t value)
{
	uint32_t low = 0, n = count;

	while (n) {
		uint32_t half = n / 2;

		if (pmumap_entries_value_(e, entries[low + half]) < value) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return value && low < count && pmumap_entries_value_(e, entries[low]) == value
		       ? entries[low]
		       : PMUMAP_NO_ENTRY_;
}

/* Whether a build of this size can start. If not, status says why; OK: it only measures. */
static inline int pmumap_entries_fit_(struct pmumap_entries_ *e, uint64_t need)
{
	if (e->status != PMUMAP_OK)
		return 0;
	if (need > PMUMAP_MAX_BYTES_)
		e->status = PMUMAP_E_LIMIT;
	else if (e->mem && e->bytes < need)
		e->status = PMUMAP_E_NOSPACE;
	return e->mem && e->status == PMUMAP_OK;
}

/* The map is complete: accept no more entries. */
static inline void pmumap_entries_close_(struct pmumap_entries_ *e)
{
	e->status = PMUMAP_E_ARG;
	e->room = 0;
}
#endif /* PMUMAP_HAS_POOL_ENTRIES_ */

/* ---- pool/pool.h: Tables and strings of a growing map */
#ifndef PMUMAP_HAS_POOL_POOL_
#define PMUMAP_HAS_POOL_POOL_
/* Append a table to the map, padded with 0. Its offset goes to *offset, unless NULL. */
static inline void *pmumap_append_table_(void *map, uint32_t *offset, uint32_t bytes)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;
	uint32_t at = m->size;

	if (offset)
		*offset = at;
	m->size += (bytes + 7) & ~7u;
	if (bytes % 8) /* so that equal trees yield equal bytes */
		pmumap_zero_words_((unsigned char *)m + m->size - 8, 8);
	return (unsigned char *)m + at;
}

/* Pad the image to a multiple of 8. */
static inline void pmumap_pad_image_(void *map)
{
	struct pmumap_head_ *m = (struct pmumap_head_ *)map;
	unsigned char *end = (unsigned char *)m + m->size;

	for (; m->size % 8; m->size++) {
		*end++ = 0;
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Memory during a build. The map grows up from the start of the block; scratch tables grow down
 * from the entries. One of them is a hash table that deduplicates strings.
 */
struct pmumap_pool_ {
	struct pmumap_head_ *m;
	unsigned char *top; /* the lowest byte in use above the map */
	uint32_t *table;    /* of strings: offsets in the map; 0: free */
	uint32_t table_size;
	uint32_t empty; /* offset of the empty string */
};

/* top: the lowest byte in use above the map, 4-byte aligned. */
static inline void pmumap_pool_init_(struct pmumap_pool_ *p, void *map, void *top)
{
	p->m = (struct pmumap_head_ *)map;
	p->top = (unsigned char *)top;
}

/* Place a scratch table of numbers below the others; its memory is counted in need. */
static inline uint32_t *pmumap_pool_scratch_(struct pmumap_pool_ *p, uint32_t count)
{
	p->top -= count * sizeof(uint32_t);
	return (uint32_t *)(void *)p->top;
}

/* Place the table that deduplicates strings. */
static inline void pmumap_pool_reserve_texts_(struct pmumap_pool_ *p, uint32_t texts)
{
	p->table_size = 2 * texts;
	p->table = pmumap_pool_scratch_(p, p->table_size);
	pmumap_zero_words_(p->table, p->table_size * sizeof(uint32_t));
}

/* Begin the map's strings with the empty one. */
static inline void pmumap_pool_begin_texts_(struct pmumap_pool_ *p)
{
	p->empty = p->m->size;
	*((char *)p->m + p->m->size++) = 0;
}

/* Comparing this many bytes costs one more try. */
#define PMUMAP_POOL_TRY_BYTES_ 512u
#define PMUMAP_POOL_KEY_ 0x9e3779b97f4a7c15u /* of its hashes; any number serves */

/*
 * Store a string in the map, usually once, and return its offset. Copy it first: in the map it may
 * be read by words, because tables follow. The search is bounded, so hostile strings cannot make it
 * slow; in return, a string may be stored twice.
 */
static inline uint32_t pmumap_pool_keep_text_(struct pmumap_pool_ *p, const char *text)
{
	char *copy = (char *)p->m + p->m->size, *to = copy;
	uint32_t place, tries, bytes;
	const char *s;
	uint64_t hash;

	if (!*text)
		return p->empty;
	while ((*to++ = *text++) != 0)
		PMUMAP_NO_LIBCALL_();
	bytes = (uint32_t)(to - copy) - 1;
	hash = pmumap_hash_text_((const unsigned char *)copy, bytes, PMUMAP_POOL_KEY_);
	place = pmumap_scale_to_((uint32_t)(hash >> 32), p->table_size);
	for (tries = 0; tries < 32 && p->table[place]; tries++) {
		s = (const char *)pmumap_image_at_(p->m, p->table[place]);
		if (s + bytes < copy && s[bytes] == 0) {
			if (!pmumap_differ_((const unsigned char *)s, (const unsigned char *)copy,
					    bytes))
				return p->table[place];
			tries += bytes / PMUMAP_POOL_TRY_BYTES_;
		}
		if (++place == p->table_size)
			place = 0;
	}
	p->table[place] = p->m->size;
	p->m->size += bytes + 1;
	return p->table[place];
}
#endif /* PMUMAP_HAS_POOL_POOL_ */

/* ---- imc/entries.h: A builder's entries, and the state of a build */
/* Entry i of a builder, counted from the oldest, as a struct of its kind: list, event, unit ... */
#define PMUMAP_IMC_ENTRY_(name, b, i)                                                              \
	((struct pmumap_imc_##name##_entry_ *)pmumap_entries_at_(&(b)->entries, i))

/* Kinds of entries. EVENT to PREFIX begin with a text: its address, later its offset in the map. */
enum {
	PMUMAP_IMC_LIST_ = 1 << 24,
	PMUMAP_IMC_EVENT_ = 2 << 24,
	PMUMAP_IMC_SCALE_ = 3 << 24, /* like the next two, of the event or unit before it */
	PMUMAP_IMC_MEASURE_ = 4 << 24,
	PMUMAP_IMC_DESC_ = 5 << 24,
	PMUMAP_IMC_UNIT_ = 6 << 24, /* then its PREFIX and CHIPS: pmumap_imc_unit_at_() */
	PMUMAP_IMC_PREFIX_ = 7 << 24,
	PMUMAP_IMC_CHIPS_ = 8 << 24,
	PMUMAP_IMC_CHIP_ = 9 << 24,  /* of the unit before it */
	PMUMAP_IMC_HOMER_ = 10 << 24 /* of every nest unit without its own chips */
};

struct pmumap_imc_list_entry_ {
	uint64_t id;
	uint32_t events; /* how many */
	uint32_t first;  /* its first event in the map, once built */
	uint32_t node;
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_IMC_LIST_USED_ = 1,    /* by a unit */
	PMUMAP_IMC_LIST_COUNTED_ = 2, /* by a unit whose offsets are counters: not trace */
	PMUMAP_IMC_LIST_TOLD_ = 4     /* already checked for being empty */
};

struct pmumap_imc_event_entry_ {
	uint64_t name;
	uint32_t reg;
	uint32_t node;
	uint32_t unused;
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_text_entry_ {
	uint64_t text;
	uint32_t unused[3];
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_unit_entry_ {
	uint64_t name;
	uint32_t reg;
	uint32_t node;
	uint32_t list; /* its id */
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_IMC_UNIT_TYPE_ = 0xff,        /* PMUMAP_IMC_NEST and so on */
	PMUMAP_IMC_UNIT_OWN_LIST_ = 0x100,   /* uses the list before it */
	PMUMAP_IMC_UNIT_OWN_CHIPS_ = 0x200,  /* never takes HOMER chips, even if it has no chips */
	PMUMAP_IMC_UNIT_OWN_CONTROL_ = 0x400 /* a control of 0 is meant, not the default */
};

struct pmumap_imc_prefix_entry_ {
	uint64_t prefix;
	uint32_t size, offset, control; /* of the unit's window */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chips_entry_ {
	uint64_t unused;
	uint32_t first, count; /* in the map, once built */
	uint32_t list;         /* the entry of the unit's list, or NO_ENTRY_ */
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_imc_chip_entry_ {
	uint64_t base;
	uint32_t chip;
	uint32_t unused[2];
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

/* A unit's first three entries in the order of the block: newest first. */
struct pmumap_imc_unit_entries_ {
	struct pmumap_imc_chips_entry_ chips;
	struct pmumap_imc_prefix_entry_ prefix;
	struct pmumap_imc_unit_entry_ unit;
} PMUMAP_MAY_ALIAS_;

#define PMUMAP_IMC_UNIT_ENTRIES_ 3u /* a unit's texts and chips follow these */

/* The three entries of the unit in entry i. */
static inline struct pmumap_imc_unit_entries_ *
pmumap_imc_unit_at_(const struct pmumap_imc_builder *b, uint32_t i)
{
	return (struct pmumap_imc_unit_entries_ *)pmumap_entries_at_(
		&b->entries, i + PMUMAP_IMC_UNIT_ENTRIES_ - 1);
}

#define PMUMAP_IMC_USUAL_CONTROL_ 0x3fc00u /* place of the control block if the unit gives none */
#define PMUMAP_IMC_NO_CONTROL_ 0xffffffffu /* outside every window: cb_offset is malformed */

/* The state of a build. */
struct pmumap_imc_build_ {
	struct pmumap_imc_builder *b;
	struct pmumap_imc *m;
	struct pmumap_imc *c;
	struct pmumap_pool_ pool;
	uint32_t *lists; /* entries of all lists, sorted by id */
	uint32_t list_count, text_count;
	uint32_t *order; /* entries of one list's events */
	uint32_t *spare; /* scratch to sort either */
};

/*
 * Compare two strings of the map. Most are stored once, so equal offsets need no reading. Reading
 * past an end by words is safe: during a build, tables follow all strings.
 */
PMUMAP_OUTLINE_ int pmumap_imc_compare_strings_(const struct pmumap_imc *m, uint32_t a, uint32_t b)
{
	const unsigned char *s = (const unsigned char *)pmumap_image_at_(m, a);
	const unsigned char *t = (const unsigned char *)pmumap_image_at_(m, b);
	uint64_t word;

	if (a == b)
		return 0;
	for (; (word = pmumap_load_word_(s)) == pmumap_load_word_(t); s += 8, t += 8) {
		if (pmumap_zero_bytes_(word) & PMUMAP_HIGH_BITS_)
			return 0;
	}
	return pmumap_compare_strings_((const char *)s, (const char *)t);
}

/* Compare events by name, then by offset. */
static inline int pmumap_imc_order_entry_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	const struct pmumap_imc_event_entry_ *x = PMUMAP_IMC_ENTRY_(event, w->b, a);
	const struct pmumap_imc_event_entry_ *y = PMUMAP_IMC_ENTRY_(event, w->b, b);
	int order = pmumap_imc_compare_strings_(w->m, (uint32_t)x->name, (uint32_t)y->name);

	return order ? order : x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* List all names of the map as numbers: unit and event, as in a slot of the index. */
static inline void pmumap_imc_number_names_(const struct pmumap_imc *m, uint32_t *to)
{
	uint32_t unit, i;

	for (unit = 0; unit < m->unit_count; unit++) {
		for (i = 0; i < pmumap_imc_unit_rows_(m)[unit].events; i++)
			*to++ = unit << m->unit_bit | i;
	}
}

/* The next byte of a full name: prefix, then name; *name is NULL once the prefix has ended. */
static inline char pmumap_imc_next_byte_(const char **at, const char **name)
{
	if (!**at && *name) {
		*at = *name;
		*name = 0;
	}
	return **at ? *(*at)++ : 0;
}

/*
 * Whether two matches have the same full name, of at most this many bytes. Usually both share the
 * prefix and the string, and nothing is read.
 */
static inline int pmumap_imc_is_same_name_(const struct pmumap_imc *m,
					   const struct pmumap_imc_match_ *x,
					   const struct pmumap_imc_match_ *y, uint32_t most)
{
	const char *s = (const char *)pmumap_image_at_(m, pmumap_imc_unit_rows_(m)[x->unit].prefix);
	const char *t = (const char *)pmumap_image_at_(m, pmumap_imc_unit_rows_(m)[y->unit].prefix);
	const char *more_s = pmumap_imc_event_name_(m, x->event);
	const char *more_t = pmumap_imc_event_name_(m, y->event);
	uint32_t i;
	char c;

	if (s == t && more_s == more_t)
		return 1;
	for (i = 0; i <= most; i++) {
		c = pmumap_imc_next_byte_(&s, &more_s);
		if (c != pmumap_imc_next_byte_(&t, &more_t))
			return 0;
		if (!c)
			return 1;
	}
	return 0;
}

/* ---- imc/add.h: Add events, units and chips */
/* Add a scale, measure or description to the last event or unit, unless it is absent. */
static inline void pmumap_imc_add_text_(struct pmumap_imc_builder *b, uint32_t kind,
					const char *text)
{
	struct pmumap_imc_text_entry_ *e;

	if (!text || !*text)
		return;
	e = (struct pmumap_imc_text_entry_ *)pmumap_entries_add_(&b->entries, kind);
	if (e)
		e->text = (size_t)text;
	pmumap_entries_reserve_text_(&b->entries, text);
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_imc_begin(struct pmumap_imc_builder *b, void *mem, size_t bytes)
{
	pmumap_entries_begin_(&b->entries, mem, bytes);
	b->flags = 0;
	b->node = PMUMAP_NO_NODE;
	b->names = 0;
	b->chips_of = PMUMAP_IMC_CHIPS_OF_ALL_;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_list(struct pmumap_imc_builder *b, uint32_t id)
{
	struct pmumap_imc_list_entry_ *e;

	b->entries.need += 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_list_entry_ *)pmumap_entries_add_(&b->entries, PMUMAP_IMC_LIST_);
	if (e) {
		e->id = id;
		e->events = e->first = 0;
		e->node = (uint32_t)b->node;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_event(struct pmumap_imc_builder *b,
						   const struct pmumap_imc_event *event)
{
	struct pmumap_imc_event_entry_ *e;
	uint64_t before;

	if (!event->name)
		return b->entries.status;
	b->names++;
	b->entries.need += sizeof(struct pmumap_imc_event_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_imc_event_entry_ *)pmumap_entries_add_(&b->entries, PMUMAP_IMC_EVENT_);
	if (e) {
		e->name = (size_t)event->name;
		e->reg = event->offset;
		e->node = (uint32_t)b->node;
	}
	pmumap_entries_reserve_text_(&b->entries, event->name);
	before = b->entries.need;
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, event->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, event->measure);
	if (b->flags & PMUMAP_DESC)
		pmumap_imc_add_text_(b, PMUMAP_IMC_DESC_, event->desc);
	if (b->entries.need != before)
		b->entries.need += sizeof(struct pmumap_imc_override_);
	return b->entries.status;
}

/* The place of a unit's control block; nest units that give none have the usual one. */
static inline uint32_t pmumap_imc_control_of_(const struct pmumap_imc_unit *unit, uint32_t flags)
{
	if (unit->control || unit->type != PMUMAP_IMC_NEST ||
	    (flags & PMUMAP_IMC_UNIT_OWN_CONTROL_))
		return unit->control;
	return PMUMAP_IMC_USUAL_CONTROL_;
}

/* Add a unit that uses a list; flags: PMUMAP_IMC_UNIT_OWN_LIST_ and so on. */
static inline enum pmumap_status pmumap_imc_add_unit_entries_(struct pmumap_imc_builder *b,
							      uint32_t list,
							      const struct pmumap_imc_unit *unit,
							      uint32_t flags)
{
	const char *name = unit->name ? unit->name : "", *prefix = unit->prefix ? unit->prefix : "";
	struct pmumap_imc_unit_entries_ *e;

	b->chips_of = PMUMAP_IMC_CHIPS_DROPPED_;
	if (!pmumap_imc_is_type_(unit->type))
		return b->entries.status;
	b->chips_of = PMUMAP_IMC_CHIPS_OF_UNIT_;
	b->names++;
	b->entries.need += sizeof(struct pmumap_imc_unit_row_) +
			   sizeof(struct pmumap_imc_unit_class_) + 4 * sizeof(uint32_t);
	pmumap_entries_reserve_text_(&b->entries, name);
	pmumap_entries_reserve_text_(&b->entries, prefix);
	(void)pmumap_entries_add_(&b->entries, PMUMAP_IMC_UNIT_ | flags | unit->type);
	(void)pmumap_entries_add_(&b->entries, PMUMAP_IMC_PREFIX_);
	e = (struct pmumap_imc_unit_entries_ *)pmumap_entries_add_(&b->entries, PMUMAP_IMC_CHIPS_);
	if (e) { /* if the last one fits, all three do */
		e->unit.name = (size_t)name;
		e->unit.reg = unit->reg;
		e->unit.node = (uint32_t)b->node;
		e->unit.list = list;
		e->prefix.prefix = (size_t)prefix;
		e->prefix.size = unit->size;
		e->prefix.offset = unit->offset;
		e->prefix.control = pmumap_imc_control_of_(unit, flags);
	}
	pmumap_imc_add_text_(b, PMUMAP_IMC_SCALE_, unit->scale);
	pmumap_imc_add_text_(b, PMUMAP_IMC_MEASURE_, unit->measure);
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_unit(struct pmumap_imc_builder *b, uint32_t list,
						  const struct pmumap_imc_unit *unit)
{
	return pmumap_imc_add_unit_entries_(b, list, unit, 0);
}

/* Add a chip; kind: PMUMAP_IMC_CHIP_ or PMUMAP_IMC_HOMER_. */
static inline enum pmumap_status pmumap_imc_add_chip_entry_(struct pmumap_imc_builder *b,
							    uint32_t kind, uint32_t chip,
							    uint64_t base)
{
	struct pmumap_imc_chip_entry_ *e;

	b->entries.need += sizeof(struct pmumap_imc_chip_row_);
	e = (struct pmumap_imc_chip_entry_ *)pmumap_entries_add_(&b->entries, kind);
	if (e) {
		e->base = base;
		e->chip = chip;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_add_chip(struct pmumap_imc_builder *b, uint32_t chip,
						  uint64_t base)
{
	if (b->chips_of == PMUMAP_IMC_CHIPS_DROPPED_)
		return b->entries.status;
	return pmumap_imc_add_chip_entry_(
		b, b->chips_of == PMUMAP_IMC_CHIPS_OF_UNIT_ ? PMUMAP_IMC_CHIP_ : PMUMAP_IMC_HOMER_,
		chip, base);
}

/* ---- pool/sort.h: Merge sort of numbers */
#ifndef PMUMAP_HAS_POOL_SORT_
#define PMUMAP_HAS_POOL_SORT_
/* Compare two numbers: below 0 if a comes first, above 0 if b does, 0 to keep their order. */
typedef int pmumap_order_fn_(const void *context, uint32_t a, uint32_t b);

/*
 * Stable merge sort; spare has room for n numbers. If numbers stand for texts, each comparison
 * places one of the two. So a pass reads each text about once, and a long text does not make the
 * others expensive. Two runs already in order cost one comparison.
 */
static inline void pmumap_sort_numbers_(uint32_t *at, uint32_t n, uint32_t *spare,
					pmumap_order_fn_ *order, const void *context)
{
	uint32_t run, to, i, left, right, stop;

	for (run = 1; run < n; run *= 2) {
		for (to = 0; n - to > run; to = stop) {
			right = to + run;
			stop = n - right > run ? right + run : n;
			if (order(context, at[right - 1], at[right]) <= 0)
				continue;
			for (i = to; i < right; i++) {
				spare[i - to] = at[i];
				PMUMAP_NO_LIBCALL_();
			}
			/* The rest of the left run always fits between to and the right run. */
			for (left = 0; left < run; to++) {
				if (right < stop && order(context, spare[left], at[right]) > 0)
					at[to] = at[right++];
				else
					at[to] = spare[left++];
			}
		}
	}
}
#endif /* PMUMAP_HAS_POOL_SORT_ */

/* ---- imc/build_lists.h: From entries to event lists and strings */
/* Count lists, units and texts, and the events of each list. Returns the events of all lists. */
static inline uint32_t pmumap_imc_count_entries_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_list_entry_ *list = 0;
	uint32_t i, events = 0;

	for (i = 0; i < w->b->entries.count; i++) {
		switch (pmumap_entries_kind_(&w->b->entries, i)) {
		case PMUMAP_IMC_LIST_:
			list = PMUMAP_IMC_ENTRY_(list, w->b, i);
			w->list_count++;
			break;
		case PMUMAP_IMC_EVENT_:
			if (list)
				list->events++;
			events++;
			w->text_count++;
			break;
		case PMUMAP_IMC_UNIT_:
			w->m->unit_count++;
			w->text_count += 2;
			break;
		case PMUMAP_IMC_SCALE_:
		case PMUMAP_IMC_MEASURE_:
		case PMUMAP_IMC_DESC_:
			w->text_count++;
			break;
		default:
			break;
		}
	}
	return events;
}

/* Place the scratch tables, and fill the first with the lists, sorted by id. */
static inline void pmumap_imc_place_scratch_(struct pmumap_imc_build_ *w, uint32_t events)
{
	uint32_t i, n = 0;

	w->lists = pmumap_pool_scratch_(&w->pool, w->list_count);
	w->order = pmumap_pool_scratch_(&w->pool, events);
	w->spare = pmumap_pool_scratch_(&w->pool, events < w->list_count ? w->list_count : events);
	pmumap_pool_reserve_texts_(&w->pool, w->text_count);
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_LIST_)
			w->lists[n++] = i;
	}
	pmumap_sort_numbers_(w->lists, n, w->spare, pmumap_entries_order_ids_, &w->b->entries);
}

/*
 * The entry of a unit's list, or NO_ENTRY_; before: the last list before the unit. If the unit has
 * its own list, that is the one: the reader adds it first.
 */
static inline uint32_t pmumap_imc_list_of_unit_(const struct pmumap_imc_build_ *w,
						const struct pmumap_imc_unit_entry_ *unit,
						uint32_t before)
{
	if (!(unit->kind & PMUMAP_IMC_UNIT_OWN_LIST_))
		return pmumap_entries_find_(&w->b->entries, w->lists, w->list_count, unit->list);
	return PMUMAP_IMC_ENTRY_(list, w->b, before)->events ? before : PMUMAP_NO_ENTRY_;
}

/* Find the list of every unit. Unused lists stay unflagged and do not enter the map. */
static inline void pmumap_imc_resolve_lists_(struct pmumap_imc_build_ *w)
{
	uint32_t i, before = PMUMAP_NO_ENTRY_;
	struct pmumap_imc_unit_entries_ *e;
	struct pmumap_imc_list_entry_ *list;

	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_LIST_)
			before = i;
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		e->chips.list = pmumap_imc_list_of_unit_(w, &e->unit, before);
		if (e->chips.list == PMUMAP_NO_ENTRY_)
			continue;
		list = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list);
		if (!(list->kind & PMUMAP_IMC_LIST_USED_))
			w->m->event_count += list->events;
		list->kind |= PMUMAP_IMC_LIST_USED_;
		if ((e->unit.kind & PMUMAP_IMC_UNIT_TYPE_) != PMUMAP_IMC_TRACE)
			list->kind |= PMUMAP_IMC_LIST_COUNTED_;
	}
}

/* Copy the strings of units and used lists into the map, and their offsets into the entries. */
static inline void pmumap_imc_build_strings_(struct pmumap_imc_build_ *w)
{
	int used = 0, kept = 0;
	uint32_t i, kind;

	w->m->strings = w->m->head.size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->b->entries.count; i++) {
		struct pmumap_imc_text_entry_ *e = PMUMAP_IMC_ENTRY_(text, w->b, i);

		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_IMC_LIST_)
			used = (e->kind & PMUMAP_IMC_LIST_USED_) != 0;
		if (kind == PMUMAP_IMC_EVENT_ || kind == PMUMAP_IMC_UNIT_)
			kept = kind == PMUMAP_IMC_UNIT_ || used;
		if (kept && kind >= PMUMAP_IMC_EVENT_ && kind <= PMUMAP_IMC_PREFIX_)
			e->text = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)e->text);
	}
	pmumap_pad_image_(w->m);
	w->m->string_bytes = w->m->head.size - w->m->strings;
}

/* Compare events by offset, then by name. */
static inline int pmumap_imc_order_entry_regs_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc_build_ *w = (const struct pmumap_imc_build_ *)context;
	uint32_t x = PMUMAP_IMC_ENTRY_(event, w->b, a)->reg;
	uint32_t y = PMUMAP_IMC_ENTRY_(event, w->b, b)->reg;

	return x < y ? -1 : x > y ? 1 : pmumap_imc_order_entry_names_(context, a, b);
}

/*
 * Append the override of the event in entry i, which has number event in the map. Returns 0 if it
 * has no string but its name.
 */
static inline int pmumap_imc_emit_override_(struct pmumap_imc_build_ *w, uint32_t i, uint32_t event)
{
	struct pmumap_imc_override_ *o = 0;

	for (i++; i < w->b->entries.count; i++) {
		uint32_t kind = pmumap_entries_kind_(&w->b->entries, i);
		uint32_t text = (uint32_t)PMUMAP_IMC_ENTRY_(text, w->b, i)->text;

		if (kind < PMUMAP_IMC_SCALE_ || kind > PMUMAP_IMC_DESC_)
			break;
		if (!o) {
			o = (struct pmumap_imc_override_ *)pmumap_append_table_(w->m, 0,
										sizeof(*o));
			o->event = event;
			o->scale = o->measure = o->desc = 0;
			w->m->override_count++;
		}
		if (kind == PMUMAP_IMC_SCALE_)
			o->scale = text;
		else if (kind == PMUMAP_IMC_MEASURE_)
			o->measure = text;
		else
			o->desc = text;
	}
	return o != 0;
}

/* Fill in the n events of order[]; the first of them has number first in the map. */
static inline void pmumap_imc_emit_list_(struct pmumap_imc_build_ *w,
					 struct pmumap_imc_event_row_ *to, uint32_t first,
					 uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_IMC_ENTRY_(event, w->b, w->order[i]);

		to[i].name = (uint32_t)e->name;
		to[i].reg = e->reg;
		if (pmumap_imc_emit_override_(w, w->order[i], first + i))
			to[i].name |= PMUMAP_IMC_HAS_OVERRIDE_;
	}
}

/* Build each used list once; its entry gets the number of its first event. */
static inline void pmumap_imc_build_lists_(struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_event_row_ *events;
	uint32_t i, j, n, first = 0;
	int used;

	events = (struct pmumap_imc_event_row_ *)pmumap_append_table_(
		w->m, &w->m->events, w->m->event_count * (uint32_t)sizeof(*events));
	w->m->overrides = w->m->head.size;
	for (i = 0; i < w->b->entries.count; i++) {
		struct pmumap_imc_list_entry_ *list = PMUMAP_IMC_ENTRY_(list, w->b, i);

		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_LIST_)
			continue;
		used = (list->kind & PMUMAP_IMC_LIST_USED_) != 0;
		for (j = i + 1, n = 0; used && n < list->events; j++) {
			if (pmumap_entries_kind_(&w->b->entries, j) == PMUMAP_IMC_EVENT_)
				w->order[n++] = j;
		}
		if (!used)
			continue;
		pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_regs_, w);
		pmumap_imc_emit_list_(w, events + first, first, n);
		list->first = first;
		first += n;
	}
}

/* ---- imc/build_index.h: Build the name index */
#define PMUMAP_IMC_KEYS_ 8u  /* so many keys are tried */
#define PMUMAP_IMC_FAR_ 128u /* a free slot is sought so many slots from home */
#define PMUMAP_IMC_TAKEN_ (1u << PMUMAP_IMC_LENGTH_BITS_) /* a slot without a name: length 0 */

/* Choose the bits of a number for event and unit. number_bits becomes 0 if 31 are too few. */
static inline void pmumap_imc_choose_number_bits_(struct pmumap_imc *m)
{
	uint32_t most = 0, i, unit_bit = 1, bits;

	for (i = 0; i < m->unit_count; i++) {
		if (most < pmumap_imc_unit_rows_(m)[i].events)
			most = pmumap_imc_unit_rows_(m)[i].events;
	}
	while (most && (most - 1) >> unit_bit)
		unit_bit++;
	for (bits = unit_bit; bits < 32; bits++) {
		if ((m->unit_count - 1) >> (bits - unit_bit) == 0)
			break;
	}
	m->unit_bit = unit_bit;
	m->event_bits = ~(0xffffffffu << unit_bit);
	m->number_bits = bits < 32 ? bits : 0;
}

/* The state of building an index. */
struct pmumap_imc_index_build_ {
	const struct pmumap_imc *m;
	uint32_t *slots;
	uint32_t left_out; /* names that are not in the index, */
	uint32_t failed;   /* and those of them that another key may let in */
	unsigned char text[PMUMAP_IMC_INDEXED_BYTES_];
};

/* Write the full name of a match to text. Returns its length, or 0 if it is too long. */
static inline uint32_t pmumap_imc_spell_(struct pmumap_imc_index_build_ *x,
					 const struct pmumap_imc_match_ *match)
{
	const char *part = (const char *)pmumap_image_at_(
		x->m, pmumap_imc_unit_rows_(x->m)[match->unit].prefix);
	uint32_t parts, n = 0;

	for (parts = 2; parts; parts--) {
		for (; *part; part++) {
			if (n == PMUMAP_IMC_INDEXED_BYTES_)
				return 0;
			x->text[n++] = (unsigned char)*part;
			PMUMAP_NO_LIBCALL_();
		}
		part = pmumap_imc_event_name_(x->m, match->event);
	}
	return n;
}

/* Whether a name may move from one slot to another without being too far from home. */
static inline int pmumap_imc_may_move_(struct pmumap_imc_index_build_ *x, uint32_t from,
				       uint32_t to)
{
	uint32_t slot = x->slots[from], len, nth;
	struct pmumap_imc_match_ match;
	uint64_t hash;

	if (slot == PMUMAP_IMC_TAKEN_)
		return 0;
	match = pmumap_imc_match_of_number_(x->m, slot >> PMUMAP_IMC_TAG_BITS_);
	len = pmumap_imc_spell_(x, &match);
	hash = pmumap_hash_text_(x->text, len, x->m->key);
	nth = ((slot >> PMUMAP_IMC_LENGTH_BITS_) - (uint32_t)hash) % PMUMAP_IMC_HASH_TAGS_;
	return to - pmumap_imc_home_(x->m, hash + nth * PMUMAP_IMC_NTH_) < PMUMAP_IMC_REACH_;
}

/*
 * Fill the first free slot from home on; if it is too far, move names between into it, until the
 * free one is near. Returns 0 if there is none, or no name can move. Overwrites text.
 *
 * No slot becomes free again: after a failure the free one is taken by no name. So from the same
 * home it fails always, and a later match cannot take the place of one that is left out.
 */
static inline int pmumap_imc_fill_slot_(struct pmumap_imc_index_build_ *x, uint32_t home,
					uint32_t slot)
{
	uint32_t end = x->m->homes + PMUMAP_IMC_REACH_ - 1, at = home, from;

	if (end - home > PMUMAP_IMC_FAR_)
		end = home + PMUMAP_IMC_FAR_;
	while (at < end && x->slots[at])
		at++;
	if (at == end)
		return 0;
	while (at - home >= PMUMAP_IMC_REACH_) {
		for (from = at - (PMUMAP_IMC_REACH_ - 1); from < at; from++) {
			if (pmumap_imc_may_move_(x, from, at))
				break;
		}
		if (from == at) {
			x->slots[at] = PMUMAP_IMC_TAKEN_;
			return 0;
		}
		x->slots[at] = x->slots[from];
		at = from;
	}
	x->slots[at] = slot;
	return 1;
}

/* Put a match into the index, after earlier matches of its name. */
static inline void pmumap_imc_index_name_(struct pmumap_imc_index_build_ *x, uint32_t number)
{
	struct pmumap_imc_match_ match = pmumap_imc_match_of_number_(x->m, number), other;
	uint32_t len = pmumap_imc_spell_(x, &match), nth;
	uint64_t hash = pmumap_hash_text_(x->text, len, x->m->key);
	int found = 1;

	for (nth = 0; len && nth < PMUMAP_IMC_INDEXED_MATCHES_; nth++, hash += PMUMAP_IMC_NTH_) {
		found = pmumap_imc_probe_index_(x->m, x->text, len, hash, &other);
		if (found <= 0)
			break;
	}
	if (found <= 0 &&
	    pmumap_imc_fill_slot_(x, pmumap_imc_home_(x->m, hash),
				  number << PMUMAP_IMC_TAG_BITS_ |
					  (pmumap_imc_tag_(hash, len) & PMUMAP_IMC_TAG_)))
		return;
	x->left_out++;
	x->failed += found <= 0;
}

/*
 * Fill the table by the key: names with longer prefixes first, then in the order of units. Give up
 * after this many failures, or if more than a quarter of the names are left out.
 */
static inline void pmumap_imc_fill_index_(struct pmumap_imc_index_build_ *x, uint32_t failures)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(x->m);
	uint32_t bytes = PMUMAP_IMC_LONG_PREFIX_, next, unit, event;

	pmumap_zero_words_(x->slots, (x->m->homes + PMUMAP_IMC_REACH_ - 1) * sizeof(uint32_t));
	x->left_out = x->failed = 0;
	for (;; bytes = next) {
		next = PMUMAP_NO_ROW;
		for (unit = 0; unit < x->m->unit_count; unit++) {
			uint32_t n = PMUMAP_IMC_PREFIX_BYTES_(u + unit);

			if (n < bytes && (next == PMUMAP_NO_ROW || n > next))
				next = n;
			for (event = 0; n == bytes && event < u[unit].events &&
					x->failed < failures && x->left_out <= x->m->names / 4;
			     event++)
				pmumap_imc_index_name_(x, unit << x->m->unit_bit | event);
		}
		if (next == PMUMAP_NO_ROW)
			return;
	}
}

/* The bits of first_bytes for all spellings of all units: pmumap_imc_unit_name_matches_(). */
static inline uint32_t pmumap_imc_unit_first_bytes_(const struct pmumap_imc *m)
{
	uint32_t bits = 1u << ('n' >> 3), unit;

	for (unit = 0; unit < m->unit_count; unit++) {
		unsigned char first = (unsigned char)*pmumap_imc_node_name_(m, unit);

		bits |= 1u << (first >> 3) | (first == 0 || first == '@' ? 1u << ('/' >> 3) : 0);
	}
	return bits;
}

/*
 * Bytes that suffice to build everything that finds names and offsets: the index, the sorted
 * tables, then with scratch tables the order of offsets. With up to NAMES_EACH_ names for each unit
 * and event, so many of the bytes that pmumap_imc_need() counts are free here: the entries and
 * scratch tables of a unit have 104, those of an event 40.
 */
#define PMUMAP_IMC_NAMES_EACH_ 2u

static inline uint64_t pmumap_imc_index_bytes_(const struct pmumap_imc *m)
{
	uint64_t units = m->unit_count, events = m->event_count;
	uint64_t spare = 4 * (units < events ? events : units), offsets = 9 * (uint64_t)m->names;

	return 8 * (uint64_t)m->names + 4 * (2 * units + events) +
	       (offsets < spare ? spare : offsets) + 128;
}

/*
 * The key for a try. It depends on all strings: names that are written to share a home with one key
 * get another. No step loses what came before, because it can be inverted.
 */
static inline uint64_t pmumap_imc_make_key_(const struct pmumap_imc *m, uint32_t tries)
{
	const unsigned char *text = (const unsigned char *)pmumap_image_at_(m, m->strings);
	uint64_t key = PMUMAP_POOL_KEY_ * tries;
	uint32_t n;

	for (n = m->string_bytes; n >= 8; n -= 8, text += 8) {
		key = (key ^ pmumap_load_word_(text)) * PMUMAP_POOL_KEY_;
		key ^= key >> 32;
	}
	return key;
}

#define PMUMAP_IMC_MANY_NAMES_ 4096u

/*
 * Append the table for a try. With room for it, it is larger for later keys, and for so many names
 * that some would often find no slot.
 */
static inline uint32_t *pmumap_imc_append_slots_(struct pmumap_imc *m, uint32_t tries,
						 uint64_t room)
{
	uint32_t n = m->names, more = n / 8 * (tries - 1);

	if (n >= PMUMAP_IMC_MANY_NAMES_)
		more += n / 2;
	m->homes = 2 * n + 1 + (more * sizeof(uint32_t) <= room ? more : 0);
	m->key = pmumap_imc_make_key_(m, tries);
	return (uint32_t *)pmumap_append_table_(
		m, &m->slots, (m->homes + PMUMAP_IMC_REACH_ - 1) * (uint32_t)sizeof(uint32_t));
}

/*
 * Build the name index, with two homes or more for each name. With the first keys, all must find a
 * slot. Names that are too long, have too many matches, or find no slot with any key are left out,
 * and found by the sorted tables. Returns how many; without an index, all.
 */
static inline uint32_t pmumap_imc_build_index_(struct pmumap_imc_build_ *w)
{
	uint32_t size = w->m->head.size, n = w->m->names, tries;
	uint64_t need = pmumap_imc_index_bytes_(w->m);
	uint64_t room = (uint64_t)(w->pool.top - ((unsigned char *)w->m + size));
	struct pmumap_imc_index_build_ x;

	if (n == 0 || w->m->number_bits - 1 >= 32 - PMUMAP_IMC_TAG_BITS_ || need > room)
		return n;
	w->m->first_bytes = pmumap_imc_unit_first_bytes_(w->m);
	x.m = w->m;
	for (tries = 1; tries <= PMUMAP_IMC_KEYS_; tries++) {
		w->m->head.size = size;
		x.slots = pmumap_imc_append_slots_(w->m, tries, room - need);
		pmumap_imc_fill_index_(&x, tries < PMUMAP_IMC_KEYS_ ? 1 : n);
		if (x.failed == 0)
			break;
	}
	if (x.left_out <= n / 4)
		return x.left_out;
	w->m->head.size = size;
	w->m->key = w->m->homes = w->m->slots = w->m->first_bytes = 0;
	return n;
}

/* ---- imc/build_units.h: From entries to units, classes and chips */
static inline int pmumap_imc_chips_are_equal_(const struct pmumap_imc_chip_row_ *a,
					      const struct pmumap_imc_chip_row_ *b, uint32_t n)
{
	while (n && a->chip == b->chip && a->base == b->base) {
		a++;
		b++;
		n--;
	}
	return n == 0;
}

static inline void pmumap_imc_emit_chip_(struct pmumap_imc_build_ *w,
					 const struct pmumap_imc_chip_entry_ *e)
{
	struct pmumap_imc_chip_row_ *chip =
		(struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, 0, sizeof(*chip));

	chip->base = e->base;
	chip->chip = e->chip;
	chip->unused = 0;
	w->m->chip_count++;
}

/* Append a unit's chips, from entry i on. Returns how many; *next: the entry of the next unit. */
static inline uint32_t pmumap_imc_emit_chips_(struct pmumap_imc_build_ *w, uint32_t i,
					      uint32_t *next)
{
	uint32_t n = 0;

	for (; i < w->b->entries.count; i++) {
		uint32_t kind = pmumap_entries_kind_(&w->b->entries, i);

		if (kind == PMUMAP_IMC_UNIT_)
			break;
		if (kind != PMUMAP_IMC_CHIP_)
			continue;
		pmumap_imc_emit_chip_(w, PMUMAP_IMC_ENTRY_(chip, w->b, i));
		n++;
	}
	*next = i;
	return n;
}

/* Whether a unit without chips gets the HOMER chips. */
static inline int pmumap_imc_takes_homers_(const struct pmumap_imc_unit_entry_ *unit)
{
	return (unit->kind & PMUMAP_IMC_UNIT_TYPE_) == PMUMAP_IMC_NEST &&
	       !(unit->kind & PMUMAP_IMC_UNIT_OWN_CHIPS_);
}

/*
 * Build the table of chips, and note each unit's place in it. A unit with the same chips as the one
 * before shares them.
 */
static inline void pmumap_imc_build_chips_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_chip_row_ *chips =
		(const struct pmumap_imc_chip_row_ *)pmumap_append_table_(w->m, &w->m->chips, 0);
	uint32_t i, next, n, first, homers, before = 0, before_n = 0;
	struct pmumap_imc_unit_entries_ *e;

	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_HOMER_)
			pmumap_imc_emit_chip_(w, PMUMAP_IMC_ENTRY_(chip, w->b, i));
	}
	homers = w->m->chip_count;
	for (i = 0; i < w->b->entries.count; i = next) {
		next = i + 1;
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		first = w->m->chip_count;
		n = pmumap_imc_emit_chips_(w, i + PMUMAP_IMC_UNIT_ENTRIES_, &next);
		if (n && n == before_n &&
		    pmumap_imc_chips_are_equal_(chips + before, chips + first, n)) {
			w->m->chip_count -= n;
			w->m->head.size -= n * (uint32_t)sizeof(*chips);
			first = before;
		}
		if (n) {
			before = first;
			before_n = n;
		} else if (pmumap_imc_takes_homers_(&e->unit)) {
			first = 0;
			n = homers;
		}
		e->chips.first = first;
		e->chips.count = n;
	}
}

/* Compare a unit with at most this many classes, so that building stays linear. */
#define PMUMAP_IMC_CLASSES_COMPARED_ 16u

/* The class of the unit in an entry: an equal one among the last few, otherwise a new one. */
static inline uint32_t pmumap_imc_build_unit_class_(struct pmumap_imc_build_ *w, uint32_t entry)
{
	const struct pmumap_imc_unit_entries_ *e = pmumap_imc_unit_at_(w->b, entry);
	struct pmumap_imc_unit_class_ *classes, *k;
	uint32_t n = w->m->unit_class_count, tries, i;

	classes = (struct pmumap_imc_unit_class_ *)(void *)((char *)w->m + w->m->unit_classes);
	k = (struct pmumap_imc_unit_class_ *)pmumap_append_table_(w->m, 0, sizeof(*k));
	k->scale = k->measure = 0;
	for (i = entry + PMUMAP_IMC_UNIT_ENTRIES_; i < w->b->entries.count; i++) {
		const struct pmumap_imc_text_entry_ *text = PMUMAP_IMC_ENTRY_(text, w->b, i);

		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_SCALE_)
			k->scale = (uint32_t)text->text;
		else if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_MEASURE_)
			k->measure = (uint32_t)text->text;
		else
			break;
	}
	k->type = e->unit.kind & PMUMAP_IMC_UNIT_TYPE_;
	k->size = e->prefix.size;
	k->offset = e->prefix.offset;
	k->control = e->prefix.control;
	k->chips = e->chips.first;
	k->chip_count = e->chips.count;
	for (tries = 0; tries < PMUMAP_IMC_CLASSES_COMPARED_ && tries < n; tries++) {
		const uint32_t *x = (const uint32_t *)(const void *)k;
		const uint32_t *y = (const uint32_t *)(const void *)(k - 1 - tries);

		for (i = 0; i < sizeof(*k) / sizeof(*x) && x[i] == y[i]; i++)
			;
		if (i < sizeof(*k) / sizeof(*x))
			continue;
		w->m->head.size -= (uint32_t)sizeof(*k);
		return n - 1 - tries;
	}
	w->m->unit_class_count++;
	return (uint32_t)(k - classes);
}

/* Drop a unit's events outside its window: sorted by reg, they are the last ones. */
static inline void pmumap_imc_limit_events_(const struct pmumap_imc *m,
					    struct pmumap_imc_unit_row_ *u,
					    const struct pmumap_imc_unit_class_ *k)
{
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m) + u->first;
	uint32_t n = pmumap_imc_count_events_to_(e, u->events, ~u->reg), last;

	u->events = n;
	if (k->type == PMUMAP_IMC_TRACE)
		return;
	last = k->size - PMUMAP_IMC_COUNTER_BYTES_; /* the last place in the window */
	if (k->size && (k->size < PMUMAP_IMC_COUNTER_BYTES_ || u->reg > last))
		n = 0;
	else if (k->size)
		n = pmumap_imc_count_events_to_(e, n, last - u->reg);
	u->events = n;
}

static inline size_t pmumap_imc_prefix_bytes_(const struct pmumap_imc *m,
					      const struct pmumap_imc_unit_row_ *u)
{
	size_t n = PMUMAP_IMC_PREFIX_BYTES_(u);

	if (n == PMUMAP_IMC_LONG_PREFIX_) {
		for (n = 0; ((const char *)pmumap_image_at_(m, u->prefix))[n]; n++)
			PMUMAP_NO_LIBCALL_();
	}
	return n;
}

/* Build the units, in the order of the tree, and their classes. */
static inline void pmumap_imc_build_units_(struct pmumap_imc_build_ *w)
{
	const struct pmumap_imc_unit_entries_ *e;
	struct pmumap_imc_unit_row_ *u;
	uint64_t names = 0;
	uint32_t i, class_of;
	size_t bytes;

	u = (struct pmumap_imc_unit_row_ *)pmumap_append_table_(
		w->m, &w->m->units, w->m->unit_count * (uint32_t)sizeof(*u));
	w->m->unit_classes = w->m->head.size;
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		class_of = pmumap_imc_build_unit_class_(w, i);
		u->name = (uint32_t)e->unit.name;
		u->prefix = (uint32_t)e->prefix.prefix;
		u->reg = e->unit.reg;
		u->first = u->events = 0;
		if (e->chips.list != PMUMAP_NO_ENTRY_) {
			u->first = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list)->first;
			u->events = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list)->events;
		}
		u->kind = PMUMAP_IMC_LONG_PREFIX_;
		bytes = pmumap_imc_prefix_bytes_(w->m, u);
		u->kind =
			class_of << 8 | (bytes < PMUMAP_IMC_LONG_PREFIX_ ? (uint32_t)bytes
									 : PMUMAP_IMC_LONG_PREFIX_);
		pmumap_imc_limit_events_(w->m, u, pmumap_imc_class_of_unit_(w->m, u));
		if (u->events == 0)
			u->first = 0; /* only units without events may end at 0 */
		names += u->events;
		u++;
	}
	w->m->names = names < 0xffffffffu ? (uint32_t)names : 0xffffffffu;
}

/* ---- imc/build_orders.h: Sorted tables: names without an index, offsets */
/* Compare events of the map by name. Equal names keep the order of their numbers. */
static inline int pmumap_imc_order_event_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_event_row_ *e = pmumap_imc_event_rows_(m);

	return pmumap_imc_compare_strings_(m, e[a].name & ~PMUMAP_IMC_HAS_OVERRIDE_,
					   e[b].name & ~PMUMAP_IMC_HAS_OVERRIDE_);
}

/*
 * Compare units of the map by prefix, then by the end of their events. So units with the same names
 * are neighbours, in the order of the tree.
 */
static inline int pmumap_imc_order_unit_prefixes_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_unit_row_ *x = pmumap_imc_unit_rows_(m) + a;
	const struct pmumap_imc_unit_row_ *y = pmumap_imc_unit_rows_(m) + b;
	int order = pmumap_imc_compare_strings_(m, x->prefix, y->prefix);

	uint32_t i = x->first + x->events, j = y->first + y->events;

	return order ? order : i < j ? -1 : i > j;
}

/*
 * Fill in the chain of prefixes described at PMUMAP_IMC_NO_PREFIX_; units: by_prefix. first: the
 * place where the current run of equal prefixes begins. A prefix that is skipped is in no later
 * chain, so each is compared once, plus once with the next.
 */
static inline void pmumap_imc_chain_prefixes_(struct pmumap_imc_build_ *w, const uint32_t *units,
					      uint32_t *chain)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m);
	uint32_t i, first = 0, other;

	for (i = 0; i < w->m->unit_count; i++) {
		uint32_t prefix = u[units[i]].prefix;
		const char *s = (const char *)pmumap_image_at_(w->m, prefix);
		size_t len = pmumap_imc_prefix_bytes_(w->m, &u[units[i]]);

		if (i && !pmumap_imc_compare_strings_(w->m, u[units[first]].prefix, prefix)) {
			chain[i] = first | PMUMAP_IMC_SAME_PREFIX_;
			continue;
		}
		for (other = i ? first : PMUMAP_IMC_NO_PREFIX_; other != PMUMAP_IMC_NO_PREFIX_;
		     other = chain[other]) {
			const char *t =
				(const char *)pmumap_image_at_(w->m, u[units[other]].prefix);

			if (pmumap_prefix_length_(t, (const unsigned char *)s, len) <= len)
				break;
		}
		chain[i] = other;
		first = i;
	}
}

/* Build the sorted tables. The memory of the entries is free. */
static inline void pmumap_imc_build_orders_(struct pmumap_imc_build_ *w)
{
	uint32_t unit_count = w->m->unit_count, event_count = w->m->event_count, i;
	uint32_t bytes = unit_count * (uint32_t)sizeof(uint32_t);
	uint32_t *units = (uint32_t *)pmumap_append_table_(w->m, &w->m->by_prefix, bytes);
	uint32_t *chain = (uint32_t *)pmumap_append_table_(w->m, &w->m->chain, bytes);
	uint32_t *events = (uint32_t *)pmumap_append_table_(
		w->m, &w->m->by_name, event_count * (uint32_t)sizeof(uint32_t));
	uint32_t *spare =
		pmumap_pool_scratch_(&w->pool, unit_count < event_count ? event_count : unit_count);

	for (i = 0; i < unit_count; i++)
		units[i] = i;
	for (i = 0; i < event_count; i++)
		events[i] = i;
	pmumap_sort_numbers_(units, unit_count, spare, pmumap_imc_order_unit_prefixes_, w->m);
	pmumap_sort_numbers_(events, event_count, spare, pmumap_imc_order_event_names_, w->m);
	pmumap_imc_chain_prefixes_(w, units, chain);
}

static inline uint32_t pmumap_imc_key_of_number_(const struct pmumap_imc *m, uint32_t number)
{
	return pmumap_imc_offset_key_(pmumap_imc_offset_of_number_(m, number));
}

/* Compare numbers by the keys of their offsets. Equal offsets keep their order. */
static inline int pmumap_imc_order_keys_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	uint32_t x = pmumap_imc_key_of_number_(m, a), y = pmumap_imc_key_of_number_(m, b);

	return x < y ? -1 : x > y;
}

/*
 * Sort n numbers into sorted: a counting sort by bucket, filled from the end, then a merge sort in
 * each bucket, because a hostile tree may fill a single one. starts gets where buckets begin, and
 * the end.
 */
static inline void pmumap_imc_sort_by_key_(const struct pmumap_imc *m, uint32_t *numbers,
					   uint32_t n, uint32_t *sorted, uint32_t *starts)
{
	uint32_t count = pmumap_imc_count_offset_buckets_(n), bucket, i;

	pmumap_zero_words_(starts, (count + 1) * sizeof(*starts));
	for (i = 0; i < n; i++)
		starts[pmumap_scale_to_(pmumap_imc_key_of_number_(m, numbers[i]), count)]++;
	for (bucket = 0; bucket < count; bucket++)
		starts[bucket + 1] += starts[bucket];
	for (i = n; i-- > 0;) {
		bucket = pmumap_scale_to_(pmumap_imc_key_of_number_(m, numbers[i]), count);
		sorted[--starts[bucket]] = numbers[i];
	}
	for (bucket = 0; bucket < count; bucket++)
		pmumap_sort_numbers_(sorted + starts[bucket], starts[bucket + 1] - starts[bucket],
				     numbers, pmumap_imc_order_keys_, m);
}

/*
 * Store n numbers in 16 or 32 bits each. With 65536 names, 16 bits hold the end one too low. That
 * is harmless: a search that gets this far ends at the last name.
 */
static inline void pmumap_imc_store_numbers_(void *table, const uint32_t *numbers, uint32_t n,
					     int wide)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (wide)
			((uint32_t *)table)[i] = numbers[i];
		else
			((uint16_t *)table)[i] =
				(uint16_t)(numbers[i] < 0xffff ? numbers[i] : 0xffff);
		PMUMAP_NO_LIBCALL_();
	}
}

/*
 * Build the order of offsets, unless names far outnumber events and units: the map works without
 * it. It adds 2 or 4 bytes per name and an eighth of that; building takes 8 1/2 per name, for which
 * pmumap_imc_index_bytes_() is enough.
 */
static inline void pmumap_imc_build_offsets_(struct pmumap_imc_build_ *w)
{
	uint32_t n = w->m->names, starts_count = pmumap_imc_count_offset_buckets_(n) + 1;
	int wide = pmumap_imc_has_wide_numbers_(w->m);
	uint32_t each = wide ? 4 : 2, *numbers, *sorted, *starts;
	void *buckets;

	if (n == 0 || w->m->number_bits == 0 ||
	    (!w->m->slots && n / PMUMAP_IMC_NAMES_EACH_ > w->b->names))
		return;
	buckets = pmumap_append_table_(w->m, &w->m->offset_buckets, starts_count * each);
	numbers = (uint32_t *)(void *)((char *)w->m + w->m->head.size);
	sorted = numbers + n;
	starts = sorted + n;
	pmumap_imc_number_names_(w->m, numbers);
	pmumap_imc_sort_by_key_(w->m, numbers, n, sorted, starts);
	pmumap_imc_store_numbers_(buckets, starts, starts_count, wide);
	pmumap_imc_store_numbers_(numbers, sorted, n, wide);
	w->m->by_offset = w->m->head.size;
	w->m->head.size += n * each;
	pmumap_pad_image_(w->m);
}

/* ---- imc/build.h: Memory for a build; from entries to a map */
/* Upper bound of the bytes that a build without indexes takes. */
static inline uint64_t pmumap_imc_map_need_(const struct pmumap_imc_builder *b)
{
	return sizeof(struct pmumap_imc) + 256 /* tables are rounded up */ + b->entries.need;
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_imc_need(const struct pmumap_imc_builder *b)
{
	uint64_t need = pmumap_imc_map_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

/* Begin with the head of an empty map. The magic number is written last. */
static inline struct pmumap_imc *pmumap_imc_begin_image_(const struct pmumap_imc_builder *b)
{
	struct pmumap_imc *m = (struct pmumap_imc *)(void *)b->entries.mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.size = (uint32_t)sizeof(*m);
	return m;
}

/* Build lists, chips, units and strings; do nothing when measuring. */
static inline enum pmumap_status pmumap_imc_build_tables_(struct pmumap_imc_build_ *w,
							  struct pmumap_imc_builder *b)
{
	if (!pmumap_entries_fit_(&b->entries, pmumap_imc_map_need_(b)))
		return b->entries.status;
	w->b = b;
	w->m = pmumap_imc_begin_image_(b);
	w->list_count = w->text_count = 0;
	pmumap_pool_init_(&w->pool, w->m, pmumap_entries_end_(&b->entries));
	pmumap_imc_place_scratch_(w, pmumap_imc_count_entries_(w));
	pmumap_imc_resolve_lists_(w);
	pmumap_imc_build_strings_(w);
	pmumap_imc_build_lists_(w);
	pmumap_imc_build_chips_(w);
	pmumap_imc_build_units_(w);
	pmumap_imc_choose_number_bits_(w->m);
	return PMUMAP_OK;
}

/* Free the memory of the entries: nothing reads them from here on. */
static inline void pmumap_imc_release_entries_(struct pmumap_imc_build_ *w)
{
	w->pool.top = w->b->entries.mem + (w->b->entries.bytes & ~(size_t)7);
}

/* Index names and offsets, also over the entries. */
static inline const struct pmumap_imc *pmumap_imc_build_indexes_(struct pmumap_imc_build_ *w)
{
	pmumap_imc_release_entries_(w);
	if (pmumap_imc_build_index_(w) || !w->m->slots)
		pmumap_imc_build_orders_(w);
	pmumap_imc_build_offsets_(w);
	w->m->head.magic = PMUMAP_IMC_MAGIC;
	pmumap_entries_close_(&w->b->entries);
	return w->m;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_imc_finish(struct pmumap_imc_builder *b,
							     const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ w;
	enum pmumap_status status;

	if (map)
		*map = 0;
	if (b->entries.mem && !map)
		return PMUMAP_E_ARG;
	status = pmumap_imc_build_tables_(&w, b);
	if (status == PMUMAP_OK && b->entries.mem)
		*map = pmumap_imc_build_indexes_(&w);
	return status;
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

/* ---- fdt/walk.h: One pass over the tags */
#ifndef PMUMAP_HAS_FDT_WALK_
#define PMUMAP_HAS_FDT_WALK_
/* The properties that a reader wants: concatenated names, and their lengths. See property.h. */
struct pmumap_fdt_names_ {
	const char *texts;
	const unsigned char *bytes;
	uint32_t count;
};

/*
 * One pass over the structure block. Invariant: start <= at <= end; at and end are multiples of 4
 * from start; end is in bounds; every offset below names_bytes is a terminated string.
 */
struct pmumap_fdt_walk_ {
	const unsigned char *blob;
	uint32_t start, at, end;
	uint32_t names, names_bytes;
	uint32_t depth;
	uint32_t wanted; /* offset of the only node to read, or 0 */
	uint32_t offset; /* of the current node */
	uint32_t open;   /* it may have more properties */
	uint32_t closed; /* the root has ended */
	/*
	 * Called when a node's properties are complete. NULL: only validate. The members below are
	 * for read_node.
	 */
	void (*read_node)(struct pmumap_fdt_walk_ *w);
	/*
	 * Called for each property, with its value at w->at: pmumap_fdt_note_property_(). A
	 * pointer, so that programs that only edit trees do not link it.
	 */
	void (*note_property)(struct pmumap_fdt_walk_ *w, uint32_t name);
	struct pmumap_fdt_names_ wanted_names;
	uint32_t *found; /* for each, the offset of its value in the current node, or 0 */
};

/* Validate the header. On success the invariant of the walk holds. */
static inline enum pmumap_status pmumap_fdt_validate_header_(struct pmumap_fdt_walk_ *w,
							     size_t size)
{
	uint32_t h[PMUMAP_FDT_CELLS_], i;

	for (i = 0; i < PMUMAP_FDT_CELLS_ && 4 * i + 4 <= size; i++)
		h[i] = pmumap_load_be32_(w->blob + 4 * i);
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
	w->start = w->at = h[PMUMAP_FDT_TAGS_];
	w->end = w->start + h[PMUMAP_FDT_TAGS_SIZE_] / 4 * 4;
	w->names = h[PMUMAP_FDT_NAMES_];
	w->names_bytes = h[PMUMAP_FDT_NAMES_SIZE_];
	while (w->names_bytes && w->blob[w->names + w->names_bytes - 1])
		w->names_bytes--;
	return PMUMAP_OK;
}

/* The current node's name, terminated in bounds. */
static inline const unsigned char *pmumap_fdt_node_name_(const struct pmumap_fdt_walk_ *w)
{
	return w->blob + w->start + w->offset + 4;
}

/* The current node's properties are complete: read it once, then forget them. */
static inline void pmumap_fdt_end_properties_(struct pmumap_fdt_walk_ *w)
{
	if (!w->open || !w->read_node)
		return;
	w->read_node(w);
	pmumap_zero_words_(w->found, w->wanted_names.count * sizeof(*w->found));
}

/* Skip the rest of a node's tag. Returns 0 if no node may begin here. */
static inline int pmumap_fdt_begin_node_(struct pmumap_fdt_walk_ *w)
{
	uint32_t offset = w->at - 4 - w->start;

	if (w->depth == PMUMAP_FDT_DEPTH_ || w->closed)
		return 0;
	pmumap_fdt_end_properties_(w);
	while (w->at < w->end && w->blob[w->at])
		w->at++;
	if (w->at == w->end)
		return 0;
	w->at += 4 - (w->at - w->start) % 4; /* at least the NUL; end is a multiple of 4 */
	w->depth++;
	w->open = 1;
	w->offset = offset;
	return 1;
}

/* Skip the rest of a property. Returns 0 if none may come here, or it is out of bounds. */
static inline int pmumap_fdt_walk_property_(struct pmumap_fdt_walk_ *w)
{
	uint32_t bytes, name;

	if (!w->open || w->end - w->at < 8)
		return 0;
	bytes = pmumap_load_be32_(w->blob + w->at);
	name = pmumap_load_be32_(w->blob + w->at + 4);
	w->at += 8;
	if (bytes > w->end - w->at || name >= w->names_bytes)
		return 0;
	if (w->note_property)
		w->note_property(w, w->names + name);
	w->at += bytes + (4 - bytes % 4) % 4; /* the rest of the block is a multiple of 4 */
	return 1;
}

/* Validate all tags and read nodes meanwhile. Stops at the first bad tag. */
static inline enum pmumap_status pmumap_fdt_walk_tags_(struct pmumap_fdt_walk_ *w)
{
	int good = 1;

	while (good && w->end - w->at >= 4) {
		uint32_t tag = pmumap_load_be32_(w->blob + w->at);

		w->at += 4;
		switch (tag) {
		case PMUMAP_FDT_BEGIN_NODE_:
			good = pmumap_fdt_begin_node_(w);
			break;
		case PMUMAP_FDT_END_NODE_:
			pmumap_fdt_end_properties_(w);
			w->open = 0;
			good = w->depth != 0;
			w->closed = w->depth-- == 1;
			break;
		case PMUMAP_FDT_PROPERTY_:
			good = pmumap_fdt_walk_property_(w);
			break;
		case PMUMAP_FDT_NOP_:
			break;
		case PMUMAP_FDT_END_:
			return w->closed ? PMUMAP_OK : PMUMAP_E_FDT_STRUCT;
		default:
			return PMUMAP_E_FDT_STRUCT;
		}
	}
	return PMUMAP_E_FDT_STRUCT;
}

/* Validate the blob at w->blob and read it meanwhile. */
static inline enum pmumap_status pmumap_fdt_walk_blob_(struct pmumap_fdt_walk_ *w, size_t size)
{
	enum pmumap_status status = pmumap_fdt_validate_header_(w, size);

	return status == PMUMAP_OK ? pmumap_fdt_walk_tags_(w) : status;
}

PMUMAP_DEF uint32_t pmumap_fdt_size(const void *fdt)
{
	const unsigned char *p = (const unsigned char *)fdt;

	if (!p || pmumap_load_be32_(p) != PMUMAP_FDT_MAGIC_NUMBER_)
		return 0;
	return pmumap_load_be32_(p + 4) < 4 * PMUMAP_FDT_CELLS_ ? 0 : pmumap_load_be32_(p + 4);
}
#endif /* PMUMAP_HAS_FDT_WALK_ */

/* ---- fdt/property.h: Properties of the current node */
#ifndef PMUMAP_HAS_FDT_PROPERTY_
#define PMUMAP_HAS_FDT_PROPERTY_
/*
 * A reader lists the properties it wants once, as X(NAME, "name"). A '*' at the end matches any
 * rest. From its list the reader makes an enum and, with these macros, the concatenated texts and
 * their lengths.
 */
#define PMUMAP_FDT_TEXT_(name, text) text "\0"
#define PMUMAP_FDT_BYTES_(name, text) sizeof(text),

/* A property's index in the list, or n->count if the reader does not want it. */
static inline uint32_t pmumap_fdt_number_of_name_(const struct pmumap_fdt_names_ *n,
						  const unsigned char *name)
{
	const char *text = n->texts;
	uint32_t i, k;

	for (i = 0; i < n->count; text += n->bytes[i++]) {
		k = 0;
		while (name[k] && name[k] == (unsigned char)text[k])
			k++;
		if (text[k] == '*' || (text[k] == 0 && name[k] == 0))
			break;
	}
	return i;
}

/*
 * Store the offset of a wanted property's value, which is at w->at. The first of duplicates wins.
 * name: offset of its name in the blob.
 */
static inline void pmumap_fdt_note_property_(struct pmumap_fdt_walk_ *w, uint32_t name)
{
	uint32_t i = pmumap_fdt_number_of_name_(&w->wanted_names, w->blob + name);

	if (i < w->wanted_names.count && !w->found[i])
		w->found[i] = w->at;
}

/* Make the walk store the properties of a reader's list: its texts, their lengths and number. */
static inline void pmumap_fdt_want_(struct pmumap_fdt_walk_ *w, const char *texts,
				    const unsigned char *bytes, uint32_t count, uint32_t *found)
{
	w->note_property = pmumap_fdt_note_property_;
	w->wanted_names.texts = texts;
	w->wanted_names.bytes = bytes;
	w->wanted_names.count = count;
	w->found = found;
}

/* The value of a property and its length; NULL and 0 if it is missing. */
static inline const unsigned char *pmumap_fdt_property_value_(const struct pmumap_fdt_walk_ *w,
							      uint32_t property, uint32_t *bytes)
{
	return pmumap_fdt_value_at_(w->blob, w->found[property], bytes);
}

/* Read the first cell of a property. Returns 0, and *value is unchanged, if it is missing. */
static inline int pmumap_fdt_property_number_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					      uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	if (bytes < 4)
		return 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* The current node's #address-cells, whose index is property; 2 if it is missing. */
static inline uint32_t pmumap_fdt_address_cells_(const struct pmumap_fdt_walk_ *w,
						 uint32_t property)
{
	uint32_t cells = 2;

	(void)pmumap_fdt_property_number_(w, property, &cells);
	return cells;
}

/*
 * Read an address of this many cells from a property. Returns 0 if it is too short, or cells is not
 * 1 or 2.
 */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					  uint32_t cells, uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	return pmumap_fdt_load_address_(p, bytes, cells, address);
}
#endif /* PMUMAP_HAS_FDT_PROPERTY_ */

/* ---- pool/property.h: Text properties */
#ifndef PMUMAP_HAS_POOL_PROPERTY_
#define PMUMAP_HAS_POOL_PROPERTY_
/* The first string of a property; NULL if absent or unterminated. Scans by words. */
PMUMAP_OUTLINE_ const char *pmumap_fdt_property_text_(const struct pmumap_fdt_walk_ *w,
						      uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	while (i + 8 <= bytes &&
	       !(pmumap_zero_bytes_(pmumap_load_word_(p + i)) & PMUMAP_HIGH_BITS_))
		i += 8;
	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/* The first of two names for a property if it is present, otherwise the second. */
static inline uint32_t pmumap_fdt_either_property_(const struct pmumap_fdt_walk_ *w,
						   uint32_t property, uint32_t other)
{
	return w->found[property] ? property : other;
}

/*
 * The current node's phandle, from its current or older property; 0 if it has neither. 0xffffffff
 * counts as absent: libfdt rejects it too.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					   uint32_t older)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_property_number_(w, property, &phandle))
		(void)pmumap_fdt_property_number_(w, older, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}
#endif /* PMUMAP_HAS_POOL_PROPERTY_ */

/* ---- imc/fdt_unit.h: A unit of a catalog or of /imc-counters: type, window, chips */
/* Properties to read. */
#define PMUMAP_IMC_PROPERTY_LIST_(X)                                                               \
	X(COMPATIBLE, "compatible")                                                                \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
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
	X(NEST_SIZE, "imc-nest-size")                                                              \
	X(IMA_OFFSET, "ima-nest-offset")                                                           \
	X(IMA_SIZE, "ima-nest-size")                                                               \
	X(HOMER_CHIP, "ibm,chip-id")

enum {
#define PMUMAP_X_(name, text) PMUMAP_IMC_PROPERTY_##name##_,
	PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_IMC_PROPERTIES_
};

/*
 * The state of reading a tree. A depth is 0 outside of its node. The walk comes first: its callback
 * casts its address to that of the reader.
 */
struct pmumap_imc_reader_ {
	struct pmumap_fdt_walk_ w;
	uint32_t found[PMUMAP_IMC_PROPERTIES_];
	struct pmumap_imc_builder *b;
	const struct pmumap_imc_options *opt;
	uint32_t depth;                          /* of the IMC root around the walk */
	uint32_t nest_offset, nest_size;         /* the window that root gives its units */
	uint32_t nest_window;                    /* 1: it gives both, in one cell each */
	uint32_t reserved_depth, reserved_cells; /* of /reserved-memory; of addresses in it */
	uint32_t roots;                          /* so far */
};

/* The current node's format. 0: not a unit; 1: current; 2: old, whose compatible gives *type. */
static inline int pmumap_imc_node_format_(const struct pmumap_fdt_walk_ *w, uint32_t *type)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_IMC_PROPERTY_COMPATIBLE_,
							    &bytes),
			    *suffix;

	*type = 0;
	suffix = pmumap_fdt_match_list_(p, bytes, "ibm,imc-counters", 1);
	if (!suffix)
		suffix = pmumap_fdt_match_list_(p, bytes, "ibm,ima-counters", 1);
	if (!suffix)
		return 0;
	if (*suffix == 0)
		return 1;
	if (pmumap_fdt_match_string_(suffix, "-nest", 0))
		*type = PMUMAP_IMC_NEST;
	else if (pmumap_fdt_match_string_(suffix, "-core", 0))
		*type = PMUMAP_IMC_CORE;
	else if (pmumap_fdt_match_string_(suffix, "-thread", 0))
		*type = PMUMAP_IMC_THREAD;
	return 2;
}

/* The chips of the current unit: as many bases as ids, unless the tree is wrong. */
struct pmumap_imc_chip_cells_ {
	const unsigned char *bases, *chips;
	uint32_t base_bytes, chip_bytes;
};

/* Returns 0 if the unit has no properties of chips. */
static inline int pmumap_imc_find_chips_(const struct pmumap_fdt_walk_ *w,
					 struct pmumap_imc_chip_cells_ *c)
{
	c->bases = pmumap_fdt_property_value_(
		w,
		pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_BASE_,
					    PMUMAP_IMC_PROPERTY_DOC_BASE_),
		&c->base_bytes);
	c->chips = pmumap_fdt_property_value_(
		w,
		pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_CHIP_,
					    PMUMAP_IMC_PROPERTY_DOC_CHIP_),
		&c->chip_bytes);
	return c->bases || c->chips;
}

/* Add the chips of the unit added last. */
static inline void pmumap_imc_read_chips_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_imc_builder *b)
{
	struct pmumap_imc_chip_cells_ c;
	uint32_t i;

	(void)pmumap_imc_find_chips_(w, &c);
	for (i = 0; i < c.base_bytes / 8 && i < c.chip_bytes / 4; i++)
		(void)pmumap_imc_add_chip(b, pmumap_load_be32_(c.chips + 4 * i),
					  pmumap_load_be64_(c.bases + 8 * i));
}

/*
 * Read a property of the current unit that must be one cell. Returns 1; 0 if it is absent; -1 if it
 * has another width. Unless 1, *value is unchanged.
 */
static inline int pmumap_imc_read_cell_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	if (!p)
		return 0;
	if (bytes != 4)
		return -1;
	*value = pmumap_load_be32_(p);
	return 1;
}

/*
 * Read the window of a nest unit; old: the root may give it for all units. Without one, the size
 * becomes 0. Returns flags for the unit; OWN_CHIPS: it has no window, and so no chips.
 */
static inline uint32_t pmumap_imc_read_window_(const struct pmumap_imc_reader_ *r,
					       struct pmumap_imc_unit *u, int old)
{
	int size, offset, control, known = old && r->nest_window;
	uint32_t flags = 0;

	if (known) {
		u->size = r->nest_size;
		u->offset = r->nest_offset;
	}
	size = pmumap_imc_read_cell_(&r->w, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
	offset = pmumap_imc_read_cell_(&r->w, PMUMAP_IMC_PROPERTY_OFFSET_, &u->offset);
	control = pmumap_imc_read_cell_(&r->w, PMUMAP_IMC_PROPERTY_CONTROL_, &u->control);
	if (control)
		flags |= PMUMAP_IMC_UNIT_OWN_CONTROL_;
	if (control < 0)
		u->control = PMUMAP_IMC_NO_CONTROL_;
	if (size >= 0 && offset >= 0 && u->size && (offset || known))
		return flags;
	u->size = 0;
	return flags | PMUMAP_IMC_UNIT_OWN_CHIPS_;
}

/* Whether a unit is kept, or why it is dropped. */
enum pmumap_imc_fate_ {
	PMUMAP_IMC_KEPT_,
	PMUMAP_IMC_BAD_TYPE_, /* dropped: its type is missing or unknown */
	PMUMAP_IMC_UNWANTED_, /* dropped: by the options, it does not exist */
	PMUMAP_IMC_NO_REG_    /* dropped: the place of its counters is unknown */
};

/*
 * Describe the current unit. u->type is the one that its format implies. If the unit is kept, fill
 * in everything but events and chips, and *flags for its entry.
 */
static inline enum pmumap_imc_fate_ pmumap_imc_describe_unit_(const struct pmumap_imc_reader_ *r,
							      int old, struct pmumap_imc_unit *u,
							      uint32_t *flags)
{
	const struct pmumap_fdt_walk_ *w = &r->w;
	uint32_t shared = w->found[PMUMAP_IMC_PROPERTY_EVENTS_];
	struct pmumap_imc_chip_cells_ chips;

	u->name = (const char *)pmumap_fdt_node_name_(w);
	u->reg = u->offset = u->control = u->size = 0;
	if (pmumap_imc_read_cell_(w, PMUMAP_IMC_PROPERTY_TYPE_, &u->type) < 0 ||
	    !pmumap_imc_is_type_(u->type))
		return PMUMAP_IMC_BAD_TYPE_;
	if (r->opt &&
	    !pmumap_imc_is_wanted_(r->opt->generation, r->opt->available, u->type, u->name))
		return PMUMAP_IMC_UNWANTED_;
	if (!pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_REG_, &u->reg) && shared)
		return PMUMAP_IMC_NO_REG_;
	u->prefix = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_PREFIX_);
	u->scale = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_SCALE_);
	u->measure = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_UNIT_);
	*flags = shared ? 0 : (uint32_t)PMUMAP_IMC_UNIT_OWN_LIST_;
	if (u->type != PMUMAP_IMC_NEST) {
		(void)pmumap_imc_read_cell_(w, PMUMAP_IMC_PROPERTY_SIZE_, &u->size);
		return PMUMAP_IMC_KEPT_;
	}
	*flags |= pmumap_imc_read_window_(r, u, old);
	if (u->size && pmumap_imc_find_chips_(w, &chips))
		*flags |= PMUMAP_IMC_UNIT_OWN_CHIPS_;
	return PMUMAP_IMC_KEPT_;
}

/* Add the current unit, unless it is dropped. */
static inline void pmumap_imc_read_unit_(const struct pmumap_imc_reader_ *r, uint32_t type, int old)
{
	struct pmumap_imc_unit u;
	uint32_t list = 0, flags;

	u.type = type;
	if (pmumap_imc_describe_unit_(r, old, &u, &flags) != PMUMAP_IMC_KEPT_)
		return;
	(void)pmumap_fdt_property_number_(&r->w, PMUMAP_IMC_PROPERTY_EVENTS_, &list);
	(void)pmumap_imc_add_unit_entries_(r->b, list, &u, flags);
	if (u.size && (flags & PMUMAP_IMC_UNIT_OWN_CHIPS_))
		pmumap_imc_read_chips_(&r->w, r->b);
}

/* ---- imc/fdt.h: The nodes around units: lists, events, roots */
/* Read a child of the root: a list of events, a unit, or, in old formats, both. */
static inline void pmumap_imc_read_child_(const struct pmumap_imc_reader_ *r)
{
	uint32_t type;
	int format = pmumap_imc_node_format_(&r->w, &type);

	(void)pmumap_imc_add_list(r->b, pmumap_fdt_phandle_(&r->w, PMUMAP_IMC_PROPERTY_PHANDLE_,
							    PMUMAP_IMC_PROPERTY_LINUX_PHANDLE_));
	if (format)
		pmumap_imc_read_unit_(r, type, format == 2);
}

/* Read an event, which belongs to the list added last. */
static inline void pmumap_imc_read_event_(const struct pmumap_fdt_walk_ *w,
					  struct pmumap_imc_builder *b)
{
	struct pmumap_imc_event e;

	if (!pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_REG_, &e.offset))
		return;
	e.name = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_EVENT_NAME_);
	e.scale = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_SCALE_);
	e.measure = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_UNIT_);
	e.desc = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_DESC_);
	(void)pmumap_imc_add_event(b, &e);
}

/* Read memory that firmware reserved for a chip: the base for nest units without base-addr. */
static inline void pmumap_imc_read_homer_(const struct pmumap_imc_reader_ *r)
{
	const struct pmumap_fdt_walk_ *w = &r->w;
	uint32_t chip;
	uint64_t base;

	if (pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "ibm,homer-image", 1) &&
	    pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_HOMER_CHIP_, &chip) &&
	    pmumap_fdt_reg_address_(w, PMUMAP_IMC_PROPERTY_REG_, r->reserved_cells, &base))
		(void)pmumap_imc_add_chip_entry_(r->b, PMUMAP_IMC_HOMER_, chip, base);
}

/*
 * Read /reserved-memory and its children, even if the root of the tree is the IMC root. Outside of
 * it, only the root of the tree passes the first test, and its name is not that of a chip's memory.
 */
static inline void pmumap_imc_read_reserved_(struct pmumap_imc_reader_ *r)
{
	const struct pmumap_fdt_walk_ *w = &r->w;

	if (w->depth == r->reserved_depth + 1) {
		pmumap_imc_read_homer_(r); /* does nothing at the root: its cells are not known */
	} else if (w->depth == 2 &&
		   pmumap_fdt_match_string_(pmumap_fdt_node_name_(w), "reserved-memory", 0)) {
		r->reserved_depth = w->depth;
		r->reserved_cells =
			pmumap_fdt_address_cells_(w, PMUMAP_IMC_PROPERTY_ADDRESS_CELLS_);
	}
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_imc_read_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_imc_reader_ *r = (struct pmumap_imc_reader_ *)(void *)w;
	uint32_t bytes;
	const unsigned char *p =
		pmumap_fdt_property_value_(w, PMUMAP_IMC_PROPERTY_COMPATIBLE_, &bytes);

	r->b->node = (int)w->offset;
	if (w->depth <= r->depth)
		r->depth = 0;
	if (w->depth <= r->reserved_depth)
		r->reserved_depth = 0;
	pmumap_imc_read_reserved_(r);
	if (r->depth) {
		if (w->depth == r->depth + 1)
			pmumap_imc_read_child_(r);
		else if (w->depth == r->depth + 2)
			pmumap_imc_read_event_(w, r->b);
	} else if (pmumap_fdt_match_list_(p, bytes, "ibm,opal-in-memory-counters", 0) &&
		   (!w->wanted || w->wanted == w->offset)) {
		r->depth = w->depth;
		r->roots++;
		r->nest_window =
			pmumap_imc_read_cell_(
				w,
				pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_NEST_OFFSET_,
							    PMUMAP_IMC_PROPERTY_IMA_OFFSET_),
				&r->nest_offset) > 0 &&
			pmumap_imc_read_cell_(
				w,
				pmumap_fdt_either_property_(w, PMUMAP_IMC_PROPERTY_NEST_SIZE_,
							    PMUMAP_IMC_PROPERTY_IMA_SIZE_),
				&r->nest_size) > 0;
	}
}

/* ---- imc/read.h: From a tree to a map */
/* Validate the blob and pass its nodes to read_node: pmumap_imc_read_node_() or a checker. */
static inline enum pmumap_status
pmumap_imc_read_tree_(struct pmumap_imc_reader_ *r, struct pmumap_imc_builder *b, const void *fdt,
		      size_t fdt_size, const struct pmumap_imc_options *opt,
		      void (*read_node)(struct pmumap_fdt_walk_ *w))
{
	static const char texts[] = PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_IMC_PROPERTY_LIST_(PMUMAP_FDT_BYTES_) };
	enum pmumap_status status;

	pmumap_zero_words_(r, sizeof(*r));
	r->w.blob = (const unsigned char *)fdt;
	r->w.wanted = opt ? (uint32_t)opt->node : 0;
	r->w.read_node = read_node;
	pmumap_fdt_want_(&r->w, texts, lengths, PMUMAP_IMC_PROPERTIES_, r->found);
	r->b = b;
	r->opt = opt;
	status = pmumap_fdt_walk_blob_(&r->w, fdt_size);
	if (status == PMUMAP_OK && !r->roots)
		status = r->w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

PMUMAP_DEF enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes)
{
	struct pmumap_imc_reader_ r;
	struct pmumap_imc_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	pmumap_imc_begin(&b, 0, 0);
	b.flags = opt ? opt->flags : 0;
	status = pmumap_imc_read_tree_(&r, &b, fdt, fdt_size, opt, pmumap_imc_read_node_);
	*bytes = status == PMUMAP_OK ? pmumap_imc_need(&b) : 0;
	return status == PMUMAP_OK ? pmumap_imc_finish(&b, 0) : status;
}

/* Start building the map of a tree in a block. Returns 0 if an argument is wrong. */
static inline int pmumap_imc_begin_tree_(struct pmumap_imc_builder *b, const void *fdt,
					 size_t fdt_size, const struct pmumap_imc_options *opt,
					 void *mem, size_t bytes, const struct pmumap_imc **map)
{
	if (!map)
		return 0;
	*map = 0;
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return 0;
	pmumap_imc_begin(b, mem, bytes);
	b->flags = opt ? opt->flags : 0;
	return 1;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_imc_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_imc_options *opt,
		     void *mem, size_t bytes, const struct pmumap_imc **map)
{
	struct pmumap_imc_reader_ r;
	struct pmumap_imc_builder b;
	enum pmumap_status status;

	if (opt && opt->check)
		return opt->check(fdt, fdt_size, opt, mem, bytes, map);
	if (!pmumap_imc_begin_tree_(&b, fdt, fdt_size, opt, mem, bytes, map))
		return PMUMAP_E_ARG;
	status = pmumap_imc_read_tree_(&r, &b, fdt, fdt_size, opt, pmumap_imc_read_node_);
	return status == PMUMAP_OK ? pmumap_imc_finish(&b, map) : status;
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

/* ---- imc/check_node.h: Check a node of the tree */
enum {
	PMUMAP_IMC_IN_NODE_, /* the node as a whole */
#define PMUMAP_X_(name, text) PMUMAP_IMC_IN_##name##_,
	PMUMAP_IMC_PLACE_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* For each finding: its number in the list, and the offset of its name in the joined names. */
enum {
#define PMUMAP_X_(name, number, text) PMUMAP_IMC_NTH_##name##_,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

enum {
#define PMUMAP_X_(name, number, text)                                                              \
	PMUMAP_IMC_NAME_##name##_,                                                                 \
		PMUMAP_IMC_NAME_END_##name##_ = PMUMAP_IMC_NAME_##name##_ + sizeof(text) - 1,
	PMUMAP_IMC_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* A finding packed into a number: number in the list, severity and place, lowest byte first. */
#define PMUMAP_IMC_FINDING_(code, severity, place)                                                 \
	((uint32_t)PMUMAP_IMC_NTH_##code##_ | (uint32_t)PMUMAP_##severity << 8 |                   \
	 (uint32_t)PMUMAP_IMC_IN_##place##_ << 16)

/*
 * The state of a check. The reader comes first: the callback of its walk casts its address to that
 * of the checker.
 */
struct pmumap_imc_checker_ {
	struct pmumap_imc_reader_ r;
	const struct pmumap_imc_options *opt;
	uint32_t node;             /* of the next finding */
	uint32_t *nodes;           /* of the map's units */
	uint32_t units, events;    /* so far, without dropped units */
	uint32_t old_format;       /* 1: a unit had an old format */
	uint32_t left_out;         /* 1: a unit was dropped, here or by firmware */
	uint32_t places_unchecked; /* 1: no room to compare the counters' places */
};

/* Report a finding. row: a unit or event, or NO_ROW; other: another unit, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_imc_tell_two_(const struct pmumap_imc_checker_ *c,
						       uint32_t what, uint32_t row, uint32_t other,
						       uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_IMC_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) PMUMAP_IMC_NAME_##name##_,
	static const uint16_t starts[] = { PMUMAP_IMC_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_IMC_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
#define PMUMAP_X_(name, text) text "\0"
	static const char places[] = PMUMAP_IMC_PLACE_LIST_(PMUMAP_X_);
#undef PMUMAP_X_
	uint32_t place = what >> 16;
	struct pmumap_finding f;

	if (!c->opt || !c->opt->report)
		return;
	f.code = numbers[what & 0xff];
	f.name = names + starts[what & 0xff];
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = (int)c->node;
	f.property = place == PMUMAP_IMC_IN_NODE_ ? 0 : pmumap_nth_text_(places, place - 1);
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : f.property;
	f.other = other;
	f.value = value;
	c->opt->report(c->opt->arg, &f);
}

/* Report a finding about one unit or event; NO_ROW: about neither. */
static inline void pmumap_imc_tell_(const struct pmumap_imc_checker_ *c, uint32_t what,
				    uint32_t row, uint64_t value)
{
	pmumap_imc_tell_two_(c, what, row, PMUMAP_NO_ROW, value);
}

/* Check the texts of the current unit or event that may be absent but not empty. */
static inline void pmumap_imc_check_texts_(const struct pmumap_imc_checker_ *c, uint32_t row)
{
	const char *scale = pmumap_fdt_property_text_(&c->r.w, PMUMAP_IMC_PROPERTY_SCALE_);
	const char *measure = pmumap_fdt_property_text_(&c->r.w, PMUMAP_IMC_PROPERTY_UNIT_);

	if (scale && !*scale)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_EMPTY, WARNING, SCALE), row, 0);
	if (measure && !*measure)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_EMPTY, WARNING, UNIT), row, 0);
}

/* Report a scale that is not a number. */
static inline void pmumap_imc_check_scale_(const struct pmumap_imc_checker_ *c, uint32_t row)
{
	const char *scale = pmumap_fdt_property_text_(&c->r.w, PMUMAP_IMC_PROPERTY_SCALE_);
	uint64_t mantissa;
	int32_t exponent;

	if (scale && *scale && !pmumap_imc_scale(scale, &mantissa, &exponent))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(SCALE_BAD, WARNING, SCALE), row, 0);
}

/* Like pmumap_imc_read_cell_(), but report a wrong width; what: CELL_WIDTH at this property. */
static inline int pmumap_imc_check_cell_(const struct pmumap_imc_checker_ *c, uint32_t property,
					 uint32_t what, uint32_t *value)
{
	int found = pmumap_imc_read_cell_(&c->r.w, property, value);
	uint32_t bytes;

	(void)pmumap_fdt_property_value_(&c->r.w, property, &bytes);
	if (found < 0)
		pmumap_imc_tell_(c, what, c->units, bytes);
	return found;
}

/* Report why the current unit has no type; type: the one that its format implies. */
static inline void pmumap_imc_check_type_(const struct pmumap_imc_checker_ *c, uint32_t type)
{
	int found = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_TYPE_,
					   PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, TYPE), &type);

	if (found == 0)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(TYPE_MISSING, ERROR, TYPE), c->units, 0);
	else if (found > 0)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(TYPE_UNKNOWN, ERROR, TYPE), c->units, type);
}

/* Check the window of the current nest unit, and the control block in it. */
static inline void pmumap_imc_check_window_(const struct pmumap_imc_checker_ *c, int old)
{
	int known = old && c->r.nest_window, size, offset, control;
	uint32_t window = known ? c->r.nest_size : 0, at = 0, ignored;

	size = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_SIZE_,
				      PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, SIZE), &window);
	offset = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_OFFSET_,
					PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, OFFSET), &ignored);
	control = pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_CONTROL_,
					 PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, CONTROL), &at);
	if (size < 0 || offset < 0)
		return;
	if (window == 0)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, ERROR, SIZE), c->units, 0);
	else if (!offset && !known)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, ERROR, OFFSET), c->units,
				 0);
	else if (control > 0 && (window < PMUMAP_IMC_CB_BYTES || at > window - PMUMAP_IMC_CB_BYTES))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CONTROL_RANGE, WARNING, CONTROL), c->units,
				 at);
}

/* Check the current unit, which is kept. */
static inline void pmumap_imc_check_kept_unit_(const struct pmumap_imc_checker_ *c,
					       const struct pmumap_imc_unit *u, int old)
{
	struct pmumap_imc_chip_cells_ chips;
	uint32_t size;

	pmumap_imc_check_texts_(c, c->units);
	if (u->type == PMUMAP_IMC_NEST)
		pmumap_imc_check_window_(c, old);
	else if (!pmumap_imc_check_cell_(c, PMUMAP_IMC_PROPERTY_SIZE_,
					 PMUMAP_IMC_FINDING_(CELL_WIDTH, ERROR, SIZE), &size) &&
		 !old)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(WINDOW_MISSING, WARNING, SIZE), c->units,
				 0);
	if (!u->prefix && c->r.w.found[PMUMAP_IMC_PROPERTY_EVENTS_])
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(PREFIX_MISSING, WARNING, EVENTS_PREFIX),
				 c->units, 0);
	pmumap_imc_check_scale_(c, c->units);
	if (u->type == PMUMAP_IMC_NEST && u->size && pmumap_imc_find_chips_(&c->r.w, &chips) &&
	    (chips.base_bytes % 8 || chips.chip_bytes % 4 ||
	     chips.base_bytes / 8 != chips.chip_bytes / 4))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CHIP_MISMATCH, WARNING, CHIP_ID), c->units,
				 chips.chip_bytes / 4);
}

/* Check a child of the root. A list by itself has nothing to check. */
static inline void pmumap_imc_check_child_(struct pmumap_imc_checker_ *c)
{
	struct pmumap_imc_chip_cells_ chips;
	struct pmumap_imc_unit u;
	uint32_t type, flags;
	int format = pmumap_imc_node_format_(&c->r.w, &type), old = format == 2;
	enum pmumap_imc_fate_ fate;

	if (!format)
		return;
	if (old && !c->old_format)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(OLD_FORMAT, WARNING, COMPATIBLE), c->units,
				 0);
	c->old_format |= (uint32_t)old;
	u.type = type;
	fate = pmumap_imc_describe_unit_(&c->r, old, &u, &flags);
	if (fate == PMUMAP_IMC_BAD_TYPE_)
		pmumap_imc_check_type_(c, type);
	else if (fate == PMUMAP_IMC_NO_REG_)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(REG_MISSING, ERROR, REG), c->units, 0);
	/* Dropped here, or earlier by firmware, which keeps the lists. */
	if (fate != PMUMAP_IMC_KEPT_ || c->r.w.depth > 2 || pmumap_imc_find_chips_(&c->r.w, &chips))
		c->left_out = 1;
	if (fate == PMUMAP_IMC_KEPT_) {
		pmumap_imc_check_kept_unit_(c, &u, old);
		c->units++;
	}
}

static inline void pmumap_imc_check_event_(struct pmumap_imc_checker_ *c)
{
	const struct pmumap_fdt_walk_ *w = &c->r.w;
	const char *name = pmumap_fdt_property_text_(w, PMUMAP_IMC_PROPERTY_EVENT_NAME_);
	uint32_t row, reg;

	if (!w->found[PMUMAP_IMC_PROPERTY_REG_] && !w->found[PMUMAP_IMC_PROPERTY_EVENT_NAME_])
		return;
	row = c->events++;
	pmumap_imc_check_texts_(c, row);
	if (!name)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(NAME_MISSING, ERROR, EVENT_NAME), row, 0);
	else if (!pmumap_fdt_property_number_(w, PMUMAP_IMC_PROPERTY_REG_, &reg))
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(REG_MISSING, ERROR, REG), row, 0);
	else
		pmumap_imc_check_scale_(c, row);
	if (name && !*name)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(NAME_MISSING, WARNING, EVENT_NAME), row, 0);
}

/* Read and check the current node, whose properties are complete. */
static inline void pmumap_imc_check_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_imc_checker_ *c = (struct pmumap_imc_checker_ *)(void *)w;

	pmumap_imc_read_node_(w);
	c->node = w->offset;
	if (c->r.depth && w->depth == c->r.depth + 1)
		pmumap_imc_check_child_(c);
	else if (c->r.depth && w->depth == c->r.depth + 2)
		pmumap_imc_check_event_(c);
}

/* ---- imc/check_entries.h: Check lists and offsets */
/* Report a finding about a node, not about a unit or event by number. */
static inline void pmumap_imc_tell_node_(struct pmumap_imc_checker_ *c, uint32_t node,
					 uint32_t what, uint64_t value)
{
	c->node = node;
	pmumap_imc_tell_(c, what, PMUMAP_NO_ROW, value);
}

/* Check that each unit has a list, and each list a kept event; note the units' nodes. */
static inline void pmumap_imc_check_lists_of_units_(struct pmumap_imc_checker_ *c,
						    const struct pmumap_imc_build_ *w)
{
	struct pmumap_imc_list_entry_ *list;
	uint32_t i, unit = 0;

	for (i = 0; i < w->b->entries.count; i++) {
		const struct pmumap_imc_unit_entries_ *e;

		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_IMC_UNIT_)
			continue;
		e = pmumap_imc_unit_at_(w->b, i);
		c->node = c->nodes[unit] = e->unit.node;
		if (e->chips.list == PMUMAP_NO_ENTRY_) {
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(EVENTS_MISSING, WARNING, EVENTS),
					 unit, e->unit.list);
		} else {
			list = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list);
			if (list->events == 0 && !(list->kind & PMUMAP_IMC_LIST_TOLD_))
				pmumap_imc_tell_node_(c, list->node,
						      PMUMAP_IMC_FINDING_(LIST_EMPTY, ERROR, NODE),
						      list->id);
			list->kind |= PMUMAP_IMC_LIST_TOLD_;
		}
		unit++;
	}
}

/*
 * Check the list in entry number. Only a used list has its events checked. An unused one is not
 * reported if units were dropped: one of them may have used it.
 */
static inline void pmumap_imc_check_list_(struct pmumap_imc_checker_ *c,
					  const struct pmumap_imc_build_ *w, uint32_t number)
{
	const struct pmumap_imc_list_entry_ *list = PMUMAP_IMC_ENTRY_(list, w->b, number);
	uint32_t i, n = 0, name, before = 0;

	if (!(list->kind & PMUMAP_IMC_LIST_USED_)) {
		if (list->events && !c->left_out)
			pmumap_imc_tell_node_(c, list->node,
					      PMUMAP_IMC_FINDING_(LIST_UNUSED, WARNING, NODE),
					      list->id);
		return;
	}
	for (i = number + 1; n < list->events; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_EVENT_)
			w->order[n++] = i;
	}
	pmumap_sort_numbers_(w->order, n, w->spare, pmumap_imc_order_entry_names_, w);
	for (i = 0; i < n; i++, before = name) {
		const struct pmumap_imc_event_entry_ *e =
			PMUMAP_IMC_ENTRY_(event, w->b, w->order[i]);

		name = (uint32_t)e->name;
		if (before && !pmumap_imc_compare_strings_(w->m, before, name))
			pmumap_imc_tell_node_(
				c, list->node,
				PMUMAP_IMC_FINDING_(NAME_DUPLICATE, WARNING, EVENT_NAME), e->reg);
		if ((list->kind & PMUMAP_IMC_LIST_COUNTED_) && e->reg % PMUMAP_IMC_COUNTER_BYTES_)
			pmumap_imc_tell_node_(c, e->node,
					      PMUMAP_IMC_FINDING_(OFFSET_ALIGN, WARNING, REG),
					      e->reg);
	}
}

/* Check the offsets of a unit; e: its entries. */
static inline void pmumap_imc_check_offsets_(struct pmumap_imc_checker_ *c,
					     const struct pmumap_imc_build_ *w, uint32_t unit,
					     const struct pmumap_imc_unit_entries_ *e)
{
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(w->m) + unit;
	const struct pmumap_imc_list_entry_ *list;
	const struct pmumap_imc_event_row_ *rows;
	uint32_t n;

	c->node = c->nodes[unit];
	if (e->chips.list != PMUMAP_NO_ENTRY_) {
		list = PMUMAP_IMC_ENTRY_(list, w->b, e->chips.list);
		rows = pmumap_imc_event_rows_(w->m) + list->first;
		n = pmumap_imc_count_events_to_(rows, list->events, ~u->reg);
		if (n < list->events)
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(REG_OVERFLOW, ERROR, REG), unit,
					 rows[n].reg);
		if (u->events < n)
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(OFFSET_RANGE, ERROR, REG), unit,
					 u->reg + rows[u->events].reg);
	}
	if ((e->unit.kind & PMUMAP_IMC_UNIT_TYPE_) != PMUMAP_IMC_TRACE &&
	    u->reg % PMUMAP_IMC_COUNTER_BYTES_)
		pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(OFFSET_ALIGN, WARNING, REG), unit, u->reg);
}

/* Run the checks that need the entries. */
static inline void pmumap_imc_check_entries_(struct pmumap_imc_checker_ *c,
					     const struct pmumap_imc_build_ *w)
{
	uint32_t i, unit = 0;

	pmumap_imc_check_lists_of_units_(c, w);
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_LIST_)
			pmumap_imc_check_list_(c, w, i);
	}
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_IMC_UNIT_)
			pmumap_imc_check_offsets_(c, w, unit++, pmumap_imc_unit_at_(w->b, i));
	}
}

/* ---- imc/check_units.h: Check for legal but probably unintended units */
/* Compare units by their Linux name: nest units first, then the name without the address. */
static inline int pmumap_imc_order_unit_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	const struct pmumap_imc_unit_row_ *x = pmumap_imc_unit_rows_(m) + a;
	const struct pmumap_imc_unit_row_ *y = pmumap_imc_unit_rows_(m) + b;
	int nest = pmumap_imc_class_of_unit_(m, x)->type == PMUMAP_IMC_NEST;
	const char *s = (const char *)pmumap_image_at_(m, x->name);
	const char *t = (const char *)pmumap_image_at_(m, y->name);
	unsigned char c, d;

	if (nest != (pmumap_imc_class_of_unit_(m, y)->type == PMUMAP_IMC_NEST))
		return nest ? -1 : 1;
	for (; *s == *t && *s && *s != '@'; s++)
		t++;
	c = (unsigned char)(*s == '@' ? 0 : *s);
	d = (unsigned char)(*t == '@' ? 0 : *t);
	return c < d ? -1 : c > d;
}

/* Report units with the same name: Linux cannot tell their events apart. */
static inline void pmumap_imc_check_unit_names_(struct pmumap_imc_checker_ *c,
						struct pmumap_imc_build_ *w)
{
	uint32_t *units = pmumap_pool_scratch_(&w->pool, w->m->unit_count), i, first = 0;
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->m->unit_count);

	for (i = 0; i < w->m->unit_count; i++)
		units[i] = i;
	pmumap_sort_numbers_(units, w->m->unit_count, spare, pmumap_imc_order_unit_names_, w->m);
	for (i = 1; i < w->m->unit_count; i++) {
		if (pmumap_imc_order_unit_names_(w->m, units[first], units[i])) {
			first = i;
			continue;
		}
		c->node = c->nodes[units[i]];
		pmumap_imc_tell_two_(c, PMUMAP_IMC_FINDING_(UNIT_DUPLICATE, WARNING, NODE),
				     units[i], units[first], 0);
	}
}

/* Whether units of a class share a window: nest units do, unless it is unknown. */
static inline int pmumap_imc_shares_window_(const struct pmumap_imc_unit_class_ *k)
{
	return k->type == PMUMAP_IMC_NEST && (k->size || k->offset);
}

/* Compare counters by their memory, then by their place in it. */
static inline int pmumap_imc_order_places_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_imc *m = (const struct pmumap_imc *)context;
	struct pmumap_imc_match_ x = pmumap_imc_match_of_number_(m, a),
				 y = pmumap_imc_match_of_number_(m, b);
	const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + x.unit;
	const struct pmumap_imc_unit_row_ *v = pmumap_imc_unit_rows_(m) + y.unit;
	const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);
	const struct pmumap_imc_unit_class_ *l = pmumap_imc_class_of_unit_(m, v);
	uint32_t i = u->reg + pmumap_imc_event_rows_(m)[x.event].reg;
	uint32_t j = v->reg + pmumap_imc_event_rows_(m)[y.event].reg;
	uint32_t memory, other;
	int shared = pmumap_imc_shares_window_(k);

	if (shared != pmumap_imc_shares_window_(l))
		return shared ? -1 : 1;
	memory = shared ? k->offset : x.unit;
	other = shared ? l->offset : y.unit;
	if (memory != other)
		return memory < other ? -1 : 1;
	return i < j ? -1 : i > j;
}

/*
 * Longer names at one place count as different unless both strings are shared, so hostile names
 * cannot make the comparison slow.
 */
#define PMUMAP_IMC_ALIAS_BYTES_ 255u

/*
 * Report a place that the n counters in at[] share: two with different names, otherwise two units
 * with the same name. The same name twice in one unit is reported as name-duplicate.
 */
static inline void pmumap_imc_check_place_(struct pmumap_imc_checker_ *c,
					   const struct pmumap_imc *m, const uint32_t *at,
					   uint32_t n)
{
	struct pmumap_imc_match_ first = pmumap_imc_match_of_number_(m, at[0]), y, other = first;
	uint32_t i, what = 0;

	for (i = 1; i < n; i++) {
		y = pmumap_imc_match_of_number_(m, at[i]);
		if (!pmumap_imc_is_same_name_(m, &first, &y, PMUMAP_IMC_ALIAS_BYTES_)) {
			other = y;
			what = PMUMAP_IMC_FINDING_(OFFSET_CLASH, WARNING, REG);
			break;
		}
		if (!what && y.unit != first.unit) {
			other = y;
			what = PMUMAP_IMC_FINDING_(OFFSET_ALIAS, NOTE, REG);
		}
	}
	c->node = c->nodes[other.unit];
	if (what)
		pmumap_imc_tell_two_(c, what, other.unit, first.unit,
				     pmumap_imc_unit_rows_(m)[other.unit].reg +
					     pmumap_imc_event_rows_(m)[other.event].reg);
}

/* Report places that several counters share, each place once. */
static inline void pmumap_imc_check_places_(struct pmumap_imc_checker_ *c,
					    struct pmumap_imc_build_ *w)
{
	uint32_t *at = pmumap_pool_scratch_(&w->pool, w->m->names), i, n;
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->m->names);
	const struct pmumap_imc_unit_row_ *u;

	pmumap_imc_number_names_(w->m, at);
	pmumap_sort_numbers_(at, w->m->names, spare, pmumap_imc_order_places_, w->m);
	for (i = 0; i < w->m->names; i += n) {
		for (n = 1; i + n < w->m->names; n++) {
			if (pmumap_imc_order_places_(w->m, at[i], at[i + n]))
				break;
		}
		u = pmumap_imc_unit_rows_(w->m) + pmumap_imc_unit_of_number_(w->m, at[i]);
		if (n > 1 && pmumap_imc_class_of_unit_(w->m, u)->type != PMUMAP_IMC_TRACE)
			pmumap_imc_check_place_(c, w->m, at + i, n);
	}
}

/* Report nest units that have a counter in their control block. */
static inline void pmumap_imc_check_controls_(struct pmumap_imc_checker_ *c,
					      const struct pmumap_imc *m)
{
	const uint32_t before = PMUMAP_IMC_COUNTER_BYTES_ - 1; /* a counter there still overlaps */
	uint32_t i, first;

	for (i = 0; i < m->unit_count; i++) {
		const struct pmumap_imc_unit_row_ *u = pmumap_imc_unit_rows_(m) + i;
		const struct pmumap_imc_unit_class_ *k = pmumap_imc_class_of_unit_(m, u);

		if (k->type != PMUMAP_IMC_NEST || u->events == 0)
			continue;
		first = pmumap_imc_first_event_from_(m, u,
						     k->control < before ? 0 : k->control - before);
		c->node = c->nodes[i];
		if (first < u->first + u->events &&
		    u->reg + pmumap_imc_event_rows_(m)[first].reg <
			    (uint64_t)k->control + PMUMAP_IMC_CB_BYTES)
			pmumap_imc_tell_(c, PMUMAP_IMC_FINDING_(CONTROL_OVERLAP, WARNING, REG), i,
					 u->reg + pmumap_imc_event_rows_(m)[first].reg);
	}
}

/*
 * Up to this many counters per unit and event of the tree, compare their places if they can be
 * sorted in the block; with more, only if their index would fit too.
 */
#define PMUMAP_IMC_PLACES_ 16u

/* Check all units, with scratch tables over the entries. */
static inline void pmumap_imc_check_units_(struct pmumap_imc_checker_ *c,
					   struct pmumap_imc_build_ *w)
{
	uint32_t names = w->m->names, i, *nodes;
	uint64_t bytes = 2 * ((uint64_t)names + 1) * sizeof(uint32_t);
	unsigned char *top;

	pmumap_imc_release_entries_(w);
	nodes = pmumap_pool_scratch_(&w->pool, w->m->unit_count);
	for (i = w->m->unit_count; i-- > 0;)
		nodes[i] = c->nodes[i]; /* from the end: the two may overlap */
	c->nodes = nodes;
	top = w->pool.top;
	pmumap_imc_check_controls_(c, w->m);
	pmumap_imc_check_unit_names_(c, w);
	w->pool.top = top;
	if (names / PMUMAP_IMC_PLACES_ > w->b->names)
		bytes = pmumap_imc_index_bytes_(w->m);
	c->places_unchecked =
		names &&
		(w->m->number_bits == 0 ||
		 bytes > (size_t)(w->pool.top - ((unsigned char *)w->m + w->m->head.size)));
	if (names && !c->places_unchecked)
		pmumap_imc_check_places_(c, w);
}

/* ---- imc/check.h: All checks of a tree, in order */
/* Build the map of the entries and check both. */
static inline enum pmumap_status pmumap_imc_check_map_(struct pmumap_imc_checker_ *c,
						       struct pmumap_imc_builder *b,
						       const struct pmumap_imc **map)
{
	struct pmumap_imc_build_ w;
	enum pmumap_status status;
	uint64_t need;

	w.m = 0;
	status = pmumap_imc_build_tables_(&w, b);
	if (!w.m)
		return status;
	c->nodes = pmumap_pool_scratch_(&w.pool, w.m->unit_count);
	pmumap_imc_check_entries_(c, &w);
	pmumap_imc_check_units_(c, &w);
	need = w.m->head.size + (uint64_t)w.m->unit_count * sizeof(uint32_t) +
	       pmumap_imc_index_bytes_(w.m) + 8;
	*map = pmumap_imc_build_indexes_(&w);
	if ((w.m->names && !w.m->slots) || c->places_unchecked)
		pmumap_imc_tell_node_(c, (uint32_t)PMUMAP_NO_NODE,
				      PMUMAP_IMC_FINDING_(NO_INDEX, NOTE, NODE),
				      w.m->number_bits && need > b->entries.bytes ? need : 0);
	return PMUMAP_OK;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_imc_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap_imc **map)
{
	struct pmumap_imc_checker_ c;
	struct pmumap_imc_builder b;
	enum pmumap_status status;

	if (!pmumap_imc_begin_tree_(&b, fdt, fdt_size, opt, mem, bytes, map))
		return PMUMAP_E_ARG;
	c.opt = opt;
	c.units = c.events = c.old_format = c.left_out = 0;
	status = pmumap_imc_read_tree_(&c.r, &b, fdt, fdt_size, opt, pmumap_imc_check_node_);
	return status == PMUMAP_OK ? pmumap_imc_check_map_(&c, &b, map) : status;
}

/* ---- fdt/edit.h: Edit a tree in place */
#ifndef PMUMAP_HAS_FDT_EDIT_
#define PMUMAP_HAS_FDT_EDIT_
/* A validated tree that is being edited. */
struct pmumap_fdt_edit_ {
	struct pmumap_fdt_walk_ w; /* start, end, names */
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

/* Validate a tree before editing it, by a walk without callbacks. */
static inline enum pmumap_status pmumap_fdt_edit_begin_(struct pmumap_fdt_edit_ *e, void *fdt,
							size_t bytes)
{
	enum pmumap_status status;

	e->blob = (unsigned char *)fdt;
	e->w.blob = e->blob;
	e->w.depth = 0;
	e->w.open = e->w.closed = 0;
	e->w.read_node = 0;
	e->w.note_property = 0;
	status = pmumap_fdt_walk_blob_(&e->w, bytes);
	if (status != PMUMAP_OK)
		return status;
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

/* ---- imc/fixup.h: Give nest units their chips */
/* Overwrite the current node and its children with NOPs, and step past its end. */
static inline void pmumap_fdt_nop_node_(struct pmumap_fdt_edit_ *e)
{
	uint32_t depth = e->depth;

	pmumap_fdt_nop_bytes_(e, e->begin, e->to - e->begin);
	while (e->depth >= depth) {
		uint32_t tag = pmumap_load_be32_(e->blob + e->at);
		uint32_t bytes = pmumap_fdt_tag_bytes_(e->blob + e->at);

		e->depth += tag == PMUMAP_FDT_BEGIN_NODE_;
		e->depth -= tag == PMUMAP_FDT_END_NODE_;
		pmumap_fdt_nop_bytes_(e, e->to, bytes);
		e->at += bytes;
		e->to += bytes;
	}
}

enum { PMUMAP_IMC_NO_CELL_ = -1, PMUMAP_IMC_ABSENT_ = 0, PMUMAP_IMC_CELL_ = 1 };

/* Read a property of the current node that must be one cell; if not, *value is unchanged. */
static inline int pmumap_imc_edit_cell_(const struct pmumap_fdt_edit_ *e, const char *name,
					uint32_t *value)
{
	uint32_t at = pmumap_fdt_edit_find_property_(e, e->first, name);

	if (at >= e->last)
		return PMUMAP_IMC_ABSENT_;
	if (pmumap_load_be32_(e->blob + at + 4) != 4)
		return PMUMAP_IMC_NO_CELL_;
	*value = pmumap_load_be32_(e->blob + at + PMUMAP_FDT_PROPERTY_HEAD_);
	return PMUMAP_IMC_CELL_;
}

/* Properties of a unit that must be one cell. */
enum {
	PMUMAP_IMC_TYPE_CELL_,
	PMUMAP_IMC_SIZE_CELL_,
	PMUMAP_IMC_OFFSET_CELL_,
	PMUMAP_IMC_CONTROL_CELL_,
	PMUMAP_IMC_UNIT_CELLS_
};

/* The type of the current unit; 0 if its own node has a finding of severity error. */
static inline uint32_t pmumap_imc_good_type_(const struct pmumap_fdt_edit_ *e)
{
	static const char texts[][10] = { "type", "size", "offset", "cb_offset" };
	uint32_t value[PMUMAP_IMC_UNIT_CELLS_], type, at, i;
	int found[PMUMAP_IMC_UNIT_CELLS_];

	for (i = 0; i < PMUMAP_IMC_UNIT_CELLS_; i++) {
		value[i] = 0;
		found[i] = pmumap_imc_edit_cell_(e, texts[i], &value[i]);
	}
	type = value[PMUMAP_IMC_TYPE_CELL_]; /* 0: missing, or no cell */
	if (!pmumap_imc_is_type_(type) || found[PMUMAP_IMC_SIZE_CELL_] == PMUMAP_IMC_NO_CELL_)
		return 0;
	if (type == PMUMAP_IMC_NEST && (value[PMUMAP_IMC_SIZE_CELL_] == 0 ||
					found[PMUMAP_IMC_OFFSET_CELL_] != PMUMAP_IMC_CELL_ ||
					found[PMUMAP_IMC_CONTROL_CELL_] == PMUMAP_IMC_NO_CELL_))
		return 0;
	if (pmumap_fdt_edit_find_property_(e, e->first, "events") >= e->last)
		return type;
	at = pmumap_fdt_edit_find_property_(e, e->first, "reg");
	return at < e->last && pmumap_load_be32_(e->blob + at + 4) >= 4 ? type : 0;
}

#define PMUMAP_IMC_CHIP_NAMES_ 2u
#define PMUMAP_IMC_CHIP_NAME_(i) ((i) ? "chip-id" : "base-addr")

/* Whether a chip has the current unit. Units of other types than nest are on all chips. */
static inline int pmumap_imc_is_on_chip_(const struct pmumap_fdt_edit_ *e,
					 const struct pmumap_imc_chips *chips, uint32_t type,
					 uint32_t i)
{
	uint64_t vector = chips->vectors && chips->count ? chips->vectors[i] : chips->available;

	return pmumap_imc_is_wanted_(chips->generation, vector, type,
				     (const char *)e->blob + e->begin + 4);
}

/* Whether the current unit exists anywhere; *n: the chips of a nest unit. Asks once if alike. */
static inline int pmumap_imc_count_chips_(const struct pmumap_fdt_edit_ *e,
					  const struct pmumap_imc_chips *chips, uint32_t type,
					  uint32_t *n)
{
	uint32_t i, all = type == PMUMAP_IMC_NEST ? chips->count : 0;
	int exists;

	*n = 0;
	if (!all || !chips->vectors) {
		exists = pmumap_imc_is_on_chip_(e, chips, type, 0);
		*n = exists ? all : 0;
		return exists;
	}
	for (i = 0; i < all; i++)
		*n += (uint32_t)pmumap_imc_is_on_chip_(e, chips, type, i);
	return *n != 0;
}

/* Give the current nest unit base-addr and chip-id for n chips, after its other properties. */
static inline void pmumap_imc_put_chips_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					 const struct pmumap_imc_chips *chips, uint32_t n)
{
	uint32_t k, i, at;

	for (k = 0; k < PMUMAP_IMC_CHIP_NAMES_; k++) {
		at = e->first;
		while ((at = pmumap_fdt_edit_find_property_(e, at, PMUMAP_IMC_CHIP_NAME_(k))) <
		       e->last)
			pmumap_fdt_nop_bytes_(e, at, pmumap_fdt_tag_bytes_(e->blob + at));
		pmumap_fdt_edit_put_property_(e, names[k], (k ? 4 : 8) * n);
		for (i = 0; i < chips->count; i++) {
			if (n < chips->count &&
			    !pmumap_imc_is_on_chip_(e, chips, PMUMAP_IMC_NEST, i))
				continue;
			if (!k)
				pmumap_fdt_edit_put_cell_(e, (uint32_t)(chips->bases[i] >> 32));
			pmumap_fdt_edit_put_cell_(e,
						  k ? chips->chips[i] : (uint32_t)chips->bases[i]);
		}
	}
}

/*
 * Walk over all units in the current format. Returns the bytes that their chips take. really: write
 * these chips and delete the units that are dropped; the tree must have room.
 */
static inline uint64_t pmumap_imc_edit_units_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					      const struct pmumap_imc_chips *chips, int really)
{
	uint32_t root = 0, type, n; /* root: the depth of the root around the walk */
	uint64_t bytes = 0;

	while (pmumap_fdt_edit_next_node_(e)) {
		if (e->depth <= root)
			root = 0;
		if (root && e->depth > root + 1)
			continue;
		if (!pmumap_fdt_edit_is_compatible_(e, root ? "ibm,imc-counters"
							    : "ibm,opal-in-memory-counters"))
			continue;
		if (!root) {
			root = e->depth;
			continue;
		}
		type = pmumap_imc_good_type_(e);
		if (!type || !pmumap_imc_count_chips_(e, chips, type, &n)) {
			if (really)
				pmumap_fdt_nop_node_(e);
		} else if (type == PMUMAP_IMC_NEST) {
			bytes += PMUMAP_IMC_CHIP_NAMES_ * PMUMAP_FDT_PROPERTY_HEAD_ +
				 (uint64_t)n * (8 + 4);
			if (really)
				pmumap_imc_put_chips_(e, names, chips, n);
		}
	}
	return bytes;
}

PMUMAP_DEF enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need)
{
	uint32_t names[PMUMAP_IMC_CHIP_NAMES_], i;
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	uint64_t added;

	if (!fdt || !chips)
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	if (chips->count > PMUMAP_MAX_BYTES_ / 16)
		return PMUMAP_E_LIMIT;
	names[0] = names[1] = 0;
	added = pmumap_imc_edit_units_(&e, names, chips, 0);
	for (i = 0; added && i < PMUMAP_IMC_CHIP_NAMES_; i++)
		names[i] = pmumap_fdt_edit_place_string_(&e, PMUMAP_IMC_CHIP_NAME_(i));
	status = pmumap_fdt_edit_check_room_(&e, bytes, added, 0, need);
	if (status != PMUMAP_OK)
		return status;
	e.moved = e.names_to - e.w.names;
	e.at = e.w.start + e.moved;
	e.to = e.w.start;
	pmumap_fdt_move_bytes_(e.blob, e.to, e.at, e.total - e.to);
	(void)pmumap_imc_edit_units_(&e, names, chips, 1);
	for (i = 0; added && i < PMUMAP_IMC_CHIP_NAMES_; i++)
		pmumap_fdt_edit_append_string_(&e, names[i], PMUMAP_IMC_CHIP_NAME_(i));
	pmumap_fdt_edit_end_(&e);
	return PMUMAP_OK;
}

/* ---- imc/hw.h: Control blocks and SCOMs of POWER machines */
/* Find the address of a control block's word. Returns 0 if it does not exist. */
static inline int pmumap_imc_hw_control_word_(const struct pmumap_imc *m, uint32_t unit,
					      uint32_t chip, uint32_t word, uint64_t *phys)
{
	if (word >= PMUMAP_IMC_CB_BYTES || word % 8 || !pmumap_imc_control(m, unit, chip, phys))
		return 0;
	*phys += word;
	return 1;
}

PMUMAP_DEF int pmumap_imc_cb_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				  uint32_t unit, uint32_t chip, uint32_t word, uint64_t *value)
{
	uint64_t phys;

	if (!pmumap_imc_hw_control_word_(m, unit, chip, word, &phys))
		return 0;
	*value = hw->load(hw->arg, phys);
	return 1;
}

PMUMAP_DEF int pmumap_imc_cb_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				   uint32_t unit, uint32_t chip, uint32_t word, uint64_t value)
{
	uint64_t phys;

	if (!pmumap_imc_hw_control_word_(m, unit, chip, word, &phys))
		return 0;
	hw->store(hw->arg, phys, value);
	return 1;
}

PMUMAP_DEF uint64_t pmumap_imc_vector(struct pmumap_imc_hw *hw, uint64_t base)
{
	if (base == 0 || base > ~(uint64_t)0 - PMUMAP_IMC_CONTROL - PMUMAP_IMC_CB_BYTES ||
	    hw->load(hw->arg, base + PMUMAP_IMC_CONTROL + PMUMAP_IMC_CB_STATUS) ==
		    PMUMAP_IMC_INITIALIZING)
		return 0;
	return hw->load(hw->arg, base + PMUMAP_IMC_CONTROL + PMUMAP_IMC_CB_AVAILABLE);
}

/* Addresses of SCOMs. A quad has a page and a mode for each of its four cores. */
struct pmumap_imc_hw_scoms_ {
	uint32_t event_mask, trace; /* of the core */
	uint32_t page, mode;        /* of its quad */
};

#define PMUMAP_IMC_MODE_STOPPED_ 0xe000000000000000u
#define PMUMAP_IMC_MODE_RUNNING_ 0xe800000000000000u
#define PMUMAP_IMC_EVENT_MASK_ 0x0402010000000000u
#define PMUMAP_IMC_PAGE_ 0x0003ffffffffe000u

/* Returns 0 for an unknown generation. */
static inline int pmumap_imc_hw_scoms_of_core_(struct pmumap_imc_hw_scoms_ *s, unsigned generation,
					       uint32_t core)
{
	uint32_t n = core % 4;

	if (generation == PMUMAP_IMC_P9) {
		s->event_mask = 0x20010aa8;
		s->trace = 0x20010aa9;
		s->mode = 0x10012200 + (n & 1) * 0x100 + (n & 2) * 0x200;
		s->page = s->mode + 0xb;
		return 1;
	}
	if (generation == PMUMAP_IMC_P10) {
		s->event_mask = 0x20020400;
		s->trace = 0x20020401;
		s->mode = 0x20011680 + (n == 0 ? 0x7000 : n == 1 ? 0x3000 : n == 2 ? 0x1000 : 0);
		s->page = s->mode + 0xb;
		return 1;
	}
	return 0;
}

/* Write a SCOM that a deep stop loses, and save it. */
static inline int pmumap_imc_hw_write_saved_(struct pmumap_imc_hw *hw,
					     enum pmumap_imc_chiplet chiplet, uint32_t core,
					     uint32_t address, uint64_t value)
{
	return hw->scom(hw->arg, chiplet, core, address, value) &&
	       (!hw->save || hw->save(hw->arg, chiplet, core, address, value));
}

PMUMAP_DEF int pmumap_imc_core_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				    uint64_t page)
{
	struct pmumap_imc_hw_scoms_ s;

	if ((page & ~PMUMAP_IMC_PAGE_) || !pmumap_imc_hw_scoms_of_core_(&s, generation, core))
		return 0;
	return pmumap_imc_hw_write_saved_(hw, PMUMAP_IMC_QUAD_CHIPLET, core, s.page, page) &&
	       pmumap_imc_hw_write_saved_(hw, PMUMAP_IMC_CORE_CHIPLET, core, s.event_mask,
					  PMUMAP_IMC_EVENT_MASK_) &&
	       hw->scom(hw->arg, PMUMAP_IMC_QUAD_CHIPLET, core, s.mode, PMUMAP_IMC_MODE_STOPPED_);
}

PMUMAP_DEF int pmumap_imc_core_run(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				   int run)
{
	struct pmumap_imc_hw_scoms_ s;

	return pmumap_imc_hw_scoms_of_core_(&s, generation, core) &&
	       hw->scom(hw->arg, PMUMAP_IMC_QUAD_CHIPLET, core, s.mode,
			run ? PMUMAP_IMC_MODE_RUNNING_ : PMUMAP_IMC_MODE_STOPPED_);
}

PMUMAP_DEF int pmumap_imc_trace_init(struct pmumap_imc_hw *hw, unsigned generation, uint32_t core,
				     const struct pmumap_imc_trace_scom *fields)
{
	struct pmumap_imc_hw_scoms_ s;
	uint64_t scom;

	if (!pmumap_imc_trace_scom_encode(fields, &scom) ||
	    !pmumap_imc_hw_scoms_of_core_(&s, generation, core))
		return 0;
	return hw->scom(hw->arg, PMUMAP_IMC_QUAD_CHIPLET, core, s.mode, PMUMAP_IMC_MODE_STOPPED_) &&
	       pmumap_imc_hw_write_saved_(hw, PMUMAP_IMC_CORE_CHIPLET, core, s.trace, scom);
}

#endif /* PMUMAP_IMC_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
