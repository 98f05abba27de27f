/* SPDX-License-Identifier: BSD-2-Clause
 * Generated from src/ by "make headers": change it there.
 *
 * pmumap_imc_hw.h 0.3.1 -- IMC on a POWER machine: which PMUs it has, its counters, control blocks
 *	and SCOMs; catalogs in firmware.
 *
 * QUICK START: control blocks and SCOMs
 *	#include "pmumap_imc_hw.h"		// includes pmumap_imc.h
 *
 *	struct pmumap_imc_hw power = { my_load, my_store, my_scom, 0, 0 };
 *	uint64_t state;
 *
 *	if (!pmumap_imc_control_load(map, &power, unit, chip, PMUMAP_IMC_CB_STATUS, &state))
 *		return;				// the PMU has no control block on this chip
 *	if (pmumap_imc_core_init(&power, PMUMAP_IMC_P9, core, page))
 *		pmumap_imc_core_run(&power, PMUMAP_IMC_P9, core, 1);
 *
 * QUICK START: this machine's PMUs
 *	static uint64_t block[8192];		// or measure: pmumap_imc_fdt_measure()
 *	static struct pmumap_imc_options options;
 *	const struct pmumap_imc *map;
 *	enum pmumap_status status;
 *
 *	options.wanted = pmumap_imc_wanted;
 *	options.generation = PMUMAP_IMC_P9;
 *	options.available = pmumap_imc_vector(&power, base);
 *	status = pmumap_imc_fdt_build(fdt, fdt_size, &options, block, sizeof(block), &map);
 *
 * CONTRACT
 *   As in pmumap_imc.h. A register operation that is refused returns 0.
 */
#include "pmumap_imc.h"

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

#ifndef PMUMAP_IMC_HW_H
#define PMUMAP_IMC_HW_H

/* ---- imc/machine_api.h: What a machine has: PMUs, catalogs */
/*
 * Processor generations with an availability vector, for options.generation. Add NO_TRACE to leave
 * out the trace PMU, or use it alone.
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
 * For options.wanted: leave out nest PMUs that do not exist, by options.generation and available,
 * and trace PMUs with NO_TRACE. unit: the name of its node.
 */
PMUMAP_API int pmumap_imc_wanted(const struct pmumap_imc_options *opt, uint32_t type,
				 const char *unit);

/*
 * Find a processor's part of an IMA_CATALOG image: an xz-compressed tree. skiboot's signed header
 * of 4096 bytes may come first; it is skipped unchecked, but offset includes it. The magic is IMCC,
 * or IMAC before mid-2017.
 * Returns  1; or 0: the image is invalid or truncated, or has no part for this PVR.
 */
PMUMAP_API int pmumap_imc_catalog(const void *image, size_t bytes, uint32_t pvr, size_t *offset,
				  size_t *size);

/* ---- imc/hw_api.h: Counters, control blocks and SCOMs of a POWER machine */
/* Read a counter: 64 bits, big-endian, 8-byte aligned; it wraps. */
PMUMAP_API uint64_t pmumap_imc_load_counter(const volatile void *counter);

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
PMUMAP_API int pmumap_imc_control_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				       uint32_t unit, uint32_t chip, uint32_t word,
				       uint64_t *value);
PMUMAP_API int pmumap_imc_control_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
					uint32_t unit, uint32_t chip, uint32_t word,
					uint64_t value);

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

/* ---- imc/fixup_api.h: Prepare a catalog for the next stage */
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
 *   - nest PMUs that no chip has, by generation and its vector
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
 * Cost     one pass over the blob, one move of the bytes behind; if the chips have different
 *          vectors, PMUs times chips.
 */
PMUMAP_API enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need);

#endif /* PMUMAP_IMC_HW_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "pmumap_imc_hw.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(PMUMAP_IMC_HW_IMPLEMENTED_)
#define PMUMAP_IMC_HW_IMPLEMENTED_

/* ---- imc/vector.h: Which nest units a machine has */
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

PMUMAP_DEF int pmumap_imc_available(unsigned generation, uint64_t vector, const char *unit)
{
	size_t len = pmumap_imc_base_name_bytes_(unit);
	const char *linux_name = pmumap_skip_stem_(unit, PMUMAP_IMC_LINUX_NEST_);

	if (linux_name && len >= 9 && pmumap_skip_stem_(unit + len - 4, PMUMAP_IMC_LINUX_END_)) {
		unit = linux_name;
		len -= 9;
	}
	return pmumap_imc_has_unit_(generation, vector, unit, len);
}

