/* SPDX-License-Identifier: BSD-2-Clause */
#include "../../zephyr.h"
