/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_amu.h 0.3.1 -- Arm's activity monitors: each CPU's counters, by device tree and register.
 *
 * QUICK START: a tree
 *	#include "pmumap_amu.h"			// nothing else to copy, nothing to link
 *
 *	static uint64_t block[1024];		// or measure: pmumap_amu_fdt_measure()
 *	const struct pmumap_amu *map;
 *	struct pmumap_amu_cpu cpu;
 *	enum pmumap_status status;
 *
 *	status = pmumap_amu_fdt_build(fdt, fdt_size, 0, block, sizeof(block), &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no activity monitors, a bad blob, ...
 *		return;
 *	}
 *	if (pmumap_amu_cpu(map, mpidr, &cpu))
 *		use(cpu.described, cpu.enable);	// 16-bit masks of auxiliary counters
 *
 * QUICK START: activity monitors of this CPU
 *	static struct pmumap_amu_hw amu;
 *
 *	pmumap_amu_native(&amu);		// or pmumap_amu_mapped(), for any CPU
 *	if (!pmumap_amu_probe(&amu))
 *		return;				// it has none
 *	pmumap_amu_run(&amu, 0, amu.implemented[0]);	// fails below the highest EL
 *	uint64_t cycles = pmumap_amu_count(&amu, 0, 0);
 *
 * WHAT IS READ
 *   The CPUs in /cpus, the views that their property amu names, and the counters in these. Labels
 *   come from /__symbols__. Views are nodes in /cpus/amus. Elsewhere, a view at most seven levels
 *   deep is read too, without the counters that follow a nested view.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_amu_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock. Use a
 *		struct pmumap_amu_hw on its own CPU only, and never twice at once.
 *   Input	any tree, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0. The block must not overlap the tree: E_ARG.
 *   Failure	a failed build yields no map. An unusable register reads 0, and is not written.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 *   PMUMAP_AMU_HIGHEST_EL	the program runs at the highest exception level: pmumap_amu_native()
 *				may write
 *   PMUMAP_AMU_EL2		it runs at EL2, below EL3: pmumap_amu_native() may write offsets
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

#ifndef PMUMAP_AMU_H
#define PMUMAP_AMU_H

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

/* ---- amu/api.h: AMU: each CPU's activity monitors */
struct pmumap_amu; /* a map: read it through the functions below */

/*
 * Bytes of a block that is enough for a tree with this many CPUs, and counters in all views
 * together (CPUs share views), as an integer constant for numbers up to a million. It allows for
 * one view per counter, names of 31 bytes, and a label for each counter and view.
 *
 *	static uint64_t block[PMUMAP_AMU_BLOCK(128, 16) / 8];
 */
#define PMUMAP_AMU_BLOCK(cpus, counters) (184u + 40u * (cpus) + 384u * (counters))

/* One per build, usually on the stack. Its members are private. */
struct pmumap_amu_builder {
	struct pmumap_entries_ entries;
	int node; /* the current node of a tree, or PMUMAP_NO_NODE */
};

/*
 * Build a map without a device tree, from views, their counters and CPUs.
 *
 * begin    mem: your block, 8-byte aligned; NULL: measure only. The block belongs to the builder
 *          until pmumap_amu_finish().
 * add      A counter belongs to the view added last. The id of a view is not 0. A CPU takes the id
 *          of its view, which may be added later, or 0. Strings must not overlap the block, and
 *          must live until finish() copies them.
 * need     returns the bytes of block needed so far.
 * finish   builds the map at the start of the block. It takes pmumap_amu_size() bytes; you may
 *          reuse the rest. The builder is used up: its functions return E_ARG.
 *
 * Returns  PMUMAP_OK and the map (NULL when measuring); on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE, E_LIMIT.
 * Cost     O(n log n) for n entries and their strings.
 */
PMUMAP_API void pmumap_amu_begin(struct pmumap_amu_builder *b, void *mem, size_t bytes);
PMUMAP_API enum pmumap_status pmumap_amu_add_view(struct pmumap_amu_builder *b, uint32_t id);
PMUMAP_API enum pmumap_status pmumap_amu_add_counter(struct pmumap_amu_builder *b, uint32_t index,
						     const char *name, int enable);
PMUMAP_API enum pmumap_status pmumap_amu_add_cpu(struct pmumap_amu_builder *b, uint64_t mpidr,
						 uint32_t view);
PMUMAP_API size_t pmumap_amu_need(const struct pmumap_amu_builder *b);
PMUMAP_API enum pmumap_status pmumap_amu_finish(struct pmumap_amu_builder *b,
						const struct pmumap_amu **map);

/*
 * How to read a tree. Zero-initialise for the defaults, or pass NULL.
 *
 *   node	libfdt's offset of /cpus, to read nothing else; 0: the whole tree
 *   check	pmumap_amu_check, to get findings in report. NULL: no findings, and no code for them
 *		is linked
 */
struct pmumap_amu_options {
	int node;
	enum pmumap_status (*check)(const void *fdt, size_t fdt_size,
				    const struct pmumap_amu_options *opt, void *mem, size_t bytes,
				    const struct pmumap_amu **map);
	pmumap_report_fn *report; /* called for each finding; pmumap_report_fn has its rules */
	void *arg;                /* passed to report */
};

/*
 * Measure the block for a tree, or validate the tree and build its map.
 *
 * Any blob at any address is safe. If blob and block overlap, it returns E_ARG.
 *
 * Returns  PMUMAP_OK and the map at the start of mem; on failure *map is NULL.
 * Errors   E_ARG, E_NOSPACE (not from measure), E_LIMIT, E_FDT_*, E_NOTFOUND; with node, E_NODE.
 * Cost     O(n log n) for any n bytes of blob and block.
 */
PMUMAP_API enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes);
PMUMAP_API enum pmumap_status pmumap_amu_fdt_build(const void *fdt, size_t fdt_size,
						   const struct pmumap_amu_options *opt, void *mem,
						   size_t bytes, const struct pmumap_amu **map);

/*
 * For options.check: build the map and report mistakes in the tree. row and other are numbers of
 * CPUs. For a dropped CPU, row is the number that the next one gets.
 */
PMUMAP_API enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
					       const struct pmumap_amu_options *opt, void *mem,
					       size_t bytes, const struct pmumap_amu **map);

#define PMUMAP_AMU_MAGIC 0x504d5541u

/*
 * Validate an image from elsewhere; afterwards no look-up reads outside it. image: 8-byte aligned;
 * bytes: at least its size, which is at most 2 GiB.
 *
 * Returns  PMUMAP_OK and the map, which is the image itself; on failure *map is NULL.
 * Errors   E_ARG, E_IMAGE_*.
 * Cost     O(size); writes nothing.
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
PMUMAP_API int pmumap_amu_cpu(const struct pmumap_amu *m, uint64_t mpidr,
			      struct pmumap_amu_cpu *out);
PMUMAP_API int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out);

/* The masks of a view. Returns 0 if there is no such view. */
PMUMAP_API int pmumap_amu_view(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
			       uint16_t *enable);

/*
 * The label of a counter, if the tree has labels and it is shorter than 64 bytes; otherwise its
 * node's name, "counter@1". NULL if it is not described.
 */
PMUMAP_API const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter);

enum pmumap_amu_mismatch {
	PMUMAP_AMU_FITS = 0,
	PMUMAP_AMU_NOT_DESCRIBED = 1, /* to be enabled, but not described */
	PMUMAP_AMU_NOT_IMPLEMENTED,   /* described or to be enabled, but does not exist */
	PMUMAP_AMU_NOT_READABLE       /* to be enabled and exists, but cannot be read */
};

/*
 * Compare a tree's masks with a CPU's counters. readable: from pmumap_amu_readable(), or
 * implemented at the highest exception level. Returns the lowest counter that does not fit, and
 * why; or -1, and *why is FITS.
 */
PMUMAP_API int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why);

/* Decode a CPU's auxiliary counters from its registers. amcg1idr counts only with FEAT_AMUv1p1. */
PMUMAP_API uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr);

#define PMUMAP_AMU_CG1RZ 0x20000u  /* of AMCR */
#define PMUMAP_AMU_TAM 0x40000000u /* of CPTR_EL3 and CPTR_EL2 */

/*
 * Who reads counters, and the registers that may prevent it. Pass 0 for a register that is missing
 * or has no effect: those of EL2 if EL2 is disabled; hafgrtr_el2 if SCR_EL3.FGTEn is 0 and, for
 * EL0, if HCR_EL2.E2H and TGE are set.
 */
struct pmumap_amu_access {
	uint32_t el, highest_el;     /* the reader's exception level; the CPU's highest */
	uint64_t amcr;               /* CG1RZ: below the highest level, group 1 reads as 0 */
	uint64_t cptr_el3, cptr_el2; /* TAM: any access from below EL3, or below EL2, traps */
	uint64_t hafgrtr_el2;        /* reading the counters it names traps below EL2 */
	uint64_t amuserenr;          /* EN: 0: an access from EL0 traps */
};

/*
 * Which implemented counters of a group this exception level can read. Group 0 is the
 * architecture's, 1 the auxiliary one. Reading others traps or yields 0.
 */
PMUMAP_API uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented);

/* ---- amu/findings_api.h: Findings: mistakes in a device tree */
/* Mistakes in a description of activity monitors. Codes never change. */
#define PMUMAP_AMU_FINDING_LIST(X)                                                                 \
	X(VIEW_MISSING, 50, "view-missing")           /* value: phandle */                         \
	X(VIEW_FOREIGN, 51, "view-foreign")           /* value: 0 */                               \
	X(VIEW_EXTRA, 52, "view-extra")               /* value: cells, at most 65535 */            \
	X(CELLS, 53, "cells")                         /* value: #address-cells */                  \
	X(COUNTER_REG, 54, "counter-reg")             /* value: 0 */                               \
	X(COUNTER_RANGE, 55, "counter-range")         /* value: index, at most 2^32 - 1 */         \
	X(COUNTER_DUPLICATE, 56, "counter-duplicate") /* value: index */                           \
	X(COUNTER_NAME, 57, "counter-name")           /* value: index */                           \
	X(UNIT_MISMATCH, 58, "unit-mismatch")         /* value: index */                           \
	X(ENABLE_VALUE, 59, "enable-value")           /* value: index */                           \
	X(CPU_REG, 60, "cpu-reg")                     /* value: MPIDR */                           \
	X(CPU_DUPLICATE, 61, "cpu-duplicate")         /* value: MPIDR */                           \
	X(CPU_DISABLED, 62, "cpu-disabled")           /* value: 0 */                               \
	X(CPU_NAME, 63, "cpu-name")                   /* value: 0 */

/* The properties that findings are about. */
#define PMUMAP_AMU_PLACE_LIST_(X)                                                                  \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
	X(ENABLE, "enable-at-el3")                                                                 \
	X(AMU, "amu")                                                                              \
	X(STATUS, "status")

