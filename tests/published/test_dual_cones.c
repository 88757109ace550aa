// Dual cones: control vectors over a step, merged cones, manifold pieces, connectivity, and which
// nodes are culled.
#include "cull/cull_state.h"
#include "fracas/published.h"
#include "published/cones.h"
#include "scene/scene.h"
#include "scene/scene_kit.h"
#include <math.h>
#include <stdlib.h>

// Two sheets in one body. The first has waves and then folds; the second is beside it and in part
// within its folds, so that nodes of both are not connected.
enum { SIDE = 20, ROW = SIDE + 1, POINTS = 2 * ROW * ROW, TRIANGLES = 4 * SIDE * SIDE };

// BRANCHING: the same, and not manifold. A third sheet begins at row FORK of the second, where
// edges have three triangles; it rises so slowly that normals agree. A patch of 3 x 3 points shares
// only a corner with the second.
enum { BESIDE, OVER, BRANCHING, PLACES };
static const double apart_by[PLACES] = {[BESIDE] = 15.3, [OVER] = 0.3, [BRANCHING] = 24.3};
enum {
    FORK = 5,
    BRANCH_ROWS = 5,
    PATCH = POINTS + BRANCH_ROWS * ROW,
    ALL_POINTS = PATCH + 8,
    ALL_TRIANGLES = TRIANGLES + 2 * SIDE * BRANCH_ROWS + 8
};

static void place_points(double t, double apart, double (*out)[3]) {
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t sheet = i / (ROW * ROW), x = i % ROW, y = i / ROW % ROW;
        const double wave = fabs(fmod(x + 2 * t, 8) - 4) - 2, twist = 0.02 * t * (y - 10.0);
        const double fold = sheet == 0 && x > 12 ? 2 * fabs(fmod(x, 4) - 2) : 0;
        out[i][0] = x + fold + twist * wave + apart * sheet;
        out[i][1] = y + 0.1 * t * (x % 3);
        // Along one side the sheet is rough: binormals spread, and lean towards the normals.
        const double rough = sheet == 0 && y < 5 ? 0.15 * (i * 7919 % 13) : 0;
        out[i][2] =
            rough + (0.2 + 0.3 * t) * wave * (sheet ? -1 : 1) + twist * x + 0.05 * t * (y % 4);
    }
    for (uint32_t i = POINTS; i < PATCH; i++) {
        const uint32_t below = ROW * ROW + FORK * ROW + i - POINTS + ROW;
        memcpy(out[i], out[below], sizeof out[i]);
        out[i][2] += 0.3 * ((i - POINTS) / ROW + 1);
    }
    for (uint32_t i = PATCH; i < ALL_POINTS; i++) {
        const uint32_t n = i - PATCH + 1;
        memcpy(out[i], out[ROW * ROW], sizeof out[i]);
        out[i][0] -= n % 3, out[i][1] -= n / 3;
    }
}

// Point n of the patch; point 0 is a corner of the second sheet.
static uint32_t patch_point(uint32_t n) { return n ? PATCH + n - 1 : ROW * ROW; }

// Point x of row y of the branch; row 0 is in the second sheet.
static uint32_t branch_point(uint32_t x, uint32_t y) {
    return y ? POINTS + (y - 1) * ROW + x : ROW * ROW + FORK * ROW + x;
}

static uint32_t add_branches(uint32_t (*out)[3]) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < BRANCH_ROWS; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t p[4] = {branch_point(x, y), branch_point(x + 1, y),
                                   branch_point(x, y + 1), branch_point(x + 1, y + 1)};
            const uint32_t two[2][3] = {
                {p[0], p[1], p[2]},
                {p[1], p[3], p[2]}
            };
            memcpy(out[count], two, sizeof two), count += 2;
        }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t at = i / 2 * 3 + i % 2;
        const uint32_t p[4] = {patch_point(at), patch_point(at + 1), patch_point(at + 3),
                               patch_point(at + 4)};
        const uint32_t two[2][3] = {
            {p[0], p[1], p[2]},
            {p[1], p[3], p[2]}
        };
        memcpy(out[count], two, sizeof two), count += 2;
    }
    return count;
}

static uint32_t point_count(int place) { return place == BRANCHING ? ALL_POINTS : POINTS; }

