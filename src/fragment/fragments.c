/// @file fragments.c  Create, add, remove and query fragments.
#include "fragment/fragments.h"
#include "fragment/locate.h"
#include "geom/vec3.h"
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
    if ((uint32_t)options.tree_update > FRACAS_TREE_UPDATE_REBUILD)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "tree_update is %d: it must be a fracas_tree_update",
                        (int)options.tree_update);
    fracas_fragments* fragments = frc_allocate_zero(context, sizeof *fragments);
    if (!fragments) return frc_fail_memory(context, sizeof *fragments);
    fragments->context = context;
    fragments->options = options;
    *out = fragments;
    return FRACAS_OK;
}

void frc_fragment_release(fracas_context* context, frc_fragment* fragment) {
    frc_release(context, fragment->nodes,
                frc_array_size(fragment->node_count, sizeof *fragment->nodes));
    frc_sphere_tree_release(context, &fragment->tree);
    frc_support_release(context, &fragment->support);
    *fragment = (frc_fragment){0};
}

void frc_fragments_drop(fracas_fragments* fragments, uint32_t number) {
    frc_fragment* fragment = &fragments->list.data[number];
    if (--fragment->object->fragment_count == 0) frc_object_destroy(fragment->object);
    frc_fragment_release(fragments->context, fragment);
    frc_handles_free(&fragments->handles, number);
}

void fracas_fragments_destroy(fracas_fragments* fragments) {
    if (!fragments) return;
    fracas_context* context = fragments->context;
    for (uint32_t i = 0; i < fragments->list.count; i++)
        if (frc_handles_in_use(&fragments->handles, i)) frc_fragments_drop(fragments, i);
    frc_handles_release(context, &fragments->handles);
    FRC_ARRAY_RELEASE(context, &fragments->list);
    frc_release(context, fragments, sizeof *fragments);
}

// Add a tetrahedron at its smallest corner, or at every node of the fragment if that is not of it.
static bool is_added_at(const frc_object* object, uint32_t tet, uint32_t node, uint32_t number) {
    const uint32_t* c = object->solid->tets[tet];
    const uint32_t first = c[0] < c[1] ? c[0] : c[1], second = c[2] < c[3] ? c[2] : c[3];
    const uint32_t smallest = first < second ? first : second;
    return smallest == node || object->nodes[smallest].fragment != number;
}

bool frc_fragment_measure(frc_fragment* f, uint32_t number) {
    const fracas_solid* solid = f->object->solid;
    const frc_tet_topology* topology = &solid->topology;
    f32x4 least = f32x4_splat(INFINITY), most = f32x4_splat(-INFINITY);
    for (uint32_t i = 0; i < f->node_count; i++)
        for (uint32_t k = topology->tet_begins[f->nodes[i]];
             k < topology->tet_begins[f->nodes[i] + 1]; k++) {
            const frc_tet_box* box = &solid->boxes[topology->tets[k]];
            least = f32x4_min(least, f32x4_load(&box->bounds[0]));
            most = f32x4_max(most, f32x4_load(&box->bounds[2]));
        }
    float first[4], last[4];
    f32x4_store(first, least);
    f32x4_store(last, most);
    const double lo[3] = {first[0], first[1], first[2]}, hi[3] = {last[1], last[2], last[3]};
    frc_occupancy_begin(&f->occupancy, lo, hi);
    for (uint32_t i = 0; i < f->node_count; i++)
        for (uint32_t k = topology->tet_begins[f->nodes[i]];
             k < topology->tet_begins[f->nodes[i] + 1]; k++) {
            const uint32_t tet = topology->tets[k];
            if (is_added_at(f->object, tet, f->nodes[i], number))
                frc_occupancy_add(&f->occupancy, &solid->boxes[tet].bounds[0],
                                  &solid->boxes[tet].bounds[3]);
        }
    frc_occupancy_end(&f->occupancy);
    double diagonal[3];
    frc_vec3_subtract(hi, lo, diagonal);
    f->radius = sqrt(frc_vec3_dot(diagonal, diagonal)) / 2;
    return frc_support_make(solid->context, f, number, &f->support);
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

// Allocate everything of a whole solid. False: no memory; what was allocated is in `out`.
static bool make_whole(const fracas_solid* solid, frc_fragment* out) {
    fracas_context* context = solid->context;
    const frc_sphere_tree* tree = &solid->tree;
    bool ok = true;
    out->nodes = frc_allocate_array(context, solid->info.nodes, sizeof *out->nodes, &ok);
    if (!ok) return false;
    for (uint32_t p = 0; p < solid->point_count; p++)
        if (solid->nodes[p].fragment != FRACAS_NONE) out->nodes[out->node_count++] = p;
    out->tree.nodes = frc_allocate_array(context, tree->node_count, sizeof *tree->nodes, &ok);
    if (!ok) return false;
    memcpy(out->tree.nodes, tree->nodes, tree->node_count * sizeof *tree->nodes);
    out->tree.node_count = tree->node_count;
    out->tree.point_count = tree->point_count;
    out->object = frc_object_create(solid, 0);
    return out->object && frc_fragment_measure(out, 0);
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
    frc_fragment whole = {.pose = fracas_pose_make_identity()};
    if (frc_handles_reserve(context, &fragments->handles, 1) &&
        FRC_ARRAY_RESERVE(context, &fragments->list, fragments->list.count + 1) &&
        make_whole(solid, &whole)) {
        const uint32_t number = frc_handles_allocate(&fragments->handles);
        if (number == fragments->list.count) fragments->list.count++;
        for (uint32_t i = 0; i < whole.node_count; i++)
            whole.object->nodes[whole.nodes[i]].fragment = number;
        fragments->list.data[number] = whole;
        *out = (fracas_fragment){number, frc_handles_generation(&fragments->handles, number)};
        return FRACAS_OK;
    }
    frc_object_destroy(whole.object);
    frc_fragment_release(context, &whole);
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
    frc_fragments_drop(fragments, fragment.index);
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
