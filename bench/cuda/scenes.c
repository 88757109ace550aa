// Of `fracas bench cuda`: built-in scenes over their whole length, with their edits. The solver of
// both gets the contacts of the CPU, which are the same.
#include "scenes.h"
#include "cuda/run.h"

const char* const cuda_scene_names[] = {"breaking-walls", "cloth-ball", "exploding-dragon",
                                        "merge",          "n-body",     "pulling-apart",
                                        "wall",           NULL};

static void run_scene(cuda_bench* bench, const scenes_scene* what) {
    char message[512] = "";
    const cuda_settings* settings = &bench->settings;
    const scenes_options options = {.size = settings->size,
                                    .context = bench->context,
                                    .message = message,
                                    .message_size = sizeof message};
    const uint32_t frames = settings->frames ? settings->frames : scenes_frames(what, &options);
    void* run[CUDA_SIDES];
    cuda_pair pair;
    cuda_pair_open(&pair, bench, what->name);
    fracas_query query = fracas_scene_default_query();
    query.modes = settings->modes;
    for (int i = 0; i < CUDA_SIDES; i++)
        cuda_must(bench, what->create(pair.scene[i], &options, &run[i]), what->name);
    for (uint32_t frame = 0; frame < frames; frame++) {
        size_t count;
        uint64_t edits;
        const fracas_contact* found = fracas_contacts_get_data(pair.contacts[CUDA_CPU], &count);
        for (int i = 0; i < CUDA_SIDES; i++) {
            cuda_must(bench, fracas_scene_advance(pair.scene[i]), what->name);
            cuda_must(bench, what->step(run[i], found, count, &edits), what->name);
        }
        cuda_pair_query(&pair, &query);
    }
    for (int i = 0; i < CUDA_SIDES; i++) what->destroy(run[i]);
    cuda_row(bench, &pair, 1);
    cuda_pair_close(&pair);
}

void cuda_scenes(cuda_bench* bench) {
    cuda_begin(bench, "scenes", "built-in scenes with their edits, a query a frame; medians, ms");
    for (const char* const* name = cuda_scene_names; *name; name++)
        if (cuda_wanted(bench, *name)) run_scene(bench, scenes_find(*name));
    cuda_end(bench);
}
