#!/usr/bin/env bash
# The progress bar: on a terminal it moves while the program works for more than a second, and is
# gone at the end; in a pipe there is none.
source "$(dirname "$0")/lib.sh"
export TERM=xterm
last="fracas scene wall --size 3000000 on a terminal"
python3 "$here/terminal.py" 80 "$program" scene wall --size 3000000 --frames 2 >stdout 2>stderr
tr '\r' '\n' <stdout | grep -a '%' | sort -u >bars
checks=$((checks + 1))
[ "$(wc -l <bars)" -ge 5 ] || fail "$last: the bar has $(wc -l <bars) states: $(cat bars)"
tail -1 stdout | grep -q '^2 steps: ' || fail "$last: the last line is not that of the totals"
awk '{ gsub(/\x1b\[[0-9;]*[mK]/, ""); if (length($0) > 80) exit 1 }' <(tr '\r' '\n' <stdout) ||
    fail "$last: a line is wider than the terminal"
"$program" scene wall --size 3000000 --frames 2 >stdout 2>stderr
[ -s stderr ] && fail "$last, in a pipe: stderr is not empty"
finish
