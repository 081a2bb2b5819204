#!/usr/bin/env bash
# Makes build/paper/sortie-proofs.pdf of docs/paper: its numbers and tables are read from the files of the tree first. The
# same bytes come out each time. What TeX would only warn about, a reference that leads nowhere or a line that is too
# wide, is an error here.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/paper
mkdir -p "$out"
python3 -B tools/proof_figures.py
python3 -B tools/proof_figures.py --tex "$out"
cp docs/paper/sortie-proofs.tex "$out"
cd "$out"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1794787200} FORCE_SOURCE_DATE=1
for _ in 1 2 3; do
    pdflatex -halt-on-error -interaction=nonstopmode sortie-proofs.tex >run.log || { tail -30 run.log; exit 1; }
done
if grep -nE '^(Overfull|LaTeX Warning|Package .* Warning)' sortie-proofs.log; then
    echo "see $out/sortie-proofs.log" >&2
    exit 1
fi
echo "$out/sortie-proofs.pdf"
