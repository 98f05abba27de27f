/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions from shared objects built earlier.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Sets *function to SYMBOL of DIR/NAME.so, or to NULL if it is missing. */
static inline void load_function(const char *dir, const char *name, const char *symbol,
				 void *function)
{
	char path[256];
	void *object, *found;

	snprintf(path, sizeof(path), "%s/%s.so", dir, name);
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	found = object ? dlsym(object, symbol) : NULL;
	memcpy(function, &found,
	       sizeof(found)); /* converts an object pointer to a function pointer */
}

#endif /* OBJECT_H */