static kit open_scene(uint32_t mode, fracas_published_cull cull, int place, fracas_body* body) {
    static double points[ALL_POINTS][3];
    static uint32_t corners[ALL_TRIANGLES][3];
    kit k = {NULL, NULL};
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.scene.modes = mode;
    how.cull = cull;
    // The median mixes the sheets in some leaves.
    how.builder = FRACAS_PUBLISHED_BUILDER_MEDIAN;
    assert_int_equal(fracas_context_create(NULL, &k.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(k.context, &how, &k.scene), FRACAS_OK);
    kit_sheet(SIDE, corners);
    for (uint32_t i = 0; i < TRIANGLES / 2; i++)
        for (int c = 0; c < 3; c++) corners[TRIANGLES / 2 + i][c] = corners[i][c] + ROW * ROW;
    // Half of the second sheet is cut into strips: their boundary surrounds every node.
    uint32_t count = TRIANGLES / 2;
    for (uint32_t i = TRIANGLES / 2; i < TRIANGLES; i++) {
        const uint32_t row = (i - TRIANGLES / 2) / (2 * SIDE);
        if (row < SIDE / 2 || row % 2) memmove(corners[count++], corners[i], sizeof corners[i]);
    }
    if (place == BRANCHING) count += add_branches(&corners[count]);
    place_points(0, apart_by[place], points);
    const fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, point_count(place),
                                           (const uint32_t(*)[3])corners, count);
    *body = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    return k;
}

