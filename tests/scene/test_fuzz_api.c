// Random edits and queries compared with the plain model. FRACAS_FUZZ_SEED is the first seed,
// FRACAS_FUZZ_STEPS the total number of steps, FRACAS_FUZZ_WORKERS the number of threads.
#include "api_model.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t setting(const char* name, uint64_t default_value) {
    const char* text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : default_value;
}

int main(void) {
    uint64_t seed = setting("FRACAS_FUZZ_SEED", 1), steps = setting("FRACAS_FUZZ_STEPS", 4000);
    uint64_t fixed = setting("FRACAS_FUZZ_WORKERS", 0);
    bool loud = setting("FRACAS_FUZZ_LOUD", 0);
    model_counts counts = {0};
    for (; counts.steps < steps; seed++) {
        model_source source = {.state = seed * 0x9E3779B97F4A7C15u | 1};
        for (int i = 0; i < 8; i++) model_pick(&source, 1000);
        uint32_t workers = fixed ? (uint32_t)fixed : 1 + (uint32_t)(seed % 4);
        if (loud) fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        model_run(&source, workers, 100, &counts);
    }
    printf("%llu steps, %llu edits, %llu refused, %llu queries, %llu contacts; next seed %llu\n",
           (unsigned long long)counts.steps, (unsigned long long)counts.edits,
           (unsigned long long)counts.refused, (unsigned long long)counts.queries,
           (unsigned long long)counts.contacts, (unsigned long long)seed);
    return 0;
}
