/// @file run_edit.c  Splits and merges: calls Fracas and updates the pools accordingly.
#include "run.h"
#include "run_memory.h"
#include <stdlib.h>
#include <string.h>

// ---- split

static void mix(const double* values, size_t a, size_t b, double weight, double out[3]) {
    for (size_t k = 0; k < 3; k++)
        out[k] = (1 - weight) * values[3 * a + k] + weight * values[3 * b + k];
}

static void add_vertex(scenes_run* run, scenes_body* body, const fracas_new_vertex* v) {
    solver* s = &run->solver;
    uint32_t a = body->vertices[v->parent_a];
    uint32_t b = v->parent_b == FRACAS_NONE ? a : body->vertices[v->parent_b];
    double weight = v->parent_b == FRACAS_NONE ? 0 : v->weight, position[3];
    mix(s->now, a, b, weight, position);
    uint32_t id = solver_add_point(s, position, s->inverse_mass[a]);
    mix(s->velocity, a, b, weight, s->velocity + 3 * (size_t)id);
    mix(s->rest, a, b, weight, s->rest + 3 * (size_t)id);
    run->vertex_past[id] = v->parent_b == FRACAS_NONE ? run->vertex_past[a] : -1;
    run->vertex_places[id] = FRACAS_NONE;
    run->vertex_numbers[id] = body->vertex_count;
    body->vertices[body->vertex_count++] = id;
}

// Applies everything but the parts of a split to the body.
static void change_body(scenes_run* run, scenes_body* body, const fracas_split* split) {
    for (uint32_t i = 0; i < split->new_vertex_count; i++)
        add_vertex(run, body, &split->new_vertices[i]);
    for (uint32_t i = 0; i < split->repoint_count; i++) {
        const fracas_repoint* r = &split->repoints[i];
        run->corners[3 * (size_t)body->triangles[r->triangle] + r->corner] =
            body->vertices[r->vertex];
    }
    for (uint32_t i = 0; i < split->new_triangle_count; i++) {
        const uint32_t* numbers = split->new_triangles + 3 * (size_t)i;
        uint32_t id = run->triangle_count++;
        for (size_t k = 0; k < 3; k++)
            run->corners[3 * (size_t)id + k] = body->vertices[numbers[k]];
        run->triangle_past[id] = -1;
        run->triangle_places[id] = FRACAS_NONE;
        body->triangles[body->triangle_count++] = id;
    }
    for (uint32_t i = 0; i < split->removed_triangle_count; i++)
        body->triangles[split->removed_triangles[i]] = FRACAS_NONE;
    if (split->removed_triangle_count || split->part_count) body->gaps = true;
}

static int compare_numbers(const void* left, const void* right) {
    uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
    return (a > b) - (a < b);
}

// Moves triangles and their vertices to a part. Its triangles are numbered as listed, its vertices
// in the order of their old numbers, as in Fracas.
static void move_part(scenes_run* run, scenes_body* from, scenes_body* part,
                      const uint32_t* triangles, uint32_t count) {
    for (uint32_t t = 0; t < count; t++) {
        uint32_t id = from->triangles[triangles[t]];
        from->triangles[triangles[t]] = FRACAS_NONE;
        part->triangles[part->triangle_count++] = id;
        for (size_t k = 0; k < 3; k++) {
            uint32_t number = run->vertex_numbers[run->corners[3 * (size_t)id + k]];
            part->vertices[part->vertex_count++] = number;
        }
    }
    qsort(part->vertices, part->vertex_count, sizeof(uint32_t), compare_numbers);
    uint32_t kept = 0, last = FRACAS_NONE;
    for (uint32_t i = 0; i < part->vertex_count; i++) {
        uint32_t number = part->vertices[i];
        if (number == last) continue;
        last = number;
        part->vertices[kept] = from->vertices[number];
        run->vertex_numbers[from->vertices[number]] = kept++;
        from->vertices[number] = FRACAS_NONE;
    }
    part->vertex_count = kept;
}

static bool reserve(scenes_run* run, uint32_t b, const fracas_split* split) {
    const scenes_body* body = &run->bodies[b];
    if (!scenes_run_reserve(run, (size_t)run->solver.point_count + split->new_vertex_count,
                            (size_t)run->triangle_count + split->new_triangle_count) ||
        !scenes_body_reserve(&run->bodies[b], (size_t)body->vertex_count + split->new_vertex_count,
                             (size_t)body->triangle_count + split->new_triangle_count))
        return false;
    for (uint32_t p = 0; p < split->part_count; p++) {
        size_t count = split->part_offsets[p + 1] - split->part_offsets[p];
        scenes_body* part = scenes_run_new_body(run);
        if (!part || !scenes_body_reserve(part, 3 * count, count)) return false;
        part->motion = run->bodies[b].motion;
        part->pose = run->bodies[b].pose;
    }
    return true;
}

