#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the names of the headers in src/, without .h: first in the order of the pages, then the
# rest.
for name in pmumap pmumap_fdt pmumap_check pmumap_hw pmumap_server pmumap_imc \
	pmumap_imc_check pmumap_imc_hw pmumap_amu pmumap_amu_check pmumap_amu_hw \
	$(cd src && ls pmumap*.h); do
	echo "${name%.h}"
done | awk '!seen[$0]++'
