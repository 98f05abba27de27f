/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every fixture damaged in every way small enough to enumerate: each byte changed, the end cut off,
 * the block too small. A build ends with a status; its map opens and answers. It reads only the
 * blob and writes only the block. Rejected blobs are no trees by a second reading of the
 * specification.
 *
 * In small fixtures bytes take all 255 other values, elsewhere the most telling ones: both
 * neighbours, minimum and maximum, the highest and the lowest bit. PMUMAP_FULL=1 tries all
 * everywhere.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "any_map.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* The current case, printed if a crash or a hang follows. */
static size_t trying_at;
static unsigned trying_value;

/* Counts only failures: there are millions of checks. */
static void hold(int good, const char *function, const char *what, int line)
{
	static unsigned said;

	if (good)
		return;
	test_count(0, function);
	if (said++ < 20)
		printf("line %d: [%s] byte %zu value 0x%x: %s\n", line, test_input, trying_at,
		       trying_value, what);
}

#define HOLDS(condition) hold(!!(condition), __func__, #condition, __LINE__)

static void caught(int number)
{
	fprintf(stderr, "signal %d: [%s%s] byte %zu value 0x%x\n", number, test_now, test_input,
		trying_at, trying_value);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_signals(void)
{
	signal(SIGALRM, caught);
	signal(SIGABRT, caught);
#ifndef __SANITIZE_ADDRESS__ /* that says more */
	signal(SIGSEGV, caught);
	signal(SIGBUS, caught);
#endif
}

/* Memory between two inaccessible pages. */
struct fenced {
	unsigned char *start, *end;
};

static size_t pages(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

static void *mapped(void *at, size_t size, int access, int flags, int fd)
{
	void *p = mmap(at, size, access, flags, fd, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return p;
}

/* fd: maps a file of pages(size) bytes read-only; -1: fresh memory */
static struct fenced fence(size_t size, int fd)
{
	size_t room = pages(size), page = pages(1);
	unsigned char *p =
		mapped(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	struct fenced f = { p + page, p + page + room };

	if (fd >= 0)
		mapped(f.start, room, PROT_READ, MAP_SHARED | MAP_FIXED, fd);
	else if (mprotect(f.start, room, PROT_READ | PROT_WRITE) != 0)
		exit(1);
	return f;
}

static void unfence(const struct fenced *f)
{
	munmap(f->start - pages(1), (size_t)(f->end - f->start) + 2 * pages(1));
}

/* ---- maps of any kind ------------------------------------------------------------------------ */

#define ASK_NAMES 40u

/* Opens the map as an image, then runs every look-up. */
static void open_and_ask(int kind, const void *map)
{
	const void *opened = NULL;

	HOLDS(any_open(kind, map, any_size(kind, map), &opened) == PMUMAP_OK);
	HOLDS(opened == map);
	any_ask(kind, map, ASK_NAMES, 1);
}

#define ROOM 65536u     /* for any fixture's block */
#define ALL_VALUES 256u /* bytes of a fixture that is small */
#define HANG 60u        /* seconds for a fixture */
#define FRAME 64u       /* bytes looked at before a block */

static int full_mode;

/* The test's writable view of the fixture, and the header's view, at the end of guarded memory. */
static struct {
	unsigned char *write;
	struct fenced read;
	const unsigned char *fdt;
	size_t size;
} blob;

static struct fenced block;
static uint32_t built, refused;

static const unsigned char *tree_of(const unsigned char *fdt, size_t size)
{
	FILE *f = tmpfile();

	if (!f || ftruncate(fileno(f), (off_t)pages(size)) != 0)
		exit(1);
	blob.write = mapped(NULL, pages(size), PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f));
	blob.read = fence(size, fileno(f));
	fclose(f);
	blob.size = size;
	blob.fdt = blob.read.end - size;
	blob.write += pages(size) - size;
	memcpy(blob.write, fdt, size);
	return blob.fdt;
}

static void tree_gone(void)
{
	munmap(blob.write + blob.size - pages(blob.size), pages(blob.size));
	unfence(&blob.read);
}

static uint32_t cell_at(const unsigned char *fdt, uint64_t at)
{
	return (uint32_t)fdt[at] << 24 | (uint32_t)fdt[at + 1] << 16 | (uint32_t)fdt[at + 2] << 8 |
	       fdt[at + 3];
}

/* The bytes of a string with its NUL; 0 if it has no end. */
static uint64_t string_at(const unsigned char *fdt, uint64_t at, uint64_t end)
{
	uint64_t from = at;

	while (at < end)
		if (fdt[at++] == 0)
			return at - from;
	return 0;
}

enum { TOTAL = 4, STRUCTS = 8, STRINGS = 12, RESERVED = 16, STRING_BYTES = 32, STRUCT_BYTES = 36 };
enum { HEADER = 40, LEVELS = 64 };

static int is_header(const unsigned char *fdt, size_t size)
{
	uint64_t total;

	if (size < HEADER || cell_at(fdt, 0) != 0xd00dfeed || cell_at(fdt, 20) < 17 ||
	    cell_at(fdt, 24) > 17)
		return 0;
	total = cell_at(fdt, TOTAL);
	return total <= size && cell_at(fdt, STRUCTS) % 4 == 0 && cell_at(fdt, RESERVED) % 8 == 0 &&
	       cell_at(fdt, STRUCTS) >= HEADER && cell_at(fdt, STRINGS) >= HEADER &&
	       cell_at(fdt, RESERVED) >= HEADER && cell_at(fdt, RESERVED) + 16ull <= total &&
	       (uint64_t)cell_at(fdt, STRUCTS) + cell_at(fdt, STRUCT_BYTES) <= total &&
	       (uint64_t)cell_at(fdt, STRINGS) + cell_at(fdt, STRING_BYTES) <= total;
}

/* Second reader of the specification: returns whether this is a tree of up to 64 levels. */
static int is_tree(const unsigned char *fdt, size_t size)
{
	uint64_t at, end, names, names_end, bytes;
	int depth = 0, in_properties = 0, closed = 0;

	if (!is_header(fdt, size))
		return 0;
	at = cell_at(fdt, STRUCTS);
	end = at + cell_at(fdt, STRUCT_BYTES);
	names = cell_at(fdt, STRINGS);
	names_end = names + cell_at(fdt, STRING_BYTES);
	for (; at + 4 <= end; at = (at + 3) / 4 * 4) {
		uint32_t tag = cell_at(fdt, at);

		at += 4;
		if (tag == 1) {
			bytes = string_at(fdt, at, end);
			if (closed || !bytes || depth++ == LEVELS)
				return 0;
			at += bytes;
			in_properties = 1;
		} else if (tag == 2) {
			if (depth-- == 0)
				return 0;
			in_properties = 0;
			closed = depth == 0;
		} else if (tag == 3) {
			if (!in_properties || at + 8 > end || at + 8 + cell_at(fdt, at) > end ||
			    !string_at(fdt, names + cell_at(fdt, at + 4), names_end))
				return 0;
			at += 8 + cell_at(fdt, at);
		} else if (tag != 4) {
			return tag == 9 && closed;
		}
	}
	return 0;
}

static int is_status_of_tree(enum pmumap_status status)
{
	return status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND || status == PMUMAP_E_LIMIT ||
	       (status >= PMUMAP_E_FDT_MAGIC && status <= PMUMAP_E_FDT_STRUCT);
}

/* A block that ends at guarded memory, and the bytes before it. */
static unsigned char *block_of(size_t bytes)
{
	unsigned char *at = block.end - bytes;

	memset(at - FRAME, 0xa5, FRAME);
	return at;
}

/* Builds into a block of exactly the measured size and asks everything. */
static void attempt_kind(int kind, const unsigned char *fdt, size_t size)
{
	const void *map = blob.write;
	enum pmumap_status status, first;
	unsigned char *mem;
	size_t need = 0;

	first = any_measure(kind, fdt, size, &need);
	if (first != PMUMAP_OK)
		need = 256;
	HOLDS(need <= ROOM - FRAME);
	if (need > ROOM - FRAME)
		return;
	need = (need + 7) / 8 * 8;
	mem = block_of(need);
	status = any_build(kind, fdt, size, mem, need, &map);
	HOLDS(is_status_of_tree(status) && status == first);
	HOLDS((status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND) == is_tree(fdt, size));
	HOLDS((map != NULL) == (status == PMUMAP_OK));
	HOLDS(!map || map == mem);
	HOLDS(untouched(mem - FRAME, FRAME));
	built += map != NULL;
	refused += map == NULL;
	if (!map)
		return;
	HOLDS(any_size(kind, map) <= need);
	open_and_ask(kind, map);
}

static void attempt(const unsigned char *fdt, size_t size)
{
	int kind;

	for (kind = 0; kind < KINDS; kind++)
		attempt_kind(kind, fdt, size);
}

/* ---- changes --------------------------------------------------------------------------------- */

static void change(size_t at, unsigned value)
{
	unsigned char was = blob.write[at];

	if (value == was)
		return;
	trying_at = at;
	trying_value = value;
	blob.write[at] = (unsigned char)value;
	attempt(blob.fdt, blob.size);
	blob.write[at] = was;
}

/* The most telling values come first, for emulated targets. */
static void telling(size_t at)
{
	unsigned was = blob.write[at], i, k, n = quick(8, 2);
	unsigned values[8] = { was ^ 1,          was ^ 0x80,       0,    0xff,
			       (was + 1) & 0xff, (was - 1) & 0xff, 0x7f, 0x20 };

	for (i = 0; i < n; i++) {
		for (k = 0; k < i && values[k] != values[i];)
			k++;
		if (k == i)
			change(at, values[i]);
	}
}

static void changes(const unsigned char *fdt, size_t size)
{
	size_t at, step = size > ALL_VALUES ? quick(1, 11) : quick(1, 3);
	unsigned value;

	alarm(full_mode ? 100 * HANG : HANG);
	tree_of(fdt, size);
	for (at = 0; at < size; at += step) {
		if (full_mode || size <= quick(ALL_VALUES, 0))
			for (value = 0; value < 256; value++)
				change(at, value);
		else
			telling(at);
	}
	tree_gone();
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static void put32(size_t at, uint32_t value)
{
	uint32_t i;

	for (i = 0; i < 4; i++)
		blob.write[at + i] = (unsigned char)(value >> (24 - 8 * i));
}

/* The file is cut off, with an unchanged header: never a tree. */
static void cut_off(size_t at)
{
	const unsigned char *fdt = blob.read.end - at;
	size_t need = 0;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		const void *map = blob.write;

		HOLDS(any_measure(kind, fdt, at, &need) != PMUMAP_OK);
		HOLDS(any_build(kind, fdt, at, block_of(256), 256, &map) != PMUMAP_OK);
		HOLDS(!map);
	}
	refused++;
}

/* Nor with a wrong header: wrong total and last part, or one wrong part. */
static void cut_parts(size_t at)
{
	uint32_t total = cell_at(blob.write, TOTAL), strings = cell_at(blob.write, STRING_BYTES),
		 structs = cell_at(blob.write, STRUCT_BYTES);
	uint32_t end = (uint32_t)at;

	put32(TOTAL, end);
	if (end >= cell_at(blob.write, STRINGS))
		put32(STRING_BYTES, end - cell_at(blob.write, STRINGS));
	attempt(blob.fdt, blob.size);
	put32(TOTAL, total);
	put32(STRING_BYTES, strings);

	if (end >= cell_at(blob.write, STRUCTS) && end - cell_at(blob.write, STRUCTS) < structs)
		put32(STRUCT_BYTES, end - cell_at(blob.write, STRUCTS));
	attempt(blob.fdt, blob.size);
	put32(STRUCT_BYTES, structs);
}

static void cuts(const unsigned char *fdt, size_t size)
{
	size_t at, step = quick(1, 13);

	alarm(HANG);
	/* Each cut is at the end of memory, where a further read would fault ... */
	tree_of(fdt, size);
	for (at = 0; at < size; at += step) {
		trying_at = at;
		memcpy(blob.write + size - at, fdt, at);
		cut_off(at);
	}
	/* ... and inside a complete tree, where only the header shows it. */
	memcpy(blob.write, fdt, size);
	for (at = 0; at < size; at += step) {
		trying_at = at;
		cut_parts(at);
	}
	HOLDS(memcmp(fdt, blob.fdt, size) == 0);
	tree_gone();
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static struct findings found;

/*
 * enough: the smallest size known to suffice. The measured size suffices; less may suffice only
 * with names, which can share strings, or with rows that make fewer records. Larger sizes then
 * suffice too. Returns the new value.
 */
static size_t give_block(int kind, const unsigned char *fdt, size_t size, size_t give,
			 size_t enough)
{
	const void *map = fdt;
	unsigned char *mem = block_of((give + 7) / 8 * 8);
	enum pmumap_status status;

	memset(mem + give, 0xa5, (size_t)(block.end - mem) - give);
	(void)any_check(kind, fdt, size, mem, give, &found);
	status = any_build(kind, fdt, size, mem, give, &map);
	HOLDS(untouched(mem - FRAME, FRAME));
	HOLDS(untouched(mem + give, (size_t)(block.end - mem) - give));
	if (status == PMUMAP_OK) {
		HOLDS(map == mem);
		open_and_ask(kind, map);
		built++;
		return give < enough ? give : enough;
	}
	HOLDS(status == PMUMAP_E_NOSPACE && !map && give < enough);
	refused++;
	return enough;
}

/* Every size up to the need. */
static void blocks(const unsigned char *fdt, size_t size)
{
	size_t need = 0, give, enough;
	int kind;

	alarm(HANG);
	for (kind = 0; kind < KINDS; kind++) {
		if (any_measure(kind, fdt, size, &need) != PMUMAP_OK)
			continue;
		enough = need;
		for (give = 0; give <= need; give += quick(1, 37)) {
			trying_at = give;
			enough = give_block(kind, fdt, size, give, enough);
		}
	}
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const struct {
	const char *name, *files;
	void (*call)(const unsigned char *fdt, size_t size);
	uint32_t fixtures, built, refused; /* at least, not under emulation */
} runs[] = {
	{ "changes", "build/trees/*.dtb", changes, 60, 100000, 100000 },
	{ "changes", "build/boards/*.dtb", changes, 40, 100000, 100000 },
	{ "cuts", "build/trees/*.dtb", cuts, 60, 1000, 50000 },
	{ "cuts", "build/boards/*.dtb", cuts, 40, 1000, 50000 },
	/* For boards, test_boards.c, test_imc.c and test_amu.c try them. */
	{ "blocks", "build/trees/*.dtb", blocks, 60, 60, 50000 },
};

int main(void)
{
	const char *set = getenv("PMUMAP_FULL");
	uint32_t i;

	full_mode = set && set[0] == '1';
	catch_signals();
	block = fence(ROOM, -1);
	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		uint32_t fixtures;

		built = refused = 0;
		fixtures = each_file(runs[i].files, runs[i].call);
		alarm(0);
		test_now = runs[i].files;
		CHECK(fixtures >= runs[i].fixtures);
		CHECK(built >= quick(runs[i].built, runs[i].built / 1000));
		CHECK(refused >= quick(runs[i].refused, runs[i].refused / 1000));
		printf("%s of %s: %" PRIu32 " maps, %" PRIu32 " refused\n", runs[i].name,
		       runs[i].files, built, refused);
	}
	return test_summary();
}
