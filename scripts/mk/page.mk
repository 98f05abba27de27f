# SPDX-License-Identifier: BSD-2-Clause
#
# The web page: the tool compiled to WebAssembly, in one HTML file without external resources.

DEPS_PAGE := clang lld wasi-libc libclang-rt-dev-wasm32 binaryen zopfli python3
DEPS_PAGE_CHECK := chromium chromium-driver nodejs

page := $(B)/page
wasi := clang --target=wasm32-wasi -Oz -flto -DPMUMAP_TOOL_NO_HELP
# Parts that start programs or limit the process are left out, or replaced in stubs.c.
left_out := source/dts source/lines source/checkout findings/straight \
	findings/explain_code findings/shown \
	fix/fix rom/rom_amu text/limits write/write help complete source/groups source/programs source/included
wasm := $(patsubst tool/%.c,$(page)/%.o,$(filter-out $(left_out:%=tool/%.c), \
	$(wildcard tool/*.c tool/*/*.c))) \
	$(page)/stubs.o $(libfdt:%=$(page)/fdt/%.o) $(jansson_parts:%=$(page)/jansson/%.o)
samples := "SOPHGO SG2044 (RISC-V)=$(B)/boards/sophgo-sg2044.dtb" \
	"Arm TC2 (AMU)=$(B)/boards/amu-tc2.dtb"

.PHONY: page deps-page check-page
page: $(page)/pmumap.html ## use: build the tool as a single-file web page, build/page/pmumap.html
	@wc -c <$< | sed 's|.*|$<: & bytes|'

deps-page: ##- use: install the Debian packages that page needs
	@scripts/install.sh $(DEPS) $(DEPS_PAGE)

# Report missing programs before building anything.
$(page)/ready:
	@for part in wasm-ld wasm-opt zopfli python3 dtc; do \
		command -v $$part >/dev/null || \
			{ echo "page: there is no $$part: make deps-page"; exit 1; }; \
	done
	@echo '#include <stdio.h>' | $(wasi) -E -x c - >/dev/null 2>&1 || \
		{ echo "page: there is no C library for WASI: make deps-page"; exit 1; }
	@mkdir -p $(@D) && touch $@

# No --strip-all: it removes the list of target features, which wasm-opt needs.
$(page)/linked.wasm: $(wasm)
	@echo "  LD $@"
	$(Q)clang --target=wasm32-wasi -flto \
		-Wl,--strip-debug,-z,stack-size=262144,--stack-first,--max-memory=268435456 $^ -o $@
$(page)/pmumap.wasm: $(page)/linked.wasm
	@echo "  OPT $@"
	$(Q)wasm-opt -Oz --flatten --rereloop -Oz -Oz --converge \
		--strip-producers --strip-target-features $< -o $@
$(page)/stubs.o: packaging/page/stubs.c scripts/mk/page.mk | $(page)/ready
	$(Q)mkdir -p $(@D) && $(wasi) -std=c11 $(WARNINGS) -I. -Itool -MMD -MP -c $< -o $@
$(page)/fdt/%.o: $(B)/libfdt-src/%.c scripts/mk/page.mk | $(page)/ready
	$(Q)mkdir -p $(@D) && $(wasi) -D_GNU_SOURCE -w -c $< -o $@
# The tool has a json_string(), too.
$(page)/jansson/%.o: $(B)/jansson-src/%.c scripts/mk/page.mk | $(page)/ready
	$(Q)mkdir -p $(@D) && $(wasi) -DHAVE_STDINT_H -Djson_string=jansson_string -I$(<D) -w -c $< -o $@
$(page)/source/events_json.o: defines = -DPMUMAP_TOOL_JANSSON -isystem $(B)/jansson-src
$(page)/source/events_json.o: $(B)/jansson-src/jansson_config.h
$(page)/%.o: tool/%.c scripts/mk/page.mk $(B)/libfdt-src/libfdt.h | $(page)/ready
	@echo "  CC $< (WebAssembly)"
	$(Q)mkdir -p $(@D) && $(wasi) -std=c11 $(WARNINGS) -I. -Itool -isystem $(B)/libfdt-src $(defines) \
		-MMD -MP -c $< -o $@
$(page)/pmumap.deflate: $(page)/pmumap.wasm
	@echo "  ZIP $@"
	$(Q)zopfli --deflate --i30 $< && mv $<.deflate $@
$(page)/pmumap.html: $(page)/pmumap.deflate $(wildcard packaging/page/*) \
		$(addprefix $(B)/boards/,sophgo-sg2044.dtb amu-tc2.dtb) doc/boards.md
	$(Q)packaging/page/build.py "$(version)" $< $@ $(samples)
-include $(wildcard $(page)/*.d $(page)/*/*.d)

# Prints SKIP without Chromium or node.
check-page: $(page)/pmumap.html $(B)/pmumap $(dtbs) ##- trust: compare the page in Chromium with the tool
	@scripts/run.sh "tests/check/page.py $< $(B)/pmumap $(B)/boards $(B)/trees" \
		"command -v node >/dev/null && exec node tests/check/page.mjs packaging/page $(page)/linked.wasm \
			$(B)/pmumap; echo 'SKIP the scripts alone (nodejs is not installed)'; echo 0 passed, 0 failed"
