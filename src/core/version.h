/* SPDX-License-Identifier: BSD-2-Clause */
/* Refuses a header of another version */
#pragma once

/*
 * Part of every header: all that a program includes are of one version. One that is left over from
 * another release would compile, and read a struct by another layout.
 */
#ifndef PMUMAP_VERSION_MAJOR
#define PMUMAP_VERSION_MAJOR 0
#define PMUMAP_VERSION_MINOR 2
#define PMUMAP_VERSION_PATCH 1
#elif PMUMAP_VERSION_MAJOR != 0 || PMUMAP_VERSION_MINOR != 2 || PMUMAP_VERSION_PATCH != 1
#error "headers of two versions of pmumap meet here: take all of them from one release"
#endif
