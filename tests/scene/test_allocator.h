/// @file test_allocator.h  An allocator that counts, checks the sizes passed to release and the
/// bytes before and after each block, and fails on demand.
#pragma once
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct test_allocator {
    atomic_size_t live, blocks, calls, bytes;
    atomic_size_t fail_at;  // the allocation that fails, counted from 1; 0: none
} test_allocator;

// Guard bytes before and after a block, which must not change. The first ones store its size.
enum { GUARD_HEADER = 64, GUARD_SIZE = 256, GUARD_BYTE = 0x5E };

static inline void* test_allocator_allocate(size_t size, size_t alignment, void* user) {
    test_allocator* w = user;
    size_t call = atomic_fetch_add(&w->calls, 1) + 1;
    if (call == atomic_load(&w->fail_at) || alignment > GUARD_HEADER) return NULL;
    size_t whole = (size + GUARD_HEADER + GUARD_SIZE + alignment - 1) / alignment * alignment;
    char* block = aligned_alloc(alignment, whole);
    if (!block) return NULL;
    memset(block, GUARD_BYTE, GUARD_HEADER);
    memcpy(block, &size, sizeof size);
    memset(block + GUARD_HEADER + size, GUARD_BYTE, GUARD_SIZE);
    memset(block + GUARD_HEADER, 0xA5, size);  // uninitialised memory is not zero
    atomic_fetch_add(&w->live, size);
    atomic_fetch_add(&w->bytes, size);
    atomic_fetch_add(&w->blocks, 1);
    return block + GUARD_HEADER;
}

static inline void test_allocator_check_guard(const char* zone, size_t size, const char* where) {
    for (size_t i = 0; i < size; i++) {
        if (zone[i] == GUARD_BYTE) continue;
        fprintf(stderr, "byte %zu %s a block was written\n", i, where);
        abort();
    }
}

static inline void test_allocator_release(void* memory, size_t size, void* user) {
    test_allocator* w = user;
    char* block = (char*)memory - GUARD_HEADER;
    size_t wanted;
    memcpy(&wanted, block, sizeof wanted);
    if (wanted != size) {
        fprintf(stderr, "a block of %zu bytes is released as one of %zu\n", wanted, size);
        abort();
    }
    test_allocator_check_guard(block + sizeof size, GUARD_HEADER - sizeof size, "before");
    test_allocator_check_guard(block + GUARD_HEADER + size, GUARD_SIZE, "behind");
    atomic_fetch_sub(&w->live, size);
    atomic_fetch_sub(&w->blocks, 1);
    free(block);
}

/// Let the `n`th allocation from now on fail; 0: none.
static inline void test_allocator_fail_at(test_allocator* w, size_t n) {
    atomic_store(&w->calls, 0);
    atomic_store(&w->fail_at, n);
}
