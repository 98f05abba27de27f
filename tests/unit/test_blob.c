/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Device trees that no compiler made: hostile, damaged, truncated and unaligned ones.
 * Each is in a heap block of its exact size. libfdt sees a blob only after pmumap accepted it.
 */
#include "make.h"
#include "pmumap_imc.h"

static struct findings findings;
static uint64_t block[1 << 17];

/* The map in block, or NULL. Measuring agrees, and the blob is unchanged. */
static const struct pmumap *build(const void *fdt, size_t size, int node,
				  enum pmumap_status *status)
{
	struct pmumap_fdt_options opt = { .node = node };
	const struct pmumap *map = (const struct pmumap *)block;
	void *before = exact_copy(fdt, size);
	enum pmumap_status measured, checked, imc;
	size_t need = 1, imc_need;
	int good;

	findings.n = 0;
	measured = pmumap_fdt_measure(fdt, size, &opt, &need);
	checked = pmumap_fdt_check(fdt, size, &opt, block, sizeof(block), collect, &findings);
	*status = pmumap_fdt_build(fdt, size, &opt, block, sizeof(block), &map);
	good = measured == *status && checked == *status && (need != 0) == (*status == PMUMAP_OK) &&
	       (map != NULL) == (*status == PMUMAP_OK) && !memcmp(fdt, before, size);
	/* IMC's reader has a walk of its own, which must judge the blob alike. */
	imc = pmumap_imc_fdt_measure(fdt, size, NULL, &imc_need);
	good &= is_of_blob(*status) ? imc == *status : !is_of_blob(imc);
	if (!good)
		CHECK(good);
	free(before);
	return map;
}

/* ---- making blobs ---------------------------------------------------------------------------- */

/* Assembles it as it is, balanced or not. */
static unsigned char *blob(size_t *size)
{
	blob_assemble(&tree);
	*size = tree.size;
	return tree.fdt;
}

/* A tree with some of everything, in some 400 bytes. */
static unsigned char *small(size_t *size)
{
	start();
	blob_text(&tree, "{ compatible=\"a,b\" soc { pmu@1 { compatible=\"riscv,pmu0|riscv,pmu\" "
			 "riscv,event-to-mhpmevent=<4 0 302 10019 1 2> "
			 "riscv,event-to-mhpmcounters=<3 6 18 10019 10019 f8>");
	blob_cell(&tree, FDT_NOP);
	blob_text(&tree, "riscv,raw-event-to-mhpmcounters=<0 1 ffffffff fff800ff 18 0 2 ffffffff "
			 "ffffffff 30> x { } } old { compatible=\"riscv,pmu\" "
			 "pmu,raw-event-to-mhpmcounters=<0 3 8> } }");
	return finish(size);
}

/* ---- hostile and malformed ------------------------------------------------------------------- */