enum pmumap_amu_code {
#define PMUMAP_X_(name, number, text) PMUMAP_F_##name = number,
	PMUMAP_AMU_FINDING_LIST(PMUMAP_X_)
#undef PMUMAP_X_
};

/* ---- amu/hw_api.h: A CPU's activity monitors */
/*
 * The numbers of registers: CRm << 3 | op2 of S3_3_C13_CRm_op2 (EVCNTVOFF: S3_4_C13_CRm_op2). Add n
 * for counter n.
 */
enum {
	PMUMAP_AMU_ID = 0x00, /* the field AMU of ID_AA64PFR0_EL1 or ID_PFR0 */
	PMUMAP_AMU_CR = 0x10,
	PMUMAP_AMU_CFGR = 0x11,
	PMUMAP_AMU_CGCR = 0x12,
	PMUMAP_AMU_USERENR = 0x13,
	PMUMAP_AMU_CNTENCLR0 = 0x14,
	PMUMAP_AMU_CNTENSET0 = 0x15,
	PMUMAP_AMU_CG1IDR = 0x16,
	PMUMAP_AMU_CNTENCLR1 = 0x18,
	PMUMAP_AMU_CNTENSET1 = 0x19,
	PMUMAP_AMU_EVCNTR0 = 0x20,
	PMUMAP_AMU_EVTYPER0 = 0x30,
	PMUMAP_AMU_EVCNTVOFF0 = 0x40,
	PMUMAP_AMU_EVCNTVOFF1 = 0x50,
	PMUMAP_AMU_EVCNTR1 = 0x60,
	PMUMAP_AMU_EVTYPER1 = 0x70
};

/*
 * The activity monitors of the CPU that runs this. Call pmumap_amu_native() or pmumap_amu_mapped(),
 * or set read, the writes and arg; then call pmumap_amu_probe(). Group 0 has the architecture's
 * four counters, group 1 the auxiliary ones of struct pmumap_amu_cpu.
 */
struct pmumap_amu_hw {
	uint64_t (*read)(void *arg, uint32_t reg);
	/* NULL below the highest exception level, where only offsets can change */
	void (*write)(void *arg, uint32_t reg, uint64_t value);
	/* for EVCNTVOFF; NULL below EL2, where it cannot be read either */
	void (*write_offset)(void *arg, uint32_t reg, uint64_t value);
	void *arg;
	uint32_t version;        /* 0: none; 1: FEAT_AMUv1; 2: FEAT_AMUv1p1 */
	uint16_t implemented[2]; /* of each group; no other counter is ever accessed */
	uint16_t offsets[2];     /* of these, those with an offset */
};

/*
 * Find the counters; each register is read only after the one that proves that it exists. Returns
 * 1, or 0 without activity monitors. AArch32 and the mapped view cannot tell gaps between auxiliary
 * counters: clear their bits in implemented[1] yourself.
 *
 * Below EL3 this traps if firmware has set CPTR_EL3.TAM. If it has set AMCR.CG1RZ, auxiliary
 * counters silently read as 0: restrict implemented[1] by pmumap_amu_readable().
 */
PMUMAP_API int pmumap_amu_probe(struct pmumap_amu_hw *hw);

/* A counter's value, and the event it counts; 0 for a missing counter. */
PMUMAP_API uint64_t pmumap_amu_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
PMUMAP_API uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);

/* The running counters of a group. */
PMUMAP_API uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group);

/*
 * Run exactly these counters of a group. enable runs and returns those that are also implemented
 * and allowed. preset sets a value, set_event an auxiliary counter's event; the counter is stopped
 * meanwhile, as the architecture demands. Setting another event than a hardwired one traps.
 *
 * Returns  1; or 0, and nothing changes: a counter is missing (pmumap_amu_reconcile() tells which),
 *          or hw cannot write, below the highest exception level.
 */
PMUMAP_API int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters);
PMUMAP_API uint16_t pmumap_amu_enable(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
				      uint16_t allowed);
PMUMAP_API int pmumap_amu_preset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				 uint64_t value);
PMUMAP_API int pmumap_amu_set_event(struct pmumap_amu_hw *hw, uint32_t n, uint16_t event);

/*
 * The offset that is subtracted when EL1 or EL0 reads a counter with HCR_EL2.AMVOFFEN set; 0
 * without an offset. For EL3, and for EL2, where it traps unless SCR_EL3.AMVOFFEN is set.
 */
PMUMAP_API uint64_t pmumap_amu_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n);
PMUMAP_API int pmumap_amu_set_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				     uint64_t value);

/* What a CPU loses with its power. Element n: counter n of group 0; n + 4: counter n of group 1. */
struct pmumap_amu_state {
	uint64_t amcr, count[20], offset[20];
	uint16_t event[20], running[2];
};

/*
 * Stop all counters and save what a power-down loses; restore it and run the same counters, even if
 * the CPU kept its power. Return 1; or 0, and nothing happens: hw cannot write, or there are no
 * activity monitors. Offsets need write_offset. An event is written only if it differs.
 */
PMUMAP_API int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state);
PMUMAP_API int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state);

/* Use the memory-mapped view of any CPU at base: read-only, in 32-bit accesses. */
PMUMAP_API void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base);

#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
/* Use the system registers. PMUMAP_AMU_HIGHEST_EL permits writes, PMUMAP_AMU_EL2 only offsets. */
PMUMAP_API void pmumap_amu_native(struct pmumap_amu_hw *hw);
#endif

/* ---- fdt/size_api.h: The length of a blob */
#ifndef PMUMAP_HAS_FDT_SIZE_API_
#define PMUMAP_HAS_FDT_SIZE_API_
/*
 * The size in the header of the blob that starts here; 0 if none does, or for NULL. It reads 8
 * bytes. For an untrusted blob, you must know by other means how much memory is readable.
 */
PMUMAP_API uint32_t pmumap_fdt_size(const void *fdt);
#endif /* PMUMAP_HAS_FDT_SIZE_API_ */

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

/* Validate the tables of an image. Returns 0 if an offset, number or string is out of bounds. */
static inline int pmumap_amu_open_tables_(const struct pmumap_amu *m)
{
	const uint32_t *names;
	uint32_t i, bits, n;

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
		for (n = 0, bits = pmumap_amu_view_rows_(m)[i].described; bits; bits &= bits - 1)
			n++;
		if (pmumap_amu_view_rows_(m)[i].first > m->name_count ||
		    n > m->name_count - pmumap_amu_view_rows_(m)[i].first)
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
	*map = 0;
	status = pmumap_image_check_(image, bytes, PMUMAP_AMU_MAGIC, sizeof(*m));
	if (status != PMUMAP_OK)
		return status;
	if (!pmumap_amu_open_tables_(m))
		return PMUMAP_E_IMAGE_TABLE;
	*map = m;
	return PMUMAP_OK;
}

PMUMAP_DEF size_t pmumap_amu_size(const struct pmumap_amu *m)
{
	return m->head.size;
}

PMUMAP_DEF int pmumap_amu_view(const struct pmumap_amu *m, uint32_t view, uint16_t *described,
			       uint16_t *enable)
{
	if (view >= m->view_count)
		return 0;
	*described = pmumap_amu_view_rows_(m)[view].described;
	*enable = pmumap_amu_view_rows_(m)[view].enable;
	return 1;
}

/* Fill in a CPU from its row. Without a view both masks are 0. */
static inline void pmumap_amu_fill_cpu_(const struct pmumap_amu *m,
					const struct pmumap_amu_cpu_row_ *r,
					struct pmumap_amu_cpu *out)
{
	out->mpidr = (uint64_t)(r->affinity >> 24) << 32 | (r->affinity & 0xffffffu);
	out->view = r->view;
	out->described = out->enable = 0;
	(void)pmumap_amu_view(m, r->view, &out->described, &out->enable);
}

PMUMAP_DEF int pmumap_amu_cpu_at(const struct pmumap_amu *m, uint32_t index,
				 struct pmumap_amu_cpu *out)
{
	uint32_t row;

	if (index >= m->cpu_count)
		return 0;
	row = ((const uint32_t *)pmumap_image_at_(m, m->by_tree))[index];
	pmumap_amu_fill_cpu_(m, pmumap_amu_cpu_rows_(m) + row, out);
	return 1;
}

PMUMAP_DEF int pmumap_amu_cpu(const struct pmumap_amu *m, uint64_t mpidr,
			      struct pmumap_amu_cpu *out)
{
	const struct pmumap_amu_cpu_row_ *r;
	uint32_t affinity = pmumap_amu_pack_affinity_(mpidr), n;

	if (m->cpu_count == 0)
		return 0;
	r = pmumap_amu_cpu_rows_(m);
	n = m->cpu_count;
	while (n > 1) {
		uint32_t half = n / 2;

		r += r[half].affinity <= affinity ? half : 0;
		n -= half;
	}
	if (r->affinity != affinity)
		return 0;
	pmumap_amu_fill_cpu_(m, r, out);
	return 1;
}

