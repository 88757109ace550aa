/// @file sort.c  Put contacts into the order in which they are reported.
///
/// A least-significant-digit radix sort of small records. Contacts of one kind are sorted at a
/// time, and of their numbers only the bits in which some of them differ: most scenes have few
/// bodies, and most numbers are small. These bits, packed, are a key of at most 192 bits and
/// usually of less than 64.
#include "detect/detect.h"
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

static void sort_list(const fracas_contact* contacts, uint32_t* list, size_t count, void* room) {
    size_t begin[KINDS + 1] = {0};
    for (size_t i = 0; i < count; i++) begin[contacts[i].kind + 1]++;
    for (int k = 0; k < KINDS; k++) begin[k + 1] += begin[k];
    for (size_t i = 0; i < count; i++) list[begin[contacts[i].kind]++] = (uint32_t)i;
    // Each beginning is now the end of its kind.
    for (int k = 0; k < KINDS; k++) {
        size_t first = k ? begin[k - 1] : 0;
        sort_kind(contacts, list + first, begin[k] - first, room);
    }
}

bool frc_sort_contacts(fracas_context* context, frc_contact_list* list) {
    size_t count = list->count;
    if (count < 2) return true;
    size_t list_size = count * sizeof(uint32_t), room_size = 2 * count * sizeof(record);
    uint32_t* order = frc_allocate(context, list_size);
    void* room = frc_allocate(context, room_size);
    frc_contact_list sorted = {0};
    bool ok = order && room && FRC_ARRAY_RESERVE(context, &sorted, list->capacity);
    if (ok) {
        sort_list(list->data, order, count, room);
        for (size_t i = 0; i < count; i++) sorted.data[i] = list->data[order[i]];
        sorted.count = count;
        FRC_ARRAY_RELEASE(context, list);
        *list = sorted;
    }
    frc_release(context, order, list_size);
    frc_release(context, room, room_size);
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