/* Blobs that make versions of libfdt hang, crash or return wrong data; cells, then strings. */
static const struct {
	const char *name;
	enum pmumap_status status;
	uint32_t cells[32], n;
} hostile[] = {
	{ "property length 0xfffffff4: libfdt 1.6.1 never returns",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x58, 0x38, 0x54, 0x28, 17, 16,         0, 4, 0x1c, 0,
	    0,          0,    0,    1,    0,    3,  0xfffffff4, 0, 2, 9,    0x61000000 },
	  22 },
	{ "property length 0xffffffff: libfdt 1.6.1 answers length -1",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x78, 0x38, 0x6c, 0x28, 17, 16, 0,          12,         0x34,
	    0,          0,    0,    0,    1,    0,  1,  0x706d7500, 3,          0xffffffff,
	    0,          2,    2,    9,    2,    2,  9,  0x636f6d70, 0x61746962, 0x6c650000 },
	  30 },
	{ "property length 0x7fffffbf: libfdt 1.8.1 overflows",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x58, 0x38, 0x54, 0x28, 17, 16,         0, 4, 0x1c, 0,
	    0,          0,    0,    1,    0,    3,  0x7fffffbf, 0, 2, 9,    0x61000000 },
	  22 },
	{ "version 2: libfdt 1.6.1 dereferences NULL",
	  PMUMAP_E_FDT_VERSION,
	  { 0xd00dfeed, 0x48, 0x38, 0x48, 0x28, 2, 2, 0, 0, 0x10, 0, 0, 0, 0, 1, 0, 2, 9 },
	  18 },
	{ "version 15",
	  PMUMAP_E_FDT_VERSION,
	  { 0xd00dfeed, 0x48, 0x38, 0x48, 0x28, 15, 2, 0, 0, 0x10, 0, 0, 0, 0, 1, 0, 2, 9 },
	  18 },
	{ "misaligned structure block: libfdt before 1.8 traps",
	  PMUMAP_E_FDT_SIZE,
	  { 0xd00dfeed, 0x48, 0x36, 0x48, 0x28, 17, 16, 0, 0, 0x10, 0, 0, 0, 0, 1, 0, 2, 9 },
	  18 },
	{ "name of the property behind the strings",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x58, 0x38, 0x54, 0x28, 17, 16, 0, 4, 0x1c, 0,
	    0,          0,    0,    1,    0,    3,  0,  4, 2, 9,    0x61000000 },
	  22 },
	{ "name of the property at 0xffffffff",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x58, 0x38, 0x54, 0x28, 17, 16, 0,          4, 0x1c, 0,
	    0,          0,    0,    1,    0,    3,  0,  0xffffffff, 2, 9,    0x61000000 },
	  22 },
	{ "a property behind the end, which reads as zeros",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x54, 0x38, 0x44, 0x28, 17, 16, 0, 16, 0x0c, 0, 0, 0, 0, 1, 0, 3 },
	  21 },
	{ "half a property behind the end",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x58, 0x38, 0x48, 0x28, 17, 16, 0, 16, 0x10, 0, 0, 0, 0, 1, 0, 3 },
	  22 },
	{ "the only byte of a value behind the end, and a tree that goes on",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x5c, 0x38, 0x58, 0x28, 17, 16, 0, 4, 0x14, 0,         0,
	    0,          0,    1,    0,    3,    1,  0,  0, 2, 9,    0x61000000 },
	  23 },
	{ "name of the node without end",
	  PMUMAP_E_FDT_STRUCT,
	  { 0xd00dfeed, 0x48, 0x38, 0x48, 0x28, 17, 16, 0, 0, 0x10, 0, 0, 0, 0, 1, 0x61616161,
	    0x61616161, 0x61616161 },
	  18 },
};

static void refuse_hostile(void)
{
	size_t i;
	uint32_t k;

	for (i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		unsigned char *fdt = exact(4 * hostile[i].n);
		enum pmumap_status status = PMUMAP_OK;

		test_now = hostile[i].name;
		for (k = 0; k < hostile[i].n; k++)
			put32(fdt + 4 * k, hostile[i].cells[k]);
		(void)build(fdt, 4 * hostile[i].n, 0, &status);
		CHECK_EQ(status, hostile[i].status);
		free(fdt);
	}
	test_now = "";
}

static void refuse_file(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	unsigned char *exactly = exact_copy(fdt, size);

	CHECK(!build(exactly, size, 0, &status));
	CHECK(is_of_blob(status));
	free(exactly);
}

