/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One fixture or more for every finding: exactly these findings and no others. Then random tables,
 * good and bad, against the model.
 */
#include <libfdt.h>

#include "imc_support.h"
#include "amu_support.h"

#define SEL "riscv,event-to-mhpmevent"
#define CTR "riscv,event-to-mhpmcounters"
#define RAW "riscv,raw-event-to-mhpmcounters"
#define OLD_SEL "pmu,event-to-mhpmevent"
#define OLD_CTR "pmu,event-to-mhpmcounters"
#define OLD_RAW "pmu,raw-event-to-mhpmcounters"
#define NONE MODEL_NO_ROW
#define IN_USE (~0ull) /* value: the offset of /pmu */

enum { N = PMUMAP_NOTE, W = PMUMAP_WARNING, E = PMUMAP_ERROR };

/*
 * In the order of the fixtures' names; node 0: /pmu. Without a code: nothing, or what only the tool
 * finds.
 */
static const struct expected {
	const char *fixture, *code;
	int severity;
	const char *property;
	uint32_t row;
	const char *other_property;
	uint32_t other;
	uint64_t value;
	const char *node;
} table[] = {
	{ "cell-width", "cell-width", E, "type", 0, NULL, NONE, 8, "/mcs0" },
	{ "cell-width", "cell-width", E, "type", 0, NULL, NONE, 2, "/mcs1" },
	{ "cell-width", "cell-width", E, "type", 0, NULL, NONE, 0, "/mcs2" },
	{ "cell-width", "cell-width", E, "size", 0, NULL, NONE, 8, "/mcs3" },
	{ "cell-width", "cell-width", E, "offset", 1, NULL, NONE, 8, "/mcs4" },
	{ "cell-width", "cell-width", E, "size", 2, NULL, NONE, 2, "/mcs5" },
	{ "cell-width", "cell-width", E, "offset", 2, NULL, NONE, 6, "/mcs5" },
	{ "cell-width", "cell-width", E, "cb_offset", 3, NULL, NONE, 8, "/mcs6" },
	{ "cell-width", "cell-width", E, "size", 4, NULL, NONE, 8, "/core" },
	{ "cells", "cells", W, "#address-cells", NONE, NULL, NONE, 2, "/cpus/amus/amu-0" },
	{ "cells", "cells", W, "#address-cells", NONE, NULL, NONE, 2, "/cpus/amus/amu-1" },
	{ "chip-mismatch", "chip-mismatch", W, "chip-id", 0, NULL, NONE, 2, "/mcs0" },
	{ "chip-mismatch", "chip-mismatch", W, "chip-id", 1, NULL, NONE, 1, "/mcs1" },
	{ "chip-mismatch", "chip-mismatch", W, "chip-id", 2, NULL, NONE, 3, "/mcs2" },
	{ "chip-mismatch", "chip-mismatch", W, "chip-id", 3, NULL, NONE, 0, "/mcs3" },
	{ "compatible-missing", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "control-overlap", "control-overlap", W, "reg", 0, NULL, NONE, 0x100, "/mcs0" },
	{ "control-overlap", "control-overlap", W, "reg", 1, NULL, NONE, 0x3fc18, "/mcs1" },
	{ "control-overlap", "control-overlap", W, "reg", 2, NULL, NONE, 0x3fc00, "/mcs2" },
	{ "control-range", "control-range", W, "cb_offset", 1, NULL, NONE, 0x3ffd9, "/mcs1" },
	{ "control-range", "control-range", W, "cb_offset", 2, NULL, NONE, 0xffffffff, "/mcs2" },
	{ "control-range", "control-range", W, "cb_offset", 3, NULL, NONE, 8, "/mcs3" },
	{ "control-range", "offset-range", E, "reg", 5, NULL, NONE, 0x28, "/mcs5" },
	{ "control-range", "control-range", W, "cb_offset", 6, NULL, NONE, 0, "/mcs6" },
	{ "control-range", "offset-range", E, "reg", 6, NULL, NONE, 0x20, "/mcs6" },
	{ "counter-duplicate", "counter-duplicate", E, "reg", NONE, NULL, NONE, 2,
	  "/cpus/amus/amu-0/counter@3" },
	{ "counter-name", "counter-name", W, NULL, NONE, NULL, NONE, 0,
	  "/cpus/amus/amu-0/counter" },
	{ "counter-name", "counter-name", W, NULL, NONE, NULL, NONE, 1,
	  "/cpus/amus/amu-0/counter-1" },
	{ "counter-name", "counter-name", W, NULL, NONE, NULL, NONE, 2, "/cpus/amus/amu-0/ctr@2" },
	{ "counter-name", "counter-name", W, NULL, NONE, NULL, NONE, 0, "/cpus/amus/amu-0/ctr@4" },
	{ "counter-range", "counter-range", E, "reg", NONE, NULL, NONE, 16,
	  "/cpus/amus/amu-0/counter@10" },
	{ "counter-range", "counter-range", E, "reg", NONE, NULL, NONE, 0x21,
	  "/cpus/amus/amu-0/counter@21" },
	{ "counter-range", "counter-range", E, "reg", NONE, NULL, NONE, 0x80000000,
	  "/cpus/amus/amu-0/counter@80000000" },
	{ "counter-range", "counter-range", E, "reg", NONE, NULL, NONE, 0xffffffff,
	  "/cpus/amus/amu-1/counter@100000000" },
	{ "counter-range", "cells", W, "#address-cells", NONE, NULL, NONE, 2, "/cpus/amus/amu-1" },
	{ "counter-reg", "counter-reg", E, "reg", NONE, NULL, NONE, 0,
	  "/cpus/amus/amu-0/counter@0" },
	{ "counter-reg", "counter-reg", E, "reg", NONE, NULL, NONE, 0,
	  "/cpus/amus/amu-0/counter@1" },
	{ "counter-reg", "counter-reg", E, "reg", NONE, NULL, NONE, 0,
	  "/cpus/amus/amu-0/counter@3" },
	{ "counters-absent", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "counters-absent", "fixed-only", N, CTR, 1, NULL, NONE, 2, NULL },
	{ "counters-differ", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "counters-empty", "counters-empty", W, CTR, 0, NULL, NONE, 3, NULL },
	{ "counters-empty", "counters-empty", W, RAW, 0, NULL, NONE, 1, NULL },
	{ "counters-orphan", "counters-orphan", W, CTR, 0, NULL, NONE, 4, NULL },
	{ "counters-orphan", "counters-orphan", W, CTR, 1, NULL, NONE, 6, NULL },
	{ "counters-orphan", "counters-empty", W, CTR, 2, NULL, NONE, 7, NULL },
	{ "counters-orphan", "counters-orphan", W, CTR, 3, NULL, NONE, 1, NULL },
	{ "counters-orphan", "fixed-only", N, CTR, 4, NULL, NONE, 2, NULL },
	{ "counters-orphan-empty", "counters-orphan", W, CTR, 0, NULL, NONE, 4, NULL },
	{ "cpu-disabled", "cpu-disabled", N, "status", 1, NULL, NONE, 0, "/cpus/cpu@1" },
	{ "cpu-disabled", "cpu-disabled", N, "status", 2, NULL, NONE, 0, "/cpus/cpu@2" },
	{ "cpu-duplicate", "cpu-duplicate", E, "reg", 2, "reg", 0, 0, "/cpus/cpu@1" },
	{ "cpu-duplicate", "cpu-duplicate", E, "reg", 2, "reg", 1, 0x80000100, "/cpus/cpu@2" },
	{ "cpu-duplicate", "cpu-duplicate", E, "reg", 3, "reg", 2, 0x200, "/cpus/cpu@3" },
	{ "cpu-name", "cpu-name", W, NULL, 0, NULL, NONE, 0, "/cpus/cpu0@00000" },
	{ "cpu-name", "cpu-name", W, NULL, 2, NULL, NONE, 0, "/cpus/core" },
	{ "cpu-reg", "cpu-reg", E, "reg", 1, NULL, NONE, 0, "/cpus/cpu@1" },
	{ "cpu-reg", "cpu-reg", E, "reg", 1, NULL, NONE, 0, "/cpus/cpu@2" },
	{ "cpu-reg", "cpu-reg", W, "reg", 1, NULL, NONE, 0x81000003, "/cpus/cpu@3" },
	{ "cpu-reg", "cpu-reg", W, "reg", 2, NULL, NONE, 0x10000000004, "/cpus/cpu@4" },
	{ "default-collision", "counters-orphan", W, CTR, 0, NULL, NONE, 4, NULL },
	{ "default-collision", "default-collision", W, CTR, 0, SEL, 0, 4, NULL },
	{ "default-collision", "default-collision", W, CTR, 0, RAW, 0, 6, NULL },
	{ "default-collision-codes", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "default-collision-cycles", "counters-orphan", W, CTR, 0, NULL, NONE, 1, NULL },
	{ "default-collision-cycles", "default-collision", W, CTR, 0, SEL, 0, 1, NULL },
	{ "default-collision-cycles", "fixed-only", N, CTR, 1, NULL, NONE, 2, NULL },
	{ "default-collision-numbers", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "default-collision-sg2044", "counters-orphan", W, CTR, 3, NULL, NONE, 7, NULL },
	{ "default-collision-sg2044", "counters-orphan", W, CTR, 4, NULL, NONE, 0xa, NULL },
	{ "default-collision-sg2044", "default-collision", W, CTR, 3, SEL, 1, 7, NULL },
	{ "default-collision-sg2044", "default-collision", W, CTR, 4, RAW, 1, 0xa, NULL },
	{ "enable-value", "enable-value", W, "enable-at-el3", NONE, NULL, NONE, 0,
	  "/cpus/amus/amu-0/counter@0" },
	{ "enable-value", "enable-value", W, "enable-at-el3", NONE, NULL, NONE, 2,
	  "/cpus/amus/amu-0/counter@2" },
	{ "event-invalid", "event-invalid", W, SEL, 0, NULL, NONE, 0xb, NULL },
	{ "event-invalid", "event-invalid", W, CTR, 0, NULL, NONE, 0xb, NULL },
	{ "event-invalid", "event-invalid", N, CTR, 1, NULL, NONE, 0x10006, NULL },
	{ "event-invalid", "event-invalid", W, CTR, 2, NULL, NONE, 0x11000, NULL },
	{ "event-invalid", "event-invalid", W, CTR, 3, NULL, NONE, 0, NULL },
	{ "event-wide", "event-wide", E, SEL, 0, NULL, NONE, 0x100000, NULL },
	{ "event-wide", "event-wide", E, CTR, 0, NULL, NONE, 0x100000, NULL },
	{ "event-wide", "event-wide", W, CTR, 1, NULL, NONE, 0x100000, NULL },
	{ "event-wide", "range-raw", W, CTR, 1, NULL, NONE, 0xffff0, NULL },
	{ "events-missing", "events-missing", W, "events", 0, NULL, NONE, 0x77, "/mcs0" },
	{ "events-missing", "events-missing", W, "events", 1, NULL, NONE, 0, "/mcs1" },
	{ "events-missing", "events-missing", W, "events", 2, NULL, NONE, 1, "/mcs2" },
	{ "extra-node", "extra-node", W, NULL, NONE, NULL, NONE, IN_USE, "/soc/pmu@1" },
	{ "extra-node", "extra-node", W, NULL, NONE, NULL, NONE, IN_USE, "/soc/pmu@2" },
	{ "fixed-bit", "fixed-bit", W, CTR, 2, NULL, NONE, 0x9, NULL },
	{ "fixed-bit", "fixed-bit", W, CTR, 3, NULL, NONE, 0xd, NULL },
	{ "fixed-bit", "fixed-bit", W, CTR, 4, NULL, NONE, 0xc, NULL },
	{ "fixed-bit", "fixed-bit", W, RAW, 0, NULL, NONE, 0x5, NULL },
	{ "fixed-bit-crossed", "fixed-bit", W, CTR, 0, NULL, NONE, 0xc, NULL },
	{ "fixed-bit-crossed", "fixed-bit", W, CTR, 1, NULL, NONE, 0x9, NULL },
	{ "fixed-bit-crossed", "fixed-bit", W, CTR, 2, NULL, NONE, 0x5, NULL },
	{ "fixed-bit-crossed", "range-overlap", W, CTR, 2, CTR, 0, 1, NULL },
	{ "fixed-bit-crossed", "range-overlap", W, CTR, 2, CTR, 1, 2, NULL },
	{ "fixed-denied", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "fixed-denied-isa", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "fixed-denied-none", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "fixed-missing", "fixed-missing", N, NULL, NONE, NULL, NONE, 4, NULL },
	{ "fixed-missing-both", "fixed-missing", N, NULL, NONE, NULL, NONE, 6, NULL },
	{ "fixed-only", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "fixed-only", "fixed-only", N, CTR, 1, NULL, NONE, 2, NULL },
	{ "foreign-node", "foreign-node", W, NULL, NONE, NULL, NONE, 0, "/draft-pmu" },
	{ "foreign-node-alone", "foreign-node", W, NULL, NONE, NULL, NONE, 0, NULL },
	{ "legacy-prefix", "legacy-prefix", W, OLD_SEL, NONE, NULL, NONE, 0, NULL },
	{ "legacy-prefix", "legacy-prefix", W, OLD_CTR, NONE, NULL, NONE, 0, NULL },
	{ "legacy-prefix", "trailing-bytes", W, OLD_CTR, NONE, NULL, NONE, 2, NULL },
	{ "legacy-prefix", "selector-duplicate", E, OLD_SEL, 1, OLD_SEL, 0, 3, NULL },
	{ "legacy-prefix-both", "legacy-prefix", W, OLD_CTR, NONE, NULL, NONE, 0, NULL },
	{ "legacy-raw3", "legacy-prefix", W, OLD_SEL, NONE, NULL, NONE, 0, NULL },
	{ "legacy-raw3", "legacy-prefix", W, OLD_CTR, NONE, NULL, NONE, 0, NULL },
	{ "legacy-raw3", "legacy-prefix", W, OLD_RAW, NONE, NULL, NONE, 0, NULL },
	{ "legacy-raw3", "legacy-raw3", W, OLD_RAW, NONE, NULL, NONE, 2, NULL },
	{ "legacy-raw3", "trailing-bytes", W, OLD_RAW, NONE, NULL, NONE, 4, NULL },
	{ "list-empty", "reg-missing", E, "reg", 0, NULL, NONE, 0, "/core-events/event@0" },
	{ "list-empty", "list-empty", E, NULL, NONE, NULL, NONE, 5, "/nest-events" },
	{ "list-empty", "list-empty", E, NULL, NONE, NULL, NONE, 6, "/core-events" },
	{ "list-extra", "list-unused", W, NULL, NONE, NULL, NONE, 2, "/more-events" },
	{ "list-unused", "list-unused", W, NULL, NONE, NULL, NONE, 0, "/other-events" },
	{ "list-unused", "list-unused", W, NULL, NONE, NULL, NONE, 0x10, "/again" },
	{ "list-unused-left-out", "type-unknown", E, "type", 0, NULL, NONE, 8, "/mcs0" },
	{ "list-unused-live", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "mask-half", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "mask-reversed", "mask-reversed", W, RAW, 0, NULL, NONE, 0xfffc00ffffffffff, NULL },
	{ "mask-reversed", "mask-reversed", W, RAW, 1, NULL, NONE, 0xfff800ffffffffff, NULL },
	{ "mask-reversed", "selector-reversed", W, RAW, 1, NULL, NONE, 0x200000000, NULL },
	{ "mask-reversed", "mask-reversed", W, RAW, 5, NULL, NONE, 0xfffffffeffffffff, NULL },
	{ "name-duplicate", "name-duplicate", W, "event-name", NONE, NULL, NONE, 0x10,
	  "/core-events" },
	{ "name-duplicate", "name-duplicate", W, "event-name", NONE, NULL, NONE, 0x18,
	  "/core-events" },
	{ "name-missing", "name-missing", E, "event-name", 1, NULL, NONE, 0,
	  "/nest-events/event@8" },
	{ "name-missing", "name-missing", E, "event-name", 2, NULL, NONE, 0,
	  "/nest-events/event@10" },
	{ "name-missing", "name-missing", E, "event-name", 3, NULL, NONE, 0,
	  "/nest-events/event@18" },
	{ "node-disabled", "node-disabled", N, "status", NONE, NULL, NONE, 0, NULL },
	{ "node-disabled-okays", "node-disabled", N, "status", NONE, NULL, NONE, 0, NULL },
	{ "none", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "none-amu", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "none-empty", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "none-imc", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "none-numbers", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "none-ok", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "none-okay", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "offset-alias", "offset-alias", N, "reg", 1, "reg", 0, 0x110, "/nvlink1" },
	{ "offset-alias", "offset-alias", N, "reg", 1, "reg", 0, 0x118, "/nvlink1" },
	{ "offset-alias", "name-duplicate", W, "event-name", NONE, NULL, NONE, 0x18,
	  "/twice-events" },
	{ "offset-align", "offset-align", W, "reg", NONE, NULL, NONE, 0xc, "/nest-events/event@c" },
	{ "offset-align", "offset-align", W, "reg", 1, NULL, NONE, 0x204, "/mcs1" },
	{ "offset-clash", "offset-clash", W, "reg", 1, "reg", 0, 0x108, "/mcs1" },
	{ "offset-clash", "offset-clash", W, "reg", 1, "reg", 0, 0x110, "/mcs1" },
	{ "offset-clash", "offset-clash", W, "reg", 3, "reg", 3, 0x108, "/core" },
	{ "offset-clash-alias", "offset-clash", W, "reg", 2, "reg", 0, 0x110, "/mba0" },
	{ "offset-range", "offset-range", E, "reg", 0, NULL, NONE, 0x2000, "/core" },
	{ "old-format", "old-format", W, "compatible", 0, NULL, NONE, 0, "/mcs0" },
	{ "prefix-missing", "prefix-missing", W, "events-prefix", 0, NULL, NONE, 0, "/mcs0" },
	{ "property-near", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "property-unknown", "property-unknown", W, "riscv,event-to-mhpmevents", NONE, NULL, NONE,
	  0, NULL },
	{ "property-unknown", "property-unknown", W, "riscv,raw-event-to-mphmcounters", NONE, NULL,
	  NONE, 2, NULL },
	{ "property-unknown", "property-unknown", W, "riscv,event_to_mhpmcounter", NONE, NULL, NONE,
	  1, NULL },
	{ "property-unknown", "property-unknown", W, "raw-event-to-mhpmcounters", NONE, NULL, NONE,
	  2, NULL },
	{ "property-unknown", "property-unknown", W, "sifive,event-to-mhpmevent", NONE, NULL, NONE,
	  0, NULL },
	{ "property-unknown", "property-unknown", W, "riscv-Event-to-mhpmevent", NONE, NULL, NONE,
	  0, NULL },
	{ "property-unknown", "property-unknown", W, "riscv,rw-event-to-mhpmcounters", NONE, NULL,
	  NONE, 2, NULL },
	{ "property-unknown-all", "property-unknown", W, "riscv,events-to-mhpmevents", NONE, NULL,
	  NONE, 0, NULL },
	{ "property-unknown-all", "property-unknown", W, "riscv,events-to-mhpmcounters", NONE, NULL,
	  NONE, 1, NULL },
	{ "property-unknown-all", "property-unknown", W, "riscv,raw-events-to-mhpmcounters", NONE,
	  NULL, NONE, 2, NULL },
	{ "range-overlap", "range-overlap", W, CTR, 1, CTR, 0, 5, NULL },
	{ "range-overlap", "range-overlap", W, CTR, 4, CTR, 0, 7, NULL },
	{ "range-overlap", "range-overlap", W, CTR, 3, CTR, 2, 0x10000, NULL },
	{ "range-raw", "range-raw", W, CTR, 0, NULL, NONE, 0x20000, NULL },
	{ "range-raw", "range-raw", W, CTR, 1, NULL, NONE, 0x30005, NULL },
	{ "range-raw-firmware", "range-raw", W, CTR, 0, NULL, NONE, 0x50000, NULL },
	{ "range-raw-firmware", "range-raw", W, CTR, 1, NULL, NONE, 0xf0000, NULL },
	{ "range-reversed", "range-reversed", E, CTR, 0, NULL, NONE, 6, NULL },
	{ "range-reversed", "range-reversed", E, CTR, 2, NULL, NONE, 0xffffffff, NULL },
	{ "raw-catch-all", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "raw-catch-all", "fixed-only", N, CTR, 1, NULL, NONE, 2, NULL },
	{ "raw-catch-all", "raw-overlap", W, RAW, 1, RAW, 0, 0, NULL },
	{ "raw-dead", "raw-dead", E, RAW, 1, NULL, NONE, 3, NULL },
	{ "raw-dead", "raw-dead", E, RAW, 2, NULL, NONE, 0x100000000, NULL },
	{ "raw-dead-more", "raw-dead", E, RAW, 0, NULL, NONE, 5, NULL },
	{ "raw-dead-more", "raw-dead", E, RAW, 1, NULL, NONE, 3, NULL },
	{ "raw-dead-more", "raw-dead", E, RAW, 2, NULL, NONE, 5, NULL },
	{ "raw-dead-more", "raw-dead", E, RAW, 3, NULL, NONE, 7, NULL },
	{ "raw-dead-u74", "raw-dead", E, RAW, 0, NULL, NONE, 0x3ffff00, NULL },
	{ "raw-dead-u74", "raw-dead", E, RAW, 1, NULL, NONE, 0x7ff00, NULL },
	{ "raw-dead-u74", "raw-dead", E, RAW, 2, NULL, NONE, 0x1f00, NULL },
	{ "raw-duplicate", "raw-duplicate", W, RAW, 1, RAW, 0, 1, NULL },
	{ "raw-duplicate", "raw-duplicate", W, RAW, 3, RAW, 2, 2, NULL },
	{ "raw-overlap", "raw-overlap", W, RAW, 1, RAW, 0, 2, NULL },
	{ "raw-overlap", "raw-overlap", N, RAW, 3, RAW, 2, 0x100, NULL },
	{ "raw-overlap-catch-all", "raw-overlap", W, RAW, 1, RAW, 0, 5, NULL },
	{ "raw-unreachable", "raw-unreachable", W, RAW, 0, NULL, NONE, 1ull << 56, NULL },
	{ "raw-wide", "raw-wide", W, RAW, 0, NULL, NONE, 0xffffffffffffff22, NULL },
	{ "raw-wide-dubhe", "raw-wide", W, RAW, 2, NULL, NONE, 0xffffffffffffff22, NULL },
	{ "reg-missing", "reg-missing", E, "reg", 1, NULL, NONE, 0, "/nest-events/event@8" },
	{ "reg-missing", "reg-missing", E, "reg", 2, NULL, NONE, 0, "/nest-events/event@10" },
	{ "reg-missing", "reg-missing", E, "reg", 0, NULL, NONE, 0, "/mcs0" },
	{ "reg-overflow", "reg-overflow", E, "reg", 0, NULL, NONE, 0xffffffe8, "/core" },
	{ "row-cells", "trailing-bytes", W, SEL, NONE, NULL, NONE, 8, NULL },
	{ "row-cells", "counters-orphan", W, CTR, 0, NULL, NONE, 4, NULL },
	{ "rows-lost", "range-overlap", W, CTR, 1, CTR, 0, 4, NULL },
	{ "rows-lost-many", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "scale-bad", "scale-bad", W, "scale", 0, NULL, NONE, 0, "/nest-events/event@0" },
	{ "scale-bad", "scale-bad", W, "scale", 3, NULL, NONE, 0, "/nest-events/event@18" },
	{ "scale-bad", "scale-bad", W, "scale", 0, NULL, NONE, 0, "/mcs0" },
	{ "scale-empty", "scale-empty", W, "scale", 1, NULL, NONE, 0, "/nest-events/event@8" },
	{ "scale-empty", "scale-empty", W, "unit", 1, NULL, NONE, 0, "/nest-events/event@8" },
	{ "scale-empty", "scale-empty", W, "scale", 0, NULL, NONE, 0, "/mcs0" },
	{ "scale-empty", "scale-empty", W, "unit", 1, NULL, NONE, 0, "/core" },
	{ "selector-bits", "selector-bits", W, SEL, 0, NULL, NONE, 0x8000000000000007, NULL },
	{ "selector-bits", "selector-bits", W, SEL, 1, NULL, NONE, 0x100000000000000, NULL },
	{ "selector-duplicate", "selector-duplicate", E, SEL, 1, SEL, 0, 3, NULL },
	{ "selector-duplicate", "selector-duplicate", W, SEL, 2, SEL, 0, 3, NULL },
	{ "selector-orphan", "selector-orphan", W, SEL, 2, NULL, NONE, 4, NULL },
	{ "selector-orphan-cycles", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "selector-orphan-d1", "selector-orphan", W, SEL, 4, NULL, NONE, 0xa, NULL },
	{ "selector-reversed", "selector-reversed", W, SEL, 0, NULL, NONE, 0x70100000000, NULL },
	{ "selector-reversed", "selector-reversed", W, RAW, 1, NULL, NONE, 0x1300000000, NULL },
	{ "selector-reversed", "selector-reversed", W, RAW, 3, NULL, NONE, 0x1400000000, NULL },
	{ "selector-reversed", "selector-reversed", W, RAW, 4, NULL, NONE, 0x3100000000, NULL },
	{ "selector-shared", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "selector-unmatched", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "selector-zero", "fixed-only", N, CTR, 2, NULL, NONE, 2, NULL },
	{ "selector-zero-raw", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "selectors-empty", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "selectors-empty", "fixed-only", N, CTR, 1, NULL, NONE, 2, NULL },
	{ "tables-missing", "extra-node", W, NULL, NONE, NULL, NONE, IN_USE, "/soc/pmu@1" },
	{ "tables-taken", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "time-bit", "time-bit", W, CTR, 0, NULL, NONE, 0xa, NULL },
	{ "time-bit", "time-bit", W, RAW, 0, NULL, NONE, 0xa, NULL },
	{ "time-bit-p550", "time-bit", W, CTR, 1, NULL, NONE, 2, NULL },
	{ "time-bit-p550", "fixed-only", N, CTR, 0, NULL, NONE, 1, NULL },
	{ "time-bit-p550", "fixed-only", N, CTR, 1, NULL, NONE, 2, NULL },
	{ "trailing-bytes", "trailing-bytes", W, SEL, NONE, NULL, NONE, 4, NULL },
	{ "trailing-bytes", "trailing-bytes", W, CTR, NONE, NULL, NONE, 8, NULL },
	{ "trailing-bytes", "trailing-bytes", W, RAW, NONE, NULL, NONE, 19, NULL },
	{ "trailing-bytes-qemu", "trailing-bytes", W, CTR, NONE, NULL, NONE, 8, NULL },
	{ "trailing-bytes-qemu", "counters-empty", W, CTR, 5, NULL, NONE, 0, NULL },
	{ "trailing-bytes-short", "trailing-bytes", W, SEL, NONE, NULL, NONE, 1, NULL },
	{ "trailing-bytes-short", "trailing-bytes", W, CTR, NONE, NULL, NONE, 11, NULL },
	{ "trailing-bytes-short", "trailing-bytes", W, RAW, NONE, NULL, NONE, 8, NULL },
	{ "type-missing", "type-missing", E, "type", 0, NULL, NONE, 0, "/mcs0" },
	{ "type-unknown", "type-unknown", E, "type", 0, NULL, NONE, 8, "/mcs0" },
	{ "unit-compatible", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "unit-duplicate", "unit-duplicate", W, NULL, 1, NULL, 0, 0, "/pb@198" },
	{ "unit-duplicate", "unit-duplicate", W, NULL, 2, NULL, 0, 0, "/pb@218" },
	{ "unit-mismatch", "unit-mismatch", W, "reg", NONE, NULL, NONE, 1,
	  "/cpus/amus/amu-0/counter@7" },
	{ "unit-mismatch", "unit-mismatch", W, "reg", NONE, NULL, NONE, 0xa,
	  "/cpus/amus/amu-0/counter@10" },
	{ "unit-mismatch", "unit-mismatch", W, "reg", NONE, NULL, NONE, 0,
	  "/cpus/amus/amu-0/counter@" },
	{ "view-extra", "view-extra", W, "amu", 0, NULL, NONE, 2, "/cpus/cpu@0" },
	{ "view-foreign", "view-foreign", W, NULL, NONE, NULL, NONE, 0, "/soc/monitors" },
	{ "view-missing", "view-missing", E, "amu", 0, NULL, NONE, 0x99, "/cpus/cpu@0" },
	{ "view-missing", "view-missing", E, "amu", 2, NULL, NONE, 0, "/cpus/cpu@2" },
	{ "view-missing", "view-missing", E, "amu", 3, NULL, NONE, 0, "/cpus/cpu@3" },
	{ "view-missing", "view-missing", E, "amu", 4, NULL, NONE, 0x42, "/cpus/cpu@4" },
	{ "view-missing", "view-missing", E, "amu", 5, NULL, NONE, 0x77, "/cpus/cpu@5" },
	{ "view-unused", NULL, 0, NULL, 0, NULL, 0, 0, NULL },
	{ "window-missing", "window-missing", E, "size", 0, NULL, NONE, 0, "/mcs0" },
	{ "window-missing", "window-missing", E, "offset", 1, NULL, NONE, 0, "/mcs1" },
	{ "window-missing", "window-missing", E, "size", 2, NULL, NONE, 0, "/mcs2" },
	{ "window-missing", "window-missing", E, "size", 3, NULL, NONE, 0, "/mcs3" },
	{ "window-missing", "window-missing", W, "size", 5, NULL, NONE, 0, "/core" },
	{ "window-missing-old", "old-format", W, "compatible", 0, NULL, NONE, 0, "/mcs0" },
	{ "window-missing-old", "window-missing", E, "size", 0, NULL, NONE, 0, "/mcs0" },
};