PMUMAP_DEF int pmumap_imc_wanted(const struct pmumap_imc_options *opt, uint32_t type,
				 const char *unit)
{
	return pmumap_imc_is_wanted_(opt->generation, opt->available, type, unit);
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

/* Whether all chips have the same vector. Then each unit need be looked up only once. */
static inline int pmumap_imc_are_alike_(const struct pmumap_imc_chips *chips)
{
	uint32_t i = 1;

	if (!chips->vectors)
		return 1;
	while (i < chips->count && chips->vectors[i] == chips->vectors[0])
		i++;
	return i >= chips->count;
}

/* Whether the current unit exists anywhere; *n: the chips of a nest unit; alike: ask only once. */
static inline int pmumap_imc_count_chips_(const struct pmumap_fdt_edit_ *e,
					  const struct pmumap_imc_chips *chips, int alike,
					  uint32_t type, uint32_t *n)
{
	uint32_t i, all = type == PMUMAP_IMC_NEST ? chips->count : 0;
	int exists;

	*n = 0;
	if (!all || alike) {
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
 * Walk over all units in the current format. Returns the bytes that their chips take. names: the
 * offsets of their properties' names, to write these chips and delete the units that are dropped,
 * for which the tree must have room; or NULL.
 */
static inline uint64_t pmumap_imc_edit_units_(struct pmumap_fdt_edit_ *e, const uint32_t *names,
					      const struct pmumap_imc_chips *chips, int alike)
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
		if (!type || !pmumap_imc_count_chips_(e, chips, alike, type, &n)) {
			if (names)
				pmumap_fdt_nop_node_(e);
		} else if (type == PMUMAP_IMC_NEST) {
			bytes += PMUMAP_IMC_CHIP_NAMES_ * PMUMAP_FDT_PROPERTY_HEAD_ +
				 (uint64_t)n * (8 + 4);
			if (names)
				pmumap_imc_put_chips_(e, names, chips, n);
		}
	}
	return bytes;
}

PMUMAP_DEF enum pmumap_status
pmumap_imc_fdt_fixup(void *fdt, size_t bytes, const struct pmumap_imc_chips *chips, size_t *need)
{
	uint32_t names[PMUMAP_IMC_CHIP_NAMES_] = { 0, 0 }, i;
	struct pmumap_fdt_edit_ e;
	enum pmumap_status status;
	uint64_t added;
	int alike;

	if (!fdt || !chips)
		return PMUMAP_E_ARG;
	status = pmumap_fdt_edit_begin_(&e, fdt, bytes);
	if (status != PMUMAP_OK)
		return status;
	if (chips->count > PMUMAP_MAX_BYTES_ / 16)
		return PMUMAP_E_LIMIT;
	alike = pmumap_imc_are_alike_(chips);
	added = pmumap_imc_edit_units_(&e, 0, chips, alike);
	for (i = 0; added && i < PMUMAP_IMC_CHIP_NAMES_; i++)
		names[i] = pmumap_fdt_edit_place_string_(&e, PMUMAP_IMC_CHIP_NAME_(i));
	status = pmumap_fdt_edit_check_room_(&e, bytes, added, 0, need);
	if (status != PMUMAP_OK)
		return status;
	e.moved = e.names_to - e.w.names;
	e.at = e.w.start + e.moved;
	e.to = e.w.start;
	pmumap_fdt_move_bytes_(e.blob, e.to, e.at, e.total - e.to);
	(void)pmumap_imc_edit_units_(&e, names, chips, alike);
	for (i = 0; added && i < PMUMAP_IMC_CHIP_NAMES_; i++)
		pmumap_fdt_edit_append_string_(&e, names[i], PMUMAP_IMC_CHIP_NAME_(i));
	pmumap_fdt_edit_end_(&e);
	return PMUMAP_OK;
}

/* ---- imc/hw.h: Counters, trace words, control blocks and SCOMs of POWER machines */
PMUMAP_DEF uint64_t pmumap_imc_load_counter(const volatile void *counter)
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

/* Find the address of a control block's word. Returns 0 if it does not exist. */
static inline int pmumap_imc_hw_control_word_(const struct pmumap_imc *m, uint32_t unit,
					      uint32_t chip, uint32_t word, uint64_t *phys)
{
	if (word >= PMUMAP_IMC_CB_BYTES || word % 8 ||
	    !pmumap_imc_control_address(m, unit, chip, phys))
		return 0;
	*phys += word;
	return 1;
}

PMUMAP_DEF int pmumap_imc_control_load(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
				       uint32_t unit, uint32_t chip, uint32_t word, uint64_t *value)
{
	uint64_t phys;

	if (!pmumap_imc_hw_control_word_(m, unit, chip, word, &phys))
		return 0;
	*value = hw->load(hw->arg, phys);
	return 1;
}

PMUMAP_DEF int pmumap_imc_control_store(const struct pmumap_imc *m, struct pmumap_imc_hw *hw,
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

#endif /* PMUMAP_IMC_HW_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
