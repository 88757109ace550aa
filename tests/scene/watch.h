/// @file watch.h  An allocator that counts, checks the sizes it is given back and the bytes before
/// and behind each block, and fails on demand.
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

// Bytes before and behind a block; nobody may write to them. The first hold its size.
enum { WATCH_HEADER = 64, WATCH_ZONE = 256, WATCH_MARK = 0x5E };

static inline void* watch_allocate(size_t size, size_t alignment, void* user) {
    watch* w = user;
    size_t call = atomic_fetch_add(&w->calls, 1) + 1;
    if (call == atomic_load(&w->fail_at) || alignment > WATCH_HEADER) return NULL;
    size_t whole = (size + WATCH_HEADER + WATCH_ZONE + alignment - 1) / alignment * alignment;
    char* block = aligned_alloc(alignment, whole);
    if (!block) return NULL;
    memset(block, WATCH_MARK, WATCH_HEADER);
    memcpy(block, &size, sizeof size);
    memset(block + WATCH_HEADER + size, WATCH_MARK, WATCH_ZONE);
    memset(block + WATCH_HEADER, 0xA5, size);  // what nobody wrote is no zero
    atomic_fetch_add(&w->live, size);
    atomic_fetch_add(&w->bytes, size);
    atomic_fetch_add(&w->blocks, 1);
    return block + WATCH_HEADER;
}

static inline void watch_check_zone(const char* zone, size_t size, const char* where) {
    for (size_t i = 0; i < size; i++) {
        if (zone[i] == WATCH_MARK) continue;
        fprintf(stderr, "byte %zu %s a block was written\n", i, where);
        abort();
    }
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
    watch_check_zone(block + sizeof size, WATCH_HEADER - sizeof size, "before");
    watch_check_zone(block + WATCH_HEADER + size, WATCH_ZONE, "behind");
    atomic_fetch_sub(&w->live, size);
    atomic_fetch_sub(&w->blocks, 1);
    free(block);
}

/// Let the `n`th allocation from now on fail; 0: none.
static inline void watch_arm(watch* w, size_t n) {
    atomic_store(&w->calls, 0);
    atomic_store(&w->fail_at, n);
}
