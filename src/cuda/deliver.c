/// @file deliver.c  Contacts from the results of a device, and the pairs that the host decides.
///
/// Contacts in order, which the device has sent, are converted in place, in parallel. Where some
/// bin was too full for an order, or a filter of pairs has to see each contact, hits go through the
/// buffers of the workers as those of a search on the CPU, and are sorted.
#include "base/clock.h"
#include "base/parallel.h"
#include "cuda/search.h"
#include "detect/make_contact.h"
#include "detect/narrow_phase.h"
#include <string.h>

// ---- download

static fracas_status download_list(frc_mirror* mirror, const frc_device_buffer* from,
                                   frc_device_buffer* to, size_t size) {
    to->on_host = true;
    if (size == 0) return FRACAS_OK;
    const fracas_status status = frc_device_reserve(mirror, to, size);
    if (status != FRACAS_OK) return status;
    return frc_device_download(mirror->device, to->data, from->data, size)
               ? FRACAS_OK
               : frc_device_fail(mirror);
}

// Hits, and pairs that the host decides.
static fracas_status download_rest(frc_cuda_search* search, const frc_comparisons* all,
                                   bool with_hits) {
    frc_mirror* mirror = &search->mirror;
    fracas_status status = FRACAS_OK;
    uint64_t copied = 0;
    for (uint32_t i = 0; i < all->count && status == FRACAS_OK; i++) {
        frc_comparison_data* data = &search->data[all->what[i]];
        const uint64_t* counts = all->steps[i].host_counts;
        const uint64_t hits = with_hits ? counts[FRC_COUNT_HITS] : 0;
        status =
            download_list(mirror, &data->hits, &data->host_contacts, hits * sizeof(frc_device_hit));
        if (status == FRACAS_OK)
            status = download_list(mirror, &data->pairs[FRC_LIST_HOST], &data->host_pairs,
                                   counts[FRC_LIST_HOST] * sizeof(frc_slot_pair));
        copied += hits + counts[FRC_LIST_HOST];
    }
    if (copied > 0 && !frc_device_wait(mirror->device) && status == FRACAS_OK)
        status = frc_device_fail(mirror);
    return status;
}

enum { GRAIN = 1024, PAIR_GRAIN = 256 };  // results of one task

// Contacts in order that the stage `send` has not sent.
static fracas_status download_contacts(frc_cuda_search* search, const frc_comparisons* all) {
    frc_mirror* mirror = &search->mirror;
    fracas_status status = FRACAS_OK;
    for (uint32_t i = 0; i < all->count && status == FRACAS_OK; i++) {
        frc_comparison_data* data = &search->data[all->what[i]];
        const uint64_t count = all->steps[i].host_counts[FRC_COUNT_CONTACTS];
        if (all->steps[i].order.host_contacts) continue;
        status = download_list(mirror, &data->contacts, &data->host_contacts,
                               count * sizeof(fracas_cuda_contact));
        if (status == FRACAS_OK)
            status = download_list(mirror, &data->bodies, &data->host_bodies,
                                   count * sizeof(fracas_cuda_bodies));
    }
    if (!frc_device_wait(mirror->device) && status == FRACAS_OK) status = frc_device_fail(mirror);
    return status;
}

// Contacts of nearby pairs have a distance and a type, which the host computes.
static bool in_order(const frc_comparisons* all) {
    bool ordered = true;
    for (uint32_t i = 0; i < all->count; i++)
        ordered = ordered && all->steps[i].decide != FRC_DECIDE_NEARBY &&
                  all->steps[i].host_counts[FRC_COUNT_UNORDERED] == 0;
    return ordered;
}

bool frc_contacts_are_complete(const frc_comparisons* all) {
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < all->count; i++) pairs += all->steps[i].host_counts[FRC_LIST_HOST];
    return pairs == 0 && in_order(all);
}

// ---- contacts

typedef struct delivery {
    frc_search_run* run;
    const frc_feature *a, *b;
    frc_comparison what;
    fracas_contact_kind kind;
    const fracas_cuda_contact* contacts;
    const fracas_cuda_bodies* bodies;
    size_t contact_count;
    uint64_t earliest;           // frc_time_rank
    fracas_contact* out;         // in order
    const frc_device_hit* hits;  // in no order
    size_t hit_count;
    const frc_slot_pair* pairs;
    size_t pair_count;
} delivery;

