// PCCD's requests for nodes: an idle worker asks the worker with the largest node, and the next one
// takes that request into account. Two workers are kept busy while two idle ones choose.
#include "cmocka_all.h"
#include "published/work_requests.h"

enum { WORKERS = 4, SOURCE_A = 0, SOURCE_B, IDLE_FIRST, IDLE_SECOND, QUEUED };

// Sizes of the nodes in the queues of the two sources; 0: no more.
typedef struct scenario {
    uint32_t sizes[2][4];
    bool front_only;
} scenario;

typedef struct board {
    const scenario* given;
    frc_work_requests* all;
    atomic_int source[2];   // the workers of both sources; -1: not started
    atomic_int runner[64];  // by node of a queue, the worker that ran it
    uint32_t pending[2];    // requests to both sources at the end
} board;

static uint32_t pending_of(const board* b, int source) {
    const int worker = atomic_load(&b->source[source]);
    return worker < 0 ? 0 : (uint32_t)atomic_load(&b->all->queues[worker].pending);
}

static void wait_for_requests(const board* b, uint32_t count) {
    for (uint32_t turn = 0; pending_of(b, 0) + pending_of(b, 1) < count; turn++)
        frc_back_off(b->all->context, turn);
}

// Node 16 * i + k of `runner` is node k of the queue of source i.
static void run_source(board* b, uint32_t worker, uint32_t i) {
    for (uint32_t k = 0; k < 4 && b->given->sizes[i][k]; k++) {
        const frc_self_task node = {QUEUED, 16 * i + k, b->given->sizes[i][k], 0};
        assert_true(frc_work_requests_push(b->all, worker, &node));
    }
    frc_work_requests_offer(b->all, worker);
    atomic_store(&b->source[i], (int)worker);
    wait_for_requests(b, 2);
    b->pending[i] = pending_of(b, (int)i);
    // Both are read before either source answers.
    atomic_fetch_add(&b->runner[63], 1);
    for (uint32_t turn = 0; atomic_load(&b->runner[63]) < 2; turn++)
        frc_back_off(b->all->context, turn);
}

static void run_task(frc_work_requests* all, uint32_t worker, const frc_self_task* node,
                     void* data) {
    board* b = data;
    (void)all;
    if (node->block <= SOURCE_B) run_source(b, worker, node->block);
    if (node->block == QUEUED) atomic_store(&b->runner[node->node], (int)worker);
    // The first idle worker chooses when both sources offer nodes, the second one after it.
    if (node->block == IDLE_FIRST || node->block == IDLE_SECOND)
        for (uint32_t turn = 0; atomic_load(&b->source[0]) < 0 || atomic_load(&b->source[1]) < 0;
             turn++)
            frc_back_off(b->all->context, turn);
    if (node->block == IDLE_SECOND) wait_for_requests(b, 1);
}

static void nothing(uint32_t worker, void* data) { (void)worker, (void)data; }

static void play(const scenario* given, board* b) {
    static const frc_self_task first[WORKERS] = {
        {SOURCE_A,    0, 1, 0},
        {SOURCE_B,    0, 1, 0},
        {IDLE_FIRST,  0, 1, 0},
        {IDLE_SECOND, 0, 1, 0}
    };
    fracas_context* context;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = WORKERS;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    frc_work_requests all;
    assert_true(frc_work_requests_init(context, &all));
    all.front_only = given->front_only;
    all.nodes = first, all.node_count = WORKERS;
    all.task = run_task, all.before_idle = nothing, all.data = b;
    *b = (board){.given = given, .all = &all};
    for (int i = 0; i < 2; i++) atomic_init(&b->source[i], -1);
    for (int i = 0; i < 63; i++) atomic_init(&b->runner[i], -1);
    atomic_init(&b->runner[63], 0);
    frc_work_requests_run(&all);
    for (uint32_t i = 0; i < WORKERS; i++) {
        assert_int_equal(atomic_load(&all.queues[i].pending), 0);
        assert_int_equal(all.queues[i].queue.count - all.queues[i].first, 0);
    }
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 4 && given->sizes[i][k]; k++) {
            const int runner = atomic_load(&b->runner[16 * i + k]);
            assert_true(runner >= 0);
            // A worker keeps its last node, whatever requests it has.
            if (k == 3 || !given->sizes[i][k + 1])
                assert_int_equal(runner, atomic_load(&b->source[i]));
        }
    frc_work_requests_release(&all);
    fracas_context_destroy(context);
}

