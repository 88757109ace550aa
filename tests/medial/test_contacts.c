// Contacts in time: equal to testing all primitives of all bodies; nothing passes unseen.
#include "geom/vec3.h"
#include "medial/bodies.h"
#include "medial_kit.h"
#include "share.h"

enum { SHAPES = 4, BODIES = 14, TIMES = 40 };

static const fracas_medial_sink COUNT = {0};

typedef struct world {
    test_allocator memory;
    fracas_context* context;
    fracas_medial_shape* shapes[SHAPES];
    fracas_medial_bodies* all;
    fracas_medial_body bodies[BODIES];
} world;

typedef struct list {
    fracas_medial_contact* data;
    size_t count, capacity;
} list;

static world* make(uint32_t workers, uint64_t* random) {
    world* w = calloc(1, sizeof *w);
    assert_non_null(w);
    w->context = kit_context(workers, &w->memory);
    for (int i = 0; i < SHAPES; i++) {
        fracas_medial_mesh* mesh = kit_mesh(w->context, random);
        KIT_OK(w->context, fracas_medial_shape_create(w->context, mesh, NULL, &w->shapes[i]));
        fracas_medial_mesh_destroy(mesh);
    }
    KIT_OK(w->context, fracas_medial_bodies_create(w->context, &w->all));
    for (int i = 0; i < BODIES; i++)
        KIT_OK(w->context, fracas_medial_bodies_add(w->all, w->shapes[i % SHAPES], &w->bodies[i]));
    return w;
}

static void destroy(world* w) {
    fracas_medial_bodies_destroy(w->all);
    for (int i = 0; i < SHAPES; i++) fracas_medial_shape_destroy(w->shapes[i]);
    fracas_context_destroy(w->context);
    assert_int_equal(atomic_load(&w->memory.blocks), 0);
    free(w);
}

// A quarter of the bodies rests, half of those are fixed; the others turn a little or a lot.
static void scatter(const world* w, uint64_t* random, double size) {
    for (int i = 0; i < BODIES; i++) {
        fracas_pose start = kit_pose(random, size), end = start;
        for (int k = 0; k < 3; k++) end.translation[k] += kit_uniform(random, -1, 1) * size;
        if (i % 3 == 0) memcpy(end.rotation, kit_pose(random, 1).rotation, sizeof end.rotation);
        KIT_OK(w->context, fracas_medial_bodies_set_motion(w->all, w->bodies[i], &start,
                                                           i % 4 == 3 ? NULL : &end));
        KIT_OK(w->context, fracas_medial_bodies_set_fixed(w->all, w->bodies[i], i % 8 == 3));
    }
}

static bool keep(const fracas_medial_contact* contact, void* user) {
    list* l = user;
    if (l->count == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        l->data = realloc(l->data, l->capacity * sizeof *l->data);
        assert_non_null(l->data);
    }
    l->data[l->count++] = *contact;
    return true;
}

static list find(const world* w, const fracas_medial_query* query) {
    list l = {0};
    fracas_medial_statistics statistics;
    KIT_OK(w->context, fracas_medial_bodies_detect(w->all, query,
                                                   &(fracas_medial_sink){keep, &l, &statistics}));
    assert_int_equal(statistics.contacts, l.count);
    assert_true(statistics.primitive_tests >= l.count);
    assert_true(statistics.primitive_tests <= statistics.primitive_pairs);
    return l;
}

static fracas_medial_query with(fracas_medial_broad_phase broad_phase,
                                fracas_medial_selection selection) {
    fracas_medial_query query = fracas_medial_bodies_default_query();
    query.broad_phase = broad_phase;
    query.selection = selection;
    return query;
}

// ---- the oracle: the exact separation at many times

static void place(const frc_medial_body* body, const frc_medial_primitive* p, double t,
                  double out[3][4]) {
    fracas_pose pose;
    frc_rigid_motion_at(&body->motion, t, &pose);
    for (uint32_t i = 0; i < p->count; i++) {
        const double* s = body->shape->spheres[p->sphere[i]];
        for (int k = 0; k < 3; k++)
            out[i][k] = frc_vec3_dot(pose.rotation + 3 * k, s) + pose.translation[k];
        out[i][3] = s[3];
    }
}

