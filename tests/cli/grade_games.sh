# sortie grade: cases that are whole games: who wins, draws, plays wrongly, crashes or is late earns what game.txt says.
. "$(dirname "$0")/lib.sh"

memory=${room:-2G}
grade() { sortie grade --memory $memory "$@"; }
has() { grep -qE -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }
lacking() { grep -qE -- "$3" "$2" && fail "$1: $(grep -E -- "$3" "$2")" || pass; }

# The example, but for the one that never ends: she plays below.
cp -r "$SORTIE_SOURCE/examples/games" laser
mkdir slow slow.cases
mv laser/submissions/eva slow/
for program in laser/submissions/*; do printf 'python: 3\n' >"$program/sortie.txt"; done
check "a class plays" grade laser/submissions -c laser/cases --db laser.db -j 2 --feedback pages --gradescope scope
has "a game that is won" grades.csv '^ann,2-whole-game,pass,,,,,[^"]*,10,10,,"won against greedy, [0-9]+ to [0-9]+ points, 100 % of the points"$'
has "a game that is lost" grades.csv '^ben,2-whole-game,fail,.*"lost to greedy, 31 to 38 points, 0 % of the points",0,10,'
has "a draw" grades.csv '^ann,3-two-rows,pass,.*,4,4,,"drew with random, 4 to 4 points, 100 %'
has "a square under a beam" grades.csv '^cleo,2-whole-game,fail,,,,illegal move,.*illegal move in move 3 of game 1: .0 1.: expected a free square, 0 1 is covered by a beam",0,10,'
has "a crash" grades.csv '^dan,2-whole-game,fail,,,,crash,.*crash in move 3 of game 1.*,0,10,NotImplementedError: the second move'
has "points by the margin" grades.csv '^ann,4-squares,fail,.*"won 1, drew 0, lost 1 of 2 games against minimax:depth=2, 61.25 % of the points",3.0625,5,'
has "it begins after the random move" grades.csv '^dan,4-squares,fail,.*crash in move 2 of game 1'
has "the class's line" students.csv '^ann,18.0625,18.0625,20,.*,2,1,1$'
has "the table" check.out '^ann .* 2-1-1 '
has "the moves on the student's page" pages/ben.html 'data-moves="[0-9; ]+"'
has "the moves to read" pages/ben.html '1\. <b>6 6</b> 2\. '
has "the board" pages/ben.html 'data-columns="7" data-zero="1" data-inks="0000300000'
has "the moves on the teacher's page" grades.html 'Game 1: <span class="pass">won</span>'
python3 - scope/ben/results.json <<'END' && pass || fail "Gradescope's results"
import json, sys
tests = json.load(open(sys.argv[1]))["tests"]
game = next(t for t in tests if t["name"] == "2-whole-game")
assert game["score"] == 0 and game["max_score"] == 10, game
assert "game 1, the program begins: lost, 31 to 38 points: 6 6, " in game["output"], game
END

# Only the games of a changed case are played again.
cp grades.csv first.csv
sed -i 's/^move time.*/move time: 50/' laser/cases/2-whole-game/game.txt
check "another limit" grade laser/submissions -c laser/cases --db laser.db -j 2
column() { grep -v ",$1," "$2" | cut -d, -f1-9; }
same "no other game was played again" <(column 2-whole-game first.csv) <(column 2-whole-game grades.csv)

# Who is late loses by it. By CPU time, so that a busy machine makes nobody late.
cp -r laser/cases/2-whole-game slow.cases/
sed -i 's/^move time.*/move time: 1\nclock: cpu/' slow.cases/2-whole-game/game.txt
cp grades.csv before.csv
check "a slow one" grade slow -c slow.cases --db slow.db
has "too late" grades.csv '^eva,2-whole-game,fail,,,,too late,.*too late in move 3 of game 1: stopped after.*,0,1,'

# Points may change without a game.
printf 'loss: 20\n' >>laser/cases/2-whole-game/game.txt
check "other points" grade laser/submissions -c laser/cases --db laser.db
has "a loss earns" grades.csv '^ben,2-whole-game,fail,.*20 % of the points",2,10,'
has "a fault does not" grades.csv '^cleo,2-whole-game,fail,.*,0,10,'
same "no game was played" <(cut -d, -f1,2,8,9 before.csv) <(cut -d, -f1,2,8,9 grades.csv)

# The same games on every machine, whatever the number of workers: all but the times.
games() { python3 - "$1" <<'END'
import re, sqlite3, sys
for name, case, facts in sqlite3.connect(sys.argv[1]).execute("select submission,name,facts from results order by 1,2"):
    print(name, case, re.sub(r"\t[0-9.]+\t[0-9.]+(\t[^\t]*\t[^\t]*)$", r"\1", facts, flags=re.M))
END
}
check "once more" grade laser/submissions -c laser/cases --db once.db
check "and again" grade laser/submissions -c laser/cases --db again.db -j 3
same "the same games" <(games once.db) <(games again.db)
[ "$(games again.db | grep -cE '^(first|second)|(first|second)')" -ge 16 ] && pass || fail "games: $(games again.db)"

