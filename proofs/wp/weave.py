#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Put annotations into a copy of a header: weave.py HEADER COPY [NAME=TEXT...] FILE.acsl...

An .acsl file is a list of entries, each a line that begins with @ and the text under it:

@contract FUNCTION          its contract, which is proved; given to a prototype behind everything else
@assume FUNCTION            the same, but believed here (and perhaps proved elsewhere)
@at FUNCTION: LINE          an annotation in front of the only line of the function that reads LINE
@at FUNCTION #2/3: LINE     the same, in front of the second of three such lines
@after FUNCTION: LINE       an annotation behind that line, which is a whole statement
@last FUNCTION              an annotation in front of its }
@before FUNCTION            the text as it is, in front of the function
@as FUNCTION: FROM => TO     in its only line that has FROM, TO in place of it: a cast that WP's memory
                            cannot follow as a call whose contract says what is trusted of it
@view FUNCTION: TYPE SIZE   in front of the function, how the image is read as TYPE; see VIEW
@end                        the text as it is, at the end of the file

NAME=TEXT: in all files, TEXT in place of this word. Lines that begin with "# " are comments. What has no place is an error, and so is a place that there
is not exactly once. Entries of functions that another header of that folder defines are skipped.
"""
import glob
import os
import re
import sys


def die(text):
    sys.exit("weave.py: " + text)


# WP's memory model is typed, so it cannot follow a cast of bytes to a struct. In the copy every
# "(const TYPE *)pmumap_image_at_(m, offset)" becomes a call of one function per type. Its result is
# in the same object as the image. pmumap_see_TYPE_() requires that the TYPEs are inside and
# aligned, and then states that they may be read; this is trusted. Sizes are numbers, because WP
# does not evaluate sizeof() of a struct.
CAST = re.compile(r"\(const ((?:struct |unsigned )?\w+) \*\)pmumap_image_at_\(")
VIEW = """typedef char view_size_%(name)s[sizeof(%(type)s) == %(size)s ? 1 : -1];
/*@
axiomatic view_%(name)s {
	logic %(type)s *view_%(name)s(MAP *m, integer offset);
	axiom base_%(name)s{L}: \\forall MAP *m, integer offset;
		\\base_addr{L}(view_%(name)s(m, offset)) == \\base_addr{L}(m);
}
*/
/*@ assigns \\nothing; ensures \\result == view_%(name)s(m, offset); */
static const %(type)s *pmumap_image_at_%(name)s(const MAP *m, uint32_t offset);
/*@ ghost
/@ requires bytes(m, m->head.size) && %(aligned)soffset + %(size)s * count <= m->head.size;
   assigns \\nothing;
   ensures \\valid_read(view_%(name)s(m, offset) + (0 .. count - 1)); @/
void pmumap_see_%(name)s(const MAP *m, uint32_t offset, uint64_t count);
*/
"""


def view_name(kind):
    return kind.replace("struct ", "").replace(" ", "_")


def definitions(lines, name):
    """The first line and that of the { of each."""
    head = re.compile(r"^[A-Za-z].*\b%s\(|^%s\(" % (name, name))
    for i, line in enumerate(lines):
        if not head.match(line) or line.startswith("#"):
            continue
        j = i
        while j < len(lines) and lines[j] != "{" and not lines[j].endswith(";"):
            j += 1
        if j < len(lines) and lines[j] == "{":
            yield i, j


def defined(lines, name):
    return any(True for _ in definitions(lines, name))


class Function:
    """Where the definition of a function lies: its first line, the line of its {, that of its }."""

    def __init__(self, lines, name):
        found = list(definitions(lines, name))
        if len(found) != 1:
            die("%d definitions of %s" % (len(found), name))
        self.first, self.brace = found[0]
        if not re.search(r"\b%s\(" % name, lines[self.first].split("(")[0] + "("):
            die("%s: its name is not in its first line" % name)
        # The type may be on its own line.
        if lines[self.first].startswith(name):
            self.first -= 1
        self.last = lines.index("}", self.brace)

    def prototype(self, lines):
        return "\n".join(lines[self.first : self.brace]) + ";"


def entries(path, words):
    kind = None
    for number, line in enumerate(open(path), 1):
        line = words(line.rstrip("\n"))
        if re.match(r"#( |$)", line):
            continue
        if line.startswith("@"):
            if kind:
                yield kind, name, nth, anchor, text
            m = re.match(r"^@(contract|assume|last|before|view|at|after|as|end)(?: (\w+))?(?: #(\d+/\d+))?(?:: (.*))?$", line)
            if not m or bool(m.group(4)) != (m.group(1) in ("at", "after", "as", "view")):
                die("%s:%d: %s" % (path, number, line))
            kind, name, nth, anchor = m.groups()
            text = ""
        elif kind:
            text += line + "\n"
        elif line:
            die("%s:%d: no entry" % (path, number))
    if kind:
        yield kind, name, nth, anchor, text


def main():
    header, copy = sys.argv[1], sys.argv[2]
    files = [f for f in sys.argv[3:] if "=" not in f]
    swap = dict(a.split("=", 1) for a in sys.argv[3:] if "=" in a)

    def words(text):
        return re.sub(r"\b[A-Z_]+\b", lambda m: swap.get(m[0], m[0]), text)

    lines = open(header).read().split("\n")
    others = [open(f).read().split("\n") for f in glob.glob(os.path.join(os.path.dirname(header), "pmumap*.h"))
              if f != header]
    inserts, tail, swaps = [], [], []

    for path in files:
        for kind, name, nth, anchor, text in entries(path, words):
            if kind == "end":
                tail.append(text)
                continue
            if not defined(lines, name) and any(defined(o, name) for o in others):
                continue
            f = Function(lines, name)
            if kind in ("contract", "assume"):
                tail.append("/*@\n%s*/\n%s\n" % (text, f.prototype(lines)))
            elif kind == "last":
                inserts.append((f.last, "/*@\n%s*/" % text))
            elif kind == "before":
                inserts.append((f.first, text))
            elif kind == "view":
                c_type, size = anchor.rsplit(" ", 1)
                fill = {"type": c_type, "name": view_name(c_type), "size": size}
                fill["aligned"] = "aligned(offset) && " if size != "1" else ""
                inserts.append((f.first, words(VIEW) % fill))
            elif kind == "as":
                old, new = anchor.split(" => ")
                at = [i for i in range(f.brace, f.last) if old in lines[i]]
                if len(at) != 1:
                    die("%s: %d lines have %s" % (name, len(at), old))
                swaps.append((at[0], old, new))
            else:
                at = [i for i in range(f.brace, f.last) if lines[i].strip() == anchor]
                k, n = map(int, (nth or "1/1").split("/"))
                if len(at) != n:
                    die("%s: %d lines read %s" % (name, len(at), anchor))
                inserts.append((at[k - 1] + (kind == "after"), "/*@\n%s*/" % text))
    # Last, so that all other entries can name the unchanged lines of the header.
    for at, old, new in swaps:
        lines[at] = lines[at].replace(old, new)
    # Entries before the same line keep their order.
    for at, text in reversed(sorted(inserts, key=lambda x: x[0])):
        lines[at:at] = text.split("\n")

    def cast(match):
        call = "pmumap_image_at_%s(" % view_name(match.group(1))
        return call if " *" + call in text else match.group(0)

    text = "\n".join(lines)
    woven = CAST.sub(cast, text)
    open(copy, "w").write(woven + "\n" + "\n".join(tail))


main()
