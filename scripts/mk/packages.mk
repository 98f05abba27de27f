# SPDX-License-Identifier: BSD-2-Clause
#
# Debian packages to install, release files, and packages of the headers.

DEPS := libc6-dev g++ libfdt-dev device-tree-compiler liblzma-dev libjansson-dev xz-utils \
	python3 python3-yaml python3-jsonschema pkgconf man-db patch bsdutils
DEPS_CI := clang clang-format clang-tidy cppcheck libclang-rt-dev gcovr \
	clang-19 llvm-19 libclang-rt-19-dev afl++ qemu-user qemu-system-misc qemu-system-arm \
	qemu-system-ppc gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf gcc-arm-none-eabi \
	ccache cpio dt-schema mmdebstrap zip fish zsh frama-c-base why3 cvc4 z3 librust-cc-dev \
	gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross \
	gcc-i686-linux-gnu libc6-dev-i386-cross gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross \
	gcc-powerpc-linux-gnu libc6-dev-powerpc-cross \
	gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross

.PHONY: deps deps-ci
deps: ## use: install the Debian packages that demo and check need
	@scripts/install.sh $(DEPS)

deps-ci: ##- trust: install the packages that ci needs too
	@scripts/install.sh $(DEPS) $(DEPS_CI) $(DEPS_BENCH) $(DEPS_PAGE) $(DEPS_PAGE_CHECK) \
		$(DEPS_DIST)

# Check for dtc and the headers first: "make deps" is better advice than a compiler error.
$(B)/ready:
	@mkdir -p $(@D)
	@command -v dtc >/dev/null && $(CC) -E -include libfdt.h -x c /dev/null >/dev/null 2>&1 || \
		{ echo "dtc, libfdt's header or the C library's is missing; run: make deps" >&2; exit 1; }
	@touch $@

# "make -j deps check" must install before it compiles.
ifneq ($(filter deps,$(MAKECMDGOALS)),)
demo check $(B)/pmumap.libs $(B)/ready: | deps
endif
ifneq ($(filter deps-page,$(MAKECMDGOALS)),)
$(B)/page/ready $(B)/ready: | deps-page
endif

# Debian releases to test on.
RELEASES ?= bookworm trixie

.PHONY: newcomer newcomer-page
newcomer: ##- trust: run the README's two commands in a fresh Debian (as root), for all RELEASES
	@scripts/install.sh mmdebstrap python3
	@tests/check/newcomer.sh "$(RELEASES)" "make deps demo" "make -j$(cores) deps check"

newcomer-page: ##- trust: build the web page there
	@scripts/install.sh mmdebstrap python3
	@tests/check/newcomer.sh "$(RELEASES)" "make -j$(cores) deps-page page"

# ---- releases

DEPS_DIST := cmake meson ninja-build pkgconf python3 python3-kconfiglib python3-yaml \
	build-essential debhelper dpkg-dev lintian gcc-riscv64-linux-gnu

.PHONY: dist release check-packages
dist: ## use: write archive, bill of materials, notes and checksums of the last commit to build/dist
	@scripts/dist.sh $(B)/dist
	@cat $(B)/dist/SHA256SUMS

release: ##- change: commit and tag VERSION, which CHANGELOG.md calls unreleased, and write build/dist
	@scripts/release.sh "$(VERSION)"

check-packages: $(B)/pmumap ##- trust: use pmumap through CMake, Meson, Zephyr, dist and the Debian package
	@tests/check/packages.sh
