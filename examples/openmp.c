/// @file openmp.c  Fracas runs as OpenMP tasks: two hooks, and no threads of its own.
#include "example.h"
#include <fracas/fracas.h>
#include <string.h>

// A task may run on any thread of the team, now or later. `user` counts the tasks.
static void* enqueue(fracas_task_fn* task, void* data, void* user) {
    ++*(int*)user;  // only the thread that called Fracas gets here
#pragma omp task firstprivate(task, data)
    task(data);
    return user;  // not NULL: the task may not be finished
}

// Waits for all tasks of this thread; the others are finished next anyway.
static void finish(void* handle, void* user) {
    (void)handle, (void)user;
#pragma omp taskwait
}

// A bumpy sheet of SIDE x SIDE cells that a second one falls through.
enum { SIDE = 80, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };
static double points[POINTS][3];
static uint32_t triangles[TRIANGLES][3];

static void make_sheet(double height) {
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t x = i % (SIDE + 1), y = i / (SIDE + 1);
        points[i][0] = x, points[i][1] = y;
        points[i][2] = height + (double)((x * 7 + y * 11) % 5) / 8;
    }
    for (uint32_t c = 0; c < SIDE * SIDE; c++) {
        uint32_t a = c / SIDE * (SIDE + 1) + c % SIDE, b = a + SIDE + 1;
        memcpy(triangles[2 * c], (uint32_t[]){a, a + 1, b + 1}, sizeof triangles[0]);
        memcpy(triangles[2 * c + 1], (uint32_t[]){a, b + 1, b}, sizeof triangles[0]);
    }
}

static fracas_body add_sheet(fracas_scene* scene, double height) {
    make_sheet(height);
    fracas_mesh_view mesh = {
        .points = {.data = points, .count = POINTS},
        .triangles = triangles[0],
        .triangle_count = TRIANGLES
    };
    fracas_body body;
    TRY(fracas_scene_add(scene, &mesh, NULL, &body));
    return body;
}

// One step, in which the second sheet falls from 1 to -1.
static uint64_t fall(const fracas_context_options* options) {
    fracas_context* context;
    fracas_scene* scene;
    fracas_statistics found;
    TRY(fracas_context_create(options, &context));
    TRY(fracas_scene_create(context, NULL, &scene));
    add_sheet(scene, 0);
    fracas_body falling = add_sheet(scene, 1);
    make_sheet(-1);
    TRY(fracas_scene_move(scene, falling, &(fracas_points){.data = points, .count = POINTS}));
    TRY(fracas_scene_update(scene));
    TRY(fracas_scene_detect(scene, NULL, &(fracas_sink){.statistics = &found}));
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return found.contacts[FRACAS_CONTACT_VF] + found.contacts[FRACAS_CONTACT_EE];
}

int main(void) {
    int tasks = 0;
    uint64_t shared = 0;
    fracas_context_options options = fracas_context_default_options();
    options.worker_count = 1;
    uint64_t alone = fall(&options);
    options.worker_count = 4;
    options.tasks = (fracas_task_hooks){.enqueue = enqueue, .finish = finish, .user = &tasks};
#pragma omp parallel num_threads(4)
#pragma omp single
    shared = fall(&options);

    EXPECT(alone > 0 && alone == shared && tasks > 0);
    printf("%llu contacts alone, as many with %d tasks of OpenMP\n", (unsigned long long)alone,
           tasks);
    return 0;
}
