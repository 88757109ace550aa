/// @file split_from_labels.c  Make a split from one label per triangle: vertices along the crack
/// are duplicated.
#include "base/arena.h"
#include "scene/scene.h"
#include <stdlib.h>
#include <string.h>

struct fracas_split_plan {
    fracas_context* context;
    fracas_split split;
    FRC_ARRAY(fracas_new_vertex) new_vertices;
    FRC_ARRAY(fracas_repoint) repoints;
    frc_ids part_offsets, part_triangles;
};

typedef struct corner {
    uint32_t vertex, label, triangle, corner;
} corner;

static int compare_corners(const void* a, const void* b) {
    const corner *x = a, *y = b;
    if (x->vertex != y->vertex) return x->vertex < y->vertex ? -1 : 1;
    if (x->label != y->label) return x->label < y->label ? -1 : 1;
    if (x->triangle != y->triangle) return x->triangle < y->triangle ? -1 : 1;
    return x->corner < y->corner ? -1 : x->corner > y->corner;
}

void fracas_split_plan_destroy(fracas_split_plan* plan) {
    if (!plan) return;
    fracas_context* context = plan->context;
    FRC_ARRAY_RELEASE(context, &plan->new_vertices);
    FRC_ARRAY_RELEASE(context, &plan->repoints);
    FRC_ARRAY_RELEASE(context, &plan->part_offsets);
    FRC_ARRAY_RELEASE(context, &plan->part_triangles);
    frc_release(context, plan, sizeof *plan);
}

const fracas_split* fracas_split_plan_get_split(const fracas_split_plan* plan) {
    return plan ? &plan->split : NULL;
}

// Check the labels and sort the triangles by part, in their own order: a counting sort.
static fracas_status list_parts(fracas_split_plan* plan, fracas_body handle, const frc_body* body,
                                const uint32_t* labels, uint32_t label_count) {
    fracas_context* context = plan->context;
    const size_t count = body->triangles.count;
    if (label_count != count)
        return frc_fail(
            context, FRACAS_ERROR_BAD_DATA,
            "body %u has triangle numbers up to %zu but %u labels are given: give one for "
            "each number",
            handle.index, count, label_count);
    uint32_t part_count = 0;
    for (uint32_t t = 0; t < label_count; t++) {
        if (body->triangles.data[t] == FRACAS_NONE) continue;
        if (labels[t] > label_count)
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "label %u of triangle %u is larger than the number of triangles",
                            labels[t], t);
        if (labels[t] > part_count) part_count = labels[t];
    }
    if (!FRC_ARRAY_RESERVE(context, &plan->part_offsets, (size_t)part_count + 2) ||
        !FRC_ARRAY_RESERVE(context, &plan->part_triangles, count))
        return frc_fail_memory(context, count * sizeof(uint32_t));
    uint32_t* offsets = plan->part_offsets.data;
    memset(offsets, 0, ((size_t)part_count + 2) * sizeof *offsets);
    for (size_t t = 0; t < count; t++)
        if (body->triangles.data[t] != FRACAS_NONE && labels[t]) offsets[labels[t] + 1]++;
    for (uint32_t p = 0; p < part_count; p++) {
        if (offsets[p + 2] == 0)
            return frc_fail(
                context, FRACAS_ERROR_BAD_DATA,
                "no triangle has label %u: labels must be 0 and 1 to the number of parts", p + 1);
        offsets[p + 2] += offsets[p + 1];
    }
    // offsets[p + 1] is the position of the next triangle of part p, and in the end that of the
    // first of part p + 1.
    for (size_t t = 0; t < count; t++)
        if (body->triangles.data[t] != FRACAS_NONE && labels[t])
            plan->part_triangles.data[offsets[labels[t]]++] = (uint32_t)t;
    plan->split.part_count = part_count;
    return FRACAS_OK;
}

static uint32_t corner_vertex(const fracas_scene* scene, uint32_t triangle, uint32_t k) {
    uint32_t point = scene->topology.triangles.data[triangle].point[k];
    return scene->topology.points.data[point].tag[FRC_TAG_NUMBER];
}

#define SHARED UINT32_MAX  // no label

// A free element keeps its vertex.
static bool is_kept(const fracas_scene* scene, const frc_body* body, uint32_t vertex) {
    const frc_vertex_use* use = &scene->topology.uses.data[body->points.data[vertex]];
    return use->free_edges || use->free_point;
}

