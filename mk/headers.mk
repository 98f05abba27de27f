# SPDX-License-Identifier: BSD-2-Clause
#
# The product headers at the top are put together from src/: edit there, then "make headers".

products := pmumap pmumap_fdt pmumap_check pmumap_hw pmumap_server pmumap_imc pmumap_amu

.PHONY: headers check-headers check-parts
headers: ## change: put the product headers together from src/
	@mkdir -p $(B)
	@for h in $(products); do \
		scripts/amalgamate.py src/$$h.h >$(B)/$$h.h.new && \
		{ cmp -s $(B)/$$h.h.new $$h.h || cp $(B)/$$h.h.new $$h.h; } || exit 1; \
	done

check-headers: ##- change: they are what src/ says, and no part needs one that comes later
	@tests/check/amalgamate.sh $(products)

check-parts: ##- change: each part compiles alone, and is small
	@tests/check/parts.sh
