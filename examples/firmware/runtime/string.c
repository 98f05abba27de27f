/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions that libfdt and the compiler call.
 */
#include "string.h"

/* Otherwise gcc turns the loop of memcpy() into a call of memcpy(). */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

void *memcpy(void *to, const void *from, size_t n)
{
	char *a = to;
	const char *b = from;

	while (n--)
		*a++ = *b++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *a = to;
	const char *b = from;

	if (a <= b)
		return memcpy(to, from, n);
	while (n--)
		a[n] = b[n];
	return to;
}

void *memset(void *to, int value, size_t n)
{
	char *a = to;

	while (n--)
		*a++ = (char)value;
	return to;
}

int memcmp(const void *first, const void *second, size_t n)
{
	const unsigned char *a = first, *b = second;

	for (; n; n--, a++, b++)
		if (*a != *b)
			return *a - *b;
	return 0;
}

void *memchr(const void *in, int value, size_t n)
{
	const unsigned char *a = in;

	for (; n; n--, a++)
		if (*a == (unsigned char)value)
			return (void *)(uintptr_t)a;
	return NULL;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

size_t strnlen(const char *s, size_t most)
{
	size_t n = 0;

	while (n < most && s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n && *a && *a == *b; n--) {
		a++;
		b++;
	}
	return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

char *strchr(const char *s, int c)
{
	return memchr(s, c, strlen(s) + 1);
}

char *strrchr(const char *s, int c)
{
	size_t n = strlen(s) + 1;

	while (n--)
		if (s[n] == (char)c)
			return (char *)(uintptr_t)(s + n);
	return NULL;
}
