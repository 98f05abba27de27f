/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include <libfdt.h>
#include "dts.h"
#include "source.h"
#include "rows.h"
#include "text/output.h"
#include "text/text.h"

#define HEAD_BYTES 16 /* size of the smallest image */

/* True if the input is text, such as a .dtsi, or a .dts on stdin. */
static int is_text(const struct source *source)
{
	for (size_t i = 0; i < source->file.size; i++) {
		if (!source->file.data[i] || source->file.data[i] >= 0x80)
			return 0;
	}
	return memchr(source->file.data, '{', source->file.size) != NULL;
}

int is_overlay(const void *blob)
{
	int node;

	fdt_for_each_subnode(node, blob, 0)
	{
		if (fdt_subnode_offset(blob, node, "__overlay__") >= 0)
			return 1;
	}
	return 0;
}

/* ": no riscv,pmu, no ...": lists what a tree without a PMU lacks. */
static void list_lacks(char *list, size_t size)
{
	size_t used = 0;

	for (const struct kind *k = kinds; k->lacks && used < size; k++)
		used += (size_t)snprintf(list + used, size - used, "%s%s", k == kinds ? ": " : ", ",
					 k->lacks);
}

int refuse_source(const struct source *source, const struct input *input, enum pmumap_status status)
{
	const char *advice = "";
	char lacks[256];

	list_lacks(lacks, sizeof(lacks));
	if (status == PMUMAP_E_NOTFOUND && input->for_hart)
		return complain(FAULT, source->file.name, "no riscv,pmu node for hart %" PRIu64,
				input->hart);
	if (status == PMUMAP_E_NOTFOUND && is_overlay(source->file.data))
		advice = ": an overlay; apply it to its tree first, with fdtoverlay";
	else if (status == PMUMAP_E_NOTFOUND)
		advice = lacks;
	else if (status == PMUMAP_E_FDT_MAGIC && is_text(source))
		advice = ": a source begins with /dts-v1/; and its file is named .dts";
	else if (status == PMUMAP_E_FDT_MAGIC)
		advice = ": give a .dtb, a .dts or a map image";
	return complain(status == PMUMAP_E_NOTFOUND ? FAULT : UNREADABLE, source->file.name, "%s%s",
			pmumap_status_str(status), advice);
}

/* Call it only for a blob that pmumap accepted, because libfdt needs a valid one. */
static int find_node(const struct source *source, const char *path, int *node)
{
	/* A path without a slash is an alias. libfdt loops forever on an alias of itself. */
	*node = *path == '/' ? fdt_path_offset(source->file.data, path) : -FDT_ERR_BADPATH;
	if (*node <= 0)
		return complain(FAULT, source->file.name, "no node %s (a path, such as /soc/pmu)",
				path);
	if (fdt_node_check_compatible(source->file.data, *node, "riscv,pmu"))
		return complain(FAULT, source->file.name, "%s is not compatible with riscv,pmu",
				path);
	return GOOD;
}

/* A node without tables gives no answers. check has a finding for it. */
static void warn_of_tables(const struct source *source, const struct input *input)
{
	enum tables tables = tables_of(source, pmu_node(source, input));

	if (tables == TABLES_TAKEN)
		complain(GOOD, source->file.name,
			 "firmware removed the tables; use the board's own .dtb or .dts");
	else if (tables == TABLES_MISSING)
		complain(GOOD, source->file.name, "its riscv,pmu node has no tables");
}

/* The first node's answers are wrong for some harts. */
static void warn_of_harts(const struct source *source, const struct input *input)
{
	if (!input->node && !input->for_hart && !input->all_harts && has_mixed_harts(source))
		complain(GOOD, source->file.name,
			 "harts read different riscv,pmu nodes; this is the first of them. "
			 "--hart N selects another");
}

/* If the tree or image is of another kind, RISC-V gets an empty map. */
static void use_others_alone(struct source *source)
{
	static const struct pmumap nothing;

	if (!source->map)
		source->map = &nothing;
}

/* Builds the maps of all kinds in the tree. For --node or --hart, only RISC-V's. */
static enum pmumap_status build_kinds(struct source *source, const struct input *input,
				      pmumap_report_fn *report, void *arg)
{
	enum pmumap_status status = PMUMAP_E_NOTFOUND, other;

	for (const struct kind *k = kinds; k->lacks; k++) {
		if (k != kinds && (input->node || input->for_hart ||
				   (status != PMUMAP_OK && status != PMUMAP_E_NOTFOUND)))
			break;
		other = k->build(source, &source->memory[k - kinds], input, report, arg);
		status = other == PMUMAP_E_NOTFOUND ? status : other;
	}
	return status;
}

