# SPDX-License-Identifier: BSD-2-Clause
#
# Three sets of checks: "check" on each change, "ci" on each commit that goes to main, "nightly" the
# rest. proofs/README.md has a table of them.

bare := rv64 rv32 aarch64 armv7-m ppc64
clangs := x86_64-clang $(bare:%=%-clang)
# Three machines run all unit tests: the sanitized host, one of 32 bits, a big-endian one. Long steps
# start first so that no core idles at the end; bench-ir waits for OpenSBI, which qemu builds. Proofs
# run alone because WP's provers have wall-clock limits.
more := "$(MAKE) check-proofs" -- \
	"LIMIT=900 scripts/run.sh $(foreach t,qemu check-conformance linux-1.6 linux-matrix hosts hosts-glue hosts-skiboot,'$(MAKE) $(t)')" \
	"PMUMAP_QUICK=1 $(MAKE) san" \
	"$(MAKE) ppc64" \
	"$(MAKE) coverage" \
	"$(MAKE) fuzz T=60" \
	"$(MAKE) check-page" \
	"$(MAKE) i386" \
	"$(MAKE) check-worst" \
	"$(MAKE) check-packages" \
	"$(MAKE) check-std ON='$(CC) clang clang++ rv32 ppc64'" \
	"$(MAKE) check-undef ON='rv64 rv32 armv7-m ppc64 rv64-clang' LEVELS=-Os" \
	"$(MAKE) check-embed ON='$(CC) rv64 rv32 clang'" \
	"$(MAKE) size" \
	"$(MAKE) bench-ir" \
	$(foreach t,docs planted rom steps picture binding amu install format reasons,"$(MAKE) check-$(t)") \
	"$(MAKE) analysis"

# All random cases, machines, compilers, levels and releases that ci leaves out.
rest := "PROVED=compare $(MAKE) prove" -- \
	"$(MAKE) prove-planted" \
	"$(MAKE) planted LAYERS='unit replay golden scripts browser'" \
	"$(MAKE) fuzz T=1800" \
	"$(MAKE) newcomer RELEASES='bookworm trixie sid'" \
	"$(MAKE) newcomer-page RELEASES='bookworm trixie sid'" \
	"$(MAKE) san" \
	"$(MAKE) valgrind CHECKED='$(few)'" \
	"$(MAKE) linux-newer" \
	"$(MAKE) linux-matrix BOARDS=all" \
	"$(MAKE) check-undef ON='$(CC) $(bare) $(clangs)'" \
	"$(MAKE) check-std ON='x86_32-clang $(bare)'" \
	"$(MAKE) check-modes CC=clang CXX=clang++" \
	"$(MAKE) check-embed ON='rv64-clang rv32-clang'" \
	$(foreach v,$(filter-out i386 ppc64,$(cross)) bare-rv64 bare-rv32 msan clang-san,"$(MAKE) $(v)") \
	$(foreach t,check-inline tests-clang-extern check-mutants check-fuzz-service,"$(MAKE) $(t)") \
	"$(MAKE) bench-calls" \
	"$(MAKE) bench"

.PHONY: ci nightly
ci: deps-ci ## trust: run what check leaves out, except the slow rest; a missing program is a failure
	+@$(MAKE) -s $(dtbs) $(inputs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(benches)
	+@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3600 JOBS=$(cores) scripts/run.sh $(more)

nightly: deps-ci ## trust: run the slow rest, and before a release
	+@$(MAKE) -s $(dtbs) $(inputs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(B)/bare.files $(benches)
	+@REQUIRE=1 TABLE=1 LIMIT=3000 WALL=9000 JOBS=$(cores) scripts/run.sh $(rest)
