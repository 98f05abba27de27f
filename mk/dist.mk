# SPDX-License-Identifier: BSD-2-Clause
#
# What is released, and the ways to take the headers.

DEPS_DIST := cmake meson ninja-build pkgconf python3 python3-kconfiglib python3-yaml \
	build-essential debhelper dpkg-dev lintian

.PHONY: dist check-packages
dist: ## use: the archive of what is committed, its bill of materials and checksums, in build/dist
	@scripts/dist.sh $(B)/dist
	@cat $(B)/dist/SHA256SUMS

check-packages: ##- trust: CMake, Meson, Zephyr, dist and Debian's package, each as its users have it
	@tests/check/packages.sh
