/// @file kernel.h  How much faster a machine computes with more threads: plain arithmetic, no
/// memory.
#pragma once
#include <stdint.h>

/// Milliseconds that a fixed amount of arithmetic takes, dealt out to that many threads. About a
/// tenth of a second with one.
double kernel_ms(uint32_t threads);
