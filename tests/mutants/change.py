# SPDX-License-Identifier: BSD-2-Clause
#
# The mutants of a function, each with a name for the lists of reasons.

import re

import expression
import header

# For relations: changes that distinguish each of the three cases, and the negation. Not "^" for
# "|", which combines disjoint bits.
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

# Compiler barriers, written in assembly.
OPAQUE = {"__asm__", "PMUMAP_NO_LIBCALL_", "PMUMAP_LOADED_"}


class Mutant:
	"""Its name is unique in the function: "before => after", with a number where two are alike."""

	def __init__(self, function, at, end, new, name):
		self.function, self.name = function, name
		self.line = function.line_of(at)
		self.text = function.text[:at] + new + function.text[end:]

	def key(self):
		return (self.function.name, self.name)


def is_declaration(ts, i):
	return header.is_type(ts[i]) or (ts[i].kind == "name" and ts[i].text not in header.KEYWORDS and
				  (ts[i + 1].kind == "name" or
				   (ts[i + 1].text == "*" and ts[i + 2].kind == "name" and
				    ts[i + 3].text in "=;,")))


def statements(ts):
	"""Index pairs: the first token of each statement that ends in ";", and that semicolon."""
	i = 1
	while i < len(ts):
		text = ts[i].text
		if text in ("if", "for", "while", "switch"):
			i = header.close_of(ts, i + 1) + 1
		elif text in ("case", "default"):
			while ts[i].text != ":":
				i += 1
			i += 1
		elif text in ("{", "}", "else", "do", ";"):
			i += 1
		else:
			j = i
			while j < len(ts) and ts[j].text != ";":
				j = header.close_of(ts, j) + 1 if ts[j].text in ("(", "[", "{") else j + 1
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
			out.update(range(i, header.close_of(ts, i + 1) + 1))
	for i, j in statements(ts):
		if not is_declaration(ts, i):
			continue
		k = i
		while k < j:
			if ts[k].text == "[":
				out.update(range(k, header.close_of(ts, k) + 1))
			elif ts[k].text == "=":
				while k < j and ts[k].text != ",":
					k = header.close_of(ts, k) if ts[k].text in "([{" else k + 1
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
		return number_values(t.text)
	if t.kind == "name" and re.fullmatch(r"[A-Z][A-Z0-9_]+", t.text) and ts[i + 1].text != "(":
		return ["(%s + 1)" % t.text]
	if t.kind != "op":
		return []
	if t.text in ("++", "--"):
		return SWAPS[t.text]
	if t.text in UNARY and not (t.text == "-" and header.is_binary(ts, i)):
		return UNARY[t.text]
	if t.text in "+-*&" and not header.is_binary(ts, i):
		return []
	return SWAPS.get(t.text, [])


def conditions(ts):
	"""The index after the opening and that of the closing bracket of each condition."""
	for i, t in enumerate(ts):
		if t.text in ("if", "while"):
			yield i + 2, header.close_of(ts, i + 1)
		elif t.text == "for":
			end = header.close_of(ts, i + 1)
			semi = [k for k in range(i, end) if ts[k].text == ";"]
			if semi[1] > semi[0] + 1:
				yield semi[0] + 1, semi[1]


def number(mutants):
	"""Makes the names of all mutants of a function unique: "[1 of 2]"."""
	alike = {}
	for m in mutants:
		alike.setdefault(m.name, []).append(m)
	for group in alike.values():
		for n, m in enumerate(group, 1):
			if len(group) > 1:
				m.name += " [%d of %d]" % (n, len(group))


def plain(name):
	"""A name without its number."""
	return re.sub(r" \[\d+ of \d+\]$", "", name)


def mutants(function):
	"""All of them, in the order of the text."""
	ts = header.tokens(function.text)
	closed = opaque(ts)
	# A counting loop reaches its end exactly.
	counting = {k for i, j in conditions(ts) for k in range(i, j) if ts[i - 1].text == ";"}
	# An internal function may return 1 or 2 for yes.
	closed |= {i + 1 for i, j in statements(ts)
		   if function.name.endswith("_") and [t.text for t in ts[i:j]] == ["return", "1"]}
	x = expression.Expressions(ts)
	found = []

	def add(i, end, new, before, after):
		found.append((ts[i].at, end, new, "%s => %s" % (before, after)))

	for i in range(len(ts)):
		if i in closed:
			continue
		for new in token_mutants(ts, i):
			if not (i in counting and new == "!="):
				place = x.place(i)
				add(i, ts[i].end, new, x.show(place), x.show(place, {i: new}))
	for i, j in conditions(ts):
		old = x.show([(i, j)])
		head = ts[i - 2].text if ts[i - 1].text == "(" else "for"
		add(i, ts[j - 1].end, "!(%s)" % function.text[ts[i].at:ts[j - 1].end],
		    "%s (%s)" % (head, old), "%s !(%s)" % (head, old))
	for i, j in statements(ts):
		if ts[i].text == "return":
			old = function.text[ts[i + 1].at:ts[j].at]
			if j > i + 1:
				for new in ("0", "1"):
					if new != old:
						add(i + 1, ts[j].at, new, x.show([(i, j)]), "return " + new)
		elif i not in closed and not is_declaration(ts, i):
			add(i, ts[j].at, "", x.show([(i, j)]) + ";", ";")
	different = {}
	for m in [Mutant(function, *f) for f in sorted(found)]:
		different.setdefault(" ".join(m.text.split()), m)
	number(different.values())
	return list(different.values())
