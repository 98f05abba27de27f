# SPDX-License-Identifier: BSD-2-Clause
#
# The product headers in the top folder are generated: edit src/, then run "make headers".

products := $(shell scripts/products.sh)

.PHONY: headers host-header check-headers check-parts
headers: ## change: generate the product headers from src/
	@mkdir -p $(B)
	@for h in $(products); do \
		scripts/amalgamate.py src/$$h.h >$(B)/$$h.h.new && \
		{ cmp -s $(B)/$$h.h.new $$h.h || cp $(B)/$$h.h.new $$h.h; } || exit 1; \
	done

host-header: ## use: print a header with as much as a program uses, e.g. USES="pmumap_counters main.c"
	@scripts/host-header.py $(USES)

check-headers: ##- change: check that the headers match src/ and that no part needs a later one
	@tests/check/amalgamate.sh $(products)

check-parts: ##- change: compile each part alone, and check its size
	@tests/check/parts.sh
