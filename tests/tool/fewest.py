# SPDX-License-Identifier: BSD-2-Clause
#
# fewest.py: of sets of raw events below 32, pmumap write finds as few disjoint rows as there are. All
# rows within a set are tried, for the lowest event that is left, until none is.
import functools
import random
import subprocess

LIMIT = 32


def is_wide(select, free):
    """Whether pmumap check would find raw-wide: free bits on both sides of one that is set."""
    low = free & -free
    above = select & ~(2 * low - 1)
    return bool(free) and bool(above) and free > (above & -above)


def fewest(events):
    rows = []
    for free in range(LIMIT):
        for select in events:
            row = frozenset(select | bits for bits in range(LIMIT) if not bits & ~free)
            if not select & free and row <= events and not is_wide(select, free):
                rows.append(row)

    @functools.lru_cache(None)
    def cover(left):
        lowest = min(left, default=None)
        if lowest is None:
            return 0
        return 1 + min(cover(left - row) for row in rows if lowest in row and row <= left)

    return cover(events)


random.seed(2026)
for case in range(60):
    events = frozenset(random.sample(range(LIMIT), random.randint(1, 14)))
    table = "".join("raw:%#x - 3\n" % event for event in events)
    text = subprocess.run(["pmumap", "write", "-"], input=table, capture_output=True, text=True, check=True).stdout
    got = text.count("\t\t\t<")
    assert got == fewest(events), (sorted(events), got, fewest(events))
