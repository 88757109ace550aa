#!/usr/bin/env bash
# Published exact results for three scenes: sets, not only counts.
. "$(dirname "$0")/lib.sh"
need_data ccd

# truth FOLDER FRAME FRAME NUMBER VF EE
truth() {
    local folder=$data/ccd/$1
    run 0 detect "$folder/frames/$2" "$folder/frames/$3" --json --mode continuous --out c.jsonl
    json '[j["steps"][0]["vf"], j["steps"][0]["ee"]]' "[$5, $6]"
    python3 "$here/compare_truth.py" "$folder" "$2" "$4" c.jsonl || fail "$1: the set is not the truth"
}

truth cloth-funnel 227.ply 228.ply 227 27 107
truth cloth-ball cloth_ball92.ply cloth_ball93.ply 92 19032 94822
truth n-body-simulation balls16_18.ply balls16_19.ply 18 9459 41031

# discrete contacts, as found by CGAL
run 0 detect "$data/ccd/cloth-ball/frames/cloth_ball92.ply" --json
json 'j["totals"]["tt"]' 63602
finish
