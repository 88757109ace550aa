// fracas bench cuda-queries: difficult queries through the narrow phase on a GPU. Verdicts, times,
// u, v and normals are compared with the CPU bit for bit, and repeated runs with each other; any
// difference ends the program with the query and status 1.
//   fracas-bench-cuda-queries [QUERIES [RUNS [SEED [BATCH]]]]
#include "cuda/check_queries.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t number(int argc, char** argv, int at, uint64_t otherwise) {
    return argc > at ? strtoull(argv[at], NULL, 10) : otherwise;
}

int main(int argc, char** argv) {
    fracas_context_options given = fracas_context_default_options();
    fracas_context* context;
    check_options options = {.count = number(argc, argv, 1, 10000000),
                             .runs = (uint32_t)number(argc, argv, 2, 1),
                             .seed = number(argc, argv, 3, 1),
                             .batch = (uint32_t)number(argc, argv, 4, 1000000),
                             .threads = 16};
    if (options.count < options.batch) options.batch = (uint32_t)options.count;
    if (options.runs == 0 || options.batch < 2) return 2;
    if (fracas_context_create(&given, &context) != FRACAS_OK) return 4;
    const check_counts c = check_queries(context, &options);
    fprintf(
        stdout,
        "%llu queries, %u runs: %llu hits, the same as on the CPU; %llu after filters, %llu to "
        "roots, %llu undecided, %llu after t = 0, %llu by the host; %.1f ms on the device, %.1f "
        "ms on the CPU\n",
        (unsigned long long)c.queries, options.runs, (unsigned long long)c.hits,
        (unsigned long long)c.filtered, (unsigned long long)c.roots, (unsigned long long)c.exact,
        (unsigned long long)c.later, (unsigned long long)c.host, c.ms_device, c.ms_host);
    fracas_context_destroy(context);
    return 0;
}
