/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties of RISC-V and IMC */
#pragma once

#include "core/linkage.h"
#include "builder/report.h"
#include "fdt/property.h"

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
#else
#define PMUMAP_FDT_IMC_LIST_(X)
#endif

/* What the reader of all bindings wants. */
#define PMUMAP_FDT_PROPERTY_LIST_(X)                                                               \
	X(COMPATIBLE, "compatible")                                                                \
	PMUMAP_FDT_RISCV_LIST_(X) PMUMAP_FDT_IMC_LIST_(X)

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