#define ROWS (sizeof(table) / sizeof(table[0]))

static struct findings findings;
static struct paint paint;
static uint32_t rows_used;

static const struct {
	uint32_t number;
	const char *text;
} codes[] = {
#define X(name, number, text) { PMUMAP_F_##name, text },
	PMUMAP_FINDING_LIST(X) PMUMAP_AMU_FINDING_LIST(X)
#undef X
};

#define CODES (sizeof(codes) / sizeof(codes[0]))

static unsigned char covered[CODES]; /* codes that some fixture has shown */

static void note_codes(void)
{
	uint32_t i, code;

	for (i = 0; i < findings.n; i++) {
		for (code = 0; code < CODES; code++)
			if (!strcmp(findings.at[i].code, codes[code].text))
				break;
		CHECK(code < CODES && findings.number[i] == codes[code].number);
		if (code < CODES)
			covered[code] = 1;
	}
}

/* The rows of the table that are about this fixture, as the model would put them. */
static void expect(struct model *m, const unsigned char *fdt)
{
	char path[128];
	int pmu = fdt_path_offset(fdt, "/pmu");
	size_t i;

	for (i = 0; i < ROWS; i++) {
		const struct expected *e = &table[i];

		snprintf(path, sizeof(path), "build/findings/%s.dtb", e->fixture);
		if (strcmp(path, test_input) != 0)
			continue;
		rows_used++;
		if (!e->code)
			continue;
		m->finding = realloc(m->finding, (m->findings + 1) * sizeof(*m->finding));
		m->finding[m->findings++] =
			(struct model_finding){ e->code,
						e->severity,
						e->node ? fdt_path_offset(fdt, e->node) : pmu,
						e->property,
						e->row,
						e->other_property,
						e->other,
						e->value == IN_USE ? (uint64_t)pmu : e->value };
	}
}

