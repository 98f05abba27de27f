#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""
host-header.py NAME|FILE...: prints one header that has these functions, macros and types of pmumap, or
all that a FILE mentions, and what they need.

A part of src/ is read as paragraphs: comments and items, up to a blank line. An item is a function, a
type, a declaration, a macro or a directive. It is printed if an item that is printed mentions its name;
a comment, if its paragraph has such an item. Directives are printed with what is between them.
"""
import itertools
import pathlib
import re
import sys

SRC = pathlib.Path(__file__).resolve().parent.parent / "src"
LINKAGE = "core/linkage.h", "core/version.h"
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
NAME = re.compile(r"\b(?:pmumap|PMUMAP)_\w+|(?<=struct )pmumap\b")
DEFINED = [re.compile(p, re.M) for p in (
    r"\A#define (\w+)",
    r"^(?:struct|union|enum) (?:PMUMAP_\w+ )?(\w+)(?: \{|;)",
    r"^typedef [^;]*?(\w+)(?: PMUMAP_\w+)?(?:\[[^]]*\])?;$",
    r"^[^\t\n#/{}=()]*?(?:\(\*)?\b(pmumap_\w+)\(",  # a function
    r"^static const [^=(]*?\b(pmumap_\w+)[\[ ]",
)]
# What LIST(X) lists, what an enumeration makes of it, and a name that a macro completes.
LISTED = re.compile(r"^\tX\((\w+),", re.M)
ENUMERATED = re.compile(r"^#define PMUMAP_X_\([^)]*\)[\s\\]*(\w+?)##name(?:##(\w+))?.*\n.*?(\w+)\(PMUMAP_X_\)", re.M)
JOINED = re.compile(r"((?:pmumap|PMUMAP)_\w*)##(\w+)(?:##)?(\w*)")
TOP = """/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * pmumap {version}: only what this program uses. Made by scripts/host-header.py: do not change it here.
 */
#ifndef PMUMAP_H
#define PMUMAP_H

#ifndef PMUMAP_NO_STDINT
#include <stddef.h>
#include <stdint.h>
#endif
"""
END = """
#endif /* PMUMAP_H */"""


class Conditional:
    def __init__(self, outer):
        self.outer, self.directives = outer, []


class Item:
    """Some lines, and the innermost conditional around them."""
    def __init__(self, lines, outer):
        self.outer, self.printed = outer, False
        self.text = "\n".join(lines)
        self.comment = self.text.startswith("/*")
        code = COMMENT.sub("", self.text)
        self.uses = set(NAME.findall(code)) - {"PMUMAP_X_"}
        self.names = {name for pattern in DEFINED for name in pattern.findall(code)}
        if re.match(r"enum(?: \w+)? \{", code):
            self.names |= self.uses


def parts():
    """The parts of all headers, each behind those that it includes; declarations first."""
    found = []

    def visit(path):
        for name in INCLUDE.findall((SRC / path).read_text()):
            if name not in found:
                visit(name)
        if path not in found:
            found.append(path)

    for header in sorted(SRC.glob("pmumap*.h")):
        visit(header.name)
    return sorted((p for p in found if "/" in p and p not in LINKAGE), key=lambda p: not p.endswith("api.h"))


def end_of(lines, i):
    """The line behind the comment, directive or item that begins at line i."""
    if lines[i].startswith("/*"):
        while not lines[i].endswith("*/"):
            i += 1
        return i + 1
    if lines[i].startswith("#"):
        while lines[i].endswith("\\"):
            i += 1
        return i + 1
    depth = 0
    while True:
        code = COMMENT.sub("", lines[i])
        depth += code.count("{") - code.count("}")
        i += 1
        if depth == 0 and code.rstrip().endswith((";", "}")):
            return i


