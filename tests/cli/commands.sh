# The commands as a newcomer meets them: help pages with examples that work, show, JSON, statistics, perft.
. "$(dirname "$0")/lib.sh"

check "version" grep -qE '^sortie [0-9]+\.[0-9]+' <(sortie --version)
check "help" sortie help
for command in $(sortie help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$'); do
    check "$command --help" sortie "$command" --help
    check "help $command" sortie help "$command"
    check "$command --help shows an example" grep -q '^Example:' <(sortie "$command" --help)
done

# the same text as manual pages, and as words for completion
mkdir man
"$SORTIE_SOURCE/tools/manual.sh" "$(command -v sortie)" man
for page in man/sortie.6 man/sortie-move.6 man/sortie-play.6; do
    check "$page is there" test -s "$page"
done
if command -v groff >/dev/null; then
    for page in $(grep -L "^\.so" man/*.6); do
        groff -man -Tutf8 -ww -z "$page" 2>faults
        check "$(basename "$page") is clean roff" test ! -s faults
    done
fi
check "every option is a word" grep -q '^--threads.threads' <(sortie solve --words)
COMP_WORDS=(sortie so)
COMP_CWORD=1
. "$SORTIE_SOURCE/completions/sortie.bash"
_sortie
check "bash completes commands" test "${COMPREPLY[*]}" = solve
COMP_WORDS=(sortie solve --th)
COMP_CWORD=2
_sortie
check "and options" test "${COMPREPLY[*]}" = --threads
if command -v fish >/dev/null; then
    fish -c "source '$SORTIE_SOURCE/completions/sortie.fish'
        for line in 'sortie so' 'sortie solve --th' 'sortie help gr'; complete -C \$line; end" >fish.out 2>&1
    check "fish completes" test "$(cut -f 1 fish.out | tr '\n' ' ')" = "solve --threads grade "
fi
if command -v zsh >/dev/null && [ -z "${SORTIE_SANITIZE:-}" ]; then # what is typed does not wait for slow programs
    # zsh completes only in a terminal: it is given one, and says after each tab what stands in the line.
    cat >complete.zsh <<'END'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; fpath=($SORTIE_SOURCE/completions $fpath); autoload -Uz compinit; compinit -u -d dump
    say() { print -r -- "line <$BUFFER>"; BUFFER=; }; zle -N say; bindkey "^I" complete-word "^X" say; print ready'
zpty -r shell said '*ready*'
zpty -r shell said $'*\nready*'
for line in 'sortie so' 'sortie solve --th' 'sortie help gr'; do
    zpty -n -w shell "$line"$'\t\C-x'
    zpty -r shell said '*line <*>*'
    print -r -- "$said"
done
END
    timeout 60 zsh -f complete.zsh >zsh.out 2>&1
    check "zsh completes" test "$(grep -o 'line <[^>]*>' zsh.out | tr '\n' ' ')" = \
        "line <sortie solve > line <sortie solve --threads > line <sortie help grade > "
fi

# the examples of the pages, pasted into a shell
for command in move play show solve analyze database vcf gomocup perft bench; do
    sortie "$command" --help | sed -n '/^Example:/,$p' | sed 1d >example.sh
    check "$command has an example" test -s example.sh
    check "the example of $command runs" bash -e -o pipefail example.sh
done

input='2\nALPHABETA\nX\n2\n3 1\n2 5\n..\n.O\n'
printf "$input" >input.txt
sortie move --stdout --json >json
check "JSON names the move" grep -q '"move": "A2 Stake", "value": -6' json
sortie move --stdout --stats 2>stats >/dev/null
for word in nodes leaves cutoffs depth value time; do
    check "--stats has $word" grep -q "^$word " stats
done
check "--stats counts as a plain second implementation does" python3 -B "$SORTIE_SOURCE/tests/cli/textbook_counts.py"
sortie move -d 3 --stdout --stats 2>stats >/dev/null
check "--stats of the engine's own search" bash -c "grep -q '^nodes ' stats && ! grep -q '^searched' stats"
check "move -o FILE" sortie move -o answer.txt
check "the answer is there" grep -q '^A2 Stake$' answer.txt
mkdir folder
check "move -o FOLDER" sortie move -o folder
same "the same answer" answer.txt folder/output.txt
check "standard input" bash -c "printf '$input' | sortie move -i - --stdout"
check "--format" sortie move --format stake --stdout

sortie show >shown
check "show draws the board" grep -q '^  2 .2 O5$' shown
check "no colours in a pipe" bash -c "! grep -q $'\033' shown"
check "show --svg" grep -q '</svg>' <(sortie show --svg)
check "show -o" sortie show --svg -o board.svg
sortie show --text >position.txt
check "sortie's own text can be read again" sortie show position.txt
check "and answered" sortie move position.txt --stdout --depth 2
check "a finished game can be shown" bash -c "printf '1\nMINIMAX\nX\n1\n5\nX\n' | sortie show -"

check "perft" grep -q '^perft 2: 10$' <(sortie perft -d 2)
check "perft --divide" grep -q '^perft 1: 3$' <(sortie perft -d 1 --divide)

sortie bench -q >first
sortie bench -q >second
same "bench gives the same signature twice" first second
finish