/*
 * No more and no less, and in this way, however many pairs of raw rows there are to choose from.
 * Most fixtures have no row for cycles or instructions; those that are about that are named so.
 */
static int exactly(const struct model *m)
{
	uint32_t i, j, missing = 0, n = 0;

	for (i = 0; i < findings.n; i++)
		n += strcmp(findings.at[i].code, "fixed-missing") != 0 ||
		     strstr(test_input, "fixed-missing") != NULL;
	for (j = 0; j < m->findings; j++) {
		for (i = 0; i < findings.n; i++)
			if (same_finding(&findings.at[i], &m->finding[j]))
				break;
		missing += i == findings.n;
	}
	for (i = 0; i < findings.n && (missing || n != m->findings); i++)
		printf("  %s: found %s, row %" PRId64 "\n", test_now, findings.at[i].code,
		       (int64_t)findings.at[i].row);
	return missing == 0 && n == m->findings;
}

static void check_strict(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status, want = PMUMAP_OK;
	struct pmumap *map;
	uint32_t i, n = findings.n;

	for (i = 0; i < n; i++)
		if (findings.at[i].severity == PMUMAP_ERROR)
			want = PMUMAP_E_STRICT;
	map = build_tree(fdt, size, 0, PMUMAP_STRICT, &findings, &status);
	CHECK_EQ(status, want);
	CHECK_EQ(map != NULL, want == PMUMAP_OK);
	CHECK_EQ(findings.n, n);
	free(map);
	/* Whether anybody listens makes no difference. */
	map = build_tree(fdt, size, 0, PMUMAP_STRICT, NULL, &status);
	CHECK_EQ(status, want);
	free(map);
}

