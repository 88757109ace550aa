/// @file copies.h  As many scenes as threads, each on one thread of its own, all in the same frame
/// at the same time: what a machine gives to this very work where nothing is shared and nobody
/// waits.
#pragma once
#include "fastcd/story.h"

typedef struct pccd_copies {
    uint32_t count;
    struct pccd_copy* list;
} pccd_copies;

/// Ends the program with a message when something fails, as a story does.
void pccd_copies_begin(pccd_copies* copies, uint32_t count, const scenes_scene* what,
                       const scenes_options* options, const fastcd_method* method);
/// The next frame of all. @return milliseconds of update and query of a scene, the mean over
/// scenes; negative when one has not found the contacts with this hash.
double pccd_copies_next(pccd_copies* copies, const fracas_contact* found, size_t count,
                        uint64_t hash);
void pccd_copies_end(pccd_copies* copies);
