// SPDX-License-Identifier: BSD-2-Clause
#![no_std]
#![doc = include_str!("../doc/rust.md")]
#![warn(missing_docs, rust_2018_idioms, clippy::undocumented_unsafe_blocks)]

use core::{ffi::CStr, fmt, iter, marker::PhantomData, mem::MaybeUninit, ops, ptr, slice};

mod count;
pub mod sys;

#[cfg(any(doc, target_arch = "riscv32", target_arch = "riscv64"))]
pub use count::Hart;
pub use count::{Config, Counters, Host, Server, firmware_event_of};
pub use sys::{
    pmumap_job as Job, pmumap_range as Range, pmumap_run as Run, pmumap_sbi_ret as SbiRet,
    pmumap_want as Want,
};

/// Features of a hart, and modes in which a counter must not count.
pub mod features {
    pub use crate::sys::{
        PMUMAP_CAN_FILTER as CAN_FILTER, PMUMAP_CAN_INTERRUPT as CAN_INTERRUPT,
        PMUMAP_DELEGATED as DELEGATED, PMUMAP_INHIBIT_M as INHIBIT_M,
        PMUMAP_INHIBIT_S as INHIBIT_S, PMUMAP_INHIBIT_U as INHIBIT_U,
        PMUMAP_INHIBIT_VS as INHIBIT_VS, PMUMAP_INHIBIT_VU as INHIBIT_VU,
        PMUMAP_MCOUNTINHIBIT as MCOUNTINHIBIT, PMUMAP_MUST_FILTER as MUST_FILTER,
        PMUMAP_SMCNTRPMF as SMCNTRPMF, PMUMAP_SSCOFPMF as SSCOFPMF, PMUMAP_TOLD as TOLD,
    };
}

/// The first codes of SBI's kinds of events. Hardware events are below `CACHE`.
pub mod event {
    pub use crate::sys::{
        PMUMAP_EVENT_CACHE as CACHE, PMUMAP_EVENT_FIRMWARE as FIRMWARE, PMUMAP_EVENT_RAW as RAW,
        PMUMAP_EVENT_RAW_V2 as RAW_V2,
    };
}

macro_rules! errors {
    ($($name:ident = $code:ident: $doc:literal)*) => {
        /// Why there is no map, or no change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        #[repr(u32)]
        pub enum Error {
            $(#[doc = $doc] $name = sys::$code,)*
        }

        impl Error {
            fn check(status: sys::pmumap_status) -> Result<(), Error> {
                match status {
                    sys::PMUMAP_OK => Ok(()),
                    $(sys::$code => Err(Error::$name),)*
                    _ => Err(Error::Limit),
                }
            }
        }
    };
}
errors! {
    Arg = PMUMAP_E_ARG: "An image that is not aligned to 8 bytes."
    NoSpace = PMUMAP_E_NOSPACE: "The block is too small."
    Limit = PMUMAP_E_LIMIT: "The map would pass 2 GiB."
    Node = PMUMAP_E_NODE: "The tree has no node at this offset."
    FdtMagic = PMUMAP_E_FDT_MAGIC: "Not a flattened device tree."
    FdtVersion = PMUMAP_E_FDT_VERSION: "A device tree format other than version 17."
    FdtSize = PMUMAP_E_FDT_SIZE: "The device tree is truncated, or its header lies about its parts."
    FdtStruct = PMUMAP_E_FDT_STRUCT: "The device tree is malformed, or more than 64 levels deep."
    NotFound = PMUMAP_E_NOTFOUND: "The tree describes no PMU."
    FdtLayout = PMUMAP_E_FDT_LAYOUT: "Strings do not come last in a device tree that would grow."
    ImageMagic = PMUMAP_E_IMAGE_MAGIC: "Not a map image."
    ImageOrder = PMUMAP_E_IMAGE_ORDER: "A map image of the other byte order."
    ImageVersion = PMUMAP_E_IMAGE_VERSION: "A map image of another version."
    ImageSize = PMUMAP_E_IMAGE_SIZE: "The map image is truncated, or above 2 GiB."
    ImageTable = PMUMAP_E_IMAGE_TABLE: "A table of the map image is out of bounds or out of order."
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: any status has a static text that ends with NUL.
        let text = unsafe { CStr::from_ptr(sys::pmumap_status_str(*self as u32)) };
        f.write_str(text.to_str().unwrap_or("unknown status"))
    }
}

impl core::error::Error for Error {}

