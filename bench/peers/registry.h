/// @file registry.h  All peers; `peer` is NULL for those that were not built in.
#pragma once
#include "peers/peer.h"

typedef struct peer_entry {
    const char* name;
    const char* package;  ///< what to install on Debian
    const peer* peer;     ///< NULL: not built in
} peer_entry;

#ifdef FRACAS_PEER_EMBREE
#define PEER_EMBREE &peer_embree
#else
#define PEER_EMBREE NULL
#endif
#ifdef FRACAS_PEER_BULLET
#define PEER_BULLET &peer_bullet
#else
#define PEER_BULLET NULL
#endif
#ifdef FRACAS_PEER_CGAL
#define PEER_CGAL &peer_cgal
#else
#define PEER_CGAL NULL
#endif
#ifdef FRACAS_PEER_FCL
#define PEER_FCL &peer_fcl
#else
#define PEER_FCL NULL
#endif

enum { PEER_ENTRIES = 4 };
static const peer_entry peer_entries[PEER_ENTRIES] = {
    {"embree", "libembree-dev", PEER_EMBREE},
    {"bullet", "libbullet-dev", PEER_BULLET},
    {"cgal",   "libcgal-dev",   PEER_CGAL  },
    {"fcl",    "libfcl-dev",    PEER_FCL   }
};
