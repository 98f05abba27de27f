/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kvm.c -- the init process of a Linux machine: runs the payload as a KVM guest on one virtual CPU,
 * with the devices that it needs.
 *
 *	/init WORD
 *
 * /kvm.ko is the kernel module, if KVM is not built in. /guest is the payload's memory image,
 * /guest.dtb its optional device tree. WORD is passed on to the payload by conformance/run.sh: the
 * first rule.
 *
 * The guest has memory and a UART for output. Other addresses read as 0, so the payload finds no
 * unreadable memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#define RAM UINT64_C(0x80000000)
#define RAM_BYTES ((size_t)64 << 20)
#define PAYLOAD 0x200000u
#define WORD (PAYLOAD + 0x100000u)
#define TREE 0x3f00000u
#define UART 0x10000000u
#define FINISHER 0x100000u

#define CORE(name)                                                                                 \
	(KVM_REG_RISCV | KVM_REG_SIZE_U64 | KVM_REG_RISCV_CORE | KVM_REG_RISCV_CORE_REG(name))

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	reboot(RB_POWER_OFF);
	exit(1);
}

static int need(int result, const char *what)
{
	if (result < 0)
		die(what);
	return result;
}

/* Reads a file into memory; returns 0 on failure. */
static int load(const char *file, unsigned char *to, size_t room)
{
	int fd = open(file, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		return 0;
	while ((n = read(fd, to, room)) > 0) {
		to += n;
		room -= (size_t)n;
	}
	close(fd);
	return 1;
}

static void set_register(int cpu, uint64_t id, uint64_t value)
{
	struct kvm_one_reg reg = { id, (uintptr_t)&value };

	need(ioctl(cpu, KVM_SET_ONE_REG, &reg), "KVM_SET_ONE_REG");
}

static void prepare(void)
{
	int fd;

	mkdir("/dev", 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	fd = open("/kvm.ko", O_RDONLY);
	if (fd >= 0)
		need((int)syscall(SYS_finit_module, fd, "", 0), "kvm.ko");
	klogctl(6, NULL, 0); /* no kernel messages while the guest prints */
}

/* Returns 0 when the guest ends. */
static int emulate(struct kvm_run *run)
{
	const uint64_t at = run->mmio.phys_addr;

	if (!run->mmio.is_write) {
		memset(run->mmio.data, 0, sizeof(run->mmio.data));
		if (at == UART + 5)
			run->mmio.data[0] = 0x60; /* ready for a character */
	} else if (at == UART) {
		putchar(run->mmio.data[0]);
		if (run->mmio.data[0] == '\n')
			fflush(stdout);
	} else if (at == FINISHER) {
		return 0;
	}
	return 1;
}

static void run_guest(int cpu, struct kvm_run *run)
{
	for (;;) {
		if (ioctl(cpu, KVM_RUN, 0) < 0 && errno != EINTR)
			die("KVM_RUN");
		switch (run->exit_reason) {
		case KVM_EXIT_MMIO:
			if (!emulate(run))
				return;
			break;
		case KVM_EXIT_SYSTEM_EVENT:
			return;
		case KVM_EXIT_INTR:
			break;
		default:
			printf("KVM: exit %u\n", run->exit_reason);
			return;
		}
	}
}

int main(int argc, char **argv)
{
	struct kvm_userspace_memory_region region = { 0, 0, RAM, RAM_BYTES, 0 };
	const uint32_t word = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 0;
	unsigned char *ram;
	struct kvm_run *run;
	int kvm, vm, cpu, bytes;

	prepare();
	kvm = need(open("/dev/kvm", O_RDWR), "/dev/kvm");
	vm = need(ioctl(kvm, KVM_CREATE_VM, 0), "KVM_CREATE_VM");
	ram = mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (ram == MAP_FAILED)
		die("memory");
	region.userspace_addr = (uintptr_t)ram;
	need(ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region), "KVM_SET_USER_MEMORY_REGION");
	need(load("/guest", ram + PAYLOAD, RAM_BYTES - PAYLOAD) - 1, "/guest");
	memcpy(ram + WORD, &word, sizeof(word));

	cpu = need(ioctl(vm, KVM_CREATE_VCPU, 0), "KVM_CREATE_VCPU");
	bytes = need(ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), "KVM_GET_VCPU_MMAP_SIZE");
	run = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (run == MAP_FAILED)
		die("kvm_run");
	set_register(cpu, CORE(regs.pc), RAM + PAYLOAD);
	set_register(cpu, CORE(regs.a0), 0);
	set_register(cpu, CORE(regs.a1),
		     load("/guest.dtb", ram + TREE, RAM_BYTES - TREE) ? RAM + TREE : 0);
	run_guest(cpu, run);
	printf("=end\n");
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	reboot(RB_POWER_OFF);
	return 0;
}
