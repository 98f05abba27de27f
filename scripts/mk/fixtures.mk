# SPDX-License-Identifier: BSD-2-Clause
#
# Test inputs: compiled device trees, and libfdt's source for targets without a libfdt package.

# Extra trees that may not be published. If they are missing, tests run without them.
corpus := ../shared/corpus
dtbs := $(patsubst tests/trees/%.dts,$(B)/%.dtb,$(wildcard tests/trees/boards/*.dts)) \
	$(patsubst tests/%.dts,$(B)/%.dtb,$(wildcard tests/trees/*.dts)) \
	$(patsubst $(corpus)/riscv/%.dts,$(B)/corpus/%.dtb,$(wildcard $(corpus)/riscv/*.dts)) \
	$(patsubst $(corpus)/imc/%.dts,$(B)/corpus-imc/%.dtb,$(wildcard $(corpus)/imc/*.dts)) \
	$(addprefix $(B)/corpus-amu/,$(patsubst %.dts,%.dtb,$(notdir \
		$(wildcard $(corpus)/amu/*.dts $(corpus)/amu/edge/*.dts))))

# Folders of blobs. fuzz_blob and fuzz_emit read each file in them.
blobs := $(patsubst %/,%,$(sort $(dir $(dtbs)))) $(wildcard $(corpus)/hostile)

# One tree for each mistake in table.txt, named by its line. A change rebuilds all, so none is
# stale.
mistakes := $(patsubst %,$(B)/mistakes/%.dtb,\
	$(shell awk '/^[a-z][^ :]* [0-9]/ { print NR }' tests/trees/table.txt))
dtbs += $(mistakes)
$(mistakes): $(B)/mistakes/made ;
$(B)/mistakes/made: tests/trees/table.txt $(wildcard tests/trees/boards/*.dts) | $(B)/ready
	$(Q)rm -rf $(@D) && mkdir -p $(@D)
	$(Q)awk '/^[a-z][^ :]* [0-9]/ { sub(/: .*/, ""); print NR, $$0 }' $< | \
		while read -r line board change; do \
			sed -E "$$change" "tests/trees/$$board.dts" | \
				dtc -q -I dts -O dtb -o "$(@D)/$$line.dtb" || exit; \
		done
	$(Q)touch $@

# Their names, for the tests. Bare machines cannot read a folder.
$(B)/fixtures: named := $(sort $(dtbs) $(wildcard $(corpus)/hostile/*.dtb))
$(B)/fixtures: FORCE
	$(call flags,$(named))
dtbs += $(B)/fixtures

.PHONY: fixtures
fixtures: $(dtbs) ## change: compile the device trees that the tests read

dtc = $(Q)mkdir -p $(@D) && dtc -q -I dts -O dtb -o $@ $<
$(B)/boards/%.dtb: tests/trees/boards/%.dts | $(B)/ready
	$(dtc)
$(B)/trees/%.dtb: tests/trees/%.dts | $(B)/ready
	$(dtc)
$(B)/corpus/%.dtb: $(corpus)/riscv/%.dts
	$(dtc)
$(B)/corpus-imc/%.dtb: $(corpus)/imc/%.dts
	$(dtc)
$(B)/corpus-amu/%.dtb: $(corpus)/amu/%.dts
	$(dtc)
$(B)/corpus-amu/%.dtb: $(corpus)/amu/edge/%.dts
	$(dtc)

# Debian trixie's libfdt, from source, for targets without a libfdt package.
libfdt := fdt fdt_ro fdt_wip fdt_sw fdt_rw fdt_strerror fdt_empty_tree fdt_addresses fdt_overlay \
	fdt_check
$(B)/libfdt-src/libfdt.h: | $(B)/ready
	$(Q)scripts/fetch.sh source device-tree-compiler $(B)/dtc-src
	$(Q)ln -sfn dtc-src/libfdt $(B)/libfdt-src
$(B)/libfdt-src/%.c: $(B)/libfdt-src/libfdt.h ;

# The same for jansson, without what only writes.
jansson_parts := error hashtable load memory strbuffer strconv utf value
$(B)/jansson-src/jansson_config.h: | $(B)/ready
	$(Q)scripts/fetch.sh source jansson $(B)/jansson-src src
	$(Q)echo '#define INITIAL_HASHTABLE_ORDER 3' >$(@D)/jansson_private_config.h
	$(Q)sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_[a-z_]*@/0/' $@.in >$@
$(B)/jansson-src/%.c: $(B)/jansson-src/jansson_config.h ;
