/// @file cones.c  Cones of normals and binormals, computed from the leaves up.
///
/// A cone is stored as its axis and the cosine and sine of its half angle, so that merging needs no
/// function of libm but sqrt.
///
/// Surfaces that are not manifold are divided, as the paper says, at edges of three or more
/// triangles and where triangles have a vertex in common but no chain of edges. Nothing is copied:
/// such an edge is a boundary of each of its triangles, no half-edge leads across it
/// (half_edges.c), and so a node with triangles of two pieces is not connected. Contacts among the
/// boundaries along a division are those of features with a common vertex, which do not count
/// anyway.
#include "published/cones.h"
#include <math.h>
#include <string.h>

// ---- vectors

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = a[l] * b[m] - a[m] * b[l];
    }
}

// x a + y b
static void blend(double x, const double a[3], double y, const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = x * a[k] + y * b[k];
}

static bool normalise(double v[3]) {
    double square = dot(v, v);
    if (square > 1e-280 && square < 1e280) {
        double scale = 1 / sqrt(square);
        for (int k = 0; k < 3; k++) v[k] *= scale;
        return true;
    }
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0 && largest < INFINITY)) return false;
    for (int k = 0; k < 3; k++) v[k] /= largest;
    double length = sqrt(dot(v, v));
    for (int k = 0; k < 3; k++) v[k] /= length;
    return true;
}

// ---- cones

// Is cone b within cone a? `cosine` and `sine` are of the angle between their axes.
static bool contains(const frc_cone* a, const frc_cone* b, double cosine, double sine) {
    return sine * b->cos + cosine * b->sin >= 0 && cosine * b->cos - sine * b->sin >= a->cos;
}

// The smallest cone around two. Its half angle is half the sum of the angle between the axes and
// both half angles.
static frc_cone merge(const frc_cone* a, const frc_cone* b) {
    static const frc_cone open = {.state = FRC_CONE_OPEN};
    if (a->state == FRC_CONE_EMPTY || b->state == FRC_CONE_OPEN) return *b;
    if (b->state == FRC_CONE_EMPTY || a->state == FRC_CONE_OPEN) return *a;
    double cosine = fmin(1, fmax(-1, dot(a->axis, b->axis)));
    double sine = sqrt(1 - cosine * cosine);
    if (contains(a, b, cosine, sine)) return *a;
    if (contains(b, a, cosine, sine)) return *b;
    double cos_ab = a->cos * b->cos - a->sin * b->sin, sin_ab = a->sin * b->cos + a->cos * b->sin;
    double cos_all = cosine * cos_ab - sine * sin_ab, sin_all = sine * cos_ab + cosine * sin_ab;
    if (sin_all <= 0) return open;  // the sum is a straight angle or more
    frc_cone out = {
        .cos = sqrt(0.5 * (1 + cos_all)), .sin = sqrt(0.5 * (1 - cos_all)), .state = FRC_CONE_SET};
    memcpy(out.axis, a->axis, sizeof out.axis);
    if (sine > 1e-14) {
        // Rotate the axis of a towards that of b, by the difference of the half angles.
        double side[3], c = out.cos * a->cos + out.sin * a->sin,
                        s = out.sin * a->cos - out.cos * a->sin;
        blend(1 / sine, b->axis, -cosine / sine, a->axis, side);
        blend(c, a->axis, s, side, out.axis);
        normalise(out.axis);
    }
    return out;
}

// Unit vectors of one leaf: 8 triangles have at most 24 control vectors of normals and 96 of
// binormals.
typedef struct bundle {
    double v[96][3];
    int count;
} bundle;

// Normalise a vector and add it. False: its length is zero or not finite.
static bool add_vector(bundle* b, const double v[3]) {
    memcpy(b->v[b->count], v, sizeof b->v[0]);
    bool added = normalise(b->v[b->count]);
    b->count += added;
    return added;
}

// A cone with three vectors on its surface. It stays unchanged when they have no common cone.
static void through_three(const double a[3], const double b[3], const double c[3], frc_cone* out) {
    double ab[3], ac[3], axis[3];
    blend(1, b, -1, a, ab);
    blend(1, c, -1, a, ac);
    cross(ab, ac, axis);
    if (!normalise(axis)) return;
    double side = dot(axis, a) < 0 ? -1 : 1;
    blend(side, axis, 0, axis, out->axis);
    out->cos = dot(out->axis, a);
}

static bool is_outside(const frc_cone* c, const double v[3]) {
    return dot(c->axis, v) < c->cos - 1e-12;
}

// Set the angle of a cone with a given axis to the smallest that contains all vectors.
static void fit_angle(const bundle* b, frc_cone* cone) {
    cone->cos = 1;
    for (int i = 0; i < b->count; i++) {
        const double cosine = dot(cone->axis, b->v[i]);
        if (cosine < cone->cos) cone->cos = cosine;
    }
    cone->sin = sqrt(fmax(0, 1 - cone->cos * cone->cos));
    cone->state = cone->cos > 0 ? FRC_CONE_SET : FRC_CONE_OPEN;
}

