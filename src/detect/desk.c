/// @file desk.c  Requests for nodes, and answers.
///
/// `mail` is the head of a list of workers that wait for an answer, linked by `asked_before`.
/// Anybody may put itself in front; the owner takes the whole list at once. While the owner has
/// nothing to do its mail is closed, and it refuses what was in it before it closes: no request is
/// left without an answer.
///
/// `busy` counts workers that have something to do. Who gives counts the receiver before it
/// answers. When the number is 0 and the list of nodes is used up, nothing can come any more and
/// all may leave. A worker that arrives late, or never, is no matter: what it would have begun with
/// is taken by others.
#include "detect/desk.h"
#include "base/clock.h"

// In `mail`; no worker has these numbers.
#define NOBODY (UINT32_MAX - 1)
#define CLOSED (UINT32_MAX - 2)
enum { WAITING, GIVEN, REFUSED };  // in `answer`

// ---- the queue

static size_t waiting_nodes(const frc_desk* desk) { return desk->queue.count - desk->first; }

bool frc_desk_push(frc_office* office, uint32_t worker, const frc_self* node) {
    frc_desk* desk = &office->desks[worker];
    if (desk->queue.count == desk->queue.capacity && desk->first > desk->queue.count / 2) {
        desk->queue.count = waiting_nodes(desk);
        memmove(desk->queue.data, desk->queue.data + desk->first,
                desk->queue.count * sizeof *desk->queue.data);
        desk->first = 0;
    }
    return FRC_ARRAY_PUSH(office->context, &desk->queue, *node);
}

// One node is kept.
static void show(frc_desk* desk) {
    uint32_t triangles = 0;
    if (waiting_nodes(desk) > 1) {
        triangles = desk->queue.data[desk->first].triangles;
        if (triangles == 0) triangles = 1;
    }
    atomic_store_explicit(&desk->front, triangles, memory_order_relaxed);
}

void frc_desk_show(frc_office* office, uint32_t worker) { show(&office->desks[worker]); }

static bool take(frc_desk* desk, frc_self* out) {
    if (waiting_nodes(desk) == 0) return false;
    *out = desk->queue.data[desk->first++];
    show(desk);
    return true;
}

static bool take_from_list(frc_office* office, frc_self* out) {
    // The number stays small however often it is asked for.
    if (atomic_load_explicit(&office->next, memory_order_relaxed) >= office->node_count)
        return false;
    uint_fast32_t i = atomic_fetch_add_explicit(&office->next, 1, memory_order_relaxed);
    if (i >= office->node_count) return false;
    *out = office->nodes[i];
    return true;
}

// ---- answers

static void answer(frc_office* office, frc_desk* own, frc_desk* asking) {
    uint_fast32_t word = REFUSED;
    if (waiting_nodes(own) > 1) {
        asking->gift = own->queue.data[own->first++];
        atomic_fetch_add_explicit(&office->busy, 1, memory_order_relaxed);
        word = GIVEN;
    }
    frc_jitter(office->context);
    atomic_store_explicit(&asking->answer, word, memory_order_release);
}

// `then` is what the mail becomes: open or closed.
static void answer_all(frc_office* office, frc_desk* own, uint_fast32_t then) {
    uint_fast32_t who = atomic_exchange_explicit(&own->mail, then, memory_order_acquire);
    while (who < office->workers) {
        frc_desk* asking = &office->desks[who];
        // Who has its answer may ask the next one at once.
        who = asking->asked_before;
        answer(office, own, asking);
    }
    show(own);
}

static void answer_mail(frc_office* office, frc_desk* own) {
    if (atomic_load_explicit(&own->mail, memory_order_relaxed) != NOBODY)
        answer_all(office, own, NOBODY);
}

// ---- requests

