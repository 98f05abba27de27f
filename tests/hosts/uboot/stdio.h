/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef STDIO_H
#define STDIO_H

int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