/* Replaces one word of a good header. */
static void headers(void)
{
	static const struct {
		uint32_t word, value;
		enum pmumap_status status;
	} lies[] = {
		{ 0, 0, PMUMAP_E_FDT_MAGIC },
		{ 0, 0xedfe0dd0, PMUMAP_E_FDT_MAGIC },
		{ 1, 0, PMUMAP_E_FDT_SIZE },
		{ 1, 39, PMUMAP_E_FDT_SIZE },
		{ 1, 0x100000, PMUMAP_E_FDT_SIZE },
		{ 1, 0x80000000, PMUMAP_E_FDT_SIZE },
		{ 1, 0xffffffff, PMUMAP_E_FDT_SIZE },
		{ 2, 0, PMUMAP_E_FDT_SIZE },
		{ 2, 36, PMUMAP_E_FDT_SIZE },
		{ 2, 0xfffffffc, PMUMAP_E_FDT_SIZE },
		{ 2, 0x100000, PMUMAP_E_FDT_SIZE },
		{ 2, 57, PMUMAP_E_FDT_SIZE },
		{ 2, 58, PMUMAP_E_FDT_SIZE },
		{ 3, 0x100000, PMUMAP_E_FDT_SIZE },
		{ 3, 0xffffffff, PMUMAP_E_FDT_SIZE },
		{ 4, 0, PMUMAP_E_FDT_SIZE },
		{ 4, 32, PMUMAP_E_FDT_SIZE },
		{ 4, 44, PMUMAP_E_FDT_SIZE },
		{ 4, 0x100000, PMUMAP_E_FDT_SIZE },
		{ 4, 0xfffffff8, PMUMAP_E_FDT_SIZE },
		{ 5, 0, PMUMAP_E_FDT_VERSION },
		{ 5, 16, PMUMAP_E_FDT_VERSION },
		{ 5, 18, PMUMAP_OK },
		{ 6, 17, PMUMAP_OK },
		{ 6, 18, PMUMAP_E_FDT_VERSION },
		{ 6, 0xffffffff, PMUMAP_E_FDT_VERSION },
		{ 7, 77, PMUMAP_OK },
		{ 8, 0x100000, PMUMAP_E_FDT_SIZE },
		{ 8, 0xffffffff, PMUMAP_E_FDT_SIZE },
		{ 8, 0, PMUMAP_E_FDT_STRUCT },
		{ 9, 0x100000, PMUMAP_E_FDT_SIZE },
		{ 9, 0xfffffffc, PMUMAP_E_FDT_SIZE },
		{ 9, 0, PMUMAP_E_FDT_STRUCT },
		{ 9, 3, PMUMAP_E_FDT_STRUCT },
	};
	size_t size, i;
	unsigned char *fdt = small(&size);
	enum pmumap_status status;

	for (i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		char what[40];
		uint32_t before = model_cell(fdt + 4 * lies[i].word);

		snprintf(what, sizeof(what), "header word %u = 0x%x", (unsigned)lies[i].word,
			 (unsigned)lies[i].value);
		test_input = what;
		put32(fdt + 4 * lies[i].word, lies[i].value);
		(void)build(fdt, size, 0, &status);
		CHECK_EQ(status, lies[i].status);
		put32(fdt + 4 * lies[i].word, before);
		test_input = "";
	}
	/* More than 2 GiB: nothing beyond the header is read. */
	put32(fdt + 4, 0x80000000);
	CHECK_EQ(pmumap_fdt_measure(fdt, 0xffffffff, NULL, &size), PMUMAP_E_FDT_SIZE);
	CHECK_EQ(pmumap_imc_fdt_measure(fdt, 0xffffffff, NULL, &size), PMUMAP_E_FDT_SIZE);
	free(fdt);
}