PMUMAP_DEF const char *pmumap_amu_counter_name(const struct pmumap_amu *m, uint32_t view,
					       uint32_t counter)
{
	const struct pmumap_amu_view_row_ *v;
	uint32_t first, bits;

	if (view >= m->view_count || counter > 15)
		return 0;
	v = pmumap_amu_view_rows_(m) + view;
	if (!(v->described >> counter & 1))
		return 0;
	first = v->first;
	for (bits = v->described & ((1u << counter) - 1); bits; bits &= bits - 1)
		first++;
	return (const char *)pmumap_image_at_(
		m, ((const uint32_t *)pmumap_image_at_(m, m->names))[first]);
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

/* ---- amu/entries.h: Add views, counters, CPUs; the builder's entries and state */
/* Entry i, counted from the oldest, as a struct of its kind: view, text, counter or cpu. */
#define PMUMAP_AMU_ENTRY_(name, b, i)                                                              \
	((struct pmumap_amu_##name##_entry_ *)pmumap_entries_at_(&(b)->entries, i))

enum {
	PMUMAP_AMU_VIEW_ = 1 << 24,
	PMUMAP_AMU_VIEW_NAME_ = 2 << 24, /* of the previous view, which is in /cpus/amus */
	PMUMAP_AMU_COUNTER_ = 3 << 24,   /* of the previous view */
	PMUMAP_AMU_CPU_ = 4 << 24,
	PMUMAP_AMU_LABEL_ = 5 << 24, /* followed by its PATH */
	PMUMAP_AMU_PATH_ = 6 << 24   /* "/cpus/amus/amu-0/counter@1" */
};

struct pmumap_amu_view_entry_ {
	uint64_t id;
	uint32_t cells;  /* of an address in the view */
	uint32_t number; /* in the map, once assigned */
	uint32_t node;
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_VIEW_USED_ = 1,  /* by a CPU */
	PMUMAP_AMU_VIEW_LISTED_ = 2 /* it is in /cpus/amus, or was added without a tree */
};

/* The name of a view, a label or a path. */
struct pmumap_amu_text_entry_ {
	uint64_t text;
	uint32_t first, count; /* of a view's name: its range of counters, while they get labels */
	uint32_t unused;
	uint32_t kind;
} PMUMAP_MAY_ALIAS_;

struct pmumap_amu_counter_entry_ {
	uint64_t name;
	uint32_t index;
	uint32_t node;
	uint32_t label; /* with the flag LABELED: the entry of its label */
	uint32_t kind;  /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_COUNTER_ENABLE_ = 1,
	PMUMAP_AMU_COUNTER_ENABLE_VALUE_ = 2, /* enable-at-el3 has a value, which has no meaning */
	PMUMAP_AMU_COUNTER_MISMATCH_ = 4,     /* its unit address differs from its index */
	PMUMAP_AMU_COUNTER_NO_REG_ = 8,
	PMUMAP_AMU_COUNTER_BAD_NAME_ = 16,
	PMUMAP_AMU_COUNTER_LABELED_ = 32
};

struct pmumap_amu_cpu_entry_ {
	uint64_t mpidr;
	uint32_t view; /* its id */
	uint32_t node;
	uint32_t cpu;  /* its number in the tree; if DROPPED, the entry that was kept */
	uint32_t kind; /* flags: */
} PMUMAP_MAY_ALIAS_;

enum {
	PMUMAP_AMU_CPU_HAS_VIEW_ = 1, /* it has the property amu */
	PMUMAP_AMU_CPU_DISABLED_ = 2,
	PMUMAP_AMU_CPU_ODD_NAME_ = 4,
	PMUMAP_AMU_CPU_BAD_REG_ = 8,
	PMUMAP_AMU_CPU_DROPPED_ = 16, /* an earlier one has this affinity */
	PMUMAP_AMU_CPU_LEFT_OUT_ = PMUMAP_AMU_CPU_BAD_REG_ | PMUMAP_AMU_CPU_DROPPED_
};

#define PMUMAP_AMU_CPU_CELLS_SHIFT_ 8 /* above these bits: how many cells the property amu has */

/* State of pmumap_amu_build_(). */
struct pmumap_amu_build_ {
	struct pmumap_amu_builder *b;
	struct pmumap_amu *m;
	struct pmumap_pool_ pool;
	uint32_t *views; /* their entries, by id */
	uint32_t *names; /* of those in /cpus/amus, by name */
	uint32_t *cpus;  /* their entries, by affinity */
	uint32_t view_count, name_count, cpu_count, counter_count;
};

/* The name of the view in entry i, which is in /cpus/amus. */
static inline const char *pmumap_amu_entry_view_name_(const struct pmumap_amu_builder *b,
						      uint32_t i)
{
	return (const char *)(size_t)PMUMAP_AMU_ENTRY_(text, b, i + 1)->text;
}

/* Orders views by name. */
static inline int pmumap_amu_order_view_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;

	return pmumap_compare_strings_(pmumap_amu_entry_view_name_(builder, a),
				       pmumap_amu_entry_view_name_(builder, b));
}

static inline uint32_t pmumap_amu_entry_affinity_(const struct pmumap_amu_builder *b, uint32_t i)
{
	return pmumap_amu_pack_affinity_(PMUMAP_AMU_ENTRY_(cpu, b, i)->mpidr);
}

/* Orders CPUs by affinity. */
static inline int pmumap_amu_order_affinities_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;
	uint32_t x = pmumap_amu_entry_affinity_(builder, a);
	uint32_t y = pmumap_amu_entry_affinity_(builder, b);

	return x < y ? -1 : x > y;
}

/*
 * Count the entries; sort views by id, views in /cpus/amus by name, CPUs by affinity. Spare memory
 * is released afterwards.
 */
static inline void pmumap_amu_count_entries_(struct pmumap_amu_build_ *w)
{
	uint32_t i, kind, *spare;
	unsigned char *top;

	for (i = 0; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		w->view_count += kind == PMUMAP_AMU_VIEW_;
		w->cpu_count += kind == PMUMAP_AMU_CPU_;
		w->counter_count += kind == PMUMAP_AMU_COUNTER_;
	}
	w->views = pmumap_pool_scratch_(&w->pool, w->view_count);
	w->names = pmumap_pool_scratch_(&w->pool, w->view_count);
	w->cpus = pmumap_pool_scratch_(&w->pool, w->cpu_count);
	top = w->pool.top;
	spare = pmumap_pool_scratch_(&w->pool, w->view_count + w->cpu_count);
	w->view_count = w->cpu_count = 0;
	for (i = 0; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			w->views[w->view_count++] = i;
		if (kind == PMUMAP_AMU_VIEW_NAME_)
			w->names[w->name_count++] = i - 1;
		if (kind == PMUMAP_AMU_CPU_ &&
		    !(PMUMAP_AMU_ENTRY_(cpu, w->b, i)->kind & PMUMAP_AMU_CPU_BAD_REG_))
			w->cpus[w->cpu_count++] = i;
	}
	pmumap_sort_numbers_(w->views, w->view_count, spare, pmumap_entries_order_ids_,
			     &w->b->entries);
	pmumap_sort_numbers_(w->names, w->name_count, spare, pmumap_amu_order_view_names_, w->b);
	pmumap_sort_numbers_(w->cpus, w->cpu_count, spare, pmumap_amu_order_affinities_, w->b);
	w->pool.top = top;
}

/* The fate of a counter: left out; kept; or a duplicate, which may still enable the first one. */
enum { PMUMAP_AMU_LEFT_OUT_, PMUMAP_AMU_NEW_, PMUMAP_AMU_AGAIN_ };

/* seen: the earlier counters of its view */
static inline int pmumap_amu_counter_fate_(const struct pmumap_amu_counter_entry_ *e, uint32_t seen)
{
	if ((e->kind & (PMUMAP_AMU_COUNTER_BAD_NAME_ | PMUMAP_AMU_COUNTER_NO_REG_)) ||
	    e->index >= PMUMAP_AMU_COUNTERS_)
		return PMUMAP_AMU_LEFT_OUT_;
	return seen >> e->index & 1 ? PMUMAP_AMU_AGAIN_ : PMUMAP_AMU_NEW_;
}

/* Whether entry i is a view that the map keeps. */
static inline int pmumap_amu_is_kept_view_(const struct pmumap_amu_builder *b, uint32_t i)
{
	return pmumap_entries_kind_(&b->entries, i) == PMUMAP_AMU_VIEW_ &&
	       (PMUMAP_AMU_ENTRY_(view, b, i)->kind &
		(PMUMAP_AMU_VIEW_USED_ | PMUMAP_AMU_VIEW_LISTED_));
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_begin(struct pmumap_amu_builder *b, void *mem, size_t bytes)
{
	pmumap_entries_begin_(&b->entries, mem, bytes);
	b->node = PMUMAP_NO_NODE;
}

/* Add the name of a view, a label or a path. The text is not copied. */
static inline void pmumap_amu_add_text_(struct pmumap_amu_builder *b, uint32_t kind,
					const char *text)
{
	struct pmumap_amu_text_entry_ *e =
		(struct pmumap_amu_text_entry_ *)pmumap_entries_add_(&b->entries, kind);

	if (e)
		e->text = (size_t)text;
}

/* Add a view; name: NULL unless it is in /cpus/amus; flags: PMUMAP_AMU_VIEW_LISTED_ or 0. */
static inline enum pmumap_status pmumap_amu_add_view_entry_(struct pmumap_amu_builder *b,
							    uint32_t id, const char *name,
							    uint32_t cells, uint32_t flags)
{
	struct pmumap_amu_view_entry_ *e;

	b->entries.need += sizeof(struct pmumap_amu_view_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_view_entry_ *)pmumap_entries_add_(&b->entries,
								 PMUMAP_AMU_VIEW_ | flags);
	if (e) {
		e->id = id;
		e->cells = cells;
		e->node = (uint32_t)b->node;
	}
	if (name)
		pmumap_amu_add_text_(b, PMUMAP_AMU_VIEW_NAME_, name);
	return b->entries.status;
}

/* Add a counter to the view added last; flags: PMUMAP_AMU_COUNTER_ENABLE_ and so on. */
static inline enum pmumap_status pmumap_amu_add_counter_entry_(struct pmumap_amu_builder *b,
							       uint32_t index, const char *name,
							       uint32_t flags)
{
	struct pmumap_amu_counter_entry_ *e;

	b->entries.need += sizeof(uint32_t);
	e = (struct pmumap_amu_counter_entry_ *)pmumap_entries_add_(&b->entries,
								    PMUMAP_AMU_COUNTER_ | flags);
	if (e) {
		e->name = (size_t)name;
		e->index = index;
		e->node = (uint32_t)b->node;
	}
	pmumap_entries_reserve_text_(&b->entries, name);
	return b->entries.status;
}

/* Add a CPU; view: the id in its property; flags: PMUMAP_AMU_CPU_HAS_VIEW_ and so on. */
static inline enum pmumap_status pmumap_amu_add_cpu_entry_(struct pmumap_amu_builder *b,
							   uint64_t mpidr, uint32_t view,
							   uint32_t flags)
{
	struct pmumap_amu_cpu_entry_ *e;

	b->entries.need += sizeof(struct pmumap_amu_cpu_row_) + 2 * sizeof(uint32_t);
	e = (struct pmumap_amu_cpu_entry_ *)pmumap_entries_add_(&b->entries,
								PMUMAP_AMU_CPU_ | flags);
	if (e) {
		e->mpidr = mpidr;
		e->view = view;
		e->node = (uint32_t)b->node;
	}
	return b->entries.status;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_view(struct pmumap_amu_builder *b, uint32_t id)
{
	return pmumap_amu_add_view_entry_(b, id, 0, 1, PMUMAP_AMU_VIEW_LISTED_);
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_counter(struct pmumap_amu_builder *b, uint32_t index,
						     const char *name, int enable)
{
	return pmumap_amu_add_counter_entry_(b, index, name ? name : "",
					     enable ? (uint32_t)PMUMAP_AMU_COUNTER_ENABLE_ : 0u);
}

PMUMAP_DEF enum pmumap_status pmumap_amu_add_cpu(struct pmumap_amu_builder *b, uint64_t mpidr,
						 uint32_t view)
{
	return pmumap_amu_add_cpu_entry_(
		b, mpidr, view,
		view ? PMUMAP_AMU_CPU_HAS_VIEW_ | 1u << PMUMAP_AMU_CPU_CELLS_SHIFT_ : 0u);
}

/* ---- amu/labels.h: The labels of counters */
/* Orders counters by the names of their nodes. */
static inline int pmumap_amu_order_counter_names_(const void *context, uint32_t a, uint32_t b)
{
	const struct pmumap_amu_builder *builder = (const struct pmumap_amu_builder *)context;

	return pmumap_compare_strings_(
		(const char *)(size_t)PMUMAP_AMU_ENTRY_(counter, builder, a)->name,
		(const char *)(size_t)PMUMAP_AMU_ENTRY_(counter, builder, b)->name);
}

/*
 * Find the first of n entries with this text, by which they are sorted, or NO_ENTRY. behind:
 * distance from such an entry to the one with its text.
 */
static inline uint32_t pmumap_amu_find_text_(const struct pmumap_amu_builder *b,
					     const uint32_t *entries, uint32_t n, uint32_t behind,
					     const unsigned char *text, size_t bytes)
{
	uint32_t low = 0, count = n;

	while (n) {
		uint32_t half = n / 2;
		uint64_t s = pmumap_entries_value_(&b->entries, entries[low + half] + behind);

		if (pmumap_compare_text_((const char *)(size_t)s, text, bytes) < 0) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	if (low == count)
		return PMUMAP_NO_ENTRY_;
	return pmumap_compare_text_((const char *)(size_t)pmumap_entries_value_(
					    &b->entries, entries[low] + behind),
				    text, bytes)
		       ? PMUMAP_NO_ENTRY_
		       : entries[low];
}

/*
 * Give a label to the counter that its path names, unless it already has one. If several nodes have
 * that name, the path means the first. So each label is used at most once, as its room requires.
 */
static inline void pmumap_amu_give_label_(struct pmumap_amu_build_ *w, const uint32_t *counters,
					  uint32_t label)
{
	const unsigned char *path =
		(const unsigned char *)(size_t)PMUMAP_AMU_ENTRY_(text, w->b, label + 1)->text;
	const unsigned char *view = path + sizeof("/cpus/amus/") - 1, *name;
	const struct pmumap_amu_text_entry_ *e;
	struct pmumap_amu_counter_entry_ *counter;
	size_t bytes = 0, rest = 0;
	uint32_t i;

	while (view[bytes] && view[bytes] != '/')
		bytes++;
	if (!view[bytes])
		return;
	name = view + bytes + 1;
	while (name[rest]) {
		rest++;
		PMUMAP_NO_LIBCALL_();
	}
	i = pmumap_amu_find_text_(w->b, w->names, w->name_count, 1, view, bytes);
	if (i == PMUMAP_NO_ENTRY_)
		return;
	e = PMUMAP_AMU_ENTRY_(text, w->b, i + 1);
	i = pmumap_amu_find_text_(w->b, counters + e->first, e->count, 0, name, rest);
	if (i == PMUMAP_NO_ENTRY_)
		return;
	counter = PMUMAP_AMU_ENTRY_(counter, w->b, i);
	if (!(counter->kind & PMUMAP_AMU_COUNTER_LABELED_))
		counter->label = label;
	counter->kind |= PMUMAP_AMU_COUNTER_LABELED_;
}

/*
 * Give labels to the counters of views in /cpus/amus. Sort each view's counters by name first, so
 * that the cost stays O(n log n).
 */
static inline void pmumap_amu_give_labels_(struct pmumap_amu_build_ *w)
{
	unsigned char *top = w->pool.top;
	uint32_t *counters = pmumap_pool_scratch_(&w->pool, w->counter_count);
	uint32_t *spare = pmumap_pool_scratch_(&w->pool, w->counter_count);
	struct pmumap_amu_text_entry_ *view = 0;
	uint32_t i, n = 0, kind;

	for (i = 0; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			view = 0;
		if (kind == PMUMAP_AMU_VIEW_NAME_) {
			view = PMUMAP_AMU_ENTRY_(text, w->b, i);
			view->first = n;
			view->count = 0;
		}
		if (kind == PMUMAP_AMU_COUNTER_ && view) {
			counters[n++] = i;
			view->count++;
		}
	}
	for (i = 0; i < w->name_count; i++) {
		view = PMUMAP_AMU_ENTRY_(text, w->b, w->names[i] + 1);
		pmumap_sort_numbers_(counters + view->first, view->count, spare,
				     pmumap_amu_order_counter_names_, w->b);
	}
	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) == PMUMAP_AMU_LABEL_)
			pmumap_amu_give_label_(w, counters, i);
	}
	w->pool.top = top;
}

/* ---- amu/build.h: Memory for a build; the map of all entries */
/* Drop every CPU whose affinity an earlier one has. */
static inline void pmumap_amu_drop_duplicates_(struct pmumap_amu_build_ *w)
{
	uint32_t i, first = 0;

	for (i = 1; i < w->cpu_count; i++) {
		struct pmumap_amu_cpu_entry_ *e = PMUMAP_AMU_ENTRY_(cpu, w->b, w->cpus[i]);

		if (pmumap_amu_entry_affinity_(w->b, w->cpus[i]) !=
		    pmumap_amu_entry_affinity_(w->b, w->cpus[first])) {
			first = i;
			continue;
		}
		e->kind |= PMUMAP_AMU_CPU_DROPPED_;
		e->cpu = w->cpus[first];
	}
}

static inline void pmumap_amu_resolve_views_(struct pmumap_amu_build_ *w)
{
	uint32_t i, view;

	for (i = 0; i < w->b->entries.count; i++) {
		const struct pmumap_amu_cpu_entry_ *e = PMUMAP_AMU_ENTRY_(cpu, w->b, i);

		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_AMU_CPU_ ||
		    (e->kind & PMUMAP_AMU_CPU_LEFT_OUT_))
			continue;
		view = pmumap_entries_find_(&w->b->entries, w->views, w->view_count, e->view);
		if (view != PMUMAP_NO_ENTRY_)
			PMUMAP_AMU_ENTRY_(view, w->b, view)->kind |= PMUMAP_AMU_VIEW_USED_;
	}
}

/* Fill in the masks of the view in entry i, and its counters' entries by index. */
static inline void pmumap_amu_build_view_(struct pmumap_amu_build_ *w, uint32_t i,
					  struct pmumap_amu_view_row_ *v, uint32_t *counters)
{
	const struct pmumap_amu_counter_entry_ *e;
	uint32_t kind;
	int fate;

	v->described = v->enable = 0;
	for (i++; i < w->b->entries.count; i++) {
		kind = pmumap_entries_kind_(&w->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			break;
		if (kind != PMUMAP_AMU_COUNTER_)
			continue;
		e = PMUMAP_AMU_ENTRY_(counter, w->b, i);
		fate = pmumap_amu_counter_fate_(e, v->described);
		if (fate && (e->kind & PMUMAP_AMU_COUNTER_ENABLE_))
			v->enable |= (uint16_t)(1u << e->index);
		if (fate != PMUMAP_AMU_NEW_)
			continue;
		v->described |= (uint16_t)(1u << e->index);
		counters[e->index] = i;
	}
}

/* Build the views. Until names exist, their table holds the entries of the counters. */
static inline void pmumap_amu_build_views_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_view_row_ *v;
	uint32_t counters[PMUMAP_AMU_COUNTERS_], i, n, bytes, counter, *name;

	for (i = n = 0; i < w->b->entries.count; i++)
		n += (uint32_t)pmumap_amu_is_kept_view_(w->b, i);
	bytes = n * (uint32_t)sizeof(*v);
	v = (struct pmumap_amu_view_row_ *)pmumap_append_table_(w->m, &w->m->views, bytes);
	w->m->view_count = n;
	w->m->names = w->m->head.size;
	for (i = n = 0; i < w->b->entries.count; i++) {
		if (!pmumap_amu_is_kept_view_(w->b, i))
			continue;
		pmumap_amu_build_view_(w, i, v, counters);
		PMUMAP_AMU_ENTRY_(view, w->b, i)->number = n++;
		v->first = w->m->name_count;
		for (counter = 0; counter < PMUMAP_AMU_COUNTERS_; counter++) {
			if (!(v->described >> counter & 1))
				continue;
			name = (uint32_t *)(void *)((char *)w->m + w->m->head.size);
			*name = counters[counter];
			w->m->head.size += (uint32_t)sizeof(*name);
			w->m->name_count++;
		}
		v++;
	}
	pmumap_pad_image_(w->m);
}

/* Replace these entries with names: the counter's label, or the name of its node. */
static inline void pmumap_amu_build_names_(struct pmumap_amu_build_ *w)
{
	uint32_t *name = (uint32_t *)(void *)((char *)w->m + w->m->names), i;
	const struct pmumap_amu_counter_entry_ *e;
	uint64_t text;

	w->m->strings = w->m->head.size;
	pmumap_pool_begin_texts_(&w->pool);
	for (i = 0; i < w->m->name_count; i++) {
		e = PMUMAP_AMU_ENTRY_(counter, w->b, name[i]);
		text = e->name;
		if (e->kind & PMUMAP_AMU_COUNTER_LABELED_)
			text = PMUMAP_AMU_ENTRY_(text, w->b, e->label)->text;
		name[i] = pmumap_pool_keep_text_(&w->pool, (const char *)(size_t)text);
	}
	pmumap_pad_image_(w->m);
	w->m->string_bytes = w->m->head.size - w->m->strings;
}

/* Build the CPUs, sorted by affinity, and their order in the tree. */
static inline void pmumap_amu_build_cpus_(struct pmumap_amu_build_ *w)
{
	struct pmumap_amu_cpu_row_ *c;
	uint32_t i, *order, n = 0, view;
	struct pmumap_amu_cpu_entry_ *e;

	for (i = 0; i < w->b->entries.count; i++) {
		if (pmumap_entries_kind_(&w->b->entries, i) != PMUMAP_AMU_CPU_)
			continue;
		e = PMUMAP_AMU_ENTRY_(cpu, w->b, i);
		if (!(e->kind & PMUMAP_AMU_CPU_LEFT_OUT_))
			e->cpu = w->m->cpu_count++;
	}
	c = (struct pmumap_amu_cpu_row_ *)pmumap_append_table_(
		w->m, &w->m->cpus, w->m->cpu_count * (uint32_t)sizeof(*c));
	order = (uint32_t *)pmumap_append_table_(w->m, &w->m->by_tree,
						 w->m->cpu_count * (uint32_t)sizeof(*order));
	for (i = 0; i < w->cpu_count; i++) {
		e = PMUMAP_AMU_ENTRY_(cpu, w->b, w->cpus[i]);
		if (e->kind & PMUMAP_AMU_CPU_DROPPED_)
			continue;
		view = pmumap_entries_find_(&w->b->entries, w->views, w->view_count, e->view);
		c[n].affinity = pmumap_amu_pack_affinity_(e->mpidr);
		c[n].view = view == PMUMAP_NO_ENTRY_ ? PMUMAP_AMU_NO_VIEW
						     : PMUMAP_AMU_ENTRY_(view, w->b, view)->number;
		order[e->cpu] = n++;
	}
}

/* Begin with the head of an empty map. The magic number comes last. */
static inline struct pmumap_amu *pmumap_amu_begin_image_(const struct pmumap_amu_builder *b)
{
	struct pmumap_amu *m = (struct pmumap_amu *)(void *)b->entries.mem;

	pmumap_zero_words_(m, sizeof(*m));
	m->head.version = PMUMAP_IMAGE_VERSION;
	m->head.size = (uint32_t)sizeof(*m);
	return m;
}

static inline void pmumap_amu_build_(struct pmumap_amu_builder *b, struct pmumap_amu *m)
{
	struct pmumap_amu_build_ w;

	w.b = b;
	w.m = m;
	w.view_count = w.name_count = w.cpu_count = w.counter_count = 0;
	pmumap_pool_init_(&w.pool, m, pmumap_entries_end_(&b->entries));
	pmumap_amu_count_entries_(&w);
	pmumap_amu_drop_duplicates_(&w);
	pmumap_amu_give_labels_(&w);
	pmumap_amu_resolve_views_(&w);
	pmumap_pool_reserve_texts_(&w.pool, w.counter_count);
	pmumap_amu_build_views_(&w);
	pmumap_amu_build_names_(&w);
	pmumap_amu_build_cpus_(&w);
}

/* Bytes of block that a build takes at most. */
static inline uint64_t pmumap_amu_map_need_(const struct pmumap_amu_builder *b)
{
	return sizeof(struct pmumap_amu) + 128 /* tables are rounded up */ + b->entries.need;
}

PMUMAP_DEF PMUMAP_COLD_ size_t pmumap_amu_need(const struct pmumap_amu_builder *b)
{
	uint64_t need = pmumap_amu_map_need_(b);

	return need > PMUMAP_MAX_BYTES_ ? PMUMAP_MAX_BYTES_ : (size_t)need;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_amu_finish(struct pmumap_amu_builder *b,
							     const struct pmumap_amu **map)
{
	struct pmumap_amu *m;

	if (map)
		*map = 0;
	if (b->entries.mem && !map)
		return PMUMAP_E_ARG;
	if (!pmumap_entries_fit_(&b->entries, pmumap_amu_map_need_(b)))
		return b->entries.status;
	m = pmumap_amu_begin_image_(b);
	pmumap_amu_build_(b, m);
	m->head.magic = PMUMAP_AMU_MAGIC;
	*map = m;
	pmumap_entries_close_(&b->entries);
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

/* ---- amu/fdt.h: CPUs and their views */
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

#define PMUMAP_AMU_PARENTS_ 8u      /* nodes outside /cpus/amus at this depth are no views */
#define PMUMAP_AMU_LABEL_BYTES_ 64u /* longer labels are ignored */

/* A node on the path to the current one that may hold counters. */
struct pmumap_amu_parent_ {
	uint32_t id; /* its phandle */
	uint32_t offset, cells;
	uint32_t is_view; /* 1: it has an entry already */
};

/*
 * State of the walk. A depth is 0 outside its node. The walk comes first, because its callback
 * casts the walk to this struct.
 */
struct pmumap_amu_reader_ {
	struct pmumap_fdt_walk_ w;
	uint32_t found[PMUMAP_AMU_PROPERTIES_];
	struct pmumap_amu_builder *b;
	uint32_t cpus_depth, cpus_cells; /* of /cpus; of addresses in it */
	uint32_t amus_depth;             /* of /cpus/amus */
	uint32_t seen;                   /* 1: this tree has something of AMU */
	uint32_t last_view;              /* offset of the view that counters are added to */
	struct pmumap_amu_parent_ parents[PMUMAP_AMU_PARENTS_]; /* by depth */
};

/* The hexadecimal number behind the '@' of a name. Returns 0 if there is none. */
static inline int pmumap_fdt_unit_address_(const unsigned char *s, uint64_t *address)
{
	const unsigned char *end;

	while (*s && *s != '@')
		s++;
	if (*s++ == 0)
		return 0;
	for (end = s; *end; end++)
		PMUMAP_NO_LIBCALL_();
	return pmumap_parse_digits_((const char *)s, (const char *)end, 16, address);
}

/* Whether a name is "cpu", decimal digits, '@' and an address. */
static inline int pmumap_amu_is_cpu_name_(const unsigned char *s, uint32_t *digits)
{
	s = pmumap_fdt_match_string_(s, "cpu", 1);
	for (*digits = 0; s && *s >= '0' && *s <= '9'; s++)
		++*digits;
	return s && *s == '@';
}

/* Read a child of /cpus, which may be a CPU. */
static inline void pmumap_amu_read_cpu_(struct pmumap_amu_reader_ *r,
					const struct pmumap_fdt_walk_ *w,
					struct pmumap_amu_builder *b)
{
	const char *type = pmumap_fdt_property_text_(w, PMUMAP_AMU_PROPERTY_DEVICE_TYPE_);
	const char *status = pmumap_fdt_property_text_(w, PMUMAP_AMU_PROPERTY_STATUS_);
	uint32_t digits, bytes, view = 0, flags = 0, cells;
	uint64_t mpidr = 0;
	int named = pmumap_amu_is_cpu_name_(pmumap_fdt_node_name_(w), &digits);

	if (!named && (!type || !pmumap_fdt_match_string_((const unsigned char *)type, "cpu", 0)))
		return;
	if (!named || digits)
		flags |= PMUMAP_AMU_CPU_ODD_NAME_;
	if (!pmumap_fdt_reg_address_(w, PMUMAP_AMU_PROPERTY_REG_, r->cpus_cells, &mpidr))
		flags |= PMUMAP_AMU_CPU_BAD_REG_;
	if (status && !pmumap_fdt_match_string_((const unsigned char *)status, "okay", 0) &&
	    !pmumap_fdt_match_string_((const unsigned char *)status, "ok", 0))
		flags |= PMUMAP_AMU_CPU_DISABLED_;
	if (pmumap_fdt_property_value_(w, PMUMAP_AMU_PROPERTY_AMU_, &bytes)) {
		r->seen = 1;
		cells = bytes / 4 < 0xffff ? bytes / 4 : 0xffff;
		flags |= PMUMAP_AMU_CPU_HAS_VIEW_ | cells << PMUMAP_AMU_CPU_CELLS_SHIFT_;
	}
	(void)pmumap_fdt_property_number_(w, PMUMAP_AMU_PROPERTY_AMU_, &view);
	(void)pmumap_amu_add_cpu_entry_(b, mpidr, view, flags);
}

/*
 * Read the index of the current counter: the parent's #address-cells of its reg, or as many as
 * exist. ~0 if it has more than 32 bits. Returns 0 without a valid reg.
 */
static inline int pmumap_amu_read_index_(const struct pmumap_fdt_walk_ *w, uint32_t cells,
					 uint32_t *index)
{
	uint32_t bytes, i;
	const unsigned char *p = pmumap_fdt_property_value_(w, PMUMAP_AMU_PROPERTY_REG_, &bytes);

	*index = 0;
	if (bytes == 0 || bytes % 4)
		return 0;
	if (cells == 0 || cells > bytes / 4)
		cells = bytes / 4;
	for (i = 0; i < cells; i++, p += 4)
		*index = *index ? 0xffffffffu : pmumap_load_be32_(p);
	return 1;
}

/* Read the current counter. Its parent becomes a view if it is not one yet. */
static inline void pmumap_amu_read_counter_(struct pmumap_amu_reader_ *r,
					    const struct pmumap_fdt_walk_ *w,
					    struct pmumap_amu_builder *b)
{
	struct pmumap_amu_parent_ *parent = &r->parents[w->depth - 1];
	const unsigned char *name = pmumap_fdt_node_name_(w);
	uint32_t bytes, flags = 0, index;
	uint64_t address;
	int node = b->node;

	if (!parent->is_view) {
		b->node = (int)parent->offset;
		(void)pmumap_amu_add_view_entry_(b, parent->id, 0, parent->cells, 0);
		b->node = node;
		parent->is_view = 1;
		r->last_view = parent->offset;
	}
	if (r->last_view != parent->offset)
		return; /* it follows a view nested in its view */
	if (!pmumap_fdt_match_string_(name, "counter@", 1))
		flags |= PMUMAP_AMU_COUNTER_BAD_NAME_;
	if (!pmumap_amu_read_index_(w, parent->cells, &index))
		flags |= PMUMAP_AMU_COUNTER_NO_REG_;
	if (!pmumap_fdt_unit_address_(name, &address) || address != index)
		flags |= PMUMAP_AMU_COUNTER_MISMATCH_;
	if (pmumap_fdt_property_value_(w, PMUMAP_AMU_PROPERTY_ENABLE_, &bytes))
		flags |= PMUMAP_AMU_COUNTER_ENABLE_;
	if (bytes)
		flags |= PMUMAP_AMU_COUNTER_ENABLE_VALUE_;
	(void)pmumap_amu_add_counter_entry_(b, index, (const char *)name, flags);
}

/* Remember the current node as a possible view; listed: it is in /cpus/amus, so it is one. */
static inline void pmumap_amu_note_view_(struct pmumap_amu_reader_ *r,
					 const struct pmumap_fdt_walk_ *w,
					 struct pmumap_amu_builder *b, uint32_t listed)
{
	struct pmumap_amu_parent_ *parent = &r->parents[w->depth];

	parent->id = pmumap_fdt_phandle_(w, PMUMAP_AMU_PROPERTY_PHANDLE_,
					 PMUMAP_AMU_PROPERTY_LINUX_PHANDLE_);
	parent->offset = w->offset;
	parent->cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	parent->is_view = listed;
	if (!listed)
		return;
	r->last_view = w->offset;
	(void)pmumap_amu_add_view_entry_(b, parent->id, (const char *)pmumap_fdt_node_name_(w),
					 parent->cells, PMUMAP_AMU_VIEW_LISTED_);
}

/*
 * Store a label, whose value is a path. Many properties can share the bytes of one name, so read
 * only as far as a label may reach; otherwise the time would be quadratic.
 */
static inline void pmumap_amu_note_label_(struct pmumap_amu_builder *b, const char *label,
					  const unsigned char *path, uint32_t bytes)
{
	uint32_t i = 0;

	if (bytes == 0 || path[bytes - 1] || !pmumap_fdt_match_string_(path, "/cpus/amus/", 1))
		return;
	while (i < PMUMAP_AMU_LABEL_BYTES_ && label[i])
		i++;
	if (i == PMUMAP_AMU_LABEL_BYTES_)
		return;
	pmumap_amu_add_text_(b, PMUMAP_AMU_LABEL_, label);
	pmumap_entries_reserve_text_(&b->entries, label);
	pmumap_amu_add_text_(b, PMUMAP_AMU_PATH_, (const char *)path);
}

/* Read the current node, /__symbols__: each of its properties is a label. */
static inline void pmumap_amu_read_labels_(const struct pmumap_fdt_walk_ *w,
					   struct pmumap_amu_builder *b)
{
	const unsigned char *tag = w->blob + w->start + w->offset;

	while ((tag = pmumap_fdt_next_property_(tag)) != 0)
		pmumap_amu_note_label_(
			b, (const char *)w->blob + w->names + pmumap_load_be32_(tag + 8),
			tag + PMUMAP_FDT_PROPERTY_HEAD_, pmumap_load_be32_(tag + 4));
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_amu_read_node_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_amu_reader_ *r = (struct pmumap_amu_reader_ *)(void *)w;
	struct pmumap_amu_builder *b = r->b;
	const unsigned char *name = pmumap_fdt_node_name_(w);

	b->node = (int)w->offset;
	if (w->depth == 2 && pmumap_fdt_match_string_(name, "__symbols__", 0))
		pmumap_amu_read_labels_(w, b);
	if (w->depth <= r->cpus_depth)
		r->cpus_depth = 0;
	if (w->depth <= r->amus_depth)
		r->amus_depth = 0;
	if (w->wanted && w->wanted != w->offset && !r->cpus_depth)
		return;
	if (r->amus_depth) {
		if (w->depth == r->amus_depth + 1)
			pmumap_amu_note_view_(r, w, b, 1);
		else if (w->depth == r->amus_depth + 2)
			pmumap_amu_read_counter_(r, w, b);
		return;
	}
	if (r->cpus_depth && w->depth == r->cpus_depth + 1) {
		if (pmumap_fdt_match_string_(name, "amus", 0)) {
			r->amus_depth = w->depth;
			r->seen = 1;
			return;
		}
		pmumap_amu_read_cpu_(r, w, b);
	}
	if (w->depth == 2 && pmumap_fdt_match_string_(name, "cpus", 0)) {
		r->cpus_depth = w->depth;
		r->cpus_cells = pmumap_fdt_address_cells_(w, PMUMAP_AMU_PROPERTY_ADDRESS_CELLS_);
	}
	/* The root, at depth 1, is not a view. */
	if (w->depth > 2 && w->depth <= PMUMAP_AMU_PARENTS_ && r->parents[w->depth - 1].id &&
	    pmumap_fdt_match_string_(name, "counter@", 1))
		pmumap_amu_read_counter_(r, w, b);
	if (w->depth < PMUMAP_AMU_PARENTS_)
		pmumap_amu_note_view_(r, w, b, 0);
}

/* ---- amu/read.h: Read a tree into a map */
static inline enum pmumap_status pmumap_amu_read_tree_(struct pmumap_amu_builder *b,
						       const void *fdt, size_t fdt_size,
						       const struct pmumap_amu_options *opt)
{
	static const char texts[] = PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_AMU_PROPERTY_LIST_(PMUMAP_FDT_BYTES_) };
	struct pmumap_amu_reader_ r;
	enum pmumap_status status;

	pmumap_zero_words_(&r, sizeof(r));
	r.w.blob = (const unsigned char *)fdt;
	r.w.wanted = opt ? (uint32_t)opt->node : 0;
	r.w.read_node = pmumap_amu_read_node_;
	pmumap_fdt_want_(&r.w, texts, lengths, PMUMAP_AMU_PROPERTIES_, r.found);
	r.b = b;
	status = pmumap_fdt_walk_blob_(&r.w, fdt_size);
	if (status == PMUMAP_OK && !r.seen)
		status = r.w.wanted ? PMUMAP_E_NODE : PMUMAP_E_NOTFOUND;
	return status;
}

PMUMAP_DEF enum pmumap_status pmumap_amu_fdt_measure(const void *fdt, size_t fdt_size,
						     const struct pmumap_amu_options *opt,
						     size_t *bytes)
{
	struct pmumap_amu_builder b;
	enum pmumap_status status;

	if (!fdt || !bytes)
		return PMUMAP_E_ARG;
	pmumap_amu_begin(&b, 0, 0);
	status = pmumap_amu_read_tree_(&b, fdt, fdt_size, opt);
	*bytes = status == PMUMAP_OK ? pmumap_amu_need(&b) : 0;
	return status == PMUMAP_OK ? pmumap_amu_finish(&b, 0) : status;
}

/* Build the map of a tree. Its entries stay readable afterwards. */
static inline enum pmumap_status pmumap_amu_build_tree_(struct pmumap_amu_builder *b,
							const void *fdt, size_t fdt_size,
							const struct pmumap_amu_options *opt,
							void *mem, size_t bytes,
							const struct pmumap_amu **map)
{
	enum pmumap_status status;

	if (!map)
		return PMUMAP_E_ARG;
	*map = 0;
	if (!fdt || !mem ||
	    pmumap_is_overlap_(fdt, pmumap_fdt_blob_bytes_(fdt, fdt_size), mem, bytes))
		return PMUMAP_E_ARG;
	pmumap_amu_begin(b, mem, bytes);
	status = pmumap_amu_read_tree_(b, fdt, fdt_size, opt);
	return status == PMUMAP_OK ? pmumap_amu_finish(b, map) : status;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status
pmumap_amu_fdt_build(const void *fdt, size_t fdt_size, const struct pmumap_amu_options *opt,
		     void *mem, size_t bytes, const struct pmumap_amu **map)
{
	struct pmumap_amu_builder b;

	if (opt && opt->check)
		return opt->check(fdt, fdt_size, opt, mem, bytes, map);
	return pmumap_amu_build_tree_(&b, fdt, fdt_size, opt, mem, bytes, map);
}

/* ---- amu/check.h: Mistakes in a tree */
enum {
	PMUMAP_AMU_IN_NODE_, /* the node as a whole */
#define PMUMAP_X_(name, text) PMUMAP_AMU_IN_##name##_,
	PMUMAP_AMU_PLACE_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
};

/* A finding packed into a number: code, severity and place, lowest byte first. */
#define PMUMAP_AMU_FINDING_(code, severity, place)                                                 \
	((uint32_t)PMUMAP_F_##code | (uint32_t)PMUMAP_##severity << 8 |                            \
	 (uint32_t)PMUMAP_AMU_IN_##place##_ << 16)

/* State of a check: the builder of the finished map, and the listener. */
struct pmumap_amu_checker_ {
	const struct pmumap_amu_builder *b;
	const struct pmumap_amu *m;
	const struct pmumap_amu_options *opt;
	uint32_t node;
	uint32_t cpus; /* CPUs of the map that were checked so far */
};

/* Report a finding. row and other: CPUs, or NO_ROW. */
PMUMAP_OUTLINE_ PMUMAP_COLD_ void pmumap_amu_tell_(const struct pmumap_amu_checker_ *c,
						   uint32_t what, uint32_t row, uint32_t other,
						   uint64_t value)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_AMU_FINDING_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char names[] = PMUMAP_AMU_FINDING_LIST(PMUMAP_X_);
#undef PMUMAP_X_
#define PMUMAP_X_(name, text) text "\0"
	static const char places[] = PMUMAP_AMU_PLACE_LIST_(PMUMAP_X_);
#undef PMUMAP_X_
	struct pmumap_finding f;
	uint32_t place = what >> 16;

	f.code = what & 0xff;
	f.name = pmumap_text_of_number_(numbers, sizeof(numbers), names, f.code);
	f.severity = (enum pmumap_severity)(what >> 8 & 0xff);
	f.node = (int)c->node;
	f.property = place == PMUMAP_AMU_IN_NODE_ ? 0 : pmumap_nth_text_(places, place - 1);
	f.row = row;
	f.other_property = other == PMUMAP_NO_ROW ? 0 : f.property;
	f.other = other;
	f.value = value;
	c->opt->report(c->opt->arg, &f);
}

/* Report a finding that is not about a CPU. */
static inline void pmumap_amu_tell_node_(struct pmumap_amu_checker_ *c, uint32_t node,
					 uint32_t what, uint64_t value)
{
	c->node = node;
	pmumap_amu_tell_(c, what, PMUMAP_NO_ROW, PMUMAP_NO_ROW, value);
}

/* Check a counter; seen: the earlier ones of its view. */
static inline void pmumap_amu_check_counter_(struct pmumap_amu_checker_ *c,
					     const struct pmumap_amu_counter_entry_ *e,
					     uint32_t seen)
{
	int fate = pmumap_amu_counter_fate_(e, seen);
	uint32_t what = 0;

	if (fate == PMUMAP_AMU_AGAIN_)
		what = PMUMAP_AMU_FINDING_(COUNTER_DUPLICATE, ERROR, REG);
	else if (e->kind & PMUMAP_AMU_COUNTER_BAD_NAME_)
		what = PMUMAP_AMU_FINDING_(COUNTER_NAME, WARNING, NODE);
	else if (e->kind & PMUMAP_AMU_COUNTER_NO_REG_)
		what = PMUMAP_AMU_FINDING_(COUNTER_REG, ERROR, REG);
	else if (fate == PMUMAP_AMU_LEFT_OUT_)
		what = PMUMAP_AMU_FINDING_(COUNTER_RANGE, ERROR, REG);
	else if (e->kind & PMUMAP_AMU_COUNTER_MISMATCH_)
		what = PMUMAP_AMU_FINDING_(UNIT_MISMATCH, WARNING, REG);
	if (what)
		pmumap_amu_tell_node_(c, e->node, what, e->index);
	if (fate && (e->kind & PMUMAP_AMU_COUNTER_ENABLE_VALUE_))
		pmumap_amu_tell_node_(c, e->node,
				      PMUMAP_AMU_FINDING_(ENABLE_VALUE, WARNING, ENABLE), e->index);
}

/* Check the view in entry i and its counters, which follow it. */
static inline void pmumap_amu_check_view_(struct pmumap_amu_checker_ *c, uint32_t i)
{
	const struct pmumap_amu_view_entry_ *view = PMUMAP_AMU_ENTRY_(view, c->b, i);
	uint32_t seen = 0, any = 0, kind;

	for (i++; i < c->b->entries.count; i++) {
		const struct pmumap_amu_counter_entry_ *e = PMUMAP_AMU_ENTRY_(counter, c->b, i);

		kind = pmumap_entries_kind_(&c->b->entries, i);
		if (kind == PMUMAP_AMU_VIEW_)
			break;
		if (kind != PMUMAP_AMU_COUNTER_)
			continue;
		if (!any++ && view->cells != 1)
			pmumap_amu_tell_node_(c, view->node,
					      PMUMAP_AMU_FINDING_(CELLS, WARNING, ADDRESS_CELLS),
					      view->cells);
		pmumap_amu_check_counter_(c, e, seen);
		if (pmumap_amu_counter_fate_(e, seen))
			seen |= 1u << e->index;
	}
	if (!(view->kind & PMUMAP_AMU_VIEW_LISTED_))
		pmumap_amu_tell_node_(c, view->node,
				      PMUMAP_AMU_FINDING_(VIEW_FOREIGN, WARNING, NODE), 0);
}

/* Check the node of a CPU that the map has. */
static inline void pmumap_amu_check_kept_cpu_(const struct pmumap_amu_checker_ *c,
					      const struct pmumap_amu_cpu_entry_ *e)
{
	uint32_t cells = (e->kind & PMUMAP_POOL_ENTRY_FLAGS_) >> PMUMAP_AMU_CPU_CELLS_SHIFT_;
	struct pmumap_amu_cpu cpu;

	cpu.view = PMUMAP_AMU_NO_VIEW;
	(void)pmumap_amu_cpu_at(c->m, e->cpu, &cpu);
	if (e->kind & PMUMAP_AMU_CPU_ODD_NAME_)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(CPU_NAME, WARNING, NODE), e->cpu,
				 PMUMAP_NO_ROW, 0);
	if (e->kind & PMUMAP_AMU_CPU_DISABLED_)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(CPU_DISABLED, NOTE, STATUS), e->cpu,
				 PMUMAP_NO_ROW, 0);
	if ((e->kind & PMUMAP_AMU_CPU_HAS_VIEW_) && cpu.view == PMUMAP_AMU_NO_VIEW)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(VIEW_MISSING, ERROR, AMU), e->cpu,
				 PMUMAP_NO_ROW, e->view);
	if (cells > 1)
		pmumap_amu_tell_(c, PMUMAP_AMU_FINDING_(VIEW_EXTRA, WARNING, AMU), e->cpu,
				 PMUMAP_NO_ROW, cells);
}

