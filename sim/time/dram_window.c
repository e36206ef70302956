#include "sim/time/dram_window.h"

#include <string.h>

bool dram_window_init(struct dram_window *w, u32 size, u32 banks, struct arena *arena) {
    w->size = size;
    w->banks = banks;
    w->words = (banks + 63) / 64;
    w->slot = arena_alloc(arena, size * sizeof *w->slot);
    w->unused = arena_alloc(arena, size * sizeof *w->unused);
    for (u32 k = 0; k < 2; k++) {
        w->list[k] = arena_alloc(arena, banks * sizeof *w->list[k]);
        w->occupied[k] = arena_alloc(arena, w->words * sizeof *w->occupied[k]);
    }
    return w->slot && w->unused && w->list[0] && w->list[1] && w->occupied[0] && w->occupied[1];
}

void dram_window_clear(struct dram_window *w) {
    for (u32 s = 0; s < w->size; s++)
        w->unused[s] = (u16)(w->size - 1 - s);
    for (u32 k = 0; k < 2; k++) {
        memset(w->list[k], 0xff, w->banks * sizeof *w->list[k]);
        memset(w->occupied[k], 0, w->words * sizeof *w->occupied[k]);
        w->count[k] = 0;
        w->oldest[k] = w->youngest[k] = DRAM_NO_SLOT;
    }
}

bool dram_window_add(struct dram_window *w, u64 open) {
    struct dram_slot *slot = dram_window_next(w);
    u16 s = (u16)(slot - w->slot);
    bool write = slot->write;
    struct dram_bank_list *list = &w->list[write][slot->bank];
    slot->older = w->youngest[write];
    slot->before = list->youngest;
    slot->younger = slot->behind = DRAM_NO_SLOT;
    *(slot->older == DRAM_NO_SLOT ? &w->oldest[write] : &w->slot[slot->older].younger) = s;
    *(slot->before == DRAM_NO_SLOT ? &list->oldest : &w->slot[slot->before].behind) = s;
    w->youngest[write] = list->youngest = s;
    w->count[write]++;
    w->occupied[write][slot->bank / 64] |= 1ULL << slot->bank % 64;
    if (list->first == DRAM_NO_SLOT)
        list->first = s;
    if (list->offer != DRAM_NO_SLOT && slot->row == open && w->slot[list->offer].row != open)
        list->offer = s;
    return list->offer == DRAM_NO_SLOT || list->offer == s;
}

void dram_window_remove(struct dram_window *w, u32 s) {
    struct dram_slot *slot = &w->slot[s];
    bool write = slot->write;
    struct dram_bank_list *list = &w->list[write][slot->bank];
    *(slot->older == DRAM_NO_SLOT ? &w->oldest[write] : &w->slot[slot->older].younger) = slot->younger;
    *(slot->younger == DRAM_NO_SLOT ? &w->youngest[write] : &w->slot[slot->younger].older) = slot->older;
    *(slot->before == DRAM_NO_SLOT ? &list->oldest : &w->slot[slot->before].behind) = slot->behind;
    *(slot->behind == DRAM_NO_SLOT ? &list->youngest : &w->slot[slot->behind].before) = slot->before;
    if (list->oldest == DRAM_NO_SLOT)
        w->occupied[write][slot->bank / 64] &= ~(1ULL << slot->bank % 64);
    if (list->offer == s)
        list->offer = DRAM_NO_SLOT;
    if (list->first == s)
        list->first = slot->behind;
    w->count[write]--;
    w->unused[w->size - w->count[false] - w->count[true] - 1] = (u16)s;
}
