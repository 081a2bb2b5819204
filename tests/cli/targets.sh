# Every command that writes, on every kind of target: what is no regular file is never replaced, and what cannot be
# written is said. docs/files.md has the table.
. "$(dirname "$0")/lib.sh"

# -- the writers: each takes the target --
printf '3\nMINIMAX\nX\n2\n12 70 61\n8 22 63\n14 88 49\nX..\n.O.\n...\n' >stake.txt
printf '2\nX\n2\n' >sneak.txt
for _ in 1 2 3 4 5; do echo '7 20 13 4 6'; done >>sneak.txt
for _ in 1 2 3 4 5; do echo '*****'; done >>sneak.txt
mkdir -p class cases/one
cp "$SORTIE_GOLDEN/stake/001/"*.txt cases/one/
printf '%s/sortie-course\n' "$SORTIE_BIN" >class/ann.sh
sortie match greedy random --games 2 --size 3 --db results.db -q >/dev/null || fail "no results file"

write_move() { sortie move stake.txt -o "$1"; }
write_move_log() { sortie move sneak.txt -o next_state.txt --log "$1"; }
write_show() { sortie show stake.txt --svg -o "$1"; }
write_report() { sortie report results.db -o "$1"; }
write_report_csv() { sortie report results.db --csv -o "$1"; }
write_grade() { sortie grade class --cases cases --db cases.db -o "$1" --html page.html; }
write_grade_html() { sortie grade class --cases cases --db page.db -o page.csv --html "$1"; }
write_swapmap() { sortie swapmap --depth 1 --hash 1M -o "$1"; }
write_swapmap_svg() { sortie swapmap --resume whole.txt --svg "$1"; }
write_swapmap_table() { sortie swapmap --resume whole.txt --table "$1"; }
sortie swapmap --depth 1 --hash 1M -o whole.txt >/dev/null || fail "no map"

writers="move move_log show report report_csv swapmap swapmap_svg swapmap_table"
if [ -z "${SORTIE_SANITIZE:-}" ] && write_grade try.csv >/dev/null 2>&1; then
    writers="$writers grade grade_html"
else
    echo "skipped: no program can be graded here"
fi

# -- the targets --
mounted=
trap 'for m in $mounted; do umount "$m"; done; rm -rf "$scratch"' EXIT
null=/dev/null full_device=/dev/full
if [ "$(id -u)" -eq 0 ]; then # copies, since root could replace the real ones
    null=$scratch/null full_device=$scratch/full-device
    mknod "$null" c 1 3 && mknod "$full_device" c 1 7 && chmod 666 "$null" "$full_device"
    if ! (echo try >"$null") 2>/dev/null; then
        echo "skipped: no devices can be made here"
        null= full_device=
    fi
fi
mkdir locked small
if [ "$(id -u)" -ne 0 ]; then
    chmod 555 locked
elif mount -t tmpfs -o ro none locked 2>/dev/null; then
    mounted="$mounted $scratch/locked"
fi
small=
if mount -t tmpfs -o size=16k none small 2>/dev/null; then
    mounted="$mounted $scratch/small"
    small=yes
fi

# outcome WRITER TARGET STATUS PATTERN: runs it within ten seconds; exit status, and one line on stderr that matches.
outcome() {
    local writer=$1 target=$2 wanted=$3 pattern=${4:-} status
    "write_$writer" "$target" >"out.$writer" 2>"err.$writer"
    status=$?
    if [ $status -ne "$wanted" ]; then
        fail "$writer on $target: status $status, wanted $wanted: $(cat "err.$writer")"
    elif [ -n "$pattern" ] && { [ "$(wc -l <"err.$writer")" -ne 1 ] || ! grep -qE -- "$pattern" "err.$writer"; }; then
        fail "$writer on $target: wanted one line '$pattern', said: $(cat "err.$writer")"
    else
        pass
    fi
}
# replaced WRITER FILE: it has the new content; a table of grades has times in it.
replaced() { case $1 in grade*) [ "$(cat "$2")" != old ] && [ -s "$2" ] ;; *) cmp -s "new.$1" "$2" ;; esac }
# still NAME TEST PATH: the target is what it was.
still() { if test "$2" "$3"; then pass; else fail "$1: no longer $2: $(ls -ld "$3")"; fi; }

