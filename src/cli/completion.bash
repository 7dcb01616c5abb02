# SPDX-License-Identifier: MIT
# Completion of `touchstone` in bash: source this file. Commands and options come from the program's own help, so that they
# are always those of the version that runs.
_touchstone() {
    local word="${COMP_WORDS[COMP_CWORD]}" program="${COMP_WORDS[0]}" command="${COMP_WORDS[1]-}"
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "$("$program" help 2>/dev/null | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p')" -- "$word"))
    elif [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "$("$program" help "$command" 2>/dev/null | grep -oE '^  (-.,|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+')" -- "$word"))
    elif [ "$command" = help ]; then
        COMPREPLY=($(compgen -W "$("$program" help 2>/dev/null | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p')" -- "$word"))
    elif [ "$command" = map ] && [ "$COMP_CWORD" = 2 ]; then
        COMPREPLY=($(compgen -W "build info query compare plot" -- "$word"))
    elif [ "$command" = shape ] && [ "${COMP_WORDS[2]-}" = fit ] && [ "$COMP_CWORD" -gt 2 ]; then
        COMPREPLY=() # a mesh: files
    elif [ "$command" = shape ] || [ "$command" = map ]; then
        # grains of the library; where none fits, files
        COMPREPLY=($(compgen -W "$("$program" shape 2>/dev/null | sed -nE '2,/^$/s/^([A-Za-z][A-Za-z0-9-]*)  +.*/\1/p')" -- "$word"))
        [ "$command" != shape ] || [ "$COMP_CWORD" != 2 ] || [[ fit != "$word"* ]] || COMPREPLY+=(fit)
    elif [ "$command" = manifold ]; then
        # bodies; where none fits, files
        local bodies="box ball superquadric:"
        [ "$COMP_CWORD" -gt 2 ] || bodies="choose $bodies"
        COMPREPLY=($(compgen -W "$bodies" -- "$word"))
    elif [ "$command" = study ] || [ "$command" = bench ]; then
        local list=""
        [ "$command" = study ] || list=--list
        COMPREPLY=($(compgen -W "$("$program" "$command" $list 2>/dev/null | sed -nE 's/^([a-z][a-z-]+)  +.*/\1/p')" -- "$word"))
    fi
}
complete -o default -F _touchstone touchstone