static inline void pmumap_amu_check_cpu_(struct pmumap_amu_checker_ *c,
					 const struct pmumap_amu_cpu_entry_ *e)
{
	uint32_t other = PMUMAP_NO_ROW, what = 0;

	c->node = e->node;
	if (e->kind & PMUMAP_AMU_CPU_BAD_REG_) {
		what = PMUMAP_AMU_FINDING_(CPU_REG, ERROR, REG);
	} else if (e->kind & PMUMAP_AMU_CPU_DROPPED_) {
		what = PMUMAP_AMU_FINDING_(CPU_DUPLICATE, ERROR, REG);
		other = PMUMAP_AMU_ENTRY_(cpu, c->b, e->cpu)->cpu;
	} else if (e->mpidr & ~(uint64_t)PMUMAP_AMU_AFFINITY) {
		what = PMUMAP_AMU_FINDING_(CPU_REG, WARNING, REG);
	}
	if (what)
		pmumap_amu_tell_(c, what, c->cpus, other, e->mpidr);
	if (e->kind & PMUMAP_AMU_CPU_LEFT_OUT_)
		return;
	pmumap_amu_check_kept_cpu_(c, e);
	c->cpus++;
}

PMUMAP_DEF PMUMAP_COLD_ enum pmumap_status pmumap_amu_check(const void *fdt, size_t fdt_size,
							    const struct pmumap_amu_options *opt,
							    void *mem, size_t bytes,
							    const struct pmumap_amu **map)
{
	struct pmumap_amu_checker_ c;
	struct pmumap_amu_builder b;
	enum pmumap_status status = pmumap_amu_build_tree_(&b, fdt, fdt_size, opt, mem, bytes, map);
	uint32_t i;

	if (status != PMUMAP_OK || !opt || !opt->report)
		return status;
	c.b = &b;
	c.m = *map;
	c.opt = opt;
	c.cpus = 0;
	for (i = 0; i < b.entries.count; i++) {
		if (pmumap_amu_is_kept_view_(&b, i))
			pmumap_amu_check_view_(&c, i);
	}
	for (i = 0; i < b.entries.count; i++) {
		if (pmumap_entries_kind_(&b.entries, i) == PMUMAP_AMU_CPU_)
			pmumap_amu_check_cpu_(&c, PMUMAP_AMU_ENTRY_(cpu, &b, i));
	}
	return status;
}

