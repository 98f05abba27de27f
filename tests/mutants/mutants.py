#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
#
# Runs the tests on mutants of the headers, for scripts/mk/mutants.mk.
#
#   unit      writes all functions to one file
#   measure   measures coverage and time of each command in DIR/commands
#   reasons   checks that each mutant named in tests/mutants/*.txt exists exactly once
#   source    changes one token of a function, compiles it alone, and loads it before DIR/fast
#   asm       makes a conditional branch of DIR/lib jump always or never, by patching its bytes
#
# A mutant is invalid (does not compile), identical (to the function or another mutant), killed,
# equivalent or acceptable (KIND-equivalent.txt says why no program can notice it,
# KIND-acceptable.txt why no test should), or it survives. Commands that reach its line run on it
# until one fails or takes three times its time. Fast commands go first, and those that killed other
# mutants, above all of the same function. A survivor runs once more with DIR/san, a library under
# AddressSanitizer, which notices accesses outside of a block. DIR/results-KIND keeps results, so an
# interrupted run can continue; survivors are judged again when a test changes.

import argparse
import bisect
import gzip
import hashlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import change
import expression
import header

HERE = os.path.dirname(os.path.abspath(__file__))
CC = ["gcc", "-std=c11", "-I."]
START = 0.02 # seconds to start a process
FOREVER = 1e9
COMPILE = CC + ["-O2", "-fPIC", "-Werror=int-conversion", "-Werror=incompatible-pointer-types",
		"-S", "-x", "c", "-", "-o", "-"]
SANITIZE = ["-fsanitize=address,undefined,bounds-strict", "-fsanitize-undefined-trap-on-error"]
UNIT = "#define PMUMAP_IMPLEMENTATION\n"
LISTS = ["equivalent", "acceptable"]


def digest(*parts):
	return hashlib.sha1("\0".join(parts).encode()).hexdigest()


def read(path):
	with open(path) as f:
		return f.read()


def headers(args):
	"""What several headers share is taken from the first of them; lines keep their numbers."""
	seen = set()

	def once(match):
		again = match[1] in seen
		seen.add(match[1])
		return "\n" * match[0].count("\n") if again else match[0]

	shared = re.compile(r"^#ifndef (PMUMAP_HAS_\w+_)\n.*?^#endif /\* \1 \*/\n", re.M | re.S)
	return [header.Header(path, shared.sub(once, read(path))) for path in args.header]


# ---- commands


class Command:
	def __init__(self, line, seconds=0.0, lines=None):
		self.line, self.seconds = line, seconds
		self.lines = {path: set(n) for path, n in (lines or {}).items()}

	def run(self, folder, cpu=None, preload=(), extra=None, memory=4 << 30):
		"""Whether it is content, and its seconds of CPU time."""
		env = dict(os.environ, PMUMAP_QUICK="1", LD_LIBRARY_PATH=folder,
			   LD_PRELOAD=":".join(preload), **(extra or {}))

		def limits():
			resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
			resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
			resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
			if cpu:
				signal.setitimer(signal.ITIMER_PROF, cpu)

		p = subprocess.Popen(self.line.split(), env=env, preexec_fn=limits,
				     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
				     stderr=subprocess.DEVNULL, start_new_session=True)
		_, status, usage = os.wait4(p.pid, 0)
		p.returncode = status
		return status == 0, usage.ru_utime + usage.ru_stime


def reached(folder):
	"""Per file the lines that have code, and those of them that ran, from gcov."""
	subprocess.run(["gcov", "--json-format", "libpmumap.so-unit.gcda"], cwd=folder, check=True,
		       stdout=subprocess.DEVNULL)
	known, ran = {}, {}
	for name in os.listdir(folder):
		if not name.endswith(".gcov.json.gz"):
			continue
		with gzip.open(os.path.join(folder, name)) as f:
			for file in json.load(f)["files"]:
				for line in file["lines"]:
					number = line["line_number"]
					known.setdefault(file["file"], set()).add(number)
					if line["count"]:
						ran.setdefault(file["file"], set()).add(number)
	return known, ran


