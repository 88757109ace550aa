/// @file spatial_hash.c  The search method: enter the boxes of triangles in cells, assign features
/// to the triangles that own them, divide the buckets into tasks.
#include "published/spatial_hash.h"
#include "base/parallel.h"
#include "block/simd_box.h"
#include "geom/box.h"

enum { GRAIN = 2048 };

// ---- boxes

// Set the box of an item, around points at the end of the step, or at both ends.
//
// To find pairs within reach the lower bound is moved down by the reach: then of two boxes within
// reach of each other along an axis neither begins after the other has ended. The upper bound of
// the other box is a float, so rounding the difference of doubles down loses no pair.
static void put_box(frc_hash* hash, uint32_t item, const uint32_t* points, int count) {
    span all = span_of(hash->lows, 1, points[0]);
    for (int end = 2 - (int)hash->ends; end < 2; end++)
        for (int i = 0; i < count; i++) all = span_both(all, span_of(hash->lows, end, points[i]));
    frc_box bounds;
    store_box(&bounds, span_box(all));
    frc_grid_box* out = &hash->boxes.data[item];
    for (int k = 0; k < 3; k++) {
        out->lo[k] = bounds.lo[k];
        if (hash->reach > 0) out->lo[k] = frc_round_down((double)bounds.lo[k] - hash->reach);
        out->hi[k] = bounds.hi[k];
    }
}

// ---- triangles

// Does a corner have an embedded star?
static bool is_embedded(const frc_hash* hash, const frc_triangle* t, int corner) {
    const frc_world* world = hash->world;
    const uint32_t point = t->point[corner], serial = world->bodies[t->body].rings;
    return serial && world->topology->uses.data[point].rings == serial && hash->embedded[point];
}

static void put_triangles(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    frc_hash* hash = data;
    for (uint32_t i = begin; i < end; i++) {
        const frc_triangle* t = &hash->world->topology->triangles.data[i];
        if (t->point[0] == FRACAS_NONE) {
            hash->boxes.data[i].lo[0] = 1, hash->boxes.data[i].hi[0] = 0;  // an empty box
            continue;
        }
        put_box(hash, i, t->point, 3);
        if (hash->ends == 1) {
            uint8_t embedded = 0;
            for (int k = 0; k < 3; k++) embedded |= (uint8_t)(is_embedded(hash, t, k) << k);
            hash->marks.data[i] = embedded;
            continue;
        }
        // The last writer owns a feature. Which triangle that is does not change the pairs found.
        for (int k = 0; k < 3; k++) {
            atomic_store_explicit(&hash->point_owners.data[t->point[k]].value, i,
                                  memory_order_relaxed);
            if (t->edge[k] != FRACAS_NONE)
                atomic_store_explicit(&hash->edge_owners.data[t->edge[k]].value, i,
                                      memory_order_relaxed);
        }
    }
}

static bool owns_edge(const frc_hash* hash, const frc_triangle* t, uint32_t id, int k) {
    const uint32_t edge = t->edge[k];
    if (edge == FRACAS_NONE || (k > 0 && edge == t->edge[0]) || (k > 1 && edge == t->edge[1]))
        return false;
    return atomic_load_explicit(&hash->edge_owners.data[edge].value, memory_order_relaxed) == id;
}

static bool owns_point(const frc_hash* hash, const frc_triangle* t, uint32_t id, int k) {
    const uint32_t point = t->point[k];
    if ((k > 0 && point == t->point[0]) || (k > 1 && point == t->point[1])) return false;
    return atomic_load_explicit(&hash->point_owners.data[point].value, memory_order_relaxed) == id;
}

static void mark_owned(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    frc_hash* hash = data;
    for (uint32_t i = begin; i < end; i++) {
        const frc_triangle* t = &hash->world->topology->triangles.data[i];
        if (t->point[0] == FRACAS_NONE) continue;
        uint32_t owned = 0;
        for (int k = 0; k < 3; k++)
            owned |= (uint32_t)owns_edge(hash, t, i, k) << k | (uint32_t)owns_point(hash, t, i, k)
                                                                   << (3 + k);
        hash->marks.data[i] = (uint8_t)owned;
    }
}

// ---- free edges and points, which no triangle uses

