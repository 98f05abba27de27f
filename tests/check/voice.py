#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""usage: voice.py [FILE...]

Prints file:line: why: sentence for sentences that are hard to read, in what a visitor reads: pages,
texts of findings, manuals of headers; but not in code and generated blocks. Without a FILE it reads
them all, and names texts that are too long. Fails if it prints anything.

words.txt lists the plain words. Add one only if every engineer of the field knows it. Names, such as
those of boards and companies, are capitalized or code, and are not looked up.
"""
import re
import sys
from pathlib import Path

WORDS = 30  # of a sentence
BE = r"(?:is|are|was|were)"
PATTERNS = [(why, re.compile(pattern)) for why, pattern in (
    ("begins with \"what\"", r"^What\b.*[.:;]$"),
    ("what ... is", rf"(?:[:;,] (?:and |or )?what |\bwhat (?:[^\s,.;:]+ ){{1,5}}){BE}\b(?!.*\?$)"),
    ("that there is", rf"\b(?:that|than|as|what) there {BE}\b"),
    ("whatever it is", rf"\b[Ww](?:hat|hich)ever (?:it|they|there) {BE}\b"),
    ("it is none", rf"\b(?:[Ii]t|[Tt]his|that|which|[Tt]hey) {BE} none\b"),
    ("is there, for exists", rf"\b{BE} (?:(?:not|also|already|still) )?there\b"
     rf"(?! (?:{BE}|an?|any|no|some)\b)(?!.*\?$)"),
    ("as, for because", r"[,;:] as (?:it|they|there|this|these|those|we|you|nobody|nothing|no \w+)\b"
     r"(?! (?:do|does|did|should|says?|said|lies|is and|is in|is,)\b)"),
    ("as, for because", r"[,;:] as (?:[\w-]+ ){1,3}(?:then|cannot|(?:is|are) not|(?:has|have) no)\b"),
    ("for, for because", r"[,;:] for (?:it|they|there|he|she|nobody|nothing|"
     rf"(?:the|that|this|these|those) \w+ (?:{BE}|has|have|can|cannot|needs?|may))\b(?![.,])"),
    ("else, for otherwise", r"[,;:] else\b"),
    ("stands, for is", r"\b(?:as (?:it|they) stands?|stands? (?:there|here|just before))\b"),
    ("not English", r"\b(?:tells? of|nobody.s business|of before|such as had|never a read|"
     r"right for all[,.:;]|answer otherwise|that that\b|(?:of|than) those that\b)"),
)]
ASKED = re.compile(r"\b(?:[Ss]ay|[Tt]ell|[Ss]how|[Ee]xplain|[Kk]now|[Aa]sk|[Ss]ee|[Dd]escrib)\w*\b[^.:;]*")
PLAIN = set(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split("\n", 1)[1].split())
ENDINGS = ("'s", ""), ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("d", ""), ("ing", ""), \
    ("ing", "e"), ("ly", ""), ("er", ""), ("est", ""), ("r", "")
LIMITS = (("README.md", "words", 1000), ("README.md", "lines", 120), ("SECURITY.md", "words", 500),
          ("CONTRIBUTING.md", "bytes", 6144), ("doc/*.md", "words", 21400))
TEXTS = ("*.md", "doc/*.md", "hosts/**/*.md", "src/*.h", "tool/findings/findings_*.c")


def markdown(lines):
    """Yields paragraphs of a page, as lists of (line, text): items and cells are one each."""
    code = script = False
    part = []
    for number, line in enumerate(lines, 1):
        fence = re.match(r"\s*(?:>\s*)?```", line)
        code ^= bool(fence)
        script = (script or " begin -->" in line) and " end -->" not in line
        if fence or code or script or line.startswith("<!--"):
            line = ""
        mark = re.match(r"\s*(?:[-*>]|\d+\.|#+)\s+|\||\s*$", line)
        if mark and part:
            yield part
            part = []
        if line.startswith("|"):
            yield from ([(number, cell)] for cell in re.split(r"(?<!\\)\|", line))
        else:
            part.append((number, line[mark.end():] if mark else line))
    yield part


def findings(lines):
    """Yields the strings of a list of findings, without examples."""
    text = re.sub(r"(?s)EXAMPLE\(.*?\) ?\}", lambda m: "\n" * m[0].count("\n"), "\n".join(lines))
    for string in re.finditer(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*', text):
        yield [(text.count("\n", 0, string.start()) + 1, re.sub(r'"\s*"', "", string[0])[1:-1])]


def manual(lines):
    """Yields the prose of the comment on top of a header, without code and the terms before tabs."""
    part = []
    for number, line in enumerate(lines, 1):
        prose = re.match(r" \*(?: {3}|\t\t+(?=\S))(.*)", line)
        if not prose or re.match(r" \*   \S.*\t", line):
            yield part
            part = []
        if prose:
            part.append((number, prose[1].split("\t")[-1]))
        if line.startswith(" */"):
            break


def sentences(part):
    """Yields (line, sentence) of a paragraph, with code as one word and links as their text."""
    text = " ".join(f"\1{number}\1{line.strip()}" for number, line in part)
    text = re.sub(r"`+(?:\x01\d+\x01|[^`])*?`+", "CODE", text)
    text = re.sub(r"!?\[([^]]*)\](?:\([^)]*\))?", r"\1", text).replace("**", "")
    text = re.sub(r"\b(e\.g|i\.e|etc|vs)\. ", r"\1 ", text)
    number = 0
    for sentence in re.split(r"(?<=[.!?])[)\"]*\s+(?=[\x01\"(A-Z0-9]|pmumap\b)", text):
        marks = re.findall("\1([0-9]+)\1", sentence)
        plain = " ".join(re.sub("\1[0-9]+\1", "", sentence).split())
        yield marks[0] if sentence.startswith("\1") else number, plain
        number = marks[-1] if marks else number


def plain(word):
    return word in PLAIN or any(plain(word[:-len(end)] + new) for end, new in ENDINGS
                                if word.endswith(end) and len(word) > len(end) + 2)


def strange(sentence):
    """Yields words that are not plain. Skips code, names, addresses and words with digits."""
    for word in re.findall(r"(?<![\w.$/:_'-])[a-z]+(?:'[a-z]+)?(?![\w/_('.-]*[\w/_(])", sentence):
        if not plain(word):
            yield f'not in words.txt: "{word}"'


def voice(name):
    """Yields what is wrong with the sentences of a file."""
    read = {".c": findings, ".h": manual}.get(Path(name).suffix, markdown)
    for part in read(Path(name).read_text(encoding="utf-8").split("\n")):
        for number, sentence in sentences(part):
            asked = ASKED.sub(lambda m: m[0].replace("what", "WHAT"), sentence)
            words = len(re.findall(r"\S*\w\S*", sentence))
            whys = [why for why, pattern in PATTERNS if pattern.search(asked)]
            for why in whys + list(strange(sentence)) + [f"{words} words, at most {WORDS}"] * (words > WORDS):
                yield f"{name}:{number}: {why}: {sentence}"


def limits():
    """Yields which texts are too long."""
    for name, unit, most in LIMITS:
        count = {"words": str.split, "lines": str.splitlines, "bytes": str.encode}[unit]
        total = sum(len(count(p.read_text(encoding="utf-8"))) for p in Path().glob(name)
                    if p.name not in ("api.md", "findings.md"))
        if total > most:
            yield f"{name}: {total} {unit}, at most {most}"


files = sys.argv[1:] or sorted(str(p) for text in TEXTS for p in Path().glob(text))
said = [line for name in files for line in voice(name)] + ([] if sys.argv[1:] else list(limits()))
print(*said, sep="\n", end="\n" if said else "")
sys.exit(bool(said))
