/* SPDX-License-Identifier: BSD-2-Clause */
#include "json.h"

#define MEMBER_BYTES 16u /* besides its key: punctuation, and a value that is not a text */
#define ITEM_BYTES 48u   /* an item that is an object of two numbers */

/* Printed before the next member or item. */
static const char *separator = "{";

void json_key(const char *key)
{
	count_output(strlen(key) + MEMBER_BYTES);
	printf("%s\"%s\":", separator, key);
	separator = ",";
}

static void put_quoted(const char *text)
{
	putchar('"');
	put_escaped(stdout, text, 1);
	putchar('"');
}

void json_string(const char *key, const char *text)
{
	json_key(key);
	put_quoted(text);
}

static const char *board;

void json_board(const char *name)
{
	board = name;
}

void json_kind(const char *kind)
{
	json_string("kind", kind);
	json_text("board", board);
}

void json_hex(const char *key, uint64_t value)
{
	json_key(key);
	printf("\"0x%" PRIx64 "\"", value);
}

void json_number(const char *key, uint64_t value)
{
	json_key(key);
	printf("%" PRIu64, value);
}

void json_counters(uint32_t mask)
{
	json_list("counters");
	for (unsigned i = 0; i < 32; i++) {
		if (!(mask >> i & 1))
			continue;
		json_item();
		printf("%u", i);
	}
	json_list_end();
}

void json_bool(const char *key, int value)
{
	json_key(key);
	fputs(value ? "true" : "false", stdout);
}

void json_text(const char *key, const char *text)
{
	if (text)
		json_string(key, text);
}

void json_list(const char *key)
{
	json_key(key);
	putchar('[');
	separator = "";
}

void json_item(void)
{
	count_output(ITEM_BYTES);
	fputs(separator, stdout);
	separator = ",";
}

void json_item_text(const char *text)
{
	json_item();
	put_quoted(text);
}

void json_list_end(void)
{
	putchar(']');
	separator = ",";
}

void json_end(void)
{
	puts("}");
	separator = "{";
}
