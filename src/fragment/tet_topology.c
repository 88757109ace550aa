/// @file tet_topology.c  Number the edges and the faces of tetrahedra.
#include "base/array.h"
#include "base/sort.h"
#include "fragment/solid.h"
#include "mesh/tet_faces.h"
#include <string.h>

const uint8_t frc_tet_edge_corners[6][2] = {
    {0, 1},
    {0, 2},
    {0, 3},
    {1, 2},
    {1, 3},
    {2, 3}
};
const uint8_t frc_tet_face_corners[4][3] = {
    {1, 2, 3},
    {0, 3, 2},
    {0, 1, 3},
    {0, 2, 1}
};
const uint8_t frc_tet_edge_between[4][4] = {
    {6, 0, 1, 2},
    {0, 6, 3, 4},
    {1, 3, 6, 5},
    {2, 4, 5, 6}
};

// ---- edges

static uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// All edges, sorted, each once. False: no memory.
static bool make_edges(fracas_context* context, const fracas_tet_view* view,
                       frc_tet_topology* out) {
    const size_t capacity = 6 * (size_t)view->tet_count;
    bool ok = true;
    uint64_t* keys = frc_allocate_array(context, capacity, sizeof *keys, &ok);
    uint64_t* spare = frc_allocate_array(context, capacity, sizeof *spare, &ok);
    size_t count = 0;
    if (ok) {
        for (size_t i = 0; i < capacity; i++) {
            const uint32_t* tet = view->tets + i / 6 * 4;
            const uint8_t* corner = frc_tet_edge_corners[i % 6];
            keys[i] = key_of(tet[corner[0]], tet[corner[1]]);
        }
        uint64_t* sorted = frc_sort_keys(keys, spare, capacity, 0);
        for (size_t i = 0; i < capacity; i++)
            if (i == 0 || sorted[i] != sorted[i - 1]) sorted[count++] = sorted[i];
        out->edges = frc_allocate_array(context, count, sizeof *out->edges, &ok);
        for (size_t i = 0; ok && i < count; i++) {
            out->edges[i][0] = (uint32_t)(sorted[i] >> 32);
            out->edges[i][1] = (uint32_t)sorted[i];
        }
        out->edge_count = (uint32_t)count;
    }
    frc_release(context, keys, frc_array_size(capacity, sizeof *keys));
    frc_release(context, spare, frc_array_size(capacity, sizeof *spare));
    return ok;
}

uint32_t frc_tet_topology_find_edge(const frc_tet_topology* topology, uint32_t a, uint32_t b) {
    const uint64_t key = key_of(a, b);
    uint32_t first = 0, last = topology->edge_count;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        const uint32_t* edge = topology->edges[middle];
        if (key_of(edge[0], edge[1]) < key)
            first = middle + 1;
        else
            last = middle;
    }
    const bool found = first < topology->edge_count && topology->edges[first][0] == key >> 32 &&
                       topology->edges[first][1] == (uint32_t)key;
    return found ? first : FRACAS_NONE;
}

static void number_edges(const fracas_tet_view* view, frc_tet_topology* out) {
    for (size_t t = 0; t < view->tet_count; t++)
        for (int k = 0; k < 6; k++) {
            const uint32_t* tet = view->tets + 4 * t;
            const uint8_t* corner = frc_tet_edge_corners[k];
            out->tet_edges[t][k] = frc_tet_topology_find_edge(out, tet[corner[0]], tet[corner[1]]);
        }
}

// ---- lists per point

// Counts to begins: begins[p + 1] was the count of p.
static void accumulate(uint32_t* begins, uint32_t points) {
    for (uint32_t p = 0; p < points; p++) begins[p + 1] += begins[p];
}

// Edges are sorted: the smaller neighbours of a point are appended first, both in order.
static void list_neighbours(uint32_t points, frc_tet_topology* out) {
    uint32_t* begins = out->neighbour_begins;
    memset(begins, 0, (points + (size_t)1) * sizeof *begins);
    for (uint32_t e = 0; e < out->edge_count; e++)
        for (int k = 0; k < 2; k++) begins[out->edges[e][k] + 1]++;
    accumulate(begins, points);
    for (int k = 1; k >= 0; k--)
        for (uint32_t e = 0; e < out->edge_count; e++) {
            const uint32_t at = begins[out->edges[e][k]]++;
            out->neighbours[at] = out->edges[e][1 - k];
            out->neighbour_edges[at] = e;
        }
    for (uint32_t p = points; p > 0; p--) begins[p] = begins[p - 1];
    begins[0] = 0;
}

static void list_tets(const fracas_tet_view* view, frc_tet_topology* out) {
    uint32_t* begins = out->tet_begins;
    const uint32_t points = view->points.count;
    const size_t corners = 4 * (size_t)view->tet_count;
    memset(begins, 0, (points + (size_t)1) * sizeof *begins);
    for (size_t i = 0; i < corners; i++) begins[view->tets[i] + 1]++;
    accumulate(begins, points);
    for (size_t i = 0; i < corners; i++) out->tets[begins[view->tets[i]]++] = (uint32_t)(i / 4);
    for (uint32_t p = points; p > 0; p--) begins[p] = begins[p - 1];
    begins[0] = 0;
}

// ---- faces

static bool make_faces(fracas_context* context, const fracas_tet_view* view,
                       frc_tet_topology* out) {
    frc_tet_faces faces;
    if (frc_tet_faces_sort(context, view, &faces) != FRACAS_OK) return false;
    uint32_t count = 0;
    for (size_t i = 0; i < faces.count; count++) {
        const size_t end = frc_tet_faces_group(view, &faces, i);
        for (; i < end; i++) out->tet_faces[faces.order[i] / 4][faces.order[i] % 4] = count;
    }
    frc_tet_faces_release(context, &faces);
    out->face_count = count;
    bool ok = true;
    out->face_tets = frc_allocate_array(context, count, sizeof *out->face_tets, &ok);
    if (!ok) return false;
    memset(out->face_tets, 0xff, count * sizeof *out->face_tets);
    for (uint32_t t = 0; t < view->tet_count; t++)
        for (int k = 0; k < 4; k++) {
            uint32_t* tets = out->face_tets[out->tet_faces[t][k]];
            tets[tets[0] != FRACAS_NONE] = t;
        }
    return true;
}

bool frc_tet_topology_make(fracas_context* context, const fracas_tet_view* view,
                           frc_tet_topology* out) {
    const uint32_t points = view->points.count, tets = view->tet_count;
    bool ok = true;
    *out = (frc_tet_topology){0};
    out->tet_edges = frc_allocate_array(context, tets, sizeof *out->tet_edges, &ok);
    out->tet_faces = frc_allocate_array(context, tets, sizeof *out->tet_faces, &ok);
    const size_t begins = points + (size_t)1;
    out->neighbour_begins = frc_allocate_array(context, begins, sizeof(uint32_t), &ok);
    out->tet_begins = frc_allocate_array(context, begins, sizeof(uint32_t), &ok);
    out->tets = frc_allocate_array(context, 4 * (size_t)tets, sizeof(uint32_t), &ok);
    ok = ok && make_edges(context, view, out) && make_faces(context, view, out);
    const size_t ends = 2 * (size_t)out->edge_count;
    out->neighbours = frc_allocate_array(context, ends, sizeof(uint32_t), &ok);
    out->neighbour_edges = frc_allocate_array(context, ends, sizeof(uint32_t), &ok);
    if (!ok) {
        frc_tet_topology_release(context, out, points, tets);
        return false;
    }
    number_edges(view, out);
    list_neighbours(points, out);
    list_tets(view, out);
    return true;
}

void frc_tet_topology_release(fracas_context* context, frc_tet_topology* t, uint32_t points,
                              uint32_t tets) {
    const size_t begins = points + (size_t)1;
    frc_release(context, t->tet_edges, frc_array_size(tets, sizeof *t->tet_edges));
    frc_release(context, t->tet_faces, frc_array_size(tets, sizeof *t->tet_faces));
    frc_release(context, t->edges, frc_array_size(t->edge_count, sizeof *t->edges));
    frc_release(context, t->face_tets, frc_array_size(t->face_count, sizeof *t->face_tets));
    frc_release(context, t->neighbour_begins, frc_array_size(begins, sizeof(uint32_t)));
    const size_t ends = 2 * (size_t)t->edge_count;
    frc_release(context, t->neighbours, frc_array_size(ends, sizeof(uint32_t)));
    frc_release(context, t->neighbour_edges, frc_array_size(ends, sizeof(uint32_t)));
    frc_release(context, t->tet_begins, frc_array_size(begins, sizeof(uint32_t)));
    frc_release(context, t->tets, frc_array_size(4 * (size_t)tets, sizeof(uint32_t)));
    *t = (frc_tet_topology){0};
}
