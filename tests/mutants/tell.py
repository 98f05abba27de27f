#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# Searches for an input that distinguishes source mutants of a list (by default the "equivalent"
# ones) from the headers, for scripts/mk/mutants.mk. Each harness that reaches the mutant's line gets
# random inputs, SECONDS per mutant; DIR/tell_HARNESS runs them with both libraries. Each output
# line is a digest of all answers, images, findings and memory needs. Prints distinguished mutants with their
# input: their reason is wrong. Also prints mutants that no harness reaches: their reason is
# untested.

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

import mutants

COUNT = 200 # inputs per process


def files(paths):
	"""All that lie there, by name."""
	out = []
	for path in paths:
		for folder, _, names in os.walk(path):
			out += [os.path.join(folder, name) for name in sorted(names)]
		if os.path.isfile(path):
			out.append(path)
	return sorted(out)


class Teller:
	"""A harness: its digests without a mutant are made once for each seed."""

	def __init__(self, folder, command):
		program, *inputs = command.line.split()
		self.program = program.replace("/fuzz_", "/tell_")
		self.inputs, self.folder, self.known = files(inputs), folder, {}
		self.command = command

	def run(self, seed, preload):
		env = dict(os.environ, LD_LIBRARY_PATH=self.folder, LD_PRELOAD=preload)
		p = subprocess.run([self.program, str(seed), str(COUNT)] + self.inputs, env=env,
				   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
		return p.stdout

	def without(self, seed):
		if seed not in self.known:
			self.known[seed] = self.run(seed, "")
			if self.known[seed].count(b"\n") != COUNT:
				raise RuntimeError("without a mutant, fails: %s %d %d" % (
					self.program, seed, COUNT))
		return self.known[seed]

	def differs(self, seed, library):
		"""The number of the first input that tells, or None."""
		want, got = self.without(seed), self.run(seed, library)
		if got == want:
			return None
		lines = got.split(b"\n")[:-1]
		same = (a == b for a, b in zip(want.split(b"\n"), lines))
		return next((i for i, good in enumerate(same) if not good), len(lines))


def search(tellers, library, seconds):
	"""Who tells, or "", and how many inputs were tried."""
	tried, seed, start = 0, 0, time.monotonic()
	while time.monotonic() - start < seconds:
		seed += 1
		for t in tellers:
			i = t.differs(seed, library)
			if i is not None:
				return "%s %d, input %d" % (os.path.basename(t.program), seed, i), tried
			tried += COUNT
	return "", tried


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("--dir", required=True)
	parser.add_argument("--header", action="append")
	parser.add_argument("--reasons", default=mutants.HERE)
	parser.add_argument("--list", choices=mutants.LISTS, default=mutants.LISTS[0])
	parser.add_argument("--sample", type=int, default=40)
	parser.add_argument("--seed", default="1")
	parser.add_argument("--seconds", type=float, default=5)
	parser.add_argument("--slow", type=float, default=mutants.FOREVER)
	args = parser.parse_args()
	source = mutants.Source(args)
	why = mutants.listed(args.reasons, source.kind)
	found = {m.key(): m for m in source.found if why.get(m.key()) == args.list}
	keys = sorted(found)
	random.Random(args.seed).shuffle(keys)
	keys = keys[:args.sample or None]
	tellers = [Teller(source.tests.plain, c) for c in source.tests.commands if "/fuzz_" in c.line]
	told = unreached = inputs = 0
	with tempfile.TemporaryDirectory(dir=args.dir) as work:
		for key in keys:
			m = found[key]
			reach = source.tests.of(m.function, m.line)
			near = [t for t in tellers if t.command in reach]
			if not near:
				mutants.show("no harness reaches:", key)
				unreached += 1
				continue
			library = source.link(source.assembly(m.function, m.text), work + "/mutant.so")[0]
			by, tried = search(near, library, args.seconds)
			inputs += tried
			if by:
				mutants.show("FAIL %s, but told by %s:" % (args.list, by), key)
				told += 1
	print("%s: %d mutants, %g s each: %d told by an input, %d not by %d inputs, %d not reached" % (
		args.list, len(keys), args.seconds, told, len(keys) - told - unreached, inputs, unreached))
	print("%d passed, %d failed" % (len(keys) - told - unreached, told))
	return told != 0


if __name__ == "__main__":
	sys.exit(main())
