/// @file sort.c  Contacts of all workers become one list, in the order in which they are reported.
///
/// A contact is six numbers below its kind. Of each number only as many bits count as some contact
/// needs, for most scenes have few bodies and most numbers are small. Kind and numbers, packed,
/// make up to 195 bits; the first 64 of them are its *head*, by which keys are sorted, digit by
/// digit. Keys with the same head, which are few, are compared as a whole afterwards.
///
/// With several workers each sorts the keys of what it has found, which lies in its cache, and
/// draws some, evenly spread. These say where to cut, and each worker merges one stretch of the
/// result: what lies between two cuts in all piles. No two contacts are equal, so the order is the
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
    pile->ready = false;
}

void frc_pile_release(fracas_context* context, frc_pile* pile) {
    FRC_ARRAY_RELEASE(context, &pile->contacts);
    FRC_ARRAY_RELEASE(context, &pile->keys);
}

bool frc_pile_add(fracas_context* context, frc_pile* pile, const fracas_contact* contact) {
    uint32_t words[FRC_CONTACT_WORDS];
    contact_words(contact, words);
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) pile->bits[k] |= words[k];
    if (contact->kind >= FRACAS_CONTACT_VF && contact->toi < pile->earliest)
        pile->earliest = contact->toi;
    return FRC_ARRAY_PUSH(context, &pile->contacts, *contact);
}

// ---- keys

typedef frc_contact_key key;

enum { FEWEST = 512, DRAWS = 16 };  // contacts that all workers sort; heads drawn for each stretch

typedef struct order {
    fracas_context* context;
    frc_pile* const* piles;
    uint32_t pile_count;
    uint32_t stretches;                 // 1: one worker does everything
    uint32_t width[FRC_CONTACT_WORDS];  // bits
    uint32_t head_bits;
    bool cut_off;  // there are more bits: heads may be equal
    size_t count;
    uint64_t* cuts;  // heads; stretch i is not below cut i, and below the next
    key *a, *b;      // room for what is being sorted
    fracas_contact* out;
} order;

static size_t pile_size(const order* o, uint32_t pile) { return o->piles[pile]->contacts.count; }

