# Completion of sortie's commands and options for bash: asked of the program itself, so that it is never out of date.
_sortie() {
    local word=${COMP_WORDS[COMP_CWORD]} words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "${COMP_WORDS[1]}" = help ]; }; then
        words=$("${COMP_WORDS[0]}" help --words 2>/dev/null | cut -f 1)
    elif [[ $word == -* ]]; then
        words=$("${COMP_WORDS[0]}" "${COMP_WORDS[1]}" --words 2>/dev/null | cut -f 1)
    else
        COMPREPLY=($(compgen -f -- "$word"))
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o filenames -F _sortie sortie
