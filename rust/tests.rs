// SPDX-License-Identifier: BSD-2-Clause
//! The crate against the headers, the tool, and hostile input. PMUMAP is the tool's path.
use core::mem::MaybeUninit;
use pmumap::{
    Aligned, Block, Builder, Config, Counters, Error, Fdt, Host, Job, Map, NoCounter, Range, Rule,
    SbiRet, Server, Table, Want, block, event, features, firmware_event_of, fixup,
};
use std::{fs, path::Path, process::Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Output of a command; nothing if it fails.
fn output(program: &str, args: &[&str]) -> Vec<u8> {
    let run = Command::new(program).args(args).output();
    run.unwrap_or_else(|e| panic!("{program}: {e}")).stdout
}

/// The blob of a board's source.
fn blob(board: &str) -> Vec<u8> {
    let dts = format!("{ROOT}/tests/trees/boards/{board}.dts");
    output("dtc", &["-q", "-I", "dts", "-O", "dtb", &dts])
}

/// Random numbers of any size.
struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ self.0 >> 32) >> (self.0 >> 58)
    }
    fn below(&mut self, most: usize) -> usize {
        self.next();
        (self.0 >> 33) as usize % most
    }
}

// ---- sys.rs, as C

#[rustfmt::skip]
const TYPES: [(&str, &str); 12] = [
    ("u8", "unsigned char"), ("u32", "uint32_t"), ("u64", "uint64_t"), ("i32", "int32_t"),
    ("usize", "size_t"), ("c_int", "int"), ("c_uint", "unsigned"), ("c_char", "char"),
    ("c_schar", "signed char"), ("c_void", "void"), ("pmumap_status", "enum pmumap_status"),
    ("pmumap_table", "enum pmumap_table"),
];

/// A C declaration with a Rust type.
fn declare(ty: &str, name: &str) -> String {
    if let Some(to) = ty.strip_prefix("*const ") {
        return declare(to, &format!("const *{name}"));
    }
    if let Some(to) = ty.strip_prefix("*mut ") {
        return declare(to, &format!("*{name}"));
    }
    if let Some((each, count)) = ty.strip_prefix('[').and_then(|array| array.split_once("; ")) {
        return declare(each, &format!("{name}[{}", count));
    }
    if let Some(function) = ty.strip_prefix("Option<unsafe extern \"C\" fn") {
        return declare_function(function.strip_suffix('>').unwrap(), &format!("(*{name})"));
    }
    match TYPES.iter().find(|(rust, _)| *rust == ty) {
        Some((_, c)) => format!("{c} {name}"),
        None if ty.starts_with("pmumap") => format!("struct {ty} {name}"),
        None => panic!("no C type for {ty}"),
    }
}

/// Likewise, of a function: "(arguments) -> type", where arguments may have names.
fn declare_function(function: &str, name: &str) -> String {
    let (arguments, ret) = function.rsplit_once(" -> ").unwrap_or((function, "c_void"));
    let arguments = arguments.trim().strip_prefix('(').and_then(|a| a.strip_suffix(')')).unwrap();
    let arguments = arguments.trim_end_matches([',', ' ']).split(", ");
    let declared = arguments.map(|a| declare(a.split_once(": ").map_or(a, |a| a.1), ""));
    let arguments = declared.collect::<Vec<_>>().join(", ");
    declare(ret, &format!("{name}({arguments})"))
}

