/* SPDX-License-Identifier: BSD-2-Clause */
extern int planted_sign(int a);
extern unsigned planted_bits(unsigned a);
extern int planted_busy(int a);
extern int planted_unseen(int a, int b);

int main(int argc, char **argv)
{
	(void)argv;
	(void)planted_unseen(1, 2);
	(void)planted_unseen(2, 1);
	return argc != 1 || planted_sign(-2) != -1 || planted_sign(-1) != -1 ||
	       planted_sign(0) != 0 || planted_sign(1) != 1 || planted_sign(2) != 1 ||
	       planted_bits(0) != 0 || planted_bits(1) != 1 || planted_bits(2) != 1 ||
	       planted_bits(7) != 3 || planted_bits(0x80000000u) != 1 || planted_bits(0xa5u) != 4 ||
	       planted_busy(3) != 3;
}