/* Parts end with the blob or before. */
static void parts(void)
{
	size_t size, lied = 0;
	unsigned char *fdt = small(&size), *big;
	enum pmumap_status status;
	uint32_t total = (uint32_t)size, tags = model_cell(fdt + 8), names = model_cell(fdt + 12);
	const struct {
		uint32_t word, value;
		enum pmumap_status status;
	} rows[] = {
		{ 4, (total & ~7u) - 16, PMUMAP_OK },
		{ 4, (total & ~7u) - 8, PMUMAP_E_FDT_SIZE },
		{ 4, total & ~7u, PMUMAP_E_FDT_SIZE },
		{ 8, total - names, PMUMAP_OK },
		{ 8, total - names + 1, PMUMAP_E_FDT_SIZE },
		{ 9, total - tags, PMUMAP_OK },
		{ 9, total - tags + 1, PMUMAP_E_FDT_SIZE },
		{ 9, total + tags, PMUMAP_E_FDT_SIZE },
		{ 9, names - tags - 4, PMUMAP_E_FDT_STRUCT }, /* without its last tag */
		{ 9, names - tags - 1, PMUMAP_E_FDT_STRUCT },
		{ 9, names - tags + 3, PMUMAP_OK },
	};
	size_t i;

	test_now = "parts of a blob";
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t before = model_cell(fdt + 4 * rows[i].word);

		put32(fdt + 4 * rows[i].word, rows[i].value);
		(void)build(fdt, size, 0, &status);
		CHECK_EQ(status, rows[i].status);
		put32(fdt + 4 * rows[i].word, before);
	}
	big = exact(size + 8); /* its end is no multiple of 8 */
	memset(big, 0, size + 8);
	memcpy(big, fdt, size);
	put32(big + 4, total | 7);
	put32(big + 16, (total | 7) - 15);
	(void)build(big, size + 8, 0, &status);
	CHECK_EQ(status, PMUMAP_E_FDT_SIZE);
	put32(big + 16, (total | 7) - 23);
	(void)build(big, size + 8, 0, &status);
	CHECK_EQ(status, PMUMAP_OK);
	free(big);
	put32(fdt + 4, 0x7fffffff); /* nobody looks behind its parts */
	CHECK_EQ(pmumap_fdt_measure(fdt, 0x7fffffff, NULL, &lied), PMUMAP_OK);
	CHECK_EQ(pmumap_fdt_measure(fdt, 0x7ffffffe, NULL, &lied), PMUMAP_E_FDT_SIZE);
	free(fdt);
}

/* A blob truncated in its header: the header's readable fields still count. */
static void cut_headers(void)
{
	static const struct {
		uint32_t magic, version;
		enum pmumap_status early, late; /* with 4 bytes, and with all 40 */
	} rows[] = {
		{ 0xd00dfeed, 17, PMUMAP_E_FDT_SIZE, PMUMAP_E_FDT_SIZE },
		{ 0xd00dfeed, 16, PMUMAP_E_FDT_SIZE, PMUMAP_E_FDT_VERSION },
		{ 0xd00dfeee, 17, PMUMAP_E_FDT_MAGIC, PMUMAP_E_FDT_MAGIC },
		{ 0xd00dfeec, 16, PMUMAP_E_FDT_MAGIC, PMUMAP_E_FDT_MAGIC },
	};
	size_t size, n, i;
	unsigned char *fdt = small(&size);
	enum pmumap_status status;

	test_now = "headers cut off";
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put32(fdt, rows[i].magic);
		put32(fdt + 20, rows[i].version);
		for (n = 0; n < 60; n++) {
			unsigned char *cut = exact_copy(fdt, n);

			CHECK(!build(cut, n, 0, &status));
			CHECK_EQ(status, n < 4    ? PMUMAP_E_FDT_SIZE
					 : n < 40 ? rows[i].early
						  : rows[i].late);
			free(cut);
		}
	}
	free(fdt);
}

/* Letters that are properties, with the bytes of their values. */
static const struct {
	char letter;
	const char *name, *value;
	uint32_t bytes;
} letters[] = {
	{ 'c', "compatible", "riscv,pmu", 10 },
	{ 'C', "compatible", "a,b\0riscv,pmu\0c,d", 18 },
	{ 'u', "compatible", "riscv,pmu", 9 }, /* the byte behind it is padding */
	{ 'U', "compatible", "riscv,pmu\0a,b", 13 },
	{ 'z', "compatible", "\0riscv,pmu", 11 },
	{ 'o', "compatible", "riscv,pmux\0xriscv,pmu\0riscv\0", 29 },
	{ 'e', "compatible", "", 0 },
	{ 'r', "riscv,event-to-mhpmcounters", "\0\0\0\3\0\0\0\3\0\0\0\x8", 12 },
	{ 'R', "riscv,event-to-mhpmcounters", "\0\0\0\4\0\0\0\4\0\0\0\x8", 12 },
	{ 'b', "riscv,event-to-mhpmcounters", "\0\0\0\1\0\0\0\2\0\0\0\x8\0\0\0\5\0\0\0\3\0\0\0\x8",
	  24 },
	{ 's', "riscv,event-to-mhpmevent", "\0\0\0\3\0\0\0\0\0\0\0\7", 12 },
	{ 'p', "pmu,event-to-mhpmcounters", "\0\0\0\4\0\0\0\4\0\0\0\x10", 12 },
	{ 'P', "pmu,event-to-mhpmcounters", "\0\0\0\3\0\0\0\3\0\0\0\x20", 12 },
	{ 'q', "pmu,raw-event-to-mhpmcounters", "\0\0\0\0\0\0\0\3\0\0\0\x8", 12 },
	{ 'f', "riscv,hw-event-map", "\0\0\0\1\0\0\0\2", 8 },
	{ 'w', "riscv,width-base-cntr", "\0\0\0\x3f", 4 },
	{ 'm', "riscv,event-to-mhpmcounter", "\0\0\0\3\0\0\0\3\0\0\0\x8", 12 }, /* misspelt */
	{ 'd', "riscv-hw-event-map", "\0\0\0\1\0\0\0\2", 8 }, /* not below "riscv,": no draft */
	{ 'x', "xevent-to-mhpmcounters", "\0\0\0\4\0\0\0\4\0\0\0\x40", 12 },
};