const HEAD: &str = r##"#define PMUMAP_EXTERN
#include "pmumap_fdt.h"
#include "pmumap_hw.h"
#include "pmumap_server.h"
#define ASSERT(x) _Static_assert(x, #x);
#define ALIKE(a, b) ASSERT(__builtin_types_compatible_p(a, b))
#define MEMBER(s, m) __typeof__(((struct s *)0)->m)
#define SAME(s, m) ASSERT(offsetof(struct s, m) == offsetof(struct rust_##s, m)) \
    ALIKE(MEMBER(s, m), MEMBER(rust_##s, m))
ALIKE(enum pmumap_status, unsigned)
ALIKE(enum pmumap_table, unsigned)
"##;

/// Declarations and comparisons for all of sys.rs, and how many there are.
fn bindings() -> (String, usize) {
    let file = std::env::var("SYS").unwrap_or(format!("{ROOT}/rust/sys.rs"));
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|l| !l.trim_start().starts_with(['/', '#']));
    let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let mut c = String::from(HEAD);
    let mut count = 0;
    for item in text.split("pub const ").skip(1) {
        let (name, value) = item.split_once(": ").unwrap();
        let value = value.split_once(" = ").unwrap().1.split_once(';').unwrap().0;
        c += &format!("ASSERT({name} == {value})\n");
        count += 1;
    }
    for item in text.split("pub struct ").skip(1) {
        let (name, body) = item.split_once(" { ").unwrap();
        let members = body.split_once('}').unwrap().0.split("pub ").skip(1);
        let members = members.filter_map(|m| m.trim_end_matches([',', ' ']).split_once(": "));
        let members: Vec<_> = members.collect();
        if members.is_empty() {
            continue; // opaque
        }
        c += &format!("struct rust_{name} {{\n");
        for (member, ty) in &members {
            c += &format!("\t{};\n", declare(ty, member));
        }
        // With one value for each member, the compiler counts them.
        let values = members.iter().map(|m| if m.1.starts_with('[') { "{ 0 }" } else { "0" });
        let values = values.collect::<Vec<_>>().join(", ");
        c += &format!("}};\nextern const struct {name} all_{name};\n");
        c += &format!("const struct {name} all_{name} = {{ {values} }};\n");
        c += &format!("ASSERT(sizeof(struct {name}) == sizeof(struct rust_{name}))\n");
        for (member, _) in &members {
            c += &format!("SAME({name}, {member})\n");
        }
        count += 1 + members.len();
    }
    for item in text.split("pub fn ").skip(1) {
        let item = item.split_once(';').unwrap().0;
        let (name, rest) = item.split_at(item.find('(').unwrap());
        c += &format!("extern {};\n", declare_function(rest, name));
        count += 1;
    }
    for (selectors, ranges, raws) in
        [(0, 0, 0), (1, 1, 1), (10, 10, 3), (0, 52, 0), (31, 32, 0), (32, 32, 0), (500, 9, 1000)]
    {
        let bytes = 8 * block(selectors, ranges, raws);
        c += &format!("ASSERT(PMUMAP_BLOCK({selectors}, {ranges}, {raws}) == {bytes})\n");
    }
    (c, count)
}

#[test]
fn bindings_match_the_headers() {
    let (text, count) = bindings();
    assert!(count > 150, "only {count} declarations");
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/bindings.c");
    fs::write(file, text).unwrap();
    let elf = "riscv64-unknown-elf-gcc";
    for compiler in [
        &["cc"][..],
        &["clang", "--target=riscv64", "-ffreestanding"],
        &[elf, "-march=rv64imac", "-mabi=lp64", "-ffreestanding"],
        &[elf, "-march=rv32imac", "-mabi=ilp32", "-ffreestanding"],
    ] {
        let run = Command::new(compiler[0])
            .args(&compiler[1..])
            .args(["-std=gnu11", "-Wextra", "-Werror", "-fsyntax-only", "-I", ROOT, file])
            .output();
        let Ok(run) = run else {
            println!("SKIP sys.rs for {compiler:?}: it is not installed");
            continue;
        };
        assert!(run.status.success(), "{compiler:?}\n{}", String::from_utf8_lossy(&run.stderr));
    }
    println!("sys.rs: {count} declarations alike");
}

// ---- each board

/// A member of a line of JSON, without its quotes or brackets.
fn member<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let name = format!("\"{name}\":");
    line[line.find(&name)? + name.len() + 1..].split(['"', ']']).next()
}

/// Events with their data: all that have an index, and around each run and row.
fn queries(map: Map<'_>) -> Vec<(u32, u64)> {
    let mut list: Vec<_> = (0..0x40).chain(0x10000..0x10040).map(|event| (event, 0)).collect();
    let edges = map.runs().flat_map(|run| [run.first, run.last, run.last + 1]);
    list.extend(edges.filter(|event| *event < event::RAW).map(|event| (event, 0)));
    let raws = map.raw_rows().flat_map(|(select, mask, _)| {
        [select, select ^ 1, select | (!mask & 0xffff_0000), select << 1]
    });
    list.extend(raws.map(|raw| (event::RAW, raw & 0xffff_ffff_ffff)));
    list
}

