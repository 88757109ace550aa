/// @file share.h  Most runs do a part of what repeats: $FRACAS_SHARE of a hundred.
#pragma once
#include <stdint.h>
#include <stdlib.h>

/// How many of so many rounds are run: all, or fewer, one at least.
static inline uint32_t share_of(uint32_t rounds) {
    const char* text = getenv("FRACAS_SHARE");
    const unsigned long share = text ? strtoul(text, NULL, 10) : 100;
    const uint32_t some = share < 100 ? (uint32_t)(rounds * share / 100) : rounds;
    return some > 0 ? some : 1;
}
