# The referee and the agent where nothing can be written, where nobody answers, and in a crowd of old files: a clear
# error or a game, and never a hang.
. "$(dirname "$0")/lib.sh"

# fails NAME STATUS PATTERN COMMAND...: ends by itself in time with that status and one matching line on stderr.
fails() {
    local name=$1 wanted=$2 pattern=$3 status
    shift 3
    timeout 20 "$@" >out 2>err
    status=$?
    if [ $status -eq "$wanted" ] && [ "$(wc -l <err)" -eq 1 ] && grep -qE -- "$pattern" err; then
        pass
    else
        fail "$name: status $status, wanted $wanted and '$pattern', said: $(cat err)"
    fi
}

# -- places that take no files --
fails "no such folder" 2 '^sortie: nowhere: expected a folder: No such file' sortie agent A --folder nowhere
fails "no such folder" 2 '^sortie: nowhere: expected a folder: No such file' sortie referee A B --folder nowhere
touch file
fails "a file as folder" 2 '^sortie: file: expected a folder: Not a directory' sortie agent A --folder file
fails "a file as folder" 2 '^sortie: file: expected a folder: Not a directory' sortie referee A B --folder file

mkdir locked full
mounted=
trap 'for m in $mounted; do umount "$m"; done; rm -rf "$scratch"' EXIT
if [ "$(id -u)" -ne 0 ]; then
    chmod 555 locked
elif mount -t tmpfs -o ro none locked 2>/dev/null; then
    mounted="$mounted $scratch/locked"
fi
if [ "$(id -u)" -ne 0 ] || [ -n "$mounted" ]; then
    fails "read-only" 2 '^sortie: locked: cannot be written: (Read-only|Permission)' sortie agent A --folder locked
    fails "read-only" 2 '^sortie: locked: cannot be written: (Read-only|Permission)' sortie referee A B --folder locked
else
    echo "skipped: no read-only folder can be made here"
fi

# A disk that fills up in the middle of a game: the agent's table and log are elsewhere, only the folder is small.
if mount -t tmpfs -o size=64k none full 2>/dev/null; then
    mounted="$mounted $scratch/full"
    head -c 1000000 /dev/zero >full/ballast 2>/dev/null
    fails "full from the start" 1 '^sortie: full: cannot be written: No space left' sortie agent A --folder full
    fails "full from the start" 1 '^sortie: full: cannot be written: No space left' sortie referee A B --folder full
    rm full/ballast
    sortie agent A --folder full --time 1 --depth 1 --hash 1M --patience 2 >A.log 2>A.err &
    agent=$!
    timeout 20 sortie referee A B --folder full --time 1 --first A >referee.out 2>referee.err &
    referee=$!
    until grep -q '^A ' full/move_file 2>/dev/null; do sleep 0.01; done
    head -c 1000000 /dev/zero >full/ballast 2>/dev/null
    wait $referee
    if [ $? -eq 1 ] && grep -qE '^sortie: full: .*: cannot be written: No space left' referee.err; then
        pass
    else
        fail "full in a game: $(cat referee.err referee.out)"
    fi
    wait $agent
    if [ $? -eq 1 ] && grep -q '^sortie: full.*\(no sign of the referee\|No space left\)' A.err; then
        pass
    else
        fail "full in a game, agent: $(cat A.err A.log)"
    fi
else
    echo "skipped: no small disk can be made here"
fi

# -- nobody there --
mkdir empty
fails "no game" 1 '^sortie: empty: no game for A began within' sortie agent A --folder empty --wait 0.3
echo -n >empty/move_file
echo 'go!' >empty/A.go
fails "no referee" 1 '^sortie: empty: no sign of the referee' sortie agent A --folder empty --time 1 --depth 1 --hash 1M \
    --patience 0.5
if grep -qE '^A [A-O] [0-9]+$' empty/move_file; then pass; else fail "no move: $(cat empty/move_file)"; fi
fails "team" 2 "^sortie: agent: expected one team name" sortie agent
fails "team" 2 "^sortie: agent: expected a team name without blanks" sortie agent 'a b'
fails "open" 2 "^sortie: agent: expected a square from A1 to O15" sortie agent A --open P1
fails "teams" 2 "^sortie: referee: expected two team names" sortie referee A
fails "teams" 2 "^sortie: referee: expected two different teams" sortie referee A A
fails "first" 2 "^sortie: referee: expected 'A' or 'B' after --first" sortie referee A B --first C
fails "launch" 2 "^sortie: referee: expected two team names and two commands" sortie referee A B --launch 'true'
finish
