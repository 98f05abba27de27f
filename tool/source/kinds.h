/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kinds.h -- turns a file into a map of each kind.
 */
#ifndef KINDS_H
#define KINDS_H

#include "source.h"

struct kind {
	const char *lacks; /* for the message about a tree without this kind: "no riscv,pmu" */
	/*
	 * Builds the map of a tree in *block, which unload() frees. With a report it builds a
	 * second time, so that the map can resolve names while findings arrive.
	 */
	enum pmumap_status (*build)(struct source *source, void **block, const struct input *input,
				    pmumap_report_fn *report, void *arg);
	enum pmumap_status (*open)(struct source *source); /* a map image */
};

/* RISC-V comes first. The last entry has no lacks text and ends the list. */
extern const struct kind kinds[KINDS + 1];

#endif /* KINDS_H */
