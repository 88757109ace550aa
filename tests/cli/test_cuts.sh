#!/usr/bin/env bash
# Random fracturing sequences, with and without face parents.
. "$(dirname "$0")/lib.sh"
checks=1
last="cut_sequences.py"
python3 "$here/cut_sequences.py" "$program" 1 2 3 4 5 6 >stdout 2>stderr || fail "$last"
cat stdout
finish