static void move_to(kit* k, fracas_body body, int place, double t) {
    static double points[ALL_POINTS][3];
    place_points(t, apart_by[place], points);
    const fracas_points view = {.data = points, .count = point_count(place)};
    assert_int_equal(fracas_scene_move(k->scene, body, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_update(k->scene), FRACAS_OK);
}

static frc_block* block_of(const fracas_scene* scene) {
    for (size_t i = 0; i < scene->blocks.count; i++)
        if (scene->blocks.data[i]) return scene->blocks.data[i];
    fail();
    return NULL;
}

// ---- vectors of a triangle, from positions at points in time

static void cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The normal, and the outward binormal of the edge from corner k to the next.
static void vectors_at(const frc_topology* topology, const frc_face_slot* face, int k, double t,
                       double normal[3], double binormal[3]) {
    double at[3][3], e[3], f[3];
    for (int c = 0; c < 3; c++) {
        double p[2][3];
        for (int end = 0; end < 2; end++)
            frc_get_point(&topology->points.data[face->point[c]], end, p[end]);
        for (int i = 0; i < 3; i++) at[c][i] = (1 - t) * p[0][i] + t * p[1][i];
    }
    for (int i = 0; i < 3; i++) e[i] = at[1][i] - at[0][i], f[i] = at[2][i] - at[0][i];
    cross(e, f, normal);
    for (int i = 0; i < 3; i++) e[i] = at[(k + 1) % 3][i] - at[k][i];
    cross(e, normal, binormal);
}

typedef struct vectors {
    double v[8192][3];
    uint32_t count;
} vectors;

static void add(vectors* out, const double v[3]) {
    const double length = sqrt(dot(v, v));
    assert_true(length > 1e-9 && out->count < 8192);
    for (int i = 0; i < 3; i++) out->v[out->count][i] = v[i] / length;
    out->count++;
}

// Bernstein coefficients by interpolation of values at equal distances in time.
static void add_controls(const frc_topology* topology, const frc_face_slot* face, int k,
                         bool moving, vectors* normals, vectors* binormals) {
    double n[3][3], b[4][3], unused[3], out[3];
    if (!moving) {
        vectors_at(topology, face, k < 0 ? 0 : k, 1, n[0], b[0]);
        add(k < 0 ? normals : binormals, k < 0 ? n[0] : b[0]);
        return;
    }
    if (k < 0) {
        for (int i = 0; i < 3; i++) vectors_at(topology, face, 0, i / 2.0, n[i], unused);
        add(normals, n[0]), add(normals, n[2]);
        for (int i = 0; i < 3; i++) out[i] = 2 * n[1][i] - (n[0][i] + n[2][i]) / 2;
        add(normals, out);
        return;
    }
    for (int i = 0; i < 4; i++) vectors_at(topology, face, k, i / 3.0, unused, b[i]);
    add(binormals, b[0]), add(binormals, b[3]);
    for (int i = 0; i < 3; i++)
        out[i] = (-5 * b[0][i] + 18 * b[1][i] - 9 * b[2][i] + 2 * b[3][i]) / 6;
    add(binormals, out);
    for (int i = 0; i < 3; i++)
        out[i] = (2 * b[0][i] - 9 * b[1][i] + 18 * b[2][i] - 5 * b[3][i]) / 6;
    add(binormals, out);
}

// The triangles of an edge, by a loop over all.
static uint32_t count_users(const frc_block* block, uint32_t a, uint32_t b) {
    uint32_t users = 0;
    for (uint32_t s = 0; s < block->face_slots; s++) {
        const uint32_t* p = block->faces[s].point;
        if (block->faces[s].id == FRACAS_NONE) continue;
        users += (p[0] == a || p[1] == a || p[2] == a) && (p[0] == b || p[1] == b || p[2] == b);
    }
    return users;
}

// A manifold piece ends at an edge that has not exactly two triangles.
static bool is_boundary(const frc_block* block, const frc_face_slot* face, int k) {
    return count_users(block, face->point[k], face->point[(k + 1) % 3]) != 2;
}

static void list_vectors(const fracas_scene* scene, const frc_block* block, frc_cull_range faces,
                         bool moving, vectors* normals, vectors* binormals) {
    normals->count = binormals->count = 0;
    for (uint32_t s = faces.begin; s < faces.end; s++) {
        const frc_face_slot* face = &block->faces[s];
        if (face->id == FRACAS_NONE) continue;
        add_controls(&scene->topology, face, -1, moving, normals, binormals);
        for (int k = 0; k < 3; k++)
            if (is_boundary(block, face, k))
                add_controls(&scene->topology, face, k, moving, normals, binormals);
    }
}

// ---- cones

// `exact`: a leaf, whose half angle is that of the widest vector.
static void check_cone(const frc_cone* cone, const vectors* of, bool exact) {
    double mean[3] = {0, 0, 0}, least = 1, widest = 1;
    if (of->count == 0) {
        assert_int_equal(cone->state, FRC_CONE_EMPTY);
        return;
    }
    assert_int_not_equal(cone->state, FRC_CONE_EMPTY);
    for (uint32_t i = 0; i < of->count; i++)
        for (int k = 0; k < 3; k++) mean[k] += of->v[i][k];
    const double length = sqrt(dot(mean, mean));
    for (uint32_t i = 0; i < of->count; i++)
        least = length > 1e-6 ? fmin(least, dot(mean, of->v[i]) / length) : -1;
    // Vectors that are close to each other have a cone.
    if (least > (exact ? 0.1 : 0.9)) assert_int_equal(cone->state, FRC_CONE_SET);
    if (cone->state != FRC_CONE_SET) return;
    for (uint32_t i = 0; i < of->count; i++) widest = fmin(widest, dot(cone->axis, of->v[i]));
    // Merging has the sine between two axes from its cosine, with an error of up to 2e-8.
    assert_true(widest >= cone->cos - (exact ? 1e-9 : 1e-7));
    if (exact) assert_true(widest <= cone->cos + 1e-9);
}

// Do two triangles have an edge in common? `cut`: only one at which pieces are not divided.
static bool are_joined(const frc_block* block, const frc_face_slot* a, const frc_face_slot* b,
                       bool cut) {
    uint32_t common[3], count = 0;
    for (int k = 0; k < 9; k++)
        if (a->point[k / 3] == b->point[k % 3] && count < 3) common[count++] = a->point[k / 3];
    return count == 2 && (!cut || count_users(block, common[0], common[1]) == 2);
}

static bool is_connected(const frc_block* block, frc_cull_range faces, bool cut) {
    const uint32_t count = faces.end - faces.begin;
    uint32_t* piece = malloc(count * sizeof *piece);
    for (uint32_t i = 0; i < count; i++) piece[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < count; j++) {
                const frc_face_slot *a = &block->faces[faces.begin + i],
                                    *b = &block->faces[faces.begin + j];
                if (a->id == FRACAS_NONE || b->id == FRACAS_NONE || piece[i] <= piece[j] ||
                    !are_joined(block, a, b, cut))
                    continue;
                piece[i] = piece[j];
                changed = true;
            }
    }
    uint32_t first = UINT32_MAX;
    bool one = true;
    for (uint32_t i = 0; i < count; i++) {
        if (block->faces[faces.begin + i].id == FRACAS_NONE) continue;
        if (first == UINT32_MAX) first = piece[i];
        one = one && piece[i] == first;
    }
    free(piece);
    return one;
}

