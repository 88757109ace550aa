// Contacts do not depend on the history of a scene: after random splits, tears, merges and removals
// they are bit-identical to those of a new scene to which the same bodies are added.
//
// Exact tests round their results; the order of their points must depend on the caller's numbers
// only. Both scenes run the same code, so common errors are not detected here but by
// test_fuzz_api.c.
#include "scene/scene.h"
#include "scene_kit.h"
#include <math.h>
#include <stdlib.h>

typedef double place[3];
enum { SIDE = 7, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE, BODIES = 64 };
enum {
    MAX_NUMBERS = 4096
};  // maximum number of vertices or triangles of a body, and of contacts with equal numbers

typedef struct history {
    kit old, fresh;
    uint64_t random;
    fracas_body body[BODIES];
    uint32_t count;
    uint32_t fresh_of[BODIES + 1];  // index of the new handle, by that of the old one
    uint32_t triangle_of[BODIES + 1][MAX_NUMBERS];  // number in the new body
} history;

static uint32_t pick(history* h, uint32_t below) {
    h->random = h->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((h->random >> 33) % below);
}

static double noise(history* h) { return pick(h, 1u << 30) * 0x1p-30 - 0.5; }

static const frc_body* inside(const history* h, fracas_body body) {
    return &h->old.scene->bodies.data[body.index - 1];
}

// ---- random edits

// A sheet near the others, with additional free edges and points.
static void add_sheet(history* h) {
    place points[POINTS + 12];
    uint32_t corners[TRIANGLES][3], edges[4][2], vertices[4];
    const double at[3] = {3 * noise(h), 3 * noise(h), noise(h)};
    if (h->count == BODIES) return;
    for (uint32_t i = 0; i < POINTS + 12; i++) {
        const double p[3] = {i % (SIDE + 1), i / (SIDE + 1) % (SIDE + 1), 0};
        for (int k = 0; k < 3; k++) points[i][k] = p[k] + at[k] + 0.4 * noise(h);
    }
    for (uint32_t i = 0; i < 4; i++) {
        edges[i][0] = POINTS + 2 * i, edges[i][1] = POINTS + 2 * i + 1;
        vertices[i] = POINTS + 8 + i;
    }
    kit_sheet(SIDE, corners);
    fracas_mesh_view mesh =
        kit_mesh((const place*)points, POINTS + 12, (const uint32_t(*)[3])corners, TRIANGLES);
    mesh.edges = edges[0], mesh.edge_count = 4;
    mesh.vertices = vertices, mesh.vertex_count = 4;
    h->body[h->count++] =
        kit_add(&h->old, &mesh, pick(h, 3) ? FRACAS_MOTION_DEFORMING : FRACAS_MOTION_RIGID);
}

static void break_body(history* h, uint32_t at) {
    uint32_t labels[MAX_NUMBERS];
    const fracas_body_info info = kit_info(&h->old, h->body[at]);
    const uint32_t parts = 1 + pick(h, 3), run = 1 + pick(h, 40);
    if (h->count + parts > BODIES || info.triangles < 8) return;
    for (uint32_t i = 0; i < info.triangle_numbers; i++)
        labels[i] = i % run ? labels[i - 1] : pick(h, parts + 1);
    // Each part has at least one triangle.
    uint32_t corners[3], part = 0;
    for (uint32_t i = 0; i < info.triangle_numbers && part < parts; i++)
        if (fracas_scene_get_triangle(h->old.scene, h->body[at], i, corners) == FRACAS_OK)
            labels[i] = ++part;
    fracas_split_plan* plan;
    assert_int_equal(
        fracas_split_plan_create(h->old.scene, h->body[at], labels, info.triangle_numbers, &plan),
        FRACAS_OK);
    assert_int_equal(fracas_scene_split(h->old.scene, h->body[at],
                                        fracas_split_plan_get_split(plan), &h->body[h->count]),
                     FRACAS_OK);
    fracas_split_plan_destroy(plan);
    h->count += parts;
}

