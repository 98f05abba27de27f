/* SPDX-License-Identifier: BSD-2-Clause */
/* As much of Xvisor as hosts/xvisor needs: every header that it includes is this one. */
#ifndef XVISOR_H
#define XVISOR_H

#include <stdint.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef int s32;
typedef unsigned int u32;
typedef long s64;
typedef unsigned long u64;
typedef unsigned int bool;
typedef unsigned long size_t;
typedef unsigned long ulong;
typedef u64 physical_addr_t;
typedef u64 physical_size_t;

#define NULL ((void *)0)
#define TRUE 1
#define FALSE 0
#define VMM_REGION_ISRAM 0x00000100
#define CSR_HCOUNTEREN 0x606
#define SBI_EXT_0_1_SET_TIMER 0x0
#define SBI_EXT_0_1_SEND_IPI 0x4
#define SBI_EXT_TIME 0x54494D45
#define SBI_EXT_IPI 0x735049
#define SBI_EXT_RFENCE 0x52464E43
#define SBI_EXT_PMU 0x504D55
#define SBI_EXT_TIME_SET_TIMER 0x0
#define SBI_EXT_IPI_SEND_IPI 0x0
#define SBI_EXT_RFENCE_REMOTE_FENCE_I 0x0
#define SBI_EXT_RFENCE_REMOTE_SFENCE_VMA 0x1
#define SBI_EXT_RFENCE_REMOTE_SFENCE_VMA_ASID 0x2

struct vmm_guest {
	int id;
};

struct riscv_priv_nested {
	bool virt;
	unsigned long hcounteren;
};

struct riscv_priv {
	unsigned long xlen;
	void *pmu_priv;
	struct riscv_priv_nested nested;
};

struct vmm_vcpu {
	struct vmm_guest *guest;
	void *arch_priv;
};

struct cpu_vcpu_sbi_return {
	unsigned long value;
	bool regs_updated;
};

struct cpu_vcpu_sbi_extension {
	const char name[16];
	unsigned long extid_start;
	unsigned long extid_end;
	int (*handle)(struct vmm_vcpu *vcpu, unsigned long ext_id, unsigned long func_id,
		      unsigned long *args, struct cpu_vcpu_sbi_return *out);
	unsigned long (*probe)(struct vmm_vcpu *vcpu);
};

#define riscv_priv(vcpu) ((struct riscv_priv *)((vcpu)->arch_priv))
#define riscv_nested_priv(vcpu) (&riscv_priv(vcpu)->nested)
#define riscv_nested_virt(vcpu) (riscv_nested_priv(vcpu)->virt)
#define riscv_isa_extension_available(isa, ext) (1)
#define DEFINE_PER_CPU(type, name) __typeof__(type) percpu_##name[3]
#define this_cpu(name) percpu_##name[this_host_cpu]
#define csr_write(csr, value) write_csr(csr, value)

extern int this_host_cpu;
void write_csr(int csr, unsigned long value);
void *vmm_zalloc(size_t bytes);
void vmm_free(void *p);
int vmm_guest_physical_map(struct vmm_guest *guest, physical_addr_t gphys_addr,
			   physical_size_t gphys_size, physical_addr_t *hphys_addr,
			   physical_size_t *phys_size, u32 *reg_flags);
u32 vmm_guest_memory_read(struct vmm_guest *guest, physical_addr_t gphys_addr, void *dst, u32 len,
			  bool cacheable);
u32 vmm_guest_memory_write(struct vmm_guest *guest, physical_addr_t gphys_addr, void *src, u32 len,
			   bool cacheable);

#ifndef __riscv
struct pmumap_sbi;
void pmumap_sbi_init(struct pmumap_sbi *s);
#endif

#endif
