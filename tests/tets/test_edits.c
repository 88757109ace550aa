// Splits and merges of tetrahedra: random sequences of edits against a new structure of the same
// tetrahedra, with every method; numbers, bad input, failed allocations, cost.
#include "../scene/test_allocator.h"
#include "../share.h"
#include "tets_kit.h"
#include <math.h>

enum { MOST_BODIES = 12, MOST_POINTS = 1500, MOST_TETS = 2500 };

// What a body must be, by the caller's numbers.
typedef struct model {
    fracas_body handle;
    bool used;
    double points[MOST_POINTS][3];
    uint32_t tets[MOST_TETS][4];
    bool gone[MOST_TETS];
    uint32_t point_count, tet_count;
} model;

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    fracas_tets* tets;
    model* bodies;  // MOST_BODIES
    uint64_t random;
} world;

static uint32_t below(world* w, uint32_t count) {
    return (uint32_t)(kit_random(&w->random) % count);
}

static void create(world* w, kit_method method, uint32_t workers, uint64_t seed) {
    memset(w, 0, sizeof *w);
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    options.allocator =
        (fracas_allocator){test_allocator_allocate, test_allocator_release, &w->memory};
    assert_int_equal(fracas_context_create(&options, &w->context), FRACAS_OK);
    kit_options tets = kit_default_options(method);
    tets.tets.depth = true;
    assert_int_equal(kit_create(w->context, &tets, &w->tets), FRACAS_OK);
    w->bodies = calloc(MOST_BODIES, sizeof *w->bodies);
    assert_non_null(w->bodies);
    w->random = seed;
}

static void destroy(world* w) {
    fracas_tets_destroy(w->tets);
    fracas_context_destroy(w->context);
    free(w->bodies);
    assert_int_equal((long)atomic_load(&w->memory.live), 0);
}

static model* add_box(world* w, uint32_t at) {
    const uint32_t n[3] = {3, 2, 2};
    const double place[3] = {1.3 * kit_real(&w->random), kit_real(&w->random),
                             kit_real(&w->random)};
    kit_body mesh = kit_lattice(n, place, 0.7, 0.15, &w->random);
    const fracas_tet_view view = kit_view(&mesh);
    model* m = &w->bodies[at];
    memset(m, 0, sizeof *m);
    assert_int_equal(fracas_tets_add(w->tets, &view, &m->handle), FRACAS_OK);
    m->used = true, m->point_count = mesh.point_count, m->tet_count = mesh.tet_count;
    memcpy(m->points, mesh.points, mesh.point_count * sizeof *mesh.points);
    memcpy(m->tets, mesh.tets, mesh.tet_count * sizeof *mesh.tets);
    kit_free(&mesh);
    return m;
}

// ---- checks

static void check_elements(const world* w, const model* m) {
    fracas_tets_body_info info;
    uint32_t live = 0, used = 0;
    bool uses[MOST_POINTS] = {false};
    assert_int_equal(fracas_tets_get_body(w->tets, m->handle, &info), FRACAS_OK);
    assert_int_equal(info.vertex_numbers, m->point_count);
    assert_int_equal(info.tet_numbers, m->tet_count);
    for (uint32_t t = 0; t < m->tet_count; t++) {
        uint32_t corners[4];
        const fracas_status status = fracas_tets_get_tet(w->tets, m->handle, t, corners);
        assert_int_equal(status, m->gone[t] ? FRACAS_ERROR_BAD_DATA : FRACAS_OK);
        if (m->gone[t]) continue;
        assert_memory_equal(corners, m->tets[t], sizeof corners);
        live++;
        for (int i = 0; i < 4; i++) uses[corners[i]] = true;
    }
    for (uint32_t v = 0; v < m->point_count; v++) {
        double at[3];
        const fracas_status status = fracas_tets_get_vertex(w->tets, m->handle, v, at);
        assert_int_equal(status, uses[v] ? FRACAS_OK : FRACAS_ERROR_BAD_DATA);
        if (uses[v]) assert_memory_equal(at, m->points[v], sizeof at);
        used += uses[v];
    }
    assert_int_equal(info.tets, live);
    assert_int_equal(info.vertices, used);
}