// Edges of three triangles.
static uint32_t count_forks(const frc_block* block, frc_cull_range faces) {
    uint32_t count = 0;
    for (uint32_t s = faces.begin; s < faces.end; s++) {
        const uint32_t* p = block->faces[s].point;
        for (int k = 0; k < 3 && block->faces[s].id != FRACAS_NONE; k++)
            count += count_users(block, p[k], p[(k + 1) % 3]) > 2;
    }
    return count;
}

typedef struct tally {
    uint32_t culled, culled_with_boundary, by_normals, by_pieces, by_binormals;
    uint32_t leaning;   // of by_binormals: those with a cone
    uint32_t forks;     // culled, with edges of three triangles
    uint32_t by_forks;  // of by_pieces: connected if such edges did not count
} tally;

// From the root down: the first node that satisfies all conditions is culled, and no other.
static void check_marks(const fracas_scene* scene, frc_block* block, frc_boxes boxes, uint32_t ref,
                        const frc_node_cones* cones, tally* t) {
    const frc_cull_state* state = frc_cull_state_find(&scene->cull_states, block, 0);
    const frc_cull_range faces = frc_cull_faces(state, ref);
    const frc_node_cones* c = &cones[frc_cull_place(block, ref)];
    if (faces.end - faces.begin < 2) return;
    const double between = fabs(dot(c->normals.axis, c->binormals.axis));
    const bool flat = c->normals.state == FRC_CONE_SET,
               one = flat && is_connected(block, faces, true),
               turns = c->binormals.state == FRC_CONE_OPEN ||
                       (c->binormals.state == FRC_CONE_SET && between >= c->binormals.cos);
    assert_int_equal(frc_block_skips(block, boxes, ref), one && !turns);
    t->by_normals += !flat;
    t->by_pieces += flat && !one && !turns;
    t->by_forks += flat && !one && !turns && is_connected(block, faces, false);
    t->by_binormals += one && turns;
    t->leaning += one && turns && c->binormals.state == FRC_CONE_SET;
    if (one && !turns) {
        t->culled++;
        t->culled_with_boundary += c->binormals.state == FRC_CONE_SET;
        t->forks += count_forks(block, faces) > 0;
        return;
    }
    const frc_node* node = ref & FRC_REF_LEAF ? NULL : &block->tree[boxes].nodes[ref];
    for (int i = 0; node && i < 4 && node->child[i] != FRC_REF_NONE; i++)
        check_marks(scene, block, boxes, node->child[i], cones, t);
}

static void check_scene(uint32_t mode, int place, tally* all) {
    static vectors normals, binormals;
    fracas_body body;
    kit k = open_scene(mode, FRACAS_PUBLISHED_CULL_DUAL_CONE, place, &body);
    const frc_boxes boxes = mode == FRACAS_MODE_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
    for (int step = 0; step < 4; step++) {
        move_to(&k, body, place, 0.4 * step);
        frc_block* block = block_of(k.scene);
        const uint32_t places = block->node_count + block->leaf_count;
        const frc_cull_state* cull = frc_cull_state_find(&k.scene->cull_states, block, 0);
        frc_node_cones* cones = calloc(places, sizeof *cones);
        frc_cones_fit(&k.scene->topology, block, boxes, true, cones);
        for (uint32_t p = 0; p < places; p++) {
            const bool leaf = p >= block->node_count;
            const uint32_t ref = leaf ? (p - block->node_count) | FRC_REF_LEAF : p;
            list_vectors(k.scene, block, frc_cull_faces(cull, ref), mode == FRACAS_MODE_CONTINUOUS,
                         &normals, &binormals);
            check_cone(&cones[p].normals, &normals, leaf);
            check_cone(&cones[p].binormals, &binormals, leaf);
        }
        check_marks(k.scene, block, boxes, 0, cones, all);
        free(cones);
        assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    }
    kit_destroy(&k);
}

