#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: bits.py [-v] FILE.c...

z3 proves each axiom and each admitted line about words, for all words. FILE.c includes annotated
headers; Frama-C prints them with all macros expanded and all types named, and what it prints is
read here. Names mean what MEANS() says (spec.acsl), or else NAMES. A number of C has as many bits as
its type says; an integer of ACSL has 136 here, so that no sum or product of words wraps.

Prints how many were proved. Exits with 1 if one is wrong or cannot be read.
"""
import re
import subprocess
import sys

WIDTH = 136
TYPES = {"unsigned char": 8, "char": 8, "uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "unsigned int": 32,
         "uint64_t": 64, "size_t": 64, "unsigned long long": 64, "unsigned long": 64}
# Axioms and admitted lines that are not about words: of memory, names, and a sorter's runs; and a
# contract that bits.c tests.
OTHER = re.compile(r"room|fewer_bytes|base_\w+|start_of_key|searched|fdt_name_\w+|edge_\w+|slots")
TOKEN = re.compile(r"\s*(?:(\\\w+)|([A-Za-z_]\w*)|(0x[0-9a-fA-F]+|\d+)\w*"
                   r"|(<==>|==>|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()\[\],;?:.{}=]))")


def number(n):
    return "(_ bv%d %d)" % (n % (1 << WIDTH), WIDTH)


def pick(choose):
    """The first of WIDTH choices, each a condition and a number, whose condition holds; or 0."""
    text = number(0)
    for i in reversed(range(WIDTH)):
        condition, n = choose(i)
        text = "(ite %s %s %s)" % (condition, number(n), text)
    return text


def bit(i):
    return "(= ((_ extract %d %d) x) #b1)" % (i, i)


# Name: kind, parameters and meaning. One is the number 1.
NAMES = {
    "has": ("Bool", "x n", "(and (bvsle %s n) (= ((_ extract 0 0) (bvashr x n)) #b1))" % number(0)),
    "only": ("N", "n", "(bvshl %s n)" % number(1)),
    "below": ("N", "n", "(bvsub (bvshl %s n) %s)" % (number(1), number(1))),
    "aligned": ("Bool", "n", "(= (bvsrem n %s) %s)" % (number(8), number(0))),
    "ones": ("N", "x", "(bvadd %s)" % " ".join(
        "((_ zero_extend %d) ((_ extract %d %d) x))" % (WIDTH - 1, i, i) for i in range(WIDTH))),
    "member": ("N", "x", pick(lambda i: (bit(i), i))),
    "lowest": ("N", "x", pick(lambda i: (bit(i), i))),
    "width": ("N", "x", pick(lambda i: (bit(WIDTH - 1 - i), WIDTH - i))),
}


class Unreadable(Exception):
    pass


def tokens(text):
    at, found = 0, []
    text = text.strip()
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise Unreadable(text[at:at + 20])
        found.append(m[0].strip() if not m[3] else m[3])
        at = m.end()
    return found


class Reader:
    """Turns a formula into SMT-LIB. Results are pairs: "Bool" or "N", and text."""

    def __init__(self, source, text, types, bound=None):
        self.source, self.types = source, types
        self.tokens, self.at = tokens(text), 0
        self.bound = dict(bound or {})
        self.free = {}

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if not token or wanted not in (None, token):
            raise Unreadable("%s where %s should be" % (token, wanted))
        self.at += 1
        return token

    def whole(self):
        found = self.formula()
        if self.peek():
            raise Unreadable("more: " + self.peek())
        return found

    def typed(self, found, kind):
        if found[0] != kind:
            raise Unreadable("%s is not a %s" % (found[1][:40], kind))
        return found[1]

    def formula(self):
        found = self.iff()
        if self.peek() != "?":
            return found
        self.take()
        yes = self.formula()
        self.take(":")
        no = self.formula()
        return yes[0], "(ite %s %s %s)" % (self.typed(found, "Bool"), yes[1], self.typed(no, yes[0]))

    def iff(self):
        left = self.implies()
        while self.peek() == "<==>":
            self.take()
            left = "Bool", "(= %s %s)" % (self.typed(left, "Bool"), self.typed(self.implies(), "Bool"))
        return left

    def implies(self):
        left = self.either()
        if self.peek() != "==>":
            return left
        self.take()
        return "Bool", "(=> %s %s)" % (self.typed(left, "Bool"), self.typed(self.implies(), "Bool"))

    def chain(self, part, kind, words):
        left = part()
        while self.peek() in words:
            word = words[self.take()]
            left = kind, "(%s %s %s)" % (word, self.typed(left, kind), self.typed(part(), kind))
        return left

    def either(self):
        return self.chain(self.both, "Bool", {"||": "or"})

    def both(self):
        return self.chain(self.relation, "Bool", {"&&": "and"})

    def relation(self):
        words = {"<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge", "==": "=", "!=": "distinct"}
        if self.peek() in ("\\forall", "\\exists"):
            return self.quantified()
        if self.peek() == "!":
            self.take()
            return "Bool", "(not %s)" % self.typed(self.relation(), "Bool")
        left, found = self.sum(), []
        while self.peek() in words:
            word = words[self.take()]
            right = self.sum()
            found.append("(%s %s %s)" % (word, self.typed(left, "N"), self.typed(right, "N")))
            left = right
        return ("Bool", "(and true %s)" % " ".join(found)) if found else left

    def quantified(self):
        word, outer, names = self.take()[1:], self.bound, []
        while True:
            if self.peek() == "integer":
                self.take()
            names.append("%s!%d" % (self.peek(), self.at))
            self.bound = {**self.bound, self.take(): ("N", names[-1])}
            if self.take() == ";":
                break
        body = self.typed(self.formula(), "Bool")
        self.bound = outer
        return "Bool", "(%s (%s) %s)" % (word, " ".join("(%s N)" % n for n in names), body)

    # The lowest first: | ^ & shifts, sums, products.
    LEVELS = [{"|": "bvor"}, {"^": "bvxor"}, {"&": "bvand"}, {"<<": "bvshl", ">>": "bvashr"},
              {"+": "bvadd", "-": "bvsub"}, {"*": "bvmul", "/": "bvsdiv", "%": "bvsrem"}]

    def sum(self, level=0):
        if level == len(self.LEVELS):
            return self.unary()
        return self.chain(lambda: self.sum(level + 1), "N", self.LEVELS[level])

    def cast(self):
        """Takes "(TYPE)" and returns its bits, or takes nothing and returns 0."""
        end = self.at + 1
        while end < len(self.tokens) and re.match(r"\w", self.tokens[end]):
            end += 1
        bits = TYPES.get(" ".join(self.tokens[self.at + 1:end]), 0)
        if self.peek() != "(" or self.tokens[end] != ")" or not bits:
            return 0
        self.at = end + 1
        return bits

    def unary(self):
        words = {"~": "bvnot", "-": "bvneg"}
        if self.peek() in words:
            word = words[self.take()]
            return "N", "(%s %s)" % (word, self.typed(self.unary(), "N"))
        bits = self.cast()
        if bits:
            return "N", "((_ zero_extend %d) ((_ extract %d 0) %s))" % (
                WIDTH - bits, bits - 1, self.typed(self.unary(), "N"))
        return self.atom()

    def arguments(self):
        self.take("(")
        found = [self.formula()]
        while self.peek() == ",":
            self.take()
            found.append(self.formula())
        self.take(")")
        return found

    def atom(self):
        token = self.peek()
        if token == "(":
            self.take()
            found = self.formula()
            self.take(")")
            return found
        if token[:1].isdigit():
            return "N", number(int(self.take(), 0))
        if token in ("\\true", "\\false"):
            return "Bool", self.take()[1:]
        if self.peek(1) == "(" and re.match(r"[A-Za-z]", token):
            return self.applied(self.take())
        if token in self.bound:
            return self.bound[self.take()]
        if token in self.source.constants:
            return "N", number(int(self.source.constants[self.take()]))
        return self.place()

    def applied(self, name):
        arguments = self.arguments()
        if name in self.source.defined:
            names, body = self.source.defined[name]
            return Reader(self.source, body, {}, dict(zip(names, arguments))).whole()
        if name not in NAMES:
            raise Unreadable("the name " + name)
        return NAMES[name][0], "(%s %s)" % (name, " ".join(self.typed(a, "N") for a in arguments))

    def place(self):
        """A variable of C, or memory: a name for its text, and its type's bits."""
        start, kind = self.at, None
        if self.peek() == "*" or self.peek() == "\\at":
            self.take()
            if self.peek() == "(":
                depth = 0
                while True:
                    depth += {"(": 1, ")": -1}.get(self.peek(), 0)
                    kind = kind or self.types.get(self.peek())
                    if not self.take() or not depth:
                        break
            else:
                kind = self.types.get(self.take())
        elif re.match(r"[A-Za-z_]", self.peek()):
            kind = self.types.get(self.take())
        else:
            raise Unreadable(self.peek() or "the end")
        while self.peek() in ("->", ".", "["):
            if self.take() == "[":
                while self.take() != "]":
                    pass
            else:
                kind = self.source.members.get(kind, {}).get(self.take())
        name = "|%s|" % " ".join(self.tokens[start:self.at])
        if kind not in TYPES.values():
            raise Unreadable("type of " + name)
        self.free[name] = kind
        return "N", name


