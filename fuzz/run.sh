#!/usr/bin/env bash
# Run each fuzzer for SECONDS, starting from fuzz/seeds and the small real files, and say how it went.
#   fuzz/run.sh SECONDS [FORMAT...]      BUILD=build/fuzz has the programs; CORPUS=$BUILD/corpus keeps what was found
set -u
seconds=${1:?usage: fuzz/run.sh SECONDS [FORMAT...]}
shift
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../build/fuzz}
corpus=${CORPUS:-$build/corpus}
data=${FRACAS_DATA:-$here/../../shared/data}
failed=0
for format in "${@:-obj ply stl off api}"; do for format in $format; do
    program=$build/fuzz/fuzz_$format
    if [ ! -x "$program" ]; then
        echo "fuzz_$format: not built; cmake --preset fuzz && cmake --build --preset fuzz"
        failed=1
        continue
    fi
    mkdir -p "$corpus/$format" "$build/crashes"
    cp "$here"/seeds/*."$format" "$corpus/$format/" 2>/dev/null
    if [ -d "$data/broken" ]; then
        find "$data/broken" -type f -iname "*.$format" -size -64k | while read -r file; do
            cp -f "$file" "$corpus/$format/$(basename "$(dirname "$file")")-$(basename "$file")"
        done
    fi
    log=$build/fuzz_$format.log
    dictionary=$here/seeds/$format.dict
    [ -f "$dictionary" ] || dictionary=
    "$program" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        ${dictionary:+-dict="$dictionary"} -artifact_prefix="$build/crashes/$format-" "$corpus/$format" >"$log" 2>&1
    result=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -1)
    if [ $result -eq 0 ]; then
        echo "fuzz_$format: ${executions:-0} executions in $seconds s, ${coverage:-cov: ?}, no fault"
    else
        echo "fuzz_$format: FAULT after ${executions:-?} executions; see $log and $build/crashes"
        grep -m3 -E 'ERROR|fuzz:|SUMMARY' "$log"
        failed=1
    fi
done; done
exit $failed