/// Compares the map with answers of the tool. Returns how many.
fn compare_answers(map: Map<'_>, tool: &str, tree: &[&str]) -> usize {
    let queries = queries(map);
    let text = |(event, data): &(u32, u64)| match *event {
        event::RAW => format!("raw:{data:#x}"),
        event => format!("{event:#x}"),
    };
    let texts: Vec<_> = queries.iter().map(text).collect();
    let mut args = vec!["lookup", "--json"];
    args.extend(tree);
    args.extend(texts.iter().map(String::as_str));
    let json = String::from_utf8(output(tool, &args)).unwrap();
    let lines: Vec<_> = json.lines().filter(|l| l.contains("\"kind\":\"answer\"")).collect();
    for ((event, data), text) in queries.iter().zip(&texts) {
        let query = format!("\"query\":\"{text}\"");
        let line = lines.iter().find(|line| line.contains(&query));
        let line = line.unwrap_or_else(|| panic!("{tree:?}: no answer for {text}"));
        let listed = member(line, "counters").unwrap().split(',');
        let listed = listed.fold(0, |set, n| set | n.parse().map_or(0, |n: u32| 1 << n));
        let raw = *event == event::RAW;
        let counters = if raw { map.raw_counters(*data) } else { map.counters(*event) };
        assert_eq!(counters, listed, "{tree:?} {line}");
        let selector = map.selector(*event).map(|selector| format!("{selector:#x}"));
        assert_eq!(selector.as_deref(), member(line, "selector"), "{tree:?} {line}");
    }
    queries.len()
}

#[test]
fn boards_answer_like_the_tool() {
    let tool = std::env::var("PMUMAP").unwrap_or(format!("{ROOT}/build/pmumap"));
    if !Path::new(&tool).exists() {
        return println!("SKIP boards: there is no tool {tool}");
    }
    let (mut boards, mut others, mut answers) = (0, 0, 0);
    for entry in fs::read_dir(format!("{ROOT}/tests/trees/boards")).unwrap() {
        let path = entry.unwrap().path();
        let blob = blob(path.file_stem().unwrap().to_str().unwrap());
        let fdt = Fdt::new(&blob);
        if fdt.measure() == Err(Error::NotFound) {
            others += 1;
            continue;
        }
        let need = fdt.measure().unwrap();
        // The same image, whatever the block has had.
        let mut ones = vec![MaybeUninit::new(u64::MAX); need];
        let mut zeros = vec![MaybeUninit::new(0); need];
        let map = fdt.build(&mut ones).unwrap();
        assert_eq!(map.image(), fdt.build(&mut zeros).unwrap().image(), "{path:?}");

        let mut tree = vec![path.to_str().unwrap()];
        let rom = |tree: &[&str]| output(&tool, &[&["rom", "--binary"], tree].concat());
        let mut expected = rom(&tree);
        if expected.is_empty() {
            tree.extend(["--node", "/pmu"]); // a tree with several kinds of PMUs
            expected = rom(&tree);
        }
        assert!(map.image() == expected, "{path:?}");
        answers += compare_answers(copy(map, &mut zeros), &tool, &tree);
        boards += 1;
    }
    println!("{boards} boards with {answers} answers, {others} trees without riscv,pmu");
    assert!(boards > 10 && answers > 1000);
}

/// The map of an image elsewhere.
fn copy<'b>(map: Map<'_>, to: &'b mut Block) -> Map<'b> {
    let image = map.image();
    let to = &mut to[..image.len() / 8];
    for (word, bytes) in to.iter_mut().zip(image.chunks(8)) {
        word.write(u64::from_ne_bytes(bytes.try_into().unwrap()));
    }
    // SAFETY: each word has a value.
    let bytes = unsafe { core::slice::from_raw_parts(to.as_ptr().cast(), image.len()) };
    Map::open(bytes).unwrap()
}

// ---- any input