// The penetrations, and those of a new structure with the numbers that this one has.
static size_t check_penetrations(world* w) {
    fracas_tets_query query = fracas_tets_default_query();
    query.depth = true;
    kit_list list = {0}, fresh = {0};
    kit_detect(w->tets, &query, &list, NULL);
    uint32_t order[MOST_BODIES], count = 0;
    for (uint32_t b = 0; b < MOST_BODIES; b++)
        if (w->bodies[b].used) order[count++] = b;
    for (uint32_t i = 1; i < count; i++)  // by handle
        for (uint32_t k = i;
             k > 0 && w->bodies[order[k]].handle.index < w->bodies[order[k - 1]].handle.index;
             k--) {
            const uint32_t kept = order[k];
            order[k] = order[k - 1], order[k - 1] = kept;
        }
    fracas_context* context = kit_context(1);
    fracas_tets* tets;
    static uint32_t numbers[MOST_BODIES][MOST_TETS], packed[MOST_TETS][4];
    fracas_tets_options options = fracas_tets_default_options();
    options.depth = true;
    assert_int_equal(fracas_tets_create(context, &options, &tets), FRACAS_OK);
    for (uint32_t i = 0; i < count; i++) {
        const model* m = &w->bodies[order[i]];
        uint32_t live = 0;
        for (uint32_t t = 0; t < m->tet_count; t++)
            if (!m->gone[t]) {
                numbers[i][live] = t;
                memcpy(packed[live++], m->tets[t], sizeof *packed);
            }
        const fracas_tet_view view = {
            .points = {.data = m->points, .count = m->point_count},
            .tets = packed[0],
            .tet_count = live
        };
        fracas_body body;
        assert_int_equal(fracas_tets_add(tets, &view, &body), FRACAS_OK);
        check_elements(w, m);
    }
    kit_detect(tets, &query, &fresh, NULL);
    assert_int_equal(list.count, fresh.count);
    for (size_t i = 0; i < list.count; i++) {
        const fracas_penetration *a = &list.data[i], *b = &fresh.data[i];
        const uint32_t x = b->vertex_body.index - 1, y = b->tet_body.index - 1;
        assert_int_equal(a->vertex_body.index, w->bodies[order[x]].handle.index);
        assert_int_equal(a->tet_body.index, w->bodies[order[y]].handle.index);
        assert_int_equal(a->vertex, b->vertex);
        assert_int_equal(a->tet, numbers[y][b->tet]);
        assert_memory_equal(a->barycentric, b->barycentric, sizeof a->barycentric);
        // Corners of faces are in the order of the pools, and edits leave another one.
        assert_true(fabs(a->depth - b->depth) <= 1e-12);
    }
    const size_t found = list.count;
    fracas_tets_destroy(tets);
    fracas_context_destroy(context);
    free(list.data), free(fresh.data);
    return found;
}

// ---- edits of the model, in the order of the header

typedef struct delta {
    fracas_new_tet_vertex vertices[MOST_POINTS];
    fracas_tet_repoint repoints[4 * MOST_TETS];
    uint32_t tets[20][4], removed[MOST_TETS], offsets[3], parts[MOST_TETS];
    fracas_tet_split split;
} delta;

static void finish_delta(delta* d) {
    d->split.struct_size = fracas_tets_default_split().struct_size;
    d->split.new_vertices = d->vertices;
    d->split.repoints = d->repoints;
    d->split.new_tets = d->tets[0];
    d->split.removed_tets = d->removed;
    d->split.part_offsets = d->offsets;
    d->split.part_tets = d->parts;
}