static void riscv_fixture(const unsigned char *fdt, const struct pmumap *map)
{
	struct model m;

	model_init(&m);
	CHECK_EQ(model_read(&m, fdt, 0), map != NULL);
	model_check(&m);
	check_findings(&findings, &m);
	if (map) {
		model_paint(&m, paint.counters, paint.has, paint.selector);
		check_events(map, &paint);
		check_raw(map, &m, 10000);
	}
	model_free(&m);
}

static void fixture(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	uint32_t used = rows_used;
	struct pmumap *map = build_tree(fdt, size, 0, 0, &findings, &status);
	struct pmumap_amu *monitors;
	struct imc_model imc;
	struct amu_model amu;
	struct model expected;

	model_init(&expected);
	CHECK(status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND);
	monitors = amu_build(fdt, size, &status);
	CHECK(status == PMUMAP_E_NOTFOUND || (status == PMUMAP_OK && !map));
	if (monitors)
		findings = amu_findings;
	note_codes();
	expect(&expected, fdt);
	CHECK(rows_used > used);
	CHECK(exactly(&expected));
	if (imc_model_read(&imc, fdt, 0, 0)) {
		check_imc_findings(&findings, &imc);
		CHECK(map != NULL && imc.counters > 0);
		if (map)
			check_imc(map, &imc, 0);
	} else if (amu_model_read(&amu, fdt)) {
		check_amu_findings(&findings, &amu);
		CHECK(monitors != NULL && amu.cpus > 0);
		if (monitors)
			check_amu(monitors, &amu);
		amu_model_free(&amu);
	} else {
		riscv_fixture(fdt, map);
	}
	if (map)
		check_strict(fdt, size);
	free(monitors);
	free(map);
	imc_model_free(&imc);
	model_free(&expected);
}

