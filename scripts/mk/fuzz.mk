# SPDX-License-Identifier: BSD-2-Clause
#
# Fuzzing with AFL++ and libFuzzer, also as OSS-Fuzz builds the harnesses; coverage and step counts
# of the corpus.

# Seconds; `make test` uses T for something else.
T ?= 300
seconds := $(if $(filter test,$(MAKECMDGOALS))$(filter test_$(T),$(tests)),60,$(T))

# Below ten minutes, optimisation and CmpLog cost more time than they save.
long := $(shell [ $(seconds) -lt 600 ] || echo y)
optimise := -O$(if $(long),1,0)

# The headers are compiled once; the models are not instrumented. Steps are counted and limited
# (fuzz/steps.h). A sanitized call may take ten times the 200 ms.
counted := steps afl libfuzzer
steps.flags := -O0 -DPMUMAP_EXTERN -DFUZZ_STEPS=200
afl.cc := AFL_QUIET=1 afl-clang-fast
afl.flags := $(optimise) -g1 -fsanitize=address,undefined -fno-sanitize-recover=all \
	-DPMUMAP_EXTERN -DFUZZ_STEPS=2000
cmplog.cc := AFL_QUIET=1 AFL_LLVM_CMPLOG=1 afl-clang-fast
cmplog.flags := -O1 -DPMUMAP_EXTERN
cmplog.extra := implementation.o
libfuzzer.cc := clang
libfuzzer.flags := $(optimise) -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	-DPMUMAP_EXTERN -DFUZZ_STEPS=2000 -DFUZZ_LIBFUZZER
fast.cc := clang
fast.flags := -O2 -g1 -fsanitize=fuzzer -DPMUMAP_EXTERN -DFUZZ_LIBFUZZER
fast.extra := implementation.o
reach.flags := -O0 -g --coverage -fprofile-abs-path -DPMUMAP_EXTERN
reach.extra := implementation.o
$(foreach v,$(counted),$(eval $(v).extra := implementation.o steps.o))
$(foreach v,$(counted) cmplog fast reach,$(eval $(call variant,$(v))))
# libFuzzer defines this function too.
$(foreach v,$(counted),$(eval $(v).libs += -Wl,--wrap=__sanitizer_cov_trace_pc))
$(counted:%=$(B)/%/implementation.o): test.flags += -O1 -fsanitize-coverage=trace-pc
$(afl.models) $(B)/afl/steps.o: afl.cc := clang
$(cmplog.models): cmplog.cc := clang
# The counter itself is neither instrumented nor sanitized.
$(counted:%=$(B)/%/steps.o): test.flags += -O2 -fno-sanitize=all
$(B)/afl/main.o $(B)/cmplog/main.o: WARNINGS := # AFL++'s macros

$(B)/afl/mutator.so: fuzz/mutator.c $(B)/flags
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 $(WARNINGS) $(CFLAGS) -shared -fPIC $< -o $@

# R: ENGINE/HARNESS pairs to run; they share T equally.
R ?= $(harnesses:%=afl/%) libfuzzer/blob libfuzzer/shared
engines := $(shell command -v afl-fuzz >/dev/null && echo afl) \
	$(shell command -v clang >/dev/null && echo libfuzzer fast)
runs := $(filter $(engines:%=%/%),$(R))
fuzzers := $(foreach r,$(runs),$(B)/$(dir $(r))fuzz_$(notdir $(r))) \
	$(if $(filter afl/%,$(runs)),$(B)/afl/mutator.so) \
	$(if $(long),$(patsubst afl/%,$(B)/cmplog/fuzz_%,$(filter afl/%,$(runs))))

.PHONY: fuzz fuzz-day fuzz-cov fuzz-min fuzz-pack
fuzz: $(dtbs) $(inputs) $(fuzzers) ## trust: fuzz all harnesses for T=300 seconds in total
	@BLOBS="$(blobs)" fuzz/run.sh $(seconds) $(B) $(R)

# A campaign: what one run finds is where the next one starts. KEEP: its folder, better outside build/.
KEEP ?= $(B)/campaign
fuzz-day: ##- trust: fuzz for a day on all CPUs, from where the last day ended, and record it
	@CPUS=$${CPUS:-$$(nproc)} KEEP=$(KEEP) RECORD=fuzz/record.txt $(MAKE) fuzz \
		T=$(if $(filter command%,$(origin T)),$(T),86400) R="$(R) $(harnesses:%=fast/%)"

fuzz-cov: $(dtbs) $(inputs) $(reach.harnesses) ##- trust: measure how much of the headers the corpora cover
	@BLOBS="$(blobs)" fuzz/cov.sh $(B)/reach $(harnesses)

fuzz-min: $(inputs) $(harnesses:%=$(B)/afl/fuzz_%) ##- trust: remove inputs that add no coverage
	@fuzz/min.sh $(B) $(harnesses)
	@fuzz/pack.sh $(B)/inputs $(harnesses)

fuzz-pack: $(inputs) ##- trust: pack the inputs in build/inputs into fuzz/corpus
	@fuzz/pack.sh $(B)/inputs $(harnesses)

.PHONY: check-steps
check-steps: $(dtbs) $(inputs) $(B)/implementation.c $(steps.harnesses) $(B)/unit/test_steps ##- trust: check that no input takes more than n log n steps, and that a slow call is noticed
	@scripts/run.sh "$(MAKE) fuzz-steps" $(B)/unit/test_steps "tests/check/slow.sh $(B)"

.PHONY: check-fuzz-service
check-fuzz-service: ##- trust: build the harnesses as ClusterFuzzLite and OSS-Fuzz do
	@tests/check/fuzz_service.sh
