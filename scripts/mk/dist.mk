# SPDX-License-Identifier: BSD-2-Clause
#
# Release files, and packages of the headers.

DEPS_DIST := cmake meson ninja-build pkgconf python3 python3-kconfiglib python3-yaml \
	build-essential debhelper dpkg-dev lintian

.PHONY: dist release check-packages
dist: ## use: write archive, bill of materials, notes and checksums of the last commit to build/dist
	@scripts/dist.sh $(B)/dist
	@cat $(B)/dist/SHA256SUMS

release: ##- change: commit and tag VERSION, which CHANGELOG.md calls unreleased, and write build/dist
	@scripts/release.sh "$(VERSION)"

check-packages: $(B)/pmumap ##- trust: use pmumap through CMake, Meson, Zephyr, dist and the Debian package
	@tests/check/packages.sh
