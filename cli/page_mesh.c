/// @file page_mesh.c  The meshes of a report. A vertex is on a grid of its body with 65,536 cells
/// along each axis; a grid is kept until the body leaves it. A step whose start is the end of the
/// one before is stored by its end alone.
#include "page_mesh.h"
#include "options.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- origin and scale

void cli_page_meshes_point(const cli_page_meshes* meshes, const double from[3], double to[3]) {
    for (int i = 0; i < 3; i++) {
        const double moved = from[i] / meshes->scale - meshes->origin[i] / meshes->scale;
        to[i] = isfinite(moved) ? moved : 0;
    }
}

static void choose_place(cli_page_meshes* meshes, const cli_frame_mesh* frame) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < frame->vertex_count; v++)
        for (int i = 0; i < 3 && frame->present[v]; i++) {
            low[i] = fmin(low[i], fmin(frame->t0[v][i], frame->t1[v][i]));
            high[i] = fmax(high[i], fmax(frame->t0[v][i], frame->t1[v][i]));
        }
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        const bool some = low[i] <= high[i];
        meshes->origin[i] = some ? low[i] / 2 + high[i] / 2 : 0;
        if (some) largest = fmax(largest, high[i] / 2 - low[i] / 2);
    }
    // The box fits into a cube from -1 to 1.
    meshes->scale = largest > DBL_MIN ? largest : 1;
    meshes->placed = true;
}

void cli_page_meshes_place(cli_page_meshes* meshes, cli_frame_mesh* frame) {
    if (!meshes->placed) choose_place(meshes, frame);
    for (uint32_t v = 0; v < frame->vertex_count; v++) {
        cli_page_meshes_point(meshes, frame->t0[v], frame->t0[v]);
        cli_page_meshes_point(meshes, frame->t1[v], frame->t1[v]);
    }
}

// ---- topologies

static uint32_t* copy_numbers(const uint32_t* from, size_t count) {
    uint32_t* copy = cli_allocate(count, sizeof *copy);
    if (count) memcpy(copy, from, count * sizeof *copy);
    return copy;
}

bool cli_page_has_topology(const cli_frame_mesh* f, const cli_page_topology* t) {
    const size_t begins = ((size_t)f->body_count + 1) * sizeof(uint32_t);
    return f->body_count == t->body_count && f->vertex_count == t->vertex_count &&
           f->triangle_count == t->triangle_count &&
           memcmp(f->vertex_begins, t->vertex_begins, begins) == 0 &&
           memcmp(f->triangle_begins, t->triangle_begins, begins) == 0 &&
           (f->triangle_count == 0 ||
            memcmp(f->corners, t->corners, f->triangle_count * sizeof *f->corners) == 0);
}

static size_t topology_bytes(const cli_page_topology* t) {
    return 12 * (size_t)t->triangle_count + 8 * (size_t)t->body_count;
}

static size_t state_bytes(const cli_page_topology* t) {
    return 6 * (size_t)t->vertex_count + sizeof(cli_page_grid) * t->body_count;
}

static void free_topology(cli_page_meshes* m, cli_page_topology* t) {
    if (t->corners) m->bytes -= topology_bytes(t);
    free(t->vertex_begins);
    free(t->triangle_begins);
    free(t->corners);
    t->vertex_begins = t->triangle_begins = NULL;
    t->corners = NULL;
}

// The number of the topology of the frame, which is the last one or new.
static uint32_t find_topology(cli_page_meshes* m, const cli_frame_mesh* f) {
    if (m->topology_count && cli_page_has_topology(f, &m->topologies[m->topology_count - 1]))
        return m->topology_count - 1;
    if (m->topology_count && m->topologies[m->topology_count - 1].keys == 0)
        free_topology(m, &m->topologies[m->topology_count - 1]);
    if (m->topology_count == m->topology_capacity) {
        m->topology_capacity = 2 * m->topology_capacity + 8;
        m->topologies = cli_grow(m->topologies, m->topology_capacity, sizeof *m->topologies);
    }
    cli_page_topology* t = &m->topologies[m->topology_count];
    *t = (cli_page_topology){.body_count = f->body_count,
                             .vertex_count = f->vertex_count,
                             .triangle_count = f->triangle_count};
    t->vertex_begins = copy_numbers(f->vertex_begins, (size_t)f->body_count + 1);
    t->triangle_begins = copy_numbers(f->triangle_begins, (size_t)f->body_count + 1);
    t->corners = cli_allocate(f->triangle_count, sizeof *t->corners);
    if (f->triangle_count) memcpy(t->corners, f->corners, f->triangle_count * sizeof *t->corners);
    m->bytes += topology_bytes(t);
    return m->topology_count++;
}

