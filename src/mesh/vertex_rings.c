/// @file vertex_rings.c  Put the triangles of each vertex in order.
#include "mesh/vertex_rings.h"
#include <string.h>

// ---- one ring

// A corner of a triangle: it goes from `from` to `to` around the vertex.
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

// No neighbour is left twice or reached twice, and no triangle has a corner twice.
static bool turns_one_way(const corner* c, uint32_t count, uint32_t centre) {
    for (uint32_t i = 0; i < count; i++) {
        if (c[i].from == c[i].to || c[i].from == centre || c[i].to == centre) return false;
        if (find_from(c, i, c[i].from) != FRACAS_NONE || find_to(c, i, c[i].to) != FRACAS_NONE)
            return false;
    }
    return true;
}

// The corner that an open fan begins with, or any one of a closed fan.
static uint32_t first_corner(const corner* c, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (find_to(c, count, c[i].from) == FRACAS_NONE) return i;
    return 0;
}

// False: the triangles form no single fan, or one too long.
static bool make_ring(const corner* c, uint32_t count, uint32_t centre, ring* out) {
    if (count == 0 || count > FRC_VERTEX_RING_MAX || !turns_one_way(c, count, centre)) return false;
    uint32_t first = first_corner(c, count), at = first, used = 0;
    out->count = 0;
    do {
        out->neighbour[out->count++] = c[at].from;
        used++;
        first = c[at].to == out->neighbour[0] ? FRACAS_NONE : c[at].to;
        at = first == FRACAS_NONE ? FRACAS_NONE : find_from(c, count, first);
    } while (at != FRACAS_NONE);
    out->closed = first == FRACAS_NONE;
    if (!out->closed) out->neighbour[out->count++] = first;
    return used == count && out->count <= FRC_VERTEX_RING_MAX;
}

// ---- all corners, by vertex

typedef struct corner_list {
    uint32_t* begin;  // by vertex number, one more than there are
    corner* corners;
    size_t begin_size, corner_size;
} corner_list;

static bool allocate_corners(fracas_context* context, const frc_vertex_rings_input* input,
                             corner_list* out) {
    out->begin_size = (input->point_count + 2) * sizeof *out->begin;
    out->corner_size = 3 * input->triangle_count * sizeof *out->corners;
    out->begin = frc_allocate_zero(context, out->begin_size);
    out->corners = frc_allocate(context, out->corner_size);
    return out->begin && out->corners;
}

static void release_corners(fracas_context* context, corner_list* list) {
    frc_release(context, list->begin, list->begin_size);
    frc_release(context, list->corners, list->corner_size);
}

static void sort_corners(const frc_topology* topology, const frc_vertex_rings_input* input,
                         corner_list* out) {
    const frc_point* points = topology->points.data;
    uint32_t* next = out->begin + 1;  // of each vertex, while they are counted and put in place
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
            out->corners[next[points[p[k]].tag[FRC_TAG_NUMBER]]++] =
                (corner){p[(k + 1) % 3], p[(k + 2) % 3]};
    }
}

// ---- packets

// Rings of one shape one behind the other: centre, neighbours.
typedef FRC_ARRAY(uint32_t) plain_rings;
typedef struct shapes {
    plain_rings of[2][FRC_VERTEX_RING_MAX + 1];  // closed or not, neighbours
} shapes;

static bool add_ring(fracas_context* context, shapes* s, uint32_t centre, const ring* r) {
    plain_rings* list = &s->of[r->closed][r->count];
    if (!FRC_ARRAY_RESERVE(context, list, list->count + r->count + 1)) return false;
    list->data[list->count++] = centre;
    memcpy(&list->data[list->count], r->neighbour, r->count * sizeof *r->neighbour);
    list->count += r->count;
    return true;
}

static bool find_rings(const frc_topology* topology, const frc_vertex_rings_input* input,
                       const corner_list* list, shapes* out) {
    for (size_t i = 0; i < input->point_count; i++) {
        ring r;
        uint32_t begin = list->begin[i], count = list->begin[i + 1] - begin;
        if (input->points[i] == FRACAS_NONE) continue;
        if (!make_ring(&list->corners[begin], count, input->points[i], &r)) continue;
        if (!add_ring(topology->context, out, input->points[i], &r)) return false;
    }
    return true;
}

static void transpose(const plain_rings* list, uint32_t width, uint32_t* out) {
    size_t rings = list->count / width, padded = (rings + 3) / 4 * 4;
    for (size_t i = 0; i < padded; i++) {
        const uint32_t* from = &list->data[(i < rings ? i : rings - 1) * width];
        uint32_t* to = &out[i / 4 * 4 * width + i % 4];
        for (uint32_t k = 0; k < width; k++) to[4 * k] = from[k];
    }
}

static bool pack(fracas_context* context, const shapes* s, frc_vertex_rings* out) {
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t n = 0; n <= FRC_VERTEX_RING_MAX; n++) {
            const plain_rings* list = &s->of[closed][n];
            if (list->count == 0) continue;
            size_t rings = list->count / (n + 1), packets = (rings + 3) / 4;
            size_t end = out->ids.count + packets * 4 * (n + 1);
            frc_vertex_ring_group group = {n, closed, (uint32_t)out->ids.count, (uint32_t)packets};
            if (end >> 31 || !FRC_ARRAY_RESERVE(context, &out->ids, end) ||
                !FRC_ARRAY_PUSH(context, &out->groups, group))
                return false;
            transpose(list, n + 1, &out->ids.data[out->ids.count]);
            out->ids.count = end;
            out->count += (uint32_t)rings;
        }
    return true;
}

static void mark_centres(frc_topology* topology, const shapes* s, uint32_t serial) {
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t n = 0; n <= FRC_VERTEX_RING_MAX; n++)
            for (size_t i = 0; i < s->of[closed][n].count; i += n + 1)
                topology->uses.data[s->of[closed][n].data[i]].rings = serial;
}

bool frc_vertex_rings_build(frc_topology* topology, const frc_vertex_rings_input* input,
                            frc_vertex_rings* out) {
    fracas_context* context = topology->context;
    corner_list corners;
    shapes s = {0};
    frc_vertex_rings rings = {.serial = input->serial};
    bool ok = allocate_corners(context, input, &corners);
    if (ok) {
        sort_corners(topology, input, &corners);
        ok = find_rings(topology, input, &corners, &s) && pack(context, &s, &rings);
    }
    if (ok) mark_centres(topology, &s, input->serial);
    release_corners(context, &corners);
    for (int closed = 0; closed < 2; closed++)
        for (uint32_t n = 0; n <= FRC_VERTEX_RING_MAX; n++)
            FRC_ARRAY_RELEASE(context, &s.of[closed][n]);
    if (!ok) frc_vertex_rings_release(context, &rings);
    if (ok) *out = rings;
    return ok;
}

void frc_vertex_rings_release(fracas_context* context, frc_vertex_rings* rings) {
    FRC_ARRAY_RELEASE(context, &rings->groups);
    FRC_ARRAY_RELEASE(context, &rings->ids);
    rings->serial = rings->count = 0;
}
