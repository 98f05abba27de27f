# SPDX-License-Identifier: BSD-2-Clause
#
# The remaining checks, with more compilers and machines.

bare := rv64 rv32 aarch64 armv7-m ppc64
clangs := x86_64-clang $(bare:%=%-clang)
# Weekly only. CI has their likes: the 64-bit host, i386 and bare RISC-V are little-endian, ppc64 is
# big-endian. "check" has already run on this machine, a Debian 12.
alike := aarch64 armhf riscv64 s390x
# All random cases run under gcc's sanitizers, fewer elsewhere. Long steps start first so that no
# core idles at the end. WP runs alone because its provers have wall-clock limits.
more := "$(MAKE) prove-wp" -- \
	"LIMIT=900 scripts/run.sh $(foreach t,qemu check-conformance linux-1.6 hosts hosts-glue hosts-skiboot bench-calls,'$(MAKE) $(t)')" \
	"$(MAKE) newcomer RELEASES=trixie" \
	"$(MAKE) fuzz" \
	"$(MAKE) prove-cbmc" \
	"$(MAKE) san" \
	"$(MAKE) check-undef ON='$(CC) $(bare) $(clangs)' LEVELS='-O0 -Os'" \
	"$(MAKE) coverage" \
	$(foreach v,$(filter-out $(alike),$(cross)),"$(MAKE) $(v)") \
	"$(MAKE) check-inline" \
	"$(MAKE) check-packages" \
	"$(MAKE) bare-rv64" \
	"$(MAKE) bare-rv32" \
	"$(MAKE) size" \
	"$(MAKE) valgrind CHECKED='$(few)'" \
	"$(MAKE) check-std ON='clang clang++ x86_32-clang $(bare)'" \
	"$(MAKE) check-page" \
	"$(MAKE) analysis" \
	"$(MAKE) bench-ir" \
	"$(MAKE) check-modes CC=clang CXX=clang++" \
	"$(MAKE) check-embed ON='clang rv64 rv32 rv64-clang rv32-clang'" \
	$(foreach t,format amu rom install trees binding mutants reasons planted,"$(MAKE) check-$(t)") \
	"$(MAKE) bench"

# Fail only if tests or proofs change, if another step fails too, or with Debian's newest compilers.
seldom := "$(MAKE) prove-planted" \
	"$(MAKE) planted LAYERS='unit replay golden scripts browser'" \
	"$(MAKE) check-undef ON='$(bare) $(clangs)' LEVELS='-O1 -O2 -O3'" \
	"$(MAKE) linux-newer" \
	"$(MAKE) newcomer RELEASES='bookworm sid'" \
	"$(MAKE) newcomer-page RELEASES='bookworm trixie sid'" \
	$(foreach v,$(alike) msan clang-san tests-clang-extern check-fuzz-service,"$(MAKE) $(v)")

.PHONY: ci weekly
ci: deps-ci ## trust: run everything that check leaves out; a missing program is a failure
	+@$(MAKE) -s $(dtbs) $(inputs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(B)/bare.files $(benches)
	+@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3000 JOBS=$(cores) scripts/run.sh $(more)

weekly: deps-ci ## trust: run what CI runs only weekly and before a release
	+@$(MAKE) -s $(dtbs) $(inputs)
	@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3000 JOBS=$(cores) scripts/run.sh $(seldom)
