#!/usr/bin/env bash
# --report: the file, its data, its size, and that a failure leaves no file. tests/viewer opens it in a browser.
. "$(dirname "$0")/lib.sh"

box_off 1 1 1 >a.off
sed '3,10s/$/ /; 3,10s/^\([0-9.]*\) \([0-9.]*\) \([0-9.]*\).*/\1.5 \2.25 \3.125/' a.off >b.off
"$program" detect a.off --report probe.html >stdout 2>stderr
if grep -q "built without the page" stderr; then
    run 2 detect a.off --report page.html
    says "install Node"
    [ -e page.html ] && fail "a refused report left a file"
    finish
fi
rm -f probe.html

# data FILE EXPRESSION VALUE: of the JSON in a page, which is called j; decode(j) is in report_data.py
data() {
    local got
    checks=$((checks + 1))
    got=$(PYTHONDONTWRITEBYTECODE=1 python3 "$here/report_data.py" "$1" "$2" 2>&1)
    [ "$got" = "$3" ] || fail "$last: in $1 $2 is '$got' instead of '$3'"
}

# The page has the summary and the contacts that --json and --out have.
run 0 detect a.off+b.off --report page.html --out contacts.jsonl --json
data page.html "[s['tt'] for s in j['summary']['steps']] == [$(wc -l <contacts.jsonl)]" True
json "j['totals']['tt']" "$(wc -l <contacts.jsonl)"
data page.html "same_contacts(j, 'contacts.jsonl')" True
data page.html "j['contacts'][0]['marked'] == marked_triangles('contacts.jsonl')" True
data page.html "j['summary']['steps'][0]['to']" "['a.off', 'b.off']"
data page.html "[m['closed'] for m in j['meshes']]" "[True, True]"
data page.html "[p['tt'] for p in j['pairs']]" "[$(wc -l <contacts.jsonl)]"
run 0 detect a.off+b.off --report page.html
prints "report written to page.html"
grep -q '<script src\|http-equiv="refresh"\|<link rel="stylesheet"' page.html && fail "the page loads other files"

# Positions, triangles and topologies of a sequence that breaks, against its files.
run 0 scene wall --frames 12 --write frames --quiet
run 0 detect frames/*.ply --mode continuous --report cut.html --out cut.jsonl --quiet
data cut.html "same_meshes(j, sorted(glob.glob('frames/*.ply')))" True
data cut.html "len(j['topologies']) > 1" True
data cut.html "same_contacts(j, 'cut.jsonl')" True
# The scene itself has other bodies, but the same contacts in time.
run 0 scene wall --frames 12 --report scene.html --quiet
vf=$(grep -c '"kind":"vf"' cut.jsonl)
data scene.html "(j['summary']['totals']['vf'], j['title'])" "($vf, 'wall')"

# Where trees have the triangles: 12 triangles are not in one leaf, and a flat sheet is certified.
data page.html "[min(d for d, _ in trees_of(j, 0)) >= 1, {part for _, part in trees_of(j, 0)}]" "[True, {0}]"
data scene.html "len(j['trees']) == 12 and all(trees_of(j, s) for s in range(12))" True
run 0 scene cloth-ball --size 3000 --frames 3 --report cloth.html --quiet
data cloth.html "[any(p for _, p in trees_of(j, s)) == (j['summary']['steps'][s]['cull_certified'] > 0) for s in range(3)][0]" True
data cloth.html "sum(p > 0 for _, p in trees_of(j, 0)) > len(trees_of(j, 0)) / 2" True
data cloth.html "3 <= max(d for d, _ in trees_of(j, 0)) <= 20" True
# Nothing moves: the trees are those of the step before.
run 0 detect a.off+b.off a.off+b.off a.off+b.off --report still.html --quiet
data still.html "[isinstance(t, str) for t in j['trees']].count(True) <= 2 and trees_of(j, 2) == trees_of(j, 1)" True

# Volumes.
cat >tet.msh <<'END'
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 0.1 0.1 0.1
$EndNodes
$Elements
1
1 4 2 0 1 1 2 3 4
$EndElements
END
sed '0,/^5$/s/^5$/4/; /^5 0.1/d; s/^4 0 0 1$/4 0.2 0.2 0.2/' tet.msh >other.msh
run 0 detect tet.msh+other.msh --report volumes.html --json
data volumes.html "j['summary']['totals']['vt'] > 0 and j['topologies'][0]['triangles']" 8
data volumes.html "j['trees']" "[None]"

# A size: fewer steps with meshes, fewer contacts, none of them wrong.
run 0 scene wall --size 20000 --report small.html --report-size 2 --out small.jsonl --quiet
[ "$(wc -c <small.html)" -le 2000000 ] || fail "$last: larger than 2 MB"
data small.html "0 < j['left_out']['steps_without_meshes'] <= 30" True
data small.html "some_contacts(j, 'small.jsonl')" True
run 2 detect a.off --report page.html --report-size 0
says "1 to 2000 megabytes"

# A name cannot end the script that holds the data.
cp a.off '<script>alert(1)<'
run 0 detect '<script>alert(1)<' --report odd.html --quiet
data odd.html "j['summary']['steps'][0]['to'][0]" "<script>alert(1)<"

# Failures leave no file, and keep the one that was there.
run 1 detect a.off --report nowhere/page.html
says "nowhere/page.html: cannot be written"
echo before >page.html
run 1 detect a.off nothing.off --report page.html
[ "$(cat page.html)" = before ] || fail "a failed run changed the report"
# As on a full disk: files of at most 32 KB.
checks=$((checks + 1))
(
    trap '' XFSZ
    ulimit -f 32
    "$program" detect a.off --report page.html >stdout 2>stderr
)
[ $? = 1 ] && grep -q "is the disk full?" stderr || fail "a full disk: no message"
[ "$(cat page.html)" = before ] || fail "a full disk changed the report"
cat >cancel.py <<'END'
import signal, subprocess, sys, time
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(0.7)
run.send_signal(signal.SIGINT)
print(run.communicate(timeout=100)[1].decode().strip(), run.returncode)
END
checks=$((checks + 1))
got=$(python3 cancel.py "$program" scene wall --size 200000 --frames 1000 --report page.html --quiet 2>&1)
[ "$got" = "fracas: cancelled 130" ] || fail "Ctrl-C with --report: '$got'"
[ "$(cat page.html)" = before ] || fail "a cancelled run changed the report"
ls ./*.unfinished 2>/dev/null && fail "an unfinished file was left"
finish
