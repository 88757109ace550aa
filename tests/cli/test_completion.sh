#!/usr/bin/env bash
# Completion for bash offers the commands, options, values and names that the help lists.
source "$(dirname "$0")/lib.sh"
source "$here/../../completions/fracas.bash"

# offers WORDS... = TEXT: the completions of the last word are TEXT
offers() {
    COMP_WORDS=("$program")
    while [ "$1" != = ]; do COMP_WORDS+=("$1") && shift; done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    checks=$((checks + 1))
    _fracas
    local got
    got=$(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' ')
    [ "$got" = "$2" ] || fail "${COMP_WORDS[*]:1} offers '$got' instead of '$2'"
}

touch mesh-1.ply mesh-2.ply
offers de = detect
offers help sc = scene
offers detect --mo = --mode
offers detect --mode "" = "both continuous discrete"
offers detect --mode d = discrete
offers scene wa = wall
offers play wa = wall
offers play wall --no = --no-open
offers scene wall --fram = --frames
offers detect mesh = "mesh-1.ply mesh-2.ply"
offers detect mesh-1.ply --out mesh-2 = mesh-2.ply
offers nonsense --o = ""
[ "$(bash -c 'source "$1"; complete -p fracas' - "$here/../../completions/fracas.bash")" = "complete -o filenames -F _fracas fracas" ] ||
    fail "sourcing the completion does not register it"
finish
