/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdlib.h>

extern int planted_sign(int a);
extern unsigned planted_bits(unsigned a);
extern int planted_find(const int *a, unsigned n, int x);
extern int planted_ends(const int *a, unsigned long n);
extern int planted_busy(int a);
extern int planted_unseen(int a, int b);

/* In a block that ends with them. */
static int find(int a, int b, int x, unsigned n)
{
	int *p = malloc(2 * sizeof(*p)), found;

	p[0] = a;
	p[1] = b;
	found = planted_find(p, n, x);
	free(p);
	return found;
}

static int ends(int a, int b, unsigned long n)
{
	int *p = malloc(2 * sizeof(*p)), found;

	p[0] = a;
	p[1] = b;
	found = planted_ends(p, n);
	free(p);
	return found;
}

int main(int argc, char **argv)
{
	(void)argv;
	(void)planted_unseen(1, 2);
	(void)planted_unseen(2, 1);
	return argc != 1 || planted_sign(-2) != -1 || planted_sign(-1) != -1 ||
	       planted_sign(0) != 0 || planted_sign(1) != 1 || planted_sign(2) != 1 ||
	       planted_bits(0) != 0 || planted_bits(1) != 1 || planted_bits(2) != 1 ||
	       planted_bits(7) != 3 || planted_bits(0x80000000u) != 1 || planted_bits(0xa5u) != 4 ||
	       find(3, 5, 3, 2) != 1 || find(3, 5, 5, 2) != 1 || find(3, 5, 4, 2) != 0 ||
	       find(3, 5, 6, 2) != 0 || find(3, 5, 4, 0) != 0 || ends(3, 7, 2) != 1 ||
	       ends(7, 6, 2) != 0 || ends(7, 8, 2) != 0 || ends(7, 7, 0) != 0 ||
	       planted_busy(3) != 3;
}
