/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of virtual CPUs that take turns on a hart */
#pragma once

#include "riscv/pmu_api.h"

/*
 * The counters of a virtual CPU, on top of those of the hart that it runs on. Others may take turns
 * with it there if each has one of these: pmumap_vpmu_save() when it leaves a hart, and
 * pmumap_vpmu_restore() when it comes to one. Each counter then counts what its own virtual CPU
 * does, and no value of one is left for another to read. When saved, it has no pointers and can
 * move. A counter that no virtual CPU has configured is the hart's: mcycle and minstret run from
 * reset on, and show what others did to whoever may read them.
 *
 *   overflowed	bit N: counter N has wrapped since it was started, but was stopped or saved since.
 *		Its OF bit does not come back to the hart: in scountovf the guest shall read these
 *		bits or those of the hart, and if its interrupt was still to come, raise it
 */
struct pmumap_vpmu {
	struct pmumap_job job[32];
	uint64_t value[32]; /* of those that are not on a hart now */
	uint32_t configured, running, overflowed;
	uint32_t loaded;               /* bit N: the hart's counter N is this one */
	uint32_t touched;              /* bit N: it has been since restore, so it has our value */
	const struct pmumap_pmu *hart; /* NULL: saved */
	const struct pmumap_pmu_sets *sets; /* NULL: it is moved one counter after another */
};

/* Begin: nothing is configured, all values are 0, and it is on no hart. */
PMUMAP_API void pmumap_vpmu_init(struct pmumap_vpmu *v);

/*
 * The functions for a server or a profiler of this virtual CPU. While it is on no hart, set returns
 * 0; all others act on what is saved. A start with value NULL goes on from the saved value.
 */
PMUMAP_API void pmumap_vpmu_pmu(struct pmumap_vpmu *v, struct pmumap_pmu *pmu);

/*
 * Leave the hart: all counters that it had are stopped and released there, with the value 0. After
 * pmumap_vpmu_restore_sets() their values stay until the next such restore on that hart.
 *
 * Returns the counters that the hart refused to wipe or to stop. The virtual CPU is saved all the
 * same, with the values that it had, and can come back to this or another hart. But on this hart
 * such a counter may count on, or show its value: let no guest read it (mcounteren, hcounteren)
 * before a later save or restore of somebody who uses it succeeds.
 */
PMUMAP_API uint32_t pmumap_vpmu_save(struct pmumap_vpmu *v);

/*
 * Come to a hart, on which nobody uses the counters that this virtual CPU has configured; they stay
 * yours until save. Returns the counters that this hart could not take over: they stand, and keep
 * their values until another hart can.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore(struct pmumap_vpmu *v, const struct pmumap_pmu *hart);

/*
 * The same with a call for all counters instead of some for each, until save: for a hart below
 * firmware (pmumap_sbi_sets). What one virtual CPU leaves is not wiped when it is saved, but when
 * the next one comes, where it does not use that counter itself. So everybody on this hart who may
 * read counters has to come by this function; an empty struct pmumap_vpmu wipes all. In the result
 * there are also counters that could not be wiped: let the guest read none of the result.
 */
PMUMAP_API uint32_t pmumap_vpmu_restore_sets(struct pmumap_vpmu *v,
					     const struct pmumap_pmu_sets *hart);
