#!/usr/bin/env python3
"""Puts a page together: web_page.py TEMPLATE POLICY HEAD NAME=FILE...   to standard output.

Every @NAME@ of the template becomes the file's content; @POLICY@ and @HEAD@ are the arguments, @MARK@ the mark as part
of an address, and what nothing is given for is left empty."""
import re
import sys
import urllib.parse


def main() -> None:
    template, policy, head, *pairs = sys.argv[1:]
    files = dict(pair.split("=", 1) for pair in pairs)

    def part(match: re.Match[str]) -> str:
        name = match.group(1)
        if name == "POLICY":
            return policy
        if name == "HEAD":
            return head
        if name == "MARK":
            with open("web/mark.svg", encoding="utf-8") as mark:
                return urllib.parse.quote(mark.read().strip(), safe=" ='/:")
        if name not in files:
            return ""
        with open(files[name], encoding="utf-8") as file:
            return file.read()

    with open(template, encoding="utf-8") as page:
        text = re.sub("@(POLICY|HEAD|STYLE|MODULE|PUZZLES|WORKER|PAGE|MARK)@", part, page.read())
    sys.stdout.buffer.write(text.encode())


if __name__ == "__main__":
    main()
