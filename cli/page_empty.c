/// @file page_empty.c  Instead of the page, in a build without Node: --report is refused.
#include "page_private.h"

const unsigned char cli_page_begin[] = {0}, cli_page_end[] = {0};
const unsigned long cli_page_begin_size = 0, cli_page_end_size = 0;
const unsigned char cli_bench_page_begin[] = {0}, cli_bench_page_end[] = {0};
const unsigned long cli_bench_page_begin_size = 0, cli_bench_page_end_size = 0;
