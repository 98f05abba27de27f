# SPDX-License-Identifier: BSD-2-Clause
#
# What holds for every input: two engines, see proofs/README.md.

.PHONY: prove prove-wp prove-cbmc prove-planted
# WP goes first: its longest parts are one process each, and CBMC fills what they leave.
prove: ## trust: prove the look-ups and the blob check (WP), and the rest within bounds (CBMC)
	@LIMIT=1200 JOBS=2 scripts/run.sh proofs/wp/wp.sh 'LIMIT=1000 nice proofs/cbmc/run.sh'

prove-wp: ##- trust: what holds for any size
	@proofs/wp/wp.sh

prove-cbmc: ##- trust: what holds for all inputs within a bound
	@proofs/cbmc/run.sh

prove-planted: ##- trust: bugs that WP has to notice, and contradictions that its smoke tests have to
	@LIMIT=1200 JOBS=2 scripts/run.sh 'LAYERS=wp tests/planted/planted.sh' tests/planted/contradictions.sh