def measure_one(job):
	folder, line = job
	c = Command(line)
	cov = os.path.join(folder, "cov")
	own = os.path.join(folder, "reach", digest(line))
	shutil.rmtree(own, ignore_errors=True)
	os.makedirs(own)
	good, seconds = c.run(cov, extra={"GCOV_PREFIX": own, "GCOV_PREFIX_STRIP": "99"})
	if not good:
		return line, None
	shutil.copy(os.path.join(cov, "libpmumap.so-unit.gcno"), own)
	known, ran = reached(own)
	return line, {"line": line, "seconds": seconds,
		      "lines": {path: sorted(n) for path, n in ran.items()},
		      "known": {path: sorted(n) for path, n in known.items()}}


def measure(args):
	lines = read(args.dir + "/commands").splitlines()
	with multiprocessing.Pool(args.jobs) as pool:
		results = pool.map(measure_one, [(args.dir, line) for line in lines], 1)
	bad = [line for line, result in results if not result]
	if bad:
		sys.exit("without a mutant, fails: " + "; ".join(bad))
	known = {}
	for _, result in results:
		for path, numbers in result.pop("known").items():
			known[path] = sorted(set(known.get(path, [])) | set(numbers))
	with open(args.dir + "/tests.json", "w") as f:
		json.dump({"commands": [r for _, r in results], "known": known,
			   "stamp": stamp(lines)}, f)


def stamp(lines):
	"""Changes when a program or its inputs do."""
	h = hashlib.sha1()
	for line in lines:
		for path in line.split():
			files = [path]
			if os.path.isdir(path):
				files = sorted(os.path.join(path, n) for n in os.listdir(path))
			for name in files:
				with open(name, "rb") as f:
					h.update(f.read())
	return h.hexdigest()