static void apply_in_place(model* m, const delta* d) {
    const fracas_tet_split* s = &d->split;
    for (uint32_t i = 0; i < s->new_vertex_count; i++) {
        const fracas_new_tet_vertex* v = &d->vertices[i];
        double* out = m->points[m->point_count + i];
        for (int k = 0; k < 3; k++) {
            const double a = v->parent_a == FRACAS_NONE ? 0 : m->points[v->parent_a][k];
            const double b = v->parent_b == FRACAS_NONE ? a : m->points[v->parent_b][k];
            const double t = v->parent_b == FRACAS_NONE ? 0 : v->weight;
            out[k] = v->parent_a == FRACAS_NONE ? v->at[k] : (1 - t) * a + t * b;
        }
    }
    m->point_count += s->new_vertex_count;
    for (uint32_t i = 0; i < s->repoint_count; i++)
        m->tets[d->repoints[i].tet][d->repoints[i].corner] = d->repoints[i].vertex;
    memcpy(m->tets[m->tet_count], d->tets, s->new_tet_count * sizeof *d->tets);
    m->tet_count += s->new_tet_count;
    for (uint32_t i = 0; i < s->removed_tet_count; i++) m->gone[d->removed[i]] = true;
}

static void apply_part(model* m, const delta* d, uint32_t p, fracas_body handle, model* part) {
    uint32_t names[MOST_POINTS];
    memset(part, 0, sizeof *part);
    memset(names, 0xff, sizeof names);
    part->handle = handle, part->used = true;
    for (uint32_t i = d->offsets[p]; i < d->offsets[p + 1]; i++)
        for (int k = 0; k < 4; k++) names[m->tets[d->parts[i]][k]] = 0;
    for (uint32_t v = 0; v < m->point_count; v++)
        if (names[v] == 0) {
            memcpy(part->points[part->point_count], m->points[v], sizeof *m->points);
            names[v] = part->point_count++;
        }
    for (uint32_t i = d->offsets[p]; i < d->offsets[p + 1]; i++) {
        for (int k = 0; k < 4; k++) part->tets[part->tet_count][k] = names[m->tets[d->parts[i]][k]];
        part->tet_count++;
        m->gone[d->parts[i]] = true;
    }
}

static model* free_model(world* w) {
    for (uint32_t b = 0; b < MOST_BODIES; b++)
        if (!w->bodies[b].used) return &w->bodies[b];
    return NULL;
}

static model* any_body(world* w) {
    model* m;
    do m = &w->bodies[below(w, MOST_BODIES)];
    while (!m->used);
    return m;
}

// What is on one side of a plane leaves; shared vertices are copied. Sometimes the part is in two
// pieces of the list, and sometimes some is removed and some is new.
static void make_cut(world* w, const model* m, bool leaves, delta* d) {
    static uint32_t copies[MOST_POINTS];
    static bool there[MOST_POINTS], here[MOST_POINTS], side[MOST_TETS];
    const double n[3] = {kit_real(&w->random), kit_real(&w->random), kit_real(&w->random)};
    const double* centre = m->points[below(w, m->point_count)];
    memset(&d->split, 0, sizeof d->split);
    memset(there, 0, sizeof there), memset(here, 0, sizeof here);
    for (uint32_t t = 0; t < m->tet_count; t++) {
        const double* p = m->points[m->tets[t][0]];
        side[t] =
            n[0] * (p[0] - centre[0]) + n[1] * (p[1] - centre[1]) + n[2] * (p[2] - centre[2]) > 0;
        for (int k = 0; k < 4 && !m->gone[t]; k++) (side[t] ? there : here)[m->tets[t][k]] = true;
    }
    for (uint32_t v = 0; v < m->point_count; v++) {
        copies[v] = FRACAS_NONE;
        if (!there[v] || !here[v]) continue;
        copies[v] = m->point_count + d->split.new_vertex_count;
        d->vertices[d->split.new_vertex_count++] = (fracas_new_tet_vertex){v, FRACAS_NONE, 0, {0}};
    }
    uint32_t leaving = 0;
    for (uint32_t t = 0; t < m->tet_count; t++) {
        if (m->gone[t]) continue;
        for (uint32_t k = 0; k < 4 && side[t]; k++)
            if (copies[m->tets[t][k]] != FRACAS_NONE)
                d->repoints[d->split.repoint_count++] =
                    (fracas_tet_repoint){t, k, copies[m->tets[t][k]]};
        if (side[t] && leaves)
            d->parts[leaving++] = t;
        else if (below(w, 12) == 0)
            d->removed[d->split.removed_tet_count++] = t;
    }
    d->offsets[0] = 0, d->offsets[1] = leaving;
    d->split.part_count = leaving > 0;
    finish_delta(d);
}

