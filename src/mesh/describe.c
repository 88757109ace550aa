/// @file describe.c  fracas_mesh_describe: counts of elements and defects, by a counting sort of
/// the edges by their smaller vertex, and union-find for the components.
#include "base/context.h"
#include "exact/predicates.h"
#include "mesh/union_find.h"
#include "mesh/validate.h"
#include "mesh/view.h"

// All scratch memory, in one allocation.
typedef struct work {
    uint32_t* parents;  // union-find over the vertices
    uint8_t* used;      // by vertex: bit 0 of a triangle or free edge, bit 1 of a free point
    size_t* begins;     // where the entries of each vertex begin; vertices + 1 of them
    uint64_t* sides;    // entries: larger vertex << 2 | direction
} work;

// ---- sides of triangles

enum { FORWARD, BACKWARD, BOTH_WAYS };  // from the smaller vertex to the larger, or back

typedef struct side {
    uint32_t small, large;
    unsigned direction;
} side;

// The sides of a triangle. With a repeated index there is one side, in both directions, or none.
static int sides_of(const uint32_t* triangle, side out[3]) {
    int count = 0;
    for (int corner = 0; corner < 3; corner++) {
        uint32_t a = triangle[corner], b = triangle[(corner + 1) % 3];
        if (a != b) out[count++] = a < b ? (side){a, b, FORWARD} : (side){b, a, BACKWARD};
    }
    if (count == 3) return 3;
    out[0].direction = BOTH_WAYS;
    return count / 2;
}

static uint32_t smallest_corner(const uint32_t* triangle) {
    uint32_t least = triangle[0] < triangle[1] ? triangle[0] : triangle[1];
    return least < triangle[2] ? least : triangle[2];
}

// Exclusive prefix sum: from the number of entries per vertex to where they begin.
static void counts_to_begins(size_t* begins, uint32_t count) {
    size_t sum = 0;
    for (size_t v = 0; v <= count; v++) {
        size_t here = begins[v];
        begins[v] = sum;
        sum += here;
    }
}

static void sift_down(uint64_t* heap, size_t at, size_t count) {
    uint64_t moving = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= moving) break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

// Insertion sort for the usual six or so entries, heap sort for a vertex with many edges. qsort is
// not used because it may allocate.
static void sort_entries(uint64_t* list, size_t count) {
    for (size_t i = 1; count <= 32 && i < count; i++) {
        uint64_t moving = list[i];
        size_t j = i;
        for (; j > 0 && list[j - 1] > moving; j--) list[j] = list[j - 1];
        list[j] = moving;
    }
    if (count <= 32) return;
    for (size_t i = count / 2; i-- > 0;) sift_down(list, i, count);
    for (size_t end = count - 1; end > 0; end--) {
        uint64_t largest = list[0];
        list[0] = list[end];
        list[end] = largest;
        sift_down(list, 0, end);
    }
}

static void count_edges(const fracas_mesh_view* mesh, const work* w, fracas_mesh_info* out) {
    uint32_t points = mesh->points.count;
    side s[3];
    memset(w->begins, 0, ((size_t)points + 1) * sizeof *w->begins);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int i = sides_of(mesh->triangles + 3 * t, s); i-- > 0;) w->begins[s[i].small]++;
    counts_to_begins(w->begins, points);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int i = sides_of(mesh->triangles + 3 * t, s); i-- > 0;)
            w->sides[w->begins[s[i].small]++] = (uint64_t)s[i].large << 2 | s[i].direction;
    // Insertion has moved begins[v] to the end of the entries of v.
    for (uint32_t v = 0; v < points; v++) {
        size_t begin = v ? w->begins[v - 1] : 0;
        const uint64_t* sides = w->sides + begin;
        const size_t count = w->begins[v] - begin;
        sort_entries(w->sides + begin, count);
        // Sides of one edge are consecutive now.
        for (size_t i = 0, next; i < count; i = next) {
            for (next = i + 1; next < count && sides[next] >> 2 == sides[i] >> 2;) next++;
            out->edges++;
            if (next - i == 1) out->boundary_edges++;
            if (next - i > 2) out->nonmanifold_edges++;
            if (next - i == 2 && sides[i] == sides[i + 1] && (sides[i] & 3) != BOTH_WAYS)
                out->misoriented_edges++;
        }
    }
}

// ---- triangles with the same corners

