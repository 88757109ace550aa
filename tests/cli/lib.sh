# Shared by the tests of the command line. A failed expectation prints what was expected, and the
# test continues, so that one run shows all failures.
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
