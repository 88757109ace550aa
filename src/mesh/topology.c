/// @file topology.c  Pools of points, edges and triangles, and the hash table of edges by points.
#include "mesh/topology.h"
#include "base/parallel.h"
#include <string.h>

enum { SMALLEST_TABLE = 64 };

void frc_topology_init(frc_topology* topology, fracas_context* context) {
    memset(topology, 0, sizeof *topology);
    topology->context = context;
}

static size_t table_size(const frc_topology* topology) {
    return topology->table ? ((size_t)topology->table_mask + 1) * sizeof *topology->table : 0;
}

void frc_changes_release(fracas_context* context, frc_changes* changes) {
    frc_release(context, changes->ids, changes->capacity * sizeof *changes->ids);
    frc_release(context, changes->listed, changes->capacity);
    *changes = (frc_changes){0};
}

void frc_topology_release(frc_topology* topology) {
    fracas_context* context = topology->context;
    FRC_ARRAY_RELEASE(context, &topology->points);
    FRC_ARRAY_RELEASE(context, &topology->uses);
    FRC_ARRAY_RELEASE(context, &topology->triangles);
    FRC_ARRAY_RELEASE(context, &topology->edges);
    FRC_ARRAY_RELEASE(context, &topology->unused_points);
    FRC_ARRAY_RELEASE(context, &topology->unused_triangles);
    FRC_ARRAY_RELEASE(context, &topology->unused_edges);
    frc_changes_release(context, &topology->changed_points);
    frc_changes_release(context, &topology->changed_edges);
    frc_changes_release(context, &topology->changed_triangles);
    frc_release(context, topology->table, table_size(topology));
    frc_topology_init(topology, context);
}

// ---- the table of edges

static uint32_t hash(uint32_t a, uint32_t b) {
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return (uint32_t)(h >> 32);
}

// The entry of edge (a, b), or the empty entry where it belongs.
static uint32_t find_entry(const frc_topology* topology, uint32_t a, uint32_t b) {
    uint32_t entry = hash(a, b) & topology->table_mask;
    for (;; entry = (entry + 1) & topology->table_mask) {
        uint32_t id = topology->table[entry];
        if (id == FRACAS_NONE) return entry;
        const frc_edge* edge = &topology->edges.data[id];
        if (edge->point[0] == a && edge->point[1] == b) return entry;
    }
}

// ---- changes

bool frc_changes_reserve(fracas_context* context, frc_changes* changes, size_t capacity) {
    if (capacity <= changes->capacity) return true;
    frc_changes grown = {.count = changes->count, .capacity = capacity};
    grown.ids = frc_allocate(context, capacity * sizeof *grown.ids);
    grown.listed = frc_allocate_zero(context, capacity);
    const bool ok = grown.ids && grown.listed;
    if (ok && changes->capacity > 0) {
        memcpy(grown.ids, changes->ids, changes->count * sizeof *grown.ids);
        memcpy(grown.listed, changes->listed, changes->capacity);
    }
    frc_changes_release(context, ok ? changes : &grown);
    if (ok) *changes = grown;
    return ok;
}

static bool reserve_changes(frc_topology* t) {
    return !t->keeps_changes ||
           (frc_changes_reserve(t->context, &t->changed_points, t->points.capacity) &&
            frc_changes_reserve(t->context, &t->changed_edges, t->edges.capacity) &&
            frc_changes_reserve(t->context, &t->changed_triangles, t->triangles.capacity));
}

void frc_changes_clear(frc_changes* changes) {
    if (changes->count > changes->capacity / 16)
        memset(changes->listed, 0, changes->capacity);
    else
        for (size_t i = 0; i < changes->count; i++) changes->listed[changes->ids[i]] = 0;
    changes->count = 0;
}

// Names are listed in two passes over the same stretches, the first of which counts those that are
// not listed yet.
enum { STRETCHES = 64 };

typedef struct naming {
    frc_changes* changes;
    const uint32_t* ids;
    size_t count, stretch;
    size_t begin[STRETCHES];  // in the list of changes
    bool counting;
} naming;