// Counting sort by the smallest corner; an entry is the two other corners.
static void count_duplicates(const fracas_mesh_view* mesh, const work* w, fracas_mesh_info* out) {
    uint32_t points = mesh->points.count;
    memset(w->begins, 0, ((size_t)points + 1) * sizeof *w->begins);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        w->begins[smallest_corner(mesh->triangles + 3 * t)]++;
    counts_to_begins(w->begins, points);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t* triangle = mesh->triangles + 3 * t;
        const uint32_t least = smallest_corner(triangle);
        uint32_t most = triangle[0];
        uint64_t sum = 0;
        for (int i = 0; i < 3; i++) {
            if (triangle[i] > most) most = triangle[i];
            sum += triangle[i];
        }
        w->sides[w->begins[least]++] = (sum - least - most) << 32 | most;
    }
    for (uint32_t v = 0; v < points; v++) {
        size_t begin = v ? w->begins[v - 1] : 0;
        sort_entries(w->sides + begin, w->begins[v] - begin);
        for (size_t i = begin + 1; i < w->begins[v]; i++)
            out->duplicate_triangles += w->sides[i] == w->sides[i - 1];
    }
}

// ---- degenerate triangles

// A triangle is exactly flat when its projections along all three axes are.
static void count_degenerate(const fracas_mesh_view* mesh, fracas_mesh_info* out) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t* triangle = mesh->triangles + 3 * t;
        double p[3][3];
        bool flat = true;
        for (int i = 0; i < 3; i++) frc_view_point(&mesh->points, triangle[i], p[i]);
        for (int axis = 0; flat && axis < 3; axis++) {
            const int x = (axis + 1) % 3, y = (axis + 2) % 3;
            const double projected[3][2] = {
                {p[0][x], p[0][y]},
                {p[1][x], p[1][y]},
                {p[2][x], p[2][y]}
            };
            flat = frc_orient2d(projected[0], projected[1], projected[2]) == 0;
        }
        out->flat_triangles += flat;
        out->repeated_index_triangles +=
            triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
    }
}

// ---- connected components

static void join(const work* w, uint32_t a, uint32_t b) {
    w->used[a] |= 1;
    w->used[b] |= 1;
    frc_union_find_join(w->parents, a, b);
}

static void count_components(const fracas_mesh_view* mesh, const work* w, fracas_mesh_info* out) {
    uint32_t points = mesh->points.count;
    memset(w->used, 0, points);
    for (uint32_t v = 0; v < points; v++) w->parents[v] = v;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        join(w, mesh->triangles[3 * t], mesh->triangles[3 * t + 1]);
        join(w, mesh->triangles[3 * t], mesh->triangles[3 * t + 2]);
    }
    for (size_t e = 0; e < mesh->edge_count; e++)
        join(w, mesh->edges[2 * e], mesh->edges[2 * e + 1]);
    for (size_t i = 0; i < mesh->vertex_count; i++) w->used[mesh->vertices[i]] |= 2;
    for (uint32_t v = 0; v < points; v++) {
        out->components += (w->used[v] & 1) && w->parents[v] == v;
        out->unused_vertices += !w->used[v];
    }
}

// ---- the description

fracas_status fracas_mesh_describe(fracas_context* context, const fracas_mesh_view* mesh,
                                   fracas_mesh_info* out) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!mesh) return frc_fail_null(context, "fracas_mesh_describe", "mesh");
    if (!out) return frc_fail_null(context, "fracas_mesh_describe", "out");
    fracas_status status = fracas_mesh_validate(context, mesh);
    if (status != FRACAS_OK) return status;
    const size_t points = mesh->points.count, sides = 3 * (size_t)mesh->triangle_count;
    const size_t size = sides * sizeof(uint64_t) + (points + 1) * sizeof(size_t) +
                        points * (sizeof(uint32_t) + sizeof(uint8_t));
    char* memory = frc_allocate(context, size);
    if (!memory) return frc_fail_memory(context, size);
    work w;
    w.sides = (uint64_t*)(void*)memory;
    w.begins = (size_t*)(void*)(w.sides + sides);
    w.parents = (uint32_t*)(void*)(w.begins + points + 1);
    w.used = (uint8_t*)(w.parents + points);
    fracas_mesh_info info = {.vertices = mesh->points.count,
                             .triangles = mesh->triangle_count,
                             .free_edges = mesh->edge_count,
                             .free_vertices = mesh->vertex_count};
    count_edges(mesh, &w, &info);
    count_duplicates(mesh, &w, &info);
    count_components(mesh, &w, &info);
    frc_release(context, memory, size);
    count_degenerate(mesh, &info);
    frc_view_box(&mesh->points, info.box_min, info.box_max);
    info.closed = mesh->triangle_count > 0 && info.boundary_edges == 0;
    info.manifold = info.nonmanifold_edges == 0;
    *out = info;
    return FRACAS_OK;
}
