# The pages people follow: every block of commands in them is run as it stands.
. "$(dirname "$0")/lib.sh"
if [ -n "$SORTIE_SANITIZE" ] || [ ! -e "$SORTIE_BIN/libsortie.so" ]; then
    echo "this build has no shared library to follow the pages with"
    exit 0
fi
# In an environment with nothing in it, as `make install` leaves one: with the line it prints for a prefix of one's own.
prefix=$scratch/installed
"$SORTIE_SOURCE/tools/install.sh" "$SORTIE_BIN" "$prefix" >install.out
line=$(grep '^ *export ' install.out)
check "installation says where the module is" grep -q "^The Python module is in $prefix" install.out
clean() { env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$scratch" PYTHONDONTWRITEBYTECODE=1 "$@"; }
for page in students teachers gomoku-players book library python proofs proving protocol; do
    mkdir "$page"
    awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$SORTIE_SOURCE/docs/$page.md" >"$page.sh"
    check "$page has commands" test "$(wc -l <"$page.sh")" -gt 3
    check "the commands of $page run" clean env -C "$page" bash -e -o pipefail -c "$line; . ../$page.sh"
done

# And into /usr/local, where nothing more is needed: an empty one, and a loader's cache, that only this test sees.
cat >usual.sh <<'END'
set -e
mount -t tmpfs none /usr/local
mkdir etc
cp -a /etc/. etc 2>/dev/null || true # what others may not read is not needed
mount --bind etc /etc
"$SORTIE_SOURCE/tools/install.sh" "$SORTIE_BIN" /usr/local >usual.out
! grep export usual.out
cd usual
env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$scratch" bash -e -o pipefail ../library.sh
END
mkdir usual
export scratch
if unshare -rm true 2>/dev/null; then
    check "after make install as root the commands of library run as they stand" unshare -rm bash usual.sh
else
    echo "no namespaces here: make install into /usr/local is not tried"
fi

# The conversation of protocol.md, to the letter but for the version and what the clock says.
awk '/^```lines$/ { on = 1; next } /^```$/ { on = 0 } on' "$SORTIE_SOURCE/docs/protocol.md" >talk.txt
sed -n 's/^> //p' talk.txt | sortie engine |
    sed -E 's/^(id name sortie) .*/\1 VERSION/; s/ nps [0-9]+ time [0-9]+/ nps N time N/; s/ +$//' >talk.out
check "protocol.md has a conversation" test "$(grep -c '^< ' talk.txt)" -gt 20
check "the conversation of protocol.md" diff <(sed -n 's/^< //p' talk.txt) talk.out

# What holds each promise of trust.md is there: a test, a function of one, a fuzz target, a hostile program.
holders() {
    sed -n '/^| promise | held by |$/,/^$/p' "$SORTIE_SOURCE/docs/trust.md" | sed 's/^.*| \([^|]*\)|$/\1/' |
        grep -o '`[^`]*`' | tr -d '\140' | sort -u
}
holds() {
    local tests=$SORTIE_SOURCE/tests
    case $1 in
        torture) test -e "$tests/torture/torture.py" ;;
        tools/*) test -e "$SORTIE_SOURCE/$1" ;;
        cli_*) test -e "$tests/cli/${1#cli_}.sh" ;;
        fuzz_*) test -e "$tests/fuzz/$1.c" ;;
        test_*) test -e "$tests/$1.c" ;;
        *.*) grep -q "^static void ${1#*.}(void \*\*state)" "$tests/test_${1%%.*}.c" ;;
        *) grep -qE "^ *\\{\"${1//\*/[a-z0-9-]*}\"," "$tests"/hostile/attacks_*.c ;;
    esac
}
holders >holders.txt
check "trust.md names what holds its promises" test "$(wc -l <holders.txt)" -gt 100
while read -r name; do
    holds "$name" && pass || fail "trust.md: nothing is called $name"
done <holders.txt
for name in cli_none test_none fuzz_none tools/none.sh warden.none none.shows none 'none-*' fill; do
    holds "$name" 2>/dev/null && fail "what is called $name?" || pass
done
check "no line is too wide, no link leads nowhere, no page is lost" python3 "$SORTIE_SOURCE/tools/docs_check.py"

# And what the check says of pages that are wrong.
pages() { python3 "$SORTIE_SOURCE/tools/docs_check.py" pages; }
found() { ! pages >said.out && grep -qE "$1" said.out; }
fresh() {
    rm -rf pages
    mkdir -p pages/docs
    printf '# Pages\n\n[one](one.md#a-heading) and\n[a picture,\ntoo](board.svg)\n' >pages/docs/README.md
    printf '# One\n\n## A heading\n\n`[no](link)` and\n\n    [none](either)\n' >pages/docs/one.md
    echo '<svg/>' >pages/docs/board.svg
}
fresh
check "good pages are good" pages
printf '| %0125d |\n' 1 >>pages/docs/one.md
check "a wide table too" pages
printf '%0121d\n' 1 >>pages/docs/one.md
check "a line too wide" found '^docs/one.md:9: expected at most 120 characters, found 121$'
fresh
printf '\n[gone](two.md)\n' >>pages/docs/one.md
check "a link that leads nowhere" found '^docs/one.md:9: two.md: no such file'
fresh
printf '\n[here](#nothing)\n' >>pages/docs/one.md
check "an anchor that is none" found '^docs/one.md:9: #nothing: no such heading'
fresh
echo '# Two' >pages/docs/two.md
check "a page nobody leads to" found '^docs/two.md:1: cannot be reached'
fresh
echo 'TO''DO' >>pages/docs/one.md
check "an unfinished page" found '^docs/one.md:8: expected a finished page'
fresh
printf '\n1. %s\n\n```\n%s\n```\n' "$(seq -s' ' 100)" "$(seq -s' ' 20)" >>pages/docs/one.md
cp pages/docs/one.md wide.md
check "an item that is too wide" found '^docs/one.md:9: expected at most 120'
check "is wrapped" python3 "$SORTIE_SOURCE/tools/docs_check.py" --wrap pages/docs/one.md
check "and is no longer too wide" pages
check "with all its words" diff <(tr -s ' \n' '\n' <wide.md) <(tr -s ' \n' '\n' <pages/docs/one.md)
cp pages/docs/one.md once.md
python3 "$SORTIE_SOURCE/tools/docs_check.py" --wrap pages/docs/one.md
same "and stays so when it is wrapped again" once.md pages/docs/one.md
finish
