/* SPDX-License-Identifier: BSD-2-Clause
 *
 * machine.h -- OpenSBI's PMU on this machine. The types are those of either side.
 */
#ifndef MACHINE_H
#define MACHINE_H

#define MACHINE_PROGRAMMABLE 0x7fff8u

int machine_start(const void *fdt); /* once */

/* The counters that an event can have, by taking one after the other; all are free again. */
uint64_t machine_take_all(uint32_t event, uint64_t data);

/* What EVENT_GET_INFO answers. */
int machine_info(uint32_t event, uint64_t data);

#endif
