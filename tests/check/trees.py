#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: trees.py TOOL

Reads tests/trees/table.txt (its head explains the format) and runs the tool on each tree: as source
and as blob, with options, with a mistake added, and with --fix. Prints each difference.
"""
import collections
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TREES = Path("tests/trees")
WORK = Path("build/check-trees")
TOOL = sys.argv[1]
Finding = collections.namedtuple("Finding", "text kind code severity")
counts = {"passed": 0, "failed": 0}


class Entry:
    def __init__(self, title, name, change):
        self.title, self.name, self.change = title, name, change
        self.said, self.blob, self.fix, self.reasons = [], [], [], set()


def check(good, what, *more):
    counts["passed" if good else "failed"] += 1
    if not good:
        print("FAIL", what, *more, sep="\n\t")


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, check=False,
                          stderr=subprocess.PIPE, errors="replace").stdout


def read_table():
    entries = []
    for number, line in enumerate((TREES / "table.txt").read_text().splitlines(), 1):
        heading = re.fullmatch(r"(\S+?)(?: (-.+?|\d.+?))?: (.+)", line)
        if heading:
            entries.append(Entry(line.split(": ")[0], heading[1], heading[2]))
        elif line.startswith("\tfix"):
            entries[-1].fix.append(line[1:])
        elif line.startswith("\tblob: "):
            entries[-1].blob.append(line[7:])
        elif line.startswith("\t"):
            text, _, reason = line[1:].partition("; ")
            entries[-1].said.append(text)
            if reason:
                entries[-1].reasons.add(text.split()[2])
        else:
            check(not line or line[0] == "#", f"table.txt:{number}: neither a tree nor a finding")
    return entries


def ask(files, *options):
    """The findings of each file, in the tool's order."""
    found = collections.defaultdict(list)
    for line in run(TOOL, "check", "--json", *options, *files).splitlines():
        f = json.loads(line)
        if f["kind"] == "unread":
            continue
        places = [f"{f.get(name, '')}[{f[row]}]" if row in f else f.get(name, "")
                  for name, row in (("property", "row"), ("other_property", "other"))]
        kind = (f["severity"], f["code"], f.get("node", ""), f.get("property", ""), f.get("value", ""))
        text = [str(f.get("line", "-")), *kind[:3], *places, kind[4]]
        found[Path(f["file"])].append(Finding(" ".join(filter(None, text)), kind, f["code"], kind[0]))
    return found


def without_lines(texts):
    return sorted(text.split(" ", 1)[1] for text in texts)


def compare(entry, what, want, got):
    if want[-1:] == ["..."]:
        want, got = want[:-1], [text for text in got if text in want] or got
    check(want == got, f"{entry.title}{what}",
          *[line for line in difflib.ndiff(want, got) if line[0] in "-+"])


def added(base, after):
    """The findings that a change adds to a tree. Rows and lines may have moved."""
    known = collections.Counter(f.kind for f in base)
    new = []
    for f in after:
        if known[f.kind]:
            known[f.kind] -= 1
        else:
            new.append(f.text)
    return new


def check_trees(entries):
    """Each unchanged tree, as source and as blob. Returns the findings in the sources."""
    sources = {e.name: TREES / f"{e.name}.dts" for e in entries}
    files = sorted(TREES.rglob("*.dts"))
    check(sorted(sources.values()) == files, "trees and entries differ:",
          *set(files).symmetric_difference(sources.values()))
    blobs = {name: Path("build" if name.startswith("boards/") else "build/trees") / f"{name}.dtb"
             for name in sources}
    found, in_blobs = ask(files), ask(blobs.values())
    for e in entries:
        got = found[sources[e.name]]
        compare(e, "", e.said, [f.text for f in got])
        compare(e, ", its blob", sorted(e.blob) or without_lines(e.said),
                without_lines(f.text for f in in_blobs[blobs[e.name]]))
        if e.name.startswith("boards/"):
            check(all(f.severity != "error" for f in got), f"{e.title}: a board has an error")
            bare = {f.code for f in got if f.severity == "warning"} - e.reasons
            check(not bare, f"{e.title}: no reason for", *bare)
    return {str(file.relative_to(TREES).with_suffix("")): found[file] for file in files}


def check_options(entries, base):
    for options in sorted({e.change for e in entries}):
        here = [e for e in entries if e.change == options]
        files = [TREES / f"{e.name}.dts" for e in here]
        found = ask(files, *options.replace("--events ", "--events tests/events/").split())
        for e, file in zip(here, files):
            compare(e, "", e.said, added(base[e.name], found[file]))


def make_mistakes(entries):
    """Writes a file for each mistake."""
    made = {}
    for number, e in enumerate(entries):
        board = TREES / f"{e.name}.dts"
        made[e] = WORK / str(number) / f"{board.stem}.dts"
        made[e].parent.mkdir()
        made[e].write_text(run("sed", "-E", e.change, board))
        check(made[e].read_text() != board.read_text(), f"{e.title}: changes nothing")
    return made


def check_mistakes(made, base):
    found = ask(made.values())
    for e, file in made.items():
        compare(e, "", e.said, added(base[e.name], found[file]))
    return found


def properties(blob):
    """A blob as source, with nodes and properties sorted."""
    return run("dtc", "-q", "-s", "-I", "dtb", "-O", "dts", blob)


