# SPDX-License-Identifier: BSD-2-Clause
#
# The Debian packages that all this needs.

DEPS := libc6-dev g++ libfdt-dev device-tree-compiler liblzma-dev libjansson-dev xz-utils
DEPS_CI := clang clang-format clang-tidy cppcheck libclang-rt-dev gcovr \
	clang-19 llvm-19 libclang-rt-19-dev afl++ valgrind qemu-user qemu-system-misc qemu-system-arm \
	qemu-system-ppc gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf gcc-arm-none-eabi \
	ccache cpio python3 dt-schema mmdebstrap patch zip fish zsh frama-c-base why3 cvc4 z3 \
	gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross \
	gcc-i686-linux-gnu libc6-dev-i386-cross gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross \
	gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross

.PHONY: deps deps-ci
deps: ## use: install the Debian packages that demo and check need
	@scripts/install.sh $(DEPS)

deps-ci: ##- trust: install those that ci needs besides
	@scripts/install.sh $(DEPS) $(DEPS_CI) $(DEPS_BENCH) $(DEPS_PAGE) $(DEPS_PAGE_CHECK) \
		$(DEPS_DIST)

.PHONY: newcomer
newcomer: ##- trust: the README's two commands in a fresh Debian (as root)
	@scripts/install.sh mmdebstrap
	@tests/check/newcomer.sh
