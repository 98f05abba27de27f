#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: tests/hosts/skiboot/compile.sh TREE
#
# Edits this source of skiboot, and compiles the files that the edit changes or adds, and two others.
set -eu

hosts/skiboot/apply.sh "$1"
env -u CC -u CXX -u MAKEFLAGS nice make -C "$1" SKIBOOT_VERSION=test CROSS=powerpc64-linux-gnu- \
	hw/imc.o hw/imc-catalog.o hw/homer.o core/init.o
