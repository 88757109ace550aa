/// @file cmocka_all.h  cmocka with the headers it wants before it.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h must come after the four above.
#include <cmocka.h>
