/* SPDX-License-Identifier: BSD-2-Clause
 *
 * picture_kinds.c -- decides which units share a colour.
 */
#include <ctype.h>
#include "picture.h"

uint32_t kind_number(struct imc_drawing *d, const char *name)
{
	size_t length = strcspn(name, "@");
	uint32_t sum = 0, i = 0;

	while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '_'))
		length--;
	for (size_t at = 0; at < length; at++)
		sum = sum * 33 + (unsigned char)name[at];
	while (i < d->kinds && d->kind[i] != sum)
		i++;
	if (i == LENGTH(d->kind))
		return sum;
	if (i == d->kinds)
		d->kind[d->kinds++] = sum;
	return i;
}
