/// @file unit_box.h  The box of a tetrahedron in units.
#pragma once
#include "base/simd_int.h"
#include "tets/tets.h"

static inline frc_unit_box frc_unit_box_of(const fracas_tets* tets, uint32_t tet) {
    const uint32_t* corner = tets->tets.data[tet].corner;
    const frc_tet_units* units = tets->units.data;
    const i32x4 a = i32x4_load(units[corner[0]].at), b = i32x4_load(units[corner[1]].at);
    const i32x4 c = i32x4_load(units[corner[2]].at), d = i32x4_load(units[corner[3]].at);
    frc_unit_box box;
    i32x4_store(box.lo, i32x4_min(i32x4_min(a, b), i32x4_min(c, d)));
    i32x4_store(box.hi, i32x4_max(i32x4_max(a, b), i32x4_max(c, d)));
    return box;
}

static inline bool frc_unit_box_contains(const frc_unit_box* box, const int32_t at[4]) {
    const i32x4 v = i32x4_load(at);
    const i32x4 nearest = i32x4_min(i32x4_max(v, i32x4_load(box->lo)), i32x4_load(box->hi));
    return (m32x4_bits(i32x4_same(v, nearest)) & 7) == 7;
}
