# SPDX-License-Identifier: BSD-2-Clause
#
# Mutation testing: do the tests notice a wrong header? mutants.py explains it.
#
# The functions are in a shared library, so a mutant needs no new test program. A source mutant
# recompiles one function (-O2, like the library). An assembly mutant compiles nothing; it uses -O0,
# where each condition is one jump. Programs stop at their first failure. A third library runs under
# AddressSanitizer.

M := $(B)/mutants
M.py := tests/mutants/mutants.py
M.headers := $(products:%=%.h)
M.cc := gcc -std=c11 -w -fPIC -I.
# Leave out long tests, those with a limit that unoptimised functions exceed, and those that do not
# call the library.
M.tests := $(filter-out test_exhaust test_steps test_native%,$(tests))
M.programs := $(M.tests:%=$(M)/%) $(harnesses:%=$(M)/fuzz_%)
M.jobs := $(or $(JOBS),$(shell nproc))
M.run = python3 $(M.py) --dir $(M) --jobs $(M.jobs) $(M.headers:%=--header %)

# All functions of all headers, with external linkage.
$(M)/unit.c: $(M.headers) tests/mutants/header.py $(M.py)
	$(Q)$(M.run) unit

$(M)/lib/libpmumap.so: M.flags := -O0 -g
$(M)/fast/libpmumap.so: M.flags := -O2
$(M)/cov/libpmumap.so: M.flags := -O0 --coverage
# Checks are calls, and no variable ends before its function does: so a check adds no jump that
# would count as a mutant.
$(M)/san/libpmumap.so: M.flags := -O0 -g -fsanitize=address \
	--param asan-instrumentation-with-call-threshold=0 \
	--param asan-use-after-return=0 -fno-sanitize-address-use-after-scope
$(M)/%/libpmumap.so: $(M)/unit.c
	$(Q)mkdir -p $(@D)
	$(Q)cd $(@D) && $(M.cc) $(M.flags) -I$(CURDIR) -shared -Wl,-soname,libpmumap.so \
		$(CURDIR)/$< -o libpmumap.so

M.compile = $(Q)$(M.cc) -Itests/support -O2 -DPMUMAP_EXTERN -D_GNU_SOURCE= \
	-include tests/mutants/first.h -MMD -MP -c $< -o $@
$(M)/test_readme.o: $(B)/readme.h $(B)/firmware.h
$(M)/%.o: tests/unit/%.c tests/mutants/first.h
	$(M.compile)
$(M)/%.o: tests/support/%.c tests/mutants/first.h
	$(M.compile)
$(M)/%.o: fuzz/%.c tests/mutants/first.h
	$(M.compile)
M.models := $(addprefix $(M)/,model.o imc_model.o amu_model.o sbi_model.o)
$(M.programs): %: %.o $(M.models)
$(filter $(M)/fuzz_%,$(M.programs)): $(M)/main.o
$(M.programs): $(M)/lib/libpmumap.so
	$(Q)gcc $(filter %.o,$^) -L$(M)/lib -lpmumap -lfdt -o $@

# Harnesses that make their own inputs and hash all answers into a digest.
M.tellers := $(harnesses:%=$(M)/tell_%)
$(M)/tell/%.o: fuzz/%.c tests/mutants/tell.h tests/mutants/first.h
	$(Q)mkdir -p $(@D)
	$(M.compile) -include tests/mutants/tell.h
$(M)/tell/tell.o: tests/mutants/tell.c tests/mutants/first.h
	$(Q)mkdir -p $(@D)
	$(M.compile)
$(M.tellers): $(M)/tell_%: $(M)/tell/fuzz_%.o $(M)/tell/tell.o $(M.models) $(M)/lib/libpmumap.so
	$(Q)gcc $(filter %.o,$^) -L$(M)/lib -lpmumap -lfdt -o $@

# The commands that judge a mutant, with their coverage and run time. Inputs are copied so that they
# cannot change during a run.
$(M)/commands: $(M.programs) $(dtbs) $(inputs) scripts/mk/mutants.mk
	$(Q)rm -rf $(M)/inputs && mkdir -p $(M)/inputs/blobs
	$(Q)cp -R $(inputs) $(M)/inputs
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

# SAMPLE=N: only N of each kind, from those without a reason. ONLY='A|B': those functions. SLOW=N: a
# quick screen without the sanitizer and without commands over N seconds. FRESH=1: ignore earlier
# results.
M.options = $(SAMPLE:%=--sample %) $(if $(ONLY),--only '$(ONLY)') $(SLOW:%=--slow %) $(if $(FRESH),--fresh)

.PHONY: mutants mutants-source mutants-asm mutants-tell check-reasons check-mutants
mutants: $(M)/tests.json ## trust: count how many mutants of the headers the tests kill
	@$(M.run) $(M.options) source asm

mutants-source: $(M)/tests.json ##- trust: only mutants that change a token
	@$(M.run) $(M.options) source

mutants-asm: $(M)/tests.json ##- trust: only mutants that change a branch
	@$(M.run) $(M.options) asm

# SAMPLE mutants listed as equivalent, SECONDS each. Use 600 seconds for real evidence.
mutants-tell: $(M)/tests.json $(M.tellers) ##- trust: run random inputs on 40 mutants listed as equivalent
	@python3 tests/mutants/tell.py --dir $(M) $(M.headers:%=--header %) \
		--sample $(or $(SAMPLE),40) --seconds $(or $(SECONDS),5)

check-reasons: $(M)/lib/libpmumap.so ##- trust: check that each reason names one mutant
	@$(M.run) reasons

check-mutants: ##- trust: test the mutation tool
	@tests/mutants/mutants_check.sh
