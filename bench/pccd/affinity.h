/// @file affinity.h  Pins the calling thread to a core.
///
/// Cores of a virtual machine differ in speed: another machine may use the second hardware thread
/// of a core, which costs a third and more. Many threads use all cores, so a fair single-threaded
/// time is the mean over all cores, not that of the core chosen by the system or, as the minimum of
/// several rounds, that of the fastest. Single-threaded runs are therefore pinned to each core in
/// turn.
#pragma once
#include <stdint.h>

typedef struct pccd_cores {
    uint32_t count;  ///< cores available to this process; 1 on platforms without affinity
    uint32_t* number;
} pccd_cores;

pccd_cores pccd_cores_find(void);
/// Pin the calling thread to core number[i] until pccd_unpin.
void pccd_pin(const pccd_cores* c, uint32_t i);
void pccd_unpin(const pccd_cores* c);
void pccd_cores_release(pccd_cores* c);
