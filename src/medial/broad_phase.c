/// @file broad_phase.c  Spheres around bodies sweep cones of constant radius.
///
/// The centre of the sphere around a shape is its centre of rotation, which moves along a straight
/// line: one cone covers the path exactly, however far the body turns.
#include "medial/broad_phase.h"
#include <math.h>
#include <string.h>

static frc_sweep_box box_of(const frc_medial_moving* m, uint32_t number) {
    frc_sweep_box box = {.number = number, .fixed = m->body->fixed};
    for (int k = 0; k < 3; k++) {
        const double first = m->bound.start[k], last = first + m->bound.way[k];
        box.lo[k] = fmin(first, last) - m->bound.radius;
        box.hi[k] = fmax(first, last) + m->bound.radius;
    }
    // Bodies that rest have thin boxes of their own: the ground is not a ball.
    if (m->rests) {
        const frc_obb* own = m->body->shape->boxes;
        const double* r = m->pose.rotation;
        for (int k = 0; k < 3; k++) {
            double centre = m->pose.translation[k], half = 0;
            const double slack = m->bound.radius - m->body->shape->info.radius;
            for (int c = 0; c < 3; c++) {
                centre += r[3 * k + c] * own->center[c];
                double along = 0;
                for (int j = 0; j < 3; j++) along += r[3 * k + j] * own->axes[c][j];
                half += fabs(along) * own->half[c];
            }
            box.lo[k] = fmax(box.lo[k], centre - half - slack);
            box.hi[k] = fmin(box.hi[k], centre + half + slack);
        }
    }
    return box;
}

// Is there any time at which both are there?
static bool cones_meet(const frc_medial_path* a, const frc_medial_path* b) {
    double ends[2][2][4];
    const frc_medial_path* paths[2] = {a, b};
    for (int i = 0; i < 2; i++)
        for (int e = 0; e < 2; e++) {
            for (int k = 0; k < 3; k++)
                ends[i][e][k] = paths[i]->start[k] + (e == 1 ? paths[i]->way[k] : 0);
            ends[i][e][3] = paths[i]->radius;
        }
    return frc_medial_overlap((const double(*)[4])ends[0], 2, (const double(*)[4])ends[1], 2);
}

static bool all_pairs(fracas_context* context, const frc_medial_step* step, bool cones,
                      frc_body_pairs* out) {
    for (uint32_t a = 0; a < step->count; a++)
        for (uint32_t b = a + 1; b < step->count; b++) {
            const frc_medial_moving *x = &step->moving[a], *y = &step->moving[b];
            if (!x->body || !y->body || (x->body->fixed && y->body->fixed)) continue;
            if (cones && !cones_meet(&x->bound, &y->bound)) continue;
            if (!FRC_ARRAY_PUSH(context, out, ((frc_body_pair){a, b}))) return false;
        }
    return true;
}

static bool sweep(fracas_context* context, const frc_medial_step* step, frc_body_pairs* out) {
    frc_arena arena = frc_arena_make(context);
    frc_sweep_box* boxes = frc_arena_allocate(&arena, step->count, sizeof *boxes);
    uint32_t count = 0;
    for (uint32_t i = 0; boxes && i < step->count; i++)
        if (step->moving[i].body) boxes[count++] = box_of(&step->moving[i], i);
    const bool ok = boxes && frc_box_sweep(context, boxes, count, out);
    frc_arena_release(&arena);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++) {
        const frc_body_pair pair = out->data[i];
        if (frc_medial_paths_meet(&step->moving[pair.a].bound, &step->moving[pair.b].bound, 1))
            out->data[kept++] = pair;
    }
    out->count = kept;
    return ok;
}

bool frc_medial_broad_phase(fracas_context* context, const frc_medial_step* step,
                            fracas_medial_broad_phase how, frc_body_pairs* out) {
    return how == FRACAS_MEDIAL_BROAD_PHASE_SWEEP
               ? sweep(context, step, out)
               : all_pairs(context, step, how == FRACAS_MEDIAL_BROAD_PHASE_CONES, out);
}
