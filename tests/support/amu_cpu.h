/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Model of a CPU's activity monitors: their registers as the architecture defines them. Undefined
 * and unpredictable accesses are reported apart from valid ones.
 */
#ifndef AMU_CPU_H
#define AMU_CPU_H

#include <stdint.h>
#include <string.h>

#ifndef AMU_CPU_AARCH32
#define AMU_CPU_AARCH32 0 /* AMCG1IDR is absent */
#endif

enum {
	AMU_CPU_GROUPS = 2,
	AMU_CPU_COUNTERS = 16,
	AMU_CPU_STEP = 3, /* what a running counter counts from one access to the next */
	AMU_CPU_LOG = 8
};

struct amu_cpu {
	/* constant */
	uint32_t version, ncg; /* AMU field of the ID register, NCG field of AMCFGR */
	uint32_t cg0nc, cg1nc; /* of AMCGCR */
	uint32_t offsets;      /* upper half of AMCG1IDR */
	uint16_t there[AMU_CPU_GROUPS];
	uint16_t fixed;       /* auxiliary counters with a fixed event */
	uint32_t el, highest; /* exception level: current, highest */
	/* registers other than counters */
	uint64_t amcr, amuserenr, cptr_el2, cptr_el3, hafgrtr_el2;
	/* state */
	uint16_t on[AMU_CPU_GROUPS];
	uint64_t offset[AMU_CPU_GROUPS][AMU_CPU_COUNTERS];
	uint64_t count[AMU_CPU_GROUPS][AMU_CPU_COUNTERS];
	uint16_t event[AMU_CPU_GROUPS][AMU_CPU_COUNTERS];
	/* log since amu_cpu_forget() */
	uint32_t undefined; /* accesses that trap or are unpredictable */
	uint32_t foreign;   /* bits written for missing counters */
	uint32_t accesses, writes;
	uint32_t log[AMU_CPU_LOG]; /* the first registers */
	uint16_t started[AMU_CPU_GROUPS], stopped[AMU_CPU_GROUPS];
};

static inline void amu_cpu_forget(struct amu_cpu *c)
{
	c->undefined = c->foreign = c->accesses = c->writes = 0;
	memset(c->log, 0xff, sizeof(c->log));
	memset(c->started, 0, sizeof(c->started));
	memset(c->stopped, 0, sizeof(c->stopped));
}

/*
 * A CPU with these auxiliary counters. Before FEAT_AMUv1p1 (2) there can be no gaps between them.
 */
static inline void amu_cpu_init(struct amu_cpu *c, uint32_t version, uint32_t ncg, uint16_t aux)
{
	static const uint16_t fixed[] = { 0x0011, 0x4004, 0x0008, 0x4005 };
	uint32_t i;

	memset(c, 0, sizeof(*c));
	c->version = version;
	c->ncg = ncg;
	c->cg0nc = 4;
	c->el = c->highest = 3;
	c->fixed = 0xf0f0;
	c->there[0] = version ? 0xf : 0;
	c->there[1] = version && ncg ? aux : 0;
	while (c->there[1] >> c->cg1nc)
		c->cg1nc++;
	for (i = 0; i < AMU_CPU_COUNTERS; i++) {
		c->event[0][i] = i < 4 ? fixed[i] : 0;
		c->event[1][i] = (uint16_t)(0x300 + i);
		c->count[0][i] = 0x1111111122222222u * (i + 1);
		c->count[1][i] = 0xfedcba9800000000u + 0x0123456711111111u * i;
	}
	amu_cpu_forget(c);
}

/* ---- its registers --------------------------------------------------------------------------- */

enum amu_cpu_kind {
	AMU_NONE,
	AMU_ID,
	AMU_CFGR,
	AMU_CGCR,
	AMU_CG1IDR,
	AMU_ON,
	AMU_OFF,
	AMU_COUNT,
	AMU_EVENT,
	AMU_OFFSET,
	AMU_CONTROL,
	AMU_USER
};

struct amu_cpu_reg {
	enum amu_cpu_kind kind;
	uint32_t group, n;
};