static void choose_widths(order* o) {
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

// The same for all who ask, as long as nothing is added.
static order plan_order(fracas_context* context, frc_pile* const* piles, uint32_t count) {
    order o = {.context = context, .piles = piles, .pile_count = count, .stretches = 1};
    const uint32_t workers = frc_worker_count(context);
    for (uint32_t p = 0; p < count; p++) o.count += pile_size(&o, p);
    // No more are drawn than there are.
    if (o.count >= FEWEST)
        o.stretches = workers < o.count / DRAWS ? workers : (uint32_t)(o.count / DRAWS);
    choose_widths(&o);
    return o;
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

// ---- one pile

static void make_keys(const order* o, uint32_t pile, key* out) {
    const frc_contact_list* list = &o->piles[pile]->contacts;
    for (uint32_t i = 0; i < list->count; i++)
        out[i] = (key){make_head(o, &list->data[i]), pile, i};
}

// Of all keys, pile after pile, every so many are drawn. From which on, when so many come before?
static size_t first_draw(const order* o, size_t before) {
    const size_t draws = (size_t)o->stretches * DRAWS;
    return (before * draws + o->count - 1) / o->count;
}

// They stand behind the keys, where there is room for as many.
static void draw(const order* o, uint32_t pile, key* keys) {
    const size_t draws = (size_t)o->stretches * DRAWS, size = pile_size(o, pile);
    size_t begin = 0;
    for (uint32_t p = 0; p < pile; p++) begin += pile_size(o, p);
    const size_t first = first_draw(o, begin), end = first_draw(o, begin + size);
    for (size_t i = first; i < end; i++)
        keys[size + i - first].head = keys[o->count * i / draws - begin].head;
}

static void make_ready(const order* o, uint32_t number) {
    frc_pile* pile = o->piles[number];
    const size_t size = pile_size(o, number);
    if (size == 0) pile->ready = true;
    if (pile->ready || !FRC_ARRAY_RESERVE(o->context, &pile->keys, 2 * size)) return;
    make_keys(o, number, pile->keys.data);
    sort_keys(o, pile->keys.data, pile->keys.data + size, size);
    draw(o, number, pile->keys.data);
    pile->ready = true;
}

void frc_pile_make_ready(fracas_context* context, frc_pile* const* piles, uint32_t count,
                         uint32_t pile) {
    const order o = plan_order(context, piles, count);
    if (o.stretches > 1) make_ready(&o, pile);
}

static void make_piles_ready(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)worker;
    const order* o = data;
    for (uint32_t p = begin; p < end; p++) make_ready(o, p);
}

static bool are_ready(const order* o) {
    bool all = true;
    for (uint32_t p = 0; p < o->pile_count; p++) all = all && o->piles[p]->ready;
    return all;
}

// ---- one stretch

// How many keys of a pile are below a head.
static size_t count_below(const order* o, uint32_t pile, uint64_t head) {
    const key* keys = o->piles[pile]->keys.data;
    size_t low = 0, high = pile_size(o, pile);
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
    const size_t from = count_below(o, first, c->from);
    const size_t below = c->last ? pile_size(o, first) : count_below(o, first, c->below);
    if (below > from) memcpy(to, o->piles[first]->keys.data + from, (below - from) * sizeof *to);
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

// Of what is drawn, in order, every so many.
static void choose_cuts(const order* o, uint64_t* drawn) {
    const size_t draws = (size_t)o->stretches * DRAWS;
    size_t before = 0, n = 0;
    for (uint32_t p = 0; p < o->pile_count; p++) {
        const size_t size = pile_size(o, p), first = n;
        for (before += size; n < first_draw(o, before); n++)
            drawn[n] = o->piles[p]->keys.data[size + n - first].head;
    }
    const uint64_t* sorted = frc_sort_keys(drawn, drawn + draws, draws, 0);
    for (uint32_t i = 1; i < o->stretches; i++) o->cuts[i] = sorted[(size_t)i * DRAWS];
    o->cuts[0] = 0;
}

static bool sort_on_all(order* o) {
    fracas_context* context = o->context;
    bool ok = true;
    const size_t draws = 2 * (size_t)o->stretches * DRAWS;
    o->cuts = frc_allocate_array(context, o->stretches, sizeof *o->cuts, &ok);
    uint64_t* drawn = frc_allocate_array(context, draws, sizeof *drawn, &ok);
    if (ok && !are_ready(o)) {
        frc_parallel_for(context, o->pile_count, 1, make_piles_ready, o);
        ok = are_ready(o);
    }
    if (ok) {
        choose_cuts(o, drawn);
        frc_parallel_for(context, o->stretches, 1, put_stretches, o);
    }
    frc_release(context, drawn, frc_array_size(draws, sizeof *drawn));
    frc_release(context, o->cuts, frc_array_size(o->stretches, sizeof *o->cuts));
    return ok;
}

static bool sort_alone(order* o) {
    size_t n = 0;
    for (uint32_t p = 0; p < o->pile_count; p++) {
        make_keys(o, p, o->a + n);
        n += pile_size(o, p);
    }
    sort_keys(o, o->a, o->b, n);
    write_contacts(o, o->a, n, o->out);
    return true;
}

static bool sort_all(order* o) {
    const size_t room = 2 * o->count;
    bool ok = true;
    o->a = frc_allocate_array(o->context, room, sizeof *o->a, &ok);
    o->b = o->a + o->count;
    ok = ok && (o->stretches == 1 ? sort_alone(o) : sort_on_all(o));
    frc_release(o->context, o->a, frc_array_size(room, sizeof *o->a));
    return ok;
}

bool frc_sort_piles(fracas_context* context, frc_pile* const* piles, uint32_t count,
                    frc_contact_list* out) {
    order o = plan_order(context, piles, count);
    if (o.count == 0) return true;
    if (!FRC_ARRAY_RESERVE(context, out, out->count + o.count)) return false;
    o.out = out->data + out->count;
    if (!sort_all(&o)) return false;
    out->count += o.count;
    return true;
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
