/// @file desk.h  Every worker has a queue of nodes to test for self-collision, and a place where
/// others ask for one of them.
///
/// Based on: kim2009, dynamic task assignment. A worker that has run out looks at what the others
/// would give, asks the one with the most triangles, and waits for its answer. Who is asked answers
/// between two tasks, with the node in front of its queue, or refuses when it has only one. The
/// paper has a lock for each queue of requests and wake-ups; here a request is one exchange of a
/// number, and an answer one store.
#pragma once
#include "base/array.h"
#include "base/parallel.h"
#include "detect/walk.h"

/// The self-collision of a node: what is done in one piece, a task, are all pairs between its
/// children.
typedef struct frc_self {
    uint32_t block;      // FRC_TOP: of the tree over blocks
    uint32_t node;       // its number keeps whatever is built anew
    uint32_t triangles;  // below it, about
    uint32_t level;      // its distance from the root of everything, where that matters
} frc_self;
typedef FRC_ARRAY(frc_self) frc_self_list;

typedef struct frc_desk {
    _Alignas(64) atomic_uint_fast32_t mail;    // the worker that asked last, or see desk.c
    _Alignas(64) atomic_uint_fast32_t front;   // triangles of what it would give; 0: it has nothing
    _Alignas(64) atomic_uint_fast32_t answer;  // to what the owner has asked for
    frc_self gift;                             // comes with that
    uint32_t asked_before;                     // the next in the list that `mail` is the head of
    // Of the owner alone:
    frc_self_list queue;
    size_t first;  // of the queue
    uint64_t requests, refusals;
    double idle_ms;
} frc_desk;

typedef struct frc_office frc_office;

/// Do the task of a node; nodes below it are put into the desk's queue, before anything that takes
/// long.
typedef void frc_self_fn(frc_office* office, uint32_t worker, const frc_self* node, void* data);
/// Called by a worker before it waits: what it has put off is done now.
typedef void frc_pause_fn(uint32_t worker, void* data);

struct frc_office {
    fracas_context* context;
    uint32_t workers;
    frc_desk* desks;        // by worker
    const frc_self* nodes;  // to begin with: one for each worker as it comes, then for who has none
    uint32_t node_count;
    frc_self_fn* task;
    frc_pause_fn* pause;
    void* data;
    _Alignas(64) atomic_uint_fast32_t next;  // of `nodes`
    _Alignas(64) atomic_uint_fast32_t busy;  // workers that have something to do
};

/// Append a node to a worker's queue. False: no memory.
bool frc_desk_push(frc_office* office, uint32_t worker, const frc_self* node);
/// All have been appended: others may see what there is.
void frc_desk_show(frc_office* office, uint32_t worker);

/// False: no memory. `nodes` and the functions are the caller's to set.
bool frc_office_open(fracas_context* context, frc_office* office);
void frc_office_close(frc_office* office);
/// Do all nodes and all that come of them, on all workers.
void frc_office_run(frc_office* office);
