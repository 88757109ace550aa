/// @file group_contacts.c  Contacts by vertex, edge or face of one body: rows of a sparse matrix.
#include "base/array.h"
#include "fracas/candidates.h"
#include <string.h>

enum { NO_ROW = -1 };

// Finds the row of an edge: open addressing, the row plus one, 0 for an empty cell.
typedef struct edge_table {
    uint32_t* cells;
    size_t mask;
} edge_table;

static size_t hash(uint32_t a, uint32_t b) {
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    return (size_t)(h ^ h >> 29);
}

static size_t find_cell(const edge_table* table, const uint32_t* edges, const uint32_t edge[2]) {
    const uint32_t a = edge[0] < edge[1] ? edge[0] : edge[1],
                   b = edge[0] < edge[1] ? edge[1] : edge[0];
    size_t at = hash(a, b) & table->mask;
    for (; table->cells[at]; at = (at + 1) & table->mask) {
        const uint32_t* e = &edges[2 * (size_t)(table->cells[at] - 1)];
        if ((e[0] == a && e[1] == b) || (e[0] == b && e[1] == a)) break;
    }
    return at;
}

static fracas_status make_table(fracas_context* context, const fracas_contact_rows* rows,
                                edge_table* out) {
    size_t size = 8;
    while (size < 2 * (size_t)rows->row_count) size *= 2;
    out->mask = size - 1;
    out->cells = frc_allocate_zero(context, size * sizeof *out->cells);
    if (!out->cells) return frc_fail_memory(context, size * sizeof *out->cells);
    for (uint32_t r = 0; r < rows->row_count; r++) {
        const size_t at = find_cell(out, rows->edges, &rows->edges[2 * (size_t)r]);
        if (out->cells[at])
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "edges %u and %u of the rows are the same, from vertex %u to %u",
                            out->cells[at] - 1, r, rows->edges[2 * (size_t)r],
                            rows->edges[2 * (size_t)r + 1]);
        out->cells[at] = r + 1;
    }
    return FRACAS_OK;
}

// The features of the two sides by kind of contact.
static fracas_feature feature_of(fracas_contact_kind kind, int side) {
    static const uint8_t FEATURES[6][2] = {
        {FRACAS_FEATURE_FACE,   FRACAS_FEATURE_FACE  },
        {FRACAS_FEATURE_EDGE,   FRACAS_FEATURE_FACE  },
        {FRACAS_FEATURE_VERTEX, FRACAS_FEATURE_FACE  },
        {FRACAS_FEATURE_EDGE,   FRACAS_FEATURE_EDGE  },
        {FRACAS_FEATURE_VERTEX, FRACAS_FEATURE_EDGE  },
        {FRACAS_FEATURE_VERTEX, FRACAS_FEATURE_VERTEX}
    };
    return (fracas_feature)FEATURES[kind][side];
}

// The row of one side of a contact; may be beyond the last. NO_ROW: none.
static int64_t row_of(const fracas_contact_rows* rows, const edge_table* table,
                      const fracas_contact* c, int side) {
    const fracas_body body = side ? c->body_b : c->body_a;
    const uint32_t* index = side ? c->b : c->a;
    if (body.index != rows->body.index || body.generation != rows->body.generation) return NO_ROW;
    if (feature_of(c->kind, side) != rows->feature) return NO_ROW;
    if (rows->feature != FRACAS_FEATURE_EDGE) return index[0];
    const uint32_t cell = table->cells[find_cell(table, rows->edges, index)];
    return cell ? (int64_t)cell - 1 : NO_ROW;
}

static fracas_status check(fracas_context* context, const fracas_contact* contacts, size_t count,
                           const fracas_contact_rows* rows) {
    if (!contacts && count > 0) return frc_fail_null(context, "fracas_contacts_group", "contacts");
    if (!rows) return frc_fail_null(context, "fracas_contacts_group", "rows");
    if (!rows->offsets) return frc_fail_null(context, "fracas_contacts_group", "offsets");
    if ((unsigned)rows->feature > FRACAS_FEATURE_FACE)
        return frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT, "feature %d is no fracas_feature",
                        (int)rows->feature);
    if (rows->feature == FRACAS_FEATURE_EDGE && !rows->edges && rows->row_count > 0)
        return frc_fail_null(context, "fracas_contacts_group", "edges");
    for (size_t i = 0; i < count; i++)
        if ((unsigned)contacts[i].kind > FRACAS_CONTACT_VV)
            return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                            "kind %d of contact %zu is no fracas_contact_kind",
                            (int)contacts[i].kind, i);
    return FRACAS_OK;
}

// Count the entries of each row: offsets[r + 1], from 0 on.
static fracas_status count_entries(fracas_context* context, const fracas_contact* contacts,
                                   size_t count, const fracas_contact_rows* rows,
                                   const edge_table* table, size_t* offsets) {
    for (size_t i = 0; i < count; i++) {
        int64_t last = NO_ROW;
        for (int side = 0; side < 2; side++) {
            const int64_t row = row_of(rows, table, &contacts[i], side);
            if (row >= rows->row_count)
                return frc_fail(context, FRACAS_ERROR_BAD_DATA,
                                "contact %zu has %s %lld of body %u, but there are %u rows", i,
                                rows->feature == FRACAS_FEATURE_FACE ? "triangle" : "vertex",
                                (long long)row, rows->body.index, rows->row_count);
            if (row != NO_ROW && row != last) offsets[row + 1]++;
            last = row;
        }
    }
    for (size_t r = 0; r < rows->row_count; r++) offsets[r + 1] += offsets[r];
    return FRACAS_OK;
}

// `next` is the place of the next entry of each row.
static void write_entries(const fracas_contact* contacts, size_t count,
                          const fracas_contact_rows* rows, const edge_table* table, size_t* next) {
    for (size_t i = 0; i < count; i++) {
        int64_t last = NO_ROW;
        for (int side = 0; side < 2; side++) {
            const int64_t row = row_of(rows, table, &contacts[i], side);
            if (row != NO_ROW && row != last) rows->entries[next[row]++] = i;
            last = row;
        }
    }
}

fracas_status fracas_contacts_group(fracas_context* context, const fracas_contact* contacts,
                                    size_t count, const fracas_contact_rows* rows) {
    if (!context) return FRACAS_ERROR_INVALID_ARGUMENT;
    fracas_status status = check(context, contacts, count, rows);
    if (status != FRACAS_OK) return status;
    const size_t size = ((size_t)rows->row_count + 1) * sizeof(size_t);
    size_t* offsets = frc_allocate_zero(context, size);
    edge_table table = {0};
    if (!offsets) status = frc_fail_memory(context, size);
    if (status == FRACAS_OK && rows->feature == FRACAS_FEATURE_EDGE)
        status = make_table(context, rows, &table);
    if (status == FRACAS_OK)
        status = count_entries(context, contacts, count, rows, &table, offsets);
    if (status == FRACAS_OK && rows->entries && offsets[rows->row_count] > rows->entry_capacity)
        status = frc_fail(context, FRACAS_ERROR_INVALID_ARGUMENT,
                          "there is room for %zu entries, %zu are needed", rows->entry_capacity,
                          offsets[rows->row_count]);
    if (status == FRACAS_OK) {
        memcpy(rows->offsets, offsets, size);
        if (rows->entries) write_entries(contacts, count, rows, &table, offsets);
    }
    frc_release(context, offsets, size);
    if (table.cells) frc_release(context, table.cells, (table.mask + 1) * sizeof *table.cells);
    return status;
}
