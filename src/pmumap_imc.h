/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pmumap_imc.h 0.3.1 -- IBM's In-Memory Collection (IMC): event names to offsets, and back.
 *	Mistakes and scales are in pmumap_imc_check.h; addresses, registers, Linux's names and what
 *	firmware does in pmumap_imc_hw.h.
 *
 * QUICK START
 *	#include "pmumap_imc.h"			// nothing else to copy, nothing to link
 *
 *	const struct pmumap_imc *map;
 *	struct pmumap_imc_event event;
 *	enum pmumap_status status;
 *	uint32_t number;
 *	size_t need;
 *
 *	status = pmumap_imc_fdt_measure(fdt, fdt_size, 0, &need);
 *	if (status == PMUMAP_OK)
 *		status = pmumap_imc_fdt_build(fdt, fdt_size, 0, malloc(need), need, &map);
 *	if (status != PMUMAP_OK) {
 *		puts(pmumap_status_str(status));	// no IMC, a bad blob, ...
 *		return;
 *	}
 *	if (pmumap_imc_find_name(map, name, strlen(name), 0, &number) &&
 *	    pmumap_imc_event(map, number, &event))
 *		use(event.offset);		// in the memory of its PMU
 *
 * WHAT IS READ
 *   Every node that is compatible with "ibm,opal-in-memory-counters", in the formats since February
 *   2017: the root of a catalog, or /imc-counters of a running system. Its children are PMUs
 *   ("ibm,imc-counters", earlier "ibm,imc-counters-nest" and so on) and lists of events.
 *
 * CONTRACT
 *   Memory	no heap, no globals, no recursion. A map is built in your block, and stays there. It
 *		has offsets, no pointers: copy it, store it, open it again (pmumap_imc_open()) on a
 *		CPU of the same byte order.
 *   Libc	none, at any optimisation level. Types: <stdint.h> and <stddef.h>, or yours.
 *   Threads	a finished map is never written: any number of CPUs read it without a lock.
 *   Input	any tree, image or argument is safe. Only pointers must be valid; a pointer with a
 *		length may be NULL if the length is 0. The block must not overlap the tree: E_ARG.
 *   Failure	a failed build yields no map.
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
#include "imc/open.h"
#include "imc/find.h"
#include "imc/list.h"
#include "imc/build.h"
#include "core/status.h"
