# The referee and the agent against an opponent that misbehaves in every way we could think of. Several games run at once:
# they mostly wait. A game that hangs is ended by `timeout` and fails its check.
. "$(dirname "$0")/lib.sh"

# The opponent: `bash opponent.sh --MODE` plays B, badly.
cat >opponent.sh <<'END'
mode=${1#--} # a plain word that is the name of a file would be taken for that file
count=0
# B.go alone would not do: it is still there for a moment after an answer, and may be a folder of our own.
after_a() { [ "$(head -c 2 move_file 2>/dev/null)" = "A " ]; }
my_turn() { until [ -e end_game ] || { after_a && [ -f B.go ]; }; do sleep 0.01; done; [ ! -e end_game ]; }
its_turn() { until [ -e end_game ] || [ -e A.go ]; do sleep 0.01; done; [ ! -e end_game ]; }
# A false end of the game is taken away by the referee.
removed() { while [ -e end_game ]; do sleep 0.01; done; }
answer() { echo "$1" >.answer && mv .answer move_file; }
# Plain moves far from the middle, so that nothing is won and nothing is taken.
plain() { my_turn && count=$((count + 1)) && answer "B $(echo A C E G I K M | cut -d' ' -f$count) 1"; }
resign() { my_turn && answer "B Z 99"; }
case $mode in
deletes) plain; its_turn; rm -f move_file; sleep 0.3; rm -f move_file; plain; its_turn; rm -f move_file; resign ;;
truncates) plain; its_turn; : >move_file; plain; its_turn; : >move_file; resign ;;
go) plain; its_turn; rm -f A.go; plain; its_turn; rm -f A.go; resign ;;
late) plain; my_turn; sleep 3.5; answer "B C 1" ;;
never) plain; sleep 60 ;;
ends) plain; exit 0 ;;
floods) plain; its_turn; head -c 3000000 /dev/zero | tr '\0' 'x' >.flood; mv .flood move_file; plain; my_turn
    { echo "B E 1"; yes B | head -c 3000000; } >.flood; mv .flood move_file; resign ;;
hammers) plain; its_turn; for i in 1 2 3 4 5 6 7 8 9; do echo rubbish >move_file; done; resign ;;
turn) plain; its_turn; answer "B C 1"; sleep 60 ;;
off) plain; my_turn; answer "B P 3" ;;
row) plain; my_turn; answer "B C 16" ;;
zero) plain; my_turn; answer "B C 0" ;;
taken) plain; my_turn; answer "B A 1" ;;
swap) plain; my_turn; answer "$(sed 's/^A/B/' move_file)" ;;
nonsense) plain; my_turn; answer "B five 5" ;;
part) plain; my_turn; printf 'B ' >move_file; sleep 60 ;;
halves) plain; my_turn; printf 'B ' >move_file; sleep 0.1; printf 'B C' >move_file; sleep 0.1; printf 'B c 1' >move_file
    resign ;;
blanks) my_turn; printf '\r\n \t B\t  c   01  \r\n\r\nmore\n' >move_file; resign ;;
named) plain; its_turn; answer "Nobody H 8"; plain; my_turn; answer "Nobody H 8"; sleep 0.2; answer "B K 1"; resign ;;
misspelt) plain; my_turn; answer "b C 1"; sleep 60 ;;
lies) plain; echo "END: B WINS!  A LOSES!  I say so" >end_game; removed; plain; resign ;;
pipe) plain; its_turn; rm -f move_file; mkfifo move_file; sleep 0.3; plain; resign ;;
folder) plain; its_turn; rm -f move_file; mkdir -p move_file/in; sleep 0.4; plain; its_turn; rm -f move_file
    mkdir -p move_file/in; resign ;;
go-folder) plain; its_turn; rm -f A.go B.go; mkdir -p A.go/in B.go/in end_game/in history_file/in; removed; plain
    resign ;;
locks) plain; its_turn; chmod 500 .; sleep 0.2; plain; resign ;;
children) plain; (trap '' TERM; while :; do date +%s%N >.beat; mv .beat beat; sleep 0.05; done) & plain; resign ;;
esac
END

# Our own program. One built with a sanitizer needs more address space than programs get, and may not trace itself.
agent="sortie agent" room=
if [ -n "${SORTIE_SANITIZE:-}" ]; then
    agent="env ASAN_OPTIONS=detect_leaks=0 $SORTIE_BIN/sortie agent" room="--memory 32768G"
fi

# game MODE: plays A (ours) against the opponent, A first, in a folder of its own.
game() {
    mkdir "$1"
    timeout 40 sortie referee A B --folder "$1" --time 2.5 --pause 0.01 --first A $room --launch \
        "$agent A --time 2.5 --nodes 2000 --least 0.25 --hash 1M" "bash $scratch/opponent.sh --$1" >"$1.out" 2>"$1.err"
    echo $? >"$1.status"
}

# verdict MODE MOVES END: how that game must have ended, and after how many accepted moves.
verdict() {
    local end moves
    end=$(cat "$1/end_game" 2>&1)
    moves=$(wc -l <"$1/history_file")
    if [ "$(cat "$1.status")" = 0 ] && [ "$end" = "END: $3" ] && [ "$moves" -eq "$2" ] &&
        tail -1 "$1/A.log" | grep -qF "END: $3"; then
        pass
    else
        fail "$1: status $(cat "$1.status"), $moves moves, $end; $(cat "$1.err"); A: $(tail -1 "$1/A.log")"
    fi
}

