// SPDX-License-Identifier: BSD-2-Clause
//! Firmware on QEMU's machine "virt": counts on its hart, then serves a guest's calls. doc/rust.md
//! tells how to run it. A hosted build, which has an unwinder, does nothing.
#![cfg_attr(panic = "abort", no_std, no_main)]

#[cfg(panic = "unwind")]
fn main() {}

#[cfg(panic = "abort")]
mod firmware {
    use core::arch::{asm, global_asm};
    use core::fmt::{self, Write};
    use core::{mem::MaybeUninit, panic::PanicInfo, ptr};
    use pmumap::{Config, Counters, Fdt, Hart, Map, NoCounter, Rule, Server, block};

    const INSTRUCTIONS: u32 = 2;
    const CACHE_MISSES: u32 = 4;

    // Registers of a missing CSR keep their value: the trap handler skips the instruction.
    global_asm!(
        ".pushsection .text.entry, \"ax\"",
        ".globl _start",
        "_start: csrr t0, mhartid",
        "bnez t0, 3f",
        "la sp, stack_top",
        "la t0, skip",
        "csrw mtvec, t0",
        "la t0, bss_start",
        "la t1, bss_end",
        "1: bgeu t0, t1, 2f",
        "sd zero, (t0)",
        "addi t0, t0, 8",
        "j 1b",
        "2: call boot",
        "3: wfi",
        "j 3b",
        ".balign 4",
        "skip: csrw mscratch, t0",
        "csrr t0, mepc",
        "addi t0, t0, 4",
        "csrw mepc, t0",
        "csrr t0, mscratch",
        "mret",
        ".popsection"
    );

    struct Console;
    impl Write for Console {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for byte in text.bytes() {
                // SAFETY: the UART's register.
                unsafe { ptr::without_provenance_mut::<u8>(0x1000_0000).write_volatile(byte) };
            }
            Ok(())
        }
    }

    /// End QEMU with this exit status.
    fn exit(status: u32) -> ! {
        let code = if status == 0 { 0x5555 } else { status << 16 | 0x3333 };
        // SAFETY: the test device's register.
        unsafe { ptr::without_provenance_mut::<u32>(0x10_0000).write_volatile(code) };
        loop {}
    }

    #[panic_handler]
    fn panic(info: &PanicInfo<'_>) -> ! {
        let _ = writeln!(Console, "{info}");
        exit(1)
    }

    /// About 2 * turns instructions.
    fn work(turns: u64) {
        // SAFETY: it only counts down.
        unsafe { asm!("1: addi {n}, {n}, -1", "bnez {n}, 1b", n = inout(reg) turns => _) };
    }

    /// Count an event during work.
    fn count(map: Map<'_>, hart: &mut Hart, event: u32, turns: u64) -> Result<u64, NoCounter> {
        let (free, features) = (hart.counters(), hart.features());
        let (counter, job) = map.plan(event, 0, free, features, Rule::IfNoTable)?;
        if !hart.set(counter, &job) {
            return Err(NoCounter::Unsupported);
        }
        hart.start(counter, Some(0));
        work(turns);
        hart.stop(counter, false);
        let value = hart.read(counter);
        hart.stop(counter, true);
        Ok(value)
    }

    /// Serve a guest that counts instructions. Returns its counter's number and value.
    fn serve(map: Map<'_>, hart: &mut Hart, turns: u64) -> Result<(u64, u64), i32> {
        let config =
            Config { width: hart.width(), ..Config::new(hart.counters(), hart.features()) };
        let mut server = Server::new(map, &config);
        let mut call = |function, args: [u64; 6]| {
            let answer = server.call(hart, &mut (), function, &args);
            if answer.error == 0 { Ok(answer.value) } else { Err(answer.error) }
        };
        let total = call(0, [0; 6])?;
        // CONFIG_MATCHING with CLEAR_VALUE and AUTO_START, then STOP
        let counter = call(2, [0, (1 << total) - 1, 2 | 4, INSTRUCTIONS.into(), 0, 0])?;
        work(turns);
        call(4, [counter, 1, 0, 0, 0, 0])?;
        Ok((counter, hart.read(counter as u32)))
    }

    #[unsafe(no_mangle)]
    extern "C" fn boot(_hart: usize, fdt: *const u8) -> ! {
        static mut MEMORY: [MaybeUninit<u64>; block(64, 64, 64)] =
            [MaybeUninit::uninit(); block(64, 64, 64)];
        // SAFETY: this runs once, on one hart.
        let memory = unsafe { &mut *(&raw mut MEMORY) };
        // SAFETY: QEMU's device tree, which nobody writes.
        let fdt = unsafe { Fdt::from_ptr(fdt) };
        let map = fdt.build(memory).unwrap_or_else(|error| panic!("{error}"));
        // SAFETY: M-mode; the trap handler skips what traps; nobody else counts.
        let mut hart = unsafe { Hart::machine(0) };
        let _ = writeln!(Console, "counters {:#x}, {} bits", hart.counters(), hart.width());

        let empty = count(map, &mut hart, INSTRUCTIONS, 1).unwrap();
        let busy = count(map, &mut hart, INSTRUCTIONS, 1001).unwrap();
        let _ = writeln!(Console, "1000 turns: {} instructions", busy - empty);
        if let Err(error) = count(map, &mut hart, CACHE_MISSES, 1) {
            let _ = writeln!(Console, "cache misses: {error}");
        }
        let (counter, value) = serve(map, &mut hart, 1001).unwrap();
        let _ = writeln!(Console, "guest: counter {counter}, {value} instructions");
        exit(if busy - empty == 2000 && value >= 2002 { 0 } else { 1 })
    }
}
