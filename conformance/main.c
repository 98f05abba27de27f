/* SPDX-License-Identifier: BSD-2-Clause
 *
 * conformance: tests an SBI implementation against every rule of the PMU chapter, from S-mode, and
 * prints TAP. It knows nothing about the board: it finds counters and events through SBI. A line is
 *
 *	ok 12 - start_empty | OPEN | FID 3, errors | INVALID_PARAM
 *
 * with the rule, its severity, its place in the chapter of SBI v3.0, and the answer.
 *
 *	MUST	the specification requires it
 *	LINUX	Linux relies on it
 *	OPEN	the specification leaves it open: any answer passes. The line shows the answer that
 *		others expect, if it differs
 *
 * doc/conformance.md compares implementations. conformance/run.sh boots this program in QEMU, and
 * boots it again after a rule that has crashed the hart.
 */
#include "conformance.h"

#define BASE_EXTENSION 0x10
#define CONSOLE 0x4442434e
#define TIME 0x54494d45
#define SYSTEM_RESET 0x53525354

struct known k;
reg matched;
long guarded(long (*rule)(void));
long peek(reg address);

/*
 * A loader may leave a word 1 MiB above the program: the first rule to run, after one that crashed
 * the hart, and a flag to skip the search for memory that S-mode cannot read.
 */
#define RESUME 0x52530000u
extern char _start[];
static struct {
	unsigned first, wall;
} resume;

struct ret sbi(reg extension, reg function, reg a0, reg a1, reg a2, reg a3, reg a4, reg a5)
{
	register reg r0 __asm__("a0") = a0;
	register reg r1 __asm__("a1") = a1;
	register reg r2 __asm__("a2") = a2;
	register reg r3 __asm__("a3") = a3;
	register reg r4 __asm__("a4") = a4;
	register reg r5 __asm__("a5") = a5;
	register reg r6 __asm__("a6") = function;
	register reg r7 __asm__("a7") = extension;

	__asm__ volatile("ecall"
			 : "+r"(r0), "+r"(r1)
			 : "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6), "r"(r7)
			 : "memory");
	return (struct ret){ (long)r0, r1 };
}

struct ret pmu(reg function, reg a0, reg a1, reg a2, reg a3, reg a4)
{
	return sbi(PMU, function, a0, a1, a2, a3, a4, 0);
}

long match(reg base, reg mask, reg flags, reg event)
{
	struct ret r = pmu(MATCH, base, mask, flags, event, 0);

	matched = r.value;
	return r.error;
}

/* ---- the console ----------------------------------------------------------------------------- */

#ifndef UART
#define UART 0x10000000 /* of QEMU's virt */
#endif

static reg console; /* the extension that prints; 0 for the UART */

static void put(char c)
{
	volatile uint8_t *uart = (volatile uint8_t *)UART;

	if (console == CONSOLE) {
		sbi(CONSOLE, 2, (reg)c, 0, 0, 0, 0, 0);
	} else if (console) {
		sbi(console, 0, (reg)c, 0, 0, 0, 0, 0);
	} else {
		while (!(uart[5] & 0x20))
			;
		uart[0] = (uint8_t)c;
	}
}

static void print(const char *s)
{
	while (*s)
		put(*s++);
}

static void print_number(unsigned n)
{
	if (n > 9)
		print_number(n / 10);
	put((char)('0' + n % 10));
}

static void print_hex(reg n)
{
	if (n > 15)
		print_hex(n >> 4);
	put("0123456789abcdef"[n & 15]);
}

static const char *const answers[] = {
	"NO_SHMEM",
	"ALREADY_STOPPED",
	"ALREADY_STARTED",
	"ALREADY_AVAILABLE",
	"INVALID_ADDRESS",
	"DENIED",
	"INVALID_PARAM",
	"NOT_SUPPORTED",
	"FAILED",
	"SUCCESS",
	"yes",
	"no",
	"trapped",
	"too long",
};

static void print_answer(long a)
{
	print(a >= NO_SHMEM && a <= HANGS ? answers[a - NO_SHMEM] : "?");
}

