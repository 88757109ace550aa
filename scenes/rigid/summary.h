/// @file summary.h  What the steps of a run say together.
#pragma once
#include "rigid/world.h"

typedef struct rigid_summary {
    uint32_t steps, broken;
    uint32_t first_bodies, last_bodies;
    double mean_ms, median_ms, most_ms;  ///< of collision detection
    double fracture_most_ms;             ///< longest fracas_fragments_fracture
    double contacts, colliding;          ///< means of a step
    uint64_t most_contacts, most_colliding;
    double deepest;  ///< in the last tenth of the steps
    double fastest;  ///< in the last tenth of the steps
    /// Largest growth of energy in a step without an impact or a fracture, as a part of the energy
    /// that the run began with.
    double growth;
} rigid_summary;

/// `ms` is memory for `count` numbers.
rigid_summary rigid_summarise(const rigid_step_info* steps, uint32_t count, double* ms);
