#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: build.py VERSION PACKED-TOOL TO TITLE=SAMPLE.dtb...

Puts the page together: the files of this folder, the tool (packed by deflate), and the samples.
The policy of the page lets it run its own script and nothing else, and reach no network. The thread
that the tool runs in inherits it.
"""
import base64
import hashlib
import html
import re
import struct
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).parent


def deflate(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def compact(script):
    """Without the lines that are only a comment, and without indentation."""
    lines = (line.strip() for line in script.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def code(*names):
    return "'use strict';\n" + compact("".join((HERE / name).read_text() for name in names))


def letters(data):
    """Five letters for four bytes, all from # to x but <, so that no end of a script is among them."""
    data += bytes(-len(data) % 4)
    out = []
    for number, in struct.iter_unpack(">I", data):
        digits = [number // 85 ** power % 85 for power in (4, 3, 2, 1, 0)]
        out += (chr(35 + d + (d > 24)) for d in digits)
    return "".join(out)


def boards():
    """The first paragraph and the table of doc/boards.md, without links."""
    page = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", (HERE.parent.parent / "doc/boards.md").read_text())
    about = html.escape(page.split("\n\n")[1].replace("`", ""))
    table = page.split("<!-- boards begin -->")[1].split("<!-- boards end -->")[0].strip()
    rows = [row.strip("| ").split("|") for row in table.splitlines()]
    lines = [[html.escape(cell.strip()) for cell in row] for row in rows]
    del lines[1]  # the rule below the heads
    cells = ["<tr>" + "".join(f"<{kind}>{cell}" for cell in line) for kind, line in
             zip(["th"] + ["td"] * len(lines), lines)]
    return about, "\n".join(cells)


def data_block(name, packed, title=""):
    sample = f' data-sample="{title}"' if title else ""
    text = letters(packed)
    return f'<script type="application/octet-stream" id="{name}" data-bytes="{len(packed)}"{sample}>{text}</script>'


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def main():
    version, tool, to, *samples = sys.argv[1:]
    style = (HERE / "style.css").read_text()
    script = code("page.js")
    blocks = [f'<script type="text/plain" id="worker">{code("wasi.js", "worker.js")}</script>',
              data_block("tool", Path(tool).read_bytes())]
    for sample in samples:
        title, path = sample.split("=")
        blocks.append(data_block(Path(path).name, deflate(Path(path).read_bytes()), title))
    policy = (f"default-src 'none'; script-src {digest(script)} 'wasm-unsafe-eval'; "
              f"worker-src blob:; style-src {digest(style)}; img-src data:; base-uri 'none'; form-action 'none'")
    about, table = boards()
    parts = {"policy": policy, "style": style, "script": script, "version": version,
             "about": about, "boards": table, "data": "\n".join(blocks)}
    page = re.sub(r"@(\w+)@", lambda mark: parts[mark[1]], (HERE / "index.html").read_text())
    Path(to).write_text(page)


main()
