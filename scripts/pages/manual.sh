#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints the description of each verb for the manual page.
exec scripts/pages/synopsis.sh -v
