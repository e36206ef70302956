/* The shadow of shared and global memory: its records, readers, cells and pages, and how they are bounded. */
#include "sim/check/cells.h"
#include "sim/base/bits.h"

#include <string.h>

enum {
    RECORDS_MAX = 1 << 24, /* those that a reference can name */
    WORDS_OF_PAGE = PAGE_BYTES / 4,
    NEW_MAX = 4 * WARP_MAX * 5 /* readers and split words for an instruction; one that needs more exceeds the bound */
};

/* Number 0 of each is none. */
static bool begin(struct check *c) {
    struct race *r = c->race;
    r->record = r->reader = r->split = (struct buf){.budget = c->arena.budget};
    r->free = r->free_split = 0;
    return buf_push(&r->record, sizeof(struct check_record)) && buf_push(&r->reader, sizeof(struct reader)) &&
           buf_push(&r->split, 4 * sizeof(struct memory_cell));
}

static void end(struct race *r) {
    buf_free(&r->record);
    buf_free(&r->reader);
    buf_free(&r->split);
}

bool cells_begin(struct check *c) {
    c->race = check_alloc(c, sizeof *c->race);
    return c->race && begin(c);
}

void cells_end(struct check *c) {
    for (size_t i = 0; i < c->blocks.len / sizeof(struct check_block *); i++)
        buf_free(&((struct check_block **)(void *)c->blocks.data)[i]->pending.loads);
    if (c->race)
        end(c->race);
}

/* ---- readers ---- */

u32 cells_warp(const struct check *c, u32 record) {
    const struct check_record *r = record_at(c, record);
    return r->how == HOW_READ ? 1u << (r->block * 7 + r->warp) % 31 : ANYBODY;
}

void others_add_kin(const struct check *c, struct reader *later, const struct reader *earlier) {
    struct kin *to = &later->kin;
    const struct kin *from = &earlier->kin;
    const u8 atomic = 1 << HOW_ATOMIC;
    if (from->ways & atomic)
        to->op = to->ways & atomic && to->op != from->op ? OP_COUNT : from->op;
    to->ways |= from->ways;
    to->short_of |= from->short_of;
    to->one_block &= from->one_block && record_at(c, later->record)->block == record_at(c, earlier->record)->block;
}

static u32 reader_new(struct check *c, u32 record, u64 lanes, u32 next) {
    struct race *r = c->race;
    u32 number = r->free;
    if (number) {
        r->free = reader_at(c, number)->next;
    } else if (buf_take(&r->reader, sizeof(struct reader))) {
        number = (u32)(r->reader.len / sizeof(struct reader)) - 1;
    } else {
        c->failed = true;
        return 0;
    }
    struct reader *new = reader_at(c, number);
    const struct check_record *of = record_at(c, record);
    *new = (struct reader){.lanes = lanes, .record = record, .next = next, .uses = 1, .oldest = record, .count = 1};
    new->warp = new->warps = cells_warp(c, record);
    new->reads = of->how == HOW_READ;
    new->most = STRONG_FIRST;
    new->kin = (struct kin){.op = c->inst[of->pc].commutes, .ways = (u8)(1u << of->how), .one_block = true};
    if (next) {
        const struct reader *rest = reader_at(c, next);
        new->oldest = rest->oldest;
        new->warps |= rest->warps;
        new->count = (u16)(new->count + rest->count);
        new->reads = (u16)(new->reads + rest->reads);
        new->most = rest->most;
        others_add_kin(c, new, rest);
    }
    return number;
}

u32 others_short(struct check *c, u32 others, const struct reader *earlier) {
    if (others && !(others & LIST))
        others = reader_new(c, others >> 6, (u64)1 << (others & 63), 0) | LIST;
    if (!others || c->failed)
        return 0;
    struct reader *first = reader_at(c, others & ~LIST);
    others_add_kin(c, first, earlier);
    first->kin.short_of = true;
    first->most = (u16)max_u64(first->most, earlier->most);
    return others;
}

u32 others_push(struct check *c, u32 record, u64 lanes, u32 rest) {
    if (!rest && !(lanes & (lanes - 1)))
        return record << 6 | first_lane(lanes);
    if (rest && !(rest & LIST))
        rest = reader_new(c, rest >> 6, (u64)1 << (rest & 63), 0);
    u32 number = c->failed ? 0 : reader_new(c, record, lanes, rest & ~LIST);
    return number ? number | LIST : 0;
}

void others_drop(struct check *c, u32 others, u32 uses) {
    for (u32 at = others & LIST ? others & ~LIST : 0, next; at; at = next) {
        struct reader *r = reader_at(c, at);
        r->uses -= uses;
        if (r->uses)
            return;
        next = r->next;
        r->next = c->race->free;
        c->race->free = at;
        uses = 1;
    }
}

/* ---- cells ---- */

