#!/usr/bin/env python3
"""Checks the pages: no line is too wide, no link or anchor leads nowhere, every file in docs/ can be reached from
docs/README.md, and nothing is marked as unfinished.

usage: docs_check.py [ROOT]          checks every .md file of the repository; says what is wrong, file and line
       docs_check.py --wrap FILE...  wraps the paragraphs and lists of these files; tables and code stay as they are
"""
import os
import re
import subprocess
import sys
import textwrap
import urllib.parse

WIDTH, TABLE_WIDTH = 120, 130
CONTENTS = "docs/README.md"
# Not held to the width: the list of changes.
WIDE = {"CHANGELOG.md"}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME)\b")
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)"  # [text](target "title"), and pictures
                  r"|^ {0,3}\[[^\]]+\]:\s*(\S+)"  # [name]: target
                  r"|(?:href|src)=\"([^\"]+)\"", re.M)
ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+")


def tracked(root):
    """The repository's files, as paths from its root: those git knows, or, where it will not say, those of the folder."""
    if os.path.exists(os.path.join(root, ".git")):
        git = ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(git, check=False, capture_output=True, text=True)
        if listed.returncode == 0:
            return [name for name in listed.stdout.splitlines() if os.path.exists(os.path.join(root, name))]
    found = []
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if not name.startswith((".", "build"))]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    return found


def without_code(lines):
    """The lines with code blocks and code spans blanked out: there nothing is a link or a heading."""
    fence, blank_before, kept = None, True, []
    for line in lines:
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence is not None:
            kept.append("")
            fence = None if mark and mark.group(1).startswith(fence) else fence
        elif mark:
            kept.append("")
            fence = mark.group(1)
        elif line.startswith("    ") and (blank_before or (kept and kept[-1] == "")) and not ITEM.match(line):
            kept.append("")
        else:
            kept.append(re.sub(r"(`+)(.+?)\1", lambda span: " " * len(span.group()), line))
        blank_before = not line.strip()
    return kept


def anchors(lines):
    """The anchors of a page's headings, as GitHub makes them."""
    found = {}
    bare = without_code(lines)
    for line, kept in zip(lines, bare):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading and kept:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count = found.get(slug, 0)
            found[slug] = count + 1
            if count:
                found[f"{slug}-{count}"] = 1
    return set(found)


def links(lines):
    """Every link of a page: the number of its line and its target."""
    text = "\n".join(without_code(lines))
    for link in LINK.finditer(text):
        yield text.count("\n", 0, link.start()) + 1, next(part for part in link.groups() if part)


class Check:
    """What is wrong with the pages of a repository."""

    def __init__(self, root):
        self.files = set(tracked(root))
        self.folders = {os.path.dirname(name) for name in self.files}
        self.pages = {}
        self.leads_to = {}
        self.wrong = []
        for name in sorted(name for name in self.files if name.endswith(".md")):
            with open(os.path.join(root, name), encoding="utf-8") as page:
                self.pages[name] = page.read().split("\n")

    def say(self, name, line, what):
        self.wrong.append(f"{name}:{line}: {what}")

    def lines(self, name):
        for number, line in enumerate(self.pages[name], 1):
            most = TABLE_WIDTH if line.startswith("|") else WIDTH
            if len(line) > most and name not in WIDE:
                self.say(name, number, f"expected at most {most} characters, found {len(line)}")
            if UNFINISHED.search(line):
                self.say(name, number, "expected a finished page")

    def targets(self, name):
        self.leads_to[name] = set()
        for number, target in links(self.pages[name]):
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if path not in self.files and path not in self.folders:
                self.say(name, number, f"{target}: no such file in the repository")
                continue
            self.leads_to[name].add(path)
            if anchor and path in self.pages and anchor not in anchors(self.pages[path]):
                self.say(name, number, f"{target}: no such heading")

    def reachable(self):
        seen, rest = set(), [CONTENTS]
        while rest:
            name = rest.pop()
            if name not in seen and name.startswith("docs/"):
                seen.add(name)
                rest += self.leads_to.get(name, [])
        for name in sorted(self.files - seen):
            if name.startswith("docs/"):
                self.say(name, 1, f"cannot be reached from {CONTENTS}")

    def run(self):
        for name in self.pages:
            self.lines(name)
            self.targets(name)
        self.reachable()
        for line in self.wrong:
            print(line)
        return not self.wrong


def wrap_block(block):
    """One paragraph or item, its first line's indentation and mark kept."""
    item = ITEM.match(block[0])
    first = item.group() if item else re.match(r"\s*", block[0]).group()
    text = " ".join([block[0][len(first):].strip()] + [line.strip() for line in block[1:]])
    text = re.sub(r"`[^`]+`", lambda span: span.group().replace(" ", "\0"), text)
    text = re.sub(r"(?<=\d) (?=\d{3}\b)", "\0", text)  # thousands
    text = re.sub(r" (?=([-*+#>|]|\d+[.)]) )", "\0", text)  # would begin an item at the start of a line
    wrapped = textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first),
                            break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in wrapped]


def wrap(text):
    out, block, fence = [], [], None

    def flush():
        if block:
            out.extend(wrap_block(block))
            block.clear()

    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        code = line.startswith("    ") and not block and not ITEM.match(line)
        if fence is not None or mark or code or not line.strip() or re.match(r"\s*(\||#|<|>|!\[)", line):
            flush()
            out.append(line)
            if mark:
                fence = None if fence is not None and mark.group(1).startswith(fence) else fence or mark.group(1)
        else:
            if ITEM.match(line):
                flush()
            block.append(line)
    flush()
    return "\n".join(out)


def main(arguments):
    if arguments[:1] == ["--wrap"]:
        for name in arguments[1:]:
            with open(name, encoding="utf-8") as page:
                text = wrap(page.read())
            with open(name, "w", encoding="utf-8") as page:
                page.write(text)
        return 0
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    return 0 if Check(root).run() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
