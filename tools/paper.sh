#!/usr/bin/env bash
# tools/paper.sh [FOLDER]   makes sortie-proofs.pdf of docs/paper there, in build/paper unless told
# Its numbers and tables are read from the files of the tree first. The same bytes come out each time. What TeX would only warn about, a reference that leads nowhere or a line that is too
# wide, is an error here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/build/paper}
mkdir -p "$out"
python3 -B "$root/tools/proof_figures.py"
python3 -B "$root/tools/proof_figures.py" --tex "$out"
cp "$root/docs/paper/sortie-proofs.tex" "$out"
cd "$out"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1794787200} FORCE_SOURCE_DATE=1
for _ in 1 2; do
    pdflatex -halt-on-error -interaction=nonstopmode sortie-proofs.tex >run.log || { tail -30 run.log; exit 1; }
done
if grep -nE '^(Overfull|LaTeX Warning|Package .* Warning)' sortie-proofs.log; then
    echo "see sortie-proofs.log in $out" >&2
    exit 1
fi
echo "${1:-build/paper}/sortie-proofs.pdf"
