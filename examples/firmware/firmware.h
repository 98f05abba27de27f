/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FIRMWARE_H
#define FIRMWARE_H

/* A tree of this firmware may describe nothing else, and so it carries no code for that. */
#include "pmumap_fdt.h"
#include "pmumap_hw.h"

/* One line of the log, "WHAT ok" or "WHAT FAILED". Returns whether it failed: 0 or 1. */
int check(const char *what, int good);

/* What counting alone does not show of these registers. Return how many checks have failed. */
int check_selector(struct pmumap_hart *h, uint32_t counter);
int check_overflow(struct pmumap_hart *h, uint32_t counter);
int check_carry(void); /* before anything has stopped mcycle */

#endif /* FIRMWARE_H */
