/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.h -- one JSON object per line, on stdout. The first member opens the object; json_end()
 * closes it and ends the line.
 */
#ifndef JSON_H
#define JSON_H

#include "output.h"

/* Opens an object: what it is about, as "event". Each line has one. */
void json_kind(const char *kind);

/* From now on each object says of which board it is. */
void json_board(const char *name);

/* "key": with the brace or comma before it; the caller prints the value. */
void json_key(const char *key);

/* A member. json_hex() writes "0x1f", a string. */
void json_string(const char *key, const char *text);
void json_hex(const char *key, uint64_t value);
void json_number(const char *key, uint64_t value);
void json_bool(const char *key, int value);

/* A string, or nothing where text is NULL. */
void json_text(const char *key, const char *text);

/* A member that is a list; the caller prints each item behind a json_item(). */
void json_list(const char *key);
void json_item(void);
void json_list_end(void);

void json_end(void);

#endif /* JSON_H */
