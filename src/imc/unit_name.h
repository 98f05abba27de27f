/* SPDX-License-Identifier: BSD-2-Clause */
/* Spellings of a unit */
#pragma once

#include "imc/type.h"

/*
 * Strip what Linux adds to a unit's name, as in nest_mcs01_imc and core_imc. Returns 0 and leaves
 * the text unchanged if it does not have that form.
 */
static inline int pmumap_imc_strip_linux_name_(const char **text, size_t *len, int nest)
{
	const char *around = nest ? "nest__imc" : "_imc";
	size_t before = nest ? 5 : 0, all = before + 4, i;

	if (*len <= all)
		return 0;
	for (i = 0; i < all; i++) {
		if ((*text)[i < before ? i : *len - all + i] != around[i])
			return 0;
	}
	for (i = before; i < *len - 4; i++) {
		if ((*text)[i] == '@')
			return 0;
	}
	*text += before;
	*len -= all;
	return 1;
}

/* Whether a text is the name of a node, with or without the address. */
static inline int pmumap_imc_node_is_(const char *node, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (node[i] != text[i] || node[i] == 0)
			return 0;
	}
	return node[len] == 0 || node[len] == '@';
}

/* Whether a text is the name of a node, or Linux's name for a unit of this name and type. */
static inline int pmumap_imc_unit_name_matches_(const char *node, uint32_t type, const char *text,
						size_t len)
{
	return pmumap_imc_node_is_(node, text, len) ||
	       (pmumap_imc_strip_linux_name_(&text, &len, type == PMUMAP_IMC_NEST) &&
		pmumap_imc_node_is_(node, text, len));
}
