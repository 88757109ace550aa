// Triangle pairs in doubles on a device: what the filters reject does not intersect, and what they
// decide is what geom/tri_tri.c decides exactly. With no, one, two or three common vertices, and
// with edges and points as triangles.
#include "cmocka_all.h"
#include "cuda/quick_triangles.h"
#include "geom/tri_tri.h"
#include "oracle_tri_random.h"
#include "share.h"
#include <string.h>

enum { PAIRS = 6000 };  // of each family and number of common corners

typedef struct tally {
    uint64_t apart, yes, no, unsure, meet;
} tally;

// Triangles of the corners v of `at`; coordinates of equal corners are made equal.
static void require_exact(double at[6][3], const uint32_t v[6], const char* what, int shared,
                          tally* sum) {
    frc_moving_point points[6];
    memset(points, 0, sizeof points);
    for (int i = 0; i < 6; i++) {
        memcpy(at[i], at[v[i]], sizeof at[i]);
        for (int k = 0; k < 3; k++) points[i].x[k][1] = at[i][k];
    }
    const double(*const corner)[3] = (const double(*)[3])at;
    const bool truth = frc_tri_tri_mesh(corner, v, corner + 3, v + 3);
    frc_quick_sides sides;
    frc_quick_sides_make(points, v, &sides);
    sum->meet += truth;
    if (frc_quick_apart(&sides)) {
        if (truth) fail_msg("%s, %d shared: apart, but they meet", what, shared);
        sum->apart++;
        return;
    }
    const frc_quick_answer answer = frc_quick_triangles(&sides);
    if (answer != FRC_QUICK_UNSURE && (answer == FRC_QUICK_YES) != truth)
        fail_msg("%s, %d shared: %d, but exactly %d", what, shared, (int)answer, truth);
    sum->yes += answer == FRC_QUICK_YES;
    sum->no += answer == FRC_QUICK_NO;
    sum->unsure += answer == FRC_QUICK_UNSURE;
}

// Corner i of b is corner i of a for the first `shared` corners, after a rotation.
static void compare(tri_random* random, int family, int shared, tally* sum) {
    double at[6][3];
    uint32_t v[6];
    const uint32_t turn = (uint32_t)tri_random_below(random, 3);
    tri_random_points(random, family, at, 6);
    for (uint32_t i = 0; i < 6; i++) v[i] = i;
    for (uint32_t i = 0; (int)i < shared; i++) v[3 + (i + turn) % 3] = i;
    // An edge, now and then.
    if (tri_random_below(random, 16) == 0) v[2] = v[1];
    require_exact(at, v, tri_family_name[family], shared, sum);
}

static void same_as_exactly(void** state) {
    (void)state;
    const uint64_t rounds = share_of(PAIRS);
    for (int shared = 0; shared <= 3; shared++) {
        tally sum = {0};
        for (int family = 0; family < TRI_FAMILIES; family++) {
            tri_random random = {77 + (uint64_t)(16 * shared + family)};
            for (uint64_t i = 0; i < rounds; i++) compare(&random, family, shared, &sum);
        }
        // Every kind of answer is given; a common edge leaves no certain contact.
        assert_true(sum.meet > rounds / 2 && sum.unsure > rounds / 10);
        if (shared < 3) assert_true(sum.apart > rounds);
        if (shared < 2) assert_true(sum.yes > rounds / 4);
        if (shared == 0) assert_true(sum.no > rounds / 4);
    }
}

// An edge of one triangle meets an edge of the other, up to rounding: all corners are far from both
// planes, but the intervals on the line of the planes just touch.
static void edges_that_meet(void** state) {
    static const uint32_t v[6] = {0, 1, 2, 3, 4, 5};
    (void)state;
    const uint64_t rounds = share_of(20000);
    tally sum = {0};
    tri_random random = {78};
    for (uint64_t n = 0; n < rounds; n++) {
        double at[6][3], middle[3];
        for (int k = 0; k < 3; k++) middle[k] = tri_random_unit(&random);
        for (int t = 0; t < 2; t++) {
            const double before = 1 + 0.5 * tri_random_unit(&random),
                         after = 1 + 0.5 * tri_random_unit(&random);
            for (int k = 0; k < 3; k++) {
                const double along = tri_random_unit(&random);
                at[3 * t][k] = middle[k] - before * along;
                at[3 * t + 1][k] = middle[k] + after * along;
                at[3 * t + 2][k] = middle[k] + tri_random_unit(&random);
            }
        }
        require_exact(at, v, "edges that meet", 0, &sum);
    }
    assert_true(sum.meet > rounds / 10 && sum.unsure > rounds / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_exactly),
                                       cmocka_unit_test(edges_that_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
