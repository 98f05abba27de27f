/* SPDX-License-Identifier: BSD-2-Clause */
/* A hart's extensions */
#pragma once

#include "riscv/pmu_api.h"
#include "core/text.h"
#include "riscv/fdt_api.h"
#include "riscv/hart.h"

/* The properties to read of a hart and of /cpus. */
#define PMUMAP_RISCV_CPU_LIST_(X)                                                                  \
	PMUMAP_RISCV_HART_LIST_(X)                                                                 \
	X(EXTENSIONS, "riscv,isa-extensions")                                                      \
	X(ISA, "riscv,isa")

enum {
#define PMUMAP_X_(name, text) PMUMAP_RISCV_CPU_##name##_,
	PMUMAP_RISCV_CPU_LIST_(PMUMAP_X_)
#undef PMUMAP_X_
		PMUMAP_RISCV_CPU_PROPERTIES_
};

/* State of the walk. The walk comes first, because its callback casts the walk to this struct. */
struct pmumap_riscv_cpus_ {
	struct pmumap_fdt_walk_ w;
	struct pmumap_riscv_hart_ hart;
	uint32_t features;                             /* of the hart, once found */
	uint32_t values[PMUMAP_RISCV_CPU_PROPERTIES_]; /* of the current node */
};

/*
 * Whether a string like "rv64imafdc_zicntr_sscofpmf1p0" lists an extension. The first word behind
 * the single letters needs no '_': "rv64imacsscofpmf_svpbmt".
 */
static inline int pmumap_riscv_isa_lists_(const char *isa, const char *end, const char *name)
{
	int letters = 1;

	for (; isa < end && *isa; isa++) {
		char c = pmumap_fold_case_(*isa);
		const char *at = isa;

		if (*isa == '_')
			at++;
		else if (!letters || (c != 's' && c != 'x' && c != 'z'))
			continue;
		letters = 0;
		if (pmumap_skip_word_(&at, end, name) &&
		    (at == end || *at == 0 || *at == '_' || (*at >= '0' && *at <= '9')))
			return 1;
	}
	return 0;
}

/* Whether the current node, a hart, has an extension. */
static inline int pmumap_riscv_has_extension_(const struct pmumap_riscv_cpus_ *c, const char *name)
{
	uint32_t bytes;
	const unsigned char *p;

	if (c->values[PMUMAP_RISCV_CPU_EXTENSIONS_]) {
		p = pmumap_fdt_property_value_(&c->w, PMUMAP_RISCV_CPU_EXTENSIONS_, &bytes);
		return pmumap_fdt_match_list_(p, bytes, name, 0) != 0;
	}
	p = pmumap_fdt_property_value_(&c->w, PMUMAP_RISCV_CPU_ISA_, &bytes);
	return p && pmumap_riscv_isa_lists_((const char *)p, (const char *)p + bytes, name);
}

/* Read the current node, whose properties are complete. */
static inline void pmumap_riscv_read_cpu_(struct pmumap_fdt_walk_ *w)
{
	struct pmumap_riscv_cpus_ *c = (struct pmumap_riscv_cpus_ *)(void *)w;

	if (!pmumap_riscv_is_hart_(w, &c->hart, PMUMAP_RISCV_CPU_REG_))
		return;
	if (pmumap_riscv_has_extension_(c, "sscofpmf"))
		c->features |= PMUMAP_SSCOFPMF;
	if (pmumap_riscv_has_extension_(c, "smcntrpmf"))
		c->features |= PMUMAP_SMCNTRPMF;
	if (pmumap_riscv_has_extension_(c, "smcdeleg") && pmumap_riscv_has_extension_(c, "ssccfg"))
		c->features |= PMUMAP_DELEGATED;
}

PMUMAP_DEF uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart)
{
	static const char texts[] = PMUMAP_RISCV_CPU_LIST_(PMUMAP_FDT_TEXT_);
	static const unsigned char lengths[] = { PMUMAP_RISCV_CPU_LIST_(PMUMAP_FDT_BYTES_) };
	struct pmumap_riscv_cpus_ c;

	if (!fdt)
		return 0;
	pmumap_zero_words_(&c, sizeof(c));
	c.w.blob = (const unsigned char *)fdt;
	c.w.read_node = pmumap_riscv_read_cpu_;
	pmumap_fdt_want_(&c.w, texts, lengths, PMUMAP_RISCV_CPU_PROPERTIES_, c.values);
	c.hart.id = hart;
	return pmumap_fdt_walk_blob_(&c.w, fdt_size) == PMUMAP_OK ? c.features : 0;
}
