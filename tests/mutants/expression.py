# SPDX-License-Identifier: BSD-2-Clause
#
# Names for places in a function: the smallest expression, without types, arguments, indexes, and
# the pointers before a member. "m->rows[i].event" becomes "event", "(uint32_t)f(a, b)" becomes
# "f()". A name survives new line breaks, changes around the expression, and most renames.

from header import KEYWORDS, is_binary, is_cast

WORDS = KEYWORDS - {"sizeof"}
LEVELS = [["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="], ["?", ":"], ["||"],
	  ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"],
	  ["*", "/", "%"]]
LEVEL = {op: level for level, ops in enumerate(LEVELS) for op in ops}
TERNARY = LEVEL["?"]
PREFIX = {"!", "~", "-", "+", "*", "&", "++", "--"}
HEADS = {"if", "for", "while", "switch"}
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Expressions:
	"""Of a list of tokens, where i is always an index. A range is (first, end), without the end."""

	def __init__(self, ts):
		self.ts = ts
		self.other = {} # bracket
		opened = []
		for i, t in enumerate(ts):
			if t.text in CLOSING:
				opened.append(i)
			elif t.text in CLOSING.values():
				self.other[i] = opened.pop()
				self.other[self.other[i]] = i

	def at(self, place):
		"""The token that begins at this character; None: there is no such token."""
		return next((i for i, t in enumerate(self.ts) if t.at == place), None)

	def text(self, i):
		return self.ts[i].text

	def level(self, i):
		"""How tightly a binary or ternary operator binds; None for any other token."""
		text = self.text(i)
		if self.ts[i].kind != "op" or (text in PREFIX and not is_binary(self.ts, i)):
			return None
		return LEVEL.get(text)

	def is_prefix(self, i):
		return self.text(i) in PREFIX and self.level(i) is None

	def is_cast(self, i):
		"""Whether a cast begins at i."""
		return self.text(i) == "(" and is_cast(self.ts, self.other[i])

	def ends_operand(self, i):
		return self.text(i) in (")", "]") or (self.ts[i].kind == "name" and self.text(i) not in WORDS)

	def behind(self, i):
		"""The index after a token, or after what a bracket encloses."""
		return self.other[i] + 1 if self.text(i) in CLOSING else i + 1

	def left(self, i, level):
		"""Where the operand begins that ends before i."""
		while True:
			k = i - 1
			at = self.level(k)
			if self.text(k) in (")", "]"):
				k = self.other[k]
				if self.text(k - 1) in HEADS:
					return i
			elif self.text(k) in "{}([,;" or self.text(k) in WORDS or (
					at is not None and at <= max(level, TERNARY)):
				return i
			i = k

	def right(self, i, level):
		"""Where the operand ends that begins at i."""
		while True:
			at = self.level(i)
			if (at is not None and at <= level) or self.text(i) in ",;)]}":
				return i
			i = self.behind(i)

	def binary(self, i):
		"""The range of an operator and its operands."""
		return self.left(i, self.level(i)), self.right(i + 1, self.level(i))

	def unary(self, i):
		"""The range of a name, a number or a bracket with its own prefixes and suffixes."""
		first = end = i
		while self.is_prefix(end) or self.is_cast(end):
			end = self.behind(end)
		end = self.behind(end)
		while self.text(end) in ("->", ".", "(", "[", "++", "--"):
			end = self.behind(end + (self.text(end) in ("->", ".")))
		while self.text(first - 1) in ("->", "."):
			first -= 2
			while self.text(first) in (")", "]"):
				first = self.other[first]
				first -= self.ends_operand(first - 1)
		while True:
			if self.is_prefix(first - 1):
				first -= 1
			elif self.text(first - 1) == ")" and self.is_cast(self.other[first - 1]):
				first = self.other[first - 1]
			else:
				return first, end

	def around(self, i):
		"""The pieces of the smallest expression around an operand: ranges, and text between them."""
		first, end = self.unary(i)
		before = self.text(first - 1)
		operators = [k for k in (first - 1, end) if self.level(k) not in (None, TERNARY)]
		if operators:
			return [self.binary(max(operators, key=self.level))]
		if self.text(end) == "?":
			return [(first, end), " ? .. : .."]
		if before == "?":
			return [(self.left(first - 1, TERNARY), first - 1), " ? ", (first, end), " : .."]
		question = self.question(first - 1) if before == ":" else None
		if question:
			return [(self.left(question, TERNARY), question), " ? .. : ", (first, end)]
		if before in ("return", "case"):
			return [before + " ", (first, end)]
		return self.enclosed(first, end) if before in "([{," else [(first, end)]

	def enclosed(self, first, end):
		"""Likewise, of all that is between brackets or commas: one comma for each argument before."""
		opening = first - 1
		commas = ""
		while self.text(opening) not in CLOSING:
			commas += "," * (self.text(opening) == ",")
			opening = self.other.get(opening, opening) - 1
			if self.text(opening) == ";":
				return [(first, end)]
		bracket = self.text(opening)
		word = self.text(opening - 1)
		if bracket == "(" and word in HEADS:
			return [word + " (", (first, end), ")"]
		if bracket == "(" and not self.ends_operand(opening - 1):
			return self.around(opening)
		word = "" if bracket == "{" else word
		return [word + bracket + (commas and commas + " "), (first, end), CLOSING[bracket]]

	def question(self, i):
		"""The question mark of a colon, or None if that ends a label."""
		depth = 1
		while depth:
			i = self.other.get(i, i) - 1
			if self.text(i) in "{};([" or self.text(i) in ("case", "default"):
				return None
			depth += (self.text(i) == ":") - (self.text(i) == "?")
		return i

	def place(self, i):
		"""The pieces of what a token stands for: an operator, an operand, or a condition."""
		text = self.text(i)
		if text == "(" and self.text(i - 1) in HEADS:
			return self.place(i - 1)
		if text in HEADS:
			return [text + " (", (i + 2, self.other[i + 1]), ")"]
		if text in ("++", "--") and self.ends_operand(i - 1):
			return [(self.unary(i - 1)[0], i + 1)]
		if text in ("!", "~", "++", "--"):
			return [(i, self.unary(i)[1])]
		if text == ":":
			return [(self.left(self.question(i), TERNARY), self.right(i + 1, TERNARY))]
		return self.around(i) if self.level(i) is None else [self.binary(i)]

	def show(self, pieces, changed=None):
		"""The name, in which some tokens may have changed."""
		return "".join(p if isinstance(p, str) else self.show_range(*p, changed or {})
			       for p in pieces).strip()

	def show_range(self, i, end, changed):
		out = []
		start = 0 # start of an operand
		while i < end:
			text = changed.get(i, self.text(i))
			operand = len(out) > start
			if self.is_cast(i):
				pass
			elif self.text(i) in CLOSING:
				inner = "" if operand else self.show_range(i + 1, self.other[i], changed)
				out.append(text + inner + CLOSING[text])
			elif self.text(i) in ("->", "."):
				del out[start:]
			elif self.is_prefix(i):
				if self.text(i) not in ("*", "&"):
					out.append(text.strip())
				if not operand:
					start = len(out)
			elif self.text(i) == "," or self.text(i) in WORDS or self.level(i) is not None:
				out.append(" " * (self.level(i) is not None) + text + " ")
				start = len(out)
			else:
				del out[start:] # a type
				out.append(text)
			i = self.behind(i)
		return "".join(out).strip()