static tally check_place(int place) {
    tally all = {0};
    for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++)
        check_scene(mode, place, &all);
    print_message("%u culled, %u of them with a boundary; not: %u by normals, %u in pieces, %u by "
                  "binormals, %u of them with a cone; forks: %u culled, %u not\n",
                  all.culled, all.culled_with_boundary, all.by_normals, all.by_pieces,
                  all.by_binormals, all.leaning, all.forks, all.by_forks);
    return all;
}

static void cones_and_marks_follow_the_definition(void** state) {
    (void)state;
    const tally all = check_place(BESIDE);
    assert_true(all.culled > 0 && all.culled_with_boundary > 0 && all.by_normals > 0 &&
                all.by_pieces > 0 && all.by_binormals > all.leaning && all.leaning > 0);
}

// Where three sheets meet each is a piece of its own, with a boundary there.
static void manifold_pieces_are_tested_on_their_own(void** state) {
    (void)state;
    const tally all = check_place(BRANCHING);
    assert_true(all.forks > 0 && all.by_forks > 0);
}

// ---- on a front: nodes are tested directly

// The smallest cosine between the vectors and their mean, which is written; 1: there are none.
static double spread(const vectors* of, double mean[3]) {
    double least = 1;
    for (int k = 0; k < 3; k++) mean[k] = 0;
    for (uint32_t i = 0; i < of->count; i++)
        for (int k = 0; k < 3; k++) mean[k] += of->v[i][k];
    const double length = sqrt(dot(mean, mean));
    for (int k = 0; k < 3 && length > 0; k++) mean[k] /= length;
    for (uint32_t i = 0; i < of->count; i++) least = fmin(least, dot(mean, of->v[i]));
    return least;
}

static void marks_of_the_front_satisfy_the_conditions(void** state) {
    (void)state;
    static vectors normals, binormals;
    uint32_t marked = 0, with_boundary = 0, rejected = 0;
    for (int run = 0; run < 2 * PLACES; run++) {  // all places in both modes
        const uint32_t mode = run % 2 ? FRACAS_MODE_CONTINUOUS : FRACAS_MODE_DISCRETE;
        fracas_body body;
        kit k = open_scene(mode, FRACAS_PUBLISHED_CULL_DUAL_CONE_FRONT, run / 2, &body);
        const frc_boxes boxes = mode == FRACAS_MODE_DISCRETE ? FRC_BOXES_END : FRC_BOXES_STEP;
        for (int step = 0; step < 4; step++) {
            move_to(&k, body, run / 2, 0.4 * step);
            frc_block* block = block_of(k.scene);
            const frc_cull_state* cull = frc_cull_state_find(&k.scene->cull_states, block, 0);
            for (uint32_t n = 0; n < block->node_count; n++) {
                const frc_cull_range faces = frc_cull_faces(cull, n);
                if (!frc_block_skips(block, boxes, n)) {
                    rejected += faces.end - faces.begin >= 48;
                    continue;
                }
                double normal[3], binormal[3];
                list_vectors(k.scene, block, faces, mode == FRACAS_MODE_CONTINUOUS, &normals,
                             &binormals);
                assert_true(is_connected(block, faces, true));
                // The sum of normals by area is near the mean of their directions.
                assert_true(spread(&normals, normal) > -0.2);
                const double least = spread(&binormals, binormal);
                marked++;
                if (binormals.count == 0) continue;
                with_boundary++;
                assert_true(least > 0 && fabs(dot(normal, binormal)) < least + 0.2);
            }
            assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
        }
        kit_destroy(&k);
    }
    print_message("%u nodes are marked, %u with a boundary; %u are not\n", marked, with_boundary,
                  rejected);
    assert_true(marked > 0 && with_boundary > 0 && rejected > 0);
}

// ---- contacts among the boundaries of pieces

// Pages with a common spine, or each with its own copy of it.
enum { PAGES = 3, LONG = 6, WIDE = 3, PAGE_POINTS = (LONG + 1) * WIDE };

