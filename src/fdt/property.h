/* SPDX-License-Identifier: BSD-2-Clause */
#pragma once

#include "core/linkage.h"
#include "core/compiler.h"
#include "core/text.h"
#include "fdt/blob.h"
#include "fdt/walk.h"

/* Properties that IMC and AMU read. */
#define PMUMAP_FDT_PROPERTY_LIST_(X)                                                               \
	X(REG, "reg")                                                                              \
	X(EVENT_NAME, "event-name")                                                                \
	X(DESC, "desc")                                                                            \
	X(SCALE, "scale")                                                                          \
	X(UNIT, "unit")                                                                            \
	X(COMPATIBLE_LIST, "compatible")                                                           \
	X(EVENTS, "events")                                                                        \
	X(PREFIX, "events-prefix")                                                                 \
	X(TYPE, "type")                                                                            \
	X(SIZE, "size")                                                                            \
	X(OFFSET, "offset")                                                                        \
	X(CONTROL, "cb_offset")                                                                    \
	X(PHANDLE, "phandle")                                                                      \
	X(LINUX_PHANDLE, "linux,phandle")                                                          \
	X(BASE, "base-addr")                                                                       \
	X(CHIP, "chip-id")                                                                         \
	X(DOC_BASE, "base_addr")                                                                   \
	X(DOC_CHIP, "chipids")                                                                     \
	X(NEST_OFFSET, "imc-nest-offset")                                                          \
	X(NEST_SIZE, "imc-nest-size")                                                              \
	X(IMA_OFFSET, "ima-nest-offset")                                                           \
	X(IMA_SIZE, "ima-nest-size")                                                               \
	X(HOMER_CHIP, "ibm,chip-id")                                                               \
	X(ADDRESS_CELLS, "#address-cells")                                                         \
	X(AMU, "amu")                                                                              \
	X(ENABLE, "enable-at-el3")                                                                 \
	X(DEVICE_TYPE, "device_type")                                                              \
	X(STATUS, "status")

enum {
#define PMUMAP_X_(name, text) PMUMAP_FDT_##name##_,
	PMUMAP_FDT_PROPERTY_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_FDT_PROPERTIES_
};

/* The node at hand, with those of its properties that somebody reads; of two alike the first. */
struct pmumap_fdt_node_ {
	const struct pmumap_fdt_walk_ *w;
	uint32_t at[PMUMAP_FDT_PROPERTIES_]; /* where its value lies; 0: there is none */
};

/* Note a property whose value lies where the walk is, if its name is in the list. */
static inline void pmumap_fdt_note_property_(struct pmumap_fdt_node_ *n, const unsigned char *name)
{
#define PMUMAP_X_(name, text) text,
	static const char names[PMUMAP_FDT_PROPERTIES_][16] = { PMUMAP_FDT_PROPERTY_LIST_(
		PMUMAP_X_) };
#undef PMUMAP_X_
	uint32_t i;

	for (i = 0; i < PMUMAP_FDT_PROPERTIES_; i++) {
		if (*name == (unsigned char)*names[i] &&
		    pmumap_fdt_match_string_(name, names[i], 0)) {
			if (!n->at[i])
				n->at[i] = n->w->at;
			return;
		}
	}
}

/* Forget the properties, for the next node. */
static inline void pmumap_fdt_forget_properties_(struct pmumap_fdt_node_ *n)
{
	pmumap_zero_words_(n->at, sizeof(n->at));
}

/* The value of a property; NULL, and bytes 0: there is none. */
static inline const unsigned char *pmumap_fdt_property_value_(const struct pmumap_fdt_node_ *n,
							      uint32_t property, uint32_t *bytes)
{
	return pmumap_fdt_value_at_(n->w->blob, n->at[property], bytes);
}

/* The first cell of a property. Returns 0, *value untouched: there is none. */
static inline int pmumap_fdt_property_number_(const struct pmumap_fdt_node_ *n, uint32_t property,
					      uint32_t *value)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(n, property, &bytes);

	if (bytes < 4)
		return 0;
	*value = pmumap_load_be32_(p);
	return 1;
}

/* The first string of a property, whose end is looked for by words; NULL: there is none. */
PMUMAP_OUTLINE_ const char *pmumap_fdt_property_text_(const struct pmumap_fdt_node_ *n,
						      uint32_t property)
{
	uint32_t bytes, i = 0;
	const unsigned char *p = pmumap_fdt_property_value_(n, property, &bytes);

	while (i + 8 <= bytes &&
	       !(pmumap_zero_bytes_(pmumap_load_le64_(p + i)) & PMUMAP_HIGH_BITS_))
		i += 8;
	while (i < bytes && p[i])
		i++;
	return i < bytes ? (const char *)p : 0;
}

/* The first of two names for a property if it is there, else the other. */
static inline uint32_t pmumap_fdt_either_property_(const struct pmumap_fdt_node_ *n,
						   uint32_t property, uint32_t other)
{
	return n->at[property] ? property : other;
}

/*
 * What other nodes name the node at hand by, under today's name or the older one; 0: nothing. No
 * node is named by 0xffffffff: libfdt takes it for an error.
 */
static inline uint32_t pmumap_fdt_phandle_(const struct pmumap_fdt_node_ *n)
{
	uint32_t phandle = 0;

	if (!pmumap_fdt_property_number_(n, PMUMAP_FDT_PHANDLE_, &phandle))
		(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_LINUX_PHANDLE_, &phandle);
	return phandle == 0xffffffffu ? 0 : phandle;
}

/* Cells of an address in the node at hand. */
static inline uint32_t pmumap_fdt_address_cells_(const struct pmumap_fdt_node_ *n)
{
	uint32_t cells = 2;

	(void)pmumap_fdt_property_number_(n, PMUMAP_FDT_ADDRESS_CELLS_, &cells);
	return cells;
}

/*
 * The address in reg, which has so many cells. Returns 0: it is too short, or cells is not 1 or 2.
 */
static inline int pmumap_fdt_reg_address_(const struct pmumap_fdt_node_ *n, uint32_t cells,
					  uint64_t *address)
{
	uint32_t bytes;
	const unsigned char *p = pmumap_fdt_property_value_(n, PMUMAP_FDT_REG_, &bytes);

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
