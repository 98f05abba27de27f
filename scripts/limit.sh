#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# limit.sh SECONDS COMMAND...: runs it with so many seconds of CPU for each of its processes, and
# ten times as many by the clock, so that a busy machine ends nothing that works.
seconds=$1
shift
ulimit -S -t "$seconds"
exec timeout -k 5 $((10 * seconds)) "$@"
