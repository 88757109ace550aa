/// @file cases.h  The cases of `fracas bench peers`: meshes, expected counts and target ratios.
#pragma once
#include "generate.h"
#include "peers/ours.h"

typedef struct bench_case {
    const char* name;
    const char* about;
    uint32_t mode;           ///< of Fracas; peers always run the discrete query
    double wanted_ratio;     ///< target for the time of the fastest peer / the time of Fracas
    uint64_t truth[3];       ///< published numbers of tt, vf, ee contacts; 0: not known
    peer_task ours, peers;   ///< of Fracas and of the peers; equal in discrete cases
    bool embree_query_only;  ///< continuous cases: compared with Embree's discrete query alone
    bench_mesh owned[4];
} bench_case;

enum { CASE_COUNT = 5 };
extern const char* const case_names[CASE_COUNT];

/// Read or generate case `index`. False and a message on stderr if data is missing or unreadable.
bool case_load(fracas_context* context, const char* data, int index, bench_case* out);
void case_free(bench_case* c);