static void write_contact(const frc_world* world, const delivery* d, size_t i,
                          fracas_contact* out) {
    const fracas_cuda_contact* from = &d->contacts[i];
    const fracas_cuda_bodies* bodies = &d->bodies[i];
    memset(out, 0, sizeof *out);  // with its padding
    out->kind = d->kind;
    out->toi = from->toi, out->u = from->u, out->v = from->v;
    out->body_a = (fracas_body){bodies->a, world->bodies[bodies->a - 1].generation};
    out->body_b = (fracas_body){bodies->b, world->bodies[bodies->b - 1].generation};
    memcpy(out->a, from->a, sizeof out->a);
    memcpy(out->b, from->b, sizeof out->b);
    memcpy(out->normal, from->normal, sizeof out->normal);
}

// Contacts in order, to their places.
static void deliver_ordered(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    const delivery* d = data;
    const frc_world* world = d->run->world;
    frc_detect_worker* worker = d->run->workers[index];
    const size_t last =
        (size_t)end * GRAIN < d->contact_count ? (size_t)end * GRAIN : d->contact_count;
    double earliest = worker->found.earliest;
    if (frc_detect_cancelled(worker)) return;
    for (size_t i = (size_t)begin * GRAIN; i < last; i++) {
        write_contact(world, d, i, &d->out[i]);
        earliest = d->contacts[i].toi < earliest ? d->contacts[i].toi : earliest;
    }
    worker->found.earliest = earliest;
    worker->statistics.contacts[d->kind] += last - (size_t)begin * GRAIN;
}

// Nothing is wanted but their number and the earliest time, which the device knows.
static void count_contacts(const delivery* d) {
    frc_detect_worker* worker = d->run->workers[0];
    const uint64_t bits = ~d->earliest;
    double earliest;
    memcpy(&earliest, &bits, sizeof earliest);
    worker->statistics.contacts[d->kind] += d->contact_count;
    if (earliest < worker->found.earliest) worker->found.earliest = earliest;
}

static void add_triangles(frc_detect_worker* worker, const frc_feature* a, const frc_feature* b) {
    const uint32_t face[2] = {a->id, b->id};
    frc_tri_pair pair;
    memcpy(pair.a, a->point, sizeof pair.a);
    memcpy(pair.b, b->point, sizeof pair.b);
    frc_add_tt_contact(worker, face, &pair);
}

// As frc_step_candidate.
static frc_ccd_pair candidate_of(const frc_detect_worker* worker, frc_comparison what,
                                 const uint32_t a[3], const uint32_t b[3]) {
    const frc_point* points = worker->world->topology->points.data;
    const bool ee = what == FRC_COMPARE_EE;
    const frc_ccd_pair given = {
        {a[0], ee ? a[1] : b[0], ee ? b[0] : b[1], ee ? b[1] : b[2]}
    };
    if (what == FRC_COMPARE_VE || what == FRC_COMPARE_VV)
        return frc_order_free(a[0], frc_point_order(&points[a[0]]), b[0],
                              frc_point_order(&points[b[0]]), b[2], frc_point_order(&points[b[2]]));
    return frc_arrange(worker, ee ? FRC_CCD_EE : FRC_CCD_VF, &given);
}

static void add_hit(frc_detect_worker* worker, const delivery* d, const frc_device_hit* from) {
    const frc_feature *a = &d->a[from->pair.a], *b = &d->b[from->pair.b];
    const frc_ccd_kind kind = d->what == FRC_COMPARE_EE ? FRC_CCD_EE : FRC_CCD_VF;
    if (worker->search == FRC_SEARCH_DISCRETE) {
        add_triangles(worker, a, b);
        return;
    }
    if (from->toi > worker->query->t_max) return;
    const frc_ccd_pair pair = candidate_of(worker, d->what, a->point, b->point);
    frc_ccd_hit hit = {.toi = from->toi, .u = from->u, .v = from->v};
    memcpy(hit.normal, from->normal, sizeof hit.normal);
    frc_add_ccd_contact(worker, kind, &pair, d->what == FRC_COMPARE_VF ? b->id : FRACAS_NONE, &hit,
                        from->distance);
}

static void deliver_hits(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    const delivery* d = data;
    frc_detect_worker* worker = d->run->workers[index];
    if (worker->out_of_memory || frc_detect_cancelled(worker)) return;
    for (size_t i = (size_t)begin * GRAIN; i < (size_t)end * GRAIN && i < d->hit_count; i++)
        add_hit(worker, d, &d->hits[i]);
}

static uint32_t tasks_of(size_t count, size_t grain) {
    return (uint32_t)((count + grain - 1) / grain);
}

