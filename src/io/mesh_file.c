/// @file mesh_file.c  The mesh file object: adding elements, welding, free points, access.
#include "io/mesh_file.h"
#include "mesh/weld.h"
#include <inttypes.h>

void fracas_mesh_file_destroy(fracas_mesh_file* file) {
    if (!file) return;
    fracas_context* context = file->context;
    FRC_ARRAY_RELEASE(context, &file->points);
    FRC_ARRAY_RELEASE(context, &file->face_offsets);
    FRC_ARRAY_RELEASE(context, &file->face_vertices);
    FRC_ARRAY_RELEASE(context, &file->edges);
    FRC_ARRAY_RELEASE(context, &file->tets);
    FRC_ARRAY_RELEASE(context, &file->left_out);
    FRC_ARRAY_RELEASE(context, &file->face_tets);
    FRC_ARRAY_RELEASE(context, &file->vertex_parents);
    FRC_ARRAY_RELEASE(context, &file->face_parents);
    FRC_ARRAY_RELEASE(context, &file->triangles);
    FRC_ARRAY_RELEASE(context, &file->triangle_faces);
    FRC_ARRAY_RELEASE(context, &file->free_points);
    frc_release(context, file, sizeof *file);
}

// ---- filling

static fracas_status fail_count(const fracas_mesh_file* file, const char* what) {
    return frc_fail(file->context, FRACAS_ERROR_BAD_DATA,
                    "%s: the file has more than %" PRIu64 " %s, which is the limit; split it",
                    file->name, FRC_MAX_ELEMENTS, what);
}

fracas_status frc_mesh_file_reserve_points(fracas_mesh_file* file, uint64_t count) {
    if (FRC_ARRAY_RESERVE(file->context, &file->points, 3 * (size_t)count)) return FRACAS_OK;
    return frc_fail_memory(file->context, 3 * (size_t)count * sizeof(double));
}

fracas_status frc_mesh_file_add_point(fracas_mesh_file* file, const double point[3]) {
    size_t count = file->points.count;
    if (count / 3 >= FRC_MAX_ELEMENTS) return fail_count(file, "vertices");
    if (!FRC_ARRAY_RESERVE(file->context, &file->points, count + 3))
        return frc_fail_memory(file->context, (count + 3) * sizeof(double));
    memcpy(file->points.data + count, point, 3 * sizeof(double));
    file->points.count += 3;
    return FRACAS_OK;
}

fracas_status frc_mesh_file_read_points(fracas_mesh_file* file, frc_values* in, frc_value_type type,
                                        uint64_t count) {
    fracas_status status =
        frc_mesh_file_reserve_points(file, frc_mesh_file_point_count(file) + count);
    for (uint64_t i = 0; status == FRACAS_OK && i < count; i++) {
        double point[3];
        status = frc_values_coordinates(in, type, i, point);
        if (status == FRACAS_OK) status = frc_mesh_file_add_point(file, point);
        if (status == FRACAS_OK) status = frc_source_progress(in->source);
    }
    return status;
}

fracas_status frc_mesh_file_add_edge(fracas_mesh_file* file, uint32_t a, uint32_t b) {
    size_t count = file->edges.count;
    if (count / 2 >= FRC_MAX_ELEMENTS) return fail_count(file, "edges");
    if (!FRC_ARRAY_RESERVE(file->context, &file->edges, count + 2))
        return frc_fail_memory(file->context, (count + 2) * sizeof(uint32_t));
    file->edges.data[count] = a;
    file->edges.data[count + 1] = b;
    file->edges.count += 2;
    return FRACAS_OK;
}

fracas_status frc_mesh_file_end_face(fracas_mesh_file* file) {
    const frc_indices* corners = &file->face_vertices;
    if (corners->count > FRC_MAX_ELEMENTS) return fail_count(file, "corners of faces");
    if (file->face_offsets.count > FRC_MAX_ELEMENTS) return fail_count(file, "faces");
    uint32_t begin = file->face_offsets.data[file->face_offsets.count - 1];
    if (!FRC_ARRAY_PUSH(file->context, &file->face_offsets, (uint32_t)corners->count))
        return frc_fail_memory(file->context, (file->face_offsets.count + 1) * sizeof(uint32_t));
    if (corners->count - begin != 2) return FRACAS_OK;
    return frc_mesh_file_add_edge(file, corners->data[begin], corners->data[begin + 1]);
}

fracas_status frc_mesh_file_add_face(fracas_mesh_file* file, const uint32_t* corners,
                                     uint32_t count) {
    size_t before = file->face_vertices.count;
    if (!FRC_ARRAY_RESERVE(file->context, &file->face_vertices, before + count))
        return frc_fail_memory(file->context, (before + count) * sizeof(uint32_t));
    memcpy(file->face_vertices.data + before, corners, count * sizeof(uint32_t));
    file->face_vertices.count += count;
    return frc_mesh_file_end_face(file);
}

