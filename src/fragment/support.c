/// @file support.c  Points whose hull contains a fragment: those of its tree, and some of faces.
///
/// A fragment is the union of whole tetrahedra and of cells. Their corners are nodes of the
/// fragment, centres of edges and faces between such nodes, and points of cracks. Points on cut
/// edges are in the tree. The point of a cut face is the mean of cuts; if the face's nodes belong
/// to two fragments, then all of its cuts are between these, and so are the points that both have
/// on the cut edges. If they belong to three, the point may be outside the hull of the tree. The
/// same holds for the inside point of a tetrahedron, but the tree has it if three share it.
#include "fragment/support.h"
#include "base/simd.h"
#include "fragment/fragments.h"

typedef FRC_ARRAY(frc_crack_point) point_list;

// The points of faces of a cut tetrahedron whose corners belong to three fragments, one of them
// this one.
static bool add_faces(fracas_context* context, const frc_object* object, uint32_t tet,
                      uint32_t number, point_list* out) {
    for (int k = 0; k < 4; k++) {
        uint32_t owner[3];
        for (int i = 0; i < 3; i++)
            owner[i] = object->nodes[object->solid->tets[tet][frc_tet_face_corners[k][i]]].fragment;
        if (owner[0] == owner[1] || owner[1] == owner[2] || owner[2] == owner[0]) continue;
        if (owner[0] != number && owner[1] != number && owner[2] != number) continue;
        const uint32_t point = object->face_points[object->solid->topology.tet_faces[tet][k]];
        if (!FRC_ARRAY_PUSH(context, out, object->points.data[point])) return false;
    }
    return true;
}

static bool add_all_faces(fracas_context* context, const frc_fragment* f, uint32_t number,
                          point_list* out) {
    const frc_tet_topology* topology = &f->object->solid->topology;
    for (uint32_t i = 0; i < f->node_count; i++)
        for (uint32_t k = topology->tet_begins[f->nodes[i]];
             k < topology->tet_begins[f->nodes[i] + 1]; k++) {
            const uint32_t tet = topology->tets[k];
            if (frc_tet_is_cut(f->object, tet) &&
                frc_first_node(f->object, tet, number) == f->nodes[i] &&
                !add_faces(context, f->object, tet, number, out))
                return false;
        }
    return true;
}

// A node inside the solid is at a cut, or in the hull of others.
static bool matters(const frc_fragment* f, uint32_t point) {
    const fracas_solid* solid = f->object->solid;
    return point >= solid->point_count || solid->nodes[point].distance == 0;
}

static bool add_tree(fracas_context* context, const frc_fragment* f, point_list* out) {
    const frc_sphere_points points = frc_object_tree_points(f->object);
    for (uint32_t i = 0; i < f->tree.node_count; i++) {
        const uint32_t point = f->tree.nodes[i].point;
        if (!frc_sphere_tree_owns(&f->tree, i) || !matters(f, point)) continue;
        const double* at = frc_sphere_points_at(&points, point);
        if (!FRC_ARRAY_PUSH(context, out,
                            ((frc_crack_point){
                                {at[0], at[1], at[2]}
        })))
            return false;
    }
    return true;
}

bool frc_support_make(fracas_context* context, const frc_fragment* f, uint32_t number,
                      frc_support* out) {
    *out = (frc_support){0};
    point_list list = {0};
    bool ok = add_tree(context, f, &list) && add_all_faces(context, f, number, &list);
    const uint32_t count = ((uint32_t)list.count + 3) & ~3u;
    if (ok) out->at = frc_allocate_array(context, 3 * (size_t)count, sizeof *out->at, &ok);
    if (ok) {
        out->count = count;
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                out->at[k * count + i] =
                    (float)list.data[i < list.count ? i : list.count - 1].at[k];
    }
    FRC_ARRAY_RELEASE(context, &list);
    return ok;
}

void frc_support_release(fracas_context* context, frc_support* support) {
    frc_release(context, support->at,
                frc_array_size(3 * (size_t)support->count, sizeof *support->at));
    *support = (frc_support){0};
}

float frc_support_find(const frc_support* support, const float n[3], float point[3]) {
    const uint32_t count = support->count;
    const float *x = support->at, *y = x + count, *z = y + count;
    const f32x4 nx = f32x4_splat(n[0]), ny = f32x4_splat(n[1]), nz = f32x4_splat(n[2]);
    float most = -INFINITY;
    uint32_t best = 0;
    for (uint32_t i = 0; i < count; i += 4) {
        const f32x4 d =
            f32x4_add(f32x4_add(f32x4_mul(nx, f32x4_load(x + i)), f32x4_mul(ny, f32x4_load(y + i))),
                      f32x4_mul(nz, f32x4_load(z + i)));
        if (!m32x4_bits(f32x4_lt(f32x4_splat(most), d))) continue;
        float lane[4];
        f32x4_store(lane, d);
        for (uint32_t k = 0; k < 4; k++)
            if (lane[k] > most) most = lane[k], best = i + k;
    }
    for (uint32_t k = 0; k < 3; k++) point[k] = support->at[k * count + best];
    return most;
}