class Source:
    """What Frama-C prints: axioms, admitted lines, definitions, and types."""

    def __init__(self, path):
        self.text = subprocess.run(
            ["frama-c", "-machdep", "gcc_x86_64", "-cpp-extra-args=-U__GNUC__ -DMEANING", "-no-unicode", "-print", path],
            capture_output=True, text=True, check=True).stdout
        # A name of a type, and its bits; 0 for what no formula may use.
        self.types = {"int": 0, "long": 0, **TYPES}
        for old, new in re.findall(r"^typedef (\w[\w ]*?) (\w+);", self.text, re.M):
            self.types[new] = self.types.get(old, 0)
        self.members = {"struct " + m[1]: self.declared(m[2]) for m in
                        re.finditer(r"^struct (\w+) \{\n(.*?)^\}", self.text, re.M | re.S)}
        self.constants = dict(re.findall(r"^ +(PMUMAP_\w+) = (\d+)", self.text, re.M))
        self.defined = {m[1]: (re.findall(r"integer (\w+)", m[2]), m[3]) for m in
                        re.finditer(r"(?:predicate|logic integer) (\w+)\(([^()]*)\) =(.*?);\s*(?:\n\s*\n|\*/)", self.text, re.S)}

    def declared(self, text):
        """
        Bits or struct of what is declared; of a pointer or an array, of what is in it. 0: it differs
        from place to place.
        """
        kinds = "|".join(sorted(self.types, key=len, reverse=True))
        found = {}
        for kind, name in re.findall(r"\b(%s|struct \w+)(?: const)? \**(?:const )?(\w+)" % kinds, text):
            kind = self.types.get(kind, kind)
            found[name] = kind if found.get(name, kind) == kind else 0
        return found

    def facts(self):
        """Where, label, text and the types of its names: of each axiom and each admitted line."""
        for m in re.finditer(r"\baxiom (\w+)(?:\{[^}]*\})?:\s(.*?);\n\s*\n", self.text, re.S):
            yield "axiom", m[1], m[2], {}
        outside = self.declared("\n".join(re.findall(r"^(?:/\*@ ghost )?\w[^(){}\n]*;", self.text, re.M)))
        code = re.compile(r"^( *)(?:static |inline )*[\w ]+?\**(\w+)\(([^;{}]*?)\)\n\1\{\n(.*?)^\1\}", re.M | re.S)
        for function in code.finditer(self.text):
            types = {**outside, **self.declared(function[3] + ";" + function[4])}
            for m in re.finditer(r"@\s*admit\s+(?:(\w+):\s)?(.*?);\s*(?:\*|@)/", function[4], re.S):
                yield function[2], m[1], m[2], types