static fracas_status deliver_contacts(delivery* d, bool ordered) {
    frc_search_run* run = d->run;
    fracas_context* context = run->world->context;
    if (!ordered) {
        frc_parallel_for(context, tasks_of(d->hit_count, GRAIN), 1, deliver_hits, d);
        return FRACAS_OK;
    }
    if (d->contact_count == 0) return FRACAS_OK;
    if (!run->out) {
        count_contacts(d);
        return FRACAS_OK;
    }
    if (!FRC_ARRAY_RESERVE(context, run->out, run->out->count + d->contact_count))
        return frc_fail_memory(context, d->contact_count * sizeof *d->out);
    d->out = run->out->data + run->out->count;
    run->out->count += d->contact_count;
    frc_parallel_for(context, tasks_of(d->contact_count, GRAIN), 1, deliver_ordered, d);
    return FRACAS_OK;
}

// ---- pairs that the host decides

static frc_face_slot face_of(const frc_feature* f) {
    return (frc_face_slot){
        {f->point[0], f->point[1], f->point[2]},
        f->id
    };
}

static frc_edge_slot edge_of(const frc_feature* f) {
    return (frc_edge_slot){
        {f->point[0], f->point[1]}
    };
}

static void add_pair(frc_detect_worker* worker, frc_comparison what, const frc_feature* a,
                     const frc_feature* b) {
    const frc_face_slot face_a = face_of(a), face_b = face_of(b);
    const frc_edge_slot edge_a = edge_of(a), edge_b = edge_of(b);
    switch (what) {
    case FRC_COMPARE_VF:
        frc_add_vf(worker, a->point[0], &face_b);
        break;
    case FRC_COMPARE_EE:
        frc_add_ee(worker, &edge_a, &edge_b);
        break;
    case FRC_COMPARE_VE:
        frc_add_ve(worker, a->point[0], &edge_b);
        break;
    case FRC_COMPARE_VV:
        frc_add_vv(worker, a->point[0], b->point[0]);
        break;
    case FRC_COMPARE_TT:
        frc_add_tt(worker, &face_a, &face_b);
        break;
    default:
        frc_add_et(worker, &edge_a, &face_b);
    }
}

static void deliver_pairs(uint32_t begin, uint32_t end, uint32_t index, void* data) {
    const delivery* d = data;
    frc_detect_worker* worker = d->run->workers[index];
    const size_t last = (size_t)end * PAIR_GRAIN;
    if (worker->out_of_memory || frc_detect_cancelled(worker)) return;
    worker->axis_tested = false;
    for (size_t i = (size_t)begin * PAIR_GRAIN; i < last && i < d->pair_count; i++) {
        const frc_slot_pair* pair = &d->pairs[i];
        add_pair(worker, d->what, &d->a[pair->a], &d->b[pair->b]);
        frc_flush_candidates(worker, false);
    }
}

// ---- all

static delivery make_delivery(const frc_cuda_search* search, frc_search_run* run,
                              const frc_comparisons* all, uint32_t i) {
    const frc_comparison_data* data = &search->data[all->what[i]];
    const frc_step* step = &all->steps[i];
    return (delivery){.run = run,
                      .a = frc_compared_features(search, all->what[i], 0),
                      .b = frc_compared_features(search, all->what[i], 1),
                      .what = all->what[i],
                      .kind = frc_kind_of(all->what[i]),
                      .contacts = data->host_contacts.data,
                      .bodies = data->host_bodies.data,
                      .contact_count = (size_t)step->host_counts[FRC_COUNT_CONTACTS],
                      .earliest = step->host_counts[FRC_COUNT_EARLIEST],
                      .hits = data->host_contacts.data,
                      .hit_count = (size_t)step->host_counts[FRC_COUNT_HITS],
                      .pairs = data->host_pairs.data,
                      .pair_count = (size_t)step->host_counts[FRC_LIST_HOST]};
}

fracas_status frc_deliver_contacts(frc_cuda_search* search, frc_search_run* run,
                                   const frc_comparisons* all) {
    const bool ordered = !run->world->filter && in_order(all);
    const double start = frc_clock_ms();
    fracas_status status = download_rest(search, all, !ordered);
    if (status == FRACAS_OK && !frc_contacts_are_complete(all))
        status = frc_cuda_fetch_locked(search);
    if (status == FRACAS_OK && ordered && run->out) status = download_contacts(search, all);
    const double copied = frc_clock_ms();
    for (uint32_t i = 0; i < all->count && status == FRACAS_OK; i++) {
        delivery d = make_delivery(search, run, all, i);
        status = deliver_contacts(&d, ordered);
        frc_parallel_for(run->world->context, tasks_of(d.pair_count, PAIR_GRAIN), 1, deliver_pairs,
                         &d);
    }
    search->statistics.ms_download += copied - start;
    search->statistics.ms_host += frc_clock_ms() - copied;
    return status;
}
