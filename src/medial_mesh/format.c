/// @file format.c  Read and write medial meshes: MA and MAT.
///
/// Both are lines of a letter and numbers. MA has all edges (`e`) and triangles (`f`); MAT has
/// triangles (`s`) and the edges that are in no triangle (`c`), and a number after each sphere.
#include "io/decimal.h"
#include "io/mesh_file.h"
#include "medial_mesh/build.h"
#include "medial_mesh/shape.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
    frc_source* source;
    fracas_medial_mesh* mesh;
    bool is_mat;         // found by the first `c` or `s`
    uint64_t counts[3];  // of the header: spheres, edges, triangles
    uint64_t found[3];
} reader;

static const char* const names[] = {"sphere", "edge", "triangle"};

// The end of a line: nothing but blanks, unless numbers may follow.
static fracas_status end_line(const reader* r, bool more) {
    frc_source* source = r->source;
    const frc_word rest = frc_peek_word(source);
    if (rest.length > 0 && rest.text[0] != '#' && !more)
        return frc_fail_line(source, rest.text, "'%s' follows the last number of the line",
                             frc_quote_word(rest).text);
    frc_skip_line(source);
    return FRACAS_OK;
}

static fracas_status read_header(reader* r) {
    for (int k = 0; k < 3; k++) {
        int64_t count = 0;
        const char* place = r->source->at;
        if (!frc_read_integer(r->source, &count) || count < 0)
            return frc_fail_line(r->source, place,
                                 "the first line should have three numbers: of spheres, edges and "
                                 "triangles");
        r->counts[k] = (uint64_t)count;
    }
    // A line has at least the bytes "e 0 1\n".
    const uint64_t lines = r->counts[0] + r->counts[1] + r->counts[2];
    if (lines > frc_source_left(r->source) / 6 + 1)
        return frc_fail_line(r->source, r->source->at,
                             "the file says it has %" PRIu64 " spheres, %" PRIu64
                             " edges and %" PRIu64 " triangles, but only %zu bytes follow",
                             r->counts[0], r->counts[1], r->counts[2], frc_source_left(r->source));
    return end_line(r, false);
}

static fracas_status read_sphere(reader* r) {
    double at[3];
    fracas_medial_sphere sphere;
    const fracas_status status = frc_read_coordinates(r->source, r->found[0], at);
    if (status != FRACAS_OK) return status;
    const frc_word word = frc_read_word(r->source);
    const char* const end = word.text + word.length;
    if (frc_decimal_read(word.text, end, &sphere.radius) != end || !isfinite(sphere.radius))
        return frc_fail_line(r->source, word.text,
                             "sphere %" PRIu64 " has '%s' for its radius, which is not a finite "
                             "number",
                             r->found[0], frc_quote_word(word).text);
    if (!(sphere.radius >= 0))
        return frc_fail_line(r->source, word.text,
                             "sphere %" PRIu64 " has the radius %g; it must not be negative",
                             r->found[0], sphere.radius);
    memcpy(sphere.center, at, sizeof at);
    if (!FRC_ARRAY_PUSH(r->source->context, &r->mesh->spheres, sphere))
        return frc_fail_memory(r->source->context, r->counts[0] * sizeof sphere);
    return end_line(r, true);
}

// An edge has two corners, a triangle three.
static fracas_status read_corners(reader* r, int kind) {
    uint32_t corner[3];
    const uint64_t spheres = r->mesh->spheres.count;
    for (int k = 0; k < kind + 1; k++) {
        int64_t v = 0;
        const frc_word word = frc_peek_word(r->source);
        const char* place = word.text;
        if (!frc_read_integer(r->source, &v) || v < 0 || (uint64_t)v >= spheres)
            return frc_fail_line(r->source, place,
                                 "%s %" PRIu64 " has '%s' for a sphere; there are %" PRIu64
                                 ", counting from 0",
                                 names[kind], r->found[kind], frc_quote_word(word).text, spheres);
        corner[k] = (uint32_t)v;
        for (int i = 0; i < k; i++)
            if (corner[i] == corner[k])
                return frc_fail_line(r->source, place,
                                     "%s %" PRIu64 " has sphere %" PRIu32 " twice", names[kind],
                                     r->found[kind], corner[k]);
        const bool ok = kind == 1
                            ? FRC_ARRAY_PUSH(r->source->context, &r->mesh->edges, corner[k])
                            : FRC_ARRAY_PUSH(r->source->context, &r->mesh->triangles, corner[k]);
        if (!ok) return frc_fail_memory(r->source->context, r->counts[kind] * sizeof corner);
    }
    return end_line(r, false);
}