// False: no memory.
static bool list_free(frc_hash* hash) {
    const frc_topology* topology = hash->world->topology;
    fracas_context* context = hash->world->context;
    hash->free_edges.count = hash->free_points.count = 0;
    if (!hash->free_elements) return true;
    for (uint32_t i = 0; i < topology->edges.count; i++) {
        const frc_edge* e = &topology->edges.data[i];
        if (e->point[0] == FRACAS_NONE || e->uses || !e->free) continue;
        if (!FRC_ARRAY_PUSH(context, &hash->free_edges, i)) return false;
    }
    // Discrete queries do not test free points.
    for (uint32_t i = 0; hash->ends == 2 && i < topology->uses.count; i++) {
        const frc_vertex_use* use = &topology->uses.data[i];
        if (topology->points.data[i].tag[FRC_TAG_BODY] == FRACAS_NONE) continue;  // not in use
        if (use->triangles || !(use->free_edges || use->free_point)) continue;
        if (!FRC_ARRAY_PUSH(context, &hash->free_points, i)) return false;
    }
    return true;
}

// ---- memory

enum { KINDS = 5 };

static void feature_lists(frc_cell_scratch* scratch, frc_feature_list* out[KINDS]) {
    out[0] = &scratch->faces, out[1] = &scratch->edges, out[2] = &scratch->points;
    out[3] = &scratch->free_edges, out[4] = &scratch->free_points;
}

// A triangle has at most three edges and three points.
static size_t list_capacity(const frc_cell_scratch* scratch, int kind) {
    return scratch->capacity * (size_t)(kind == 1 || kind == 2 ? 3 : 1);
}

static void release_scratch(fracas_context* context, frc_cell_scratch* scratch) {
    frc_feature_list* lists[KINDS];
    feature_lists(scratch, lists);
    for (int i = 0; i < KINDS; i++) {
        const size_t n = list_capacity(scratch, i);
        frc_release(context, lists[i]->boxes, 2 * n * sizeof(frc_box));
        frc_release(context, lists[i]->packets, (2 * n + 8) / 4 * sizeof(frc_box4));
        frc_release(context, lists[i]->marks, (n + 4) * sizeof(uint32_t));
        frc_release(context, lists[i]->faces, n * sizeof(frc_face_slot));
    }
    frc_release(context, scratch->stars, ((size_t)scratch->capacity + 4) / 4 * sizeof(frc_star4));
    *scratch = (frc_cell_scratch){0};
}

bool frc_cell_scratch_reserve(fracas_context* context, const frc_hash* hash,
                              frc_cell_scratch* scratch, uint32_t entries) {
    if (entries <= scratch->capacity) return true;
    release_scratch(context, scratch);
    const uint64_t wanted = entries + (uint64_t)entries / 2 + 64;
    frc_feature_list* lists[KINDS];
    feature_lists(scratch, lists);
    bool ok = wanted <= UINT32_MAX;
    scratch->capacity = ok ? (uint32_t)wanted : 0;
    for (int i = 0; i < (hash->free_elements ? KINDS : 3) && ok; i++) {
        const size_t n = list_capacity(scratch, i);
        lists[i]->boxes = frc_allocate_array(context, 2 * n, sizeof(frc_box), &ok);
        lists[i]->packets = frc_allocate_array(context, (2 * n + 8) / 4, sizeof(frc_box4), &ok);
        lists[i]->marks = frc_allocate_array(context, n + 4, sizeof(uint32_t), &ok);
        lists[i]->faces = frc_allocate_array(context, n, sizeof(frc_face_slot), &ok);
    }
    scratch->stars =
        frc_allocate_array(context, ((size_t)scratch->capacity + 4) / 4, sizeof(frc_star4), &ok);
    if (!ok) release_scratch(context, scratch);
    return ok;
}

// NULL: no memory.
static frc_hash* make_hash(fracas_context* context) {
    frc_hash* hash = frc_allocate_zero(context, sizeof *hash);
    if (!hash) return NULL;
    hash->worker_count = frc_worker_count(context);
    hash->scratch = frc_allocate_zero(context, hash->worker_count * sizeof *hash->scratch);
    if (hash->scratch) return hash;
    frc_release(context, hash, sizeof *hash);
    return NULL;
}

