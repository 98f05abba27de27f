/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of shared objects that were built before.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Puts the function SYMBOL of DIR/NAME.so into *function; NULL: it is not there. */
static inline void load_function(const char *dir, const char *name, const char *symbol,
				 void *function)
{
	char path[256];
	void *object, *found;

	snprintf(path, sizeof(path), "%s/%s.so", dir, name);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	found = object ? dlsym(object, symbol) : NULL;
	memcpy(function, &found, sizeof(found)); /* a function behind a pointer to an object */
}

#endif /* OBJECT_H */