/* ---- amu/hw.h: Operate activity monitors */
PMUMAP_DEF int pmumap_amu_reconcile(uint16_t described, uint16_t enable, uint16_t implemented,
				    uint16_t readable, enum pmumap_amu_mismatch *why)
{
	uint32_t i;

	for (i = 0; i < 16; i++) {
		uint32_t bit = 1u << i;

		if ((enable & bit) && !(described & bit))
			*why = PMUMAP_AMU_NOT_DESCRIBED;
		else if (((enable | described) & bit) && !(implemented & bit))
			*why = PMUMAP_AMU_NOT_IMPLEMENTED;
		else if ((enable & bit) && !(readable & bit))
			*why = PMUMAP_AMU_NOT_READABLE;
		else
			continue;
		return (int)i;
	}
	*why = PMUMAP_AMU_FITS;
	return -1;
}

PMUMAP_DEF uint16_t pmumap_amu_implemented(uint64_t amcfgr, uint64_t amcgcr, int v1p1,
					   uint64_t amcg1idr)
{
	uint32_t n = (uint32_t)amcgcr >> 8 & 0xff;

	if (((uint32_t)amcfgr >> 28 & 0xf) == 0)
		return 0;
	if (v1p1)
		return (uint16_t)amcg1idr;
	return (uint16_t)(n < 16 ? (1u << n) - 1 : 0xffff);
}

