/// @file bench_page.h  `fracas bench NAME --report`: run a benchmark and write its numbers as a
/// page.
#pragma once
#include "fracas/base.h"

typedef struct cli_bench_run {
    const char *name, *about;
    const char* path;  ///< of the program
    char** arguments;  ///< argv[1..] for it, without --report; ends with NULL
    const char* page;  ///< the file to write
    bool has_json;
} cli_bench_run;

/// Run the benchmark, print what it prints unless only the page needs it, and write the page.
/// @return its exit status, or an exit code after a message
int cli_bench_report(const cli_bench_run* run);
