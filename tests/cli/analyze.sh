# sortie analyze: lines that differ, moves near a balance, forbidden squares, and its database.
. "$(dirname "$0")/lib.sh"

# lines FILE: the first move of each line, one a line of output, out of JSON.
lines() { python3 -c 'import json, sys
for text in open(sys.argv[1]):
    print(json.loads(text)["move"])' "$1"; }

printf 'gomoku freestyle 15\n' >empty.txt
printf 'gomoku freestyle 15\nH8 I9 J8\n' >three.txt
printf 'gomoku renju 15\nH8 I9 J8 H9 J10\n' >renju.txt
printf 'gomoku exact 9\nE5 D4 E6 E4\n' >small.txt
# fours for black: one move wins
printf 'gomoku freestyle 15\nH8 A1 I8 B1 J8 C1 K8 E1\n' >won.txt

# No move begins two lines, at any depth, on one thread or two.
for file in empty three renju small won; do
    for threads in 1 2; do
        sortie analyze $file.txt -n 12 --nodes 8K -j $threads --all --json >lines.json
        check "lines of $file on $threads differ" python3 -c 'import json, sys
group = []
for text in open(sys.argv[1]):
    line = json.loads(text)
    group = [] if line["line"] == 1 else group
    if line["move"] in group or line["pv"][:1] != [line["move"]]:
        sys.exit("twice: " + text)
    group.append(line["move"])
if not group:
    sys.exit("no lines")' lines.json
    done
done

# The moves nearest to a value, the nearest first, and as many as are asked for.
for value in 0 -150 300; do
    sortie analyze three.txt --balance $value -n 5 --nodes 30K --json >balance.json
    check "nearest to $value" python3 -c 'import json, sys
lines = [json.loads(text) for text in open(sys.argv[1])]
apart = [abs(line["value"] - int(sys.argv[2])) for line in lines]
sys.exit(apart != sorted(apart) or len(lines) != 5 or len({line["move"] for line in lines}) != 5)' balance.json $value
done
refused "no value" 'whole number' sortie analyze three.txt --balance even

# Forbidden squares: a double three of black on H8, and none for white.
printf 'gomoku renju 15\nG8 A1 I8 C1 H7 E1 H9 G1\n' >foul.txt
printf 'gomoku renju 15\nG8 A1 I8 C1 H7 E1 H9\n' >white.txt
printf 'gomoku freestyle 15\nG8 A1 I8 C1 H7 E1 H9 G1\n' >free.txt
check "in words" grep -qx 'forbidden: H8' <(sortie analyze foul.txt --nodes 500)
check "as JSON" grep -q '"forbidden": \["H8"\]' <(sortie analyze foul.txt --nodes 500 --json)
check "drawn" grep -qE '^ +8 .* # ' <(sortie show foul.txt)
check "and said" grep -qx 'X to move, # is forbidden' <(sortie show foul.txt)
check "as a picture" grep -q 'c0281e' <(sortie show foul.txt --svg)
for file in white free; do
    check "none in $file" bash -c "! sortie show $file.txt | grep -q '#' && ! sortie show $file.txt --svg | grep -q c0281e &&
        ! sortie analyze $file.txt --nodes 500 | grep -q forbidden"
done
finish
