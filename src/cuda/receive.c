/// @file receive.c  Deforming bodies that the host has moved: positions at the end of the step go
/// to the device, where an advance has only to repeat those that it has.
#include "base/parallel.h"
#include "cuda/mirror.h"

_Static_assert((int)FRC_COPY_SAME == (int)FRC_RECEIVE_NOTHING &&
                   (int)FRC_COPY_LAST == (int)FRC_RECEIVE_LAST &&
                   (int)FRC_COPY_STEP == (int)FRC_RECEIVE_STEP,
               "states are copied as they are");

bool frc_mirror_can_receive(const frc_mirror* mirror, const fracas_scene* scene) {
    const frc_changes* moved = &mirror->followed.bodies;
    for (size_t i = 0; i < moved->count; i++)
        if (scene->bodies.data[moved->ids[i]].copy == FRC_COPY_BOTH) return false;
    return true;
}

typedef struct packing {
    const frc_point* points;
    double (*out)[3];
} packing;

static void pack_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const packing* p = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) p->out[i][k] = frc_point_axis(&p->points[i], k)[1];
}

enum { GRAIN = 2048 };  // points of one task

fracas_status frc_mirror_receive(frc_mirror* mirror, const fracas_scene* scene) {
    const size_t points = mirror->point_count, bodies = scene->bodies.count;
    const size_t size = points * sizeof(double[3]) + bodies * sizeof(uint32_t);
    mirror->positions.on_host = true;
    fracas_status status = frc_device_reserve(mirror, &mirror->positions, size);
    if (status != FRACAS_OK) return status;
    packing p = {scene->topology.points.data, mirror->positions.data};
    uint32_t* copy_of = (uint32_t*)(void*)(p.out + points);
    frc_parallel_for(mirror->context, (uint32_t)points, GRAIN, pack_some, &p);
    for (size_t i = 0; i < bodies; i++) copy_of[i] = scene->bodies.data[i].copy;
    status = frc_mirror_upload(mirror, &mirror->last, mirror->positions.data, size);
    if (status != FRACAS_OK) return status;
    const double(*last)[3] = mirror->last.data;
    const frc_motion motion = {.points = mirror->points.data,
                               .names = mirror->names.data,
                               .point_count = points,
                               .last = last,
                               .copy_of = (const uint32_t*)(const void*)(last + points),
                               .body_count = bodies};
    return frc_device_run_motion(mirror->device, FRC_MOTION_receive, &motion)
               ? FRACAS_OK
               : frc_device_fail(mirror);
}
