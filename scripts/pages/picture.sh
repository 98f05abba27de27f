#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints doc/sg2044.svg, the README's picture.
set -eu
echo '<!-- SPDX-License-Identifier: BSD-2-Clause -->'
build/pmumap picture tests/trees/boards/sophgo-sg2044.dts