static fracas_status read_line(reader* r) {
    const frc_word word = frc_read_word(r->source);
    static const struct {
        const char* text;
        int kind;
        bool is_mat;
    } letters[] = {
        {"v", 0, false},
        {"e", 1, false},
        {"f", 2, false},
        {"c", 1, true },
        {"s", 2, true }
    };
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (!frc_word_is(word, letters[i].text)) continue;
        const int kind = letters[i].kind;
        r->is_mat |= letters[i].is_mat;
        if (r->found[kind] == r->counts[kind])
            return frc_fail_line(r->source, word.text,
                                 "a further %s follows; the first line says %" PRIu64, names[kind],
                                 r->counts[kind]);
        const fracas_status status = kind == 0 ? read_sphere(r) : read_corners(r, kind);
        r->found[kind]++;
        return status;
    }
    return frc_fail_line(r->source, word.text,
                         "the line begins with '%s'; expected v, e or f (MA), or v, c or s (MAT)",
                         frc_quote_word(word).text);
}

static fracas_status read_all(reader* r) {
    bool header = false;
    frc_source* source = r->source;
    frc_source_drop_trailing_zeros(source);
    while (source->at < source->end) {
        const frc_word word = frc_peek_word(source);
        fracas_status status = FRACAS_OK;
        if (word.length == 0 || word.text[0] == '#') {
            frc_skip_line(source);
        } else {
            status = header ? read_line(r) : read_header(r);
            header = true;
        }
        if (status == FRACAS_OK) status = frc_source_progress(source);
        if (status != FRACAS_OK) return status;
    }
    if (!header) return frc_fail_line(source, source->begin, "the file is empty");
    for (int k = 0; k < 3; k++)
        if (r->found[k] < r->counts[k])
            return frc_fail_line(source, source->at,
                                 "the file ends after %" PRIu64 " of %" PRIu64 " %ss", r->found[k],
                                 r->counts[k], names[k]);
    return FRACAS_OK;
}

// MAT leaves out the sides of triangles.
static bool add_sides(fracas_medial_mesh* mesh) {
    fracas_context* context = mesh->context;
    frc_edge_set sides = {0}, edges = {0};
    bool ok =
        frc_edge_set_create(context, mesh->triangles.data, mesh->triangles.count / 3, 3, &sides) &&
        frc_edge_set_create(context, mesh->edges.data, mesh->edges.count / 2, 2, &edges);
    for (size_t i = 0; ok && i < sides.count; i++) {
        const uint32_t a = (uint32_t)(sides.keys[i] >> 32), b = (uint32_t)sides.keys[i];
        if (!frc_edge_set_has(&edges, a, b))
            ok = FRC_ARRAY_PUSH(context, &mesh->edges, a) &&
                 FRC_ARRAY_PUSH(context, &mesh->edges, b);
    }
    frc_edge_set_release(context, &edges);
    frc_edge_set_release(context, &sides);
    return ok;
}

static fracas_status parse(frc_source* source, fracas_medial_mesh** out) {
    fracas_context* context = source->context;
    fracas_medial_mesh* mesh = frc_allocate_zero(context, sizeof *mesh);
    if (!mesh) return frc_fail_memory(context, sizeof *mesh);
    mesh->context = context;
    reader r = {.source = source, .mesh = mesh};
    fracas_status status = read_all(&r);
    if (status == FRACAS_OK && r.is_mat && !add_sides(mesh))
        status = frc_fail_memory(context, mesh->triangles.count * sizeof(uint64_t));
    frc_medial_count(mesh);
    if (status == FRACAS_OK)
        *out = mesh;
    else
        fracas_medial_mesh_destroy(mesh);
    return status;
}