static void add_new_tets(world* w, const model* m, delta* d) {
    uint32_t live = 0, first = 0;
    for (uint32_t t = 0; t < m->tet_count; t++) live += !m->gone[t], first = m->gone[t] ? first : t;
    for (uint32_t i = 0; live > 0 && i < 3; i++) {
        const uint32_t vertex = m->point_count + d->split.new_vertex_count++;
        d->vertices[vertex - m->point_count] =
            (fracas_new_tet_vertex){m->tets[first][0], m->tets[first][1], 0.25 * i, {0}};
        uint32_t* tet = d->tets[d->split.new_tet_count++];
        memcpy(tet, m->tets[first], sizeof *d->tets);
        tet[below(w, 4)] = vertex;
    }
    finish_delta(d);
}

static void split_one(world* w) {
    static delta d;
    model *m = any_body(w), *part = free_model(w);
    const bool leaves = part && below(w, 3);
    fracas_body handle = {0, 0};
    if (m->point_count > MOST_POINTS / 3 || m->tet_count > MOST_TETS / 3 || m->tet_count == 0)
        return;
    make_cut(w, m, leaves, &d);
    if (!leaves) add_new_tets(w, m, &d);
    assert_int_equal(fracas_tets_split(w->tets, m->handle, &d.split, &handle), FRACAS_OK);
    apply_in_place(m, &d);
    if (d.split.part_count) apply_part(m, &d, 0, handle, part);
}

static bool is_used(const model* m, uint32_t vertex) {
    for (uint32_t t = 0; t < m->tet_count; t++)
        for (int k = 0; k < 4; k++)
            if (!m->gone[t] && m->tets[t][k] == vertex) return true;
    return false;
}

// One vertex of each of the bodies, or two of one body.
static void merge_two(world* w) {
    model *a = any_body(w), *b = any_body(w);
    fracas_tet_merge merge = fracas_tets_default_merge();
    fracas_tet_weld welds[4];
    static uint32_t vertices[2 * MOST_POINTS], tets[2 * MOST_TETS];
    if (a == b || a->point_count + b->point_count > MOST_POINTS / 2 ||
        a->tet_count + b->tet_count > MOST_TETS / 2)
        return;
    for (int i = 0; i < 4; i++) {
        const uint32_t body = below(w, 4) == 0, other = body ? 0 : below(w, 4) > 0;
        const uint32_t v = below(w, (body ? b : a)->point_count + 1),
                       u = below(w, (other ? b : a)->point_count + 1);
        if (is_used(body ? b : a, v) && is_used(other ? b : a, u))
            welds[merge.weld_count++] = (fracas_tet_weld){body, v, other, u};
    }
    merge.welds = welds, merge.vertex_map = vertices, merge.tet_map = tets;
    const fracas_body both[2] = {a->handle, b->handle};
    fracas_body out;
    assert_int_equal(fracas_tets_merge(w->tets, both, 2, &merge, &out), FRACAS_OK);
    assert_int_equal(out.index, a->handle.index);
    // The maps name the tetrahedra and their corners; kept vertices keep their numbers.
    const uint32_t points = a->point_count, count = a->tet_count;
    for (uint32_t t = 0; t < count + b->tet_count; t++) {
        const model* from = t < count ? a : b;
        const uint32_t number = t < count ? t : t - count;
        assert_int_equal(tets[t], from->gone[number] ? FRACAS_NONE : t);
        for (int k = 0; k < 4 && !from->gone[number]; k++) {
            const uint32_t vertex = from->tets[number][k] + (t < count ? 0 : points);
            a->tets[t][k] = vertices[vertex];
            assert_true(vertices[vertex] < points + b->point_count);
        }
        a->gone[t] = from->gone[number];
    }
    for (uint32_t i = 0; i < merge.weld_count; i++) {
        const uint32_t x = welds[i].vertex_a + (welds[i].body_a ? points : 0),
                       y = welds[i].vertex_b + (welds[i].body_b ? points : 0);
        assert_int_equal(vertices[x], vertices[y]);
    }
    memcpy(a->points[points], b->points, b->point_count * sizeof *b->points);
    a->point_count += b->point_count, a->tet_count += b->tet_count;
    b->used = false;
}

