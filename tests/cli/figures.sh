# The figures that pages give of the proofs are those of the files: tools/proof_figures.py, on the tree as it stands and on
# copies in which one figure is another one.
. "$(dirname "$0")/lib.sh"

figures=$SORTIE_SOURCE/tools/proof_figures.py
if [ ! -e "$figures" ] || [ ! -e "$SORTIE_SOURCE/proofs/SHA256SUMS" ]; then
    echo "no tree with proofs here"
    exit 77
fi
check "the pages and the files agree" python3 -B "$figures" "$SORTIE_SOURCE"

check "the paper's tables are written" python3 -B "$figures" --tex tex "$SORTIE_SOURCE"
tables=$(sed -n 's/^ *\\input{\(.*\)}.*/\1/p' "$SORTIE_SOURCE/docs/paper/sortie-proofs.tex")
check "the paper has tables" test "$(wc -w <<<"$tables")" -ge 6
for table in $tables; do
    check "$table is among them" test -s "tex/$table.tex"
done
if command -v pdflatex >/dev/null && kpsewhich tikz.sty booktabs.sty lmodern.sty >/dev/null; then
    check "and the paper is made of them" "$SORTIE_SOURCE/tools/paper.sh" paper >paper.out
    check "as a PDF" test "$(head -c 5 paper/sortie-proofs.pdf)" = %PDF-
else
    echo "no TeX here: the paper is not made"
fi

mkdir -p tree/docs
cp "$SORTIE_SOURCE/README.md" tree
cp "$SORTIE_SOURCE"/docs/{proving,cores,page,performance}.md "$SORTIE_SOURCE/docs/swapmap.txt" tree/docs
cp -r "$SORTIE_SOURCE/proofs" tree

# differs WHAT FILE SED-SCRIPT EXPECTED: with that change it is said, and where
differs() {
    cp "tree/$2" kept
    sed -i "$3" "tree/$2"
    check "$1: the change is one" bash -c "! cmp -s kept 'tree/$2'"
    python3 -B "$figures" tree >said 2>&1
    check "$1: refused" test $? -eq 1
    check "$1: says so" grep -q -- "$4" said
    cp kept "tree/$2"
}
differs "moves of the core" README.md 's/27,764/27,765/' 'README.md: .*the files say 27,764, not 27,765'
differs "a core's size" docs/cores.md 's/25 kB as xz/26 kB as xz/' 'docs/cores.md: .*the files say 25, not 26'
differs "the certificate" docs/proving.md 's/95,000,528/95,000,529/' 'the files say 95,000,528'
differs "a row of the map" docs/proving.md 's/| 180,864 bytes/| 180,865 bytes/' 'docs/proving.md: G8'
differs "a smaller board" docs/proving.md 's/| 36,392 bytes/| 36,393 bytes/' 'docs/proving.md: 13x13'
differs "how small it is" README.md 's/On boards of 12x12/On boards of 11x11/' 'README.md: .*not 11x11'
differs "a winner" docs/swapmap.txt 's/^\(G8 .*\)owner/\1other/' 'docs/swapmap.txt: G8'
differs "a square that is settled" docs/swapmap.txt 's/^\(D4 .*\)$/\1 owner/' 'docs/proving.md: .*the files say'
differs "how many ship" README.md 's|\w* are settled by proofs that ship|none are settled by proofs that ship|' 'README.md: .*not none'
differs "a sentence that is gone" README.md 's/hard to find/hidden/' 'expected a sentence like'
differs "a digest of nothing" proofs/SHA256SUMS 's/first-player/second-player/' 'second-player.proof'
mv tree/proofs/G8.core.xz .
python3 -B "$figures" tree >said 2>&1
check "a core that is missing" grep -q 'docs/proving.md: rows of the swap map' said
printf x | dd of=tree/proofs/F6.core.xz bs=1 seek=40000 conv=notrunc 2>/dev/null
check "a core that is damaged" bash -c "! python3 -B '$figures' tree >said 2>&1"
finish
