/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The same for RV32.
 */
#define XLEN 32
#include "test_native.c"
