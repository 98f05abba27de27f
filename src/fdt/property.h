/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "core/bits.h"
#include "core/text.h"
#include "builder/report.h"
#include "fdt/blob.h"
#include "fdt/walk.h"

/*
 * A reader lists the properties it wants, once: X(NAME, "name") for each. A name that ends in '*'
 * stands for every name with that beginning. From its list a reader makes an enum, and with these
 * two the texts in a row and the bytes of each.
 */
#define PMUMAP_FDT_TEXT_(name, text) text "\0"
#define PMUMAP_FDT_BYTES_(name, text) sizeof(text),

/* The properties that IMC and AMU both want. */
#if PMUMAP_BINDINGS & (PMUMAP_IMC | PMUMAP_AMU)
#define PMUMAP_FDT_COMMON_LIST_(X)                                                                 \
	X(REG, "reg")                                                                              \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")
#else
#define PMUMAP_FDT_COMMON_LIST_(X)
#endif

/* Of a riscv,pmu node: its tables, those of 2021, and what only drafts of 2018 to 2020 have. */
#if PMUMAP_BINDINGS & PMUMAP_RISCV
#define PMUMAP_FDT_RISCV_LIST_(X)                                                                  \
	X(SELECTORS, "riscv," PMUMAP_SELECTORS_NAME_)                                              \
	X(RANGES, "riscv," PMUMAP_RANGES_NAME_)                                                    \
	X(RAW, "riscv," PMUMAP_RAW_NAME_)                                                          \
	X(OLD_SELECTORS, "pmu," PMUMAP_SELECTORS_NAME_)                                            \
	X(OLD_RANGES, "pmu," PMUMAP_RANGES_NAME_)                                                  \
	X(OLD_RAW, "pmu," PMUMAP_RAW_NAME_)                                                        \
	X(DRAFT_HW, "riscv,hw-*")                                                                  \
	X(DRAFT_WIDTH, "riscv,width-*")
#else
#define PMUMAP_FDT_RISCV_LIST_(X)
#endif

#if PMUMAP_BINDINGS & PMUMAP_IMC
#define PMUMAP_FDT_IMC_LIST_(X)                                                                    \
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
#else
#define PMUMAP_FDT_IMC_LIST_(X)
#endif

#if PMUMAP_BINDINGS & PMUMAP_AMU
#define PMUMAP_FDT_AMU_LIST_(X)                                                                    \
	X(AMU, "amu")                                                                              \
	X(ENABLE, "enable-at-el3")                                                                 \
	X(DEVICE_TYPE, "device_type")                                                              \
	X(STATUS, "status")
#else
#define PMUMAP_FDT_AMU_LIST_(X)
#endif

/* What the reader of all bindings wants. */
#define PMUMAP_FDT_PROPERTY_LIST_(X)                                                               \
	PMUMAP_FDT_COMMON_LIST_(X)                                                                 \
	X(COMPATIBLE, "compatible")                                                                \
	PMUMAP_FDT_RISCV_LIST_(X) PMUMAP_FDT_IMC_LIST_(X) PMUMAP_FDT_AMU_LIST_(X)

enum {
#define PMUMAP_X_(name, text) PMUMAP_FDT_##name##_,
	PMUMAP_FDT_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_FDT_PROPERTIES_
};

/* The texts of that list. */
static inline const char *pmumap_fdt_texts_(void)
{
	static const char texts[] = PMUMAP_FDT_PROPERTY_LIST_(PMUMAP_FDT_TEXT_);

	return texts;
}

/* The number of a property in the list; n->count: the reader does not want it. */
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
 * Note a property whose value lies at w->at, if the reader wants it; of two alike the first. name:
 * where its name lies in the blob.
 */
static inline void pmumap_fdt_note_property_(struct pmumap_fdt_walk_ *w, uint32_t name)
{
	uint32_t i = pmumap_fdt_number_of_name_(&w->wanted_names, w->blob + name);

	if (i < w->wanted_names.count && !w->found[i])
		w->found[i] = w->at;
}

/* Make the walk note what the reader wants: the texts of its list, the bytes of each, how many. */
static inline void pmumap_fdt_want_(struct pmumap_fdt_walk_ *w, const char *texts,
				    const unsigned char *bytes, uint32_t count, uint32_t *found)
{
	w->note_property = pmumap_fdt_note_property_;
	w->wanted_names.texts = texts;
	w->wanted_names.bytes = bytes;
	w->wanted_names.count = count;
	w->found = found;
}

/* The value of a property; NULL, and bytes 0: there is none. */
static inline const unsigned char *pmumap_fdt_property_value_(const struct pmumap_fdt_walk_ *w,
							      uint32_t property, uint32_t *bytes)
{
	return pmumap_fdt_value_at_(w->blob, w->found[property], bytes);
}

/* The first cell of a property. Returns 0, *value untouched: there is none. */
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

/* The first of two names for a property if it is there, else the other. */
static inline uint32_t pmumap_fdt_either_property_(const struct pmumap_fdt_walk_ *w,
						   uint32_t property, uint32_t other)
{
	return w->found[property] ? property : other;
}

#if PMUMAP_BINDINGS & (PMUMAP_IMC | PMUMAP_AMU)
/*
 * What other nodes name the node at hand by, under today's name or the older one; 0: nothing. No
 * node is named by 0xffffffff: libfdt takes it for an error.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_walk_ *w)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_property_number_(w, PMUMAP_FDT_PHANDLE_, &phandle))
		(void)pmumap_fdt_property_number_(w, PMUMAP_FDT_LINUX_PHANDLE_, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}
#endif

/* Cells of an address in the node at hand. property: the number of #address-cells. */
static inline uint32_t pmumap_fdt_address_cells_(const struct pmumap_fdt_walk_ *w,
						 uint32_t property)
{
	uint32_t cells = 2;

	(void)pmumap_fdt_property_number_(w, property, &cells);
	return cells;
}

/*
 * The address in a property (reg), which has so many cells. Returns 0: it is too short, or cells is
 * not 1 or 2.
 */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_walk_ *w, uint32_t property,
					  uint32_t cells, uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(w, property, &bytes);

	return pmumap_fdt_load_address_(p, bytes, cells, address);
}

/* The number behind the '@' of a name, in hexadecimal digits. Returns 0: there is none. */
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
