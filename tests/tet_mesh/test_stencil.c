// The stencils. Angles of all extreme cases: every corner is inside, outside, or on the surface,
// there moved by the largest distance in one of 14 directions or not at all, and every cut is as
// near to one of its ends as warping permits. Between the extremes, random signs and cuts on a
// whole lattice. Labelle and Shewchuk (2007) state the bounds 10.7843 and 164.7417 degrees for a
// uniform lattice.
#include "base/array.h"
#include "share.h"
#include "tet_mesh/stuffing.h"
#include "tet_mesh_kit.h"

#define LEAST_ANGLE 10.78
#define LARGEST_ANGLE 164.74
#define LEAST_HEIGHT 0.05  // of a tetrahedron, in cells; as lattice.c says

typedef struct extremes {
    double least, largest, height;
} extremes;

static void measure(double p[4][3], extremes* e) {
    double normal[4][3];
    for (int i = 0; i < 4; i++) {
        const double *a = p[(i + 1) % 4], *b = p[(i + 2) % 4], *c = p[(i + 3) % 4];
        double u[3], v[3], length = 0, height = 0;
        for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], v[k] = c[k] - a[k];
        for (int k = 0; k < 3; k++) {
            normal[i][k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            length += normal[i][k] * normal[i][k];
            height += normal[i][k] * (a[k] - p[i][k]);
        }
        // Outward: away from corner i.
        length = height > 0 ? sqrt(length) : -sqrt(length);
        for (int k = 0; k < 3; k++) normal[i][k] /= length;
        e->height = fmin(e->height, height / length);
        for (int j = 0; j < i; j++) {
            double cosine = 0;
            for (int k = 0; k < 3; k++) cosine -= normal[i][k] * normal[j][k];
            const double angle = 180 / KIT_PI * acos(fmax(-1, fmin(1, cosine)));
            e->least = fmin(e->least, angle), e->largest = fmax(e->largest, angle);
        }
    }
}

// ---- extreme cases of one lattice tetrahedron

typedef struct single {
    frc_stuffing s;
    frc_lattice_tet tet;
    int8_t sign[189];  // of the nodes of 4 x 4 x 4 cells
    uint32_t active_of_node[189];
    frc_active active[4];
} single;

static double alpha(uint32_t direction) {
    return direction % FRC_EDGES < FRC_LONG_EDGES ? FRC_ALPHA_LONG : FRC_ALPHA_SHORT;
}

static void make_single(single* one, bool far_parity) {
    static const uint32_t x[4][3] = {
        {3, 3, 3},
        {3, 5, 3},
        {4, 4, 4},
        {4, 4, 2}
    };
    *one = (single){0};
    frc_lattice* l = &one->s.lattice;
    l->cell = 1, l->first_odd = 125, l->node_count = 189, l->sign = one->sign;
    for (int k = 0; k < 3; k++) l->cells[k] = 4;
    one->s.active = one->active, one->s.active_count = 4;
    one->s.active_of_node = one->active_of_node;
    memset(one->active_of_node, 0xff, sizeof one->active_of_node);
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(one->tet.x[i], x[i], sizeof x[i]);
        // The parity rule then chooses the other ends.
        if (far_parity) one->tet.x[i][0] -= 2;
        one->tet.node[i] = frc_lattice_node(l, one->tet.x[i]);
        one->active_of_node[one->tet.node[i]] = i;
        memcpy(one->active[i].x, one->tet.x[i], sizeof x[i]);
    }
}

// Place corner i, which is on the surface: case 14 does not move it. Returns the corner that it is
// moved towards; -1: another node.
static int place(single* one, int i, uint32_t direction) {
    double* at = one->active[i].at;
    frc_lattice_position(&one->s.lattice, one->tet.x[i], at);
    if (direction == FRC_DIRECTIONS) return -1;
    uint32_t y[3];
    frc_lattice_neighbour(&one->s.lattice, one->tet.x[i], direction, y);
    for (int k = 0; k < 3; k++)
        at[k] += 0.5 * alpha(direction) * frc_lattice_directions[direction][k];
    return (int)one->active_of_node[frc_lattice_node(&one->s.lattice, y)];
}

