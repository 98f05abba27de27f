#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the version from the macros of pmumap.h.
sed -nE 's/^#define PMUMAP_VERSION_(MAJOR|MINOR|PATCH) //p' "$(dirname "$0")/../pmumap.h" | paste -sd.
