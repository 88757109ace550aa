/// @file stage_order.c  Device code: contacts in the caller's numbers, in the order of reports.
///
/// Contacts of one kind are ordered by six numbers. Packed into as few bits as the largest numbers
/// need, their first bits are the number of a bin, so that the order of bins is that of contacts. A
/// contact then counts the contacts of its bin that come before it. There are about as many bins as
/// contacts, so bins have few; a bin of more than FRC_BIN_MOST is left to the host.
#include "cuda/lists.h"
#include "fracas/contact.h"

FRC_DEVICE static uint64_t stored_hits(const frc_step* s) {
    return *s->hit_count < s->hit_capacity ? *s->hit_count : s->hit_capacity;
}

// ---- names

FRC_DEVICE static void name_hit(const frc_step* s, frc_slot_pair pair, uint32_t out[]) {
    const frc_ccd_pair c = frc_step_candidate(s, pair);
    const bool vf = s->kind == FRC_CCD_VF;
    const uint32_t *a0 = s->names[c.point[0]].tag, *a1 = s->names[c.point[1]].tag,
                   *b0 = s->names[c.point[2]].tag, *b1 = s->names[c.point[3]].tag;
    out[0] = a0[0];
    out[1] = b0[0];
    out[2] = a0[1];
    out[3] = vf ? FRACAS_NONE : a1[1];
    out[4] = vf ? s->order.triangles[s->b.features[pair.b].id] : b0[1];
    out[5] = vf ? FRACAS_NONE : b1[1];
}

// The first bits of all numbers.
FRC_DEVICE static uint32_t bin_of(const frc_step* s, const uint32_t word[]) {
    const frc_order* o = &s->order;
    const bool vf = s->kind == FRC_CCD_VF;
    const uint32_t width[FRC_NAME_WORDS] = {o->body_bits,
                                            o->body_bits,
                                            o->point_bits,
                                            vf ? 0 : o->point_bits,
                                            vf ? o->triangle_bits : o->point_bits,
                                            vf ? 0 : o->point_bits};
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
            name_hit(s, s->hits[n].pair, name.word);
            name.bin = s->hits[n].toi <= s->t_max ? bin_of(s, name.word) : FRACAS_NONE;
            name.place = name.bin == FRACAS_NONE ? 0 : frc_take_one(&s->order.bins[name.bin]);
            s->order.names[n] = name;
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

FRC_STAGE(place) {
    const uint64_t count = stored_hits(s);
    FRC_EACH_32(first, count, warp, warps) {
        FRC_EACH_LANE(i) {
            const uint64_t n = first + FRC_LANE(i);
            if (n >= count || s->order.names[n].bin == FRACAS_NONE) continue;
            s->order.hits[s->order.bins[s->order.names[n].bin] + s->order.names[n].place] =
                (uint32_t)n;
        }
    }
}

// ---- order

FRC_DEVICE static bool is_before(const frc_hit_name* a, const frc_hit_name* b) {
    for (int k = 0; k < FRC_NAME_WORDS; k++)
        if (a->word[k] != b->word[k]) return a->word[k] < b->word[k];
    return false;
}

FRC_DEVICE static void write_contact(const frc_step* s, uint32_t hit, uint32_t at) {
    const frc_device_hit* from = &s->hits[hit];
    const uint32_t* word = s->order.names[hit].word;
    fracas_cuda_contact* to = &s->order.contacts[at];
    to->a[0] = word[2], to->a[1] = word[3];
    to->b[0] = word[4], to->b[1] = word[5];
    to->toi = from->toi, to->u = from->u, to->v = from->v;
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
            const uint32_t hit = o->hits[n], bin = o->names[hit].bin;
            const uint32_t begin = o->bins[bin], end = o->bins[bin + 1];
            uint32_t at = begin;
            if (end - begin > FRC_BIN_MOST) {
                at = (uint32_t)n;
                *o->unordered = 1;
            } else {
                for (uint32_t k = begin; k < end; k++)
                    at += is_before(&o->names[o->hits[k]], &o->names[hit]);
            }
            write_contact(s, hit, at);
        }
    }
}
