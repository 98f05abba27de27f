// SPDX-License-Identifier: BSD-2-Clause
//
// RustSBI's PMU on this machine, after the calls that Linux makes at boot: what pmu.rs needs of its
// crate, and the questions of tests/rustsbi/machine.c.

extern crate alloc;

macro_rules! error {
    ($($text:tt)*) => { if false { println!($($text)*) } };
}

mod riscv {
    pub fn current_hartid() -> usize {
        0
    }
    pub mod csr {
        pub const CSR_CYCLE: u16 = 0xc00;
        pub const CSR_MCYCLE: u16 = 0xb00;
        pub const CSR_MINSTRET: u16 = 0xb02;
        pub const CSR_MHPMCOUNTER3: u16 = 0xb03;
        pub const CSR_MHPMEVENT3: u16 = 0x323;
        pub const CSR_MHPMEVENT31: u16 = 0x33f;
        pub mod mcycle {
            pub fn write(_: u64) {}
        }
        pub mod minstret {
            pub fn write(_: u64) {}
        }
    }
}

mod sbi {
    pub mod features {
        #[derive(PartialEq, PartialOrd)]
        pub enum PrivilegedVersion {
            Version1_11 = 2,
            Version1_12 = 3,
        }
        pub fn hart_privileged_version(_: usize) -> PrivilegedVersion {
            PrivilegedVersion::Version1_12
        }
        pub fn hart_mhpm_mask(_: usize) -> u32 {
            unsafe { crate::COUNTERS }
        }
    }
    pub mod trap_stack {
        pub struct Context {
            pub pmu_state: super::pmu::PmuState,
        }
        pub static mut CONTEXT: Option<Context> = None;
        pub fn hart_context(_: usize) -> &'static Context {
            hart_context_mut(0)
        }
        #[allow(static_mut_refs)]
        pub fn hart_context_mut(_: usize) -> &'static mut Context {
            unsafe { CONTEXT.as_mut().unwrap() }
        }
    }
    pub mod pmu;
}

use ::riscv::register::mcountinhibit;
use rustsbi::Pmu;
use sbi::pmu::{EventToCounterMap, PmuState, RawEventToCounterMap, SbiPmu};

static mut COUNTERS: u32 = 0;
static mut SELECTORS: [u64; 32] = [0; 32];
static mut PMU: Option<SbiPmu> = None;

fn put_event(counter: u16, value: u64) {
    unsafe { SELECTORS[counter as usize] = value }
}

#[allow(static_mut_refs)]
fn pmu() -> &'static mut SbiPmu {
    unsafe { PMU.as_mut().unwrap() }
}

/// A hart with these programmable counters. RustSBI lets the first three run.
#[unsafe(no_mangle)]
pub extern "C" fn rustsbi_begin(programmable: u32) {
    unsafe {
        COUNTERS = 7 | programmable;
        PMU = Some(Default::default());
        sbi::trap_stack::CONTEXT = Some(sbi::trap_stack::Context { pmu_state: PmuState::new() });
    }
    mcountinhibit::BITS.store(!7, core::sync::atomic::Ordering::Relaxed);
}

#[unsafe(no_mangle)]
pub extern "C" fn rustsbi_selector(event: u32, value: u64) {
    pmu().insert_event_to_mhpmevent(event, value)
}

#[unsafe(no_mangle)]
pub extern "C" fn rustsbi_range(first: u32, last: u32, counters: u32) {
    pmu().insert_event_to_mhpmcounter(EventToCounterMap::new(counters, first, last))
}

#[unsafe(no_mangle)]
pub extern "C" fn rustsbi_raw(select: u64, mask: u64, counters: u32) {
    pmu().insert_raw_event_to_mhpmcounter(RawEventToCounterMap::new(counters, select, mask))
}

/// Linux stops all counters.
#[unsafe(no_mangle)]
pub extern "C" fn rustsbi_stop_all() {
    pmu().counter_stop(0, (1 << pmu().num_counters()) - 1, 0);
}

/// Takes one counter after the other, and gives them back. Bit 32 and above: firmware's counters.
/// value: the selector, if the first counter has one.
#[unsafe(no_mangle)]
pub extern "C" fn rustsbi_take_all(event: u64, data: u64, value: &mut u64) -> u64 {
    let all = (1 << pmu().num_counters()) - 1;
    let counters: Vec<u32> = (0..32).filter(|n| unsafe { COUNTERS } >> n & 1 != 0).collect();
    let (mut taken, mut indexes) = (0, 0usize);
    *value = 0;
    unsafe { SELECTORS = [0; 32] };
    loop {
        let answer = pmu().counter_config_matching(0, all, 0, event as usize, data);
        if answer.error != 0 || indexes >> answer.value & 1 != 0 {
            break;
        }
        let counter = *counters.get(answer.value).unwrap_or(&32);
        if indexes == 0 && counter < 32 {
            *value = unsafe { SELECTORS[counter as usize] };
        }
        indexes |= 1 << answer.value;
        taken |= 1 << counter;
    }
    for index in (0..48).filter(|n| indexes >> n & 1 != 0) {
        if index >= counters.len() {
            pmu().counter_start(index, 1, 0, 0); // it gives back only what runs
        }
        pmu().counter_stop(index, 1, 1);
    }
    taken
}
