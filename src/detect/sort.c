/// @file sort.c  Contacts of all workers become one list, in the order in which they are reported.
///
/// A contact is six numbers below its kind. Of each number only as many bits count as some contact
/// needs, for most scenes have few bodies and most numbers are small. Kind and numbers, packed,
/// make up to 195 bits; the first 64 of them are its *head*, by which keys are sorted, digit by
/// digit. Keys with the same head, which are few, are compared as a whole afterwards.
///
/// With several workers each sorts the keys of what it has found, which lies in its cache. Some of
/// these, evenly spread, then say where to cut, and each worker merges one stretch of the result:
/// what lies between two cuts in all piles. No two contacts are equal, so the order is the
/// same.
#include "base/sort.h"
#include "base/parallel.h"
#include "detect/detect.h"
#include <math.h>
#include <string.h>

// ---- contacts as numbers

static void contact_words(const fracas_contact* c, uint32_t out[FRC_CONTACT_WORDS]) {
    // What is not used is FRACAS_NONE, for all contacts of a kind: 0 needs no bits.
    const uint32_t words[FRC_CONTACT_WORDS] = {c->body_a.index, c->body_b.index, c->a[0] + 1,
                                               c->a[1] + 1,     c->b[0] + 1,     c->b[1] + 1};
    memcpy(out, words, sizeof words);
}

int frc_compare_contacts(const fracas_contact* a, const fracas_contact* b) {
    uint32_t wa[FRC_CONTACT_WORDS], wb[FRC_CONTACT_WORDS];
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    contact_words(a, wa);
    contact_words(b, wb);
    for (int i = 0; i < FRC_CONTACT_WORDS; i++)
        if (wa[i] != wb[i]) return wa[i] < wb[i] ? -1 : 1;
    return 0;
}

// ---- piles

void frc_pile_clear(frc_pile* pile) {
    pile->contacts.count = 0;
    pile->earliest = INFINITY;
    memset(pile->bits, 0, sizeof pile->bits);
}

bool frc_pile_add(fracas_context* context, frc_pile* pile, const fracas_contact* contact) {
    uint32_t words[FRC_CONTACT_WORDS];
    contact_words(contact, words);
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) pile->bits[k] |= words[k];
    if (contact->kind >= FRACAS_VF && contact->toi < pile->earliest) pile->earliest = contact->toi;
    return FRC_ARRAY_PUSH(context, &pile->contacts, *contact);
}

// ---- keys

typedef struct key {
    uint64_t head;
    uint32_t pile, index;
} key;

typedef struct order {
    const frc_pile* const* piles;
    uint32_t pile_count, stretches;
    uint32_t width[FRC_CONTACT_WORDS];  // bits
    uint32_t head_bits;
    bool cut_off;  // there are more bits: heads may be equal
    size_t count;
    size_t* begin;      // of piles among all keys; one more at the end
    uint64_t* cuts;     // heads; stretch i is not below cut i, and below the next
    key *keys, *a, *b;  // of piles, each sorted by itself; room for what is being sorted
    fracas_contact* out;
} order;

static void measure(order* o) {
    uint32_t total = 3;
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) {
        uint32_t bits = 0;
        for (uint32_t p = 0; p < o->pile_count; p++) bits |= o->piles[p]->bits[k];
        o->width[k] = bits ? 32 - (uint32_t)__builtin_clz(bits) : 0;
        total += o->width[k];
    }
    o->cut_off = total > 64;
    o->head_bits = o->cut_off ? 64 : total;
}

// As many of the first bits as there is room for.
static uint64_t make_head(const order* o, const fracas_contact* c) {
    uint32_t words[FRC_CONTACT_WORDS], room = o->head_bits - 3;
    uint64_t head = (uint64_t)c->kind;
    contact_words(c, words);
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) {
        const uint32_t width = o->width[k], taken = width < room ? width : room;
        head = head << taken | (uint64_t)words[k] >> (width - taken);
        room -= taken;
    }
    return head;
}

static const fracas_contact* contact_of(const order* o, const key* k) {
    return &o->piles[k->pile]->contacts.data[k->index];
}

// ---- sorting

