/// @file vertex_rings.c  Order the triangles around each vertex, and group the rings by shape.
#include "mesh/vertex_rings.h"
#include <string.h>

// ---- one ring

// A corner of a triangle at a vertex: the next vertex of the triangle, and the one after it.
typedef struct corner {
    uint32_t from, to;
} corner;

typedef struct ring {
    uint32_t neighbour[FRC_VERTEX_RING_MAX + 1];
    uint32_t count;
    bool closed;
} ring;

static uint32_t find_from(const corner* c, uint32_t count, uint32_t from) {
    for (uint32_t i = 0; i < count; i++)
        if (c[i].from == from) return i;
    return FRACAS_NONE;
}

static uint32_t find_to(const corner* c, uint32_t count, uint32_t to) {
    for (uint32_t i = 0; i < count; i++)
        if (c[i].to == to) return i;
    return FRACAS_NONE;
}

// False: the triangles do not form a single fan, or the fan is too long.
static bool make_ring(const corner* c, uint32_t count, uint32_t centre, ring* out) {
    if (count == 0 || count > FRC_VERTEX_RING_MAX) return false;
    // Corners have three distinct vertices, and no two begin or end at the same neighbour.
    for (uint32_t i = 0; i < count; i++) {
        if (c[i].from == c[i].to || c[i].from == centre || c[i].to == centre) return false;
        if (find_from(c, i, c[i].from) != FRACAS_NONE || find_to(c, i, c[i].to) != FRACAS_NONE)
            return false;
    }
    // An open fan begins with the corner that follows no other, a closed one with any corner.
    uint32_t at = 0, used = 0, next;
    for (uint32_t i = count; i-- > 0;)
        if (find_to(c, count, c[i].from) == FRACAS_NONE) at = i;
    out->count = 0;
    do {
        out->neighbour[out->count++] = c[at].from;
        used++;
        next = c[at].to == out->neighbour[0] ? FRACAS_NONE : c[at].to;
        at = next == FRACAS_NONE ? FRACAS_NONE : find_from(c, count, next);
    } while (at != FRACAS_NONE);
    out->closed = next == FRACAS_NONE;
    if (!out->closed) out->neighbour[out->count++] = next;
    return used == count && out->count <= FRC_VERTEX_RING_MAX;
}

// ---- all rings of a body

// Rings of one shape, consecutive: centre, neighbours.
typedef FRC_ARRAY(uint32_t) ring_list;
typedef struct rings_by_shape {
    ring_list of[2][FRC_VERTEX_RING_MAX + 1];  // indices: closed, number of neighbours
} rings_by_shape;

// Make the rings of all vertices. `begin`, zeroed, has a capacity of point_count + 2, `corners` of
// three per triangle.
static bool find_rings(const frc_topology* topology, const frc_vertex_rings_input* input,
                       uint32_t* begin, corner* corners, rings_by_shape* out) {
    // Counting sort of corners by vertex: those of vertex i are corners[begin[i] .. begin[i + 1]).
    const frc_point* points = topology->points.data;
    uint32_t* next = begin + 1;  // counts, then where the next corner of each vertex goes
    for (size_t i = 0; i < input->triangle_count; i++) {
        if (input->triangles[i] == FRACAS_NONE) continue;
        const uint32_t* p = topology->triangles.data[input->triangles[i]].point;
        for (int k = 0; k < 3; k++) next[points[p[k]].tag[FRC_TAG_NUMBER] + 1]++;
    }
    for (size_t i = 0; i < input->point_count; i++) next[i + 1] += next[i];
    for (size_t i = 0; i < input->triangle_count; i++) {
        if (input->triangles[i] == FRACAS_NONE) continue;
        const uint32_t* p = topology->triangles.data[input->triangles[i]].point;
        for (int k = 0; k < 3; k++)
            corners[next[points[p[k]].tag[FRC_TAG_NUMBER]]++] =
                (corner){p[(k + 1) % 3], p[(k + 2) % 3]};
    }

    for (size_t i = 0; i < input->point_count; i++) {
        const uint32_t centre = input->points[i];
        ring r;
        if (centre == FRACAS_NONE ||
            !make_ring(&corners[begin[i]], begin[i + 1] - begin[i], centre, &r))
            continue;
        ring_list* list = &out->of[r.closed][r.count];
        if (!FRC_ARRAY_RESERVE(topology->context, list, list->count + r.count + 1)) return false;
        list->data[list->count++] = centre;
        memcpy(&list->data[list->count], r.neighbour, r.count * sizeof *r.neighbour);
        list->count += r.count;
    }
    return true;
}

// Transpose the rings of each shape into packets of four. Copies of the last ring fill up the last
// packet.
static bool pack(fracas_context* context, const rings_by_shape* s, frc_vertex_rings* out) {
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t n = 0; n <= FRC_VERTEX_RING_MAX; n++) {
            const ring_list* list = &s->of[closed][n];
            const uint32_t width = n + 1;
            if (list->count == 0) continue;
            const size_t rings = list->count / width, packets = (rings + 3) / 4;
            const size_t end = out->ids.count + packets * 4 * width;
            frc_vertex_ring_group group = {n, closed, (uint32_t)out->ids.count, (uint32_t)packets};
            if (end >> 31 || !FRC_ARRAY_RESERVE(context, &out->ids, end) ||
                !FRC_ARRAY_PUSH(context, &out->groups, group))
                return false;
            for (size_t i = 0; i < packets * 4; i++) {
                const uint32_t* from = &list->data[(i < rings ? i : rings - 1) * width];
                uint32_t* to = &out->ids.data[group.first + i / 4 * 4 * width + i % 4];
                for (uint32_t k = 0; k < width; k++) to[4 * k] = from[k];
            }
            out->ids.count = end;
            out->count += (uint32_t)rings;
        }
    return true;
}

bool frc_vertex_rings_build(frc_topology* topology, const frc_vertex_rings_input* input,
                            frc_vertex_rings* out) {
    fracas_context* context = topology->context;
    const size_t begin_size = (input->point_count + 2) * sizeof(uint32_t);
    const size_t corner_size = 3 * input->triangle_count * sizeof(corner);
    uint32_t* begin = frc_allocate_zero(context, begin_size);
    corner* corners = frc_allocate(context, corner_size);
    rings_by_shape s = {0};
    frc_vertex_rings rings = {.serial = input->serial};
    bool ok = begin && corners;
    ok = ok && find_rings(topology, input, begin, corners, &s) && pack(context, &s, &rings);
    frc_release(context, begin, begin_size);
    frc_release(context, corners, corner_size);
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t n = 0; n <= FRC_VERTEX_RING_MAX; n++) {
            ring_list* list = &s.of[closed][n];
            for (size_t i = 0; ok && i < list->count; i += n + 1)
                topology->uses.data[list->data[i]].rings = input->serial;
            FRC_ARRAY_RELEASE(context, list);
        }
    if (ok)
        *out = rings;
    else
        frc_vertex_rings_release(context, &rings);
    return ok;
}

void frc_vertex_rings_release(fracas_context* context, frc_vertex_rings* rings) {
    FRC_ARRAY_RELEASE(context, &rings->groups);
    FRC_ARRAY_RELEASE(context, &rings->ids);
    rings->serial = rings->count = 0;
}
