# SPDX-License-Identifier: BSD-2-Clause
#
# Speed and size. Everything is built in $(B)/speed.

DEPS_BENCH := gperf libcmph-dev valgrind python3

speed := $(B)/speed
benches := $(addprefix $(speed)/,events names cpus builds)
boards := $(patsubst %,$(B)/boards/%.dtb,sifive-u74 andes-ax45mp sophgo-sg2044 eswin-eic7700 \
	allwinner-d1 thead-th1520 spacemit-k1 tenstorrent-x280 starfive-jhb100)
catalogs := $(filter $(dtbs),$(patsubst %,$(B)/corpus-imc/%.dtb,power9-4e0200 power10-800200)) \
	$(B)/boards/imc-power9.dtb
amus := $(patsubst %,$(B)/boards/%.dtb,amu-tc2 amu-mpmm-labels amu-aff3 amu-views)

program = $(Q)$(CC) -std=c11 $(WARNINGS) $(CFLAGS) -I. -MMD -MP -MF $@.d $< $(libs) -lfdt -o $@

# Includes cmph in the comparison if it is installed.
cmph = $(shell $(CC) -E -include cmph.h -x c /dev/null >/dev/null 2>&1 && \
	echo -DBENCH_CMPH -lcmph)
$(speed)/names: libs = -ldl $(cmph)
$(speed)/events: libs = -ldl
$(benches) $(speed)/hostile: $(speed)/%: bench/%.c $(B)/flags | $(speed)/
	$(program)
$(speed)/:
	@mkdir -p $@
-include $(wildcard $(speed)/*.d)

# Lines in benchstat's format go to a file, tables to the terminal. The benchmarks run one at a time
# even under -j, so that they do not disturb each other.
run = $(Q)$(speed)/$(1) >$(speed)/$(firstword $(1)).txt && \
	grep -v '^Benchmark' $(speed)/$(firstword $(1)).txt

.PHONY: bench
bench: $(benches) $(boards) $(catalogs) $(amus) ## measure: time look-ups and builds, and compare with other implementations
	@[ -n "$(cmph)" ] || echo "SKIP cmph: libcmph-dev is not installed"
	@bench/gperf.sh $(speed)/names $(speed)/gperf $(catalogs)
	@CC="$(CC)" bench/opensbi.sh $(speed)/opensbi $(boards)
	$(call run,events $(speed)/opensbi $(boards))
	$(call run,names $(speed)/gperf $(catalogs))
	$(call run,cpus $(amus))
	$(call run,builds $(boards) $(catalogs) $(amus))
	@cat $(benches:%=%.txt) >$(speed)/bench.txt
	@bench/charts.py $(speed)/bench.txt $(speed) >/dev/null
	@awk '/a peer is faster in/ { lost += $$(NF - 3); of += $$(NF - 1) } \
		END { print "a peer is faster in " lost " of " of " cases" }' $(speed)/bench.txt
	@echo "$$(grep -c ^Benchmark $(speed)/bench.txt) passed, 0 failed"

.PHONY: bench-hostile
bench-hostile: $(speed)/hostile ## measure: time trees made as slow as possible, and show how time grows with size
	$(Q)$(speed)/hostile

.PHONY: charts
charts: ## measure: draw bench/*.svg and write the tables of doc/performance.md from the last bench
	@bench/charts.py $(speed)/bench.txt bench
	@bench/tables.sh $(speed)/bench.txt

.PHONY: bench-ir bench-ir-update
bench-ir: ## measure: count instructions here and on RISC-V, and compare with bench/baseline.txt
bench-ir-update: ##- measure: update bench/baseline.txt
bench-ir bench-ir-update: $(benches) $(boards) $(catalogs) $(amus) \
	$(patsubst %,$(B)/qemu/%.elf,price-m-rv64 price-s-rv64 price-m-rv32 empty-rv64)
	@bench/gperf.sh $(speed)/names $(speed)/gperf $(catalogs)
	@TREES=$(B)/boards BOARDS="$(boards)" CATALOGS="$(catalogs)" AMUS="$(amus)" \
		CFLAGS="$(CFLAGS)" LIMIT=3000 scripts/run.sh \
		"bench/ir.sh $(speed) $(if $(filter %-update,$@),--update)" \
		"bench/rv/price.sh $(if $(filter %-update,$@),--update)"

.PHONY: bench-names
bench-names: $(speed)/names $(catalogs) $(B)/pmumap ## measure: count the instructions of looking up a name on five machines, beside gperf's
	@bench/gperf.sh $(speed)/names $(speed)/gperf $(firstword $(catalogs))
	@bench/names_ir.sh $(speed) $(firstword $(catalogs))

.PHONY: bench-calls
bench-calls: $(B)/qemu/calls-rv64.elf $(B)/qemu/monitor-rv64.elf ## measure: count the instructions of a guest's SBI calls, beside OpenSBI's
	@bench/rv/calls.sh

.PHONY: size size-update
size: ## measure: measure code, stack and map sizes on five architectures; compare with doc/performance.md
size-update: ##- measure: update the sizes in doc/performance.md
size size-update: $(boards) $(catalogs) $(amus)
	@bench/size.sh $(B)/size $(if $(filter %-update,$@),--update) $(boards) \
		$(amus) $(catalogs)
