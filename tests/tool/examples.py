#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# Tries the examples of "pmumap check --explain all". The right one of each stands in a tree that has
# no finding at all; with the wrong one in its place the tree has the finding of that code.
import json
import subprocess
import sys
from pathlib import Path

TREES = [Path(f"tests/tool/right-{name}.dts") for name in ("riscv", "filter", "imc", "live", "amu")]
NONE = ["no-index"]  # it depends on a block of memory, and on no source
OPTIONS = ["--counters", "3-8"]
EVENTS = ["--events", "tests/tool/right.json"]


def codes(path, with_events):
    command = ["pmumap", "check", "--json", *OPTIONS, *(EVENTS if with_events else []), str(path)]
    run = subprocess.run(command, capture_output=True, text=True)
    return {json.loads(line)["code"] for line in run.stdout.splitlines()} or run.stderr


def main(folder, with_events):
    texts = [" ".join(tree.read_text().split()) for tree in TREES]
    wrong = [f"{tree}: {found}" for tree in TREES if (found := codes(tree, with_events))]
    told = subprocess.run(["pmumap", "check", "--explain", "all", "--json"], capture_output=True,
                          text=True, check=True).stdout.splitlines()
    for x in map(json.loads, told):
        code = x["code"]
        if "wrong" not in x:
            wrong += [] if code in NONE else [f"{code}: no example"]
            continue
        if not with_events and "core's file" in x["problem"]:
            continue
        homes = [text for text in texts if text.count(x["right"]) == 1]
        if len(homes) != 1:
            wrong.append(f"{code}: the right one is in {len(homes)} trees once")
            continue
        path = Path(folder, f"{code}.dts")
        path.write_text(homes[0].replace(x["right"], x["wrong"]))
        found = codes(path, with_events)
        if code not in found:
            wrong.append(f"{code}: not found, but {sorted(found)}")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main(sys.argv[1], sys.argv[2] == "events"))
