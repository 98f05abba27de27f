/* SPDX-License-Identifier: BSD-2-Clause
 *
 * OpenSBI's own search for a selector, in a shared object for each board, as it keeps them in static
 * memory: bench/opensbi.sh. OpenSBI has no function that gives the counters of an event.
 */
#include "lib/utils/fdt/fdt_pmu.c"

uint64_t opensbi_selector(const void *unused, uint64_t event);

uint64_t opensbi_selector(const void *unused, uint64_t event)
{
	(void)unused;
	return fdt_pmu_get_select_value((uint32_t)event);
}
