# A wrong game fails: Othello with one fault at a time (tests/othello/wrong.c), through the suite every game must pass
# and the table of numbers of lines.
. "$(dirname "$0")/lib.sh"

# tried PROGRAM FAULT: "found" when a test or an assertion fails, "missed" when all pass, else the status it ended
# with. What a search does with a wrong game after that, which may be anything, is of no interest.
tried() {
    local status
    OTHELLO_FAULT=$2 timeout $((60 * slow)) "$SORTIE_BIN/tests/$1" >"$1.out" 2>&1
    status=$?
    if [ $status -eq 0 ]; then
        echo missed
    else
        grep -qE 'FAILED|broken promise' "$1.out" && echo found || echo "status $status"
    fi
}

for program in wrong_conformance wrong_perft; do
    [ "$(tried $program "")" = missed ] && pass || fail "$program fails for the right game: $(tail -20 $program.out)"
done
OTHELLO_FAULT=list "$SORTIE_BIN/tests/wrong_conformance" >faults.out
[ "$(wc -l <faults.out)" -ge 20 ] && pass || fail "the list of faults: $(cat faults.out)"
while read -r fault; do
    by=wrong_conformance
    result=$(tried $by "$fault")
    if [ "$result" = missed ]; then
        by=wrong_perft
        result=$(tried $by "$fault")
    fi
    printf '%-28s %s by %s\n' "$fault" "$result" "${by#wrong_}"
    [ "$result" = found ] && pass || fail "$fault: $result"
done <faults.out
finish
