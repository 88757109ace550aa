/// @file data.h  The folder of the test data: $FRACAS_DATA, or ../shared/data next to the source
/// folder.
#pragma once
#include <stdio.h>
#include <stdlib.h>

#ifndef FRACAS_SOURCE_DIR
#define FRACAS_SOURCE_DIR "."
#endif

/// Exit code of a test program whose remaining tests need missing data; CTest shows it as skipped.
enum { FRACAS_TEST_SKIP = 77 };

/// The folder, or NULL when there is none; prints a message the first time.
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
