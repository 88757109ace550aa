/// @file contact_buffer.h  The contacts of one worker, and the sorted list of all contacts.
#pragma once
#include "base/array.h"
#include "base/context.h"
#include "fracas/scene.h"

typedef FRC_ARRAY(fracas_contact) frc_contact_list;

/// A contact in the sort: the head of its key and its place.
typedef struct frc_contact_key {
    uint64_t head;
    uint32_t buffer, index;
} frc_contact_key;

enum { FRC_CONTACT_WORDS = 6 };
typedef struct frc_contact_buffer {
    frc_contact_list contacts;         // unordered
    uint32_t bits[FRC_CONTACT_WORDS];  // bitwise or of the words of all contacts
    double earliest;                   // time of impact over all continuous contacts
    FRC_ARRAY(frc_contact_key) keys;   // valid when `sorted`
    bool sorted;
} frc_contact_buffer;

/// Needed before the first contact is added. Keeps the memory.
void frc_contact_buffer_clear(frc_contact_buffer* buffer);
void frc_contact_buffer_release(fracas_context* context, frc_contact_buffer* buffer);
bool frc_contact_buffer_add(fracas_context* context, frc_contact_buffer* buffer,
                            const fracas_contact* contact);

/// The numbers that contacts of one kind are ordered by, the most significant first.
static inline void frc_contact_words(const fracas_contact* c, uint32_t out[FRC_CONTACT_WORDS]) {
    // An unused index is FRACAS_NONE for all contacts of a kind; 0 then needs no bits of a key.
    out[0] = c->body_a.index;
    out[1] = c->body_b.index;
    out[2] = c->a[0] + 1;
    out[3] = c->a[1] + 1;
    out[4] = c->b[0] + 1;
    out[5] = c->b[1] + 1;
}

/// -1, 0, 1: the order in which contacts are reported.
int frc_compare_contacts(const fracas_contact* a, const fracas_contact* b);

// ---- sorting (sort_contacts.c)

/// Append the contacts of all buffers to `out`, ordered by kind, bodies and indices. False: no
/// memory, `out` is unchanged.
bool frc_sort_contacts(fracas_context* context, frc_contact_buffer* const* buffers, uint32_t count,
                       frc_contact_list* out);

/// Merge the contacts from `begin` to `middle` with those from `middle` to the end, both in order.
/// False: no memory.
bool frc_merge_contacts(fracas_context* context, frc_contact_list* list, size_t begin,
                        size_t middle);

/// Optional: sort the keys of one buffer before frc_sort_contacts, on the thread that has it in its
/// cache. Call it when all buffers are complete; different buffers may be sorted concurrently.
/// Without memory it does nothing.
void frc_contact_buffer_sort(fracas_context* context, frc_contact_buffer* const* buffers,
                             uint32_t count, uint32_t number);
