/* SPDX-License-Identifier: BSD-2-Clause
 *
 * limits.h -- limits the resources of the tool and of the programs that it starts, because a tree
 * may be hostile.
 */
#ifndef LIMITS_H
#define LIMITS_H

#define MEMORY_MIB 256
#define PROCESSOR_SECONDS 10 /* CPU time per file */
#define PROGRAM_SECONDS 60   /* wall-clock time of a program that the tool starts */
#define PROGRAM_MIB 16       /* largest file that such a program may write */

/* Call at startup: limits the memory of the tool and of its programs. */
void limit_memory(void);

/* Call per file: limits the CPU time that is left. At its end the tool complains and exits. */
void limit_time(void);

/* Call in the child before exec of dtc or cpp: also limits time and output. */
void limit_program(void);

/* Call in the child before exec of a viewer: removes the limits. */
void lift_limits(void);

#endif /* LIMITS_H */
