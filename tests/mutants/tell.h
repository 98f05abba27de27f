/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For tell.c, included before a harness: hashes the headers' answers into a digest, which two
 * builds share unless an input distinguishes them. Images are hashed byte by byte, findings as
 * reported, strings without their addresses. Arguments of calls are evaluated twice.
 */
#ifndef TELL_H
#define TELL_H

#include <string.h>

#include "pmumap_amu_check.h"
#include "pmumap_amu_hw.h"
#include "pmumap_check.h"
#include "pmumap_hw.h"
#include "pmumap_imc_check.h"
#include "pmumap_imc_hw.h"
#include "pmumap_server.h"

extern uint64_t tell_digest;

static inline uint64_t tell(uint64_t value)
{
	tell_digest = (tell_digest ^ value) * 0x9e3779b97f4a7c15;
	tell_digest ^= tell_digest >> 29;
	return value;
}

static inline void tell_bytes(const void *bytes, size_t size)
{
	const unsigned char *p = (const unsigned char *)bytes;

	for (tell(size); size >= 8; size -= 8, p += 8) {
		uint64_t word;

		memcpy(&word, p, 8);
		tell(word);
	}
	while (size--)
		tell(*p++);
}

static inline const char *tell_text(const char *text)
{
	if (text)
		tell_bytes(text, strlen(text));
	else
		tell(0x5555);
	return text;
}

/* An answer, and the data written if it is not 0. */
static inline int tell_out(int answer, const void *out, size_t size)
{
	if (tell((uint64_t)answer))
		tell_bytes(out, size);
	return answer;
}

static inline int tell_run(int answer, const struct pmumap_run *run)
{
	if (!tell((uint64_t)answer))
		return 0;
	tell(run->first);
	tell(run->last);
	tell(run->counters);
	if (tell(run->has_selector))
		tell(run->selector);
	return answer;
}

static inline int tell_event(int answer, const struct pmumap_imc_event *e)
{
	if (!tell((uint64_t)answer))
		return 0;
	tell_text(e->unit);
	tell_text(e->prefix);
	tell_text(e->name);
	tell_text(e->scale);
	tell_text(e->measure);
	tell_text(e->desc);
	tell(e->type);
	tell(e->offset);
	tell(e->unit_index);
	return answer;
}

static inline int tell_unit(int answer, const struct pmumap_imc_unit *u)
{
	if (!tell((uint64_t)answer))
		return 0;
	tell_text(u->name);
	tell_text(u->prefix);
	tell_text(u->scale);
	tell_text(u->measure);
	tell(u->type);
	tell(u->reg);
	tell(u->size);
	tell(u->offset);
	tell(u->control);
	tell(u->events);
	tell(u->chips);
	return answer;
}

static inline int tell_cpu(int answer, const struct pmumap_amu_cpu *cpu)
{
	if (!tell((uint64_t)answer))
		return 0;
	tell(cpu->mpidr);
	tell(cpu->view);
	tell(cpu->described);
	tell(cpu->enable);
	return answer;
}

static inline int tell_job(int counter, const struct pmumap_job *job)
{
	if ((int)tell((uint64_t)counter) < 0)
		return counter;
	tell(job->data);
	tell(job->selector);
	tell(job->event);
	tell(job->inhibit);
	tell(job->clear);
	return counter;
}

static inline int tell_wants(int placed, const struct pmumap_want *want, uint32_t n,
			     const struct pmumap_job *job)
{
	tell((uint64_t)placed);
	for (; n--; want++, job++) {
		(void)tell_job(want->counter, job);
		tell(want->counters);
	}
	return placed;
}

static inline enum pmumap_status tell_tree(enum pmumap_status status, const void *fdt)
{
	if (tell(status) == PMUMAP_OK)
		tell_bytes(fdt, pmumap_fdt_size(fdt));
	return status;
}

static inline struct pmumap_sbi_ret tell_ret(struct pmumap_sbi_ret ret)
{
	tell((uint64_t)ret.error);
	tell((uint64_t)ret.value);
	return ret;
}

/* ---- findings, on their way to the harness --------------------------------------------------- */

struct tell_to {
	pmumap_report_fn *report;
	void *arg;
};

static inline void tell_finding(void *arg, const struct pmumap_finding *f)
{
	struct tell_to *to = (struct tell_to *)arg;

	tell(f->code);
	tell(f->severity);
	tell((uint64_t)f->node);
	tell_text(f->property);
	tell(f->row);
	tell_text(f->other_property);
	tell(f->other);
	tell(f->value);
	if (to->report)
		to->report(to->arg, f);
}

