# A class's submissions, built as grading builds them, as players of a Swiss tournament and a round robin.
. "$(dirname "$0")/lib.sh"
[ -z "${SORTIE_SANITIZE:-}" ] || exit 0 # a sanitizer needs more address space than programs get

mkdir -p class/ann class/ben "class/cai lin" class/broken
cat >class/ann/homework.py <<'EOF'
lines = open("input.txt").read().split("\n")
size = int(lines[0])
rows = [list(row) for row in lines[4 + size:4 + 2 * size]]
row, column = next((r, c) for r in range(size) for c in range(size) if rows[r][c] == ".")
rows[row][column] = lines[2][0]
with open("output.txt", "w") as answer:
    answer.write("%s%d Stake\n" % (chr(65 + column), row + 1) + "".join("".join(r) + "\n" for r in rows))
EOF
cp class/ann/homework.py class/ben/
cp class/ann/homework.py "class/cai lin/"
echo 'int main(void) { return missing; }' >class/broken/homework.c

timeout 60 sortie match --class class -s 3 --depth 2 --swiss 2 --db swiss.db >out 2>err
[ "$(sortie report swiss.db --csv | grep -c ',rules,')" = 4 ] && pass || fail "swiss: $(cat out err)"
grep -q 'broken does not play' err && grep -q '3 players, 4 games, 1 at a time' err && pass || fail "said before: $(cat err)"
# The second round has another pause than the first, so all three have played.
[ "$(grep -cE '^ +[0-9]\. +(ann|ben|cai_lin) .* 0 +(0\.0|50\.0|100\.0|25\.0|75\.0)%' out)" = 3 ] && pass || fail "table: $(cat out)"
refused "the same file again" "is there already" sortie match --class class -s 3 --swiss 2 --db swiss.db -q
# Carried on without the class: what was built is kept.
mv class gone
timeout 60 sortie match --resume --yes --db swiss.db -q >out 2>err && pass || fail "resume: $(cat out err)"
mv gone class
# Who knows MINIMAX and ALPHABETA alone loses without a move and is told of --depth, with which he plays.
mkdir -p old/ann old/ben
cp class/ann/homework.py old/ann/
(cat class/ann/homework.py && echo 'if lines[1] not in ("MINIMAX", "ALPHABETA"): raise SystemExit("unknown mode")') |
    awk '/^with/ { hold = 1 } hold && !/^if/ { kept = kept $0 "\n"; next } { print } END { printf "%s", kept }' >old/ben/homework.py
advice='^1 player answered no move at all in COMPETITION mode\. .*play with --depth 3\.$'
timeout 60 sortie match --class old -s 3 --rounds 1 --db clock.db -q >out 2>err
[ "$(sortie report clock.db --csv | grep -c ',crash,.*status 1')" = 2 ] && grep -q "$advice" out && pass || fail "by the clock: $(cat out err)"
timeout 60 sortie match --class old -s 3 --rounds 1 --depth 3 --db depth.db -q >out 2>err
[ "$(sortie report depth.db --csv | grep -c ',rules,')" = 2 ] && ! grep -q COMPETITION out && pass || fail "by depth: $(cat out err)"
# Which file is the program is seen by what it answers, as for marks; a question and what the machine lacks are told.
mkdir -p pick/ann pick/dan pick/eve pick/fay
cp class/ann/homework.py pick/ann/
cp class/ann/homework.py pick/dan/second.py
echo 'lines = open("input.txt").read(); open("output.txt", "w").write("?")' >pick/dan/first.py
cp pick/dan/first.py pick/eve/
cp pick/dan/first.py pick/eve/second.py
(echo 'import bitarray' && cat class/ann/homework.py) >pick/fay/homework.py
timeout 100 sortie match --class pick -s 3 --depth 2 --rounds 1 --db pick.db -q -j 2 >out 2>err
[ "$(sortie report pick.db --csv | grep -c ',rules,')" = 2 ] && pass || fail "the file that answers: $(cat out err)"
grep -q 'eve does not play: which is the program? first.py or second.py' err && pass || fail "no question: $(cat err)"
grep -q 'fay does not play: needs the module bitarray, .*apt-get install' err && pass || fail "no lack: $(cat err)"
# Programs of a referee's folder: the file that plays a first move, told by which team it knows itself as.
mkdir -p teams/ann/old teams/ben teams/eve teams/fay teams/gus
(echo 'import bitarray' && cat "$(dirname "$0")/../tournament/gomoku.py") >teams/gus/agent.py
sed 's/^TEAM = .*/groupname = TEAM = "Smurf"/' "$(dirname "$0")/../tournament/gomoku.py" >teams/ann/agent.py
sed 's/^TEAM = .*/TEAM = "Smith"/' teams/ann/agent.py >teams/ann/old/agent.py
printf 'while True:\n    open("move_file", "a").write(input("your move? ")) # when there is Smurf.go\n' >teams/ann/main.py
cp "$(dirname "$0")/../tournament/gomoku.py" teams/ben/agent.py
cp teams/ann/main.py teams/eve/bot.py
cp teams/ann/main.py teams/eve/play.py
echo 'open("move_file").read(); raise SystemExit("the stones are at home")' >teams/fay/agent.py
# A team that is called like its submission gets a short name, of whole letters.
long="teams/zoe of the évening section, third exercise"
mkdir -p "$long"
cat >"$long/bot.py" <<'END'
import os, sys, time
if len(sys.argv[1]) > 20: os.abort()
sys.argv[1].encode("utf-8")
while not os.path.exists(sys.argv[1] + ".go"): time.sleep(0.05)
open("move_file", "w").write(sys.argv[1] + " H 8\n")
END
timeout 200 sortie match --class teams -g gomoku --gauntlet --rounds 1 --db teams.db -q -j 2 --time-per-move 5 >out 2>err
[ "$(sortie report teams.db --csv | grep -c ',rules,')" = 2 ] && pass || fail "the file that plays: $(cat out err)"
grep -qE 'eve does not play: which is the program[?] (bot.py or play.py|play.py or bot.py): none of them plays a first move' err && pass ||
    fail "no question about a team: $(cat err)"
grep -q 'warning: fay plays, but answered nothing when it was tried: the stones are at home' err && pass ||
    fail "no warning: $(cat err)"
grep -q 'gus does not play: needs the module bitarray, .*apt-get install' err && pass || fail "no lack of a team: $(cat err)"
grep -q 'zoe.*answered nothing' err && fail "a long name: $(cat err)" || pass
refused "both lengths" "says how many rounds" sortie match random greedy --swiss 2 --games 4 --db no.db
finish
