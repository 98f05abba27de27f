/* SPDX-License-Identifier: BSD-2-Clause
 *
 * source.h -- where the tool's map comes from: the sample, a .dtb, a .dts, an image, or stdin.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libfdt.h>
#include "pmumap_fdt.h"
#include "output.h"

#define FILE_LIMIT (64u << 20)
#define DEPTH_LIMIT 64 /* of what pmumap_fdt.h accepts */

/* The node that a path was last asked of. */
struct cursor {
	int offset, depth;
	size_t end[DEPTH_LIMIT + 1]; /* of the path, by depth */
	char *path;
};

struct source {
	const char *name;
	unsigned char *data;
	size_t size;
	void *memory;
	const struct pmumap *map;
	struct cursor cursor;
};

static const struct {
	uint32_t event, selector;
} sample_selectors[] = {
	{ 0x00003, 0x1801 }, { 0x00004, 0x0302 }, { 0x00005, 0x4000 }, { 0x00006, 0x6001 },
	{ 0x10001, 0x0202 }, { 0x10002, 0x0402 }, { 0x10009, 0x0102 }, { 0x10011, 0x2002 },
	{ 0x10019, 0x1002 }, { 0x10021, 0x0802 },
};

static const struct {
	uint32_t first, last;
} sample_ranges[] = {
	{ 0x00003, 0x00006 }, { 0x10001, 0x10002 }, { 0x10009, 0x10009 },
	{ 0x10011, 0x10011 }, { 0x10019, 0x10019 }, { 0x10021, 0x10021 },
};

static const struct {
	uint64_t select, mask;
} sample_raw[] = {
	{ 0x0, 0xfffffffffc0000ff },
	{ 0x1, 0xfffffffffff800ff },
	{ 0x2, 0xffffffffffffe0ff },
};

static int build_sample(struct source *source, pmumap_report_fn *report, void *arg)
{
	static uint64_t block[512];
	const uint32_t counters = 0x18;
	struct pmumap_builder b;
	enum pmumap_status status;

	pmumap_begin(&b, block, sizeof(block));
	b.report = report;
	b.arg = arg;
	for (size_t i = 0; i < LENGTH(sample_selectors); i++)
		pmumap_add_selector(&b, sample_selectors[i].event, sample_selectors[i].selector);
	for (size_t i = 0; i < LENGTH(sample_ranges); i++)
		pmumap_add_counters(&b, sample_ranges[i].first, sample_ranges[i].last, counters);
	for (size_t i = 0; i < LENGTH(sample_raw); i++)
		pmumap_add_raw(&b, sample_raw[i].select, sample_raw[i].mask, counters);
	status = pmumap_finish(&b, &source->map);
	if (status != PMUMAP_OK)
		return complain(UNREADABLE, source->name, "%s", pmumap_status_str(status));
	return GOOD;
}

static int read_all(struct source *source, int fd)
{
	size_t room = 0;

	for (;;) {
		ssize_t got;

		if (source->size == room) {
			if (room >= FILE_LIMIT)
				return complain(UNREADABLE, source->name, "%u MiB or more: too big",
						FILE_LIMIT >> 20);
			room = room ? 2 * room : 1u << 16;
			source->data = reallocate(source->data, room, 1);
		}
		got = read(fd, source->data + source->size, room - source->size);
		if (got < 0 && errno != EINTR)
			return complain(UNREADABLE, source->name, "%s", strerror(errno));
		if (got == 0)
			return GOOD;
		if (got > 0)
			source->size += (size_t)got;
	}
}

static int read_file(struct source *source, const char *file)
{
	int fd = open(file, O_RDONLY);
	int code;

	if (fd < 0)
		return complain(UNREADABLE, source->name, "%s", strerror(errno));
	code = read_all(source, fd);
	close(fd);
	return code;
}