static void move_one(world* w) {
    model* m = any_body(w);
    for (uint32_t v = 0; v < m->point_count; v++)
        for (int k = 0; k < 3; k++) m->points[v][k] += 0.05 * kit_real(&w->random);
    const fracas_points points = {.data = m->points, .count = m->point_count};
    assert_int_equal(fracas_tets_move(w->tets, m->handle, &points), FRACAS_OK);
}

static void random_edits(void** state) {
    (void)state;
    size_t found = 0;
    for (uint32_t round = 0; round < share_of(3 * KIT_METHOD_COUNT); round++) {
        world w;
        create(&w, (kit_method)(round % KIT_METHOD_COUNT), 1 + round % 3, 51 + round);
        for (uint32_t b = 0; b < 3; b++) add_box(&w, b);
        for (int step = 0; step < 30; step++) {
            const uint32_t kind = below(&w, 10);
            if (kind < 5)
                split_one(&w);
            else if (kind < 7)
                merge_two(&w);
            else if (kind < 9)
                move_one(&w);
            else if (free_model(&w))
                add_box(&w, (uint32_t)(free_model(&w) - w.bodies));
            // Several edits between two updates.
            if (below(&w, 2)) found += check_penetrations(&w);
        }
        found += check_penetrations(&w);
        destroy(&w);
    }
    assert_true(found > 0);
}

// ---- known answers

static void numbers_and_users(void** state) {
    (void)state;
    world w;
    int user;
    create(&w, KIT_METHOD_SORTED_CELLS, 1, 3);
    kit_body two = kit_make(8, 2);
    for (uint32_t i = 0; i < 8; i++) {
        two.tets[i / 4][i % 4] = i;
        for (int k = 0; k < 3; k++) two.points[i][k] = (i % 4 == (uint32_t)k + 1) + (i / 4) * 0.1;
    }
    const fracas_tet_view view = kit_view(&two);
    fracas_body body, part, out;
    fracas_tets_body_info info;
    assert_int_equal(fracas_tets_add(w.tets, &view, &body), FRACAS_OK);
    assert_int_equal(fracas_tets_set_user(w.tets, body, &user), FRACAS_OK);
    const uint32_t offsets[2] = {0, 1}, second = 1;
    fracas_tet_split split = fracas_tets_default_split();
    split.part_count = 1, split.part_offsets = offsets, split.part_tets = &second;
    assert_int_equal(fracas_tets_split(w.tets, body, &split, &part), FRACAS_OK);
    assert_int_equal(fracas_tets_get_body(w.tets, part, &info), FRACAS_OK);
    assert_ptr_equal(info.user, &user);
    assert_int_equal(info.vertex_numbers, 4);
    assert_int_equal(info.tets, 1);
    assert_int_equal(fracas_tets_get_body(w.tets, body, &info), FRACAS_OK);
    assert_int_equal(info.vertex_numbers, 8);
    assert_int_equal(info.vertices, 4);
    assert_int_equal(info.tet_numbers, 2);
    assert_int_equal(info.tets, 1);
    // Positions of removed numbers are given, and ignored.
    const fracas_points points = {.data = two.points, .count = 8};
    assert_int_equal(fracas_tets_move(w.tets, body, &points), FRACAS_OK);
    const fracas_body both[2] = {part, body};
    assert_int_equal(fracas_tets_merge(w.tets, both, 2, NULL, &out), FRACAS_OK);
    assert_int_equal(fracas_tets_set_user(w.tets, body, NULL), FRACAS_ERROR_STALE_HANDLE);
    kit_list list = {0};
    kit_detect(w.tets, NULL, &list, NULL);
    assert_int_equal(list.count, 1);  // the corner of the second one at (0.1, 0.1, 0.1)
    assert_int_equal(list.data[0].vertex, 0);
    assert_int_equal(list.data[0].tet, 1);
    free(list.data);
    kit_free(&two);
    destroy(&w);
}

