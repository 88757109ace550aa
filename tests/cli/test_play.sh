#!/usr/bin/env bash
# `fracas play`: arguments, what its server refuses, malformed messages, Ctrl-C. The page itself is tested by
# viewer/test/live.test.mjs in a browser.
source "$(dirname "$0")/lib.sh"

"$program" play --help >help
if grep -q "built without civetweb" help; then
    run 2 play wall
    says "install libcivetweb-dev"
    finish
fi
if "$program" play 2>&1 | grep -q "without the page"; then
    echo "skipped: no page (Node)"
    exit 77
fi
run 2 play
says "play needs the name of a scene"
run 2 play wall cloth-ball
says "one scene at a time; 'cloth-ball' is one too many"
run 2 play wal
says "no scene 'wal'; 'fracas scene' lists them"
run 2 play wall --mesh bunny.obj
says "scene 'wall' takes no --mesh"
run 2 play wall --port 65536
says "--port is 65536"
run 2 play wall --cull all
says "certificate|none"
if "$program" scene | grep -q drop-bunnies; then
    run 2 play drop-bunnies --size 100
    says "scene 'drop-bunnies' takes no --size"
    run 2 play drop-bunnies --cull none
    says "takes no --cull"
fi

python() { # SCRIPT ARGUMENTS...
    checks=$((checks + 1))
    python3 "$here/$1" "$program" "${@:2}" >stdout 2>stderr || fail "$1"
    cat stdout
}
python play_checks.py
# AddressSanitizer keeps freed memory; the test measures how much the program has.
export ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=16"
# The whole 100,000 messages: FRACAS_PLAY_MESSAGES=100000
python play_fuzz.py "${FRACAS_PLAY_MESSAGES:-$((10000 * ${FRACAS_SHARE:-100} / 100 + 200))}"
finish
