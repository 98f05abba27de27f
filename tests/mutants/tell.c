/* SPDX-License-Identifier: BSD-2-Clause
 *
 *	tell SEED COUNT FILE...
 *
 * Random inputs for a harness. Prints a line for each, with a digest of all the headers' answers
 * (tell.h). A seed gives the same inputs with any library, so two libraries differ if their lines
 * do.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define FUZZ_LIBFUZZER
#include "fuzz/mutator.c"

#define ROOM (1u << 15) /* larger inputs are cut, to try many in a few seconds */
#define SECONDS_PER_INPUT 5u

uint64_t tell_digest;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Without an engine: changes, removes, inserts or duplicates some bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
{
	static const uint8_t edges[] = {
		0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255
	};
	uint32_t n = 1 + below(6), at, bytes;

	while (n--) {
		at = below((uint32_t)size);
		bytes = 1 + below(below(4) ? 4 : 64);
		switch (size ? below(5) : 3) {
		case 0:
			data[at] ^= (uint8_t)(1u << below(8));
			break;
		case 1:
			data[at] = edges[below(sizeof(edges))];
			break;
		case 2:
			if (bytes < size - at) {
				memmove(data + at, data + at + bytes, size - at - bytes);
				size -= bytes;
			}
			break;
		case 3:
			for (; bytes && size < room; bytes--)
				data[size++] = (uint8_t)below(256);
			break;
		default:
			if (bytes <= size - at)
				memmove(data + below((uint32_t)(size - bytes + 1)), data + at,
					bytes);
			break;
		}
	}
	return size;
}

/* Returns the file's size; 0 if it cannot be read or is empty. */
static size_t read_file(const char *path, uint8_t *data)
{
	FILE *f = fopen(path, "rb");
	size_t size;

	if (!f)
		return 0;
	size = fread(data, 1, ROOM, f);
	fclose(f);
	return size;
}

int main(int argc, char **argv)
{
	static uint8_t data[ROOM];
	unsigned long seed, count, i;

	if (argc < 4)
		return 2;
	seed = strtoul(argv[1], NULL, 10);
	count = strtoul(argv[2], NULL, 10);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (LLVMFuzzerInitialize)
		LLVMFuzzerInitialize(&argc, &argv);
	for (i = 0; i < count; i++) {
		size_t size;
		uint32_t rounds;

		state = (seed << 20 | i) * 0x9e3779b97f4a7c15u | 1;
		size = below(16) ? read_file(argv[3 + below((uint32_t)argc - 3)], data) : 0;
		for (rounds = below(4) + (size == 0) * 16; rounds; rounds--)
			size = LLVMFuzzerCustomMutator(data, size, ROOM, below(~0u));
		tell_digest = 0;
		alarm(SECONDS_PER_INPUT);
		LLVMFuzzerTestOneInput(data, size);
		printf("%016" PRIx64 "\n", tell_digest);
	}
	return 0;
}
