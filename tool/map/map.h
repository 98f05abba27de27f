/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map.h -- the pmumap headers, declarations only. source/kinds.c compiles their functions, once.
 */
#ifndef MAP_H
#define MAP_H

#ifndef PMUMAP_EXTERN
#define PMUMAP_EXTERN
#endif
#include "pmumap_amu_check.h"
#include "pmumap_check.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"

#endif /* MAP_H */
