/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kinds.h -- how a file becomes a map of each kind.
 */
#ifndef KINDS_H
#define KINDS_H

#include "source.h"

struct kind {
	const char *lacks; /* "no riscv,pmu": of a tree that has nothing of it */
	/*
	 * Builds the map of a tree in *block, which unload() frees. With a report it builds once
	 * more, so that findings come when the map is there to look names up in.
	 */
	enum pmumap_status (*build)(struct source *source, void **block, const struct input *input,
				    pmumap_report_fn *report, void *arg);
	enum pmumap_status (*open)(struct source *source); /* a map image */
};

/* RISC-V comes first; the last one lacks nothing. */
extern const struct kind kinds[KINDS + 1];

#endif /* KINDS_H */
