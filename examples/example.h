/// @file example.h  Exits at the first failure, so that examples are tests as well.
#pragma once
#include <stdio.h>
#include <stdlib.h>

/// Fracas' functions return FRACAS_OK (0) on success.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        fracas_status status_ = (call);                                                            \
        if (status_) {                                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    fracas_status_get_name(status_));                                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/// Exits unless `condition` holds.
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
