/// @file sort.c  Put contacts into the order in which they are reported.
///
/// A least-significant-digit radix sort of small records. Contacts of one kind are sorted at a
/// time, and of their numbers only the bits in which some of them differ: most scenes have few
/// bodies, and most numbers are small. These bits, packed, are a key of at most 192 bits and
/// usually of less than 64.
///
/// With several workers contacts are first dealt out into buckets by comparing them with some of
/// their own, in order; each bucket is then sorted by itself. No two contacts are equal, so the
/// order is the same.
#include "base/parallel.h"
#include "detect/detect.h"
#include <stdlib.h>
#include <string.h>

enum { KINDS = FRACAS_VV + 1, WORDS = 6, KEY_WORDS = 3, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static void contact_words(const fracas_contact* c, uint32_t out[WORDS]) {
    const uint32_t words[WORDS] = {c->body_a.index, c->body_b.index, c->a[0],
                                   c->a[1],         c->b[0],         c->b[1]};
    memcpy(out, words, sizeof words);
}

int frc_compare_contacts(const fracas_contact* a, const fracas_contact* b) {
    uint32_t wa[WORDS], wb[WORDS];
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    contact_words(a, wa);
    contact_words(b, wb);
    for (int i = 0; i < WORDS; i++)
        if (wa[i] != wb[i]) return wa[i] < wb[i] ? -1 : 1;
    return 0;
}

// ---- keys

// How many bits of each word are needed: up to the highest in which two contacts differ.
typedef struct widths {
    uint32_t bits[WORDS];
    uint32_t total;
} widths;

static widths needed_widths(const fracas_contact* contacts, const uint32_t* list, size_t count) {
    uint32_t first[WORDS], differ[WORDS] = {0};
    widths w = {.total = 0};
    contact_words(&contacts[list[0]], first);
    for (size_t i = 1; i < count; i++) {
        uint32_t words[WORDS];
        contact_words(&contacts[list[i]], words);
        for (int k = 0; k < WORDS; k++) differ[k] |= words[k] ^ first[k];
    }
    for (int k = 0; k < WORDS; k++) {
        w.bits[k] = differ[k] ? 32 - (uint32_t)__builtin_clz(differ[k]) : 0;
        w.total += w.bits[k];
    }
    return w;
}

// The last word stands in the lowest bits.
typedef struct record {
    uint64_t key[KEY_WORDS];
    uint32_t index;
} record;

typedef struct short_record {
    uint64_t key;
    uint32_t index;
} short_record;

static uint64_t short_key(const fracas_contact* c, const widths* w) {
    uint32_t words[WORDS];
    uint64_t key = 0;
    contact_words(c, words);
    for (int k = 0; k < WORDS; k++)
        key = key << w->bits[k] | (words[k] & (((uint64_t)1 << w->bits[k]) - 1));
    return key;
}

static void long_key(const fracas_contact* c, uint64_t key[KEY_WORDS]) {
    uint32_t words[WORDS];
    contact_words(c, words);
    for (int k = 0; k < KEY_WORDS; k++)
        key[k] = (uint64_t)words[WORDS - 2 - 2 * k] << 32 | words[WORDS - 1 - 2 * k];
}

// ---- passes

static void starts_from_counts(uint32_t start[DIGITS]) {
    uint32_t sum = 0;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t n = start[d];
        start[d] = sum;
        sum += n;
    }
}

static const short_record* sort_short(short_record* a, short_record* b, size_t count,
                                      uint32_t bits) {
    for (uint32_t shift = 0; shift < bits; shift += DIGIT_BITS) {
        uint32_t start[DIGITS] = {0};
        for (size_t i = 0; i < count; i++) start[a[i].key >> shift & (DIGITS - 1)]++;
        starts_from_counts(start);
        for (size_t i = 0; i < count; i++) b[start[a[i].key >> shift & (DIGITS - 1)]++] = a[i];
        short_record* t = a;
        a = b, b = t;
    }
    return a;
}

static uint32_t long_digit(const record* r, uint32_t digit) {
    enum { PER_WORD = (64 + DIGIT_BITS - 1) / DIGIT_BITS };
    return r->key[digit / PER_WORD] >> digit % PER_WORD * DIGIT_BITS & (DIGITS - 1);
}