static void destroy_hash(fracas_context* context, frc_hash* hash) {
    if (!hash) return;
    for (uint32_t i = 0; i < hash->worker_count; i++) release_scratch(context, &hash->scratch[i]);
    frc_release(context, hash->scratch, hash->worker_count * sizeof *hash->scratch);
    frc_box_grid_release(context, &hash->grid);
    FRC_ARRAY_RELEASE(context, &hash->boxes);
    FRC_ARRAY_RELEASE(context, &hash->free_edges);
    FRC_ARRAY_RELEASE(context, &hash->free_points);
    FRC_ARRAY_RELEASE(context, &hash->marks);
    FRC_ARRAY_RELEASE(context, &hash->edge_owners);
    FRC_ARRAY_RELEASE(context, &hash->point_owners);
    frc_release(context, hash, sizeof *hash);
}

// ---- a query

// The cell size of a continuous query. Triangles that move far in the step have swept boxes much
// larger than themselves, which overlap many others that they do not meet. Cells of the size of
// swept boxes would hold too many: 70 % of the size comes from boxes at the end of the step.
static double choose_size(const frc_hash* hash) {
    enum { SAMPLES = 1024 };
    frc_grid_box at_end[SAMPLES];
    const uint32_t count = hash->triangle_count;
    uint32_t n = 0;
    for (uint32_t i = 0; i < SAMPLES && i < count; i++) {
        const uint32_t id = count <= SAMPLES ? i : (uint32_t)((uint64_t)i * count / SAMPLES);
        const uint32_t* point = hash->world->topology->triangles.data[id].point;
        if (point[0] == FRACAS_NONE) continue;
        frc_box bounds;
        store_box(&bounds, span_box(face_span(hash->lows, 1, point)));
        memcpy(at_end[n].lo, bounds.lo, sizeof at_end[n].lo);
        memcpy(at_end[n].hi, bounds.hi, sizeof at_end[n].hi);
        n++;
    }
    const double swept = frc_box_grid_choose_size(hash->boxes.data, (uint32_t)hash->boxes.count);
    return n ? 0.3 * swept + 0.7 * frc_box_grid_choose_size(at_end, n) : swept;
}

// Compute the boxes of all triangles and free elements, and enter them in the grid. False: no
// memory.
static bool fill(frc_hash* hash) {
    const frc_topology* topology = hash->world->topology;
    fracas_context* context = hash->world->context;
    size_t items = topology->triangles.count;
    hash->triangle_count = (uint32_t)items;
    if (!list_free(hash)) return false;
    items += hash->free_edges.count + hash->free_points.count;
    if (items >= UINT32_MAX || !FRC_ARRAY_RESERVE(context, &hash->boxes, items) ||
        !FRC_ARRAY_RESERVE(context, &hash->marks, topology->triangles.count))
        return false;
    hash->boxes.count = items;
    if (hash->ends == 2 &&
        (!FRC_ARRAY_RESERVE(context, &hash->edge_owners, topology->edges.count) ||
         !FRC_ARRAY_RESERVE(context, &hash->point_owners, topology->points.count)))
        return false;

    frc_parallel_for(context, hash->triangle_count, GRAIN, put_triangles, hash);
    if (hash->ends == 2) frc_parallel_for(context, hash->triangle_count, GRAIN, mark_owned, hash);
    uint32_t item = hash->triangle_count;
    for (size_t i = 0; i < hash->free_edges.count; i++)
        put_box(hash, item++, topology->edges.data[hash->free_edges.data[i]].point, 2);
    for (size_t i = 0; i < hash->free_points.count; i++)
        put_box(hash, item++, &hash->free_points.data[i], 1);
    const bool chosen = hash->cell_size > 0 || hash->ends == 1;
    return frc_box_grid_build(context, &hash->grid, hash->boxes.data, (uint32_t)hash->boxes.count,
                              chosen ? hash->cell_size : choose_size(hash));
}

// May all bodies collide with all others and with themselves, as by default?
static bool all_collide(const fracas_scene* scene) {
    bool all = true;
    for (uint32_t i = 0; i < scene->filters.count; i++) {
        const frc_body_filter* f = &scene->filters.data[i];
        if (frc_handles_in_use(&scene->handles, i))
            all &= f->self_collision && f->mask == UINT32_MAX && f->group != 0;
    }
    return all;
}

