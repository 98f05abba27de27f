/* SPDX-License-Identifier: BSD-2-Clause
 *
 * OpenSBI's own search for a selector. Its tables are static, so bench/opensbi.sh builds a shared
 * object for each board. OpenSBI has no function that returns the counters of an event.
 */
#include "lib/utils/fdt/fdt_pmu.c"

uint64_t opensbi_selector(const void *unused, uint64_t event);

uint64_t opensbi_selector(const void *unused, uint64_t event)
{
	(void)unused;
	return fdt_pmu_get_select_value((uint32_t)event);
}