static const record* sort_long(record* a, record* b, size_t count) {
    for (uint32_t digit = 0; digit < KEY_WORDS * ((64 + DIGIT_BITS - 1) / DIGIT_BITS); digit++) {
        uint32_t start[DIGITS] = {0};
        for (size_t i = 0; i < count; i++) start[long_digit(&a[i], digit)]++;
        if (start[long_digit(&a[0], digit)] == count) continue;  // all the same
        starts_from_counts(start);
        for (size_t i = 0; i < count; i++) b[start[long_digit(&a[i], digit)]++] = a[i];
        record* t = a;
        a = b, b = t;
    }
    return a;
}

// Put the numbers of contacts of one kind in order. `room` holds two records for each.
static void sort_kind(const fracas_contact* contacts, uint32_t* list, size_t count, void* room) {
    if (count < 2) return;
    const widths w = needed_widths(contacts, list, count);
    if (w.total <= 64) {
        short_record* records = room;
        for (size_t i = 0; i < count; i++)
            records[i] = (short_record){short_key(&contacts[list[i]], &w), list[i]};
        const short_record* sorted = sort_short(records, records + count, count, w.total);
        for (size_t i = 0; i < count; i++) list[i] = sorted[i].index;
        return;
    }
    record* records = room;
    for (size_t i = 0; i < count; i++) {
        long_key(&contacts[list[i]], records[i].key);
        records[i].index = list[i];
    }
    const record* sorted = sort_long(records, records + count, count);
    for (size_t i = 0; i < count; i++) list[i] = sorted[i].index;
}

// `list` holds the numbers to put in order; `room` two records for each.
static void sort_numbers(const fracas_contact* contacts, uint32_t* list, size_t count, void* room) {
    size_t begin[KINDS + 1] = {0};
    uint32_t* given = room;
    memcpy(given, list, count * sizeof *given);
    for (size_t i = 0; i < count; i++) begin[contacts[given[i]].kind + 1]++;
    for (int k = 0; k < KINDS; k++) begin[k + 1] += begin[k];
    for (size_t i = 0; i < count; i++) list[begin[contacts[given[i]].kind]++] = given[i];
    // Each beginning is now the end of its kind.
    for (int k = 0; k < KINDS; k++) {
        size_t first = k ? begin[k - 1] : 0;
        sort_kind(contacts, list + first, begin[k] - first, room);
    }
}

// ---- on all workers

enum { FEWEST = 4096, PER_BUCKET = 8, MOST_BUCKETS = 256 };

typedef struct parcel {
    const fracas_contact* contacts;
    fracas_contact* sorted;
    uint32_t* order;
    uint16_t* bucket_of;  // by number
    record* room;
    size_t count;
    uint32_t buckets;  // and as many stretches of numbers
    fracas_contact splitter[MOST_BUCKETS];
    uint32_t* start;                 // by stretch, then bucket: counts, then places in `order`
    size_t begin[MOST_BUCKETS + 1];  // of buckets
} parcel;

static size_t stretch(const parcel* p, uint32_t i) { return p->count * i / p->buckets; }

static int compare_for_qsort(const void* a, const void* b) { return frc_compare_contacts(a, b); }

// Every so many contacts one is drawn, and of these, in order, every so many.
static void choose_splitters(parcel* p, fracas_contact* drawn) {
    size_t draws = (size_t)p->buckets * PER_BUCKET;
    for (size_t i = 0; i < draws; i++) drawn[i] = p->contacts[p->count * i / draws];
    qsort(drawn, draws, sizeof *drawn, compare_for_qsort);
    for (uint32_t i = 1; i < p->buckets; i++) p->splitter[i] = drawn[i * PER_BUCKET];
}

// Bucket b holds what is not below splitter b and below the next.
static uint16_t find_bucket(const parcel* p, const fracas_contact* c) {
    uint32_t low = 0, high = p->buckets;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (frc_compare_contacts(c, &p->splitter[middle]) < 0)
            high = middle;
        else
            low = middle;
    }
    return (uint16_t)low;
}

static void count_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    parcel* p = data;
    for (uint32_t s = begin; s < end; s++) {
        uint32_t* counts = &p->start[(size_t)s * p->buckets];
        memset(counts, 0, p->buckets * sizeof *counts);
        for (size_t i = stretch(p, s); i < stretch(p, s + 1); i++)
            counts[p->bucket_of[i] = find_bucket(p, &p->contacts[i])]++;
    }
}

