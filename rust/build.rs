// SPDX-License-Identifier: BSD-2-Clause
//! Compiles the C headers.
use std::{env, fs, path::Path};

const HEADERS: [&str; 4] = ["pmumap.h", "pmumap_fdt.h", "pmumap_hw.h", "pmumap_server.h"];

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").unwrap();
    // One C file has the definitions of all headers.
    let file = Path::new(&env::var("OUT_DIR").unwrap()).join("pmumap.c");
    let includes = HEADERS.map(|header| format!("#include \"{header}\"\n"));
    let text = "#define PMUMAP_IMPLEMENTATION\n".to_owned() + &includes.concat();
    fs::write(&file, text).unwrap();
    for header in HEADERS {
        println!("cargo:rerun-if-changed={header}");
    }

    let mut build = cc::Build::new();
    build.file(file).include(&root).flag_if_supported("-std=c11");
    if env::var("TARGET").unwrap().starts_with("riscv") {
        build.flag("-ffreestanding").flag("-mcmodel=medany");
    }
    build.compile("pmumap");
}
