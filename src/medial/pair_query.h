/// @file pair_query.h  Contacts of two bodies: from trees to primitives.
#pragma once
#include "medial/moving.h"
#include "medial/primitive_hit.h"
#include <math.h>

typedef FRC_ARRAY(fracas_medial_contact) frc_medial_contacts;

/// Memory of one worker.
typedef struct frc_medial_scratch {
    frc_medial_contacts contacts;
    fracas_medial_statistics statistics;
    bool failed;  // no memory
} frc_medial_scratch;

/// How near counts as touching.
static inline double frc_medial_tolerance(const fracas_medial_query* query,
                                          const fracas_medial_shape* a,
                                          const fracas_medial_shape* b) {
    return query->tolerance * fmin(a->info.radius, b->info.radius);
}

/// The first contact of two primitives, of bodies whose paths are filled.
bool frc_medial_find_hit(const frc_medial_moving* a, const frc_medial_primitive* primitive_a,
                         const frc_medial_moving* b, const frc_medial_primitive* primitive_b,
                         double tolerance, frc_medial_hit* hit);

/// The contact of primitives of two bodies by their numbers, without handles.
fracas_medial_contact frc_medial_contact_make(uint32_t a, const frc_medial_primitive* primitive_a,
                                              uint32_t b, const frc_medial_primitive* primitive_b,
                                              const frc_medial_hit* hit);

/// Sort and select the contacts of two bodies; returns how many remain.
size_t frc_medial_contacts_finish(fracas_medial_contact* contacts, size_t count,
                                  fracas_medial_selection selection);

/// Append the contacts of two bodies by their numbers, without handles, sorted by primitives.
void frc_medial_pair_query(fracas_context* context, const frc_medial_moving* moving, uint32_t a,
                           uint32_t b, const fracas_medial_query* query,
                           frc_medial_scratch* scratch);
