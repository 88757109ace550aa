/// @file contact_buffer.c  The contacts of one worker.
#include "detect/contact_buffer.h"
#include <math.h>
#include <string.h>

void frc_contact_buffer_clear(frc_contact_buffer* buffer) {
    buffer->contacts.count = 0;
    buffer->earliest = INFINITY;
    memset(buffer->bits, 0, sizeof buffer->bits);
    buffer->sorted = false;
}

void frc_contact_buffer_release(fracas_context* context, frc_contact_buffer* buffer) {
    FRC_ARRAY_RELEASE(context, &buffer->contacts);
    FRC_ARRAY_RELEASE(context, &buffer->keys);
}

bool frc_contact_buffer_add(fracas_context* context, frc_contact_buffer* buffer,
                            const fracas_contact* contact) {
    uint32_t words[FRC_CONTACT_WORDS];
    frc_contact_words(contact, words);
    for (int k = 0; k < FRC_CONTACT_WORDS; k++) buffer->bits[k] |= words[k];
    if (contact->kind >= FRACAS_CONTACT_VF && contact->toi < buffer->earliest)
        buffer->earliest = contact->toi;
    return FRC_ARRAY_PUSH(context, &buffer->contacts, *contact);
}

int frc_compare_contacts(const fracas_contact* a, const fracas_contact* b) {
    uint32_t words_a[FRC_CONTACT_WORDS], words_b[FRC_CONTACT_WORDS];
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    frc_contact_words(a, words_a);
    frc_contact_words(b, words_b);
    for (int i = 0; i < FRC_CONTACT_WORDS; i++)
        if (words_a[i] != words_b[i]) return words_a[i] < words_b[i] ? -1 : 1;
    return 0;
}