def mend(e, file, patch):
    """Runs --fix on source and blob. Returns the copy, if it differs, and the difference."""
    blob, copy = file.with_suffix(".dtb"), file.with_suffix(".fixed.dts")
    fixed, want = file.with_suffix(".fixed.dtb"), file.with_suffix(".want.dtb")
    difference = run(TOOL, "check", "--fix", "-o", copy, file)
    if not difference:
        return None, ""
    if patch:
        diff, patched = file.with_suffix(".diff"), file.with_suffix(".patched")
        diff.write_text(difference)
        run("patch", "-s", "-o", patched, file, diff)
        check(patched.read_text() == copy.read_text(), f"{e.title}: the difference is not the copy's")
    for source, binary in ((file, blob), (copy, want)):
        run("dtc", "-q", "-O", "dtb", "-o", binary, source)
    run(TOOL, "check", "--fix", "-o", fixed, blob)
    if properties(fixed) == properties(want):
        return copy, "fix: "
    check(fixed.read_bytes() == blob.read_bytes(), f"{e.title}: --fix mends the blob in another way")
    return copy, "fix in source: "


def check_fix(made, before):
    """Checks the result of --fix for each tree with findings."""
    patch = shutil.which("patch")
    if not patch:
        print("SKIP the differences that --fix shows (patch is not installed)")
    mended = {e: mend(e, file, patch) for e, file in made.items() if before[file]}
    after = ask([copy for copy, _ in mended.values() if copy])
    for e, (copy, where) in mended.items():
        did = []
        if copy and e.change and copy.read_text() == (TREES / f"{e.name}.dts").read_text():
            did = [where + "undone"]
        elif copy:
            old = collections.Counter(f.code for f in before[made[e]])
            new = collections.Counter(f.code for f in after[copy])
            did = [where + " ".join([f"-{code}" for code in sorted((old - new).elements())] +
                                    [f"+{code}" for code in sorted((new - old).elements())])]
        compare(e, ", mended by --fix", e.fix, did)


def check_field(entries):
    """The tool finds each defect of doc/field.md in its tree."""
    told = {(e.name, code) for e in entries for text in e.said for code in text.split()[2:3]}
    rows = re.findall(r"^\|.*\[`([a-z0-9-]+)`\].*\(\.\./tests/trees/(\S+)\.dts\) \|$",
                      Path("doc/field.md").read_text(), re.M)
    check(len(rows) > 60, f"doc/field.md: {len(rows)} rows")
    for code, name in rows:
        check((name, code) in told, f"doc/field.md: {name} has no {code}")


# Right trees that the schema rejects: the node has a unit address, an empty table, or other nodes.
REJECTED = """
boards/andes-ax45mp
harts-clusters
harts-rest
harts-two
plain 9s/=.*/;/
"""
# Errors that need two rows, two tables, or single bits. The schema accepts these trees.
UNNOTICED = """
boards/qemu-virt 12,17d
boards/spacemit-k1 201s/0x1001b/0x10019/
boards/spacemit-k1 207s/0x10008 0x10009/0x10002 0x10009/
plain 7,9d
plain 7s/4 0 0x702/3 0 0x702/
plain 8s/3 6 0x18/3 6 0x18>, <5 8 0x18/
plain 9s/0x700/0x701/
rows-lost
rows-lost-many
tables-missing
"""


def check_schema(made, found):
    """Linux's binding, made stricter, rejects trees with errors, and no others."""
    schema, names = WORK / "schema.json", {}
    if not shutil.which("dt-validate"):
        print("SKIP the schema of Linux's binding (dt-schema is not installed)")
        return
    run("dt-mk-schema", "-j", "-o", schema, TREES.parent / "schemas")
    for e, file in made.items():
        blob = WORK / f"schema-{len(names)}.dtb"
        if re.search("mhpm|riscv,pmu", file.read_text()) and not re.match("boards/(imc|amu)", e.name):
            run("dtc", "-q", "-O", "dtb", "-o", blob, file)
            names[str(blob)] = e.title, {f.severity for f in found[file]}
    said = run("sh", "-c", "dt-validate -s $0 -l riscv,pmu \"$@\" 2>&1", schema, *names)
    rejected = {name for name in names if f"{name}: " in said}
    for what, want, seen in (("rejects", REJECTED, {t for n, (t, kinds) in names.items()
                                                    if n in rejected and kinds <= {"note"}}),
                             ("accepts", UNNOTICED, {t for n, (t, kinds) in names.items()
                                                     if n not in rejected and "error" in kinds})):
        check(seen == set(want.split("\n")[1:-1]), f"the schema {what}", *sorted(seen))


def main():
    os.environ["LC_ALL"] = "C"
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    entries = read_table()
    titles = [e.title for e in entries]
    check(len(set(titles)) == len(titles) > 150, "an entry is there twice, or most are not")
    plain = [e for e in entries if not e.change]
    base = check_trees(plain)
    with_options = [e for e in entries if e.change and e.change[0] == "-"]
    if "JANSSON" not in Path("build/pmumap.libs").read_text():
        print("SKIP the trees with a vendor's events (libjansson-dev is not installed)")
        with_options = [e for e in with_options if "--events" not in e.change]
    check_options(with_options, base)
    made = make_mistakes([e for e in entries if e.change and e.change[0] != "-"])
    found = check_mistakes(made, base)
    for e in plain:
        made[e] = WORK / f"{e.name}.dts"
        made[e].parent.mkdir(exist_ok=True)
        shutil.copy(TREES / f"{e.name}.dts", made[e])
        found[made[e]] = base[e.name]
    check_schema(made, found)
    check_fix(made, found)
    check_field(entries)
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    sys.exit(counts["failed"] != 0)


if not shutil.which("dtc"):
    print("SKIP the trees (device-tree-compiler is not installed)\n0 passed, 0 failed")
    sys.exit()
main()