fracas_status scenes_run_split(scenes_run* run, uint32_t b, const fracas_split* split) {
    uint32_t first = run->body_count;
    fracas_body* handles = malloc(sizeof *handles * (split->part_count + (size_t)1));
    if (!handles) return FRACAS_ERROR_OUT_OF_MEMORY;
    fracas_status status = reserve(run, b, split) ? FRACAS_OK : FRACAS_ERROR_OUT_OF_MEMORY;
    double start = scenes_clock_ms();
    if (status == FRACAS_OK)
        status = fracas_scene_split(run->scene, run->bodies[b].handle, split, handles);
    run->ms_edits += scenes_clock_ms() - start;
    if (status == FRACAS_OK) change_body(run, &run->bodies[b], split);
    for (uint32_t p = 0; p < split->part_count && status == FRACAS_OK; p++) {
        const uint32_t* offsets = split->part_offsets + p;
        move_part(run, &run->bodies[b], &run->bodies[first + p], split->part_triangles + offsets[0],
                  offsets[1] - offsets[0]);
        if (!scenes_run_register_body(run, first + p, handles[p]))
            status = FRACAS_ERROR_OUT_OF_MEMORY;
    }
    free(handles);
    uint32_t part_triangles = split->part_count ? split->part_offsets[split->part_count] : 0;
    run->edits += (uint64_t)split->new_vertex_count + split->repoint_count +
                  split->new_triangle_count + split->removed_triangle_count + part_triangles;
    return status;
}

fracas_status scenes_run_renew_solid(scenes_run* run, uint32_t b, double density, bool closed) {
    scenes_body* body = &run->bodies[b];
    uint32_t* ids = malloc(sizeof *ids * (body->triangle_count + (size_t)1));
    if (!ids) return FRACAS_ERROR_OUT_OF_MEMORY;
    uint32_t count = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++)
        if (body->triangles[t] != FRACAS_NONE) ids[count++] = body->triangles[t];
    body->solid = solver_add_solid(&run->solver, run->corners, ids, count, density, closed);
    free(ids);
    if (body->solid == SOLVER_NONE) return FRACAS_ERROR_OUT_OF_MEMORY;
    run->solver.solids[body->solid].resting = density == 0;
    return FRACAS_OK;
}

// ---- merge

// The vertex of body a that vertex v of body b is welded to; FRACAS_NONE: it is not welded.
static uint32_t find_weld(const fracas_weld_pair* welds, uint32_t weld_count, uint32_t v) {
    for (uint32_t w = 0; w < weld_count; w++)
        if (welds[w].vertex_b == v) return welds[w].vertex_a;
    return FRACAS_NONE;
}

// `numbers` has space for all points of the pool, `new_ids` for all vertices of body b.
static void join_bodies(scenes_run* run, uint32_t a, uint32_t b, const fracas_weld_pair* welds,
                        uint32_t weld_count, uint32_t* numbers, uint32_t* new_ids) {
    scenes_body *to = &run->bodies[a], *from = &run->bodies[b];
    for (uint32_t v = 0; v < from->vertex_count; v++)
        if (from->vertices[v] != FRACAS_NONE) numbers[from->vertices[v]] = v;
    // Vertices of b follow those of a; welded ones are replaced by those of a.
    for (uint32_t v = 0; v < from->vertex_count; v++) {
        uint32_t id = from->vertices[v];
        uint32_t into = id == FRACAS_NONE ? FRACAS_NONE : find_weld(welds, weld_count, v);
        new_ids[v] = id;
        if (into != FRACAS_NONE) {
            new_ids[v] = to->vertices[into];
            run->solver.removed[id] = true;
            id = FRACAS_NONE;
        }
        if (id != FRACAS_NONE) run->vertex_numbers[id] = to->vertex_count;
        to->vertices[to->vertex_count++] = id;
    }
    for (uint32_t t = 0; t < from->triangle_count; t++) {
        uint32_t id = from->triangles[t];
        to->triangles[to->triangle_count++] = id;
        if (id == FRACAS_NONE) continue;
        uint32_t* c = run->corners + 3 * (size_t)id;
        for (int k = 0; k < 3; k++) c[k] = new_ids[numbers[c[k]]];
    }
    to->gaps = true;
    run->edits += (uint64_t)from->triangle_count + weld_count;
    // Remove body b from the list.
    run->body_of_handle[from->handle.index] = FRACAS_NONE;
    scenes_body_free(from);
    for (uint32_t i = b; i + 1 < run->body_count; i++) {
        run->bodies[i] = run->bodies[i + 1];
        run->body_of_handle[run->bodies[i].handle.index] = i;
    }
    run->body_count--;
}

fracas_status scenes_run_merge(scenes_run* run, uint32_t a, uint32_t b,
                               const fracas_weld_pair* welds, uint32_t weld_count) {
    scenes_body *to = &run->bodies[a], *from = &run->bodies[b];
    uint32_t* numbers = malloc(sizeof *numbers * run->solver.point_count);
    uint32_t* new_ids = malloc(sizeof *new_ids * (from->vertex_count + (size_t)1));
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (numbers && new_ids &&
        scenes_body_reserve(to, (size_t)to->vertex_count + from->vertex_count,
                            (size_t)to->triangle_count + from->triangle_count)) {
        fracas_merge merge = fracas_scene_default_merge();
        merge.welds = welds;
        merge.weld_count = weld_count;
        fracas_body handles[2] = {to->handle, from->handle}, joined;
        double start = scenes_clock_ms();
        status = fracas_scene_merge(run->scene, handles, 2, &merge, &joined);
        run->ms_edits += scenes_clock_ms() - start;
    }
    if (status == FRACAS_OK) join_bodies(run, a, b, welds, weld_count, numbers, new_ids);
    free(numbers);
    free(new_ids);
    return status;
}
