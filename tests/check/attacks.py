#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: attacks.py TOOL

Attacks by the files of a stranger, such as those of a pull request. Each one must work where
nothing stops it: on cpp and dtc, or on a shell. The tool must not show a secret from outside of
the checkout, begin a line with a stranger's text, take a file's name for an option, or wait for
ever.
"""
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, "tests/tool")
from worst import MEGABYTE, RAW_ROWS, Tree  # noqa: E402

TOOL = str(Path(sys.argv[1]).resolve())
ROOT = Path.cwd()
CPP = "cpp -nostdinc -undef -D__DTS__ -x assembler-with-cpp"
DTC = "dtc -q -I dts -O dtb"

# A property that check names, because it resembles another; and cells that check prints.
SECRET, CELLS = "riscv,event-to-mhpmeventz;\n", b"SECRETSECRET"
SEEN = ("eventz", "SECRET", "0x53454352")
HEAD = '/dts-v1/;\n/ { pmu { compatible = "riscv,pmu"; riscv,event-to-mhpmcounters = <3 3 8>;\n'
END = "\n}; };\n"

counts = {"passed": 0, "failed": 0}


def check(good, what):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("FAIL", what)


def run(command, folder, seconds=60, **more):
    """Exit status (None: it was still running) and what was written."""
    try:
        done = subprocess.run(command, cwd=folder, shell=isinstance(command, str), check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout.decode("latin1")


def shows(text):
    return any(word in text for word in SEEN)


def lay_out(folder, files):
    """A checkout: texts by name, or links. Beside it are secrets. Returns the checkout."""
    (folder / "outside").mkdir(parents=True)
    (folder / "outside" / "secret").write_text(SECRET)
    (folder / "outside" / "cells").write_bytes(CELLS)
    for name, text in files.items():
        path = folder / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(text, Path):
            path.symlink_to(folder / text)
        else:
            path.write_bytes(text.replace("OUTSIDE", str(folder / "outside")).encode("latin1"))
    return folder / "work"


# ---- reading a secret ---------------------------------------------------------------------------

OUTSIDE = Path("outside/secret")
INCBIN = 'riscv,event-to-mhpmevent = /incbin/("OUTSIDE/cells");'


def included(directive, after=""):
    """A source that has its secret read by a directive of cpp."""
    return {"a.dts": "#define A\n" + HEAD + directive + after + END}


# Files, what shows the secret where nothing stops it, the tool's arguments.
READS = {
    "a file of the current folder, not the one beside": (
        {"x": INCBIN, "b/x": "", "b/a.dts": "#define A\n" + HEAD + '/include/ "x"' + END},
        f"{CPP} b/a.dts | {DTC} -i b", ["check", "b/a.dts"]),
    "a link that is called as cpp calls what it made": (
        {"<leak": OUTSIDE} | included('#include "<leak"'), f"{CPP} a.dts", ["check", "a.dts"]),
    "a line that cpp quotes": (
        {"<leak": OUTSIDE} | included('#line 1 "<leak"\n#error'), f"{CPP} a.dts",
        ["check", "a.dts"]),
    "an option that is a file's name": (
        {".dts": Path("outside"), "-I.dts": "", **included("#include <secret>")},
        f"{CPP} -I.dts a.dts", ["check", "-I.dts", "a.dts"]),
    "a link in a link": (
        {"in": Path("outside"), "x": Path("work/in/secret"), **included('#include "x"')},
        f"{CPP} a.dts", ["check", "a.dts"]),
}
READS |= {f"{words!r}": (included(words), f"{CPP} a.dts", ["check", "a.dts"]) for words in (
    '#include "OUTSIDE/secret"', "#include <OUTSIDE/secret>", '#include "../outside/secret"',
    '#import "OUTSIDE/secret"', '#define F "OUTSIDE/secret"\n#include F',
    '#inc\\\nlude "OUTSIDE/secret"', '#\\ \ninclude "OUTSIDE/secret"',
    '#/**/include "OUTSIDE/secret"',
    '/\\\n* " *\\\n/#include "OUTSIDE/secret"', 'x\r#include "OUTSIDE/secret"',
    '#\0include "OUTSIDE/secret"', 'x = "\n#include "OUTSIDE/secret"',
    '#if 0\n#elif 1\n#include/**/<OUTSIDE/secret>\n#endif',
    '#include "x\r#include <OUTSIDE/secret>"\n#include "OUTSIDE/secret"')}


def test_reads(folder):
    for i, (what, (files, control, words)) in enumerate(READS.items()):
        work = lay_out(folder / str(i), files)
        check(shows(run(control, work)[1]), f"{what}: is no attack: {run(control, work)}")
        for verb in (words, [*words[:1], "--json", *words[1:]], [*words[:1], "--fix", *words[1:]]):
            code, said = run([TOOL, *verb], work)
            check(not shows(said), f"{what}: {verb}: {code}, {said}")


def test_race(folder):
    """A folder becomes a link, and a folder again, while the tool runs."""
    work = lay_out(folder, {"good/secret": "", "x.link": Path("work/good"),
                            **included('#include "x.link/secret"')})
    over = threading.Event()

    def change():
        while not over.is_set():
            for target in ("../outside", "good"):
                (work / "next").symlink_to(target)
                os.replace(work / "next", work / "x.link")

    thread = threading.Thread(target=change)
    thread.start()
    answers = [run([TOOL, "check", "a.dts"], work) for _ in range(200)]
    control = [run(f"{CPP} a.dts", work) for _ in range(20)]
    over.set()
    thread.join()
    check(any(shows(said) for _, said in control), "race: is no attack")
    check(any(code == 0 for code, _ in answers), "race: the tool reads nothing")
    check(not any(shows(said) for _, said in answers), "race: the tool shows the secret")


# ---- names and lines ----------------------------------------------------------------------------

def test_names(folder):
    """No name of a file is an option, of the tool or of what it runs."""
    bad = HEAD + "riscv,raw-event-to-mhpmcounters = <0 1 1 0 8>;" + END
    work = lay_out(folder / "ignore", {"x.dts": "raw-dead", "--ignore=x.dts": "", "a.dts": bad})
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entry = re.search(r"^  entry: pmumap (.*)", hook, re.M)[1].split()
    args = re.search(r"^  args: \[(.*)\]", hook, re.M)
    entry += args[1].split(", ") if args else []
    code, said = run([TOOL, *entry, "--ignore=x.dts", "a.dts"], work)
    check("raw-dead" in said and code, f"the hook: a name hides a finding: {code}, {said}")
    code, said = run(f"'{TOOL}' check *a.dts --ignore=x.dts", work)
    check(code == 2 and "before the files" in said, f"a pattern: a name is an option: {said}")

    work = lay_out(folder / "at", {"x.dts": '-wrapper "sh,-c,echo >here"',
                                   "@x.dts": "#define A\n" + HEAD + END, "-b.dts": HEAD + END})
    run(f"{CPP} @x.dts", work)
    check((work / "here").exists(), "a name with @: is no attack")
    for words in ([], ["--allow-incbin"]):
        (work / "here").unlink(missing_ok=True)
        code, said = run([TOOL, "check", *words, "--", "@x.dts", "-b.dts"], work)
        check(code == 0 and not (work / "here").exists(), f"{words}: a name with @: {code}, {said}")


def begins(text):
    """The lines that GitHub or another service takes for commands."""
    return [line for line in re.split("[\n\r]", text)
            if re.match(r"[\s\x7f-\xff]*::", line) or re.search(r"##\w*\[", line)]


FIXED = ('/dts-v1/;\n/ { pmu { compatible = "riscv,pmu";\n/*\n%s\n*/ '
         "riscv,event-to-mhpmcounters = <9 1 8>; }; };\n")
LINES = {
    "a name with a line": (
        {"a.dts": '/dts-v1/;\n# 1 "a\\n::error::x"\n/ { x };\n'}, f"{DTC} a.dts"),
    "a name with a line for cpp": (
        {"a.dts": '#define A\n/dts-v1/;\n#line 1 "a\\n::error::x"\n#error\n'}, f"{CPP} a.dts"),
    "a name": ({"a.dts": HEAD[:10] + '# 1 "::error::x"\n' + HEAD[10:] + END},
               "grep -ho ::.* a.dts"),
    "a file": ({"::error::a.dts": HEAD + END}, "ls"),
    "a name amid a line": ({"##[error]a.dts": HEAD + END, "##vso[x]b.dts": "x"}, "ls"),
    "a line of a difference": ({"a.dts": FIXED % "::error::x"}, "cat a.dts"),
    "a line of a difference after letters": ({"a.dts": FIXED % "\xc2\xa0 \t::error::x##[error]"},
                                             "cat a.dts"),
}


def test_lines(folder):
    for i, (what, (files, control)) in enumerate(LINES.items()):
        work = lay_out(folder / str(i), files)
        check(begins(run(control, work)[1]), f"{what}: is no attack: {run(control, work)}")
        for words in (["check"], ["check", "--json"], ["check", "--sarif"], ["check", "--fix"],
                      ["show"]):
            code, said = run([TOOL, *words, "--", list(files)[0]], work)
            check(not begins(said), f"{what}: {words}: {code}, {begins(said)}")


# ---- services -----------------------------------------------------------------------------------

def test_services(folder):
    """A FIFO, and the action's log where the pull request has a link."""
    work = lay_out(folder, {"a.dts": HEAD + END, "pmumap.sarif": OUTSIDE})
    os.mkfifo(work / "fifo.dts")
    check(run("cat fifo.dts", work, 1)[0] is None, "a FIFO: is no attack")
    for verb in ("check", "show"):
        code, said = run([TOOL, verb, "fifo.dts"], work, 20)
        check(code == 3, f"{verb}: a FIFO: {code}, {said}")
    code, said = run(["bash", "-c", f"'{TOOL}' check <(sleep 1; cat a.dts | {DTC})"], work)
    check(code == 0, f"a pipe: {code}, {said}")

    script = (ROOT / "action.yml").read_text().split("run: |\n")[-1]
    (folder / "temp").mkdir()
    (folder / "build").symlink_to(Path(TOOL).parent)
    code, said = run(["bash", "-e", "-c", script], work,
                     env=os.environ | {"TREES": ".", "OPTIONS": "", "LOG": "pmumap.sarif",
                                       "GITHUB_ACTION_PATH": str(folder),
                                       "RUNNER_TEMP": str(folder / "temp")})
    check(code == 0 and (folder / OUTSIDE).read_text() == SECRET, f"the action: {code}, {said}")
    run("echo >pmumap.sarif", work)
    check((folder / OUTSIDE).read_text() != SECRET, "the action's log: is no attack")