/*
 * For each kind of map, tell_KIND takes a map's status, tell_KIND_build builds it, and tell_KIND_check
 * reports findings.
 */
#define TELL_KIND(kind, map_type, options, size_of, build, check)                                  \
	static inline enum pmumap_status tell_##kind(enum pmumap_status status,                    \
						     const struct map_type **map)                  \
	{                                                                                          \
		if (tell(status) == PMUMAP_OK)                                                     \
			tell_bytes(*map, size_of(*map));                                           \
		return status;                                                                     \
	}                                                                                          \
	static inline enum pmumap_status tell_##kind##_build(                                      \
		const void *fdt, size_t size, const struct options *opt, void *mem, size_t bytes,  \
		const struct map_type **map)                                                       \
	{                                                                                          \
		return tell_##kind(build(fdt, size, opt, mem, bytes, map), map);                   \
	}                                                                                          \
	static inline enum pmumap_status tell_##kind##_check(                                      \
		const void *fdt, size_t size, const struct options *opt, void *mem, size_t bytes,  \
		pmumap_report_fn *report, void *arg)                                               \
	{                                                                                          \
		struct tell_to to = { report, arg };                                               \
                                                                                                   \
		return (enum pmumap_status)tell(                                                   \
			check(fdt, size, opt, mem, bytes, tell_finding, &to));                     \
	}
TELL_KIND(riscv, pmumap, pmumap_fdt_options, pmumap_size, pmumap_fdt_build, pmumap_fdt_check)
TELL_KIND(imc, pmumap_imc, pmumap_imc_options, pmumap_imc_size, pmumap_imc_fdt_build,
	  pmumap_imc_check)
TELL_KIND(amu, pmumap_amu, pmumap_amu_options, pmumap_amu_size, pmumap_amu_fdt_build,
	  pmumap_amu_check)

/* ---- the calls ------------------------------------------------------------------------------- */

#define pmumap_selector(m, event, out) tell_out(pmumap_selector(m, event, out), out, sizeof(*(out)))
#define pmumap_counters(m, event) ((uint32_t)tell(pmumap_counters(m, event)))
#define pmumap_raw_counters(m, raw) ((uint32_t)tell(pmumap_raw_counters(m, raw)))
#define pmumap_encode(m, event, data, rule, out)                                                   \
	tell_out(pmumap_encode(m, event, data, rule, out), out, sizeof(*(out)))
#define pmumap_event_next(m, from, run) tell_run(pmumap_event_next(m, from, run), run)
#define pmumap_raw_at(m, i, select, mask, counters)                                                \
	(tell_out(pmumap_raw_at(m, i, select, mask, counters), select, sizeof(*(select))) &&       \
	 tell_out(1, mask, sizeof(*(mask))) && tell_out(1, counters, sizeof(*(counters))))
#define pmumap_plan(m, event, data, mask, features, rule, job)                                     \
	tell_job(pmumap_plan(m, event, data, mask, features, rule, job), job)
#define pmumap_plan_all(m, want, n, mask, features, rule, job)                                     \
	tell_wants(pmumap_plan_all(m, want, n, mask, features, rule, job), want, n, job)
#define pmumap_imc_find_name(m, name, len, nth, event)                                             \
	tell_out(pmumap_imc_find_name(m, name, len, nth, event), event, sizeof(*(event)))
#define pmumap_imc_find_offset(m, unit, offset, nth, event)                                        \
	tell_out(pmumap_imc_find_offset(m, unit, offset, nth, event), event, sizeof(*(event)))
#define pmumap_imc_event(m, event, e) tell_event(pmumap_imc_event(m, event, e), e)
#define pmumap_imc_event_at(m, unit, i, event)                                                     \
	tell_out(pmumap_imc_event_at(m, unit, i, event), event, sizeof(*(event)))
#define pmumap_imc_unit_at(m, i, u) tell_unit(pmumap_imc_unit_at(m, i, u), u)
#define pmumap_imc_names(m) ((uint32_t)tell(pmumap_imc_names(m)))
#define pmumap_imc_chip_at(m, unit, i, chip, base)                                                 \
	(tell_out(pmumap_imc_chip_at(m, unit, i, chip, base), chip, sizeof(*(chip))) &&            \
	 tell_out(1, base, sizeof(*(base))))
