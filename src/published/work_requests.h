/// @file work_requests.h  PCCD's dynamic task assignment: every worker has a queue of nodes to test
/// for self-collision, and idle workers request nodes from the others.
///
/// Based on: kim2009. An idle worker compares the nodes that the others would give it: of a worker
/// with k requests the node at position k + 1 of its queue, because the nodes before it go to those
/// k. It sends a request to the worker with the node of the most triangles, and waits for the
/// reply. A worker answers requests between two tasks: with the node at the front of its queue, or
/// with a refusal when it has only one. Deviation: the paper has a lock for each request queue, and
/// wake-ups; here a request is one compare-and-swap, and a reply one store.
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

enum { FRC_OFFERS = 64 };  // nodes from the front of a queue whose sizes other workers can read

typedef struct frc_request_queue {
    _Alignas(64) atomic_uint_fast32_t newest;  // the worker with the newest request, or a state
    atomic_uint_fast32_t pending;              // requests without a reply
    // Nodes are numbered as they were pushed. On offer are those of [front, end); the triangles of
    // node n are in offers[n % FRC_OFFERS].
    _Alignas(64) atomic_uint_fast32_t front;
    atomic_uint_fast32_t end;
    atomic_uint_fast32_t offers[FRC_OFFERS];
    _Alignas(64) atomic_uint_fast32_t reply;  // to the owner's own request
    frc_self_task given;                      // the node of that reply
    uint32_t next;                            // links the owner's request in a list of requests
    // Only the owner uses the rest:
    frc_self_task_list queue;
    size_t first;              // front of the queue
    uint32_t popped, offered;  // numbers of its node, and of the first that is not on offer
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
    bool front_only;             // compare the nodes at the front, whatever requests are pending
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
/// The next node of a worker's own queue. False: it is empty.
bool frc_work_requests_pop(frc_work_requests* all, uint32_t worker, frc_self_task* out);
/// The triangles of the node that the next request to a worker would get, at least 1. 0: there is
/// none.
uint32_t frc_work_requests_size_of_offer(const frc_work_requests* all, uint32_t worker);
/// Call after the last push of a task: publishes the sizes of queued nodes to the other workers.
void frc_work_requests_offer(frc_work_requests* all, uint32_t worker);

/// False: no memory. The caller sets `front_only`, `nodes` and the functions.
bool frc_work_requests_init(fracas_context* context, frc_work_requests* all);
void frc_work_requests_release(frc_work_requests* all);
/// Run the tasks of all nodes, and those that they push, on all workers.
void frc_work_requests_run(frc_work_requests* all);