static void list_stretch(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    naming* n = data;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        const size_t first = k * n->stretch < n->count ? k * n->stretch : n->count,
                     last = first + n->stretch < n->count ? first + n->stretch : n->count;
        size_t at = n->counting ? 0 : n->begin[k];
        for (size_t i = first; i < last; i++) {
            uint8_t* listed = &n->changes->listed[n->ids[i]];
            if (n->counting) {
                at += !*listed;
                continue;
            }
            if (!*listed) n->changes->ids[at++] = n->ids[i];
            *listed |= FRC_CHANGE_NAME;
        }
        if (n->counting) n->begin[k] = at;
    }
}

void frc_list_names(fracas_context* context, frc_changes* changes, const uint32_t* ids,
                    size_t count) {
    naming n = {.changes = changes, .ids = ids, .count = count, .counting = true};
    if (!changes->listed || count == 0) return;
    n.stretch = (count + STRETCHES - 1) / STRETCHES;
    const uint32_t stretches = (uint32_t)((count + n.stretch - 1) / n.stretch),
                   grain = count < 64 * STRETCHES ? stretches : 1;
    frc_parallel_for(context, stretches, grain, list_stretch, &n);
    for (uint32_t k = 0; k < stretches; k++) {
        const size_t more = n.begin[k];
        n.begin[k] = changes->count;
        changes->count += more;
    }
    n.counting = false;
    frc_parallel_for(context, stretches, grain, list_stretch, &n);
}

// ---- reserving

static size_t more_than(size_t count, size_t unused) { return count > unused ? count - unused : 0; }

bool frc_topology_reserve(frc_topology* topology, size_t points, size_t triangles, size_t edges) {
    fracas_context* context = topology->context;
    // Unused ids are taken first.
    size_t all_points = topology->points.count + more_than(points, topology->unused_points.count);
    size_t all_triangles =
        topology->triangles.count + more_than(triangles, topology->unused_triangles.count);
    size_t all_edges = topology->edges.count + more_than(edges, topology->unused_edges.count);
    // References have 31 bits for an id.
    if ((all_points | all_triangles | all_edges) >> 31) return false;
    // The lists of free ids have a capacity for every id, so removing needs no memory.
    if (!FRC_ARRAY_RESERVE(context, &topology->points, all_points) ||
        !FRC_ARRAY_RESERVE(context, &topology->uses, all_points) ||
        !FRC_ARRAY_RESERVE(context, &topology->triangles, all_triangles) ||
        !FRC_ARRAY_RESERVE(context, &topology->edges, all_edges) ||
        !FRC_ARRAY_RESERVE(context, &topology->unused_points, all_points) ||
        !FRC_ARRAY_RESERVE(context, &topology->unused_triangles, all_triangles) ||
        !FRC_ARRAY_RESERVE(context, &topology->unused_edges, all_edges) ||
        !reserve_changes(topology))
        return false;

    // Rebuild the table if more than half of it would be used.
    size_t wanted = SMALLEST_TABLE;
    while (wanted < (topology->table_used + edges) * 2) wanted *= 2;
    if (table_size(topology) >= wanted * sizeof(uint32_t)) return true;
    uint32_t* table = frc_allocate(context, wanted * sizeof *table);
    if (!table) return false;
    memset(table, 0xff, wanted * sizeof *table);
    frc_release(context, topology->table, table_size(topology));
    topology->table = table;
    topology->table_mask = (uint32_t)(wanted - 1);
    for (size_t i = 0; i < topology->edges.count; i++) {
        const uint32_t* point = topology->edges.data[i].point;
        if (point[0] != FRACAS_NONE) table[find_entry(topology, point[0], point[1])] = (uint32_t)i;
    }
    return true;
}

// ---- points and triangles

uint32_t frc_topology_add_point(frc_topology* topology) {
    const bool reuse = topology->unused_points.count > 0;
    uint32_t id = reuse ? topology->unused_points.data[--topology->unused_points.count]
                        : (uint32_t)topology->points.count++;
    if (id >= topology->uses.count) topology->uses.count = id + 1;
    topology->points.data[id] = (frc_point){0};
    topology->uses.data[id] = (frc_vertex_use){
        .place = {FRACAS_NONE, FRACAS_NONE}
    };
    frc_list_change(&topology->changed_points, id);
    return id;
}

