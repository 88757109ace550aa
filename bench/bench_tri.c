// fracas bench tri: triangle–triangle tests on all pairs of overlapping boxes of one mesh.
//
// Prints a hash of the hits before the time. Pairs are tested in chunks; the time of a chunk is the
// minimum of several runs, which excludes interruptions by other processes.
#include "arguments.h"
#include "geom/test_tri_tri_mesh.h"
#include <inttypes.h>
#include <time.h>

enum { RUNS = 25, CHUNK = 2048 };

static double now_ns(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

typedef struct result {
    size_t hits;
    uint64_t hash;
    frc_tri_counts counts;
} result;

/// Each chunk is written just before the test, so that it is in the cache as after a traversal.
/// Only the test is timed; `ns` keeps the minimum time of each chunk.
static result run(const tri_mesh* mesh, const frc_tri_pair* pairs, size_t count, double* ns) {
    static frc_tri_pair chunk[CHUNK];
    static uint32_t hits[CHUNK];
    result r = {.hash = 14695981039346656037u};
    for (size_t i = 0; i < count; i += CHUNK) {
        const size_t size = count - i < CHUNK ? count - i : CHUNK;
        memcpy(chunk, pairs + i, size * sizeof *chunk);
        const double start = now_ns();
        const size_t found = frc_tri_tri_batch(mesh->points, chunk, size, hits, &r.counts);
        const double time = now_ns() - start;
        if (time < ns[i / CHUNK]) ns[i / CHUNK] = time;
        for (size_t k = 0; k < found; k++) r.hash = (r.hash ^ (i + hits[k])) * 1099511628211u;
        r.hits += found;
    }
    return r;
}

static void report(const char* name, const tri_mesh* mesh, const frc_tri_pair* pairs,
                   size_t count) {
    const size_t chunks = (count + CHUNK - 1) / CHUNK;
    double* ns = malloc((chunks + 1) * sizeof *ns);
    if (!ns) return;
    for (size_t i = 0; i < chunks; i++) ns[i] = 1e30;
    result r = {0};
    for (int i = 0; i < RUNS; i++) r = run(mesh, pairs, count, ns);
    double sum = 0;
    for (size_t i = 0; i < chunks; i++) sum += ns[i];
    printf("%-12s pairs %8zu  hits %7zu  hash %016" PRIx64 "  exact %7" PRIu64 "  %6.2f ns/pair\n",
           name, count, r.hits, r.hash, r.counts.exact, count ? sum / (double)count : 0);
    free(ns);
}

int main(int argc, char** argv) {
    tri_mesh mesh;
    char path[2048];
    snprintf(path, sizeof path, "%s/ccd/cloth-ball/frames/cloth_ball92.ply", bench_data_folder());
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        printf(
            "usage: fracas bench tri [FILE.ply]\n"
            "The test of two triangles, in batches, on all pairs of a mesh whose boxes overlap:\n"
            "nanoseconds per pair, by the vertices that they share. Default: a frame of\n"
            "cloth-ball, from the folder of the test data.\n");
        return 0;
    }
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) return bench_refuse("tri", argv[argc - 1]);
    if (argc == 2) snprintf(path, sizeof path, "%s", argv[1]);
    if (!tri_mesh_read(path, &mesh)) return fprintf(stderr, "cannot read %s\n", path), 1;
    size_t count;
    face_pair* faces = overlapping_pairs(&mesh, &count);
    frc_tri_pair* pairs = malloc((count + 1) * sizeof *pairs);
    frc_tri_pair* some = malloc((count + 1) * sizeof *some);
    if (!faces || !pairs || !some) return fprintf(stderr, "no memory\n"), 4;
    for (size_t i = 0; i < count; i++) pairs[i] = tri_pair_of(&mesh, faces[i]);
    report("all", &mesh, pairs, count);
    static const char* const names[4] = {"apart", "at vertex", "at edge", "duplicate"};
    for (int shared = 0; shared < 4; shared++) {
        size_t some_count = 0;
        for (size_t i = 0; i < count; i++)
            if (shared_vertices(&pairs[i]) == shared) some[some_count++] = pairs[i];
        if (some_count) report(names[shared], &mesh, some, some_count);
    }
    free(faces), free(pairs), free(some);
    tri_mesh_free(&mesh);
    return 0;
}
