/// @file hash.h  A hash over contacts: every bit of every contact and their order.
#pragma once
#include "fracas/contact.h"
#include <string.h>

#define BENCH_HASH_START UINT64_C(0xcbf29ce484222325)

/// FNV-1a over words instead of bytes. The multiplication only carries upwards, so the shift mixes
/// the high bits into the low ones.
static inline uint64_t bench_hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 29);
}

/// Hashes the bit pattern, so 0.0 and -0.0 differ.
static inline uint64_t bench_hash_double(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bench_hash_word(hash, bits);
}

static inline uint64_t bench_hash_two(uint64_t hash, uint32_t a, uint32_t b) {
    return bench_hash_word(hash, (uint64_t)a << 32 | b);
}

static inline uint64_t bench_hash_contact(uint64_t hash, const fracas_contact* c) {
    hash = bench_hash_word(hash, (uint64_t)c->kind);
    hash = bench_hash_two(hash, c->body_a.index, c->body_a.generation);
    hash = bench_hash_two(hash, c->body_b.index, c->body_b.generation);
    hash = bench_hash_two(hash, c->a[0], c->a[1]);
    hash = bench_hash_two(hash, c->b[0], c->b[1]);
    hash = bench_hash_double(hash, c->toi);
    hash = bench_hash_double(hash, c->u);
    hash = bench_hash_double(hash, c->v);
    for (int k = 0; k < 3; k++) hash = bench_hash_double(hash, c->normal[k]);
    return bench_hash_double(hash, c->distance);
}

static inline uint64_t bench_hash_contacts(uint64_t hash, const fracas_contact* contacts,
                                           size_t count) {
    for (size_t i = 0; i < count; i++) hash = bench_hash_contact(hash, &contacts[i]);
    return hash;
}