static int build_tree(struct source *source, const struct input *input, pmumap_report_fn *report,
		      void *arg)
{
	struct input found = *input;
	enum pmumap_status status;
	int code = GOOD;
	size_t bytes;

	read_harts(source);
	if (input->for_hart)
		found.offset = node_of_hart(source, input->hart);
	status = pmumap_fdt_measure(source->file.data, source->file.size, NULL, &bytes);
	if (input->node && (status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND))
		code = find_node(source, input->node, &found.offset);
	if (code != GOOD)
		return code;
	status = build_kinds(source, &found, report, arg);
	if (status == PMUMAP_OK)
		use_others_alone(source);
	if (status == PMUMAP_E_NOTFOUND && input->allow_none)
		return GOOD;
	if (status == PMUMAP_OK && !input->tree)
		warn_of_tables(source, input);
	if (status == PMUMAP_OK)
		warn_of_harts(source, input);
	return status == PMUMAP_OK ? GOOD : refuse_source(source, input, status);
}

int fetch(struct source *source, const char *file)
{
	int code;

	limit_time();
	reset_output();
	source->file.name = !file ? "sample (SiFive U74)" : strcmp(file, "-") ? file : "stdin";
	if (!file)
		return GOOD;
	if (!strcmp(file, "-")) {
		code = read_all(&source->file, STDIN_FILENO);
		if (code == GOOD && is_text(source) && is_source(&source->file))
			code = compile_source(&source->file);
	} else if (is_dts(file)) {
		code = run_dtc(&source->file, file, 0);
	} else {
		code = read_file(&source->file, file);
	}
	if (code == GOOD && !source->file.size)
		return complain(UNREADABLE, source->file.name, "it is empty");
	return code;
}

/* Extracts one tree from a container. Leaves other input unchanged. */
static int unwrap(struct source *source, uint32_t pvr)
{
	int container = is_container(source->file.data, source->file.size);

	if (container && pvr)
		return choose_catalog(source->file.name, pvr, &source->file.data,
				      &source->file.size);
	if (container)
		return complain(USAGE, source->file.name,
				"a container of catalogs: choose one with --pvr 0x4e1202; "
				"pmumap show lists them");
	if (pvr)
		return complain(USAGE, source->file.name,
				"not a container of catalogs, which --pvr needs");
	return GOOD;
}

int understand(struct source *source, const struct input *input, pmumap_report_fn *report,
	       void *arg)
{
	const char *option = input->node         ? "--node"
			     : input->for_hart   ? "--hart"
			     : input->pvr        ? "--pvr"
			     : input->generation ? "--available"
						 : NULL;
	enum pmumap_status status = PMUMAP_E_IMAGE_MAGIC;
	int code;

	if (!source->file.data)
		return option ? complain(USAGE, NULL, "%s needs a device tree: give the FILE too",
					 option)
			      : build_sample(source, report, arg);
	code = unwrap(source, input->pvr);
	if (code != GOOD)
		return code;
	for (const struct kind *k = kinds; k->lacks && status == PMUMAP_E_IMAGE_MAGIC; k++)
		status = k->open(source);
	if (status == PMUMAP_E_IMAGE_MAGIC || source->file.size < HEAD_BYTES)
		return build_tree(source, input, report, arg);
	if (status != PMUMAP_OK)
		return refuse_source(source, input, status);
	use_others_alone(source);
	if (option || input->tree)
		return complain(UNREADABLE, source->file.name,
				"a map image has no nodes or rows; give its device tree");
	return GOOD;
}

int load(struct source *source, const char *file, const struct input *input,
	 pmumap_report_fn *report, void *arg)
{
	int code = fetch(source, file);

	return code == GOOD ? understand(source, input, report, arg) : code;
}

/* ---- mistakes in a tree ---------------------------------------------------------------------- */

void count_doubts(void *doubts, const struct pmumap_finding *f)
{
	struct doubts *d = doubts;

	d->errors += f->severity == PMUMAP_ERROR;
	/* Most trees lack these rows, and the verb's own answers do not depend on them. */
	d->warnings += f->severity == PMUMAP_WARNING && f->code != PMUMAP_F_FIXED_MISSING;
}

/* An error keeps a row out of the map. After a warning, firmware may read the row differently. */
void put_doubts(FILE *out, const struct doubts *doubts, const char *head)
{
	if (doubts->errors)
		fprintf(out, "%s%" PRIu32 " %s missing from the map; run pmumap check\n", head,
			doubts->errors,
			doubts->errors == 1 ? "error: a row is" : "errors: rows are");
	if (doubts->warnings)
		fprintf(out,
			"%s%" PRIu32
			" %s: real firmware may behave differently; run pmumap check\n",
			head, doubts->warnings, doubts->warnings == 1 ? "warning" : "warnings");
}

void complain_of_doubts(const struct source *source, const struct doubts *doubts)
{
	char *name = escaped("pmumap: ", source->file.name), *head = escaped(name, ": ");

	fflush(stdout);
	put_doubts(stderr, doubts, head);
	free(name);
	free(head);
}

void unload(struct source *source)
{
	for (size_t i = 0; i < LENGTH(source->memory); i++)
		free(source->memory[i]);
	free(source->file.data);
	free(source->harts);
	forget_nodes(source);
}
