# SPDX-License-Identifier: BSD-2-Clause
#
# Splits a header into functions, each of which can be compiled alone, and the text between them;
# and a function into tokens. Relies on clang-format's layout: only a function's braces are alone in
# the first column.

import re

TOKEN = re.compile(r"""
	(?P<skip>[ \t\n]+ | /\*.*?\*/ | //[^\n]* | (?m:^)[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)
	| (?P<text>"(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*')
	| (?P<number>0[xX][0-9a-fA-F]+[uUlL]* | [0-9]+[uUlL]*)
	| (?P<name>[A-Za-z_][A-Za-z_0-9]*)
	| (?P<op><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
	""", re.X | re.S)

TYPES = {"void", "char", "short", "int", "long", "unsigned", "signed", "const", "volatile",
	 "static", "struct", "union", "enum", "register"}
# Keywords that make a function local to its header.
LOCAL = re.compile(r"^(static inline|PMUMAP_(OUTLINE|(ALWAYS_)?INLINE)_) ")
KEYWORDS = {"return", "break", "continue", "goto", "if", "else", "for", "while", "do", "switch",
	    "case", "default", "sizeof"}


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
		self.head = [LOCAL.sub("", l) for l in lines[first - 1:body - 1]]
		self.text = "".join(lines[body - 1:last])
		self.name = re.search(r"(\w+)\(", "".join(self.head)).group(1)

	def line_of(self, at):
		return self.body + self.text.count("\n", 0, at)

	def at(self, line, column):
		"""The index in its text; line and column count from 1."""
		return sum(map(len, self.text.splitlines(True)[:line - self.body])) + column - 1


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
			out += [LOCAL.sub("", l) for l in self.lines[at:f.first - 1]]
			out += f.head
			body = bodies(f)
			if body is None:
				out.append(';\n#line %d "%s"\n' % (f.last + 1, self.path))
			else:
				out += ['#line %d "%s"\n' % (f.body, self.path)] + [body]
			at = f.last
		out += [LOCAL.sub("", l) for l in self.lines[at:]]
		return "".join(out)


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
