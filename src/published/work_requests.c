/// @file work_requests.c  PCCD's dynamic task assignment: requests for nodes, and replies.
///
/// `newest` is the head of a list of requests, linked by `next`. Any worker pushes its request at
/// the head; the owner detaches the whole list in one exchange. While the owner is idle its list is
/// closed. The exchange that closes it also detaches the requests in it, which the owner then
/// answers: so every request gets a reply.
///
/// `busy` counts workers that have work. A worker that gives a node away counts the receiver before
/// it replies. Termination: the count is zero and all first nodes are assigned. No worker waits for
/// one that starts late or never: others run its first node.
#include "published/work_requests.h"
#include "base/clock.h"

// States of `newest`; no worker has these numbers.
#define NO_REQUEST (UINT32_MAX - 1)
#define CLOSED (UINT32_MAX - 2)
enum { WAITING, GIVEN, REFUSED };  // `reply`

// ---- the queue

static size_t queued(const frc_request_queue* q) { return q->queue.count - q->first; }

bool frc_work_requests_push(frc_work_requests* all, uint32_t worker, const frc_self_task* node) {
    frc_request_queue* q = &all->queues[worker];
    if (q->queue.count == q->queue.capacity && q->first > q->queue.count / 2) {
        q->queue.count = queued(q);
        memmove(q->queue.data, q->queue.data + q->first, q->queue.count * sizeof *q->queue.data);
        q->first = 0;
    }
    return FRC_ARRAY_PUSH(all->context, &q->queue, *node);
}