static void print_wanted(unsigned set)
{
	const char *between = "";
	long a;

	for (a = NO_SHMEM; a <= HANGS; a++) {
		if (!(set & W(a)))
			continue;
		print(between);
		print_answer(a);
		between = " or ";
	}
}

/* ---- what there is --------------------------------------------------------------------------- */

static int is_there(reg extension)
{
	struct ret r = sbi(BASE_EXTENSION, 3, extension, 0, 0, 0, 0, 0);

	return r.error == 0 && r.value != 0;
}

uint64_t now(void)
{
	reg low, high = 0;

#if __riscv_xlen == 32
	reg again;

	do {
		__asm__ volatile("rdtimeh %0\n\trdtime %1\n\trdtimeh %2"
				 : "=r"(high), "=r"(low), "=r"(again));
	} while (high != again);
#else
	__asm__ volatile("rdtime %0" : "=r"(low));
#endif
	return low | (uint64_t)high << 16 << 16;
}

/* Interrupt 13: counter overflow. It is never taken, so it stays pending until cleared. */
#define OVERFLOW ((reg)1 << 13)

int interrupt_pending(void)
{
	reg sip;

	__asm__ volatile("csrr %0, sip" : "=r"(sip));
	return (sip & OVERFLOW) != 0;
}

void clear_interrupt(void)
{
	__asm__ volatile("csrc sip, %0" : : "r"(OVERFLOW));
}

/* scountovf traps without Sscofpmf. The interrupt can be enabled only if firmware delegates it. */
static long ask_interrupt(void)
{
	reg sie;

	__asm__ volatile("csrr %0, 0xda0\n\tcsrs sie, %1\n\tcsrr %0, sie\n\tcsrc sie, %1"
			 : "=&r"(sie)
			 : "r"(OVERFLOW));
	return sie & OVERFLOW ? YES : NO;
}

/* Sets the timer to this many ticks from now. */
void set_timer(uint64_t ticks)
{
	uint64_t at = ticks == ~(uint64_t)0 ? ticks : now() + ticks;

	sbi(TIME, 0, (reg)at, (reg)(at >> 16 >> 16), 0, 0, 0, 0);
}

void reset(void)
{
	reg n;

	for (n = 0; n < k.total; n++)
		pmu(STOP, n, 1, RESET, 0, 0);
	pmu(SHMEM, ONES, ONES, 0, 0, 0);
}

static uint64_t bit(reg n)
{
	return n < 64 ? (uint64_t)1 << n : 0;
}

static int is(uint64_t set, reg n)
{
	return (bit(n) & set) != 0;
}

static void learn_counters(void)
{
	const reg type = (reg)1 << (__riscv_xlen - 1);
	reg n, fixed = 0;

	k.total = pmu(NUM, 0, 0, 0, 0, 0).value;
	for (n = 0; n < k.total && n < 64; n++) {
		struct ret r = pmu(INFO, n, 0, 0, 0, 0);

		if (n < __riscv_xlen)
			k.all |= (reg)1 << n;
		if (r.error) {
			k.hole = n;
			k.has |= HOLE;
		} else if (r.value & type) {
			k.first_fw = k.fw ? k.first_fw : n;
			k.fw |= bit(n);
		} else {
			k.hw |= bit(n);
			fixed += (n == 0 && (r.value & 0xfff) == 0xc00) ||
				 (n == 2 && (r.value & 0xfff) == 0xc02);
		}
	}
	k.set = (reg)k.hw & k.all;
	k.has |= fixed == 2 ? FIXED : 0;
}

/* Finds two programmable counters for one event, if there are two, in any order. */
static void learn_event(reg event)
{
	reg first, n;

	if (k.has & HW2 || match(0, k.set & ~(reg)7, 0, event) || matched < 3)
		return;
	first = matched;
	if (!(k.has & HW)) {
		k.a = first;
		k.event = event;
		k.has |= HW;
	}
	for (n = 3; n < __riscv_xlen; n++)
		if (is(k.hw, n) && n != first && match(0, (reg)1 << n, 0, event) == 0) {
			k.a = first < n ? first : n;
			k.b = first < n ? n : first;
			k.event = event;
			k.has |= HW2;
			break;
		}
	reset();
}

