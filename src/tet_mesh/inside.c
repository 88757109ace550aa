/// @file inside.c  Which nodes of the lattice are inside the surface: exact winding numbers.
///
/// The winding number of a point is the number of triangles above it that face up, minus those that
/// face down. A column of nodes has one ray: each triangle that it crosses adds to all nodes below
/// the crossing. Every decision is the sign of a determinant of the given doubles.
#include "base/array.h"
#include "base/parallel.h"
#include "geom/vertical_ray.h"
#include "tet_mesh/stuffing.h"
#include <math.h>
#include <string.h>

// ---- rows of columns: nodes with one y

typedef struct row_lists {
    uint32_t* faces;
    size_t* first;  // by row, one more
    size_t count;
    uint32_t rows;
} row_lists;

typedef struct inside_job {
    frc_stuffing* s;
    row_lists lists;
    int32_t* winding;  // of the nodes of one row, for each worker
    size_t row_size;
    uint64_t* irregular;  // by row
    frc_steps steps;
} inside_job;

// The first integer coordinate whose position is not below `value`, up to `end`. Positions increase
// with the coordinate.
static uint32_t first_from(const frc_lattice* l, int axis, double value, uint32_t end) {
    const double guess = (value - l->origin[axis]) / (0.5 * l->cell);
    uint32_t x = guess > 0 ? guess < end ? (uint32_t)guess : end : 0;
    while (x > 0 && l->origin[axis] + 0.5 * l->cell * (x - 1) >= value) x--;
    while (x < end && l->origin[axis] + 0.5 * l->cell * x < value) x++;
    return x;
}

static void face_range(const frc_stuffing* s, uint32_t face, int axis, uint32_t* begin,
                       uint32_t* end) {
    const frc_lattice* l = &s->lattice;
    const uint32_t* corner = s->surface.faces[face].corner;
    double lo = s->points[corner[0]][axis], hi = lo;
    for (int i = 1; i < 3; i++) {
        const double value = s->points[corner[i]][axis];
        lo = value < lo ? value : lo, hi = value > hi ? value : hi;
    }
    const uint32_t all = 2 * l->cells[axis] + 1;
    *begin = first_from(l, axis, lo, all);
    *end = first_from(l, axis, nextafter(hi, INFINITY), all);
}

static bool list_rows(const frc_stuffing* s, row_lists* lists) {
    bool ok = true;
    lists->rows = 2 * s->lattice.cells[1] + 1;
    lists->first = frc_allocate_array(s->context, lists->rows + 1, sizeof *lists->first, &ok);
    if (!ok) return false;
    memset(lists->first, 0, (lists->rows + 1) * sizeof *lists->first);
    for (uint32_t f = 0, begin, end; f < s->surface.count; f++) {
        face_range(s, f, 1, &begin, &end);
        for (uint32_t r = begin; r < end; r++) lists->first[r]++, lists->count++;
    }
    lists->faces = frc_allocate_array(s->context, lists->count, sizeof *lists->faces, &ok);
    if (!ok) return false;
    size_t sum = 0;
    for (uint32_t r = 0; r <= lists->rows; r++) sum += lists->first[r], lists->first[r] = sum;
    for (uint32_t f = s->surface.count, begin, end; f-- > 0;) {
        face_range(s, f, 1, &begin, &end);
        for (uint32_t r = begin; r < end; r++) lists->faces[--lists->first[r]] = f;
    }
    return true;
}

// ---- one row

