/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_imc.h 0.3.1 -- IBM's In-Memory Collection (IMC): event names to offsets, and back.
 *
 * QUICK START: a tree
 *	#include "pmumap_imc.h"			// nothing else to copy, nothing to link
 *
 *	const struct pmumap_imc *map;
 *	struct pmumap_imc_event event;
 *	enum pmumap_status status;
 *	uint64_t phys;
 *	size_t need;
 *
 *	status = pmumap_imc_fdt_measure(fdt, fdt_size, 0, &need);
 *	if (status == PMUMAP_OK)
 *		status = pmumap_imc_fdt_build(fdt, fdt_size, 0, malloc(need), need, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no IMC, a bad blob, ...
 *		return;
 *	}
 *	if (pmumap_imc_find(map, name, strlen(name), 0, &event) &&
 *	    pmumap_imc_address(map, &event, chip, &phys))
 *		use(phys);			// where this chip counts it
 *
 * QUICK START: control blocks and SCOMs, in firmware of a POWER machine
 *	struct pmumap_imc_hw power = { my_load, my_store, my_scom, 0, 0 };
 *	uint64_t state;
 *
 *	if (!pmumap_imc_cb_load(map, &power, unit, chip, PMUMAP_IMC_CB_STATUS, &state))
 *		return;				// the PMU has no control block on this chip
 *	if (pmumap_imc_core_init(&power, PMUMAP_IMC_P9, core, page))
 *		pmumap_imc_core_run(&power, PMUMAP_IMC_P9, core, 1);
 *
 * WHAT IS READ
 *   Every node that is compatible with "ibm,opal-in-memory-counters": the root of a catalog, or
 *   /imc-counters of a running system. Its children are PMUs ("ibm,imc-counters") and lists of
 *   events, linked by phandle in either order. Formats before June 2017 have the events inside
 *   their PMUs, which are compatible with "ibm,imc-counters-nest" and so on, or "ibm,ima-...".
 *   Chips come from base-addr and chip-id, base_addr and chipids, or ibm,homer-image nodes.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_imc_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock.
 *   Input	any tree, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0. The block must not overlap the tree: E_ARG.
 *   Failure	a failed build yields no map. A register operation that is refused returns 0.
 *
 * LINKAGE (one mode for the whole program)
 *   default			every function is static inline; unused functions are not linked
 *				(without optimisation, a few small functions are)
 *   PMUMAP_EXTERN		declarations only, in every file; and in exactly one file also
 *   PMUMAP_IMPLEMENTATION	the definitions of all pmumap headers that the program uses
 *   PMUMAP_NO_STDINT		do not include <stdint.h> and <stddef.h>: you have defined uint8_t,
 *				uint16_t, uint32_t, uint64_t, int32_t and size_t
 */
#include "imc/api.h"
#include "imc/builder_api.h"
#include "imc/findings_api.h"
#include "imc/hw_api.h"
#include "imc/open.h"
#include "imc/find.h"
#include "imc/offset.h"
#include "imc/list.h"
#include "imc/words.h"
#include "imc/available.h"
#include "imc/catalog.h"
#include "imc/add.h"
#include "imc/build.h"
#include "imc/read.h"
#include "imc/check.h"
#include "imc/fixup.h"
#include "imc/hw.h"
