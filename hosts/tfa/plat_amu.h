/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * plat_amu.h -- for a platform of TF-A. See README.md.
 */
#ifndef PLAT_AMU_H
#define PLAT_AMU_H

#include <stddef.h>
#include <stdint.h>

/*
 * Read the tree. Call once, from bl31_plat_arch_setup(), before TF-A sets up the first core's
 * extensions. No tree makes this panic or access a missing CPU.
 *
 * Returns 0, or -1 if the tree is unusable or has no activity monitors; then none is enabled.
 */
int plat_amu_setup(const void *hw_config, size_t bytes);

/* The auxiliary counters that the tree names for a CPU, enabled or not. */
uint16_t plat_amu_described(u_register_t mpidr);

#endif
