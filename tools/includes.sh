#!/usr/bin/env bash
# Draws which room of src/ includes which, and fails when one includes upwards, when one game includes another, or when
# the drawing in docs/architecture.md is not this one. With --write the drawing there is made anew.
set -eu
cd "$(dirname "$0")/.."
rooms="base game search games formats engine protocols prove match serve cli" # from the ground up

# One line an include: file, line, room of the file, room of what is included, path included.
list() {
    git ls-files --cached --others --exclude-standard 'src/*.c' 'src/*.h' 'src/*.inc' | xargs grep -nE '^#include "[^"]*/' |
        sed -E 's|^(src/([a-z_]+)/[^:]*):([0-9]+):#include "(([a-z_0-9]+)/[^"]*)".*|\1 \3 \2 \5 \4|'
}

# A room and below it what it uses, itself left out.
draw() {
    echo '```'
    for room in $rooms; do
        [ -d "src/$room" ] || continue
        used=$(list | awk -v room="$room" '$3 == room && $4 != room { print $4 }' | sort -u)
        line=""
        for below in $rooms; do
            case " $(echo $used) " in *" $below "*) line="$line $below" ;; esac
        done
        printf '%-10s%s\n' "$room" "${line:+ ->$line}" | sed 's/ *$//'
    done
    echo '```'
}

list | awk -v rooms="$rooms" '
    BEGIN { count = split(rooms, names, " "); for (i = 1; i <= count; i++) rank[names[i]] = i; rank["sortie"] = 1 }
    NF != 5 || !($4 in rank) { print $1 ":" $2 ": includes something of no room: " $5; bad = 1; next }
    rank[$4] > rank[$3] { print $1 ":" $2 ": includes upwards: " $5; bad = 1 }
    $3 == "games" && $4 == "games" {
        split($1, own, "/"); split($5, other, "/")
        if (own[4] != "" && other[3] != "" && own[3] != other[2]) { print $1 ":" $2 ": one game includes another: " $5; bad = 1 }
    }
    END { exit bad }'

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