for mode in $(sed -n 's/^\([a-z-]*\)) .*/\1/p' opponent.sh); do
    game "$mode" &
    while [ "$(jobs -rp | wc -l)" -ge 6 ]; do wait -n; done
done
wait
won="A WINS!  B LOSES! "
verdict deletes 5 "$won invalid move"
verdict truncates 5 "$won invalid move"
verdict go 5 "$won invalid move"
verdict late 3 "$won out of time"
verdict never 3 "$won out of time"
verdict ends 3 "$won program ended"
verdict floods 7 "$won invalid move"
verdict hammers 3 "$won invalid move"
verdict turn 2 "$won out of order move"
verdict off 3 "$won invalid move"
verdict row 3 "$won invalid move"
verdict zero 3 "$won invalid move"
verdict taken 3 "$won invalid move"
verdict swap 3 "$won invalid move"
verdict nonsense 3 "$won invalid move"
verdict part 3 "$won invalid move"
verdict halves 5 "$won invalid move"
verdict blanks 3 "$won invalid move"
verdict named 7 "$won invalid move"
verdict misspelt 3 "$won out of time"
verdict lies 5 "$won invalid move"
verdict pipe 5 "$won invalid move"
verdict folder 5 "$won invalid move"
verdict go-folder 5 "$won invalid move"
verdict locks 5 "$won invalid move"
verdict children 5 "$won invalid move"

# ended FOLDER: the game there was played to its end, which may be a full board.
ended() {
    grep -qE '^END: (A WINS!  B|B WINS!  A) LOSES!  5 in a row!$|^END: TIE! board full!$' "$1/end_game"
}

# Two agents, one that knows of the course's faults and one that does not, under those faults: the game is played to its end.
mkdir faults
timeout 60 sortie referee A B --folder faults --quirks --time 2 --pause 0.01 $room --launch \
    "$agent A --time 2 --nodes 300 --hash 1M --quirks" "$agent B --time 2 --nodes 300 --hash 1M" >faults.out 2>&1
if ended faults && [ "$(tail -n 1 -q faults/A.log faults/B.log | grep -c 'END:')" -eq 2 ]; then
    pass
else
    fail "faults: $(cat faults.out) $(tail -n 1 faults/?.log)"
fi

# swaps FOLDER SQUARE YES: a stone in the middle is taken over, one in the corner is not; both games go on from there.
swaps() {
    mkdir "$1"
    timeout 60 sortie referee A B --folder "$1" --first A --time 2 --pause 0.01 $room --launch \
        "$agent A --time 2 --nodes 300 --hash 1M --open $2" "$agent B --time 2 --nodes 300 --hash 1M" >"$1.out" 2>&1
    local taken=no
    [ "$(sed -n 's/^A //p;q' "$1/history_file")" = "$(sed -n '2s/^B //p' "$1/history_file")" ] && taken=yes
    if [ $taken = "$3" ] && ended "$1"; then pass; else fail "$1: $(cat "$1.out")"; fi
}
swaps middle H8 yes
swaps corner A1 no
# The folder of the game removed by somebody in the middle of it: a verdict all the same.
mkdir removed
(until grep -qs '^A ' removed/move_file; do sleep 0.05; done; until rm -rf removed; do :; done) &
timeout 40 sortie referee A B --folder removed --time 2 --first A --sgf removed.sgf $room --launch \
    "$agent A --time 2 --nodes 300 --hash 1M" "sleep 60" >removed.out 2>&1
[ $? = 0 ] && grep -q '^END: A WINS!  B LOSES!  folder removed$' removed.out && [ -s removed.sgf ] && pass ||
    fail "removed: $(cat removed.out)"
wait

# What a team may do: write the folder of the game, also what the other team and the referee made there. It neither sees
# nor changes a file beside.
mkdir confined
echo secret >secret
before=$(stat -c '%u %g %a' confined)
cat >confined.sh <<END
until grep -qs '^A ' move_file; do sleep 0.05; done
cat $scratch/secret && echo LEAKED
cat $scratch/confined/../secret && echo LEAKED
ls $scratch
for name in secret new opponent.sh confined.sh; do echo changed >>$scratch/\$name; done
touch $SORTIE_BIN/new /usr/new /etc/new && echo LEAKED
ln -s $scratch/secret history_file
: >>move_file && : >>A.log && echo reached the end
sleep 60
END
mkdir kept && cp confined.sh opponent.sh kept
timeout 40 sortie referee A B --folder confined --time 2 --first A $room --launch \
    "$agent A --time 2 --nodes 300 --hash 1M" "bash $scratch/confined.sh" >confined.out 2>&1
if [ $? = 0 ] && grep -q '^reached the end$' confined/B.log && ! grep -q LEAKED confined/B.log && [ "$(cat secret)" = secret ] &&
    [ ! -e new ] && [ "$(stat -c '%u %g %a' confined)" = "$before" ] && cmp -s confined.sh kept/confined.sh &&
    cmp -s opponent.sh kept/opponent.sh; then
    pass
else
    fail "confined: $(cat confined.out confined/B.log) $(stat -c '%u %g %a' confined)"
fi
[ "$(find confined -not -user "$(id -u)")" = "" ] && pass || fail "confined: $(ls -ln confined)"
refused "the home folder" "expected a folder of its own for the game" env HOME="$scratch" sortie referee A B --launch true true
beat=$(cat children/beat)
sleep 0.3
[ -n "$beat" ] && [ "$beat" = "$(cat children/beat)" ] && pass || fail "children: a process lives on"
finish
