#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints what each verb does, for the manual page.
exec scripts/pages/synopsis.sh -v
