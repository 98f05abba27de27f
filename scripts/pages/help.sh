#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Prints what each verb says to --help.
set -eu
separator=
for verb in $(build/pmumap --help | sed -nE 's/^  ([a-z]+) .*/\1/p' | grep -vx help); do
	[ -z "$separator" ] || echo
	separator=yes
	echo '```'
	echo "\$ build/pmumap $verb --help"
	build/pmumap "$verb" --help
	echo '```'
done
