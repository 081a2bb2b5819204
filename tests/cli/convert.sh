# Recorded games and positions from one format to another, and what is said about what is lost.
. "$(dirname "$0")/lib.sh"

# told NAME PATTERN COMMAND...: succeeds, and its one line on standard error matches.
told() {
    local name=$1 pattern=$2
    shift 2
    if "$@" >told.out 2>told.err && [ "$(wc -l <told.err)" -eq 1 ] && grep -qE -- "$pattern" told.err; then
        pass
    else
        fail "$name: wanted '$pattern', said: $(cat told.err)"
    fi
}
# silent NAME COMMAND...: succeeds without a word on standard error.
silent() {
    local name=$1
    shift
    if "$@" >silent.out 2>silent.err && [ ! -s silent.err ]; then pass; else fail "$name: $(cat silent.err)"; fi
}

printf 'gomoku exact 15\nH8 I9 J8 K7\n' >game.txt
printf '(;GM[4]RU[1]SZ[15]PB[ann];B[hh]C[good](;W[ii];B[jh];W[kg])(;W[aa]))' >tree.sgf
printf '(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh];W[ii])\n' >two.sgf

# Round and round: the position is the same after every format that can hold it.
silent "to SGF" sortie convert game.txt a.sgf
told "to Piskvork, without rules" 'left out.*: rules$' sortie convert a.sgf b.psq
silent "and to text" sortie convert b.psq --rules exact --to position
same "text, SGF, Piskvork, text" game.txt silent.out
told "to RenLib, without rules" 'a.sgf|c.lib: warning: left out.*: rules$' sortie convert a.sgf c.lib
silent "RenLib, and the rules again" sortie convert c.lib --rules exact --to position
same "RenLib and back" game.txt silent.out
told "to moves" 'left out.*: rules$' sortie convert game.txt --to pos
if [ "$(cat told.out)" = h8i9j8k7 ]; then pass; else fail "pos: $(cat told.out)"; fi
told "to offsets" 'left out.*: rules$' sortie convert game.txt --to offset
if [ "$(cat told.out)" = "0,0, 1,1, 2,0, 3,-1" ]; then pass; else fail "offset: $(cat told.out)"; fi
cp told.out line.txt
told "a line does not say its board" "15x15 taken" sortie convert line.txt --to position
printf '0,0, 1,1\n' | sortie convert - --size 20 --to position >size.out
check "on the board of --size" grep -q '^K11 L12$' size.out

# The rules by number, and others than ours.
if [ "$(sortie show tree.sgf --text | head -1)" = "gomoku exact 15" ]; then pass; else fail "RU[1]"; fi
printf '(;GM[4]RU[pente];B[hh])' >pente.sgf
refused "rules of others" 'pente.sgf:1:11: .*freestyle' sortie show pente.sgf
refused "and in convert" 'pente.sgf:1:11: .*freestyle' sortie convert pente.sgf --to pos
silent "unless they are named" sortie convert pente.sgf --to pos --rules freestyle

# Nothing is lost in SGF and RenLib that they hold, and everything else is named.
silent "SGF to SGF" sortie convert tree.sgf --to sgf
check "the comment, the name and the variation are there" grep -q 'PB\[ann\]' silent.out
check "variations" grep -q '(;W\[aa\]' silent.out
told "names in RenLib" 'left out.*: names of players, rules$' sortie convert tree.sgf d.lib
silent "RenLib to SGF" sortie convert d.lib --to sgf
check "variations come through RenLib" grep -q '^(;W\[aa\])' silent.out
check "comments come through RenLib" grep -q 'B\[hh\]C\[good\]' silent.out
told "variations in Piskvork" 'left out.*: variations, comments, rules$' sortie convert tree.sgf e.psq

# Several games: the first is taken, which is said; another on request; all of them when converted.
told "of several the first" 'two.sgf: warning: the file has 2 games, this is the first' sortie show two.sgf --text
silent "--record" sortie show two.sgf --text --record 2
if [ "$(tail -1 silent.out)" = "H8 I9" ]; then pass; else fail "--record 2: $(cat silent.out)"; fi
refused "--record beyond the last" 'game 1 to 2 of the file' sortie show two.sgf --record 3
told "analyze says it too" 'the file has 2 games' sortie analyze two.sgf --nodes 1000
silent "both in one" sortie convert two.sgf --to pos
if [ "$(cat silent.out)" = "$(printf 'h8\nh8i9')" ]; then pass; else fail "two games: $(cat silent.out)"; fi
silent "a file for each" sortie convert two.sgf f.psq
if [ -f f-1.psq ] && [ -f f-2.psq ] && [ ! -f f.psq ]; then pass; else fail "two files: $(ls)"; fi
refused "not on standard output" 'holds one game and there are 2' sortie convert two.sgf --to psq

# Positions of other games.
printf '5\n00300\n01000\n00000\n00020\n00000\n' >laser.txt
silent "a course's file to text" sortie convert laser.txt --to position
cp silent.out laser.pos.txt
silent "and back" sortie convert laser.pos.txt --to laser
same "Laser there and back" laser.txt silent.out
refused "no record of other games" 'game of Gomoku' sortie convert laser.txt --to sgf
refused "no course of Gomoku" 'no such position' sortie convert game.txt --to stake

# Matches begin where the records end.
printf -- '-1,0, 1,0\n0,0\n' >openings.txt
check "offsets as openings" sortie match -g gomoku -s 15 -q --openings openings.txt engine:depth=1 random --db m.db
check "on that board" grep -q 'SZ\[15\]' <(sortie report m.db --sgf games >/dev/null && cat games/game-00001.sgf)
check "from those stones" grep -q 'AB\[gh\]' games/game-00001.sgf
silent "records of matches have times" sortie convert games/game-00001.sgf --to sgf
refused "a size that the file brings" 'leave out --size' \
    sortie match -g gomoku -s 15 --openings two.sgf engine:depth=1 random --db n.db

# Wrong usage and wrong files.
refused "no file" 'a file to read' sortie convert
refused "no format" 'expected --to NAME' sortie convert game.txt
refused "unknown format" "found 'xyz'" sortie convert game.txt --to xyz
refused "unknown source" "found 'xyz'" sortie convert game.txt --from xyz --to sgf
refused "missing file" 'cannot be read' sortie convert nosuch.sgf --to pos
printf 'Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n' >bad.psq
refused "a stone on another" 'bad.psq:3:1: .*empty square' sortie convert bad.psq g.sgf.txt --to position
head -c 25 c.lib >cut.lib
refused "a library cut off" 'cut.lib: byte 25: expected another move' sortie convert cut.lib --to sgf
refused "a folder that is not there" 'cannot be written' sortie convert game.txt nowhere/x.sgf

finish
