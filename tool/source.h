/* SPDX-License-Identifier: BSD-2-Clause
 *
 * source.h -- where the tool's map comes from: the sample, a .dtb, a .dts, a container of catalogs, an
 * image, or stdin.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libfdt.h>
#include "pmumap_fdt.h"
#include "container.h"
#include "output.h"

#define FILE_LIMIT (64u << 20)
#define INDEX_LIMIT (64u << 20) /* of the block that one may ask for */
#define DEPTH_LIMIT 64          /* of what pmumap_fdt.h accepts */

/* A node, and where its parent lies in the array of all nodes. */
struct place {
	int offset;
	uint32_t parent;
};

/* What of a file is to be read, and how. */
struct input {
	const char *node; /* the path of the riscv,pmu node; NULL: the first one */
	uint32_t pvr;     /* chooses a catalog of a container; 0: none */
	int tree;         /* nodes and rows are asked for: an image will not do */
	struct pmumap_fdt_options options;
};

struct source {
	const char *name;
	unsigned char *data;
	size_t size;
	void *memory;
	const struct pmumap *map;
	struct place *places; /* in the order of the tree; NULL: not asked for yet */
	uint32_t nodes;
	char *path; /* of the node that was asked for last */
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
		return complain(UNREADABLE, source->name, "%s%s", strerror(errno),
				errno == EACCES ? " (/sys/firmware/fdt is root's)" : "");
	code = read_all(source, fd);
	close(fd);
	return code;
}

/* No shell: whatever the file is called, it is one argument. */
static void become_dtc(const char *file, int annotate)
{
	if (annotate)
		execlp("dtc", "dtc", "-q", "-q", "-T", "-T", "-I", "dts", "-O", "dts", "-o", "-",
		       "--", file, (char *)NULL);
	else
		execlp("dtc", "dtc", "-q", "-I", "dts", "-O", "dtb", "-o", "-", "--", file,
		       (char *)NULL);
	_exit(127);
}

