// Whether the compiler rounds where the program does, which the bounds of filters rely on. gcc 12
// for x86_64 omits the roundings below when it packs two doubles into a register.
#include "cmocka_all.h"
#include <stdint.h>

// A store and a load in between, which force the rounding.
static double rounded(double x) {
    volatile float f = (float)x;
    return f;
}

__attribute__((noinline)) static void round_two(double q[2], double a, double b) {
    q[0] = (float)a;
    q[1] = (float)b;
}

__attribute__((noinline)) static void round_quotients(double q[2], const double a[2], double by) {
    for (int k = 0; k < 2; k++) q[k] = (double)(float)(a[k] / by);
}

__attribute__((noinline)) static void round_whole(double q[4], const uint64_t a[4]) {
    for (int k = 0; k < 4; k++) q[k] = (float)((double)(a[k] >> 11) * 0x1p-52 - 1);
}

static void doubles_become_floats(void** state) {
    (void)state;
    uint64_t seed = 1;
    for (int turn = 0; turn < 100; turn++) {
        uint64_t bits[4];
        double x[4], q[4];
        for (int k = 0; k < 4; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bits[k] = seed;
            x[k] = (double)(seed >> 11) * 0x1p-52 - 1;
        }
        round_two(q, x[0], x[1]);
        for (int k = 0; k < 2; k++) assert_true(q[k] == rounded(x[k]));
        round_quotients(q, x, x[2]);
        for (int k = 0; k < 2; k++) assert_true(q[k] == rounded(x[k] / x[2]));
        round_whole(q, bits);
        for (int k = 0; k < 4; k++) assert_true(q[k] == rounded(x[k]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(doubles_become_floats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
