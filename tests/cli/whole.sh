#!/usr/bin/env bash
# sortie solve --whole: the golden values, every move's value as the search finds it, what cannot be solved so, and the
# same answer from four processes under mpirun where that backend was built.
. "$(dirname "$0")/lib.sh"
case ${SORTIE_SANITIZE:-} in *thread*) exit 0 ;; esac

board() { printf 'war stake 4 O\n12 70 61 5\n8 22 63 41\n14 88 49 17\n9 33 6 52\nX..O\n....\n.X..\n....\n'; }

board >board.txt
sortie solve board.txt --all >searched.txt
sortie solve board.txt --whole --on cpu --all >whole.txt
same "value" <(head -1 searched.txt) <(head -1 whole.txt)
same "every move" <(grep -E '(Stake|Raid): ' searched.txt) <(grep -E '(Stake|Raid): ' whole.txt)
check "one JSON object" sh -c 'sortie solve board.txt --whole --on cpu --all --json | python3 -m json.tool'
golden=$SORTIE_GOLDEN/war-exact-5x5/filled-12
check "golden value" sh -c "sortie solve --whole --on cpu '$golden/input.txt' | grep -q \"^value  $(tr -d '\r\n' <"$golden/value.txt") for\""

# maps: the value of every first move, on its square
mkdir twice
cp board.txt twice/board.txt
printf 'war sneak 3 X\n12 70 61\n8 22 63\n14 88 49\n.O.\n...\n..X\n' >twice/input.txt
sortie solve --whole --on cpu --map maps board.txt twice/input.txt >maps.out
check "a map a board" test -s maps/board.svg -a -s maps/twice.svg
best=$(sed -n 's/^value  \(-*[0-9]*\) for.*/\1/p' whole.txt)
check "the best move's value is on it" grep -q ">$(printf %+d "$best")<" maps/board.svg
check "a square for every move" test "$(grep -c 'Stake:\|Raid:' whole.txt)" -ge "$(grep -c 'font-size="10"' maps/board.svg)"
check "a picture" python3 -c "import xml.dom.minidom; xml.dom.minidom.parse('maps/board.svg')"
refused "two maps of one name" "would both be" sortie solve --whole --map maps board.txt twice/board.txt
refused "a map without --whole" "goes with --whole" sortie solve --map maps board.txt
refused "two boards without a map" "expected one file" sortie solve --whole board.txt twice/board.txt
refused "no such machine" "expected cpu" sortie solve --whole --on abacus board.txt
check "speed" sh -c 'sortie solve board.txt --whole --on cpu --speed --json | grep -q "\"memory_bytes_a_second\": [1-9]"'

# an empty 5x5 is not thought about before it is known that there is nothing to solve it on
if [ ! -e /dev/nvidiactl ] && [ -e "$SORTIE_BIN/sortie-cuda.so" ]; then
    (ulimit -t 3 && sortie solve "$SORTIE_GOLDEN/war-exact-5x5/empty-1/input.txt" --whole --on cuda) >card.txt 2>&1
    check "no card" grep -q "no graphics card" card.txt
fi

refused "a laser board" "war boards" sortie solve --whole "$SORTIE_SOURCE/examples/laser-checkmate.txt"
refused "too large" "at most" sh -c "printf 'war stake 6 X\n%s%s' \"\$(yes '1 2 3 4 5 6' | head -6)
\" \"\$(yes ...... | head -6)
\" | sortie solve --whole -"

if [ -e "$SORTIE_BIN/sortie-mpi.so" ] && command -v mpirun >/dev/null; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    mpirun --oversubscribe -n 4 "$SORTIE_BIN/sortie" solve board.txt --whole --all >many.txt 2>many.err </dev/null || cat many.err >&2
    same "four processes, value" <(head -1 searched.txt) <(head -1 many.txt)
    same "four processes, moves" <(grep -E '(Stake|Raid): ' searched.txt) <(grep -E '(Stake|Raid): ' many.txt)
    check "says what each takes" grep -q "4 processes" many.txt
    mpirun --oversubscribe -n 2 "$SORTIE_BIN/sortie" solve board.txt twice/input.txt --whole --map together >/dev/null 2>many.err </dev/null || cat many.err >&2
    same "two processes, two boards: the first map" maps/board.svg together/board.svg
    same "two processes, two boards: the second" maps/twice.svg together/twice.svg
fi
finish
