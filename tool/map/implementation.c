/* SPDX-License-Identifier: BSD-2-Clause
 *
 * implementation.c -- the functions of pmumap, for all files of the tool.
 */
#define PMUMAP_IMPLEMENTATION
#include "map.h"
