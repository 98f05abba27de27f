/* SPDX-License-Identifier: BSD-2-Clause
 *
 * plat_amu.h -- what a platform of TF-A calls: see README.md.
 */
#ifndef PLAT_AMU_H
#define PLAT_AMU_H

#include <stddef.h>
#include <stdint.h>

/*
 * Read the tree. From bl31_plat_arch_setup(): before the first core's extensions are set up, and
 * once. Whatever the tree says, this neither panics nor touches a CPU that is not there.
 *
 * Returns  0; or -1: no good tree, or none with activity monitors, and no counter is enabled.
 */
int plat_amu_setup(const void *hw_config, size_t bytes);

/* The auxiliary counters that the tree names for a CPU, to be enabled or not. */
uint16_t plat_amu_described(u_register_t mpidr);

#endif
