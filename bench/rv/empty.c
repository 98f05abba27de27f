/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program of the README with an empty work(): its count is the price of the program's own start
 * and read. The program is alone in its file, as in a firmware, so the compiler inlines both calls.
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
