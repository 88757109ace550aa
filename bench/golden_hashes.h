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
    {"breaking",              2308,  UINT64_C(0x91b6546d2d6956c5)},
    {"merging",               1776,  UINT64_C(0xcb1de01b402c348a)},
    {"free-elements",         411,   UINT64_C(0xc5bfc1da8c36d2d3)},
    {"degenerate",            36349, UINT64_C(0xd618519040e72391)},
    {"tiny",                  303,   UINT64_C(0x56fbdaed02bb4eb8)},
    {"huge",                  303,   UINT64_C(0xc1dc0e487dd49c01)},
    {"min-separation",        4197,  UINT64_C(0x0c30e15cc02202fa)},
    {"nearby",                26036, UINT64_C(0x33254ff9f25426f5)},
    {"first",                 8,     UINT64_C(0x305ef068788c49ab)},
    {"max-step",              0,     UINT64_C(0xc57bf12b88f0c80f)},
};