/*
 * Decodes S3_3_C13_<CRm>_<op2>; for an offset, S3_4_C13_... Returns the register, present or not.
 */
static inline struct amu_cpu_reg amu_cpu_reg(uint32_t crm, uint32_t op2)
{
	static const enum amu_cpu_kind single[2][8] = {
		{ AMU_CONTROL, AMU_CFGR, AMU_CGCR, AMU_USER, AMU_OFF, AMU_ON, AMU_CG1IDR,
		  AMU_NONE },
		{ AMU_OFF, AMU_ON, AMU_NONE, AMU_NONE, AMU_NONE, AMU_NONE, AMU_NONE, AMU_NONE }
	};
	struct amu_cpu_reg r = { AMU_NONE, 0, 0 };

	if (crm > 15 || op2 > 7)
		return r;
	if (crm == 0 && op2 == 0)
		r.kind = AMU_ID;
	if (crm == 2 || crm == 3) {
		r.kind = single[crm - 2][op2];
		r.group = crm - 2;
	}
	if (crm >= 4 && crm <= 7 && (crm & 1) == 0 && op2 < 4) {
		r.kind = crm == 4 ? AMU_COUNT : AMU_EVENT;
		r.n = op2;
	}
	if (crm >= 8 && crm < 12) {
		r.kind = AMU_OFFSET;
		r.group = crm >= 10;
		r.n = (crm & 1) * 8 + op2;
	}
	if (crm >= 12) {
		r.kind = crm < 14 ? AMU_COUNT : AMU_EVENT;
		r.group = 1;
		r.n = (crm & 1) * 8 + op2;
	}
	return r;
}

/* Returns whether the CPU has this register. */
static inline int amu_cpu_has(const struct amu_cpu *c, struct amu_cpu_reg r)
{
	int newer = c->version >= 2 && !AMU_CPU_AARCH32;

	switch (r.kind) {
	case AMU_NONE:
		return 0;
	case AMU_ID:
		return 1;
	case AMU_OFFSET:
		return newer && ((r.group ? c->there[1] & c->offsets : 0xdu) >> r.n & 1);
	case AMU_CG1IDR:
		return newer;
	case AMU_COUNT:
	case AMU_EVENT:
		return c->there[r.group] >> r.n & 1;
	default:
		return c->version != 0 && (r.group == 0 || c->ncg != 0);
	}
}

/* Returns whether this exception level may read a register, by the architecture's pseudocode. */
static inline int amu_cpu_may_read(const struct amu_cpu *c, struct amu_cpu_reg r)
{
	int tam3 = c->highest == 3 && (c->cptr_el3 >> 30 & 1);
	int tam2 = c->highest >= 2 && (c->cptr_el2 >> 30 & 1);
	int fine = 0;

	if (r.kind == AMU_ID)
		return c->el > 0;
	if (r.kind == AMU_COUNT)
		fine = c->hafgrtr_el2 >> (r.group ? 18 + 2 * r.n : 1 + r.n) & 1;
	if (c->el >= 2)
		return c->el == 3 || !tam3;
	if (r.kind == AMU_OFFSET || (c->el == 0 && !(c->amuserenr & 1)))
		return 0;
	return !tam2 && !fine && !tam3;
}

static inline void amu_cpu_note(struct amu_cpu *c, uint32_t reg, int good)
{
	uint32_t g, n;

	if (c->accesses < AMU_CPU_LOG)
		c->log[c->accesses] = reg;
	c->accesses++;
	c->undefined += !good;
	for (g = 0; g < AMU_CPU_GROUPS; g++)
		for (n = 0; n < AMU_CPU_COUNTERS; n++)
			c->count[g][n] += c->on[g] >> n & 1 ? AMU_CPU_STEP : 0;
}