static bool has_free_elements(const fracas_scene* scene) {
    bool any = false;
    for (uint32_t i = 0; i < scene->bodies.count; i++)
        any |= scene->bodies.data[i].free_edges.count + scene->bodies.data[i].free_points.count > 0;
    return any;
}

// Create or reuse a hash for the search of this worker, and fill it. NULL: no memory.
static frc_hash* open_hash(const frc_detect_worker* worker) {
    const frc_world* world = worker->world;
    frc_hash_method* method = world->method_data;
    frc_hash* hash = atomic_exchange_explicit(&method->spare, NULL, memory_order_acquire);
    if (!hash) hash = make_hash(world->context);
    if (!hash) return NULL;
    hash->world = world;
    hash->embedded = method->scene->settled;
    hash->cell_size = method->cell_size;
    hash->free_elements = has_free_elements(method->scene);
    hash->all_collide = all_collide(method->scene);
    hash->lows = worker->lows;
    hash->ends = worker->boxes == FRC_BOXES_END ? 1 : 2;
    hash->reach = worker->reach;
    for (uint32_t i = 0; i < hash->worker_count; i++) {
        frc_cell_scratch* scratch = &hash->scratch[i];
        // Scratch of an earlier query without free elements has no lists for them.
        if (hash->free_elements && !scratch->free_edges.boxes)
            release_scratch(world->context, scratch);
        scratch->bounds.known = false;
    }
    if (fill(hash)) return hash;
    destroy_hash(world->context, hash);
    return NULL;
}

// Divide the buckets into about `wanted` tasks of equal numbers of entries. A task is the range of
// buckets [block_a, block_b). False: no memory.
static bool divide_buckets(const frc_hash* hash, uint32_t wanted, frc_work_list* out) {
    const frc_box_grid* grid = &hash->grid;
    const uint64_t all = frc_box_grid_begin(grid, grid->bucket_count);
    uint32_t from = 0;
    for (uint32_t i = 1; i <= wanted && from < grid->bucket_count; i++) {
        uint64_t goal = all * i / wanted;
        uint32_t low = from, high = grid->bucket_count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (frc_box_grid_begin(grid, middle) < goal)
                low = middle + 1;
            else
                high = middle;
        }
        if (i == wanted) low = grid->bucket_count;
        if (low == from) continue;
        const frc_work part = {from, low, 0, 0};
        if (!FRC_ARRAY_PUSH(hash->world->context, out, part)) return false;
        from = low;
    }
    return true;
}

// ---- the method

static void divide(frc_search_run* run) {
    // Tasks are not divided further while they run, so there are more of them than with trees.
    const uint32_t wanted = 256 + 16 * run->worker_count;
    frc_hash* hash = open_hash(run->workers[0]);
    run->method_data = hash;
    if (!hash || !divide_buckets(hash, wanted, &run->tasks)) run->workers[0]->out_of_memory = true;
}

static void run_task(frc_detect_worker* worker, const frc_work* task, void* data) {
    frc_hash_find_pairs(data, worker, task->block_a, task->block_b);
}

// Keep the hash for the next search to reuse.
static void finish(frc_search_run* run) {
    frc_hash_method* method = run->world->method_data;
    frc_hash* hash = run->method_data;
    if (hash)
        destroy_hash(run->world->context,
                     atomic_exchange_explicit(&method->spare, hash, memory_order_acq_rel));
}

static void destroy(fracas_context* context, void* method_data) {
    frc_hash_method* method = method_data;
    if (!method) return;
    destroy_hash(context, atomic_exchange(&method->spare, NULL));
    frc_release(context, method, sizeof *method);
}

frc_hash_method* frc_hash_method_create(const fracas_scene* scene, double cell_size) {
    frc_hash_method* method = frc_allocate(scene->context, sizeof *method);
    if (!method) return NULL;
    method->scene = scene;
    method->cell_size = cell_size;
    atomic_init(&method->spare, NULL);
    return method;
}

const frc_search_method frc_search_spatial_hash = {
    .divide = divide, .run_task = run_task, .finish = finish, .destroy = destroy};
