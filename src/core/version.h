/* SPDX-License-Identifier: BSD-2-Clause */
/* Refuse a header of another version */
#pragma once

/* A header left over from another release would compile, and read a struct of another layout. */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 3
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 3 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif
