/// @file fill.c  From signs and cuts to nodes and tetrahedra.
///
/// Tetrahedra are in the order of the odd nodes, which have the odd long edges; vertices are
/// numbered in the order of their first use. So neighbours in space are neighbours in memory, and
/// the result does not depend on the number of threads.
#include "base/array.h"
#include "base/parallel.h"
#include "exact/predicates.h"
#include "tet_mesh/stuffing.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// ---- rows of odd nodes

typedef struct fill_job {
    const frc_stuffing* s;
    size_t* first;        // by row: the number of tetrahedra, then the first one
    uint32_t (*tets)[4];  // NULL: count only
    frc_steps steps;
} fill_job;

static size_t fill_node(const fill_job* job, const uint32_t x[3], size_t at) {
    const frc_stuffing* s = job->s;
    const frc_lattice* l = &s->lattice;
    const size_t begin = at;
    for (int axis = 0; axis < 3; axis++) {
        frc_lattice_tet around[4];
        frc_vertex_ref parts[3][4];
        if (x[axis] + 2 > 2 * l->cells[axis]) continue;
        frc_lattice_tets_around(l, x, axis, around);
        for (int i = 0; i < 4; i++) {
            const uint32_t count = frc_stencil(s, &around[i], parts);
            if (job->tets) memcpy(job->tets + at, parts, count * sizeof *parts);
            at += count;
        }
    }
    return at - begin;
}

static void fill_rows(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    fill_job* job = data;
    const frc_lattice* l = &job->s->lattice;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t row = begin; row < end; row++) {
        const uint32_t y = 2 * (row / l->cells[0]) + 1, x = 2 * (row % l->cells[0]) + 1;
        size_t at = job->tets ? job->first[row] : 0;
        for (uint32_t z = 1; z < 2 * l->cells[2]; z += 2)
            at += fill_node(job, (const uint32_t[3]){x, y, z}, at);
        if (!job->tets) job->first[row] = at;
    }
}

static fracas_status no_tets(const frc_stuffing* s) {
    return frc_fail(s->context, FRACAS_ERROR_BAD_DATA,
                    "the surface is too thin for a cell size of %g: there is no tetrahedron in it; "
                    "use cells of %.3g or smaller",
                    s->lattice.cell, s->lattice.cell / 4);
}

// Count the tetrahedra of each row, allocate, and fill. Vertices are references.
static fracas_status find_tets(const frc_stuffing* s, fracas_tet_mesh* mesh) {
    const uint32_t rows = s->lattice.cells[0] * s->lattice.cells[1];
    bool ok = true;
    fill_job job = {.s = s};
    job.first = frc_allocate_array(s->context, rows, sizeof *job.first, &ok);
    if (!ok) return frc_fail_memory(s->context, rows * sizeof *job.first);
    frc_steps_start(&job.steps, s->context, 0.6, 0.65, rows);
    frc_parallel_for(s->context, rows, 16, fill_rows, &job);
    fracas_status status = frc_steps_finish(&job.steps);
    size_t sum = 0;
    for (uint32_t r = 0; status == FRACAS_OK && r < rows; r++) {
        const size_t count = job.first[r];
        job.first[r] = sum;
        sum += count;
    }
    if (status == FRACAS_OK && sum == 0) status = no_tets(s);
    if (sum >= FRACAS_NONE)
        status = frc_fail(s->context, FRACAS_ERROR_INVALID_ARGUMENT,
                          "a cell size of %g makes %zu tetrahedra, but at most %" PRIu32
                          " are possible; use larger cells",
                          s->lattice.cell, sum, FRACAS_NONE - 1);
    if (status == FRACAS_OK) {
        mesh->tets = frc_allocate_array(s->context, sum, sizeof *mesh->tets, &ok);
        if (!ok) status = frc_fail_memory(s->context, sum * sizeof *mesh->tets);
    }
    if (status == FRACAS_OK) {
        mesh->tet_count = (uint32_t)sum;
        job.tets = mesh->tets;
        frc_steps_start(&job.steps, s->context, 0.65, 0.7, rows);
        frc_parallel_for(s->context, rows, 16, fill_rows, &job);
        status = frc_steps_finish(&job.steps);
    }
    frc_release(s->context, job.first, frc_array_size(rows, sizeof *job.first));
    return status;
}

// ---- numbers of vertices

static fracas_status number_vertices(const frc_stuffing* s, fracas_tet_mesh* mesh) {
    const size_t refs = s->lattice.node_count + FRC_EDGES * (size_t)s->active_count;
    bool ok = true;
    uint32_t* number = frc_allocate_array(s->context, refs, sizeof *number, &ok);
    if (!ok) return frc_fail_memory(s->context, refs * sizeof *number);
    memset(number, 0xff, refs * sizeof *number);
    uint32_t* corners = mesh->tets[0];
    const size_t corner_count = 4 * (size_t)mesh->tet_count;
    uint32_t count = 0;
    for (size_t i = 0; i < corner_count; i++)
        if (number[corners[i]] == FRACAS_NONE) number[corners[i]] = count++;
    mesh->nodes = frc_allocate_array(s->context, count, sizeof *mesh->nodes, &ok);
    if (ok) {
        mesh->node_count = count;
        for (size_t ref = 0; ref < refs; ref++)
            if (number[ref] != FRACAS_NONE)
                frc_stuffing_place(s, (frc_vertex_ref)ref, mesh->nodes[number[ref]]);
        for (size_t i = 0; i < corner_count; i++) corners[i] = number[corners[i]];
    }
    frc_release(s->context, number, frc_array_size(refs, sizeof *number));
    return ok ? FRACAS_OK : frc_fail_memory(s->context, count * sizeof *mesh->nodes);
}

// ---- proof of positive volume

typedef struct check_job {
    const fracas_tet_mesh* mesh;
    atomic_uint bad;  // some tetrahedron that is not positive; FRACAS_NONE: none
    frc_steps steps;
} check_job;

static void check_tets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    check_job* job = data;
    double(*const p)[3] = job->mesh->nodes;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t t = begin; t < end; t++) {
        const uint32_t* v = job->mesh->tets[t];
        if (frc_orient3d(p[v[0]], p[v[1]], p[v[2]], p[v[3]]) <= 0) atomic_store(&job->bad, t);
    }
}

fracas_status frc_stuffing_fill(const frc_stuffing* s, fracas_tet_mesh* mesh) {
    fracas_status status = find_tets(s, mesh);
    if (status == FRACAS_OK) status = number_vertices(s, mesh);
    if (status != FRACAS_OK) return status;
    // Heights are bounded below and rounding is bounded above (lattice.c), so this cannot fail.
    check_job job = {.mesh = mesh, .bad = FRACAS_NONE};
    frc_steps_start(&job.steps, s->context, 0.7, 0.75, mesh->tet_count);
    frc_parallel_for(s->context, mesh->tet_count, 4096, check_tets, &job);
    status = frc_steps_finish(&job.steps);
    if (status == FRACAS_OK && atomic_load(&job.bad) != FRACAS_NONE)
        status = frc_fail(s->context, FRACAS_ERROR_INTERNAL,
                          "a bug in Fracas: tetrahedron %u is not of positive volume",
                          atomic_load(&job.bad));
    return status;
}