/// Asks a map everything. The answers do not matter.
fn ask(map: Map<'_>, random: &mut Random) {
    for run in map.runs().take(50) {
        map.selector(run.first);
        map.counters(run.last);
        let _ = map.plan(run.first, 0, random.next() as u32, random.next() as u32, Rule::Always);
    }
    for (select, mask, _) in map.raw_rows().take(50) {
        map.raw_counters(select);
        map.raw_counters(random.next() & !mask | select);
    }
    map.encode(random.next() as u32, random.next(), Rule::Never);
    let mut wants = [Want::default(); 3];
    for want in &mut wants {
        (want.data, want.event) = (random.next(), random.next() as u32);
        (want.pinned, want.counter) = (random.next() as u32 & 1, random.next() as i32);
    }
    let mut jobs = [Job::default(); 2];
    let left = wants[2];
    map.plan_all(&mut wants, random.next() as u32, 0, Rule::IfNoTable, &mut jobs);
    assert_eq!(wants[2], left, "there is no job for it");
}

#[test]
fn spoiled_trees_and_images_are_safe() {
    let (good, harts) = (blob("sifive-u74"), blob("../harts-two"));
    let mut words = [MaybeUninit::uninit(); block(64, 64, 64)];
    let mut copied = [MaybeUninit::uninit(); block(64, 64, 64)];
    let (mut random, mut maps, mut images) = (Random(1), 0, 0);
    let mut table = [MaybeUninit::uninit(); 8];
    for i in 0..20_000 {
        let mut blob = [&good, &harts][i % 2].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(blob.len());
            blob[at] ^= 1 << random.below(8);
        }
        blob.truncate(if random.below(4) == 0 { random.below(blob.len()) } else { usize::MAX });
        let fdt = Fdt::new(&blob);
        for hart in fdt.harts(&mut table).unwrap_or(&[]) {
            let _ = Builder::new(&mut words).add_node(fdt, hart.node().unwrap_or(-1));
        }
        let Ok(map) = fdt.build(&mut words) else {
            continue;
        };
        ask(map, &mut random);
        maps += 1;
        let map = copy(map, &mut copied);
        let mut image = Aligned([0u8; 8 * block(64, 64, 64)]);
        let image = &mut image.0[..map.image().len()];
        image.copy_from_slice(map.image());
        for _ in 0..random.below(3) {
            let at = random.below(image.len());
            image[at] = random.next() as u8;
        }
        let Ok(map) = Map::open(image) else { continue };
        ask(map, &mut random);
        Builder::new(&mut copied).add_map(map).add_part(map, 0x18, &[]);
        images += 1;
    }
    println!("{maps} maps of spoiled trees, {images} of spoiled images");
    assert!(maps > 1000 && images > 1000);

    assert_eq!(Fdt::new(&[]).build(&mut words).unwrap_err(), Error::FdtSize);
    assert_eq!(Fdt::new(&good).build(&mut []).unwrap_err(), Error::NoSpace);
    assert_eq!(Fdt::new(&good).node(-7).build(&mut words).unwrap_err(), Error::Node);
    assert_eq!(Map::open(&Aligned([]).0).err().unwrap(), Error::ImageSize);
    assert_eq!(Map::open(&Aligned([0; 9]).0[1..]).err().unwrap(), Error::Arg);
    // SAFETY: the blob has its length in its header.
    let (tree, none) = unsafe { (Fdt::from_ptr(good.as_ptr()), Fdt::from_ptr(std::ptr::null())) };
    assert_eq!(tree.measure(), Fdt::new(&good).measure());
    assert_eq!(none.measure().unwrap_err(), Error::FdtSize);
    assert_eq!(Error::NoSpace.to_string(), "the block is too small");
}

// ---- maps from rows, guests' maps, trees out