static void expect(const scenario* given, uint32_t to_a, uint32_t to_b) {
    board b;
    for (int round = 0; round < 5; round++) {
        play(given, &b);
        assert_int_equal(b.pending[0], to_a);
        assert_int_equal(b.pending[1], to_b);
        // The front nodes go to those that asked, all but the last.
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t k = 0; k < b.pending[i] && given->sizes[i][k + 1]; k++)
                assert_int_not_equal(atomic_load(&b.runner[16 * i + k]), atomic_load(&b.source[i]));
    }
}

// The second request is for what is left after the first.
static void the_node_behind_pending_requests(void** state) {
    (void)state;
    expect(
        &(scenario){
            {{100, 50, 10}, {80, 70, 10}},
            false
    },
        1, 1);
    expect(
        &(scenario){
            {{80, 70, 10}, {100, 50, 10}},
            false
    },
        1, 1);
    // The second node of one is larger than the first of the other.
    expect(
        &(scenario){
            {{100, 90, 10}, {80, 70, 10}},
            false
    },
        2, 0);
    // A node that is pending is the last: it stays where it is.
    expect(
        &(scenario){
            {{100, 90}, {80, 70, 10}},
            false
    },
        1, 1);
}

static void the_front_node_alone(void** state) {
    (void)state;
    expect(
        &(scenario){
            {{100, 50, 10}, {80, 70, 10}},
            true
    },
        2, 0);
    expect(
        &(scenario){
            {{80, 70, 10}, {100, 50, 10}},
            true
    },
        0, 2);
    // Two requests for one node: the second is refused.
    expect(
        &(scenario){
            {{100, 50}, {80, 70, 10}},
            true
    },
        2, 0);
}

// Sizes are those of the queue's nodes, whatever was pushed and taken before.
static void offers_follow_the_queue(void** state) {
    (void)state;
    fracas_context* context;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 2;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    frc_work_requests all;
    assert_true(frc_work_requests_init(context, &all));
    uint64_t random = 5;
    uint32_t pushed = 0, popped = 0, sizes[2000];
    frc_request_queue* q = &all.queues[0];
    for (int step = 0; step < 3000; step++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const bool push =
            pushed == popped || (random >> 40) % 1000 < 400 + 150 * (step % 900 < 450);
        frc_self_task node = {QUEUED, 0, (uint32_t)(random >> 50), 0};
        if (push && pushed < 2000) {
            sizes[pushed++] = node.triangles;
            assert_true(frc_work_requests_push(&all, 0, &node));
            frc_work_requests_offer(&all, 0);
        } else if (pushed > popped) {
            assert_true(frc_work_requests_pop(&all, 0, &node));
            assert_int_equal(node.triangles, sizes[popped++]);
        }
        for (uint32_t k = 0; k < 2 * FRC_OFFERS; k++) {
            atomic_store(&q->pending, k);
            const bool is_offered = popped + k + 1 < pushed && k + 1 < FRC_OFFERS;
            const uint32_t size = is_offered ? sizes[popped + k] : 0;
            assert_int_equal(frc_work_requests_size_of_offer(&all, 0),
                             is_offered && size == 0 ? 1 : size);
        }
        atomic_store(&q->pending, 0);
    }
    assert_true(pushed > 2 * FRC_OFFERS && popped > FRC_OFFERS);
    frc_work_requests_release(&all);
    fracas_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_node_behind_pending_requests),
                                       cmocka_unit_test(the_front_node_alone),
                                       cmocka_unit_test(offers_follow_the_queue)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
