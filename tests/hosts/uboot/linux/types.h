/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TYPES_H
#define TYPES_H

typedef unsigned char u8, uint8_t;
typedef unsigned short u16, uint16_t;
typedef unsigned int u32, uint32_t;
typedef unsigned long long u64, uint64_t;
typedef int int32_t;
typedef long long int64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __SIZE_TYPE__ size_t;

#define NULL ((void *)0)

#endif
