/// @file cut.c  Convert the difference of two frames of a fracturing sequence to a split of the
/// body.
///
/// The first vertex of the new file with a certain parent continues it. Further vertices with the
/// same parent are new vertices, its siblings. A vertex without a parent appears at rest at its new
/// position. A triangle that continues one of the old file keeps its number, and its corners are
/// re-pointed. Old triangles that no triangle continues are removed.
#include "options.h"
#include "track.h"
#include <stdlib.h>
#include <string.h>

typedef struct cut {
    const cli_track* track;
    fracas_mesh_view before, now;
    fracas_mesh_faces faces_before, faces_now;
    const int32_t *vertex_parents, *face_parents;
    // Results: the maps of the new file, and the changes.
    uint32_t *vertex_of_file, *triangle_of_file;
    uint32_t* origin;  // new file's triangle -> the old file's that it continues, or FRACAS_NONE
    bool* continued;   // by triangle of the old file
    fracas_new_vertex* new_vertices;
    fracas_repoint* repoints;
    uint32_t *new_triangles, *removed;
    uint32_t new_vertex_count, repoint_count, new_triangle_count, removed_count;
} cut;

static uint32_t look_up(const uint32_t* map, uint32_t index) { return map ? map[index] : index; }

static void allocate_results(cut* c) {
    size_t vertices = c->now.points.count, triangles = c->now.triangle_count;
    c->vertex_of_file = cli_allocate(vertices, sizeof *c->vertex_of_file);
    c->triangle_of_file = cli_allocate(triangles, sizeof *c->triangle_of_file);
    c->origin = cli_allocate(triangles, sizeof *c->origin);
    c->continued = cli_allocate(c->before.triangle_count, sizeof *c->continued);
    c->new_vertices = cli_allocate(vertices, sizeof *c->new_vertices);
    c->repoints = cli_allocate(3 * triangles, sizeof *c->repoints);
    c->new_triangles = cli_allocate(3 * triangles, sizeof *c->new_triangles);
    c->removed = cli_allocate(c->before.triangle_count, sizeof *c->removed);
}

static void free_results(cut* c) {
    free(c->vertex_of_file);
    free(c->triangle_of_file);
    free(c->origin);
    free(c->continued);
    free(c->new_vertices);
    free(c->repoints);
    free(c->new_triangles);
    free(c->removed);
}

// ---- vertices

// The vertex of the scene for each vertex of the new file, and the new vertices.
static void map_vertices(cut* c) {
    bool* continued = cli_allocate(c->before.points.count, sizeof *continued);
    const size_t stride = c->now.points.stride ? c->now.points.stride : 3 * sizeof(double);
    for (uint32_t i = 0; i < c->now.points.count; i++) {
        int32_t parent = c->vertex_parents[i];
        uint32_t old =
            parent < 0 ? FRACAS_NONE : look_up(c->track->vertex_of_file, (uint32_t)parent);
        if (parent >= 0 && !continued[parent]) {
            continued[parent] = true;
            c->vertex_of_file[i] = old;
            continue;
        }
        c->vertex_of_file[i] = c->track->vertex_numbers + c->new_vertex_count;
        fracas_new_vertex vertex = {.parent_a = old, .parent_b = FRACAS_NONE};
        if (parent < 0) {
            const char* position = (const char*)c->now.points.data + stride * i;
            memcpy(vertex.t0, position, sizeof vertex.t0);
            memcpy(vertex.t1, position, sizeof vertex.t1);
        }
        c->new_vertices[c->new_vertex_count++] = vertex;
    }
    free(continued);
}

// ---- triangles that continue old ones

// `triangle` continues `old`.
static void continue_triangle(cut* c, uint32_t triangle, uint32_t old) {
    c->origin[triangle] = old;
    c->continued[old] = true;
}

// The first triangle of every face; FRACAS_NONE for a face that has none.
static uint32_t* first_triangles(const fracas_mesh_faces* faces, uint32_t triangle_count) {
    uint32_t* first = cli_allocate(faces->face_count, sizeof *first);
    memset(first, 0xff, sizeof *first * faces->face_count);
    for (uint32_t t = triangle_count; t-- > 0;) first[faces->triangle_faces[t]] = t;
    return first;
}