static frc_medial_gap gap_at(const frc_medial_body* a, const frc_medial_primitive* p,
                             const frc_medial_body* b, const frc_medial_primitive* r, double t) {
    double x[3][4], y[3][4];
    frc_medial_gap gap;
    place(a, p, t, x);
    place(b, r, t, y);
    frc_medial_separation((const double(*)[4])x, (int)p->count, (const double(*)[4])y,
                          (int)r->count, &gap);
    return gap;
}

// The least time of the contacts of two primitives, and how many there are.
static size_t look_up(const list* l, uint32_t a, uint32_t b, uint32_t p, uint32_t r,
                      double* first) {
    size_t count = 0;
    *first = INFINITY;
    for (size_t i = 0; i < l->count; i++) {
        const fracas_medial_contact* c = &l->data[i];
        if (c->a.index != a || c->b.index != b || c->primitive_a != p || c->primitive_b != r)
            continue;
        *first = fmin(*first, c->time);
        count++;
    }
    return count;
}

// Returns how many pairs of primitives touched at one of the times.
static uint32_t check_pair(const world* w, uint32_t a, uint32_t b, const list* l) {
    const frc_medial_body *x = &w->all->list.data[a], *y = &w->all->list.data[b];
    uint32_t touching = 0;
    for (uint32_t p = 0; p < x->shape->primitive_count; p++)
        for (uint32_t r = 0; r < y->shape->primitive_count; r++) {
            const frc_medial_primitive *own = &x->shape->primitives[p],
                                       *other = &y->shape->primitives[r];
            double first, touch = INFINITY;
            for (int i = 0; i <= TIMES && touch > 1; i++) {
                const double t = (double)i / TIMES;
                if (gap_at(x, own, y, other, t).upper < -1e-12) touch = t;
            }
            const size_t count = look_up(l, a, b, own->number, other->number, &first);
            if (touch > 1) continue;
            assert_true(count > 0 && first <= touch);
            touching++;
        }
    return touching;
}

// At its time a contact is one: the nearest primitives with its numbers are within the tolerance.
static void check_contact(const world* w, const fracas_medial_contact* c) {
    const frc_medial_body *x = &w->all->list.data[c->a.index], *y = &w->all->list.data[c->b.index];
    const double tolerance = 1e-4 * fmin(x->shape->info.radius, y->shape->info.radius);
    double least = INFINITY;
    assert_true(c->a.index < c->b.index && c->time >= 0 && c->time <= 1);
    assert_true(fabs(frc_vec3_dot(c->normal, c->normal) - 1) < 1e-12);
    for (uint32_t p = 0; p < x->shape->primitive_count; p++)
        for (uint32_t r = 0; r < y->shape->primitive_count; r++) {
            const frc_medial_primitive *own = &x->shape->primitives[p],
                                       *other = &y->shape->primitives[r];
            if (own->number != c->primitive_a || other->number != c->primitive_b) continue;
            const frc_medial_gap gap = gap_at(x, own, y, other, c->time);
            least = fmin(least, gap.upper);
            if (c->time > 0) assert_true(gap.upper > -1e-9);
        }
    assert_true(least <= 2 * tolerance && c->gap <= 2 * tolerance);
    if (c->time == 0 && least < 0) assert_true(fabs(c->gap - least) <= tolerance);
}

static void every_contact(void** state) {
    (void)state;
    uint64_t random = 11;
    uint32_t touching = 0, late = 0;
    for (uint32_t round = 0; round < share_of(12); round++) {
        world* w = make(1, &random);
        scatter(w, &random, 0.5 + 0.25 * (round % 4));
        list l = find(w, NULL);
        for (uint32_t a = 0; a < BODIES; a++)
            for (uint32_t b = a + 1; b < BODIES; b++) {
                const bool fixed = w->all->list.data[a].fixed && w->all->list.data[b].fixed;
                if (!fixed) touching += check_pair(w, a, b, &l);
            }
        for (size_t i = 0; i < l.count; i++) {
            check_contact(w, &l.data[i]);
            late += l.data[i].time > 0;
        }
        free(l.data);
        destroy(w);
    }
    assert_true(touching > 1000 * share_of(12) / 12 && late > 200 * share_of(12) / 12);
}

