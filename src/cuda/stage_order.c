/// @file stage_order.c  Device code: contacts in the caller's numbers, in the order of reports.
///
/// Contacts of one kind are ordered by six numbers. Packed into as few bits as the largest numbers
/// need, their first bits are the number of a bin, so that the order of bins is that of contacts. A
/// contact then counts the contacts of its bin that come before it. There are about as many bins as
/// contacts, so bins have few; a bin of more than FRC_BIN_MOST is left to the host.
#include "cuda/lists.h"
#include "fracas/contact.h"

// What a lane sends at a time.
typedef struct sent_word {
    FRC_ALIGN(16) uint64_t part[2];
} sent_word;
enum { WORDS_OF_CONTACT = sizeof(fracas_cuda_contact) / sizeof(sent_word) };
_Static_assert(sizeof(fracas_cuda_contact) % sizeof(sent_word) == 0, "contacts are whole words");

FRC_DEVICE static uint64_t stored_hits(const frc_step* s) {
    return *s->hit_count < s->hit_capacity ? *s->hit_count : s->hit_capacity;
}

// ---- names

FRC_DEVICE static uint32_t body_of(const frc_step* s, uint32_t point) {
    return s->names[point].tag[0];
}

FRC_DEVICE static uint32_t number_of(const frc_step* s, uint32_t point) {
    return s->names[point].tag[1];
}

// Two triangles, the one with the smaller numbers first, or an edge and a triangle.
FRC_DEVICE static void name_triangles(const frc_step* s, frc_slot_pair pair, uint32_t out[]) {
    const frc_feature *a = &s->a.features[pair.a], *b = &s->b.features[pair.b];
    const uint32_t body_a = body_of(s, a->point[0]), body_b = body_of(s, b->point[0]);
    const uint32_t triangle = s->order.triangles[b->id];
    if (s->contact == FRACAS_CONTACT_TT) {
        const uint32_t first = s->order.triangles[a->id];
        const bool swap = body_a != body_b ? body_a > body_b : first > triangle;
        out[0] = swap ? body_b : body_a, out[1] = swap ? body_a : body_b;
        out[2] = swap ? triangle : first, out[4] = swap ? first : triangle;
        out[3] = FRACAS_NONE;
    } else {
        const uint32_t p = number_of(s, a->point[0]), q = number_of(s, a->point[1]);
        out[0] = body_a, out[1] = body_b;
        out[2] = p < q ? p : q, out[3] = p < q ? q : p;
        out[4] = triangle;
    }
    out[5] = FRACAS_NONE;
}

FRC_DEVICE static void name_hit(const frc_step* s, frc_slot_pair pair, uint32_t out[]) {
    const frc_ccd_pair c = frc_step_candidate(s, pair);
    const bool ee = s->kind == FRC_CCD_EE;
    const uint32_t b0 = c.point[ee ? 2 : 1], b1 = c.point[3];
    out[0] = body_of(s, c.point[0]);
    out[1] = body_of(s, b0);
    out[2] = number_of(s, c.point[0]);
    out[3] = ee ? number_of(s, c.point[1]) : FRACAS_NONE;
    out[4] = s->contact == FRACAS_CONTACT_VF ? s->order.triangles[s->b.features[pair.b].id]
                                             : number_of(s, b0);
    out[5] = ee || s->contact == FRACAS_CONTACT_VE ? number_of(s, b1) : FRACAS_NONE;
}

// The first bits of all numbers.
FRC_DEVICE static uint32_t bin_of(const frc_step* s, const uint32_t word[]) {
    const frc_order* o = &s->order;
    const frc_order_bits bits =
        frc_order_bits_of(s->contact, o->body_bits, o->point_bits, o->triangle_bits);
    const uint32_t* const width = bits.of_word;
    uint32_t bin = 0, left = o->bin_bits;
    for (int k = 0; k < FRC_NAME_WORDS; k++) {
        const uint32_t used = width[k] < left ? width[k] : left;
        if (used > 0) bin = bin << used | word[k] >> (width[k] - used);
        left -= used;
    }
    return bin;
}

FRC_STAGE(name) {
    const uint64_t count = stored_hits(s);
    FRC_EACH_32(first, count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n >= count) continue;
            frc_hit_name name;
            if (s->decide == FRC_DECIDE_TRIANGLES)
                name_triangles(s, s->hits[n].pair, name.word);
            else
                name_hit(s, s->hits[n].pair, name.word);
            name.bin = s->hits[n].toi <= s->t_max ? bin_of(s, name.word) : FRACAS_NONE;
            name.place = name.bin == FRACAS_NONE ? 0 : frc_take_one(&s->order.bins[name.bin]);
            s->order.names[n] = name;
            if (name.bin != FRACAS_NONE)
                frc_raise(&s->counts[FRC_COUNT_EARLIEST], frc_time_rank(s->hits[n].toi));
        }
    }
}

// ---- bins

// Each warp has the same number of bins, a multiple of 32.
FRC_DEVICE static uint32_t bins_of_warp(const frc_step* s, uint32_t warps) {
    return (((1u << s->order.bin_bits) + FRC_WARP * warps - 1) / (FRC_WARP * warps)) * FRC_WARP;
}

