#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: untrusted.py TOOL [PART...]

Runs the tool on hostile input: it prints no terminal control characters, a source can read only
files that it may include, and time, memory and output are limited. PART: only some of TESTS.
"""
import json
import lzma
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unicodedata
import zlib
from pathlib import Path

sys.path.insert(0, "tests/tool")
from worst import RANGES, RAW_ROWS, WORST, Tree, imc  # noqa: E402

TOOL = str(Path(sys.argv[1]).resolve())
MEMORY, OUTPUT = 256 << 20, 64 << 20
SECONDS = 30  # CPU time; the tool and dtc may each take 10

# Terminal controls: C0, DEL, C1 as one byte and as UTF-8, a character that reverses text.
HOSTILE = b"\x1b[31m\x07\x7f\x9b1m\xc2\x9b1m\xe2\x80\xae"
PMU = '/dts-v1/;\n/ { pmu { compatible = "riscv,pmu"; riscv,event-to-mhpmcounters = <3 3 8>;'

counts = {"passed": 0, "failed": 0}


def check(good, what):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("FAIL", what)


def run(*words, stdin=subprocess.DEVNULL, **more):
    """Runs the tool: exit status, output, messages."""
    done = subprocess.run([TOOL, *words], stdin=stdin, capture_output=True, check=False, timeout=120,
                          **more)
    return done.returncode, done.stdout, done.stderr


# ---- terminals ----------------------------------------------------------------------------------

def acting(text):
    """The first terminal control in it; None if there is none."""
    try:
        letters = text.decode()
    except UnicodeDecodeError as error:
        return text[error.start - 20:error.start + 20]
    for i, letter in enumerate(letters.replace("\r\n", "\n")):
        if letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp"):
            return letters[max(i - 20, 0):i + 20]
    return None


def quiet(what, answer):
    for stream, text in zip(("output", "messages"), answer[1:]):
        check(acting(text) is None, f"{what}: {stream} acts on a terminal: {acting(text)!r}")


def hostile_tree():
    """A tree with controls in every name and string, about which each verb prints something."""
    tree = Tree()
    tree.open()
    tree.open(b"pmu" + HOSTILE)
    tree.prop("compatible", b"riscv,pmu")
    tree.prop(RANGES, [9, 1, 8, 3, 3, 0])
    tree.prop(RAW_ROWS, [5, 0, 0xffffffff, 0xffffffff, 8])
    tree.prop(b"riscv,event-to-mhpmevent" + b"\x7f", [3, 0, 3])
    tree.close()
    tree.open(b"old" + HOSTILE)
    tree.prop("compatible", b"riscv,pm\x1b")
    tree.prop(RANGES, [3, 3, 8])
    tree.close()
    tree.open(b"imc-counters")
    tree.prop("compatible", b"ibm,opal-in-memory-counters")
    for unit in (b"u", b"v"):
        tree.open(unit + HOSTILE)
        tree.prop("compatible", b"ibm,imc-counters")
        tree.prop("type", [0x10])
        tree.prop("events-prefix", b"P" + HOSTILE)
        tree.prop("scale", b"1" + HOSTILE)
        tree.prop("unit", b"m" + HOSTILE)
        tree.prop("events", [7])
        tree.prop("reg", [0x18, 8])
        tree.close()
    tree.open(b"list")
    tree.prop("phandle", [7])
    tree.open(b"e" + HOSTILE)
    tree.prop("event-name", b"E" + HOSTILE)
    tree.prop("reg", [0, 8])
    tree.prop("desc", b"d" + HOSTILE)
    for _ in range(3):
        tree.close()
    tree.open(b"cpus")
    tree.prop("#address-cells", [1])
    tree.prop("#size-cells", [0])
    tree.open(b"cpu" + HOSTILE + b"@0")
    tree.prop("device_type", b"cpu")
    tree.prop("reg", [0])
    tree.prop("amu", [9])
    tree.close()
    tree.open(b"amus")
    tree.open(b"view" + HOSTILE)
    tree.prop("phandle", [9])
    tree.prop("#address-cells", [1])
    tree.prop("#size-cells", [0])
    tree.open(b"counter@0")
    tree.prop("reg", [0])
    tree.prop("label", b"c" + HOSTILE)
    for _ in range(5):
        tree.close()
    return tree.blob()


def hostile_sources():
    """Files by name: mistakes that --fix fixes, and sources that dtc and cpp reject."""
    comment = b"/* " + HOSTILE + " Wärme, 温度 ".encode() + b"*/"
    return {
        b"fix.dts": b'/dts-v1/;\n/ { pmu { compatible = "riscv,pmu";\r\n\triscv,event-to-mhpmcounters '
                    b"= " + comment + b"\n\t<9 1 8>, <3 3 0>; " + comment + b"\n}; };\n",
        b"reject.dts": b"/dts-v1/;\n/ { pmu { x = <" + HOSTILE + b">; }; };\n",
        b"twice.dts": b'/dts-v1/;\n#line 1 "' + HOSTILE + b'"\n/ { a; };\n/ { a = ; };\n',
        b"error.dts": b"/dts-v1/;\n#define A\n#error " + HOSTILE + b"\n",
        b"table.txt": b"cycles" + HOSTILE + b" 3 3\n",
        b"row.txt": b"0x3 " + HOSTILE + b" 3-6\n",
    }


def test_terminal(folder):
    place = os.path.join(os.fsencode(folder), b"d" + HOSTILE)
    os.mkdir(place)
    tree = os.path.join(place, b"t" + HOSTILE + b".dtb")
    Path(os.fsdecode(tree)).write_bytes(hostile_tree())
    sources = {}
    for name, text in hostile_sources().items():
        sources[name] = os.path.join(place, HOSTILE + name)
        Path(os.fsdecode(sources[name])).write_bytes(text)
    events = os.path.join(place, b"e.json")
    Path(os.fsdecode(events)).write_text(json.dumps(
        [{"EventName": "X" + HOSTILE.decode("latin1"), "EventCode": "0x3"},
         {"EventName": "A*/B", "EventCode": "0x10"}, {"EventName": "PLAIN", "EventCode": "0x45"}]))
    verbs = ["show", "show --json", "show --events", "show --json --events", "show --grid", "check",
             "check --all", "check --json", "check --sarif", "check --fix", "picture", "rom",
             "rom --amu-enables"]
    for verb in verbs:
        for file in (tree, sources[b"fix.dts"], sources[b"reject.dts"], sources[b"twice.dts"],
                     sources[b"error.dts"], place + b"/none.dtb", place):
            quiet(f"{verb} {file}", run(*verb.split(), file))
    for words in ([b"lookup", tree, b"E" + HOSTILE, b"*", b"imc:0x0", b"amu:#0", b"E?"],
                  [b"lookup", b"--json", tree, b"E" + HOSTILE, b"*", b"amu:#0"],
                  [b"lookup", HOSTILE], [b"lookup", b"--events=" + events, tree, b"x", b"0x3", b"X*"],
                  [b"assign", tree, b"cycles", HOSTILE], [b"assign", b"--free", HOSTILE, b"cycles"],
                  [b"check", b"--events", events, tree], [b"show", b"--events", events, tree],
                  [b"check", b"--json", b"--events", events, tree], [b"check", b"--explain", HOSTILE],
                  [b"check", b"--fix", b"-o", place + b"/out", tree],
                  [b"check", b"--fix", b"-o", HOSTILE + b"/out", tree],
                  [b"show", b"--unit", HOSTILE, tree], [b"show", b"--node", HOSTILE, tree],
                  [b"show", b"--pvr", HOSTILE, tree], [b"show", b"--available", HOSTILE, tree],
                  [b"rom", b"--name", HOSTILE, tree], [b"rom", b"-o", place + b"/out", tree],
                  [b"picture", b"-o", HOSTILE + b"/out", tree], [b"picture", b"--unit", HOSTILE, tree],
                  [b"write", sources[b"table.txt"]], [b"write", sources[b"row.txt"]],
                  [b"write", b"--events", events, b"--counters", b"3-6"],
                  [HOSTILE], [b"show", b"--" + HOSTILE], [b"show", tree, HOSTILE]):
        quiet(b" ".join(words), run(*words))
    written = run(b"write", b"--events", events, b"--counters", b"3-6")[1]
    check(b"PLAIN" in written and b"A*/B" not in written, f"write: a name ends its comment: {written}")
    mended = run(b"check", b"--fix", sources[b"fix.dts"])[1]
    check("Wärme, 温度".encode() in mended and b"\r\n" in mended and b"\\x1b[31m" in mended,
          f"check --fix: letters of the source are not as they were: {mended}")


def test_order(folder):
    """dtc's message follows the output on lines of its own, after a message of the tool."""
    for name, text in (("a.dts", PMU + " }; };"), ("b.dts", "/dts-v1/; / { x = ; };")):
        (folder / name).write_text(text)
    lines = subprocess.run([TOOL, "check", "a.dts", "b.dts", "a.dts"], cwd=folder, check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode().split("\n")
    order = [line for line in lines if line.startswith(("a.dts: ", "dtc: Error: ", "pmumap: "))]
    check([line.split(":")[0] for line in order] == ["a.dts", "dtc", "pmumap", "a.dts"],
          f"the order of messages: {order}")


# ---- what a source reads ------------------------------------------------------------------------

SECRET = "root:"


def sources(folder):
    """Files by name, with words of the expected message; None if the tool accepts them."""
    outside, end = "from another folder", " }; };"
    incbin = "--allow-incbin permits it"
    secret = f'/incbin/("{folder}/outside/secret")'
    return {
        "plain.dts": (PMU + f" x = {secret};" + end, incbin),
        "quiet.dts": (PMU + ' /* /incbin/ */ x = "/incbin/", "a\\"/incbin/(\\"";\n// /incbin/(\n'
                      + end, None),
        "quote.dts": (PMU + f" z = <'\"'>; x = {secret}; q = <'\"'>;" + end, incbin),
        "escape.dts": (PMU + f" z = <'\\''>; x = {secret}; q = <'\"'>;" + end, incbin),
        "path.dts": (PMU + f" y = {secret}; }}; * {{ x = <&{{/*}}>; }}; /* */ }};", incbin),
        "path2.dts": (f"/dts-v1/; / {{ * {{ x = <&{{/*}}>; y = {secret}; }}; /* */ }};", incbin),
        "unended.dts": (PMU + f" x = /* /* {secret}; /*" + end, "dtc rejected the file"),
        "slash.dts": (PMU + f" x = <1>; /\\/ {secret};" + end, incbin),
        "include.dts": (PMU + ' /include/ "sub/in.dtsi"' + end, incbin),
        "deep.dts": (PMU + ' /include/ "sub/deep.dtsi"' + end, incbin),
        "folder.dts": (PMU + ' /include/ \n "in2.dtsi"' + end, incbin),
        "cpp.dts": ("#define I /incbin\n" + PMU + f" x = I/{secret[8:]};" + end, incbin),
        "header.dts": ('#include "sub/in.dtsi"\n' + PMU + end, incbin),
        "outside.dts": (PMU + f' /include/ "{folder}/outside/secret"' + end, outside),
        "up.dts": (PMU + ' /include/ "../outside/secret"' + end, outside),
        "cppout.dts": (PMU + '\n#define A\n x = "\n#include "../outside/secret"\n";' + end, outside),
        "beside.dts": (PMU + ' /include/ "../in2/fine.h"' + end, outside),
        "fine.dts": ('#include "../outside/fine.h"\n' + PMU + end, outside),
        "link.dts": (PMU + '\n#define A\n x = "\n#include "sub/link.h"\n";' + end, outside),
        "octal.dts": (PMU + '\n#define A\n x = "\n#include "sub/\x01link.h"\n";' + end, outside),
        "failing.dts": ('#include "../outside/failing.h"\n' + PMU + end, outside),
        "device.dts": (PMU + ' /include/ "/dev/zero"' + end, outside),
        "fifo.dts": (PMU + ' /include/ "sub/fifo"' + end, "which is not a file"),
        "claims.dts": (f'/dts-v1/;\n# 1 "{folder}/in/sub/fifo"\n' + PMU[9:] + " x;" + end, None),
    }


def test_sources(folder):
    inside = folder / "in"
    (inside / "sub").mkdir(parents=True)
    (folder / "outside").mkdir()
    (folder / "in2").mkdir()
    (folder / "in2" / "fine.h").write_text("/* */\n")
    (folder / "outside" / "secret").write_text(SECRET)
    (folder / "outside" / "fine.h").write_text("/* */\n")
    (folder / "outside" / "failing.h").write_text(f"#error {SECRET}\n")
    (inside / "sub" / "in.dtsi").write_text(f'x = /incbin/("{folder}/outside/secret");\n')
    (inside / "sub" / "deep.dtsi").write_text('/include/ "in.dtsi"\n')
    (inside / "sub" / "in2.dtsi").write_text('/include/ "in.dtsi"\n')
    for link in ("link.h", "\x01link.h"):
        (inside / "sub" / link).symlink_to(folder / "outside" / "secret")
    os.mkfifo(inside / "sub" / "fifo")
    for name, (text, words) in sources(folder).items():
        (inside / name).write_text(text)
        options = ["-I", "sub"] if name == "folder.dts" else []
        code, out, err = run("check", *options, name, cwd=inside)
        said = err.decode()
        check(words in said and code == 3 if words else code == 0, f"{name}: {code}, {said}")
        check(SECRET.encode() not in out + err, f"{name}: it tells what is in a file: {out + err}")
    code, _, err = run("check", "-", stdin=(inside / "plain.dts").open(), cwd=inside)
    check(code == 3 and b"permits it" in err, f"the standard input: {code}, {err}")
    for words in (["--allow-incbin", "plain.dts"], ["--allow-incbin", "fine.dts"],
                  ["-I", "../outside", "fine.dts"]):
        code, _, err = run("check", *words, cwd=inside)
        check(code == 0, f"{words}: {code}, {err}")
    shutil.copy(inside / "quiet.dts", inside / "-b.dts")
    for words in ([], ["--allow-incbin"]):
        code, _, err = run("check", *words, "--", "-b.dts", cwd=inside)
        check(code == 0, f"{words}: a source whose name begins with a dash: {code}, {err}")
    (inside / "quotes.dts").write_text(
        '/dts-v1/;\n/ { pmu { compatible = "riscv,pm-old", "riscv,pm";\n'
        "riscv,event-to-mhpmcounters = <3 3 8>; }; };\n")
    mended = run("check", "--fix", "quotes.dts", cwd=inside)[1].decode()
    check('"riscv,pm-old", "riscv,pmu";' in mended, f"check --fix: another string: {mended}")


# ---- limits -------------------------------------------------------------------------------------

def measured(words, cwd=None):
    """Exit status, bytes written, messages, peak memory, CPU seconds."""
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen([TOOL, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=messages, cwd=cwd)
        written = 0
        while part := os.read(process.stdout.fileno(), 1 << 20):
            written += len(part)
            if written > 2 * OUTPUT:
                process.kill()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        messages.seek(0)
        said = messages.read()
    return (process.returncode, written + len(said), said.decode("latin1"), used.ru_maxrss << 10,
            used.ru_utime + used.ru_stime)


def within(what, words, cwd=None):
    """The command stays within its limits. If stopped, its last message is the reason."""
    code, written, said, memory, seconds = measured(words, cwd)
    check(0 <= code <= 3, f"{what}: exit status {code}")
    check(written <= OUTPUT, f"{what}: it writes {written >> 20} MiB")
    check(memory <= MEMORY, f"{what}: it takes {memory >> 20} MiB of memory")
    check(seconds <= SECONDS, f"{what}: it takes {seconds:.1f} s")
    return written, memory, seconds, code, said


def test_worst(folder):
    most = [0, 0, 0]
    for what, (make, commands) in WORST.items():
        blob = make()
        check(len(blob) < 1 << 20 and len(blob) > 1 << 18, f"{what}: a tree of {len(blob)} bytes")
        (folder / "worst.dtb").write_bytes(blob)
        for command in commands:
            words = [word.replace("@", "worst.dtb") for word in command.split()]
            if words == command.split():
                words.append("worst.dtb")
            written, memory, seconds, code, said = within(f"{what}: {command}", words, folder)
            most = [max(pair) for pair in zip(most, (written, memory, seconds))]
            check(code < 3 or "pmumap: stopped: " in said, f"{what}: {command}: {code}, {said[-99:]}")
    print(f"of trees of 1 MB: at most {most[0] >> 20} MiB written, {most[1] >> 20} MiB of memory, "
          f"{most[2]:.1f} s of the processor")


def power(name, levels, word):
    """Nested macros; the last one expands to 10 ** levels copies of the word."""
    lines = [f"#define {name}0 {word}"]
    for level in range(levels):
        lines.append(f"#define {name}{level + 1} " + f"{name}{level} " * 10)
    return "\n".join(lines) + "\n"


def test_programs(folder):
    """dtc and cpp are stopped, and the tool says why."""
    for name, text, options, words in (
            ("zero.dts", PMU + ' x = /incbin/("/dev/zero"); }; };', ["--allow-incbin"],
             "dtc needs more than 256 MiB of memory"),
            ("macro.dts", power("A", 9, "x") + PMU + ' y = "A9"; z = <A9>; }; };', [],
             "macro.dts: cpp "),
            ("nested.dts", '#include "nested.dts"\n' + PMU + " }; };", [], "cpp rejected the file"),
            ("circle.dts", '/include/ "circle.dts"\n' + PMU + " }; };", [], "includes too much")):
        (folder / name).write_text(text)
        code, said = within(name, ["check", *options, name], folder)[3:]
        check(code == 3 and words in said, f"{name}: {code}, {said}")


def catalog(stream):
    """A container with this xz stream as catalog for PVR 0x4e0200."""
    contents = b"IMCC" + struct.pack(">IIII", 1, 0x4e0200, 4096, len(stream))
    return contents + bytes(4096 - len(contents)) + stream


def needs_memory():
    """A stream whose header asks for a dictionary of 192 MiB."""
    stream = bytearray(lzma.compress(b"x" * 999))
    size = 4 * (stream[12] + 1)
    header = stream[12:12 + size]
    at = header.index(b"\x21\x01") + 2
    header[at] = 31
    header[-4:] = struct.pack("<I", zlib.crc32(header[:-4]))
    stream[12:12 + size] = header
    return bytes(stream)


def test_catalogs(folder):
    for what, stream, words in (("long", lzma.compress(bytes(65 << 20)), "more than 16 MiB"),
                                ("wide", needs_memory(), "more than 128 MiB of memory"),
                                ("cut", lzma.compress(bytes(9999))[:40], "is damaged")):
        (folder / "catalog.bin").write_bytes(catalog(stream))
        code, said = within(f"a {what} catalog", ["show", "--pvr", "0x4e0200", "catalog.bin"],
                            folder)[3:]
        if "built without liblzma" in said:
            print("SKIP catalogs (built without liblzma)")
            return
        check(code == 3 and words in said, f"a {what} catalog: {code}, {said}")


TESTS = {"terminal": test_terminal, "order": test_order, "sources": test_sources,
         "programs": test_programs, "catalogs": test_catalogs, "worst": test_worst}


def main():
    with tempfile.TemporaryDirectory() as name:
        start = time.monotonic()
        for part in sys.argv[2:] or TESTS:
            folder = Path(name).resolve() / part
            folder.mkdir()
            TESTS[part](folder)
        print(f"{time.monotonic() - start:.0f} s")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return counts["failed"] > 0


sys.exit(main())
