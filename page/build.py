#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: build.py VERSION PACKED-TOOL TO TITLE=SAMPLE.dtb...

Puts the page together: the files of this folder, the tool (packed by deflate), and the samples.
The policy of the page lets it run its own script and nothing else, and reach no network. The thread
that the tool runs in inherits it.
"""
import base64
import hashlib
import re
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


def data_block(name, packed, title=""):
    sample = f' data-sample="{title}"' if title else ""
    text = base64.b64encode(packed).decode()
    return f'<script type="application/octet-stream" id="{name}"{sample}>{text}</script>'


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
    parts = {"policy": policy, "style": style, "script": script, "version": version,
             "data": "\n".join(blocks)}
    page = re.sub(r"@(\w+)@", lambda mark: parts[mark[1]], (HERE / "index.html").read_text())
    Path(to).write_text(page)


main()
