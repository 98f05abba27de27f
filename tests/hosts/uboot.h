/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * As much of U-Boot and of its library as hosts/uboot needs. hosts.sh makes the headers that include
 * this one.
 */
#pragma once

typedef unsigned char u8, uint8_t;
typedef unsigned short u16, uint16_t;
typedef unsigned int u32, uint32_t;
typedef unsigned long long u64, uint64_t;
typedef int int32_t;
typedef long long int64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __SIZE_TYPE__ size_t;

#define NULL ((void *)0)

/* ---- linux/string.h, stdio.h */

size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
size_t strnlen(const char *s, size_t most);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int c, size_t n);
char *strrchr(const char *s, int c);
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- libfdt_env.h */

#define INT32_MAX 0x7fffffff
#define INT_MAX INT32_MAX

typedef _Bool bool;
enum { false, true };

typedef uint16_t fdt16_t;
typedef uint32_t fdt32_t;
typedef uint64_t fdt64_t;

#define fdt16_to_cpu(x) __builtin_bswap16(x)
#define cpu_to_fdt16(x) __builtin_bswap16(x)
#define fdt32_to_cpu(x) __builtin_bswap32(x)
#define cpu_to_fdt32(x) __builtin_bswap32(x)
#define fdt64_to_cpu(x) __builtin_bswap64(x)
#define cpu_to_fdt64(x) __builtin_bswap64(x)

/* ---- asm/global_data.h */

struct global_data {
	const void *fdt_blob;
};

#define DECLARE_GLOBAL_DATA_PTR extern struct global_data *gd

/* ---- command.h */

struct cmd_tbl;
enum { CMD_RET_SUCCESS, CMD_RET_FAILURE, CMD_RET_USAGE = -1 };

typedef int uboot_command(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[]);

#define U_BOOT_CMD(name, maxargs, repeatable, command, usage, help)                                \
	extern uboot_command *const uboot_##name;                                                  \
	uboot_command *const uboot_##name = command

int run_command(const char *command, int flag);
