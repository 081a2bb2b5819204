# Checking takes memory in proportion to the file, at most 32 bytes a byte, also where a file is made of names: 900,000 of
# them in 2 MB, each on a board of 225 squares.
. "$(dirname "$0")/lib.sh"
[ -z "$SORTIE_SANITIZE" ] || exit 0 # sanitizers need terabytes of addresses
python3 - <<'END'
COVER, NAME, BOUND = bytes([225 + 2]), bytes([225 + 5]), bytes([225 + 6])
body = COVER
for square in range(225): # O's first move; behind 20 of them three moves more, and a name for each position there
    first = bytes([1 if square == 0 else 0])
    second = bytes([2 if square < 2 else 1])
    third = bytes([3 if square < 3 else 2])
    behind = second + COVER + (NAME + BOUND) * 221
    taken = third + COVER + (NAME + BOUND) * 221 # O has taken X's second square
    body += NAME + BOUND if square >= 20 else first + COVER + taken + behind * 222
head = b'sortie proof 1\ngame war stake 15\nmove O\nclaim X margin -225\n' + (b'1.' * 15 + b'\n') * 15
open('names.proof', 'wb').write(head + body + bytes(8))
END
size=$(stat -c %s names.proof)
check "a file of some size" test "$size" -gt 1900000
# It is right to the last byte but for its digest, which is not worked out here.
(ulimit -v $((size * 32 / 1024)) && sortie-verify names.proof >out 2>err)
check "little memory: status" test $? -eq 1
check "read to the end: $(cat err)" grep -q "byte $((size - 7)): the digest is another one" err
finish
