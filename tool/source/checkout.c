/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "dts.h"
#include "read.h"

#define SEARCHED 4
#define LINKED 3 /* folders that are trusted but not searched, because links and "../" lead there */

/* How to recognise a kind of source tree, and the folders that its sources search, in order. */
struct layout {
	const char *has[3], *linked[LINKED], *folders[SEARCHED];
	const char *config;  /* a header that the build generates */
	const char *vendors; /* the folders in it, and theirs, come last */
};

static const struct layout layouts[] = {
	/* Linux's trees without Linux itself; U-Boot has them as dts/upstream */
	{ { "include/dt-bindings", "src/riscv", "src/arm64" },
	  { "src" },
	  { "include", "src" },
	  NULL,
	  NULL },
	{ { "scripts/dtc", "dts/upstream/include", "include" },
	  { "arch", "dts/upstream" },
	  { "include", "dts/upstream/include", "arch/riscv/dts", "arch/arm/dts" },
	  "include/config.h",
	  "dts/upstream/src" },
	/* TF-A */
	{ { "fdts", "bl31", "plat" }, { NULL }, { "include", "fdts" }, NULL, NULL },
	{ { "scripts/dtc", "include/dt-bindings", "arch" },
	  { "arch", "scripts/dtc" },
	  { "scripts/dtc/include-prefixes", "include" },
	  NULL,
	  NULL },
};

static struct checkout found;
static char *found_root;

static int exists(const char *root, const char *name)
{
	struct stat what;
	char *path = path_below(root, name);
	int is = !stat(path, &what);

	free(path);
	return is;
}

/* NULL: the folder is not the root of such a tree. */
static const struct layout *layout_of(const char *root)
{
	for (size_t i = 0; i < LENGTH(layouts); i++) {
		size_t k = 0;

		while (k < LENGTH(layouts[i].has) && exists(root, layouts[i].has[k]))
			k++;
		if (k == LENGTH(layouts[i].has))
			return &layouts[i];
	}
	return NULL;
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* The tree may be untrusted: do not trust a link that leads out of it. */
static void trust_below(const char *root, const char *path)
{
	char *real = realpath(path, NULL);
	size_t length = strlen(root);

	if (real && !strncmp(real, root, length) && real[length] == '/')
		trust_folder(path);
	free(real);
}

/* Adds the folders of architectures, and in them those of vendors. */
static void add_vendors(char *folder, int deep)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = path_below(folder, entries[i]->d_name);
		struct stat what;

		if (*entries[i]->d_name != '.' && found.count < CHECKOUT_FOLDERS &&
		    !lstat(path, &what) && S_ISDIR(what.st_mode)) {
			found.folders[found.count++] = path;
			if (deep)
				add_vendors(path, 0);
		} else {
			free(path);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/* Paths are kept until exit, because trust_folder() keeps pointers to them. */
static void use_root(char *root, const struct layout *layout)
{
	if (found_root && !strcmp(found_root, root)) {
		free(root);
		return;
	}
	free(found_root);
	found_root = root;
	found = (struct checkout){ 0 };
	for (size_t i = 0; i < LINKED && layout->linked[i]; i++)
		trust_below(root, path_below(root, layout->linked[i]));
	for (size_t i = 0; i < SEARCHED && layout->folders[i]; i++) {
		if (!exists(root, layout->folders[i]))
			continue;
		found.folders[found.count] = path_below(root, layout->folders[i]);
		trust_below(root, found.folders[found.count++]);
	}
	if (layout->vendors) {
		char *vendors = path_below(root, layout->vendors);

		add_vendors(vendors, 1);
		free(vendors);
	}
	found.unconfigured = layout->config && !exists(root, layout->config);
}

void find_checkout(const char *file)
{
	const struct layout *layout;
	char *root = realpath(file, NULL), *slash;

	while (root && (slash = strrchr(root, '/')) && slash > root) {
		*slash = '\0';
		layout = layout_of(root);
		if (layout) {
			use_root(root, layout);
			return;
		}
	}
	free(root);
	free(found_root);
	found_root = NULL;
	found = (struct checkout){ 0 };
}

const struct checkout *checkout(void)
{
	return &found;
}

void clear_config(struct bytes *text)
{
	static const char word[] = "<CONFIG_";
	char *at = (char *)text->data, *end = at + text->size;

	while (found.unconfigured && at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
		if ((size_t)(end - at) >= strlen(word) && !memcmp(at, word, strlen(word))) {
			at[1] = '0';
			for (at += 2; at < end && (isalnum((unsigned char)*at) || *at == '_');)
				*at++ = ' ';
		} else {
			at++;
		}
	}
}