class Tests:
	def __init__(self, folder, library, slow):
		data = json.loads(read(folder + "/tests.json"))
		self.known = {path: set(n) for path, n in data["known"].items()}
		self.commands = [Command(**c) for c in data["commands"]]
		self.stamp = data["stamp"]
		if self.stamp != stamp([c.line for c in self.commands]):
			sys.exit("the tests have changed: measure them again")
		self.screen = slow < FOREVER
		self.stamp += ":%g" % slow
		self.commands = sorted((c for c in self.commands if c.seconds <= slow),
				       key=lambda c: c.seconds)
		self.tries, self.sum = {}, {}
		self.plain, self.checked = folder + "/" + library, folder + "/san"
		self.sound, self.sane = set(), {}
		self.runtime = os.path.realpath(subprocess.run(
			["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True,
			text=True).stdout.strip())

	def of(self, function, line):
		"""Those that reach the line; of one without code, the nearest ones that have it."""
		known = self.known.get(function.header, set())
		if line in known:
			near = {line}
		else:
			own = [n for n in known if function.body <= n <= function.last]
			near = {max((n for n in own if n < line), default=0),
				min((n for n in own if n > line), default=0)}
		return [c for c in self.commands if near & c.lines.get(function.header, set())]

	def sanitized(self, c, folder, preload=()):
		"""Whether a command is content with a library that is checked while it runs."""
		options = "detect_leaks=0:detect_odr_violation=0:allocator_may_return_null=1"
		return c.run(folder, 20 * c.seconds + 5, (self.runtime,) + preload,
			     {"ASAN_OPTIONS": options}, resource.RLIM_INFINITY)[0]

	def judge_again(self, m, folder, preload=()):
		"""Likewise, of one that has survived; without commands that take too long so."""
		if self.screen:
			return "survived", ""
		for c in self.of(m.function, m.line):
			if self.sanitized(c, folder, preload):
				continue
			if c.line not in self.sane:
				self.sane[c.line] = self.sanitized(c, self.checked)
			if self.sane[c.line]:
				return "killed", c.line.split()[0] + " under ASan"
		return "survived", ""

	def tried(self, function, line, good):
		"""What is known of a command, of a function's mutants and of all."""
		for tries in self.tries.setdefault(function.name, {}), self.sum:
			n, kills = tries.get(line, (0, 0))
			tries[line] = n + 1, kills + (not good)

	def judge(self, m, folder, preload=()):
		"""Who killed it."""
		tries = self.tries.setdefault(m.function.name, {})

		def promise(c):
			n, kills = self.sum.get(c.line, (0, 0))
			share = (kills + 1) / (n + 2)
			n, kills = tries.get(c.line, (0, 0))
			return -(kills + share) / (n + 1) / (c.seconds + START)

		for c in sorted(self.of(m.function, m.line), key=promise):
			good, _ = c.run(folder, 3 * c.seconds + 0.5, preload)
			self.tried(m.function, c.line, good)
			if not good and c.line not in self.sound:
				if not c.run(self.plain)[0]:
					raise RuntimeError("without a mutant, fails: " + c.line)
				self.sound.add(c.line)
			if not good:
				return "killed", c.line.split()[0]
		return "survived", ""


# ---- explanations


def explanations(path):
	"""Yields function and mutant. A list has functions, below them reasons (one tab), then mutants."""
	stack, seen = [], set()
	for number, line in enumerate(read(path).splitlines() if os.path.exists(path) else [], 1):
		text = line.lstrip("\t")
		if not text or text.startswith("#"):
			continue
		depth = len(line) - len(text)
		key = (depth, stack[0] if depth and stack else "", text)
		if depth > min(len(stack), 2) or key in seen:
			sys.exit("%s:%d: repeated or out of place: %s" % (path, number, text))
		seen.add(key)
		stack = stack[:depth] + [text]
		if depth == 2:
			yield stack[0], text


def listed(folder, kind):
	"""Maps each mutant that has a reason to its list."""
	out = {}
	for name in LISTS:
		for key in explanations("%s/%s-%s.txt" % (folder, kind, name)):
			if key in out:
				sys.exit("in both lists: %s\n\t\t%s" % key)
			out[key] = name
	return out


def show(what, key):
	"""Prints a mutant the way a list names it, except for its reason."""
	print("%s\n%s\n\t\t%s" % ((what,) + key))


def misfit(name, key, found):
	"""Reports a reason that names no mutant, or names it by a wrong number."""
	alike = ["line %d" % m.line for m in found if m.function.name == key[0] and
		 change.plain(m.name) == change.plain(key[1])]
	show("FAIL %s, but %s:" % (name, "its name fits " + ", ".join(alike) if alike else
				   "there is no such mutant"), key)


# ---- a mutant of either kind: key(), its hash, and judge(), in a worker


class Source:
	kind = "source"

	def __init__(self, args):
		self.args = args
		self.headers = headers(args)
		self.tests = Tests(args.dir, "fast", args.slow)
		self.original = {}
		self.found = []
		for h in self.headers:
			active = self.active(h)
			for f in h.functions:
				for m in change.mutants(f):
					if m.line in active:
						m.hash = digest(f.name, "".join(f.head), m.text)
						self.found.append(m)

	def active(self, h):
		"""The lines that are left for this machine."""
		p = subprocess.run(CC + ["-E", "-fdirectives-only", "-x", "c", "-"],
				   input=self.unit(h, lambda f: f.text),
				   capture_output=True, text=True, check=True)
		lines, number, path = set(), 0, ""
		for line in p.stdout.splitlines():
			m = re.match(r'# (\d+) "(.*?)"', line)
			if m:
				number, path = int(m.group(1)), m.group(2)
				continue
			if path == h.path and line.strip():
				lines.add(number)
			number += 1
		return lines

	def unit(self, h, bodies):
		"""A header, behind those that may hold its shared parts."""
		before = self.headers[:self.headers.index(h)]
		return UNIT + "".join(b.source(lambda f: None) for b in before) + h.source(bodies)

	def assembly(self, function, text, options=()):
		h = next(h for h in self.headers if h.path == function.header)
		p = subprocess.run(COMPILE + list(options), capture_output=True, text=True,
				   input=self.unit(h, lambda f: text if f is function else None))
		return p.stdout if p.returncode == 0 else None

	def link(self, code, path):
		subprocess.run(["as", "-", "-o", path + ".o"], input=code, text=True, check=True)
		subprocess.run(["ld", "-shared", path + ".o", "-o", path], check=True)
		return (path,)

	def judge(self, m, work):
		f = m.function
		if f.name not in self.original:
			self.original[f.name] = self.assembly(f, f.text)
		code = self.assembly(f, m.text)
		if code is None:
			return "invalid", ""
		if code == self.original[f.name]:
			return "identical", ""
		state, by = self.tests.judge(m, self.tests.plain,
					     self.link(code, work + "/mutant.so"))
		if state != "survived":
			return state, by
		return self.tests.judge_again(m, self.tests.checked, self.link(
			self.assembly(f, m.text, SANITIZE), work + "/checked.so"))


class Library:
	"""A library's conditional jumps: function, line, column, place in the file, bytes."""

	def __init__(self, folder, functions):
		self.path = folder + "/libpmumap.so"
		with open(self.path, "rb") as f:
			self.bytes = f.read()
		self.functions = functions
		rows, shift = sorted(self.rows(), key=lambda row: row[0]), self.offset()
		self.branches = []
		for name, at, code in self.jumps():
			row = rows[bisect.bisect_right(rows, at, key=lambda row: row[0]) - 1]
			self.branches.append((name,) + row[1:] + (at + shift, code))

	def rows(self):
		"""The line table: addresses, with the line and column that begins there."""
		out = subprocess.run(["readelf", "--debug-dump=rawline", self.path], check=True,
				     capture_output=True, text=True).stdout
		address, line, column = 0, 1, 0
		for text in out.splitlines():
			m = re.search(r"Set column to (\d+)", text)
			column = int(m.group(1)) if m else column
			m = re.search(r"(?:Address|PC).* to 0x(\w+)", text)
			address = int(m.group(1), 16) if m else address
			m = re.search(r"Line by -?\d+ to (\d+)", text)
			line = int(m.group(1)) if m else line
			if re.search(r"\]  (Special opcode|Copy)", text):
				yield address, line, column
			elif "End of Sequence" in text:
				line, column = 1, 0

	def offset(self):
		"""From an address of .text to the file."""
		out = subprocess.run(["objdump", "-h", "-j", ".text", self.path], check=True,
				     capture_output=True, text=True).stdout
		m = re.search(r"\.text\s+\w+\s+(\w+)\s+\w+\s+(\w+)", out)
		return int(m.group(2), 16) - int(m.group(1), 16)

	def jumps(self):
		"""Function, address and bytes of each."""
		out = subprocess.run(["objdump", "-d", "-w", self.path], check=True,
				     capture_output=True, text=True).stdout
		function = None
		for line in out.splitlines():
			m = re.match(r"[0-9a-f]+ <(\w+)>:", line)
			if m:
				function = m.group(1)
				continue
			m = re.match(r" *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t(j\w+)", line)
			if m and m.group(3) != "jmp" and function in self.functions:
				yield function, int(m.group(1), 16), bytes.fromhex(m.group(2))

	def write(self, at, code, folder):
		"""A copy with these bytes."""
		data = bytearray(self.bytes)
		data[at:at + len(code)] = code
		os.makedirs(folder, exist_ok=True)
		with open(folder + "/libpmumap.so", "wb") as f:
			f.write(data)


def decided(code, always):
	"""A jump that always or never jumps; and its condition."""
	if len(code) == 2 and 0x70 <= code[0] <= 0x7f:
		return b"\xeb" + code[1:] if always else b"\x90" * 2, code[0] & 15
	if len(code) == 6 and code[0] == 0x0f and 0x80 <= code[1] <= 0x8f:
		return b"\x90\xe9" + code[2:] if always else b"\x90" * 6, code[1] & 15
	sys.exit("unknown jump: " + code.hex())


class Branch:
	"""A jump of both libraries, by its number."""

	def __init__(self, function, line, number, always, place):
		self.function, self.line, self.number, self.always = function, line, number, always
		self.name = "%s => %s" % (place, "always" if always else "never")

	def key(self):
		return (self.function.name, self.name)


def branches(library):
	"""All jumps, each that always and that never jumps; and how many stand outside their function."""
	of, lost = {}, 0
	for number, (name, line, column, _, _) in enumerate(library.branches):
		of.setdefault(name, []).append((number, line, column))
	out = []
	for name, jumps in of.items():
		function = library.functions[name]
		x = expression.Expressions(header.tokens(function.text))
		own = []
		for nth, (number, line, column) in enumerate(jumps):
			i = x.at(function.at(line, column))
			if i is None:
				print("FAIL %s jumps at line %d, column %d, which is not in its text" %
				      (name, line, column))
				lost += 1
				continue
			place = x.show(x.place(i))
			for always in (True, False):
				b = Branch(function, line, number, always, place)
				b.hash = digest(name, function.text, str(nth), b.name)
				own.append(b)
		change.number(own)
		out += own
	return out, lost


class Asm:
	kind = "asm"

	def __init__(self, args):
		self.args = args
		self.tests = Tests(args.dir, "lib", args.slow)
		functions = {f.name: f for h in headers(args) for f in h.functions}
		self.plain = Library(self.tests.plain, functions)
		self.checked = Library(self.tests.checked, functions)
		if [b[:3] for b in self.plain.branches] != [b[:3] for b in self.checked.branches]:
			sys.exit("the libraries have not the same jumps")
		self.found, lost = branches(self.plain)
		if lost:
			sys.exit("%d jumps are not in the text of their functions" % lost)

	def judge(self, m, work):
		*_, at, code = self.plain.branches[m.number]
		code, condition = decided(code, m.always)
		self.plain.write(at, code, work)
		state, by = self.tests.judge(m, work)
		if state != "survived":
			return state, by
		*_, at, code = self.checked.branches[m.number]
		if decided(code, m.always)[1] == condition:
			code = decided(code, m.always)[0]
		else: # the negated condition
			code = decided(code, not m.always)[0]
		self.checked.write(at, code, work + "/san")
		return self.tests.judge_again(m, work + "/san")


# ---- all of them


WORK = {}


def work_start(kind):
	WORK["kind"] = kind
	WORK["dir"] = tempfile.mkdtemp(dir=kind.args.work)


def work_one(i):
	return (i,) + WORK["kind"].judge(WORK["kind"].found[i], WORK["dir"])


class Results:
	"""What earlier runs have found, by hash."""

	def __init__(self, path, fresh, stamp):
		self.known, self.stamp = {}, stamp
		if os.path.exists(path) and not fresh:
			for line in read(path).splitlines():
				key, state, by = line.split("\t")
				if state != "survived" or by == stamp:
					self.known[key] = (state, by)
				else:
					self.known.pop(key, None)
		self.file = open(path, "w" if fresh else "a", buffering=1)

	def add(self, key, state, by):
		self.known[key] = (state, by)
		self.file.write("%s\t%s\t%s\n" % (key, state, self.stamp if state == "survived" else by))


def chosen(found, args):
	"""Of all, or the first of an order that depends on the mutant alone."""
	if args.only:
		found = [m for m in found if re.fullmatch(args.only, m.function.name)]
	if not args.sample:
		return found
	found = sorted(found, key=lambda m: digest(args.seed, m.hash))
	return found[:args.sample]


def judge_all(kind, args, results, why):
	"""In a sample the reasons are believed."""
	kind.found = chosen(kind.found, args)
	todo = [i for i, m in enumerate(kind.found)
		if m.hash not in results.known and not (args.sample and m.key() in why)]
	line = {c.line.split()[0]: c.line for c in kind.tests.commands}
	for m in kind.found:
		_, by = results.known.get(m.hash, ("", ""))
		if by in line:
			kind.tests.tried(m.function, line[by], False)
	started = time.monotonic()
	with tempfile.TemporaryDirectory(dir=args.dir) as args.work, \
	     multiprocessing.Pool(args.jobs, work_start, (kind,)) as pool:
		for n, (i, state, by) in enumerate(pool.imap_unordered(work_one, todo), 1):
			results.add(kind.found[i].hash, state, by)
			if n % 500 == 0:
				print("%d of %d, %d per minute" % (
					n, len(todo), 60 * n / (time.monotonic() - started)),
				      flush=True)
	return len(todo), time.monotonic() - started


def settle(kind, results, why, count):
	"""Counts every mutant, and prints who survives; returns what is wrong with the reasons."""
	used = set()
	wrong = 0
	for m in kind.found:
		state, by = results.known.get(m.hash, ("survived", ""))
		if m.key() in why:
			used.add(m.key())
			if state == "killed":
				show("FAIL %s, but %s sees it:" % (why[m.key()], by), m.key())
				wrong += 1
			elif state == "survived":
				state = why[m.key()]
		if state == "survived":
			show("survived: line %d" % m.line, m.key())
		count[state] += 1
	if not kind.args.sample and not kind.args.only:
		for key in sorted(set(why) - used):
			misfit(why[key], key, kind.found)
			wrong += 1
	return wrong


def judge(kind, args):
	"""How many are killed or have a reason, and how many failures there are."""
	results = Results("%s/results-%s" % (args.dir, kind.kind), args.fresh, kind.tests.stamp)
	why = listed(args.reasons, kind.kind)
	done, seconds = judge_all(kind, args, results, why)
	count = dict.fromkeys(["invalid", "identical", "killed"] + LISTS + ["survived"], 0)
	wrong = settle(kind, results, why, count)
	rest = count["killed"] + count["survived"]
	share = 100 * count["killed"] / rest if rest else 0
	print("%s: %d mutants: " % (kind.kind, len(kind.found)) +
	      ", ".join("%d %s" % (n, state) for state, n in count.items()) +
	      "; %.2f %% killed of %d; %d judged in %d s" % (share, rest, done, seconds))
	if share < args.least:
		print("FAIL fewer than %g %% of %s mutants killed" % (args.least, kind.kind))
		wrong += 1
	return count["killed"] + sum(count[name] for name in LISTS), wrong


def unit(args):
	every = headers(args)
	with open(args.dir + "/unit.c", "w") as f:
		f.write(UNIT + "".join(h.source(lambda f: f.text) for h in every))


def reasons(args):
	"""Checks that each jump has a name, and each reason names one mutant; counts."""
	functions = {f.name: f for h in headers(args) for f in h.functions}
	jumps, bad = branches(Library(args.dir + "/lib", functions))
	every = {"source": [m for f in functions.values() for m in change.mutants(f)], "asm": jumps}
	good = 0
	for kind, found in every.items():
		keys = {m.key() for m in found}
		for key, name in listed(args.reasons, kind).items():
			good += key in keys
			if key not in keys:
				misfit(name, key, found)
				bad += 1
	return good, bad


def main():
	parser = argparse.ArgumentParser()
	parser.add_argument("what", nargs="+", choices=["unit", "measure", "reasons", "source", "asm"])
	parser.add_argument("--dir", required=True)
	parser.add_argument("--header", action="append")
	parser.add_argument("--reasons", default=HERE)
	parser.add_argument("--jobs", type=int, default=2)
	parser.add_argument("--sample", type=int, default=0)
	parser.add_argument("--seed", default="1")
	parser.add_argument("--only", default="")
	parser.add_argument("--least", type=float, default=95)
	parser.add_argument("--slow", type=float, default=FOREVER)
	parser.add_argument("--fresh", action="store_true")
	args = parser.parse_args()
	os.makedirs(args.dir, exist_ok=True)
	passed = failed = 0
	for what in args.what:
		if what in ("unit", "measure"):
			globals()[what](args)
			continue
		if what == "reasons":
			good, bad = reasons(args)
		else:
			good, bad = judge({"source": Source, "asm": Asm}[what](args), args)
		passed += good
		failed += bad
	if passed or failed:
		print("%d passed, %d failed" % (passed, failed))
	return failed != 0


if __name__ == "__main__":
	sys.exit(main())
