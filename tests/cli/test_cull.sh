#!/usr/bin/env bash
# --cull and --count-misses: modes that find all contacts, and misses of the published ones.
. "$(dirname "$0")/lib.sh"

# Five triangles with their complete boundary, of which the first and the last intersect, and which
# the dual-cone criterion culls (docs/cull.md).
cat > five.off <<'END'
OFF
7 5 0
 0.2659  0.0000 -2.3417
 0.6857  1.3015 -0.6781
-0.1545  0.1505 -3.0021
-1.3464 -0.4540  3.3556
-0.2072 -0.2307 -2.8561
 0.9915 -0.8513  1.1271
 0.3180  0.4489 -2.6060
3 0 1 2
3 1 3 2
3 2 3 4
3 3 5 4
3 4 5 6
END
run 0 detect five.off --json
json 'j["totals"]["tt"]' 1
json '"missed" in j["totals"]' False
for mode in certificate none; do
    run 0 detect five.off --cull $mode --count-misses --json
    json '[j["totals"][k] for k in ("tt", "missed")]' '[1, 0]'
done
for mode in dual-cone normal-cone; do
    run 0 detect five.off --cull $mode --count-misses --json
    json '[j["totals"][k] for k in ("tt", "missed")]' '[0, 1]'
    json 'j["steps"][0]["missed"]' 1
done
for mode in normal-cone+contour normal-cone+boundary-contour; do
    run 0 detect five.off --cull $mode --count-misses --json
    json '[j["totals"][k] for k in ("tt", "missed")]' '[1, 0]'
done
run 0 detect five.off --cull dual-cone --count-misses
prints "1 missed"
run 0 detect --help
prints "UNSOUND"
run 2 detect five.off --cull dual-cones
says "certificate|none"

run 0 scene wall --frames 30 --size 4000 --count-misses --mode both --json
json 'j["totals"]["missed"]' 0
json 'j["totals"]["cull_certified"] > 0' True

frames="$data/ccd/cloth-ball/frames"
[ -e "$frames/cloth_ball92.ply" ] || finish
run 0 detect --mode both --count-misses --json "$frames/cloth_ball92.ply" "$frames/cloth_ball93.ply"
json '[j["totals"][k] for k in ("vf", "ee", "tt", "missed")]' '[19032, 94822, 163474, 0]'
json 'j["totals"]["cull_certified"] > 100' True

# Filters before the exact stage change no contact, no time and no normal.
for filter in all non-penetration none; do
    run 0 detect --quiet --filter $filter --out $filter.jsonl "$frames/cloth_ball92.ply" "$frames/cloth_ball93.ply"
done
cmp -s all.jsonl non-penetration.jsonl || fail "the non-penetration filter changes contacts"
cmp -s all.jsonl none.jsonl || fail "filters change contacts"
run 2 detect five.off --filter some
says "all|non-penetration|none"
finish
