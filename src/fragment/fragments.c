/// @file fragments.c  Create, add, remove and query fragments.
#include "fragment/fragments.h"
#include "fragment/locate.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

fracas_fragments_options fracas_fragments_default_options(void) {
    return (fracas_fragments_options){.struct_size = sizeof(fracas_fragments_options)};
}

fracas_status fracas_fragments_create(fracas_context* context,
                                      const fracas_fragments_options* given,
                                      fracas_fragments** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_fragments_create", "out");
    const fracas_fragments_options options = given ? *given : fracas_fragments_default_options();
    if (options.struct_size != sizeof options)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_fragments_options is not initialised: start from "
                        "fracas_fragments_default_options()");
    if ((uint32_t)options.field_update > FRACAS_FIELD_UPDATE_EXACT)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "field_update is %d: it must be a fracas_field_update",
                        (int)options.field_update);
    fracas_fragments* fragments = frc_allocate_zero(context, sizeof *fragments);
    if (!fragments) return frc_fail_memory(context, sizeof *fragments);
    fragments->context = context;
    fragments->options = options;
    *out = fragments;
    return FRACAS_OK;
}

void frc_fragment_release(fracas_fragments* fragments, frc_fragment* fragment) {
    frc_release(fragments->context, fragment->nodes,
                frc_array_size(fragment->node_count, sizeof *fragment->nodes));
    if (--fragment->object->fragment_count == 0) frc_object_destroy(fragment->object);
    *fragment = (frc_fragment){0};
}

void fracas_fragments_destroy(fracas_fragments* fragments) {
    if (!fragments) return;
    fracas_context* context = fragments->context;
    for (uint32_t i = 0; i < fragments->list.count; i++)
        if (frc_handles_in_use(&fragments->handles, i))
            frc_fragment_release(fragments, &fragments->list.data[i]);
    frc_handles_release(context, &fragments->handles);
    FRC_ARRAY_RELEASE(context, &fragments->list);
    frc_release(context, fragments, sizeof *fragments);
}

frc_fragment* frc_fragments_get(const fracas_fragments* fragments, fracas_fragment fragment) {
    if (fragment.index < fragments->list.count &&
        frc_handles_in_use(&fragments->handles, fragment.index) &&
        frc_handles_generation(&fragments->handles, fragment.index) == fragment.generation)
        return &fragments->list.data[fragment.index];
    frc_fail(fragments->context, FRACAS_ERROR_STALE_HANDLE,
             "fragment %" PRIu32 " of generation %" PRIu32
             " does not exist: it was never added, was removed, or has been fractured",
             fragment.index, fragment.generation);
    return NULL;
}

// The nodes of a whole solid; NULL: no memory.
static uint32_t* list_nodes(const fracas_solid* solid) {
    bool ok = true;
    uint32_t* nodes = frc_allocate_array(solid->context, solid->info.nodes, sizeof *nodes, &ok);
    uint32_t count = 0;
    for (uint32_t p = 0; ok && p < solid->point_count; p++)
        if (solid->nodes[p].fragment != FRACAS_NONE) nodes[count++] = p;
    return nodes;
}

fracas_status fracas_fragments_add(fracas_fragments* fragments, const fracas_solid* solid,
                                   fracas_fragment* out) {
    if (out) *out = (fracas_fragment){0};
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!solid) return frc_fail_null(context, "fracas_fragments_add", "solid");
    if (!out) return frc_fail_null(context, "fracas_fragments_add", "out");
    if (solid->context != context)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "the solid belongs to another context: create it with the context of the "
                        "fragments");
    frc_object* object = NULL;
    uint32_t* nodes = NULL;
    if (frc_handles_reserve(context, &fragments->handles, 1) &&
        FRC_ARRAY_RESERVE(context, &fragments->list, fragments->list.count + 1) &&
        (nodes = list_nodes(solid)) != NULL && (object = frc_object_create(solid, 0)) != NULL) {
        const uint32_t number = frc_handles_allocate(&fragments->handles);
        if (number == fragments->list.count) fragments->list.count++;
        for (uint32_t i = 0; i < solid->info.nodes; i++) object->nodes[nodes[i]].fragment = number;
        fragments->list.data[number] = (frc_fragment){object, nodes, solid->info.nodes};
        *out = (fracas_fragment){number, frc_handles_generation(&fragments->handles, number)};
        return FRACAS_OK;
    }
    frc_release(context, nodes, frc_array_size(solid->info.nodes, sizeof *nodes));
    return frc_fail(context, FRACAS_ERROR_OUT_OF_MEMORY,
                    "no memory for a fragment of %" PRIu32 " nodes", solid->info.nodes);
}

fracas_status fracas_fragments_remove(fracas_fragments* fragments, fracas_fragment fragment) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    // The number may be used again by a part of the same object.
    for (uint32_t i = 0; i < f->node_count; i++)
        f->object->nodes[f->nodes[i]].fragment = FRACAS_NONE;
    frc_fragment_release(fragments, f);
    frc_handles_free(&fragments->handles, fragment.index);
    return FRACAS_OK;
}

const fracas_solid* fracas_fragments_get_solid(const fracas_fragments* fragments,
                                               fracas_fragment fragment) {
    const frc_fragment* f = fragments ? frc_fragments_get(fragments, fragment) : NULL;
    return f ? f->object->solid : NULL;
}

fracas_status fracas_fragments_locate(const fracas_fragments* fragments, fracas_fragment fragment,
                                      const double point[3], fracas_depth* out) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = fragments->context;
    if (!point) return frc_fail_null(context, "fracas_fragments_locate", "point");
    if (!out) return frc_fail_null(context, "fracas_fragments_locate", "out");
    const frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    for (int k = 0; k < 3; k++)
        if (!isfinite(point[k]))
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "coordinate %d of the point is not finite", k);
    const uint32_t tet = frc_fragment_find_tet(f->object, fragment.index, point);
    *out = (fracas_depth){0};
    if (tet != FRACAS_NONE)
        frc_fragment_depth(f->object, fragment.index, fragments->options.field_update, tet, point,
                           out);
    return FRACAS_OK;
}
