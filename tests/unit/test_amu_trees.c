/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Odd AMU trees: what pmumap reports where TF-A panics, loses bits or invents some; random trees
 * against both models; and thousands of CPUs.
 */
#include "amu_support.h"
#include "make.h"

/* ---- odd trees ------------------------------------------------------------------------------- */

#define ONE "#address-cells=<1> #size-cells=<0> "

/* The CPU under test has number 0 and uses phandle 1; CPUs 1 and 2 share a view of their own. */
#define GOOD_VIEW                                                                                  \
	"amu-1 { phandle=<2> " ONE "counter@0 { reg=<0> enable-at-el3 } counter@1 { reg=<1> } } "
#define GOOD_CPUS "cpu@100 { reg=<100> amu=<2> } cpu@200 { reg=<200> amu=<2> } "
#define VIEW_OF(cells, counters)                                                                   \
	"cpus { " ONE "amus { phandle=<7> amu-0 { phandle=<1> " cells counters "} " GOOD_VIEW      \
	"} cpu@0 { reg=<0> amu=<1> } " GOOD_CPUS "} "
#define COUNTERS(counters) VIEW_OF(ONE, counters)
#define CPU(cpu)                                                                                   \
	"cpus { " ONE "amus { phandle=<7> amu-0 { phandle=<1> " ONE                                \
	"counter@2 { reg=<2> enable-at-el3 } counter@3 { reg=<3> } } " GOOD_VIEW "} " cpu          \
	" " GOOD_CPUS "} "
#define AMU(amu) CPU("cpu@0 { phandle=<8> reg=<0> " amu " }")
#define ON(index) "counter@" #index " { reg=<" #index "> enable-at-el3 } "
#define OFF(index) "counter@" #index " { reg=<" #index "> } "

#define LOST TFA_LOST
#define UNDEFINED TFA_UNDEFINED
#define PANIC TFA_PANIC
#define NOT_FOUND (-FDT_ERR_NOTFOUND)
#define BAD_VALUE (-FDT_ERR_BADVALUE)
#define BAD_PHANDLE (-FDT_ERR_BADPHANDLE)

