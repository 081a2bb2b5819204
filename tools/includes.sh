#!/usr/bin/env bash
# Draws which room of src/ includes which, and fails when one includes upwards, when one game includes another, or when
# the drawing in docs/architecture.md is not this one. With --write the drawing there is made anew. Every folder is a
# room; one that is not in the list below has no place in the house yet.
set -eu
cd "$(dirname "$0")/.."

# From the ground up.
rooms="base certificate system game search
    games/war/rules games/war/solve games/war/search games/war/whole
    games/laser/rules games/laser/kernel games/laser/search
    games/gomoku/rules games/gomoku/board games/gomoku/eval games/gomoku/search games/gomoku/book games/gomoku/openings
    games/gomoku/referee
    games formats/records formats explain engine api protocols protocols/gomocup protocols/lines protocols/folder crew
    prove/search prove api/proofs prove/core prove/crew prove/map
    sandbox/first sandbox players results analysis match grade/find grade/games grade grade/explain grade/feedback grade/platform match/class serve cli cli/solving
    cli/book cli/analysis cli/commands
    cli/programs"

# One line an include: file, line, room of the file, room of what is included, path included.
list() {
    git ls-files --cached --others --exclude-standard 'src/*.c' 'src/*.h' 'src/*.inc' | xargs grep -nE '^#include "[^"]*/' |
        sed -E 's|^src/(.*)/([^/:]*):([0-9]+):#include "(.*)/([^"/]*)".*|src/\1/\2 \3 \1 \4 \4/\5|'
}

# A room and behind it what it uses, itself left out. Whoever is not inside a game sees it as one.
draw() {
    list | awk -v rooms="$rooms" '
        function seen_from(room, used) { return room ~ /^games\// && used ~ /^games\// ? used : used ~ /^games/ ? "games" : used }
        function short(room) { sub(/^games\/[a-z]+\//, "", room); return room }
        BEGIN { count = split(rooms, names, " ") }
        { uses[$3, seen_from($3, $4)] = 1; known[$3] = 1 }
        END {
            print "```"
            for (i = 1; i <= count; i++) {
                if (!(names[i] in known) && names[i] != "base") continue
                line = ""
                for (j = 1; j <= count; j++) {
                    if (i != j && (names[i], names[j]) in uses) {
                        line = line " " (names[i] ~ /^games\// ? short(names[j]) : names[j])
                    }
                }
                line = line == "" ? "" : "->" line
                while (length(line) > 95) {
                    cut = 95
                    while (substr(line, cut, 1) != " ") cut--
                    printf "%-21s%s\n", names[i], substr(line, 1, cut - 1)
                    line = "  " substr(line, cut)
                    names[i] = ""
                }
                printf "%-21s%s\n", names[i], line
            }
            print "```"
        }' | sed 's/ *$//'
}

list | awk -v rooms="$rooms" '
    BEGIN { count = split(rooms, names, " "); for (i = 1; i <= count; i++) rank[names[i]] = i; rank["sortie"] = 1 }
    NF != 5 || !($4 in rank) { print $1 ":" $2 ": includes something of no room: " $5; bad = 1; next }
    !($3 in rank) { print $1 ": is in no room that tools/includes.sh knows"; bad = 1; next }
    rank[$4] > rank[$3] { print $1 ":" $2 ": includes upwards: " $5; bad = 1 }
    $3 ~ /^games\// && $4 ~ /^games\// {
        split($3, own, "/"); split($4, other, "/")
        if (own[2] != other[2]) { print $1 ":" $2 ": one game includes another: " $5; bad = 1 }
    }
    END { exit bad }'

# A room stays small enough to be seen whole.
most=26
for room in $rooms; do
    count=$(git ls-files --cached --others --exclude-standard "src/$room" | awk -F/ -v depth="$(echo "src/$room" | awk -F/ '{ print NF }')" \
        'NF == depth + 1 && /\.(c|h|inc)$/' | wc -l)
    [ "$count" -le $most ] || { echo "src/$room: $count files, at most $most"; exit 1; }
done

doc=docs/architecture.md
draw >build/includes.txt
if [ "${1-}" = --write ]; then
    awk '/<!-- includes: begin -->/ { print; while ((getline line < "build/includes.txt") > 0) print line; skip = 1 }
        /<!-- includes: end -->/ { skip = 0 } !skip' $doc >build/architecture.md
    cp build/architecture.md $doc
fi
sed -n '/<!-- includes: begin -->/,/<!-- includes: end -->/p' $doc | sed '1d;$d' | diff - build/includes.txt ||
    { echo "$doc shows another graph: tools/includes.sh --write"; exit 1; }
echo "includes: clean"
