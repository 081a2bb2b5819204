# A brain that is punctual on a busy machine: four programs compute beside it, on however many cores there are. The
# machine that runs the tests may itself be busy with others, so a run may be late for reasons of its own: of three runs
# one must have nearly all moves in time, or half of them where more programs than cores are running before it begins. tests/zoo/late.c measures with more moves; docs/gomocup.md leads to figures.
. "$(dirname "$0")/lib.sh"

late=$SORTIE_BIN/tests/zoo/late
moves=60
[ -n "${SORTIE_SANITIZE:-}" ] && moves=20
running=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
    read -r _ _ _ tasks _ </proc/loadavg
    running=$((running + ${tasks%/*} - 1))
    sleep 0.05
done
allowed=$((moves / 15))
if [ $running -gt $((10 * $(nproc))) ]; then
    allowed=$((moves / 2))
    echo "the machine is busy: $((running / 10)) programs were running before"
fi
for limit in 50 100; do
    for attempt in 1 2 3; do
        timeout 120 "$late" pbrain-sortie $limit $moves 4 >late.out 2>&1
        count=$(sed -n 's/^\([0-9]*\) of .* later than.*/\1/p' late.out)
        [ -n "$count" ] && [ "$count" -le $allowed ] && break
    done
    cat late.out
    [ -n "$count" ] && [ "$count" -le $allowed ] && pass || fail "$limit ms: $(cat late.out)"
done
finish
