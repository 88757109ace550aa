/// @file clock.h  Wall-clock time for statistics; nothing is decided by it.
#pragma once

double frc_clock_ms(void);