// ---- bad input

static void refuse(world* w, const fracas_tet_split* split, const char* words) {
    fracas_body parts[2] = {
        {7, 7},
        {7, 7}
    };
    char message[1200];
    assert_int_equal(fracas_tets_split(w->tets, w->bodies[0].handle, split, parts),
                     FRACAS_ERROR_BAD_DATA);
    fracas_context_get_message(w->context, message, sizeof message);
    if (!strstr(message, words)) fail_msg("no '%s' in '%s'", words, message);
    assert_int_equal(parts[0].index, 7);
    check_elements(w, &w->bodies[0]);
}

static void refused(void** state) {
    (void)state;
    world w;
    static delta d;
    create(&w, KIT_METHOD_SORTED_CELLS, 1, 4);
    const model* m = add_box(&w, 0);
    const uint32_t points = m->point_count, tets = m->tet_count;
    d.vertices[0] = (fracas_new_tet_vertex){points, FRACAS_NONE, 0, {0}};
    d.vertices[1] = (fracas_new_tet_vertex){0, 1, 1.5, {0}};
    d.vertices[2] = (fracas_new_tet_vertex){FRACAS_NONE, 1, 0.5, {0}};
    d.vertices[3] = (fracas_new_tet_vertex){
        FRACAS_NONE, FRACAS_NONE, 0, {NAN, 0, 0}
    };
    const char* const whys[4] = {"its parent is no vertex", "its weight", "without a first",
                                 "not finite"};
    for (int i = 0; i < 4; i++) {
        const fracas_tet_split split = {
            .struct_size = sizeof split, .new_vertices = &d.vertices[i], .new_vertex_count = 1};
        refuse(&w, &split, whys[i]);
    }
    const fracas_tet_repoint repoints[3] = {
        {tets, 0, 0     },
        {0,    4, 0     },
        {0,    0, points}
    };
    const char* const why_repoints[3] = {"has no tetrahedron", "no corner", "no vertex"};
    for (int i = 0; i < 3; i++) {
        const fracas_tet_split split = {
            .struct_size = sizeof split, .repoints = &repoints[i], .repoint_count = 1};
        refuse(&w, &split, why_repoints[i]);
    }
    check_penetrations(&w);
    destroy(&w);
}

