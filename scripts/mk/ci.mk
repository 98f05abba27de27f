# SPDX-License-Identifier: BSD-2-Clause
#
# Three sets of checks: "check" on each change, "ci" on each commit that goes to main, "nightly" the
# rest. proofs/README.md has a table of them.

bare := rv64 rv32 aarch64 armv7-m ppc64
clangs := x86_64-clang $(bare:%=%-clang)
# Two machines run all unit tests: the sanitized host, and a big-endian one of 32 bits. Long steps
# start first so that no core idles at the end; bench-ir waits for OpenSBI, which qemu builds. Proofs
# run alone because WP's provers have wall-clock limits.
more := "$(MAKE) check-proofs" -- \
	"LIMIT=900 scripts/run.sh $(foreach t,qemu check-conformance linux-1.6 linux-matrix hosts hosts-glue,'$(MAKE) $(t)')" \
	"PMUMAP_QUICK=1 $(MAKE) san" \
	"$(MAKE) powerpc" \
	"$(MAKE) coverage" \
	"$(MAKE) fuzz T=60" \
	"$(MAKE) check-page" \
	"$(MAKE) check-worst" \
	"$(MAKE) check-std ON='$(CC) $(CXX) clang clang++ rv32 ppc64'" \
	"$(MAKE) check-undef ON='$(CC) rv64 rv32 armv7-m ppc64 rv64-clang' LEVELS=-Os" \
	"$(MAKE) check-embed ON='$(CC) rv64 rv32 clang'" \
	"$(MAKE) size" \
	"$(MAKE) bench-ir" \
	$(foreach t,docs parts planted rom tool modes trees attacks untrusted steps picture binding install write format quickstart linter image-doc reasons runner rust,"$(MAKE) check-$(t)") \
	"$(MAKE) analysis"

# All random cases, machines, compilers, levels and releases that ci leaves out, and what rarely fails
# alone.
rest := "PROVED=compare $(MAKE) prove" -- \
	"$(MAKE) prove-planted" \
	"PROVED=compare $(MAKE) prove-mutants" \
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
	"LIMIT=900 scripts/run.sh $(foreach t,opensbi hosts hosts-skiboot,'$(MAKE) $(t)')" \
	"$(MAKE) check-packages" \
	"$(MAKE) check-amu" \
	"$(MAKE) check-embed ON='rv64-clang rv32-clang'" \
	$(foreach v,$(filter-out powerpc,$(cross)) bare-rv64 bare-rv32 msan clang-san,"$(MAKE) $(v)") \
	$(foreach t,check-inline tests-clang-extern check-mutants check-fuzz-service,"$(MAKE) $(t)") \
	"$(MAKE) bench-calls" \
	"$(MAKE) bench"

.PHONY: ci nightly
ci: deps-ci ## trust: run what check leaves out, except the slow rest; a missing program is a failure
	+@$(MAKE) -s $(dtbs) $(inputs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(benches)
	+@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3600 JOBS=$(cores) scripts/run.sh $(more)

nightly: deps-ci ## trust: run the slow rest, and before a release
	+@$(MAKE) -s $(dtbs) $(inputs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(benches)
	+@NIGHT=1 REQUIRE=1 TABLE=1 LIMIT=3000 WALL=9000 JOBS=$(cores) scripts/run.sh $(rest)
