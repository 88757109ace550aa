/// @file watch.h  An allocator that counts, checks the sizes it is given back, and fails on demand.
#pragma once
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct watch {
    atomic_size_t live, blocks, calls, bytes;
    atomic_size_t fail_at;  // the call that fails, counted from 1; 0: none
} watch;

enum { WATCH_HEADER = 64 };

static inline void* watch_allocate(size_t size, size_t alignment, void* user) {
    watch* w = user;
    size_t call = atomic_fetch_add(&w->calls, 1) + 1;
    if (call == atomic_load(&w->fail_at) || alignment > WATCH_HEADER) return NULL;
    size_t whole = (size + WATCH_HEADER + alignment - 1) / alignment * alignment;
    char* block = aligned_alloc(alignment, whole);
    if (!block) return NULL;
    memcpy(block, &size, sizeof size);
    memset(block + WATCH_HEADER, 0xA5, size);  // what nobody wrote is no zero
    atomic_fetch_add(&w->live, size);
    atomic_fetch_add(&w->bytes, size);
    atomic_fetch_add(&w->blocks, 1);
    return block + WATCH_HEADER;
}

static inline void watch_release(void* memory, size_t size, void* user) {
    watch* w = user;
    char* block = (char*)memory - WATCH_HEADER;
    size_t wanted;
    memcpy(&wanted, block, sizeof wanted);
    if (wanted != size) {
        fprintf(stderr, "a block of %zu bytes is released as one of %zu\n", wanted, size);
        abort();
    }
    atomic_fetch_sub(&w->live, size);
    atomic_fetch_sub(&w->blocks, 1);
    free(block);
}

/// Let the `n`th allocation from now on fail; 0: none.
static inline void watch_arm(watch* w, size_t n) {
    atomic_store(&w->calls, 0);
    atomic_store(&w->fail_at, n);
}
