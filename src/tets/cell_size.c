/// @file cell_size.c  The mean edge length, from which the cell size is chosen.
///
/// Based on: teschner2003, where cells of the mean edge length are best. Deviation: the mean over a
/// sample of 256 tetrahedra without the largest tenth, so that a few huge ones do not change it.
#include "tets/tets.h"
#include <float.h>
#include <math.h>

enum { SAMPLES = 256 };

// A quarter of the length, which does not overflow.
static double quarter_length(const double a[3], const double b[3]) {
    double d[3], m = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = 0.25 * a[k] - 0.25 * b[k];
        m = fabs(d[k]) > m ? fabs(d[k]) : m;
    }
    if (m == 0) return 0;
    // Squares would overflow or underflow; a rough length suffices.
    if (m < 1e-140 || m > 1e140) return m * 1.5;
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

// Quickselect: afterwards x[0] to x[nth] are the smallest numbers.
static void select_smallest(double* x, int count, int nth) {
    int low = 0, high = count - 1;
    while (low < high) {
        const double pivot = x[(low + high) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            const double t = x[i];
            x[i++] = x[j];
            x[j--] = t;
        }
        if (nth <= j)
            high = j;
        else if (nth >= i)
            low = i;
        else
            return;
    }
}

double frc_tets_mean_edge(const fracas_tets* tets) {
    const size_t all = tets->tets.count;
    const int count = all < SAMPLES ? (int)all : SAMPLES;
    const int kept = count - count / 10;
    double lengths[SAMPLES], sum = 0;
    // A quarter of the mean of the six edges of each tetrahedron in the sample.
    for (int i = 0; i < count; i++) {
        static const int ends[6][2] = {
            {0, 1},
            {0, 2},
            {0, 3},
            {1, 2},
            {1, 3},
            {2, 3}
        };
        const double* p[4];
        frc_tets_corner_points(tets, (uint32_t)((size_t)i * all / (size_t)count), p);
        lengths[i] = 0;
        for (int e = 0; e < 6; e++) lengths[i] += quarter_length(p[ends[e][0]], p[ends[e][1]]) / 6;
    }
    select_smallest(lengths, count, kept - 1);
    for (int i = 0; i < kept; i++) sum += lengths[i] / kept;
    return sum > 0 ? (sum < DBL_MAX / 4 ? 4 * sum : DBL_MAX) : 1;
}