#define DEEP 63 /* nodes that { begins and } ends */

/* One character per tag. */
static void script(const char *s)
{
	uint32_t open = 0;
	size_t i;

	start();
	for (; *s; s++) {
		for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
			if (*s == letters[i].letter)
				break;
		if (i < sizeof(letters) / sizeof(letters[0])) {
			bytes(letters[i].name, letters[i].value, letters[i].bytes);
		} else if (*s == '(' || *s == '{') {
			for (i = *s == '(' ? 1 : DEEP; i; i--)
				begin(open++ ? "n" : "");
		} else if (*s == '}') {
			for (i = DEEP; i; i--, open--)
				end();
		} else if (*s == 'N') { /* a node without a name; what follows might be a tag */
			blob_cell(&tree, FDT_BEGIN_NODE);
			blob_cell(&tree, FDT_NOP);
		} else if (*s == 'V') { /* likewise, a property */
			blob_property(&tree, FDT_NOP, "\0\0\0\4", 4);
		} else {
			open -= *s == ')';
			blob_cell(&tree, *s == ')'   ? FDT_END_NODE
					 : *s == 'n' ? FDT_NOP
					 : *s == '.' ? FDT_END
						     : (uint32_t)*s);
		}
	}
}

/* A tree, and the answers for events 3 and 4. */
static const struct {
	const char *script;
	enum pmumap_status status;
	uint32_t three, four;
} shapes[] = {
	{ "((cr)).", PMUMAP_OK, 8, 0 },
	{ "(cr).", PMUMAP_OK, 8, 0 },
	{ "((Cr)).", PMUMAP_OK, 8, 0 },
	{ "((Ur)).", PMUMAP_OK, 8, 0 },
	{ "((zr)).", PMUMAP_OK, 8, 0 },
	{ "((rc)).", PMUMAP_OK, 8, 0 },
	{ "(()(cr())()).", PMUMAP_OK, 8, 0 },
	{ "n(n(ncnrn)n)n.", PMUMAP_OK, 8, 0 },
	{ "((cr)).???", PMUMAP_OK, 8, 0 },
	{ "((c)).", PMUMAP_OK, 0, 0 },
	{ "((cd)).", PMUMAP_OK, 0, 0 },
	{ "((cm)).", PMUMAP_OK, 0, 0 },
	{ "((cm)(cR)).", PMUMAP_OK, 0, 0 },
	{ "((cwm)(cR)).", PMUMAP_OK, 0, 8 },
	{ "((crp)).", PMUMAP_OK, 8, 0 },
	{ "((cp)).", PMUMAP_OK, 0, 16 },
	{ "((cfp)).", PMUMAP_OK, 0, 16 },
	{ "((fcp)).", PMUMAP_OK, 0, 16 },
	{ "((cfq)(cR)).", PMUMAP_OK, 0, 0 },
	{ "((cr)(cR)).", PMUMAP_OK, 8, 0 },
	{ "((cf)(cR)).", PMUMAP_OK, 0, 8 },
	{ "((cf)(c(cr)R)).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cf(cR))).", PMUMAP_OK, 0, 8 },
	/* the first of two properties with one name counts */
	{ "((crR)).", PMUMAP_OK, 8, 0 },
	{ "((cRr)).", PMUMAP_OK, 0, 8 },
	{ "((cor)).", PMUMAP_OK, 8, 0 },
	{ "((ocr)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((ecr)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((ucr)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((cpP)).", PMUMAP_OK, 0, 16 },
	{ "((cPp)).", PMUMAP_OK, 32, 0 },
	{ "((cx)).", PMUMAP_OK, 0, 0 },
	{ "((cxr)N)).", PMUMAP_OK, 8, 0 },
	{ "{(cr)}.", PMUMAP_OK, 8, 0 },
	{ "((cb)).", PMUMAP_OK, 0, 0 },
	/* none of these is a PMU */
	{ "().", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((ur)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((or)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((er)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((r)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((cf)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "((wc)).", PMUMAP_E_NOTFOUND, 0, 0 },
	{ "(c(r)).", PMUMAP_OK, 0, 0 },
	/* none of these is a tree */
	{ "", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ ".", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "nn", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr))", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr)", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cb))", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr))).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ ").", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ ")(().", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "()N.", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "(cr)N.", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr)V).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "(cr)V.", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "r((c)).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((c))r.", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((c)r).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((c()r)).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "((cr)?).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "(cr)().", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "()(cr).", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "{((cr))}.", PMUMAP_E_FDT_STRUCT, 0, 0 },
	{ "{(crN)}.", PMUMAP_E_FDT_STRUCT, 0, 0 }, /* without its end tag */
	{ "((cr))(o).", PMUMAP_E_FDT_STRUCT, 0, 0 },
};

