# SPDX-License-Identifier: BSD-2-Clause
#
# What is checked besides, with more compilers and machines.

bare := rv64 rv32 aarch64 armv7-m ppc64
clangs := x86_64-clang $(bare:%=%-clang)
# All cases are run by check; under sanitizers here fewer of them, as on the other machines.
# The proofs have the machine to themselves: their provers' limits are of wall time.
more := "$(MAKE) prove" -- \
	"PMUMAP_QUICK=1 $(MAKE) san" \
	$(foreach v,clang-san msan $(filter-out s390x,$(cross)) tests-clang-extern,"$(MAKE) $(v)") \
	"$(MAKE) valgrind CHECKED='$(few)'" \
	"$(MAKE) analysis" \
	"$(MAKE) check-modes CC=clang CXX=clang++" \
	"$(MAKE) check-undef ON='$(bare) $(clangs)'" \
	"$(MAKE) check-std ON='clang clang++ x86_32-clang $(bare)'" \
	"$(MAKE) check-embed ON='clang rv64 rv32 rv64-clang rv32-clang'" \
	"$(MAKE) check-format" \
	"$(MAKE) check-amu" \
	"$(MAKE) check-rom" \
	"$(MAKE) check-page" \
	"$(MAKE) check-packages" \
	"$(MAKE) check-install" \
	"$(MAKE) check-mistakes" \
	"$(MAKE) bare-rv32" \
	"$(MAKE) bare-rv64" \
	"$(MAKE) check-binding" \
	"$(MAKE) coverage" \
	"$(MAKE) check-mutants" \
	"$(MAKE) check-reasons" \
	"$(MAKE) check-planted" \
	"$(MAKE) prove-planted" \
	"LIMIT=900 scripts/run.sh $(foreach t,qemu linux hosts hosts-glue hosts-skiboot bench-calls,'$(MAKE) $(t)')" \
	"$(MAKE) fuzz" \
	"$(MAKE) check-fuzz-service" \
	$(foreach t,bench bench-ir size,"$(MAKE) $(t)")

.PHONY: ci
ci: deps-ci ## trust: everything that check leaves out; where something is not there, it fails
	+@$(MAKE) $(dtbs) $(B)/pmumap $(B)/libfdt-src/libfdt.h $(B)/bare.files $(benches)
	+@REQUIRE=1 TABLE=1 LIMIT=1500 WALL=3000 JOBS=$(cores) scripts/run.sh $(more)