fracas_status fracas_medial_mesh_parse(fracas_context* context, const char* name, const void* bytes,
                                       size_t size, fracas_medial_mesh** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!name) return frc_fail_null(context, "fracas_medial_mesh_parse", "name");
    if (!bytes && size > 0) return frc_fail_null(context, "fracas_medial_mesh_parse", "bytes");
    if (!out) return frc_fail_null(context, "fracas_medial_mesh_parse", "out");
    frc_source source = frc_source_make(context, name, bytes ? bytes : "", size, 0);
    return parse(&source, out);
}

fracas_status fracas_medial_mesh_read(fracas_context* context, const char* path,
                                      fracas_medial_mesh** out) {
    if (out) *out = NULL;
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!path) return frc_fail_null(context, "fracas_medial_mesh_read", "path");
    if (!out) return frc_fail_null(context, "fracas_medial_mesh_read", "out");
    char* bytes = NULL;
    size_t size = 0, capacity = 0;
    fracas_status status = frc_file_load(context, path, &bytes, &size, &capacity);
    if (status != FRACAS_OK) return status;
    frc_source source = frc_source_make(context, path, bytes, size, FRC_LOAD_SHARE);
    status = parse(&source, out);
    frc_release(context, bytes, capacity);
    return status;
}

// ---- writing

static void write_mesh(FILE* file, const fracas_medial_view* view, const frc_edge_set* sides) {
    uint32_t edges = 0;
    for (uint32_t e = 0; e < view->edge_count; e++)
        edges += !sides || !frc_edge_set_has(sides, view->edges[2 * (size_t)e],
                                             view->edges[2 * (size_t)e + 1]);
    fprintf(file, "%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", view->sphere_count, edges,
            view->triangle_count);
    for (uint32_t v = 0; v < view->sphere_count; v++) {
        const fracas_medial_sphere* s = &view->spheres[v];
        fprintf(file, "v %.17g %.17g %.17g %.17g%s\n", s->center[0], s->center[1], s->center[2],
                s->radius, sides ? " -1" : "");
    }
    for (uint32_t e = 0; e < view->edge_count; e++) {
        const uint32_t* v = view->edges + 2 * (size_t)e;
        if (!sides || !frc_edge_set_has(sides, v[0], v[1]))
            fprintf(file, "%c %" PRIu32 " %" PRIu32 "\n", sides ? 'c' : 'e', v[0], v[1]);
    }
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        const uint32_t* v = view->triangles + 3 * (size_t)t;
        fprintf(file, "%c %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", sides ? 's' : 'f', v[0], v[1],
                v[2]);
    }
}

static fracas_status write_file(fracas_context* context, const char* path,
                                const fracas_medial_view* view, const frc_edge_set* sides) {
    errno = 0;
    FILE* file = fopen(path, "wb");
    if (!file)
        return frc_fail(context, FRACAS_ERROR_FILE, "%s: cannot be opened for writing: %s", path,
                        strerror(errno));
    write_mesh(file, view, sides);
    bool failed = ferror(file) != 0;
    int reason = errno;
    if (fclose(file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (!failed) return FRACAS_OK;
    return frc_fail(context, FRACAS_ERROR_FILE, "%s: cannot be written: %s", path,
                    strerror(reason));
}

fracas_status fracas_medial_mesh_write(const fracas_medial_mesh* mesh, const char* path) {
    if (!mesh) return FRACAS_ERROR_INVALID_ARGUMENT;
    if (!path) return frc_fail_null(mesh->context, "fracas_medial_mesh_write", "path");
    const fracas_medial_view view = fracas_medial_mesh_get_view(mesh);
    const char* dot = strrchr(path, '.');
    if (!dot || !frc_word_is(frc_word_of(dot), ".mat"))
        return write_file(mesh->context, path, &view, NULL);
    frc_edge_set sides = {0};
    const fracas_status status =
        frc_edge_set_create(mesh->context, view.triangles, view.triangle_count, 3, &sides)
            ? write_file(mesh->context, path, &view, &sides)
            : frc_fail_memory(mesh->context, view.triangle_count * sizeof(uint64_t));
    frc_edge_set_release(mesh->context, &sides);
    return status;
}
