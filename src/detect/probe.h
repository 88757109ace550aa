/// @file probe.h  One box against four at a time: at rest, or over the step.
#pragma once
#include "base/simd_int.h"
#include "detect/walk.h"
#include "geom/box.h"

// For each set bit of `bits`, lowest first, with its number in `i`.
#define EACH_BIT(bits, i)                                                                          \
    for (uint32_t rest_##i = (bits), i; rest_##i && (i = (uint32_t)__builtin_ctz(rest_##i), true); \
         rest_##i &= rest_##i - 1)

// Bits above `i`: what is left to pair with when a leaf meets itself.
static inline uint32_t above(uint32_t i) { return ~(uint32_t)1 << i; }

typedef struct probe {
    f32x4 lo[3], hi[3];
} probe;

static inline probe make_probe(const frc_walk* walk, const float lo[3], const float hi[3]) {
    probe p;
    for (int k = 0; k < 3; k++) {
        p.lo[k] = f32x4_splat(lo[k]);
        p.hi[k] = f32x4_splat(hi[k]);
    }
    // The other side is a float: rounding the double difference loses nothing.
    if (walk->reach > 0)
        for (int k = 0; k < 3; k++) {
            p.lo[k] = f32x4_splat(frc_round_down((double)lo[k] - walk->reach));
            p.hi[k] = f32x4_splat(frc_round_up((double)hi[k] + walk->reach));
        }
    return p;
}

static inline probe lane_probe(const frc_walk* walk, const frc_box4* packet, uint32_t lane) {
    const float lo[3] = {packet->lo[0][lane], packet->lo[1][lane], packet->lo[2][lane]};
    const float hi[3] = {packet->hi[0][lane], packet->hi[1][lane], packet->hi[2][lane]};
    return make_probe(walk, lo, hi);
}

static inline m32x4 overlap_mask(const probe* p, const frc_box4* packet) {
    m32x4 x = m32x4_and(f32x4_le(p->lo[0], f32x4_load(packet->hi[0])),
                        f32x4_le(f32x4_load(packet->lo[0]), p->hi[0]));
    m32x4 y = m32x4_and(f32x4_le(p->lo[1], f32x4_load(packet->hi[1])),
                        f32x4_le(f32x4_load(packet->lo[1]), p->hi[1]));
    m32x4 z = m32x4_and(f32x4_le(p->lo[2], f32x4_load(packet->hi[2])),
                        f32x4_le(f32x4_load(packet->lo[2]), p->hi[2]));
    return m32x4_and(m32x4_and(x, y), z);
}

static inline unsigned overlaps(const probe* p, const frc_box4* packet) {
    return m32x4_bits(overlap_mask(p, packet));
}

// ---- two boxes that move: one at the start of the step, one at its end

typedef struct moving {
    probe at[2];
} moving;

// Apart along an axis in the same order at both ends is apart in between, as all points move in
// straight lines. Written so that an empty lane, which is NaN, meets nothing.
static inline m32x4 meet_along(const moving* m, const frc_box4* start, const frc_box4* end, int k) {
    m32x4 below = m32x4_or(f32x4_le(m->at[0].lo[k], f32x4_load(start->hi[k])),
                           f32x4_le(m->at[1].lo[k], f32x4_load(end->hi[k])));
    m32x4 above = m32x4_or(f32x4_le(f32x4_load(start->lo[k]), m->at[0].hi[k]),
                           f32x4_le(f32x4_load(end->lo[k]), m->at[1].hi[k]));
    return m32x4_and(below, above);
}

static inline m32x4 moving_mask(const moving* m, const frc_box4* packets) {
    const frc_box4 *start = &packets[0], *end = &packets[1];
    return m32x4_and(m32x4_and(meet_along(m, start, end, 0), meet_along(m, start, end, 1)),
                     meet_along(m, start, end, 2));
}

static inline moving lane_moving(const frc_walk* walk, const frc_box4* packets, uint32_t lane) {
    return (moving){
        {lane_probe(walk, &packets[0], lane), lane_probe(walk, &packets[1], lane)}
    };
}

static inline moving leaf_moving(const frc_walk* walk, const frc_tree* tree, uint32_t leaf) {
    const frc_box* at = &tree->leaf_box[2 * leaf];
    return (moving){
        {make_probe(walk, at[0].lo, at[0].hi), make_probe(walk, at[1].lo, at[1].hi)}
    };
}

// ---- slots of leaves

// Slots of `count` boxes starting at `first` that meet the probe, one bit each: 8 primitives bring
// at most 24 edges and 24 points.
static inline uint32_t meet_slots(const probe* p, const frc_box4* boxes, uint32_t first,
                                  uint32_t count) {
    lane_bits bits = lane_bits_none();
    const frc_box4* packet = &boxes[first / 4];
    for (uint32_t group = 0; 4 * group < count; group++)
        bits = lane_bits_add(bits, overlap_mask(p, &packet[group]), group);
    return lane_bits_get(bits);
}

static inline uint32_t meet_moving(const moving* m, const frc_box4* boxes, uint32_t count) {
    lane_bits bits = lane_bits_none();
    for (uint32_t group = 0; 4 * group < count; group++)
        bits = lane_bits_add(bits, moving_mask(m, &boxes[2 * group]), group);
    return lane_bits_get(bits);
}

// Do two leaves meet at all? Their boxes of the step did, which is weaker.
static inline bool leaves_meet(const frc_walk* walk, const frc_box* a, const frc_box* b) {
    if (walk->reach > 0) return true;
    m32x4 below = m32x4_or(f32x4_le(f32x4_load(a[0].lo), f32x4_load(b[0].hi)),
                           f32x4_le(f32x4_load(a[1].lo), f32x4_load(b[1].hi)));
    m32x4 above = m32x4_or(f32x4_le(f32x4_load(b[0].lo), f32x4_load(a[0].hi)),
                           f32x4_le(f32x4_load(b[1].lo), f32x4_load(a[1].hi)));
    return (m32x4_bits(m32x4_and(below, above)) & 7) == 7;
}

// ---- neighbours

// Which pairs of triangles of two leaves have a settled vertex in common: bit 8 i + j. For each
// vertex of b: the place of the one of a with the same lowest bytes, if any, then the triangles
// that have it, if the other bytes are the same too and it is settled. Should several of a have the
// same lowest bytes one of them is looked at: what is not found is compared like others.
static inline uint64_t stars_in_common(const frc_leaf_star* a, const frc_leaf_star* b) {
    const u16x8 low = u16x8_load(b->low), high = u16x8_load(b->low + 8);
    u16x8 place[2] = {u16x8_splat(UINT16_MAX), u16x8_splat(UINT16_MAX)};
    for (uint32_t i = 0; i < FRC_LEAF_STARS; i++) {
        const u16x8 one = u16x8_splat_at(&a->low[i]), number = u16x8_splat((uint16_t)i);
        place[0] = u16x8_choose(u16x8_eq(one, low), number, place[0]);
        place[1] = u16x8_choose(u16x8_eq(one, high), number, place[1]);
    }
    const u8x16 at = u16x8_narrow(place[0], place[1]), fourth = u8x16_load(b->fourth);
    const u8x16 same =
        u8x16_and(u8x16_eq(u8x16_lookup(u8x16_load(a->third), at), u8x16_load(b->third)),
                  u8x16_eq(u8x16_lookup(u8x16_load(a->fourth), at), fourth));
    const u8x16 rows = u8x16_and(u8x16_lookup(u8x16_load(a->faces), at), same);
    return u8x16_outer(u8x16_keep_positive(rows, fourth), u8x16_load(b->faces));
}
