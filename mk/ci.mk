# SPDX-License-Identifier: BSD-2-Clause
#
# What is checked besides, with more compilers and machines.

bare := rv64 rv32 aarch64 armv7-m ppc64
clangs := x86_64-clang $(bare:%=%-clang)
# Little-endian; so is the host, of 64 bits, and so are i386 and bare RV32 and RV64, which are in CI.
alike := aarch64 armhf riscv64
# All cases are run under gcc's sanitizers; elsewhere fewer of them. What takes longest begins first,
# so that no core waits for it at the end. WP has the machine to itself: its provers' limits are of
# wall time.
more := "$(MAKE) prove-wp" -- \
	"LIMIT=900 scripts/run.sh $(foreach t,qemu check-conformance linux-1.6 hosts hosts-glue hosts-skiboot bench-calls,'$(MAKE) $(t)')" \
	"$(MAKE) newcomer" \
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

# What fails only where tests or proofs were changed, or where another step fails, too; and what
# Debian's newest compilers refuse.
seldom := "$(MAKE) prove-planted" \
	"$(MAKE) planted LAYERS=unit" \
	"$(MAKE) check-undef ON='$(bare) $(clangs)' LEVELS='-O1 -O2 -O3'" \
	"$(MAKE) linux-newer" \
	"$(MAKE) newcomer RELEASES=sid" \
	"$(MAKE) newcomer-page RELEASES='bookworm trixie sid'" \
	$(foreach v,$(alike) msan clang-san tests-clang-extern check-fuzz-service,"$(MAKE) $(v)")

.PHONY: ci weekly
ci: deps-ci ## trust: everything that check leaves out; where something is not there, it fails
	+@$(MAKE) -s $(dtbs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(B)/bare.files $(benches)
	+@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3000 JOBS=$(cores) scripts/run.sh $(more)

weekly: deps-ci ## trust: what CI leaves to once a week, and to before a release
	+@$(MAKE) -s $(dtbs)
	@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3000 JOBS=$(cores) scripts/run.sh $(seldom)
