# SPDX-License-Identifier: BSD-2-Clause
#
# Builds, installs and checks the command line tool; installs the headers.

PREFIX ?= /usr/local

.PHONY: tool demo
tool: $(B)/pmumap ## use: build the command line tool, build/pmumap

demo: ## use: build the tool and show the map of its sample board
	+@$(MAKE) $(at_once) $(B)/pmumap
	@$(B)/pmumap show
	@printf '\nNext, find mistakes in a tree: build/pmumap check tests/trees/boards/sophgo-sg2044.dts\n'

# liblzma, if installed, lets the tool unpack catalogs.
lzma = $(shell $(CC) -E -include lzma.h -x c /dev/null >/dev/null 2>&1 && \
	echo -DPMUMAP_TOOL_LZMA -llzma)
# jansson, if installed, lets the tool read perf's event files.
jansson = $(shell $(CC) -E -include jansson.h -x c /dev/null >/dev/null 2>&1 && \
	echo -DPMUMAP_TOOL_JANSSON -ljansson)


command := $(patsubst tool/%.c,$(B)/command/%.o,$(sort $(wildcard tool/*.c tool/*/*.c)))
$(B)/pmumap.libs: FORCE
	$(call flags,$(command) $(lzma) $(jansson) $(PAGES))
$(B)/command/source/container.o: defines = $(filter -D%,$(lzma))
with_jansson := $(B)/command/source/events_json.o $(B)/command/write/write_json.o
$(with_jansson): defines = $(filter -D%,$(jansson))
$(B)/command/findings/sarif.o $(B)/command/source/container.o $(with_jansson): $(B)/pmumap.libs
# Where SARIF links to: an address with findings.md and tool.md.
PAGES ?= file://$(PREFIX)/share/doc/pmumap
$(B)/command/findings/sarif.o: defines = '-DPMUMAP_PAGES="$(PAGES)"'
$(command): $(B)/command/%.o: tool/%.c $(B)/flags | $(B)/ready
	@echo "  CC $<"
	$(Q)mkdir -p $(@D) && \
		$(CC) -std=c11 $(WARNINGS) $(CFLAGS) $(defines) -I. -Itool -MMD -MP -c $< -o $@
$(B)/pmumap: $(command) $(B)/pmumap.libs
	$(Q)$(CC) $(CFLAGS) $(command) $(filter -l%,$(lzma) $(jansson)) -lfdt -o $@
-include $(command:.o=.d)

# ---- installing

bindir ?= $(PREFIX)/bin
mandir ?= $(PREFIX)/share/man
completiondir ?= $(PREFIX)/share/bash-completion/completions
zshdir ?= $(PREFIX)/share/zsh/site-functions
fishdir ?= $(PREFIX)/share/fish/vendor_completions.d
INSTALL ?= install

version = $(shell scripts/version.sh)

.PHONY: install install-headers uninstall check-install check-floors check-trees
install: $(B)/pmumap $(B)/pmumap.1 install-headers ## use: install tool, manual and headers below PREFIX=/usr/local, DESTDIR=
	$(Q)$(INSTALL) -d "$(DESTDIR)$(bindir)" "$(DESTDIR)$(mandir)/man1" "$(DESTDIR)$(completiondir)" \
		"$(DESTDIR)$(zshdir)" "$(DESTDIR)$(fishdir)"
	$(Q)$(INSTALL) -m 755 $(B)/pmumap "$(DESTDIR)$(bindir)/pmumap"
	$(Q)$(INSTALL) -m 644 $(B)/pmumap.1 "$(DESTDIR)$(mandir)/man1/pmumap.1"
	$(Q)$(INSTALL) -d "$(share)/doc/pmumap" "$(share)/pmumap"
	$(Q)$(INSTALL) -m 644 doc/findings.md doc/tool.md "$(share)/doc/pmumap"
	$(Q)$(INSTALL) -m 644 tool/pmumap.schema.json "$(share)/pmumap"
	$(Q)$(INSTALL) -m 644 tool/pmumap.bash "$(DESTDIR)$(completiondir)/pmumap"
	$(Q)$(INSTALL) -m 644 tool/pmumap.zsh "$(DESTDIR)$(zshdir)/_pmumap"
	$(Q)$(INSTALL) -m 644 tool/pmumap.fish "$(DESTDIR)$(fishdir)/pmumap.fish"

