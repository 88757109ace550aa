/// @file no_rigid.c  Without ODE there are no scenes of rigid bodies.
#include "fragment/kit.h"
#include <stdio.h>

bool bench_scenes(const bench_settings* settings) {
    (void)settings;
    puts("scenes: not built: ODE (libode-dev) was not found");
    return true;
}

bool bench_bowl(const bench_settings* settings) {
    (void)settings;
    puts("bowl: not built: ODE (libode-dev) was not found");
    return true;
}
