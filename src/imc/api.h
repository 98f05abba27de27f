/* SPDX-License-Identifier: BSD-2-Clause */
/* IMC: names, PMUs, offsets, addresses */
#pragma once

#include "core/api.h"

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
