#!/bin/sh
# A weak and honest program for Stake-Raid, Sneak-Raid and Laser Checkmate: the first square that is free.
file=input.txt answer=output.txt
[ "$1" = -i ] && file=$2 answer=next_state.txt
awk -v sneak="$([ "$1" = -i ] && echo 1)" '
{ line[NR] = $0 }
END {
    size = sneak ? 5 : line[1]
    war = sneak || line[2] ~ /[A-Z]/
    side = sneak ? line[2] : line[3]
    from = sneak ? 8 : war ? 4 + size : 1
    for (r = 1; r <= size; r++) for (c = 1; c <= size; c++) board[r, c] = substr(line[from + r], c, 1)
    free = war ? (sneak ? "*" : ".") : "0"
    for (r = 1; r <= size; r++) for (c = 1; c <= size; c++) if (board[r, c] == free && !(!war && covered(r, c))) {
        if (!war) { print r - 1, c - 1; exit }
        own = 0
        for (i = 0; i < 4; i++) own += board[r + (i == 1) - (i == 0), c + (i == 3) - (i == 2)] == side
        board[r, c] = side
        for (i = 0; i < 4 && sneak && own; i++) {
            y = r + (i == 1) - (i == 0); x = c + (i == 3) - (i == 2)
            if (board[y, x] ~ /[XO]/) board[y, x] = side
        }
        if (!sneak) print substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c, 1) r " Stake"
        for (y = 1; y <= size; y++) { for (x = 1; x <= size; x++) printf "%s", board[y, x]; print "" }
        exit
    }
}
function covered(r, c, d, e, s) {
    for (d = -1; d <= 1; d++) for (e = -1; e <= 1; e++) for (s = 1; s < 4 && (d || e); s++) {
        if (board[r + s * d, c + s * e] == "" || board[r + s * d, c + s * e] == "3") break
        if (board[r + s * d, c + s * e] ~ /[12]/) return 1
    }
    return 0
}' "$file" >"$answer"