/// How to encode an event without a selector, the value to write to `mhpmevent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Rule {
    /// Not at all.
    Never = sys::PMUMAP_RULE_NONE,
    /// By its number, if the tree has no table of selectors (QEMU's trees, RustSBI).
    IfNoTable = sys::PMUMAP_RULE_ABSENT,
    /// By its number (OpenSBI).
    Always = sys::PMUMAP_RULE_ALWAYS,
}

/// Why an event has no counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCounter {
    /// All counters that can count it are in use.
    Busy,
    /// No counter can count it.
    Unsupported,
}

impl fmt::Display for NoCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoCounter::Busy => "all counters that can count the event are in use",
            NoCounter::Unsupported => "no counter can count the event",
        })
    }
}

impl core::error::Error for NoCounter {}

/// Memory for a map: words of 8 bytes, which may be uninitialised.
pub type Block = [MaybeUninit<u64>];

/// Words of a block that is always large enough for this many rows of the three tables.
///
/// ```
/// use core::mem::MaybeUninit;
/// let mut block = [MaybeUninit::uninit(); pmumap::block(10, 10, 3)];
/// # pmumap::Builder::new(&mut block);
/// ```
pub const fn block(selectors: usize, ranges: usize, raws: usize) -> usize {
    let rows = selectors + ranges;
    let indexed = if rows < 64 { 2 * rows } else { 128 };
    let places = if raws < 32 { 16 * raws + 16 } else { 512 };
    let raw = if raws == 0 { 0 } else { 48 * raws + 144 + 2 * places };
    (232 + 128 + 16 * (indexed + 2 * rows + 1) + 24 * (rows + raws) + raw) / 8
}

/// A flattened device tree. Any bytes are safe.
#[derive(Clone, Copy, Debug)]
pub struct Fdt<'a> {
    blob: &'a [u8],
    node: i32,
}

impl<'a> Fdt<'a> {
    /// A tree at the start of these bytes. Its PMU is the first `riscv,pmu` node.
    pub const fn new(blob: &'a [u8]) -> Self {
        Fdt { blob, node: 0 }
    }

    /// The tree that starts here, with the length in its header.
    ///
    /// # Safety
    /// NULL, or 8 bytes can be read here, and then as many as the header of a tree says. Nobody
    /// writes them during `'a`.
    pub unsafe fn from_ptr(fdt: *const u8) -> Self {
        // SAFETY: the caller's promise.
        let size = unsafe { sys::pmumap_fdt_size(fdt.cast()) } as usize;
        if size == 0 || size > isize::MAX as usize {
            return Fdt::new(&[]);
        }
        // SAFETY: likewise; a slice may have this size.
        Fdt::new(unsafe { slice::from_raw_parts(fdt, size) })
    }

    /// The same tree, but its PMU is the node at libfdt's offset.
    pub const fn node(self, offset: i32) -> Self {
        Fdt { node: offset, ..self }
    }

    fn options(&self) -> sys::pmumap_fdt_options {
        sys::pmumap_fdt_options { node: self.node }
    }

    /// Words of block that [`Fdt::build`] needs.
    pub fn measure(&self) -> Result<usize, Error> {
        let (blob, mut bytes) = (self.blob, 0);
        // SAFETY: blob is readable; options and bytes are locals.
        Error::check(unsafe {
            sys::pmumap_fdt_measure(blob.as_ptr().cast(), blob.len(), &self.options(), &mut bytes)
        })?;
        Ok(bytes.div_ceil(8))
    }

    /// List all harts of the tree at the start of a table, each once, sorted by number. If the table
    /// is too small, the error comes with a length that is enough.
    pub fn harts<'t>(
        &self,
        table: &'t mut [MaybeUninit<FdtHart>],
    ) -> Result<&'t [FdtHart], (Error, usize)> {
        let (blob, harts, mut count) = (self.blob, table.as_mut_ptr().cast(), 0);
        // SAFETY: blob is readable; the table is writable, and of this length.
        let status = unsafe {
            let blob = (blob.as_ptr().cast(), blob.len());
            sys::pmumap_fdt_harts(blob.0, blob.1, harts, table.len(), &mut count)
        };
        Error::check(status).map_err(|error| (error, count))?;
        // SAFETY: C has filled in so many.
        Ok(unsafe { slice::from_raw_parts(harts.cast(), count) })
    }

    /// Build the PMU's map in a block, which it borrows.
    pub fn build<'b>(&self, block: &'b mut Block) -> Result<Map<'b>, Error> {
        let (blob, mut map) = (self.blob, ptr::null());
        // SAFETY: blob is readable and block writable; block is exclusive, so they do not overlap.
        Error::check(unsafe {
            sys::pmumap_fdt_build(
                blob.as_ptr().cast(),
                blob.len(),
                &self.options(),
                block.as_mut_ptr().cast(),
                size_of_val(block),
                &mut map,
            )
        })?;
        // SAFETY: the map is in the block, which stays borrowed.
        Ok(unsafe { Map::from_raw(map) })
    }
}

