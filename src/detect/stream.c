/// @file stream.c  Contacts as compact records in blocks, and queries with a limit on their number.
#include "detect/stream.h"
#include "base/clock.h"
#include <math.h>
#include <string.h>

enum { BLOCK_CONTACTS = 65536 };

fracas_stream fracas_scene_default_stream(void) {
    return (fracas_stream){.struct_size = sizeof(fracas_stream), .block_contacts = BLOCK_CONTACTS};
}

// ---- a limit on the number of contacts

typedef struct limit {
    uint64_t left;      // contacts that may still be reported; UINT64_MAX: any number
    uint64_t count[6];  // reported
    double earliest;
    bool reached;
} limit;

static limit begin_limit(uint64_t max_contacts) {
    return (limit){.left = max_contacts ? max_contacts : UINT64_MAX, .earliest = (double)INFINITY};
}

// The number of contacts of a window to report.
static size_t take(limit* l, const fracas_contact* contacts, size_t count) {
    if (l->left == UINT64_MAX) return count;
    if (count > l->left) {
        count = (size_t)l->left;
        l->reached = true;
    }
    l->left -= count;
    for (size_t i = 0; i < count; i++) {
        l->count[contacts[i].kind]++;
        if (contacts[i].kind >= FRACAS_CONTACT_VF && contacts[i].toi < l->earliest)
            l->earliest = contacts[i].toi;
    }
    return count;
}

// Statistics of what was reported.
static void end_limit(const limit* l, fracas_statistics* statistics) {
    if (!l->reached) return;
    statistics->limit_reached = 1;
    statistics->earliest_toi = l->earliest;
    memcpy(statistics->contacts, l->count, sizeof l->count);
}

// ---- blocks

typedef struct blocks {
    fracas_context* context;
    const fracas_stream* stream;
    limit limit;
    size_t bytes;
    void* memory;
    fracas_contact_record* records;
    fracas_contact_run* runs;
    double *toi, *parameters, *normals, *distances;  // NULL unless selected
    fracas_closest_type* closest;                    // likewise
} blocks;

// One allocation; the arrays of doubles first.
static bool allocate_blocks(blocks* b) {
    const size_t n = b->stream->block_contacts;
    const uint32_t values = b->stream->values;
    const struct {
        double** array;
        uint32_t bit, count;
    } arrays[4] = {
        {&b->toi,        FRACAS_RECORD_TOI,        1},
        {&b->parameters, FRACAS_RECORD_PARAMETERS, 2},
        {&b->normals,    FRACAS_RECORD_NORMALS,    3},
        {&b->distances,  FRACAS_RECORD_DISTANCES,  1}
    };
    size_t doubles = 0;
    for (int i = 0; i < 4; i++)
        if (values & arrays[i].bit) doubles += arrays[i].count;
    const bool closest = values & FRACAS_RECORD_CLOSEST;
    b->bytes = n * (doubles * sizeof(double) + sizeof *b->records + sizeof *b->runs +
                    (closest ? sizeof *b->closest : 0));
    b->memory = frc_allocate(b->context, b->bytes);
    if (!b->memory) return false;
    double* at = b->memory;
    for (int i = 0; i < 4; i++) {
        if (!(values & arrays[i].bit)) continue;
        *arrays[i].array = at;
        at += n * arrays[i].count;
    }
    b->records = (fracas_contact_record*)(void*)at;
    b->runs = (fracas_contact_run*)(void*)(b->records + n);
    if (closest) b->closest = (fracas_closest_type*)(void*)(b->runs + n);
    return true;
}

static bool is_same_run(const fracas_contact* a, const fracas_contact* b) {
    return a->kind == b->kind && a->body_a.index == b->body_a.index &&
           a->body_b.index == b->body_b.index;
}

static uint32_t fill(const blocks* b, const fracas_contact* contacts, uint32_t count) {
    uint32_t runs = 0;
    for (uint32_t i = 0; i < count; i++) {
        const fracas_contact* c = &contacts[i];
        b->records[i] = (fracas_contact_record){
            {c->a[0], c->a[1]},
            {c->b[0], c->b[1]}
        };
        if (b->toi) b->toi[i] = c->toi;
        if (b->parameters) b->parameters[2 * i] = c->u, b->parameters[2 * i + 1] = c->v;
        if (b->normals) memcpy(b->normals + 3 * (size_t)i, c->normal, sizeof c->normal);
        if (b->distances) b->distances[i] = c->distance;
        if (b->closest) b->closest[i] = c->closest;
        if (i == 0 || !is_same_run(c, c - 1))
            b->runs[runs++] = (fracas_contact_run){c->kind, c->body_a, c->body_b, i, 0};
        b->runs[runs - 1].count++;
    }
    return runs;
}