static void cut(single* one, int i, int j, bool far) {
    for (uint32_t d = 0; d < FRC_DIRECTIONS; d++) {
        uint32_t y[3];
        if (!frc_lattice_neighbour(&one->s.lattice, one->tet.x[i], d, y) ||
            memcmp(y, one->tet.x[j], sizeof y) != 0)
            continue;
        const double t = far ? 1 - alpha(d) : alpha(d);
        if (d < FRC_EDGES)
            one->active[i].t[d] = t;
        else
            one->active[j].t[d - FRC_EDGES] = 1 - t;
    }
}

// All extreme cases of the signs in `one`.
static uint32_t try_signs(single* one, extremes* e) {
    const int8_t* sign[4];
    uint32_t cases = 1, tried = 0;
    for (int i = 0; i < 4; i++) {
        sign[i] = &one->sign[one->tet.node[i]];
        if (!*sign[i]) cases *= FRC_DIRECTIONS + 1;
        for (int j = 0; j < i; j++)
            if (*sign[i] * *sign[j] < 0) cases *= 2;
    }
    for (uint32_t c = 0; c < cases; c++) {
        uint32_t rest = c;
        int towards[4] = {-1, -1, -1, -1};
        bool possible = true;
        for (int i = 0; i < 4; i++) {
            frc_lattice_position(&one->s.lattice, one->tet.x[i], one->active[i].at);
            if (*sign[i]) continue;
            towards[i] = place(one, i, rest % (FRC_DIRECTIONS + 1));
            rest /= FRC_DIRECTIONS + 1;
        }
        // Of two neighbours only one is attracted by the cut between them.
        for (int i = 0; i < 4; i++) possible &= towards[i] < 0 || towards[towards[i]] != i;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                if (*sign[i] * *sign[j] < 0) cut(one, i, j, rest % 2), rest /= 2;
        if (!possible) continue;
        frc_vertex_ref parts[3][4];
        const uint32_t count = frc_stencil(&one->s, &one->tet, parts);
        for (uint32_t k = 0; k < count; k++, tried++) {
            double p[4][3];
            for (int i = 0; i < 4; i++) frc_stuffing_place(&one->s, parts[k][i], p[i]);
            assert_int_equal(frc_orient3d(p[0], p[1], p[2], p[3]), 1);
            measure(p, e);
        }
    }
    return tried;
}

static void extreme_cases(void** state) {
    (void)state;
    extremes e = {180, 0, 1};
    uint32_t tried = 0;
    for (int signs = 0; signs < 2 * 81; signs++) {
        single one;
        make_single(&one, signs >= 81);
        for (int i = 0, rest = signs % 81; i < 4; i++, rest /= 3)
            one.sign[one.tet.node[i]] = (int8_t)(rest % 3 - 1);
        tried += try_signs(&one, &e);
    }
    print_message("%u extreme tetrahedra: angles %.4f to %.4f, least height %.4f\n", tried, e.least,
                  e.largest, e.height);
    assert_true(tried > 20000);
    assert_true(e.least >= LEAST_ANGLE && e.largest <= LARGEST_ANGLE);
    assert_true(e.height >= LEAST_HEIGHT);
}

// ---- a random lattice

// A lattice of n^3 cells with random signs inside and -1 at the border.
static void make_lattice(frc_stuffing* s, uint32_t n, double share, uint64_t* random) {
    frc_lattice* l = &s->lattice;
    l->cell = 1;
    for (int k = 0; k < 3; k++) l->cells[k] = n, l->origin[k] = 0;
    l->first_odd = (n + 1) * (n + 1) * (n + 1);
    l->node_count = l->first_odd + n * n * n;
    l->sign = frc_allocate(s->context, frc_array_size(l->node_count, 1));
    for (uint32_t i = 0; i < l->node_count; i++) {
        uint32_t x[3];
        bool border = false;
        frc_lattice_coordinates(l, i, x);
        assert_int_equal(frc_lattice_node(l, x), i);
        for (int k = 0; k < 3; k++) border |= x[k] < 3 || x[k] + 3 > 2 * n;
        l->sign[i] = !border && kit_real(random) < share ? 1 : -1;
    }
}