/* reg: CRm << 3 | op2 */
static inline uint64_t amu_cpu_read(void *cpu, uint32_t reg)
{
	struct amu_cpu *c = (struct amu_cpu *)cpu;
	struct amu_cpu_reg r = amu_cpu_reg(reg >> 3, reg & 7);
	int good = amu_cpu_has(c, r) && amu_cpu_may_read(c, r);
	uint32_t i, counters = 0;

	amu_cpu_note(c, reg, good);
	if (!good)
		return 0xbadbadbadbad;
	for (i = 0; i < AMU_CPU_COUNTERS; i++)
		counters += (c->there[0] >> i & 1) + (c->there[1] >> i & 1);
	switch (r.kind) {
	case AMU_ID:
		return c->version;
	case AMU_CFGR:
		return (uint64_t)c->ncg << 28 | 1u << 24 | 63u << 8 | (counters - 1);
	case AMU_CGCR:
		return c->cg1nc << 8 | c->cg0nc;
	case AMU_CG1IDR:
		return (uint64_t)c->offsets << 16 | c->there[1];
	case AMU_CONTROL:
		return c->amcr;
	case AMU_USER:
		return c->amuserenr;
	case AMU_COUNT:
		if (r.group == 1 && c->el != c->highest && (c->amcr >> 17 & 1))
			return 0;
		return c->count[r.group][r.n];
	case AMU_OFFSET:
		return c->offset[r.group][r.n];
	case AMU_EVENT:
		return c->event[r.group][r.n];
	default:
		return c->on[r.group];
	}
}

static inline void amu_cpu_write(void *cpu, uint32_t reg, uint64_t value)
{
	struct amu_cpu *c = (struct amu_cpu *)cpu;
	struct amu_cpu_reg r = amu_cpu_reg(reg >> 3, reg & 7);
	int good = amu_cpu_has(c, r) && amu_cpu_may_read(c, r);

	/* Software must not write a running counter or its event. Some events are fixed. */
	if (r.kind == AMU_COUNT || r.kind == AMU_EVENT)
		good = good && !(c->on[r.group] >> r.n & 1);
	if (r.kind == AMU_EVENT)
		good = good && r.group == 1 && !(c->fixed >> r.n & 1);
	if (r.kind == AMU_ID || r.kind == AMU_CFGR || r.kind == AMU_CGCR || r.kind == AMU_CG1IDR)
		good = 0;
	if (r.kind != AMU_OFFSET && r.kind != AMU_USER)
		good = good && c->el == c->highest;
	amu_cpu_note(c, reg, good);
	c->writes++;
	if (!good)
		return;
	if (r.kind == AMU_COUNT)
		c->count[r.group][r.n] = value;
	else if (r.kind == AMU_EVENT)
		c->event[r.group][r.n] = (uint16_t)value;
	else if (r.kind == AMU_OFFSET)
		c->offset[r.group][r.n] = value;
	else if (r.kind == AMU_CONTROL)
		c->amcr = value & (c->version > 1 ? 0x20400 : 0x400);
	else if (r.kind == AMU_USER)
		c->amuserenr = value & 1;
	if (r.kind != AMU_ON && r.kind != AMU_OFF)
		return;
	c->foreign += (value & ~(uint64_t)c->there[r.group]) != 0;
	value &= c->there[r.group];
	if (r.kind == AMU_ON) {
		c->started[r.group] |= (uint16_t)(value & ~(uint64_t)c->on[r.group]);
		c->on[r.group] |= (uint16_t)value;
	} else {
		c->stopped[r.group] |= (uint16_t)(value & c->on[r.group]);
		c->on[r.group] &= (uint16_t)~value;
	}
}

/* Power off. State that a reset leaves unknown becomes all ones; a fixed event stays. */
static inline void amu_cpu_power_off(struct amu_cpu *c)
{
	uint32_t i;

	c->amcr = 0;
	c->on[0] = c->on[1] = 0;
	memset(c->count, 0, sizeof(c->count));
	memset(c->offset, 0xff, sizeof(c->offset));
	for (i = 0; i < AMU_CPU_COUNTERS; i++)
		if (!(c->fixed >> i & 1))
			c->event[1][i] = 0xffff;
}

#endif /* AMU_CPU_H */
