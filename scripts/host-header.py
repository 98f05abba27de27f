#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""
host-header.py [-UMACRO...] NAME|FILE...: prints one header that has these functions, macros and types of pmumap, or
all that a FILE mentions, and what they need. A FILE that defines functions of pmumap replaces these
instead. The header is for gcc and clang, where no MACRO is defined.

A part of src/ is read as paragraphs: comments and items, up to a blank line. An item is a function, a
type, a declaration, a macro or a directive. It is printed if an item that is printed mentions its name;
a comment, if an item up to the next comment is. Directives are printed with what is between them.
Functions are declared only where calls precede the definition, which otherwise gets the manual.
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
# What LIST(X) lists, what an enumeration or a function makes of it, and a name that a macro completes.
LISTED = re.compile(r"^\tX\((\w+),", re.M)
ENUMERATED = re.compile(r"^#define PMUMAP_X_\([^)]*\)[\s\\]*(\w+?)##name(?:##(\w+))?.*\n.*?(\w+)\(PMUMAP_X_\)", re.M)
# An enumeration of a list, which can be written with the members in use alone.
SPELLED = re.compile(r"^#define PMUMAP_X_\(name, number, text\) (\w+)##name = number,\n\t(\w+)\(PMUMAP_X_\)\n.*\n", re.M)
ENTRY = re.compile(r'^\tX\((\w+), (\d+), "(.*)"\)', re.M)
OWN = re.compile(r"^static inline [^;{]*\bpmumap_\w+\([^;{]*\)\n\{", re.M)
JOINED = re.compile(r"((?:pmumap|PMUMAP)_\w*)##(\w+)(?:##)?(\w*)")
TOP = """/* SPDX-License-Identifier: BSD-2-Clause
 * Copyright (c) 2026, the pmumap authors
 *
 * pmumap {version}: only what this program uses. Made by scripts/host-header.py: do not change it here.
 */
#ifndef PMUMAP_H
#define PMUMAP_H
"""
TYPES = """
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
    def __init__(self, lines, outer, room):
        self.outer, self.room, self.printed = outer, room, False
        self.text = "\n".join(lines)
        self.comment = self.text.startswith("/*")
        self.about = None  # its comment, or the first item that a comment is about
        self.manual = ""  # to print before it
        code = COMMENT.sub("", self.text)
        self.uses = set(NAME.findall(code)) - {"PMUMAP_X_"}
        self.names = {name for pattern in DEFINED for name in pattern.findall(code)}
        self.defines = code.startswith(("static", "PMUMAP_")) and code.endswith("}")
        self.declares = code.startswith("PMUMAP_API") and not self.defines
        if re.match(r"enum(?: \w+)? \{", code):
            self.names |= set(re.findall(r"[{,]\s*(PMUMAP_\w+)\b(?!\()", code))


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


def choice(line, known):
    """Whether the branch after #if stays; None: only the preprocessor knows."""
    found = re.fullmatch(r"#if(n?)def (\w+)", line)
    if found and found[2] in known:
        return known[found[2]] != bool(found[1])
    return False if any(known.get(name) for name in re.findall(r"!defined\((\w+)\)", line)) else None


def choose_branches(lines, known):
    stack = []
    for line in lines:
        ours = None
        if line.startswith("#if"):
            ours = choice(line, known)
            stack.append(ours)
        elif line.startswith("#else") and stack[-1] is not None:
            ours = stack[-1] = not stack[-1]
        elif line.startswith("#endif"):
            ours = stack.pop()
        if ours is None and False not in stack:
            yield line


def read(path, known):
    """The items of a part or file; None stands for a blank line."""
    lines = list(choose_branches(path.read_text().split("\n")[2:-1], known))
    room = path.parent.name
    outer, out, i = None, [], 0
    while i < len(lines):
        end = end_of(lines, i) if lines[i] else i + 1
        text, i = lines[i:end], end
        word = re.match(r"(?:#(\w+))?", text[0])[1]
        if word in ("pragma", "include"):
            continue
        if word in ("if", "ifdef", "ifndef"):
            outer = Conditional(outer)
        out.append(Item(text, outer, room) if text[0] else None)
        if out[-1] and not out[-1].comment and len(out) > 1 and out[-2]:
            out[-1].about = out[-2] if out[-2].comment else out[-2].about
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
            for entry in (before + entry + behind for entry in lists[name]):
                if item.text.startswith("enum"):
                    define(entry, item)
                else:
                    item.uses.add(entry)
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

    def defining(name, user):
        """Without the enumerations of other bindings, whose lists may have the same entry."""
        found = of.get(name, [])
        near = [i for i in found if i.room == user.room or not i.text.startswith("enum")]
        return near or found

    missing = sorted(name for name in names if name not in of)
    todo = [item for name in names - set(missing) for item in of[name]]
    while todo:
        item = todo.pop()
        if item.printed:
            continue
        item.printed = True
        todo += [i for name in item.uses for i in defining(name, item)]
        outer = item.outer
        while outer:
            todo += outer.directives
            outer = outer.outer
    for item in items:  # #error and #undef
        if item.text.startswith("#") and item.outer and item.outer.directives[0].printed and not item.names:
            item.printed = True
    return missing


