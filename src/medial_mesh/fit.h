/// @file fit.h  Fitting the spheres of a medial mesh to samples of a surface.
#pragma once
#include "medial_mesh/build.h"
#include "medial_mesh/shape.h"

/// Each stage minimizes the sum of the distances to a power of 2 + powers[stage].
typedef struct frc_fit_stages {
    const int* powers;
    int count;
    uint32_t rounds;
} frc_fit_stages;

/// Move `spheres`, which are those of the view. Vertices of the surface that end up far from the
/// shape after a stage are added to the samples. The result is that of the best stage; `*least` is
/// its largest distance of a vertex. False: no memory.
bool frc_medial_fit_spheres(frc_medial_build* b, frc_samples* samples,
                            fracas_medial_sphere* spheres, const fracas_medial_view* view,
                            const frc_fit_stages* stages, double* least);

/// The largest distance of a vertex of the surface from the shape. `*ok` false: no memory.
double frc_medial_farthest(const frc_medial_build* b, const fracas_medial_mesh* mesh, bool* ok);