// Incremental, as the smallest circle around points: a vector outside of the cone around all
// vectors before it lies on the surface of the cone around them and itself.
static void smallest_cone(const bundle* b, frc_cone* cone) {
    memcpy(cone->axis, b->v[0], sizeof cone->axis), cone->cos = 1;
    for (int i = 1; i < b->count; i++) {
        if (!is_outside(cone, b->v[i])) continue;
        memcpy(cone->axis, b->v[i], sizeof cone->axis), cone->cos = 1;
        for (int j = 0; j < i; j++) {
            if (!is_outside(cone, b->v[j])) continue;
            blend(1, b->v[i], 1, b->v[j], cone->axis);
            normalise(cone->axis);
            cone->cos = dot(cone->axis, b->v[i]);
            for (int k = 0; k < j; k++)
                if (is_outside(cone, b->v[k])) through_three(b->v[i], b->v[j], b->v[k], cone);
        }
    }
    fit_angle(b, cone);
}

// Where vectors are close together the cone around their mean is close to the smallest.
static frc_cone cone_around(const bundle* b) {
    frc_cone cone = {.cos = 1, .state = FRC_CONE_EMPTY};
    if (b->count == 0) return cone;
    for (int i = 0; i < b->count; i++) blend(1, cone.axis, 1, b->v[i], cone.axis);
    if (normalise(cone.axis)) fit_angle(b, &cone);
    if (cone.state != FRC_CONE_SET || cone.cos < 0.8) smallest_cone(b, &cone);
    return cone;
}

// ---- control vectors of one triangle

typedef struct corners {
    double at[3][2][3];  // [corner][end of the step]
} corners;

// The Bernstein coefficients of the normal n = e x f over the step, three, or the normal at the end
// of the step. Returns their number.
static int normal_controls(const corners* c, bool moving, double n[3][3]) {
    double e[2][3], f[2][3], mixed[2][3];
    for (int end = 0; end < 2; end++) {
        blend(1, c->at[1][end], -1, c->at[0][end], e[end]);
        blend(1, c->at[2][end], -1, c->at[0][end], f[end]);
    }
    if (!moving) {
        cross(e[1], f[1], n[0]);
        return 1;
    }
    cross(e[0], f[0], n[0]);
    cross(e[1], f[1], n[2]);
    cross(e[0], f[1], mixed[0]);
    cross(e[1], f[0], mixed[1]);
    blend(0.5, mixed[0], 0.5, mixed[1], n[1]);
    return 3;
}

// The same for the outward binormal b = e x n of the edge that begins at corner k: a cubic in time,
// with four coefficients.
static int binormal_controls(const corners* c, int k, bool moving, double n[3][3], double b[4][3]) {
    double e[2][3], x[3], y[3];
    for (int end = 0; end < 2; end++) blend(1, c->at[(k + 1) % 3][end], -1, c->at[k][end], e[end]);
    if (!moving) {
        cross(e[1], n[0], b[0]);
        return 1;
    }
    cross(e[0], n[0], b[0]);
    cross(e[0], n[1], x), cross(e[1], n[0], y);
    blend(2.0 / 3, x, 1.0 / 3, y, b[1]);
    cross(e[0], n[2], x), cross(e[1], n[1], y);
    blend(1.0 / 3, x, 2.0 / 3, y, b[2]);
    cross(e[1], n[2], b[3]);
    return 4;
}

bool frc_cones_is_boundary(const frc_topology* topology, const frc_face_slot* face, int k) {
    uint32_t edge = topology->triangles.data[face->id].edge[k];
    return edge != FRACAS_NONE && topology->edges.data[edge].uses != 2;
}

typedef struct leaf_vectors {
    bundle normals, binormals;
    bool degenerate;  // a triangle has no normal, and so may face in any direction
} leaf_vectors;

static corners corners_of(const frc_topology* topology, const frc_face_slot* face) {
    corners c;
    for (int i = 0; i < 3; i++)
        for (int end = 0; end < 2; end++) {
            const frc_point* p = &topology->points.data[face->point[i]];
            c.at[i][end][0] = p->x[end], c.at[i][end][1] = p->y[end], c.at[i][end][2] = p->z[end];
        }
    return c;
}

int frc_cones_binormals(const frc_topology* topology, const frc_face_slot* face, int k, bool moving,
                        double out[4][3]) {
    double n[3][3];
    const corners c = corners_of(topology, face);
    normal_controls(&c, moving, n);
    const int count = binormal_controls(&c, k, moving, n, out);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept < i) memcpy(out[kept], out[i], sizeof out[kept]);
        kept += normalise(out[kept]);
    }
    return kept;
}

