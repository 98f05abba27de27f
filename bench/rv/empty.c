/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The README's program with an empty work(): its count is the cost of start and read. It is alone
 * in its file, as in firmware, so the compiler inlines both calls.
 */
#include "pmumap_hw.h"
#include "runtime.h"

static void print(const char *text)
{
	put(text);
}

static void work(void)
{
}

#include "build/readme.h"

int main(unsigned long id, const void *fdt)
{
	(void)id;
	put("=native empty ");
	put_signed(count_once(fdt, 2), 0);
	put("\n");
	return 0;
}
