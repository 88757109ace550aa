/// @file pairs.h  How many contacts each pair of bodies has in all steps, and when the first is.
#pragma once
#include "contacts.h"

typedef struct cli_pair {
    uint32_t body_a, body_b;  ///< positions in the frame, the smaller first
    uint64_t contacts[CLI_KINDS];
    double first;                           ///< time in frames
    uint32_t first_step, last_step, steps;  ///< steps with contacts; `steps` of them
    uint32_t inner;                         ///< CLI_INSIDE: the one that is inside the other
} cli_pair;

typedef struct cli_pairs {
    cli_pair* data;
    size_t count, capacity;
    size_t* slots;  ///< hash table of positions + 1 in `data`; 0 is empty
    size_t slot_count;
} cli_pairs;

/// For CLI_INSIDE `body_a` is inside `body_b`.
void cli_pairs_add(cli_pairs* pairs, uint32_t body_a, uint32_t body_b, int kind, uint32_t step,
                   double time);
void cli_pairs_sort(cli_pairs* pairs);  ///< most contacts first; nothing is added after it
void cli_pairs_free(cli_pairs* pairs);