/* What a small block is the cause of, or a small tree cannot be. */
static void no_space(void)
{
	struct pmumap_builder b;
	const struct pmumap *map;
	uint64_t block[2];

	findings.n = 0;
	pmumap_begin(&b, block, sizeof(block));
	pmumap_listen(&b, collect, &findings);
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_NOSPACE);
	CHECK(!map && findings.n == 1 && findings.at[0].value == pmumap_need(&b));
	CHECK(findings.at[0].node == PMUMAP_NO_NODE && findings.at[0].row == PMUMAP_NO_ROW &&
	      !findings.at[0].property && findings.at[0].severity == PMUMAP_ERROR);
	CHECK(findings.at[0].other == PMUMAP_NO_ROW && !findings.at[0].other_property);
	note_codes();
}

/* 40 units that share 40 events have more names than there is room for an index of. */
static void add_shared(struct pmumap_builder *b, char (*names)[8])
{
	struct pmumap_imc_event e = { 0 };
	struct pmumap_imc_unit u = { 0 };
	uint32_t i;

	CHECK_EQ(pmumap_add_imc_list(b, 1), PMUMAP_OK);
	for (i = 0; i < 40; i++) {
		snprintf(names[i], sizeof(names[i]), "E%" PRIu32, i);
		e.name = names[i];
		e.offset = 8 * i;
		(void)pmumap_add_imc_event(b, &e);
	}
	for (; i < 80; i++) {
		snprintf(names[i], sizeof(names[i]), "U%" PRIu32, i);
		u.name = u.prefix = names[i];
		u.type = PMUMAP_IMC_CORE;
		(void)pmumap_add_imc_unit(b, 1, &u);
	}
}

