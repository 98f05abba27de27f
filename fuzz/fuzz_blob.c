/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a device tree, complete or read from any node offset: reads only the blob, writes
 * nothing to it, and an accepted blob means what the tests' models say.
 */
#include "fdt_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *exact = fuzz_copy(data, size);

	fuzz_seed(data, size);
	check_fdt(exact, size, 0);
	check_fdt(exact, size, (int)(fuzz_random() % (size + 8)) & ~3);
	check_fdt_imc(exact, size);
	check_fdt_amu(exact, size);
	check_harts(exact, size);
	MUST(!memcmp(exact, data, size));
	free(exact);
	return 0;
}