static void place_pages(double t, double (*out)[3]) {
    for (uint32_t i = 0; i < (WIDE + PAGES) * (LONG + 1); i++) out[i][0] = i % (LONG + 1) / 8.0;
    for (uint32_t i = 0; i < PAGES * (LONG + 1); i++) out[i][1] = out[i][2] = 0;
    for (uint32_t i = 0; i < PAGES * PAGE_POINTS; i++) {
        double* p = out[PAGES * (LONG + 1) + i];
        const double far = i % PAGE_POINTS / (LONG + 1) + 1.0, page = i / PAGE_POINTS;
        p[0] = i % (LONG + 1) / 8.0;
        p[1] = far / 8, p[2] = far / 8 * (0.25 * page + t);
    }
}

static size_t count_page_contacts(bool common, uint32_t mode, fracas_published_cull cull) {
    static double points[PAGES * (LONG + 1) + PAGES * PAGE_POINTS][3];
    enum { COUNT = PAGES * (LONG + 1) + PAGES * PAGE_POINTS };
    uint32_t corners[PAGES * 2 * LONG * WIDE][3], count = 0;
    for (uint32_t i = 0; i < PAGES * LONG * WIDE; i++) {
        const uint32_t page = i / (LONG * WIDE), x = i % LONG, y = i / LONG % WIDE;
        const uint32_t upper = PAGES * (LONG + 1) + page * PAGE_POINTS + y * (LONG + 1) + x,
                       lower = y ? upper - (LONG + 1) : (common ? 0 : page) * (LONG + 1) + x;
        const uint32_t two[2][3] = {
            {lower,     lower + 1, upper},
            {lower + 1, upper + 1, upper}
        };
        memcpy(corners[count], two, sizeof two), count += 2;
    }
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.scene.modes = mode;
    how.cull = cull;
    kit k = {NULL, NULL};
    fracas_contacts* contacts;
    size_t found;
    assert_int_equal(fracas_context_create(NULL, &k.context), FRACAS_OK);
    assert_int_equal(fracas_published_scene_create(k.context, &how, &k.scene), FRACAS_OK);
    place_pages(0, points);
    const fracas_mesh_view mesh =
        kit_mesh((const double(*)[3])points, COUNT, (const uint32_t(*)[3])corners, count);
    const fracas_body body = kit_add(&k, &mesh, FRACAS_MOTION_DEFORMING);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_advance(k.scene), FRACAS_OK);
    place_pages(0.125, points);
    const fracas_points view = {.data = points, .count = COUNT};
    assert_int_equal(fracas_scene_move(k.scene, body, &view), FRACAS_OK);
    assert_int_equal(fracas_scene_update(k.scene), FRACAS_OK);
    assert_int_equal(fracas_contacts_create(k.context, &contacts), FRACAS_OK);
    const fracas_sink sink = fracas_contacts_get_sink(contacts);
    fracas_published_query query = fracas_published_scene_default_query();
    query.query.modes = mode;
    assert_int_equal(fracas_published_scene_detect(k.scene, &query, &sink, NULL), FRACAS_OK);
    fracas_contacts_get_data(contacts, &found);
    fracas_contacts_destroy(contacts);
    kit_destroy(&k);
    return found;
}

// Along the edges at which a surface is divided all pieces touch, which is no contact. Copies of
// such edges would collide.
static void boundaries_of_pieces_do_not_collide(void** state) {
    (void)state;
    static const fracas_published_cull culls[] = {FRACAS_PUBLISHED_CULL_NONE,
                                                  FRACAS_PUBLISHED_CULL_DUAL_CONE};
    for (uint32_t mode = FRACAS_MODE_DISCRETE; mode <= FRACAS_MODE_CONTINUOUS; mode++)
        for (int i = 0; i < 2; i++) {
            assert_int_equal(count_page_contacts(true, mode, culls[i]), 0);
            // Each square of two pages meets at least that of the other page.
            assert_true(count_page_contacts(false, mode, culls[i]) >= PAGES * LONG);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cones_and_marks_follow_the_definition),
        cmocka_unit_test(manifold_pieces_are_tested_on_their_own),
        cmocka_unit_test(marks_of_the_front_satisfy_the_conditions),
        cmocka_unit_test(boundaries_of_pieces_do_not_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