// ---- states

// A grid half as large again as the body, so that it can move.
static cli_page_grid make_grid(const double low[3], const double high[3]) {
    double extent = 0;
    for (int i = 0; i < 3; i++) extent = fmax(extent, high[i] - low[i]);
    cli_page_grid grid = {.cell = fmax(extent * 1.5 / 65535, 1e-30)};
    for (int i = 0; i < 3; i++)
        grid.origin[i] = low[i] / 2 + high[i] / 2 - grid.cell * (65535.0 / 2);
    return grid;
}

static bool grid_fits(const cli_page_grid* grid, const double low[3], const double high[3]) {
    double extent = 0;
    for (int i = 0; i < 3; i++) {
        if (!(low[i] >= grid->origin[i] && high[i] <= grid->origin[i] + 65535 * grid->cell))
            return false;
        extent = fmax(extent, high[i] - low[i]);
    }
    return extent * 6 >= 65535 * grid->cell;
}

static uint16_t quantize(double x, double origin, double cell) {
    const double place = floor((x - origin) / cell + 0.5);
    return place > 0 ? (uint16_t)fmin(place, 65535) : 0;
}

// `before` is a state of the same topology, whose grids are kept where they fit, or NULL.
cli_page_state cli_page_make_state(const cli_frame_mesh* f, double (*points)[3], uint32_t topology,
                                   const cli_page_state* before) {
    cli_page_state s = {.topology = topology,
                        .grids = cli_allocate(f->body_count, sizeof *s.grids),
                        .places = cli_allocate(f->vertex_count, sizeof *s.places)};
    for (uint32_t b = 0; b < f->body_count; b++) {
        const uint32_t begin = f->vertex_begins[b], end = f->vertex_begins[b + 1];
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (uint32_t v = begin; v < end; v++)
            for (int i = 0; i < 3 && f->present[v]; i++) {
                low[i] = fmin(low[i], points[v][i]);
                high[i] = fmax(high[i], points[v][i]);
            }
        if (low[0] > high[0]) memset(low, 0, sizeof low), memset(high, 0, sizeof high);
        s.grids[b] = before && grid_fits(&before->grids[b], low, high) ? before->grids[b]
                                                                       : make_grid(low, high);
        for (uint32_t v = begin; v < end; v++)
            for (int i = 0; i < 3; i++)
                s.places[v][i] = quantize(points[v][i], s.grids[b].origin[i], s.grids[b].cell);
    }
    return s;
}

static bool equal_states(const cli_page_topology* t, const cli_page_state* a,
                         const cli_page_state* b) {
    return memcmp(a->grids, b->grids, t->body_count * sizeof *a->grids) == 0 &&
           memcmp(a->places, b->places, t->vertex_count * sizeof *a->places) == 0;
}

static void free_state(cli_page_meshes* m, cli_page_state* s) {
    if (s->places) m->bytes -= state_bytes(&m->topologies[s->topology]);
    free(s->grids);
    free(s->places);
    *s = (cli_page_state){0};
}

// ---- keys

uint32_t cli_page_meshes_add(cli_page_meshes* m, const cli_frame_mesh* f, uint32_t step) {
    if (m->given_up) return FRACAS_NONE;
    if (m->stride == 0) m->stride = 1;
    const uint32_t topology = find_topology(m, f);
    const cli_page_topology* t = &m->topologies[topology];
    if (step % m->stride != 0) return topology;
    const cli_page_key* last = m->key_count ? &m->keys[m->key_count - 1] : NULL;
    const cli_page_state* before = last && last->t1.topology == topology ? &last->t1 : NULL;
    cli_page_key key = {.step = step};
    // After steps that are left out the motion continues where it was.
    key.has_t0 = !(before && last->step + 1 < step);
    if (key.has_t0) {
        key.t0 = cli_page_make_state(f, f->t0, topology, before);
        m->bytes += state_bytes(t);
        if (before && equal_states(t, before, &key.t0)) {
            free_state(m, &key.t0);
            key.has_t0 = false;
        }
    }
    key.t1 = cli_page_make_state(f, f->t1, topology, key.has_t0 ? &key.t0 : before);
    m->bytes += state_bytes(t);
    if (m->key_count == m->key_capacity) {
        m->key_capacity = 2 * m->key_capacity + 8;
        m->keys = cli_grow(m->keys, m->key_capacity, sizeof *m->keys);
    }
    m->keys[m->key_count++] = key;
    m->topologies[topology].keys++;
    while (m->bytes > m->most_bytes)
        if (!cli_page_meshes_thin(m)) cli_page_meshes_drop(m);
    return m->given_up ? FRACAS_NONE : topology;
}

