#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# limit.sh SECONDS COMMAND...: limits each process to SECONDS of CPU time. The wall-clock limit is
# ten times that, so that a busy machine stops only commands that hang.
seconds=$1
shift
ulimit -S -t "$seconds"
exec timeout -k 5 $((10 * seconds)) "$@"
