/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limits.h -- how much of a machine the tool and the programs that it starts may take. A tree may
 * have been made to do harm.
 */
#ifndef LIMITS_H
#define LIMITS_H

#define MEMORY_MIB 256
#define PROCESSOR_SECONDS 10 /* for one file */
#define PROGRAM_SECONDS 60   /* by the clock, of a program that the tool starts */
#define PROGRAM_MIB 16       /* what such a program may write into a file */

/* At the start: limits the memory of the tool and of what it starts. */
void limit_memory(void);

/* For each file: limits the time that is left. At its end the process ends with a complaint. */
void limit_time(void);

/* In the child, before dtc or cpp is started: limits time and output too. */
void limit_program(void);

/* In the child, before a program is started that shows a picture: takes the limits back. */
void lift_limits(void);

#endif /* LIMITS_H */