void frc_topology_remove_point(frc_topology* topology, uint32_t point) {
    topology->points.data[point] = (frc_point){.tag = {[FRC_TAG_BODY] = FRACAS_NONE}};
    topology->unused_points.data[topology->unused_points.count++] = point;
    frc_list_change(&topology->changed_points, point);
}

uint32_t frc_topology_add_triangle(frc_topology* topology) {
    uint32_t id = topology->unused_triangles.count > 0
                      ? topology->unused_triangles.data[--topology->unused_triangles.count]
                      : (uint32_t)topology->triangles.count++;
    topology->triangles.data[id] = (frc_triangle){
        .place = {FRACAS_NONE, FRACAS_NONE}
    };
    frc_list_change(&topology->changed_triangles, id);
    return id;
}

void frc_topology_remove_triangle(frc_topology* topology, uint32_t triangle) {
    topology->triangles.data[triangle].point[0] = FRACAS_NONE;
    topology->triangles.data[triangle].body = FRACAS_NONE;
    topology->unused_triangles.data[topology->unused_triangles.count++] = triangle;
    frc_list_change(&topology->changed_triangles, triangle);
}

// ---- edges

// The first entry where the edge of corners k and k + 1 may be.
static const uint32_t* first_entry(const frc_topology* topology, const uint32_t point[3], int k) {
    const uint32_t a = point[k], b = point[(k + 1) % 3];
    return &topology->table[hash(a < b ? a : b, a < b ? b : a) & topology->table_mask];
}

void frc_topology_expect_edges(const frc_topology* topology, const uint32_t point[3]) {
    for (int k = 0; k < 3; k++) __builtin_prefetch(first_entry(topology, point, k));
}

void frc_topology_expect_found(const frc_topology* topology, const uint32_t point[3]) {
    for (int k = 0; k < 3; k++) {
        const uint32_t id = *first_entry(topology, point, k);
        if (id != FRACAS_NONE) __builtin_prefetch(&topology->edges.data[id]);
    }
}

uint32_t frc_topology_find_edge(const frc_topology* topology, uint32_t a, uint32_t b) {
    if (a == b || !topology->table) return FRACAS_NONE;
    return topology->table[a < b ? find_entry(topology, a, b) : find_entry(topology, b, a)];
}

uint32_t frc_topology_find_or_add_edge(frc_topology* topology, uint32_t a, uint32_t b) {
    if (a == b) return FRACAS_NONE;
    if (a > b) {
        uint32_t t = a;
        a = b, b = t;
    }
    uint32_t entry = find_entry(topology, a, b);
    uint32_t id = topology->table[entry];
    if (id != FRACAS_NONE) return id;
    id = topology->unused_edges.count > 0
             ? topology->unused_edges.data[--topology->unused_edges.count]
             : (uint32_t)topology->edges.count++;
    topology->edges.data[id] = (frc_edge){
        .point = {a,           b          },
          .place = {FRACAS_NONE, FRACAS_NONE}
    };
    topology->table[entry] = id;
    topology->table_used++;
    topology->edges_version++;
    frc_list_change(&topology->changed_edges, id);
    return id;
}

bool frc_topology_remove_unused_edge(frc_topology* topology, uint32_t edge) {
    frc_edge* e = &topology->edges.data[edge];
    if (e->uses > 0 || e->free) return false;

    // Remove the entry and close the gap, so that no search stops early: a later entry moves into
    // the gap unless its preferred position lies cyclically behind the gap.
    const uint32_t mask = topology->table_mask;
    uint32_t* table = topology->table;
    uint32_t gap = find_entry(topology, e->point[0], e->point[1]);
    for (uint32_t at = (gap + 1) & mask; table[at] != FRACAS_NONE; at = (at + 1) & mask) {
        const uint32_t* point = topology->edges.data[table[at]].point;
        const uint32_t preferred = hash(point[0], point[1]) & mask;
        if (((at - preferred) & mask) >= ((at - gap) & mask)) {
            table[gap] = table[at];
            gap = at;
        }
    }
    table[gap] = FRACAS_NONE;
    topology->table_used--;
    topology->edges_version++;
    e->point[0] = FRACAS_NONE;
    topology->unused_edges.data[topology->unused_edges.count++] = edge;
    frc_list_change(&topology->changed_edges, edge);
    return true;
}