// Corners at shared vertices, those along the crack. A vertex is shared when its triangles have
// several labels, or when a free element keeps it and a triangle leaves. NULL: no memory.
static corner* list_corners(const fracas_scene* scene, const frc_body* body, const uint32_t* labels,
                            frc_arena* arena, size_t* out_count) {
    // By vertex: one more than the label of its triangles, or SHARED.
    uint32_t* label_of = frc_arena_allocate_zero(arena, body->points.count, sizeof *label_of);
    if (!label_of) return NULL;
    size_t most = 0, count = 0;
    for (size_t t = 0; t < body->triangles.count; t++) {
        if (body->triangles.data[t] == FRACAS_NONE) continue;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t vertex = corner_vertex(scene, body->triangles.data[t], k);
            uint32_t* label = &label_of[vertex];
            if (*label == labels[t] + 1 || *label == SHARED) continue;
            bool first = *label == 0;
            *label = labels[t] + 1;
            if (first && !(labels[t] && is_kept(scene, body, vertex))) continue;
            *label = SHARED;
            most += scene->topology.uses.data[body->points.data[vertex]].triangles;
        }
    }
    corner* corners = frc_arena_allocate(arena, most, sizeof *corners);
    for (size_t t = 0; corners && t < body->triangles.count; t++) {
        if (body->triangles.data[t] == FRACAS_NONE) continue;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t vertex = corner_vertex(scene, body->triangles.data[t], k);
            if (label_of[vertex] == SHARED)
                corners[count++] = (corner){vertex, labels[t], (uint32_t)t, k};
        }
    }
    if (count) qsort(corners, count, sizeof *corners, compare_corners);
    *out_count = count;
    return corners;
}

// The smallest label at a vertex keeps it, every other gets a copy; where a free element keeps the
// vertex, only label 0 does.
static bool duplicate_vertices(fracas_split_plan* plan, const fracas_scene* scene,
                               const frc_body* body, const corner* corners, size_t count) {
    fracas_context* context = plan->context;
    uint32_t current = 0;
    for (size_t i = 0; i < count; i++) {
        bool new_vertex = i == 0 || corners[i].vertex != corners[i - 1].vertex;
        bool new_label = new_vertex || corners[i].label != corners[i - 1].label;
        if (new_vertex) {
            bool kept = corners[i].label != 0 && is_kept(scene, body, corners[i].vertex);
            current = FRACAS_NONE;
            if (!kept) continue;
        }
        if (new_label) {
            current = (uint32_t)(body->points.count + plan->new_vertices.count);
            fracas_new_vertex v = {.parent_a = corners[i].vertex, .parent_b = FRACAS_NONE};
            if (!FRC_ARRAY_PUSH(context, &plan->new_vertices, v)) return false;
        }
        if (current == FRACAS_NONE) continue;
        fracas_repoint r = {corners[i].triangle, corners[i].corner, current};
        if (!FRC_ARRAY_PUSH(context, &plan->repoints, r)) return false;
    }
    return true;
}

fracas_status fracas_split_plan_create(const fracas_scene* scene, fracas_body handle,
                                       const uint32_t* labels, uint32_t label_count,
                                       fracas_split_plan** out) {
    if (out) *out = NULL;
    if (!scene) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (label_count && !labels)
        return frc_fail_null(scene->context, "fracas_split_plan_create", "labels");
    if (!out) return frc_fail_null(scene->context, "fracas_split_plan_create", "out");
    fracas_status status;
    const frc_body* body = frc_scene_find(scene, handle, &status);
    if (!body) return status;
    fracas_split_plan* plan = frc_allocate_zero(scene->context, sizeof *plan);
    if (!plan) return frc_fail_memory(scene->context, sizeof *plan);
    plan->context = scene->context;
    status = list_parts(plan, handle, body, labels, label_count);
    if (status == FRACAS_OK) {
        frc_arena arena = frc_arena_make(scene->context);
        size_t count;
        const corner* corners = list_corners(scene, body, labels, &arena, &count);
        if (!corners || !duplicate_vertices(plan, scene, body, corners, count))
            status = frc_fail_memory(scene->context, body->points.count * sizeof(uint32_t));
        frc_arena_release(&arena);
    }
    if (status != FRACAS_OK) {
        fracas_split_plan_destroy(plan);
        return status;
    }
    plan->split = (fracas_split){.struct_size = sizeof plan->split,
                                 .new_vertex_count = (uint32_t)plan->new_vertices.count,
                                 .new_vertices = plan->new_vertices.data,
                                 .repoints = plan->repoints.data,
                                 .repoint_count = (uint32_t)plan->repoints.count,
                                 .part_count = plan->split.part_count,
                                 .part_offsets = plan->part_offsets.data,
                                 .part_triangles = plan->part_triangles.data};
    *out = plan;
    return FRACAS_OK;
}
