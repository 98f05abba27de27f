# SPDX-License-Identifier: BSD-2-Clause
#
# The product headers at the top are put together from src/: edit there, then "make headers".

products := $(shell scripts/products.sh)

.PHONY: headers check-headers check-parts
headers: ## change: put the product headers together from src/
	@mkdir -p $(B)
	@for h in $(products); do \
		scripts/amalgamate.py src/$$h.h >$(B)/$$h.h.new && \
		{ cmp -s $(B)/$$h.h.new $$h.h || cp $(B)/$$h.h.new $$h.h; } || exit 1; \
	done
	@{ grep -v '^#include' tests/support/implementation.c && \
		printf '#include "%s.h"\n' $(sort $(products)); } >$(B)/implementation.c.new && \
	{ cmp -s $(B)/implementation.c.new tests/support/implementation.c || \
		cp $(B)/implementation.c.new tests/support/implementation.c; }

check-headers: ##- change: they are what src/ says, and no part needs one that comes later
	@tests/check/amalgamate.sh $(products)

check-parts: ##- change: each part compiles alone, and is small
	@tests/check/parts.sh
