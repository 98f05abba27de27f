/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIRMWARE_H
#define FIRMWARE_H

/* pmumap_fdt.h alone: this firmware's tree has no other counters, so it needs no more code. */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"

/* Print a line "WHAT ok" or "WHAT FAILED". Returns 1 if it failed. */
int check(const char *what, int good);

/* Checks of the registers that counting does not cover. Return the number of failed checks. */
int check_selector(struct pmumap_hart *h, uint32_t counter);
int check_overflow(struct pmumap_hart *h, uint32_t counter);
int check_carry(void); /* call before anything stops mcycle */

#endif /* FIRMWARE_H */
