/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * plat_amu.c -- tells TF-A which auxiliary activity monitors to enable, according to the device
 * tree. See README.md.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include <common/debug.h>
#include <lib/extensions/amu.h>
#include <plat/common/platform.h>

#include "plat_amu.h"

#include "pmumap.h"

#ifndef PLAT_AMU_COUNTERS
#define PLAT_AMU_COUNTERS 8U /* limit over all views of the tree */
#endif
#ifndef PLAT_AMU_IMPLEMENTED
#define PLAT_AMU_IMPLEMENTED 0xffffU /* never enable any other counter */
#endif

static uint64_t block[PMUMAP_AMU_BLOCK(PLATFORM_CORE_COUNT, PLAT_AMU_COUNTERS) / 8U];
static const struct pmumap_amu *map; /* in block, for good; NULL: no map */

/* TF-A 2.6 to 2.12 use a structure, later versions an array. */
#ifdef ENABLE_AMU_FCONF
#if ENABLE_AMU_FCONF
#error "this file replaces ENABLE_AMU_FCONF"
#endif
static struct amu_topology topology;

const struct amu_topology *plat_amu_topology(void)
{
	return &topology;
}

static void set_enables(unsigned int core, uint16_t mask)
{
	topology.cores[core].enable = mask;
}
#else
uint16_t plat_amu_aux_enables[PLATFORM_CORE_COUNT];

static void set_enables(unsigned int core, uint16_t mask)
{
	plat_amu_aux_enables[core] = mask;
}
#endif

/* A faulty tree is reported at the log level of release builds. */
static void report(void *arg, const struct pmumap_finding *f)
{
	if (f->severity == PMUMAP_NOTE) {
		return;
	}
	NOTICE("AMU: %s %s, 0x%" PRIx64 ", node at 0x%x\n", pmumap_severity_str(f->severity),
	       f->name, f->value, (unsigned int)f->node);
}

int plat_amu_setup(const void *hw_config, size_t bytes)
{
	struct pmumap_amu_cpu cpu;
	enum pmumap_status status;
	unsigned int core, enable;
	uint32_t i;
	int pos;

	for (core = 0U; core < PLATFORM_CORE_COUNT; core++) {
		set_enables(core, 0U);
	}
	(void)pmumap_amu_check(hw_config, bytes, NULL, block, sizeof(block), report, NULL);
	status = pmumap_amu_fdt_build(hw_config, bytes, NULL, block, sizeof(block), &map);
	if (status == PMUMAP_E_NOTFOUND) {
		INFO("AMU: the tree describes none\n");
		return -1;
	}
	if (status != PMUMAP_OK) {
		ERROR("AMU: no map (error %d of pmumap.h)\n", (int)status);
		return -1;
	}
	for (i = 0U; pmumap_amu_cpu_at(map, i, &cpu); i++) {
		pos = plat_core_pos_by_mpidr((u_register_t)cpu.mpidr);
		if (pos < 0 || pos >= (int)PLATFORM_CORE_COUNT) {
			NOTICE("AMU: no CPU 0x%" PRIx64 " here\n", cpu.mpidr);
			continue;
		}
		enable = cpu.enable & PLAT_AMU_IMPLEMENTED;
		if (enable != cpu.enable) {
			NOTICE("AMU: core %d does not implement 0x%x\n", pos, cpu.enable ^ enable);
		}
		set_enables((unsigned int)pos, (uint16_t)enable);
		INFO("AMU: core %d enables 0x%x of 0x%x\n", pos, enable, cpu.described);
	}
	return 0;
}

uint16_t plat_amu_described(u_register_t mpidr)
{
	struct pmumap_amu_cpu cpu;

	return map != NULL && pmumap_amu_cpu_find(map, mpidr, &cpu) ? cpu.described : 0U;
}
