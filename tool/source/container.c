/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef PMUMAP_TOOL_LZMA
#include <lzma.h>
#endif
#include "source.h"
#include "map/map.h"
#include "text/json.h"
#include "text/table.h"
#include "text/text.h"

#define CONTENTS_BYTES 4096u
#define SIGNED_BYTES 4096u /* size of skiboot's header of a signed partition */

/* Returns the number of bytes before the contents. */
static size_t bytes_before(const unsigned char *data, size_t size)
{
	return size >= SIGNED_BYTES && big_endian(data) == 0x17082011 ? SIGNED_BYTES : 0;
}

int is_container(const unsigned char *data, size_t size)
{
	size_t before = bytes_before(data, size);

	return size - before >= 4 &&
	       (!memcmp(data + before, "IMCC", 4) || !memcmp(data + before, "IMAC", 4));
}

/* Lists the entries of three cells that pmumap_imc.h finds by their PVR. */
void list_catalogs(const char *name, const unsigned char *data, size_t size, int json)
{
	static const char *const heads[] = { "pvr", ">offset", ">size" };
	struct table t = { .heads = heads, .columns = LENGTH(heads) };
	size_t before = bytes_before(data, size), offset, bytes;

	for (size_t at = 8; at + 12 <= CONTENTS_BYTES && before + at + 12 <= size; at += 12) {
		uint32_t pvr = big_endian(data + before + at);

		if (!pmumap_imc_catalog(data, size, pvr, &offset, &bytes))
			continue;
		if (json) {
			json_kind("catalog");
			json_hex("pvr", pvr);
			json_hex("offset", offset);
			json_hex("size", bytes);
			json_end();
			continue;
		}
		table_cells(&t, hex(pvr).s, hex(offset).s, hex(bytes).s);
	}
	if (json)
		return;
	put_escaped(stdout, name, 0);
	printf(": a container of %zu catalog%s; --pvr chooses one\n", t.used / t.columns,
	       t.used == t.columns ? "" : "s");
	if (t.used) {
		putchar('\n');
		table_end(&t);
	}
}

#ifdef PMUMAP_TOOL_LZMA

#define CATALOG_MIB 16u
#define UNPACK_MIB 128u /* memory limit; xz -9 needs 65 */

static int refuse(const char *name, lzma_ret result)
{
	if (result == LZMA_OK)
		return complain(UNREADABLE, name, "the catalog unpacks to more than %u MiB",
				CATALOG_MIB);
	if (result == LZMA_MEMLIMIT_ERROR || result == LZMA_MEM_ERROR)
		return complain(UNREADABLE, name,
				"unpacking the catalog takes more than %u MiB of memory",
				UNPACK_MIB);
	return complain(UNREADABLE, name, "the catalog's xz stream is damaged");
}

/* Ignores the padding after the xz stream. */
static int unpack(const char *name, const unsigned char *part, size_t bytes, unsigned char **tree,
		  size_t *size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret result = lzma_stream_decoder(&stream, UNPACK_MIB << 20, 0);
	size_t room = 0;

	*tree = NULL;
	stream.next_in = part;
	stream.avail_in = bytes;
	while (result == LZMA_OK && (stream.avail_out || room < CATALOG_MIB << 20)) {
		if (!stream.avail_out) {
			size_t used = room;

			room = room ? 2 * room : 1u << 16;
			*tree = reallocate(*tree, room, 1);
			stream.next_out = *tree + used;
			stream.avail_out = room - used;
		}
		result = lzma_code(&stream, LZMA_FINISH);
	}
	*size = room - stream.avail_out;
	lzma_end(&stream);
	if (result == LZMA_STREAM_END)
		return GOOD;
	free(*tree);
	*tree = NULL;
	return refuse(name, result);
}

#else

static int unpack(const char *name, const unsigned char *part, size_t bytes, unsigned char **tree,
		  size_t *size)
{
	(void)part, (void)bytes, (void)tree, (void)size;
	return complain(UNREADABLE, name,
			"built without liblzma, it cannot unpack a catalog (install liblzma-dev)");
}

#endif

int choose_catalog(const char *name, uint32_t pvr, unsigned char **data, size_t *size)
{
	unsigned char *tree = NULL;
	size_t offset, bytes;
	int code;

	if (!pmumap_imc_catalog(*data, *size, pvr, &offset, &bytes))
		return complain(FAULT, name, "no catalog for PVR 0x%" PRIx32 ", or it is truncated",
				pvr);
	code = unpack(name, *data + offset, bytes, &tree, &bytes);
	if (code != GOOD)
		return code;
	free(*data);
	*data = tree;
	*size = bytes;
	return GOOD;
}