static void check_shapes(void)
{
	size_t i, size;
	enum pmumap_status status;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct pmumap *map;
		unsigned char *fdt;

		test_now = shapes[i].script;
		script(shapes[i].script);
		fdt = blob(&size);
		dirty_stack();
		map = build(fdt, size, 0, &status);
		CHECK_EQ(status, shapes[i].status);
		if (strchr(shapes[i].script, 'b')) /* rows of a bad blob have no findings */
			CHECK_EQ(findings.n, status == PMUMAP_OK);
		if (map) {
			CHECK_EQ(pmumap_counters(map, 3), shapes[i].three);
			CHECK_EQ(pmumap_counters(map, 4), shapes[i].four);
		}
		free(fdt);
	}
	test_now = "";
}

/* The last name has no NUL, and nothing follows. */
static void open_strings(void)
{
	size_t size;
	unsigned char *fdt, *cut;
	enum pmumap_status status;

	test_now = "strings without a final NUL";
	script("((cr)).");
	fdt = blob(&size);
	cut = exact_copy(fdt, size - 1);
	put32(cut + 4, (uint32_t)size - 1);
	put32(cut + 32, (uint32_t)tree.name_bytes - 1);
	CHECK(!build(cut, size - 1, 0, &status));
	CHECK_EQ(status, PMUMAP_E_FDT_STRUCT);
	free(cut);
	free(fdt);
}

/* Structure and blob end within the head of a property. */
static void half_a_head(void)
{
	enum pmumap_status status;
	unsigned char *fdt, *copy;
	size_t size, names;

	test_now = "half of a head";
	script("((cr");
	blob_name(&tree, "", 0);
	blob_cell(&tree, FDT_PROP);
	blob_cell(&tree, 0);
	names = tree.name_bytes;
	CHECK_EQ(names % 4, 0);
	fdt = blob(&size);
	copy = exact_copy(fdt, size);
	memcpy(fdt + 56, copy + size - names, names);
	memcpy(fdt + 56 + names, copy + 56, size - names - 56);
	put32(fdt + 8, 56 + (uint32_t)names);
	put32(fdt + 12, 56);
	CHECK(!build(fdt, size, 0, &status));
	CHECK_EQ(status, PMUMAP_E_FDT_STRUCT);
	free(copy);
	free(fdt);
}