FRC_STAGE(bin_sums) {
    const uint32_t each = bins_of_warp(s, warps), all = 1u << s->order.bin_bits;
    uint32_t sum[FRC_LANES];
    FRC_EACH_LANE(i) {
        sum[i] = 0;
        for (uint32_t k = FRC_LANE(i); k < each; k += FRC_WARP) {
            const uint64_t bin = (uint64_t)warp * each + k;
            sum[i] += bin < all ? s->order.bins[bin] : 0;
        }
    }
    const uint32_t sum_of_all = frc_scan(sum);
    FRC_EACH_LANE(i) if (FRC_LANE(i) == 0) s->order.sums[warp] = sum_of_all;
}

// The counts of bins become the places where they begin.
FRC_STAGE(bin_starts) {
    const uint32_t each = bins_of_warp(s, warps), all = 1u << s->order.bin_bits;
    uint32_t count[FRC_LANES];
    FRC_EACH_LANE(i) {
        count[i] = 0;
        for (uint32_t w = FRC_LANE(i); w < warp; w += FRC_WARP) count[i] += s->order.sums[w];
    }
    uint32_t start = frc_scan(count);
    for (uint64_t first = (uint64_t)warp * each; first < (uint64_t)(warp + 1) * each && first < all;
         first += FRC_WARP) {
        FRC_EACH_LANE(i) {
            const uint64_t bin = first + FRC_LANE(i);
            count[i] = bin < all ? s->order.bins[bin] : 0;
        }
        const uint32_t sum = frc_scan(count);
        FRC_EACH_LANE(i) {
            const uint64_t bin = first + FRC_LANE(i);
            if (bin < all) s->order.bins[bin] = start + count[i];
        }
        start += sum;
    }
    FRC_EACH_LANE(i)
    if (FRC_LANE(i) == 0 && warp + 1 == warps) {
        s->order.bins[all] = start;
        *s->order.count = start;
    }
}

// Names in the order of bins: what a warp compares is together in memory.
FRC_STAGE(place) {
    const uint64_t count = stored_hits(s);
    FRC_EACH_32(first, count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n >= count || s->order.names[n].bin == FRACAS_NONE) continue;
            frc_hit_name name = s->order.names[n];
            const uint32_t at = s->order.bins[name.bin] + name.place;
            name.place = (uint32_t)n;
            s->order.placed[at] = name;
        }
    }
}

// ---- order

// Without branches.
FRC_DEVICE static bool is_before(const frc_hit_name* a, const frc_hit_name* b) {
    bool before = false;
    FRC_UNROLL
    for (int k = FRC_NAME_WORDS - 1; k >= 0; k--)
        before = a->word[k] < b->word[k] || (a->word[k] == b->word[k] && before);
    return before;
}

FRC_DEVICE static void write_contact(const frc_step* s, const frc_hit_name* name, uint32_t at) {
    const frc_device_hit* from = &s->hits[name->place];
    const uint32_t* word = name->word;
    fracas_cuda_contact* to = &s->order.contacts[at];
    to->a[0] = word[2], to->a[1] = word[3];
    to->b[0] = word[4], to->b[1] = word[5];
    const bool edge = s->contact == FRACAS_CONTACT_VE, point = s->contact == FRACAS_CONTACT_VV;
    to->toi = from->toi;
    to->u = point ? 0 : edge ? from->u + from->v : from->u;
    to->v = point || edge ? 0 : from->v;
    for (int k = 0; k < 3; k++) to->normal[k] = from->normal[k];
    s->order.bodies[at].a = word[0] + 1;
    s->order.bodies[at].b = word[1] + 1;
}

FRC_STAGE(order) {
    const frc_order* o = &s->order;
    const uint64_t count = *o->count;
    FRC_EACH_32(first, count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n >= count) continue;
            const frc_hit_name name = o->placed[n];
            const uint32_t begin = o->bins[name.bin], end = o->bins[name.bin + 1];
            uint32_t at = begin;
            if (end - begin > FRC_BIN_MOST) {
                at = (uint32_t)n;
                *o->unordered = 1;
            } else {
                for (uint32_t k = begin; k < end; k++) {
                    const frc_hit_name other = o->placed[k];
                    at += is_before(&other, &name);
                }
            }
            write_contact(s, &name, at);
        }
    }
}

// To pinned memory of the host, while the stages of other branches run. Neighbouring lanes write
// neighbouring words: what a warp writes crosses the bus in whole lines.
FRC_STAGE(send) {
    const frc_order* o = &s->order;
    const uint64_t count = *o->count, words = count * WORDS_OF_CONTACT;
    const sent_word* from = (const sent_word*)o->contacts;
    sent_word* to = (sent_word*)o->host_contacts;
    FRC_EACH_32(first, words, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n < words) to[n] = from[n];
        }
    }
    FRC_EACH_32(first, count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n < count) o->host_bodies[n] = o->bodies[n];
        }
    }
}
