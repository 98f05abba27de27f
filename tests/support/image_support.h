/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Foreign images of any kind: rejected with the right status, or safe for all look-ups. Each is in a
 * heap block of its exact size, so that a sanitizer sees accesses outside.
 */
#ifndef IMAGE_SUPPORT_H
#define IMAGE_SUPPORT_H

#include "any_map.h"

static int image_kind = RISCV; /* of the maps of this program */

static inline size_t image_size(const void *map)
{
	return any_size(image_kind, map);
}

/* Opens an image, and asks its map everything. A rejected image gives no map. */
static inline enum pmumap_status status_of(const void *image, size_t size)
{
	const void *map = image;
	enum pmumap_status status = any_open(image_kind, image, size, &map);

	if (status == PMUMAP_OK)
		any_ask(image_kind, map, 5, 0);
	else if (map || status < PMUMAP_E_IMAGE_MAGIC || status > PMUMAP_E_IMAGE_TABLE)
		CHECK(!BROKEN("a rejected image has a status of images, and no map", status, 1));
	return status;
}

static inline void truncations(const void *map)
{
	size_t size = image_size(map), cut;
	uint32_t bad = 0;

	for (cut = 0; cut < size; cut++) {
		void *image = exact_copy(map, cut);

		bad += status_of(image, cut) != PMUMAP_E_IMAGE_SIZE;
		free(image);
	}
	CHECK_EQ(bad, 0);
}

/* Bytes after the image are not read. */
static inline void longer(const void *map)
{
	size_t size = image_size(map);
	unsigned char *image = exact(size + 9);
	const void *opened = NULL;

	memcpy(image, map, size);
	memset(image + size, 0xff, 9);
	CHECK_EQ(any_open(image_kind, image, size + 9, &opened), PMUMAP_OK);
	CHECK(opened == image && image_size(opened) == size);
	free(image);
}

/* Some bytes of each step, or all, take some other values, or all. */
static inline void changes(const void *map, size_t head, size_t step, int all)
{
	static const unsigned char flips[] = { 0x01, 0x80, 0xff, 0x08, 0x7f, 0x10 };
	size_t size = image_size(map), at;
	unsigned char *image = exact_copy(map, size);
	uint32_t opened = 0, i, n = all ? 255 : sizeof(flips);

	for (at = 0; at < size; at += at < head ? 1 : step) {
		unsigned char before = image[at];

		for (i = 0; i <= n; i++) {
			image[at] = i == n ? 0
				    : all  ? before ^ (unsigned char)(i + 1)
					   : before ^ flips[i];
			opened += status_of(image, size) == PMUMAP_OK;
		}
		image[at] = before;
	}
	CHECK(opened > 0 && memcmp(image, map, size) == 0);
	free(image);
}

/* Changes several words at once, mostly sizes and offsets. */
static inline void scramble(const void *map, uint32_t n)
{
	size_t size = image_size(map);
	uint32_t *image = exact_copy(map, size), i, k, opened = 0;

	for (i = 0; i < n; i++) {
		for (k = random_below(3) + 1; k; k--) {
			uint32_t at = 2 + random_below(i & 1 ? 20 : (uint32_t)size / 4 - 2);
			uint32_t with = image[random_below((uint32_t)size / 4)];

			at %= (uint32_t)size / 4;
			image[at] = random_below(2)   ? with
				    : random_below(2) ? (uint32_t)random64() >> random_below(32)
						      : image[at] + random_below(17) - 8;
		}
		opened += status_of(image, size) == PMUMAP_OK;
		memcpy(image, map, size);
	}
	CHECK(opened < n);
	free(image);
}

/*
 * Data with other first words is no image, or one of another kind. 8 bytes suffice to report that.
 */
static inline void heads(const void *map, uint32_t head)
{
	const uint32_t *words = map, good = words[0];
	uint32_t swapped = good << 24 | (good & 0xff00) << 8 | (good >> 8 & 0xff00) | good >> 24;
	const uint32_t magic[] = { good,    good - 1,    good + 1,    0,
				   swapped, swapped - 1, swapped + 1, ~0u };
	const uint32_t version[] = { words[1], 0, words[1] + 1, ~0u };
	size_t bytes, i;

	for (bytes = 0; bytes < 20; bytes++) {
		for (i = 0; i < 32; i++) {
			uint32_t image[5] = { magic[i / 4], version[i % 4], head, 0, 1 };
			void *copy = exact_copy(image, bytes);
			enum pmumap_status want = i / 4 == 4 ? PMUMAP_E_IMAGE_ORDER
						  : i / 4    ? PMUMAP_E_IMAGE_MAGIC
						  : i % 4    ? PMUMAP_E_IMAGE_VERSION
							     : PMUMAP_E_IMAGE_SIZE;

			CHECK_EQ(status_of(copy, bytes), bytes < 8 ? PMUMAP_E_IMAGE_SIZE : want);
			free(copy);
		}
	}
}

/* No size but its own, at most. A block that is not aligned, or none, or no place for the result. */
static inline void sizes(const void *map, uint32_t head)
{
	uint32_t size = (uint32_t)image_size(map), other, i;
	unsigned char *bytes = exact(size + 8);
	uint32_t *image = exact_copy(map, size);
	const void *opened;

	for (other = 0; other < size + 16; other += other < head ? 8 : 1) {
		image[2] = other;
		if (other < head || other > size || other % 8)
			CHECK_EQ(status_of(image, size), PMUMAP_E_IMAGE_SIZE);
	}
	for (i = 1; i < 8; i++) {
		memcpy(bytes + i, map, size);
		opened = map;
		CHECK_EQ(any_open(image_kind, bytes + i, size, &opened), PMUMAP_E_ARG);
		CHECK(!opened);
	}
	opened = map;
	CHECK_EQ(any_open(image_kind, NULL, size, &opened), PMUMAP_E_ARG);
	CHECK(!opened);
	free(image);
	free(bytes);
}

/* All of these. */
static inline void foreign_images(const void *map, uint32_t head)
{
	int small = image_size(map) < 1024;

	CHECK_EQ(status_of(map, image_size(map)), PMUMAP_OK);
	truncations(map);
	longer(map);
	changes(map, head, quick(small ? 1 : 5, 37), 0);
	scramble(map, quick(small ? 10000 : 5000, 300));
	heads(map, head);
	sizes(map, head);
}

/* Whether an image with another value of a number of so many bytes is accepted. */
static inline void with(void *image, void *number, size_t bytes, uint64_t value, int good)
{
	const uint16_t one = 1;
	const size_t high = *(const uint8_t *)&one ? 0 : 8 - bytes; /* bytes before the low ones */
	uint64_t before;

	memcpy(&before, number, bytes);
	memcpy(number, (const uint8_t *)&value + high, bytes);
	CHECK_EQ(status_of(image, ((uint32_t *)image)[2]) != PMUMAP_E_IMAGE_TABLE, good);
	memcpy(number, &before, bytes);
}

#define WITH(number, value, good) with(image, &(number), sizeof(number), value, good)

#endif /* IMAGE_SUPPORT_H */
