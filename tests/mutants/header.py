# SPDX-License-Identifier: BSD-2-Clause
#
# A header as pieces: its functions, each of which can be compiled on its own, and the text between
# them; and the mutants of a function. It relies on the layout that clang-format leaves: a function's
# braces stand alone in the first column, and nothing else does.

import re

TOKEN = re.compile(r"""
	(?P<skip>[ \t\n]+ | /\*.*?\*/ | //[^\n]* | (?m:^)[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
	| (?P<text>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
	| (?P<number>0[xX][0-9a-fA-F]+[uUlL]* | [0-9]+[uUlL]*)
	| (?P<name>[A-Za-z_][A-Za-z_0-9]*)
	| (?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
	""", re.X | re.S)

# Of relations those that tell each of the three cases apart, and the opposite. Not "^" for "|", which
# joins bits that are apart.
SWAPS = {
	"<": ["<=", "!=", ">="], "<=": ["<", "==", ">"], ">": [">=", "!=", "<="],
	">=": [">", "==", "<"], "==": ["<=", ">=", "!="], "!=": ["<", ">", "=="],
	"+": ["-"], "-": ["+"], "*": ["/", "+"], "/": ["*"], "%": ["/"],
	"&&": ["||"], "||": ["&&"], "&": ["|", "^"], "|": ["&"], "^": ["&", "|"],
	"<<": [">>"], ">>": ["<<"], "++": ["--"], "--": ["++"], "+=": ["-="], "-=": ["+="],
	"*=": ["/="], "/=": ["*="], "%=": ["/="], "&=": ["|=", "^="], "|=": ["&="],
	"^=": ["&=", "|="], "<<=": [">>="], ">>=": ["<<="],
}
UNARY = {"-": [" "], "!": [" "], "~": [" "]}

TYPES = {"void", "char", "short", "int", "long", "unsigned", "signed", "const", "volatile",
	 "static", "struct", "union", "enum", "register"}

# Barriers for the compiler, which are assembly.
OPAQUE = {"__asm__", "PMUMAP_NO_LIBCALL_", "PMUMAP_LOADED_"}


class Token:
	def __init__(self, kind, text, at):
		self.kind, self.text, self.at, self.end = kind, text, at, at + len(text)


def tokens(text):
	return [Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text)
		if m.lastgroup != "skip"]


class Function:
	"""lines[first - 1:body] is what stands before the brace; both count from 1, last is '}'"""

	def __init__(self, header, lines, first, body, last):
		self.header, self.first, self.body, self.last = header, first, body, last
		self.head = [re.sub(r"^(static inline|PMUMAP_(OUT|IN)LINE_) ", "", l)
			     for l in lines[first - 1:body - 1]]
		self.text = "".join(lines[body - 1:last])
		self.name = re.search(r"(\w+)\(", "".join(self.head)).group(1)

	def line_of(self, at):
		return self.body + self.text.count("\n", 0, at)


class Header:
	def __init__(self, path, text):
		self.path = path
		self.lines = text.splitlines(True)
		self.functions = []
		body = 0
		for number, line in enumerate(self.lines, 1):
			if line == "{\n":
				body = first = number
				while re.match(r"[A-Za-z_\t]", self.lines[first - 2]):
					first -= 1
			elif line == "}\n" and body:
				self.functions.append(Function(path, self.lines, first, body, number))
				body = 0

	def source(self, bodies):
		"""Every function external; bodies: a name to its text, None for a declaration alone.
		Lines keep their numbers where all of them have their own."""
		out = ['#line 1 "%s"\n' % self.path]
		at = 0
		for f in self.functions:
			out += [re.sub(r"^(static inline|PMUMAP_(OUT|IN)LINE_) ", "", l)
				for l in self.lines[at:f.first - 1]]
			out += f.head
			body = bodies(f)
			if body is None:
				out.append(';\n#line %d "%s"\n' % (f.last + 1, self.path))
			else:
				out += ['#line %d "%s"\n' % (f.body, self.path)] + [body]
			at = f.last
		out += [re.sub(r"^(static inline|PMUMAP_(OUT|IN)LINE_) ", "", l) for l in self.lines[at:]]
		return "".join(out)


class Mutant:
	def __init__(self, function, at, end, new, kind):
		self.function, self.kind = function, kind
		self.line = function.line_of(at)
		text = function.text
		self.text = text[:at] + new + text[end:]
		start = text.rfind("\n", 0, at) + 1
		stop = (text + "\n").find("\n", end)
		# Changes of several lines are named by the first of them.
		self.old = text[start:stop].split("\n")[0].strip()
		after = text[start:at] + new + text[end:stop]
		self.new = " ".join(after.split())
		if "\n" in text[at:end]:
			self.old = " ".join(text[start:stop].split())

	def key(self):
		return (self.function.name, self.old, self.new)


def close_of(ts, i):
	"""The index of the bracket that closes the one at i."""
	depth = 0
	for j in range(i, len(ts)):
		if ts[j].text in "([{":
			depth += 1
		elif ts[j].text in ")]}":
			depth -= 1
			if depth == 0:
				return j
	return len(ts) - 1


def is_type(t):
	return t.kind == "name" and (t.text in TYPES or t.text.endswith("_t") or
				     t.text.endswith("_fn"))


