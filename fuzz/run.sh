#!/usr/bin/env bash
# Run each fuzzer for SECONDS, starting from fuzz/seeds and small files of the test data, and report.
#   fuzz/run.sh SECONDS [FORMAT...]
# BUILD (build/fuzz) is the folder of the programs, CORPUS ($BUILD/corpus) that of found inputs, MAX_LEN (65536) the longest input.
set -u
seconds=${1:?usage: fuzz/run.sh SECONDS [FORMAT...]}
shift
formats=("$@")
[ ${#formats[@]} -gt 0 ] || formats=(obj ply stl off msh vtk vtu tetgen medit medial inflate api)
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../build/fuzz}
corpus=${CORPUS:-$build/corpus}
data=${FRACAS_DATA:-$here/../../shared/data}

# Two files may have the same name, so it is prefixed with the name of the folder.
gather_seeds() {
    mkdir -p "$corpus/$1"
    cp "$here"/seeds/*."$1" "$corpus/$1/" 2>/dev/null  # the API has no seeds
    [ -d "$data/broken" ] || return 0
    find "$data/broken" -type f -iname "*.$1" -size -64k | while read -r file; do
        cp -f "$file" "$corpus/$1/$(basename "$(dirname "$file")")-$(basename "$file")"
    done
}

# One line per fuzzer; 1 when it found a fault.
run_fuzzer() {
    local format=$1 program=$build/fuzz/fuzz_$1 log=$build/fuzz_$1.log words='' executions coverage
    if [ ! -x "$program" ]; then
        echo "fuzz_$format: not built; cmake --preset fuzz && cmake --build --preset fuzz"
        return 1
    fi
    gather_seeds "$format"
    [ -f "$here/seeds/$format.dict" ] && words=-dict=$here/seeds/$format.dict
    mkdir -p "$build/crashes"
    if "$program" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -max_len="${MAX_LEN:-65536}" \
        -print_final_stats=1 ${words:+"$words"} -artifact_prefix="$build/crashes/$format-" \
        "$corpus/$format" >"$log" 2>&1; then
        executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        coverage=$(grep -o 'cov: [0-9]*' "$log" | tail -1)
        echo "fuzz_$format: $executions executions in $seconds s, $coverage, no fault"
        return 0
    fi
    echo "fuzz_$format: FAULT; see $log and $build/crashes"
    grep -m3 -E 'ERROR|fuzz:|SUMMARY' "$log"
    return 1
}

# One fuzzer per core at a time; each has its own corpus.
export here build corpus data seconds
export -f gather_seeds run_fuzzer
printf '%s\n' "${formats[@]}" | xargs -P "$(nproc 2>/dev/null || echo 1)" -I '{}' bash -c 'run_fuzzer {}' || exit 1
