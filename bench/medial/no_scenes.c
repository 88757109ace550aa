/// @file no_scenes.c  Without ODE there are no scenes.
#include "medial/kit.h"
#include <stdio.h>

bool bench_scenes(const bench_settings* settings) {
    (void)settings;
    printf("scenes: need ODE (libode-dev), and this program was built without it\n");
    return false;
}

bool bench_device(const bench_settings* settings) { return bench_scenes(settings); }
