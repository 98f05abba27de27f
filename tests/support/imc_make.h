/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Builds IMC trees.
 */
#ifndef IMC_MAKE_H
#define IMC_MAKE_H

#include "make.h"

static inline void root(const char *name)
{
	begin(name);
	text("compatible", "ibm,opal-in-memory-counters");
}

static inline void event(const char *name, uint32_t reg)
{
	begin("event");
	text("event-name", name);
	cell("reg", reg);
	end();
}

static inline void unit(const char *name, const char *prefix, uint32_t type, uint32_t reg,
			uint32_t list)
{
	begin(name);
	text("compatible", "ibm,imc-counters");
	text("events-prefix", prefix);
	cell("type", type);
	cell("reg", reg);
	cell("events", list);
}

static inline void list(uint32_t phandle)
{
	begin("list");
	cell("phandle", phandle);
}

#endif /* IMC_MAKE_H */