/* TF-A's deviations and errors were observed with its own code. */
static const struct odd {
	const char *name, *tree;
	unsigned doubts;
	int error;
	const char *codes;          /* the findings */
	unsigned described, enable; /* of CPU 0 */
} odd[] = {
	{ "nothing odd", COUNTERS(ON(0) OFF(1)), 0, 0, "", 3, 1 },
	{ "index 15", COUNTERS(ON(f)), 0, 0, "", 0x8000, 0x8000 },
	{ "index 16", COUNTERS(ON(1) ON(10)), LOST, 0, "counter-range", 2, 2 },
	{ "index 16, not enabled", COUNTERS(ON(1) OFF(10)), 0, 0, "counter-range", 2, 2 },
	{ "index 31", COUNTERS(ON(1) ON(1f)), UNDEFINED, 0, "counter-range", 2, 2 },
	{ "index 32", COUNTERS(ON(1) ON(20)), UNDEFINED, 0, "counter-range", 2, 2 },
	{ "index 33", COUNTERS(OFF(1) ON(21)), UNDEFINED, 0, "counter-range", 2, 0 },
	{ "index 2^31", COUNTERS(ON(80000000)), UNDEFINED, 0, "counter-range", 0, 0 },
	{ "index 2^32 - 1", COUNTERS(ON(ffffffff)), UNDEFINED, 0, "counter-range", 0, 0 },
	{ "index 2^32",
	  VIEW_OF("#address-cells=<2> #size-cells=<0> ",
		  "counter@100000000 { reg=<1 0> enable-at-el3 } "),
	  UNDEFINED, 0, "cells counter-range", 0, 0 },
	{ "two cells",
	  VIEW_OF("#address-cells=<2> #size-cells=<0> ", "counter@3 { reg=<0 3> enable-at-el3 } "),
	  0, 0, "cells", 8, 8 },
	{ "three cells",
	  VIEW_OF("#address-cells=<3> #size-cells=<0> ",
		  "counter@5 { reg=<0 0 5> enable-at-el3 } "),
	  TFA_PART, 0, "cells", 0x20, 0x20 },
	{ "four cells, too large",
	  VIEW_OF("#address-cells=<4> #size-cells=<0> ",
		  "counter@1 { reg=<1 0 0 0> enable-at-el3 } "),
	  TFA_PART | UNDEFINED, 0, "cells counter-range", 0, 0 },
	{ "no cells", VIEW_OF("#address-cells=<0> #size-cells=<0> ", ON(3)), TFA_PART, 0, "cells",
	  8, 8 },
	{ "five cells", VIEW_OF("#address-cells=<5> #size-cells=<0> ", ON(3)), TFA_PART, 0, "cells",
	  8, 8 },
	{ "cells absent, one in reg", VIEW_OF("", ON(0)), PANIC, BAD_VALUE, "cells", 1, 1 },
	{ "cells absent, two in reg",
	  VIEW_OF("#size-cells=<0> ", "counter@4 { reg=<0 4> enable-at-el3 } "), 0, 0, "cells",
	  0x10, 0x10 },
	{ "four cells, three in reg",
	  VIEW_OF("#address-cells=<4> #size-cells=<0> ",
		  "counter@5 { reg=<0 0 5> enable-at-el3 } "),
	  PANIC, BAD_VALUE, "cells", 0x20, 0x20 },
	{ "five cells and a size",
	  VIEW_OF("#address-cells=<5> #size-cells=<1> ",
		  "counter@5 { reg=<0 0 0 0 5 8> enable-at-el3 } "),
	  TFA_PART, 0, "cells", 0x20, 0x20 },
	{ "cells of 3 bytes", VIEW_OF("#address-cells=[0 0 1] #size-cells=<0> ", ON(3)), TFA_PART,
	  0, "cells", 8, 8 },
	{ "size cells absent", VIEW_OF("#address-cells=<1> ", ON(0)), PANIC, BAD_VALUE, "", 1, 1 },
	{ "a size",
	  VIEW_OF("#address-cells=<1> #size-cells=<1> ", "counter@3 { reg=<3 8> enable-at-el3 } "),
	  0, 0, "", 8, 8 },
	{ "reg missing", COUNTERS(ON(0) "counter@1 { enable-at-el3 } " ON(2)), PANIC, NOT_FOUND,
	  "counter-reg", 5, 5 },
	{ "reg empty", COUNTERS(ON(0) "counter@1 { reg enable-at-el3 } "), PANIC, BAD_VALUE,
	  "counter-reg", 1, 1 },
	{ "reg of 3 bytes", COUNTERS(ON(0) "counter@1 { reg=[0 0 1] enable-at-el3 } "), PANIC,
	  BAD_VALUE, "counter-reg", 1, 1 },
	{ "reg of 5 bytes", COUNTERS(ON(0) "counter@1 { reg=[0 0 0 1 0] enable-at-el3 } "),
	  TFA_PART, 0, "counter-reg", 1, 1 },
	{ "one index twice", COUNTERS(ON(2) "counter@3 { reg=<2> } "), 0, 0, "counter-duplicate", 4,
	  4 },
	{ "one index twice, enabled later", COUNTERS(OFF(2) ON(2)), 0, 0, "counter-duplicate", 4,
	  4 },
	{ "one index three times, enabled by a value",
	  COUNTERS(OFF(2) OFF(2) "counter@2 { reg=<2> enable-at-el3=<0> } "), 0, 0,
	  "counter-duplicate counter-duplicate enable-value", 4, 4 },
	{ "one index twice, one of them no counter",
	  COUNTERS(OFF(2) "ctr@2 { reg=<2> enable-at-el3 } "), 0, 0, "counter-name", 4, 0 },
	{ "16 counters",
	  COUNTERS(ON(0) OFF(1) ON(2) OFF(3) ON(4) OFF(5) ON(6) OFF(7) ON(8) OFF(9) ON(a) OFF(b)
			   ON(c) OFF(d) ON(e) OFF(f)),
	  0, 0, "", 0xffff, 0x5555 },
	{ "17 counters",
	  COUNTERS(ON(0) ON(1) ON(2) ON(3) ON(4) ON(5) ON(6) ON(7) ON(8) ON(9) ON(a) ON(b) ON(c)
			   ON(d) ON(e) ON(f) ON(10)),
	  LOST, 0, "counter-range", 0xffff, 0xffff },
	{ "17 counters, one twice",
	  COUNTERS(ON(0) ON(1) ON(2) ON(3) ON(4) ON(5) ON(6) ON(7) ON(8) ON(9) ON(a) ON(b) ON(c)
			   ON(d) ON(e) ON(f) ON(0)),
	  0, 0, "counter-duplicate", 0xffff, 0xffff },
	{ "counters inside of a counter",
	  COUNTERS("counter@0 { reg=<0> " ONE ON(1) "counter@2 { } } " OFF(3)), 0, 0, "", 9, 0 },
	{ "views of one name", COUNTERS(ON(0) "} b { } b { } amu-0 { } b { } amu-0 { } b { "), 0, 0,
	  "", 1, 1 },
	{ "no '@'",
	  COUNTERS("counter { reg=<0> enable-at-el3 } counter-1 { reg=<1> enable-at-el3 } "
		   "ctr@2 { reg=<2> enable-at-el3 } counters@3 { } " ON(4)),
	  0, 0, "counter-name counter-name counter-name counter-name", 0x10, 0x10 },
	{ "another address", COUNTERS("counter@7 { reg=<1> enable-at-el3 } "), 0, 0,
	  "unit-mismatch", 2, 2 },
	{ "a decimal address", COUNTERS("counter@10 { reg=<a> } counter@0a { reg=<b> } "), 0, 0,
	  "unit-mismatch unit-mismatch", 0xc00, 0 },
	{ "no address",
	  COUNTERS("counter@ { reg=<0> } counter@0x1 { reg=<1> } counter@2,0 { reg=<2> } "
		   "counter@100000003 { reg=<3> } "),
	  0, 0, "unit-mismatch unit-mismatch unit-mismatch unit-mismatch", 0xf, 0 },
	/* In base 17 this would be 2^64 + 4. */
	{ "an address with a 'g'", COUNTERS("counter@67979g60f5428015 { reg=<4> } "), 0, 0,
	  "unit-mismatch", 0x10, 0 },
	{ "addresses as good",
	  COUNTERS("counter@00000000000000000 { reg=<0> } counter@B { reg=<b> } "
		   "counter@0c { reg=<c> } "),
	  0, 0, "", 0x1801, 0 },
	{ "enable with a value",
	  COUNTERS("counter@0 { reg=<0> enable-at-el3=<0> } " OFF(
		  1) "counter@2 { reg=<2> enable-at-el3=[0] } "),
	  0, 0, "enable-value enable-value", 7, 5 },
	{ "more than one thing", COUNTERS("counter@7 { reg=<6> enable-at-el3=<1> } "), 0, 0,
	  "unit-mismatch enable-value", 0x40, 0x40 },
	{ "dropped for one reason", COUNTERS("counter@7 { reg=<16> enable-at-el3=<1> } "), LOST, 0,
	  "counter-range", 0, 0 },
	{ "views of one name",
	  "cpus { " ONE "amus { amu-0 { phandle=<3> " ONE OFF(1) "} amu-0 { phandle=<1> " ONE ON(
		  2) "} "
		     "amu-0 { " ONE ON(3) "} " GOOD_VIEW "} cpu@0 { reg=<0> amu=<1> } " GOOD_CPUS
					  "} ",
	  0, 0, "", 4, 4 },
	{ "view without counters", COUNTERS(""), 0, 0, "", 0, 0 },
	{ "counters in amus",
	  "cpus { " ONE "amus { phandle=<1> " ONE "counter@0 { reg=<0> } " GOOD_VIEW
	  "} cpu@0 { reg=<0> amu=<1> } " GOOD_CPUS "}",
	  0, 0, "view-missing", 0, 0 },

	{ "amu absent", AMU(""), 0, 0, "", 0, 0 },
	{ "amu zero", AMU("amu=<0>"), PANIC, BAD_PHANDLE, "view-missing", 0, 0 },
	{ "amu -1", AMU("amu=<ffffffff>"), PANIC, BAD_PHANDLE, "view-missing", 0, 0 },
	{ "amu -1 of a view that says so",
	  "cpus { " ONE "amus { amu-0 { phandle=<ffffffff> " ONE ON(
		  2) "} " GOOD_VIEW "} cpu@0 { reg=<0> amu=<ffffffff> } " GOOD_CPUS "} ",
	  PANIC, BAD_PHANDLE, "view-missing", 0, 0 },
	{ "amu dangling", AMU("amu=<55>"), PANIC, NOT_FOUND, "view-missing", 0, 0 },
	{ "amu empty", AMU("amu"), PANIC, BAD_VALUE, "view-missing", 0, 0 },
	{ "amu of 3 bytes", AMU("amu=[0 0 1]"), PANIC, BAD_VALUE, "view-missing", 0, 0 },
	{ "amu of 7 bytes", AMU("amu=[0 0 0 1 0 0 0]"), 0, 0, "", 0xc, 4 },
	{ "amu of two views", AMU("amu=<1 2>"), 0, 0, "view-extra", 0xc, 4 },
	{ "amu of many views", AMU("amu=<1 0 0 0 0 0 0 0 0 55>"), 0, 0, "view-extra", 0xc, 4 },
	{ "amu of two, dangling", AMU("amu=<55 1>"), PANIC, NOT_FOUND, "view-missing view-extra", 0,
	  0 },
	{ "amu its own CPU", AMU("amu=<8>"), 0, 0, "view-missing", 0, 0 },
	{ "amu another CPU", AMU("amu=<9> } cpu@1 { reg=<1> phandle=<9>"), 0, 0, "view-missing", 0,
	  0 },
	{ "amu is amus", AMU("amu=<7>"), 0, 0, "view-missing", 0, 0 },
	{ "amu of the name of 2013",
	  "cpus { " ONE "amus { amu-0 { linux,phandle=<1> " ONE ON(
		  2) "} " GOOD_VIEW "} cpu@0 { reg=<0> amu=<1> } " GOOD_CPUS "} ",
	  0, 0, "", 4, 4 },
	{ "amu of the name of 2013, today's without a cell",
	  "cpus { " ONE "amus { amu-0 { phandle linux,phandle=<1> " ONE ON(
		  2) "} " GOOD_VIEW "} cpu@0 { reg=<0> amu=<1> } " GOOD_CPUS "} ",
	  0, 0, "", 4, 4 },
	{ "view elsewhere", AMU("amu=<6>") "soc { views { v { phandle=<6> " ONE ON(6) "} } } ", 0,
	  0, "view-foreign", 0x40, 0x40 },
	{ "view before the CPUs", "soc { v { phandle=<6> " ONE ON(6) "} } " AMU("amu=<6>"), 0, 0,
	  "view-foreign", 0x40, 0x40 },
	{ "view in cpus", AMU("amu=<6>  } v { phandle=<6> " ONE OFF(1) ON(6)), 0, 0, "view-foreign",
	  0x42, 0x40 },
	{ "view in a CPU", AMU("amu=<8> " ONE ON(6)), 0, 0, "view-foreign", 0x40, 0x40 },
	{ "view elsewhere that nobody names",
	  AMU("amu=<1>") "soc { v { phandle=<6> counter@77 { reg } } } ", 0, 0, "", 0xc, 4 },
	{ "view elsewhere, with others and children",
	  AMU("amu=<6>") "v { phandle=<6> " ONE "port@0 { phandle=<a> x { } } " ON(
		  6) "counter-1 { reg=<1> } y { phandle=<b> z { phandle=<c> } } " OFF(0) "} ",
	  0, 0, "view-foreign", 0x41, 0x40 },
	{ "view of the greatest depth",
	  AMU("amu=<6>") "a { b { c { d { e { v { phandle=<6> " ONE ON(6) "} } } } } } ", 0, 0,
	  "view-foreign", 0x40, 0x40 },
	{ "bad view elsewhere",
	  AMU("amu=<6>") "v { phandle=<6> #size-cells=<0> counter@0 { reg=<0> "
			 "enable-at-el3 } counter@1 { } } ",
	  PANIC, BAD_VALUE, "view-foreign cells counter-reg", 1, 1 },
	{ "node elsewhere without counters", AMU("amu=<6>") "soc { v { phandle=<6> } } ", 0, 0,
	  "view-missing", 0, 0 },
	{ "root as view", "phandle=<6> " AMU("amu=<6>"), 0, 0, "view-missing", 0, 0 },

	{ "one CPU twice", CPU("cpu@0 { reg=<0> amu=<1> } cpu@1 { reg=<0> amu=<1> }"), TFA_MERGED,
	  0, "cpu-duplicate", 0xc, 4 },
	{ "one CPU twice, two views", CPU("cpu@0 { reg=<0> amu=<1> } cpu@0 { reg=<0> amu=<2> }"),
	  TFA_MERGED, 0, "cpu-duplicate", 0xc, 4 },
	{ "one CPU twice, one view", CPU("cpu@0 { reg=<0> } cpu@0 { reg=<0> amu=<1> }"), TFA_MERGED,
	  0, "cpu-duplicate", 0, 0 },
	{ "one CPU three times, one bad",
	  CPU("cpu@0 { reg=<0> amu=<1> } cpu@0 { reg=<0> amu=<55> } cpu@0 { reg=<80000000> }"),
	  TFA_MERGED | PANIC, NOT_FOUND, "cpu-duplicate cpu-duplicate", 0xc, 4 },
	{ "CPU disabled", CPU("cpu@0 { reg=<0> amu=<1> status=\"disabled\" }"), 0, 0,
	  "cpu-disabled", 0xc, 4 },
	{ "CPUs enabled",
	  CPU("cpu@0 { reg=<0> amu=<1> status=\"okay\" } cpu@1 { reg=<1> status=\"ok\" }"), 0, 0,
	  "", 0xc, 4 },
	{ "CPUs all but enabled",
	  CPU("cpu@0 { reg=<0> amu=<1> status=\"okays\" } cpu@1 { reg=<1> status=\"oka\" }"), 0, 0,
	  "cpu-disabled cpu-disabled", 0xc, 4 },
	{ "CPU neither", CPU("cpu@0 { reg=<0> amu=<1> status=\"\" }"), 0, 0, "cpu-disabled", 0xc,
	  4 },
	{ "names of the document",
	  CPU("cpu0@00000 { reg=<0> amu=<1> } cpu19@1 { reg=<1> amu=<1> }"), TFA_SKIPPED, 0,
	  "cpu-name cpu-name", 0xc, 4 },
	{ "device_type alone", CPU("core { device_type=\"cpu\" reg=<0> amu=<1> }"), TFA_SKIPPED, 0,
	  "cpu-name", 0xc, 4 },
	{ "no CPUs",
	  CPU("cpu@0 { reg=<0> amu=<1> } cpu-map { amu=<55> } cpu { reg=<1> amu=<1> } "
	      "cpu1 { reg=<1> } cpux@1 { reg=<1> } cpu1x@1 { reg=<1> } cpu-1@1 { reg=<1> } CPU@1 { reg=<1> } "
	      "memory@1 { device_type=\"memory\" reg=<1> amu=<1> } "
	      "cpus@1 { device_type=\"cpus\" reg=<1> amu=<1> }"),
	  TFA_SKIPPED, 0, "", 0xc, 4 },
	{ "RES1, U and MT", CPU("cpu@0 { reg=<c1000000> amu=<1> }"), 0, 0, "cpu-reg", 0xc, 4 },
	{ "CPU without reg", CPU("cpu@0 { reg=<0> amu=<1> } cpu@1 { amu=<1> }"), PANIC, NOT_FOUND,
	  "cpu-reg", 0xc, 4 },
	{ "CPU without reg and view", CPU("cpu@0 { reg=<0> amu=<1> } cpu@1 { amu=<55> }"), PANIC,
	  NOT_FOUND, "cpu-reg", 0xc, 4 },
	{ "CPU with half a reg", CPU("cpu@0 { reg=<0> amu=<1> } cpu@1 { reg=[0 1] }"), PANIC,
	  BAD_VALUE, "cpu-reg", 0xc, 4 },
	{ "CPUs inside of CPUs", CPU("cpu@0 { reg=<0> amu=<1> cpu@1 { reg=<1> amu=<55> } }"), 0, 0,
	  "", 0xc, 4 },
};

