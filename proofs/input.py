#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: input.py [--deep]

Reads lines of five fields between tabs: a proof's NAME, FILE, FOLDER,..., ROOT,..., and MORE. Prints
NAME and a hash of MORE and of the code that a proof of the functions ROOT is about: FILE and what it
includes from the folders, without comments (but with annotations) and without macros and functions
that are not used. Of other functions it has only the heads; with --deep also the bodies of those that
ROOT reaches, except through functions -ROOT. The braces around a body are at the left edge.
"""
import hashlib
import re
import sys
from pathlib import Path

TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"[^\n]*$', re.M)
PART = re.compile(r"^# ?define (?P<macro>\w+)(?P<words>.*)\n"
                  r"|^(?!typedef)(?P<head>[A-Za-z][^;{}#=]*\))(?:;\n|\n(?P<body>\{\n(?s:.*?)^\}\n))", re.M)


def plain(token):
    if token[0][0] != "/":
        return token[0]
    return " ".join(token[0].split()) if token[0][2] == "@" else " "


def read(path, folders, seen):
    """The text of a file and of those that it includes, each once."""
    def included(line):
        for folder in [path.parent, *folders]:
            file = (folder / line[1]).resolve()
            if file.is_file():
                return "" if file in seen else read(file, folders, seen)
        return line[0]
    seen.add(path.resolve())
    return INCLUDE.sub(included, path.read_text(encoding="utf-8") + "\n")


def words(text):
    """Names of functions and macros, and others; not those of structs and in strings."""
    return set(re.findall(r"(?<!struct )\b\w+", re.sub(r'"[^"\n]*"', "", text)))


def name_of(part):
    names = re.findall(r"(\w+)\s*\(", part["head"]) if part["head"] else [part["macro"]]
    return next((name for name in names if part["macro"] or not name.isupper()), "")


def parts_of(file, folders):
    """Its text, and functions and macros by name, with where they are."""
    text = read(Path(file), [Path(f) for f in folders.split(",")], set())
    text = TOKEN.sub(plain, text).replace("\\\n", " ")
    text = re.sub(r"\s*\n(\s?)\s*", r"\n\1", re.sub(r"[ \t]+", " ", text)).lstrip()
    return text, [(name_of(part), part) for part in PART.finditer(text)], words(PART.sub("", text))


def code(text, parts, todo, roots, deep):
    without = {name[1:] for name in roots if name[0] == "-"}

    def body(name, part):
        return part["words"] or (part["body"] if deep or name in roots else "") or ""

    used, done = {}, set(without)
    for name, part in parts:
        used.setdefault(name, set()).update(words(body(name, part)))
    todo = todo | roots
    while todo:
        name = todo.pop()
        done.add(name)
        todo |= used.get(name, set()) - done
    end = 0
    for name, part in parts:
        yield text[end:part.start()]
        end = part.end()
        if name in done - without:
            yield f"{part['head'] or name} {body(name, part)}\n"
    yield text[end:]


def main():
    known = {}
    for line in sys.stdin:
        name, file, folders, roots, more = line.rstrip("\n").split("\t")
        if (file, folders) not in known:
            known[file, folders] = parts_of(file, folders)
        lines = "".join(code(*known[file, folders], set(roots.split(",")), "--deep" in sys.argv))
        print(name, hashlib.sha256((more + "\n" + lines).encode()).hexdigest()[:16])


main()