bool cells_split(struct check *c, struct memory_cell *word) {
    struct race *r = c->race;
    u32 number = r->free_split;
    if (!number) {
        if (!buf_take(&r->split, 4 * sizeof *word)) {
            c->failed = true;
            return false;
        }
        number = (u32)(r->split.len / (4 * sizeof *word)) - 1;
    }
    const struct memory_cell was = *word;
    *word = (struct memory_cell){SPLIT, number, 0};
    struct memory_cell *four = split_at(c, word);
    if (number == r->free_split)
        r->free_split = four->others;
    for (u32 i = 0; i < 4; i++)
        four[i] = (struct memory_cell){was.write, was.others, was.value >> 8 * i & 0xff};
    others_use(c, was.others, 3);
    return true;
}

void cells_join(struct check *c, struct memory_cell *word) {
    struct memory_cell *four = split_at(c, word);
    for (u32 i = 0; i < 4; i++)
        others_drop(c, four[i].others, 1);
    four->others = c->race->free_split;
    c->race->free_split = word->others;
}

static size_t shared_words(const struct check *c) {
    return (c->launch.kernel->shared + 3) / 4;
}

bool cells_block(struct check *c, struct check_block *b) {
    b->shared = check_alloc(c, shared_words(c) * sizeof *b->shared);
    b->pending.loads.budget = c->arena.budget;
    return b->shared != NULL;
}

void cells_block_start(struct check *c, struct check_block *b) {
    size_t n = shared_words(c);
    for (size_t i = 0; i < n; i++)
        if (b->shared[i].write == SPLIT)
            cells_join(c, &b->shared[i]);
        else
            others_drop(c, b->shared[i].others, 1);
    memset(b->shared, 0, n * sizeof *b->shared);
    b->behind = 0;
    pending_drop(b);
}

struct memory_cell *cells_page(struct check *c, u32 allocation, u64 addr) {
    const struct allocation *a = &c->launch.memory->list[allocation];
    struct check_cells *cells = &c->cells[allocation];
    u64 number = (addr - a->base) / PAGE_BYTES;
    if (!cells->page)
        cells->page = check_alloc(c, (a->size + PAGE_BYTES - 1) / PAGE_BYTES * sizeof *cells->page);
    if (cells->page && !cells->page[number])
        cells->page[number] = check_page(c, WORDS_OF_PAGE * sizeof **cells->page);
    return cells->page ? cells->page[number] : NULL;
}

/* ---- bounds ---- */

u32 cells_records(const struct check *c) {
    return (u32)(c->race->record.len / sizeof(struct check_record));
}

/* True at half of the limit: that half is for records of accesses, the other for pages (check_page). */
static bool full(const struct check *c) {
    const struct race *r = c->race;
    const struct buf *list[] = {&r->record, &r->reader, &r->split};
    const size_t size[] = {sizeof(struct check_record), NEW_MAX * sizeof(struct reader),
                           NEW_MAX * sizeof(struct memory_cell)};
    u64 all = r->record.cap + r->reader.cap + r->split.cap + c->knowledge.total;
    if (cells_records(c) == RECORDS_MAX || c->knowledge.total > c->memory_limit / 4)
        return true;
    for (u32 i = 0; i < 3; i++)
        if (list[i]->cap - list[i]->len <= size[i] && all + list[i]->cap > c->memory_limit / 2)
            return true; /* the array would become twice as long */
    return false;
}

u64 cells_bytes(const struct check *c) {
    const struct race *r = c->race;
    return max_u64(r->most, r->record.cap + r->reader.cap + r->split.cap + c->knowledge.total) + c->pending_bytes;
}

/* Everything that was seen so far is as if ordered before what follows. */
static void forget(struct check *c) {
    const struct memory *m = c->launch.memory;
    struct race *r = c->race;
    for (u32 i = 0; i < m->count; i++)
        for (u64 k = 0; c->cells[i].page && k < (m->list[i].size + PAGE_BYTES - 1) / PAGE_BYTES; k++)
            if (c->cells[i].page[k])
                memset(c->cells[i].page[k], 0, WORDS_OF_PAGE * sizeof(struct memory_cell));
    for (size_t i = 0; i < c->blocks.len / sizeof(struct check_block *); i++) {
        struct check_block *b = ((struct check_block **)(void *)c->blocks.data)[i];
        memset(b->shared, 0, shared_words(c) * sizeof *b->shared);
        b->behind = 0;
        pending_drop(b);
    }
    r->most = cells_bytes(c);
    c->forgotten += cells_records(c) - 1;
    c->times++;
    order_forget(c);
    end(r);
    c->failed |= !begin(c);
}

void cells_room(struct check *c) {
    if (UNLIKELY(full(c)))
        forget(c);
}

u32 cells_record(struct site *t) {
    struct check *c = t->c;
    struct buf *list = &c->race->record;
    struct check_record *r = c->failed ? NULL : buf_take(list, sizeof *r);
    if (!r) {
        c->failed = true;
        return 0;
    }
    r->sequence = c->sequence;
    r->block = t->block->number;
    r->cycle = c->timed ? t->w->clock : UINT64_MAX;
    r->pc = t->pc;
    r->warp = (u16)t->w->index;
    r->how = t->t->how;
    return (u32)(list->len / sizeof *r) - 1;
}
