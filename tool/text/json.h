/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json.h -- writes JSON lines to stdout. The first member opens the object; json_end() closes it
 * and ends the line.
 */
#ifndef JSON_H
#define JSON_H

#include "output.h"

/* Opens an object. kind says what it is about, such as "event". Every line has one. */
void json_kind(const char *kind);

/* From now on, each object names the board. */
void json_board(const char *name);

/* Writes the key, after a brace or comma. The caller prints the value. */
void json_key(const char *key);

/* Write a member. json_hex() writes a string such as "0x1f". */
void json_string(const char *key, const char *text);
void json_hex(const char *key, uint64_t value);
void json_number(const char *key, uint64_t value);
void json_bool(const char *key, int value);

/* Writes "counters": the numbers of the bits in this mask. */
void json_counters(uint32_t mask);

/* Writes a string member, or nothing if text is NULL. */
void json_text(const char *key, const char *text);

/* Opens a list. The caller calls json_item() before printing each item. */
void json_list(const char *key);
void json_item(void);
void json_item_text(const char *text);
void json_list_end(void);

void json_end(void);

#endif /* JSON_H */
