// Volumes: description and surface of known and random ones, compared with loops over all pairs of
// faces.
#include "exact/predicates.h"
#include "mesh_context.h"
#include <stdlib.h>

enum { MAX_POINTS = 24, MAX_TETS = 40 };

typedef struct volume {
    double points[MAX_POINTS][3];
    uint32_t tets[MAX_TETS][4];
    fracas_tet_view view;
} volume;

// ---- the reference

static bool tet_has(const uint32_t* tet, uint32_t vertex) {
    return tet[0] == vertex || tet[1] == vertex || tet[2] == vertex || tet[3] == vertex;
}

static bool repeats(const uint32_t* tet) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            if (tet[i] == tet[j]) return true;
    return false;
}

// Number of tetrahedra with these three vertices.
static uint32_t count_owners(const volume* v, const uint32_t* face) {
    uint32_t owners = 0;
    for (uint32_t t = 0; t < v->view.tet_count; t++)
        owners += !repeats(v->tets[t]) && tet_has(v->tets[t], face[0]) &&
                  tet_has(v->tets[t], face[1]) && tet_has(v->tets[t], face[2]);
    return owners;
}

// The face without corner k, counterclockwise seen from outside for positive volume: (others, k) is
// an odd or even permutation of the tetrahedron, depending on k.
static void face_of(const uint32_t* tet, int k, uint32_t out[3]) {
    int at = 0;
    for (int i = 0; i < 4; i++)
        if (i != k) out[at++] = tet[i];
    // (0, 1, 2) turns left seen from corner 3, so from outside it turns right; each step of k
    // turns.
    if (k % 2 == 1) {
        uint32_t kept = out[1];
        out[1] = out[2];
        out[2] = kept;
    }
}

static void check(const volume* v) {
    static uint32_t triangles[12 * MAX_TETS], tets[4 * MAX_TETS];
    fracas_tet_info info;
    uint64_t count = 0, again = 0;
    assert_int_equal(fracas_tet_find_boundary(mesh_context(), &v->view, triangles, tets, &count),
                     FRACAS_OK);
    assert_int_equal(fracas_tet_find_boundary(mesh_context(), &v->view, NULL, NULL, &again),
                     FRACAS_OK);
    assert_int_equal(fracas_tet_describe(mesh_context(), &v->view, &info), FRACAS_OK);
    assert_int_equal(count, again);
    assert_int_equal(count, info.boundary_triangles);
    uint64_t found = 0;
    double faces = 0, crowded = 0;
    uint32_t inverted = 0, flat = 0, repeated = 0, duplicates = 0;
    for (uint32_t t = 0; t < v->view.tet_count; t++) {
        const uint32_t* tet = v->tets[t];
        bool has_repeats = repeats(tet), duplicate = false;
        for (uint32_t s = 0; s < t && !has_repeats; s++)
            duplicate |= !repeats(v->tets[s]) && tet_has(tet, v->tets[s][0]) &&
                         tet_has(tet, v->tets[s][1]) && tet_has(tet, v->tets[s][2]) &&
                         tet_has(tet, v->tets[s][3]);
        int sign = frc_orient3d(v->points[tet[0]], v->points[tet[1]], v->points[tet[2]],
                                v->points[tet[3]]);
        inverted += sign < 0, flat += sign == 0, repeated += has_repeats, duplicates += duplicate;
        for (int k = 0; k < 4 && !has_repeats; k++) {
            uint32_t face[3];
            face_of(tet, k, face);
            uint32_t owners = count_owners(v, face);
            faces += 1.0 / owners;
            crowded += owners > 2 ? 1.0 / owners : 0;
            if (owners != 1) continue;
            // The same vertices, with the same orientation, in the order of tetrahedra and corners.
            assert_true(found < count);
            const uint32_t* got = triangles + 3 * found;
            assert_int_equal(tets[found], t);
            bool equal = false;
            for (int i = 0; i < 3; i++)
                equal |=
                    got[0] == face[i] && got[1] == face[(i + 1) % 3] && got[2] == face[(i + 2) % 3];
            assert_true(equal);
            // The opposite corner is on the inner side.
            int side = frc_orient3d(v->points[got[0]], v->points[got[1]], v->points[got[2]],
                                    v->points[tet[k]]);
            assert_int_equal(side, -sign);
            found++;
        }
    }
    assert_int_equal(found, count);
    assert_int_equal(info.faces, (uint64_t)(faces + 0.5));
    assert_int_equal(info.nonmanifold_triangles, (uint64_t)(crowded + 0.5));
    assert_int_equal(info.inverted, inverted);
    assert_int_equal(info.flat, flat);
    assert_int_equal(info.repeated_index_tets, repeated);
    assert_int_equal(info.duplicate_tets, duplicates);
}

// ---- volumes

