/// @file array.h  Growing arrays through the context's allocator. A growth that fails leaves the
/// array as it was.
#pragma once
#include "base/context.h"

/// An array of elements of type T: `FRC_ARRAY(uint32_t) list = {0};`. Zero bytes are an empty
/// array.
#define FRC_ARRAY(T)                                                                               \
    struct {                                                                                       \
        T* data;                                                                                   \
        size_t count, capacity;                                                                    \
    }

/// Reserve capacity for `wanted` elements in total; false: no memory. Grows by half at least.
#define FRC_ARRAY_RESERVE(context, array, wanted)                                                  \
    ((wanted) <= (array)->capacity ||                                                              \
     frc_array_grow(context, (void**)&(array)->data, &(array)->capacity, wanted,                   \
                    sizeof *(array)->data))

/// Append one element; false: no memory.
#define FRC_ARRAY_PUSH(context, array, value)                                                      \
    (FRC_ARRAY_RESERVE(context, array, (array)->count + 1)                                         \
         ? ((array)->data[(array)->count++] = (value), true)                                       \
         : false)

#define FRC_ARRAY_RELEASE(context, array)                                                          \
    (frc_release(context, (array)->data, (array)->capacity * sizeof *(array)->data),               \
     (array)->data = NULL, (array)->count = (array)->capacity = 0)

/// Used by the macros. Moves `*data` to a larger block.
bool frc_array_grow(fracas_context* context, void** data, size_t* capacity, size_t wanted,
                    size_t element_size);

// ---- arrays of a fixed size; several allocations in a row need one check of `ok`

/// An empty array has the size of one element: the pointer to its begin is then valid.
static inline size_t frc_array_size(size_t count, size_t size) {
    return (count > 0 ? count : 1) * size;
}

static inline void* frc_allocate_array(fracas_context* context, size_t count, size_t size,
                                       bool* ok) {
    void* memory = *ok ? frc_allocate(context, frc_array_size(count, size)) : NULL;
    *ok = memory != NULL;
    return memory;
}