static bool report_blocks(const fracas_contact* contacts, size_t count, bool* more, void* user) {
    blocks* b = user;
    const size_t size = b->stream->block_contacts, kept = take(&b->limit, contacts, count);
    for (size_t i = 0; i < kept && b->stream->report && *more; i += size) {
        const uint32_t n = (uint32_t)(kept - i < size ? kept - i : size);
        const uint32_t runs = fill(b, contacts + i, n);
        const fracas_contact_block block = {.count = n,
                                            .run_count = runs,
                                            .records = b->records,
                                            .runs = b->runs,
                                            .toi = b->toi,
                                            .parameters = b->parameters,
                                            .normals = b->normals,
                                            .distances = b->distances,
                                            .closest = b->closest};
        if (!b->stream->report(&block, b->stream->user)) *more = false;
    }
    if (b->limit.reached) *more = false;
    return true;
}

fracas_status frc_stream(const frc_world* world, const fracas_query* query, double distance,
                         const fracas_stream* stream) {
    fracas_statistics statistics = {.earliest_toi = (double)INFINITY};
    blocks b = {
        .context = world->context, .stream = stream, .limit = begin_limit(query->max_contacts)};
    const double start = frc_clock_ms();
    const bool nearby = distance >= 0;
    if (!allocate_blocks(&b)) return frc_fail_memory(world->context, b.bytes);
    fracas_status status = FRACAS_OK;
    bool more = true;
    for (int kind = FRC_SEARCH_DISCRETE; kind <= FRC_SEARCH_NEARBY; kind++) {
        const bool wanted = kind == FRC_SEARCH_NEARBY       ? nearby
                            : kind == FRC_SEARCH_CONTINUOUS ? query->modes & FRACAS_MODE_CONTINUOUS
                                                            : query->modes & FRACAS_MODE_DISCRETE;
        if (!wanted || nearby != (kind == FRC_SEARCH_NEARBY) || !more || status != FRACAS_OK)
            continue;
        const bool half = !nearby && query->modes == FRACAS_MODE_BOTH;
        const frc_search_options options = {
            .kind = (frc_search_kind)kind,
            .query = query,
            .distance = nearby                          ? distance
                        : kind == FRC_SEARCH_CONTINUOUS ? query->min_separation
                                                        : 0,
            .progress = {half && kind == FRC_SEARCH_CONTINUOUS ? 0.5 : 0,
                         half && kind == FRC_SEARCH_DISCRETE ? 0.5 : 1}
        };
        status = frc_search_in_windows(world, &options, stream->block_contacts, report_blocks, &b,
                                       &more, &statistics);
    }
    frc_release(world->context, b.memory, b.bytes);
    end_limit(&b.limit, &statistics);
    statistics.ms_total = frc_clock_ms() - start;
    if (status == FRACAS_OK && stream->statistics) *stream->statistics = statistics;
    return status;
}

// ---- lists

typedef struct collector {
    fracas_context* context;
    limit limit;
    frc_contact_buffer buffer;
} collector;

static bool collect(const fracas_contact* contacts, size_t count, bool* more, void* user) {
    collector* c = user;
    const size_t kept = take(&c->limit, contacts, count);
    for (size_t i = 0; i < kept; i++)
        if (!frc_contact_buffer_add(c->context, &c->buffer, &contacts[i])) return false;
    if (c->limit.reached) *more = false;
    return true;
}

fracas_status frc_search_limited(const frc_world* world, const frc_search_options* options,
                                 frc_contact_list* out, fracas_statistics* statistics) {
    fracas_context* context = world->context;
    // Contacts of an earlier search count too.
    const uint64_t room = options->query->max_contacts - out->count;
    collector c = {.context = context, .limit = begin_limit(room)};
    frc_contact_buffer* buffer = &c.buffer;
    fracas_statistics found = *statistics;
    bool more = true;
    frc_contact_buffer_clear(buffer);
    if (room == 0) c.limit.left = 0;
    fracas_status status =
        frc_search_in_windows(world, options, BLOCK_CONTACTS, collect, &c, &more, &found);
    if (status == FRACAS_OK && !frc_sort_contacts(context, &buffer, 1, out))
        status = frc_fail_memory(context, buffer->contacts.count * sizeof(fracas_contact));
    frc_contact_buffer_release(context, buffer);
    for (int k = 0; k < 6; k++) c.limit.count[k] += statistics->contacts[k];
    end_limit(&c.limit, &found);
    *statistics = found;
    return status;
}