PMUMAP_DEF uint16_t pmumap_amu_readable(const struct pmumap_amu_access *access, uint32_t group,
					uint16_t implemented)
{
	uint32_t traps = (uint32_t)(group ? access->hafgrtr_el2 >> 18 : access->hafgrtr_el2 >> 1);
	uint32_t n, trapped = 0;

	if ((access->el < 3 && (access->cptr_el3 & PMUMAP_AMU_TAM)) ||
	    (access->el < 2 && (access->cptr_el2 & PMUMAP_AMU_TAM)) ||
	    (access->el < 1 && !(access->amuserenr & 1)) ||
	    (group && access->el < access->highest_el && (access->amcr & PMUMAP_AMU_CG1RZ)))
		return 0;
	for (n = 0; n < 16 && access->el < 2; n++) {
		trapped |= (traps & 1) << n;
		traps >>= group ? 2 : 1;
	}
	return (uint16_t)(implemented & ~trapped);
}

PMUMAP_DEF int pmumap_amu_probe(struct pmumap_amu_hw *hw)
{
	uint64_t cfgr, cgcr, g1idr = 0;
	uint32_t group0;

	hw->implemented[0] = hw->implemented[1] = hw->offsets[0] = hw->offsets[1] = 0;
	hw->version = (uint32_t)hw->read(hw->arg, PMUMAP_AMU_ID) & 15;
	if (hw->version == 0)
		return 0;
	cfgr = hw->read(hw->arg, PMUMAP_AMU_CFGR);
	cgcr = hw->read(hw->arg, PMUMAP_AMU_CGCR);
	group0 = (uint32_t)cgcr & 0xff;
	hw->implemented[0] = (uint16_t)((1u << (group0 < 4 ? group0 : 4)) - 1);
	if (hw->version > 1) {
		if (cfgr >> 28 & 15)
			g1idr = hw->read(hw->arg, PMUMAP_AMU_CG1IDR);
		hw->offsets[0] = hw->implemented[0] & 0xd; /* counter 1 has none */
		hw->offsets[1] = (uint16_t)(g1idr & g1idr >> 16);
	}
	hw->implemented[1] = pmumap_amu_implemented(cfgr, cgcr, hw->version > 1, g1idr);
	return 1;
}

