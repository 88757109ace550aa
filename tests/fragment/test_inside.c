// Inside at a million points per fragment: equal to the winding number of its closed surface, which
// is found by counting triangles above the point with exact signs.
//
// Corners of surfaces and of cells are rounded, so points nearer to the surface than 1e-12 of the
// size may be on either side. Every second point is near the surface, down to that distance.
#include "fragment_kit.h"
#include "share.h"

enum { POINTS = 1000000, MOST = 32 };
#define SHELL 1e-12

// Bounds of a triangle; copied, because most of the time is spent here.
typedef struct bounds {
    double x_most, y_least, y_most, z_most;
} bounds;

static bounds* list_bounds(const fracas_mesh_view* mesh) {
    bounds* list = malloc(mesh->triangle_count * sizeof *list);
    assert_non_null(list);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        list[t] = (bounds){-INFINITY, INFINITY, -INFINITY, -INFINITY};
        for (int i = 0; i < 3; i++) {
            const double* c = kit_corner(mesh, t, i);
            list[t].x_most = fmax(list[t].x_most, c[0]);
            list[t].y_least = fmin(list[t].y_least, c[1]);
            list[t].y_most = fmax(list[t].y_most, c[1]);
            list[t].z_most = fmax(list[t].z_most, c[2]);
        }
    }
    return list;
}

// How often the surface winds around a point: the sum of the triangles above it, by their sense
// seen from above. An edge is to the right of the point or not, for both of its triangles.
static int count_above(const fracas_mesh_view* mesh, const bounds* list, const double p[3]) {
    int sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const bounds* b = &list[t];
        if (b->x_most < p[0] || b->y_least > p[1] || b->y_most < p[1] || b->z_most < p[2]) continue;
        const double* c[3];
        int turns = 0;
        for (int i = 0; i < 3; i++) c[i] = kit_corner(mesh, t, i);
        for (int i = 0; i < 3; i++) {
            const double *from = c[i], *to = c[(i + 1) % 3];
            const bool upward = from[1] <= p[1];
            if (upward == (to[1] <= p[1])) continue;
            if (frc_orient2d(from, to, p) == (upward ? 1 : -1)) turns += upward ? 1 : -1;
        }
        if (turns != 0 && frc_orient3d(c[0], c[1], c[2], p) == -turns) sum += turns;
    }
    return sum;
}

// Anywhere in the box of the fragment, or at a random distance from its surface.
static void choose_point(const fracas_fragment_info* info, const fracas_mesh_view* mesh,
                         double size, uint64_t* random, double p[3]) {
    for (int k = 0; k < 3; k++) {
        const double margin = 0.1 * (info->box_max[k] - info->box_min[k]);
        p[k] = kit_uniform(random, info->box_min[k] - margin, info->box_max[k] + margin);
    }
    if (kit_random(random) % 2) return;
    const uint32_t triangle = (uint32_t)(kit_random(random) % mesh->triangle_count);
    double weights[3], sum = 0;
    for (int i = 0; i < 3; i++) sum += weights[i] = kit_uniform(random, 0, 1);
    const double way = size * pow(10, kit_uniform(random, -12, -1));
    for (int k = 0; k < 3; k++) {
        p[k] = way * kit_uniform(random, -1, 1);
        for (int i = 0; i < 3; i++) p[k] += weights[i] / sum * kit_corner(mesh, triangle, i)[k];
    }
}

typedef struct counts {
    uint64_t points, inside, in_shell, wrong;
} counts;

static void check_fragment(fracas_context* context, const fracas_fragments* all,
                           fracas_fragment fragment, double size, uint64_t* random, counts* sum) {
    fracas_fragment_surface* surface;
    fracas_fragment_info info;
    uint64_t inside = 0;
    KIT_OK(context, fracas_fragments_get_info(all, fragment, &info));
    KIT_OK(context, fracas_fragment_surface_create(all, fragment, &surface));
    const fracas_mesh_view mesh = fracas_fragment_surface_get_view(surface);
    bounds* list = list_bounds(&mesh);
    const uint32_t points = share_of(POINTS);
    for (uint32_t i = 0; i < points; i++) {
        double p[3];
        fracas_depth d;
        choose_point(&info, &mesh, size, random, p);
        KIT_OK(context, fracas_fragments_locate(all, fragment, p, &d));
        const int winding = count_above(&mesh, list, p);
        inside += d.inside;
        if (winding == d.inside) {
            // The oracle itself, by solid angles.
            if (i % 5000 == 0 && kit_distance(&mesh, p) > 1e-6 * size)
                assert_float_equal(kit_winding(&mesh, p), winding, 1e-6);
        } else if (kit_distance(&mesh, p) < SHELL * size) {
            sum->in_shell++;
        } else {
            sum->wrong++;
            print_message("(%.17g, %.17g, %.17g): winding number %d, inside %d\n", p[0], p[1], p[2],
                          winding, d.inside);
        }
    }
    assert_true(inside > points / 10 && inside < points - points / 10);
    sum->points += points;
    sum->inside += inside;
    free(list);
    fracas_fragment_surface_destroy(surface);
}

static void a_million_points(void** state) {
    (void)state;
    static const struct {
        kit_mask* mask;
        double size;
    } shapes[] = {
        {kit_box,    1    },
        {kit_angle,  1e-30},
        {kit_hollow, 1e30 },
        {kit_ball,   0.01 },
    };
    const uint32_t n[3] = {3, 3, 3};
    counts sum = {0};
    uint32_t fragments = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        uint64_t random = 31 + i;
        fracas_context* context = kit_context(1, NULL);
        kit_shape shape = kit_lattice(n, shapes[i].mask, shapes[i].size, 0.1, random);
        fracas_solid* solid = kit_solid(context, &shape);
        fracas_fragments* all;
        fracas_fragment parts[MOST], again[MOST];
        KIT_OK(context, fracas_fragments_create(context, NULL, &all));
        KIT_OK(context, fracas_fragments_add(all, solid, &parts[0]));
        uint32_t count = kit_break(context, all, parts[0], 3, &random, parts, MOST);
        assert_true(count > 1);
        // Cracks through cracks.
        const uint32_t more = kit_break(context, all, parts[0], 3, &random, again, MOST - count);
        if (more > 0) parts[0] = again[0];
        for (uint32_t k = 1; k < more; k++) parts[count++] = again[k];
        for (uint32_t k = 0; k < count; k++)
            check_fragment(context, all, parts[k], shapes[i].size, &random, &sum);
        fragments += count;
        fracas_fragments_destroy(all);
        fracas_solid_destroy(solid);
        kit_free(&shape);
        fracas_context_destroy(context);
    }
    print_message("%u fragments, %llu points, %llu inside; %llu differ nearer than the limit, "
                  "%llu others\n",
                  fragments, (unsigned long long)sum.points, (unsigned long long)sum.inside,
                  (unsigned long long)sum.in_shell, (unsigned long long)sum.wrong);
    assert_true(fragments > 12);
    assert_int_equal(sum.wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