def without_native(lines):
    """What the preprocessor leaves if the program defines PMUMAP_NO_NATIVE."""
    stack = []  # of conditionals: "if" or "else" is the branch that we are in, "" if not ours to choose
    for line in lines:
        ours = ""
        if line.startswith("#if"):
            ours = "if" if re.search("PMUMAP_(NATIVE_|NO_NATIVE)", line) else ""
            stack.append(ours)
        elif line.startswith("#else") and stack[-1]:
            ours = stack[-1] = "else"
        elif line.startswith("#endif"):
            ours = stack.pop()
        if not ours and "if" not in stack:
            yield line


def read(part, native):
    """The part's items; None stands for a blank line."""
    lines = (SRC / part).read_text().split("\n")[2:-1]
    lines = lines if native else list(without_native(lines))
    outer, out, i = None, [], 0
    while i < len(lines):
        end = end_of(lines, i) if lines[i] else i + 1
        text, i = lines[i:end], end
        word = re.match(r"(?:#(\w+))?", text[0])[1]
        if word in ("pragma", "include"):
            continue
        if word in ("if", "ifdef", "ifndef"):
            outer = Conditional(outer)
        out.append(Item(text, outer) if text[0] else None)
        if word in ("if", "ifdef", "ifndef", "else", "elif", "endif"):
            outer.directives.append(out[-1])
        if word == "endif":
            outer = outer.outer
    return out


def index(items):
    """The items that define each name."""
    of, lists = {}, {}

    def define(name, item):
        of.setdefault(name, []).append(item)

    for item in items:
        for name in item.names:
            define(name, item)
            lists[name] = LISTED.findall(item.text)
    for item in items:
        for before, behind, name in ENUMERATED.findall(item.text):
            for entry in lists[name]:
                define(before + entry + behind, item)
        macro = re.match(r"#define (\w+)\(([^)]*)\)", item.text)
        for before, parameter, behind in macro and JOINED.findall(item.text) or ():
            nth = macro[2].split(", ").index(parameter)
            for user in items:
                for arguments in re.findall(macro[1] + r"\(([^()]*)", user.text) if user != item else ():
                    user.uses.add(before + arguments.split(",")[nth].strip() + behind)
    return of


def choose(items, names):
    """Marks what to print for these names."""
    of = index(items)
    missing = sorted(name for name in names if name not in of)
    todo = [item for name in names - set(missing) for item in of[name]]
    while todo:
        item = todo.pop()
        if item.printed:
            continue
        item.printed = True
        todo += [i for name in item.uses for i in of.get(name, ())]
        outer = item.outer
        while outer:
            todo += outer.directives
            outer = outer.outer
    for item in items:  # #error and #undef
        if item.text.startswith("#") and item.outer and item.outer.directives[0].printed and not item.names:
            item.printed = True
    return missing


def paragraphs(part, names):
    """What to print of each paragraph. Only these names need their manual."""
    for blank, group in itertools.groupby(part, lambda item: item is None):
        group = [] if blank else list(group)
        printed = [i for i in group if i.printed]
        manual = any(not i.text.startswith("PMUMAP_API") or i.names & names for i in printed)
        if printed:
            yield "\n".join(i.text for i in group if i.printed or i.comment and manual)


def main(args):
    if not args:
        sys.exit(__doc__.strip())
    names = {arg for arg in args if NAME.fullmatch(arg)}
    mentioned = {name for arg in args if arg not in names
                 for name in NAME.findall(COMMENT.sub("", pathlib.Path(arg).read_text()))}
    read_parts = [read(part, "PMUMAP_NO_NATIVE" not in mentioned) for part in parts()]
    missing = choose([item for part in read_parts for item in part if item], names | mentioned)
    if names & set(missing):
        sys.exit(f"host-header: pmumap has no {', '.join(n for n in missing if n in names)}")
    version = re.search(r"pmumap.h (\S+)", (SRC / "pmumap.h").read_text())[1]
    print(TOP.format(version=version), end="")
    for part in read_parts:
        for text in paragraphs(part, names | mentioned):
            print("\n" + re.sub(r"\bPMUMAP_(API|DEF)\b", "static inline", text))
    print(END)


main(sys.argv[1:])