/* Reads what dtc makes of the file: a blob, or with annotate its source with places in comments. */
static int run_dtc(struct source *source, const char *file, int annotate)
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
		if (annotate && !freopen("/dev/null", "w", stderr))
			_exit(127);
		become_dtc(file, annotate);
	}
	close(ends[1]);
	code = read_all(source, ends[0]);
	close(ends[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (code != GOOD || annotate)
		return code;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return complain(UNREADABLE, source->name,
				"needs dtc: install device-tree-compiler, or give a .dtb");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return complain(UNREADABLE, source->name,
				"dtc refuses it (#include lines? First run "
				"cpp -nostdinc -undef -x assembler-with-cpp)");
	return GOOD;
}

/* As a .dtsi is, or a .dts on the standard input. */
static int is_text(const struct source *source)
{
	for (size_t i = 0; i < source->size; i++) {
		if (!source->data[i] || source->data[i] >= 0x80)
			return 0;
	}
	return memchr(source->data, '{', source->size) != NULL;
}

static int refuse(const struct source *source, enum pmumap_status status)
{
	const char *advice = "";

	if (status == PMUMAP_E_NOTFOUND)
		advice = ": no riscv,pmu, no ibm,opal-in-memory-counters, no AMU in /cpus";
	else if (status == PMUMAP_E_FDT_MAGIC && is_text(source))
		advice = ": a source has to be named .dts, and to begin with /dts-v1/;";
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

/* The block that the index of names would take, where it found no room. */
static void hear_of_index(void *arg, const struct pmumap_finding *f)
{
	if (f->code == PMUMAP_F_NO_INDEX && f->value <= INDEX_LIMIT)
		*(size_t *)arg = (size_t)f->value;
}

static enum pmumap_status build_map(struct source *source, struct pmumap_fdt_options options,
				    size_t *bytes)
{
	enum pmumap_status status;
	size_t more = 0;

	options.report = hear_of_index;
	options.arg = &more;
	for (;;) {
		source->memory = reallocate(source->memory, *bytes + sizeof(struct pmumap), 1);
		status = pmumap_fdt_build(source->data, source->size, &options, source->memory,
					  *bytes, &source->map);
		if (more <= *bytes)
			return status;
		*bytes = more;
	}
}

/* Findings are reported when the map is there to look their names up in. */
static int build_tree(struct source *source, const struct input *input, pmumap_report_fn *report,
		      void *arg)
{
	struct pmumap_fdt_options options = input->options;
	enum pmumap_status status;
	size_t bytes;

	status = pmumap_fdt_measure(source->data, source->size, &options, &bytes);
	if (input->node && (status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND)) {
		int code = find_node(source, input->node, &options.node);

		if (code != GOOD)
			return code;
		status = pmumap_fdt_measure(source->data, source->size, &options, &bytes);
	}
	if (status != PMUMAP_OK && status != PMUMAP_E_NOTFOUND) /* of which findings may tell why */
		return refuse(source, status);
	status = build_map(source, options, &bytes);
	if (report) {
		void *block = reallocate(NULL, bytes + sizeof(struct pmumap), 1);
		const struct pmumap *same;

		options.report = report;
		options.arg = arg;
		status =
			pmumap_fdt_build(source->data, source->size, &options, block, bytes, &same);
		free(block);
	}
	return status == PMUMAP_OK ? GOOD : refuse(source, status);
}

/* file NULL: the sample, for which there is nothing to read. */
static int fetch(struct source *source, const char *file)
{
	size_t length = file ? strlen(file) : 0;
	int code;

	source->name = !file ? "sample (SiFive U74)" : strcmp(file, "-") ? file : "stdin";
	if (!file)
		return GOOD;
	if (!strcmp(file, "-"))
		code = read_all(source, STDIN_FILENO);
	else if (length > 4 && !strcmp(file + length - 4, ".dts"))
		code = run_dtc(source, file, 0);
	else
		code = read_file(source, file);
	if (code == GOOD && !source->size)
		return complain(UNREADABLE, source->name, "nothing in it");
	return code;
}

/* Leaves one tree, or what else is no container. */
static int unwrap(struct source *source, uint32_t pvr)
{
	int container = is_container(source->data, source->size);

	if (container && pvr)
		return choose_catalog(source->name, pvr, &source->data, &source->size);
	if (container)
		return complain(USAGE, source->name,
				"a container of catalogs: choose one, as by --pvr 0x4e1202; "
				"pmumap show lists them");
	if (pvr)
		return complain(USAGE, source->name, "no container of catalogs; --pvr needs one");
	return GOOD;
}

static int understand(struct source *source, const struct input *input, pmumap_report_fn *report,
		      void *arg)
{
	const char *option = input->node                     ? "--node"
			     : input->pvr                    ? "--pvr"
			     : input->options.imc_generation ? "--available"
							     : NULL;
	enum pmumap_status status;
	int code;

	if (!source->data)
		return option ? complain(USAGE, NULL, "%s needs a device tree: name the FILE too",
					 option)
			      : build_sample(source, report, arg);
	code = unwrap(source, input->pvr);
	if (code != GOOD)
		return code;
	status = pmumap_open(source->data, source->size, &source->map);
	if (status == PMUMAP_E_IMAGE_MAGIC || source->size < sizeof(struct pmumap))
		return build_tree(source, input, report, arg);
	if (status != PMUMAP_OK)
		return refuse(source, status);
	if (option || input->tree)
		return complain(UNREADABLE, source->name,
				"a map image has no nodes and rows; give its device tree");
	return GOOD;
}

static int load(struct source *source, const char *file, const struct input *input,
		pmumap_report_fn *report, void *arg)
{
	int code = fetch(source, file);

	return code == GOOD ? understand(source, input, report, arg) : code;
}

static void unload(struct source *source)
{
	free(source->memory);
	free(source->data);
	free(source->places);
	free(source->path);
}

static void list_nodes(struct source *source)
{
	uint32_t above[DEPTH_LIMIT + 1] = { 0 };
	int offset = -1, depth = -1;
	size_t room = 0;

	while ((offset = fdt_next_node(source->data, offset, &depth)) >= 0 && depth >= 0 &&
	       depth <= DEPTH_LIMIT) {
		if (source->nodes == room) {
			room = room ? 2 * room : 64;
			source->places = reallocate(source->places, room, sizeof(struct place));
		}
		above[depth] = source->nodes;
		source->places[source->nodes].offset = offset;
		source->places[source->nodes++].parent = depth ? above[depth - 1] : 0;
	}
	/* Each name on a path, and its slash, has a place of its own in the blob. */
	source->path = reallocate(NULL, source->size, 1);
}

static int by_offset(const void *left, const void *right)
{
	return ((const struct place *)left)->offset - ((const struct place *)right)->offset;
}

/* NULL: there is no such node. Holds until the next call. */
static const char *node_path(struct source *source, int node)
{
	struct place key = { .offset = node };
	const struct place *place;
	char *end;

	if (!source->data || node < 0)
		return NULL;
	if (!source->path)
		list_nodes(source);
	place = bsearch(&key, source->places, source->nodes, sizeof(key), by_offset);
	if (!place)
		return NULL;
	/* From its end, for it is the parents that a node knows. */
	end = source->path + source->size - 1;
	*end = '\0';
	for (; place != source->places; place = &source->places[place->parent]) {
		int length = 0;
		const char *name = fdt_get_name(source->data, place->offset, &length);

		if (!name || length >= end - source->path)
			return NULL;
		end -= length;
		memcpy(end, name, (size_t)length);
		*--end = '/';
	}
	return *end ? end : "/";
}

/* Of a node that a finding names; NULL: no string. */
static const char *property_text(const struct source *source, int node, const char *property)
{
	int length = 0;
	const char *text;

	if (!source->data || node < 0 || !property)
		return NULL;
	text = fdt_getprop(source->data, node, property, &length);
	return text && length > 0 && memchr(text, 0, (size_t)length) ? text : NULL;
}

/* Of the event with this reg in a list. */
static const char *event_name(const struct source *source, int list, uint64_t reg)
{
	int node, length = 0;

	if (!source->data || list < 0)
		return NULL;
	fdt_for_each_subnode(node, source->data, list)
	{
		const unsigned char *cell = fdt_getprop(source->data, node, "reg", &length);

		if (cell && length >= 4 && big_endian(cell) == reg)
			return property_text(source, node, "event-name");
	}
	return NULL;
}

#endif /* SOURCE_H */