# Verbs and options come from --help; a tool for another machine cannot print them.
$(B)/pmumap.1: tool/pmumap.1 $(B)/pmumap scripts/pages/synopsis.sh
	$(Q)PATH="$(abspath $(B)):$$PATH" scripts/pages/synopsis.sh >$(B)/synopsis || \
		{ echo "the manual lacks verbs and options: the tool does not run here"; : >$(B)/synopsis; }
	$(Q)sed '/synopsis begin$$/r $(B)/synopsis' $< >$@

# The headers need no build and no library.
share := $(DESTDIR)$(PREFIX)/share
install-headers:
	$(Q)$(INSTALL) -d "$(DESTDIR)$(PREFIX)/include" "$(share)/pkgconfig" "$(share)/cmake/pmumap"
	$(Q)$(INSTALL) -m 644 $(products:%=%.h) "$(DESTDIR)$(PREFIX)/include"
	$(Q)$(INSTALL) -m 644 packaging/pmumap-config.cmake "$(share)/cmake/pmumap"
	$(Q)sed 's/@VERSION@/$(version)/' packaging/pmumap.pc.in >"$(share)/pkgconfig/pmumap.pc"
	$(Q)sed 's/@VERSION@/$(version)/' packaging/pmumap-config-version.cmake.in \
		>"$(share)/cmake/pmumap/pmumap-config-version.cmake"

uninstall: ## use: remove the installed files
	$(Q)rm -rf "$(share)/cmake/pmumap" "$(share)/doc/pmumap" "$(share)/pmumap"
	$(Q)rm -f $(products:%="$(DESTDIR)$(PREFIX)/include/%.h") \
		"$(share)/pkgconfig/pmumap.pc" "$(DESTDIR)$(bindir)/pmumap" \
		"$(DESTDIR)$(mandir)/man1/pmumap.1" "$(DESTDIR)$(completiondir)/pmumap" \
		"$(DESTDIR)$(zshdir)/_pmumap" "$(DESTDIR)$(fishdir)/pmumap.fish"

check-install: $(B)/pmumap ##- change: install into an empty folder and use the result
	@tests/check/install-check.sh

check-floors: $(B)/pmumap ##- change: check that no folder of the tool includes or calls a higher one
	@tests/check/floors.sh

check-trees: $(B)/pmumap $(dtbs) ## trust: compare the findings of each test tree with tests/trees/table.txt
	@if command -v python3 >/dev/null; then tests/check/trees.py $<; else \
		echo "SKIP check-trees: python3 is not installed"; fi

.PHONY: check-rom check-picture check-write check-linter check-untrusted check-worst
check-rom: $(B)/pmumap $(dtbs) ##- trust: compare maps in ROM with built ones, on each installed target
	@tests/check/rom.sh

check-picture: $(B)/pmumap $(dtbs) ##- change: check that pictures are well-formed and show every cell of their maps
	@tests/check/picture.sh

check-write: $(B)/pmumap $(dtbs) ##- change: check that nodes written by the tool match their tables
	@tests/check/write.sh

check-linter: $(B)/pmumap ##- change: run the pre-commit hook and the GitHub action
	@tests/check/linter.sh

.PHONY: check-attacks
check-attacks: $(B)/pmumap ##- change: run the tool on files of an attacker, which also attack cpp and dtc
	@if command -v python3 >/dev/null; then tests/check/attacks.py $<; else \
		echo "SKIP check-attacks: python3 is not installed"; fi

check-untrusted: $(B)/pmumap ##- change: run the tool on malicious input
	@if command -v python3 >/dev/null; then \
		tests/check/untrusted.py $< terminal order sources programs catalogs; else \
		echo "SKIP check-untrusted: python3 is not installed"; fi

check-worst: $(B)/pmumap ##- trust: run the tool on trees that take the most time and memory
	@tests/check/untrusted.py $< worst

checks += check-floors
