#!/usr/bin/env python3
"""The characters of the page's texts, and those that boards and numbers need, as a list for the font's subsetting.

usage: web_characters.py FILE...
"""
import sys

ALWAYS = set(map(chr, range(0x20, 0x7F))) | set("\u00a0αβ−∞≥≤±×½–—…·•←→↑↓✓’“”„‚€°ÄÖÜäöüßéèàçñ")

texts = "".join(open(name, encoding="utf-8").read() for name in sys.argv[1:])
print(",".join(f"{ord(each):04X}" for each in sorted(ALWAYS | {each for each in texts if each >= " "})))
