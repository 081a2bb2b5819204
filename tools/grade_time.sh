#!/usr/bin/env bash
# How much longer grading takes than the programs themselves: tools/grade_time.sh [BUILD [SUBMISSIONS [CASES [ROUNDS]]]]
# SUBMISSIONS (60) of tests/class in Python, Java, C and C++ over CASES (25), on two cores: bare, each compiled and run
# in a folder of its own, and by `sortie grade -j 2`. ROUNDS (3) of each in turns; the middle one, and the ratio, of the
# time on the wall and of the processors' time (user and system), which a busy machine changes less.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$source/build}" && pwd)
submissions=${2:-60}
cases=${3:-25}
rounds=${4:-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export HOME=$scratch PYENV_ROOT= VIRTUAL_ENV= CONDA_PREFIX=
python3 "$source/tests/class/make.py" made
mkdir class cases
kinds=(py3 java c cpp)
for ((i = 0; i < submissions; i++)); do cp -r "made/stake/submissions/${kinds[i % 4]}" "class/$i"; done
# Searches of up to two moves on boards up to 8x8, again and again until there are enough.
i=0
while [ $i -lt "$cases" ]; do
    for folder in "$source"/tests/golden/stake/*/; do
        if [ $i -lt "$cases" ] && [ "$(sed -n 2p "$folder/input.txt")" != COMPETITION ] &&
            [ "$(sed -n 1p "$folder/input.txt")" -le 8 ] && [ "$(sed -n 4p "$folder/input.txt")" -le 2 ]; then
            cp -r "$folder" "cases/$i"
            i=$((i + 1))
        fi
    done
done

# bare NUMBER: builds and runs one submission over all cases.
bare() {
    local folder=$scratch/bare/$1 command one
    cp -r "class/$1" "$folder"
    case $(($1 % 4)) in
    0) command="/usr/bin/python3 $folder/homework.py" ;;
    1) (cd "$folder" && javac -d out homework.java) && command="java -cp $folder/out homework" ;;
    2) gcc -O2 -o "$folder/program" "$folder/homework.c" -lm && command=$folder/program ;;
    3) g++ -O2 -o "$folder/program" "$folder/homework.cpp" && command=$folder/program ;;
    esac
    for one in "$scratch"/cases/*; do
        mkdir "$folder/work" && cp "$one/input.txt" "$folder/work/"
        (cd "$folder/work" && $command >/dev/null 2>&1)
        cmp -s "$folder/work/output.txt" "$one/output.txt" || echo "differs: $1 ${one##*/}"
        rm -r "$folder/work"
    done
}
export -f bare
export scratch
# seconds FILE COMMAND: adds "wall cpu" to a file.
seconds() {
    local file=$1 TIMEFORMAT='%R %U %S'
    shift
    { time "$@" >>log 2>&1 || { cat log; exit 1; }; } 2>one
    awk '{ printf "%.2f %.2f\n", $1, $2 + $3 }' one >>"$file"
}
all_bare() { rm -rf bare && mkdir bare && seq 0 $((submissions - 1)) | xargs -P 2 -n 1 bash -c 'bare $0'; }
all_graded() { rm -f grades.db && "$build/sortie" grade class -j 2 --cases cases; }
for ((round = 0; round < rounds; round++)); do
    seconds bare.txt all_bare
    seconds graded.txt all_graded
done
! grep differs log
grep -c ',pass,' grades.csv | awk -v all=$((submissions * cases)) '{ print $1 " of " all " cases pass" }'
middle() { cut -d' ' -f"$2" "$1" | sort -n | sed -n $(((rounds + 1) / 2))p; }
for column in 1 2; do
    awk -v bare="$(middle bare.txt $column)" -v graded="$(middle graded.txt $column)" -v column=$column 'BEGIN {
        printf "%s bare %s s, graded %s s, ratio %.2f\n", column == 1 ? "wall:" : "cpu: ", bare, graded, graded / bare
    }'
done
