"""Writes a class as classes are: three courses, programs in every language, in the shapes in which they are handed in.

make.py FOLDER makes FOLDER/stake, sneak and laser with submissions/ and cases/, and expected.csv: for each submission
its verdict, how many cases pass, the file that is its program and what runs it ("" where that does not matter)."""
import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

root = sys.argv[1]
expected = []
course = ""


def put(path, text, mode=0o644):
    path = os.path.join(root, course, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(path, mode)


def hand_in(name, files, passed, file="", by="", verdict="judged", problem=""):
    """A submission: a folder of files, or one file; what must come of it."""
    if isinstance(files, dict):
        for path, text in files.items():
            put("submissions/%s/%s" % (name, path), text, 0o755 if path.endswith((".sh", "run")) else 0o644)
    else:
        put("submissions/" + name, files)
        name = name[:-4] if name.endswith(".zip") else name
    expected.append([course, name, verdict, passed, file, by, problem])


def zipped(files):
    bytes_ = io.BytesIO()
    with zipfile.ZipFile(bytes_, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return bytes_.getvalue()


def case(name, **files):
    for file, text in files.items():
        put("cases/%s/%s.txt" % (name, file), text)


# -- Stake-Raid: the programs --

RULES = '''
def near(n, q):
    r, c = q // n, q % n
    return [k for k, fits in ((q - n, r > 0), (q + n, r < n - 1), (q - 1, c > 0), (q + 1, c < n - 1)) if fits]

def play(n, s, q, me, raid):
    t = list(s)
    t[q] = me
    for k in near(n, q) if raid else []:
        if t[k] not in ('.', me):
            t[k] = me
    return t

def moves(n, s, me):
    empty = [q for q in range(n * n) if s[q] == '.']
    return [(q, False) for q in empty] + [(q, True) for q in empty if [k for k in near(n, q) if s[k] == me]]

def value(n, v, s, me, turn, depth):
    if depth == 0 or '.' not in s:
        return sum([v[q] if s[q] == me else -v[q] for q in range(n * n) if s[q] != '.'])
    other = 'O' if turn == 'X' else 'X'
    all = [value(n, v, play(n, s, q, turn, raid), me, other, depth - 1) for q, raid in moves(n, s, turn)]
    return max(all) if turn == me else min(all)

def answer(text):
    w = text.split()
    n, me, depth = int(w[0]), w[2], int(w[3]) if w[1] in ('MINIMAX', 'ALPHABETA') else 2
    v = [int(x) for x in w[4:4 + n * n]]
    s = list(''.join(w[4 + n * n:]))
    other = 'O' if me == 'X' else 'X'
    best = None
    for q, raid in moves(n, s, me):
        worth = value(n, v, play(n, s, q, me, raid), me, other, depth - 1)
        if best is None or worth > best[0]:
            best = (worth, q, raid)
    t = play(n, s, best[1], me, best[2])
    head = '%s%d %s' % (chr(65 + best[1] % n), best[1] // n + 1, 'Raid' if best[2] else 'Stake')
    return head + '\\n' + ''.join([''.join(t[r * n:r * n + n]) + '\\n' for r in range(n)])
'''
MAIN = '''
def main():
    result = answer(open('input.txt').read())
    out = open('output.txt', 'w')
    out.write(result)
    out.close()

if __name__ == '__main__':
    main()
'''
PY = RULES + MAIN                                               # either Python
PY3 = PY.replace("    out.write(result)", "    print(f'{result}', end='', file=out)")
PY2 = PY.replace("    out.close()", "    out.close()\n    print 'done'")
WRONG = PY.replace("worth > best[0]", "worth < best[0]")
OTHER = "words = open('input.txt').read().split()\nopen('output.txt', 'w').write('BFS ' + words[0])\n"

JAVA = '''
import java.io.*; import java.nio.file.*; import java.util.*;
public class homework {
    static int n; static int[] v;
    static boolean near(int a, int b) { return Math.abs(a / n - b / n) + Math.abs(a % n - b % n) == 1; }
    static char[] play(char[] s, int q, char me, boolean raid) {
        char[] t = s.clone(); t[q] = me;
        for (int k = 0; raid && k < n * n; k++) if (near(k, q) && t[k] != '.' && t[k] != me) t[k] = me;
        return t;
    }
    static boolean can(char[] s, int q, char me, boolean raid) {
        if (s[q] != '.') return false;
        boolean any = !raid;
        for (int k = 0; k < n * n; k++) any = any || (near(k, q) && s[k] == me);
        return any;
    }
    static int value(char[] s, char me, char turn, int depth) {
        if (depth == 0 || new String(s).indexOf('.') < 0) {
            int sum = 0;
            for (int q = 0; q < n * n; q++) sum += s[q] == '.' ? 0 : s[q] == me ? v[q] : -v[q];
            return sum;
        }
        int best = turn == me ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        for (int m = 0; m < 2 * n * n; m++) if (can(s, m % (n * n), turn, m >= n * n)) {
            int worth = value(play(s, m % (n * n), turn, m >= n * n), me, turn == 'X' ? 'O' : 'X', depth - 1);
            best = turn == me ? Math.max(best, worth) : Math.min(best, worth);
        }
        return best;
    }
    public static void main(String[] args) throws IOException {
        Scanner in = new Scanner(new File("input.txt"));
        n = in.nextInt(); String mode = in.next(); char me = in.next().charAt(0);
        int depth = mode.equals("COMPETITION") ? 2 : Integer.parseInt(in.next());
        if (mode.equals("COMPETITION")) in.next();
        v = new int[n * n]; StringBuilder board = new StringBuilder();
        for (int i = 0; i < n * n; i++) v[i] = in.nextInt();
        for (int i = 0; i < n; i++) board.append(in.next());
        char[] s = board.toString().toCharArray();
        int best = -1, most = 0;
        for (int m = 0; m < 2 * n * n; m++) if (can(s, m % (n * n), me, m >= n * n)) {
            int worth = value(play(s, m % (n * n), me, m >= n * n), me, me == 'X' ? 'O' : 'X', depth - 1);
            if (best < 0 || worth > most) { best = m; most = worth; }
        }
        int q = best % (n * n); char[] t = play(s, q, me, best >= n * n);
        PrintWriter out = new PrintWriter("output.txt");
        out.println((char) ('A' + q % n) + "" + (q / n + 1) + (best >= n * n ? " Raid" : " Stake"));
        for (int r = 0; r < n; r++) out.println(new String(t, r * n, n));
        out.close();
    }
}
'''
C = '''
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "board.h"
static int n, v[700];
static int near(int a, int b) { return abs(a / n - b / n) + abs(a % n - b % n) == 1; }
static void play(const char *s, char *t, int q, char me, int raid) {
    memcpy(t, s, 700); t[q] = me;
    for (int k = 0; raid && k < n * n; k++) if (near(k, q) && t[k] != '.' && t[k] != me) t[k] = me;
}
static int can(const char *s, int q, char me, int raid) {
    int any = !raid;
    if (s[q] != '.') return 0;
    for (int k = 0; k < n * n; k++) any = any || (near(k, q) && s[k] == me);
    return any;
}
static int value(const char *s, char me, char turn, int depth) {
    char t[700];
    if (depth == 0 || !memchr(s, '.', n * n)) {
        int sum = 0;
        for (int q = 0; q < n * n; q++) sum += s[q] == '.' ? 0 : s[q] == me ? v[q] : -v[q];
        return sum;
    }
    int best = turn == me ? -1000000 : 1000000;
    for (int m = 0; m < 2 * n * n; m++) if (can(s, m % (n * n), turn, m >= n * n)) {
        play(s, t, m % (n * n), turn, m >= n * n);
        int worth = value(t, me, OTHER(turn), depth - 1);
        best = turn == me ? (worth > best ? worth : best) : (worth < best ? worth : best);
    }
    return best;
}
int main(void) {
    char mode[40], me[4], s[700] = "", t[700];
    int depth, best = -1, most = 0;
    FILE *in = fopen("input.txt", "r");
    if (!in || fscanf(in, "%d %39s %3s %d", &n, mode, me, &depth) != 4) return 1;
    depth = strcmp(mode, "COMPETITION") == 0 ? 2 : depth;
    for (int i = 0; i < n * n; i++) if (fscanf(in, "%d", &v[i]) != 1) return 1;
    for (int i = 0; i < n; i++) if (fscanf(in, "%99s", s + i * n) != 1) return 1;
    for (int m = 0; m < 2 * n * n; m++) if (can(s, m % (n * n), me[0], m >= n * n)) {
        play(s, t, m % (n * n), me[0], m >= n * n);
        int worth = value(t, me[0], OTHER(me[0]), depth - 1);
        if (best < 0 || worth > most) { best = m; most = worth; }
    }
    int q = best % (n * n);
    FILE *out = fopen("output.txt", "w");
    play(s, t, q, me[0], best >= n * n);
    fprintf(out, "%c%d %s\\n", 'A' + q % n, q / n + 1, best >= n * n ? "Raid" : "Stake");
    for (int r = 0; r < n; r++) fprintf(out, "%.*s\\n", n, t + r * n);
    return 0;
}
'''
HEADER = "#define OTHER(x) ((x) == 'X' ? 'O' : 'X')\n"
ALONE = C.replace('#include "board.h"\n', HEADER)
PERL = '''
use strict;
open(my $in, '<', 'input.txt'); my @w = split ' ', join('', <$in>); my $n = $w[0]; my $me = $w[2];
my @v = @w[4 .. 3 + $n * $n]; my $s = join('', @w[4 + $n * $n .. $#w]);
open(my $out, '>', 'output.txt'); print $out "A1 Stake\\n"; substr($s, 0, 1) = $me;
print $out substr($s, $_ * $n, $n), "\\n" for 0 .. $n - 1;
'''
NODE = '''
const fs = require('fs'); const w = fs.readFileSync('input.txt', 'utf8').split(/\\s+/); const n = +w[0];
let s = w.slice(4 + n * n).join('').split(''); s[0] = w[2];
let out = 'A1 Stake\\n'; for (let r = 0; r < n; r++) out += s.slice(r * n, r * n + n).join('') + '\\n';
fs.writeFileSync('output.txt', out);
'''

course = "stake"
# The answers are found by hand, but for the third: sortie's own is the one to agree with.
case("1", input="2\nMINIMAX\nX\n1\n9 1\n2 5\n..\n.O\n", output="A1 Stake\nX.\n.O\n")
case("2", input="2\nALPHABETA\nO\n1\n9 3\n4 5\n..\n..\n", output="A1 Stake\nO.\n..\n")
case("3", input="3\nMINIMAX\nX\n2\n1 8 1\n9 2 1\n1 1 1\n.O.\n...\nX..\n")
case("4", input="3\nMINIMAX\nX\n1\n1 2 3\n4 5 6\n7 8 9\n...\n.OX\n...\n", output="C3 Stake\n...\n.OX\n..X\n")

P2, P3 = "Python 2", "Python 3"
hand_in("py3", {"homework.py": PY3, "input.txt": "x", "README.md": "hello"}, 4, "homework.py", P3)
hand_in("py3-either", {"homework.py": PY}, 4, "homework.py", P3)
hand_in("alone.py", PY3, 4, "alone.py", P3)
hand_in("py3-bom", {"homework.py": b"\xef\xbb\xbf" + PY3.encode()}, 4, "homework.py", P3)
hand_in("py3-crlf", {"homework.py": PY3.replace("\n", "\r\n")}, 4, "homework.py", P3)
hand_in("py3-modules", {"hw2.py": "from rules import *\n" + MAIN, "rules.py": RULES}, 4, "hw2.py", P3)
hand_in("py3-package", {"start.py": "import game.engine\ngame.engine.main()\n", "game/__init__.py": "",
                        "game/engine.py": RULES + MAIN.split("if __name__")[0]}, 4, "start.py", P3)
hand_in("py3-unused-py2", {"homework.py": PY3, "plot.py": "print 'never imported'\n"}, 4, "homework.py", P3)
hand_in("py3-venv", {"hw2.py": PY3, "venv/lib/python3.8/site-packages/foo/main.py": OTHER,
                     "venv/bin/homework.py": OTHER}, 4, "hw2.py", P3)
hand_in("py3-env", {"hw2.py": PY3, "env/pyvenv.cfg": "home = /usr/bin\n", "env/Scripts/main.py": OTHER}, 4,
        "hw2.py", P3)
hand_in("py3-litter", {"hw2.py": PY3, "__MACOSX/._hw2.py": b"\0\5\x16\7", "__MACOSX/homework.py": OTHER,
                       ".git/homework.py": OTHER, ".idea/main.py": OTHER, "node_modules/a/main.js": NODE,
                       "__pycache__/main.py": OTHER, "hw2.pyc": b"\3\xf3"}, 4, "hw2.py", P3)
hand_in("py3-competition", {"homework.py": PY3,
                            "competition/homework.java": JAVA.replace("worth > most", "worth < most"),
                            "competition/calibrate.java": "class calibrate { public static void main(String[] a) {} }"},
        4, "homework.py", P3)
hand_in("py3-competition-c", {"homework.py": PY3, "competition/decision.cpp": ALONE.replace("> most", "< most"),
                              "competition/Makefile": "all:\n\tg++ decision.cpp\n"}, 4, "homework.py", P3)
hand_in("py3-old", {"homework.py": PY3, "old/homework.py": WRONG, "homework_old.py": WRONG, "homework copy.py": WRONG},
        4, "homework.py", P3)
hand_in("py3-tests", {"homework.py": PY3, "tests/test_homework.py": "import homework\n" + OTHER,
                      "run_tests.py": "import homework\nhomework.main()\n"}, 4, "homework.py", P3)
hand_in("py3-tools", {"homework.py": PY3, "judge.py": OTHER + "m = 'MINIMAX'\n", "generate.py": OTHER,
                      "play.py": "import homework\nhomework.main()\n"}, 4, "homework.py", P3)
hand_in("py3-homeworks", {"hw1.py": OTHER, "hw2.py": PY3, "hw3.py": OTHER.replace("BFS", "ASK")}, 4, "hw2.py", P3)
hand_in("py3-folders", {"HW1/hw1.py": OTHER, "HW2/hw2.py": PY3, "HW3/hw3.py": OTHER}, 4, "HW2/hw2.py", P3)
hand_in("py3-either-of-two", {"first.py": WRONG, "second.py": PY3}, 4, "second.py", P3)
hand_in("py3-wish", {"first.py": PY3, "second.py": WRONG, "sortie.txt": "main: first.py\n"}, 4, "first.py", P3)
hand_in("py3-version", {"homework.py": PY, ".python-version": "3\n"}, 4, "homework.py", P3)
hand_in("py3.zip", zipped({"ann_hw2/homework.py": PY3, "__MACOSX/ann_hw2/._homework.py": "x"}), 4, "homework.py", P3)
hand_in("py2-print", {"homework.py": PY2}, 4, "homework.py", P2)
hand_in("py2-tabs", {"homework.py": PY.replace("def main():\n    result", "def main():\n\tresult").replace(
    "    out = open('output.txt', 'w')", "        out = open('output.txt', 'w')").replace(
    "    out.write", "        out.write").replace("    out.close", "        out.close")}, 4, "homework.py", P2)
hand_in("py2-quotient", {"homework.py": PY.replace("q // n", "q / n").replace("best[1] // n", "best[1] / n").replace(
    "range(n * n)", "range(n * n / 1)")}, 4, "homework.py", P2)
hand_in("py2-xrange", {"homework.py": PY.replace("range(", "xrange(")}, 4, "homework.py", P2)
hand_in("py2-queue", {"homework.py": "import Queue\n" + PY}, 4, "homework.py", P2)
hand_in("py2-except", {"homework.py": PY.replace(
    "    out.close()", "    try:\n        out.close()\n    except IOError, e:\n        raise")}, 4, "homework.py", P2)
hand_in("py2-module", {"homework.py": "from rules import *\n" + MAIN, "rules.py": RULES + "\nif 0: print 'x'\n"},
        4, "homework.py", P2)
hand_in("py2-first-line", {"homework.py": "#!/usr/bin/env python2\n" + PY}, 4, "homework.py", P2)
hand_in("java", {"homework.java": JAVA}, 4, "homework.java", "javac")
hand_in("java-package", {"README": "x", "src/ai/war/homework.java": "package ai.war;" + JAVA}, 4,
        "src/ai/war/homework.java", "javac")
hand_in("java-other-class", {"Solution.java": JAVA.replace("public class homework", "class Raider")}, 4,
        "Solution.java", "javac")
hand_in("java-helpers", {"homework.java": JAVA.replace("Math.max(", "Tools.most("),
                         "Extra.java": "class Tools { static int most(int a, int b) { return a > b ? a : b; } }"},
        4, "homework.java", "javac")
hand_in("java-two-projects", {"homework.java": JAVA, "old/homework.java": JAVA, "old/Broken.java": "class Broken {"},
        4, "homework.java", "javac")
hand_in("java-mains", {"homework.java": JAVA, "TestBoard.java":
                       "class TestBoard { public static void main(String[] a) { homework.main(a); } }"},
        4, "homework.java", "javac")
hand_in("java-latin", {"homework.java": ("// caf\u00e9\n" + JAVA).encode("latin-1")}, 4, "homework.java", "javac")
hand_in("c", {"homework.c": C, "board.h": HEADER}, 4, "homework.c", "gcc")
hand_in("c-files", {"main.c": C.replace("static int near(int a, int b) {",
                                        "int absolute(int);\nstatic int near(int a, int b) {")
                    .replace("abs(a / n", "absolute(a / n"), "board.h": HEADER,
                    "board.c": "int absolute(int x) { return x < 0 ? -x : x; }\n"}, 4, "main.c", "gcc")
hand_in("cpp", {"homework.cpp": ALONE}, 4, "homework.cpp", "g++")
# What compiled in the year of the course: names that std:: has since, headers that came along, variables in headers.
hand_in("cpp-names", {"homework.cpp": "#include <algorithm>\n#include <vector>\nusing namespace std;\nint size, data[2];\n"
                      "int use() { return size + data[0]; }\n" + ALONE}, 4, "homework.cpp", "g++")
hand_in("cpp-headers", {"homework.cpp": "#include <iostream>\n#include <vector>\nusing namespace std;\n"
                        "int root() { return (int)sqrt(INT_MAX); }\n" + ALONE}, 4, "homework.cpp", "g++")
hand_in("cpp-make", {"homework.cpp": "#include <vector>\nusing namespace std;\nint size;\nint use() { return size; }\n" + ALONE,
                     "Makefile": "all:\n\tg++ -O2 -o agent homework.cpp\n"}, 4, "homework.cpp", "g++")
hand_in("c-header", {"main.c": C.replace("int main(void) {", "int more(void);\nint main(void) {\n    shared = more();"),
                     "board.h": HEADER + "int shared;\n",
                     "more.c": '#include "board.h"\nint more(void) { return shared; }\n'}, 4, "main.c", "gcc")
hand_in("java-8", {"homework.java": "import javax.jws.soap.SOAPBinding;\n" + JAVA}, 4, "homework.java", "javac")
if not os.path.exists("/usr/share/openjfx"):
    hand_in("java-fx", {"homework.java": "import javafx.util.Pair;\n" + JAVA}, 0, "homework.java", "javac", "machine",
            "needs JavaFX")
hand_in("java-printed", {"homework.java": """import java.io.*;
public class homework {
    static void read(int n) throws IOException { if (n == 0) new FileReader("G:/input.txt").read(); else read(n - 1); }
    public static void main(String[] a) { try { read(60); } catch (IOException e) { e.printStackTrace(); } }
}
"""}, 0, "homework.java", "javac", problem="java.io.FileNotFoundException: G:/input.txt")
hand_in("cpp-windows", {"homework.cpp": "#include <windows.h>\n" + ALONE}, 0, "homework.cpp", "g++", "machine",
        "written for Windows")
if shutil.which("javac"):
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/Tools.java", "w") as file:
            file.write("public class Tools { public static int most(int a, int b) { return a > b ? a : b; } }\n")
        subprocess.run(["javac", "-d", folder, folder + "/Tools.java"], check=True)
        with open(folder + "/Tools.class", "rb") as file:
            hand_in("java-library", {"homework.java": JAVA.replace("Math.max(", "Tools.most("),
                                     "lib/tools.jar": zipped({"Tools.class": file.read()})}, 4, "homework.java", "javac")
hand_in("cpp-junk", {"homework.cpp": ALONE, "draft.cpp": "this is no C++\n", "more/notes.cc": "nor this\n"}, 4,
        "homework.cpp", "g++")
hand_in("cpp-mains", {"homework.cpp": ALONE, "test.cpp": "int main() { return 3; }\n"}, 4, "homework.cpp", "g++")
hand_in("make", {"Makefile": "agent: main.c\n\tgcc -o agent main.c\n", "main.c": ALONE}, 4, "agent", "")
hand_in("make-broken", {"Makefile": "all:\n\tcc -o x missing.c\n", "homework.cpp": ALONE}, 4, "homework.cpp", "g++")
hand_in("run", {"run.sh": "python3 \"$(dirname \"$0\")/code/x.py\"\n",
                "code/x.py": PY3}, 4, "run.sh", "")
hand_in("perl", {"homework.pl": PERL}, 2, "homework.pl", "perl")
hand_in("node", {"homework.js": NODE}, 2, "homework.js", "node")
# What a browser, another system or an editor has called it.
hand_in("java-copy", {"homework (1).java": JAVA.replace("Math.max(", "Tools.most("),
                      "Tools-2.java": "public class Tools { static int most(int a, int b) { return a > b ? a : b; } }"},
        4, "homework (1).java", "javac")
hand_in("java-letters", {"src/homework.java": JAVA.replace("public class homework", "public class Homework")}, 4,
        "homework.java", "javac")
hand_in("cpp-include", {"hw2/src/main.cpp": '#include "board.h"\n' + ALONE.replace(HEADER, ""),
                        "hw2/include/board.h": HEADER, "notes.txt": "x"}, 4, "hw2/src/main.cpp", "g++")
# Made by somebody else's compiler, and older than the sources whatever the archive says.
hand_in("make-stale", {"Makefile": "agent: main.o\n\tgcc -o agent main.o\nmain.o: main.c\n\tgcc -c main.c\n", "main.c": ALONE,
                       "agent": b"\x7fELF of another machine", "main.o": b"\xcf\xfa\xed\xfe of another machine",
                       "plot.py": OTHER}, 4, "agent", "")
# The sources lie in an archive, and something else beside it.
hand_in("report-and-zip", {"hw2.zip": zipped({"homework.py": PY3}), "report.pdf": b"%PDF-1.4"}, 4, "homework.py", P3)
hand_in("report-in-zip.zip", zipped({"Ann/code.zip": zipped({"hw2.zip": zipped({"homework.py": PY3})}),
                                     "Ann/README.txt": "my code"}), 4, "homework.py", P3)
hand_in("zip-of-tests", {"homework.py": PY3, "tests.zip": zipped({"homework.py": WRONG})}, 4, "homework.py", P3)
hand_in("zip-broken", {"hw2.zip": b"PK\3\4 and no more", "homework.zip": zipped({"homework.py": PY3})}, 4,
        "homework/homework.py", P3)
# Programs that are at home where their files are, as a course's machine runs them; an answer they brought is none.
hand_in("home-file", {"homework.py": "scale = float(open('calibration.txt').read())\n" + PY3, "calibration.txt": "1.5\n"}, 4,
        "homework.py", P3)
hand_in("home-below", {"src/homework.py": "open('data/weights.txt').close()\n" + PY3, "src/data/weights.txt": "1.5\n",
                       "README": "x"}, 4, "src/homework.py", P3)
hand_in("home-itself", {"homework.py": "import os\nos.chdir(os.path.dirname(os.path.abspath(__file__)))\n" + PY3}, 4,
        "homework.py", P3)
hand_in("home-run", {"run.sh": "python3 code/x.py\n", "code/x.py": PY3}, 4, "run.sh", "")
hand_in("home-c", {"homework.c": ALONE.replace("    int depth, best", "    if (!fopen(\"book.txt\", \"r\")) return 7;\n    int depth, best"),
                   "book.txt": "x"}, 4, "homework.c", "gcc")
hand_in("home-answer", {"homework.py": "import sys\nsys.exit(3)\n", "output.txt": "A1 Stake\nX.\n.O\n"}, 0, "homework.py", "",
        problem="no output.txt was written")
hand_in("c-fallen", {"homework.c": ALONE.replace("    return 0;\n}\n", "    fclose(out);\n    abort();\n}\n")}, 4, "homework.c", "gcc")
hand_in("c-fallen-early", {"homework.c": ALONE.replace("    return 0;\n}\n", "    abort();\n}\n")}, 0, "homework.c", "gcc",
        problem="killed by signal 6")
# Whose fault it is.
hand_in("wrong", {"homework.py": WRONG.replace("head = ", "head = 'x' + ")}, 0, "homework.py", "")
hand_in("wrong-name", {"homework.py": PY.replace("output.txt", "Output.txt")}, 0, "homework.py", "",
        problem="no output.txt was written, but Output.txt was")
hand_in("java-crash", {"homework.java": JAVA.replace("in.next().charAt(0)", "in.next().charAt(99)")}, 0,
        "homework.java", "javac", problem="StringIndexOutOfBoundsException")
hand_in("c-broken", {"homework.c": ALONE.replace("int depth, best", "int deepth, best")}, 0, "homework.c", "gcc",
        problem="homework.c:.*error: .*depth.* undeclared")
hand_in("py-broken", {"homework.py": "def answer(:\n" + PY}, 0, "homework.py", "", problem="SyntaxError")
hand_in("py-forgotten", {"homework.py": "import myrules\n" + PY}, 0, "homework.py", "",
        problem="No module named .?myrules")
hand_in("py-module", {"homework.py": "import bitarray\n" + PY3}, 0, "homework.py", P3, "machine",
        "apt-get install python3-bitarray")
hand_in("nothing", {"README.txt": "I will hand it in tomorrow\n"}, 0, problem="no program found")
hand_in("which-unread", {"first.py": "text = open('input.txt')\nopen('G:/Homework 2/output.txt', 'w')\n",
                         "second.py": "open('input.txt')\nopen('output.txt', 'w')\ndef play(:\n",
                         "third.py": "open('input.txt')\nopen('output.txt', 'w')\nprint 'old'\ndef play(:\n"}, 0, "first.py", P3,
        problem="G:/Homework 2/output.txt")
hand_in("which", {"one.py": OTHER, "two.py": OTHER.replace("BFS", "DFS")}, 0, verdict="question",
        problem="which is the program")
hand_in("excused", {"homework.py": WRONG}, 0, verdict="excused")
hand_in("named", {"one.py": PY3, "two.py": PY3, "lib/strange.py": WRONG.replace("head = ", "head = 'x' + ")}, 0,
        "lib/strange.py", "")
hand_in("commanded", {"code/program.txt": PY3}, 4, "", "")
put("cases/overrides.csv", "submission,main,python,command,excused\nexcused,,,,yes\nnamed,lib/strange.py,,,\n"
    "commanded,,,python3 code/program.txt,no\n")

# -- Sneak-Raid: the greedy move --

course = "sneak"
GREEDY = '''
import sys

def near(q):
    r, c = q // 5, q % 5
    return [k for k, fits in ((q - 5, r > 0), (q + 5, r < 4), (q - 1, c > 0), (q + 1, c < 4)) if fits]

def greedy(text):
    w = text.split()
    me, v, s = w[1], [int(x) for x in w[3:28]], list(''.join(w[28:33]))
    best = None
    for q in [q for q in range(25) if s[q] == '*']:
        t = s[:]
        t[q] = me
        if [k for k in near(q) if s[k] == me]:
            t = [me if k in near(q) and t[k] != '*' else t[k] for k in range(25)]
        worth = sum([v[k] if t[k] == me else -v[k] for k in range(25) if t[k] != '*'])
        if best is None or worth > best[0]:
            best = (worth, t)
    return ''.join([''.join(best[1][r * 5:r * 5 + 5]) + '\\n' for r in range(5)])
'''
CALL = '''
open('next_state.txt', 'w').write(greedy(open(FILE).read()))
log = 'traverse_log.txt'
'''
SNEAK = GREEDY + CALL.replace("FILE", "sys.argv[2]")
SNEAK2 = SNEAK + "print 'done'\n"
SNEAK_WRONG = SNEAK.replace("worth >", "worth <")
SNEAK_C = '''
#include <stdio.h>
#include <string.h>
int near(int a, int b) { int r = a / 5 - b / 5, c = a % 5 - b % 5; return r * r + c * c == 1; }
int main(int argc, char **argv) {
    int task, depth, v[25], best = 0, any = 0; char me[4], s[32] = "", t[32], found[32] = "";
    FILE *in = fopen(argv[argc - 1], "r"); FILE *out;
    if (!in || fscanf(in, "%d %3s %d", &task, me, &depth) != 3) return 1;
    for (int i = 0; i < 25; i++) if (fscanf(in, "%d", &v[i]) != 1) return 1;
    for (int i = 0; i < 5; i++) if (fscanf(in, "%5s", s + 5 * i) != 1) return 1;
    for (int q = 0; q < 25; q++) if (s[q] == '*') {
        int raid = 0, worth = 0;
        memcpy(t, s, sizeof t); t[q] = me[0];
        for (int k = 0; k < 25; k++) raid = raid || (near(k, q) && s[k] == me[0]);
        for (int k = 0; raid && k < 25; k++) if (near(k, q) && t[k] != '*') t[k] = me[0];
        for (int k = 0; k < 25; k++) worth += t[k] == '*' ? 0 : t[k] == me[0] ? v[k] : -v[k];
        if (!any || worth > best) { any = 1; best = worth; memcpy(found, t, sizeof t); }
    }
    out = fopen("next_state.txt", "w");
    for (int r = 0; r < 5; r++) fprintf(out, "%.5s\\n", found + 5 * r);
    return 0;
}
'''
grid = "20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n"
case("1", input=("1\nX\n2\n" + grid + "**X**\n**XO*\n*OOX*\n**OO*\n*****\n").replace("\n", "\r\n"))
case("2", input="1\nO\n1\n" + grid + "*****\n*****\n*****\n*****\n*****\n",
     next_state="*****\n*****\n*O***\n*****\n*****\n")
hand_in("py2", {"hw1cs561s16.py": SNEAK2, "README.md": "x"}, 2, "hw1cs561s16.py", P2)
hand_in("py3", {"hw1cs561s16.py": SNEAK + "print(f'{log}')\n"}, 2, "hw1cs561s16.py", P3)
hand_in("homeworks", {"hw1cs561s16.py": SNEAK2,
                      "hw2cs561s16.py": "import sys\nopen('output.txt', 'w').write(open(sys.argv[2])"
                      ".read())\n", "hw3cs561s16.py": OTHER}, 2, "hw1cs561s16.py", P2)
hand_in("folders", {"Backward Chaining/hw2cs561s16.py": OTHER, "Search/hw1cs561s16.py": SNEAK2,
                    "Search/HW1_samples/1/next_state.txt": "x"}, 2, "Search/hw1cs561s16.py", P2)
hand_in("backup", {"hw1cs561s16.py": SNEAK2, "backup.py": SNEAK_WRONG, "working_copy.py": SNEAK_WRONG}, 2,
        "hw1cs561s16.py", P2)
hand_in("options", {"agent.py": GREEDY + "from optparse import OptionParser\n"
                    "p = OptionParser()\np.add_option('-i', dest='i')\n"
                    + CALL.replace("FILE", "p.parse_args()[0].i")}, 2, "agent.py", P3)
hand_in("parts", {"hw1cs561s16.py": "import sys\nfrom search import greedy\n" + CALL.replace("FILE", "sys.argv[2]"),
                  "search.py": GREEDY, "minimax.py": SNEAK_WRONG}, 2, "hw1cs561s16.py", P3)
hand_in("c", {"hw1.c": SNEAK_C}, 2, "hw1.c", "gcc")
hand_in("cpp", {"main.cpp": SNEAK_C, "test/main.cpp": "int main() { return 1; }\n"}, 2, "main.cpp", "g++")
hand_in("reads-nothing", {"hw1cs561s16.py": SNEAK.replace("sys.argv[2]", "'C:\\\\Users\\\\me\\\\input.txt'")}, 0,
        "hw1cs561s16.py", "", problem="No such file")

# -- Laser Checkmate: the first legal square --

course = "laser"
FIRST = '''
w = open('input.txt').read().split()
n, b = int(w[0]), w[1:]
ways = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
lit = set()
for r in range(n):
    for c in range(n):
        if b[r][c] in '12':
            lit.add((r, c))
            for i, j in ways:
                for k in (1, 2, 3):
                    y, x = r + i * k, c + j * k
                    if not (0 <= y < n and 0 <= x < n) or b[y][x] == '3':
                        break
                    lit.add((y, x))
free = [(r, c) for r in range(n) for c in range(n) if b[r][c] == '0' and (r, c) not in lit]
open('output.txt', 'w').write('%d %d' % free[0])
'''
case("1", input="4\r\n1000\r\n0000\r\n0000\r\n0000\r\n", values="1 2 1\n1 3 0\n")
case("2", input="3\n333\n303\n333")
hand_in("py3", {"hw1cs561s2019.py": FIRST + "print(f'{n}')\n"}, 2, "hw1cs561s2019.py", P3)
hand_in("py2", {"hw1cs561s2019.py": FIRST + "print n\n"}, 2, "hw1cs561s2019.py", P2)
hand_in("name", {"Laser-Checkmate.py": FIRST}, 2, "Laser-Checkmate.py", P3)
hand_in("homeworks", {"hw2cs561s2019.py": OTHER, "hw1cs561s2019.py": FIRST, "hw3cs561s2019.py": OTHER}, 2,
        "hw1cs561s2019.py", P3)
hand_in("environment", {"hw1cs561s2019.py": FIRST, "bin/activate_this.py": "x = 1\n",
                        "lib/python2.7/site-packages/pip/__main__.py": OTHER}, 2, "hw1cs561s2019.py", P3)
hand_in("wrong-input", {"hw1cs561s2019.py": FIRST.replace("input.txt", "input0.txt")}, 0, "hw1cs561s2019.py", "",
        problem="No such file or directory: 'input0.txt'")

with open(os.path.join(root, "expected.csv"), "w", newline="") as file:
    csv.writer(file).writerows([["course", "submission", "verdict", "passed", "file", "by", "problem"]] + expected)
