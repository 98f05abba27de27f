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

/* A walk that looks for labels. */
struct pmumap_amu_labeler_ {
	struct pmumap_amu_reader_ r; /* first, because visit casts */
	struct pmumap_amu_build_ *b;
	const unsigned char *view; /* the current view's name, or NULL: it is not in /cpus/amus */
	uint32_t hash;             /* of its path and a slash */
	uint32_t views, seen;
};

/* Whether a property of /__symbols__ has the path of the current counter. */
static inline int pmumap_amu_is_counter_path_(const struct pmumap_amu_labeler_ *l, uint32_t label)
{
	const unsigned char *path = l->r.w.blob + label + PMUMAP_FDT_PROPERTY_HEAD_;

	path += sizeof("/cpus/amus/") - 1;
	path = pmumap_fdt_match_string_(path, (const char *)l->view, 1);
	return path && *path == '/' &&
	       pmumap_fdt_match_string_(path + 1, (const char *)pmumap_fdt_name_(&l->r.w), 0);
}

/*
 * The first label of the current counter: its property's offset, or 0. If several nodes have one
 * path, it means the first: use up all labels with this path.
 */
static inline uint32_t pmumap_amu_take_label_(struct pmumap_amu_labeler_ *l)
{
	uint32_t hash = pmumap_amu_hash_text_(l->hash, pmumap_fdt_name_(&l->r.w)), taken = 0, i;
	uint32_t *label = pmumap_amu_find_pair_(l->b->labels, l->b->label_count, hash);
	const uint32_t *end = l->b->labels[l->b->label_count];

	for (i = 0; label && label < end && label[0] == hash && i < PMUMAP_AMU_LABEL_TRIES_; i++) {
		if (label[1] && pmumap_amu_is_counter_path_(l, label[1])) {
			taken = taken ? taken : label[1];
			label[1] = 0;
		}
		label += 2;
	}
	return taken;
}

/* Replace the name of the current counter by its label. Names are offsets in the tree. */
static inline void pmumap_amu_label_item_(struct pmumap_amu_reader_ *r, uint32_t item)
{
	struct pmumap_amu_labeler_ *l = (struct pmumap_amu_labeler_ *)(void *)r;
	static const unsigned char amus[] = "/cpus/amus/", slash[] = "/";
	const struct pmumap_amu_view_row_ *v;
	uint32_t label;

	if (item == PMUMAP_AMU_VIEW_) {
		l->view = r->flags & PMUMAP_AMU_LISTED_ ? pmumap_fdt_name_(&r->w) : 0;
		if (l->view)
			l->hash = pmumap_amu_hash_text_(pmumap_amu_hash_text_(0, amus), l->view);
		l->hash = pmumap_amu_hash_text_(l->hash, slash);
		l->views++;
		l->seen = 0;
	}
	if (item != PMUMAP_AMU_COUNTER_ || !l->view)
		return;
	label = pmumap_amu_take_label_(l);
	if (pmumap_amu_counter_fate_(r, l->seen) != PMUMAP_AMU_NEW_)
		return;
	l->seen |= 1u << r->index;
	v = PMUMAP_AMU_VIEWS_(l->b->m) + l->b->numbers[l->views - 1];
	if (label)
		PMUMAP_AMU_WORDS_(l->b->m, l->b->m->names)
	[pmumap_amu_place_of_name_(v, r->index)] =
		r->w.names + pmumap_load_be32_(r->w.blob + label + 8);
}

PMUMAP_DEF PMUMAP_COLD_ void pmumap_amu_labels(struct pmumap_amu_build_ *b)
{
	struct pmumap_amu_labeler_ l;

	pmumap_amu_list_labels_(b);
	if (!b->m)
		return;
	pmumap_sort_pairs_(b->labels, b->label_count, 0, 0);
	l.b = b;
	l.view = 0;
	l.views = l.seen = l.hash = 0;
	(void)pmumap_amu_read_tree_((struct pmumap_amu_reader_ *)(void *)&l, b->r.w.blob,
				    b->fdt_size, b->opt, pmumap_amu_label_item_);
}