// Contacts within the tolerance too, which a wide one has many of.
static void same_in_all_modes(void** state) {
    (void)state;
    uint64_t random = 12;
    size_t found = 0;
    for (uint32_t round = 0; round < share_of(20); round++) {
        world* w = make(1, &random);
        scatter(w, &random, 1 + round % 3);
        fracas_medial_query query = fracas_medial_bodies_default_query();
        if (round % 2) query.tolerance = 0.2;
        list first = find(w, &query);
        found += first.count;
        for (int mode = 1; mode <= FRACAS_MEDIAL_BROAD_PHASE_NONE; mode++) {
            query.broad_phase = (fracas_medial_broad_phase)mode;
            list l = find(w, &query);
            assert_int_equal(l.count, first.count);
            assert_memory_equal(l.data, first.data, l.count * sizeof *l.data);
            free(l.data);
        }
        free(first.data);
        destroy(w);
    }
    assert_true(found > 10);
}

static void first_of_each_pair(void** state) {
    (void)state;
    uint64_t random = 13;
    for (uint32_t round = 0; round < share_of(20); round++) {
        world* w = make(1, &random);
        scatter(w, &random, 1 + round % 3);
        list all = find(w, NULL);
        const fracas_medial_query query =
            with(FRACAS_MEDIAL_BROAD_PHASE_SWEEP, FRACAS_MEDIAL_SELECTION_FIRST);
        list first = find(w, &query);
        size_t pairs = 0;
        for (size_t i = 0; i < all.count;) {
            size_t best = i, end = i;
            for (; end < all.count && all.data[end].a.index == all.data[i].a.index &&
                   all.data[end].b.index == all.data[i].b.index;
                 end++)
                if (all.data[end].time < all.data[best].time ||
                    (all.data[end].time == all.data[best].time &&
                     all.data[end].gap < all.data[best].gap))
                    best = end;
            assert_true(pairs < first.count);
            assert_memory_equal(&first.data[pairs], &all.data[best], sizeof *all.data);
            pairs++;
            i = end;
        }
        assert_int_equal(pairs, first.count);
        free(all.data);
        free(first.data);
        destroy(w);
    }
}

// Two balls in each body; the pair that is tested first, second or last touches a little later.
static void first_of_two(void** state) {
    (void)state;
    fracas_context* context = kit_context(1, NULL);
    for (int later = 0; later < 2; later++) {
        fracas_medial_shape* shapes[2];
        fracas_medial_bodies* all;
        fracas_medial_body bodies[2];
        KIT_OK(context, fracas_medial_bodies_create(context, &all));
        for (int i = 0; i < 2; i++) {
            const fracas_medial_sphere spheres[2] = {
                {{0, 0, 0},                         1},
                {{9, 0,
                  i == 0  ? 0
                  : later ? 0.2
                          : -0.2},
                 1                                   }
            };
            const fracas_medial_view view = {spheres, NULL, NULL, 2, 0, 0};
            fracas_medial_mesh* mesh;
            KIT_OK(context, fracas_medial_mesh_create_from(context, &view, &mesh));
            KIT_OK(context, fracas_medial_shape_create(context, mesh, NULL, &shapes[i]));
            KIT_OK(context, fracas_medial_bodies_add(all, shapes[i], &bodies[i]));
            fracas_medial_mesh_destroy(mesh);
        }
        fracas_pose start = fracas_pose_make_identity(), end = start;
        start.translation[2] = 7;
        end.translation[2] = -3;
        KIT_OK(context, fracas_medial_bodies_set_motion(all, bodies[1], &start, &end));
        list l = {0};
        const fracas_medial_query query =
            with(FRACAS_MEDIAL_BROAD_PHASE_SWEEP, FRACAS_MEDIAL_SELECTION_FIRST);
        KIT_OK(context,
               fracas_medial_bodies_detect(all, &query, &(fracas_medial_sink){keep, &l, NULL}));
        assert_int_equal(l.count, 1);
        assert_int_equal(l.data[0].primitive_a, later ? 0 : 1);
        assert_int_equal(l.data[0].primitive_b, later ? 0 : 1);
        assert_true(fabs(l.data[0].time - (later ? 0.5 : 0.48)) < 1e-3);
        free(l.data);
        fracas_medial_bodies_destroy(all);
        for (int i = 0; i < 2; i++) fracas_medial_shape_destroy(shapes[i]);
    }
    fracas_context_destroy(context);
}

