# Every golden course file through `sortie move` and through the course-shaped programs, byte for byte.
. "$(dirname "$0")/lib.sh"

for folder in "$SORTIE_GOLDEN"/stake/*/; do
    rm -f ./*.txt
    cp "$folder/input.txt" .
    check "$folder move" sortie move
    same "$folder output" "$folder/output.txt" output.txt
    rm -f output.txt
    sed 's/$/  \r/' "$folder/input.txt" >input.txt
    check "$folder sortie-course with CRLF" sortie-course
    same "$folder output of sortie-course" "$folder/output.txt" output.txt
done

for folder in "$SORTIE_GOLDEN"/sneak/*/; do
    rm -f ./*.txt
    check "$folder move" sortie move -i "$folder/input.txt"
    for expected in "$folder"/{next_state,traverse_log,trace_state}.txt; do
        name=$(basename "$expected")
        if [ -f "$expected" ]; then
            same "$folder $name" "$expected" "$name"
        elif [ -f "$name" ]; then
            fail "$folder wrote $name, which the course does not expect"
        fi
    done
    rm -f ./*.txt
    check "$folder sortie-task" sortie-task -i "$folder/input.txt"
    for expected in "$folder"/{next_state,traverse_log,trace_state}.txt; do
        [ -f "$expected" ] && same "$folder $(basename "$expected") of sortie-task" "$expected" "$(basename "$expected")"
    done
done
finish