/* The same words in any order. */
static int same_codes(const char *words)
{
	char left[256], *at;
	uint32_t i;

	sprintf(left, " %s ", words);
	for (i = 0; i < amu_findings.n; i++) {
		char word[64];

		sprintf(word, " %s ", amu_findings.at[i].code);
		at = strstr(left, word);
		if (!at)
			return 0;
		memmove(at, at + strlen(word) - 1, strlen(at + strlen(word) - 1) + 1);
	}
	return strspn(left, " ") == strlen(left);
}

/* A CPU's masks; the model checks its view's number. */
static void check_masks(const struct pmumap_amu *map, uint64_t mpidr, unsigned described,
			unsigned enable)
{
	struct pmumap_amu_cpu c = { 0, 0, 0xdead, 0xdead };

	CHECK(pmumap_amu_cpu_find(map, mpidr, &c));
	CHECK_EQ(c.described, described);
	CHECK_EQ(c.enable, enable);
}

static void odd_trees(void)
{
	size_t i, size;

	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		unsigned char *fdt = make(odd[i].tree, &size);
		enum pmumap_status status;
		unsigned doubts;
		struct pmumap_amu *map;
		struct tfa t;

		test_now = odd[i].name;
		CHECK(check_amu_tree(fdt, size, &doubts));
		CHECK_EQ(doubts, odd[i].doubts);
		tfa_read(&t, fdt);
		CHECK_EQ(t.error, odd[i].error);
		tfa_free(&t);
		map = amu_build(fdt, size, 0, &status);
		CHECK_EQ(status, PMUMAP_OK);
		CHECK(same_codes(odd[i].codes));
		if (map) {
			check_masks(map, 0, odd[i].described, odd[i].enable);
			check_masks(map, 0x100, 3, 1);
			check_masks(map, 0x200, 3, 1);
		}
		free(map);
		free(fdt);
	}
	test_now = "";
}

