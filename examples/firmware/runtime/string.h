/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Replaces a libc's, for libfdt.
 */
#ifndef RUNTIME_STRING_H
#define RUNTIME_STRING_H

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
int memcmp(const void *first, const void *second, size_t n);
void *memchr(const void *in, int value, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t most);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);

#endif /* RUNTIME_STRING_H */
