// Inside and depth: equal to the winding number of the fragments' surfaces and to distances from
// them, whole and broken again and again.
#include "fragment/fragments.h"
#include "fragment_kit.h"
#include "share.h"
#include <pthread.h>

enum { PARTS = 64 };

typedef struct broken {
    fracas_context* context;
    kit_shape shape;
    fracas_solid* solid;
    fracas_fragments* all;
    fracas_fragment parts[PARTS];
    fracas_fragment_surface* surfaces[PARTS];
    uint32_t count;
    double size;
} broken;

static void list_surfaces(broken* b) {
    for (uint32_t i = 0; i < b->count; i++)
        KIT_OK(b->context, fracas_fragment_surface_create(b->all, b->parts[i], &b->surfaces[i]));
}

static void free_surfaces(broken* b) {
    for (uint32_t i = 0; i < b->count; i++) fracas_fragment_surface_destroy(b->surfaces[i]);
}

// Break part i; its first part takes its place.
static void break_part(broken* b, uint32_t i, uint32_t sites, uint64_t* random) {
    fracas_fragment parts[PARTS];
    const uint32_t count =
        kit_break(b->context, b->all, b->parts[i], sites, random, parts, PARTS - b->count);
    if (count == 0) return;
    b->parts[i] = parts[0];
    for (uint32_t k = 1; k < count; k++) b->parts[b->count++] = parts[k];
}

static broken make(uint32_t workers, kit_mask* mask, double size, uint64_t seed,
                   fracas_field_update mode) {
    const uint32_t n[3] = {6, 5, 7};
    broken b = {.context = kit_context(workers, NULL), .count = 1, .size = size};
    b.shape = kit_lattice(n, mask, size, 0.1, seed);
    b.solid = kit_solid(b.context, &b.shape);
    fracas_fragments_options options = fracas_fragments_default_options();
    options.field_update = mode;
    KIT_OK(b.context, fracas_fragments_create(b.context, &options, &b.all));
    KIT_OK(b.context, fracas_fragments_add(b.all, b.solid, &b.parts[0]));
    return b;
}

static void destroy(broken* b) {
    fracas_fragments_destroy(b->all);
    fracas_solid_destroy(b->solid);
    kit_free(&b->shape);
    fracas_context_destroy(b->context);
}

static void random_point(const broken* b, uint64_t* random, double p[3]) {
    fracas_solid_info info;
    KIT_OK(b->context, fracas_solid_get_info(b->solid, &info));
    for (int k = 0; k < 3; k++)
        p[k] =
            kit_uniform(random, info.box_min[k] - 0.2 * b->size, info.box_max[k] + 0.2 * b->size);
}

// Depths: never below the distance from the surface, and above it by what the mode allows.
static void check_depth(const broken* b, const fracas_depth* d, double truth, double least,
                        double most) {
    double square = 0;
    for (int k = 0; k < 3; k++) square += d->direction[k] * d->direction[k];
    assert_float_equal(square, 1, 1e-9);
    const double over = (d->depth - truth) / b->size;
    if (over < -least || over > most)
        fail_msg("depth %g, but the surface is at %g (size %g)", d->depth, truth, b->size);
}

// Points nearer to a surface than 1e-12 of the size may be on either side: corners of cells are
// rounded.
static void check_points(broken* b, uint32_t points, uint64_t* random, double least, double most) {
    list_surfaces(b);
    for (uint32_t i = 0; i < points; i++) {
        double p[3];
        random_point(b, random, p);
        for (uint32_t part = 0; part < b->count; part++) {
            const fracas_mesh_view view = fracas_fragment_surface_get_view(b->surfaces[part]);
            const double winding = kit_winding(&view, p);
            fracas_depth d;
            KIT_OK(b->context, fracas_fragments_locate(b->all, b->parts[part], p, &d));
            if (kit_distance(&view, p) < 1e-12 * b->size) continue;
            assert_float_equal(winding, d.inside, 1e-6);
            if (d.inside)
                check_depth(b, &d, kit_distance(&view, p), least, most);
            else
                assert_true(d.depth == 0 && d.direction[0] == 0);
        }
    }
    free_surfaces(b);
}