/* ---- whole trees ----------------------------------------------------------------------------- */

static const struct whole {
	const char *name, *tree;
	enum pmumap_status status;
	uint32_t cpus, views;
	int error; /* of TF-A */
	const char *codes;
} whole[] = {
	{ "no cpus", "foo { } ", PMUMAP_E_NOTFOUND, 0, 0, NOT_FOUND, "" },
	{ "amus without cpus", "amus { amu-0 { phandle=<1> " ONE ON(0) "} } ", PMUMAP_E_NOTFOUND, 0,
	  0, NOT_FOUND, "" },
	{ "empty cpus", "cpus { }", PMUMAP_E_NOTFOUND, 0, 0, 0, "" },
	{ "CPUs of another kind", "cpus { " ONE "cpu@0 { reg=<0> } cpu@1 { } cpu9@1 { reg=<1> } } ",
	  PMUMAP_E_NOTFOUND, 0, 0, NOT_FOUND, "" },
	{ "cpus elsewhere", "soc { cpus { " ONE "cpu@0 { reg=<0> amu=<1> } } } cpu@0 { amu=<1> } ",
	  PMUMAP_E_NOTFOUND, 0, 0, NOT_FOUND, "" },
	{ "amus without views", "cpus { " ONE "amus { } cpu@0 { reg=<0> } } ", PMUMAP_OK, 1, 0, 0,
	  "" },
	{ "amus without CPUs", "cpus { " ONE "amus { amu-0 { " ONE ON(0) "} amu-1 { } } } ",
	  PMUMAP_OK, 0, 2, 0, "" },
	{ "amus alone", "cpus { amus { } } ", PMUMAP_OK, 0, 0, 0, "" },
	{ "CPUs without amus", "cpus { " ONE "cpu@0 { reg=<0> } cpu@1 { reg=<1> amu=<1> } } ",
	  PMUMAP_OK, 2, 0, NOT_FOUND, "view-missing" },
	{ "a bad CPU with amu", "cpus { " ONE "cpu@0 { amu=<1> } } ", PMUMAP_OK, 0, 0, NOT_FOUND,
	  "cpu-reg" },
	{ "CPUs of three cells",
	  "cpus { #address-cells=<3> #size-cells=<0> amus { amu-0 { phandle=<1> " ONE ON(
		  0) "} } cpu@0 { reg=<0 0 1> amu=<1> } cpu@2 { reg=<0 0 2> } } ",
	  PMUMAP_OK, 0, 1, 0, "cpu-reg cpu-reg" },
	{ "CPUs of no cells", "cpus { #address-cells=<0> amus { } cpu@0 { reg=<0> } } ", PMUMAP_OK,
	  0, 0, 0, "cpu-reg" },
	{ "CPUs of two cells",
	  "cpus { #address-cells=<2> #size-cells=<0> amus { amu-0 { phandle=<1> " ONE ON(
		  0) "} } cpu@1 { reg=<0 1> amu=<1> } cpu@ff00000001 { reg=<ff 1> amu=<1> } "
		     "cpu@100000001 { reg=<1 81000001> amu=<1> } cpu@2 { reg=<ffffff00 2> } "
		     "cpu@3 { reg=<3> } } ",
	  PMUMAP_OK, 4, 1, BAD_VALUE, "cpu-reg cpu-reg cpu-reg" },
	{ "cells of CPUs absent",
	  "cpus { #size-cells=<0> amus { } cpu@1 { reg=<0 1> } cpu@200000001 { reg=<2 1> } } ",
	  PMUMAP_OK, 2, 0, 0, "" },
	{ "amus that is called a CPU",
	  "cpus { " ONE "amus { device_type=\"cpu\" reg=<1> amu=<1> } cpu@0 { reg=<0> } } ",
	  PMUMAP_OK, 1, 0, 0, "" },
	{ "the root is no view",
	  "phandle=<1> " ONE "counter@0 { reg=<0> } cpus { " ONE "cpu@0 { reg=<0> amu=<1> } } ",
	  PMUMAP_OK, 1, 0, 0, "view-missing" },
	{ "more than cpus",
	  "cpusx { " ONE "amus { amu-0 { } } cpu@0 { reg=<0> } } cpu { " ONE
	  "amus { amu-1 { } } } ",
	  PMUMAP_E_NOTFOUND, 0, 0, NOT_FOUND, "" },
	{ "amus twice", "cpus { " ONE "amus { amu-0 { } } cpu@0 { reg=<0> } } amus { amu-1 { } } ",
	  PMUMAP_OK, 1, 1, 0, "" },
	{ "labels",
	  "__symbols__ { x=\"/cpus/amus/amu-0/counter@2\" a=\"/cpus/amus/amu-0/counter@0\" "
	  "v=\"/cpus/amus/amu-0\" b=\"/cpus/amus/amu-1/counter@0\" "
	  "c=\"/cpus/amus/amu-0/counter@0\" d=\"/cpus/amus/amu-0/counter@00\" "
	  "e=\"/cpus/amus/amu-0/counter@1/\" f=\"/cpus/amus/amu-2/counter@1\" "
	  "g=\"/cpus/amus/amu-0/counter\" h=\"/cpus/amus//counter@1\" i=\"/cpus/amus/\" j "
	  "k=[2f 63] l=\"/cpus/amus/amu/counter@1\" m=\"/cpus/amus/amu-0/counter@1/x\" p=\"/cpus/amus/amu-00/counter@1\" "
	  "o=[2f 63 70 75 73 2f 61 6d 75 73 2f 61 6d 75"
	  " 2d 31 0 63 6f 75 6e 74 65 72 40 31 0] " /* /cpus/amus/amu-1, with counter@1 after it */
	  "n='/cpus/amus/amu-1/counter@1' y { z=\"/cpus/amus/amu-0/counter@1\" } } "
	  "cpus { " ONE "amus { amu-0 { phandle=<1> " ONE "counter@0 { reg=<0> } "
	  "counter@1 { reg=<1> x { } } counter@2 { } } "
	  "amu-1 { " ONE "counter@0 { reg=<0> } counter@1 { reg=<1> } } "
	  "amu { " ONE "counter@0 { reg=<0> } } } } "
	  "x { __symbols__ { z=\"/cpus/amus/amu-1/counter@1\" } } ",
	  PMUMAP_OK, 0, 3, 0, "counter-reg" },
	{ "a label like a name, and another of the same counter",
	  "__symbols__ { counter@0=\"/cpus/amus/amu-0/counter@0\" "
	  "x=\"/cpus/amus/amu-0/counter@0\" y=\"/cpu0/amus/amu-0/counter@1\" } "
	  "cpus { " ONE "amus { amu-0 { phandle=<1> " ONE ON(0)
		  ON(1) "} } cpu@0 { reg=<0> amu=<1> } } ",
	  PMUMAP_OK, 1, 1, 0, "" },
	{ "label of a view behind all others",
	  "cpus { " ONE "amus { amu-0 { phandle=<1> " ONE "counter@0 { reg=<0> } } } "
	  "cpu@0 { reg=<0> amu=<1> } } __symbols__ { v=\"/cpus/amus/amu-0\" } ",
	  PMUMAP_OK, 1, 1, 0, "" },
	{ "a counter without '@' behind all others",
	  "cpus { " ONE "cpu@0 { reg=<0> amu=<1> } amus { amu-0 { phandle=<1> " ONE
	  "counter { reg=<0> } } } } ",
	  PMUMAP_OK, 1, 1, 0, "counter-name" },
	{ "labels of views in any order, one of them there twice",
	  "__symbols__ { a=\"/cpus/amus/amu-0/counter@0\" b=\"/cpus/amus/amu-1/counter@0\" "
	  "c=\"/cpus/amus/amu-2/counter@0\" d=\"/cpus/amus/amu-3/counter@0\" } "
	  "cpus { " ONE "amus { amu-2 { " ONE "counter@0 { reg=<0> } } amu-3 { " ONE
	  "counter@0 { reg=<0> } } amu-1 { " ONE "counter@0 { reg=<0> } } amu-0 { " ONE
	  "counter@0 { reg=<0> } } amu-1 { " ONE "counter@0 { reg=<0> } } amu-0 { " ONE
	  "counter@0 { reg=<0> } } } } ",
	  PMUMAP_OK, 0, 6, 0, "" },
	{ "a label of counters with one name: of the first",
	  "__symbols__ { a=\"/cpus/amus/amu-0/counter@0\" b=\"/cpus/amus/amu-0/counter@0\" } "
	  "cpus { " ONE "amus { amu-0 { phandle=<1> " ONE "counter@0 { reg=<0> } "
	  "counter@0 { reg=<1> } counter@0 { reg=<2> } } } } ",
	  PMUMAP_OK, 0, 1, 0, "unit-mismatch unit-mismatch" },
	{ "no labels",
	  "__symbols__x { a=\"/cpus/amus/amu-0/counter@0\" } "
	  "__symbols { b=\"/cpus/amus/amu-0/counter@0\" } "
	  "cpus { " ONE "amus { amu-0 { phandle=<1> " ONE "counter@0 { reg=<0> } } } "
	  "cpu@0 { reg=<0> amu=<1> } } ",
	  PMUMAP_OK, 1, 1, 0, "" },
};