fracas_status frc_mesh_file_add_tet(fracas_mesh_file* file, const uint32_t corners[4]) {
    size_t count = file->tets.count;
    if (count / 4 >= FRC_MAX_ELEMENTS) return fail_count(file, "tetrahedra");
    if (!FRC_ARRAY_RESERVE(file->context, &file->tets, count + 4))
        return frc_fail_memory(file->context, (count + 4) * sizeof(uint32_t));
    memcpy(file->tets.data + count, corners, 4 * sizeof(uint32_t));
    file->tets.count += 4;
    return FRACAS_OK;
}

fracas_status frc_mesh_file_leave_out(fracas_mesh_file* file, frc_word name, uint64_t count) {
    enum { MOST_NAMES = 32 };
    static const char others[] = "others";
    if (count == 0) return FRACAS_OK;
    frc_left_out* list = file->left_out.data;
    frc_left_out entry = {frc_quote_word(name), count};
    for (size_t i = 0; i < file->left_out.count; i++) {
        // The last entry of a full list counts all further names.
        bool last = i + 1 == MOST_NAMES;
        if (!last && strcmp(list[i].name.text, entry.name.text) != 0) continue;
        list[i].count += count;
        return FRACAS_OK;
    }
    if (file->left_out.count + 1 == MOST_NAMES) memcpy(entry.name.text, others, sizeof others);
    if (FRC_ARRAY_PUSH(file->context, &file->left_out, entry)) return FRACAS_OK;
    return frc_fail_memory(file->context, (file->left_out.count + 1) * sizeof entry);
}

// ---- after reading

static void renumber(frc_indices* indices, const uint32_t* names) {
    for (size_t i = 0; i < indices->count; i++) indices->data[i] = names[indices->data[i]];
}

// Merge points at equal positions. Distinct positions are numbered in the order in which they first
// occur.
static fracas_status weld(fracas_mesh_file* file) {
    uint32_t count = (uint32_t)frc_mesh_file_point_count(file), kept = 0;
    if (count == 0) return FRACAS_OK;
    uint32_t* names = frc_allocate(file->context, count * sizeof(uint32_t));
    if (!names) return frc_fail_memory(file->context, count * sizeof(uint32_t));
    fracas_status status = frc_weld(file->context, file->points.data, count, names, &kept);
    if (status == FRACAS_OK) {
        // The first point of each position moves to its new number.
        uint32_t next = 0;
        for (uint32_t v = 0; v < count; v++) {
            if (names[v] != next) continue;
            memmove(file->points.data + 3 * (size_t)next, file->points.data + 3 * (size_t)v,
                    3 * sizeof(double));
            if (file->vertex_parents.count)
                file->vertex_parents.data[next] = file->vertex_parents.data[v];
            next++;
        }
        file->points.count = 3 * (size_t)kept;
        if (file->vertex_parents.count) file->vertex_parents.count = kept;
        renumber(&file->face_vertices, names);
        renumber(&file->edges, names);
        renumber(&file->tets, names);
    }
    frc_release(file->context, names, count * sizeof(uint32_t));
    return status;
}

// List the points that no triangle, free edge or tetrahedron uses.
static fracas_status collect_free_points(fracas_mesh_file* file) {
    size_t count = frc_mesh_file_point_count(file), free_count = count;
    if (count == 0) return FRACAS_OK;
    bool* used = frc_allocate_zero(file->context, count);
    if (!used) return frc_fail_memory(file->context, count);
    const frc_indices* lists[] = {&file->triangles, &file->edges, &file->tets};
    for (int l = 0; l < 3; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            free_count -= !used[lists[l]->data[i]];
            used[lists[l]->data[i]] = true;
        }
    bool reserved = FRC_ARRAY_RESERVE(file->context, &file->free_points, free_count);
    for (size_t v = 0; reserved && v < count; v++)
        if (!used[v]) file->free_points.data[file->free_points.count++] = (uint32_t)v;
    frc_release(file->context, used, count);
    return reserved ? FRACAS_OK : frc_fail_memory(file->context, free_count * sizeof(uint32_t));
}