#[test]
fn rows_and_parts_of_maps() {
    let mut measured = Builder::measuring();
    measured.add_selector(4, 0x302).add_counters(3..=6, 0x18).add_raw(1, !0xff00, 0x38);
    let need = measured.need();
    assert!(need > 0 && need <= block(1, 1, 1));
    assert_eq!(measured.finish().unwrap_err(), Error::NoSpace);

    let mut words = vec![MaybeUninit::uninit(); need];
    let mut rows = Builder::new(&mut words);
    rows.add_raw(1, !0xff00, 0x38).add_counters(3..=6, 0x18).add_selector(4, 0x302);
    let map = rows.finish().unwrap();
    assert_eq!((map.selector(4), map.selector(3), map.counters(6)), (Some(0x302), None, 0x18));
    assert_eq!((map.raw_counters(0x2201), map.raw_counters(2)), (0x38, 0));
    assert_eq!(map.plan(4, 0, 0x10, 0, Rule::Never).unwrap().0, 4);
    assert_eq!(map.plan(4, 0, 0x1, 0, Rule::Never), Err(NoCounter::Busy));
    assert_eq!(map.plan(9, 0, !0, 0, Rule::Never), Err(NoCounter::Unsupported));
    let mut wants = [4, 4, 4].map(|event| Want { event, ..Want::default() });
    let mut jobs = [Job::default(); 3];
    assert_eq!(map.plan_all(&mut wants, 0x1d, 0, Rule::Never, &mut jobs), 2);
    assert_eq!(wants.map(|want| want.counter).as_slice(), [3, 4, -1]);
    assert_eq!((map.runs().count(), map.raw_rows().next()), (3, Some((1, !0xff00, 0x38))));

    let part = |counters, events: &[Range]| {
        let mut words = [MaybeUninit::uninit(); block(8, 8, 8)];
        let mut rows = Builder::new(&mut words);
        rows.add_part(map, counters, events);
        let map = rows.finish().unwrap();
        (map.counters(4), map.counters(5), map.raw_counters(1))
    };
    let all = Range { first: 0, last: u32::MAX };
    assert_eq!(part(!0, &[all]), (0x18, 0x18, 0x38));
    assert_eq!(part(0x8, &[Range { first: 4, last: 4 }]), (0x8, 0, 0));
    assert_eq!(part(!0, &[]), (0, 0, 0));

    let mut tree = blob("amu-doc");
    let Err((Error::NoSpace, need)) = map.emit(&mut tree, 0) else { panic!() };
    tree.resize(need, 0);
    assert_eq!(map.emit(&mut tree, 0), Ok(need));
    let mut words = [MaybeUninit::uninit(); block(64, 64, 64)];
    let again = Fdt::new(&tree).build(&mut words).unwrap();
    assert_eq!((again.counters(6), again.raw_counters(0x2201)), (0x18, 0x38));
    fixup(&mut tree).unwrap();
    assert_eq!(Fdt::new(&tree).build(&mut words).unwrap().runs().count(), 0);
}

#[test]
fn harts_and_tables() {
    let blob = blob("../harts-two");
    let fdt = Fdt::new(&blob);
    let mut table = [MaybeUninit::uninit(); 4];
    assert!(matches!(fdt.harts(&mut table[..1]), Err((Error::NoSpace, 2..))));
    let harts = fdt.harts(&mut table).unwrap();
    assert_eq!([harts[0].hart(), harts[1].hart(), harts.len() as u64], [0, 1, 2]);
    let mut words = [MaybeUninit::uninit(); block(64, 64, 64)];
    for hart in harts {
        let built = fdt.node(hart.node().unwrap()).build(&mut words).unwrap().image().to_vec();
        let mut rows = Builder::new(&mut words);
        assert_eq!(rows.add_node(fdt, 1).err(), Some(Error::Node));
        rows.add_node(fdt, hart.node().unwrap()).unwrap();
        assert_eq!(rows.finish().unwrap().image(), built);
    }
    let cells = [4, 6, 0x18].map(u32::to_be_bytes).concat();
    let mut rows = Builder::new(&mut words);
    rows.add_table(Table::Counters, &cells).add_table(Table::Selectors, &cells[1..]);
    let map = rows.finish().unwrap();
    assert_eq!((map.counters(6), map.selector(4)), (0x18, None));
}

// ---- a guest

/// Counters in memory, and what they are asked for.
#[derive(Default)]
struct Fake {
    value: [u64; 32],
    log: Vec<String>,
}
impl Counters for Fake {
    fn set(&mut self, counter: u32, job: &Job) -> bool {
        self.log.push(format!("set {counter} {:#x} {:#x}", job.selector, job.inhibit));
        true
    }
    fn start(&mut self, counter: u32, value: Option<u64>) {
        self.log.push(format!("start {counter} {value:?}"));
    }
    fn stop(&mut self, counter: u32, release: bool) {
        self.log.push(format!("stop {counter} {release}"));
    }
    fn read(&mut self, counter: u32) -> u64 {
        self.value[counter as usize]
    }
    fn overflowed(&mut self, _counter: u32) -> bool {
        false
    }
}

