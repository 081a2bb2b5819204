# sortie report: the page, text, CSV, SGF and course positions.
. "$(dirname "$0")/lib.sh"

zoo=$SORTIE_BIN/tests/zoo/zoo
refused "no file" "expected one results file" sortie report
refused "missing file" "nothing.db" sortie report nothing.db
echo "no database in here, whatever the name says" >text.db
refused "not a results file" "text.db: " sortie report text.db
refused "two forms" "only one of" sortie report text.db --csv --text
check "help" sortie report --help
check "the example of the help" sh -ec 'sortie report --help | sed -n "/^Example/,\$p" | grep "^  sortie" >example.sh; sh -ex example.sh'

check "a match with faults" sortie match 'a<b>=alphabeta:depth=2' greedy "crash'er\"=program:$zoo crash" --size 4 --rounds 2 --db war.db
check "its page" sortie report war.db -o war.html
grep -q '</html>' war.html && grep -q 'a&lt;b&gt;' war.html &&
    ! sed 's|http://www.w3.org/2000/svg||' war.html | grep -qE 'a<b>|src=|href=|http' && pass ||
    fail "the page is broken or not self-contained"
grep -q '"cause": "crash"' war.html && grep -q 'I am crash' war.html && pass || fail "the fault is not in the page"
# The data are JSON, and the last board of every game is what the moves lead to.
if command -v python3 >/dev/null; then
    python3 - <<'PY' && pass || fail "the page's data"
import json, re
page = open("war.html").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))
assert len(data["games"]) == 12 and data["players"][0]["name"] == "a<b>"
for game in data["games"]:
    assert len(game["steps"]) == len(game["moves"]) == len(game["times"]), game
    cells = list(game["board"]["inks"])
    for step in game["steps"]:
        for change in step.split():
            at, ink = re.match(r"(\d+)(.)", change).groups()
            cells[int(at)] = ink
    if game["loser"] < 0:
        score = sum(int(v) * {"a": 1, "b": -1}[c] for v, c in zip(game["board"]["labels"], cells))
        assert score == game["score"], (score, game["score"])
assert sum(p["won"] for p in data["players"]) + sum(p["drawn"] for p in data["players"]) / 2 == 12
PY
else
    pass
fi

check "text" sortie report war.db --text
sortie report war.db --text | grep -q "crash'er\" lost by: crash 8" && pass || fail "losses are not named"
sortie report war.db --csv -o war.csv && [ "$(grep -c '^[0-9]*,' war.csv)" = 12 ] &&
    grep -q '^3,a<b>,"crash.er""",1,1,0,crash,' war.csv && pass || fail "csv: $(cat war.csv)"

refused "SGF of the war board" "SGF has no such game" sortie report war.db --sgf sgf
rm -rf sgf
check "course positions" sortie report war.db --positions positions
[ -f positions/game-00001/000.txt ] && [ ! -f positions/game-00001/016.txt ] && pass || fail "positions are missing"
check "a position answered" sh -c 'sortie move positions/game-00001/014.txt --depth 2 --stdout'

check "a Gomoku match" sortie match greedy random --game gomoku --size 9 --rounds 1 --db gomoku.db
check "its SGF" sortie report gomoku.db --sgf sgf
[ "$(grep -c '^(;FF\[4\]GM\[4\].*SZ\[9\].*PB\[greedy\]PW\[random\]RE\[' sgf/game-00001.sgf)" = 1 ] && pass ||
    fail "SGF: $(cat sgf/game-00001.sgf)"