// Two balls of radius 1, one of them at p + t v, as seen from the other. Do they meet?
static bool check_balls(const double p[3], const double v[3], const fracas_medial_contact* found) {
    const double a = frc_vec3_dot(v, v), b = frc_vec3_dot(p, v), c = frc_vec3_dot(p, p) - 4,
                 d = b * b - a * c;
    const double t = c <= 0 ? 0 : d >= 0 ? (-b - sqrt(d)) / a : -1;
    if (t >= 0 && t <= 1) {
        assert_true(found && found->time <= t + 1e-12);
        if (d > 1) assert_true(found->time > t - 1e-3);
        return true;
    }
    if (found) {
        // Near enough to count.
        const double nearest = -b / a, at = nearest < 0 ? 0 : nearest > 1 ? 1 : nearest;
        assert_true(sqrt(c + 4 + 2 * b * at + a * at * at) - 2 < 3e-4);
    }
    return false;
}

// Balls on straight ways: they meet where the distance of their centres has the sum of the radii.
static void balls(void** state) {
    (void)state;
    enum { BALLS = 60 };
    uint64_t random = 20;
    fracas_context* context = kit_context(1, NULL);
    const fracas_medial_sphere sphere = {
        {0, 0, 0},
        1
    };
    const fracas_medial_view single = {&sphere, NULL, NULL, 1, 0, 0};
    fracas_medial_mesh* mesh;
    fracas_medial_shape* shape;
    KIT_OK(context, fracas_medial_mesh_create_from(context, &single, &mesh));
    KIT_OK(context, fracas_medial_shape_create(context, mesh, NULL, &shape));
    uint32_t met = 0;
    for (uint32_t round = 0; round < share_of(100); round++) {
        fracas_medial_bodies* all;
        double start[BALLS][3], way[BALLS][3];
        list l = {0};
        KIT_OK(context, fracas_medial_bodies_create(context, &all));
        for (int i = 0; i < BALLS; i++) {
            fracas_medial_body body;
            fracas_pose first = kit_pose(&random, 10), last = first;
            for (int k = 0; k < 3; k++) {
                last.translation[k] += kit_uniform(&random, -4, 4);
                start[i][k] = first.translation[k];
                way[i][k] = last.translation[k] - start[i][k];
            }
            KIT_OK(context, fracas_medial_bodies_add(all, shape, &body));
            KIT_OK(context, fracas_medial_bodies_set_motion(all, body, &first, &last));
        }
        KIT_OK(context,
               fracas_medial_bodies_detect(all, NULL, &(fracas_medial_sink){keep, &l, NULL}));
        size_t next = 0;
        for (uint32_t i = 0; i < BALLS; i++)
            for (uint32_t j = i + 1; j < BALLS; j++) {
                double p[3], v[3];
                frc_vec3_subtract(start[j], start[i], p);
                frc_vec3_subtract(way[j], way[i], v);
                const bool listed =
                    next < l.count && l.data[next].a.index == i && l.data[next].b.index == j;
                met += check_balls(p, v, listed ? &l.data[next] : NULL);
                next += listed;
            }
        assert_int_equal(next, l.count);
        free(l.data);
        fracas_medial_bodies_destroy(all);
    }
    assert_true(met > 5 * share_of(100));
    fracas_medial_shape_destroy(shape);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

// A ball of radius 0.01 flies at up to 1,000 m a second, in steps of 10 ms, at a thin sheet.
static void nothing_passes(void** state) {
    (void)state;
    uint64_t random = 14;
    fracas_context* context = kit_context(1, NULL);
    const double corners[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    const fracas_mesh_view sheet = {
        .points = {.data = corners, .count = 4},
          .triangles = triangles, .triangle_count = 2
    };
    const fracas_medial_sphere sphere = {
        {0, 0, 0},
        0.01
    };
    const fracas_medial_view single = {&sphere, NULL, NULL, 1, 0, 0};
    fracas_medial_mesh* mesh;
    fracas_medial_shape *ball, *wall;
    fracas_medial_bodies* all;
    fracas_medial_body body, fixed;
    KIT_OK(context, fracas_medial_mesh_create_from(context, &single, &mesh));
    KIT_OK(context, fracas_medial_shape_create(context, mesh, NULL, &ball));
    KIT_OK(context, fracas_medial_shape_create_from_surface(context, &sheet, NULL, &wall));
    KIT_OK(context, fracas_medial_bodies_create(context, &all));
    KIT_OK(context, fracas_medial_bodies_add(all, ball, &body));
    KIT_OK(context, fracas_medial_bodies_add(all, wall, &fixed));
    KIT_OK(context, fracas_medial_bodies_set_fixed(all, fixed, true));
    for (uint32_t round = 0; round < share_of(2000); round++) {
        fracas_pose start = fracas_pose_make_identity(), end = start;
        const double speed = round % 2 ? 100 : 1000, step = 0.01 * speed;
        const double part = kit_uniform(&random, 0.05, 0.95);
        for (int k = 0; k < 2; k++) {
            const double at = kit_uniform(&random, -0.9, 0.9), drift = kit_uniform(&random, -1, 1);
            start.translation[k] = at - part * drift;
            end.translation[k] = at + (1 - part) * drift;
        }
        start.translation[2] = part * step;
        end.translation[2] = -(1 - part) * step;
        list l = {0};
        KIT_OK(context, fracas_medial_bodies_set_motion(all, body, &start, &end));
        KIT_OK(context,
               fracas_medial_bodies_detect(all, NULL, &(fracas_medial_sink){keep, &l, NULL}));
        assert_true(l.count >= 1);
        const double expected = part - 0.01 / step;
        double first = 1;
        for (size_t i = 0; i < l.count; i++) first = fmin(first, l.data[i].time);
        assert_true(first <= expected && first > expected - 2e-6 * 0.01 / step - 1e-12);
        free(l.data);
    }
    fracas_medial_bodies_destroy(all);
    fracas_medial_shape_destroy(ball);
    fracas_medial_shape_destroy(wall);
    fracas_medial_mesh_destroy(mesh);
    fracas_context_destroy(context);
}

// All bodies are in one place: all pairs are contacts but those of two fixed bodies.
static void fixed_bodies_do_not_meet(void** state) {
    (void)state;
    uint64_t random = 21;
    world* w = make(1, &random);
    const fracas_pose here = fracas_pose_make_identity();
    for (int i = 0; i < BODIES; i++) {
        KIT_OK(w->context, fracas_medial_bodies_set_motion(w->all, w->bodies[i], &here, NULL));
        KIT_OK(w->context, fracas_medial_bodies_set_fixed(w->all, w->bodies[i], i % 2 == 0));
    }
    for (int mode = 0; mode <= FRACAS_MEDIAL_BROAD_PHASE_NONE; mode++) {
        const fracas_medial_query query =
            with((fracas_medial_broad_phase)mode, FRACAS_MEDIAL_SELECTION_FIRST);
        list l = find(w, &query);
        assert_true(l.count > BODIES);
        for (size_t i = 0; i < l.count; i++) {
            const uint32_t a = l.data[i].a.index, b = l.data[i].b.index;
            assert_false(w->all->list.data[a].fixed && w->all->list.data[b].fixed);
        }
        free(l.data);
    }
    destroy(w);
}

static void same_on_threads(void** state) {
    (void)state;
    list first = {0};
    for (uint32_t workers = 1; workers <= 4; workers++) {
        uint64_t random = 15;
        world* w = make(workers, &random);
        scatter(w, &random, 0.5);
        list l = find(w, NULL);
        if (workers == 1) {
            first = l;
            assert_true(l.count > 100);
        } else {
            assert_int_equal(l.count, first.count);
            assert_memory_equal(l.data, first.data, l.count * sizeof *l.data);
            free(l.data);
        }
        destroy(w);
    }
    free(first.data);
}

static bool stop(const fracas_medial_contact* contact, void* user) {
    (void)contact;
    return ++*(int*)user < 3;
}

static void stopping(void** state) {
    (void)state;
    uint64_t random = 16;
    int count = 0;
    world* w = make(1, &random);
    scatter(w, &random, 0.5);
    KIT_OK(w->context,
           fracas_medial_bodies_detect(w->all, NULL, &(fracas_medial_sink){stop, &count, NULL}));
    assert_int_equal(count, 3);
    fracas_context_cancel(w->context);
    KIT_REFUSED(w->context, fracas_medial_bodies_detect(w->all, NULL, &COUNT),
                FRACAS_ERROR_CANCELLED, "fracas_medial_bodies_detect");
    destroy(w);
}

static void failed_allocations(void** state) {
    (void)state;
    uint64_t random = 17;
    world* w = make(1, &random);
    scatter(w, &random, 0.5);
    const size_t blocks = atomic_load(&w->memory.blocks);
    size_t n = 1;
    for (;; n++) {
        test_allocator_fail_at(&w->memory, n);
        const fracas_status status = fracas_medial_bodies_detect(w->all, NULL, &COUNT);
        test_allocator_fail_at(&w->memory, 0);
        assert_int_equal(atomic_load(&w->memory.blocks), blocks);
        if (status == FRACAS_OK) break;
        assert_int_equal(status, FRACAS_ERROR_OUT_OF_MEMORY);
    }
    assert_true(n > 5);
    destroy(w);
}

static void handles(void** state) {
    (void)state;
    uint64_t random = 18;
    world* w = make(1, &random);
    const fracas_medial_body gone = w->bodies[2];
    const fracas_pose pose = fracas_pose_make_identity();
    list before = find(w, NULL);
    KIT_OK(w->context, fracas_medial_bodies_remove(w->all, gone));
    KIT_REFUSED(w->context, fracas_medial_bodies_remove(w->all, gone), FRACAS_ERROR_STALE_HANDLE,
                "body 2 of generation");
    KIT_REFUSED(w->context, fracas_medial_bodies_set_motion(w->all, gone, &pose, NULL),
                FRACAS_ERROR_STALE_HANDLE, "body 2 of generation");
    KIT_REFUSED(w->context, fracas_medial_bodies_set_fixed(w->all, gone, true),
                FRACAS_ERROR_STALE_HANDLE, "body 2 of generation");
    list without = find(w, NULL);
    assert_true(without.count < before.count);
    for (size_t i = 0; i < without.count; i++)
        assert_true(without.data[i].a.index != 2 && without.data[i].b.index != 2);
    KIT_OK(w->context, fracas_medial_bodies_add(w->all, w->shapes[2], &w->bodies[2]));
    assert_int_equal(w->bodies[2].index, 2);
    assert_int_not_equal(w->bodies[2].generation, gone.generation);
    list after = find(w, NULL);
    assert_int_equal(after.count, before.count);
    free(before.data);
    free(without.data);
    free(after.data);
    destroy(w);
}

static void refused(void** state) {
    (void)state;
    uint64_t random = 19;
    world* w = make(1, &random);
    fracas_pose pose = fracas_pose_make_identity(), bad = pose;
    bad.translation[1] = INFINITY;
    KIT_REFUSED(w->context, fracas_medial_bodies_set_motion(w->all, w->bodies[1], &pose, &bad),
                FRACAS_ERROR_BAD_DATA, "the translation (0, inf, 0) of body 1");
    bad = pose;
    bad.rotation[0] = -1;
    KIT_REFUSED(w->context, fracas_medial_bodies_set_motion(w->all, w->bodies[1], &bad, NULL),
                FRACAS_ERROR_BAD_DATA, "body 1 is not a rotation");
    bad.rotation[0] = 1.001;
    KIT_REFUSED(w->context, fracas_medial_bodies_set_motion(w->all, w->bodies[1], &bad, NULL),
                FRACAS_ERROR_BAD_DATA, "body 1 is not a rotation");
    fracas_medial_query query = {0};
    KIT_REFUSED(w->context, fracas_medial_bodies_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "fracas_medial_bodies_default_query");
    query = fracas_medial_bodies_default_query();
    query.tolerance = 0;
    KIT_REFUSED(w->context, fracas_medial_bodies_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "tolerance is 0");
    query = with((fracas_medial_broad_phase)3, FRACAS_MEDIAL_SELECTION_ALL);
    KIT_REFUSED(w->context, fracas_medial_bodies_detect(w->all, &query, &COUNT),
                FRACAS_ERROR_INVALID_ARGUMENT, "broad_phase is 3");
    fracas_context* other = kit_context(1, NULL);
    fracas_medial_bodies* others;
    fracas_medial_body body;
    KIT_OK(other, fracas_medial_bodies_create(other, &others));
    KIT_REFUSED(other, fracas_medial_bodies_add(others, w->shapes[0], &body),
                FRACAS_ERROR_INVALID_ARGUMENT, "another context");
    fracas_medial_bodies_destroy(others);
    fracas_context_destroy(other);
    destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_contact),
        cmocka_unit_test(same_in_all_modes),
        cmocka_unit_test(first_of_each_pair),
        cmocka_unit_test(nothing_passes),
        cmocka_unit_test(fixed_bodies_do_not_meet),
        cmocka_unit_test(same_on_threads),
        cmocka_unit_test(stopping),
        cmocka_unit_test(failed_allocations),
        cmocka_unit_test(handles),
        cmocka_unit_test(refused),
        cmocka_unit_test(balls),
        cmocka_unit_test(first_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
