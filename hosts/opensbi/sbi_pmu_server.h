/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sbi_pmu_server.h -- what sbi_pmu_server.c has besides the functions of sbi_pmu.h. See README.md.
 */
#ifndef __SBI_PMU_SERVER_H__
#define __SBI_PMU_SERVER_H__

struct pmumap;

/*
 * Take the PMU's description from a device tree. For the platform's operation pmu_init, once.
 * Returns 0; SBI_ENOENT: the tree describes no PMU; SBI_EINVAL, SBI_ENOMEM.
 */
int sbi_pmu_read_tree(const void *fdt);

/* The map that is served; NULL: there is none yet. */
const struct pmumap *sbi_pmu_map(void);

#endif