fracas_status frc_mesh_file_create(frc_source* source, const char* format, frc_mesh_reader* reader,
                                   const fracas_mesh_file_options* options,
                                   fracas_mesh_file** out) {
    fracas_context* context = source->context;
    fracas_mesh_file* file = frc_allocate_zero(context, sizeof *file);
    if (!file) return frc_fail_memory(context, sizeof *file);
    file->context = context;
    file->format = format;
    file->name = source->name;
    fracas_status status = FRACAS_ERROR_OUT_OF_MEMORY;
    if (FRC_ARRAY_PUSH(context, &file->face_offsets, 0))
        status = reader(source, file);
    else
        frc_fail_memory(context, sizeof(uint32_t));
    bool weld_default = strcmp(format, "stl") == 0;
    if (status == FRACAS_OK && (options->weld == FRACAS_WELD_EXACT ||
                                (options->weld == FRACAS_WELD_DEFAULT && weld_default)))
        status = weld(file);
    if (status == FRACAS_OK && options->surface) status = frc_mesh_file_extract_surface(file);
    if (status == FRACAS_OK) status = frc_mesh_file_triangulate(file);
    if (status == FRACAS_OK) status = collect_free_points(file);
    file->name = NULL;
    if (status == FRACAS_OK)
        *out = file;
    else
        fracas_mesh_file_destroy(file);
    return status;
}

// ---- access

fracas_mesh_view fracas_mesh_file_get_view(const fracas_mesh_file* file) {
    if (!file) return (fracas_mesh_view){0};
    return (fracas_mesh_view){
        .points = {.data = file->points.data,
                   .count = (uint32_t)frc_mesh_file_point_count(file),
                   .scalar = FRACAS_SCALAR_DOUBLE},
        .triangles = file->triangles.data,
        .triangle_count = (uint32_t)(file->triangles.count / 3),
        .edge_count = (uint32_t)(file->edges.count / 2),
        .edges = file->edges.data,
        .vertices = file->free_points.data,
        .vertex_count = (uint32_t)file->free_points.count,
    };
}

fracas_tet_view fracas_mesh_file_get_tets(const fracas_mesh_file* file) {
    if (!file) return (fracas_tet_view){0};
    return (fracas_tet_view){.points = fracas_mesh_file_get_view(file).points,
                             .tets = file->tets.data,
                             .tet_count = (uint32_t)(file->tets.count / 4)};
}

const uint32_t* fracas_mesh_file_get_face_tets(const fracas_mesh_file* file) {
    return file && file->face_tets.count ? file->face_tets.data : NULL;
}

uint32_t fracas_mesh_file_count_left_out(const fracas_mesh_file* file) {
    return file ? (uint32_t)file->left_out.count : 0;
}

fracas_left_out fracas_mesh_file_get_left_out(const fracas_mesh_file* file, uint32_t index) {
    if (!file || index >= file->left_out.count) return (fracas_left_out){.name = ""};
    const frc_left_out* entry = &file->left_out.data[index];
    return (fracas_left_out){.name = entry->name.text, .count = entry->count};
}

const char* fracas_mesh_file_get_format(const fracas_mesh_file* file) {
    return file ? file->format : "";
}

fracas_mesh_faces fracas_mesh_file_get_faces(const fracas_mesh_file* file) {
    if (!file) return (fracas_mesh_faces){0};
    return (fracas_mesh_faces){
        .face_count = (uint32_t)frc_mesh_file_face_count(file),
        .face_offsets = file->face_offsets.data,
        .face_vertices = file->face_vertices.data,
        .triangle_faces = file->triangle_faces.data,
    };
}

const int32_t* fracas_mesh_file_get_vertex_parents(const fracas_mesh_file* file) {
    return file ? file->vertex_parents.data : NULL;
}

const int32_t* fracas_mesh_file_get_face_parents(const fracas_mesh_file* file) {
    return file ? file->face_parents.data : NULL;
}

static bool equal_indices(const frc_indices* a, const frc_indices* b) {
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->data, b->data, a->count * sizeof(uint32_t)) == 0);
}

fracas_status fracas_mesh_file_triangulate_like(fracas_mesh_file* file,
                                                const fracas_mesh_file* like) {
    if (!file) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_context* context = file->context;
    if (!like) return frc_fail_null(context, "fracas_mesh_file_triangulate_like", "like");
    if (frc_mesh_file_point_count(file) != frc_mesh_file_point_count(like) ||
        !equal_indices(&file->face_offsets, &like->face_offsets) ||
        !equal_indices(&file->face_vertices, &like->face_vertices))
        return frc_fail(
            context, FRACAS_ERROR_INVALID_ARGUMENT,
            "the two files differ in their faces, so the triangles of one do not fit the "
            "other");
    // Equal faces have equal numbers of triangles, so triangle_faces is the same in both files.
    if (like->triangles.count)
        memcpy(file->triangles.data, like->triangles.data,
               like->triangles.count * sizeof(uint32_t));
    return FRACAS_OK;
}
