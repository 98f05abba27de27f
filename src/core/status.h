/* SPDX-License-Identifier: BSD-2-Clause */
/* The texts of status codes */
#pragma once

#include "core/api.h"
#include "core/compiler.h"

/* Skip n strings. They are one array because an array of pointers would need relocations. */
static inline const char *pmumap_nth_text_(const char *texts, uint32_t n)
{
	while (n) {
		if (*texts++ == 0)
			n--;
		PMUMAP_NO_LIBCALL_();
	}
	return texts;
}

/* The text of a number; an unknown number gets the text after the last one. */
static inline const char *pmumap_text_of_number_(const unsigned char *numbers, uint32_t n,
						 const char *texts, uint32_t number)
{
	uint32_t i = 0;

	while (i < n && numbers[i] != number)
		i++;
	return pmumap_nth_text_(texts, i);
}

PMUMAP_DEF const char *pmumap_status_str(enum pmumap_status status)
{
#define PMUMAP_X_(name, number, text) number,
	static const unsigned char numbers[] = { PMUMAP_STATUS_LIST(PMUMAP_X_) };
#undef PMUMAP_X_
#define PMUMAP_X_(name, number, text) text "\0"
	static const char texts[] = PMUMAP_STATUS_LIST(PMUMAP_X_) "unknown status";
#undef PMUMAP_X_

	return pmumap_text_of_number_(numbers, sizeof(numbers), texts, (uint32_t)status);
}