/* Build them in so many bytes. Returns what no-index asks for; 0: there is none. */
static uint64_t shared(size_t bytes)
{
	static char names[80][8];
	struct pmumap_builder b;
	const struct pmumap *map;
	void *block = exact(bytes);

	findings.n = 0;
	pmumap_begin(&b, block, bytes);
	pmumap_listen(&b, collect, &findings);
	add_shared(&b, names);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	free(block);
	CHECK(findings.n <= 1);
	if (!findings.n)
		return 0;
	CHECK(findings.at[0].node == PMUMAP_NO_NODE && findings.at[0].row == PMUMAP_NO_ROW &&
	      !findings.at[0].property && findings.at[0].severity == PMUMAP_NOTE &&
	      !strcmp(findings.at[0].code, "no-index"));
	note_codes();
	return findings.at[0].value;
}

static void no_index(void)
{
	static char names[80][8];
	struct pmumap_builder b;
	uint64_t need;

	test_now = "no-index";
	pmumap_begin(&b, NULL, 0);
	add_shared(&b, names);
	need = shared(pmumap_need(&b));
	CHECK(need > pmumap_need(&b));
	CHECK_EQ(shared((size_t)need), 0);
}

/* The builder's own statuses. */
static void builder(void)
{
	static uint64_t block[512];
	struct pmumap_builder b;
	const struct pmumap *map = (const struct pmumap *)block;
	uint32_t i;

	test_now = "builder";
	unasked(block, sizeof(block));
	pmumap_begin(&b, (char *)block + 4, sizeof(block) - 4);
	CHECK_EQ(pmumap_add_raw(&b, 1, 1, 8), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_ARG);
	CHECK(!map && untouched(block, sizeof(block)));
	pmumap_begin(&b, block, sizeof(block));
	CHECK_EQ(pmumap_finish(&b, NULL), PMUMAP_E_ARG);
	pmumap_begin(&b, NULL, 0);
	map = (const struct pmumap *)block;
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(!map);
	pmumap_begin(&b, block, sizeof(block));
	b.flags = PMUMAP_STRICT;
	map = (const struct pmumap *)block;
	CHECK_EQ(pmumap_add_counters(&b, 4, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_STRICT);
	CHECK(!map);
	CHECK_EQ(pmumap_open(block, sizeof(block), &map), PMUMAP_E_IMAGE_MAGIC);
	findings.n = 0;
	pmumap_begin(&b, block, sizeof(block));
	pmumap_listen(&b, collect, &findings);
	pmumap_listen(&b, NULL, NULL);
	CHECK_EQ(pmumap_add_counters(&b, 4, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	CHECK(map && findings.n == 0);
	pmumap_begin(&b, NULL, 0);
	for (i = quick(1, 0) ? 0 : 40000000; i < 40000000; i++)
		(void)pmumap_add_selector(&b, 0x40, i);
	CHECK_EQ(pmumap_finish(&b, &map), quick(PMUMAP_E_LIMIT, PMUMAP_OK));
	test_now = "";
}

/* A second selector is an error unless it is the same, whether anybody listens or not. */
static void second_selector(void)
{
	static uint64_t block[512];
	uint32_t second, listens;

	test_now = "a second selector";
	for (second = 1; second < 4; second++)
		for (listens = 0; listens < 2; listens++) {
			struct pmumap_builder b;
			const struct pmumap *map;

			findings.n = 0;
			pmumap_begin(&b, block, sizeof(block));
			b.flags = PMUMAP_STRICT;
			pmumap_listen(&b, listens ? collect : NULL, &findings);
			CHECK_EQ(pmumap_add_counters(&b, 1, 3, 8), PMUMAP_OK);
			CHECK_EQ(pmumap_add_selector(&b, 1, 4), PMUMAP_OK);
			CHECK_EQ(pmumap_add_selector(&b, 2, 5), PMUMAP_OK);
			CHECK_EQ(pmumap_add_selector(&b, 3, 2), PMUMAP_OK);
			CHECK_EQ(pmumap_add_selector(&b, 3, second), PMUMAP_OK);
			CHECK_EQ(pmumap_finish(&b, &map),
				 second == 2 ? PMUMAP_OK : PMUMAP_E_STRICT);
			CHECK_EQ(findings.n, listens);
		}
	test_now = "";
}

/* To add rows for 2 GiB takes long: here the builder is told that it has. */
static void limit(void)
{
	struct pmumap_builder b;
	const struct pmumap *map;
	size_t least;

	test_now = "limit";
	pmumap_begin(&b, NULL, 4096); /* bytes of nothing */
	CHECK_EQ(pmumap_add_counters(&b, 3, 3, 8), PMUMAP_OK);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	pmumap_begin(&b, NULL, 0);
	least = pmumap_need(&b);
	b.own.entry_bytes = 0x7fffffff - least;
	CHECK_EQ(pmumap_need(&b), 0x7fffffff);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_OK);
	b.own.entry_bytes++;
	CHECK_EQ(pmumap_need(&b), 0x7fffffff);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_LIMIT);
	CHECK_EQ(pmumap_finish(&b, &map), PMUMAP_E_LIMIT); /* again */
	test_now = "";
}

/* Of single events each set of fixed counters, against the model. */
static void fixed_counters(void)
{
	uint32_t event, counters;

	test_now = "fixed counters";
	for (event = 0; event < 5; event++)
		for (counters = 8; counters < 16; counters++) {
			struct model m;

			model_init(&m);
			model_add_counters(&m, event, event, counters);
			free(build_rows(&m, &findings));
			model_check(&m);
			check_findings(&findings, &m);
			model_free(&m);
		}
	test_now = "";
}

/* A row is compared with the 256 before it: with all of them, a build would not be O(n log n). */
static void far_rows(void)
{
	uint32_t n, i;

	test_now = "far rows";
	for (n = 257; n <= 258; n++) {
		struct model m;

		model_init(&m);
		model_add_raw(&m, 0, 0xff, 8); /* it overlaps the last row alone */
		for (i = 1; i < n - 1; i++)
			model_add_raw(&m, i / 255 << 8 | (i % 255 + 1), ~0ull, 8);
		model_add_raw(&m, 0x10000, ~0ull, 8);
		free(build_rows(&m, &findings));
		CHECK_EQ(findings.n, n == 257 ? 2 : 1); /* and fixed-missing */
		CHECK(pairs_good(&findings, &m));
		model_free(&m);
	}
	test_now = "";
}

static void texts(void)
{
	static const struct {
		uint32_t number;
		const char *text;
	} statuses[] = {
#define X(name, number, text) { PMUMAP_##name, text },
		PMUMAP_STATUS_LIST(X)
#undef X
	};
	size_t i;

	for (i = 0; i < CODES; i++) {
		test_now = codes[i].text;
		CHECK(covered[i]);
	}
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		test_now = statuses[i].text;
		CHECK(!strcmp(pmumap_status_str((enum pmumap_status)statuses[i].number),
			      statuses[i].text));
	}
	test_now = "texts";
	CHECK(pmumap_status_str((enum pmumap_status)99));
	CHECK(pmumap_status_str((enum pmumap_status) - 1));
	for (i = 0; i < 256; i++) { /* a number that is none has the text of none */
		const char *status = pmumap_status_str((enum pmumap_status)i);
		size_t k;

		for (k = 0; k < sizeof(statuses) / sizeof(statuses[0]); k++)
			CHECK_EQ(!strcmp(status, statuses[k].text), i == statuses[k].number);
	}
	CHECK(!strcmp(pmumap_severity_str(PMUMAP_ERROR), "error"));
	CHECK(!strcmp(pmumap_severity_str(PMUMAP_WARNING), "warning"));
	CHECK(!strcmp(pmumap_severity_str(PMUMAP_NOTE), "note"));
}

