/// @file pair_query.h  Contacts of two bodies: from trees to primitives.
#pragma once
#include "medial/moving.h"

typedef FRC_ARRAY(fracas_medial_contact) frc_medial_contacts;

/// Memory of one worker.
typedef struct frc_medial_scratch {
    frc_medial_contacts contacts;
    fracas_medial_statistics statistics;
    bool failed;  // no memory
} frc_medial_scratch;

/// Append the contacts of two bodies by their numbers, without handles, sorted by primitives.
void frc_medial_pair_query(fracas_context* context, const frc_medial_moving* moving, uint32_t a,
                           uint32_t b, const fracas_medial_query* query,
                           frc_medial_scratch* scratch);