static void learn_firmware_event(reg event)
{
	reg n;

	/* Not number 0, so that a base below it exists. */
	for (n = k.first_fw ? k.first_fw : 1; n < k.total && !(k.has & FW); n++) {
		if (n < __riscv_xlen ? match(0, (reg)1 << n, 0, event) : match(n, 1, 0, event))
			continue;
		k.f = n;
		k.fw_event = event;
		k.has |= FW | (event == SET_TIMER ? TIMER : 0);
	}
	reset();
}

/* ---- the second hart ------------------------------------------------------------------------- */

void start_of_hart(void);
void main_of_hart(void);
void trap_of_hart(void);
static struct {
	long (*ask)(void);
	long answer;
	int step;
} other;

enum { HART_START, HART_STOP, HART_STATUS };
#define IS_STOPPED 1

/*
 * With -icount QEMU runs one hart for 0.1 s, or until it waits. This one waits for an interrupt
 * that is pending already. The timer of a rule may trap at the end.
 */
static void let_others_run(void)
{
	__asm__ volatile("csrci sstatus, 2\n\tcsrs sie, %0\n\tcsrs sip, %0\n\twfi\n\t"
			 "csrc sip, %0\n\tcsrc sie, %0\n\tcsrsi sstatus, 2"
			 :
			 : "r"((reg)1 << 1)
			 : "memory");
}

static int is_stopped(reg hart)
{
	struct ret r = sbi(HSM, HART_STATUS, hart, 0, 0, 0, 0, 0);

	return r.error == 0 && r.value == IS_STOPPED;
}

static void learn_hart(reg self)
{
	reg hart;

	for (hart = 0; is_there(HSM) && hart < 64 && !(k.has & HART); hart++)
		if (hart != self && is_stopped(hart)) {
			k.hart = hart;
			k.has |= HART;
		}
}

void take_step(int n)
{
	__atomic_store_n(&other.step, n, __ATOMIC_RELEASE);
}

void await_step(int n)
{
	while (__atomic_load_n(&other.step, __ATOMIC_ACQUIRE) != n)
		let_others_run();
}

void begin_on_hart(long (*ask)(void))
{
	while (!is_stopped(k.hart))
		let_others_run();
	other.ask = ask;
	take_step(0);
	sbi(HSM, HART_START, k.hart, (reg)start_of_hart, 0, 0, 0, 0);
}

long answer_of_hart(void)
{
	while (!is_stopped(k.hart))
		let_others_run();
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return other.answer;
}

static void end_of_hart(long answer)
{
	other.answer = answer;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	sbi(HSM, HART_STOP, 0, 0, 0, 0, 0, 0);
}

void main_of_hart(void)
{
	long answer;

	__asm__ volatile("csrw scounteren, %0" : : "r"(ONES));
	answer = other.ask();
	reset();
	end_of_hart(answer);
}

void trap_of_hart(void)
{
	end_of_hart(TRAPPED);
}

static void learn(void)
{
	reg e, at;

	k.version = sbi(BASE_EXTENSION, 0, 0, 0, 0, 0, 0, 0).value;
	k.has = (k.version >> 24 >= 2 ? V2 : 0) | (RV64 ? IS64 : IS32) |
		(guarded(ask_interrupt) == YES ? IRQ : 0);
	learn_counters();
	reset();
	for (e = 2; e; e--)
		if (!(k.has & COUNTS) && match(0, k.set, 0, e) == 0) {
			k.c = matched;
			k.count = e;
			k.has |= COUNTS;
			reset();
		}
	for (e = 0x10000; e < 0x10038; e++)
		learn_event(e);
	for (e = 10; e; e--)
		learn_event(e);
	if (k.fw) {
		learn_firmware_event(SET_TIMER);
		for (e = 0xf0000; e < 0xf0016; e++)
			learn_firmware_event(e);
	}
	/* The last general event without a counter. */
	for (e = 3; e <= 10; e++)
		if (match(0, k.set, 0, e) == NOT_SUPPORTED)
			k.nothing = e;
	reset();
	if (pmu(SHMEM, ONES, ONES, 0, 0, 0).error == 0)
		k.has |= SNAP;
	if (pmu(EVENTS, 0, 0, 1, 1, 0).error != NOT_SUPPORTED)
		k.has |= LIST;
	if (!resume.wall)
		return;
	if (!peek(0))
		k.has |= VOID;
	/* Firmware is often just below. */
	for (at = (reg)_start - 4096; !(k.has & WALL) && at > (reg)_start - 0x400000; at -= 0x10000)
		if (!peek(at)) {
			k.wall = at & ~(reg)4095;
			k.has |= WALL;
		}
}

