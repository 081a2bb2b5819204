# The line protocol: sortie engine as a process, in matches of all games, strangers' engines and bad ones.
. "$(dirname "$0")/lib.sh"

refused "arguments" "no argument" sortie engine x
check "the end of the input ends it" sortie engine </dev/null
(printf 'position start gomoku\ngo infinite\n'; sleep 0.3) | sortie engine >ended.out
check "and a search under way, with its move" grep -q '^bestmove ' ended.out
printf 'position start gomoku moves H8\r\ngo depth 3\r\nwait\r\nnonsense\r\nquit\r\n' | sortie engine >crlf.out
check "lines that end as on Windows" grep -q '^bestmove ' crlf.out
check "and one line for what is wrong" [ "$(grep -c '^error ' crlf.out)" = 1 ]
head -c 3000000 /dev/zero | tr '\0' 'x' | sortie engine >long.out
check "a line without an end" grep -q "^error column 1: " long.out
check "is answered in a line of the usual length" [ "$(wc -L <long.out)" -lt 200 ]

# Our own engine against itself, and the examples, through pipes.
examples=$SORTIE_SOURCE/examples
cc -O2 -Wall -Werror -o rows "$examples/engine.c" || fail "the example in C"
cp "$examples/engine.py" chance.py
# games NAME PLAYER PLAYER ARGUMENTS...: two games that end by the rules.
games() {
    rm -f results.db
    sortie match -q "$2" "$3" --games 2 --margin $((5 * slow)) ${room:+--memory $room} "${@:4}" >out 2>err
    sortie report results.db --csv >games.csv
    [ "$(grep -c ',rules,' games.csv)" = 2 ] && pass || fail "$1: $(cat out err games.csv)"
}
own="lines:sortie engine"
clock="--time-per-move 0.05"
if [ -z "$SORTIE_SANITIZE" ]; then
    games "Stake-Raid" "a=$own" "b=$own" $clock --size 5
    games "Sneak-Raid" "a=$own" "b=$own" $clock --variant sneak --size 5
    games "Laser" "a=$own" "b=$own" $clock --game laser --size 7
    games "Gomoku" "a=$own" "b=$own" $clock --game gomoku --size 9
    games "a clock for the game" "a=$own" random --time-per-game 2 --game gomoku --variant exact --size 22
    games "CPU time" "a=$own" random --time-per-move 0.05 --clock cpu --game laser --size 6
fi
games "the example in C" "lines:./rows" random --time-per-move 5 --game gomoku
grep -q '^1,.*,1,1,0,rules\|^1,.*,1,0,1,rules' games.csv && pass || fail "the example in C: $(cat games.csv)"
for game in "war --size 4" "war --variant sneak --size 5" "laser --size 7" "gomoku --size 7"; do
    games "the example in Python, $game" "lines:python3 chance.py" random --time-per-move 10 --game $game
done

# Engines that do wrong lose, by the right cause. wrong.py MODE: as a good one up to what its name says.
cat >wrong.py <<'END'
import os, sys, time
mode = sys.argv[1]
for line in sys.stdin:
    word = line.split()[0]
    if word == "sortie":
        if mode == "introduces":
            while True:
                print("option name %s type check" % ("x" * 5000))
        print("game chess\n" if mode == "chess" else "id name wrong\n" + "option name Legal type check\n", "sortieok", sep="")
    elif word == "isready":
        print("error isready: never" if mode == "unready" else "readyok")
    elif word == "go":
        legal = line.split()[-1]
        if mode == "late":
            time.sleep(3)
        elif mode == "dies":
            os.abort()
        elif mode == "leaves":
            sys.exit(0)
        elif mode == "floods":
            while True:
                print("info string " + "y" * 4000)
        elif mode == "deaf":
            os.close(0)
            time.sleep(100)
        print({"illegal": "bestmove A99_Stake", "garbage": "bestmove " + "\\x00\\xff" * 2000, "none": "bestmove none",
               "empty": "bestmove", "complains": "error go: no"}.get(mode, "bestmove " + legal))
    sys.stdout.flush()
END
# wrong MODE CAUSE
wrong() {
    rm -f results.db
    sortie match -q "lines:python3 wrong.py $1" random --size 3 --games 2 --time-per-move 1 ${room:+--memory $room} >out 2>err
    sortie report results.db --csv >games.csv
    [ "$(grep -c ",$2," games.csv)" = 2 ] && pass || fail "$1: wanted $2: $(cat out err games.csv)"
}
wrong good rules
wrong chess "not started"
wrong unready "bad answer"
wrong introduces babbling
wrong late "too late"
wrong deaf "too late"
wrong dies crash
wrong leaves crash
wrong floods babbling
wrong illegal "illegal move"
wrong none "illegal move"
wrong empty "illegal move"
wrong garbage "bad answer"
wrong complains "bad answer"
refused "no clock" "needs a clock" sortie match "lines:sortie engine" greedy --game gomoku
finish
