// The order in which workers synchronise is shuffled a thousand times (FRACAS_SEEDS sets the
// number): contacts, culling marks and counters are those of one worker.
#include "scene/scene.h"
#include "scene_driver.h"
#include <stdlib.h>

typedef struct excerpt {
    const char* name;
    uint32_t size, from, frames;
} excerpt;

// The frames in which bodies break, merge and pile up.
static const excerpt excerpts[] = {
    {"exploding-dragon", 2500, 26, 14},
    {"breaking-walls",   1,    12, 14},
    {"n-body",           2500, 60, 14},
    {"cloth-ball",       2500, 60, 14},
    {"merge",            800,  40, 14}
};
enum { EXCERPTS = sizeof excerpts / sizeof excerpts[0] };

static uint64_t seeds(void) {
    const char* text = getenv("FRACAS_SEEDS");
    return text ? strtoull(text, NULL, 10) : 1000;
}

static uint64_t hash_marks(const fracas_scene* scene) {
    uint64_t hash = BENCH_HASH_START;
    for (size_t b = 0; b < scene->blocks.count; b++) {
        const frc_block* block = scene->blocks.data[b];
        for (uint32_t i = 0; block && block->skip && i < block->node_count + block->leaf_count; i++)
            hash = bench_hash_word(hash, block->skip[i]);
    }
    return hash;
}

static uint64_t hash_counters(uint64_t hash, const fracas_statistics* s,
                              const fracas_update_statistics* u) {
    const uint64_t counters[] = {
        s->siblings_left_out, s->box_pairs, s->tt_candidates, s->vf_candidates, s->ee_candidates,
        s->filtered,          s->exact,     u->cull_tried,    u->cull_certified};
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        hash = bench_hash_word(hash, counters[i]);
    return hash;
}

static uint64_t hash_frame(const scene_driver* d) {
    size_t count;
    const fracas_contact* found = driver_found(d, &count);
    uint64_t hash = bench_hash_contacts(hash_marks(d->scene), found, count);
    fracas_update_statistics update;
    assert_int_equal(fracas_scene_get_update_statistics(d->scene, &update), FRACAS_OK);
    return hash_counters(hash, fracas_contacts_get_statistics(d->contacts), &update);
}

// Runs the frames before the interesting ones without hashing; one seed per frame after them.
static void run_excerpt(const excerpt* s, uint32_t workers, uint64_t seed, uint64_t* hashes,
                        size_t* contacts) {
    scenes_options options = {.size = s->size};
    scene_driver d = driver_start(s->name, &options, workers);
    d.modes = FRACAS_MODE_BOTH;
    for (uint32_t f = 0; f < s->from + s->frames; f++) {
        d.context->yield_seed = f >= s->from && workers > 1 ? seed + f : 0;
        driver_step(&d);
        if (f < s->from) continue;
        size_t count;
        driver_found(&d, &count);
        hashes[f - s->from] = hash_frame(&d);
        *contacts += count;
    }
    driver_end(&d);
}

static void same_for_all_seeds(void** state) {
    (void)state;
    static const uint32_t workers[] = {2, 3, 4, 7, 16, 32};
    size_t contacts = 0;
    uint64_t expected[EXCERPTS][14], got[14];
    for (int i = 0; i < EXCERPTS; i++) run_excerpt(&excerpts[i], 1, 0, expected[i], &contacts);
    print_message("%zu contacts\n", contacts);
    assert_true(contacts > 3000);
    uint64_t seed = 1;
    for (uint32_t round = 0; seed <= seeds(); round++) {
        const excerpt* s = &excerpts[round % EXCERPTS];
        uint32_t with = workers[round / EXCERPTS % 6];
        run_excerpt(s, with, seed, got, &contacts);
        for (uint32_t f = 0; f < s->frames; f++)
            if (got[f] != expected[round % EXCERPTS][f])
                fail_msg("%s, frame %u, %u workers, seed %u: different result", s->name,
                         s->from + f, with, (unsigned)seed + s->from + f);
        seed += s->frames;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_for_all_seeds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
