// SPDX-License-Identifier: BSD-2-Clause
//! The C interface as the headers declare it, for calls that the safe types lack. A test translates
//! this file into C, and C compilers compare it with the headers.
#![allow(non_camel_case_types, missing_docs)]

use core::ffi::{c_char, c_int, c_schar, c_uint, c_void};

pub type pmumap_status = c_uint;
pub type pmumap_table = c_uint;

pub const PMUMAP_OK: pmumap_status = 0;
pub const PMUMAP_E_ARG: pmumap_status = 1;
pub const PMUMAP_E_NOSPACE: pmumap_status = 2;
pub const PMUMAP_E_LIMIT: pmumap_status = 3;
pub const PMUMAP_E_NODE: pmumap_status = 4;
pub const PMUMAP_E_FDT_MAGIC: pmumap_status = 10;
pub const PMUMAP_E_FDT_VERSION: pmumap_status = 11;
pub const PMUMAP_E_FDT_SIZE: pmumap_status = 12;
pub const PMUMAP_E_FDT_STRUCT: pmumap_status = 13;
pub const PMUMAP_E_NOTFOUND: pmumap_status = 14;
pub const PMUMAP_E_FDT_LAYOUT: pmumap_status = 16;
pub const PMUMAP_E_IMAGE_MAGIC: pmumap_status = 20;
pub const PMUMAP_E_IMAGE_ORDER: pmumap_status = 21;
pub const PMUMAP_E_IMAGE_VERSION: pmumap_status = 22;
pub const PMUMAP_E_IMAGE_SIZE: pmumap_status = 23;
pub const PMUMAP_E_IMAGE_TABLE: pmumap_status = 24;

/// Cache events.
pub const PMUMAP_EVENT_CACHE: u32 = 0x10000;
/// Raw events: 48 bits in the data.
pub const PMUMAP_EVENT_RAW: u32 = 0x20000;
/// Raw events: 56 bits in the data.
pub const PMUMAP_EVENT_RAW_V2: u32 = 0x30000;
/// Firmware events.
pub const PMUMAP_EVENT_FIRMWARE: u32 = 0xf0000;

pub const PMUMAP_TABLE_SELECTORS: pmumap_table = 0;
pub const PMUMAP_TABLE_COUNTERS: pmumap_table = 1;
pub const PMUMAP_TABLE_RAW: pmumap_table = 2;
pub const PMUMAP_TABLE_RAW_2021: pmumap_table = 3;

pub const PMUMAP_NO_NODE: c_int = -1;

pub const PMUMAP_RULE_NONE: c_uint = 0;
pub const PMUMAP_RULE_ABSENT: c_uint = 1;
pub const PMUMAP_RULE_ALWAYS: c_uint = 2;

pub const PMUMAP_BUSY: c_int = -1;
pub const PMUMAP_UNSUPPORTED: c_int = -2;

/// Programmable counters interrupt on overflow.
pub const PMUMAP_CAN_INTERRUPT: u32 = 1;
/// `mcycle` and `minstret` can filter modes.
pub const PMUMAP_SMCNTRPMF: u32 = 2;
/// Modes must be filtered: `mcycle` and `minstret` need SMCNTRPMF.
pub const PMUMAP_MUST_FILTER: u32 = 4;
/// Counters can be stopped.
pub const PMUMAP_MCOUNTINHIBIT: u32 = 8;
/// Programmable counters can filter modes.
pub const PMUMAP_CAN_FILTER: u32 = 16;
/// CAN_FILTER and CAN_INTERRUPT.
pub const PMUMAP_SSCOFPMF: u32 = 17;
/// M-mode can delegate counters.
pub const PMUMAP_DELEGATED: u32 = 32;
/// The features are complete: probing tests for no others.
pub const PMUMAP_TOLD: u32 = 64;

/// Not in VU-mode.
pub const PMUMAP_INHIBIT_VU: u32 = 1;
/// Not in VS-mode.
pub const PMUMAP_INHIBIT_VS: u32 = 2;
/// Not in U-mode.
pub const PMUMAP_INHIBIT_U: u32 = 4;
/// Not in S-mode, or HS-mode.
pub const PMUMAP_INHIBIT_S: u32 = 8;
/// Not in M-mode.
pub const PMUMAP_INHIBIT_M: u32 = 16;

pub const PMUMAP_SERVER_FW_COUNTERS: usize = 16;
pub const PMUMAP_SERVER_FW_NONE: u32 = 255;
pub const PMUMAP_SERVER_NO_SNAPSHOT: u32 = 1;

/// A map; the functions read it.
#[repr(C)]
pub struct pmumap {
    _opaque: [u64; 0],
}

#[repr(C)]
pub struct pmumap_builder {
    pub mem: *mut u8,
    pub bytes: usize,
    pub room: usize,
    pub status: pmumap_status,
    pub map_flags: u32,
    pub selector_rows: u64,
    pub counter_rows: u64,
    pub raw_rows: u64,
    pub kept: u32,
    pub raw_kept: u32,
    pub sorted_bound: u32,
}

