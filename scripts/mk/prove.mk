# SPDX-License-Identifier: BSD-2-Clause
#
# Proofs for every input, with two engines; and planted bugs that each layer must notice. See
# proofs/README.md.

.PHONY: prove prove-wp prove-cbmc check-proofs prove-planted prove-mutants planted check-planted
# One after the other: WP's provers have wall-clock limits, and a parallel job would use up their
# time.
prove: ## trust: prove look-ups and blob check for any size (WP), the rest within bounds (CBMC)
	@LIMIT=1200 scripts/run.sh '$(MAKE) prove-wp' '$(MAKE) prove-cbmc'

# Each proof that succeeds goes to proofs/proved.txt, with a hash of its input (proofs/input.py).
prove-wp: ##- trust: the proofs for any size
	@PROVED=$(or $(PROVED),write) proofs/wp/wp.sh

prove-cbmc: ##- trust: the proofs for all inputs within a bound
	@PROVED=$(or $(PROVED),write) LIMIT=1000 proofs/cbmc/run.sh

check-proofs: ##- trust: repeat the proofs of code that has changed since it was proved
	@PROVED=trust LIMIT=2400 scripts/run.sh '$(MAKE) prove' '$(MAKE) prove-mutants'

prove-planted: ##- trust: check that WP notices planted bugs, and its smoke tests notice contradictions
	@LIMIT=1200 JOBS=2 scripts/run.sh 'LAYERS=wp tests/planted/planted.sh' \
		tests/planted/contradictions.sh tests/planted/answers.sh

# PARTS: of wp.sh, or PART:FUNCTION,... N: mutants of each function. SHOW=1: says what became of each.
prove-mutants: ##- trust: check that WP notices mutants of the code in parts fdt, reader and builder; PARTS=..., N=3
	@PROVED=$(or $(PROVED),write) proofs/wp/mutate.sh $(or $(PARTS),fdt reader builder)

planted: $(dtbs) $(inputs) $(B)/implementation.c $(extern.tests:%=%.o) $(extern.models) $(extern.harnesses)
planted: $(if $(findstring fuzz,$(or $(LAYERS),fuzz)),$(afl.harnesses) $(B)/afl/mutator.so)
planted: $(if $(LAYERS),$(if $(filter golden scripts,$(LAYERS)),$(B)/pmumap),$(B)/pmumap)
planted: $(if $(LAYERS),$(if $(filter scripts browser,$(LAYERS)),$(B)/page/pmumap.html),$(B)/page/pmumap.html)
planted: ##- trust: plant bugs and check that each layer notices its own; LAYERS='unit replay wp cbmc fuzz golden scripts browser'
	@OBJECTS=$(B)/extern AFL=$(B)/afl tests/planted/planted.sh

check-planted: ##- change: check that each planted bug still fits its source and that the table lists its layers
	@FIT=1 tests/planted/planted.sh
	@FIT=1 tests/planted/answers.sh
	@FIT=1 proofs/wp/mutate.sh
