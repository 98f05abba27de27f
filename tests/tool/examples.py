#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# Tries the examples of "pmumap check --explain all". A tree with the right one has no finding at all;
# with the wrong one in its place it has the finding of that code. The tables of the first tree are
# the right rows of all examples. Other trees have their pieces, or get them: a row in the place of
# those of its event, a property in that of the same name. Entries of an event file are one alone.
import json
import re
import subprocess
import sys
from pathlib import Path

RIGHT = Path("tests/tool/right.trees")
TREES = [" ".join(tree.split()) for tree in re.split(r"^[a-z]+: .*\n", RIGHT.read_text(), flags=re.M)[1:]]
OPTIONS = ["--counters", "3-8"]
EVENTS = ["--events", "tests/tool/right.json"]
TABLES = ["riscv,event-to-mhpmevent", "riscv,event-to-mhpmcounters", "riscv,raw-event-to-mhpmcounters"]
CYCLES = "<0x1 0x0 0x10>"  # the only row that no example has


def rows_of(text):
    """The rows of an example, each with its table; [] if it is something else."""
    if not re.fullmatch(r"(riscv,[a-z-]+ = )?<[^>]*>(, <[^>]*>)*;?", text):
        return []
    rows = [[int(cell, 16) for cell in row.split()] for row in re.findall("<([^>]*)>", text)]
    if any(len(row) not in (3, 5) for row in rows):
        return []
    return [(2 if len(row) == 5 else row[0] <= row[1], row) for row in rows]


def clash(table, a, b):
    """Whether two rows of a table are about the same event."""
    if table == 1:
        return a[0] <= b[1] and b[0] <= a[1]
    return a[:4 if table == 2 else 1] == b[:4 if table == 2 else 1]


def core(examples):
    """The tree of the right rows. Of two that clash it has the first."""
    tables = [[], [], []]
    # A row behind the name of its table is the first one there.
    for text in sorted(examples, key=lambda text: "=" not in text):
        for table, row in rows_of(text):
            if not any(clash(table, row, other) for other in tables[table]):
                tables[table].append(row)
    tables[:2] = map(sorted, tables[:2])
    lines = [f"{name} = " + ", ".join(f"<{' '.join(map(hex, row))}>" for row in rows) + ";"
             for name, rows in zip(TABLES, tables)]
    okay = 'status = "okay";'
    return TREES[0].replace(okay, " ".join([okay, *lines]))


def homes(right, rights, texts):
    """The trees that have it once; else one that gets it; else none."""
    found = [text for text in texts if text.count(right) == 1]
    prop = re.fullmatch(r"([^\s={};]+)( = [^{};]*)?;", right)
    if not found and rows_of(right):
        found = [core([right, *rights])]
    elif not found and prop:
        found = [re.sub(rf"(?<=[ ;{{]){re.escape(prop[1])}( = [^{{}};]*)?;", lambda _: right, text, count=1)
                 for text in texts]
    return [text for text in found if text.count(right) == 1]


def codes(path, with_events):
    command = ["pmumap", "check", "--json", *OPTIONS, *(EVENTS if with_events else []), str(path)]
    run = subprocess.run(command, capture_output=True, text=True)
    told = map(json.loads, run.stdout.splitlines())
    return {o["code"] for o in told if o["kind"] == "finding"} or (run.returncode and run.stderr)


def main(folder, with_events):
    told = subprocess.run(["pmumap", "check", "--explain", "all", "--json"], capture_output=True,
                          text=True, check=True).stdout.splitlines()
    explanations = [json.loads(line) for line in told]
    rights = [x["right"] for x in explanations if "right" in x] + [CYCLES]
    texts = [core(rights), *TREES[1:]]
    clean = set()
    wrong = []
    for x in explanations:
        code = x["code"]
        if "wrong" not in x:
            wrong.append(f"{code}: no example")
            continue
        if not with_events and "core's file" in x["problem"]:
            continue
        if x["right"].startswith("{"):
            for text in ("right", "wrong"):
                path = Path(folder, f"{code}-{text}.json")
                path.write_text(f"[{x[text]}]")
                found = codes(path, False)
                if found != ({code} if text == "wrong" else 0):
                    wrong.append(f"{code}: the {text} one has {found}")
            continue
        home = homes(x["right"], rights, texts)
        if not home:
            wrong.append(f"{code}: no tree has the right one. Add it to a tree of {RIGHT}")
            continue
        path = Path(folder, f"{code}.dts")
        if home[0] not in clean:
            path.write_text(home[0])
            if found := codes(path, with_events):
                wrong.append(f"{code}: the right one has a finding: {found}")
            clean.add(home[0])
        path.write_text(home[0].replace(x["right"], x["wrong"]))
        found = codes(path, with_events)
        if code not in found:
            wrong.append(f"{code}: not found, but {sorted(found)}")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main(sys.argv[1], sys.argv[2] == "events"))
