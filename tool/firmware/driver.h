/* SPDX-License-Identifier: BSD-2-Clause
 *
 * driver.h -- a model of Linux's driver riscv_pmu_sbi, which asks the firmware for counters.
 * tests/check/matrix.sh compares it with two kernels.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include "firmware.h"

#define LINUX_VERSION(major, minor) ((uint32_t)(major) << 16 | (minor))

struct driver {
	/* LINUX_VERSION(6, 12); 0: there is no Linux, so firmware's answers count */
	uint32_t version;
	int user;   /* an ordinary user, with perf_event_paranoid 2 */
	int legacy; /* perf_user_access is 2, for which there is no model */
};

/* Reads the argument of --linux. NULL: the newest that the model knows. Returns an exit code. */
int read_driver(const char *text, struct driver *driver);

/* What perf counts. excluded: the modes that it leaves out, as in map/suggest.h. */
struct verdict ask_driver(const struct driver *driver, const struct reading *r, uint32_t event,
			  uint64_t data, unsigned excluded);

#endif /* DRIVER_H */
