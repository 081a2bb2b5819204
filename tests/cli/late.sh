# A brain that is punctual on a busy machine: four programs compute beside it, on however many cores there are. The
# machine that runs the tests may itself be busy with others, so a run may be late for reasons of its own: one quiet run
# of three is asked for, and nearly all moves of it. tests/zoo/late.c measures with more moves; docs/gomoku.md has figures.
. "$(dirname "$0")/lib.sh"

late=$SORTIE_BIN/tests/zoo/late
moves=60
[ -n "${SORTIE_SANITIZE:-}" ] && moves=20
for limit in 50 100; do
    for attempt in 1 2 3; do
        timeout 120 "$late" pbrain-sortie $limit $moves 4 >late.out 2>&1
        count=$(sed -n 's/^\([0-9]*\) of .* later than.*/\1/p' late.out)
        [ -n "$count" ] && [ "$count" -le $((moves / 15)) ] && break
    done
    cat late.out
    [ -n "$count" ] && [ "$count" -le $((moves / 15)) ] && pass || fail "$limit ms: $(cat late.out)"
done
finish
