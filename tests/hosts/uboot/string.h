/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef STRING_H
#define STRING_H
#include <linux/types.h>

size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
char *strcpy(char *to, const char *from);

#endif
