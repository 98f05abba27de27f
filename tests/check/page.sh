#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: page.sh FOLDER TOOL.wasm TOOL
#
# Runs page.mjs, which tests the scripts of the page without a browser.
if command -v node >/dev/null; then
	node tests/check/page.mjs "$@"
else
	echo "SKIP the page's scripts without a browser (nodejs is not installed)"
	echo "0 passed, 0 failed"
fi