// Add a triangle to the winding numbers of a row: to those of the topmost node below it, in each
// column; the sum from the top down follows.
static void add_face(const frc_stuffing* s, uint32_t face, uint32_t row, int32_t* winding) {
    const frc_lattice* l = &s->lattice;
    const uint32_t odd = row & 1, height = l->cells[2] + 1 - odd;
    const double* v[3];
    for (int i = 0; i < 3; i++) v[i] = s->points[s->surface.faces[face].corner[i]];
    uint32_t begin, end, low, high;
    face_range(s, face, 0, &begin, &end);
    face_range(s, face, 2, &low, &high);
    // Nodes of this parity below `low` are below the triangle, and none from `high` on.
    low = (low + 1 - odd) / 2, high = (high + 1 - odd) / 2;
    low = low < height ? low : height, high = high < height ? high : height;
    for (uint32_t x = begin + ((begin ^ odd) & 1); x < end; x += 2) {
        const uint32_t at[3] = {x, row, odd};
        double p[3];
        frc_lattice_position(l, at, p);
        const int facing = frc_ray_facing(v, p);
        if (!facing) continue;
        // Bisection: the nodes below the triangle are the first `below` of the column.
        uint32_t below = low, above = high;
        while (below < above) {
            const uint32_t middle = (below + above) / 2;
            p[2] = l->origin[2] + 0.5 * l->cell * (2 * middle + odd);
            if (frc_ray_below(v, facing, p))
                below = middle + 1;
            else
                above = middle;
        }
        if (below > 0) winding[(size_t)(x >> 1) * height + below - 1] += facing;
    }
}

static void find_rows(uint32_t begin, uint32_t end, uint32_t worker, void* data) {
    inside_job* job = data;
    const frc_stuffing* s = job->s;
    const frc_lattice* l = &s->lattice;
    int32_t* winding = job->winding + worker * job->row_size;
    if (!frc_steps_proceed(&job->steps, worker, end - begin)) return;
    for (uint32_t row = begin; row < end; row++) {
        const uint32_t odd = row & 1, width = l->cells[0] + 1 - odd, height = l->cells[2] + 1 - odd;
        const uint32_t first[3] = {odd, row, odd};
        int8_t* sign = l->sign + frc_lattice_node(l, first);
        memset(winding, 0, (size_t)width * height * sizeof *winding);
        for (size_t i = job->lists.first[row]; i < job->lists.first[row + 1]; i++)
            add_face(s, job->lists.faces[i], row, winding);
        job->irregular[row] = 0;
        for (size_t column = 0; column < width; column++) {
            int32_t sum = 0;
            for (size_t k = column * height + height; k-- > column * height;) {
                sum += winding[k];
                sign[k] = sum > 0 ? 1 : -1;
                job->irregular[row] += sum < 0 || sum > 1;
            }
        }
    }
}

fracas_status frc_stuffing_find_inside(frc_stuffing* s) {
    fracas_context* context = s->context;
    const frc_lattice* l = &s->lattice;
    bool ok = true;
    inside_job job = {.s = s};
    job.row_size = (size_t)(l->cells[0] + 1) * (l->cells[2] + 1);
    const size_t numbers = job.row_size * frc_worker_count(context);
    ok = list_rows(s, &job.lists);
    job.winding = frc_allocate_array(context, numbers, sizeof *job.winding, &ok);
    job.irregular = frc_allocate_array(context, job.lists.rows, sizeof *job.irregular, &ok);
    fracas_status status;
    if (ok) {
        frc_steps_start(&job.steps, context, 0, 0.3, job.lists.rows);
        frc_parallel_for(context, job.lists.rows, 1, find_rows, &job);
        status = frc_steps_finish(&job.steps);
        for (uint32_t r = 0; status == FRACAS_OK && r < job.lists.rows; r++)
            s->irregular += job.irregular[r];
    } else {
        status = frc_fail_memory(context, numbers * sizeof *job.winding);
    }
    frc_release(context, job.irregular, frc_array_size(job.lists.rows, sizeof *job.irregular));
    frc_release(context, job.winding, frc_array_size(numbers, sizeof *job.winding));
    frc_release(context, job.lists.faces, frc_array_size(job.lists.count, sizeof *job.lists.faces));
    frc_release(context, job.lists.first,
                frc_array_size(job.lists.rows + 1, sizeof *job.lists.first));
    return status;
}
