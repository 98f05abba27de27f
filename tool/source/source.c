/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include <libfdt.h>
#include "container.h"
#include "dts.h"
#include "nodes.h"
#include "opensbi.h"
#include "text/limits.h"
#include "text/text.h"

#define HEAD_BYTES 16           /* of the smallest image there is */
#define INDEX_LIMIT (64u << 20) /* of the block that one may ask for */

/* As a .dtsi is, or a .dts on the standard input. */
static int is_text(const struct source *source)
{
	for (size_t i = 0; i < source->file.size; i++) {
		if (!source->file.data[i] || source->file.data[i] >= 0x80)
			return 0;
	}
	return memchr(source->file.data, '{', source->file.size) != NULL;
}

/* Whether a blob is an overlay, whose parts are put into another tree. */
static int is_overlay(const void *blob)
{
	int node;

	fdt_for_each_subnode(node, blob, 0)
	{
		if (fdt_subnode_offset(blob, node, "__overlay__") >= 0)
			return 1;
	}
	return 0;
}

static int refuse(const struct source *source, enum pmumap_status status)
{
	const char *advice = "";

	if (status == PMUMAP_E_NOTFOUND && is_overlay(source->file.data))
		advice = ": an overlay; apply it to its tree first, as by fdtoverlay";
	else if (status == PMUMAP_E_NOTFOUND)
		advice = ": no riscv,pmu, no ibm,opal-in-memory-counters, no AMU in /cpus";
	else if (status == PMUMAP_E_FDT_MAGIC && is_text(source))
		advice = ": a source begins with /dts-v1/;, and a file of it is named .dts";
	else if (status == PMUMAP_E_FDT_MAGIC)
		advice = ": give a .dtb, a .dts or a map image";
	return complain(status == PMUMAP_E_NOTFOUND ? FAULT : UNREADABLE, source->file.name, "%s%s",
			pmumap_status_str(status), advice);
}

/* Only for a blob that pmumap has accepted: no other is fit for libfdt. */
static int find_node(const struct source *source, const char *path, int *node)
{
	/* Without a slash it is an alias: libfdt follows one that names itself for ever. */
	*node = *path == '/' ? fdt_path_offset(source->file.data, path) : -FDT_ERR_BADPATH;
	if (*node <= 0)
		return complain(FAULT, source->file.name, "no node %s (a path, such as /soc/pmu)",
				path);
	if (fdt_node_check_compatible(source->file.data, *node, "riscv,pmu"))
		return complain(FAULT, source->file.name, "%s is not compatible with riscv,pmu",
				path);
	return GOOD;
}

/* A node without tables has no answers; check has a finding for it. */
static void warn_of_tables(const struct source *source, const char *path)
{
	enum tables tables = tables_of(source, pmu_node(source, path));

	if (tables == TABLES_TAKEN)
		complain(GOOD, source->file.name,
			 "firmware has taken the tables; give the board's own .dtb or .dts");
	else if (tables == TABLES_MISSING)
		complain(GOOD, source->file.name, "its riscv,pmu node has no tables");
}

/* A tree of another kind: the map of nothing stands for RISC-V's. */
static void use_others_alone(struct source *source)
{
	static const struct pmumap nothing;

	if (!source->map && (source->imc || source->amu))
		source->map = &nothing;
}

/*
 * Builds the map of RISC-V, and then once more with its findings: these are reported when the map
 * is there to look names up in. Of a tree without one, findings may tell why.
 */
static enum pmumap_status build_riscv(struct source *source, int node, pmumap_report_fn *report,
				      void *arg)
{
	struct pmumap_fdt_options options = { .node = node };
	const void *blob = source->file.data;
	size_t size = source->file.size, bytes;
	enum pmumap_status status = pmumap_fdt_measure(blob, size, &options, &bytes);
	const struct pmumap *same;
	void *block;

	if (status == PMUMAP_OK) {
		source->memory[RISCV] = reallocate(NULL, bytes, 1);
		status = pmumap_fdt_build(blob, size, &options, source->memory[RISCV], bytes,
					  &source->map);
	}
	if (report) {
		block = reallocate(NULL, bytes + 8, 1);
		options.check = pmumap_check;
		options.report = report;
		options.arg = arg;
		(void)pmumap_fdt_build(blob, size, &options, block, bytes + 8, &same);
		free(block);
	}
	return status;
}

/* The block that the index of names would take, where it found no room. */
static void hear_of_index(void *arg, const struct pmumap_finding *f)
{
	if (f->code == PMUMAP_F_NO_INDEX && f->value <= INDEX_LIMIT)
		*(size_t *)arg = (size_t)f->value;
}

/* The same for IMC; the block is as large as its index of names needs it. */
static enum pmumap_status build_imc(struct source *source, const struct input *input,
				    pmumap_report_fn *report, void *arg)
{
	struct pmumap_imc_options options = { .flags = input->desc ? PMUMAP_DESC : 0,
					      .check = pmumap_imc_check,
					      .report = hear_of_index,
					      .generation = input->generation,
					      .available = input->available };
	const void *blob = source->file.data;
	size_t size = source->file.size, bytes = 0, more;
	enum pmumap_status status = pmumap_imc_fdt_measure(blob, size, &options, &more);
	const struct pmumap_imc *same;
	void *block;

	options.arg = &more;
	while (status == PMUMAP_OK && more > bytes) {
		bytes = more;
		source->memory[IMC] = reallocate(source->memory[IMC], bytes, 1);
		status = pmumap_imc_fdt_build(blob, size, &options, source->memory[IMC], bytes,
					      &source->imc);
	}
	if (status == PMUMAP_OK && report) {
		block = reallocate(NULL, bytes, 1);
		options.report = report;
		options.arg = arg;
		status = pmumap_imc_fdt_build(blob, size, &options, block, bytes, &same);
		free(block);
	}
	return status;
}

