/// @file cases.h  The cases of `fracas bench peers`: what is measured, on what, against whom.
#pragma once
#include "generate.h"
#include "peers/ours.h"

typedef struct bench_case {
    const char* name;
    const char* about;
    uint32_t mode;           ///< of ours; the peers are always asked for the discrete set
    double wanted_ratio;     ///< fastest peer / ours that the project asks for
    uint64_t truth[3];       ///< tt, vf, ee where others have counted them; 0: not known
    peer_task ours, peers;   ///< the same for discrete cases
    bool embree_query_only;  ///< continuous: measured against Embree's discrete query alone
    bench_mesh owned[4];
} bench_case;

enum { CASE_COUNT = 5 };
extern const char* const case_names[CASE_COUNT];

/// Read or generate case `index`. False, with a line on stderr, when data is missing or unreadable.
bool case_load(fracas_context* context, const char* data, int index, bench_case* out);
void case_free(bench_case* c);
