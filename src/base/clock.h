/// @file clock.h  Wall-clock time, for statistics and spin times; no result depends on it.
#pragma once

double frc_clock_ms(void);
