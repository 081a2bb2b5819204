# COMPETITION: always a legal move, never more CPU seconds than the file gives.
. "$(dirname "$0")/lib.sh"

board() { # N SECONDS FILLED
    awk -v n="$1" -v s="$2" -v filled="$3" 'BEGIN {
        srand(n * 7 + filled); print n; print "COMPETITION"; print "X"; print s
        for (r = 0; r < n; r++) { line = ""; for (c = 0; c < n; c++) line = line (c ? " " : "") 1 + int(rand() * 99); print line }
        for (r = 0; r < n; r++) { line = ""; for (c = 0; c < n; c++) line = line (rand() * 100 < filled ? (rand() < .5 ? "X" : "O") : "."); print line }
    }'
}
TIMEFORMAT='%U'
for size in 1 2 5 8 15 26; do
    for seconds in 0.01 0.1 1; do
        for filled in 0 60; do
            rm -f output.txt
            board $size $seconds $filled >input.txt
            if [ "$(sed -n "$((5 + size)),\$p" input.txt | tr -dc . | wc -c)" -eq 0 ]; then continue; fi
            used=$( { time sortie move 2>err; } 2>&1)
            if [ -s output.txt ] && [ "$(wc -l <output.txt)" -eq $((size + 1)) ]; then pass; else fail "no answer for $size $seconds $filled: $(cat err)"; fi
            case $SORTIE_BIN in
            *asan* | *tsan*) ;; # the sanitizers' own start costs more than the smallest budget
            *) if awk -v u="$used" -v s="$seconds" 'BEGIN{exit !(u <= s)}'; then pass; else fail "$size $seconds $filled used $used s"; fi ;;
            esac
        done
    done
done
finish
