/// @file poses.c  Rigid bodies that have moved: their poses go to the device, which has their rest
/// positions and computes their points.
#include "base/parallel.h"
#include "cuda/mirror.h"

// ---- rest positions, by point

typedef struct copying {
    const fracas_scene* scene;
    const uint32_t* ids;  // NULL: all, in order
    double (*out)[3];
} copying;

static void copy_some(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    const copying* c = data;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t* tag = c->scene->topology.points.data[c->ids ? c->ids[i] : i].tag;
        const uint32_t body = tag[FRC_TAG_BODY];
        const frc_body* b = body == FRACAS_NONE ? NULL : &c->scene->bodies.data[body];
        const bool rigid = b && b->motion == FRACAS_MOTION_RIGID;
        for (size_t k = 0; k < 3; k++)
            c->out[i][k] = rigid ? b->rest.data[3 * (size_t)tag[FRC_TAG_NUMBER] + k] : 0;
    }
}

enum { GRAIN = 2048 };  // points of one task

void frc_pack_rest(const fracas_scene* scene, const uint32_t* ids, size_t count, double (*out)[3]) {
    copying c = {scene, ids, out};
    frc_parallel_for(scene->context, (uint32_t)count, GRAIN, copy_some, &c);
}

fracas_status frc_mirror_reserve_rest(frc_mirror* mirror, const fracas_scene* scene) {
    const size_t count = scene->topology.points.count, size = count * sizeof(double[3]);
    bool rigid = false;
    for (size_t i = 0; i < scene->bodies.count; i++)
        rigid |= scene->bodies.data[i].motion == FRACAS_MOTION_RIGID;
    if (!rigid) return FRACAS_OK;
    mirror->host_rest.on_host = true;
    const fracas_status status = frc_device_reserve(mirror, &mirror->host_rest, size + size / 4);
    return status == FRACAS_OK ? frc_device_reserve(mirror, &mirror->rest, size + size / 4)
                               : status;
}

static fracas_status copy_all_rest(frc_mirror* mirror, const fracas_scene* scene) {
    const size_t count = scene->topology.points.count;
    if (mirror->has_rest) return FRACAS_OK;
    mirror->host_rest.on_host = true;
    fracas_status status =
        frc_device_reserve(mirror, &mirror->host_rest, count * sizeof(double[3]));
    if (status != FRACAS_OK) return status;
    frc_pack_rest(scene, NULL, count, mirror->host_rest.data);
    status =
        frc_mirror_upload(mirror, &mirror->rest, mirror->host_rest.data, count * sizeof(double[3]));
    mirror->has_rest = status == FRACAS_OK;
    return status;
}

// ---- poses

typedef struct pose_list {
    const fracas_scene* scene;
    frc_pose_ends* poses;
    uint32_t* pose_of;  // by body
    size_t count;
} pose_list;

static void add_pose(pose_list* list, uint32_t number) {
    const frc_body* body = &list->scene->bodies.data[number];
    if (body->motion != FRACAS_MOTION_RIGID || list->pose_of[number] != FRACAS_NONE) return;
    list->poses[list->count] = (frc_pose_ends){
        {body->pose[0], body->pose[1]}
    };
    list->pose_of[number] = (uint32_t)list->count++;
}

// Bodies that have moved; where all points were copied, also those whose points on the host are
// old. Returns how many, at `*offset` in the packed memory the numbers of their poses by body.
static size_t pack_poses(const frc_mirror* mirror, const fracas_scene* scene, bool all_points,
                         size_t most) {
    const frc_changes* moved = &mirror->followed.bodies;
    frc_pose_ends* poses = mirror->host_poses.data;
    pose_list list = {.scene = scene, .poses = poses, .pose_of = (uint32_t*)(poses + most)};
    for (size_t i = 0; i < scene->bodies.count; i++) list.pose_of[i] = FRACAS_NONE;
    for (size_t i = 0; i < moved->count; i++) add_pose(&list, moved->ids[i]);
    for (size_t i = 0; i < scene->posed_bodies.count && all_points; i++)
        add_pose(&list, scene->posed_bodies.data[i]);
    return list.count;
}

fracas_status frc_mirror_send_poses(frc_mirror* mirror, const fracas_scene* scene,
                                    bool all_points) {
    const frc_changes* moved = &mirror->followed.bodies;
    const size_t bodies = scene->bodies.count;
    size_t most = all_points ? scene->posed_bodies.count : 0;
    for (size_t i = 0; i < moved->count; i++)
        most += scene->bodies.data[moved->ids[i]].motion == FRACAS_MOTION_RIGID;
    const size_t size = most * sizeof(frc_pose_ends) + bodies * sizeof(uint32_t);
    if (most == 0) return FRACAS_OK;
    mirror->host_poses.on_host = true;
    fracas_status status = frc_device_reserve(mirror, &mirror->host_poses, size);
    if (status == FRACAS_OK) status = copy_all_rest(mirror, scene);
    if (status != FRACAS_OK || pack_poses(mirror, scene, all_points, most) == 0) return status;
    status = frc_mirror_upload(mirror, &mirror->poses, mirror->host_poses.data, size);
    if (status != FRACAS_OK) return status;
    const frc_pose_ends* poses = mirror->poses.data;
    const frc_motion motion = {.points = mirror->points.data,
                               .names = mirror->names.data,
                               .point_count = scene->topology.points.count,
                               .rest = mirror->rest.data,
                               .poses = poses,
                               .pose_of = (const uint32_t*)(poses + most),
                               .body_count = bodies};
    return frc_device_run_motion(mirror->device, FRC_MOTION_pose, &motion)
               ? FRACAS_OK
               : frc_device_fail(mirror);
}