/* ---- TAP ------------------------------------------------------------------------------------- */

/* NUMBER - NAME | SEVERITY | PLACE | */
static void print_rule(unsigned n, const struct rule *r)
{
	static const char *const severities[] = { "MUST", "LINUX", "OPEN" };

	print_number(n);
	print(" - ");
	print(r->name);
	print(" | ");
	print(severities[r->severity]);
	print(" | ");
	print(r->place);
	print(" | ");
}

/* Runs a rule and prints its line; returns whether the answer is good. */
static int judge(unsigned n, const struct rule *r)
{
	int skipped = (r->needs & ~k.has) != 0, wanted = 1, good = 1;
	long a = 0;

	/* If nothing follows this line, the rule has crashed the hart. */
	print("# ");
	print_rule(n, r);
	print("\n");
	if (!skipped) {
		reset();
		set_timer(LIMIT);
		a = guarded(r->ask);
		set_timer(~(uint64_t)0);
		wanted = a >= NO_SHMEM && a <= HANGS && (r->wants & W(a));
		good = wanted || (r->severity == OPEN && a < TRAPPED);
	}
	print(good ? "ok " : "not ok ");
	print_rule(n, r);
	if (skipped)
		print("# SKIP not there");
	else
		print_answer(a);
	if (!wanted) {
		print(good ? " | others want " : " | wanted ");
		print_wanted(r->wants);
	}
	print("\n");
	return good;
}

static void say(const char *what, reg value)
{
	print("# ");
	print(what);
	print(" 0x");
	print_hex(value);
	print("\n");
}

int main(reg hart);
int main(reg hart)
{
	unsigned word = *(volatile uint32_t *)((reg)_start + 0x100000), i, failed = 0;

	resume.wall = 1;
	if ((word & 0xffff0000u) == RESUME) {
		resume.first = word & 0x7fff;
		resume.wall = !(word & 0x8000);
	}
	console = is_there(CONSOLE) ? CONSOLE : is_there(1) ? 1 : 0;
	__asm__ volatile("csrw scounteren, %0" : : "r"(ONES));
	__asm__ volatile("csrs sie, %0" : : "r"((reg)1 << 5));
	print("TAP version 13\n");
	say("SBI", sbi(BASE_EXTENSION, 0, 0, 0, 0, 0, 0, 0).value);
	say("implementation", sbi(BASE_EXTENSION, 1, 0, 0, 0, 0, 0, 0).value);
	say("its version", sbi(BASE_EXTENSION, 2, 0, 0, 0, 0, 0, 0).value);
	if (!is_there(PMU)) {
		print("1..0 # SKIP no PMU extension\n");
	} else {
		print("# learning\n");
		set_timer(~(uint64_t)0);
		learn();
		learn_hart(hart);
		say("counters", k.total);
		say("hardware", (reg)k.hw);
		say("of what the rules need", k.has);
		say("event", k.event);
		say("on counter", k.a);
		say("firmware event", k.fw_event);
		print("1..");
		print_number(rules_count);
		print("\n");
		for (i = resume.first; i < rules_count; i++)
			failed += !judge(i + 1, &rules[i]);
		reset();
	}
	print("# end\n");
	sbi(SYSTEM_RESET, 0, 0, failed != 0, 0, 0, 0, 0);
	sbi(8, 0, 0, 0, 0, 0, 0, 0);
	return 0;
}
