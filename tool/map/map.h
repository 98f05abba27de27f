/* SPDX-License-Identifier: BSD-2-Clause
 *
 * map.h -- the headers of pmumap, declarations only. Their functions are compiled once, in
 * source/kinds.c.
 */
#ifndef MAP_H
#define MAP_H

#ifndef PMUMAP_EXTERN
#define PMUMAP_EXTERN
#endif
#include "pmumap_amu.h"
#include "pmumap_check.h"
#include "pmumap_imc.h"

#endif /* MAP_H */
