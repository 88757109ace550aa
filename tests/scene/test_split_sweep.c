// Two ways to check a split, of which the sweep is for splits that take much of their body: a
// sheet, and the same sheet with so many more triangles that the same split takes little of it.
// Random splits, most of them with a mistake, have the same result and message, new elements and
// traces.
#include "scene/split_check.h"
#include "scene_kit.h"
#include "share.h"
#include <ctype.h>

enum {
    SMALL = 8,   // squares on a side of the sheet
    LARGE = 48,  // so many that all workers have something to do
    POINTS = (LARGE + 1) * (LARGE + 1),
    TRIANGLES = 2 * LARGE * LARGE,
    TIMES = 9,  // as many vertices and triangles of the large body are named by no split
    MORE = TIMES * TRIANGLES,
    PARTS = 5,
    MOST = 8192,
    SPLITS = 1200,
    LARGE_SPLITS = 12
};

static uint32_t pick(uint64_t* state, uint32_t below) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return (uint32_t)((*state >> 11) % below);
}

typedef struct world {
    kit k;
    fracas_body body, parts[2][PARTS];
    uint32_t side, points, triangles;  // of the sheet
    uint32_t shift;                    // of the numbers of new elements
} world;

static uint32_t free_vertex(const world* w) { return w->points / 2; }

// Some sheets have a free vertex, which must not leave.
static world create(uint32_t side, uint32_t workers, uint32_t more, bool has_free) {
    static double points[POINTS + MORE][3];
    static uint32_t corners[TRIANGLES + MORE][3];
    world w = {.k = kit_create(workers),
               .side = side,
               .points = (side + 1) * (side + 1),
               .triangles = 2 * side * side,
               .shift = more};
    for (uint32_t i = 0; i < w.points + more; i++) {
        const double at[3] = {i % (side + 1), i / (side + 1), i % 7 * 0.125};
        memcpy(points[i], at, sizeof at);
    }
    kit_sheet(side, corners);
    for (uint32_t i = 0; i < more; i++)
        for (uint32_t c = 0; c < 3; c++) corners[w.triangles + i][c] = w.points + (i + c) % more;
    const uint32_t free_one = free_vertex(&w);
    fracas_mesh_view mesh = kit_mesh((const double(*)[3])points, w.points + more,
                                     (const uint32_t(*)[3])corners, w.triangles + more);
    mesh.vertices = &free_one, mesh.vertex_count = has_free;
    w.body = kit_add(&w.k, &mesh, FRACAS_MOTION_DEFORMING);
    return w;
}

// A split with numbers of the small body.
typedef struct delta {
    fracas_new_vertex vertices[MOST];
    fracas_repoint repoints[MOST];
    uint32_t triangles[MOST], removed[MOST], offsets[PARTS + 1], leaving[2 * MOST];
    fracas_split split;
} delta;

// The list may be NULL if it is empty.
static void copy_list(void* to, const void* from, size_t size) {
    if (size > 0) memcpy(to, from, size);
}

static void copy_plan(delta* d, const fracas_split* s) {
    memset(d, 0, sizeof *d);
    d->split = *s;
    assert_true(s->new_vertex_count < MOST && s->repoint_count < MOST);
    copy_list(d->vertices, s->new_vertices, s->new_vertex_count * sizeof *d->vertices);
    copy_list(d->repoints, s->repoints, s->repoint_count * sizeof *d->repoints);
    copy_list(d->offsets, s->part_offsets, (s->part_count + 1) * sizeof *d->offsets);
    copy_list(d->leaving, s->part_triangles, d->offsets[s->part_count] * sizeof *d->leaving);
    d->split.new_vertices = d->vertices, d->split.repoints = d->repoints;
    d->split.part_offsets = d->offsets, d->split.part_triangles = d->leaving;
    d->split.new_triangles = d->triangles, d->split.removed_triangles = d->removed;
}

// Parts are rows of columns, some of which stay.
static bool plan(const world* w, uint64_t* random, delta* d) {
    static uint32_t labels[TRIANGLES + MOST];
    fracas_split_plan* made = NULL;
    const fracas_body_info info = kit_info(&w->k, w->body);
    uint32_t from[LARGE], used[PARTS + 1] = {0}, parts = 0;
    assert_true(info.triangle_numbers <= TRIANGLES + MOST);
    for (uint32_t x = 0; x < w->side; x++) from[x] = pick(random, PARTS + 1);
    for (uint32_t t = 0; t < info.triangle_numbers; t++) {
        uint32_t c[3];
        labels[t] = from[t / 2 % w->side];
        if (fracas_scene_get_triangle(w->k.scene, w->body, t, c) == FRACAS_OK && labels[t])
            if (!used[labels[t]]) used[labels[t]] = ++parts;
    }
    for (uint32_t t = 0; t < info.triangle_numbers; t++) labels[t] = used[labels[t]];
    if (parts == 0) return false;
    assert_int_equal(
        fracas_split_plan_create(w->k.scene, w->body, labels, info.triangle_numbers, &made),
        FRACAS_OK);
    copy_plan(d, fracas_split_plan_get_split(made));
    fracas_split_plan_destroy(made);
    return true;
}