/* The root is neither a CPU nor /__symbols__, whatever its name, and contains no CPU. */
static void root_cpu(void)
{
	static const char *const names[] = { "cpu@0", "amus", "cpus", "__symbols__" };
	struct pmumap_amu_cpu c;
	size_t size, i;

	for (i = 0; i < 4; i++) {
		enum pmumap_status status;
		struct pmumap_amu *map;
		unsigned char *fdt;

		start();
		begin(names[i]);
		blob_text(
			&tree,
			"a=\"/cpus/amus/amu-0/counter@0\" reg=<0> amu=<1> device_type=\"cpu\" " ONE
			"cpu@5 { reg=<5> amu=<1> } cpus { " ONE
			"amus { amu-0 { phandle=<1> " ONE ON(0) "} } cpu@1 { reg=<1> amu=<1> } } ");
		fdt = finish(&size);
		map = amu_build(fdt, size, 0, &status);
		test_now = names[i];
		CHECK_EQ(status, PMUMAP_OK);
		CHECK(map && pmumap_amu_cpu_at(map, 0, &c) && c.mpidr == 1);
		CHECK(map && !pmumap_amu_cpu_at(map, 1, &c));
		CHECK(map && same_text(pmumap_amu_counter_name(map, 0, 0), "counter@0"));
		CHECK(same_codes(""));
		free(map);
		free(fdt);
	}
}

/*
 * Labels of counters after many useless ones, last counters first. The first label of each counter
 * counts, unless it has 64 letters or more.
 */
