#!/usr/bin/env bash
# What `fracas detect` says to a person: the answer in words, tables that fit, and which files are
# which bodies.
leaks=1
source "$(dirname "$0")/lib.sh"
# triangle FILE Z: a triangle in the plane z = Z;  blade FILE X Y Z: one that stands there
triangle() { printf 'OFF\n3 1 0\n0 0 %s\n4 0 %s\n0 4 %s\n3 0 1 2\n' "$2" "$2" "$2" >"$1"; }
blade() { printf 'OFF\n3 1 0\n%s %s %s\n%s %s 2\n%s 2 %s\n3 0 1 2\n' "$2" 1 "$3" "$2" 1 "$2" "$3" >"$1"; }
triangle floor.off 0
triangle high.off 5
blade blade.off 1 -1
# one part crosses another twice, in two places
printf 'OFF\n9 3 0\n0 0 0\n9 0 0\n0 9 0\n1 1 -1\n1 1 1\n1 2 1\n5 1 -1\n5 1 1\n5 2 1\n3 0 1 2\n3 3 4 5\n3 6 7 8\n' >knot.off

first() { # the first line of stdout is TEXT
    checks=$((checks + 1))
    [ "$(head -1 stdout)" = "$1" ] || fail "$last: the first line is not '$1'"
}

# ---- one frame, in words
run 0 detect knot.off
first "knot.off intersects itself: 2 triangle pairs in 2 places"
[ "$(wc -l <stdout)" = 3 ] || fail "$last: more than the answer and the totals"
run 0 detect floor.off
first "floor.off does not intersect itself"
run 0 detect floor.off+blade.off
first "floor.off intersects blade.off: 1 triangle pair in 1 place"
run 0 detect floor.off+high.off
first "floor.off and high.off do not touch each other or themselves"
run 0 detect floor.off+high.off+floor.off
first "floor.off touches floor.off: 1 triangle pair in 1 place"
run 0 detect floor.off+high.off+blade.off+knot.off
first "4 pairs of bodies intersect: 7 triangle pairs in 4 places"
prints "bodies     with       tt"
prints "floor.off  knot.off    2"
prints "knot.off   itself      2"
run 0 detect high.off+blade.off+high.off+floor.off --first
first "high.off touches high.off: 1 triangle pair in 1 place"

# ---- sequences: the first frame is checked at rest, unless the mode is given
run 0 detect knot.off knot.off --json
json '[(s["tt"], s["from"] == s["to"]) for s in j["steps"]]' "[(2, True), (0, True)]"
run 0 detect knot.off knot.off --json --mode continuous
json 'len(j["steps"])' 1
run 3 detect knot.off knot.off --fail-on-contact --quiet
mkdir fall
for k in 1 2 3 8 9 10 11; do triangle fall/part_$k.off "$((13 - k - (k > 9)))"; done
triangle still.off 3.5
run 0 detect --body 'fall/part_*.off' --body still.off
first "part_*.off touches still.off in frames 4 to 5, first at 4.25: 15 contacts"
run 0 detect --body fall --body still.off --out c.jsonl --out c.CSV --out c.vtk
first "part_*.off touches still.off in frames 4 to 5, first at 4.25: 15 contacts"
checks=$((checks + 1))
[ "$(wc -l <c.jsonl) $(wc -l <c.CSV)" = "15 16" ] || fail "$last: not 15 contacts in both files"
for file in c.jsonl c.CSV c.vtk; do prints "contacts written to $file"; done
prints "frames  vf  ee   first"
prints "0 to 4   -   -       -"
run 0 detect --body fall --body still.off --json
json '[s["to"] for s in j["steps"]] == [["fall/part_%d.off" % k, "still.off"] for k in (1, 2, 3, 8, 9, 10, 11)]' True
run 0 detect fall --mode discrete
first "part_*.off does not touch itself from frame 0 to 6"
run 0 detect --body fall --body still.off --verbose
prints "first toi"
prints "part_8.off"

# ---- many steps and pairs: the tables keep to the rows that tell most
run 0 scene breaking-walls --size 1000
checks=$((checks + 1))
[ "$(grep -c ' to [0-9]' stdout)" = 21 ] || fail "$last: not 20 rows of steps below the answer"
prints "rows more"
grep -q '^0 to ' stdout && grep -q '^79 to 80 ' stdout || fail "$last: the first or last step is missing"
run 0 scene breaking-walls --size 1000 --json
cp stdout steps.json
run 0 scene breaking-walls --size 1000
checks=$((checks + 1))
python3 - <<'PY' >check.out 2>&1 || fail "$last: $(tail -3 check.out)"
import json, re
steps = json.load(open("steps.json"))["steps"]
assert len(steps) == 80
contacts = lambda s: sum(s[k] for k in ("vf", "ee", "tt", "et", "ve", "vv", "inside"))
rows = [l.split() for l in open("stdout") if re.match(r"\d+ to \d+ ", l)]
shown = {int(r[2]) for r in rows}
first = next(s["frame"] for s in steps if contacts(s))
wanted = {1, first, 80} | {s["frame"] for s in sorted(steps, key=contacts)[-3:]} | \
    {s["frame"] for s in sorted(steps, key=lambda s: s["edits"])[-5:]}
