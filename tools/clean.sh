#!/usr/bin/env bash
# Whatever prints, prints what strangers wrote through src/base/clean.h: in the files that make reports or speak to a
# terminal, no statement hands such a text to a printing function without it.
set -eu
cd "$(dirname "$0")/.."
mapfile -t files < <(git ls-files 'src/cli/*.c' 'src/results/report*.c' 'src/grade/grade_report.c' 'src/grade/grade_html.c' 'src/results/standings.c' 'src/grade/find/grade_unpack.c')
prints='\b(v?f?printf|fputs|puts|text_add|text_addf|text_add_string|text_add_xml|text_add_json|text_add_json_bytes|json_string|json_bytes|gametree_put_text)\('
# Fields that hold strangers' words; names of games, commands, options and fields of our own tables are not among them.
fields='(players\[[^]]*\]|submissions\[[^]]*\]|submission|cases\[[^]]*\]|spec|player|one|entry)(\.|->)(name|text|path)\b|(\.|->)(difference|errors|problem|how|messages|unjudged|detail|missing_tool|warning)\b|error(\.|->)text\b'
# On the way to a terminal, names of files too.
names='\b(v?f?printf|fputs|puts)\(.*(\b|\.|->)(database|folder|path|file)\b *[,)]'
bad=0
for file in "${files[@]}"; do
    # One statement a line, strings left out.
    found=$(sed -E 's/"([^"\\]|\\.)*"/""/g; s|/\*.*\*/||' "$file" | tr '\n' ' ' | sed 's/[;{}]/&\n/g' |
        grep -E "$prints" | grep -E "$fields|$names" | grep -v 'clean_' || true)
    if [ -n "$found" ]; then
        echo "$file: strangers' text is printed as it is:"
        echo "$found"
        bad=1
    fi
done
exit $bad
