/// @file pairs.c  Contacts by pair of bodies, in a hash table that grows.
#include "pairs.h"
#include "options.h"
#include <stdlib.h>

static size_t slot_of(const cli_pairs* pairs, uint32_t a, uint32_t b) {
    const uint64_t mixed = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    size_t slot = (size_t)(mixed >> 32) & (pairs->slot_count - 1);
    for (; pairs->slots[slot]; slot = (slot + 1) & (pairs->slot_count - 1)) {
        const cli_pair* there = &pairs->data[pairs->slots[slot] - 1];
        if (there->body_a == a && there->body_b == b) break;
    }
    return slot;
}

// At most half of the slots are taken.
static void reserve(cli_pairs* pairs) {
    if (pairs->count < pairs->capacity) return;
    pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 32;
    pairs->data = cli_grow(pairs->data, pairs->capacity, sizeof *pairs->data);
    free(pairs->slots);
    pairs->slot_count = 2 * pairs->capacity;
    pairs->slots = cli_allocate(pairs->slot_count, sizeof *pairs->slots);
    for (size_t i = 0; i < pairs->count; i++)
        pairs->slots[slot_of(pairs, pairs->data[i].body_a, pairs->data[i].body_b)] = i + 1;
}

void cli_pairs_add(cli_pairs* pairs, uint32_t body_a, uint32_t body_b, int kind, uint32_t step,
                   double time) {
    const uint32_t a = body_a < body_b ? body_a : body_b, b = body_a < body_b ? body_b : body_a;
    reserve(pairs);
    const size_t slot = slot_of(pairs, a, b);
    if (pairs->slots[slot] == 0) {
        pairs->data[pairs->count] = (cli_pair){.body_a = a,
                                               .body_b = b,
                                               .first = time,
                                               .first_step = step,
                                               .steps = 1,
                                               .last_step = step};
        pairs->slots[slot] = ++pairs->count;
    }
    cli_pair* pair = &pairs->data[pairs->slots[slot] - 1];
    pair->contacts[kind]++;
    if (kind == CLI_INSIDE) pair->inner = body_a;
    if (time < pair->first) pair->first = time;
    pair->steps += step != pair->last_step;
    pair->last_step = step;
}

static uint64_t sum(const cli_pair* pair) {
    uint64_t all = 0;
    for (int k = 0; k < CLI_KINDS; k++) all += pair->contacts[k];
    return all;
}

static int compare(const void* left, const void* right) {
    const cli_pair *a = left, *b = right;
    const uint64_t more = sum(a), less = sum(b);
    if (more != less) return more < less ? 1 : -1;
    if (a->body_a != b->body_a) return a->body_a < b->body_a ? -1 : 1;
    return a->body_b < b->body_b ? -1 : a->body_b > b->body_b;
}

void cli_pairs_sort(cli_pairs* pairs) {
    if (pairs->count > 1) qsort(pairs->data, pairs->count, sizeof *pairs->data, compare);
}

void cli_pairs_free(cli_pairs* pairs) {
    free(pairs->data);
    free(pairs->slots);
    *pairs = (cli_pairs){0};
}
