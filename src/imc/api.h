/* SPDX-License-Identifier: BSD-2-Clause */
/* IMC: names, units, offsets, addresses */
#pragma once

#include "core/api.h"

struct pmumap_imc; /* a map: read it through the functions below */

/* Where the counters of a unit lie. The values are those of the property "type". */
#define PMUMAP_IMC_THREAD 0x1u /* a page for each hardware thread */
#define PMUMAP_IMC_TRACE 0x2u  /* nowhere: the offset is the trace configuration */
#define PMUMAP_IMC_CORE 0x4u   /* a page for each core */
#define PMUMAP_IMC_NEST 0x10u  /* a window in the memory of each chip */

/* Strings lie in the map. The full name of an event is the prefix of its unit, then its name. */
struct pmumap_imc_unit {
	const char *name;            /* of the node: "mcs01@c8" */
	const char *prefix;          /* "PM_MCS01_"; may be "" */
	const char *scale, *measure; /* for events without their own; or NULL */
	uint32_t type;
	uint32_t reg;     /* added to the offset of each event */
	uint32_t size;    /* of the window or page; 0: unknown */
	uint32_t offset;  /* of the window from the chip's base */
	uint32_t control; /* of the control block in the window; to a builder, 0: the usual place */
	uint32_t events, chips;
};

struct pmumap_imc_event {
	const char *unit, *prefix, *name; /* unit: the name of its node */
	const char *scale, *measure;      /* its own, else the unit's, else NULL */
	const char *desc;                 /* NULL, unless built with PMUMAP_DESC */
	uint32_t type;
	uint32_t offset; /* in the window or page; of a trace event its configuration */
	uint32_t unit_index;
};

#define PMUMAP_DESC 2u /* flags: keep the descriptions of events */

/*
 * How a tree is read. Zero-initialise for the defaults, or pass NULL.
 *
 *   flags	PMUMAP_DESC
 *   node	libfdt's offset of the only root of IMC to read; 0: all of them
 *   check	pmumap_imc_check: findings go to report. NULL: nobody wants them, and a program
 *		that never names that function does not link it
 *   generation	PMUMAP_IMC_P9 or P10: leave out the nest units that are not there, see
 *		pmumap_imc_available(); 0: keep all. With PMUMAP_IMC_NO_TRACE, leave out trace
 *		units too
 *   available	the vector of that generation; 0: no nest unit is there
 */
struct pmumap_imc_options {
	uint32_t flags;
	int node;
	enum pmumap_status (*check)(const void *fdt, size_t fdt_size,
				    const struct pmumap_imc_options *opt, void *mem, size_t bytes,
				    const struct pmumap_imc **map);
	pmumap_report_fn *report; /* see its type for what it must not do */
	void *arg;                /* given to report */
	unsigned generation;
	uint64_t available;
};

/*
 * Validate a flattened device tree and build the map of it; measure: how many bytes of block that
 * takes.
 *
 * The blob may be anything, at any address: no byte outside of fdt_size is read, nor behind the
 * size in its header, and only the block is written. If the two share a byte: E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not of measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     O(n log n) for n bytes of blob and block, whatever they are: what many units share is
 *          not read for each of them.
 */
PMUMAP_API enum pmumap_status pmumap_imc_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_imc_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_imc_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_imc_options *opt, void *mem,
						   size_t bytes, const struct pmumap_imc **map);

/*
 * For options.check: builds the map, and reports what is wrong with the tree or probably
 * unintended. In a finding, row is the number of a unit and other that of another one; of a unit
 * that was dropped, row is the number that the next one gets. Of an event, row counts the events of
 * the tree.
 */
PMUMAP_API enum pmumap_status pmumap_imc_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_imc_options *opt, void *mem,
					       size_t bytes, const struct pmumap_imc **map);

#define PMUMAP_IMC_MAGIC 0x504d5549u

/*
 * Check an image that comes from elsewhere. After that no look-up reads outside of it, whatever it
 * is asked. image: 8-byte aligned; bytes: at least those of the image, which has at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_MAGIC, E_IMAGE_ORDER, E_IMAGE_VERSION, E_IMAGE_SIZE, E_IMAGE_TABLE.
 * Cost     O(size); writes nothing.
 */
PMUMAP_API enum pmumap_status pmumap_imc_open(const void *image, size_t bytes,
					      const struct pmumap_imc **map);

/* Bytes of the image: what to copy, store or hand on. */
PMUMAP_API size_t pmumap_imc_size(const struct pmumap_imc *m);

/*
 * Find an event by its full name, or in one unit by UNIT/NAME or UNIT/NAME/. A unit is spelled like
 * its node (mcs01@c8), without the address (mcs01), or as Linux calls it (nest_mcs01_imc,
 * core_imc).
 *
 * A name may belong to several units: nth counts the matches from 0, those with a longer prefix
 * first, then in the order of the units, then by offset.
 *
 * Returns  1; or 0, *out untouched.
 * Cost     one hash probe, also for a miss; with UNIT/ one for each match of the name. In a map
 *          without the name index: binary searches for each length that a prefix may have, and for
 *          each list and window of units with that prefix that has the name; with UNIT/, for each
 *          unit that has it. The whole map has no index where a full name has 128 bytes or more,
 *          or where two names hash alike under every seed. A hostile tree can have both.
 */
PMUMAP_API int pmumap_imc_find(const struct pmumap_imc *m, const char *name, size_t len,
			       uint32_t nth, struct pmumap_imc_event *out);