wanted.discard(1)  # shares a row
assert wanted <= shown, (wanted - shown, shown)
# a row has the numbers of its step
for r in rows[1:]:
    s = steps[int(r[2]) - 1]
    assert [int(x.replace(",", "").replace("-", "0")) for x in r[3:6]] == [s["vf"], s["ee"], s["edits"]], r
more = re.search(r"and (\d+) rows more", open("stdout").read())
quiet = first - 1
assert int(more[1]) == 80 - quiet + 1 - len(rows), (more[1], len(rows), quiet)
PY
run 0 scene breaking-walls --size 1000 --verbose
checks=$((checks + 1))
[ "$(grep -c ' -> ' stdout)" = 80 ] || fail "$last: not all steps"
run 0 scene breaking-walls --size 1000 --frames 20
grep -q 'rows* more' stdout && fail "$last: rows are left out of a short table"
many=$(printf 'floor.off+%.0s' {1..47})
run 0 detect "${many%+}"
prints "and 1,071 pairs more with fewer contacts"

# ---- bodies inside others
box_off 9 9 9 >big.off
box_off 1 1 1 | awk 'NF == 3 && NR > 2 { print $1 + 1, $2 + 1, $3 + 1; next } { print }' >small.off
box_off 4 1 1 | awk 'NF == 3 && NR > 2 { print $1 + 8, $2 + 1, $3 + 1; next } { print }' >side.off
run 3 detect big.off+small.off --fail-on-contact --out c.jsonl --out c.csv --out c.vtk
first "small.off is inside big.off"
lines c.jsonl l "[{'step': 0, 'kind': 'inside', 'body_a': 1, 'body_b': 0, 'vertex': 0, 'parts': 1}]"
[ "$(tail -1 c.csv)" = "0,inside,1,0,0$(printf ',%.0s' {1..37})1" ] || fail "$last: CSV is $(tail -1 c.csv)"
grep -q "^1 1 1$" c.vtk || fail "$last: the point of the vertex is not in c.vtk"
run 0 detect big.off+small.off --no-inside --fail-on-contact
first "big.off and small.off do not touch each other or themselves"
run 0 detect big.off+small.off+side.off
first "big.off intersects side.off: 12 triangle pairs in 1 place; small.off is inside big.off"
run 0 detect small.off+big.off+small.off --first --json
json '[j["totals"][k] for k in ("tt", "inside")]' "[1, 0]"
run 0 detect big.off+small.off big.off+side.off --json
json '[[s[k] for k in ("tt", "inside", "restart")] for s in j["steps"]]' "[[0, 1, False], [0, 0, False]]"
run 0 detect big.off+side.off big.off+small.off --json --mode both
json '[s["inside"] for s in j["steps"]]' "[0, 1]"

# ---- standard input and output
run 0 detect - <knot.off
first "standard input intersects itself: 2 triangle pairs in 2 places"
run 0 detect knot.off --out -
[ "$(python3 -c 'import json,sys; print(len([json.loads(x) for x in open("stdout")]))')" = 2 ] ||
    fail "$last: stdout is not two lines of JSON"
run 1 detect - </dev/null
says "standard input"
run 2 detect knot.off --json --out -
says "--json and --out - both print"

# ---- bad input
run 2 detect knot.off --body floor.off
says "'knot.off': with --body all files are named by --body"
run 2 detect --body fall --body knot.off --body '*.off'
says "--body fall is 7 files, but --body *.off is"
run 1 detect 'nothing_*.off'
says "nothing_*.off: no file matches the pattern"
mkdir empty
run 1 detect empty
says "empty: no mesh is in the folder"
run 2 detect knot.off --out c.xml
says "--out is 'c.xml'"
run 1 detect knot.off --out c.csv --out nowhere/c.csv
says "nowhere/c.csv: cannot be written"

# ---- a terminal
long=a_name_that_is_so_long_that_it_does_not_fit_into_half_of_a_line
cp knot.off "$long-1.off"
cp blade.off "$long-2.off"
terminal() { # COLUMNS ARGUMENTS...
    last="fracas ${*:2} on a terminal"
    python3 "$here/terminal.py" "$1" "$program" "${@:2}" >stdout 2>stderr
    widest=$(sed 's/\x1b\[[0-9;]*[mK]//g' stdout | awk '{ if (length($0) > w) w = length($0) } END { print w }')
    checks=$((checks + 1))
    [ "$widest" -le "$1" ] || fail "$last: a line has $widest characters"
}
export TERM=xterm
for columns in 80 132; do
    terminal $columns detect "$long-1.off+$long-2.off+floor.off"
    prints "7 triangle pairs in 4 places"
    terminal $columns detect --body fall --body still.off --body "$long-1.off"
done
terminal 80 detect "$long-1.off+$long-2.off+floor.off"
prints "a_name_that_is_so..lf_of_a_line-1.off"
prints "a_name_that_is_so..lf_of_a_line-2.off"
prints $'\x1b[1m'
NO_COLOR=1 terminal 80 detect knot.off
grep -q $'\x1b' stdout && fail "$last: colours in spite of NO_COLOR"
run 0 detect knot.off
grep -q $'\x1b' stdout && fail "$last: colours in a pipe"

# ---- help
run 0 help detect
prints "usage: fracas detect"
run 0 help
prints "commands:"
finish
