# The reference that doxygen makes of the header: everything public is in it and says what it is.
. "$(dirname "$0")/lib.sh"
if ! command -v doxygen >/dev/null; then
    echo "SKIPPED: there is no doxygen (tools/deps.sh docs)"
    exit 0
fi
header=$SORTIE_SOURCE/include/sortie/sortie.h
check "the reference is made, and nothing is without a word" "$SORTIE_SOURCE/tools/reference.sh" "$header" pages
check "it begins somewhere" test -s pages/index.html
while read -r name; do
    grep -qE ">$name</(a|b)>" pages/sortie_8h.html || echo "$name"
done <"$SORTIE_SOURCE/tests/abi/symbols" >missing
check "every function is in it" test ! -s missing

# What a comment forgets is noticed: a function, a member, a value of an enum.
while IFS='|' read -r what line; do
    sed "s@^SORTIE_API const char \*sortie_version.*@&\n$line@" "$header" >spoilt.h
    check "the header can be spoilt by $what" sh -c '! cmp -s "$0" spoilt.h' "$header"
    check "$what without a word is a fault" sh -c '! "$0" spoilt.h spoilt' "$SORTIE_SOURCE/tools/reference.sh"
done <<'END'
a function|SORTIE_API int sortie_dumb(void);
a struct|typedef struct sortie_dumb { int dumb; } sortie_dumb;
a number|#define SORTIE_DUMB 1
END
finish
