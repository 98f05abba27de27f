#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# usage: crates.sh CHECKOUT DIRECTORY
#
# Compiles sbi/pmu.rs of a checkout of RustSBI, unchanged, into DIRECTORY/liboracle.a, with
# tests/rustsbi/oracle.rs around it. It writes what stands in for the crates that it uses, of which
# only sbi-spec is the checkout's own. Needs rustc, but no registry.
set -eu
checkout=$(realpath "$1")
oracle=$(realpath tests/rustsbi/oracle.rs)
mkdir -p "$2/sbi"
cd "$2"
cp "$oracle" oracle.rs
cp "$checkout/prototyper/prototyper/src/sbi/pmu.rs" sbi/pmu.rs

cat >bitflags.rs <<'END'
#[macro_export]
macro_rules! bitflags {
    ($(#[$of:meta])* pub struct $name:ident : $type:ty
     { $($(#[$doc:meta])* const $flag:ident = $value:expr;)* }) => {
        $(#[$of])* pub struct $name($type);
        impl $name {
            $($(#[$doc])* pub const $flag: $name = $name($value);)*
            pub const fn from_bits(bits: $type) -> Option<Self> {
                if bits & !(0 $(| $value)*) != 0 { None } else { Some($name(bits)) }
            }
            pub const fn contains(&self, other: $name) -> bool { self.0 & other.0 == other.0 }
        }
    };
}
END
cat >cfg_if.rs <<'END'
#[macro_export]
macro_rules! cfg_if {
    (if #[cfg($if:meta)] { $then:item } else { $else:item }) => {
        #[cfg($if)] $then
        #[cfg(not($if))] $else
    };
}
END
# It is used to select one of 29 registers.
cat >seq_macro.rs <<'END'
extern crate proc_macro;
#[proc_macro]
pub fn seq(code: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let event = code.to_string().contains("mhpmevent");
    let call = if event { "crate::put_event(idx, mhpmevent_val)" } else { "()" };
    call.parse().unwrap()
}
END
cat >riscv.rs <<'END'
pub mod register {
    pub mod mcountinhibit {
        use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        pub static BITS: AtomicUsize = AtomicUsize::new(0);
        pub struct Inhibit(usize);
        impl Inhibit {
            pub fn bits(&self) -> usize { self.0 }
        }
        pub fn read() -> Inhibit { Inhibit(BITS.load(Relaxed)) }
        pub unsafe fn set_hpm(n: usize) { BITS.fetch_or(1 << n, Relaxed); }
        pub unsafe fn clear_hpm(n: usize) { BITS.fetch_and(!(1 << n), Relaxed); }
        pub unsafe fn set_cy() { unsafe { set_hpm(0) } }
        pub unsafe fn set_ir() { unsafe { set_hpm(2) } }
        pub unsafe fn clear_cy() { unsafe { clear_hpm(0) } }
        pub unsafe fn clear_ir() { unsafe { clear_hpm(2) } }
    }
    pub mod mcycle { pub fn read64() -> u64 { 0 } }
    pub mod minstret { pub fn read64() -> u64 { 0 } }
}
END
cat >rustsbi.rs <<'END'
pub use sbi_spec::binary::SbiRet;
use sbi_spec::{binary::SharedPtr, pmu::shmem_size::SIZE};
pub trait Pmu {
    fn num_counters(&self) -> usize;
    fn counter_get_info(&self, counter: usize) -> SbiRet;
    fn counter_config_matching(&self, base: usize, mask: usize, flags: usize, event: usize,
                               data: u64) -> SbiRet;
    fn counter_start(&self, base: usize, mask: usize, flags: usize, value: u64) -> SbiRet;
    fn counter_stop(&self, base: usize, mask: usize, flags: usize) -> SbiRet;
    fn counter_fw_read(&self, counter: usize) -> SbiRet;
    fn counter_fw_read_hi(&self, counter: usize) -> SbiRet;
    fn snapshot_set_shmem(&self, memory: SharedPtr<[u8; SIZE]>, flags: usize) -> SbiRet;
}
END

# crate TYPE NAME SOURCE USED...
crate() {
	type=$1 name=$2 source=$3
	shift 3
	for used; do
		set -- "$@" --extern "$used=$(echo "lib$used".[rs]*)"
		shift
	done
	rustc --cap-lints allow --edition 2024 -O -L . --crate-type "$type" --crate-name "$name" \
		"$@" "$source"
}
crate proc-macro seq_macro seq_macro.rs
crate rlib bitflags bitflags.rs
crate rlib cfg_if cfg_if.rs
crate rlib riscv riscv.rs
crate rlib sbi_spec "$checkout/library/sbi-spec/src/lib.rs" bitflags
crate rlib rustsbi rustsbi.rs sbi_spec
crate staticlib oracle oracle.rs riscv rustsbi sbi_spec cfg_if seq_macro