static uint32_t random_event(void)
{
	static const uint32_t bases[] = { 0,       0,       0x10000, 0x10000, 0x10030,
					  0x1003c, 0x38,    0x1fffc, 0x30000, 0x3fffc,
					  0xf0000, 0xffffc, 0xfffc };
	uint32_t base = bases[random_below(sizeof(bases) / sizeof(bases[0]))];

	return random_below(40) ? base + random_below(12) : (uint32_t)random64();
}

static uint32_t random_counters(void)
{
	uint32_t kind = random_below(8);

	return kind == 0   ? 0
	       : kind == 1 ? random_below(16)
	       : kind == 2 ? (uint32_t)random64()
			   : 8u << random_below(6);
}

static void random_raw(struct model *m)
{
	static const uint64_t masks[] = { 0,
					  ~0ull,
					  0xff,
					  ~0xffull,
					  0xfffffe00110204ff,
					  0xf0f,
					  7,
					  0xff00000000000000,
					  0xffffffffffffff22 };
	uint64_t mask = masks[random_below(sizeof(masks) / sizeof(masks[0]))],
		 select = random_below(9);

	if (random_below(8) == 0)
		select <<= random_below(61);
	if (random_below(8))
		select &= mask;
	model_add_raw(m, select, mask, random_counters());
}

