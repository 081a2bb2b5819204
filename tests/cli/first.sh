# A newcomer's first minute: what `make` and `make run` build, and what they say at the end. Nothing is built here: the
# build is asked what it would do.
. "$(dirname "$0")/lib.sh"
if [ ! -e "$SORTIE_BIN/build.ninja" ]; then
    echo "this build is not ninja's"
    exit 0
fi
inputs() { ninja -C "$SORTIE_BIN" -t inputs "$1" >"$1.inputs"; }
inputs programs
check "the programs are asked about" grep -qx sortie programs.inputs
check "and the checker of proofs" grep -q '^CMakeFiles/sortie-verify.dir' programs.inputs
check "make builds no test" sh -c '! grep -E "(^|/)tests/" programs.inputs'
inputs sortie-first
check "the first program has boards and answers" grep -q 'cmd_show' sortie-first.inputs
check "it waits for nothing that is compiled again for newer processors" sh -c '! grep -E "games_|sortie_games_" sortie-first.inputs'
check "nor for what solves whole boards" sh -c '! grep -E "war/whole" sortie-first.inputs'
check "nor for other commands" sh -c '! grep -E "cmd_(match|prove|solve)|libsortie_" sortie-first.inputs'

# Where the programs are, as a shell takes it: also from a folder with a blank in its name.
mkdir "a build"
printf '#!/bin/sh\necho found\n' >"a build/sortie"
chmod +x "a build/sortie"
"$SORTIE_SOURCE/tools/where.sh" "a build" /opt/x >said.txt
check "it names the program" grep -q '^The programs are in a build: sortie$' said.txt
check "and the place of an installation" grep -q 'make install  (into /opt/x' said.txt
sed -n 's/^To call them by name: //p' said.txt >path.sh
check "the line for the shell" test "$(env -i PATH=/usr/bin:/bin sh -c '. ./path.sh; sortie')" = found
env PATH="$PWD/a build:$PATH" "$SORTIE_SOURCE/tools/where.sh" "a build" >again.txt
check "who has it in PATH is not told again" test "$(wc -l <again.txt)" -eq 1

# On a machine that lacks something a test says so in one line and is skipped; where everything must run it fails.
mkdir -p lacking/tests
printf '#!/bin/sh\necho "no mounts of its own; --unsafe does without"\nexit 1\n' >lacking/tests/needs-sandbox
chmod +x lacking/tests/needs-sandbox
needs() { env -u SORTIE_NO_SKIP "$SORTIE_SOURCE/tests/needs/needs.sh" "$@" >needs.out; }
needs sandbox lacking touch ran
check "no sandbox is a reason to skip" test $? -eq 77 -a ! -e ran
check "with the reason, in one line" diff - needs.out <<<"SKIPPED: no mounts of its own"
needs proc,sandbox lacking touch ran
check "whatever else is needed" test $? -eq 77 -a ! -e ran
SORTIE_NO_SKIP=1 "$SORTIE_SOURCE/tests/needs/needs.sh" sandbox lacking touch ran >needs.out
check "and a failure where nothing may be skipped" test $? -eq 1 -a ! -e ran
needs proc lacking false
check "what has all it needs is run" test $? -eq 1 -a ! -s needs.out
finish