// One corner of a triangle gets its own vertex, and another triangle is removed.
static void tear(history* h, uint32_t at) {
    const fracas_body_info info = kit_info(&h->old, h->body[at]);
    uint32_t there[2], found = 0, corners[3];
    for (uint32_t i = pick(h, info.triangle_numbers + 1); i < info.triangle_numbers; i++)
        if (found < 2 && !fracas_scene_get_triangle(h->old.scene, h->body[at], i, corners))
            there[found++] = i;
    if (found < 2) return;
    assert_int_equal(fracas_scene_get_triangle(h->old.scene, h->body[at], there[0], corners),
                     FRACAS_OK);
    const uint32_t corner = pick(h, 3);
    const fracas_new_vertex vertex = {.parent_a = corners[corner], .parent_b = FRACAS_NONE};
    const fracas_repoint repoint = {there[0], corner, info.vertex_numbers};
    fracas_split split = fracas_scene_default_split();
    split.new_vertices = &vertex, split.new_vertex_count = 1;
    split.repoints = &repoint, split.repoint_count = 1;
    split.removed_triangles = &there[1], split.removed_triangle_count = 1;
    assert_int_equal(fracas_scene_split(h->old.scene, h->body[at], &split, NULL), FRACAS_OK);
}

static void join(history* h, uint32_t a, uint32_t b) {
    const fracas_body list[2] = {h->body[a], h->body[b]};
    const fracas_body_info info[2] = {kit_info(&h->old, list[0]), kit_info(&h->old, list[1])};
    fracas_merge merge = fracas_scene_default_merge();
    fracas_body out;
    if (a == b || info[0].motion != info[1].motion || info[0].motion == FRACAS_MOTION_RIGID) return;
    if (info[0].triangle_numbers + info[1].triangle_numbers > MAX_NUMBERS) return;
    if (info[0].vertex_numbers + info[1].vertex_numbers > MAX_NUMBERS) return;
    assert_int_equal(fracas_scene_merge(h->old.scene, list, 2, &merge, &out), FRACAS_OK);
    h->body[a] = out;
    h->body[b] = h->body[--h->count];
}

static void remove_body(history* h, uint32_t at) {
    assert_int_equal(fracas_scene_remove(h->old.scene, h->body[at]), FRACAS_OK);
    h->body[at] = h->body[--h->count];
}

static void edit(history* h) {
    const uint32_t at = pick(h, h->count);
    switch (pick(h, 8)) {
    case 0:
        add_sheet(h);
        break;
    case 1:
        join(h, at, pick(h, h->count));
        break;
    case 2:
        if (h->count > 3) remove_body(h, at);
        break;
    case 3:
    case 4:
        tear(h, at);
        break;
    default:
        break_body(h, at);
    }
}

static void move(history* h, uint32_t at) {
    place to[MAX_NUMBERS];
    const fracas_body_info info = kit_info(&h->old, h->body[at]);
    const double all[3] = {noise(h), noise(h), noise(h)};
    if (info.motion == FRACAS_MOTION_RIGID) {
        fracas_pose pose[2] = {inside(h, h->body[at])->pose[0], inside(h, h->body[at])->pose[0]};
        for (int k = 0; k < 3; k++) pose[1].translation[k] += all[k];
        assert_int_equal(fracas_scene_pose(h->old.scene, h->body[at], &pose[0], &pose[1]),
                         FRACAS_OK);
        return;
    }
    for (uint32_t v = 0; v < info.vertex_numbers; v++) {
        place t0, t1;
        if (fracas_scene_get_vertex(h->old.scene, h->body[at], v, t0, t1)) continue;
        for (int k = 0; k < 3; k++) to[v][k] = t0[k] + all[k] + 0.5 * noise(h);
    }
    const fracas_points points = {.data = to, .count = info.vertex_numbers};
    assert_int_equal(fracas_scene_move(h->old.scene, h->body[at], &points), FRACAS_OK);
}

// ---- the same bodies in a new scene

