/// @file sort_contacts.c  Sorts the contacts of all workers into one list, in the order of reports.
///
/// Contacts are ordered by kind and six numbers. Each number is packed into as many bits as the
/// largest of all contacts needs: most scenes have few bodies and small indices. The first 64 of
/// these up to 195 bits are the *head*. A radix sort orders the keys by their heads; keys with
/// equal heads, which are rare, are ordered by comparing contacts.
///
/// Each worker sorts the keys of its own contacts; the sorted lists are then merged pairwise. No
/// two contacts are equal, so the result does not depend on which worker found a contact.
#include "base/parallel.h"
#include "detect/contact_buffer.h"
#include <string.h>

typedef frc_contact_key key;

typedef struct sorting {
    fracas_context* context;
    frc_contact_buffer* const* buffers;
    uint32_t buffer_count;
    uint32_t width[FRC_CONTACT_WORDS];  // bits
    uint32_t head_bits;
    bool truncated;  // keys have more bits than a head: heads may be equal
    // The merge:
    size_t* begin;  // of each buffer's keys in the list of all keys; then the end of the list
    uint32_t run;   // consecutive buffers whose keys are sorted in `from`
    key *from, *to;
    fracas_contact* out;
} sorting;

static sorting begin_sorting(fracas_context* context, frc_contact_buffer* const* buffers,
                             uint32_t count) {
    sorting s = {.context = context, .buffers = buffers, .buffer_count = count};
    uint32_t total = 3;
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < count; i++) bits |= buffers[i]->bits[k];
        s.width[k] = bits ? 32 - (uint32_t)__builtin_clz(bits) : 0;
        total += s.width[k];
    }
    s.truncated = total > 64;
    s.head_bits = s.truncated ? 64 : total;
    return s;
}

// ---- the keys of one buffer

static uint64_t make_head(const sorting* s, const fracas_contact* c) {
    uint32_t words[FRC_CONTACT_WORDS], left = s->head_bits - 3;
    uint64_t head = (uint64_t)c->kind;
    frc_contact_words(c, words);
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) {
        const uint32_t width = s->width[k], used = width < left ? width : left;
        head = head << used | (uint64_t)words[k] >> (width - used);
        left -= used;
    }
    return head;
}

static const fracas_contact* contact_of(const sorting* s, const key* k) {
    return &s->buffers[k->buffer]->contacts.data[k->index];
}

static bool is_before(const sorting* s, const key* a, const key* b) {
    if (a->head != b->head || !s->truncated) return a->head < b->head;
    return frc_compare_contacts(contact_of(s, a), contact_of(s, b)) < 0;
}

// Merge sorted lists [a, b) and [b, end) into `to`, which does not overlap them.
static void merge(const sorting* s, const key* a, const key* b, const key* end, key* to) {
    const key* const a_end = b;
    while (a < a_end && b < end) *to++ = is_before(s, b, a) ? *b++ : *a++;
    memcpy(to, a, (size_t)(a_end - a) * sizeof *to);
    memcpy(to + (a_end - a), b, (size_t)(end - b) * sizeof *to);
}

// Merge sort, for keys with equal heads.
static void sort_equal(const sorting* s, key* keys, key* spare, size_t count) {
    if (count < 2) return;
    const size_t half = count / 2;
    sort_equal(s, keys, spare, half);
    sort_equal(s, keys + half, spare + half, count - half);
    memcpy(spare, keys, count * sizeof *keys);
    merge(s, spare, spare + half, spare + count, keys);
}

enum { MAX_BUCKETS = 2048, LONG_LIST = 4096 };  // long lists amortise large digits

// One pass of the radix sort. False: all keys have the same digit, nothing is moved.
static bool sort_by_digit(const key* from, key* to, size_t count, uint32_t shift,
                          uint32_t buckets) {
    uint32_t start[MAX_BUCKETS], sum = 0;
    const uint64_t mask = buckets - 1;
    memset(start, 0, buckets * sizeof *start);
    for (size_t i = 0; i < count; i++) start[from[i].head >> shift & mask]++;
    if (start[from[0].head >> shift & mask] == count) return false;
    for (uint32_t d = 0; d < buckets; d++) {
        const uint32_t n = start[d];
        start[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) to[start[from[i].head >> shift & mask]++] = from[i];
    return true;
}

void frc_contact_buffer_sort(fracas_context* context, frc_contact_buffer* const* buffers,
                             uint32_t count, uint32_t number) {
    frc_contact_buffer* buffer = buffers[number];
    const size_t size = buffer->contacts.count;
    if (buffer->sorted || !FRC_ARRAY_RESERVE(context, &buffer->keys, 2 * size)) return;
    buffer->sorted = true;
    if (size == 0) return;
    const sorting s = begin_sorting(context, buffers, count);
    key *keys = buffer->keys.data, *spare = keys + size;
    for (uint32_t i = 0; i < size; i++)
        keys[i] = (key){make_head(&s, &buffer->contacts.data[i]), number, i};
    // By heads, from one half of the array to the other and back.
    const uint32_t bits = size < LONG_LIST ? 8 : 11;
    key *from = keys, *to = spare;
    for (uint32_t shift = 0; shift < s.head_bits; shift += bits)
        if (sort_by_digit(from, to, size, shift, 1u << bits)) {
            key* t = from;
            from = to, to = t;
        }
    if (from != keys) memcpy(keys, from, size * sizeof *keys);
    // Groups of equal heads.
    for (size_t i = 0, end; s.truncated && i < size; i = end) {
        for (end = i + 1; end < size && keys[end].head == keys[i].head;) end++;
        sort_equal(&s, keys + i, spare, end - i);
    }
}

// ---- one list

// Merge the list of the `run` buffers from 2 i run on with that of the next `run` buffers.
static void merge_pairs(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sorting* s = data;
    for (uint32_t i = begin; i < end; i++) {
        size_t cut[3];
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t buffer = (2 * i + k) * s->run;
            cut[k] = s->begin[buffer < s->buffer_count ? buffer : s->buffer_count];
        }
        merge(s, s->from + cut[0], s->from + cut[1], s->from + cut[2], s->to + cut[0]);
    }
}

