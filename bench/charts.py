#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: charts.py BENCH.txt FOLDER

Draws FOLDER/*.svg from the lines of BENCH.txt that begin with "Benchmark". Each chart has one
claim, its title; figures in it are computed. Lines and dots are labelled where they are. Colours
follow the reader's choice of light or dark; text has a contrast of 4.5 to its ground, or more.
"""
import math
import sys
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH = 830  # displayed width of a chart
LETTER = 7.4  # approximate width of a 13-pixel letter
CONTRAST = 4.5
COLOURS = {  # light, dark
    "ground": ("#ffffff", "#0d1117"), "ink": ("#1f2328", "#e6edf3"), "soft": ("#59636e", "#9fa8b2"),
    "grid": ("#d8dee4", "#2b323b"), "pmumap": ("#c0182f", "#ff8591"), "a": ("#1f66b0", "#79b8ff"),
    "b": ("#925700", "#f0a65a"), "c": ("#1a7347", "#4cc38a"), "d": ("#7440b8", "#c09bf0"),
    "e": ("#6b6100", "#d2c64e"), "f": ("#00707d", "#3fc4d9"),
}


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(p * weight for p, weight in zip(parts, (0.2126, 0.7152, 0.0722)))


def style():
    """Style rules of all charts; rejects colours with low contrast."""
    rules = []
    for theme in (0, 1):
        ground = luminance(COLOURS["ground"][theme])
        for name, pair in COLOURS.items():
            two = sorted((ground, luminance(pair[theme])))
            ratio = (two[1] + 0.05) / (two[0] + 0.05)
            assert name in ("ground", "grid") or ratio >= CONTRAST, f"{name}: contrast {ratio:.1f}"
        rules.append("".join(f".{name}{{color:{pair[theme]}}}" for name, pair in COLOURS.items())
                     + f"text{{stroke:{COLOURS['ground'][theme]}}}")
    # An outline in the background colour keeps text readable on top of a line.
    return ("text{font:13px system-ui,sans-serif;fill:currentColor;stroke-width:4px;"
            "paint-order:stroke;stroke-linejoin:round}.title{font-size:16px;font-weight:600}"
            ".line{fill:none;stroke:currentColor;stroke-width:1.75}"
            ".pmumap.line{stroke-width:3}.dash{stroke-dasharray:6 4}.dot{fill:currentColor}"
            f"{rules[0]}@media(prefers-color-scheme:dark){{{rules[1]}}}")


class Chart:
    """Marks, from top to bottom."""

    def __init__(self, title):
        self.marks = []
        self.title = title
        self.y = 34
        line = ""
        for word in title.split():  # breaks a long title into lines
            if LETTER * 1.35 * len(line + word) > WIDTH - 40:
                self.text(20, self.y, line, "ink title")
                self.y += 21
                line = ""
            line += word + " "
        self.text(20, self.y, line, "ink title")

    def text(self, x, y, text, kind, anchor="start"):
        self.marks.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
                          f"{escape(text.strip())}</text>")

    def line(self, points, kind):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.marks.append(f'<polyline class="{kind} line" points="{path}"/>')

    def dot(self, x, y, kind, tip=""):
        self.marks.append(f'<circle class="{kind} dot" cx="{x:.1f}" cy="{y:.1f}" r="5">'
                          f"<title>{escape(tip)}</title></circle>")

    def write(self, path):
        height = self.y + 14
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
            f'viewBox="0 0 {WIDTH} {height:.0f}" role="img">\n'
            f"<!-- SPDX-License-Identifier: BSD-2-Clause -->\n<title>{escape(self.title)}</title>\n"
            f'<style>{style()}</style>\n<rect class="ground dot" width="100%" height="100%"/>\n'
            + "\n".join(self.marks) + "\n</svg>\n")
        print(f"{path} {path.stat().st_size} bytes")


def short_time(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:g} {unit}"
    return f"{ns:g} ns"


def short_size(count):
    return f"{count / 1e6:g} MB" if count >= 1e6 else f"{count / 1e3:g} KB"


def scale(low, high, start, end):
    """A logarithmic axis."""
    factor = (end - start) / math.log(high / low)
    return lambda value: start + math.log(value / low) * factor


def decades(low, high):
    return [10.0 ** n for n in range(math.ceil(math.log10(low) - 1e-9),
                                     math.floor(math.log10(high) + 1e-9) + 1)]


def apart(wanted, gap=16):
    """Places labels near these heights without overlap."""
    heaps = []  # groups of adjacent labels: their numbers, height of the first one
    for i in sorted(range(len(wanted)), key=lambda i: wanted[i]):
        heap, top = [i], wanted[i]
        while heaps and heaps[-1][1] + gap * len(heaps[-1][0]) > top:
            heap = heaps.pop()[0] + heap
            top = sum(wanted[j] for j in heap) / len(heap) - gap * (len(heap) - 1) / 2
        heaps.append((heap, top))
    placed = {j: top + gap * n for heap, top in heaps for n, j in enumerate(heap)}
    return [placed[i] for i in range(len(wanted))]


def lines_panel(chart, head, series, x_name, marks, height=190, size=str):
    """Lines of ns over size, with a label at each end. series: (label, kind, points)."""
    series = [one for one in series if one[2]]
    xs = [x for _, _, points in series for x, _ in points]
    ys = [y for _, _, points in series for _, y in points]
    top, left = chart.y + 48, 70
    right = WIDTH - 24 - LETTER * max(len(label) for label, _, _ in series)
    low, high = 10 ** math.floor(math.log10(min(ys))), 10 ** math.ceil(math.log10(max(ys)))
    x_at, y_at = scale(min(xs), max(xs), left, right), scale(low, high, top + height, top)
    chart.text(20, top - 18, head, "ink")
    for value in decades(low, high):
        chart.marks.append(f'<path class="grid line" d="M{left} {y_at(value):.1f}H{right:.1f}"/>')
        chart.text(left - 8, y_at(value) + 4, short_time(value), "soft", "end")
    for value in marks:
        if min(xs) <= value <= max(xs):
            chart.text(x_at(value), top + height + 20, size(value), "soft", "middle")
    chart.text(WIDTH - 20, top + height + 20, x_name, "soft", "end")
    early = [one for one in series if one[2][-1][0] < max(xs) / 2]
    late = [one for one in series if one not in early]
    for _, kind, points in series:
        draw_series(chart, [(x_at(a), y_at(b)) for a, b in points], kind)
    for (label, kind, _), y in zip(late, apart([y_at(points[-1][1]) for *_, points in late])):
        chart.text(right + 8, y + 4, label, kind.split()[0])
    for label, kind, points in early:
        x, y = points[-1]
        others = [dict(p)[x] for one in series for p in [one[2]] if p != points and x in dict(p)]
        down, anchor = free_side(y, others)
        chart.text(x_at(x), y_at(y) + down, label, kind.split()[0], anchor)
    chart.y = top + height + 30


def free_side(value, others):
    """Where the next line is further: how far down a label goes, and what of it is at the point."""
    above = min((other / value for other in others if other > value * 1.1), default=math.inf)
    below = min((value / other for other in others if other < value / 1.1), default=math.inf)
    return (-9, "end") if above >= below else (18, "middle")


def draw_series(chart, places, kind):
    if kind.endswith(" dots"):
        for x, y in places:
            chart.dot(x, y, kind.split()[0])
    else:
        chart.line(places, kind)


def read(path):
    """Lines of a run: the benchmark's name, its parts, and its figures by unit."""
    rows = []
    for line in Path(path).read_text().splitlines():
        if line.startswith("Benchmark"):
            first, _, *figures = line.split()
            name, *parts = first[len("Benchmark"):].split("/")
            rows.append((name, dict(part.split("=", 1) for part in parts),
                         {unit: float(value) for value, unit in zip(figures[::2], figures[1::2])}))
    return rows


def lookups(rows):
    """{ (name, table, impl): ns } for keys of which half are hits."""
    return {(name, parts["table"], parts["impl"]): figures["ns/op"] for name, parts, figures in rows
            if parts.get("keys") == "mixed" and parts.get("mode") == "throughput"}


def points(times, name, kind, impl):
    """Rows and time of the tables KIND-1, KIND-2, ..."""
    found = [(int(table.rpartition("-")[2]), ns) for (n, table, i), ns in times.items()
             if n == name and i == impl and table.rpartition("-")[0] == kind]
    return sorted(found)


ROWS = (1, 4, 16, 64, 256, 1024, 4096)


def growth(times):
    """RISC-V look-ups over the number of rows."""
    chart = Chart("RISC-V: a scan takes longer with each row; pmumap hardly does, for SBI's own "
                  "codes and for raw rows of one mask")
    for name, head, kind, other, other_label, peer, peer_label in (
            ("Selector", "selector of an event", "sbi", "event", "pmumap, other codes",
             "rustsbi-map", "RustSBI's ordered map"),
            ("Counters", "counters of an event", "sbi", "event", "pmumap, other codes",
             "rustsbi-list", "RustSBI's list"),
            ("Raw", "counters of a raw event", "raw", "masks", "pmumap, all masks differ",
             "rustsbi-list", "RustSBI's list")):
        wide = "event" if name != "Raw" else "raw"
        lines_panel(chart, head, [
            ("pmumap", "pmumap", points(times, name, kind, "pmumap")),
            (other_label, "pmumap dash", points(times, name, other, "pmumap")),
            ("OpenSBI's scan", "a", points(times, name, wide, "opensbi-scan")),
            (peer_label, "b", points(times, name, wide, peer)),
            ("a call and one load", "soft", points(times, name, wide, "load"))], "rows", ROWS)
    return chart


def names(times):
    ours, perf = (times["Name", "names-1024", impl] for impl in ("pmumap", "perf"))
    chart = Chart(f"IMC: among 1024 names pmumap finds one in {ours:.0f} ns, perf's search in "
                  f"{perf:.0f} ns")
    lines_panel(chart, "event of a full name, half of which are there", [
        (label, kind, points(times, "Name", "names", impl)) for label, kind, impl in (
            ("pmumap", "pmumap", "pmumap"),
            ("strcmp, one by one", "a", "linear"), ("perf's search", "b", "perf"),
            ("binary search", "e", "bsearch"), ("cmph (CHM)", "d", "cmph-chm"),
            ("gperf, at compile time", "c", "gperf"), ("compare the right one", "soft", "floor"))],
        "names", ROWS, height=330)
    return chart


def cpus(times):
    ours = points(times, "Cpu", "cpus", "pmumap")
    tree = points(times, "Cpu", "cpus", "libfdt")
    chart = Chart(f"AMU: the counters of a CPU take {ours[0][1]:.0f} to {ours[-1][1]:.0f} ns; "
                  f"asking the tree, {tree[0][1] / 1e3:.1f} to {tree[-1][1] / 1e3:,.0f} µs")
    lines_panel(chart, "counters of one of so many CPUs", [
        (label, kind, points(times, "Cpu", "cpus", impl)) for label, kind, impl in (
            ("pmumap", "pmumap", "pmumap"), ("array, one by one", "a", "linear"),
            ("binary search", "e", "bsearch"), ("ordered map", "b", "map"),
            ("asking the tree", "c", "libfdt"), ("a call and one load", "soft", "load"))],
        "CPUs", ROWS, height=330)
    return chart


def boards(times):
    """Dots for each board and each look-up."""
    kinds = (("pmumap", "pmumap", ("pmumap",)), ("OpenSBI", "a", ("opensbi-scan",)),
             ("RustSBI", "b", ("rustsbi-map", "rustsbi-list")), ("call, load", "soft", ("load",)))
    trees = []
    for _, table, _ in times:
        if ("Raw", table, "pmumap") in times and not table.startswith(("raw-", "masks-")) \
                and table not in trees:
            trees.append(table)
    found = [(name, tree, label, kind, times[name, tree, impl])
             for name in ("Selector", "Counters", "Raw") for tree in trees
             for label, kind, impls in kinds for impl in impls if (name, tree, impl) in times]
    worst = {label: max(ns for *_, l, _, ns in found if l == label) for label, _, _ in kinds}
    chart = Chart(f"On real boards pmumap takes at most {worst['pmumap']:.0f} ns, OpenSBI's scan "
                  f"up to {worst['OpenSBI']:.0f} ns, RustSBI up to {worst['RustSBI']:.0f} ns")
    x_at = scale(1, 10 ** math.ceil(math.log10(max(worst.values()))), 190, WIDTH - 30)
    for name, head in (("Selector", "selector of an event"), ("Counters", "counters of an event"),
                       ("Raw", "counters of a raw event")):
        panel(chart, head, trees, [row for row in found if row[0] == name], x_at)
    for value in decades(1, 10 ** math.ceil(math.log10(max(worst.values())))):
        chart.text(x_at(value), chart.y + 6, short_time(value), "soft", "middle")
    chart.y += 16
    return chart


def panel(chart, head, trees, found, x_at):
    """A row of dots for each tree; the first row has labels."""
    top = chart.y + 32
    chart.text(20, top, head, "ink")
    labels = sorted((x_at(ns), label, kind)
                    for _, tree, label, kind, ns in found if tree == trees[0])
    at = -math.inf
    for x, label, kind in labels:
        half = LETTER * len(label) / 2
        at = max(x, at + half)
        chart.text(at, top + 20, label, kind, "middle")
        at += half + 12
    for i, tree in enumerate(trees):
        y = top + 40 + 21 * i
        chart.text(180, y + 4, tree.partition("-")[2].upper(), "ink", "end")
        chart.marks.append(f'<path class="grid line" d="M190 {y}H{WIDTH - 30}"/>')
        for _, _, label, kind, ns in [row for row in found if row[1] == tree][::-1]:
            chart.dot(x_at(ns), y, kind, f"{label}: {ns:.1f} ns")
    chart.y = top + 40 + 21 * len(trees)


SYNTHETIC = (("RISC-V, one mask", "a", "riscv-equal"),
             ("RISC-V, all masks differ", "d", "riscv-loose"),
             ("AMU, CPUs", "c", "amu-cpus"), ("AMU, views", "f", "amu-views"))


def builds(rows):
    """Time over the size of a tree."""
    sizes = {parts["tree"]: (int(parts["bytes"]), figures["ns/op"])
             for name, parts, figures in rows if name == "Build"}
    series = [(label, kind, sorted(v for k, v in sizes.items() if k.rpartition("-")[0] == tree))
              for label, kind, tree in SYNTHETIC]
    made = {tree for tree in sizes if tree.rpartition("-")[0] in [key for *_, key in SYNTHETIC]}
    real = sorted(value for tree, value in sizes.items() if tree not in made)
    last = [line[-1][1] / 1e6 for *_, line in series]
    slowest = math.ceil(max(ns for _, ns in real) / 1e5) / 10
    chart = Chart(f"Any board is read in {slowest} ms or less; 10 MB made to be slow take "
                  f"{min(last):.0f} to {max(last):.0f} ms")
    lines_panel(chart, "building a map", [("boards and catalogs", "pmumap dots", real), *series],
                "bytes of the tree", (1e3, 1e4, 1e5, 1e6, 1e7), height=330, size=short_size)
    return chart


def main():
    rows, folder = read(sys.argv[1]), Path(sys.argv[2])
    times = lookups(rows)
    charts = {"events": growth(times), "boards": boards(times), "names": names(times),
              "cpus": cpus(times), "builds": builds(rows)}
    for name, chart in charts.items():
        chart.write(folder / f"{name}.svg")


if not Path(sys.argv[1]).is_file():
    sys.exit(f"charts: no {sys.argv[1]}; make bench")
main()
