#include "fragment/kit.h"
#include <stdio.h>
bool bench_scenes(const bench_settings* settings) {
    (void)settings;
    puts("scenes: not built: ODE (libode-dev) was not found");
    return true;
}
