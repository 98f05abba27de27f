#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the picture of the README, doc/d1.svg.
set -eu
echo '<!-- SPDX-License-Identifier: BSD-2-Clause -->'
build/pmumap picture tests/trees/boards/allwinner-d1.dts