// Any place; or one of those at which angles are extreme.
static double random_cut(double most, uint64_t* random) {
    switch (kit_random(random) % 8) {
    case 0:
        return most;
    case 1:
        return 1 - most;
    case 2:
        return nextafter(most, 0);
    case 3:
        return 1 - nextafter(most, 0);
    default:
        return kit_real(random);
    }
}

// Warping folds no lattice tetrahedron, whatever the signs of its corners are.
static void check_lattice(const frc_stuffing* s) {
    for (uint32_t n = s->lattice.first_odd; n < s->lattice.node_count; n++)
        for (int axis = 0; axis < 3; axis++) {
            frc_lattice_tet around[4];
            uint32_t x[3];
            frc_lattice_coordinates(&s->lattice, n, x);
            if (x[axis] + 2 > 2 * s->lattice.cells[axis]) continue;
            frc_lattice_tets_around(&s->lattice, x, axis, around);
            for (int i = 0; i < 4; i++) {
                double p[4][3];
                for (int k = 0; k < 4; k++) frc_stuffing_place(s, around[i].node[k], p[k]);
                assert_int_equal(frc_orient3d(p[0], p[1], p[2], p[3]), 1);
            }
        }
}

static void fill_lattice(fracas_context* context, uint32_t n, double share, uint64_t* random,
                         fracas_tet_mesh_info* worst) {
    frc_stuffing s = {.context = context, .sharp_cosine = -1};
    fracas_tet_mesh* mesh = frc_allocate_zero(context, sizeof *mesh);
    make_lattice(&s, n, share, random);
    assert_int_equal(frc_stuffing_find_active(&s), FRACAS_OK);
    for (uint32_t i = 0; i < s.active_count; i++)
        for (uint32_t d = 0; d < FRC_EDGES; d++) {
            uint32_t y[3];
            if (frc_lattice_neighbour(&s.lattice, s.active[i].x, d, y) &&
                s.lattice.sign[frc_lattice_node(&s.lattice, y)] != s.lattice.sign[s.active[i].node])
                s.active[i].t[d] = random_cut(alpha(d), random);
        }
    frc_stuffing_warp(&s);
    check_lattice(&s);
    mesh->context = context;
    const fracas_status status = frc_stuffing_fill(&s, mesh);
    if (status == FRACAS_OK) {
        // The fit is measured to some surface.
        kit_surface box = kit_box(1, 1, 1);
        const fracas_mesh_view view = kit_view(&box);
        assert_int_equal(frc_stuffing_read(&s, &view), FRACAS_OK);
        assert_true(frc_surface_build(context, &s.surface, frc_stuffing_points(&s)));
        frc_surface_refit(context, &s.surface, frc_stuffing_points(&s));
        assert_int_equal(frc_stuffing_measure(&s, mesh), FRACAS_OK);
        kit_free(&box);
        kit_check(context, mesh, false);
        worst->dihedral_min = fmin(worst->dihedral_min, mesh->info.dihedral_min);
        worst->dihedral_max = fmax(worst->dihedral_max, mesh->info.dihedral_max);
        worst->quality_min = fmin(worst->quality_min, mesh->info.quality_min);
        worst->tets += mesh->info.tets;
        frc_surface_release(context, &s.surface);
        frc_release(context, s.points, frc_array_size(s.point_count, sizeof *s.points));
    }
    fracas_tet_mesh_destroy(mesh);
    frc_release(context, s.lattice.sign, frc_array_size(s.lattice.node_count, 1));
    frc_release(context, s.active, frc_array_size(s.active_count, sizeof *s.active));
    frc_release(context, s.active_of_node,
                frc_array_size(s.lattice.node_count, sizeof *s.active_of_node));
}

static void random_lattices(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    fracas_tet_mesh_info worst = {.dihedral_min = 180, .quality_min = 1};
    uint64_t random = 7;
    for (uint32_t round = 0; round < share_of(60); round++)
        fill_lattice(context, 8, 0.1 + 0.8 * kit_real(&random), &random, &worst);
    print_message("%u tetrahedra: angles %.4f to %.4f, quality %.4f\n", worst.tets,
                  worst.dihedral_min, worst.dihedral_max, worst.quality_min);
    assert_true(worst.dihedral_min >= LEAST_ANGLE && worst.dihedral_max <= LARGEST_ANGLE);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extreme_cases),
        cmocka_unit_test(random_lattices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
