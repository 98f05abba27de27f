# SPDX-License-Identifier: BSD-2-Clause
#
# What installs the headers and the tool, and what checks the tool besides.

PREFIX ?= /usr/local
includedir ?= $(PREFIX)/include
bindir ?= $(PREFIX)/bin
mandir ?= $(PREFIX)/share/man
completiondir ?= $(PREFIX)/share/bash-completion/completions
pkgconfigdir ?= $(PREFIX)/share/pkgconfig
INSTALL ?= install

version = $(shell sed -nE 's/^\#define PMUMAP_VERSION_(MAJOR|MINOR|PATCH) //p' pmumap.h | paste -sd.)

.PHONY: install install-headers uninstall check-install check-museum
install: $(B)/pmumap install-headers ## install tool, manual and headers below PREFIX=/usr/local, DESTDIR=
	$(Q)$(INSTALL) -d "$(DESTDIR)$(bindir)" "$(DESTDIR)$(mandir)/man1" "$(DESTDIR)$(completiondir)"
	$(Q)$(INSTALL) -m 755 $(B)/pmumap "$(DESTDIR)$(bindir)/pmumap"
	$(Q)$(INSTALL) -m 644 tool/pmumap.1 "$(DESTDIR)$(mandir)/man1/pmumap.1"
	$(Q)$(INSTALL) -m 644 tool/pmumap.bash "$(DESTDIR)$(completiondir)/pmumap"

# The headers need no build and no library.
install-headers:
	$(Q)$(INSTALL) -d "$(DESTDIR)$(includedir)" "$(DESTDIR)$(pkgconfigdir)"
	$(Q)$(INSTALL) -m 644 pmumap.h pmumap_fdt.h "$(DESTDIR)$(includedir)"
	$(Q)printf '%s\n' 'prefix=$(PREFIX)' \
		'includedir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(includedir))' '' 'Name: pmumap' \
		'Description: What a PMU can count, where, and by which selector' \
		'Version: $(version)' 'Cflags: -I$${includedir}' \
		>"$(DESTDIR)$(pkgconfigdir)/pmumap.pc"

uninstall: ## remove what install has put there
	$(Q)rm -f "$(DESTDIR)$(includedir)/pmumap.h" "$(DESTDIR)$(includedir)/pmumap_fdt.h" \
		"$(DESTDIR)$(pkgconfigdir)/pmumap.pc" "$(DESTDIR)$(bindir)/pmumap" \
		"$(DESTDIR)$(mandir)/man1/pmumap.1" "$(DESTDIR)$(completiondir)/pmumap"

check-install: $(B)/pmumap ## install into an empty place, and use what is there
	@tests/install-check.sh

check-museum: $(B)/pmumap $(dtbs) ## what shipped or was posted is caught, and good boards are good
	@tests/museum.sh

.PHONY: check-rom check-picture
check-rom: $(B)/pmumap $(dtbs) ## maps in ROM answer as built ones, on each target that is here
	@tests/rom.sh

check-picture: $(B)/pmumap $(dtbs) ## pictures are well-formed, and have the cells of their maps
	@tests/picture.sh

checks += check-install check-museum check-rom check-picture
