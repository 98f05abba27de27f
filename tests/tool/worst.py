# SPDX-License-Identifier: BSD-2-Clause
"""Trees that were made to do harm: each about a megabyte, and the worst that is known for a verb."""
import struct

SELECTORS = "riscv,event-to-mhpmevent"
RANGES = "riscv,event-to-mhpmcounters"
RAW_ROWS = "riscv,raw-event-to-mhpmcounters"
MEGABYTE = 1000000


class Tree:
    """A blob that is written node by node. Names and strings may have any bytes."""

    def __init__(self):
        self.structure, self.strings, self.offsets = bytearray(), bytearray(), {}

    def open(self, name=b""):
        self.structure += b"\0\0\0\1" + name + b"\0" * (4 - len(name) % 4)

    def close(self):
        self.structure += b"\0\0\0\2"

    def prop(self, name, value):
        name = name.encode() if isinstance(name, str) else name
        if isinstance(value, bytes):
            value += b"\0"
        else:
            value = struct.pack(f">{len(value)}I", *value)
        if name not in self.offsets:
            self.offsets[name] = len(self.strings)
            self.strings += name + b"\0"
        self.structure += struct.pack(">III", 3, len(value), self.offsets[name])
        self.structure += value + b"\0" * (-len(value) % 4)

    def blob(self):
        structure, start = self.structure + b"\0\0\0\x09", 56
        end = start + len(structure)
        return struct.pack(">10I", 0xd00dfeed, end + len(self.strings), start, end, 40, 17, 16, 0,
                           len(self.strings), len(structure)) + bytes(16) + structure + self.strings


def pmu(table, rows, name=b"pmu"):
    tree = Tree()
    tree.open()
    tree.open(name)
    tree.prop("compatible", b"riscv,pmu")
    tree.prop(table, [cell for row in rows for cell in row])
    tree.close()
    tree.close()
    return tree.blob()


def imc(units, events, unit=b"u", prefix=b"P", measure=None, apart=8):
    """Units that share one list of events: units times events are counted."""
    tree = Tree()
    tree.open()
    tree.open(b"imc-counters")
    tree.prop("compatible", b"ibm,opal-in-memory-counters")
    tree.open(b"list")
    tree.prop("phandle", [1])
    for i in range(events):
        tree.open(b"e%x" % i)
        tree.prop("event-name", b"E%d" % i)
        tree.prop("reg", [apart * i, 8])
        tree.close()
    tree.close()
    for i in range(units):
        tree.open(unit + b"%d" % i)
        tree.prop("compatible", b"ibm,imc-counters")
        tree.prop("type", [0x10])
        tree.prop("events-prefix", prefix + b"%d_" % i)
        tree.prop("events", [1])
        tree.prop("reg", [0x18, 8])
        tree.prop("offset", [0x180000])
        tree.prop("size", [0x40000])
        if measure:
            tree.prop("unit", measure)
        tree.close()
    tree.close()
    tree.close()
    return tree.blob()


def amu(cpus, label):
    """CPUs that share one view, whose counters have a long name."""
    tree = Tree()
    tree.open()
    tree.open(b"cpus")
    tree.prop("#address-cells", [1])
    tree.prop("#size-cells", [0])
    for i in range(cpus):
        tree.open(b"cpu@%x" % i)
        tree.prop("device_type", b"cpu")
        tree.prop("reg", [i])
        tree.prop("amu", [1])
        tree.close()
    tree.open(b"amus")
    tree.open(b"view")
    tree.prop("phandle", [1])
    tree.prop("#address-cells", [1])
    tree.prop("#size-cells", [0])
    for i in range(16):
        tree.open(b"counter@%x" % i)
        tree.prop("reg", [i])
        tree.prop("label", label)
        tree.prop("enable-at-boot", [])
        tree.close()
    for _ in range(4):
        tree.close()
    return tree.blob()


# Of each tree, the commands that it is the worst for.
WORST = {
    "rows of all kinds of mistakes": (
        lambda: pmu(RAW_ROWS, ((i * 2654435761 & 0xffffffff, i, i * 2654435761 & 0xffffffff | 0xf0f0,
                                i | 0xffff0000, 8 << i % 7) for i in range(MEGABYTE // 20 - 9))),
        ["show", "show --json", "check", "check --all", "check --json", "check --sarif", "picture",
         "rom"]),
    "rows to be mended": (
        lambda: pmu(RAW_ROWS, [(0, 5, 0xffffffff, 0xffffffff, 8)] * (MEGABYTE // 20 - 9)),
        ["check --fix"]),
    "ranges that overlap": (
        lambda: pmu(RANGES, ((1 + i % 9, 9, 8 << i % 20) for i in range(MEGABYTE // 12 - 9))),
        ["check", "check --all", "check --json", "check --sarif"]),
    "a node with a long name": (
        lambda: pmu(RANGES, ((3 + i % 5, 3, 0) for i in range(40000)), b"n" * (MEGABYTE // 2)),
        ["check --sarif"]),
    "units that share a list": (
        lambda: imc(3500, 18),
        ["show", "show --json", "show --events", "show --json --events", "lookup --json @ PM_*",
         "check --sarif", "picture", "rom"]),
    "units that clash": (
        lambda: imc(3500, 18, apart=0),
        ["lookup @ imc:0x0", "check --all", "picture"]),
    "a unit with a long name": (
        lambda: imc(1, 9000, unit=b"\1" * (MEGABYTE // 2)),
        ["show", "show --events", "show --json --events", "lookup --json @ P*", "picture", "rom"]),
    "a long prefix": (
        lambda: imc(1, 9000, prefix=b"P" * 4080),
        ["show --events", "show --json --events", "check", "picture"]),
    "a long unit of measure": (
        lambda: imc(1, 9000, measure=b"m" * (MEGABYTE // 2)),
        ["show --events", "show --json --events"]),
    "counters with a long name": (
        lambda: amu(9000, b"x" * 20000),
        ["show", "show --json", "lookup --json @ amu:#0", "picture", "rom --amu-enables"]),
}
