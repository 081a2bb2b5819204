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
finish
