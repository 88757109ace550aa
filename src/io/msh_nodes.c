/// @file msh_nodes.c  The nodes of a Gmsh file and their lookup by tag.
#include "fracas/contact.h"
#include "io/msh.h"
#include <inttypes.h>

// ---- lookup by tag

static size_t get_slot(const frc_msh* msh, int64_t tag) {
    uint64_t mixed = (uint64_t)tag * 0x9E3779B97F4A7C15u;
    return (size_t)(mixed >> 32 ^ mixed) & (msh->table_size - 1);
}

uint32_t frc_msh_find(const frc_msh* msh, int64_t tag) {
    size_t count = msh->tags.count;
    if (count == 0) return FRACAS_NONE;
    if (msh->consecutive) {
        int64_t first = msh->tags.data[0];
        return tag >= first && tag - first < (int64_t)count ? (uint32_t)(tag - first) : FRACAS_NONE;
    }
    for (size_t slot = get_slot(msh, tag); msh->table[slot];
         slot = (slot + 1) & (msh->table_size - 1))
        if (msh->tags.data[msh->table[slot] - 1] == tag) return msh->table[slot] - 1;
    return FRACAS_NONE;
}

// ---- reading

static fracas_status read_tag(frc_msh* msh, frc_value_type type) {
    int64_t tag = 0;
    const char* place = frc_values_place(&msh->in);
    fracas_status status = frc_values_read(&msh->in, type, "node", msh->tags.count, &tag);
    if (status != FRACAS_OK) return status;
    // Larger integers in text saturate at 10^15.
    if (tag < 0 || tag >= 1000000000000000)
        return frc_values_fail(&msh->in, place,
                               "node %zu has the tag %" PRId64 "; tags are 0 to 10^15 - 1",
                               msh->tags.count, tag);
    if (!FRC_ARRAY_PUSH(msh->file->context, &msh->tags, tag))
        return frc_fail_memory(msh->file->context, (msh->tags.count + 1) * sizeof tag);
    return frc_source_progress(msh->in.source);
}

// Read a point; the parameters after it are skipped.
static fracas_status read_point(frc_msh* msh, uint64_t parameters) {
    uint64_t vertex = frc_mesh_file_point_count(msh->file);
    double point[3];
    fracas_status status = frc_values_coordinates(&msh->in, FRC_FLOAT64, vertex, point);
    if (status == FRACAS_OK)
        status = frc_values_skip(&msh->in, FRC_FLOAT64, parameters, "node", vertex);
    if (status == FRACAS_OK) status = frc_mesh_file_add_point(msh->file, point);
    return status == FRACAS_OK ? frc_source_progress(msh->in.source) : status;
}

// Reserve memory for `more` nodes.
static fracas_status reserve(frc_msh* msh, uint64_t more) {
    size_t points = (size_t)more + msh->tags.count;
    if (!FRC_ARRAY_RESERVE(msh->file->context, &msh->tags, points))
        return frc_fail_memory(msh->file->context, points * sizeof(int64_t));
    return frc_mesh_file_reserve_points(msh->file, points);
}

// Version 2.x: tag and point of each node, at least "1 0 0 0\n". The count is text in binary files
// too.
static fracas_status read_nodes_2(frc_msh* msh) {
    frc_values header = msh->in;
    header.text = true;
    uint64_t count = 0;
    fracas_status status =
        frc_values_count(&header, FRC_INT32, "nodes", msh->in.text ? 8 : 28, &count);
    if (status == FRACAS_OK && !msh->in.text) frc_skip_line(msh->in.source);
    if (status == FRACAS_OK) status = reserve(msh, count);
    for (uint64_t i = 0; status == FRACAS_OK && i < count; i++) {
        status = read_tag(msh, FRC_INT32);
        if (status == FRACAS_OK) status = read_point(msh, 0);
    }
    return status;
}

// Version 4.1: blocks of nodes; a block has all tags, then all points.
static fracas_status read_nodes_4(frc_msh* msh) {
    frc_values* in = &msh->in;
    const frc_value_type size_type = msh->size_type;
    const size_t size = frc_value_size(size_type);
    uint64_t blocks = 0, nodes = 0;
    const char* begin = frc_values_place(in);
    fracas_status status =
        frc_values_count(in, size_type, "blocks of nodes", in->text ? 8 : 12 + size, &blocks);
    if (status == FRACAS_OK)
        status = frc_values_count(in, size_type, "nodes", in->text ? 8 : 28, &nodes);
    if (status == FRACAS_OK) status = frc_values_skip(in, size_type, 2, "node", 0);
    for (uint64_t b = 0; status == FRACAS_OK && b < blocks; b++) {
        int64_t entity[3] = {0};  // dimension and tag of the entity, parametric or not
        uint64_t count = 0;
        const char* place = frc_values_place(in);
        for (int i = 0; status == FRACAS_OK && i < 3; i++)
            status = frc_values_read(in, FRC_INT32, "block of nodes", b, &entity[i]);
        if (status == FRACAS_OK)
            status = frc_values_count(in, size_type, "nodes in a block", in->text ? 8 : 24 + size,
                                      &count);
        if (status != FRACAS_OK) return status;
        if (entity[0] < 0 || entity[0] > 3)
            return frc_values_fail(in, place,
                                   "block of nodes %" PRIu64 " has the dimension %" PRId64
                                   "; dimensions are 0 to 3",
                                   b, entity[0]);
        const uint64_t parameters = entity[2] ? (uint64_t)entity[0] : 0;
        status = reserve(msh, count);
        for (uint64_t i = 0; status == FRACAS_OK && i < count; i++)
            status = read_tag(msh, size_type);
        for (uint64_t i = 0; status == FRACAS_OK && i < count; i++)
            status = read_point(msh, parameters);
    }
    if (status != FRACAS_OK || nodes == msh->tags.count) return status;
    return frc_values_fail(in, begin,
                           "the section says it has %" PRIu64 " nodes, but its blocks have %zu",
                           nodes, msh->tags.count);
}

fracas_status frc_msh_read_nodes(frc_msh* msh) {
    const char* place = msh->in.source->at;
    fracas_status status = msh->version_2 ? read_nodes_2(msh) : read_nodes_4(msh);
    if (status != FRACAS_OK) return status;

    // The table of tags, unless they are consecutive.
    const int64_t* tags = msh->tags.data;
    size_t count = msh->tags.count, size = 16;
    msh->consecutive = true;
    for (size_t i = 1; i < count && msh->consecutive; i++)
        msh->consecutive = tags[i] == tags[i - 1] + 1;
    if (msh->consecutive) return FRACAS_OK;
    while (size < 2 * count) size *= 2;
    msh->table = frc_allocate_zero(msh->file->context, size * sizeof *msh->table);
    if (!msh->table) return frc_fail_memory(msh->file->context, size * sizeof *msh->table);
    msh->table_size = size;
    for (size_t i = 0; i < count; i++) {
        size_t slot = get_slot(msh, tags[i]);
        for (; msh->table[slot]; slot = (slot + 1) & (size - 1))
            if (tags[msh->table[slot] - 1] == tags[i])
                return frc_values_fail(&msh->in, place,
                                       "the nodes %" PRIu32 " and %zu (counting from 0) have the "
                                       "same tag %" PRId64 "; tags are unique",
                                       msh->table[slot] - 1, i, tags[i]);
        msh->table[slot] = (uint32_t)i + 1;
    }
    return FRACAS_OK;
}