static void find_places(parcel* p) {
    uint32_t sum = 0;
    for (uint32_t b = 0; b < p->buckets; b++) {
        p->begin[b] = sum;
        for (uint32_t s = 0; s < p->buckets; s++) {
            uint32_t* start = &p->start[(size_t)s * p->buckets + b];
            uint32_t n = *start;
            *start = sum;
            sum += n;
        }
    }
    p->begin[p->buckets] = sum;
}

static void deal_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    parcel* p = data;
    for (uint32_t s = begin; s < end; s++)
        for (size_t i = stretch(p, s); i < stretch(p, s + 1); i++)
            p->order[p->start[(size_t)s * p->buckets + p->bucket_of[i]]++] = (uint32_t)i;
}

static void sort_buckets(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    parcel* p = data;
    for (uint32_t b = begin; b < end; b++) {
        size_t first = p->begin[b], count = p->begin[b + 1] - first;
        sort_numbers(p->contacts, p->order + first, count, p->room + 2 * first);
        for (size_t i = first; i < first + count; i++) p->sorted[i] = p->contacts[p->order[i]];
    }
}

static void sort_on_all(fracas_context* context, parcel* p, fracas_contact* drawn) {
    choose_splitters(p, drawn);
    frc_parallel_for(context, p->buckets, 1, count_stretches, p);
    find_places(p);
    frc_parallel_for(context, p->buckets, 1, deal_stretches, p);
    frc_parallel_for(context, p->buckets, 1, sort_buckets, p);
}

static bool run_on_all(fracas_context* context, parcel* p) {
    bool ok = true;
    size_t cells = (size_t)p->buckets * p->buckets, draws = (size_t)p->buckets * PER_BUCKET;
    p->bucket_of = frc_allocate_array(context, p->count, sizeof *p->bucket_of, &ok);
    p->start = frc_allocate_array(context, cells, sizeof *p->start, &ok);
    fracas_contact* drawn = frc_allocate_array(context, draws, sizeof *drawn, &ok);
    if (ok) sort_on_all(context, p, drawn);
    frc_release(context, drawn, frc_array_size(draws, sizeof *drawn));
    frc_release(context, p->start, frc_array_size(cells, sizeof *p->start));
    frc_release(context, p->bucket_of, frc_array_size(p->count, sizeof *p->bucket_of));
    return ok;
}

static bool run_alone(parcel* p) {
    for (size_t i = 0; i < p->count; i++) p->order[i] = (uint32_t)i;
    sort_numbers(p->contacts, p->order, p->count, p->room);
    for (size_t i = 0; i < p->count; i++) p->sorted[i] = p->contacts[p->order[i]];
    return true;
}

bool frc_sort_contacts(fracas_context* context, frc_contact_list* list) {
    size_t count = list->count;
    if (count < 2) return true;
    uint32_t buckets = 4 * frc_worker_count(context);
    frc_contact_list sorted = {0};
    bool ok = true;
    parcel p = {.contacts = list->data,
                .count = count,
                .buckets = buckets < MOST_BUCKETS ? buckets : MOST_BUCKETS};
    p.order = frc_allocate_array(context, count, sizeof *p.order, &ok);
    p.room = frc_allocate_array(context, 2 * count, sizeof *p.room, &ok);
    ok = ok && FRC_ARRAY_RESERVE(context, &sorted, list->capacity);
    p.sorted = sorted.data;
    if (ok)
        ok = frc_worker_count(context) > 1 && count >= FEWEST ? run_on_all(context, &p)
                                                              : run_alone(&p);
    if (ok) {
        sorted.count = count;
        FRC_ARRAY_RELEASE(context, list);
        *list = sorted;
    } else {
        FRC_ARRAY_RELEASE(context, &sorted);
    }
    frc_release(context, p.order, frc_array_size(count, sizeof *p.order));
    frc_release(context, p.room, frc_array_size(2 * count, sizeof *p.room));
    return ok;
}

const fracas_contact* frc_first_contact(const frc_contact_list* list) {
    const fracas_contact* best = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const fracas_contact* c = &list->data[i];
        if (!best || c->toi < best->toi ||
            (c->toi == best->toi && frc_compare_contacts(c, best) < 0))
            best = c;
    }
    return best;
}