# Names, commands and texts of a results file are strangers' words: nothing of them commands a terminal, adds a row or a
# column, or is a formula.
cat >forge.py <<'PY'
import sqlite3, sys
spell = "\x1b[2J\x1b]0;t\x07\u009b31m\u202e\u2066\u200b\ufeff\x7f"
db = sqlite3.connect("forged.db")
db.text_factory = bytes
odd = "\u009b31m\u0085\u202e\u2066\u200b\ufeff" # a plan has no control characters of ASCII, it is refused with one
names = ["=1+1" + odd, "@a\u2028b,18,\"18", "-x"]
plan = db.execute("select value from meta where key='plan'").fetchone()[0].decode()
lines = [line for line in plan.split("\n")]
players = [i for i, line in enumerate(lines) if line.startswith("player ")]
for name, i in zip(names, players):
    lines[i] = "player " + name + "\t" + lines[i].split("\t")[1]
lines[players[2]] = lines[players[2]] + " " + "a" * 300 + " hidden" + odd
db.execute("update meta set value=? where key='plan'", ("\n".join(lines),))
for i, name in enumerate(names):
    db.execute("update players set name=? where id=?", (name, i))
db.execute("update games set detail=?", ("=cmd" + spell + "\n99,a,b,1,1,0,rules\n</script><script>alert(1)</script>",))
for column in ("stderr_first", "stderr_second"):
    db.execute("update games set %s=?" % column, (("two\nlines" + spell).encode(),))
db.commit()
PY
cat >parse.py <<'PY'
import csv, html.parser, json, re
hidden = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
for name in ["forged.txt", "forged.csv", "forged.html", "asked.txt", "refused.txt"]:
    text = open(name, encoding="utf-8", newline="").read()
    found = hidden.search(text.replace("\t", "") if name == "forged.html" else text)
    assert not found, (name, text[max(0, found.start() - 40):found.end() + 40])
rows = list(csv.reader(open("forged.csv", encoding="utf-8", newline="")))
assert len(rows) == 13 and all(len(row) == len(rows[0]) for row in rows), len(rows)
assert sum(line[:1].isdigit() and "," in line for line in open("forged.csv", encoding="utf-8")) == 12
for row in rows:
    assert not any(re.match("[=+@\t\r]|-[^0-9]", cell) for cell in row), row
names = {row[1] for row in rows[1:]}
assert {r"'=1+1\u009b31m\u0085\u202e\u2066\u200b\ufeff", "'@a\\u2028b,18,\"18", "'-x"} == names, names
assert r"'=cmd\x1b[2J" in rows[1][13] and r"\n99,a,b" in rows[1][13], rows[1]
page = open("forged.html", encoding="utf-8").read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S).group(1))
assert len(data["games"]) == 12 and not hidden.search("".join(p["name"] + p["spec"] for p in data["players"]))
assert all(not hidden.search(g["detail"]) for g in data["games"])
class Page(html.parser.HTMLParser):
    scripts = 0
    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
reader, plain = Page(), Page()
reader.feed(page)
plain.feed(open("war.html", encoding="utf-8").read())
assert reader.scripts == plain.scripts, (reader.scripts, plain.scripts)
# What is asked about is whole, whatever it looks like.
asked = open("asked.txt", encoding="utf-8").read()
assert "a" * 300 + r" hidden\u009b31m" in asked, asked
assert len(asked.strip().split("\n")) == 3, asked
PY
cp war.db forged.db
if command -v python3 >/dev/null; then
    python3 forge.py && pass || fail "forging"
    sortie report forged.db --text >forged.txt 2>&1 && sortie report forged.db --csv -o forged.csv && sortie report forged.db -o forged.html >refused.txt && pass ||
        fail "a forged file has no report: $(cat -v forged.txt)"
    sortie match --resume --db forged.db >asked.txt 2>&1 </dev/null && fail "commands of a file were run" || pass
    name=$(printf 'none\033[2J\302\233\342\200\256\n.db')
    sortie report "$name" >>refused.txt 2>&1
    sortie match "$name" greedy >>refused.txt 2>&1
    sortie move "$name" >>refused.txt 2>&1
    sortie "$name" >>refused.txt 2>&1
    [ "$(wc -l <refused.txt)" -eq 5 ] && pass || fail "more lines than messages: $(cat -v refused.txt)"
    python3 parse.py && pass || fail "a forged results file speaks"
fi
finish