/// A hart of a device tree.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct FdtHart(sys::pmumap_fdt_hart);

impl FdtHart {
    /// Its `mhartid`.
    pub const fn hart(&self) -> u64 {
        self.0.hart
    }

    /// The libfdt offset of its PMU's node. Harts with one node can share a map.
    pub const fn node(&self) -> Option<i32> {
        if self.0.node == sys::PMUMAP_NO_NODE { None } else { Some(self.0.node) }
    }

    /// Features that the tree names: SSCOFPMF, SMCNTRPMF, DELEGATED.
    pub const fn features(&self) -> u32 {
        self.0.features
    }
}

/// Delete the PMU's tables from a tree: they are for firmware, not for the next stage.
pub fn fixup(fdt: &mut [u8]) -> Result<(), Error> {
    // SAFETY: fdt is writable.
    Error::check(unsafe { sys::pmumap_fdt_fixup(fdt.as_mut_ptr().cast(), fdt.len()) })
}

/// The tables of a `riscv,pmu` node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Table {
    /// `riscv,event-to-mhpmevent`
    Selectors = sys::PMUMAP_TABLE_SELECTORS,
    /// `riscv,event-to-mhpmcounters`
    Counters = sys::PMUMAP_TABLE_COUNTERS,
    /// `riscv,raw-event-to-mhpmcounters`
    Raw = sys::PMUMAP_TABLE_RAW,
    /// `pmu,raw-event-to-mhpmcounters`, whose rows have no mask
    Raw2021 = sys::PMUMAP_TABLE_RAW_2021,
}

/// Builds a map from rows, in any order. Unusable rows are dropped.
pub struct Builder<'b> {
    raw: sys::pmumap_builder,
    block: PhantomData<&'b mut Block>,
}

// SAFETY: it has its block alone.
unsafe impl Send for Builder<'_> {}

impl Builder<'static> {
    /// Only measure: add rows, then call [`Builder::need`].
    pub fn measuring() -> Self {
        // SAFETY: without a block, nothing is written.
        unsafe { Self::begin(ptr::null_mut(), 0) }
    }
}

impl<'b> Builder<'b> {
    /// Begin a map in a block, which it borrows.
    pub fn new(block: &'b mut Block) -> Self {
        // SAFETY: the block is aligned, writable, and borrowed for 'b.
        unsafe { Self::begin(block.as_mut_ptr().cast(), size_of_val(block)) }
    }

    unsafe fn begin(mem: *mut core::ffi::c_void, bytes: usize) -> Self {
        let mut raw = MaybeUninit::zeroed();
        // SAFETY: zero is valid for each member of raw; mem is the caller's promise.
        let raw = unsafe {
            sys::pmumap_begin(raw.as_mut_ptr(), mem, bytes);
            raw.assume_init()
        };
        Builder { raw, block: PhantomData }
    }

    /// The event has this selector, the value to write to `mhpmevent`. The first of two wins.
    pub fn add_selector(&mut self, event: u32, selector: u64) -> &mut Self {
        // SAFETY: raw was begun.
        unsafe { sys::pmumap_add_selector(&mut self.raw, event, selector) };
        self
    }

    /// These events count on these counters; bit N is `mhpmcounterN`.
    pub fn add_counters(&mut self, events: ops::RangeInclusive<u32>, counters: u32) -> &mut Self {
        let (first, last) = events.into_inner();
        // SAFETY: raw was begun.
        unsafe { sys::pmumap_add_counters(&mut self.raw, first, last, counters) };
        self
    }

    /// Raw events with `raw & mask == select` count on these counters.
    pub fn add_raw(&mut self, select: u64, mask: u64, counters: u32) -> &mut Self {
        // SAFETY: raw was begun.
        unsafe { sys::pmumap_add_raw(&mut self.raw, select, mask, counters) };
        self
    }

    /// Add all rows of a table, as the tree stores them.
    pub fn add_table(&mut self, table: Table, cells: &[u8]) -> &mut Self {
        let (cells, bytes) = (cells.as_ptr().cast(), cells.len());
        // SAFETY: raw was begun; cells are readable.
        unsafe { sys::pmumap_add_table(&mut self.raw, table as u32, cells, bytes) };
        self
    }