// A crack face of the first part, with a corner of its own.
static void add_face(delta* d, uint32_t vertex_numbers, uint32_t triangle_numbers,
                     const uint32_t corners[3]) {
    fracas_split* s = &d->split;
    d->vertices[s->new_vertex_count] =
        (fracas_new_vertex){.parent_a = FRACAS_NONE, .parent_b = FRACAS_NONE};
    memcpy(d->triangles, corners, 3 * sizeof *corners);
    d->triangles[0] = vertex_numbers + s->new_vertex_count++;
    s->new_triangle_count = 1;
    const uint32_t count = d->offsets[s->part_count];
    memmove(d->leaving + 1, d->leaving, count * sizeof *d->leaving);
    d->leaving[0] = triangle_numbers;
    for (uint32_t p = 1; p <= s->part_count; p++) d->offsets[p]++;
}

// A vertex is not duplicated: the one that is free, if it is among them.
static void share_vertex(const world* w, delta* d, uint32_t vertex_numbers, uint32_t which) {
    for (uint32_t v = 0; v < d->split.new_vertex_count; v++)
        if (d->vertices[v].parent_a == free_vertex(w)) which = v;
    for (uint32_t i = 0; i < d->split.repoint_count; i++)
        if (d->repoints[i].vertex == vertex_numbers + which)
            d->repoints[i].vertex = d->vertices[which].parent_a;
}

static void make_mistake(const world* w, delta* d, uint64_t* random, uint32_t vertex_numbers) {
    fracas_split* s = &d->split;
    const uint32_t count = d->offsets[s->part_count];
    uint32_t* one = &d->leaving[pick(random, count)];
    switch (pick(random, 10)) {
    case 0:
        *one = d->leaving[pick(random, count)];
        break;
    case 1:
        *one = pick(random, 3 * w->triangles);
        break;
    case 2:
        if (s->repoint_count) s->repoint_count--;
        break;
    case 3:
        d->removed[s->removed_triangle_count++] = *one;
        break;
    case 4:
        d->removed[s->removed_triangle_count++] = pick(random, w->triangles);
        break;
    case 5:
        if (s->repoint_count)
            d->repoints[pick(random, s->repoint_count)].vertex = pick(random, w->points);
        break;
    case 6:
        if (s->part_count > 1) d->offsets[1 + pick(random, s->part_count - 1)]++;
        break;
    case 7:  // one is removed in place of one that stays: as many corners
        d->removed[s->removed_triangle_count++] = *one;
        one = &d->leaving[d->offsets[s->part_count - 1]];
        one[pick(random, count - d->offsets[s->part_count - 1])] = d->leaving[count - 1];
        d->offsets[s->part_count]--;
        break;
    case 8:
        share_vertex(w, d, vertex_numbers, pick(random, s->new_vertex_count + 1));
        break;
    default:
        d->offsets[s->part_count]--;
        break;
    }
}

static uint32_t shifted(uint32_t number, uint32_t first, uint32_t shift) {
    return number >= first && number != FRACAS_NONE ? number + shift : number;
}

static fracas_status split(world* w, const delta* d, int which) {
    static delta own;
    own = *d;
    fracas_split* s = &own.split;
    s->new_vertices = own.vertices, s->repoints = own.repoints;
    s->new_triangles = own.triangles, s->removed_triangles = own.removed;
    s->part_offsets = own.offsets, s->part_triangles = own.leaving;
    for (uint32_t i = 0; i < s->new_vertex_count; i++) {
        own.vertices[i].parent_a = shifted(own.vertices[i].parent_a, w->points, w->shift);
        own.vertices[i].parent_b = shifted(own.vertices[i].parent_b, w->points, w->shift);
    }
    for (uint32_t i = 0; i < s->repoint_count; i++) {
        own.repoints[i].triangle = shifted(own.repoints[i].triangle, w->triangles, w->shift);
        own.repoints[i].vertex = shifted(own.repoints[i].vertex, w->points, w->shift);
    }
    for (uint32_t i = 0; i < 3 * s->new_triangle_count; i++)
        own.triangles[i] = shifted(own.triangles[i], w->points, w->shift);
    for (uint32_t i = 0; i < s->removed_triangle_count; i++)
        own.removed[i] = shifted(own.removed[i], w->triangles, w->shift);
    for (uint32_t i = 0; i < own.offsets[s->part_count]; i++)
        own.leaving[i] = shifted(own.leaving[i], w->triangles, w->shift);
    return fracas_scene_split(w->k.scene, w->body, s, w->parts[which]);
}

// ---- comparisons