# What stands in the results file is not believed.
cp again.db lies.db
cp again.db more.db
python3 - <<'END'
import sqlite3
base = sqlite3.connect("lies.db")
base.execute("update results set facts=replace(facts, 'won', 'gewonnen') where facts like '%won%'")
base.commit()
more = sqlite3.connect("more.db")
more.execute("update results set facts=facts||facts where name='2-whole-game'")
more.commit()
END
grade laser/submissions -c laser/cases --db more.db >lies.out 2>&1
[ $? -eq 2 ] && pass || fail "twice as many games are believed"
grade laser/submissions -c laser/cases --db lies.db >lies.out 2>&1
[ $? -eq 2 ] && pass || fail "facts that are none are believed"
has "a line about them" lies.out 'the stored result of [a-z]+ in case 2-whole-game makes no sense'

# The other courses: Stake-Raid by the clock in the file, as X and as O, Sneak-Raid with the file's task and depth.
mkdir -p raid/ann raid/bob cases sneak/ann
cp "$SORTIE_BIN/sortie-course" raid/ann/
printf '#!/bin/sh\nprintf "B2 Stake\\n...\\n.O.\\n..X\\n" >output.txt\n' >raid/bob/run
cp "$SORTIE_BIN/sortie-task" sneak/ann/
printf '3\nCOMPETITION\nO\n30\n5 1 6\n2 9 4\n8 3 7\n...\n...\n..X\n' >cases/1.in
printf 'opponent: greedy\nmargin: -50 0, 50 100\n' >cases/1.game
printf '3\nALPHABETA\nX\n2\n5 1 6\n2 9 4\n8 3 7\n...\n...\n...\n' >cases/input_2.txt
printf 'opponent: alphabeta:depth=1\nbegins: opponent\nscore: 0 0, 45 90\n' >cases/game_2.txt
check "Stake-Raid" grade raid -c cases --db raid.db --feedback raid.pages
has "by the margin" grades.csv '^ann,1,fail,.*"lost to greedy, 18 to 27 points, 41 % of the points",0.41,1,'
has "by its own points" grades.csv '^ann,2,fail,.*"lost to alphabeta:depth=1, 10 to 35 points, 20 % of the points",0.2,1,'
has "the second move is wrong" grades.csv '^bob,1,fail,,,,(illegal move|bad answer),.*in move 3 of game 1: '
has "named as the course does" raid.pages/ann.html 'those of the program \(O, red\) in bold: 1\. <b>[A-C][1-3] (Stake|Raid)</b> '
mkdir sneak.cases
printf '2\nX\n2\n1 1 1 1 1\n9 9 9 9 9\n2 2 2 2 2\n3 3 3 3 3\n5 5 5 5 5\n*****\n*****\n*****\n*****\n*****\n' >sneak.cases/1.in
printf 'opponent: greedy\nbegins: both\n' >sneak.cases/1.game
check "Sneak-Raid" grade sneak -c sneak.cases --db sneak.db
has "two games" grades.csv '^ann,1,(pass|fail),.*"(won 2, drew 0, lost 0|won 1, drew 0, lost 1|won 0, drew 0, lost 2) of 2 games against greedy'
lacking "without a fault" grades.csv 'illegal|bad answer|crash|too late'

# Ctrl-C ends an opponent that thinks for hours.
mkdir -p hours/case
{ echo 12 && yes 000000000000 | head -12; } >hours/case/input.txt
for opponent in minimax:depth=9 engine:depth=60; do
    printf 'opponent: %s\nbegins: opponent\n' $opponent >hours/case/game.txt
    timeout --preserve-status -k 100 -s INT 2 sortie grade --memory $memory laser/submissions/ann --single -c hours --db hours.db >hours.out 2>&1
    status=$?
    [ $status -eq 130 ] && pass || fail "$opponent: status $status: $(cat hours.out)"
done

# A case's own start may be unlike what is asked; what is wrong with game.txt is named by line and column.
wrong() {
    printf "$3" >cases/1.game
    refused "$1" "cases/1.game:$2" grade raid -c cases --db raid.db
}
wrong "no opponent" "2:1: expected a line such as 'opponent: greedy'" 'win: 100\n'
wrong "a stranger" "1:11: expected greedy, random, .*found 'program:ls'" 'opponent: program:ls\n'
wrong "no depth" "1:11: player 'minimax': give depth=PLIES" 'opponent: minimax\n'
wrong "a clock" "1:11: expected an opponent that plays the same" 'opponent: engine:time=1\n'
wrong "threads" "1:11: expected an opponent that plays the same" 'opponent: engine:depth=2,threads=2\n'
wrong "a word" "2:1: expected opponent, begins.*found 'oponent'" '# a remark\noponent: greedy\n'
wrong "no colon" "1:1: expected opponent, begins" 'opponent greedy\n'
wrong "twice" "3:1: 'win' is said already" 'win: 1\nopponent: greedy\nwin: 2\n'
wrong "who begins" "2:9: expected program, opponent or both, found 'me'" 'opponent: greedy\nbegins: me\n'
wrong "no games" "2:8: expected a number of games from 1 to 1000, found '0'" 'opponent: greedy\ngames: 0\n'
wrong "too much" "1:6: expected percent, 0 to 100, found '101'" 'win: 101\n'
wrong "a step back" "1:15: expected up to 16 steps" 'margin: 0 50, -1 60\n'
wrong "half a step" "1:9: expected up to 16 steps" 'margin: 5\n'
wrong "an end" "1:14: expected up to 16 steps" 'margin: 5 10,\n'
finish
