# SPDX-License-Identifier: BSD-2-Clause
#
# What holds for every input, by two engines; and bugs that are planted for each layer to notice:
# assurance/README.md.

.PHONY: prove prove-wp prove-cbmc prove-planted planted check-planted
# One after the other: WP's provers have limits of wall time, and what runs beside them takes it.
prove: ## trust: prove the look-ups and the blob check (WP), and the rest within bounds (CBMC)
	@LIMIT=1200 scripts/run.sh '$(MAKE) prove-wp' '$(MAKE) prove-cbmc'

prove-wp: ##- trust: what holds for any size
	@assurance/wp/wp.sh

prove-cbmc: ##- trust: what holds for all inputs within a bound
	@LIMIT=1000 assurance/cbmc/run.sh

prove-planted: ##- trust: bugs that WP has to notice, and contradictions that its smoke tests have to
	@LIMIT=1200 JOBS=2 scripts/run.sh 'LAYERS=wp assurance/planted/planted.sh' \
		assurance/planted/contradictions.sh

planted: $(dtbs) $(extern.tests:%=%.o) $(extern.models) $(extern.harnesses)
planted: $(if $(findstring fuzz,$(or $(LAYERS),fuzz)),$(afl.harnesses) $(B)/afl/mutator.so)
planted: ##- trust: plant bugs, and see that each layer that should notices; LAYERS='unit replay wp cbmc fuzz'
	@OBJECTS=$(B)/extern AFL=$(B)/afl assurance/planted/planted.sh

check-planted: ##- change: each planted bug has its line, and its layers stand in the table
	@FIT=1 assurance/planted/planted.sh
