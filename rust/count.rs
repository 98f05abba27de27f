// SPDX-License-Identifier: BSD-2-Clause
//! Counters of a hart, and the server that shares them with a guest.
use crate::{Job, Map, Rule, SbiRet, sys};
use core::{ffi::c_int, ffi::c_void, marker::PhantomData, mem::MaybeUninit, ptr, slice};

/// The counters of one hart, numbered like `mhpmcounterN`: this hart's CSRs ([`Hart`]), an
/// emulator, or a test.
///
/// A [`Server`] calls these from C. A panic in them aborts the program: it cannot unwind through C.
pub trait Counters {
    /// Stop the counter and prepare it for this job; with `clear`, write 0. Returns false, and
    /// changes nothing, if it cannot do that.
    fn set(&mut self, counter: u32, job: &Job) -> bool;
    /// Start the counter at a value, or continue.
    fn start(&mut self, counter: u32, value: Option<u64>);
    /// Stop the counter. With `release`, it no longer belongs to an event.
    fn stop(&mut self, counter: u32, release: bool);
    /// The counter's value.
    fn read(&mut self, counter: u32) -> u64;
    /// Whether the counter has wrapped since its start; false if the hart cannot tell.
    fn overflowed(&mut self, counter: u32) -> bool;
}

#[cfg(any(doc, target_arch = "riscv32", target_arch = "riscv64"))]
mod hart {
    use super::*;

    /// This hart's own counters. They stay on their hart: `Hart` is neither `Send` nor `Sync`.
    pub struct Hart {
        raw: sys::pmumap_hart,
    }

    // SAFETY of the calls: C checks the number of a counter; CSRs are the constructors' promise.
    #[allow(clippy::undocumented_unsafe_blocks)]
    impl Hart {
        /// Find the counters of this hart in M-mode. Features that it finds are added to yours.
        ///
        /// # Safety
        /// The hart is in M-mode. While the result lives, a trap on a missing CSR skips the
        /// instruction (4 bytes) and keeps the registers, and nobody else uses these counters.
        pub unsafe fn machine(features: u32) -> Self {
            unsafe { Self::probe(sys::pmumap_hart_init_machine, features) }
        }

        /// Find the counters that M-mode has delegated to this hart's S-mode.
        ///
        /// # Safety
        /// As for [`Hart::machine`], in S-mode. No interrupt handler leaves another value in
        /// `siselect`.
        pub unsafe fn supervisor(features: u32) -> Self {
            unsafe { Self::probe(sys::pmumap_hart_init_supervisor, features) }
        }

        unsafe fn probe(init: unsafe extern "C" fn(*mut sys::pmumap_hart), features: u32) -> Self {
            let mut hart = Self::zeroed();
            unsafe { init(&mut hart.raw) };
            hart.raw.features = features;
            unsafe { sys::pmumap_hart_probe(&mut hart.raw) };
            hart
        }

        /// Counters of this hart that you have found in M-mode, their width in bits, and all
        /// features of the hart. No access traps.
        ///
        /// # Safety
        /// The hart is in M-mode; the counters and features exist. While the result lives, nobody
        /// else uses these counters.
        pub unsafe fn known(counters: u32, width: u32, features: u32) -> Self {
            let mut hart = Self::zeroed();
            unsafe { sys::pmumap_hart_init_machine(&mut hart.raw) };
            hart.raw.counters = counters;
            hart.raw.width = width;
            hart.raw.features = features;
            hart
        }

        fn zeroed() -> Self {
            // Zero is valid for each member.
            unsafe { MaybeUninit::zeroed().assume_init() }
        }

        /// The counters that exist; bit N is `mhpmcounterN`.
        pub fn counters(&self) -> u32 {
            self.raw.counters
        }

        /// The features, yours and those found.
        pub fn features(&self) -> u32 {
            self.raw.features
        }

        /// The bits of the narrowest programmable counter.
        pub fn width(&self) -> u32 {
            self.raw.width
        }

        /// Let lower modes read these counters, and no others.
        ///
        /// # Safety
        /// `mcounteren` exists, or a trap skips the instruction.
        pub unsafe fn permit(&mut self, counters: u32) {
            unsafe { sys::pmumap_hart_permit(&mut self.raw, counters) }
        }

        /// Delegate these counters, and no others, to S-mode. Returns those that S-mode now owns:
        /// the server of this hart gets them as [`Config::delegated`](super::Config).
        ///
        /// # Safety
        /// The tree names Smcdeleg, or a trap on a missing CSR skips the instruction.
        pub unsafe fn delegate(&mut self, counters: u32) -> u32 {
            unsafe { sys::pmumap_hart_delegate(&mut self.raw, counters) }
        }
    }