/* Whether counter n of a group exists; safe for any numbers. */
static inline int pmumap_amu_hw_has_counter_(const struct pmumap_amu_hw *hw, uint32_t group,
					     uint32_t n)
{
	return group < 2 && n < 16 && (hw->implemented[group] >> n & 1);
}

PMUMAP_DEF uint64_t pmumap_amu_count(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	if (!pmumap_amu_hw_has_counter_(hw, group, n))
		return 0;
	return hw->read(hw->arg, (group ? PMUMAP_AMU_EVCNTR1 : PMUMAP_AMU_EVCNTR0) + n);
}

PMUMAP_DEF uint32_t pmumap_amu_event(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	if (!pmumap_amu_hw_has_counter_(hw, group, n))
		return 0;
	return (uint32_t)hw->read(hw->arg,
				  (group ? PMUMAP_AMU_EVTYPER1 : PMUMAP_AMU_EVTYPER0) + n) &
	       0xffff;
}

PMUMAP_DEF uint16_t pmumap_amu_running(struct pmumap_amu_hw *hw, uint32_t group)
{
	if (group > 1 || !hw->implemented[group])
		return 0;
	return (uint16_t)(hw->read(hw->arg, group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0) &
			  hw->implemented[group]);
}

/* Start or stop these counters of a group; others keep running or stopped. */
static inline void pmumap_amu_hw_start_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t counters)
{
	if (counters)
		hw->write(hw->arg, group ? PMUMAP_AMU_CNTENSET1 : PMUMAP_AMU_CNTENSET0, counters);
}

static inline void pmumap_amu_hw_stop_(struct pmumap_amu_hw *hw, uint32_t group, uint32_t counters)
{
	if (counters)
		hw->write(hw->arg, group ? PMUMAP_AMU_CNTENCLR1 : PMUMAP_AMU_CNTENCLR0, counters);
}

PMUMAP_DEF int pmumap_amu_run(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters)
{
	if (!hw->write || group > 1 || (counters & ~(uint32_t)hw->implemented[group]))
		return 0;
	pmumap_amu_hw_stop_(hw, group, hw->implemented[group] & ~(uint32_t)counters);
	pmumap_amu_hw_start_(hw, group, counters);
	return 1;
}

PMUMAP_DEF uint16_t pmumap_amu_enable(struct pmumap_amu_hw *hw, uint32_t group, uint16_t counters,
				      uint16_t allowed)
{
	uint16_t run = 0;

	if (group < 2)
		run = counters & allowed & hw->implemented[group];
	return pmumap_amu_run(hw, group, run) ? run : 0;
}

/* Write a counter's register while it is stopped. reg: the register for group 0. */
static inline void pmumap_amu_hw_write_stopped_(struct pmumap_amu_hw *hw, uint32_t group,
						uint32_t n, uint32_t reg, uint64_t value)
{
	uint32_t running = pmumap_amu_running(hw, group) & 1u << n;

	pmumap_amu_hw_stop_(hw, group, running);
	hw->write(hw->arg, reg + group * (PMUMAP_AMU_EVCNTR1 - PMUMAP_AMU_EVCNTR0) + n, value);
	pmumap_amu_hw_start_(hw, group, running);
}

PMUMAP_DEF int pmumap_amu_preset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				 uint64_t value)
{
	if (!hw->write || !pmumap_amu_hw_has_counter_(hw, group, n))
		return 0;
	pmumap_amu_hw_write_stopped_(hw, group, n, PMUMAP_AMU_EVCNTR0, value);
	return 1;
}

PMUMAP_DEF int pmumap_amu_set_event(struct pmumap_amu_hw *hw, uint32_t n, uint16_t event)
{
	if (!hw->write || !pmumap_amu_hw_has_counter_(hw, 1, n))
		return 0;
	if (pmumap_amu_event(hw, 1, n) != event)
		pmumap_amu_hw_write_stopped_(hw, 1, n, PMUMAP_AMU_EVTYPER0, event);
	return 1;
}

/* Whether counter n of a group has a usable offset; safe for any numbers. */
static inline int pmumap_amu_hw_has_offset_(const struct pmumap_amu_hw *hw, uint32_t group,
					    uint32_t n)
{
	return hw->write_offset && pmumap_amu_hw_has_counter_(hw, group, n) &&
	       (hw->offsets[group] >> n & 1);
}

PMUMAP_DEF uint64_t pmumap_amu_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n)
{
	if (!pmumap_amu_hw_has_offset_(hw, group, n))
		return 0;
	return hw->read(hw->arg, (group ? PMUMAP_AMU_EVCNTVOFF1 : PMUMAP_AMU_EVCNTVOFF0) + n);
}

