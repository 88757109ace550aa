/// @file data.h  Where the test data lies: $FRACAS_DATA, or ../shared/data beside the source
/// folder.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#ifndef FRACAS_SOURCE_DIR
#define FRACAS_SOURCE_DIR "."
#endif

/// What a test program returns when all it has left to do needs data that is not there; CTest shows
/// it as skipped.
enum { FRACAS_TEST_SKIP = 77 };

/// The folder, or NULL when there is none; says so once on stderr.
static inline const char* fracas_test_data(void) {
    const char* folder = getenv("FRACAS_DATA");
    if (!folder || !*folder) folder = FRACAS_SOURCE_DIR "/../shared/data";
    char path[4096];
    snprintf(path, sizeof path, "%s/SOURCES.md", folder);
    FILE* file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "skipped: no test data at %s (set FRACAS_DATA)\n", folder);
        return NULL;
    }
    fclose(file);
    return folder;
}