// A half-edge with an opposite is within the mesh: only the others need the edge.
static bool is_boundary(const frc_topology* topology, const frc_block* block, uint32_t slot,
                        int k) {
    if (block->opposite && block->opposite[3 * slot + (uint32_t)k] != FRACAS_NONE) return false;
    return frc_cones_is_boundary(topology, &block->faces[slot], k);
}

static void add_face(const frc_topology* topology, const frc_block* block, uint32_t slot,
                     bool moving, bool dual, leaf_vectors* out) {
    double n[3][3], b[4][3];
    const corners c = corners_of(topology, &block->faces[slot]);
    int count = normal_controls(&c, moving, n);
    bool has_normal = false;
    for (int i = 0; i < count; i++) has_normal |= add_vector(&out->normals, n[i]);
    out->degenerate |= !has_normal;
    for (int k = 0; k < 3 && dual; k++) {
        if (!is_boundary(topology, block, slot, k)) continue;
        count = binormal_controls(&c, k, moving, n, b);
        for (int i = 0; i < count; i++) add_vector(&out->binormals, b[i]);
    }
}

// ---- a block

void frc_cones_fit(const frc_topology* topology, const frc_block* block, frc_boxes boxes, bool dual,
                   frc_node_cones* out) {
    static const frc_node_cones none = {0};
    for (uint32_t l = 0; l < block->leaf_count; l++) {
        const frc_leaf* leaf = &block->leaves[l];
        leaf_vectors vectors;
        vectors.normals.count = vectors.binormals.count = 0;
        vectors.degenerate = false;
        for (uint32_t s = leaf->face; s < leaf->face + leaf->face_count; s++)
            if (block->faces[s].id != FRACAS_NONE)
                add_face(topology, block, s, boxes == FRC_BOXES_STEP, dual, &vectors);
        frc_node_cones* cones = &out[block->node_count + l];
        *cones = (frc_node_cones){cone_around(&vectors.normals), cone_around(&vectors.binormals)};
        if (vectors.degenerate) cones->normals.state = FRC_CONE_OPEN;
    }
    // Children come after their parents.
    for (uint32_t n = block->node_count; n-- > 0;) {
        const frc_node* node = &block->tree[boxes].nodes[n];
        out[n] = none;
        for (uint32_t i = 0; i < 4 && node->child[i] != FRC_REF_NONE; i++) {
            const frc_node_cones* child = &out[frc_cull_place(block, node->child[i])];
            out[n].normals = merge(&out[n].normals, &child->normals);
            out[n].binormals = merge(&out[n].binormals, &child->binormals);
        }
    }
}

// Flood fill across opposite half-edges within the slots of a node. `visited`: by slot from the
// first of the node.
static bool is_connected(const frc_block* block, frc_cull_range faces, bool* visited,
                         uint32_t* stack) {
    uint32_t first = faces.begin, top = 0;
    while (first < faces.end && block->faces[first].id == FRACAS_NONE) first++;
    if (first == faces.end) return true;
    visited[first - faces.begin] = true;
    for (stack[top++] = first; top > 0;) {
        uint32_t slot = stack[--top];
        for (uint32_t h = 3 * slot; h < 3 * slot + 3; h++) {
            uint32_t other = block->opposite[h] / 3;
            if (block->opposite[h] == FRACAS_NONE || other < faces.begin || other >= faces.end)
                continue;
            if (visited[other - faces.begin]) continue;
            visited[other - faces.begin] = true;
            stack[top++] = other;
        }
    }
    for (uint32_t s = first; s < faces.end; s++)
        if (block->faces[s].id != FRACAS_NONE && !visited[s - faces.begin]) return false;
    return true;
}

// frc_cull_state.criterion_byte. Valid until an edit changes something below the node.
enum { UNKNOWN = 0, CONNECTED = 1, DISCONNECTED = 2 };

void frc_cones_forget_edited(frc_cull_state* state) {
    for (uint32_t i = 0; i < state->edited_count; i++)
        state->criterion_byte[state->edited[i]] = UNKNOWN;
}

bool frc_cones_is_connected(fracas_context* context, frc_cull_state* state, uint32_t ref,
                            bool* out_of_memory) {
    const frc_cull_range faces = frc_cull_faces(state, ref);
    uint8_t* known = &state->criterion_byte[frc_cull_place(state->block, ref)];
    if (*known == UNKNOWN) {
        const size_t count = faces.end - faces.begin;
        const size_t size = (count + 1) * (sizeof(uint32_t) + sizeof(bool));
        uint32_t* stack = frc_allocate_zero(context, size);
        if (!stack) {
            *out_of_memory = true;
            return false;
        }
        bool* visited = (bool*)(stack + count + 1);
        *known = is_connected(state->block, faces, visited, stack) ? CONNECTED : DISCONNECTED;
        frc_release(context, stack, size);
    }
    return *known == CONNECTED;
}
