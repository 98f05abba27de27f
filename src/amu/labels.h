/* SPDX-License-Identifier: BSD-2-Clause */
/* The labels of counters */
#pragma once

#include "amu/findings_api.h"
#include "amu/build.h"
#include "fdt/tags.h"

/* Longer labels and paths are ignored, and further labels of one hash: bounds the time. */
#define PMUMAP_AMU_LABEL_BYTES_ 64u
#define PMUMAP_AMU_PATH_BYTES_ 256u
#define PMUMAP_AMU_LABEL_TRIES_ 64u

/* The hash of a text that continues the one of this hash. */
static inline uint32_t pmumap_amu_hash_text_(uint32_t hash, const unsigned char *text)
{
	while (*text)
		hash = (hash ^ *text++) * 0x01000193u;
	return hash;
}

/* Whether a property of /__symbols__ is the label of a counter. Its value is a path. */
static inline int pmumap_amu_is_label_(const unsigned char *name, const unsigned char *path,
				       uint32_t bytes)
{
	uint32_t i = 0;

	if (bytes == 0 || bytes > PMUMAP_AMU_PATH_BYTES_ || path[bytes - 1])
		return 0;
	path = pmumap_fdt_match_string_(path, "/cpus/amus/", 1);
	while (path && *path && *path != '/')
		path++;
	/* Many properties can share one name's bytes: read no further than a label may reach. */
	while (i < PMUMAP_AMU_LABEL_BYTES_ && name[i])
		i++;
	return path && *path && i < PMUMAP_AMU_LABEL_BYTES_;
}

/* Count the labels, or list each by its path's hash, with its property's offset. */
static inline void pmumap_amu_list_labels_(struct pmumap_amu_build_ *b)
{
	const struct pmumap_fdt_cursor_ *w = &b->r.w;
	const unsigned char *tag = w->blob + w->start + b->r.symbols, *name, *path;
	uint32_t n = 0;

	while ((tag = pmumap_fdt_next_property_(tag)) != 0) {
		name = w->blob + w->names + pmumap_load_be32_(tag + 8);
		path = tag + PMUMAP_FDT_PROPERTY_HEAD_;
		if (!pmumap_amu_is_label_(name, path, pmumap_load_be32_(tag + 4)))
			continue;
		if (b->m) {
			b->labels[n][0] = pmumap_amu_hash_text_(0, path);
			b->labels[n][1] = (uint32_t)(tag - w->blob);
		} else {
			for (b->text_bytes++; *name; name++)
				b->text_bytes++;
		}
		n++;
	}
	b->label_count = n;
}

/*
 * Replace the name of the current counter by its first label. If several nodes have one path, it
 * means the first: use up all labels with this path.
 */
static inline void pmumap_amu_take_label_(struct pmumap_amu_build_ *b)
{
	static const unsigned char amus[] = "/cpus/amus/", slash[] = "/";
	const unsigned char *blob = b->r.w.blob, *counter = pmumap_fdt_name_(&b->r.w), *path;
	const unsigned char *view = blob + b->r.w.start + b->r.last_view + 4;
	const uint32_t *end = b->labels[b->label_count];
	uint32_t *label, hash, i, is_taken = 0;

	if (b->hashed_view != b->r.last_view) {
		b->hashed_view = b->r.last_view;
		b->view_hash = pmumap_amu_hash_text_(0, amus);
		b->view_hash = pmumap_amu_hash_text_(b->view_hash, view);
		b->view_hash = pmumap_amu_hash_text_(b->view_hash, slash);
	}
	hash = pmumap_amu_hash_text_(b->view_hash, counter);
	label = pmumap_amu_find_pair_(b->labels, b->label_count, hash);
	for (i = 0; label && label < end && label[0] == hash && i < PMUMAP_AMU_LABEL_TRIES_; i++) {
		path = blob + label[1] + PMUMAP_FDT_PROPERTY_HEAD_ + sizeof(amus) - 1;
		path = label[1] ? pmumap_fdt_match_string_(path, (const char *)view, 1) : 0;
		if (path && *path == '/' &&
		    pmumap_fdt_match_string_(path + 1, (const char *)counter, 0)) {
			if (!is_taken++)
				b->name = b->r.w.names + pmumap_load_be32_(blob + label[1] + 8);
			label[1] = 0;
		}
		label += 2;
	}
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_labels(struct pmumap_amu_build_ *b)
{
	if (b->m && b->name) {
		pmumap_amu_take_label_(b);
		return;
	}
	pmumap_amu_list_labels_(b);
	if (b->m)
		pmumap_sort_pairs_(b->labels, b->label_count, 0, 0);
}