def replace(items, path):
    """Puts the functions of a file in place of pmumap's."""
    own = {name: item for item in read(path, {}) if item for name in item.names}
    for item in items:
        for name in item.names & set(own) if item.defines else ():
            item.text, item.uses, item.about = own[name].text, own[name].uses, None
            item.manual = own[name].about.text + "\n" if own[name].about else ""


def spell_out(items, mentioned):
    """Writes enumerations of lists as their members in use, unless something else uses the list."""
    for item in items:
        found = item.printed and SPELLED.search(item.text)
        if not found:
            continue
        of = next(i for i in items if found[2] in i.names)
        uses = mentioned.union(*(i.uses for i in items if i.printed and i not in (item, of)))
        if found[2] in uses:
            continue
        of.printed = False
        members = [f"\t{found[1]}{name} = {number}, /* {text} */" for name, number, text in
                   ENTRY.findall(of.text) if found[1] + name in uses]
        members = [m if len(m) <= 93 else m[:m.index(" /*")] for m in members]
        item.text = SPELLED.sub(lambda _: "\n".join(members) + "\n", item.text)


def drop_declarations(items, names):
    """Leaves out declarations before which nothing calls the function. Definitions get the manual."""
    printed = [item for item in items if item.printed and not item.comment]
    moved = []
    for i, item in enumerate(printed):
        later = printed[i + 1:] if item.declares else []
        user = next((l for l in later if l.uses & item.names and not l.declares), None)
        if user and user.defines and item.names <= user.names:
            item.printed = False
            if item.names & names and item.about and item.about not in moved:
                moved.append(item.about)
                user.manual = user.manual or item.about.text + "\n"


def paragraphs(part, names):
    """What to print of each paragraph. Only these names need their manual."""
    about = {i.about for i in part if i and i.printed and (not i.declares or i.names & names)}
    for _, paragraph in itertools.groupby(part, lambda item: item is None):
        text = [i.manual + i.text for i in paragraph if i and (i.printed or i in about)]
        if text:
            yield "\n".join(text)


def static(text):
    """Makes a function static, and fills the lines with its arguments again."""
    def fill(head):
        lines, column = [""], len(head[1])
        for argument in re.split(r"(?<=,)\s+", head[2]):
            if lines[-1] and column + len(lines[-1]) + len(argument) > 100:
                lines.append("")
            lines[-1] += argument + " "
        indent = "\n" + "\t" * (column // 8) + " " * (column % 8)
        return head[1] + indent.join(line.rstrip() for line in lines)

    text = re.sub(r"^PMUMAP_(API|DEF)\b", "static inline", text, flags=re.M)
    return re.sub(r"^(static inline [^\n(]*\()([^{]*?\)(?=;?\n))", fill, text + "\n", flags=re.M)[:-1]


def main(args):
    if not args:
        sys.exit(__doc__.strip())
    known = {"__GNUC__": True, **{arg[2:]: False for arg in args if arg.startswith("-U")}}
    args = [arg for arg in args if not arg.startswith("-U")]
    names = {arg for arg in args if NAME.fullmatch(arg)}
    files = {path: COMMENT.sub("", path.read_text()) for path in map(pathlib.Path, args) if str(path) not in names}
    own = [path for path, text in files.items() if OWN.search(text)]
    mentioned = {name for path, text in files.items() if path not in own for name in NAME.findall(text)}
    if "PMUMAP_NO_NATIVE" in mentioned:
        known.update(PMUMAP_NO_NATIVE=True, PMUMAP_NATIVE_=False)
    read_parts = [read(SRC / part, known) for part in parts()]
    items = [item for part in read_parts for item in part if item]
    for path in own:
        replace(items, path)
    missing = choose(items, names | mentioned)
    if names & set(missing):
        sys.exit(f"host-header: pmumap has no {', '.join(n for n in missing if n in names)}")
    spell_out(items, names | mentioned)
    drop_declarations(items, names | mentioned)
    version = re.search(r"pmumap.h (\S+)", (SRC / "pmumap.h").read_text())[1]
    print(TOP.format(version=version) + ("" if "PMUMAP_NO_STDINT" in mentioned else TYPES), end="")
    for part in read_parts:
        for text in paragraphs(part, names | mentioned):
            print("\n" + static(text))
    print(END)


main(sys.argv[1:])