enum { COPY_RANGE = 256 };  // contacts

static void copy_contacts(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sorting* s = data;
    const size_t all = s->begin[s->buffer_count], last = (size_t)end * COPY_RANGE;
    for (size_t i = (size_t)begin * COPY_RANGE; i < (last < all ? last : all); i++)
        s->out[i] = *contact_of(s, &s->from[i]);
}

static void sort_buffers(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const sorting* s = data;
    for (uint32_t i = begin; i < end; i++)
        frc_contact_buffer_sort(s->context, s->buffers, s->buffer_count, i);
}

// Below this many contacts one thread is faster than waking others.
enum { PARALLEL_CONTACTS = 512 };

static void run_loop(sorting* s, uint32_t count, frc_range_fn* body) {
    if (s->begin[s->buffer_count] < PARALLEL_CONTACTS)
        body(0, count, 0, s);
    else
        frc_parallel_for(s->context, count, 1, body, s);
}

// `keys` has capacity for two lists of all contacts. False: no memory.
static bool merge_buffers(sorting* s, key* keys) {
    const uint32_t count = s->buffer_count;
    const size_t all = s->begin[count];
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) sorted = sorted && s->buffers[i]->sorted;
    if (!sorted) run_loop(s, count, sort_buffers);
    for (uint32_t i = 0; i < count; i++) {
        const frc_contact_buffer* buffer = s->buffers[i];
        if (!buffer->sorted) return false;
        if (buffer->contacts.count > 0)
            memcpy(keys + s->begin[i], buffer->keys.data, buffer->contacts.count * sizeof *keys);
    }
    s->from = keys;
    s->to = keys + all;
    for (s->run = 1; s->run < count; s->run *= 2) {
        run_loop(s, (count + 2 * s->run - 1) / (2 * s->run), merge_pairs);
        key* next = s->from;
        s->from = s->to, s->to = next;
    }
    run_loop(s, (uint32_t)((all + COPY_RANGE - 1) / COPY_RANGE), copy_contacts);
    return true;
}

bool frc_sort_contacts(fracas_context* context, frc_contact_buffer* const* buffers, uint32_t count,
                       frc_contact_list* out) {
    bool ok = true;
    size_t all = 0;
    for (uint32_t i = 0; i < count; i++) all += buffers[i]->contacts.count;
    if (all == 0) return true;
    if (!FRC_ARRAY_RESERVE(context, out, out->count + all)) return false;
    sorting s = begin_sorting(context, buffers, count);
    s.out = out->data + out->count;
    s.begin = frc_allocate_array(context, (size_t)count + 1, sizeof *s.begin, &ok);
    key* keys = frc_allocate_array(context, 2 * all, sizeof *keys, &ok);
    if (ok) {
        s.begin[0] = 0;
        for (uint32_t i = 0; i < count; i++)
            s.begin[i + 1] = s.begin[i] + buffers[i]->contacts.count;
        ok = merge_buffers(&s, keys);
    }
    frc_release(context, keys, frc_array_size(2 * all, sizeof *keys));
    frc_release(context, s.begin, frc_array_size((size_t)count + 1, sizeof *s.begin));
    if (ok) out->count += all;
    return ok;
}

// From the end on; the second part, which is copied, is the shorter one.
bool frc_merge_contacts(fracas_context* context, frc_contact_list* list, size_t begin,
                        size_t middle) {
    const size_t count = list->count - middle;
    bool ok = true;
    if (count == 0 || middle == begin) return true;
    fracas_contact* second = frc_allocate_array(context, count, sizeof *second, &ok);
    if (!ok) return false;
    memcpy(second, list->data + middle, count * sizeof *second);
    fracas_contact *to = list->data + list->count, *a = list->data + middle, *b = second + count;
    while (b > second) {
        const bool last_is_a = a > list->data + begin && frc_compare_contacts(a - 1, b - 1) > 0;
        const fracas_contact* from = last_is_a ? --a : --b;
        *--to = *from;
    }
    frc_release(context, second, frc_array_size(count, sizeof *second));
    return true;
}
