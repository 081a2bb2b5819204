# Completion of sortie's commands and options for fish: asked of the program itself, so that it is never out of date.
function __sortie_words
    set -l tokens (commandline -opc)
    if test (count $tokens) -eq 1
        $tokens[1] help --words 2>/dev/null
    else if test (count $tokens) -eq 2; and test $tokens[2] = help
        $tokens[1] help --words 2>/dev/null
    else
        $tokens[1] $tokens[2] --words 2>/dev/null
    end
end
complete -c sortie -n 'test (count (commandline -opc)) -eq 1' -f -a '(__sortie_words)'
complete -c sortie -n 'test (count (commandline -opc)) -gt 1' -a '(__sortie_words)'
