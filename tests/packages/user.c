/* SPDX-License-Identifier: BSD-2-Clause
 *
 * user.c -- a program that takes pmumap from a package: all headers, and one call.
 */
#include <pmumap.h>
#include <pmumap_fdt.h>
#include <pmumap_check.h>
#include <pmumap_hw.h>
#include <pmumap_server.h>
#include <pmumap_imc.h>
#include <pmumap_imc_check.h>
#include <pmumap_imc_hw.h>
#include <pmumap_amu.h>
#include <pmumap_amu_check.h>
#include <pmumap_amu_hw.h>

int main(void)
{
	return pmumap_fdt_size("no blob") != 0;
}
