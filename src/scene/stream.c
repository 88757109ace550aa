/// @file stream.c  Queries of a scene that report blocks of records: check the arguments, then
/// search.
#include "fracas/stream.h"
#include "detect/stream.h"
#include "scene/rebuild_policy.h"
#include "scene/scene.h"
#include <math.h>

static const uint32_t ALL_VALUES = FRACAS_RECORD_TOI | FRACAS_RECORD_PARAMETERS |
                                   FRACAS_RECORD_NORMALS | FRACAS_RECORD_DISTANCES |
                                   FRACAS_RECORD_CLOSEST;

static fracas_status check_stream(const fracas_scene* scene, const fracas_stream* stream) {
    if (stream->struct_size != sizeof *stream)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the stream is not initialised: start from fracas_scene_default_stream()");
    if (stream->block_contacts == 0)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "block_contacts is 0: a block needs room for at least one contact");
    if (stream->values & ~ALL_VALUES)
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "values is %u: it may have the bits of fracas_record_values only",
                        stream->values);
    return FRACAS_OK;
}

fracas_status fracas_scene_stream(const fracas_scene* scene, const fracas_query* given,
                                  const fracas_stream* stream) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!stream) return frc_fail_null(scene->context, "fracas_scene_stream", "stream");
    fracas_query query = given ? *given : fracas_scene_default_query();
    fracas_status status = frc_scene_check_query(scene, &query, query.modes, "fracas_scene_stream");
    if (status == FRACAS_OK) status = check_stream(scene, stream);
    if (status == FRACAS_OK && query.first)
        status = frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                          "first is set: fracas_scene_stream reports all contacts; use "
                          "fracas_scene_detect");
    if (status != FRACAS_OK) return status;
    const frc_world world = frc_scene_world(scene);
    fracas_statistics statistics;
    fracas_stream counted = *stream;
    if (!counted.statistics) counted.statistics = &statistics;
    status = frc_stream(&world, &query, -1, &counted);
    if (status == FRACAS_OK) frc_rebuild_add_work(scene, &query, counted.statistics);
    return status;
}

fracas_status fracas_scene_stream_nearby(const fracas_scene* scene, double distance,
                                         const fracas_stream* stream) {
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!stream) return frc_fail_null(scene->context, "fracas_scene_stream_nearby", "stream");
    if (!(distance >= 0 && isfinite(distance)))
        return frc_fail(scene->context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the distance is %g: it must be finite and not negative", distance);
    fracas_query query = fracas_scene_default_query();
    query.siblings = FRACAS_SIBLINGS_REPORT;
    fracas_status status =
        frc_scene_check_query(scene, &query, query.modes, "fracas_scene_stream_nearby");
    if (status == FRACAS_OK) status = check_stream(scene, stream);
    if (status != FRACAS_OK) return status;
    const frc_world world = frc_scene_world(scene);
    return frc_stream(&world, &query, distance, stream);
}
