/* SPDX-License-Identifier: BSD-2-Clause */
/* How functions are linked */
#pragma once

#include "core/version.h"

#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

#if defined(PMUMAP_IMPLEMENTATION) && !defined(PMUMAP_EXTERN)
#define PMUMAP_EXTERN
#endif
#ifdef PMUMAP_EXTERN
#define PMUMAP_LINKAGE_ 2
#define PMUMAP_API extern
#define PMUMAP_DEF
#else
#define PMUMAP_LINKAGE_ 1
#define PMUMAP_API static inline
#define PMUMAP_DEF static inline
#endif