for writer in $writers; do
    # A new file, and one that is there: replaced as a whole, with the rights it had.
    outcome $writer new.$writer 0
    [ -s new.$writer ] && pass || fail "$writer wrote nothing"
    echo old >there.$writer
    chmod 640 there.$writer
    outcome $writer there.$writer 0
    replaced $writer there.$writer && [ "$(stat -c %a there.$writer)" = 640 ] && pass || fail "$writer: not replaced"

    # A link stays, and the file behind it is replaced; one that leads nowhere is refused.
    mkdir -p behind
    echo old >behind/$writer
    ln -s behind/$writer link.$writer
    outcome $writer link.$writer 0
    still $writer -L link.$writer
    replaced $writer behind/$writer && pass || fail "$writer: the file behind the link was not replaced"
    ln -s nowhere/at/all lost.$writer
    outcome $writer lost.$writer 2 '^sortie: .*lost.* cannot be written: '
    still $writer -L lost.$writer

    # Devices are written to and stay.
    if [ -n "$null" ]; then
        outcome $writer "$null" 0
        still $writer -c "$null"
        outcome $writer "$full_device" 1 'cannot be written: No space left'
        still $writer -c "$full_device"
    fi
    # Standard output by its names, when it is a pipe and when it is a file.
    "write_$writer" /dev/stdout 2>"err.$writer" | cat >piped.$writer
    [ "${PIPESTATUS[0]}" -eq 0 ] && cmp -s -n "$(stat -c %s new.$writer)" new.$writer piped.$writer ||
        grep -qF "$(head -1 new.$writer)" piped.$writer && pass || fail "$writer: /dev/stdout: $(head -3 piped.$writer)"
    outcome $writer /dev/stdout 0
    grep -qF "$(head -1 new.$writer)" "out.$writer" && pass || fail "$writer: nothing on /dev/stdout"
    [ -e /dev/stdout ] && pass || fail "$writer: /dev/stdout is gone"

    # A pipe with a reader gets everything and stays; without one it is refused.
    mkfifo pipe.$writer
    cat pipe.$writer >read.$writer &
    outcome $writer pipe.$writer 0
    wait $!
    still $writer -p pipe.$writer
    [ -s read.$writer ] && pass || fail "$writer: nothing came out of the pipe"

    # A folder (move puts its files into one, by its own names), places that take no files.
    mkdir folder.$writer
    case $writer in
    move | move_log) outcome $writer folder.$writer 0 ;;
    *) outcome $writer folder.$writer 2 'cannot be written: it is a folder' ;;
    esac
    outcome $writer missing/folder/file 2 'cannot be written: No such file'
    outcome $writer there.$writer/file 2 'cannot be written: Not a directory'
    if [ "$(id -u)" -ne 0 ] || [ -n "$mounted" ]; then
        outcome $writer locked/file 2 'cannot be written: (Read-only|Permission)'
    fi
    # A full disk: the old file stays whole, and nothing is left beside it.
    if [ -n "$small" ]; then
        echo old >small/file
        head -c 100000 /dev/zero >small/ballast 2>/dev/null
        outcome $writer small/file 1 'cannot be written: No space left'
        [ "$(cat small/file)" = old ] && [ "$(ls -A small | wc -l)" -eq 2 ] && pass ||
            fail "$writer on a full disk: $(ls -lA small)"
        rm small/*
    fi
done
for writer in $writers; do
    outcome $writer pipe.$writer 2 'cannot be written: nobody reads this pipe' &
done 2>lonely
wait
if grep -q FAIL lonely; then fail "pipes without a reader: $(cat lonely)"; else pass; fi

# As root, a link another user made is not followed.
if [ "$(id -u)" -eq 0 ]; then
    echo precious >precious
    ln -s "$scratch/precious" planted
    chown -h nobody planted
    outcome show planted 2 'a link that another user made'
    [ "$(cat precious)" = precious ] && [ -L planted ] && pass || fail "a planted link was followed"
fi
# A name as long as a name can be.
long=$(printf '%0255d' 0)
outcome show "$long" 0

# -- results files: never anything but a regular file --
write_match() { sortie match greedy random --games 2 --size 3 -q --db "$1"; }
write_resume() { sortie match --resume -q --db "$1"; }
write_read() { sortie report --text "$1"; }
for writer in match resume read; do
    if [ -n "$null" ]; then
        outcome $writer "$null" 2 'expected a results file, it is no regular file'
        still $writer -c "$null"
    fi
    rm -f pipe && mkfifo pipe
    outcome $writer pipe 2 'expected a results file, it is no regular file'
    still $writer -p pipe
    outcome $writer class 2 'expected a results file, it is (no regular file|a folder)'
    outcome $writer missing/file 2 'cannot be opened: No such file'
    cp stake.txt text.db
    outcome $writer text.db 2 'expected a results file'
    cmp -s stake.txt text.db && pass || fail "$writer: a text file was changed"
done
if [ -n "$small" ]; then
    outcome match small/results.db 1 'is full|No space left'
    rm -f small/*
    head -c 100000 /dev/zero >small/ballast 2>/dev/null
    outcome match small/results.db 1 'is full|No space left'
fi

# -- standard output and standard error: full, closed, nobody reads --
say_show() { sortie show stake.txt; }
say_move() { sortie move stake.txt --stdout; }
say_json() { sortie move stake.txt --stdout --json; }
say_solve() { sortie solve stake.txt; }
say_all() { sortie solve stake.txt --all; }
say_perft() { sortie perft stake.txt --depth 2; }
say_report() { sortie report results.db --csv -o -; }
say_text() { sortie report results.db --text; }
say_help() { sortie help; }
say_page() { sortie move --help; }
say_version() { sortie --version; }
say_match() { rm -f said.db && sortie match greedy random --games 2 --size 3 --db said.db -q; }
say_swapmap() { sortie swapmap --depth 1 --hash 1M -o said.txt; }
say_gomocup() { printf 'START 15\nINFO max_depth 1\nBEGIN\nEND\n' | sortie gomocup --hash 1; }
say_brain() { printf 'START 15\nINFO max_memory 30000000\nINFO max_depth 1\nBEGIN\nEND\n' | pbrain-sortie; }
printf 'gomoku freestyle 15\nH8 H9\n' >gomoku.txt
say_analyze() { sortie analyze gomoku.txt --depth 2 --hash 1; }
for command in show move json solve all perft report text help page version match swapmap gomocup brain analyze; do
    "say_$command" >/dev/null 2>said.err || { fail "$command: $(cat said.err)"; continue; }
    for how in '>/dev/full' '>&-'; do
        eval "say_$command $how" 2>said.err
        status=$?
        [ $status -eq 1 ] && grep -q 'standard output: cannot be written' said.err && pass ||
            fail "$command $how: status $status, $(cat said.err)"
    done
    # A pipe whose reader has gone: the signal ends the process, or the error does where that is ignored.
    status=$( { "say_$command" 2>/dev/null; echo $? >said.status; } | true; cat said.status)
    (trap '' PIPE; { sleep 0.2; "say_$command" 2>/dev/null; echo $? >said.status; } | true)
    [ "$(cat said.status)" -ne 0 ] && pass || fail "$command into a closed pipe: status 0"
done
# The number of a closed descriptor is not given to a file.
rm -f closed.db
sortie match greedy random --games 2 --size 3 --db closed.db -q 2>&- >&- <&-
sortie report closed.db --text >closed.out 2>&1 && pass || fail "closed descriptors: $(cat closed.out)"
sortie show nothing.txt 2>&- && fail "closed standard error" || pass
echo kept >kept
(exec 2>&-; sortie show stake.txt -o kept --format sneak)
[ "$(cat kept)" = kept ] && pass || fail "an error was written into a file"
sortie show - <&- 2>closed.err && fail "closed standard input" || pass

if ls -A . behind | grep -q '^\.sortie-'; then fail "left behind: $(ls -A . behind)"; else pass; fi
finish
