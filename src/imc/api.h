/* SPDX-License-Identifier: BSD-2-Clause */
/* IMC: names, PMUs, offsets, addresses */
#pragma once

#include "core/api.h"

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