/// The guest's memory, and whether it copies what it is asked for.
struct Memory(Vec<u8>, bool);
impl Memory {
    fn at(&mut self, low: u64, high: u64, bytes: usize) -> Option<&mut [u8]> {
        let low = usize::try_from(low).ok().filter(|_| high == 0)?;
        self.0.get_mut(low..)?.get_mut(..bytes)
    }
}
impl Host for Memory {
    fn read(&mut self, low: u64, high: u64, to: &mut [u8]) -> bool {
        let copied = if self.1 { to.len() } else { 0 };
        let from = self.at(low, high, to.len());
        from.map(|from| to[..copied].copy_from_slice(&from[..copied])).is_some()
    }
    fn write(&mut self, low: u64, high: u64, word: &[u8]) -> bool {
        assert!(matches!(word.len(), 4 | 8) && low % word.len() as u64 == 0);
        self.at(low, high, word.len()).map(|to| to.copy_from_slice(word)).is_some()
    }
    fn may_access(&mut self, low: u64, high: u64, bytes: u64) -> bool {
        self.at(low, high, bytes as usize).is_some()
    }
    fn counts(&mut self, code: u32, _data: u64) -> bool {
        code == 5
    }
}

const GUEST: Config = Config { memory: true, ..Config::new(0x1d, features::SSCOFPMF) };

#[test]
fn a_guest_counts() {
    let mut words = [MaybeUninit::uninit(); block(1, 1, 0)];
    let mut rows = Builder::new(&mut words);
    rows.add_selector(4, 0x302).add_counters(4..=4, 0x18);
    let map = rows.finish().unwrap();
    let (mut cpu, mut host) = (Fake::default(), Memory(vec![0; 8192], true));
    let mut moved = Box::new(Server::new(map, &GUEST));
    let mut call = |cpu: &mut Fake, function, args: [u64; 6]| {
        let SbiRet { error, value } = moved.call(cpu, &mut host, function, &args);
        moved.firmware_event(firmware_event_of(0x54494d45, 0).unwrap(), 0);
        (error, value, host.0[4096 + 8])
    };
    assert_eq!(call(&mut cpu, 0, [0; 6]), (0, 5 + 16, 0));
    assert_eq!(call(&mut cpu, 2, [0, 0x1f, 2 | 4, 4, 0, 0]), (0, 3, 0));
    assert_eq!(cpu.log, ["set 3 0x302 0x0", "start 3 None"]);
    assert_eq!(call(&mut cpu, 7, [4096, 0, 0, 0, 0, 0]).0, 0);
    cpu.value[3] = 42;
    assert_eq!(call(&mut cpu, 4, [3, 1, 2, 0, 0, 0]), (0, 0, 42));
    assert_eq!(cpu.log.last().unwrap(), "stop 3 false");
    assert_eq!(call(&mut cpu, 7, [8192, 0, 0, 0, 0, 0]).0, -5);
    // A firmware event that the host counts: once after each call.
    assert_eq!(call(&mut cpu, 2, [5, 0xffff, 2 | 4, 0xf0005, 0, 0]), (0, 5, 42));
    assert_eq!(call(&mut cpu, 5, [5, 0, 0, 0, 0, 0]), (0, 1, 42));
    assert_eq!(call(&mut cpu, 2, [5, 0xffff, 0, 0xf0006, 0, 0]).0, -2);
    // EVENT_GET_INFO of two entries, which the host says it has read: zeros are no event.
    host.1 = false;
    assert_eq!(moved.call(&mut cpu, &mut host, 8, &[4096, 0, 2, 0, 0, 0]).error, 0);
    moved.reset(&mut cpu);
    assert_eq!(moved.call(&mut cpu, &mut (), 5, &[5, 0, 0, 0, 0, 0]).error, -3);
    // Shared memory outlives its host, and the next one refuses.
    assert_eq!(moved.call(&mut cpu, &mut host, 7, &[4096, 0, 0, 0, 0, 0]).error, 0);
    assert_eq!(moved.call(&mut cpu, &mut (), 2, &[0, 0x1f, 4, 4, 0, 0]).error, 0);
    assert_eq!(moved.call(&mut cpu, &mut (), 4, &[3, 1, 2, 0, 0, 0]).error, -9);
}