static void late_labels(void)
{
	char label[66] = "";
	enum pmumap_status status;
	struct pmumap_amu *map;
	unsigned i, doubts;
	size_t size;
	unsigned char *fdt;

	memset(label, 'L', sizeof(label) - 1);
	start();
	blob_text(&tree, "{ __symbols__ {");
	for (i = 16; i-- > 0;) {
		if (i > 2 && i < 6)
			blob_format(&tree, "%s=\"/cpus/amus/amu-0/counter@%x\"", label + i - 3, i);
		else
			blob_format(&tree, "late_%u=\"/cpus/amus/amu-0/counter@%x\"", i, i);
		blob_format(&tree, "again_%u=\"/cpus/amus/amu-0/counter@%x\"", i, i);
	}
	blob_text(&tree,
		  "bad=\"/cpus/amus/amu-0/counter@123\" none=\"/cpus/amus/amu-0/counter@zz\" "
		  "} cpus { #address-cells=<1> amus { amu-0 {");
	for (i = 216; i-- > 0;) {
		unsigned n = i < 16 ? i : i + 0x100;

		blob_format(&tree, "counter@%x { reg=<%x> }", n, n);
	}
	fdt = finish(&size);
	test_now = "labels behind the 63rd counter";
	check_amu_tree(fdt, size, &doubts);
	map = amu_build(fdt, size, 0, &status);
	if (map) {
		CHECK(!strcmp(pmumap_amu_counter_name(map, 0, 0), "late_0"));
		CHECK(!strcmp(pmumap_amu_counter_name(map, 0, 15), "late_15"));
		CHECK(!strcmp(pmumap_amu_counter_name(map, 0, 3), "again_3"));
		CHECK(!strcmp(pmumap_amu_counter_name(map, 0, 4), "again_4"));
		CHECK(!strcmp(pmumap_amu_counter_name(map, 0, 5), label + 2));
	}
	free(map);
	free(fdt);
}

/*
 * A NOP between labels, an empty label, more labels of one path than are looked at; and paths of 255
 * bytes, and of 256, which are ignored.
 */
static void odd_labels(void)
{
	static const struct pmumap_amu_options without = { 0, NULL };
	static uint64_t block[512];
	char view[4][300] = { "amu-0" };
	const struct pmumap_amu *map = NULL;
	unsigned i, k, doubts;
	size_t size;
	unsigned char *fdt;

	memset(view[1], 'v', 234);
	memset(view[2], 'w', 235);
	memset(view[3], 'x', 299);
	start();
	blob_text(&tree, "{ __symbols__ {");
	for (i = 0; i < 9; i++) {
		if (i == 2)
			blob_text(&tree, "=\"/cpus/amus/amu-0/counter@2\"");
		else
			blob_format(&tree, "label%u%u=\"/cpus/amus/%s/counter@%x\"", i / 3, i % 3,
				    view[i / 3], i % 3);
	}
	for (i = 0; i < 70; i++)
		blob_format(&tree, "more%u=\"/cpus/amus/amu-0/counter@1\"", i);
	blob_text(&tree, "} cpus { amus {");
	for (i = 0; i < 4; i++) {
		blob_format(&tree, "%s { #address-cells=<1>", view[i]);
		for (k = 0; k < 3; k++)
			blob_format(&tree, "counter@%x { reg=<%x> }", k, k);
		end();
	}
	fdt = finish(&size);
	test_now = "odd labels";
	CHECK_EQ(fdt_nop_property(fdt, fdt_path_offset(fdt, "/__symbols__"), "label01"), 0);
	CHECK(check_amu_tree(fdt, size, &doubts));
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, &without, block, sizeof(block), &map), PMUMAP_OK);
	CHECK(map && !strcmp(pmumap_amu_counter_name(map, 0, 0), "counter@0"));
	free(fdt);
	test_now = "";
}

/* Labels of other paths with the hashes of the counters' paths are not taken for theirs. */
static void colliding_labels(void)
{
	size_t size;
	unsigned doubts;
	unsigned char *fdt =
		make("__symbols__ { a=\"/cpus/amus/amu-1/counter@79bb9861\" "
		     "b=\"/cpus/amus/amu-01/counter@90478955\" "
		     "c=\"/cpus/amus/amu-0/counter@87ec21e\" "
		     "d=\"/cpus/amus/amu-0/counter@8e173955\" } "
		     "cpus { amus { amu-0 { " ONE "counter@8e173955 { reg=<0> } "
		     "counter@5f861787 { reg=<1> } counter@7b8f17a1 { reg=<2> } } } } ",
		     &size);

	test_now = "colliding labels";
	CHECK(check_amu_tree(fdt, size, &doubts));
	free(fdt);
	test_now = "";
}

/* Old contents of the block must not look like a reference to a view elsewhere. */
static void dirty_block(void)
{
	size_t size, bytes;
	unsigned char *fdt = make("__symbols__ { a=\"/cpus/amus/amu-0/counter@0\" } "
				  "cpus { " ONE "amus { amu-0 { phandle=<1> " ONE ON(
					  0) "} } "
					     "cpu@0 { reg=<0> amu=<1> } } "
					     "soc { phandle=<1010101> " ONE ON(0) "} ",
				  &size);
	const struct pmumap_amu *map = NULL;
	uint16_t mask;
	void *block;

	test_now = "a dirty block";
	CHECK_EQ(pmumap_amu_fdt_measure(fdt, size, NULL, &bytes), PMUMAP_OK);
	block = memset(exact(bytes), 1, bytes);
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, NULL, block, bytes, &map), PMUMAP_OK);
	CHECK(map && pmumap_amu_view_at(map, 0, &mask, &mask) &&
	      !pmumap_amu_view_at(map, 1, &mask, &mask));
	free(block);
	free(fdt);
	test_now = "";
}

static void whole_trees(void)
{
	size_t i, size;

	for (i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		const struct whole *w = &whole[i];
		unsigned char *fdt = make(w->tree, &size);
		enum pmumap_status status;
		struct pmumap_amu_cpu c;
		uint16_t mask;
		unsigned doubts;
		struct pmumap_amu *map;
		struct tfa t;

		test_now = w->name;
		CHECK_EQ(check_amu_tree(fdt, size, &doubts), w->status == PMUMAP_OK);
		tfa_read(&t, fdt);
		CHECK_EQ(t.error, w->error);
		tfa_free(&t);
		map = amu_build(fdt, size, 0, &status);
		CHECK_EQ(status, w->status);
		CHECK(same_codes(w->codes));
		CHECK_EQ(map && w->cpus && pmumap_amu_cpu_at(map, w->cpus - 1, &c), w->cpus != 0);
		CHECK(!map || !pmumap_amu_cpu_at(map, w->cpus, &c));
		CHECK_EQ(map && w->views && pmumap_amu_view_at(map, w->views - 1, &mask, &mask),
			 w->views != 0);
		CHECK(!map || !pmumap_amu_view_at(map, w->views, &mask, &mask));
		free(map);
		free(fdt);
	}
	test_now = "";
}

