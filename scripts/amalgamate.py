#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""
amalgamate.py [-l] SRC/NAME.h: prints the product header; -l adds #line.

SRC/NAME.h has the top comment, the product headers to include, and the parts. A part is preceded by
the parts it includes, each once. Parts named api.h or ..._api.h hold declarations, all others
definitions. This script adds the text around them, which is the same in every header.

A room may include itself and rooms of a lower level. A room that LEVELS does not name belongs to a
binding; bindings do not include each other. Several headers contain the parts of the shared rooms,
and a program may include any of them, so each such part has its own include guard.
"""
import pathlib
import re
import sys

LEVELS = {"core": 1, "fdt": 2, "hw": 4, "server": 4}
BINDING = 3
SHARED = {"core", "fdt"}
INCLUDE = re.compile(r'#include "([^"]+)"')

BEGIN = """#include "core/version.h"

/* C has no other casts and no other null pointer. A function may have the name of a struct. */
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wshadow"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wuseless-cast"
#endif
#endif

#include "core/linkage.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef @_H
#define @_H
"""
MIDDLE = """
#endif /* @_H */

#if PMUMAP_LINKAGE_ == 1 && (defined(PMUMAP_EXTERN) || defined(PMUMAP_IMPLEMENTATION))
#error "$.h was included here without PMUMAP_EXTERN before: define that for the whole program"
#endif

#if (PMUMAP_LINKAGE_ == 1 || defined(PMUMAP_IMPLEMENTATION)) && !defined(@_IMPLEMENTED_)
#define @_IMPLEMENTED_
"""
END = """
#endif /* @_IMPLEMENTED_ */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
"""


def refuse(why):
    sys.exit(f"amalgamate: {why}")


def lines_of(path, kind):
    try:
        return path.read_text().split("\n")[:-1]
    except OSError:
        refuse(f"no {kind}")


def room(part):
    return part.split("/")[0]


def level(part):
    return LEVELS.get(room(part), BINDING)


def is_declaration(part):
    return part.endswith("api.h")


class Header:
    def __init__(self, root, numbered):
        self.src, self.numbered = root.parent, numbered
        self.name = root.stem
        self.there, self.out = set(), []
        self.contents = []

    def put(self, line):
        if line or (self.out and self.out[-1]):
            self.out.append(line)

    def place(self, number, path):
        if self.numbered:
            self.out.append(f'#line {number} "{path}"')

    def know(self, name):
        """Marks everything that the included header provides as present."""
        for line in lines_of(self.src / name, f"header: {name}"):
            match = INCLUDE.match(line)
            if match and "/" in match[1]:
                self.know_part(match[1])
            elif match:
                self.know(match[1])
        self.know_part("core/version.h")
        self.know_part("core/linkage.h")

    def know_part(self, part):
        if part not in self.there:
            self.there.add(part)
            for line in lines_of(self.src / part, f"part: {part}"):
                if INCLUDE.match(line):
                    self.know_part(INCLUDE.match(line)[1])

    def paste(self, part, declarations=None, chain=()):
        """Appends a part after the parts it includes. declarations: True or False selects one kind."""
        if part in chain:
            refuse(f"{part} needs itself")
        path = self.src / part
        lines = lines_of(path, f"part: {part}")
        for line in lines:
            need = INCLUDE.match(line) and INCLUDE.match(line)[1]
            if not need:
                continue
            if room(need) != room(part) and level(need) >= level(part):
                refuse(f"{part} may not need {need}")
            if is_declaration(part) and not is_declaration(need) and need != "core/linkage.h":
                refuse(f"{part} declares: it may not need {need}")
            if need not in self.there:
                self.paste(need, declarations, chain + (part,))
        if part in self.there or declarations not in (None, is_declaration(part)):
            return
        self.there.add(part)
        title = re.fullmatch(r"/\* (.+) \*/", lines[1]) or refuse(f"{part} has no title")
        self.put("")
        self.put(f"/* ---- {part}: {title[1]} */")
        guard = room(part) in SHARED and part != "core/version.h"
        if guard:
            guard = "PMUMAP_HAS_" + re.sub(r"\W", "_", part[:-2]).upper() + "_"
            self.put(f"#ifndef {guard}")
            self.put(f"#define {guard}")
        started = False
        for number, line in enumerate(lines[2:], 3):
            if line == "#pragma once" or INCLUDE.match(line) or (not line and not started):
                continue
            if not started:
                self.place(number, path)
            started = True
            self.put(line)
        if guard:
            self.put(f"#endif /* {guard} */")

    def frame(self, text):
        for line in text.replace("@", self.name.upper()).replace("$", self.name).split("\n")[:-1]:
            match = INCLUDE.match(line)
            if match:
                if match[1] == "core/version.h":
                    self.there.discard(match[1])
                if match[1] not in self.there:
                    self.paste(match[1])
                    self.put("")
            elif line.startswith("#if") and len(line) > 100:
                head, _, tail = line.rpartition(" && ")
                self.put(f"{head} &&".ljust(99) + "\\")
                self.put("\t" + tail)
            else:
                self.put(line)

    def generate(self, lines):
        start = lines.index(" */") + 1
        self.out = [lines[0], ' * Generated from src/ by "make headers": change it there.', *lines[1:start]]
        below = [m[1] for m in map(INCLUDE.match, lines) if m and "/" not in m[1]]
        parts = lines[start:]
        for name in below:
            self.put(f'#include "{name}"')
            self.know(name)
        self.put("")
        self.frame(BEGIN)
        for declarations, text in ((True, MIDDLE), (False, END)):
            for line in parts:
                match = INCLUDE.match(line)
                if match and "/" in match[1] and match[1] not in self.there:
                    self.paste(match[1], declarations)
            self.frame(text)
        return self.out


def main(args):
    numbered = args[:1] == ["-l"]
    root = pathlib.Path(args[numbered])
    print("\n".join(Header(root, numbered).generate(lines_of(root, f"header: {root}"))))


main(sys.argv[1:])
