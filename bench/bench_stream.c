// fracas bench stream: a crushed surface, whose triangles intersect many others, and all its
// intersections in blocks of records. A pass over the blocks adds up a hash that does not depend on
// their order; small surfaces are compared with the list of fracas_scene_detect. Prints the bytes
// allocated for the scene and for the query, the peak of resident memory, and CPU times.
#include "arguments.h"
#include "footprint.h"
#include "fracas/stream.h"
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void* need(void* memory) {
    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(4);
}

static void check(fracas_context* context, fracas_status status) {
    char message[500];
    if (status == FRACAS_OK) return;
    fracas_context_get_message(context, message, sizeof message);
    fprintf(stderr, "%s\n", message);
    exit(4);
}

// Seconds that all threads have computed: other programs do not count.
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// A square of cells x cells cells of side 1, two triangles each, with each vertex displaced by up
// to `noise` in every direction.
static void add_surface(fracas_context* context, fracas_scene* scene, uint32_t cells,
                        double noise) {
    const uint32_t side = cells + 1, count = side * side;
    double(*points)[3] = need(malloc(count * sizeof *points));
    uint32_t(*triangles)[3] = need(malloc((size_t)2 * cells * cells * sizeof *triangles));
    fracas_body body;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const double random = (double)(mix(3 * (uint64_t)i + k) >> 11) * 0x1p-52 - 1;
            points[i][k] = (k == 0 ? i % side : k == 1 ? i / side : 0) + noise * random;
        }
    for (uint32_t i = 0; i < cells * cells; i++) {
        const uint32_t a = i / cells * side + i % cells, b = a + side;
        const uint32_t two[2][3] = {
            {a,     a + 1, b},
            {a + 1, b + 1, b}
        };
        memcpy(triangles[2 * i], two, sizeof two);
    }
    const fracas_mesh_view mesh = {
        .points = {.data = points, .count = count},
        .triangles = triangles[0],
        .triangle_count = 2 * cells * cells
    };
    check(context, fracas_scene_add(scene, &mesh, NULL, &body));
    free(points);
    free(triangles);
    check(context, fracas_scene_update(scene));
}

typedef struct total {
    uint64_t count, blocks, hash;
} total;

static uint64_t hash_of(uint32_t a, uint32_t b) { return mix((uint64_t)a << 32 | b); }

static bool add_block(const fracas_contact_block* block, void* user) {
    total* t = user;
    for (uint32_t i = 0; i < block->count; i++)
        t->hash += hash_of(block->records[i].a[0], block->records[i].b[0]);
    t->count += block->count;
    t->blocks++;
    return true;
}

static bool add_contact(const fracas_contact* contact, void* user) {
    total* t = user;
    t->hash += hash_of(contact->a[0], contact->b[0]);
    t->count++;
    return true;
}

// Hash the list of all contacts, and return the bytes that it takes.
static size_t compare(fracas_context* context, const fracas_scene* scene, const fracas_query* query,
                      bench_counter* counter, const total* wanted) {
    total t = {0};
    const fracas_sink sink = {add_contact, &t, NULL};
    const size_t before = counter->live;
    counter->most = before;
    check(context, fracas_scene_detect(scene, query, &sink));
    if (t.count != wanted->count || t.hash != wanted->hash) {
        fprintf(stderr, "fracas_scene_detect reports other contacts\n");
        exit(1);
    }
    return counter->most - before;
}

static const char help[] =
    "usage: fracas bench stream [--cells N] [--noise X] [--block N] [--workers N] [--compare]\n"
    "A crushed surface of 2 N x N triangles, and all its intersections in blocks.\n"
    "  --cells N    default 200; 1735 makes 6 million triangles\n"
    "  --noise N    displacement of vertices, in hundredths of a cell; default 300\n"
    "  --block N    contacts in a block, default 65536\n"
    "  --workers N  threads, default one per core\n"
    "  --compare    also ask for the list of all contacts, and compare\n";

typedef struct settings {
    uint64_t cells, noise, block, workers;
    bool compare;
} settings;

// False: the option that is wrong is in *wrong.
static bool parse(int argc, char** argv, settings* out, const char** wrong) {
    const struct {
        const char* name;
        uint64_t least, most;
        uint64_t* value;
    } numbers[] = {
        {"--cells",   2, 10000,      &out->cells  },
        {"--noise",   0, 100000,     &out->noise  },
        {"--block",   1, UINT32_MAX, &out->block  },
        {"--workers", 1, 1024,       &out->workers}
    };
    for (int i = 1; i < argc; i++) {
        size_t n = 0;
        *wrong = argv[i];
        if (!strcmp(argv[i], "--compare")) {
            out->compare = true;
            continue;
        }
        while (n < 4 && strcmp(argv[i], numbers[n].name) != 0) n++;
        if (n == 4 || i + 1 == argc) return false;
        i++;
        if (!bench_parse_number(argv[i], numbers[n].least, numbers[n].most, numbers[n].value))
            return false;
    }
    return true;
}

static void measure(fracas_context* context, const fracas_scene* scene, bench_counter* counter,
                    const settings* set) {
    const size_t before = counter->live;
    counter->most = before;
    total t = {0};
    fracas_query query = fracas_scene_default_query();
    query.modes = FRACAS_MODE_DISCRETE;
    fracas_stream stream = fracas_scene_default_stream();
    stream.block_contacts = (uint32_t)set->block;
    stream.report = add_block;
    stream.user = &t;
    double start = now();
    check(context, fracas_scene_stream(scene, &query, &stream));
    const double seconds = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%llu contacts in %llu blocks, hash %016llx\n", (unsigned long long)t.count,
           (unsigned long long)t.blocks, (unsigned long long)t.hash);
    printf("%.2f CPU s, %.1f MB allocated by the query, peak %.0f MB resident, %.2f million "
           "contacts/s\n",
           seconds, 1e-6 * (double)(counter->most - before), 1e-3 * (double)usage.ru_maxrss,
           1e-6 * (double)t.count / seconds);
    if (!set->compare) return;
    start = now();
    const size_t bytes = compare(context, scene, &query, counter, &t);
    printf("as one list: the same, %.2f CPU s, %.1f MB allocated by the query\n", now() - start,
           1e-6 * (double)bytes);
}

int main(int argc, char** argv) {
    settings set = {.cells = 200, .noise = 300, .block = 65536};
    const char* wrong;
    if (argc == 2 && !strcmp(argv[1], "--help")) return fputs(help, stdout), 0;
    if (!parse(argc, argv, &set, &wrong)) return bench_refuse("stream", wrong);
    bench_counter counter = {0};
    fracas_context_options options = fracas_context_default_options();
    options.allocator = bench_counting_allocator(&counter);
    options.worker_count = (uint32_t)set.workers;
    fracas_context* context;
    fracas_scene* scene;
    fracas_scene_options scene_options = fracas_scene_default_options();
    scene_options.modes = FRACAS_MODE_DISCRETE;
    if (fracas_context_create(&options, &context) != FRACAS_OK) return 4;
    check(context, fracas_scene_create(context, &scene_options, &scene));
    const double start = now();
    add_surface(context, scene, (uint32_t)set.cells, 0.01 * (double)set.noise);
    printf("%llu triangles, %.0f MB allocated, built in %.1f CPU s\n",
           (unsigned long long)(2 * set.cells * set.cells), 1e-6 * (double)counter.live,
           now() - start);
    fflush(stdout);
    measure(context, scene, &counter, &set);
    fracas_scene_destroy(scene);
    fracas_context_destroy(context);
    return 0;
}
