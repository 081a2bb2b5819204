# A brain that is punctual on a busy machine: four programs compute beside it, on however many cores there are. Nothing else of
# the suite runs meanwhile. The machine may be busy with others all the same: then half of the moves must be in time, where
# nearly all must be otherwise. tests/zoo/late.c measures with more moves; docs/gomocup.md leads to figures.
. "$(dirname "$0")/lib.sh"

late=$SORTIE_BIN/tests/zoo/late
moves=60
[ $slow -gt 1 ] && moves=20
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
    timeout 120 "$late" pbrain-sortie $limit $moves 4 >late.out 2>&1
    count=$(sed -n 's/^\([0-9]*\) of .* later than.*/\1/p' late.out)
    cat late.out
    [ -n "$count" ] && [ "$count" -le $allowed ] && pass || fail "$limit ms: $(cat late.out)"
done
finish