/// Consecutive events with the same answers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct pmumap_run {
    /// The first event.
    pub first: u32,
    /// The last event.
    pub last: u32,
    /// The counters that some row offers; bit N is `mhpmcounterN`.
    pub counters: u32,
    /// 1: the events have a selector.
    pub has_selector: u32,
    /// The value for `mhpmevent`.
    pub selector: u64,
}

/// Consecutive events that a guest may use.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct pmumap_range {
    /// The first event.
    pub first: u32,
    /// The last event.
    pub last: u32,
}

#[repr(C)]
pub struct pmumap_grant {
    pub counters: u32,
    pub count: u32,
    pub ranges: *const pmumap_range,
}

/// The event that a counter is to count.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct pmumap_job {
    /// The data of the event.
    pub data: u64,
    /// The value for `mhpmevent`.
    pub selector: u64,
    /// The event.
    pub event: u32,
    /// [`features`](crate::features)`::INHIBIT_*`: modes in which it must not count.
    pub inhibit: u32,
    /// 1: count from 0.
    pub clear: u32,
}

/// One of many events to plan.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct pmumap_want {
    /// The data of the event.
    pub data: u64,
    /// The event.
    pub event: u32,
    /// 1: it already runs on `counter`, and stays there.
    pub pinned: u32,
    /// The planned counter, or below 0: -1 busy, -2 unsupported.
    pub counter: i32,
    /// All counters that can count the event, free or not.
    pub counters: u32,
}

#[repr(C)]
pub struct pmumap_pmu {
    pub set: Option<unsafe extern "C" fn(*mut c_void, u32, *const pmumap_job) -> c_int>,
    pub start: Option<unsafe extern "C" fn(*mut c_void, u32, *const u64)>,
    pub stop: Option<unsafe extern "C" fn(*mut c_void, u32, c_int)>,
    pub read: Option<unsafe extern "C" fn(*mut c_void, u32) -> u64>,
    pub overflowed: Option<unsafe extern "C" fn(*mut c_void, u32) -> c_int>,
    pub arg: *mut c_void,
}

/// The answer to an SBI call: the guest's `a0` and `a1`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct pmumap_sbi_ret {
    /// 0, or an SBI error.
    pub error: i32,
    /// The result.
    pub value: u64,
}

