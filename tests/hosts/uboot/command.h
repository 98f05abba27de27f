/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of U-Boot as hosts/uboot needs. */
#ifndef COMMAND_H
#define COMMAND_H
#include <linux/types.h>

struct cmd_tbl;
enum { CMD_RET_SUCCESS, CMD_RET_FAILURE, CMD_RET_USAGE = -1 };

typedef int uboot_command(struct cmd_tbl *cmdtp, int flag, int argc, char *const argv[]);

#define U_BOOT_CMD(name, maxargs, repeatable, command, usage, help)                                \
	extern uboot_command *const uboot_##name;                                                  \
	uboot_command *const uboot_##name = command

int run_command(const char *command, int flag);

#endif
