/// @file work_requests.h  PCCD's dynamic task assignment: every worker has a queue of nodes to test
/// for self-collision, and idle workers request nodes from the others.
///
/// Based on: kim2009. An idle worker reads the offers of the others, sends a request to the worker
/// with the largest number of triangles on offer, and waits for the reply. A worker answers
/// requests between two tasks: with the node at the front of its queue, or with a refusal when it
/// has only one. Deviation: the paper has a lock for each request queue, and wake-ups; here a
/// request is one compare-and-swap, and a reply one store.
#pragma once
#include "base/array.h"
#include "base/parallel.h"
#include "detect/worker.h"

/// The self-collision of a node: all pairs between its children. One worker runs the whole task.
typedef struct frc_self_task {
    uint32_t block;      // FRC_TOP: the tree over blocks
    uint32_t node;       // a rebuild of a subtree does not change the numbers of queued nodes
    uint32_t triangles;  // below it, approximately
    uint32_t level;      // distance from the root of the tree over blocks; high-level nodes only
} frc_self_task;
typedef FRC_ARRAY(frc_self_task) frc_self_task_list;

typedef struct frc_request_queue {
    _Alignas(64) atomic_uint_fast32_t newest;   // the worker with the newest request, or a state
    _Alignas(64) atomic_uint_fast32_t offered;  // triangles of the node on offer; 0: none
    _Alignas(64) atomic_uint_fast32_t reply;    // to the owner's own request
    frc_self_task given;                        // the node of that reply
    uint32_t next;                              // links the owner's request in a list of requests
    // Only the owner uses the rest:
    frc_self_task_list queue;
    size_t first;  // front of the queue
    uint64_t requests, refusals;
    double idle_ms;
} frc_request_queue;

typedef struct frc_work_requests frc_work_requests;

/// Run the task of a node. It pushes nodes below it into the worker's queue before it starts long
/// work.
typedef void frc_self_task_fn(frc_work_requests* all, uint32_t worker, const frc_self_task* node,
                              void* data);
/// Called by a worker before it becomes idle, to finish deferred work.
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
    _Alignas(64) atomic_uint_fast32_t next;  // index of the next of `nodes` to assign
    _Alignas(64) atomic_uint_fast32_t busy;  // number of workers that have work
};

/// Append a node to a worker's queue. False: no memory.
bool frc_work_requests_push(frc_work_requests* all, uint32_t worker, const frc_self_task* node);
/// Call after the last push of a task: publishes the queue's offer to the other workers.
void frc_work_requests_offer(frc_work_requests* all, uint32_t worker);

/// False: no memory. The caller sets `nodes` and the functions.
bool frc_work_requests_init(fracas_context* context, frc_work_requests* all);
void frc_work_requests_release(frc_work_requests* all);
/// Run the tasks of all nodes, and those that they push, on all workers.
void frc_work_requests_run(frc_work_requests* all);
