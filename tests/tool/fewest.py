# SPDX-License-Identifier: BSD-2-Clause
#
# fewest.py: of sets of raw events below 32, pmumap write finds as few disjoint rows as there are: all
# rows within a set are tried, for the lowest event that is left, until none is. Of larger sets it finds
# no more than cutting them in halves does, by whatever bit is best.
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


@functools.lru_cache(None)
def halves(events, bits):
    """The fewest rows that come from cuts by bits; bits: those that are not cut yet."""
    if not events:
        return 0
    select = min(events)
    if len(events) == 1 << bin(bits).count("1") and not is_wide(select, bits):
        return 1
    best = len(events)
    for bit in (1 << i for i in range(8)):
        if bits & bit:
            one = frozenset(event for event in events if event & bit)
            best = min(best, halves(one, bits & ~bit) + halves(events - one, bits & ~bit))
    return best


def rows_of(events):
    table = "".join("raw:%#x - 3\n" % event for event in events)
    run = subprocess.run(["pmumap", "write", "-"], input=table, capture_output=True, text=True, check=True)
    return run.stdout.count("\t\t\t<")


random.seed(2026)
# Three rows that no cut leaves whole; then random ones.
sets = [frozenset((1, 2, 3, 4, 5, 6)), frozenset((1, 2, 3, 4, 5, 6, 17, 18, 19, 20, 21, 22, 8))]
sets += [frozenset(random.sample(range(LIMIT), random.randint(1, 14))) for _ in range(60)]
for events in sets:
    assert rows_of(events) == fewest(events), (sorted(events), rows_of(events), fewest(events))
for _ in range(6):
    events = frozenset(random.sample(range(128), 90))
    assert rows_of(events) <= halves(events, 127), (sorted(events), rows_of(events), halves(events, 127))