static int compare_bodies(const void* a, const void* b) {
    const uint32_t x = ((const fracas_body*)a)->index, y = ((const fracas_body*)b)->index;
    return x < y ? -1 : x > y;
}

static void add_to_new_scene(history* h, fracas_body body) {
    static place t0[MAX_NUMBERS], t1[MAX_NUMBERS];
    static uint32_t corners[MAX_NUMBERS][3], edges[MAX_NUMBERS][2], vertices[MAX_NUMBERS];
    const frc_body* from = inside(h, body);
    const frc_topology* topology = &h->old.scene->topology;
    const uint32_t vertex_count = (uint32_t)from->points.count;
    uint32_t count = 0;
    assert_true(vertex_count <= MAX_NUMBERS && from->triangles.count <= MAX_NUMBERS);
    memset(t0, 0, sizeof t0);
    memset(t1, 0, sizeof t1);
    for (uint32_t v = 0; v < vertex_count; v++)
        fracas_scene_get_vertex(h->old.scene, body, v, t0[v], t1[v]);
    for (uint32_t t = 0; t < from->triangles.count; t++) {
        h->triangle_of[body.index][t] = count;
        count += fracas_scene_get_triangle(h->old.scene, body, t, corners[count]) == FRACAS_OK;
    }
    for (size_t i = 0; i < from->free_edges.count; i++)
        for (int k = 0; k < 2; k++)
            edges[i][k] =
                topology->points.data[topology->edges.data[from->free_edges.data[i]].point[k]]
                    .tag[FRC_TAG_NUMBER];
    for (size_t i = 0; i < from->free_points.count; i++)
        vertices[i] = topology->points.data[from->free_points.data[i]].tag[FRC_TAG_NUMBER];
    fracas_mesh_view mesh =
        kit_mesh((const place*)t0, vertex_count, (const uint32_t(*)[3])corners, count);
    mesh.edges = edges[0], mesh.edge_count = (uint32_t)from->free_edges.count;
    mesh.vertices = vertices, mesh.vertex_count = (uint32_t)from->free_points.count;
    const fracas_body fresh = kit_add(&h->fresh, &mesh, FRACAS_MOTION_DEFORMING);
    h->fresh_of[body.index] = fresh.index;
    const fracas_points points = {.data = t1, .count = vertex_count};
    assert_int_equal(fracas_scene_move(h->fresh.scene, fresh, &points), FRACAS_OK);
}

// ---- comparing

static bool same_bits(const fracas_contact* a, const fracas_contact* b) {
    const double x[7] = {a->toi, a->u, a->v, a->distance, a->normal[0], a->normal[1], a->normal[2]};
    const double y[7] = {b->toi, b->u, b->v, b->distance, b->normal[0], b->normal[1], b->normal[2]};
    return memcmp(x, y, sizeof x) == 0 && a->kind == b->kind && memcmp(a->a, b->a, 8) == 0 &&
           memcmp(a->b, b->b, 8) == 0 && a->body_a.index == b->body_a.index &&
           a->body_b.index == b->body_b.index;
}

// A contact with the handles and triangle numbers of the new scene.
static fracas_contact in_new_scene(const history* h, const fracas_contact* contact) {
    fracas_contact c = *contact;
    if (c.kind == FRACAS_CONTACT_TT) c.a[0] = h->triangle_of[c.body_a.index][c.a[0]];
    if (c.kind == FRACAS_CONTACT_TT || c.kind == FRACAS_CONTACT_ET || c.kind == FRACAS_CONTACT_VF)
        c.b[0] = h->triangle_of[c.body_b.index][c.b[0]];
    c.body_a.index = h->fresh_of[c.body_a.index];
    c.body_b.index = h->fresh_of[c.body_b.index];
    return c;
}

static fracas_status run_query(const kit* k, const fracas_query* query, double distance,
                               fracas_contacts* out) {
    const fracas_sink sink = fracas_contacts_get_sink(out);
    return query ? fracas_scene_detect(k->scene, query, &sink)
                 : fracas_scene_nearby(k->scene, distance, &sink);
}