/// Answers and requests of a guest that makes these calls.
fn turn(config: &Config) -> Vec<String> {
    let mut words = [MaybeUninit::uninit(); block(0, 1, 0)];
    let mut rows = Builder::new(&mut words);
    rows.add_counters(1..=4, 0x18);
    let mut server = Server::new(rows.finish().unwrap(), config);
    let (mut cpu, mut host) = (Fake::default(), Memory(vec![0; 8192], true));
    for (function, args) in [
        (1, [3, 0, 0, 0, 0, 0]),
        (1, [6, 0, 0, 0, 0, 0]),
        (2, [0, 0x1f, 0x20, 4, 0, 0]),
        (2, [0, 0x1f, 0x20, 1, 0, 0]),
        (3, [3, 1, 1, 77, 0, 0]),
        (4, [3, 1, 1, 0, 0, 0]),
        (7, [4096, 0, 0, 0, 0, 0]),
        (8, [4096, 0, 1, 0, 0, 0]),
    ] {
        let answer = server.call(&mut cpu, &mut host, function, &args);
        cpu.log.push(format!("{} {:#x}", answer.error, answer.value));
    }
    cpu.log
}

#[test]
fn each_choice_has_an_effect() {
    let usual = turn(&GUEST);
    let calls = |words: &[&str]| words.iter().all(|word| usual.iter().any(|line| line == word));
    assert!(calls(&["set 3 0x4 0x4", "start 3 Some(77)", "stop 3 true"]), "{usual:?}");
    for other in [
        Config { granted: 0xd, ..GUEST },
        Config { features: 0, ..GUEST },
        Config { rule: Rule::Never, ..GUEST },
        Config { inhibit: features::INHIBIT_M, ..GUEST },
        Config { width: 48, ..GUEST },
        Config { xlen: 32, ..GUEST },
        Config { for_vs: true, ..GUEST },
        Config { delegated: 0x8, ..GUEST },
        Config { memory: false, ..GUEST },
        Config { snapshots: false, ..GUEST },
    ] {
        assert_ne!(turn(&other), usual, "{other:?}");
    }
}

#[test]
fn any_call_is_safe() {
    let mut words = [MaybeUninit::uninit(); block(1, 1, 1)];
    let mut rows = Builder::new(&mut words);
    rows.add_counters(1..=0x20, 0xfff8).add_raw(1, !0xff, 0xf0);
    let map = rows.finish().unwrap();
    let (mut cpu, mut host) = (Fake::default(), Memory(vec![0; 8192], true));
    let (mut server, mut random) = (Server::new(map, &GUEST), Random(2));
    for i in 0..100_000 {
        if i % 100 == 0 {
            let config = Config {
                granted: random.next() as u32,
                features: random.next() as u32,
                rule: Rule::Always,
                inhibit: random.next() as u32,
                width: random.next() as u32 >> random.below(32),
                xlen: [32, 64, random.next() as u32][random.below(3)],
                for_vs: random.below(2) == 0,
                delegated: random.next() as u32,
                memory: random.below(4) != 0,
                snapshots: random.below(4) != 0,
            };
            server = Server::new(map, &config);
        }
        let args = [
            [4096, random.next(), random.next() & 0x3f][random.below(3)],
            [0, random.next()][random.below(2)],
            random.next() & 0x3ff,
            random.next() & 0xf003f,
            random.next(),
            random.next(),
        ];
        host.1 = random.below(8) != 0;
        let function = random.below(11) as u32;
        cpu.log.clear();
        match random.below(20) {
            0 => server.reset(&mut cpu),
            1 => server.firmware_event(random.next() as u32, random.next()),
            2 => drop(server.call(&mut cpu, &mut (), function, &args)),
            _ => drop(server.call(&mut cpu, &mut host, function, &args)),
        }
    }
}

// What threads may do.
const _: () = {
    const fn move_to<T: Send>() {}
    const fn share<T: Send + Sync>() {}
    share::<(Map<'static>, Fdt<'static>)>();
    move_to::<(Builder<'static>, Server<'static>)>();
};