// Keys with the same head, by halves that are merged.
static void sort_equals(const order* o, key* keys, key* spare, size_t count) {
    if (count < 2) return;
    const size_t half = count / 2;
    sort_equals(o, keys, spare, half);
    sort_equals(o, keys + half, spare, count - half);
    memcpy(spare, keys, half * sizeof *keys);
    for (size_t i = 0, j = half, to = 0; i < half; to++)
        if (j < count &&
            frc_compare_contacts(contact_of(o, &keys[j]), contact_of(o, &spare[i])) < 0)
            keys[to] = keys[j++];
        else
            keys[to] = spare[i++];
}

static void sort_ties(const order* o, key* keys, key* spare, size_t count) {
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end].head == keys[i].head;) end++;
        if (end - i > 1) sort_equals(o, keys + i, spare, end - i);
    }
}

enum { MOST_DIGITS = 2048, LONG = 4096 };  // of a long list it pays to have many

// False: all keys have the same digit there, and stay where they are.
static bool deal_digit(const key* from, key* to, size_t count, uint32_t shift, uint32_t digits) {
    uint32_t start[MOST_DIGITS], sum = 0;
    const uint64_t mask = digits - 1;
    memset(start, 0, digits * sizeof *start);
    for (size_t i = 0; i < count; i++) start[from[i].head >> shift & mask]++;
    if (start[from[0].head >> shift & mask] == count) return false;
    for (uint32_t d = 0; d < digits; d++) {
        uint32_t n = start[d];
        start[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) to[start[from[i].head >> shift & mask]++] = from[i];
    return true;
}

static void sort_keys(const order* o, key* keys, key* spare, size_t count) {
    const uint32_t bits = count < LONG ? 8 : 11;
    key *a = keys, *b = spare;
    for (uint32_t shift = 0; shift < o->head_bits && count > 1; shift += bits)
        if (deal_digit(a, b, count, shift, 1u << bits)) {
            key* t = a;
            a = b, b = t;
        }
    if (a != keys) memcpy(keys, a, count * sizeof *keys);
    if (o->cut_off) sort_ties(o, keys, spare, count);
}

// ---- one pile, one stretch

static void make_keys(const order* o, uint32_t pile, key* out) {
    const frc_contact_list* list = &o->piles[pile]->contacts;
    for (uint32_t i = 0; i < list->count; i++)
        out[i] = (key){make_head(o, &list->data[i]), pile, i};
}

static void sort_piles(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const order* o = data;
    for (uint32_t p = begin; p < end; p++) {
        key* keys = o->keys + o->begin[p];
        make_keys(o, p, keys);
        sort_keys(o, keys, o->a + o->begin[p], o->begin[p + 1] - o->begin[p]);
    }
}

// How many keys of a pile are below a head.
static size_t count_below(const order* o, uint32_t pile, uint64_t head) {
    const key* keys = o->keys + o->begin[pile];
    size_t low = 0, high = o->begin[pile + 1] - o->begin[pile];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (keys[middle].head < head)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void write_contacts(const order* o, const key* keys, size_t count, fracas_contact* out) {
    for (size_t i = 0; i < count; i++) out[i] = *contact_of(o, &keys[i]);
}

static bool is_before(const order* o, const key* a, const key* b) {
    if (a->head != b->head || !o->cut_off) return a->head < b->head;
    return frc_compare_contacts(contact_of(o, a), contact_of(o, b)) < 0;
}

static void merge(const order* o, const key* a, const key* a_end, const key* b_end, key* to) {
    const key* b = a_end;
    while (a < a_end && b < b_end) *to++ = is_before(o, b, a) ? *b++ : *a++;
    memcpy(to, a, (size_t)(a_end - a) * sizeof *to);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *to);
}

// A part of the piles.
typedef struct cut {
    uint64_t from, below;  // heads
    bool last;             // all from there on
} cut;

// What lies within the cut in piles [first, end), in order. `other` has as much room, and is used.
static size_t put_together(const order* o, const cut* c, uint32_t first, uint32_t end, key* to,
                           key* other) {
    if (end - first > 1) {
        const uint32_t middle = first + (end - first) / 2;
        const size_t n = put_together(o, c, first, middle, other, to);
        const size_t all = n + put_together(o, c, middle, end, other + n, to + n);
        merge(o, other, other + n, other + all, to);
        return all;
    }
    const size_t size = o->begin[end] - o->begin[first];
    const size_t from = count_below(o, first, c->from);
    const size_t below = c->last ? size : count_below(o, first, c->below);
    memcpy(to, o->keys + o->begin[first] + from, (below - from) * sizeof *to);
    return below - from;
}

static void put_stretch(const order* o, uint32_t stretch) {
    const bool last = stretch + 1 == o->stretches;
    const cut c = {o->cuts[stretch], last ? 0 : o->cuts[stretch + 1], last};
    size_t begin = 0;
    for (uint32_t p = 0; p < o->pile_count; p++) begin += count_below(o, p, c.from);
    key* keys = o->a + begin;
    const size_t count = put_together(o, &c, 0, o->pile_count, keys, o->b + begin);
    write_contacts(o, keys, count, o->out + begin);
}

static void put_stretches(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const order* o = data;
    for (uint32_t s = begin; s < end; s++) put_stretch(o, s);
}

// ---- all

enum { FEWEST = 512, DRAWS = 16 };  // contacts that all workers sort; heads drawn for each stretch

// Every so many keys one is drawn, and of these, in order, every so many.
static void choose_cuts(const order* o, uint64_t* drawn) {
    const size_t draws = (size_t)o->stretches * DRAWS;
    for (size_t i = 0; i < draws; i++) drawn[i] = o->keys[o->count * i / draws].head;
    const uint64_t* sorted = frc_sort_keys(drawn, drawn + draws, draws, 0);
    for (uint32_t i = 1; i < o->stretches; i++) o->cuts[i] = sorted[(size_t)i * DRAWS];
    o->cuts[0] = 0;
}

static bool sort_on_all(fracas_context* context, order* o) {
    bool ok = true;
    const size_t draws = 2 * (size_t)o->stretches * DRAWS;
    o->cuts = frc_allocate_array(context, o->stretches, sizeof *o->cuts, &ok);
    uint64_t* drawn = frc_allocate_array(context, draws, sizeof *drawn, &ok);
    if (ok) {
        frc_parallel_for(context, o->pile_count, 1, sort_piles, o);
        choose_cuts(o, drawn);
        frc_parallel_for(context, o->stretches, 1, put_stretches, o);
    }
    frc_release(context, drawn, frc_array_size(draws, sizeof *drawn));
    frc_release(context, o->cuts, frc_array_size(o->stretches, sizeof *o->cuts));
    return ok;
}

static bool sort_alone(order* o) {
    for (uint32_t p = 0; p < o->pile_count; p++) make_keys(o, p, o->keys + o->begin[p]);
    sort_keys(o, o->keys, o->a, o->count);
    write_contacts(o, o->keys, o->count, o->out);
    return true;
}

static bool sort_all(fracas_context* context, order* o) {
    const uint32_t workers = frc_worker_count(context);
    const bool alone = workers == 1 || o->count < FEWEST;
    const size_t room = (alone ? 2 : 3) * o->count;
    bool ok = true;
    o->stretches = workers;
    o->keys = frc_allocate_array(context, room, sizeof *o->keys, &ok);
    o->a = o->keys + o->count;
    o->b = o->a + o->count;
    measure(o);
    ok = ok && (alone ? sort_alone(o) : sort_on_all(context, o));
    frc_release(context, o->keys, frc_array_size(room, sizeof *o->keys));
    return ok;
}

bool frc_sort_piles(fracas_context* context, const frc_pile* const* piles, uint32_t count,
                    frc_contact_list* out) {
    bool ok = true;
    order o = {.piles = piles, .pile_count = count};
    o.begin = frc_allocate_array(context, (size_t)count + 1, sizeof *o.begin, &ok);
    for (uint32_t p = 0; p < count && ok; p++) {
        o.begin[p] = o.count;
        o.count += piles[p]->contacts.count;
    }
    ok = ok && FRC_ARRAY_RESERVE(context, out, out->count + o.count);
    if (ok && o.count > 0) {
        o.begin[count] = o.count;
        o.out = out->data + out->count;
        ok = sort_all(context, &o);
    }
    if (ok) out->count += o.count;
    frc_release(context, o.begin, frc_array_size((size_t)count + 1, sizeof *o.begin));
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