static void random_table(struct model *m)
{
	uint32_t i, n, event;

	model_init(m);
	for (i = 0, n = random_below(10); i < n; i++)
		model_add_selector(m, random_event(), random_below(16));
	for (i = 0, n = random_below(10); i < n; i++) {
		event = random_event();
		if (random_below(10) == 0)
			model_add_counters(m, event, random_event(), random_counters());
		else
			model_add_counters(m, event, event + random_below(6), random_counters());
	}
	for (i = 0, n = random_below(14); i < n; i++)
		random_raw(m);
}

/* Only the events near a boundary of some row can differ from their neighbours. */
static void check_boundaries(const struct pmumap *map, const struct model *m)
{
	uint32_t i, k, bad = 0;

	for (i = 0; i < 5 * (m->ranges + m->selectors); i++) {
		uint32_t row = i / 5, event;
		uint64_t got = 0, want = 0;

		event = row < m->selectors ? m->selector[row].event
			: i & 1            ? m->range[row - m->selectors].first
					   : m->range[row - m->selectors].last;
		for (k = 0; k < 3; k++, event++) {
			bad += pmumap_counters(map, event - 1) != model_counters(m, event - 1);
			bad += pmumap_selector(map, event - 1, &got) !=
			       model_selector(m, event - 1, &want);
			bad += got != want;
		}
	}
	CHECK_EQ(bad, 0);
}

static void random_tables(void)
{
	uint32_t i, n = quick(20000, 500);
	unsigned failed = test_failed;

	test_now = "random tables";
	for (i = 0; i < n && test_failed - failed < 10; i++) {
		struct model m;
		struct pmumap *map;

		random_table(&m);
		map = build_rows(&m, &findings);
		model_check(&m);
		check_findings(&findings, &m);
		check_boundaries(map, &m);
		check_raw(map, &m, 64);
		free(map);
		model_free(&m);
	}
}

int main(void)
{
	CHECK(each_file("build/findings/*.dtb", fixture) > 50);
	test_now = "";
	CHECK_EQ(rows_used, ROWS);
	no_space();
	no_index();
	builder();
	second_selector();
	limit();
	fixed_counters();
	far_rows();
	texts();
	random_tables();
	return test_summary();
}