// Remove a key. The next one may have begun where it ended, so it gets its end.
static void remove_key(cli_page_meshes* m, cli_page_key* key, const cli_page_key* before,
                       cli_page_key* next) {
    cli_page_topology* t = &m->topologies[key->t1.topology];
    const bool other = !before || before->t1.topology != key->t1.topology;
    if (next && !next->has_t0 && other) {
        next->has_t0 = true;
        next->t0 = key->t1;
        key->t1 = (cli_page_state){0};
    }
    if (key->has_t0) free_state(m, &key->t0);
    free_state(m, &key->t1);
    // The last topology is needed for comparison with the next step.
    if (--t->keys == 0 && t != &m->topologies[m->topology_count - 1]) free_topology(m, t);
}

bool cli_page_meshes_thin(cli_page_meshes* m) {
    if (m->key_count < 2) return false;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < m->key_count; k++) {
        const bool stays = k % 2 == 0;
        cli_page_key* next = k + 1 < m->key_count ? &m->keys[k + 1] : NULL;
        if (stays)
            m->keys[kept++] = m->keys[k];
        else
            remove_key(m, &m->keys[k], &m->keys[kept - 1], next);
    }
    m->key_count = kept;
    m->stride *= 2;
    return true;
}

void cli_page_meshes_drop(cli_page_meshes* m) {
    for (uint32_t k = 0; k < m->key_count; k++) {
        if (m->keys[k].has_t0) free_state(m, &m->keys[k].t0);
        free_state(m, &m->keys[k].t1);
    }
    for (uint32_t t = 0; t < m->topology_count; t++) free_topology(m, &m->topologies[t]);
    m->key_count = m->topology_count = 0;
    m->bytes = 0;
    m->given_up = true;
}

void cli_page_meshes_free(cli_page_meshes* m) {
    cli_page_meshes_drop(m);
    free(m->keys);
    free(m->topologies);
    *m = (cli_page_meshes){0};
}

// ---- packing

static cli_bytes pack(cli_bytes* bytes) {
    cli_bytes packed = cli_bytes_pack(bytes);
    cli_bytes_free(bytes);
    return packed;
}

cli_bytes cli_page_pack_begins(const cli_page_topology* t) {
    cli_bytes bytes = {0};
    for (uint32_t b = 0; b <= t->body_count; b++) cli_bytes_add_u32(&bytes, t->vertex_begins[b]);
    for (uint32_t b = 0; b <= t->body_count; b++) cli_bytes_add_u32(&bytes, t->triangle_begins[b]);
    return pack(&bytes);
}

// Small numbers for small positive and negative differences.
static uint32_t zigzag(uint32_t difference) {
    return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
}

// Four planes of bytes of the differences to the corner before.
cli_bytes cli_page_pack_corners(const cli_page_topology* t) {
    cli_bytes bytes = {0};
    const size_t count = 3 * (size_t)t->triangle_count;
    uint8_t* planes = cli_bytes_extend(&bytes, 4 * count);
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t corner = t->corners[i / 3][i % 3], coded = zigzag(corner - last);
        for (int p = 0; p < 4; p++) planes[(size_t)p * count + i] = (uint8_t)(coded >> 8 * p);
        last = corner;
    }
    return pack(&bytes);
}

cli_bytes cli_page_pack_grids(const cli_page_topology* t, const cli_page_state* s) {
    cli_bytes bytes = {0};
    for (uint32_t b = 0; b < t->body_count; b++) {
        for (int i = 0; i < 3; i++) cli_bytes_add_double(&bytes, s->grids[b].origin[i]);
        cli_bytes_add_double(&bytes, s->grids[b].cell);
    }
    return pack(&bytes);
}

// For each axis a plane of low bytes and one of high bytes.
cli_bytes cli_page_pack_places(const cli_page_topology* t, const cli_page_state* before,
                               const cli_page_state* s) {
    cli_bytes bytes = {0};
    const size_t count = t->vertex_count;
    uint8_t* planes = cli_bytes_extend(&bytes, 6 * count);
    for (int axis = 0; axis < 3; axis++) {
        uint8_t *low = planes + 2 * (size_t)axis * count, *high = low + count;
        for (size_t v = 0; v < count; v++) {
            const uint16_t from = before  ? before->places[v][axis]
                                  : v > 0 ? s->places[v - 1][axis]
                                          : 0;
            const uint16_t difference = (uint16_t)(s->places[v][axis] - from);
            const uint16_t coded = (uint16_t)(difference << 1 ^ (difference >> 15 ? 0xffff : 0));
            low[v] = (uint8_t)coded;
            high[v] = (uint8_t)(coded >> 8);
        }
    }
    return pack(&bytes);
}