/* A property amu that repeats the same view this many times. */
static void many_names(void)
{
	static const uint32_t counts[] = { 1, 2, 0xfffe, 0xffff, 0x10000, 0x10001, 70000 };
	uint32_t i, k, *cells = exact(70000 * sizeof(*cells));

	test_now = "many names";
	for (k = 0; k < 70000; k++)
		cells[k] = cpu_to_fdt32(1);
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		unsigned char *fdt;
		unsigned doubts;
		size_t size;

		start();
		blob_text(&tree, "{ cpus { " ONE "cpu@0 { reg=<0>");
		bytes("amu", cells, counts[i] * sizeof(*cells));
		blob_text(&tree, "} amus { amu-0 { phandle=<1>");
		fdt = finish(&size);
		CHECK(check_amu_tree(fdt, size, &doubts));
		CHECK_EQ(amu_findings.n, i != 0);
		free(fdt);
	}
	free(cells);
	test_now = "";
}

/* The only view that TF-A finds and pmumap does not: one that is too deep. */
static void too_deep(void)
{
	size_t size;
	unsigned char *fdt = make("a { b { c { d { e { f { v { phandle=<6> " ONE ON(
					  6) "} } } } } } } "
					     "cpus { " ONE "cpu@0 { reg=<0> amu=<6> } } ",
				  &size);
	enum pmumap_status status;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);
	struct amu_model m;
	struct tfa t;

	test_now = "too deep";
	CHECK(amu_model_read(&m, fdt));
	CHECK(map != NULL);
	if (map)
		check_amu(map, &m);
	CHECK(same_codes("view-missing"));
	match_findings(&amu_findings, m.finding, m.findings, NULL, same_in_all, NULL);
	tfa_read(&t, fdt);
	CHECK(t.doubts == 0 && tfa_enable(&t, 0) == 0x40);
	tfa_free(&t);
	amu_model_free(&m);
	free(map);
	free(fdt);
	test_now = "";
}

/* A view elsewhere has only the counters before a view inside of it. */
static void inner_view(void)
{
	size_t size;
	unsigned char *fdt = make(
		CPU("cpu@0 { reg=<0> amu=<6> } cpu@1 { reg=<1> amu=<b> }") "v { phandle=<6> " ONE
			ON(6) "w { phandle=<b> " ONE ON(1) "} " OFF(0) "} ",
		&size);
	enum pmumap_status status;
	struct pmumap_amu *map = amu_build(fdt, size, 0, &status);

	test_now = "counters behind a view inside";
	CHECK_EQ(status, PMUMAP_OK);
	CHECK(same_codes("view-foreign view-foreign"));
	if (map) {
		check_masks(map, 0, 0x40, 0x40);
		check_masks(map, 1, 2, 2);
	}
	free(map);
	free(fdt);
	test_now = "";
}

/* ---- random trees ---------------------------------------------------------------------------- */

/* A random one of a few, mostly the first. */
#define ONE_OF(array)                                                                              \
	((array)[random_below(3) ? 0 : random_below(sizeof(array) / sizeof((array)[0]))])

static void random_reg(uint32_t index, uint32_t cells)
{
	unsigned char value[16] = { 0 };
	static const uint32_t extra[] = { 0, 0, 0, 4, 1, 3 };
	uint32_t n = 4 * (cells < 1 || cells > 3 ? 1 : cells), odd_bytes = ONE_OF(extra);

	value[n - 1] = (unsigned char)index;
	value[n - 2] = random_below(60) ? 0 : 1;
	value[0] = (unsigned char)(value[0] | (random_below(60) ? 0 : 0x80));
	if (random_below(40) == 0)
		n = random_below(n);
	if (random_below(40))
		bytes("reg", value, n + odd_bytes);
}

static void random_counter(uint32_t cells)
{
	static const char *const names[] = { "counter@%x",   "counter@%x", "counter@0%x",
					     "counter@%x,0", "counter@%X", "counter%x",
					     "count@%x",     "counter@" };
	uint32_t index = random_below(30) ? random_below(16) : random_below(40);
	char name[32];

	sprintf(name, random_below(5) ? names[0] : ONE_OF(names),
		random_below(20) ? index : random_below(16));
	begin(name);
	random_reg(index, cells);
	if (random_below(2))
		bytes("enable-at-el3", "\0\0\0", random_below(10) ? 0 : random_below(5));
	if (random_below(20) == 0) {
		begin("counter@1");
		cell("reg", 1);
		end();
	}
	end();
}

static void random_view(const char *name, uint32_t phandle)
{
	static const uint32_t cells[] = { 1, 1, 1, 0, 2, 3, 4, 5 };
	uint32_t n = random_below(7), count = random_below(3) ? 1 : ONE_OF(cells);

	begin(name);
	if (phandle)
		cell(random_below(9) ? "phandle" : "linux,phandle", phandle);
	if (random_below(12))
		cell("#address-cells", count);
	else
		count = 2;
	if (random_below(12))
		cell("#size-cells", 0);
	if (random_below(8) == 0)
		n = 15 + random_below(10);
	while (n--)
		random_counter(count);
	end();
}

static void random_cpu(uint32_t i, uint32_t cells, uint32_t views)
{
	static const char *const names[] = { "cpu@%x",  "cpu@%x",  "cpu@%x",
					     "cpu0@%x", "core@%x", "cpu-%x" };
	static const char *const states[] = { "okay", "disabled", "ok", "fail", "" };
	uint32_t reg[2] = { 0, cpu_to_fdt32(i * 0x100) }, amu[2];
	char name[32];

	if (random_below(25) == 0)
		reg[1] = cpu_to_fdt32(random_below(i + 1) * 0x100);
	if (random_below(25) == 0)
		reg[1] |= cpu_to_fdt32((uint32_t)random64() & 0xff000000u);
	if (random_below(4) == 0)
		reg[0] = cpu_to_fdt32(random_below(3));
	sprintf(name, random_below(8) ? names[0] : ONE_OF(names), i);
	begin(name);
	if (random_below(2))
		text("device_type", random_below(9) ? "cpu" : "memory");
	if (random_below(40))
		bytes("reg", cells == 2 ? reg : reg + 1,
		      random_below(40) ? 4 * (cells == 2 ? 2 : 1) : random_below(4));
	amu[0] = cpu_to_fdt32(random_below(30) ? 1 + random_below(views) : random_below(100));
	amu[1] = cpu_to_fdt32(1);
	if (random_below(6))
		bytes("amu", amu, random_below(25) ? 4 : random_below(9));
	if (random_below(4) == 0)
		text("status", ONE_OF(states));
	end();
}

