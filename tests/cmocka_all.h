/// @file cmocka_all.h  cmocka with the headers that it requires.
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h must come after these four.
#include <cmocka.h>