def query(source, text, types):
    reader = Reader(source, text, types)
    goal = reader.typed(reader.whole(), "Bool")
    lines = ["(set-logic BV)", "(define-sort N () (_ BitVec %d))" % WIDTH]
    for name, (kind, parameters, meaning) in NAMES.items():
        lines.append("(define-fun %s (%s) %s %s)" % (
            name, " ".join("(%s N)" % p for p in parameters.split()), kind, meaning))
    for name, bits in reader.free.items():
        lines += ["(declare-const %s N)" % name, "(assert (bvult %s %s))" % (name, number(1 << bits))]
    return "\n".join(lines + ["(assert (not %s))" % goal, "(check-sat)\n"])


def proved(smt):
    done = subprocess.run(["z3", "-in", "-T:120"], input=smt, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def main():
    proofs, wrong = set(), 0
    for path in [a for a in sys.argv[1:] if a != "-v"]:
        source = Source(path)
        facts = list(source.facts())
        if len(facts) != len(re.findall(r"@\s*admit\s|\baxiom \w", source.text)):
            print("%s: cannot find all axioms and admitted lines" % path)
            wrong += 1
        for where, label, text, types in facts:
            if OTHER.fullmatch(label or ""):
                continue
            text = " ".join(text.split())
            try:
                smt = query(source, text, types)
                answer = "unsat" if smt in proofs else proved(smt)
            except Unreadable as why:
                smt, answer = "", "cannot read %s" % why
            if answer == "unsat":
                proofs.add(smt)
            else:
                wrong += 1
            if answer != "unsat" or "-v" in sys.argv:
                print("%s: %s: %s" % (where + " " + label if where == "axiom" else where, answer, text))
    print("%d facts about words proved" % len(proofs))
    return wrong != 0


sys.exit(main())