// The worker whose front node has the most triangles; NOBODY: none has a node to give.
static uint32_t choose(const frc_office* office, uint32_t worker) {
    uint32_t best = NOBODY;
    uint_fast32_t most = 0;
    for (uint32_t i = 1; i < office->workers; i++) {
        uint32_t other = (worker + i) % office->workers;
        uint_fast32_t front =
            atomic_load_explicit(&office->desks[other].front, memory_order_relaxed);
        if (front > most) most = front, best = other;
    }
    return best;
}

// False: that worker has run out.
static bool post(frc_office* office, uint32_t worker, uint32_t to) {
    frc_desk *own = &office->desks[worker], *other = &office->desks[to];
    uint_fast32_t head = atomic_load_explicit(&other->mail, memory_order_relaxed);
    atomic_store_explicit(&own->answer, WAITING, memory_order_relaxed);
    do {
        if (head == CLOSED) return false;
        own->asked_before = (uint32_t)head;
        frc_jitter(office->context);
    } while (!atomic_compare_exchange_weak_explicit(&other->mail, &head, worker,
                                                    memory_order_release, memory_order_relaxed));
    return true;
}

static bool wait_for_answer(frc_office* office, frc_desk* own, frc_self* out) {
    for (uint32_t turn = 0;; turn++) {
        uint_fast32_t word = atomic_load_explicit(&own->answer, memory_order_acquire);
        if (word == GIVEN) *out = own->gift;
        if (word != WAITING) return word == GIVEN;
        frc_relax(office->context, turn);
    }
}

// Ask until somebody gives a node, which is then counted as ours; false when nobody will.
static bool ask(frc_office* office, uint32_t worker, frc_self* out) {
    frc_desk* own = &office->desks[worker];
    for (uint32_t turn = 0; atomic_load_explicit(&office->busy, memory_order_acquire) > 0; turn++) {
        uint32_t other = choose(office, worker);
        if (other == NOBODY || !post(office, worker, other)) {
            frc_relax(office->context, turn);
            continue;
        }
        own->requests++;
        if (wait_for_answer(office, own, out)) return true;
        own->refusals++;
    }
    return false;
}

// ---- workers

static void work(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    (void)begin, (void)end;
    frc_office* office = data;
    frc_desk* own = &office->desks[worker];
    frc_self node;
    atomic_fetch_add_explicit(&office->busy, 1, memory_order_acq_rel);
    bool some = take_from_list(office, &node);
    for (bool more = true; more;) {
        atomic_store_explicit(&own->mail, NOBODY, memory_order_relaxed);
        while (some || take(own, &node) || take_from_list(office, &node)) {
            frc_jitter(office->context);
            office->task(office, worker, &node, office->data);
            answer_mail(office, own);
            some = false;
        }
        answer_all(office, own, CLOSED);
        office->pause(worker, office->data);
        // What this worker has done is seen by those who find that nobody is busy.
        atomic_fetch_sub_explicit(&office->busy, 1, memory_order_acq_rel);
        double start = frc_clock_ms();
        more = some = ask(office, worker, &node);
        own->idle_ms += frc_clock_ms() - start;
    }
}

bool frc_office_open(fracas_context* context, frc_office* office) {
    *office = (frc_office){.context = context, .workers = frc_worker_count(context)};
    office->desks = frc_allocate_zero(context, office->workers * sizeof *office->desks);
    if (!office->desks) return false;
    atomic_init(&office->next, 0);
    atomic_init(&office->busy, 0);
    for (uint32_t i = 0; i < office->workers; i++) {
        atomic_init(&office->desks[i].mail, CLOSED);
        atomic_init(&office->desks[i].front, 0);
        atomic_init(&office->desks[i].answer, WAITING);
    }
    return true;
}

void frc_office_close(frc_office* office) {
    for (uint32_t i = 0; office->desks && i < office->workers; i++)
        FRC_ARRAY_RELEASE(office->context, &office->desks[i].queue);
    frc_release(office->context, office->desks, office->workers * sizeof *office->desks);
    office->desks = NULL;
}

void frc_office_run(frc_office* office) {
    // One range for every worker. One that gets a second range finds nothing left.
    frc_parallel_for(office->context, office->workers, 1, work, office);
}