    #[allow(clippy::undocumented_unsafe_blocks)] // as above
    impl Counters for Hart {
        fn set(&mut self, counter: u32, job: &Job) -> bool {
            unsafe { sys::pmumap_hart_set(&mut self.raw, counter, job) != 0 }
        }
        fn start(&mut self, counter: u32, value: Option<u64>) {
            let value = value.as_ref().map_or(ptr::null(), ptr::from_ref);
            unsafe { sys::pmumap_hart_start(&mut self.raw, counter, value) }
        }
        fn stop(&mut self, counter: u32, release: bool) {
            unsafe { sys::pmumap_hart_stop(&mut self.raw, counter, release.into()) }
        }
        fn read(&mut self, counter: u32) -> u64 {
            unsafe { sys::pmumap_hart_read(&mut self.raw, counter) }
        }
        fn overflowed(&mut self, counter: u32) -> bool {
            unsafe { sys::pmumap_hart_overflowed(&mut self.raw, counter) != 0 }
        }
    }
}
#[cfg(any(doc, target_arch = "riscv32", target_arch = "riscv64"))]
pub use hart::Hart;

/// The guest's memory, and the firmware events that the host counts. The defaults refuse.
///
/// `low` and `high` are the halves of a guest-physical address, [`Config::xlen`] bits each. Check
/// each range: the guest may have lost memory. No range wraps. A panic aborts.
pub trait Host {
    /// Copy aligned words of 64 bits, at most 256 bytes, from the guest's memory. Returns false if
    /// any of them is not the guest's.
    fn read(&mut self, _low: u64, _high: u64, _to: &mut [u8]) -> bool {
        false
    }
    /// Copy one aligned word of 4 or 8 bytes to the guest's memory, and no byte beside it: another
    /// hart of the guest may be writing there. Returns false if the word is not the guest's.
    fn write(&mut self, _low: u64, _high: u64, _word: &[u8]) -> bool {
        false
    }
    /// Whether the guest may read and write all of these bytes.
    fn may_access(&mut self, _low: u64, _high: u64, _bytes: u64) -> bool {
        false
    }
    /// Whether you call [`Server::firmware_event`] for this event.
    fn counts(&mut self, _code: u32, _data: u64) -> bool {
        false
    }
}

/// A host without memory and firmware events.
impl Host for () {}

/// What a guest gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Bit N: the guest may use `mhpmcounterN`.
    pub granted: u32,
    /// The hart's features, as for [`Map::plan`].
    pub features: u32,
    /// How to encode an event without a selector.
    pub rule: Rule,
    /// Modes in which its counters must not count, where they can filter modes.
    pub inhibit: u32,
    /// The bits of the programmable counters.
    pub width: u32,
    /// The guest's registers have 32 or 64 bits.
    pub xlen: u32,
    /// The guest's S- and U-mode are really VS and VU.
    pub for_vs: bool,
    /// Bit N: S-mode owns `mhpmcounterN`.
    pub delegated: u32,
    /// The host can access the guest's memory. Without it, the guest has no snapshots and no
    /// EVENT_GET_INFO.
    pub memory: bool,
    /// With `memory`: the guest has snapshots.
    pub snapshots: bool,
}

impl Config {
    /// These counters of 64 bits and these features, for a guest as wide as this machine.
    pub const fn new(granted: u32, features: u32) -> Self {
        Config {
            granted,
            features,
            rule: Rule::IfNoTable,
            inhibit: 0,
            width: 64,
            xlen: usize::BITS,
            for_vs: false,
            delegated: 0,
            memory: false,
            snapshots: true,
        }
    }
}

/// SBI's PMU extension for one hart of a guest.
///
/// Each call gets counters and host anew, and forgets them at its end, so it can be moved at will.
///
/// ```compile_fail,E0597
/// # use core::mem::MaybeUninit;
/// # use pmumap::{Builder, Config, Server};
/// let mut server;
/// {
///     let mut block = [MaybeUninit::uninit(); pmumap::block(1, 1, 1)];
///     let map = Builder::new(&mut block).finish().unwrap();
///     server = Server::new(map, &Config::new(0, 0));
/// }
/// server.firmware_event(0, 0);
/// ```
pub struct Server<'m> {
    raw: sys::pmumap_server,
    /// Constant: C checks for access() when the guest shares memory, not when it is used.
    memory: bool,
    map: PhantomData<Map<'m>>,
}

// SAFETY: between calls, its only pointer is the map's.
unsafe impl Send for Server<'_> {}

impl<'m> Server<'m> {
    /// Begin: no counter has a job, none is touched.
    pub fn new(map: Map<'m>, config: &Config) -> Self {
        // SAFETY: zero is valid for each member.
        let mut raw: sys::pmumap_server = unsafe { MaybeUninit::zeroed().assume_init() };
        raw.map = map.as_ptr();
        raw.xlen = config.xlen;
        raw.granted = config.granted;
        raw.features = config.features;
        raw.rule = config.rule as u32;
        raw.inhibit = config.inhibit;
        raw.width = config.width;
        raw.for_vs = config.for_vs.into();
        raw.delegated = config.delegated;
        if !config.snapshots {
            raw.flags = sys::PMUMAP_SERVER_NO_SNAPSHOT;
        }
        // SAFETY: the members down to flags are set. This calls nothing.
        unsafe { sys::pmumap_server_init_sized(&mut raw, size_of::<sys::pmumap_server>()) };
        Server { raw, memory: config.memory, map: PhantomData }
    }

