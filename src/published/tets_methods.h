/// @file tets_methods.h  Function tables of the published methods for tetrahedra.
#pragma once
#include "published/tets_hash_table.h"
#include "tets/tets.h"

/// State of both Teschner methods.
typedef struct frc_teschner {
    frc_hash_table table;
    uint32_t table_size;  // 0: chosen from the number of vertices
    frc_hash_function function;
} frc_teschner;

extern const frc_tets_method frc_tets_teschner, frc_tets_teschner_one_pass, frc_tets_bvh;