def is_cast(ts, i):
	"""The parenthesis that closes at i holds a type."""
	depth = 0
	for j in range(i, -1, -1):
		depth += (ts[j].text == ")") - (ts[j].text == "(")
		if depth == 0:
			return is_type(ts[j + 1]) and (j == 0 or ts[j - 1].text != "sizeof")
	return False


def is_binary(ts, i):
	before = ts[i - 1]
	if before.kind in ("number", "text") or before.text == "]":
		return True
	if before.text == ")":
		return not is_cast(ts, i - 1)
	if before.kind != "name" or before.text in ("return", "case", "sizeof", "else") or is_type(before):
		return False
	return not (i > 1 and ts[i - 2].text in ("struct", "union", "enum"))


def is_declaration(ts, i):
	return is_type(ts[i]) or (ts[i].kind == "name" and ts[i].text not in KEYWORDS and
				  (ts[i + 1].kind == "name" or
				   (ts[i + 1].text == "*" and ts[i + 2].kind == "name" and
				    ts[i + 3].text in "=;,")))


KEYWORDS = {"return", "break", "continue", "goto", "if", "else", "for", "while", "do", "switch",
	    "case", "default", "sizeof"}


def statements(ts):
	"""Index pairs: the first token of each statement that ends in ";", and that semicolon."""
	i = 1
	while i < len(ts):
		text = ts[i].text
		if text in ("if", "for", "while", "switch"):
			i = close_of(ts, i + 1) + 1
		elif text in ("case", "default"):
			while ts[i].text != ":":
				i += 1
			i += 1
		elif text in ("{", "}", "else", "do", ";"):
			i += 1
		else:
			j = i
			while j < len(ts) and ts[j].text != ";":
				j = close_of(ts, j) + 1 if ts[j].text in ("(", "[", "{") else j + 1
			if j < len(ts):
				yield i, j
			i = j + 1


def opaque(ts):
	"""Tokens that are no place for a mutant: assembly, types, sizes of arrays."""
	out = set()
	for i, t in enumerate(ts):
		if t.text in OPAQUE:
			j = i
			while ts[j].text != ";":
				j += 1
			out.update(range(i, j + 1))
		elif t.text == "sizeof" and ts[i + 1].text == "(":
			out.update(range(i, close_of(ts, i + 1) + 1))
	for i, j in statements(ts):
		if not is_declaration(ts, i):
			continue
		k = i
		while k < j:
			if ts[k].text == "[":
				out.update(range(k, close_of(ts, k) + 1))
			elif ts[k].text == "=":
				while k < j and ts[k].text != ",":
					k = close_of(ts, k) if ts[k].text in "([{" else k + 1
			k += 1
	return out


def number_values(text):
	digits = text.rstrip("uUlL")
	suffix = text[len(digits):]
	value = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
	form = "0x%x" if digits[:2] in ("0x", "0X") else "%d"
	return [form % v + suffix for v in sorted({value + 1, value - 1, 0} - {value}) if v >= 0]


def token_mutants(ts, i):
	t = ts[i]
	if t.kind == "number":
		return [(v, "constant") for v in number_values(t.text)]
	if t.kind == "name" and re.fullmatch(r"[A-Z][A-Z0-9_]+", t.text) and ts[i + 1].text != "(":
		return [("(%s + 1)" % t.text, "constant")]
	if t.kind != "op":
		return []
	if t.text in ("++", "--"):
		return [(n, "operator") for n in SWAPS[t.text]]
	if t.text in UNARY and not (t.text == "-" and is_binary(ts, i)):
		return [(n, "operator") for n in UNARY[t.text]]
	if t.text in "+-*&" and not is_binary(ts, i):
		return []
	return [(n, "operator") for n in SWAPS.get(t.text, [])]


def conditions(ts):
	"""The index after the opening and that of the closing bracket of each condition."""
	for i, t in enumerate(ts):
		if t.text in ("if", "while"):
			yield i + 2, close_of(ts, i + 1)
		elif t.text == "for":
			end = close_of(ts, i + 1)
			semi = [k for k in range(i, end) if ts[k].text == ";"]
			if semi[1] > semi[0] + 1:
				yield semi[0] + 1, semi[1]


def mutants(function):
	"""All of them, in the order of the text."""
	ts = tokens(function.text)
	closed = opaque(ts)
	# A loop that counts reaches its end.
	counting = {k for i, j in conditions(ts) for k in range(i, j) if ts[i - 1].text == ";"}
	# Whether an internal function says yes with 1 or with 2 is nothing that matters.
	closed |= {i + 1 for i, j in statements(ts)
		   if function.name.endswith("_") and [t.text for t in ts[i:j]] == ["return", "1"]}
	found = []
	for i in range(len(ts)):
		if i not in closed:
			found += [(ts[i].at, ts[i].end, new, kind) for new, kind in token_mutants(ts, i)
				  if not (i in counting and new == "!=")]
	for i, j in conditions(ts):
		found.append((ts[i].at, ts[j - 1].end,
			      "!(%s)" % function.text[ts[i].at:ts[j - 1].end], "condition"))
	for i, j in statements(ts):
		if ts[i].text == "return":
			old = function.text[ts[i + 1].at:ts[j].at]
			if j > i + 1:
				found += [(ts[i + 1].at, ts[j].at, n, "return")
					  for n in ("0", "1") if n != old]
		elif i not in closed and not is_declaration(ts, i):
			found.append((ts[i].at, ts[j].at, "", "statement"))
	found.sort(key=lambda m: (m[0], m[1], m[2]))
	return [Mutant(function, *m) for m in found]