/* The same for AMU. */
static enum pmumap_status build_amu(struct source *source, pmumap_report_fn *report, void *arg)
{
	struct pmumap_amu_options options = { 0 };
	const void *blob = source->file.data;
	size_t size = source->file.size, bytes;
	enum pmumap_status status = pmumap_amu_fdt_measure(blob, size, &options, &bytes);
	const struct pmumap_amu *same;
	void *block;

	if (status != PMUMAP_OK)
		return status;
	source->memory[AMU] = reallocate(NULL, bytes, 1);
	status = pmumap_amu_fdt_build(blob, size, &options, source->memory[AMU], bytes,
				      &source->amu);
	if (report) {
		block = reallocate(NULL, bytes, 1);
		options.check = pmumap_amu_check;
		options.report = report;
		options.arg = arg;
		status = pmumap_amu_fdt_build(blob, size, &options, block, bytes, &same);
		free(block);
	}
	return status;
}

static int build_tree(struct source *source, const struct input *input, pmumap_report_fn *report,
		      void *arg)
{
	enum pmumap_status status, other;
	int node = 0, code = GOOD;
	size_t bytes;

	status = pmumap_fdt_measure(source->file.data, source->file.size, NULL, &bytes);
	if (input->node && (status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND))
		code = find_node(source, input->node, &node);
	if (code != GOOD)
		return code;
	status = build_riscv(source, node, report, arg);
	if (!input->node && (status == PMUMAP_OK || status == PMUMAP_E_NOTFOUND)) {
		other = build_imc(source, input, report, arg);
		status = other == PMUMAP_E_NOTFOUND ? status : other;
		other = build_amu(source, report, arg);
		status = other == PMUMAP_E_NOTFOUND ? status : other;
		use_others_alone(source);
	}
	if (status == PMUMAP_E_NOTFOUND && input->allow_none)
		return GOOD;
	if (status == PMUMAP_OK && !input->tree)
		warn_of_tables(source, input->node);
	return status == PMUMAP_OK ? GOOD : refuse(source, status);
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
		return complain(UNREADABLE, source->file.name, "nothing in it");
	return code;
}

/* Leaves one tree, or what else is no container. */
static int unwrap(struct source *source, uint32_t pvr)
{
	int container = is_container(source->file.data, source->file.size);

	if (container && pvr)
		return choose_catalog(source->file.name, pvr, &source->file.data,
				      &source->file.size);
	if (container)
		return complain(USAGE, source->file.name,
				"a container of catalogs: choose one, as by --pvr 0x4e1202; "
				"pmumap show lists them");
	if (pvr)
		return complain(USAGE, source->file.name,
				"no container of catalogs; --pvr needs one");
	return GOOD;
}

int understand(struct source *source, const struct input *input, pmumap_report_fn *report,
	       void *arg)
{
	const char *option = input->node         ? "--node"
			     : input->pvr        ? "--pvr"
			     : input->generation ? "--available"
						 : NULL;
	enum pmumap_status status;
	int code;

	if (!source->file.data)
		return option ? complain(USAGE, NULL, "%s needs a device tree: name the FILE too",
					 option)
			      : build_sample(source, report, arg);
	code = unwrap(source, input->pvr);
	if (code != GOOD)
		return code;
	status = pmumap_open(source->file.data, source->file.size, &source->map);
	if (status == PMUMAP_E_IMAGE_MAGIC)
		status = pmumap_imc_open(source->file.data, source->file.size, &source->imc);
	if (status == PMUMAP_E_IMAGE_MAGIC)
		status = pmumap_amu_open(source->file.data, source->file.size, &source->amu);
	if (status == PMUMAP_E_IMAGE_MAGIC || source->file.size < HEAD_BYTES)
		return build_tree(source, input, report, arg);
	use_others_alone(source);
	if (status != PMUMAP_OK)
		return refuse(source, status);
	if (option || input->tree)
		return complain(UNREADABLE, source->file.name,
				"a map image has no nodes and rows; give its device tree");
	return GOOD;
}

int load(struct source *source, const char *file, const struct input *input,
	 pmumap_report_fn *report, void *arg)
{
	int code = fetch(source, file);

	return code == GOOD ? understand(source, input, report, arg) : code;
}

/* ---- what is wrong with a tree --------------------------------------------------------------- */

void count_doubts(void *doubts, const struct pmumap_finding *f)
{
	struct doubts *d = doubts;

	d->errors += f->severity == PMUMAP_ERROR;
	d->warnings += f->severity == PMUMAP_WARNING;
}

/* Errors keep rows out of the map; and firmware has its own ways with what is wrong. */
void put_doubts(FILE *out, const struct doubts *doubts, const char *head)
{
	if (doubts->errors)
		fprintf(out,
			"%s%" PRIu32 " %s of the tree out of the map: pmumap check tells why\n",
			head, doubts->errors,
			doubts->errors == 1 ? "error keeps a row" : "errors keep rows");
	if (doubts->warnings)
		fprintf(out,
			"%s%" PRIu32 " %s: firmware may answer otherwise, pmumap check tells why\n",
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
	for (int kind = 0; kind < KINDS; kind++)
		free(source->memory[kind]);
	free(source->file.data);
	forget_nodes(source);
}