// The message with the numbers of the small body.
static void read_message(const world* w, char* out) {
    char text[1024];
    fracas_context_get_message(w->k.context, text, sizeof text);
    for (const char* at = text; *at;) {
        if (!isdigit((unsigned char)*at)) {
            *out++ = *at++;
            continue;
        }
        char* end;
        const unsigned long number = strtoul(at, &end, 10);
        out += sprintf(out, "%lu", number >= w->shift ? number - w->shift : number);
        at = end;
    }
    *out = 0;
}

static void compare_messages(const world* a, const world* b) {
    char text[2][2048];
    read_message(a, text[0]);
    read_message(b, text[1]);
    assert_string_equal(text[0], text[1]);
}

static void compare_bodies(const world* a, const world* b, fracas_body body_a, fracas_body body_b) {
    const fracas_body_info i = kit_info(&a->k, body_a), j = kit_info(&b->k, body_b);
    const uint32_t shift = body_a.index == a->body.index ? b->shift : 0;
    assert_int_equal(i.vertices + shift, j.vertices);
    assert_int_equal(i.triangles + shift, j.triangles);
    for (uint32_t t = 0; t < i.triangle_numbers; t++) {
        uint32_t c[3], e[3];
        const fracas_status status = fracas_scene_get_triangle(a->k.scene, body_a, t, c);
        assert_int_equal(status, fracas_scene_get_triangle(b->k.scene, body_b,
                                                           shifted(t, a->triangles, shift), e));
        for (int k = 0; k < 3 && status == FRACAS_OK; k++)
            assert_int_equal(shifted(c[k], a->points, shift), e[k]);
    }
}

static void compare_traces(const world* a, const world* b, uint32_t numbers, int kind) {
    for (uint32_t n = 0; n < numbers; n++) {
        const uint32_t first = kind == FRACAS_ELEMENT_VERTEX ? a->points : a->triangles;
        const fracas_element from[2] = {
            {a->body,    (fracas_element_kind)kind, n        },
            { b->body, (fracas_element_kind)kind,                     shifted(n, first, b->shift)}
        };
        fracas_element to[2];
        const fracas_status status = fracas_scene_trace(a->k.scene, &from[0], &to[0]);
        assert_int_equal(fracas_scene_trace(b->k.scene, &from[1], &to[1]), status);
        if (status != FRACAS_OK) continue;
        assert_int_equal(to[0].body.index, to[1].body.index);
        const bool stays = to[0].body.index == a->body.index;
        assert_int_equal(stays ? shifted(to[0].index, first, b->shift) : to[0].index, to[1].index);
    }
}

static void remove_parts(world* w, int which, uint32_t count) {
    for (uint32_t p = 0; p < count; p++)
        assert_int_equal(fracas_scene_remove(w->k.scene, w->parts[which][p]), FRACAS_OK);
}

// Two splits of a body in one step. Returns how many were valid.
static uint32_t compare_splits(uint64_t* random, uint32_t side, uint32_t workers) {
    static delta d;
    const bool has_free = pick(random, 2) == 0;
    world a = create(side, workers, 0, has_free),
          b = create(side, workers, 2 * TIMES * side * side, has_free);
    uint32_t valid = 0, parts[2] = {0};
    for (int which = 0; which < 2 && plan(&a, random, &d); which++) {
        const fracas_body_info info = kit_info(&a.k, a.body);
        uint32_t corners[3];
        if (fracas_scene_get_triangle(a.k.scene, a.body, d.leaving[0], corners) == FRACAS_OK &&
            d.split.repoint_count == 0)
            add_face(&d, info.vertex_numbers, info.triangle_numbers, corners);
        if (pick(random, 3)) make_mistake(&a, &d, random, info.vertex_numbers);
        const fracas_status status = split(&a, &d, which);
        assert_int_equal(split(&b, &d, which), status);
        if (status != FRACAS_OK) {
            compare_messages(&a, &b);
            continue;
        }
        valid++;
        parts[which] = d.split.part_count;
        for (uint32_t p = 0; p < parts[which]; p++)
            compare_bodies(&a, &b, a.parts[which][p], b.parts[which][p]);
    }
    compare_bodies(&a, &b, a.body, b.body);
    const fracas_body_info info = kit_info(&a.k, a.body);
    compare_traces(&a, &b, info.vertex_numbers, FRACAS_ELEMENT_VERTEX);
    compare_traces(&a, &b, info.triangle_numbers, FRACAS_ELEMENT_TRIANGLE);
    for (int which = 0; which < 2; which++)
        remove_parts(&a, which, parts[which]), remove_parts(&b, which, parts[which]);
    kit_destroy(&a.k);
    kit_destroy(&b.k);
    return valid;
}

static void sweep_and_draft_agree(void** state) {
    (void)state;
    uint64_t random = 77;
    uint32_t valid = 0;
    const uint32_t count = share_of(SPLITS), large = share_of(LARGE_SPLITS);
    for (uint32_t i = 0; i < count; i++) valid += compare_splits(&random, SMALL, 1 + i % 3);
    for (uint32_t i = 0; i < large; i++) compare_splits(&random, LARGE, 1 + i % 4);
    assert_in_range(valid, count / 4, 2 * count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweep_and_draft_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
