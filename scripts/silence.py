#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""silence.py FILE: copies stdin to stdout. Writes to FILE the total seconds, the longest silence in
seconds, and the line before that silence."""

import os
import sys
import time

start = last = time.monotonic()
longest, before, tail = 0, "", b""
while True:
    block = os.read(0, 65536)
    now = time.monotonic()
    if now - last > longest:
        longest, before = now - last, tail.strip().split(b"\n")[-1]
    last = now
    if not block:
        break
    tail = (tail + block)[-400:]
    sys.stdout.buffer.write(block)
    sys.stdout.buffer.flush()
before = before.decode(errors="replace") if before else "nothing"
with open(sys.argv[1], "w", encoding="utf-8") as file:
    print(f"{last - start:.0f} {longest:.1f} {before}", file=file)
