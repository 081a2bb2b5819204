# The table of docs/proving.md of what is proved: its shorter proofs are made again, and have the bytes and the positions
# that it gives.
. "$(dirname "$0")/lib.sh"
if [ -n "$SORTIE_SANITIZE" ]; then
    echo "searches of seconds are left to builds without a sanitizer"
    exit 0
fi
awk -F ' *[|] *' '/^[|] what [|] proof/ { on = 1 } on && /^[|] *[0-9]/ { print $2 ";" $3 ";" $4 } on && /^$/ { exit }' \
    "$SORTIE_SOURCE/docs/proving.md" | tr -d , >table
made=0
while IFS=';' read -r what bytes positions; do
    bytes=${bytes%% *} positions=${positions%% *}
    if [ "$bytes" -gt 2000000 ]; then
        continue
    fi
    size=${what%%x*} claim=${what##* }
    stones=$(sed -n 's/^[0-9x]* \([A-O0-9 ]*\): .*/\1/p' <<<"$what")
    printf 'gomoku freestyle %s\n%s\n' "$size" "$stones" >position.txt
    sortie prove position.txt --claim "$claim" -j1 -o this.proof >out 2>&1
    check "$what: $bytes bytes, not $(stat -c %s this.proof)" test "$(stat -c %s this.proof)" = "$bytes"
    check "$what: $positions positions" bash -c "sortie-verify this.proof | grep -q '^checked: $positions positions,'"
    made=$((made + 1))
done <table
check "some were made" test "$made" -ge 4
finish