// `query` NULL: fracas_scene_nearby.
static void compare(const history* h, const fracas_query* query, double distance, uint64_t* kinds) {
    fracas_contacts* got[2];
    size_t count[2];
    const fracas_contact* data[2];
    for (int i = 0; i < 2; i++) {
        const kit* k = i ? &h->fresh : &h->old;
        assert_int_equal(fracas_contacts_create(k->context, &got[i]), FRACAS_OK);
        assert_int_equal(run_query(k, query, distance, got[i]), FRACAS_OK);
        data[i] = fracas_contacts_get_data(got[i], &count[i]);
    }
    assert_int_equal(count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++) {
        const fracas_contact old = in_new_scene(h, &data[0][i]), *fresh = &data[1][i];
        if (!same_bits(&old, fresh))
            fail_msg("contact %zu, kind %d (%d): toi %.17g, not %.17g; u %.17g, not %.17g; normal "
                     "%g %g %g, not %g %g %g",
                     i, (int)old.kind, (int)fresh->kind, old.toi, fresh->toi, old.u, fresh->u,
                     old.normal[0], old.normal[1], old.normal[2], fresh->normal[0],
                     fresh->normal[1], fresh->normal[2]);
        kinds[old.kind]++;
    }
    for (int i = 0; i < 2; i++) fracas_contacts_destroy(got[i]);
}

static void compare_with_new_scene(history* h, uint32_t workers, uint64_t* kinds) {
    fracas_body sorted[BODIES];
    h->fresh = kit_create(workers);
    memcpy(sorted, h->body, sizeof sorted);
    qsort(sorted, h->count, sizeof *sorted, compare_bodies);
    for (uint32_t i = 0; i < h->count; i++) add_to_new_scene(h, sorted[i]);
    assert_int_equal(fracas_scene_update(h->old.scene), FRACAS_OK);
    assert_int_equal(fracas_scene_update(h->fresh.scene), FRACAS_OK);
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_BOTH;
    query.siblings = FRACAS_SIBLINGS_REPORT;
    compare(h, &query, 0, kinds);
    query.first = true;
    compare(h, &query, 0, kinds);
    query.first = false;
    query.modes = FRACAS_MODE_CONTINUOUS;
    double step[2];
    assert_int_equal(fracas_scene_max_step(h->old.scene, &query, &step[0]), FRACAS_OK);
    assert_int_equal(fracas_scene_max_step(h->fresh.scene, &query, &step[1]), FRACAS_OK);
    assert_memory_equal(&step[0], &step[1], sizeof step[0]);
    query.min_separation = 0.03;
    compare(h, &query, 0, kinds);
    compare(h, NULL, 0.3, kinds);
    kit_destroy(&h->fresh);
}

static void contacts_do_not_depend_on_history(void** state) {
    (void)state;
    uint64_t kinds[6] = {0};
    for (uint32_t round = 0; round < 8; round++) {
        history* h = calloc(1, sizeof *h);
        assert_non_null(h);
        h->random = round + 1;
        h->old = kit_create(1 + round % 3);
        for (int i = 0; i < 3; i++) add_sheet(h);
        for (int step = 0; step < 6; step++) {
            // Some edits before the moves, some after; the first comparison is at rest.
            for (uint32_t i = pick(h, 6); i-- > 0;) edit(h);
            for (uint32_t i = 0; i < h->count && step > 0; i++)
                if (pick(h, 4)) move(h, i);
            for (uint32_t i = pick(h, 3); i-- > 0;) edit(h);
            compare_with_new_scene(h, 1 + (uint32_t)step % 2, kinds);
            assert_int_equal(fracas_scene_advance(h->old.scene), FRACAS_OK);
        }
        kit_destroy(&h->old);
        free(h);
    }
    for (int kind = 0; kind < 6; kind++) {
        print_message("kind %d: %llu contacts\n", kind, (unsigned long long)kinds[kind]);
        assert_true(kinds[kind] > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_do_not_depend_on_history)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
