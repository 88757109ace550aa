#include "fragment/kit.h"
#include <stdio.h>
bool bench_bowl(const bench_settings* settings) {
    (void)settings;
    puts("bowl: not built: ODE (libode-dev) was not found");
    return true;
}