/* No shell: whatever the file is called, it is one argument. */
static int read_dts(struct source *source, const char *file)
{
	int ends[2], status, code;
	pid_t child;

	if (access(file, R_OK) < 0 || pipe(ends) < 0)
		return complain(UNREADABLE, source->name, "%s", strerror(errno));
	child = fork();
	if (child < 0)
		return complain(UNREADABLE, source->name, "%s", strerror(errno));
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		execlp("dtc", "dtc", "-q", "-I", "dts", "-O", "dtb", "-o", "-", "--", file,
		       (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	code = read_all(source, ends[0]);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (code != GOOD)
		return code;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return complain(UNREADABLE, source->name,
				"needs dtc: install device-tree-compiler, or give a .dtb");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return complain(UNREADABLE, source->name,
				"dtc refuses it (if it has #include lines, run cpp on it first)");
	return GOOD;
}

static int refuse(const struct source *source, enum pmumap_status status)
{
	const char *advice = "";

	if (status == PMUMAP_E_NOTFOUND)
		advice = ": no node is compatible with riscv,pmu";
	else if (status == PMUMAP_E_FDT_MAGIC)
		advice = ": give a .dtb, a .dts or a map image";
	return complain(status == PMUMAP_E_NOTFOUND ? FAULT : UNREADABLE, source->name, "%s%s",
			pmumap_status_str(status), advice);
}

/* Only for a blob that pmumap has judged: no other is fit for libfdt. */
static int find_node(const struct source *source, const char *path, int *node)
{
	/* Without a slash it is an alias: libfdt follows one that names itself for ever. */
	*node = *path == '/' ? fdt_path_offset(source->data, path) : -FDT_ERR_BADPATH;
	if (*node <= 0)
		return complain(FAULT, source->name, "no node %s (a path, such as /soc/pmu)", path);
	if (fdt_node_check_compatible(source->data, *node, "riscv,pmu"))
		return complain(FAULT, source->name, "%s is not compatible with riscv,pmu", path);
	return GOOD;
}

static int build_tree(struct source *source, const char *path, pmumap_report_fn *report, void *arg)
{
	struct pmumap_fdt_options options = { .report = report, .arg = arg };
	enum pmumap_status status;
	size_t bytes;

	status = pmumap_fdt_measure(source->data, source->size, &options, &bytes);
	if (path && (status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND)) {
		int code = find_node(source, path, &options.node);

		if (code != GOOD)
			return code;
		status = pmumap_fdt_measure(source->data, source->size, &options, &bytes);
	}
	if (status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND) { /* then findings may tell why */
		source->memory = reallocate(NULL, bytes + sizeof(struct pmumap), 1);
		status = pmumap_fdt_build(source->data, source->size, &options, source->memory,
					  bytes, &source->map);
	}
	return status == PMUMAP_OK ? GOOD : refuse(source, status);
}

/* file NULL: the sample. report NULL: no findings are wanted, so that an image will do. */
static int load(struct source *source, const char *file, const char *node, pmumap_report_fn *report,
		void *arg)
{
	size_t length = file ? strlen(file) : 0;
	enum pmumap_status status;
	int code;

	source->name = !file ? "sample (SiFive U74)" : strcmp(file, "-") ? file : "stdin";
	if (!file && node)
		return complain(USAGE, NULL, "--node needs a device tree: name the FILE too");
	if (!file)
		return build_sample(source, report, arg);
	if (!strcmp(file, "-"))
		code = read_all(source, STDIN_FILENO);
	else if (length > 4 && !strcmp(file + length - 4, ".dts"))
		code = read_dts(source, file);
	else
		code = read_file(source, file);
	if (code != GOOD)
		return code;
	if (!source->size)
		return complain(UNREADABLE, source->name, "nothing in it");
	status = pmumap_open(source->data, source->size, &source->map);
	if (status == PMUMAP_E_IMAGE_MAGIC || source->size < sizeof(struct pmumap))
		return build_tree(source, node, report, arg);
	if (status != PMUMAP_OK)
		return refuse(source, status);
	if (node || report)
		return complain(UNREADABLE, source->name,
				"a map image has no nodes and rows; give its device tree");
	return GOOD;
}

static void unload(struct source *source)
{
	free(source->memory);
	free(source->data);
	free(source->cursor.path);
}

/*
 * Goes on from the node that was asked for last: the paths of many nodes in the order of the tree,
 * as findings come, cost one pass. NULL: there is no such node.
 */
static const char *node_path(struct source *source, int node)
{
	struct cursor *at = &source->cursor;

	if (!source->data || node < 0)
		return NULL;
	if (!at->path || node < at->offset) {
		/* Each name on the path, and its slash, has a place of its own in the blob. */
		if (!at->path)
			at->path = reallocate(NULL, source->size, 1);
		at->offset = at->depth = -1;
	}
	while (at->offset < node) {
		const char *name;
		int length = 0;

		at->offset = fdt_next_node(source->data, at->offset, &at->depth);
		if (at->offset < 0 || at->depth < 0 || at->depth > DEPTH_LIMIT) {
			at->offset = at->depth = -1;
			return NULL;
		}
		name = fdt_get_name(source->data, at->offset, &length);
		if (at->depth > 0 && name) {
			size_t end = at->end[at->depth - 1];

			at->path[end] = '/';
			memcpy(at->path + end + 1, name, (size_t)length);
			at->end[at->depth] = end + 1 + (size_t)length;
		}
	}
	at->path[at->end[at->depth]] = '\0';
	return at->depth ? at->path : "/";
}

#endif /* SOURCE_H */
