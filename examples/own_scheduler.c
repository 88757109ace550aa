/// @file own_scheduler.c  Fracas runs on the threads of the application: two hooks, and no threads
/// of its own.
#include "example.h"
#include <fracas/fracas.h>
#include <pthread.h>
#include <string.h>

// A minimal scheduler: one thread per task. A real one has a thread pool.
typedef struct job {
    pthread_t thread;
    fracas_task_fn* task;
    void* data;
} job;

static void* run(void* argument) {
    job* j = argument;
    j->task(j->data);
    return NULL;
}

static void* enqueue(fracas_task_fn* task, void* data, void* user) {
    job* j = malloc(sizeof *j);
    if (j) {
        *j = (job){.task = task, .data = data};
        if (pthread_create(&j->thread, NULL, run, j) == 0) {
            ++*(int*)user;  // called on the thread that called Fracas
            return j;
        }
        free(j);
    }
    task(data);  // no thread available: run the task here; NULL means that it is finished
    return NULL;
}

static void finish(void* handle, void* user) {
    (void)user;
    job* j = handle;
    pthread_join(j->thread, NULL);
    free(j);
}

// Two bumpy sheets of SIDE x SIDE cells that intersect each other.
enum { SIDE = 60, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
static double points[POINTS][3];
static uint32_t triangles[TRIANGLES][3];

static void make_sheet(double tilt) {
    for (uint32_t y = 0; y <= SIDE; y++)
        for (uint32_t x = 0; x <= SIDE; x++) {
            double* p = points[y * (SIDE + 1) + x];
            p[0] = x, p[1] = y, p[2] = tilt * (x - SIDE / 2.0) + (x * 7 + y * 11) % 5 * 0.125;
        }
    for (uint32_t y = 0, t = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++, t += 2) {
            uint32_t a = y * (SIDE + 1) + x, b = a + SIDE + 1;
            memcpy(triangles[t], (uint32_t[]){a, a + 1, b + 1}, sizeof triangles[t]);
            memcpy(triangles[t + 1], (uint32_t[]){a, b + 1, b}, sizeof triangles[t]);
        }
}

static void add_sheet(fracas_scene* scene, double tilt) {
    make_sheet(tilt);
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = POINTS},
        .triangles = triangles[0],
        .triangle_count = TRIANGLES
    };
    fracas_body body;
    TRY(fracas_scene_add(scene, &mesh, NULL, &body));
}

// All contacts, in a list that the caller destroys.
static fracas_contacts* detect(const fracas_context_options* options, fracas_context** context) {
    fracas_scene* scene;
    fracas_contacts* contacts;
    TRY(fracas_context_create(options, context));
    TRY(fracas_scene_create(*context, NULL, &scene));
    TRY(fracas_contacts_create(*context, &contacts));
    add_sheet(scene, 0.5);
    add_sheet(scene, -0.5);
    TRY(fracas_scene_update(scene));
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    fracas_sink sink = fracas_contacts_get_sink(contacts);
    TRY(fracas_scene_detect(scene, &query, &sink));
    fracas_scene_destroy(scene);
    return contacts;
}

int main(void) {
    int tasks = 0;
    fracas_context *serial_context, *own_context;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    fracas_contacts* serial = detect(&options, &serial_context);
    options.worker_count = 4;
    options.tasks = (fracas_task_hooks){.enqueue = enqueue, .finish = finish, .user = &tasks};
    fracas_contacts* own = detect(&options, &own_context);

    // The same contacts in the same order, on whichever threads the tasks ran.
    size_t count, own_count;
    const fracas_contact* a = fracas_contacts_get_data(serial, &count);
    const fracas_contact* b = fracas_contacts_get_data(own, &own_count);
    printf("%zu contacts alone, %zu with %d tasks\n", count, own_count, tasks);
    EXPECT(count > 0 && count == own_count && tasks > 0);
    for (size_t i = 0; i < count; i++)
        EXPECT(a[i].body_a.index == b[i].body_a.index && a[i].body_b.index == b[i].body_b.index &&
               a[i].a[0] == b[i].a[0] && a[i].b[0] == b[i].b[0]);

    fracas_contacts_destroy(serial);
    fracas_contacts_destroy(own);
    fracas_context_destroy(serial_context);
    fracas_context_destroy(own_context);
    return 0;
}