#[repr(C)]
pub struct pmumap_fdt_options {
    pub node: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct pmumap_fdt_hart {
    pub hart: u64,
    pub node: c_int,
    pub features: u32,
    pub cpu: u32,
    pub phandle: u32,
}

#[repr(C)]
pub struct pmumap_hart {
    pub read: Option<unsafe extern "C" fn(*mut c_void, u32) -> u64>,
    pub write: Option<unsafe extern "C" fn(*mut c_void, u32, u64)>,
    pub arg: *mut c_void,
    pub xlen: u32,
    pub features: u32,
    pub below: u32,
    pub counters: u32,
    pub width: u32,
    pub selector: [u64; 32],
    pub own: u64,
    pub modes: u64,
    pub direct: u32,
    pub place: [c_schar; 32],
    pub whole: u32,
    pub secret: u32,
}

#[repr(C)]
pub struct pmumap_server_host {
    pub access:
        Option<unsafe extern "C" fn(*mut c_void, u64, u64, *mut c_void, u64, c_int) -> c_int>,
    pub counts: Option<unsafe extern "C" fn(*mut c_void, u32, u64) -> c_int>,
    pub arg: *mut c_void,
}

#[repr(C)]
pub struct pmumap_server_fw {
    pub value: u64,
    pub event: u64,
}

#[repr(C)]
pub struct pmumap_server {
    pub map: *const pmumap,
    pub pmu: *const pmumap_pmu,
    pub host: *const pmumap_server_host,
    pub xlen: u32,
    pub granted: u32,
    pub features: u32,
    pub rule: u32,
    pub inhibit: u32,
    pub width: u32,
    pub for_vs: u32,
    pub delegated: u32,
    pub flags: u32,
    pub counters: u32,
    pub usable: u32,
    pub hardware: u32,
    pub total: u32,
    pub fw_platform: u32,
    pub ones: u64,
    pub shared: [u64; 2],
    pub numbers: u64,
    pub matched: u64,
    pub configured: u64,
    pub started: u64,
    pub fw: [pmumap_server_fw; PMUMAP_SERVER_FW_COUNTERS],
}

// With the line breaks of the headers.
#[rustfmt::skip]
unsafe extern "C" {
    pub fn pmumap_status_str(status: pmumap_status) -> *const c_char;

    pub fn pmumap_begin(b: *mut pmumap_builder, mem: *mut c_void, bytes: usize);
    pub fn pmumap_need(b: *const pmumap_builder) -> usize;
    pub fn pmumap_finish(b: *mut pmumap_builder, map: *mut *const pmumap) -> pmumap_status;
    pub fn pmumap_add_selector(b: *mut pmumap_builder, event: u32, selector: u64) -> pmumap_status;
    pub fn pmumap_add_counters(b: *mut pmumap_builder, first: u32, last: u32,
        counters: u32) -> pmumap_status;
    pub fn pmumap_add_raw(b: *mut pmumap_builder, select: u64, mask: u64,
        counters: u32) -> pmumap_status;
    pub fn pmumap_add_table(b: *mut pmumap_builder, table: pmumap_table, cells: *const c_void,
        bytes: usize) -> pmumap_status;
    pub fn pmumap_add_map(b: *mut pmumap_builder, m: *const pmumap,
        grant: *const pmumap_grant) -> pmumap_status;

    pub fn pmumap_open(image: *const c_void, bytes: usize,
        map: *mut *const pmumap) -> pmumap_status;
    pub fn pmumap_size(m: *const pmumap) -> usize;
    pub fn pmumap_selector(m: *const pmumap, event: u32, selector: *mut u64) -> c_int;
    pub fn pmumap_counters(m: *const pmumap, event: u32) -> u32;
    pub fn pmumap_raw_counters(m: *const pmumap, raw: u64) -> u32;
    pub fn pmumap_encode(m: *const pmumap, event: u32, data: u64, rule: c_uint,
        mhpmevent: *mut u64) -> c_int;
    pub fn pmumap_event_next(m: *const pmumap, from: u32, run: *mut pmumap_run) -> c_int;
    pub fn pmumap_raw_at(m: *const pmumap, index: u32, select: *mut u64, mask: *mut u64,
        counters: *mut u32) -> c_int;
    pub fn pmumap_plan(m: *const pmumap, event: u32, data: u64, free: u32, features: u32,
        rule: c_uint, job: *mut pmumap_job) -> c_int;
    pub fn pmumap_plan_all(m: *const pmumap, want: *mut pmumap_want, n: u32, free: u32,
        features: u32, rule: c_uint, job: *mut pmumap_job) -> c_int;

    pub fn pmumap_fdt_size(fdt: *const c_void) -> u32;
    pub fn pmumap_fdt_measure(fdt: *const c_void, fdt_size: usize, opt: *const pmumap_fdt_options,
        bytes: *mut usize) -> pmumap_status;
    pub fn pmumap_fdt_build(fdt: *const c_void, fdt_size: usize, opt: *const pmumap_fdt_options,
        mem: *mut c_void, bytes: usize, map: *mut *const pmumap) -> pmumap_status;
    pub fn pmumap_fdt_harts(fdt: *const c_void, fdt_size: usize, harts: *mut pmumap_fdt_hart,
        room: usize, count: *mut usize) -> pmumap_status;
    pub fn pmumap_fdt_add_node(b: *mut pmumap_builder, fdt: *const c_void, fdt_size: usize,
        node: c_int) -> pmumap_status;
    pub fn pmumap_fdt_emit(fdt: *mut c_void, bytes: usize, parent: c_int, m: *const pmumap,
        need: *mut usize) -> pmumap_status;
    pub fn pmumap_fdt_fixup(fdt: *mut c_void, bytes: usize) -> pmumap_status;

    pub fn pmumap_hart_probe(h: *mut pmumap_hart) -> u32;
    pub fn pmumap_hart_set(h: *mut pmumap_hart, counter: u32, job: *const pmumap_job) -> c_int;
    pub fn pmumap_hart_start(h: *mut pmumap_hart, counter: u32, value: *const u64);
    pub fn pmumap_hart_stop(h: *mut pmumap_hart, counter: u32, release: c_int);
    pub fn pmumap_hart_read(h: *mut pmumap_hart, counter: u32) -> u64;
    pub fn pmumap_hart_overflowed(h: *mut pmumap_hart, counter: u32) -> c_int;
    pub fn pmumap_hart_delegate(h: *mut pmumap_hart, counters: u32) -> u32;
    pub fn pmumap_hart_permit(h: *mut pmumap_hart, counters: u32);

    pub fn pmumap_server_init_sized(s: *mut pmumap_server, bytes: usize);
    pub fn pmumap_server_call(s: *mut pmumap_server, function: u32,
        args: *const u64) -> pmumap_sbi_ret;
    pub fn pmumap_server_firmware_event(s: *mut pmumap_server, code: u32, data: u64);
    pub fn pmumap_server_event_of(eid: u64, function: u64) -> u32;
    pub fn pmumap_server_reset(s: *mut pmumap_server);
}

#[cfg(any(target_arch = "riscv32", target_arch = "riscv64"))]
unsafe extern "C" {
    pub fn pmumap_hart_init_machine(h: *mut pmumap_hart);
    pub fn pmumap_hart_init_supervisor(h: *mut pmumap_hart);
}
