/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The one copy of the functions in a program that is built with PMUMAP_EXTERN: "make headers" lists
 * the headers here.
 */
#define PMUMAP_IMPLEMENTATION
#include "pmumap.h"
#include "pmumap_amu.h"
#include "pmumap_amu_check.h"
#include "pmumap_amu_hw.h"
#include "pmumap_check.h"
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "pmumap_imc.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"
#include "pmumap_server.h"