/*
 * The nth event that is counted at an offset, of one unit in any spelling, or of all (unit NULL);
 * in the order of the units.
 *
 * Returns  1; or 0, *out untouched.
 * Cost     a binary search in one bucket of a hash; with a unit also one step for each event that
 *          is counted there. In a map without the order of offsets O(units), and two binary
 *          searches in each unit whose offsets may include it.
 */
PMUMAP_API int pmumap_imc_at(const struct pmumap_imc *m, const char *unit, uint32_t offset,
			     uint32_t nth, struct pmumap_imc_event *out);

/* How many names all units have together, and whether there is an index of them. */
PMUMAP_API uint32_t pmumap_imc_names(const struct pmumap_imc *m, int *indexed);

/* List the map: units in the order of the tree, events by offset. 0: index is too large. */
PMUMAP_API int pmumap_imc_unit(const struct pmumap_imc *m, uint32_t index,
			       struct pmumap_imc_unit *out);
PMUMAP_API int pmumap_imc_event_at(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
				   struct pmumap_imc_event *out);
PMUMAP_API int pmumap_imc_chip(const struct pmumap_imc *m, uint32_t unit, uint32_t index,
			       uint32_t *chip, uint64_t *base);

/*
 * Where a nest counter lies on a chip, and the control block of a nest unit. Returns 1; or 0, *phys
 * untouched: not of type nest, no such chip, not inside the window, or beyond 64 bits.
 */
PMUMAP_API int pmumap_imc_address(const struct pmumap_imc *m, const struct pmumap_imc_event *e,
				  uint32_t chip, uint64_t *phys);
PMUMAP_API int pmumap_imc_control(const struct pmumap_imc *m, uint32_t unit, uint32_t chip,
				  uint64_t *phys);

/*
 * A scale exactly: "1.2207e-4" is 12207 * 10^-8. Returns 0 if it is no positive decimal number, or
 * its digits take more than 64 bits, or its exponent would be beyond -9999 or 9999.
 */
PMUMAP_API int pmumap_imc_scale(const char *scale, uint64_t *mantissa, int32_t *exponent);

/* A counter is 64 bits wide, big-endian, 8-byte aligned, and wraps. */
PMUMAP_API uint64_t pmumap_imc_read(const volatile void *counter);

/* The control block: big-endian 64-bit words at these offsets, and what stands in them. */
enum {
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

/* The offset of a trace event, and what perf takes as its configuration. */
struct pmumap_imc_trace_config {
	uint32_t event;  /* 8 bits */
	uint32_t sample; /* 2 bits */
	uint32_t load;   /* 32 bits */
};

/*
 * Fields to the word of the trace SCOM; the word of a configuration to its fields. Returns 1; or 0
 * where a field or a reserved bit is out of range, the result untouched.
 */
PMUMAP_API int pmumap_imc_trace_scom_encode(const struct pmumap_imc_trace_scom *fields,
					    uint64_t *scom);
PMUMAP_API int pmumap_imc_trace_config_decode(uint64_t config,
					      struct pmumap_imc_trace_config *fields);

/*
 * The generations of processors that have an availability vector. Where an option takes one of
 * these, NO_TRACE can be added, or stand alone: it leaves out the trace unit.
 */
enum { PMUMAP_IMC_P9 = 9, PMUMAP_IMC_P10 = 10 /* and POWER11 */, PMUMAP_IMC_NO_TRACE = 0x100 };

/*
 * Whether a nest unit, in any spelling, is there according to the availability vector of its
 * generation. Units without a bit in it are there, but for those of the debug modes (mcs0 to mcs7),
 * which no firmware enters. A combined unit (mcs01) is there if one of its halves is. If the vector
 * is 0, no microcode runs that would count, and no unit is there. Any other generation, also 0, has
 * no vector, and every unit is there.
 */
PMUMAP_API int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit);

/*
 * The part of an IMA_CATALOG image that belongs to a processor: xz-compressed, a tree inside. The
 * image may begin with skiboot's signed header of 4096 bytes, which is skipped unchecked; offset
 * counts from the start of the image, with that header. Images from before mid-2017 begin with
 * IMAC instead of IMCC.
 * Returns 1; or 0: no such image, a truncated one, or none for this PVR.
 */
PMUMAP_API int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size);

/* Chips, and where the memory of each begins; generation and available as in the options. */
struct pmumap_imc_chips {
	const uint32_t *chips;
	const uint64_t *bases;
	uint32_t count;
	unsigned generation;
	uint64_t available;
};

/*
 * What firmware does to a catalog for what it starts: give every nest unit base-addr and chip-id,
 * in place of any that it has, and take out the units
 *   - that are not there: generation and available say so, as in the options
 *   - of trace, if generation has PMUMAP_IMC_NO_TRACE (POWER9 before DD2.2)
 *   - whose own node has a finding of severity error by pmumap_imc_check(): type-missing,
 *     type-unknown, cell-width, window-missing, reg-missing. skiboot and Linux trip over them.
 * Lists and events are not changed. Units in a format older than June 2017 are left alone.
 *
 * The tree lies at the start of a buffer of so many bytes, and grows into the rest of it; it is
 * validated first, like any other. The chips lie outside of the buffer. On failure the tree is as
 * it was. With E_NOSPACE and OK, *need (unless NULL) is the size that the buffer has to have, if
 * more than totalsize.
 *
 * skiboot keeps the combined units (mcs01 to mcs67) even where neither half is there, since it
 * looks for names without an address. Here they go.
 *
 * Errors   E_ARG, E_NOSPACE, E_LIMIT, E_FDT_*.
 * Cost     one pass over the blob and, if it grows, one move of what lies behind.
 */
PMUMAP_API enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need);
