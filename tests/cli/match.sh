# sortie match: bad usage, a course program in another language, kill -9 and --resume.
. "$(dirname "$0")/lib.sh"

refused "no players" "at least two players" sortie match
refused "one player" "at least two players" sortie match greedy
refused "unknown kind" "expected a player such as" sortie match greedy wizard
refused "unknown option of a player" "unknown player option 'dept'" sortie match greedy engine:dept=3
refused "minimax without depth" "give depth=" sortie match greedy minimax
refused "engine without a limit" "give depth=, nodes=" sortie match greedy engine
refused "unknown game" "expected a game" sortie match greedy random --game chess
refused "unknown rules" "no rules called" sortie match greedy random --variant renju
refused "size out of range" "expected a board size" sortie match greedy random --size 99
refused "odd number of games" "even number of games" sortie match greedy random --games 3
refused "bad sprt" "ELO0,ELO1" sortie match greedy random --sprt 5,0
refused "sprt of three" "exactly two players" sortie match greedy random random --sprt 0,5
refused "clock without time" "needs --time-per" sortie match greedy random --clock cpu
refused "missing openings" "nowhere.txt: cannot be read" sortie match greedy random --openings nowhere.txt
printf 'war stake 2 X\n1 2\n3 x\n..\n..\n' >bad-openings.txt
refused "broken openings" "bad-openings.txt:3:3: expected value 2" sortie match greedy random --openings bad-openings.txt
refused "resume without a file" "nothing.db" sortie match --resume --db nothing.db
echo "not a database, not at all, no, really not" >text.db
refused "not a results file" "text.db: " sortie match --resume --db text.db

check "help" sortie match --help
check "the example of the help" sh -c 'sortie match --help | sed -n "/^Example/,\$p" | grep "sortie match" | sh'
refused "a results file in use" "holds a match already" sortie match greedy random --db example.db
refused "resume with other players" "other players or options" sortie match greedy random --resume --db example.db

# Nothing on stderr and no escape codes when nobody watches.
sortie match greedy random --size 3 --rounds 2 --db quiet.db >quiet.out 2>quiet.err
[ ! -s quiet.err ] && ! grep -q $'\033' quiet.out && pass || fail "not quiet in a pipe"

# A course program of a few lines of Python plays a whole match; both ways of greed lose to looking ahead.
python=$(command -v /usr/bin/python3 || command -v python3)
check "a Python program plays" sortie match bot="program:$python $SORTIE_SOURCE/tests/zoo/greedy_bot.py" \
    alphabeta:depth=3 --size 4 --rounds 2 --db python.db --time-per-move 10
sortie report python.db --csv >python.csv
[ "$(grep -c ',rules,' python.csv)" = 4 ] && [ "$(grep -c '^[1-4],.*,16,' python.csv)" = 4 ] && pass ||
    fail "the Python program did not play by the rules: $(cat python.csv)"

# Gomocup brains.
refused "a brain at the wrong game" "plays Gomoku" sortie match brain:pbrain-sortie greedy --time-per-move 1
refused "a brain without a clock" "needs a clock" sortie match brain:pbrain-sortie greedy --game gomoku
case ${SORTIE_SANITIZE:-} in
*thread*) ;; # it needs all of the address space, and programs of others get a part of it
*)
    check "a brain plays" sortie match brain:pbrain-sortie random --game gomoku --games 2 --time-per-move 0.1 --margin 3 \
        --memory ${room:-20G} --db brain.db
    [ "$(sortie report brain.db --csv | grep -c ',rules,')" = 2 ] && pass || fail "brain: $(sortie report brain.db --csv)"
    ;;
esac

# Waits until a match under way has stored a game.
played() {
    local turn
    for turn in $(seq 300); do
        sortie report "$1" --csv 2>/dev/null | grep -q ',rules,' && return
        sleep 0.1
    done
}

# Killed at random moments, carried on: the same games as an undisturbed run, none twice, the same table.
players="engine:nodes=2000,hash=1 alphabeta:depth=2 greedy random"
sortie match $players --size 6 --games 48 -j 2 --seed 3 --db whole.db >whole.out
[ "$(tail -n +1 whole.out | wc -l)" -ge 5 ] && pass || fail "no table"
kills=0
sortie match $players --size 6 --games 48 -j 2 --seed 3 --db cut.db >cut.out &
for delay in 0.05 0.08 0.06 0.11 0.07; do
    sleep $delay
    kill -9 $! 2>/dev/null && kills=$((kills + 1))
    wait $! 2>/dev/null
    sortie match $players --size 6 --games 48 -j 2 --seed 3 --resume --db cut.db >cut.out &
done
wait $!
# Everything but the seconds: those are four fields of the first line of each game.
games() { sortie report "$1" --csv | sed -E 's/(,-?[0-9]+,[0-9]+),[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+,/\1,/'; }
games whole.db >whole.games
games cut.db >cut.games
[ "$(grep -c ',rules,' whole.games)" = 48 ] && pass || fail "games are missing from the undisturbed run"
same "the games after $kills kills" whole.games cut.games
same "the table after $kills kills" whole.out cut.out

# Two at a time on one file: the second is refused.
sortie match engine:time=0.05 engine:time=0.04 --games 1000 --db busy.db >busy.out &
played busy.db
sortie match --resume --db busy.db >busy2.out 2>busy2.err
[ $? -eq 2 ] && grep -q "busy.db: is in use" busy2.err && pass || fail "a second match was let in: $(cat busy2.err)"
kill -9 $!
wait $! 2>/dev/null

# More games for a match that is over; Ctrl-C keeps what was played.
check "more games" sortie match --resume --games 60 --db cut.db
[ "$(sortie report cut.db --csv | grep -c ',rules,')" = 60 ] && pass || fail "not 60 games"
refused "fewer games" "at least the 60 planned" sortie match --resume --games 50 --db cut.db
sortie match engine:time=0.05 engine:time=0.04 --games 1000 --db interrupted.db >interrupted.out &
played interrupted.db
kill -INT $!
wait $!
status=$?
[ $status -eq 130 ] && grep -q "games played; 'sortie match --resume" interrupted.out && pass ||
    fail "Ctrl-C: status $status, $(cat interrupted.out)"
[ "$(pgrep -f "db [i]nterrupted.db" | wc -l)" = 0 ] && pass || fail "a worker is left after Ctrl-C"

# A results file may come from anybody: its commands are shown, and run after a yes alone.
printf '#!/bin/sh\ntouch "%s/it-ran"\n' "$scratch" >bot.sh
chmod +x bot.sh
sortie match greedy program:./bot.sh --size 3 --games 2 --db commands.db -q >/dev/null
rm -f it-ran
sortie match --resume --games 4 --db commands.db -q </dev/null >asked.out 2>asked.err
status=$?
[ $status -eq 2 ] && grep -q "bot.sh: program:$scratch/bot.sh" asked.err &&
    grep -q '^sortie: match: commands.db holds commands; --yes runs them' asked.err && [ ! -e it-ran ] && pass ||
    fail "commands of a file: status $status, $(cat asked.err)"
[ "$(sortie report commands.db --csv | grep -cE '^[0-9]+,(greedy|bot.sh),')" -eq 2 ] && pass || fail "games were played without a yes"
check "with --yes" sortie match --resume --yes --games 4 --db commands.db -q
check "with the players given again" sortie match greedy program:./bot.sh --size 3 --resume --games 6 --db commands.db -q
[ "$(sortie report commands.db --csv | grep -cE '^[0-9]+,(greedy|bot.sh),')" -eq 6 ] && pass || fail "not 6 games"
finish