#define pmumap_imc_address(m, e, chip, out)                                                        \
	tell_out(pmumap_imc_address(m, e, chip, out), out, sizeof(*(out)))
#define pmumap_imc_control_address(m, unit, chip, out)                                             \
	tell_out(pmumap_imc_control_address(m, unit, chip, out), out, sizeof(*(out)))
#define pmumap_imc_scale(text, mantissa, exponent)                                                 \
	(tell_out(pmumap_imc_scale(text, mantissa, exponent), mantissa, sizeof(*(mantissa))) &&    \
	 tell_out(1, exponent, sizeof(*(exponent))))
#define pmumap_amu_cpu_find(m, mpidr, out) tell_cpu(pmumap_amu_cpu_find(m, mpidr, out), out)
#define pmumap_amu_cpu_at(m, i, out) tell_cpu(pmumap_amu_cpu_at(m, i, out), out)
#define pmumap_amu_counter_name(m, view, i) tell_text(pmumap_amu_counter_name(m, view, i))
#define pmumap_amu_view_at(m, view, described, enable)                                             \
	(tell_out(pmumap_amu_view_at(m, view, described, enable), described,                       \
		  sizeof(*(described))) &&                                                         \
	 tell_out(1, enable, sizeof(*(enable))))
#define pmumap_open(image, size, map) ((enum pmumap_status)tell(pmumap_open(image, size, map)))
#define pmumap_imc_open(image, size, map)                                                          \
	((enum pmumap_status)tell(pmumap_imc_open(image, size, map)))
#define pmumap_amu_open(image, size, map)                                                          \
	((enum pmumap_status)tell(pmumap_amu_open(image, size, map)))
#define pmumap_need(b) ((size_t)tell(pmumap_need(b)))
#define pmumap_finish(b, map) tell_riscv(pmumap_finish(b, map), map)
#define pmumap_restrict(m, grant, mem, size, map)                                                  \
	tell_riscv(pmumap_restrict(m, grant, mem, size, map), map)
#define pmumap_fdt_build tell_riscv_build
#define pmumap_imc_fdt_build tell_imc_build
#define pmumap_amu_fdt_build tell_amu_build
#define pmumap_fdt_check tell_riscv_check
#define pmumap_imc_check tell_imc_check
#define pmumap_amu_check tell_amu_check
#define tell_measure(call, bytes)                                                                  \
	((enum pmumap_status)tell_out((int)(call), bytes, sizeof(*(bytes))))
#define pmumap_fdt_measure(fdt, size, opt, bytes)                                                  \
	tell_measure(pmumap_fdt_measure(fdt, size, opt, bytes), bytes)
#define pmumap_imc_fdt_measure(fdt, size, opt, bytes)                                              \
	tell_measure(pmumap_imc_fdt_measure(fdt, size, opt, bytes), bytes)
#define pmumap_amu_fdt_measure(fdt, size, opt, bytes)                                              \
	tell_measure(pmumap_amu_fdt_measure(fdt, size, opt, bytes), bytes)
#define pmumap_fdt_harts(fdt, size, harts, room, count)                                            \
	((enum pmumap_status)tell(pmumap_fdt_harts(fdt, size, harts, room, count)))
#define pmumap_fdt_add_node(b, fdt, size, node)                                                    \
	((enum pmumap_status)tell(pmumap_fdt_add_node(b, fdt, size, node)))
#define pmumap_fdt_emit(fdt, bytes, parent, m, need)                                               \
	tell_tree(pmumap_fdt_emit(fdt, bytes, parent, m, need), fdt)
#define pmumap_fdt_fixup(fdt, bytes) tell_tree(pmumap_fdt_fixup(fdt, bytes), fdt)
#define pmumap_imc_fdt_fixup(fdt, bytes, chips, need)                                              \
	tell_tree(pmumap_imc_fdt_fixup(fdt, bytes, chips, need), fdt)
#define pmumap_server_call(s, function, args) tell_ret(pmumap_server_call(s, function, args))
#define pmumap_vpmu_save(v) ((uint32_t)tell(pmumap_vpmu_save(v)))
#define pmumap_vpmu_restore(v, hart) ((uint32_t)tell(pmumap_vpmu_restore(v, hart)))
#define pmumap_vpmu_restore_sets(v, hart) ((uint32_t)tell(pmumap_vpmu_restore_sets(v, hart)))

#endif /* TELL_H */