    /// Lend counters and host to C during f.
    fn lend<C: Counters, H: Host, R>(
        &mut self,
        counters: &mut C,
        host: &mut H,
        f: impl FnOnce(*mut sys::pmumap_server) -> R,
    ) -> R {
        let pmu = sys::pmumap_pmu {
            set: Some(set::<C>),
            start: Some(start::<C>),
            stop: Some(stop::<C>),
            read: Some(read::<C>),
            overflowed: Some(overflowed::<C>),
            arg: ptr::from_mut(counters).cast(),
        };
        let host = sys::pmumap_server_host {
            access: if self.memory { Some(access::<H>) } else { None },
            counts: Some(counts::<H>),
            arg: ptr::from_mut(host).cast(),
        };
        self.raw.pmu = &pmu;
        self.raw.host = &host;
        let result = f(&mut self.raw);
        self.raw.pmu = ptr::null();
        self.raw.host = ptr::null();
        result
    }

    /// Handle a guest's call: `function` is its `a6`, `args` are its `a0` to `a5`.
    pub fn call<C: Counters, H: Host>(
        &mut self,
        counters: &mut C,
        host: &mut H,
        function: u32,
        args: &[u64; 6],
    ) -> SbiRet {
        // SAFETY: what C uses is lent to it.
        self.lend(counters, host, |s| unsafe {
            sys::pmumap_server_call(s, function, args.as_ptr())
        })
    }

    /// Stop and release all counters, and forget shared memory: the guest's hart stops or reboots.
    pub fn reset<C: Counters>(&mut self, counters: &mut C) {
        // SAFETY: what C uses is lent to it.
        self.lend(counters, &mut (), |s| unsafe { sys::pmumap_server_reset(s) })
    }

    /// Count one firmware event: SBI's code, or 65535 with the event as `data`.
    #[inline]
    pub fn firmware_event(&mut self, code: u32, data: u64) {
        // SAFETY: this uses neither counters nor host.
        unsafe { sys::pmumap_server_firmware_event(&mut self.raw, code, data) }
    }
}

/// The firmware event of an SBI call, by extension and function.
pub fn firmware_event_of(eid: u64, function: u64) -> Option<u32> {
    // SAFETY: it only compares numbers.
    let code = unsafe { sys::pmumap_server_event_of(eid, function) };
    (code != sys::PMUMAP_SERVER_FW_NONE).then_some(code)
}

// C calls these during `lend` only, never two at once, and nobody else uses the lent references
// meanwhile. A panic aborts, because it cannot leave an extern "C" function.

/// # Safety
/// arg is a `&mut T` that `lend` lends.
unsafe fn lent<'c, T>(arg: *mut c_void) -> &'c mut T {
    // SAFETY: the caller's promise.
    unsafe { &mut *arg.cast() }
}

unsafe extern "C" fn set<C: Counters>(arg: *mut c_void, counter: u32, job: *const Job) -> c_int {
    // SAFETY: arg is lent, job points to a job.
    unsafe { lent::<C>(arg).set(counter, &*job).into() }
}
unsafe extern "C" fn start<C: Counters>(arg: *mut c_void, counter: u32, value: *const u64) {
    // SAFETY: arg is lent, value is NULL or points to a value.
    unsafe { lent::<C>(arg).start(counter, value.as_ref().copied()) }
}
unsafe extern "C" fn stop<C: Counters>(arg: *mut c_void, counter: u32, release: c_int) {
    // SAFETY: arg is lent.
    unsafe { lent::<C>(arg).stop(counter, release != 0) }
}
unsafe extern "C" fn read<C: Counters>(arg: *mut c_void, counter: u32) -> u64 {
    // SAFETY: arg is lent.
    unsafe { lent::<C>(arg).read(counter) }
}
unsafe extern "C" fn overflowed<C: Counters>(arg: *mut c_void, counter: u32) -> c_int {
    // SAFETY: arg is lent.
    unsafe { lent::<C>(arg).overflowed(counter).into() }
}
unsafe extern "C" fn counts<H: Host>(arg: *mut c_void, code: u32, data: u64) -> c_int {
    // SAFETY: arg is lent.
    unsafe { lent::<H>(arg).counts(code, data).into() }
}
unsafe extern "C" fn access<H: Host>(
    arg: *mut c_void,
    low: u64,
    high: u64,
    data: *mut c_void,
    bytes: u64,
    write: c_int,
) -> c_int {
    // SAFETY: arg is lent.
    let host = unsafe { lent::<H>(arg) };
    let (data, length): (*mut u8, _) = (data.cast(), bytes as usize);
    if data.is_null() {
        host.may_access(low, high, bytes)
    } else if write != 0 {
        // SAFETY: data points to this many bytes of C's, which have values.
        host.write(low, high, unsafe { slice::from_raw_parts(data, length) })
    } else {
        // SAFETY: likewise, but without values. Rust must not lend those, nor would C get any from
        // a host that copies less than it says: write zeros first.
        host.read(low, high, unsafe {
            data.write_bytes(0, length);
            slice::from_raw_parts_mut(data, length)
        })
    }
    .into()
}
