/* SPDX-License-Identifier: BSD-2-Clause */
/* The labels of counters */
#pragma once

#include "amu/findings_api.h"
#include "amu/build.h"

/* Longer labels and paths are ignored, and further labels of one hash: bounds the time. */
#define PMUMAP_AMU_LABEL_BYTES_ 64u
#define PMUMAP_AMU_PATH_BYTES_ 256u
#define PMUMAP_AMU_LABEL_TRIES_ 64u

/* The hash of a text that continues the one of this hash: of so many bytes as a path may have. */
static inline uint32_t pmumap_amu_hash_text_(uint32_t hash, const unsigned char *text)
{
	uint32_t left = PMUMAP_AMU_PATH_BYTES_;

	for (; *text && left; left--)
		hash = (hash ^ *text++) * 0x01000193u;
	return hash;
}

/* Count the labels of counters, or list each by its path's hash, with the offset of that path. */
static inline void pmumap_amu_list_labels_(struct pmumap_amu_build_ *b)
{
	const unsigned char *blob = b->r.w.blob, *name, *path, *slash;
	const unsigned char *tag = blob + b->r.w.start + b->r.symbols + 4 + sizeof("__symbols__");
	uint32_t kind, bytes, i, n = 0;

	while ((kind = pmumap_load_be32_(tag)) == PMUMAP_FDT_PROPERTY_ || kind == PMUMAP_FDT_NOP_) {
		tag += 4;
		if (kind == PMUMAP_FDT_NOP_)
			continue;
		bytes = pmumap_load_be32_(tag);
		name = blob + b->r.w.names + pmumap_load_be32_(tag + 4);
		path = tag + 8;
		tag = path + ((bytes + 3) & ~3u);
		if (bytes == 0 || bytes > PMUMAP_AMU_PATH_BYTES_ || path[bytes - 1])
			continue;
		slash = pmumap_fdt_match_string_(path, "/cpus/amus/", 1);
		while (slash && *slash && *slash != '/')
			slash++;
		/* Many properties can share one name's bytes: read no more than a label has. */
		i = 0;
		while (i < PMUMAP_AMU_LABEL_BYTES_ && name[i])
			i++;
		if (!slash || !*slash || i >= PMUMAP_AMU_LABEL_BYTES_)
			continue;
		if (b->m) {
			b->labels[n][0] = pmumap_amu_hash_text_(0, path);
			b->labels[n][1] = (uint32_t)(path - blob);
		}
		b->r.text_bytes += i + 1;
		n++;
	}
	b->label_count = n;
	if (b->m)
		pmumap_sort_pairs_(b->labels, n, 0, 0);
}

/*
 * Replace the name of the current counter by its first label. If several nodes have one path, it
 * means the first: use up all labels with this path.
 */
static inline void pmumap_amu_take_label_(struct pmumap_amu_build_ *b)
{
	static const unsigned char amus[] = "/cpus/amus/", slash[] = "/";
	const unsigned char *blob = b->r.w.blob, *counter = pmumap_fdt_name_(&b->r.w), *path;
	const unsigned char *view = blob + b->r.w.start + b->r.view->offset + 4;
	const uint32_t *end = b->labels[b->label_count];
	uint32_t *label, hash, i, is_taken = 0;

	hash = pmumap_amu_hash_text_(pmumap_amu_hash_text_(0, amus), view);
	hash = pmumap_amu_hash_text_(pmumap_amu_hash_text_(hash, slash), counter);
	label = pmumap_amu_find_pair_(b->labels, b->label_count, hash);
	for (i = 0; label && label < end && label[0] == hash && i < PMUMAP_AMU_LABEL_TRIES_; i++) {
		path = blob + label[1] + sizeof(amus) - 1;
		path = label[1] ? pmumap_fdt_match_string_(path, (const char *)view, 1) : 0;
		if (path && *path == '/' &&
		    pmumap_fdt_match_string_(path + 1, (const char *)counter, 0)) {
			if (!is_taken++)
				b->name = b->r.w.names + pmumap_load_be32_(blob + label[1] - 4);
			label[1] = 0;
		}
		label += 2;
	}
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_labels(struct pmumap_amu_build_ *b)
{
	if (b->name)
		pmumap_amu_take_label_(b);
	else
		pmumap_amu_list_labels_(b);
}