    /// Add the rows of the node at libfdt's offset; of the tree, only this node is validated. If
    /// this fails, nothing is added.
    pub fn add_node(&mut self, fdt: Fdt<'_>, node: i32) -> Result<&mut Self, Error> {
        let (blob, bytes) = (fdt.blob.as_ptr().cast(), fdt.blob.len());
        // SAFETY: raw was begun; the blob is readable.
        Error::check(unsafe { sys::pmumap_fdt_add_node(&mut self.raw, blob, bytes, node) })?;
        Ok(self)
    }

    /// Add the rows of a map.
    pub fn add_map(&mut self, map: Map<'_>) -> &mut Self {
        // SAFETY: raw was begun; the map is in another block.
        unsafe { sys::pmumap_add_map(&mut self.raw, map.as_ptr(), ptr::null()) };
        self
    }

    /// Add what a guest may use of a map: only these counters and events. A range with
    /// [`event::RAW`] grants all raw events.
    pub fn add_part(&mut self, map: Map<'_>, counters: u32, events: &[Range]) -> &mut Self {
        // C takes no range for all events.
        const NONE: &[Range] = &[Range { first: u32::MAX, last: 0 }];
        let events = if events.is_empty() { NONE } else { events };
        let grant = sys::pmumap_grant {
            counters,
            count: events.len().min(u32::MAX as usize) as u32,
            ranges: events.as_ptr(),
        };
        // SAFETY: raw was begun; the map is in another block; grant is a local.
        unsafe { sys::pmumap_add_map(&mut self.raw, map.as_ptr(), &grant) };
        self
    }

    /// Words of block that the rows added so far need.
    pub fn need(&self) -> usize {
        // SAFETY: raw was begun.
        unsafe { sys::pmumap_need(&self.raw) }.div_ceil(8)
    }

    /// Build the map.
    pub fn finish(mut self) -> Result<Map<'b>, Error> {
        let mut map = ptr::null();
        // SAFETY: raw was begun.
        Error::check(unsafe { sys::pmumap_finish(&mut self.raw, &mut map) })?;
        if map.is_null() {
            return Err(Error::NoSpace); // it was measuring
        }
        // SAFETY: the map is in the block, which stays borrowed.
        Ok(unsafe { Map::from_raw(map) })
    }
}

/// Aligns an image for [`Map::open`]:
///
/// ```no_run
/// use pmumap::{Aligned, Error, Map};
/// static IMAGE: &Aligned<[u8]> = &Aligned(*include_bytes!("../LICENSE")); // or your board's image
/// # fn map() -> Result<Map<'static>, Error> {
/// let map = Map::open(&IMAGE.0)?;
/// # Ok(map) }
/// ```
#[repr(C, align(8))]
pub struct Aligned<T: ?Sized>(pub T);

/// A finished map. Any number of harts share it, because nobody writes it.
///
/// It borrows its block:
/// ```compile_fail,E0506
/// # use core::mem::MaybeUninit;
/// let mut block = [MaybeUninit::uninit(); pmumap::block(1, 1, 1)];
/// let map = pmumap::Builder::new(&mut block).finish().unwrap();
/// block[0] = MaybeUninit::new(1);
/// map.counters(1);
/// ```
/// ```compile_fail,E0515
/// # use core::mem::MaybeUninit;
/// fn map() -> pmumap::Map<'static> {
///     let mut block = [MaybeUninit::uninit(); pmumap::block(1, 1, 1)];
///     pmumap::Fdt::new(&[]).build(&mut block).unwrap()
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Map<'a> {
    raw: ptr::NonNull<sys::pmumap>,
    block: PhantomData<&'a [u64]>,
}

// SAFETY: nobody writes a finished map.
unsafe impl Send for Map<'_> {}
// SAFETY: likewise.
unsafe impl Sync for Map<'_> {}

impl fmt::Debug for Map<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

// SAFETY of all calls below: the map is valid as long as 'a, and what else they get is a local.
#[allow(clippy::undocumented_unsafe_blocks)]
impl<'a> Map<'a> {
    /// The map that C has built or opened.
    ///
    /// # Safety
    /// It is a finished map, and nobody writes it during `'a`.
    pub const unsafe fn from_raw(map: *const sys::pmumap) -> Self {
        Map { raw: unsafe { ptr::NonNull::new_unchecked(map.cast_mut()) }, block: PhantomData }
    }

    /// The map for C.
    pub const fn as_ptr(self) -> *const sys::pmumap {
        self.raw.as_ptr()
    }

