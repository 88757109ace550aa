# Completion of `fracas` for bash. Commands and options are those that its help lists.
_fracas() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$command" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
        local commands
        commands=$("$program" --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }')
        mapfile -t COMPREPLY < <(compgen -W "$commands help --help --version" -- "$word")
    elif [[ $word == -* ]]; then
        local options
        options=$("$program" "$command" --help 2>/dev/null | awk '$1 ~ /^--/ && !seen[$1]++ { print $1 }')
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [ "$COMP_CWORD" -eq 2 ] && [[ $command =~ ^(scene|play|bench)$ ]]; then
        local names
        names=$("$program" "${command/play/scene}" 2>/dev/null | awk '/^  [a-z]/ { print $1 }')
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
    else
        # The values that an option lists: --mode discrete|continuous|both
        local before=${COMP_WORDS[COMP_CWORD - 1]} values=
        [[ $before == --* ]] && values=$("$program" "$command" --help 2>/dev/null |
            awk -v option="$before" '$1 == option && $2 ~ /[|]/ { gsub(/[|]/, " ", $2); print $2 }')
        if [ -n "$values" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
    fi
}
complete -o filenames -F _fracas fracas
