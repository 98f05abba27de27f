# SPDX-License-Identifier: BSD-2-Clause
#
# Mutants: whether the tests see it when the headers are wrong. mutants.py says how.
#
# The functions lie in a shared library, so that a mutant costs no new test program: of source
# mutants one function is compiled (-O2, as is the library), of assembly mutants none (of -O0, where
# each condition of the source is a jump). Programs end with their first failure. A third library is
# checked by AddressSanitizer.

M := $(B)/mutants
M.py := assurance/mutants/mutants.py
M.headers := $(products:%=%.h)
M.cc := gcc -std=c11 -w -fPIC -I.
# Without those that run for long, or with a limit that the unoptimised functions would pass.
M.tests := $(filter-out test_exhaust% test_steps,$(tests))
M.programs := $(M.tests:%=$(M)/%) $(harnesses:%=$(M)/fuzz_%)
M.jobs := $(or $(JOBS),$(shell nproc))
M.run = python3 $(M.py) --dir $(M) --jobs $(M.jobs) $(M.headers:%=--header %)

# Of all headers all functions, external.
$(M)/unit.c: $(M.headers) assurance/mutants/header.py $(M.py)
	$(Q)$(M.run) unit

$(M)/lib/libpmumap.so: M.flags := -O0 -g
$(M)/fast/libpmumap.so: M.flags := -O2
$(M)/cov/libpmumap.so: M.flags := -O0 --coverage
# Accesses are checked by calls, and no variable ends before its function: a check has no jump of
# its own.
$(M)/san/libpmumap.so: M.flags := -O0 -g -fsanitize=address \
	--param asan-instrumentation-with-call-threshold=0 \
	--param asan-use-after-return=0 -fno-sanitize-address-use-after-scope
$(M)/%/libpmumap.so: $(M)/unit.c
	$(Q)mkdir -p $(@D)
	$(Q)cd $(@D) && $(M.cc) $(M.flags) -I$(CURDIR) -shared -Wl,-soname,libpmumap.so \
		$(CURDIR)/$< -o libpmumap.so

M.compile = $(Q)$(M.cc) -Itests/support -O2 -DPMUMAP_EXTERN -D_GNU_SOURCE= \
	-include assurance/mutants/first.h -MMD -MP -c $< -o $@
$(M)/test_readme.o: $(B)/readme.h $(B)/firmware.h
$(M)/%.o: tests/unit/%.c assurance/mutants/first.h
	$(M.compile)
$(M)/%.o: tests/support/%.c assurance/mutants/first.h
	$(M.compile)
$(M)/%.o: assurance/fuzz/%.c assurance/mutants/first.h
	$(M.compile)
M.models := $(addprefix $(M)/,model.o imc_model.o amu_model.o sbi_model.o)
$(M.programs): %: %.o $(M.models)
$(filter $(M)/fuzz_%,$(M.programs)): $(M)/main.o
$(M.programs): $(M)/lib/libpmumap.so
	$(Q)gcc $(filter %.o,$^) -L$(M)/lib -lpmumap -lfdt -o $@

# Harnesses whose answers go into a digest, on inputs that they make themselves.
M.tellers := $(harnesses:%=$(M)/tell_%)
$(M)/tell/%.o: assurance/fuzz/%.c assurance/mutants/tell.h assurance/mutants/first.h
	$(Q)mkdir -p $(@D)
	$(M.compile) -include assurance/mutants/tell.h
$(M)/tell/tell.o: assurance/mutants/tell.c assurance/mutants/first.h
	$(Q)mkdir -p $(@D)
	$(M.compile)
$(M.tellers): $(M)/tell_%: $(M)/tell/fuzz_%.o $(M)/tell/tell.o $(M.models) $(M)/lib/libpmumap.so
	$(Q)gcc $(filter %.o,$^) -L$(M)/lib -lpmumap -lfdt -o $@

# The commands that judge a mutant, what each of them reaches, and the time that it takes. Their
# inputs are copied, as a run must not see them change.
$(M)/commands: $(M.programs) $(dtbs) $(wildcard assurance/fuzz/corpus/*/*) mk/mutants.mk
	$(Q)rm -rf $(M)/inputs && mkdir -p $(M)/inputs/blobs
	$(Q)cp -R assurance/fuzz/corpus/* $(M)/inputs
	$(Q)for d in $(blobs); do cp -R $$d $(M)/inputs/blobs/$$(basename $$d); done
	$(Q){ printf '%s\n' $(M.tests:%=$(M)/%); \
		for h in $(harnesses); do \
			case $$h in \
			blob|emit) echo $(M)/fuzz_$$h $(M)/inputs/$$h $(M)/inputs/blobs/*;; \
			*) echo $(M)/fuzz_$$h $(M)/inputs/$$h;; \
			esac; \
		done; } >$@
$(M)/tests.json: $(M)/commands $(M)/fast/libpmumap.so $(M)/cov/libpmumap.so $(M)/san/libpmumap.so
	$(Q)$(M.run) measure

# SAMPLE: as many of each kind, instead of all, without those that have a reason; SLOW: a screen,
# without the sanitizer and without commands that take longer than so many seconds; FRESH=1: forget
# what earlier runs have found.
M.options = $(SAMPLE:%=--sample %) $(SLOW:%=--slow %) $(if $(FRESH),--fresh)

.PHONY: mutants mutants-source mutants-asm mutants-tell check-reasons check-mutants
mutants: $(M)/tests.json ## trust: how many mutants of the headers the tests kill
	@$(M.run) $(M.options) source asm

mutants-source: $(M)/tests.json ##- trust: of those with a token changed
	@$(M.run) $(M.options) source

mutants-asm: $(M)/tests.json ##- trust: of those with a branch changed
	@$(M.run) $(M.options) asm

# SAMPLE of those that are equivalent, SECONDS each; 600 to believe it.
mutants-tell: $(M)/tests.json $(M.tellers) ##- trust: no random input tells 40 of the equivalent ones
	@python3 assurance/mutants/tell.py --dir $(M) $(M.headers:%=--header %) \
		--sample $(or $(SAMPLE),40) --seconds $(or $(SECONDS),5)

check-reasons: $(M)/lib/libpmumap.so ##- trust: each reason names one mutant
	@$(M.run) reasons

check-mutants: ##- trust: that tool itself
	@assurance/mutants/mutants_check.sh
