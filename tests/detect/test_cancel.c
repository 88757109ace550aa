// A long query is cancelled from another thread: limits the work done afterwards.
#include "cmocka_all.h"
#include "fracas/fracas.h"
#include "fracas/published.h"
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef FRACAS_SANITIZED
#define SLOWED 1
#else
#define SLOWED 0
#endif

enum { TURNS = 12, SIDE = 50, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

// CPU time of all threads. Summed over the clocks of the threads, because the clock of the process
// is updated for other threads only at their next scheduler tick, up to ten milliseconds later.
static double cpu_ms(void) {
    double ms = 0;
    DIR* threads = opendir("/proc/self/task");
    assert_non_null(threads);
    for (struct dirent* entry; (entry = readdir(threads));) {
        const int id = atoi(entry->d_name);
        struct timespec now;
        // The id of a thread's CPU clock, computed as Linux does from the thread number. Threads
        // that have ended fail.
        if (id > 0 && clock_gettime((clockid_t)(~(unsigned)id << 3 | 6), &now) == 0)
            ms += (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    }
    closedir(threads);
    return ms;
}

// Two crumpled sheets that intersect each other: hundreds of thousands of candidates.
static void make_sheet(double (*points)[3], double height) {
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1), h = (x * 2654435761u ^ y * 40503u) * 97u;
        points[i][0] = x + (double)(h >> 8 & 255) / 256;
        points[i][1] = y + (double)(h >> 16 & 255) / 256;
        points[i][2] = height + (double)(h >> 24) / 64;
    }
}

static fracas_scene* make_scene(fracas_context* context, fracas_published_broad broad) {
    double(*points)[3] = malloc(POINTS * sizeof *points);
    uint32_t(*corners)[3] = malloc(TRIANGLES * sizeof *corners);
    for (uint32_t c = 0; c < SIDE * SIDE; c++) {
        uint32_t a = c / SIDE * (SIDE + 1) + c % SIDE, b = a + SIDE + 1;
        memcpy(corners[2 * c], (uint32_t[]){a, a + 1, b + 1}, sizeof *corners);
        memcpy(corners[2 * c + 1], (uint32_t[]){a, b + 1, b}, sizeof *corners);
    }
    fracas_scene* scene;
    fracas_published_scene_options how = fracas_published_scene_default_options();
    how.broad = broad;
    assert_int_equal(fracas_published_scene_create(context, &how, &scene), FRACAS_OK);
    for (int i = 0; i < 2; i++) {
        fracas_mesh_view mesh = {
            .points = {.data = points, .count = POINTS},
            .triangles = corners[0],
            .triangle_count = TRIANGLES
        };
        fracas_body body;
        make_sheet(points, i);
        assert_int_equal(fracas_scene_add(scene, &mesh, NULL, &body), FRACAS_OK);
        make_sheet(points, 2 - 3 * i);
        assert_int_equal(fracas_scene_move(scene, body, &mesh.points), FRACAS_OK);
    }
    assert_int_equal(fracas_scene_update(scene), FRACAS_OK);
    free(points);
    free(corners);
    return scene;
}

typedef struct canceller {
    fracas_context* context;
    double wait_ms;
    double cpu_ms;  // CPU time when the cancellation was complete
} canceller;

static void* cancel_later(void* data) {
    canceller* c = data;
    nanosleep(&(struct timespec){0, (long)(c->wait_ms * 1e6)}, NULL);
    fracas_context_cancel(c->context);
    // Reads the clock afterwards: workers continue while this thread is not scheduled.
    c->cpu_ms = cpu_ms();
    return NULL;
}

static int compare_numbers(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static fracas_status detect(const fracas_scene* scene, fracas_statistics* statistics) {
    return fracas_scene_detect(scene, NULL, &(fracas_sink){.statistics = statistics});
}

static void check_cancelling(uint32_t workers, fracas_published_broad broad) {
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = workers;
    fracas_context* context;
    assert_int_equal(fracas_context_create(&options, &context), FRACAS_OK);
    fracas_scene* scene = make_scene(context, broad);
    fracas_statistics whole, again;
    double start = cpu_ms();
    assert_int_equal(detect(scene, &whole), FRACAS_OK);
    double all_ms = cpu_ms() - start;
    assert_true(whole.contacts[FRACAS_CONTACT_VF] + whole.contacts[FRACAS_CONTACT_EE] > 10000);
    uint32_t cancelled = 0;
    double after_ms[TURNS];
    for (int turn = 0; turn < (SLOWED ? 3 : TURNS); turn++) {
        canceller c = {.context = context, .wait_ms = all_ms / workers * (turn % 4 + 0.5) / 8};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, cancel_later, &c), 0);
        fracas_status status = detect(scene, &again);
        double end = cpu_ms();
        pthread_join(thread, NULL);
        fracas_context_resume(context);
        if (status == FRACAS_OK) continue;  // the query ended before the cancellation
        assert_int_equal(status, FRACAS_ERROR_CANCELLED);
        after_ms[cancelled++] = end - c.cpu_ms;
    }
    assert_true(cancelled > 0);
    // Limit: ten milliseconds of work per worker; five times that where the system interfered.
    qsort(after_ms, cancelled, sizeof *after_ms, compare_numbers);
    const double median = after_ms[cancelled / 2], most = after_ms[cancelled - 1];
    if (!SLOWED && (median > 10.0 * workers || most > 50.0 * workers))
        fail_msg("%u workers: %.1f ms of work after cancelling, at most %.1f", workers, median,
                 most);
    assert_int_equal(detect(scene, &again), FRACAS_OK);
    assert_memory_equal(again.contacts, whole.contacts, sizeof whole.contacts);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
}

static void cancelling_with_trees(void** state) {
    (void)state;
    check_cancelling(1, FRACAS_PUBLISHED_BROAD_TREE);
    check_cancelling(2, FRACAS_PUBLISHED_BROAD_TREE);
    check_cancelling(4, FRACAS_PUBLISHED_BROAD_TREE);
}

static void cancelling_with_spatial_hash(void** state) {
    (void)state;
    check_cancelling(1, FRACAS_PUBLISHED_BROAD_HASH);
    check_cancelling(2, FRACAS_PUBLISHED_BROAD_HASH);
    check_cancelling(4, FRACAS_PUBLISHED_BROAD_HASH);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cancelling_with_trees),
                                       cmocka_unit_test(cancelling_with_spatial_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