/* Rows that lack one to four bytes do not count. */
static void short_rows(void)
{
	static const char *const names[] = { "riscv,event-to-mhpmevent",
					     "riscv,event-to-mhpmcounters",
					     "riscv,raw-event-to-mhpmcounters" };
	static const unsigned char row[20] = { 0, 0, 0, 8, 0, 0, 0, 8, 0, 0,
					       0, 8, 0, 0, 0, 8, 0, 0, 0, 8 };
	uint32_t i, less;

	test_now = "a row that is not complete";
	for (i = 0; i < 3; i++)
		for (less = 0; less <= 4; less++) {
			const struct pmumap *map;
			uint64_t selector;
			enum pmumap_status status;
			unsigned char *fdt;
			size_t size;

			start();
			begin("");
			text("compatible", "riscv,pmu");
			bytes(names[i], row, (i < 2 ? 12 : 20) - less);
			fdt = finish(&size);
			map = build(fdt, size, 0, &status);
			CHECK_EQ(status, PMUMAP_OK);
			CHECK_EQ(map && (pmumap_selector(map, 8, &selector) ||
					 pmumap_counters(map, 8) ||
					 pmumap_raw_counters(map, 0x800000008)),
				 less == 0);
			free(fdt);
		}
}

/* ---- damaged -------------------------------------------------------------------------------- */

static uint32_t compared;

/* If pmumap accepted the blob and libfdt agrees that it is a tree, both have read the same. */
static void compare(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	const struct pmumap *map = build(fdt, size, 0, &status);
	struct pmumap *again;
	struct model m;

	if (!map) {
		if (status == PMUMAP_OK || status > PMUMAP_E_NOTFOUND)
			CHECK_EQ(status, 0);
		return;
	}
	/* libfdt reads the reservations as if they were aligned; pmumap does not need them. */
	if (model_cell(fdt + 16) % 8 || fdt_check_full(fdt, size) != 0)
		return;
	model_init(&m);
	if (CHECK(model_read(&m, fdt, 0))) {
		again = build_rows(&m);
		if (!m.has_selectors || m.selectors)
			CHECK(same_image(map, again));
		free(again);
		model_check(&m);
		check_findings(&findings, &m);
		compared++;
	}
	model_free(&m);
}

static void damage(void)
{
	static const unsigned char flips[] = {
		0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff
	};
	size_t size, at, i;
	unsigned char *fdt = small(&size);
	enum pmumap_status status;
	uint32_t bad = 0;

	test_now = "damage";
	compare(fdt, size);
	CHECK_EQ(compared, 1);
	for (at = 0; at < size; at++) {
		unsigned char before = fdt[at], *cut = exact_copy(fdt, at);

		bad += build(cut, at, 0, &status) || status != PMUMAP_E_FDT_SIZE;
		if (at >= 8) { /* the header agrees with what is there */
			put32(cut + 4, (uint32_t)at);
			compare(cut, at);
		}
		free(cut);
		for (i = 0; i < sizeof(flips); i++) {
			fdt[at] = before ^ flips[i];
			compare(fdt, size);
		}
		for (i = 0; i < 10; i++) {
			fdt[at] = (unsigned char)i;
			compare(fdt, size);
		}
		fdt[at] = before;
	}
	CHECK_EQ(bad, 0);
	CHECK(compared > 1000);
	free(fdt);
}

/* Changes several cells at once to values with a meaning in trees. */
static void scramble(void)
{
	size_t size;
	unsigned char *fdt = small(&size), *copy = exact(size);
	uint32_t i, k, n = quick(20000, 500);

	test_now = "scramble";
	for (i = 0; i < n; i++) {
		memcpy(copy, fdt, size);
		for (k = random_below(4) + 1; k; k--) {
			size_t at = 4 * random_below((uint32_t)size / 4);
			uint32_t kind = random_below(4);

			put32(copy + at,
			      kind == 0   ? random_below(10)
			      : kind == 1 ? model_cell(copy + 4 * random_below((uint32_t)size / 4))
			      : kind == 2 ? random_below((uint32_t)size)
					  : ~0u - random_below(16));
		}
		compare(copy, size);
	}
	free(copy);
	free(fdt);
}

