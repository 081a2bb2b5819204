# Written for Python 2.
import sys

try:
    lines = open("input.txt").read().split("\n")
except IOError, problem:
    print >>sys.stderr, problem
print "the board has", lines[0], "rows"