static const struct {
    kit_mask* mask;
    double size;
} SHAPES[] = {
    {kit_box,    1    },
    {kit_angle,  1e-30},
    {kit_hollow, 1e30 },
    {kit_ball,   0.01 },
};

static void closest_point(void** state) {
    (void)state;
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        broken b =
            make(1, SHAPES[i].mask, SHAPES[i].size, i + 1, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
        for (int round = 0; round < 4; round++) {
            // Exact without cracks.
            check_points(&b, share_of(600), &random, 1e-12, round == 0 ? 1e-12 : 0.5);
            break_part(&b, (uint32_t)round % b.count, 4, &random);
        }
        assert_true(b.count > 4);
        destroy(&b);
    }
}

// Many points: each fragment that has one, by its winding number, and by no other fragment.
static void inside(void** state) {
    (void)state;
    uint64_t random = 12;
    uint32_t found = 0;
    broken b = make(1, kit_angle, 1, 6, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    for (uint32_t i = 0; i < 3; i++) break_part(&b, i % b.count, 5, &random);
    assert_true(b.count > 6);
    list_surfaces(&b);
    for (uint32_t i = 0; i < share_of(30000); i++) {
        double p[3];
        uint32_t owners = 0;
        bool near_surface = false;
        random_point(&b, &random, p);
        for (uint32_t part = 0; part < b.count; part++) {
            const fracas_mesh_view view = fracas_fragment_surface_get_view(b.surfaces[part]);
            const double winding = kit_winding(&view, p);
            fracas_depth d;
            KIT_OK(b.context, fracas_fragments_locate(b.all, b.parts[part], p, &d));
            owners += d.inside;
            if (fabs(winding - d.inside) < 1e-6) continue;
            near_surface = kit_distance(&view, p) < 1e-12;
            if (!near_surface) fail_msg("winding number %g, inside %d", winding, d.inside);
        }
        if (!near_surface) assert_true(owners <= 1);
        found += owners == 1;
    }
    assert_true(found > share_of(30000) / 3);
    free_surfaces(&b);
    destroy(&b);
}

// Coordinates so large that cuts near nodes are rounded to them: the cells of a fragment then touch
// nodes of the other one. The first tetrahedron of a point decides, also for a fragment that has no
// corner of it and finds the point in another tetrahedron.
static void cuts_at_nodes(void** state) {
    (void)state;
    const uint32_t n[3] = {4, 4, 4};
    fracas_context* context = kit_context(1, NULL);
    kit_shape shape = kit_lattice(n, kit_box, 1, 0, 1);
    for (uint32_t i = 0; i < shape.point_count; i++)
        for (int k = 0; k < 3; k++) shape.points[i][k] += 0x1p51;
    fracas_solid* solid = kit_solid(context, &shape);
    fracas_fragments* all;
    fracas_fragment whole, parts[2];
    fracas_fracture_pattern* pattern;
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    const double point[3] = {0x1p51 + 1.5, 0x1p51, 0x1p51}, normal[3] = {1, 0, 0};
    KIT_OK(context, fracas_fracture_pattern_create_plane(all, whole, point, normal, &pattern));
    fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    fracas_cut_edge* cuts = calloc(fracture.cut_count, sizeof *cuts);
    assert_non_null(cuts);
    for (uint32_t i = 0; i < fracture.cut_count; i++) {
        cuts[i] = fracture.cuts[i];
        cuts[i].at = shape.points[cuts[i].node[0]][0] < point[0] ? 0.1 : 0.9;
    }
    fracture.cuts = cuts;
    KIT_OK(context, fracas_fragments_fracture(all, whole, &fracture, parts));
    const frc_object* object = frc_fragments_get(all, parts[0])->object;
    uint32_t checked = 0;
    for (uint32_t i = 0; i < shape.point_count; i++) {
        const uint32_t* corner = solid->tets[frc_solid_find_tet(solid, shape.points[i])];
        const uint32_t owner = object->nodes[i].fragment;
        bool alone = true;
        for (int k = 0; k < 4; k++) alone &= object->nodes[corner[k]].fragment == owner;
        for (int f = 0; f < 2 && alone; f++) {
            fracas_depth d;
            KIT_OK(context, fracas_fragments_locate(all, parts[f], shape.points[i], &d));
            assert_int_equal(d.inside, parts[f].index == owner);
        }
        checked += alone;
    }
    assert_true(checked > 50);
    fracas_fracture_pattern_destroy(pattern);
    free(cuts);
    fracas_fragments_destroy(all);
    fracas_solid_destroy(solid);
    kit_free(&shape);
    fracas_context_destroy(context);
}

// The same with the other modes; published ones may be wrong by whole cubes.
static void other_modes(void** state) {
    (void)state;
    uint64_t random = 8;
    static const double least[] = {0, 7, 7, 1e-12}, most[] = {0, 7, 7, 0.5};
    for (int mode = FRACAS_FIELD_UPDATE_VISIT_ONCE; mode <= FRACAS_FIELD_UPDATE_EXACT; mode++) {
        broken b = make(1, kit_angle, 1, 5, (fracas_field_update)mode);
        for (int round = 0; round < 3; round++) {
            check_points(&b, share_of(500), &random, least[mode], most[mode]);
            break_part(&b, (uint32_t)round % b.count, 4, &random);
        }
        destroy(&b);
    }
}

// Nodes several tetrahedra away from a plane crack: distances reach them.
static void far_from_the_crack(void** state) {
    (void)state;
    const uint32_t n[3] = {12, 10, 10};
    fracas_context* context = kit_context(1, NULL);
    kit_shape shape = kit_lattice(n, kit_box, 1, 0, 1);
    fracas_solid* solid = kit_solid(context, &shape);
    fracas_fragments* all;
    fracas_fragment whole, parts[2];
    fracas_fracture_pattern* pattern;
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    const double point[3] = {4.5, 0, 0}, normal[3] = {1, 0, 0};
    KIT_OK(context, fracas_fracture_pattern_create_plane(all, whole, point, normal, &pattern));
    const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    KIT_OK(context, fracas_fragments_fracture(all, whole, &fracture, parts));
    uint32_t near_crack = 0;
    for (uint32_t i = 0; i < shape.point_count; i++) {
        const double* p = shape.points[i];
        double side = INFINITY;
        for (int k = 0; k < 3; k++) side = fmin(side, fmin(p[k], n[k] - p[k]));
        const double truth = fmin(side, fabs(p[0] - 4.5));
        fracas_depth d;
        KIT_OK(context, fracas_fragments_locate(all, parts[fracture.node_parts[i]], p, &d));
        assert_true(d.inside);
        if (d.depth < truth - 1e-12 || d.depth > 1.06 * truth + 1e-12)
            fail_msg("node (%g, %g, %g): depth %g instead of %g", p[0], p[1], p[2], d.depth, truth);
        near_crack += truth < side && truth > 2;
    }
    assert_true(near_crack > 20);
    fracas_fracture_pattern_destroy(pattern);
    fracas_fragments_destroy(all);
    fracas_solid_destroy(solid);
    kit_free(&shape);
    fracas_context_destroy(context);
}

// A fracture of one fragment changes no answer about another.
static void others_unchanged(void** state) {
    (void)state;
    uint64_t random = 9;
    broken b = make(1, kit_ball, 1, 2, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    break_part(&b, 0, 5, &random);
    const uint32_t before = b.count;
    enum { POINTS = 2000 };
    static double points[POINTS][3];
    fracas_depth* depths = malloc(sizeof *depths * POINTS * before);
    assert_non_null(depths);
    for (uint32_t i = 0; i < POINTS; i++) random_point(&b, &random, points[i]);
    for (uint32_t part = 1; part < before; part++)
        for (uint32_t i = 0; i < POINTS; i++)
            KIT_OK(b.context, fracas_fragments_locate(b.all, b.parts[part], points[i],
                                                      &depths[part * POINTS + i]));
    break_part(&b, 0, 5, &random);
    assert_true(b.count > before);
    KIT_OK(b.context, fracas_fragments_remove(b.all, b.parts[0]));
    uint32_t inside = 0;
    for (uint32_t part = 1; part < before; part++)
        for (uint32_t i = 0; i < POINTS; i++) {
            fracas_depth now;
            const fracas_depth* d = &depths[part * POINTS + i];
            KIT_OK(b.context, fracas_fragments_locate(b.all, b.parts[part], points[i], &now));
            assert_true(now.inside == d->inside && now.depth == d->depth);
            assert_memory_equal(now.direction, d->direction, sizeof d->direction);
            inside += d->inside;
        }
    assert_true(inside > 100);
    free(depths);
    destroy(&b);
}

// ---- threads

typedef struct asking {
    broken* b;
    uint64_t hash;
} asking;

static void* ask(void* data) {
    asking* a = data;
    uint64_t random = 10, hash = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        double p[3];
        fracas_depth d;
        random_point(a->b, &random, p);
        KIT_OK(a->b->context,
               fracas_fragments_locate(a->b->all, a->b->parts[i % a->b->count], p, &d));
        uint64_t bits;
        memcpy(&bits, &d.depth, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3ull;
    }
    a->hash = hash;
    return NULL;
}

// The same bits for any number of workers, and from several threads at once.
static void threads(void** state) {
    (void)state;
    uint64_t first = 0;
    for (uint32_t workers = 1; workers <= 3; workers++) {
        uint64_t random = 9;
        broken b = make(workers, kit_hollow, 1, 4, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
        break_part(&b, 0, 6, &random);
        asking asked[3];
        pthread_t thread[3];
        for (int i = 0; i < 3; i++) {
            asked[i] = (asking){&b, 0};
            assert_int_equal(pthread_create(&thread[i], NULL, ask, &asked[i]), 0);
        }
        for (int i = 0; i < 3; i++) pthread_join(thread[i], NULL);
        if (workers == 1) first = asked[0].hash;
        for (int i = 0; i < 3; i++) assert_true(asked[i].hash == first);
        destroy(&b);
    }
}

static void refused(void** state) {
    (void)state;
    broken b = make(1, kit_box, 1, 1, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    fracas_depth d;
    const double bad[3] = {0, INFINITY, 0}, good[3] = {1, 1, 1};
    KIT_REFUSED(b.context, fracas_fragments_locate(b.all, b.parts[0], bad, &d),
                FRACAS_ERROR_BAD_DATA, "coordinate 1");
    const fracas_fragment stale = {b.parts[0].index, b.parts[0].generation + 1};
    KIT_REFUSED(b.context, fracas_fragments_locate(b.all, stale, good, &d),
                FRACAS_ERROR_STALE_HANDLE, "does not exist");
    KIT_REFUSED(b.context, fracas_fragments_locate(b.all, (fracas_fragment){0, 0}, good, &d),
                FRACAS_ERROR_STALE_HANDLE, "does not exist");
    KIT_REFUSED(b.context, fracas_fragments_locate(b.all, (fracas_fragment){9, 1}, good, &d),
                FRACAS_ERROR_STALE_HANDLE, "fragment 9");
    destroy(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_at_nodes), cmocka_unit_test(closest_point),
        cmocka_unit_test(other_modes),   cmocka_unit_test(far_from_the_crack),
        cmocka_unit_test(inside),        cmocka_unit_test(others_unchanged),
        cmocka_unit_test(threads),       cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
