/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inside.h -- of the machine, what is seen with OpenSBI's types.
 */
#ifndef MACHINE_INSIDE_H
#define MACHINE_INSIDE_H

struct sbi_platform_operations;
struct sbi_sse_cb_ops;

extern struct machine {
	unsigned long extensions;           /* bits of enum sbi_hart_extensions */
	const struct sbi_sse_cb_ops *event; /* the one that was added */
	int injected;                       /* how often */
	/* Memory that was mapped: how often, how often more than unmapped, and from where to where. */
	int maps, open;
	unsigned long low, high;
	bool elsewhere; /* the hart is in the domain that is granted no memory */
} machine;

int machine_start_platform(const struct sbi_platform_operations *ops); /* once */

#endif
