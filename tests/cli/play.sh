# A game against the engine, over a pipe and at a terminal.
. "$(dirname "$0")/lib.sh"

printf 'H8\nI\nI9\nquit\n' | sortie play gomoku --level 3 >game
check "both sides move" test "$(grep -c '^sortie plays ' game)" -eq 2
check "an unfinished move is asked about" grep -q '^which of these: I1, ' game
check "no colours and no prompt in a pipe" bash -c "! grep -qE $'\033|> ' game"

printf 'A1\nundo\nmoves A\nquit\n' | sortie play war --size 3 --seed 5 --level 9 >game
check "undo takes back both moves" test "$(tail -1 game)" = "A1 Stake, A2 Stake, A3 Stake"
printf 'B2 st\nquit\n' | sortie play war -s 3 --seed 5 --level 9 >game
check "enough of a move is a move" grep -q '^  2 .10 X19 .38$' game
sortie play laser --size 5 --seed 5 --side none --level 4 </dev/null >game
check "the engine plays both sides to the end" grep -q '^game over' game
printf 'hint\nanalyze 2\nquit\n' | sortie play war -s 3 --seed 5 >game
check "hint and analysis" test "$(grep -c ' exact  depth ' game)" -eq 3
printf 'go\nquit\n' | sortie play war -s 3 --seed 5 >game
check "go lets the engine move and changes sides" test "$(grep -c '^sortie plays ' game)" -eq 1

printf 'H8\nsave game.sgf\nsave game.txt\nsave /nowhere/at/all\nquit\n' | sortie play -l 2 >game
check "save says where" grep -q '^saved in game.sgf$' game
check "save says why not" grep -q '^/nowhere/at/all: cannot be written' game
check "the record can be read again" sortie show game.sgf
printf 'load game.txt\nload nothing.txt\nshow\nquit\n' | sortie play war -s 3 >game 2>complaints
check "load changes the game" grep -q '^ *A  *B .* O$' game
check "load says what is wrong" grep -q '^sortie: nothing.txt: ' complaints
check "a file can be the start" grep -q 'X to move\|O to move' <(sortie play game.txt --side none -l 1 </dev/null)

printf 'H8\nquit\n' | sortie play --swap -l 3 >game
check "the engine takes a good first stone over" grep -q '^sortie takes the stone over' game
printf 'swap\nquit\n' | sortie play --swap -l 3 --side second >game
check "so may you" grep -q '^the stone is yours$' game
printf 'swap\nquit\n' | sortie play -l 3 >game
check "but only then" grep -q '^nothing can be taken over' game

check "noise does no harm" bash -c "head -c 3000 /dev/urandom | sortie play gomoku -l 1 >/dev/null"
refused "an unknown side" 'expected first, second, both or none' sortie play gomoku --side third
refused "an unknown game" 'chess' sortie play chess
refused "a size out of range" 'size' sortie play war --size 90
refused "a seed that is no number" 'expected a number for --seed' sortie play war --seed x

# at a terminal: colours, a prompt, Tab
if ! python3 -c 'import os; os.openpty()' 2>/dev/null; then
    lacks "Tab at a terminal: there are none (mount -t devpts devpts /dev/pts), or no python3"
else
    cat >typing.py <<'END'
import os, pty, select, sys, time
pid, master = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execvp("sortie", ["sortie", "play", "war", "-s", "3", "--seed", "5", "-l", "3"])
seen = b""
def wait_for(what):
    global seen
    end = time.time() + 120
    while what not in seen and time.time() < end:
        if select.select([master], [], [], 1)[0]:
            try:
                seen += os.read(master, 65536)
            except OSError:
                break
    if what not in seen:
        sys.exit(f"no {what!r} in {seen!r}")
    seen = seen[seen.index(what) + len(what):]
wait_for(b"X> ")
os.write(master, b"b2\t")
wait_for(b"X> B2 Stake")
os.write(master, b"\r")
wait_for(b"sortie plays ")
wait_for(b"X> ")
os.write(master, b"xyz\x15\x1b[A\x7f\t")
wait_for(b"hint, undo")
os.write(master, b"q\t\r")
os.waitpid(pid, 0)
END
    check "Tab completes at a terminal" timeout 200 python3 typing.py
fi
finish