// With face parents: the k-th triangle of a face continues the k-th triangle of its parent.
static void match_by_parents(cut* c) {
    uint32_t* first_before = first_triangles(&c->faces_before, c->before.triangle_count);
    uint32_t* first_now = first_triangles(&c->faces_now, c->now.triangle_count);
    for (uint32_t t = 0; t < c->now.triangle_count; t++) {
        uint32_t face = c->faces_now.triangle_faces[t];
        int32_t parent = c->face_parents[face];
        if (parent < 0 || first_before[parent] == FRACAS_NONE) continue;
        uint32_t old = first_before[parent] + (t - first_now[face]);
        bool exists = old < c->before.triangle_count &&
                      c->faces_before.triangle_faces[old] == (uint32_t)parent;
        if (exists && !c->continued[old]) continue_triangle(c, t, old);
    }
    free(first_before);
    free(first_now);
}

typedef struct triangle_key {
    uint32_t corners[3], triangle;
} triangle_key;

// A key that is equal for all cyclic rotations of the corners.
static triangle_key make_key(uint32_t a, uint32_t b, uint32_t c, uint32_t triangle) {
    if (b < a && b < c)
        return (triangle_key){
            {b, c, a},
            triangle
        };
    if (c < a && c < b)
        return (triangle_key){
            {c, a, b},
            triangle
        };
    return (triangle_key){
        {a, b, c},
        triangle
    };
}

static int compare_corners(const triangle_key* a, const triangle_key* b) {
    for (int i = 0; i < 3; i++)
        if (a->corners[i] != b->corners[i]) return a->corners[i] < b->corners[i] ? -1 : 1;
    return 0;
}

static int compare_keys(const void* left, const void* right) {
    const triangle_key *a = left, *b = right;
    int order = compare_corners(a, b);
    return order ? order : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

// Without face parents: a triangle continues the one whose corners are the parents of its corners.
static void match_by_corners(cut* c) {
    uint32_t count = c->before.triangle_count;
    triangle_key* keys = cli_allocate(count, sizeof *keys);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t* corners = c->before.triangles + 3 * (size_t)t;
        keys[t] = make_key(corners[0], corners[1], corners[2], t);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t t = 0; t < c->now.triangle_count; t++) {
        const uint32_t* corners = c->now.triangles + 3 * (size_t)t;
        const int32_t* parents = c->vertex_parents;
        int32_t p[3] = {parents[corners[0]], parents[corners[1]], parents[corners[2]]};
        if (p[0] < 0 || p[1] < 0 || p[2] < 0) continue;
        triangle_key key = make_key((uint32_t)p[0], (uint32_t)p[1], (uint32_t)p[2], t);
        // Binary search for the first equal key, then the first that is not continued yet.
        uint32_t k = 0, high = count;
        while (k < high) {
            uint32_t middle = k + (high - k) / 2;
            if (compare_corners(&keys[middle], &key) < 0)
                k = middle + 1;
            else
                high = middle;
        }
        while (k < count && compare_corners(&keys[k], &key) == 0 && c->continued[keys[k].triangle])
            k++;
        if (k < count && compare_corners(&keys[k], &key) == 0)
            continue_triangle(c, t, keys[k].triangle);
    }
    free(keys);
}

// ---- the split

// List re-pointed corners, new triangles and removed triangles.
static void list_triangles(cut* c) {
    for (uint32_t t = 0; t < c->now.triangle_count; t++) {
        const uint32_t* corners = c->now.triangles + 3 * (size_t)t;
        const uint32_t old = c->origin[t];
        if (old == FRACAS_NONE) {
            uint32_t* out = c->new_triangles + 3 * (size_t)c->new_triangle_count;
            for (size_t i = 0; i < 3; i++) out[i] = c->vertex_of_file[corners[i]];
            c->triangle_of_file[t] = c->track->triangle_numbers + c->new_triangle_count++;
            continue;
        }
        const uint32_t number = look_up(c->track->triangle_of_file, old);
        c->triangle_of_file[t] = number;
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t had =
                look_up(c->track->vertex_of_file, c->before.triangles[3 * (size_t)old + i]);
            uint32_t has = c->vertex_of_file[corners[i]];
            if (had != has) c->repoints[c->repoint_count++] = (fracas_repoint){number, i, has};
        }
    }
    for (uint32_t t = 0; t < c->before.triangle_count; t++)
        if (!c->continued[t])
            c->removed[c->removed_count++] = look_up(c->track->triangle_of_file, t);
}