static void unaligned(const unsigned char *fdt, size_t size)
{
	enum pmumap_status status;
	const struct pmumap *map = build(fdt, size, 0, &status);
	struct pmumap *first;
	size_t i;

	CHECK_EQ(status, PMUMAP_OK);
	if (!map)
		return;
	first = exact_copy(map, pmumap_size(map));
	for (i = 1; i < 8; i++) {
		unsigned char *moved = exact(size + i);

		memcpy(moved + i, fdt, size);
		map = build(moved + i, size, 0, &status);
		CHECK(map && same_image(map, first));
		free(moved);
	}
	free(first);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Every node by offset: its map, and findings about the others. Other offsets are rejected. */
static void nodes(void)
{
	size_t size;
	unsigned char *fdt;
	int node, at, seen = 0;
	enum pmumap_status status;
	struct model m;

	test_now = "nodes";
	script("(o(cf)(scr(cR))n(c)(cf)(r)(Cp)).");
	fdt = blob(&size);
	for (at = -5; at <= (int)tree.tag_bytes + 5; at++) {
		const struct pmumap *map = build(fdt, size, at, &status);

		for (node = fdt_next_node(fdt, -1, NULL); node >= 0 && node != at;)
			node = fdt_next_node(fdt, node, NULL);
		if (at != 0 && (node < 0 || node != at)) {
			CHECK_EQ(status, PMUMAP_E_NODE);
			continue;
		}
		seen++;
		model_init(&m);
		CHECK_EQ(status, PMUMAP_OK);
		CHECK(model_read(&m, fdt, at));
		CHECK_EQ(map ? pmumap_counters(map, 3) : ~0u, model_counters(&m, 3));
		CHECK_EQ(map ? pmumap_counters(map, 4) : ~0u, model_counters(&m, 4));
		model_check(&m);
		check_findings(&findings, &m);
		model_free(&m);
	}
	CHECK_EQ(seen, 8);
	free(fdt);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void arguments(void)
{
	size_t size, need = 3;
	unsigned char *fdt = small(&size);
	const struct pmumap *map = (const struct pmumap *)block;

	test_now = "arguments";
	CHECK_EQ(pmumap_fdt_measure(NULL, size, NULL, &need), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_measure(fdt, size, NULL, NULL), PMUMAP_E_ARG);
	CHECK_EQ(pmumap_fdt_measure(fdt, size, NULL, &need), PMUMAP_OK);
	CHECK_EQ(pmumap_fdt_build(NULL, size, NULL, block, need, &map), PMUMAP_E_ARG);
	CHECK(!map);
	map = (const struct pmumap *)block;
	CHECK_EQ(pmumap_fdt_build(fdt, size, NULL, NULL, need, &map), PMUMAP_E_ARG);
	CHECK(!map);
	CHECK_EQ(pmumap_fdt_build(fdt, size, NULL, block, need, NULL), PMUMAP_E_ARG);
	map = (const struct pmumap *)block;
	CHECK_EQ(pmumap_fdt_build(fdt, size, NULL, (char *)block + 4, need, &map), PMUMAP_E_ARG);
	CHECK(!map);
	CHECK_EQ(pmumap_fdt_build(fdt, size, NULL, block, need, &map), PMUMAP_OK);
	CHECK(map == (const struct pmumap *)block);
	free(fdt);
}

int main(void)
{
	refuse_hostile();
	each_file("../shared/corpus/hostile/*.dtb", refuse_file);
	headers();
	parts();
	cut_headers();
	check_shapes();
	open_strings();
	half_a_head();
	short_rows();
	arguments();
	damage();
	scramble();
	CHECK(each_file(riscv_boards, unaligned) >= 16);
	nodes();
	return test_summary();
}