PMUMAP_DEF int pmumap_amu_set_offset(struct pmumap_amu_hw *hw, uint32_t group, uint32_t n,
				     uint64_t value)
{
	if (!pmumap_amu_hw_has_offset_(hw, group, n))
		return 0;
	hw->write_offset(hw->arg, (group ? PMUMAP_AMU_EVCNTVOFF1 : PMUMAP_AMU_EVCNTVOFF0) + n,
			 value);
	return 1;
}

PMUMAP_DEF int pmumap_amu_save(struct pmumap_amu_hw *hw, struct pmumap_amu_state *state)
{
	uint32_t i, group;

	if (!hw->write || !hw->version)
		return 0;
	state->amcr = hw->read(hw->arg, PMUMAP_AMU_CR);
	for (group = 0; group < 2; group++) {
		state->running[group] = pmumap_amu_running(hw, group);
		pmumap_amu_hw_stop_(hw, group, state->running[group]);
	}
	for (i = 0; i < 20; i++) {
		group = i >= 4;
		state->count[i] = pmumap_amu_count(hw, group, i - group * 4);
		state->event[i] = (uint16_t)pmumap_amu_event(hw, group, i - group * 4);
		state->offset[i] = pmumap_amu_offset(hw, group, i - group * 4);
	}
	return 1;
}

PMUMAP_DEF int pmumap_amu_restore(struct pmumap_amu_hw *hw, const struct pmumap_amu_state *state)
{
	uint32_t i, group;

	if (!hw->write || !hw->version)
		return 0;
	(void)pmumap_amu_run(hw, 0, 0);
	(void)pmumap_amu_run(hw, 1, 0);
	hw->write(hw->arg, PMUMAP_AMU_CR, state->amcr);
	for (i = 0; i < 20; i++) {
		group = i >= 4;
		(void)pmumap_amu_preset(hw, group, i - group * 4, state->count[i]);
		(void)pmumap_amu_set_offset(hw, group, i - group * 4, state->offset[i]);
		if (group)
			(void)pmumap_amu_set_event(hw, i - 4, state->event[i]);
	}
	(void)pmumap_amu_enable(hw, 0, state->running[0], 0xffff);
	(void)pmumap_amu_enable(hw, 1, state->running[1], 0xffff);
	return 1;
}

/* Report version 1, because the view has no register that tells gaps between counters. */
static inline uint64_t pmumap_amu_hw_mapped_read_(void *arg, uint32_t reg)
{
	const volatile uint32_t *view = (const volatile uint32_t *)arg;
	uint32_t n = reg & 15, high, low, again;

	switch (reg & ~15u) {
	case PMUMAP_AMU_ID:
		return 1;
	case PMUMAP_AMU_EVTYPER0:
		return view[0x400 / 4 + n];
	case PMUMAP_AMU_EVTYPER1:
		return view[0x480 / 4 + n];
	case PMUMAP_AMU_EVCNTR0:
	case PMUMAP_AMU_EVCNTR1:
		view += 2 * n + (reg - n == PMUMAP_AMU_EVCNTR1 ? 0x100 / 4 : 0);
		high = view[1];
		low = view[0];
		again = view[1];
		if (again != high)
			low = view[0];
		return (uint64_t)again << 32 | low;
	default:
		break;
	}
	switch (reg) {
	case PMUMAP_AMU_CFGR:
		return view[0xe00 / 4];
	case PMUMAP_AMU_CGCR:
		return view[0xce0 / 4];
	case PMUMAP_AMU_CNTENSET0:
		return view[0xc00 / 4];
	case PMUMAP_AMU_CNTENSET1:
		return view[0xc04 / 4];
	default:
		return 0;
	}
}

PMUMAP_DEF void pmumap_amu_mapped(struct pmumap_amu_hw *hw, const volatile void *base)
{
	hw->read = pmumap_amu_hw_mapped_read_;
	hw->write = hw->write_offset = 0;
	hw->arg = (void *)(size_t)base;
}

/* ---- amu/native.h: This CPU's own system registers */
#if defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 8 && __ARM_ARCH_PROFILE == 'A')
/*
 * A register's number is part of the instruction. Barriers, because reads are not ordered with what
 * is counted, and a stop must take effect before a write.
 */
/* clang-format off */
#define PMUMAP_AMU_8_(X, reg, crm)                                                                 \
	X(reg, crm, 0) X(reg, crm, 1) X(reg, crm, 2) X(reg, crm, 3)                                \
	X(reg, crm, 4) X(reg, crm, 5) X(reg, crm, 6) X(reg, crm, 7)
#define PMUMAP_AMU_CONTROL_(X) X(0x10, 2, 1) X(0x10, 2, 2) X(0x10, 2, 3) X(0x30, 6, 0)             \
	X(0x30, 6, 1) X(0x30, 6, 2) X(0x30, 6, 3)
#define PMUMAP_AMU_WRITTEN_(X) X(0x10, 2, 0) X(0x10, 2, 4) X(0x10, 2, 5) X(0x18, 3, 0)             \
	X(0x18, 3, 1) PMUMAP_AMU_8_(X, 0x70, 14) PMUMAP_AMU_8_(X, 0x78, 15)
#define PMUMAP_AMU_CASE_(reg, ...)                                                                 \
	case reg:                                                                                  \
		__asm__ __volatile__(__VA_ARGS__);                                                 \
		break;
#ifdef __aarch64__
#define PMUMAP_AMU_EVCNTRS_(X)                                                                    \
	X(0x20, 4, 0) X(0x20, 4, 1) X(0x20, 4, 2) X(0x20, 4, 3)                                    \
	PMUMAP_AMU_8_(X, 0x60, 12) PMUMAP_AMU_8_(X, 0x68, 13)
#define PMUMAP_AMU_OFFSETS_(X)                                                                     \
	X(0x40, 8, 0) X(0x40, 8, 2) X(0x40, 8, 3)                                                  \
	PMUMAP_AMU_8_(X, 0x50, 10) PMUMAP_AMU_8_(X, 0x58, 11)
#define PMUMAP_AMU_READ_(reg, crm, n)                                                              \
	PMUMAP_AMU_CASE_((reg) + (n), "mrs %0, S3_3_C13_C" #crm "_" #n : "=r"(value))
#define PMUMAP_AMU_WRITE_(reg, crm, n)                                                             \
	PMUMAP_AMU_CASE_((reg) + (n), "msr S3_3_C13_C" #crm "_" #n ", %0" : : "r"(value) : "memory")
#define PMUMAP_AMU_READ_OFFSET_(reg, crm, n)                                                       \
	PMUMAP_AMU_CASE_((reg) + (n), "mrs %0, S3_4_C13_C" #crm "_" #n : "=r"(value))
#define PMUMAP_AMU_WRITE_OFFSET_(reg, crm, n)                                                      \
	PMUMAP_AMU_CASE_((reg) + (n), "msr S3_4_C13_C" #crm "_" #n ", %0" : : "r"(value) : "memory")
#else
#define PMUMAP_AMU_EVCNTRS_(X)                                                                    \
	X(0x20, 0, 0) X(0x20, 0, 1) X(0x20, 0, 2) X(0x20, 0, 3)                                    \
	PMUMAP_AMU_8_(X, 0x60, 4) PMUMAP_AMU_8_(X, 0x68, 5)
#define PMUMAP_AMU_READ_(reg, crm, n)                                                              \
	PMUMAP_AMU_CASE_((reg) + (n), "mrc p15, 0, %0, c13, c" #crm ", " #n : "=r"(low))
#define PMUMAP_AMU_READ_PAIR_(reg, crm, n)                                                         \
	PMUMAP_AMU_CASE_((reg) + (n), "mrrc p15, " #n ", %0, %1, c" #crm : "=r"(low), "=r"(high))
#define PMUMAP_AMU_WRITE_(reg, crm, n)                                                             \
	PMUMAP_AMU_CASE_((reg) + (n), "mcr p15, 0, %0, c13, c" #crm ", " #n : : "r"(low) : "memory")
#define PMUMAP_AMU_WRITE_PAIR_(reg, crm, n)                                                        \
	PMUMAP_AMU_CASE_((reg) + (n), "mcrr p15, " #n ", %0, %1, c" #crm                           \
			 : : "r"(low), "r"(high) : "memory")
#endif
/* clang-format on */

static inline uint64_t pmumap_amu_hw_native_read_(void *arg, uint32_t reg)
{
#ifdef __aarch64__
	uint64_t value = 0;

	(void)arg;
	__asm__ __volatile__("isb" : : : "memory");
	switch (reg) {
		PMUMAP_AMU_CONTROL_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_READ_(0x10, 2, 6)
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_OFFSETS_(PMUMAP_AMU_READ_OFFSET_)
	case PMUMAP_AMU_ID:
		__asm__ __volatile__("mrs %0, ID_AA64PFR0_EL1" : "=r"(value));
		return value >> 44 & 15;
	default:
		break;
	}
	return value;
#else
	uint32_t low = 0, high = 0;

	(void)arg;
	__asm__ __volatile__("isb" : : : "memory");
	switch (reg) {
		PMUMAP_AMU_CONTROL_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_READ_)
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_READ_PAIR_)
	case PMUMAP_AMU_ID:
		__asm__ __volatile__("mrc p15, 0, %0, c0, c1, 0" : "=r"(low));
		/* AMCG1IDR is missing: use FEAT_AMUv1p1 like version 1. */
		return (low >> 20 & 15) != 0;
	default:
		break;
	}
	return (uint64_t)high << 32 | low;
#endif
}

#if defined(PMUMAP_AMU_HIGHEST_EL) || defined(PMUMAP_AMU_EL2)
static inline void pmumap_amu_hw_native_write_(void *arg, uint32_t reg, uint64_t value)
{
#ifndef __aarch64__
	uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
#endif

	(void)arg;
	switch (reg) {
		PMUMAP_AMU_WRITTEN_(PMUMAP_AMU_WRITE_)
#ifdef __aarch64__
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_WRITE_)
		PMUMAP_AMU_OFFSETS_(PMUMAP_AMU_WRITE_OFFSET_)
#else
		PMUMAP_AMU_EVCNTRS_(PMUMAP_AMU_WRITE_PAIR_)
#endif
	default:
		break;
	}
	__asm__ __volatile__("isb" : : : "memory");
}
#endif

PMUMAP_DEF void pmumap_amu_native(struct pmumap_amu_hw *hw)
{
	hw->read = pmumap_amu_hw_native_read_;
	hw->write = hw->write_offset = 0;
	hw->arg = 0;
#ifdef PMUMAP_AMU_HIGHEST_EL
	hw->write = pmumap_amu_hw_native_write_;
#endif
#if defined(__aarch64__) && (defined(PMUMAP_AMU_HIGHEST_EL) || defined(PMUMAP_AMU_EL2))
	hw->write_offset = pmumap_amu_hw_native_write_;
#endif
}
#endif

#endif /* PMUMAP_AMU_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
