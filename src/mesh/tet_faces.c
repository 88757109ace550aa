/// @file tet_faces.c  Sort the faces of tetrahedra by a radix sort of four passes; find the
/// surface.
#include "mesh/tet_faces.h"
#include "base/array.h"
#include "mesh/validate.h"
#include <string.h>

static void order_two(uint32_t* a, uint32_t* b) {
    if (*a <= *b) return;
    uint32_t larger = *a;
    *a = *b;
    *b = larger;
}

frc_tet_face frc_tet_face_of(const fracas_tet_view* view, size_t face) {
    const uint32_t* tet = view->tets + face / 4 * 4;
    const size_t k = face % 4;
    frc_tet_face out = {
        {tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]},
        tet[k]
    };
    order_two(&out.vertex[0], &out.vertex[1]);
    order_two(&out.vertex[1], &out.vertex[2]);
    order_two(&out.vertex[0], &out.vertex[1]);
    return out;
}

// ---- sorting

// The sort key of a pass, least significant first.
static uint32_t key_of(const fracas_tet_view* view, size_t face, int pass) {
    frc_tet_face f = frc_tet_face_of(view, face);
    return pass == 0 ? f.opposite : f.vertex[3 - pass];
}

fracas_status frc_tet_faces_sort(fracas_context* context, const fracas_tet_view* view,
                                 frc_tet_faces* out) {
    const size_t capacity = 4 * (size_t)view->tet_count, points = view->points.count;
    bool ok = true;
    size_t* order = frc_allocate_array(context, capacity, sizeof *order, &ok);
    size_t* spare = frc_allocate_array(context, capacity, sizeof *spare, &ok);
    size_t* begins = frc_allocate_array(context, points, sizeof *begins, &ok);
    size_t count = 0;
    for (size_t f = 0; ok && f < capacity; f++)
        if (!frc_tet_repeats(view->tets + f / 4 * 4)) order[count++] = f;
    // Each pass is a stable counting sort. After an even number the result is in `order`.
    for (int pass = 0; ok && pass < 4; pass++) {
        const size_t* from = pass % 2 ? spare : order;
        size_t *to = pass % 2 ? order : spare, sum = 0;
        memset(begins, 0, points * sizeof *begins);
        for (size_t i = 0; i < count; i++) begins[key_of(view, from[i], pass)]++;
        for (size_t v = 0; v < points; v++) {
            size_t here = begins[v];
            begins[v] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++) to[begins[key_of(view, from[i], pass)]++] = from[i];
    }
    frc_release(context, spare, frc_array_size(capacity, sizeof *spare));
    frc_release(context, begins, frc_array_size(points, sizeof *begins));
    *out = (frc_tet_faces){order, count, capacity};
    if (ok) return FRACAS_OK;
    frc_tet_faces_release(context, out);
    return frc_fail_memory(context, capacity * sizeof *order);
}

void frc_tet_faces_release(fracas_context* context, frc_tet_faces* faces) {
    frc_release(context, faces->order, frc_array_size(faces->capacity, sizeof *faces->order));
    *faces = (frc_tet_faces){0};
}

size_t frc_tet_faces_group(const fracas_tet_view* view, const frc_tet_faces* faces, size_t begin) {
    frc_tet_face first = frc_tet_face_of(view, faces->order[begin]);
    size_t end = begin + 1;
    for (; end < faces->count; end++) {
        frc_tet_face next = frc_tet_face_of(view, faces->order[end]);
        if (memcmp(first.vertex, next.vertex, sizeof first.vertex) != 0) break;
    }
    return end;
}

// ---- the surface

// The face opposite corner k, counter-clockwise seen from outside when the volume is positive.
static const unsigned char OUTWARD[4][3] = {
    {1, 2, 3},
    {0, 3, 2},
    {0, 1, 3},
    {0, 2, 1}
};

fracas_status fracas_tet_find_boundary(fracas_context* context, const fracas_tet_view* view,
                                       uint32_t* triangles, uint32_t* tets, uint64_t* count) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!view) return frc_fail_null(context, "fracas_tet_find_boundary", "view");
    if (!count) return frc_fail_null(context, "fracas_tet_find_boundary", "count");
    fracas_status status = fracas_tet_validate(context, view);
    if (status != FRACAS_OK) return status;
    // By tetrahedron, bit k: the face opposite corner k is on the surface.
    const size_t size = frc_array_size(view->tet_count, 1);
    uint8_t* marks = frc_allocate_zero(context, size);
    if (!marks) return frc_fail_memory(context, size);
    frc_tet_faces faces;
    status = frc_tet_faces_sort(context, view, &faces);
    if (status == FRACAS_OK) {
        for (size_t i = 0, end; i < faces.count; i = end) {
            end = frc_tet_faces_group(view, &faces, i);
            if (end - i == 1) marks[faces.order[i] / 4] |= (uint8_t)(1u << faces.order[i] % 4);
        }
        frc_tet_faces_release(context, &faces);
        size_t written = 0;
        for (size_t t = 0; t < view->tet_count; t++)
            for (size_t k = 0; k < 4; k++) {
                if (!(marks[t] >> k & 1)) continue;
                for (size_t i = 0; triangles && i < 3; i++)
                    triangles[3 * written + i] = view->tets[4 * t + OUTWARD[k][i]];
                if (tets) tets[written] = (uint32_t)t;
                written++;
            }
        *count = written;
    }
    frc_release(context, marks, size);
    return status;
}
