/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An ordered map like that of Rust's standard library: a B-tree with up to 11 keys in a node,
 * searched linearly. Built at once from sorted keys, so that its nodes are as full as possible.
 */
#ifndef ORDERED_H
#define ORDERED_H

#include "bench.h"

#define ORDERED_KEYS 11

struct ordered {
	uint64_t key[ORDERED_KEYS];
	uint64_t value[ORDERED_KEYS];
	struct ordered *child[ORDERED_KEYS + 1];
	uint32_t n, leaf;
};

struct ordered_pair {
	uint64_t key, value;
};

static inline int ordered_before(const void *a, const void *b)
{
	const struct ordered_pair *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* From n pairs in order. */
static inline struct ordered *ordered_make(const struct ordered_pair *pair, uint32_t n)
{
	struct ordered *node = need_memory(sizeof(*node));
	uint32_t i, used = 0, rest;

	node->leaf = n <= ORDERED_KEYS;
	node->n = node->leaf ? n : ORDERED_KEYS;
	for (i = 0; i < node->n; i++) {
		rest = node->leaf ? 0
				  : (n - ORDERED_KEYS) * (i + 1) / (ORDERED_KEYS + 1) + i - used;
		if (!node->leaf)
			node->child[i] = ordered_make(pair + used, rest);
		node->key[i] = pair[used + rest].key;
		node->value[i] = pair[used + rest].value;
		used += rest + 1;
	}
	if (!node->leaf)
		node->child[i] = ordered_make(pair + used, n - used);
	return node;
}

static inline const uint64_t *ordered_find(const struct ordered *node, uint64_t key)
{
	for (;;) {
		uint32_t i;

		for (i = 0; i < node->n && node->key[i] <= key; i++) {
			if (node->key[i] == key)
				return &node->value[i];
		}
		if (node->leaf)
			return NULL;
		node = node->child[i];
	}
}

#endif
