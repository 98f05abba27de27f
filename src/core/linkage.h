/* SPDX-License-Identifier: BSD-2-Clause */
/* Bindings, and how functions are linked */
#pragma once

#include "core/version.h"

#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif

#define PMUMAP_RISCV 1
#define PMUMAP_IMC 2
#ifndef PMUMAP_BINDINGS
#define PMUMAP_BINDINGS (PMUMAP_RISCV | PMUMAP_IMC)
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
