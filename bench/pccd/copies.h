/// @file copies.h  One copy of the scene per thread, each single-threaded, all in the same frame at
/// the same time: the throughput of the machine for this work without sharing and synchronisation.
#pragma once
#include "fastcd/run.h"

typedef struct pccd_copies {
    uint32_t count;
    struct pccd_copy* list;
} pccd_copies;

/// Exits with a message on failure, like fastcd_begin.
void pccd_copies_begin(pccd_copies* copies, uint32_t count, const scenes_scene* what,
                       const scenes_options* options, const fastcd_method* method);
/// Run the next frame of all copies. @return milliseconds of update and query, the mean over the
/// copies; negative when the contacts of a copy have another hash.
double pccd_copies_next(pccd_copies* copies, const fracas_contact* found, size_t count,
                        uint64_t hash);
void pccd_copies_end(pccd_copies* copies);
