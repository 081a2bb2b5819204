# A wrong game fails: Othello with one fault at a time (tests/othello/wrong.c), through the suite every game must pass and
# the table of numbers of lines. A fault that only a crash shows is not found.
. "$(dirname "$0")/lib.sh"

# tried PROGRAM FAULT: "found" when a test fails, "missed" when all pass, else how it ended.
tried() {
    OTHELLO_FAULT=$2 timeout $((60 * slow)) "$SORTIE_BIN/tests/$1" >"$1.out" 2>&1
    case $? in
    0) echo missed ;;
    124) echo "hangs" ;;
    12[5-9] | 1[3-9][0-9]) echo "crashes" ;;
    *) grep -q 'FAILED' "$1.out" && echo found || echo "ends strangely" ;;
    esac
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