def flood(harts):
    """Harts with one phandle, which two nodes name; the second as often as a megabyte allows."""
    tree = Tree()
    tree.open()
    tree.open(b"cpus")
    tree.prop("#address-cells", [1])
    tree.prop("#size-cells", [0])
    for hart in range(harts):
        tree.open(b"cpu@%x" % hart)
        tree.prop("device_type", b"cpu")
        tree.prop("reg", [hart])
        tree.open(b"interrupt-controller")
        tree.prop("interrupt-controller", b"")
        tree.prop("phandle", [7])
        tree.close()
        tree.close()
    tree.close()
    for name, times in ((b"pmu0", 1), (b"pmu1", (MEGABYTE - 200 * harts) // 8)):
        tree.open(name)
        tree.prop("compatible", b"riscv,pmu")
        tree.prop(RAW_ROWS, [0, 1, 1, 0, 8])
        tree.prop("interrupts-extended", [7, 13] * times)
        tree.close()
    tree.close()
    return tree.blob()


def test_flood(folder):
    """A megabyte of one mistake does not silence another one."""
    folder.mkdir()
    (folder / "a.dtb").write_bytes(flood(127))
    for words in (["check"], ["check", "--all"], ["check", "--json"], ["check", "--sarif"]):
        code, said = run([TOOL, *words, "a.dtb"], folder)
        check(code == 1 and "raw-dead" in said and "hart-shared" in said,
              f"{words}: {code}, {len(said)} letters: {said[-200:]}")


def main():
    with tempfile.TemporaryDirectory() as name:
        for test in (test_reads, test_race, test_names, test_lines, test_services,
                     test_flood):
            test(Path(name).resolve() / test.__name__)
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return counts["failed"] > 0


sys.exit(main())
