#include "sim/time/place.h"

struct placer placer_of(const struct board *b) {
    struct placer p = {.slices = b->l2.slices, .channels = b->dram.channels, .hash = b->l2.hash};
    p.each = p.slices / p.channels;
    p.pseudo = b->dram.pseudo_channels;
    p.hop = b->l2.far_cycles;
    p.share = (u32)(1000 * b->l2.near_share + 0.5);
    p.partitions = p.hop ? p.channels / 2 : p.channels;
    p.bits = fold_width(p.slices);
    while (1u << p.shift < b->l2.interleave)
        p.shift++;
    while (1u << p.line_shift < b->dram.line_bytes)
        p.line_shift++;
    return p;
}
