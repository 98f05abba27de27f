/* SPDX-License-Identifier: BSD-2-Clause */
/* A hart's extensions */
#pragma once

#include "riscv/pmu_api.h"
#include "core/text.h"
#include "riscv/fdt_api.h"
#include "riscv/hart.h"

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
static inline int pmumap_riscv_has_extension_(const struct pmumap_reader_ *r, const char *name)
{
	uint32_t bytes;
	const unsigned char *p;

	if (r->found[PMUMAP_RISCV_PROPERTY_EXTENSIONS_]) {
		p = pmumap_fdt_value_(&r->w, PMUMAP_RISCV_PROPERTY_EXTENSIONS_, &bytes);
		return pmumap_fdt_match_list_(p, bytes, name, 0) != 0;
	}
	p = pmumap_fdt_value_(&r->w, PMUMAP_RISCV_PROPERTY_ISA_, &bytes);
	return p && pmumap_riscv_isa_lists_((const char *)p, (const char *)p + bytes, name);
}

PMUMAP_DEF uint32_t pmumap_fdt_features(const void *fdt, size_t fdt_size, uint64_t hart)
{
	struct pmumap_reader_ r;
	uint32_t features = 0;
	int more;

	if (!fdt || pmumap_riscv_begin_nodes_(&r, fdt, fdt_size, PMUMAP_RISCV_PROPERTY_REG_,
					      PMUMAP_RISCV_PROPERTIES_) != PMUMAP_OK)
		return 0;
	r.hart.id = hart;
	while ((more = pmumap_riscv_next_(&r)) > 0) {
		if (!pmumap_riscv_is_hart_(&r.w, &r.hart))
			continue;
		if (pmumap_riscv_has_extension_(&r, "sscofpmf"))
			features |= PMUMAP_SSCOFPMF;
		if (pmumap_riscv_has_extension_(&r, "smcntrpmf"))
			features |= PMUMAP_SMCNTRPMF;
		if (pmumap_riscv_has_extension_(&r, "smcdeleg") &&
		    pmumap_riscv_has_extension_(&r, "ssccfg"))
			features |= PMUMAP_DELEGATED;
	}
	return more ? 0 : features;
}
