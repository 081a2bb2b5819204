#!/usr/bin/env bash
# Is a change of the search accepted? Plays this tree against an older one until the answer is clear:
#
#   tools/strength.sh gain COMMIT [MATCH OPTIONS]       it must be better: 0 against 10 Elo
#   tools/strength.sh simplify COMMIT [MATCH OPTIONS]   it must not be worse: -10 against 0 Elo
#
# Gomoku at 1 s a move, unless the options say otherwise (-g war, -g laser, --time-per-move ...). Every opening is played with
# both sides, and only whole pairs count (docs/match.md). Run again, it carries on. The last lines belong into the commit.
set -eu
cd "$(dirname "$0")/.."
usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
case $1 in
gain) bounds=0,10 ;;
simplify) bounds=-10,0 ;;
*) usage ;;
esac
base=$(git rev-parse --short --verify "$2^{commit}") || exit 2
shift 2

game=gomoku
for ((i = 1; i < $#; i++)); do
    case ${!i} in -g | --game) j=$((i + 1)); game=${!j} ;; esac
done
case $game in
gomoku) kind=brain program=pbrain-sortie options=(--time-per-move 1 --margin 0.2) ;;
war) kind=program program=sortie-course options=(--time-per-game 10 --clock cpu --size 6,8,10) ;;
laser) kind=program program=sortie-laser options=(--time-per-move 1 --margin 0.2 --size 7,8,9) ;;
*) usage ;;
esac

old=build/strength/$base
if [ ! -x "$old/build/$program" ]; then
    rm -rf "$old"
    mkdir -p "$old"
    git archive "$base" | tar -x -C "$old"
    cmake -S "$old" -B "$old/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSORTIE_TESTS=OFF >/dev/null
    cmake --build "$old/build" --target "$program" | tail -1
fi
cmake --build build --target "$program" sortie | tail -1

db=build/strength/$game-$base.db
if [ -e "$db" ]; then
    build/sortie match --resume --yes --db "$db"
else
    build/sortie match "new=$kind:$PWD/build/$program" "old=$kind:$PWD/$old/build/$program" -g "$game" --sprt "$bounds" \
        --games 40000 "${options[@]}" -j "$(nproc)" --db "$db" "$@"
fi
echo
echo "Against $base, $game, --sprt $bounds ${options[*]} $*:"
build/sortie report "$db" --text | grep -E '^(Elo|LOS|Pairs)'
echo "Bench: $(build/sortie bench -q | sed 's/^signature //')"
