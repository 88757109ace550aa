/// @file arguments.h  What the command lines of the benchmarks share.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Refuse an option, or its value. Returns the exit code.
static inline int bench_refuse(const char* benchmark, const char* option) {
    fprintf(stderr,
            "fracas bench %s: '%s' is not an option, or its value is missing or wrong; 'fracas "
            "bench %s --help' lists the options\n",
            benchmark, option, benchmark);
    return 2;
}

static inline bool bench_parse_number(const char* text, uint64_t least, uint64_t most,
                                      uint64_t* out) {
    char* end;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *out >= least && *out <= most;
}

/// The folder of the test data: $FRACAS_DATA, else ../shared/data next to the source.
static inline const char* bench_data_folder(void) {
    const char* data = getenv("FRACAS_DATA");
    return data && *data ? data : FRACAS_DATA_DEFAULT;
}
