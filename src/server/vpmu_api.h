/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of virtual CPUs that take turns on a hart */
#pragma once

#include "riscv/pmu_api.h"

/*
 * The counters of a virtual CPU, on top of its hart's. Virtual CPUs can share a hart if each has
 * one of these, calls pmumap_vpmu_save() when it leaves a hart, and pmumap_vpmu_restore() when it
 * arrives. Then each counts only its own work, and can read no value of another. A saved struct has
 * no pointers and can move. Counters that no virtual CPU configures stay the hart's: readable
 * mcycle and minstret show everybody's work since reset.
 *
 *   loaded	bit N: this is the hart's counter N now. 0 also if the hart refused a job: the
 *		counter waits, with its count, for a restore
 *   overflowed	bit N: counter N wrapped, and was then stopped or saved. The hart's OF bit is not
 *		restored: show the guest these bits in scountovf besides the hart's, and raise its
 *		interrupt if that was pending
 */
struct pmumap_vpmu {
	struct pmumap_job job[32];
	uint64_t value[32]; /* of counters that are not on a hart now */
	uint32_t configured, running, overflowed;
	uint32_t loaded;
	uint32_t touched;              /* bit N: it was since restore, so the hart has our value */
	const struct pmumap_pmu *hart; /* NULL: saved */
	const struct pmumap_pmu_sets *sets; /* NULL: counters are moved one by one */
};

/* Begin: nothing is configured, all values are 0, and it is on no hart. */
PMUMAP_API void pmumap_vpmu_init(struct pmumap_vpmu *v);

/*
 * Get the functions for a server or a profiler of this virtual CPU. On no hart, set returns 0, and
 * the others act on the saved state. A start with value NULL continues from the saved value.
 */
PMUMAP_API void pmumap_vpmu_as_pmu(struct pmumap_vpmu *v, struct pmumap_pmu *pmu);

/*
 * Leave the hart: its counters are stopped, wiped and released. After pmumap_vpmu_restore_sets()
 * values stay until the next such restore on that hart.
 *
 * Returns  the counters that the hart refused to stop or wipe. The state is still saved, and any
 *          hart can restore it. Such a counter may still count, or show its value: let no
 *          guest read it (mcounteren, hcounteren) until somebody who uses it is saved or restored
 *          without refusal.
 */
PMUMAP_API uint32_t pmumap_vpmu_save(struct pmumap_vpmu *v);

/*
 * Arrive at a hart. Nobody else may use the counters that this virtual CPU has configured until
 * save.
 * Returns  the counters that this hart refused; they stop, and keep their values for another hart.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore(struct pmumap_vpmu *v, const struct pmumap_pmu *hart);

/*
 * The same with one call for all counters until save, for a hart behind firmware
 * (pmumap_sbi_sets()). Values are wiped not at save, but when the next virtual CPU arrives and
 * leaves that counter unused. So everybody on this hart who may read counters must arrive by this
 * function; an empty struct pmumap_vpmu wipes all.
 * Returns  as above, and the counters that could not be wiped: let the guest read none of them.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore_sets(struct pmumap_vpmu *v,
					     const struct pmumap_pmu_sets *hart);
