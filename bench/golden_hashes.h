/// @file golden_hashes.h  What every machine must get; made by `fracas bench hashes --update`.
#pragma once
#include <stdint.h>

typedef struct golden_hash {
    const char* scene;
    uint64_t contacts, hash;
} golden_hash;

static const golden_hash golden_hashes[] = {
    {"crumpled-sheet",        5051,  UINT64_C(0xc1685a9e8076e3a1)},
    {"crumpled-sheet-median", 5051,  UINT64_C(0xc1685a9e8076e3a1)},
    {"sheet-on-ball",         3009,  UINT64_C(0xe98ecdd990ad75b7)},
    {"rigid-balls",           1844,  UINT64_C(0x342802ef2bdeb4ca)},
    {"groups",                13215, UINT64_C(0x80ce6fb7ff114cae)},
    {"breaking",              2308,  UINT64_C(0x91097ab5bf875b0f)},
    {"merging",               1776,  UINT64_C(0x02dfbaaf0eb73aea)},
    {"free-elements",         411,   UINT64_C(0xc5bfc1da8c36d2d3)},
    {"degenerate",            36349, UINT64_C(0xd618519040e72391)},
    {"tiny",                  303,   UINT64_C(0x56fbdaed02bb4eb8)},
    {"huge",                  303,   UINT64_C(0xc1dc0e487dd49c01)},
    {"min-separation",        4197,  UINT64_C(0x7abe8f86ac929cd9)},
    {"nearby",                26036, UINT64_C(0x4fe167afb1a3019f)},
    {"first",                 8,     UINT64_C(0x305ef068788c49ab)},
    {"max-step",              0,     UINT64_C(0x1f7a11625fec0472)},
};
