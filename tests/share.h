/// @file share.h  Reduces the number of repetitions in most runs: to $FRACAS_SHARE percent.
#pragma once
#include <stdint.h>
#include <stdlib.h>

/// The number of rounds to run: all, or the given share, at least one.
static inline uint32_t share_of(uint32_t rounds) {
    const char* text = getenv("FRACAS_SHARE");
    const unsigned long share = text ? strtoul(text, NULL, 10) : 100;
    const uint32_t some = share < 100 ? (uint32_t)(rounds * share / 100) : rounds;
    return some > 0 ? some : 1;
}
