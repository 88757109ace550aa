/// @file no_rigid.c  Without ODE there are no scenes of rigid bodies.
#include "fragment/kit.h"

static bool not_built(const char* part) {
    printf("%s: not built: ODE (libode-dev) was not found\n", part);
    return true;
}

#define NOT_BUILT(part)                                                                            \
    bool bench_##part(const bench_settings* settings) {                                            \
        (void)settings;                                                                            \
        return not_built(#part);                                                                   \
    }

NOT_BUILT(bowl)
NOT_BUILT(resolution)
NOT_BUILT(rolling)
NOT_BUILT(scenes)
NOT_BUILT(steps)