    /// Validate an image, for instance of `pmumap rom --binary`. It must be aligned to 8 bytes:
    /// see [`Aligned`].
    pub fn open(image: &'a [u8]) -> Result<Self, Error> {
        let mut map = ptr::null();
        Error::check(unsafe { sys::pmumap_open(image.as_ptr().cast(), image.len(), &mut map) })?;
        Ok(unsafe { Map::from_raw(map) })
    }

    /// The image, to copy or store. It has the byte order of this machine.
    pub fn image(self) -> &'a [u8] {
        let map = self.as_ptr();
        unsafe { slice::from_raw_parts(map.cast(), sys::pmumap_size(map)) }
    }

    /// The event's selector, the value to write to `mhpmevent`.
    #[inline]
    pub fn selector(self, event: u32) -> Option<u64> {
        let mut selector = 0;
        let found = unsafe { sys::pmumap_selector(self.as_ptr(), event, &mut selector) };
        (found != 0).then_some(selector)
    }

    /// The counters that some row offers for an event; bit N is `mhpmcounterN`.
    #[inline]
    pub fn counters(self, event: u32) -> u32 {
        unsafe { sys::pmumap_counters(self.as_ptr(), event) }
    }

    /// The counters of all rows that match a raw event.
    #[inline]
    pub fn raw_counters(self, raw: u64) -> u32 {
        unsafe { sys::pmumap_raw_counters(self.as_ptr(), raw) }
    }

    /// The value for `mhpmevent` of a hardware or raw event.
    pub fn encode(self, event: u32, data: u64, rule: Rule) -> Option<u64> {
        let (map, rule, mut value) = (self.as_ptr(), rule as u32, 0);
        let found = unsafe { sys::pmumap_encode(map, event, data, rule, &mut value) };
        (found != 0).then_some(value)
    }

    /// Choose the free counter that suits an event best, and describe its job.
    ///
    /// Pass 0 as `free` to learn whether the event is supported: it is if the answer is `Busy`.
    pub fn plan(
        self,
        event: u32,
        data: u64,
        free: u32,
        features: u32,
        rule: Rule,
    ) -> Result<(u32, Job), NoCounter> {
        let (map, rule, mut job) = (self.as_ptr(), rule as u32, Job::default());
        match unsafe { sys::pmumap_plan(map, event, data, free, features, rule, &mut job) } {
            sys::PMUMAP_BUSY => Err(NoCounter::Busy),
            counter => Ok((u32::try_from(counter).map_err(|_| NoCounter::Unsupported)?, job)),
        }
    }

    /// Plan many events at once, as many as both slices have. It places as many as possible; if not
    /// all fit, earlier ones win. Returns how many have a counter.
    pub fn plan_all(
        self,
        wants: &mut [Want],
        free: u32,
        features: u32,
        rule: Rule,
        jobs: &mut [Job],
    ) -> usize {
        let n = wants.len().min(jobs.len()).min(i32::MAX as usize) as u32;
        let (map, wants, jobs) = (self.as_ptr(), wants.as_mut_ptr(), jobs.as_mut_ptr());
        unsafe { sys::pmumap_plan_all(map, wants, n, free, features, rule as u32, jobs) as usize }
    }

    /// The runs of events with the same answers.
    pub fn runs(self) -> impl Iterator<Item = Run> + 'a {
        let mut from = 0;
        iter::from_fn(move || {
            let mut run = Run::default();
            let found = unsafe { sys::pmumap_event_next(self.as_ptr(), from, &mut run) } != 0;
            from = run.last.saturating_add(1);
            found.then_some(run)
        })
    }

    /// The raw rows: select, mask and counters.
    pub fn raw_rows(self) -> impl Iterator<Item = (u64, u64, u32)> + 'a {
        (0..).map_while(move |i| {
            let (map, mut select, mut mask, mut counters) = (self.as_ptr(), 0, 0, 0);
            let found =
                unsafe { sys::pmumap_raw_at(map, i, &mut select, &mut mask, &mut counters) };
            (found != 0).then_some((select, mask, counters))
        })
    }

    /// Write the map as node `pmu` below the node at libfdt's offset, into a tree at the start of
    /// this buffer. Returns the bytes of buffer that this needs, also with [`Error::NoSpace`].
    pub fn emit(self, fdt: &mut [u8], parent: i32) -> Result<usize, (Error, usize)> {
        let (tree, bytes, mut need) = (fdt.as_mut_ptr().cast(), fdt.len(), 0);
        let status = unsafe { sys::pmumap_fdt_emit(tree, bytes, parent, self.as_ptr(), &mut need) };
        Error::check(status).map(|()| need).map_err(|error| (error, need))
    }
}