static void refused_tetrahedra(void** state) {
    (void)state;
    world w;
    create(&w, KIT_METHOD_SORTED_CELLS, 1, 4);
    const model* m = add_box(&w, 0);
    const uint32_t points = m->point_count, tets = m->tet_count;
    const uint32_t new_tet[4] = {0, 1, 2, points}, twice[2] = {3, 3}, missing[1] = {tets};
    const uint32_t none[2] = {0, 0}, one[2] = {0, 1}, shares[1] = {0}, late[2] = {1, 2};
    fracas_tet_split s = fracas_tets_default_split();
    s.new_tets = new_tet, s.new_tet_count = 1;
    refuse(&w, &s, "new tetrahedron 0: there is no vertex");
    s = fracas_tets_default_split();
    s.removed_tets = twice, s.removed_tet_count = 2;
    refuse(&w, &s, "listed twice");
    s.removed_tets = missing, s.removed_tet_count = 1;
    refuse(&w, &s, "has no tetrahedron");
    s = fracas_tets_default_split();
    s.part_count = 1, s.part_tets = shares, s.part_offsets = none;
    refuse(&w, &s, "it has no tetrahedron");
    s.part_offsets = late;
    refuse(&w, &s, "must begin with 0");
    s.part_offsets = one;
    refuse(&w, &s, "the body has a vertex of it");
    s.part_tets = missing;
    refuse(&w, &s, "has no tetrahedron");
    s.struct_size--;
    assert_int_equal(fracas_tets_split(w.tets, m->handle, &s, NULL), FRACAS_ERROR_INVALID_ARGUMENT);
    check_penetrations(&w);
    destroy(&w);
}

static void refused_merges(void** state) {
    (void)state;
    world w;
    create(&w, KIT_METHOD_SORTED_CELLS, 1, 4);
    const model* m = add_box(&w, 0);
    const fracas_body same[2] = {m->handle, m->handle};
    fracas_body out = {7, 7};
    fracas_tet_weld weld = {0, 0, 1, 0};
    fracas_tet_merge merge = fracas_tets_default_merge();
    assert_int_equal(fracas_tets_merge(w.tets, same, 2, NULL, &out), FRACAS_ERROR_BAD_DATA);
    merge.welds = &weld, merge.weld_count = 1;
    assert_int_equal(fracas_tets_merge(w.tets, same, 1, &merge, &out), FRACAS_ERROR_BAD_DATA);
    merge.struct_size--;
    assert_int_equal(fracas_tets_merge(w.tets, same, 1, &merge, &out),
                     FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fracas_tets_merge(w.tets, same, 0, NULL, &out), FRACAS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(out.index, 7);
    check_elements(&w, m);
    check_penetrations(&w);
    destroy(&w);
}

static void every_allocation(void** state) {
    (void)state;
    world w;
    static delta d;
    int failures = 0;
    create(&w, KIT_METHOD_SORTED_CELLS, 2, 5);
    for (uint32_t b = 0; b < 2; b++) add_box(&w, b);
    check_penetrations(&w);
    for (int edit = 0; edit < 3; edit++) {
        model* m = &w.bodies[0];
        fracas_body handle = {0, 0};
        const fracas_body both[2] = {m->handle, w.bodies[1].handle};
        if (edit < 2) make_cut(&w, m, true, &d);
        for (size_t n = 1;; n++) {
            test_allocator_fail_at(&w.memory, n);
            const fracas_status status =
                edit < 2 ? fracas_tets_split(w.tets, m->handle, &d.split, &handle)
                         : fracas_tets_merge(w.tets, both, 2, NULL, &handle);
            test_allocator_fail_at(&w.memory, 0);
            if (status == FRACAS_OK) break;
            assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
            check_elements(&w, m);
            check_elements(&w, &w.bodies[1]);
            failures++;
        }
        if (edit == 2) break;
        apply_in_place(m, &d);
        if (d.split.part_count) apply_part(m, &d, 0, handle, &w.bodies[2 + edit]);
        // The update regroups the pools.
        for (size_t n = 1;; n++) {
            test_allocator_fail_at(&w.memory, n);
            const fracas_status status = fracas_tets_update(w.tets);
            test_allocator_fail_at(&w.memory, 0);
            if (status == FRACAS_OK) break;
            assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
            failures++;
        }
        check_penetrations(&w);
    }
    assert_true(failures > 15);
    destroy(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_edits),   cmocka_unit_test(numbers_and_users),
        cmocka_unit_test(refused),        cmocka_unit_test(refused_tetrahedra),
        cmocka_unit_test(refused_merges), cmocka_unit_test(every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
