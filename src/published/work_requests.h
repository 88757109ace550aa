/// @file work_requests.h  PCCD's dynamic task assignment: every worker has a queue of nodes to test
/// for self-collision, and idle workers request nodes from the others.
///
/// Based on: kim2009. An idle worker looks at what the others offer, sends a request to the one
/// that offers the most triangles, and waits for the reply. A worker answers requests between two
/// tasks: with the node at the front of its queue, or with a refusal when it has only one. The
/// paper has a lock for each request queue, and wake-ups; here a request is one compare-and-swap,
/// and a reply one store.
#pragma once
#include "base/array.h"
#include "base/parallel.h"
#include "detect/worker.h"

/// The self-collision of a node. A task is done in one piece: all pairs between its children.
typedef struct frc_self_task {
    uint32_t block;      // FRC_TOP: the tree over blocks
    uint32_t node;       // keeps its number when subtrees are rebuilt
    uint32_t triangles;  // below it, about
    uint32_t level;      // distance from the root of everything; high-level nodes only
} frc_self_task;
typedef FRC_ARRAY(frc_self_task) frc_self_task_list;

typedef struct frc_request_queue {
    _Alignas(64) atomic_uint_fast32_t newest;  // the worker whose request is the newest, or a state
    _Alignas(64) atomic_uint_fast32_t offered;  // triangles of the node it would give; 0: none
    _Alignas(64) atomic_uint_fast32_t reply;    // to the owner's own request
    frc_self_task given;                        // with that reply
    uint32_t next;                              // in the list of requests that this one is in
    // Of the owner alone:
    frc_self_task_list queue;
    size_t first;  // of the queue
    uint64_t requests, refusals;
    double idle_ms;
} frc_request_queue;

typedef struct frc_work_requests frc_work_requests;

/// Do the task of a node. Nodes below it are pushed into the worker's queue before anything that
/// takes long.
typedef void frc_self_task_fn(frc_work_requests* all, uint32_t worker, const frc_self_task* node,
                              void* data);
/// Called by a worker before it becomes idle: it finishes what it has put off.
typedef void frc_before_idle_fn(uint32_t worker, void* data);

struct frc_work_requests {
    fracas_context* context;
    uint32_t workers;
    frc_request_queue* queues;   // by worker
    const frc_self_task* nodes;  // the first tasks: one for each worker, the rest for idle ones
    uint32_t node_count;
    frc_self_task_fn* task;
    frc_before_idle_fn* before_idle;
    void* data;
    _Alignas(64) atomic_uint_fast32_t next;  // of `nodes`
    _Alignas(64) atomic_uint_fast32_t busy;  // workers that have something to do
};

/// Append a node to a worker's queue. False: no memory.
bool frc_work_requests_push(frc_work_requests* all, uint32_t worker, const frc_self_task* node);
/// All have been appended: the other workers see what the queue offers.
void frc_work_requests_offer(frc_work_requests* all, uint32_t worker);

/// False: no memory. The caller sets `nodes` and the functions.
bool frc_work_requests_init(fracas_context* context, frc_work_requests* all);
void frc_work_requests_release(frc_work_requests* all);
/// Run the tasks of all nodes, and those that they push, on all workers.
void frc_work_requests_run(frc_work_requests* all);
