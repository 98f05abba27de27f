# SPDX-License-Identifier: BSD-2-Clause
#
# The product headers at the top are put together from src/: edit there, then "make headers".

products := pmumap pmumap_fdt

.PHONY: headers check-headers check-parts
headers: ## put the product headers together from src/
	@for h in $(products); do \
		scripts/amalgamate.sh src/$$h.h >$(B)/$$h.h.new && \
		{ cmp -s $(B)/$$h.h.new $$h.h || cp $(B)/$$h.h.new $$h.h; } || exit 1; \
	done

check-headers: ## they are what src/ says, and no part needs one that comes later
	@tests/amalgamate.sh $(products)

check-parts: ## each part compiles alone, and is small
	@tests/parts.sh

checks += check-headers check-parts
