#!/usr/bin/env bash
# `fracas bench NAME --report`: the page has what --json prints, exit statuses are kept, and bad usage
# changes nothing.
. "$(dirname "$0")/lib.sh"

run 2 bench nothing --report page.html
says "no benchmark 'nothing'"
run 2 bench misses --report
says "--report needs PAGE.html"
run 2 bench misses --report --json
says "--report needs PAGE.html"
run 2 bench misses --report=
run 2 bench misses --report a.html --report b.html
says "--report is given twice"
run 0 bench --help
prints "--report PAGE.html"

run 0 scene wall --frames 1
"$program" scene wall --frames 1 --report page.html >/dev/null 2>&1
if [ ! -s page.html ]; then
    run 2 bench misses --report page.html
    says "built without the page"
    finish
fi
rm page.html

# page EXPRESSION VALUE: of the data of page.html, which is called p
page() {
    local got
    checks=$((checks + 1))
    got=$(python3 -c 'import json,re,sys
html = open("page.html", encoding="utf-8").read()
text, = re.findall(r"<script type=\"application/json\" id=\"report\">(.*?)</script>", html, re.S)
p = json.loads(text); print(eval(sys.argv[1]))' "$1" 2>&1)
    [ "$got" = "$2" ] || fail "$last: $1 is '$got' instead of '$2'"
}

# ---- the page
run 0 bench misses --nodes 2000 --json
cp stdout alone.json
run 0 bench misses --nodes 2000 --report page.html
prints "report written to page.html"
page 'p["result"] == json.load(open("alone.json"))' True
page '[p["benchmark"], p["status"], p["arguments"], "text" in p]' "['misses', 0, ['--nodes', '2000', '--json'], False]"
page 'p["machine"]["cores"] > 0 and len(p["machine"]["processor"]) > 2 and p["seconds"] > 0' True
page 'set(re.findall("https?://[^\"/ ]*", html)) <= {"http://www.w3.org"}' True
[ "$(ls)" = "$(printf 'alone.json\npage.html\nstderr\nstdout')" ] || fail "$last: leaves files: $(ls)"
run 0 bench misses --report=page.html --nodes 2000 --json
checks=$((checks + 1))
cmp -s stdout alone.json || fail "$last: --json prints something else with --report"
# one that prints text
run 0 bench separation --size 10 --report page.html
prints "miss ns"
checks=$((checks + 1))
grep -v "^report written" stdout >text
page 'p["text"] == open("text").read() and "result" not in p' True

# ---- what fails changes nothing
cp page.html old.html
kept() {
    checks=$((checks + 1))
    cmp -s page.html old.html || fail "$last: changed the page"
    [ ! -e page.html.unfinished ] || fail "$last: left page.html.unfinished"
}
run 2 bench misses --nodes many --report page.html
kept
run 1 bench misses --report nowhere/page.html
says "nowhere/page.html: cannot be written"
FRACAS_DATA=/nowhere run 1 bench ccd --report page.html
kept
run 0 bench misses --help --report page.html
prints "usage: fracas bench misses"
kept
finish
