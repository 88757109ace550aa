// Fractures: what is refused, closed surfaces, volumes, patterns, failed allocations.
#include "fragment_kit.h"

enum { PARTS = 64 };

static const uint32_t SIZE[3] = {6, 5, 7};

typedef struct scene {
    test_allocator memory;
    fracas_context* context;
    kit_shape shape;
    fracas_solid* solid;
    fracas_fragments* all;
    fracas_fragment whole;
} scene;

static scene* make(kit_mask* mask, double size, double jitter, fracas_field_update mode) {
    scene* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->context = kit_context(1, &s->memory);
    s->shape = kit_lattice(SIZE, mask, size, jitter, 1);
    s->solid = kit_solid(s->context, &s->shape);
    fracas_fragments_options options = fracas_fragments_default_options();
    options.field_update = mode;
    KIT_OK(s->context, fracas_fragments_create(s->context, &options, &s->all));
    KIT_OK(s->context, fracas_fragments_add(s->all, s->solid, &s->whole));
    return s;
}

static void destroy(scene* s) {
    fracas_fragments_destroy(s->all);
    fracas_solid_destroy(s->solid);
    kit_free(&s->shape);
    fracas_context_destroy(s->context);
    assert_int_equal(atomic_load(&s->memory.blocks), 0);
    free(s);
}

// ---- what is refused

static fracas_status try_cuts(scene* s, uint32_t part_count, const uint32_t* parts,
                              const fracas_cut_edge* cuts, uint32_t cut_count) {
    fracas_fragment out[PARTS];
    return fracas_fragments_fracture(s->all, s->whole,
                                     &(fracas_fracture){part_count, cut_count, parts, cuts}, out);
}

