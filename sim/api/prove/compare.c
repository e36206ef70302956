/* Compares what the shadows of both kernels have in the buffers. */
#include "sim/api/prove/prove.h"

#include <string.h>

void proof_bits(struct proof *p, u32 side, u32 buffer, u64 element, u32 bit[64]) {
    u32 size = proof_size(p, buffer), word[32];
    for (u32 n = 0; n < size; n++) {
        u64 byte = element * size + n;
        if (n == 0 || byte % 4 == 0)
            term_bits(&p->terms, p->word[side][buffer][byte / 4], word);
        memcpy(bit + 8 * n, word + 8 * (byte % 4), 8 * sizeof *bit);
    }
}

bool proof_unlike(struct proof *p, u32 buffer, u64 element, u32 a[64], u32 b[64]) {
    if (!p->written[buffer] || p->role[buffer] == HEDDLE_ROLE_SCRATCH)
        return false;
    proof_bits(p, 0, buffer, element, a);
    proof_bits(p, 1, buffer, element, b);
    return memcmp(a, b, 8 * proof_size(p, buffer) * sizeof *a) != 0;
}

void proof_compare(struct proof *p) {
    u32 a[64], b[64];
    for (u32 i = 0; i < p->count; i++)
        for (u64 k = 0; k < p->buffer[i]->count; k++) {
            if (!proof_unlike(p, i, k, a, b))
                continue;
            if (!p->differs) {
                p->at_buffer = i;
                p->at_element = k;
            }
            p->differs = true;
            p->differing++;
        }
}
