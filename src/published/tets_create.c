/// @file tets_create.c  Create a fracas_tets with a published method; the published tests, which
/// are rounded.
#include "fracas/published_tets.h"
#include "published/tets_methods.h"
#include "tets/narrow_phase.h"

fracas_published_tets_options fracas_published_tets_default_options(void) {
    return (fracas_published_tets_options){.struct_size = sizeof(fracas_published_tets_options),
                                           .method = FRACAS_PUBLISHED_TETS_METHOD_TESCHNER};
}

static void subtract(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

// The determinant of three columns.
static double volume(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Based on: teschner2003. p = t[0] + A beta, solved by Cramer's rule. A comparison with the NaN or
// infinity of a flat tetrahedron is false.
static bool has_barycentric(const double p[3], const double* const t[4]) {
    double a[3], b[3], c[3], d[3];
    subtract(t[1], t[0], a), subtract(t[2], t[0], b), subtract(t[3], t[0], c);
    subtract(p, t[0], d);
    const double all = volume(a, b, c);
    const double x = volume(d, b, c) / all, y = volume(a, d, c) / all, z = volume(a, b, d) / all;
    return x >= 0 && y >= 0 && z >= 0 && x + y + z <= 1;
}

// Based on: teschner2003. Each face in turn: the point must be on the side of the fourth corner,
// which is that of the orientation, and alternates when the corners are rotated.
static bool has_half_spaces(const double p[3], const double* const t[4]) {
    double a[3], b[3], c[3];
    subtract(t[2], t[1], a), subtract(t[3], t[1], b), subtract(t[0], t[1], c);
    double side = volume(a, b, c);
    for (int i = 0; i < 4; i++, side = -side) {
        const double* o = t[(i + 1) & 3];
        subtract(t[(i + 2) & 3], o, a), subtract(t[(i + 3) & 3], o, b), subtract(p, o, c);
        const double point = volume(a, b, c);
        if (!(side > 0 ? point >= 0 : side < 0 && point <= 0)) return false;
    }
    return true;
}

static void decide_rounded(frc_tets_narrow_phase* n,
                           bool (*has)(const double p[3], const double* const t[4])) {
    for (uint32_t i = 0; i < n->count; i++) {
        const double* corners[4];
        frc_tets_corner_points(n->tets, n->candidate_tets[i], corners);
        if (has(n->tets->vertices.data[n->vertices[i]].at, corners))
            frc_tets_add_pair(n, n->vertices[i], n->candidate_tets[i]);
    }
}

static void decide_barycentric(frc_tets_narrow_phase* n) { decide_rounded(n, has_barycentric); }
static void decide_half_spaces(frc_tets_narrow_phase* n) { decide_rounded(n, has_half_spaces); }

fracas_status fracas_published_tets_create(fracas_context* context,
                                           const fracas_tets_options* options,
                                           const fracas_published_tets_options* given,
                                           fracas_tets** out) {
    static const frc_tets_method* const methods[] = {
        [FRACAS_PUBLISHED_TETS_METHOD_SORTED_CELLS] = &frc_tets_sorted_cells,
        [FRACAS_PUBLISHED_TETS_METHOD_TESCHNER] = &frc_tets_teschner,
        [FRACAS_PUBLISHED_TETS_METHOD_TESCHNER_ONE_PASS] = &frc_tets_teschner_one_pass,
        [FRACAS_PUBLISHED_TETS_METHOD_BVH] = &frc_tets_bvh};
    static const frc_hash_function functions[] = {
        [FRACAS_PUBLISHED_TETS_HASH_XOR] = FRC_HASH_XOR,
        [FRACAS_PUBLISHED_TETS_HASH_ADDITIVE] = FRC_HASH_ADD,
        [FRACAS_PUBLISHED_TETS_HASH_ROTATING] = FRC_HASH_ROTATE};
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(context, "fracas_published_tets_create", "out");
    const fracas_published_tets_options published =
        given ? *given : fracas_published_tets_default_options();
    if (published.struct_size != sizeof published)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "fracas_published_tets_options is not initialised: start from "
                        "fracas_published_tets_default_options()");
    if ((unsigned)published.method > FRACAS_PUBLISHED_TETS_METHOD_BVH)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "method %d is not a fracas_published_tets_method", (int)published.method);
    if ((unsigned)published.hash > FRACAS_PUBLISHED_TETS_HASH_ROTATING)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "hash %d is not a fracas_published_tets_hash", (int)published.hash);
    if ((unsigned)published.test > FRACAS_PUBLISHED_TETS_TEST_HALF_SPACES)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                        "test %d is not a fracas_published_tets_test", (int)published.test);
    const frc_tets_method* method = methods[published.method];
    const fracas_status status = frc_tets_create(context, options, method, out);
    if (status != FRACAS_OK) return status;
    if (method == &frc_tets_teschner || method == &frc_tets_teschner_one_pass) {
        frc_teschner* teschner = (*out)->method_state;
        teschner->table_size = published.table_size;
        teschner->function = functions[published.hash];
    }
    if (published.test == FRACAS_PUBLISHED_TETS_TEST_BARYCENTRIC)
        (*out)->decide = decide_barycentric;
    if (published.test == FRACAS_PUBLISHED_TETS_TEST_HALF_SPACES)
        (*out)->decide = decide_half_spaces;
    return FRACAS_OK;
}
