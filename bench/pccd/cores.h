/// @file cores.h  On which core one thread runs. Cores of a virtual machine differ: where others
/// keep the second thread of a core busy, what is left of it is less, by a third and more. Sixteen
/// threads have them all; one thread would have whichever the system gives it, and the smallest of
/// several rounds the best of them. So one thread has its turn on each.
#pragma once
#include <stdint.h>

typedef struct pccd_cores {
    uint32_t count;  ///< that this program may use; 1 where it cannot be said on which to run
    uint32_t* number;
} pccd_cores;

pccd_cores pccd_cores_find(void);
/// The calling thread runs on number `i` of them until it is let go.
void pccd_cores_hold(const pccd_cores* c, uint32_t i);
void pccd_cores_let_go(const pccd_cores* c);
void pccd_cores_release(pccd_cores* c);
