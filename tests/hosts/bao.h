/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of Bao as hosts/bao needs: every header that it includes is this one. */
#ifndef BAO_H
#define BAO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uintptr_t paddr_t;
typedef uintptr_t vaddr_t;
typedef unsigned long cpuid_t;
typedef int as_sec_t;

#define INVALID_VA ((vaddr_t)~0UL)
#define PAGE_SIZE (0x1000)
#define PLAT_CPU_NUM (2)
#define SEC_HYP_PRIVATE 2
#define MEM_DONT_FREE_PAGES (false)
#define UNUSED_ARG(VAR) ((void)(VAR))
#define CPU_HAS_EXTENSION(EXT) (EXT)
#define CPU_EXT_SSCOFPMF (true)
#define SBI_ERR_NOT_SUPPORTED (-2)
#define REG_A0 (10)

struct sbiret {
	long error;
	long value;
};

struct addr_space {
	int id;
};

struct vm_mem_region {
	paddr_t base;
	size_t size;
};

struct vm_platform {
	size_t region_num;
	struct vm_mem_region *regions;
};

struct vm_config {
	struct vm_platform platform;
};

struct vm {
	const struct vm_config *config;
	struct addr_space as;
};

struct vcpu {
	struct vm *vm;
	unsigned long x[32];
};

struct cpu {
	cpuid_t id;
	struct addr_space as;
	struct vcpu *vcpu;
};

struct cpu *cpu(void);
unsigned long vcpu_readreg(struct vcpu *vcpu, unsigned long reg);
vaddr_t mem_map_cpy(struct addr_space *ass, struct addr_space *asd, as_sec_t asd_section,
		    vaddr_t vas, vaddr_t vad, size_t num_pages);
void mem_unmap(struct addr_space *as, vaddr_t at, size_t num_pages, bool free_ppages);
void *memcpy(void *dst, const void *src, size_t count);
void *memset(void *dest, int c, size_t count);

#ifndef __riscv
struct pmumap_sbi;
void pmumap_sbi_init(struct pmumap_sbi *s);
#endif

#endif