static void random_volumes(void** state) {
    (void)state;
    srand(5);
    for (int run = 0; run < 3000; run++) {
        volume v = {0};
        uint32_t points = 4 + (uint32_t)rand() % (MAX_POINTS - 4);
        uint32_t count = (uint32_t)rand() % MAX_TETS;
        for (uint32_t i = 0; i < points; i++)
            for (int axis = 0; axis < 3; axis++) v.points[i][axis] = rand() % 4;
        for (uint32_t t = 0; t < count; t++)
            for (int i = 0; i < 4; i++) v.tets[t][i] = (uint32_t)rand() % points;
        v.view = (fracas_tet_view){
            .points = {.data = v.points, .count = points},
              .tets = v.tets[0], .tet_count = count
        };
        check(&v);
    }
}

static void known_volumes(void** state) {
    (void)state;
    volume v = {
        .points = {{0, 0, 0},  {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {9, 9, 9}},
        .tets = {{0, 1, 2, 3}, {1, 2, 3, 4},          {3, 2, 1, 0},        {5, 5, 0, 1}    }
    };
    v.view = (fracas_tet_view){
        .points = {.data = v.points, .count = 5},
          .tets = v.tets[0], .tet_count = 1
    };
    uint32_t triangles[48], tets[16];
    uint64_t count = 0;
    assert_int_equal(fracas_tet_find_boundary(mesh_context(), &v.view, triangles, tets, &count),
                     FRACAS_OK);
    const uint32_t expected[12] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1};
    assert_int_equal(count, 4);
    assert_memory_equal(triangles, expected, sizeof expected);
    check(&v);
    v.view.tet_count = 2;
    check(&v);
    v.view.tet_count = 4;
    v.view.points.count = 6;
    check(&v);
    fracas_tet_info info;
    assert_int_equal(fracas_tet_describe(mesh_context(), &v.view, &info), FRACAS_OK);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.unused_vertices, 0);
    assert_int_equal(info.duplicate_tets, 1);
    assert_int_equal(info.repeated_index_tets, 1);
    assert_true(info.box_max[2] == 9 && info.box_min[0] == 0);
    v.view.tet_count = 1;
    assert_int_equal(fracas_tet_describe(mesh_context(), &v.view, &info), FRACAS_OK);
    assert_int_equal(info.unused_vertices, 2);
    v.view = (fracas_tet_view){0};
    assert_int_equal(fracas_tet_describe(mesh_context(), &v.view, &info), FRACAS_OK);
    assert_int_equal(info.boundary_triangles + info.components, 0);
}

static void refusals(void** state) {
    (void)state;
    double points[4][3] = {{0}};
    uint32_t tet[4] = {0, 1, 2, 4};
    uint64_t count = 77;
    fracas_tet_info info;
    fracas_tet_view view = {
        .points = {.data = points, .count = 4},
          .tets = tet, .tet_count = 1
    };
    assert_int_equal(fracas_tet_find_boundary(mesh_context(), &view, NULL, NULL, &count),
                     FRACAS_ERROR_BAD_DATA);
    mesh_expect_message("tetrahedron 0 refers to vertex 4 but there are 4 vertices");
    assert_int_equal(count, 77);
    tet[3] = 3;
    assert_int_equal(fracas_tet_find_boundary(mesh_context(), &view, NULL, NULL, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_tet_describe(mesh_context(), &view, NULL),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_tet_describe(mesh_context(), NULL, &info),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    view.tets = NULL;
    assert_int_equal(fracas_tet_validate(mesh_context(), &view), FRACAS_ERROR_INVALID_ARGUMENT);
    mesh_expect_message("there are 1 tetrahedra, but their pointer is NULL");
    view.tets = tet;
    points[2][1] = 1e308 * 10;
    assert_int_equal(fracas_tet_validate(mesh_context(), &view), FRACAS_ERROR_BAD_DATA);
    mesh_expect_message("vertex 2 has y = inf");
    assert_int_equal(fracas_tet_validate(NULL, &view), FRACAS_ERROR_INVALID_ARGUMENT);
}

// ---- no memory

typedef struct counter {
    size_t live, calls, fail_at;
} counter;

static void* counting_allocate(size_t size, size_t alignment, void* user) {
    counter* c = user;
    if (++c->calls == c->fail_at) return NULL;
    c->live += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void counting_release(void* memory, size_t size, void* user) {
    ((counter*)user)->live -= size;
    free(memory);
}

static void no_memory(void** state) {
    (void)state;
    static const double points[4][3] = {{0}};
    static const uint32_t tet[4] = {0, 1, 2, 3};
    const fracas_tet_view view = {
        .points = {.data = points, .count = 4},
          .tets = tet, .tet_count = 1
    };
    counter c = {0};
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    options.allocator = (fracas_allocator){counting_allocate, counting_release, &c};
    fracas_context* context = NULL;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    size_t before = c.live;
    for (int what = 0; what < 2; what++) {
        fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
        for (c.fail_at = 1; status != FRACAS_OK; c.fail_at++) {
            fracas_tet_info info;
            uint64_t count = 77;
            c.calls = 0;
            status = what ? fracas_tet_describe(context, &view, &info)
                          : fracas_tet_find_boundary(context, &view, NULL, NULL, &count);
            assert_int_equal(c.live, before);
            if (status == FRACAS_OK) break;
            assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
            assert_int_equal(count, 77);
        }
        assert_true(c.fail_at > 4);
    }
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_volumes),
        cmocka_unit_test(known_volumes),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
