/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.h -- OpenSBI's PMU on this machine. The types are those of either side.
 */
#ifndef MACHINE_H
#define MACHINE_H

#define MACHINE_PROGRAMMABLE 0x7fff8u

int machine_start(const void *fdt); /* once */

/* Before that: the hart has Sscofpmf, but not Smcntrpmf. */
void machine_lack_filter(void);

/* The counters that an event can have, by taking one after the other; all are free again. */
uint64_t machine_take_all(uint32_t event, uint64_t data);

/* What it writes to mhpmevent for the event, without the bits of modes and overflow; 0: nothing. */
uint64_t machine_selector(uint32_t event, uint64_t data);

/* What OpenSBI makes of a tree before it hands it on. */
int machine_hand_on(void *fdt);

/* What EVENT_GET_INFO answers. */
int machine_info(uint32_t event, uint64_t data);

#endif
