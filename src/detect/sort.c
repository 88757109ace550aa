/// @file sort.c  Put contacts into the order in which they are reported.
///
/// A least-significant-digit radix sort of small records (keys and position), skipping digits that
/// are equal in all of them: most keys are small numbers and most scenes have few bodies.
#include "detect/detect.h"
#include <string.h>

enum { WORDS = 7, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

typedef struct record {
    uint32_t word[WORDS];  // most significant first
    uint32_t index;
} record;

static record make_record(const fracas_contact* c, uint32_t index) {
    return (record){
        {(uint32_t)c->kind, c->body_a.index, c->body_b.index, c->a[0], c->a[1], c->b[0], c->b[1]},
        index
    };
}

int frc_compare_contacts(const fracas_contact* a, const fracas_contact* b) {
    record ra = make_record(a, 0), rb = make_record(b, 0);
    for (int i = 0; i < WORDS; i++)
        if (ra.word[i] != rb.word[i]) return ra.word[i] < rb.word[i] ? -1 : 1;
    return 0;
}

static void scatter(const record* from, record* to, size_t count, int word, int shift) {
    size_t start[DIGITS] = {0};
    for (size_t i = 0; i < count; i++) start[from[i].word[word] >> shift & (DIGITS - 1)]++;
    size_t sum = 0;
    for (int d = 0; d < DIGITS; d++) {
        size_t n = start[d];
        start[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++)
        to[start[from[i].word[word] >> shift & (DIGITS - 1)]++] = from[i];
}

// Bits in which some records differ.
static void differing_bits(const record* records, size_t count, uint32_t bits[WORDS]) {
    memset(bits, 0, WORDS * sizeof *bits);
    for (size_t i = 1; i < count; i++)
        for (int w = 0; w < WORDS; w++) bits[w] |= records[i].word[w] ^ records[0].word[w];
}

// Sorts `a` with the help of `b`; returns the one that holds the result.
static record* sort_records(record* a, record* b, size_t count) {
    uint32_t bits[WORDS];
    differing_bits(a, count, bits);
    for (int w = WORDS - 1; w >= 0; w--)
        for (int shift = 0; shift < 32; shift += DIGIT_BITS) {
            if (!(bits[w] >> shift & (DIGITS - 1))) continue;
            scatter(a, b, count, w, shift);
            record* t = a;
            a = b, b = t;
        }
    return a;
}

bool frc_sort_contacts(fracas_context* context, frc_contact_list* list) {
    size_t count = list->count;
    if (count < 2) return true;
    size_t record_size = 2 * count * sizeof(record);
    record* records = frc_allocate(context, record_size);
    frc_contact_list sorted = {0};
    bool ok = records && FRC_ARRAY_RESERVE(context, &sorted, list->capacity);
    if (ok) {
        for (size_t i = 0; i < count; i++) records[i] = make_record(&list->data[i], (uint32_t)i);
        const record* order = sort_records(records, records + count, count);
        for (size_t i = 0; i < count; i++) sorted.data[i] = list->data[order[i].index];
        sorted.count = count;
        FRC_ARRAY_RELEASE(context, list);
        *list = sorted;
    }
    frc_release(context, records, record_size);
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
