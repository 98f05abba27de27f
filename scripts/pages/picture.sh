#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the picture of the README, doc/sg2044.svg.
set -eu
echo '<!-- SPDX-License-Identifier: BSD-2-Clause -->'
build/pmumap picture tests/trees/boards/sophgo-sg2044.dts
