# Shared by the tests of the command line. A failed expectation prints what was expected, and the
# test continues, so that one run shows all failures; with CMOCKA_TEST_ABORT=1, which makes cmocka end
# a test program at its first failure, these tests end there too.
# usage: test_X.sh PROGRAM   with FRACAS_DATA in the environment

set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$1
data=${FRACAS_DATA:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 failures=0
# Leak detection takes seconds per start of a program built with sanitizers: tests that cover all
# code paths in few runs set leaks=1 before they source this file.
export ASAN_OPTIONS="detect_leaks=${leaks:-0}${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n' "$*"
    [ -s stdout ] && sed 's/^/    stdout: /' stdout | head -20
    [ -s stderr ] && sed 's/^/    stderr: /' stderr | head -20
    [ "${CMOCKA_TEST_ABORT:-}" != 1 ] || exit 1
}

# run CODE ARGUMENTS...: the program must exit with CODE; writes ./stdout and ./stderr
run() {
    local wanted=$1 code
    shift
    checks=$((checks + 1))
    last="fracas $*"
    "$program" "$@" >stdout 2>stderr
    code=$?
    [ "$code" = "$wanted" ] || fail "$last: exit $code instead of $wanted"
}

# says TEXT: the error output of the last run contains it, after "fracas: "
says() {
    checks=$((checks + 1))
    grep -q '^fracas: ' stderr && grep -qF -- "$1" stderr || fail "$last: stderr does not say '$1'"
}

prints() {
    checks=$((checks + 1))
    grep -qF -- "$1" stdout || fail "$last: stdout does not have '$1'"
}

# json EXPRESSION VALUE: of the JSON on stdout, which is called j
json() {
    local got
    checks=$((checks + 1))
    got=$(python3 -c 'import json,sys; j=json.load(open("stdout")); print(eval(sys.argv[1]))' "$1" 2>&1)
    [ "$got" = "$2" ] || fail "$last: $1 is '$got' instead of '$2'"
}

# lines FILE EXPRESSION VALUE: of the JSON lines in FILE, a list called l
lines() {
    local got
    checks=$((checks + 1))
    got=$(python3 -c 'import json,sys; l=[json.loads(x) for x in open(sys.argv[1])]; print(eval(sys.argv[2]))' "$1" "$2" 2>&1)
    [ "$got" = "$3" ] || fail "$last: in $1 $2 is '$got' instead of '$3'"
}

# box_off X Y Z: a box with a corner at 0, as OFF
box_off() {
    printf 'OFF\n8 12 0\n'
    local x y z
    for z in 0 "$3"; do for y in 0 "$2"; do for x in 0 "$1"; do echo "$x $y $z"; done; done; done
    printf '3 %s %s %s\n' 0 2 3 0 3 1 4 5 7 4 7 6 0 1 5 0 5 4 2 6 7 2 7 3 0 4 6 0 6 2 1 3 7 1 7 5
}

# refuses_surfaces COMMAND BOX OUT ENDINGS: what commands refuse that make something of a closed
# surface, here one of box_off
refuses_surfaces() {
    local same=same.${3##*.}
    sed '2s/12/11/; $d' "$2" >open.off
    run 1 "$1" open.off -o "$3"
    says "not closed: the edge from vertex 1 to 5 belongs to triangle 4 only"
    run 1 "$1" nowhere.off -o "$3"
    says "nowhere.off: cannot be opened"
    run 2 "$1"
    says "$1 needs one SURFACE"
    run 2 "$1" "$2" open.off -o "$3"
    says "$1 needs one SURFACE, but got 2"
    run 2 "$1" "$2"
    says "$1 needs --out"
    run 2 "$1" "$2" -o a.obj
    says "must end in $4"
    [ -e "$3" ] && fail "$1: a failure left $3"
    cp "$2" "$same"
    run 2 "$1" "$same" -o "./$same"
    says "is the surface"
    cmp -s "$2" "$same" || fail "$last: the input was changed"
}

need_data() {
    [ -n "$data" ] && [ -d "$data/$1" ] && return
    echo "skipped: no $1 in FRACAS_DATA ('$data')"
    exit 77
}

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" = 0 ]
    exit
}