static void bad_fractures(void** state) {
    (void)state;
    scene* s = make(kit_box, 1, 0, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    fracas_context* context = s->context;
    uint32_t parts[8 * 7 * 8];
    for (uint32_t i = 0; i < s->shape.point_count; i++) parts[i] = s->shape.points[i][0] > 2.5;
    // (2, 0, 0) and (3, 0, 0) are points 2 and 3.
    const fracas_cut_edge good = {
        {2, 3},
        0.5
    };
    KIT_REFUSED(context, try_cuts(s, 1, parts, NULL, 0), FRACAS_ERROR_BAD_DATA, "1 parts");
    KIT_REFUSED(context, try_cuts(s, 1000, parts, NULL, 0), FRACAS_ERROR_BAD_DATA, "1000 parts");
    KIT_REFUSED(context, try_cuts(s, 3, parts, NULL, 0), FRACAS_ERROR_BAD_DATA,
                "part 2 has no node");
    parts[17] = 2;
    KIT_REFUSED(context, try_cuts(s, 2, parts, NULL, 0), FRACAS_ERROR_BAD_DATA,
                "node 17 has part 2");
    parts[17] = s->shape.points[17][0] > 2.5;
    KIT_REFUSED(context, try_cuts(s, 2, NULL, NULL, 0), FRACAS_ERROR_INVALID_ARGUMENT,
                "node_parts");
    KIT_REFUSED(context, try_cuts(s, 2, parts, NULL, 1), FRACAS_ERROR_INVALID_ARGUMENT, "cuts");
    fracas_cut_edge cuts[3] = {
        good, {{1, 2}, 0.5 },
         {{3, 2}, 0.25}
    };
    KIT_REFUSED(context, try_cuts(s, 2, parts, cuts, 2), FRACAS_ERROR_BAD_DATA,
                "cut 1: nodes 1 and 2 are of the same part 0");
    cuts[1].node[0] = 999;
    KIT_REFUSED(context, try_cuts(s, 2, parts, cuts, 2), FRACAS_ERROR_BAD_DATA,
                "cut 1: point 999 is not a node");
    cuts[1].node[0] = 6;
    KIT_REFUSED(context, try_cuts(s, 2, parts, cuts, 2), FRACAS_ERROR_BAD_DATA,
                "no tetrahedron has an edge (6, 2)");
    cuts[1] = cuts[2];
    KIT_REFUSED(context, try_cuts(s, 2, parts, cuts, 2), FRACAS_ERROR_BAD_DATA,
                "cuts 0 and 1 are both of edge");
    cuts[0].at = 0;
    KIT_REFUSED(context, try_cuts(s, 2, parts, cuts, 1), FRACAS_ERROR_BAD_DATA, "is at 0");
    cuts[0].at = NAN;
    KIT_REFUSED(context, try_cuts(s, 2, parts, cuts, 1), FRACAS_ERROR_BAD_DATA, "nan");
    // Nothing has changed, and the good one works; then the handle is stale.
    fracas_fragment_info info;
    KIT_OK(context, fracas_fragments_get_info(s->all, s->whole, &info));
    assert_int_equal(info.nodes, 7 * 6 * 8);
    KIT_OK(context, try_cuts(s, 2, parts, &good, 1));
    KIT_REFUSED(context, try_cuts(s, 2, parts, &good, 1), FRACAS_ERROR_STALE_HANDLE,
                "does not exist");
    destroy(s);
}

static void bad_patterns(void** state) {
    (void)state;
    scene* s = make(kit_box, 1, 0, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    const double origin[3] =
        {
            0, 0, 0
    },
                 far[3] = {1e9, 0, 0}, x[3] = {1, 0, 0}, bad[3] = {0, NAN, 0},
                 sites[2][3] = {{0, 0, 0}, {0, 0, INFINITY}};
    fracas_fracture_pattern* pattern;
    KIT_REFUSED(s->context,
                fracas_fracture_pattern_create_plane(s->all, s->whole, far, x, &pattern),
                FRACAS_ERROR_BAD_DATA, "one side of the plane");
    KIT_REFUSED(s->context,
                fracas_fracture_pattern_create_plane(s->all, s->whole, origin, origin, &pattern),
                FRACAS_ERROR_BAD_DATA, "the normal not zero");
    KIT_REFUSED(s->context,
                fracas_fracture_pattern_create_plane(s->all, s->whole, bad, x, &pattern),
                FRACAS_ERROR_BAD_DATA, "finite");
    KIT_REFUSED(s->context,
                fracas_fracture_pattern_create_voronoi(s->all, s->whole, sites, 1, &pattern),
                FRACAS_ERROR_BAD_DATA, "1 sites");
    KIT_REFUSED(s->context,
                fracas_fracture_pattern_create_voronoi(s->all, s->whole, sites, 2, &pattern),
                FRACAS_ERROR_BAD_DATA, "site 1");
    assert_null(pattern);
    destroy(s);
}

// ---- a plane

static void plane(void** state) {
    (void)state;
    scene* s = make(kit_box, 1, 0, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    const double point[3] = {2.25, 0, 0}, normal[3] = {-3, 0, 0};
    fracas_fracture_pattern* pattern;
    fracas_fragment parts[2];
    KIT_OK(s->context,
           fracas_fracture_pattern_create_plane(s->all, s->whole, point, normal, &pattern));
    const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    assert_int_equal(fracture.part_count, 2);
    KIT_OK(s->context, fracas_fragments_fracture(s->all, s->whole, &fracture, parts));
    fracas_fracture_pattern_destroy(pattern);
    // Two boxes: the crack is flat, and edges are cut where the plane crosses them.
    const double lo[2] = {0, 2.25}, hi[2] = {2.25, 6};
    for (int i = 0; i < 2; i++) {
        fracas_fragment_info info;
        const double w = hi[i] - lo[i], volume = w * 5 * 7;
        KIT_OK(s->context, fracas_fragments_get_info(s->all, parts[i], &info));
        assert_float_equal(info.volume, volume, 1e-9);
        assert_float_equal(info.centre[0], (lo[i] + hi[i]) / 2, 1e-9);
        assert_float_equal(info.centre[2], 3.5, 1e-9);
        assert_float_equal(info.inertia[0], volume * (5 * 5 + 7 * 7) / 12, 1e-8);
        assert_float_equal(info.inertia[1], volume * (w * w + 7 * 7) / 12, 1e-8);
        assert_float_equal(info.inertia[2], volume * (w * w + 5 * 5) / 12, 1e-8);
        for (int k = 3; k < 6; k++) assert_float_equal(info.inertia[k], 0, 1e-8);
        assert_float_equal(info.box_min[0], lo[i], 1e-12);
        assert_float_equal(info.box_max[0], hi[i], 1e-12);
        // A point at a distance from the crack.
        const double p[3] = {i == 0 ? 2.25 - 0.125 : 2.25 + 0.125, 2.5, 3.1};
        fracas_depth d;
        KIT_OK(s->context, fracas_fragments_locate(s->all, parts[i], p, &d));
        assert_true(d.inside);
        assert_float_equal(d.depth, 0.125, 1e-12);
        assert_float_equal(d.direction[0], i == 0 ? 1 : -1, 1e-12);
    }
    destroy(s);
}

// The same plane, with every cut measured from its other end.
static void cuts_from_either_end(void** state) {
    (void)state;
    double volume[2];
    for (int turned = 0; turned < 2; turned++) {
        scene* s = make(kit_box, 1, 0, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
        const double point[3] = {2.25, 0, 0}, normal[3] = {-3, 0, 0};
        fracas_fracture_pattern* pattern;
        fracas_fragment parts[2];
        fracas_fragment_info info;
        KIT_OK(s->context,
               fracas_fracture_pattern_create_plane(s->all, s->whole, point, normal, &pattern));
        fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
        fracas_cut_edge* cuts = calloc(fracture.cut_count, sizeof *cuts);
        assert_non_null(cuts);
        for (uint32_t i = 0; i < fracture.cut_count; i++) {
            const fracas_cut_edge* c = &fracture.cuts[i];
            cuts[i] = turned ? (fracas_cut_edge){{c->node[1], c->node[0]}, 1 - c->at} : *c;
        }
        fracture.cuts = cuts;
        KIT_OK(s->context, fracas_fragments_fracture(s->all, s->whole, &fracture, parts));
        KIT_OK(s->context, fracas_fragments_get_info(s->all, parts[0], &info));
        volume[turned] = info.volume;
        assert_true(fabs(info.volume - 2.25 * 35) < 1e-9 || fabs(info.volume - 3.75 * 35) < 1e-9);
        fracas_fracture_pattern_destroy(pattern);
        free(cuts);
        destroy(s);
    }
    assert_float_equal(volume[0], volume[1], 1e-9);
}

// ---- depths far from a crack

// A crack at a quarter of a cube: it is what is nearest to most points, through several
// tetrahedra. Depths are never below the true ones, and hardly above.
static void depths_follow_a_crack(void** state) {
    (void)state;
    enum { N = 10 };
    const uint32_t size[3] = {N, N, N};
    test_allocator memory = {0};
    fracas_context* context = kit_context(1, &memory);
    kit_shape shape = kit_lattice(size, kit_box, 1, 0, 1);
    fracas_solid* solid = kit_solid(context, &shape);
    fracas_fragments* all;
    fracas_fragment whole, parts[2];
    fracas_fracture_pattern* pattern;
    KIT_OK(context, fracas_fragments_create(context, NULL, &all));
    KIT_OK(context, fracas_fragments_add(all, solid, &whole));
    const double point[3] = {2.25, 0, 0}, normal[3] = {1, 0, 0};
    KIT_OK(context, fracas_fracture_pattern_create_plane(all, whole, point, normal, &pattern));
    const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
    KIT_OK(context, fracas_fragments_fracture(all, whole, &fracture, parts));
    fracas_fracture_pattern_destroy(pattern);
    uint64_t random = 99;
    double most = 0, sum = 0;
    uint32_t count = 0, by_crack = 0;
    for (int i = 0; i < 4000; i++) {
        const double p[3] = {kit_uniform(&random, 0, N), kit_uniform(&random, 0, N),
                             kit_uniform(&random, 0, N)};
        double depth = fabs(p[0] - 2.25);
        for (int k = 0; k < 3; k++) depth = fmin(depth, fmin(p[k], N - p[k]));
        by_crack += depth == fabs(p[0] - 2.25);
        for (int f = 0; f < 2; f++) {
            fracas_depth d;
            KIT_OK(context, fracas_fragments_locate(all, parts[f], p, &d));
            if (!d.inside) continue;
            assert_true(d.depth >= depth - 1e-12);
            most = fmax(most, d.depth - depth), sum += d.depth - depth, count++;
        }
    }
    print_message(
        "%u of %u points are nearest to the crack; depths are up to %g and %g in the mean "
        "too large\n",
        by_crack, count, most, sum / count);
    assert_int_equal(count, 4000);
    assert_true(by_crack > 1000 && most < 0.3 && sum / count < 0.01);
    fracas_fragments_destroy(all);
    fracas_solid_destroy(solid);
    kit_free(&shape);
    fracas_context_destroy(context);
}

// The same random cracks with exact distances.
static void depths_are_near_exact_ones(void** state) {
    (void)state;
    double sum = 0, exact = 0, most = 0;
    uint32_t points = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        scene* s[2];
        fracas_fragment parts[2][PARTS];
        uint32_t count[2];
        for (int m = 0; m < 2; m++) {
            uint64_t random = seed;
            s[m] = make(kit_box, 1, 0.1,
                        m ? FRACAS_FIELD_UPDATE_EXACT : FRACAS_FIELD_UPDATE_CLOSEST_POINT);
            count[m] =
                kit_break(s[m]->context, s[m]->all, s[m]->whole, 4, &random, parts[m], PARTS);
        }
        assert_int_equal(count[0], count[1]);
        uint64_t random = 5;
        for (int i = 0; i < 1500; i++) {
            const double p[3] = {kit_uniform(&random, 0, 6), kit_uniform(&random, 0, 5),
                                 kit_uniform(&random, 0, 7)};
            for (uint32_t f = 0; f < count[0]; f++) {
                fracas_depth d[2];
                for (int m = 0; m < 2; m++)
                    KIT_OK(s[m]->context,
                           fracas_fragments_locate(s[m]->all, parts[m][f], p, &d[m]));
                assert_int_equal(d[0].inside, d[1].inside);
                if (!d[0].inside) continue;
                most = fmax(most, d[0].depth - d[1].depth);
                sum += d[0].depth, exact += d[1].depth, points++;
            }
        }
        for (int m = 0; m < 2; m++) destroy(s[m]);
    }
    print_message("%u points: depths are %g %% too large, at most by %g\n", points,
                  100 * (sum / exact - 1), most);
    assert_true(points > 3000 && sum > 0.9999 * exact && sum < 1.007 * exact);
}

// Both arms of a U are cut off: three connected parts.
static bool is_cup(const uint32_t at[3], const uint32_t n[3]) {
    return 3 * at[0] < n[0] || 3 * at[0] >= 2 * n[0] || 3 * at[1] < n[1];
}

static void connected_parts(void** state) {
    (void)state;
    scene* s = make(is_cup, 1, 0.1, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    const double point[3] = {0, 3.5, 0}, normal[3] = {0, 1, 0};
    fracas_fracture_pattern* pattern;
    KIT_OK(s->context,
           fracas_fracture_pattern_create_plane(s->all, s->whole, point, normal, &pattern));
    assert_int_equal(fracas_fracture_pattern_get(pattern).part_count, 3);
    fracas_fracture_pattern_destroy(pattern);
    destroy(s);
}

// ---- closed surfaces

// Tensor of inertia about the origin of coordinates from the surface, xx only: by the divergence
// theorem, the integral of x^2 is that of x^3 / 3 n_x over the surface; with the midpoints of a
// quadrature that is exact for cubics (four points).
static double x_square_moment(const fracas_mesh_view* mesh) {
    static const double at[4][4] = {
        {1 / 3.0, 1 / 3.0, 1 / 3.0, -27 / 48.0},
        {0.6,     0.2,     0.2,     25 / 48.0 },
        {0.2,     0.6,     0.2,     25 / 48.0 },
        {0.2,     0.2,     0.6,     25 / 48.0 }
    };
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const double *a = kit_corner(mesh, t, 0), *b = kit_corner(mesh, t, 1),
                     *c = kit_corner(mesh, t, 2);
        const double nx = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
        for (int q = 0; q < 4; q++) {
            const double x = at[q][0] * a[0] + at[q][1] * b[0] + at[q][2] * c[0];
            sum += at[q][3] * nx / 2 * x * x * x / 3;
        }
    }
    return sum;
}

// Closed, oriented, a manifold, without self-intersections. Returns the volume.
static double check_surface(scene* s, fracas_fragment fragment) {
    fracas_fragment_surface* surface;
    KIT_OK(s->context, fracas_fragment_surface_create(s->all, fragment, &surface));
    const fracas_mesh_view mesh = fracas_fragment_surface_get_view(surface);
    fracas_mesh_info info;
    KIT_OK(s->context, fracas_mesh_describe(s->context, &mesh, &info));
    assert_int_equal(info.boundary_edges, 0);
    assert_int_equal(info.nonmanifold_edges, 0);
    assert_int_equal(info.misoriented_edges, 0);
    assert_int_equal(info.unused_vertices, 0);
    fracas_scene* detector;
    fracas_body body;
    fracas_statistics statistics = {0};
    KIT_OK(s->context, fracas_scene_create(s->context, NULL, &detector));
    KIT_OK(s->context, fracas_scene_add(detector, &mesh, NULL, &body));
    KIT_OK(s->context, fracas_scene_update(detector));
    KIT_OK(s->context,
           fracas_scene_detect(detector, NULL, &(fracas_sink){.statistics = &statistics}));
    for (int k = 0; k < 6; k++) assert_int_equal(statistics.contacts[k], 0);
    fracas_scene_destroy(detector);
    fracas_fragment_info f;
    KIT_OK(s->context, fracas_fragments_get_info(s->all, fragment, &f));
    const double volume = kit_volume(&mesh), xx = x_square_moment(&mesh);
    assert_float_equal(f.volume, volume, 1e-9 * volume);
    const double half = (f.inertia[1] + f.inertia[2] - f.inertia[0]) / 2;
    assert_float_equal(half + volume * f.centre[0] * f.centre[0], xx, 1e-8 * fabs(xx));
    fracas_fragment_surface_destroy(surface);
    return volume;
}

static void closed_surfaces(void** state) {
    (void)state;
    static kit_mask* const masks[] = {kit_box, kit_angle, kit_hollow, kit_ball};
    uint64_t random = 77;
    for (int m = 0; m < 4; m++) {
        scene* s = make(masks[m], 1, 0.1, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
        fracas_fragment parts[PARTS] = {s->whole};
        fracas_solid_info info;
        KIT_OK(s->context, fracas_solid_get_info(s->solid, &info));
        uint32_t count = 1;
        for (uint32_t round = 0; round < 5; round++) {
            double volume = 0;
            for (uint32_t i = 0; i < count; i++) volume += check_surface(s, parts[i]);
            assert_float_equal(volume, info.volume, 1e-9 * info.volume);
            fracas_fragment out[PARTS];
            const uint32_t more =
                kit_break(s->context, s->all, parts[round % count], 3, &random, out, PARTS - count);
            if (more == 0) continue;
            parts[round % count] = out[0];
            for (uint32_t i = 1; i < more; i++) parts[count++] = out[i];
        }
        assert_true(count > 5);
        destroy(s);
    }
}

// Every node its own part: the finest fracture.
static void single_nodes(void** state) {
    (void)state;
    scene* s = make(kit_ball, 1, 0.1, FRACAS_FIELD_UPDATE_CLOSEST_POINT);
    fracas_fragment_info info;
    KIT_OK(s->context, fracas_fragments_get_info(s->all, s->whole, &info));
    uint32_t* parts = calloc(s->shape.point_count, sizeof *parts);
    fracas_fragment* out = calloc(info.nodes, sizeof *out);
    assert_true(parts && out);
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->shape.tet_count; t++)
        for (int i = 0; i < 4; i++)
            if (parts[s->shape.tets[t][i]] == 0) parts[s->shape.tets[t][i]] = ++count;
    assert_int_equal(count, info.nodes);
    for (uint32_t i = 0; i < s->shape.point_count; i++) parts[i]--;
    KIT_OK(s->context, fracas_fragments_fracture(
                           s->all, s->whole,
                           &(fracas_fracture){.part_count = count, .node_parts = parts}, out));
    double volume = 0;
    for (uint32_t i = 0; i < count; i++) volume += check_surface(s, out[i]);
    assert_float_equal(volume, info.volume, 1e-9 * info.volume);
    free(out);
    free(parts);
    destroy(s);
}

// ---- failed allocations

static uint64_t hash_of(scene* s, fracas_fragment fragment) {
    uint64_t hash = 1, random = 5;
    for (int i = 0; i < 500; i++) {
        const double p[3] = {kit_uniform(&random, 0, 6), kit_uniform(&random, 0, 5),
                             kit_uniform(&random, 0, 7)};
        fracas_depth d;
        KIT_OK(s->context, fracas_fragments_locate(s->all, fragment, p, &d));
        uint64_t bits;
        memcpy(&bits, &d.depth, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3ull;
    }
    return hash;
}

static void failed_allocations(void** state) {
    (void)state;
    const double planes[2][2][3] = {
        {{2.6, 0, 0}, {1, 0.1, 0}},
        {{0, 2.5, 0}, {0, 1, 0.1}}
    };
    for (int mode = 0; mode <= FRACAS_FIELD_UPDATE_EXACT; mode += FRACAS_FIELD_UPDATE_EXACT) {
        scene* s = make(kit_angle, 1, 0.1, (fracas_field_update)mode);
        fracas_fragment current = s->whole;
        for (int round = 0; round < 2; round++) {
            const uint64_t before = hash_of(s, current);
            const size_t failures_before = atomic_load(&s->memory.blocks);
            fracas_fragment parts[PARTS];
            size_t n = 1;
            for (;; n++) {
                fracas_fracture_pattern* pattern;
                test_allocator_fail_at(&s->memory, n);
                fracas_status status = fracas_fracture_pattern_create_plane(
                    s->all, current, planes[round][0], planes[round][1], &pattern);
                const fracas_fracture fracture = fracas_fracture_pattern_get(pattern);
                if (status == FRACAS_OK)
                    status = fracas_fragments_fracture(s->all, current, &fracture, parts);
                test_allocator_fail_at(&s->memory, 0);
                fracas_fracture_pattern_destroy(pattern);
                if (status == FRACAS_OK) break;
                assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
                assert_true(hash_of(s, current) == before);
            }
            assert_true(n > 10 && atomic_load(&s->memory.blocks) > failures_before - 5);
            current = parts[0];
            check_surface(s, current);
        }
        destroy(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_fractures),
        cmocka_unit_test(bad_patterns),
        cmocka_unit_test(plane),
        cmocka_unit_test(cuts_from_either_end),
        cmocka_unit_test(depths_follow_a_crack),
        cmocka_unit_test(depths_are_near_exact_ones),
        cmocka_unit_test(connected_parts),
        cmocka_unit_test(closed_surfaces),
        cmocka_unit_test(single_nodes),
        cmocka_unit_test(failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
