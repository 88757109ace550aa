/// @file example.h  Stop at the first surprise, so that examples are tests as well.
#pragma once
#include <stdio.h>
#include <stdlib.h>

/// Calls of Fracas return 0 when all is well.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        fracas_status status_ = (call);                                                            \
        if (status_) {                                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    fracas_status_get_name(status_));                                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/// What this example is sure of.
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
