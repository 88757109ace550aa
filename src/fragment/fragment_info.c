/// @file fragment_info.c  Volume, centre of mass and inertia of a fragment.
///
/// Sums over its whole tetrahedra, and over the six tetrahedra of each of its cells in cut ones.
/// For a tetrahedron of volume V with corners c_a, relative to any point:
/// integral of x_i = V / 4 * sum_a c_ai,
/// integral of x_i x_j = V / 20 * (sum_a c_ai c_aj + (sum_a c_ai) (sum_a c_aj)).
#include "fragment/fragments.h"
#include "fragment/locate.h"
#include "geom/vec3.h"
#include <string.h>

typedef struct moments {
    const double* origin;
    double volume, first[3], second[6];  // xx, yy, zz, xy, yz, zx
} moments;

static void add_tet(moments* m, const double* const corner[4]) {
    double c[4][3], e[3][3], cross[3], sum[3];
    for (int a = 0; a < 4; a++) frc_vec3_subtract(corner[a], m->origin, c[a]);
    for (int a = 0; a < 3; a++) frc_vec3_subtract(c[a + 1], c[0], e[a]);
    frc_vec3_cross(e[0], e[1], cross);
    // The tetrahedra of a cell have either orientation.
    const double volume = fabs(frc_vec3_dot(cross, e[2])) / 6;
    m->volume += volume;
    for (int i = 0; i < 3; i++) {
        sum[i] = c[0][i] + c[1][i] + c[2][i] + c[3][i];
        m->first[i] += volume / 4 * sum[i];
    }
    for (int n = 0; n < 6; n++) {
        const int i = n % 3, j = n < 3 ? i : (i + 1) % 3;
        double products = sum[i] * sum[j];
        for (int a = 0; a < 4; a++) products += c[a][i] * c[a][j];
        m->second[n] += volume / 20 * products;
    }
}

static void add_cell(moments* m, const frc_tet_cells* cells, int corner) {
    for (int n = 0; n < 6; n++) {
        const double* part[4];
        frc_crack_cell_part(cells, corner, n, part);
        add_tet(m, part);
    }
}

static void add_box(fracas_fragment_info* info, bool first, const double p[3]) {
    for (int k = 0; k < 3; k++) {
        if (first || p[k] < info->box_min[k]) info->box_min[k] = p[k];
        if (first || p[k] > info->box_max[k]) info->box_max[k] = p[k];
    }
}

static void add_tet_of(const frc_object* object, uint32_t fragment, uint32_t tet, moments* m,
                       fracas_fragment_info* info) {
    info->tets++;
    const double* corners[4];
    frc_solid_corners(object->solid, tet, corners);
    if (!frc_tet_is_cut(object, tet) || frc_count_corners(object, tet, fragment) == 4) {
        add_tet(m, corners);
        return;
    }
    info->cut_tets++;
    frc_tet_cells cells;
    frc_crack_get_cells(object, tet, &cells);
    for (int i = 0; i < 4; i++) {
        if (object->nodes[object->solid->tets[tet][i]].fragment != fragment) continue;
        add_cell(m, &cells, i);
        add_box(info, false, cells.inside);
        for (int j = 0; j < 4; j++) {
            if (j == i) continue;
            add_box(info, false, cells.edges[frc_tet_edge_between[i][j]]);
            add_box(info, false, cells.faces[j]);
        }
    }
}

fracas_status fracas_fragments_get_info(const fracas_fragments* fragments, fracas_fragment fragment,
                                        fracas_fragment_info* out) {
    if (!fragments) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!out) return frc_fail_null(fragments->context, "fracas_fragments_get_info", "out");
    const frc_fragment* f = frc_fragments_get(fragments, fragment);
    if (!f) return FRACAS_ERROR_STALE_HANDLE;
    const frc_object* object = f->object;
    const frc_tet_topology* topology = &object->solid->topology;
    fracas_fragment_info info = {.nodes = f->node_count};
    moments m = {.origin = object->solid->points[f->nodes[0]]};
    for (uint32_t i = 0; i < f->node_count; i++) {
        const uint32_t node = f->nodes[i];
        add_box(&info, i == 0, object->solid->points[node]);
        for (uint32_t k = topology->tet_begins[node]; k < topology->tet_begins[node + 1]; k++)
            if (frc_first_node(object, topology->tets[k], fragment.index) == node)
                add_tet_of(object, fragment.index, topology->tets[k], &m, &info);
    }
    double centre[3], second[6];
    for (int k = 0; k < 3; k++) centre[k] = m.first[k] / m.volume;
    for (int n = 0; n < 6; n++)
        second[n] = m.second[n] - m.volume * centre[n % 3] * centre[n < 3 ? n : (n + 1) % 3];
    for (int k = 0; k < 3; k++) {
        info.inertia[k] = second[(k + 1) % 3] + second[(k + 2) % 3];
        info.inertia[3 + k] = -second[3 + k];
        info.centre[k] = m.origin[k] + centre[k];
    }
    info.volume = m.volume;
    *out = info;
    return FRACAS_OK;
}
