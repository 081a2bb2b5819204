# Shared by the scripts: a scratch folder, and checks that count.
set -u
export PYTHONDONTWRITEBYTECODE=1 # nothing of a test stays in the sources
PATH=$SORTIE_BIN:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
passed=0
failed=0

# Under a sanitizer programs are slower, as in tests/support/scale.h, and need far more address space than programs of
# others are given.
slow=1 room=""
[ -z "${SORTIE_SANITIZE:-}" ] || slow=10 room=30000G

# scaled COUNT: so many rounds of what takes long, at least one.
scaled() { echo $((($1 + slow - 1) / slow)); }

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL: $*" >&2; }

# lacks WHAT: a part of the test cannot be done on this machine, as tests/needs/needs.sh says of whole ones.
lacks() { if [ -n "${SORTIE_NO_SKIP:-}" ]; then fail "$*"; else echo "SKIPPED in part: $*"; fi; }

# check NAME COMMAND...: the command must succeed.
check() {
    local name=$1
    shift
    if "$@" >check.out 2>&1; then pass; else fail "$name"; cat check.out >&2; fi
}

# same NAME EXPECTED ACTUAL: two files must hold the same text, line ends apart.
same() {
    if diff <(tr -d '\r' <"$2") "$3" >same.out 2>&1; then pass; else fail "$1"; head -20 same.out >&2; fi
}

# refused NAME PATTERN COMMAND...: exit status 2, one line on stderr that matches, no file appears or changes.
refused() {
    local name=$1 pattern=$2 before after status
    shift 2
    before=$(listing)
    "$@" >"$scratch.out" 2>"$scratch.err"
    status=$?
    after=$(listing)
    if [ $status -eq 2 ] && [ "$(wc -l <"$scratch.err")" -eq 1 ] && grep -qE -- "$pattern" "$scratch.err" &&
        [ "$before" = "$after" ]; then
        pass
    else
        fail "$name: status $status, wanted '$pattern', said: $(cat "$scratch.err")"
    fi
    rm -f "$scratch.out" "$scratch.err"
}
listing() { ls -lA --time-style=full-iso; }

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}

# kill_rank JOB RANK: kills one process of the MPI job that the process JOB leads.
kill_rank() {
    local process
    for process in $(pgrep -P "$1"); do
        if tr '\0' '\n' <"/proc/$process/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$2"; then
            kill -9 "$process"
        fi
    done
}
