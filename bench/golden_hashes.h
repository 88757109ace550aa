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
    {"sheet-on-ball",         3009,  UINT64_C(0xb7a3f105658c1201)},
    {"rigid-balls",           1844,  UINT64_C(0x27af805037c078b4)},
    {"groups",                13215, UINT64_C(0x88a7567df8a2094f)},
    {"breaking",              2308,  UINT64_C(0xfe12cc2501f5e2b0)},
    {"merging",               1776,  UINT64_C(0x708b88af687911fe)},
    {"free-elements",         411,   UINT64_C(0x379edba4b886a653)},
    {"degenerate",            36349, UINT64_C(0x8211339e1d646139)},
    {"tiny",                  303,   UINT64_C(0x943a538424a0818f)},
    {"huge",                  303,   UINT64_C(0xafcb19ba98d749ac)},
    {"min-separation",        4197,  UINT64_C(0x7abe8f86ac929cd9)},
    {"nearby",                26036, UINT64_C(0x4fe167afb1a3019f)},
    {"first",                 8,     UINT64_C(0x320f42b948f3daf3)},
    {"max-step",              0,     UINT64_C(0x3951afe49575d56a)},
    {"volumes",               4192,  UINT64_C(0xe5ee13f39e78d14b)},
};
