/// @file fragments.h  All fragments of a simulation, and the objects that they are parts of.
#pragma once
#include "base/handles.h"
#include "fragment/crack.h"

typedef struct frc_fragment {
    frc_object* object;
    uint32_t* nodes;  // points of the solid, ascending
    uint32_t node_count;
} frc_fragment;

struct fracas_fragments {
    fracas_context* context;
    fracas_fragments_options options;
    frc_handles handles;
    FRC_ARRAY(frc_fragment) list;  // by number, which is frc_field_node.fragment
};

/// The fragment of a handle; NULL, with a message, if it is invalid.
frc_fragment* frc_fragments_get(const fracas_fragments* fragments, fracas_fragment fragment);

/// Memory of a fragment; the object only if it was its last.
void frc_fragment_release(fracas_fragments* fragments, frc_fragment* fragment);