// Publish the sizes of queued nodes. Relaxed: a size that is out of date costs a useless request.
static void offer(frc_request_queue* q) {
    const uint32_t end = q->popped + (uint32_t)queued(q);
    if ((int32_t)(q->offered - q->popped) < 0) q->offered = q->popped;
    for (; q->offered != end && q->offered - q->popped < FRC_OFFERS; q->offered++) {
        const size_t at = q->first + (q->offered - q->popped);
        atomic_store_explicit(&q->offers[q->offered % FRC_OFFERS], q->queue.data[at].triangles,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&q->front, q->popped, memory_order_relaxed);
    atomic_store_explicit(&q->end, q->offered, memory_order_relaxed);
}

// The last node is never given away.
uint32_t frc_work_requests_size_of_offer(const frc_work_requests* all, uint32_t worker) {
    const frc_request_queue* q = &all->queues[worker];
    const uint32_t front = (uint32_t)atomic_load_explicit(&q->front, memory_order_relaxed);
    const uint32_t end = (uint32_t)atomic_load_explicit(&q->end, memory_order_relaxed);
    uint32_t position = 0;
    if (!all->front_only)
        position = (uint32_t)atomic_load_explicit(&q->pending, memory_order_relaxed);
    if ((int32_t)(end - front) <= (int32_t)position + 1) return 0;
    const uint_fast32_t triangles =
        atomic_load_explicit(&q->offers[(front + position) % FRC_OFFERS], memory_order_relaxed);
    return triangles ? (uint32_t)triangles : 1;
}

void frc_work_requests_offer(frc_work_requests* all, uint32_t worker) {
    offer(&all->queues[worker]);
}

// Remove the node at the front.
static frc_self_task take(frc_request_queue* q) {
    q->popped++;
    return q->queue.data[q->first++];
}

bool frc_work_requests_pop(frc_work_requests* all, uint32_t worker, frc_self_task* out) {
    frc_request_queue* q = &all->queues[worker];
    if (queued(q) == 0) return false;
    *out = take(q);
    offer(q);
    return true;
}

// The next of the first nodes; false: all are assigned.
static bool next_first_node(frc_work_requests* all, frc_self_task* out) {
    // The load keeps the counter from growing with every call.
    if (atomic_load_explicit(&all->next, memory_order_relaxed) >= all->node_count) return false;
    uint_fast32_t i = atomic_fetch_add_explicit(&all->next, 1, memory_order_relaxed);
    if (i >= all->node_count) return false;
    *out = all->nodes[i];
    return true;
}

// ---- replies

// Detach the list of requests, set it to `state`, open or closed, and reply to all requests.
static void reply_all(frc_work_requests* all, frc_request_queue* own, uint_fast32_t state) {
    uint_fast32_t from = atomic_exchange_explicit(&own->newest, state, memory_order_acquire);
    while (from < all->workers) {
        frc_request_queue* requester = &all->queues[from];
        // Read before the reply: after it the requester may send its next request at once.
        from = requester->next;
        uint_fast32_t reply = REFUSED;
        if (queued(own) > 1) {
            requester->given = take(own);
            atomic_fetch_add_explicit(&all->busy, 1, memory_order_relaxed);
            reply = GIVEN;
        }
        frc_test_yield(all->context);
        atomic_fetch_sub_explicit(&own->pending, 1, memory_order_relaxed);
        atomic_store_explicit(&requester->reply, reply, memory_order_release);
    }
    offer(own);
}

// ---- requests

// A reply takes as long as a task: longer than frc_back_off polls. A worker that yields its core to
// another program may get it back much later.
static void wait_a_little(const frc_work_requests* all, uint32_t turn) {
    frc_back_off(all->context, turn / 64);
}

// The worker that offers the most triangles; NO_REQUEST: none offers a node.
static uint32_t best_offer(const frc_work_requests* all, uint32_t worker) {
    uint32_t best = NO_REQUEST, most = 0;
    for (uint32_t i = 1; i < all->workers; i++) {
        const uint32_t other = (worker + i) % all->workers;
        const uint32_t triangles = frc_work_requests_size_of_offer(all, other);
        if (triangles > most) most = triangles, best = other;
    }
    return best;
}

// False: worker `to` is idle, and its list is closed.
static bool send_request(frc_work_requests* all, uint32_t worker, uint32_t to) {
    frc_request_queue *own = &all->queues[worker], *other = &all->queues[to];
    uint_fast32_t head = atomic_load_explicit(&other->newest, memory_order_relaxed);
    atomic_store_explicit(&own->reply, WAITING, memory_order_relaxed);
    // Counted first, so that the count never falls below the number of requests in the list.
    atomic_fetch_add_explicit(&other->pending, 1, memory_order_relaxed);
    do {
        if (head == CLOSED) {
            atomic_fetch_sub_explicit(&other->pending, 1, memory_order_relaxed);
            return false;
        }
        own->next = (uint32_t)head;
        frc_test_yield(all->context);
    } while (!atomic_compare_exchange_weak_explicit(&other->newest, &head, worker,
                                                    memory_order_release, memory_order_relaxed));
    return true;
}

// True: the reply has a node.
static bool wait_for_reply(frc_work_requests* all, frc_request_queue* own, frc_self_task* out) {
    for (uint32_t turn = 0;; turn++) {
        uint_fast32_t reply = atomic_load_explicit(&own->reply, memory_order_acquire);
        if (reply == GIVEN) *out = own->given;
        if (reply != WAITING) return reply == GIVEN;
        wait_a_little(all, turn);
    }
}

// Send requests until a worker gives a node; `busy` then counts this worker. False: all tasks are
// done.
static bool request(frc_work_requests* all, uint32_t worker, frc_self_task* out) {
    frc_request_queue* own = &all->queues[worker];
    for (uint32_t turn = 0; atomic_load_explicit(&all->busy, memory_order_acquire) > 0; turn++) {
        uint32_t other = best_offer(all, worker);
        if (other == NO_REQUEST || !send_request(all, worker, other)) {
            wait_a_little(all, turn);
            continue;
        }
        own->requests++;
        if (wait_for_reply(all, own, out)) return true;
        own->refusals++;
    }
    return false;
}

// ---- workers

static void work(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)begin, (void)end;
    frc_work_requests* all = data;
    frc_request_queue* own = &all->queues[worker];
    frc_self_task node;
    atomic_fetch_add_explicit(&all->busy, 1, memory_order_acq_rel);
    bool has_node = next_first_node(all, &node);
    for (bool more = true; more;) {
        atomic_store_explicit(&own->newest, NO_REQUEST, memory_order_relaxed);
        while (has_node || frc_work_requests_pop(all, worker, &node) ||
               next_first_node(all, &node)) {
            frc_test_yield(all->context);
            all->task(all, worker, &node, all->data);
            if (atomic_load_explicit(&own->newest, memory_order_relaxed) != NO_REQUEST)
                reply_all(all, own, NO_REQUEST);
            has_node = false;
        }
        reply_all(all, own, CLOSED);
        all->before_idle(worker, all->data);
        // Release: a worker that reads zero sees all writes of this one.
        atomic_fetch_sub_explicit(&all->busy, 1, memory_order_acq_rel);
        double start = frc_clock_ms();
        more = has_node = request(all, worker, &node);
        own->idle_ms += frc_clock_ms() - start;
    }
}

bool frc_work_requests_init(fracas_context* context, frc_work_requests* all) {
    *all = (frc_work_requests){.context = context, .workers = frc_worker_count(context)};
    all->queues = frc_allocate_zero(context, all->workers * sizeof *all->queues);
    if (!all->queues) return false;
    atomic_init(&all->next, 0);
    atomic_init(&all->busy, 0);
    for (uint32_t i = 0; i < all->workers; i++) {
        atomic_init(&all->queues[i].newest, CLOSED);
        atomic_init(&all->queues[i].pending, 0);
        atomic_init(&all->queues[i].front, 0);
        atomic_init(&all->queues[i].end, 0);
        atomic_init(&all->queues[i].reply, WAITING);
    }
    return true;
}

void frc_work_requests_release(frc_work_requests* all) {
    for (uint32_t i = 0; all->queues && i < all->workers; i++)
        FRC_ARRAY_RELEASE(all->context, &all->queues[i].queue);
    frc_release(all->context, all->queues, all->workers * sizeof *all->queues);
    all->queues = NULL;
}

void frc_work_requests_run(frc_work_requests* all) {
    // One range per worker. A worker that runs a second range finds no work left.
    frc_parallel_for(all->context, all->workers, 1, work, all);
}