static void random_labels(void)
{
	uint32_t i, n = random_below(12);

	begin("__symbols__");
	for (i = 0; i < n; i++) {
		char label[32], path[64];

		sprintf(label, "label%" PRIu32, i);
		sprintf(path,
			random_below(9) ? "/cpus/amus/amu-%" PRIu32 "/counter@%" PRIx32
					: "/cpus/amu%" PRIx32,
			random_below(5), random_below(16));
		text(label, path);
	}
	end();
}

static void random_amus(uint32_t views)
{
	char name[32];
	uint32_t i;

	begin("amus");
	for (i = 0; i < views; i++) {
		sprintf(name, "amu-%" PRIu32, i);
		random_view(name, random_below(20) ? i + 1 : 0);
	}
	end();
}

static unsigned char *random_tree(size_t *size)
{
	uint32_t i, cells = 1 + random_below(2), views = 1 + random_below(4), n = random_below(12);
	uint32_t behind = random_below(2), foreign = random_below(3);

	start();
	begin("");
	if (random_below(4) == 0)
		random_labels();
	if (foreign == 0)
		random_view("view", views + 1);
	begin("cpus");
	if (cells == 1 || random_below(2))
		cell("#address-cells", random_below(40) ? cells : random_below(5));
	cell("#size-cells", 0);
	if (!behind)
		random_amus(views);
	for (i = 0; i < n; i++)
		random_cpu(i, cells, views + 2);
	if (behind && random_below(9))
		random_amus(views);
	end();
	if (foreign == 1) {
		begin("soc");
		random_view("view", views + 1);
		end();
	}
	return finish(size);
}

static void random_trees(void)
{
	uint32_t i, n = quick(20000, 500), sane = 0, odd_ones = 0;
	unsigned failed = test_failed, doubts;

	test_now = "random trees";
	for (i = 0; i < n && test_failed - failed < 10; i++) {
		size_t size;
		unsigned char *fdt = random_tree(&size);

		check_amu_tree(fdt, size, &doubts);
		sane += doubts == 0;
		odd_ones += amu_findings.n != 0;
		free(fdt);
	}
	/* The random trees must contain many of both kinds. */
	CHECK(sane > n / 10 && odd_ones > n / 4 && odd_ones < n);
	test_now = "";
}

/* ---- many CPUs ------------------------------------------------------------------------------- */

/* One view, with a bad counter, for all CPUs; every 16th is odd. */
static unsigned char *many(uint32_t n, size_t *size)
{
	uint32_t i;

	start();
	blob_text(&tree,
		  "{ cpus { " ONE "amus { amu-0 { phandle=<1> " ONE ON(0) ON(21) ON(2) "} }");
	for (i = 0; i < n; i++) {
		uint32_t kind = i % 16 == 15 ? i / 16 % 4 : 4;
		uint32_t reg = kind == 1 ? (i - 1) << 8 : kind == 2 ? i << 8 | 1u << 31 : i << 8;

		blob_format(&tree, "%s@%x { reg=<%x> device_type=\"cpu\" amu=<%x> }",
			    kind == 0 ? "cpu1" : "cpu", (unsigned)i << 8, (unsigned)reg,
			    kind == 3 ? 0xabcdefu : 1u);
	}
	return finish(size);
}

static void many_cpus(void)
{
	static const char *const codes[] = { "cpu-name", "cpu-duplicate", "cpu-reg", "view-missing",
					     "counter-range" };
	uint32_t n = 4096, i, k, count, bad = 0;
	enum pmumap_status status;
	unsigned doubts;
	size_t size;
	unsigned char *fdt = many(n, &size);
	struct pmumap_amu *map;

	test_now = "many CPUs";
	CHECK(check_amu_tree(fdt, size, &doubts));
	map = amu_build(fdt, size, 0, &status);
	for (k = 0; k < 5; k++) {
		for (i = count = 0; i < amu_findings.n; i++)
			count += !strcmp(amu_findings.at[i].code, codes[k]);
		CHECK_EQ(count, k < 4 ? n / 64 : 1);
	}
	CHECK_EQ(amu_findings.n, n / 16 + 1);
	for (i = 0; i < n && map; i++) {
		struct pmumap_amu_cpu c = { 0, 0, 0, 0 };
		uint32_t kind = i % 16 == 15 ? i / 16 % 4 : 4;
		int there = pmumap_amu_cpu_find(map, i << 8, &c);

		if (kind == 1)
			bad += there != 0;
		else
			bad += !there || c.described != (kind == 3 ? 0 : 5) ||
			       c.enable != c.described;
	}
	CHECK_EQ(bad, 0);
	free(map);
	free(fdt);
	test_now = "";
}

/* ---- blocks that are constants --------------------------------------------------------------- */

enum { BLOCK_CPUS = 128, BLOCK_COUNTERS = 16 };

/* As much as fits: each counter has its own view, and all have names of 31 letters. */
static unsigned char *largest_tree(size_t *size)
{
	unsigned i;

	start();
	blob_text(&tree, "{ cpus { #address-cells=<1>");
	for (i = 0; i < BLOCK_CPUS; i++)
		blob_format(&tree, "cpu@%x { reg=<%x> amu=<%x> }", i << 8, i << 8,
			    i % BLOCK_COUNTERS + 1);
	begin("amus");
	for (i = 0; i < BLOCK_COUNTERS; i++)
		blob_format(&tree,
			    "amu-%u { phandle=<%x> #address-cells=<1> "
			    "counter@xxxxxxxxxxxxxxxxxxxxx%02x { reg=<%x> } }",
			    i, i + 1, i, i);
	return finish(size);
}

static void blocks(void)
{
	static uint64_t block[PMUMAP_AMU_BLOCK(BLOCK_CPUS, BLOCK_COUNTERS) / 8];
	const struct pmumap_amu *map = NULL;
	struct pmumap_amu_cpu c;
	size_t need, size;
	unsigned char *fdt = largest_tree(&size);

	test_now = "blocks";
	CHECK_EQ(pmumap_amu_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK(need <= sizeof(block) && sizeof(block) - need < 64);
	CHECK_EQ(pmumap_amu_fdt_build(fdt, size, NULL, block, sizeof(block), &map), PMUMAP_OK);
	CHECK(map && pmumap_amu_cpu_at(map, BLOCK_CPUS - 1, &c));
	CHECK(map && pmumap_amu_counter_name(map, c.view, 15));
	free(fdt);
	test_now = "";
}

int main(void)
{
	odd_trees();
	whole_trees();
	late_labels();
	dirty_block();
	odd_labels();
	colliding_labels();
	root_cpu();
	many_names();
	too_deep();
	inner_view();
	random_trees();
	many_cpus();
	blocks();
	return test_summary();
}
