/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and spellings of units */
#pragma once

#include "imc/api.h"

static inline int pmumap_imc_is_type_(uint32_t type)
{
	return type == PMUMAP_IMC_NEST || type == PMUMAP_IMC_CORE || type == PMUMAP_IMC_THREAD ||
	       type == PMUMAP_IMC_TRACE;
}

/*
 * Strip what Linux adds to a unit's name, as in nest_mcs01_imc and core_imc. Returns 0 and leaves
 * the text unchanged if it does not have that form.
 */
static inline int pmumap_imc_strip_linux_name_(const char **text, size_t *len, int nest)
{
	const char *around = nest ? "nest__imc" : "_imc";
	size_t before = nest ? 5 : 0, i;

	if (*len <= before + 4)
		return 0;
	for (i = 0; i < *len; i++) {
		if (i < before || i >= *len - 4 ? (*text)[i] != *around++ : (*text)[i] == '@')
			return 0;
	}
	*text += before;
	*len -= before + 4;
	return 1;
}

/* Whether a text is the name of a node, with or without the address. */
static inline int pmumap_imc_node_is_(const char *node, const char *text, size_t len)
{
	for (; len && *node && *node == *text; len--, text++)
		node++;
	return len == 0 && (*node == 0 || *node == '@');
}