// The inverse of a map to `numbers` values; FRACAS_NONE where there is none.
static uint32_t* inverse(const uint32_t* map, uint32_t count, uint32_t numbers) {
    uint32_t* result = cli_allocate(numbers, sizeof *result);
    memset(result, 0xff, sizeof *result * numbers);
    for (uint32_t i = 0; i < count; i++) result[map[i]] = i;
    return result;
}

// Make the new file the one that `track` translates to. Moves the maps from `c` to `track`.
static void update_track(cut* c, cli_track* track) {
    free(track->vertex_of_file);
    free(track->triangle_of_file);
    free(track->file_of_vertex);
    free(track->file_of_triangle);
    track->vertex_numbers += c->new_vertex_count;
    track->triangle_numbers += c->new_triangle_count;
    track->vertex_of_file = c->vertex_of_file;
    track->triangle_of_file = c->triangle_of_file;
    track->file_of_vertex = inverse(c->vertex_of_file, c->now.points.count, track->vertex_numbers);
    track->file_of_triangle =
        inverse(c->triangle_of_file, c->now.triangle_count, track->triangle_numbers);
    c->vertex_of_file = c->triangle_of_file = NULL;
}

// ---- checking

static int check_parents(const int32_t* parents, uint32_t count, uint32_t limit, const char* what,
                         const char* path, const char* path_before) {
    for (uint32_t i = 0; parents && i < count; i++)
        if (parents[i] < -1 || (parents[i] >= 0 && (uint32_t)parents[i] >= limit))
            return cli_fail(CLI_BAD_INPUT,
                            "%s: %s %u has parent %d, but the frame before (%s) has %u; a parent "
                            "is an index in the frame before, or -1",
                            path, what, i, (int)parents[i], path_before, limit);
    return CLI_DONE;
}

int cli_track_cut(cli_track* track, fracas_scene* scene, fracas_context* context,
                  const fracas_mesh_file* before, const fracas_mesh_file* now,
                  const char* path_before, const char* path, uint64_t* edits) {
    cut c = {.track = track,
             .before = fracas_mesh_file_get_view(before),
             .now = fracas_mesh_file_get_view(now),
             .faces_before = fracas_mesh_file_get_faces(before),
             .faces_now = fracas_mesh_file_get_faces(now),
             .vertex_parents = fracas_mesh_file_get_vertex_parents(now),
             .face_parents = fracas_mesh_file_get_face_parents(now)};
    int code = check_parents(c.vertex_parents, c.now.points.count, c.before.points.count, "vertex",
                             path, path_before);
    if (code == CLI_DONE)
        code = check_parents(c.face_parents, c.faces_now.face_count, c.faces_before.face_count,
                             "face", path, path_before);
    if (code != CLI_DONE) return code;

    allocate_results(&c);
    memset(c.origin, 0xff, sizeof *c.origin * c.now.triangle_count);
    map_vertices(&c);
    if (c.face_parents)
        match_by_parents(&c);
    else
        match_by_corners(&c);
    list_triangles(&c);

    fracas_split split = fracas_scene_default_split();
    split.new_vertex_count = c.new_vertex_count;
    split.new_vertices = c.new_vertices;
    split.repoint_count = c.repoint_count;
    split.repoints = c.repoints;
    split.new_triangle_count = c.new_triangle_count;
    split.new_triangles = c.new_triangles;
    split.removed_triangle_count = c.removed_count;
    split.removed_triangles = c.removed;
    fracas_status status = fracas_scene_split(scene, track->body, &split, NULL);
    if (status == FRACAS_OK) {
        *edits +=
            (uint64_t)c.new_vertex_count + c.repoint_count + c.new_triangle_count + c.removed_count;
        update_track(&c, track);
    }
    free_results(&c);
    return status == FRACAS_OK ? CLI_DONE : cli_fail_status(context, status);
}
