/*
 * Races: the shadow of shared and global memory knows, for each byte, its last plain write and the reads and strong
 * accesses since that nothing orders before one another. An access is compared with them: two that touch a byte, one of
 * them a write, not both strong, are a race unless one happens before the other (order.c).
 *
 * A word of memory is one cell while all its bytes are accessed together, else four. A cell refers to the records of
 * warp-instructions; several readers are a list. What is kept is bounded: at most READERS_MAX readers of a byte, and
 * when the shadows reach their limit, all of it is forgotten: races may then be missed, and none is reported that is
 * none.
 */
#include "sim/base/bits.h"
#include "sim/check/shadow.h"

#include <string.h>

enum {
    READERS_MAX = 8,
    RECORDS_MAX = 1 << 24, /* those that a reference can name */
    ANSWERS = 32,
    WORDS_OF_PAGE = PAGE_BYTES / 4
};

/*
 * An access in a cell: 0 none; record << 6 | lane; or, of `others` only, LIST | first reader of several, or of several
 * lanes. SPLIT in `write`: the word is four cells of bytes, whose first is number `others`.
 */
#define LIST 0x80000000u
#define SPLIT 0xffffffffu

struct memory_cell {
    u32 write;  /* the last plain write */
    u32 others; /* reads and strong accesses */
    u32 value;  /* of the last write: whether two write the same */
};

struct reader {
    u64 lanes;
    u32 record, next; /* 0: the last */
    /* Of a list that begins here, as long as nothing was taken out of it behind the first: */
    u32 oldest; /* record */
    u32 warps;  /* that read, one bit each, modulo 31; ANYBODY: not known, or not plain reads only */
    u32 count;
};

#define ANYBODY UINT32_MAX

struct race {
    struct buf record, reader; /* struct check_record, struct reader; number 0 is none */
    struct buf split;          /* struct memory_cell[4] each */
    u32 free;                  /* list of readers */
    u64 most;                  /* bytes of these before they were forgotten */
};

static struct check_record *record_at(const struct check *c, u32 number) {
    return (struct check_record *)(void *)c->race->record.data + number;
}

static struct reader *reader_at(const struct check *c, u32 number) {
    return (struct reader *)(void *)c->race->reader.data + number;
}

bool race_begin(struct check *c) {
    c->race = check_alloc(c, sizeof *c->race);
    return c->race && buf_push(&c->race->record, sizeof(struct check_record)) &&
           buf_push(&c->race->reader, sizeof(struct reader));
}

void race_end(struct check *c) {
    if (!c->race)
        return;
    buf_free(&c->race->record);
    buf_free(&c->race->reader);
    buf_free(&c->race->split);
}

static size_t shared_words(const struct check *c) {
    return (c->launch.kernel->shared + 3) / 4;
}

bool race_block(struct check *c, struct check_block *b) {
    b->shared = check_alloc(c, shared_words(c) * sizeof *b->shared);
    return b->shared != NULL;
}

void race_block_start(struct check *c, struct check_block *b) {
    memset(b->shared, 0, shared_words(c) * sizeof *b->shared);
}

/* ---- memory ---- */

/* Half of the limit is for what is said of accesses, half for the cells of memory. */
static bool full(const struct check *c) {
    const struct race *r = c->race;
    return r->record.cap + r->reader.cap + r->split.cap > c->memory_limit / 2;
}

u64 race_bytes(const struct check *c) {
    const struct race *r = c->race;
    return max_u64(r->most, r->record.cap + r->reader.cap + r->split.cap);
}

/* Everything that was seen so far is as if ordered before what follows. */
static void forget(struct check *c) {
    const struct memory *m = c->launch.memory;
    struct race *r = c->race;
    for (u32 i = 0; i < m->count; i++)
        for (u64 k = 0; c->cells[i].page && k < (m->list[i].size + PAGE_BYTES - 1) / PAGE_BYTES; k++)
            if (c->cells[i].page[k])
                memset(c->cells[i].page[k], 0, WORDS_OF_PAGE * sizeof(struct memory_cell));
    for (size_t i = 0; i < c->blocks.len / sizeof(struct check_block *); i++)
        race_block_start(c, ((struct check_block **)(void *)c->blocks.data)[i]);
    r->most = race_bytes(c);
    c->forgotten += r->record.len / sizeof(struct check_record) - 1;
    buf_free(&r->record);
    buf_free(&r->reader);
    buf_free(&r->split);
    r->record = r->reader = r->split = (struct buf){0};
    r->free = 0;
    c->failed |= !buf_push(&r->record, sizeof(struct check_record)) || !buf_push(&r->reader, sizeof(struct reader));
}

/* The record of this instruction; 0 when out of memory, which is noted. */
static u32 record_new(struct site *t) {
    struct check *c = t->c;
    struct buf *list = &c->race->record;
    if (list->len / sizeof(struct check_record) == RECORDS_MAX || full(c))
        forget(c);
    struct check_record *r = c->failed ? NULL : buf_take(list, sizeof *r);
    if (!r) {
        c->failed = true;
        return 0;
    }
    r->sequence = c->sequence;
    r->block = t->block->number;
    r->cycle = c->timed ? t->w->clock : 0;
    r->pc = t->pc;
    r->warp = (u16)t->w->index;
    r->how = t->t->how;
    return (u32)(list->len / sizeof *r) - 1;
}

static u32 reader_new(struct check *c, struct reader what) {
    struct race *r = c->race;
    u32 number = r->free;
    if (number) {
        r->free = reader_at(c, number)->next;
    } else if (buf_push(&r->reader, sizeof what)) {
        number = (u32)(r->reader.len / sizeof what) - 1;
    } else {
        c->failed = true;
        return 0;
    }
    *reader_at(c, number) = what;
    return number;
}

static void reader_free(struct check *c, u32 number) {
    reader_at(c, number)->next = c->race->free;
    c->race->free = number;
}

/* What the site knows of a record. */
struct answer {
    u32 record;
    u8 order;      /* enum order_answer */
    bool harmless; /* unordered, but no race with what the site does */
    bool stands;   /* stands_for */
    bool fresh;    /* that, and behind the last barrier of the block */
};

/* One access of the site: a lane, what it touches. */
struct touch {
    struct site *t;
    u32 lane, record;
    u32 bit; /* of the warp, in reader.warps */
    u64 addr;
    u32 bytes;
    u32 value; /* that it writes */
    struct answer answer[ANSWERS];
    bool differs;             /* lanes know different things of some record that was asked after */
    u64 from, size;           /* the global memory whose cells are at `page` */
    struct memory_cell *page; /* the last one used */
};

/*
 * The cell of a word of global memory; NULL where there is no memory, or when out of it. Neighbours are in one page,
 * which is looked up once.
 */
static struct memory_cell *global_cell(struct touch *touch, u64 addr) {
    struct site *t = touch->t;
    struct check *c = t->c;
    u32 number = site_allocation(t, addr);
    if (number == UINT32_MAX)
        return NULL;
    const struct allocation *a = &c->launch.memory->list[number];
    struct check_cells *cells = &c->cells[number];
    if (c->memory > c->memory_limit / 2 && (!cells->page || !cells->page[(addr - a->base) / PAGE_BYTES])) {
        c->forgotten++;
        return NULL;
    }
    if (!cells->page)
        cells->page = check_alloc(c, (a->size + PAGE_BYTES - 1) / PAGE_BYTES * sizeof *cells->page);
    if (!cells->page)
        return NULL;
    struct memory_cell **page = &cells->page[(addr - a->base) / PAGE_BYTES];
    if (!*page)
        *page = check_alloc(c, WORDS_OF_PAGE * sizeof **page);
    if (!*page)
        return NULL;
    u64 offset = (addr - a->base) % PAGE_BYTES;
    touch->page = *page;
    touch->from = addr - offset;
    touch->size = min_u64(PAGE_BYTES, a->size - (touch->from - a->base));
    return *page + offset / 4;
}

static struct memory_cell *cell_of(struct touch *a) {
    const struct site *t = a->t;
    if (t->space[a->lane] == SPACE_SHARED)
        return a->addr < t->c->launch.kernel->shared ? &t->block->shared[a->addr / 4] : NULL;
    return a->addr - a->from < a->size ? a->page + (a->addr - a->from) / 4 : global_cell(a, a->addr);
}

/* Four cells for the bytes of a word, each with what the word had. */
static struct memory_cell *split(struct check *c, struct memory_cell *word) {
    struct buf *list = &c->race->split;
    if (word->write != SPLIT) {
        struct memory_cell *four = buf_push(list, 4 * sizeof *four);
        if (!four) {
            c->failed = true;
            return NULL;
        }
        for (u32 i = 0; i < 4; i++) {
            four[i] = (struct memory_cell){word->write, 0, word->value >> 8 * i & 0xff};
            u32 from = word->others, *to = &four[i].others;
            if (!(from & LIST))
                *to = from;
            for (u32 at = from & LIST ? from & ~LIST : 0; at; at = reader_at(c, at)->next) {
                struct reader copy = *reader_at(c, at);
                copy.next = *to & ~LIST;
                copy.warps = ANYBODY;
                *to = reader_new(c, copy) | LIST;
            }
        }
        word->others = (u32)(list->len / (4 * sizeof *four)) - 1;
        word->write = SPLIT;
    }
    return (struct memory_cell *)(void *)list->data + (size_t)word->others * 4;
}

/* ---- comparing ---- */

static bool writes(u8 how) {
    return how == HOW_WRITE || how == HOW_ATOMIC || how == HOW_STRONG_WRITE;
}

static bool strong(u8 how) {
    return how == HOW_ATOMIC || how == HOW_STRONG_READ || how == HOW_STRONG_WRITE;
}

/*
 * What two atomics that nothing orders must have in common to leave the same in either order, besides giving no old
 * value to a register; 0: nothing would do.
 */
static u32 commutes(const struct inst *i) {
    static const u8 with[OP_COUNT] = {
#define SAME(number, name) [OP_ATOM_##name] = (number), [OP_RED_##name] = (number)
        SAME(1, ADD_U32),  SAME(2, ADD_U64),  SAME(3, MIN_S32), SAME(4, MAX_S32),  SAME(5, MIN_U32),  SAME(6, MAX_U32),
        SAME(7, MIN_S64),  SAME(8, MAX_S64),  SAME(9, MIN_U64), SAME(10, MAX_U64), SAME(11, AND_B32), SAME(12, OR_B32),
        SAME(13, XOR_B32), SAME(14, AND_B64), SAME(15, OR_B64), SAME(16, XOR_B64),
#undef SAME
    };
    return i->d == RZ ? with[i->op] : 0;
}

/* Whether the order of two strong accesses, one of them a write, can be told from what they leave. */
static bool order_matters(const struct touch *a, const struct check_record *r) {
    const struct inst *other = &a->t->c->launch.program->inst[r->pc];
    return a->t->c->order && (commutes(a->t->i) == 0 || commutes(a->t->i) != commutes(other));
}

static const char *mend(const struct site *t, const struct check_record *r) {
    if (r->block != t->block->number)
        return "blocks are ordered by nothing but a release and an acquire of one location, or by another launch";
    if (r->warp != t->w->index)
        return "a bar.sync between them, which both warps reach, would order them";
    return "a bar.warp between them would order them";
}

static u32 class_of(const struct touch *a, const struct check_record *r, bool same) {
    u8 how = a->t->t->how;
    if (strong(how) && strong(r->how))
        return FOUND_RACE_ORDER;
    bool lanes = r->block == a->t->block->number && r->warp == a->t->w->index && r->sequence != a->t->c->sequence;
    if (lanes && checks(a->t->c, CHECK_SYNC) && a->t->space[a->lane] == SPACE_SHARED)
        return FOUND_SYNC_WARP_EXCHANGE;
    if (how == HOW_ATOMIC || r->how == HOW_ATOMIC)
        return FOUND_RACE_ATOMIC;
    if (!writes(how) || !writes(r->how))
        return FOUND_RACE_READ_WRITE;
    return same ? FOUND_RACE_SAME_VALUE : FOUND_RACE_WRITE_WRITE;
}

static void report(const struct touch *a, const struct check_record *r, u32 lane, bool same) {
    struct site *t = a->t;
    struct check_finding f = {.class = (u8)class_of(a, r, same), .places = 2, .bytes = a->bytes, .address = a->addr};
    f.space = t->space[a->lane];
    f.at[0] = site_place(t, a->lane);
    f.at[1] = (struct check_place){r->pc, r->warp, lane, r->block, r->cycle, r->how};
    if (!checks(t->c, (enum check_kind)check_classes[f.class].kind))
        return;
    if (f.class == FOUND_RACE_ORDER)
        found_add(t->c, &f, "in another order, other values are returned or left");
    else if (r->sequence == t->c->sequence)
        found_add(t->c, &f, "lanes of one instruction write one byte: which value stays is not defined");
    else
        found_add(t->c, &f, "%s", mend(t, r));
}

static bool races(const struct touch *a, const struct check_record *r) {
    u8 how = a->t->t->how;
    return (writes(how) || writes(r->how)) && (!(strong(how) && strong(r->how)) || order_matters(a, r));
}

/*
 * Whether whatever races with the earlier access races with this one too, if neither is ordered before it: then the
 * earlier one need not be kept. An atomic does not stand for a plain read: an atomic of somebody else races with that.
 */
static bool stands_for(const struct touch *a, const struct check_record *r) {
    u8 how = a->t->t->how;
    if (how == HOW_WRITE)
        return true;
    if (a->t->c->order)
        return how == r->how && (!writes(how) || !order_matters(a, r));
    return how == HOW_READ ? !writes(r->how) : strong(r->how) && (writes(how) || !writes(r->how));
}

/*
 * What the site knows of a record. The words that a warp touches have few records among them: they are asked after
 * once, not for each word.
 */
static inline const struct answer *answer_of(struct touch *a, u32 record) {
    struct answer *to = &a->answer[record % ANSWERS];
    if (UNLIKELY(to->record != record)) {
        const struct check_record *r = record_at(a->t->c, record);
        to->record = record;
        to->order = (u8)(record == a->record ? ORDER_OWN : order_of(a->t, r));
        to->harmless = to->order == ORDER_NONE && !races(a, r);
        to->stands = stands_for(a, r);
        to->fresh = to->harmless && r->sequence > a->t->block->all_known;
        a->differs |= record != a->record && (to->order == ORDER_OWN || to->order == ORDER_ASK);
    }
    return to;
}

/* Of `lanes` of a record those that do not happen before this access; the first will do. */
static u64 unordered_lanes(struct touch *a, u32 record, u64 lanes) {
    switch (answer_of(a, record)->order) {
    case ORDER_BEFORE: return 0;
    case ORDER_OWN: return lanes & ~((u64)1 << a->lane);
    case ORDER_NONE: return lanes;
    default: break;
    }
    const struct check_record *r = record_at(a->t->c, record);
    while (lanes && order_knows(a->t, a->lane, r, first_lane(lanes)))
        lanes &= lanes - 1;
    return lanes;
}

/*
 * Compares with one earlier access by `lanes`: false when all of these happen before this one.
 */
static bool unordered(struct touch *a, u32 record, u64 lanes, u32 value) {
    struct site *t = a->t;
    u8 how = t->t->how;
    if (record == a->record && !races(a, record_at(t->c, record)))
        return true;
    u64 left = unordered_lanes(a, record, lanes);
    if (!left)
        return false;
    const struct check_record *r = record_at(t->c, record);
    if (races(a, r))
        report(a, r, first_lane(left), writes(how) && writes(r->how) && value == a->value);
    return true;
}

/* ---- keeping ---- */

static void drop_all(struct check *c, struct memory_cell *cell) {
    for (u32 at = cell->others & LIST ? cell->others & ~LIST : 0, next; at; at = next) {
        next = reader_at(c, at)->next;
        reader_free(c, at);
    }
    cell->others = 0;
}

/* Compares with an access that a cell keeps; whether it is to be kept on. */
static bool keeps(struct touch *a, u32 record, u64 lanes, u32 value) {
    if (answer_of(a, record)->order != ORDER_BEFORE && unordered(a, record, lanes, value))
        return true;
    return !answer_of(a, record)->stands;
}

/* Compares with the readers, and drops those that happen before this access and for which it stands. */
static u32 compare_others(struct touch *a, struct memory_cell *cell) {
    struct check *c = a->t->c;
    u32 kept = 0;
    if (cell->others && !(cell->others & LIST)) {
        if (keeps(a, cell->others >> 6, (u64)1 << (cell->others & 63), cell->value))
            return 1;
        cell->others = 0;
        return 0;
    }
    u32 *link = &cell->others, tag = LIST;
    while (*link & ~tag) {
        u32 at = *link & ~tag;
        struct reader *r = reader_at(c, at);
        bool own = r->record == a->record && !writes(a->t->t->how);
        if (own || answer_of(a, r->record)->harmless || keeps(a, r->record, r->lanes, cell->value)) {
            kept++;
            link = &r->next;
            tag = 0;
            continue;
        }
        *link = r->next ? r->next | tag : 0; /* which makes the list's count wrong */
        reader_free(c, at);
    }
    return kept;
}

static u32 bit_of(const struct check *c, u32 record) {
    const struct check_record *r = record_at(c, record);
    return r->how == HOW_READ ? 1u << (r->block * 7 + r->warp) % 31 : ANYBODY;
}

/* The only reader of a cell becomes a list of one; its number. */
static u32 list_of_one(struct check *c, struct memory_cell *cell) {
    struct reader only = {.lanes = (u64)1 << (cell->others & 63), .record = cell->others >> 6, .count = 1};
    only.oldest = only.record;
    only.warps = bit_of(c, only.record);
    u32 number = reader_new(c, only);
    cell->others = number | LIST;
    return number;
}

/* Puts this access in front of a list. */
static void prepend(const struct touch *a, struct memory_cell *cell) {
    struct check *c = a->t->c;
    const struct reader *first = reader_at(c, cell->others & ~LIST);
    struct reader more = {.lanes = (u64)1 << a->lane, .record = a->record, .next = cell->others & ~LIST};
    more.oldest = first->oldest;
    more.warps = first->warps | a->bit;
    more.count = first->count + 1;
    cell->others = reader_new(c, more) | LIST;
}

/* Two of different warps are enough to see a write that is ordered behind neither. */
static void replace(const struct touch *a, struct reader *first) {
    first->record = a->record;
    first->lanes = (u64)1 << a->lane;
    first->warps |= a->bit;
}

/* Adds this access to the readers; `kept` are there. */
static void keep(const struct touch *a, struct memory_cell *cell, u32 kept) {
    struct check *c = a->t->c;
    if (!kept) {
        cell->others = a->record << 6 | a->lane;
        return;
    }
    if (!(cell->others & LIST))
        list_of_one(c, cell);
    struct reader *first = reader_at(c, cell->others & ~LIST);
    if (first->count != kept)
        first->warps = ANYBODY;
    first->count = kept;
    if (first->record == a->record)
        first->lanes |= (u64)1 << a->lane;
    else if (kept >= READERS_MAX)
        replace(a, first);
    else
        prepend(a, cell);
}

static void touch_cell(struct touch *a, struct memory_cell *cell) {
    u8 how = a->t->t->how;
    u32 kept = 0;
    if (cell->write && answer_of(a, cell->write >> 6)->order != ORDER_BEFORE)
        unordered(a, cell->write >> 6, (u64)1 << (cell->write & 63), cell->value);
    if (cell->others)
        kept = compare_others(a, cell);
    if (writes(how))
        cell->value = a->value;
    if (how != HOW_WRITE) {
        keep(a, cell, kept);
        return;
    }
    cell->write = a->record << 6 | a->lane;
    if (cell->others)
        drop_all(a->t->c, cell);
}

/* ---- an instruction ---- */

/* What a lane is about to store in the word at `offset` of its access; atomics are not compared by value. */
static u32 stored(const struct site *t, u32 lane, u32 offset) {
    if (t->i->op != OP_ST)
        return 0;
    return t->w->base[t->u->bsel][t->u->b + offset / 4 * t->width + lane];
}

/* Whether all in a list are plain reads by others that nothing orders before the site: none is to be compared with. */
static bool all_apart(struct touch *a, const struct reader *first) {
    const struct site *t = a->t;
    return !(first->warps & a->bit) && first->warps != ANYBODY && !t->cw->order && !t->block->known &&
           answer_of(a, first->oldest)->fresh;
}

/*
 * A plain read that has nothing to be compared with but a write that happens before it: the word is not read by others,
 * or another lane has read it just now, or only other warps have since the last barrier. That is most of what a tiled
 * matrix product does. False: it is not that easy.
 */
static bool read_quickly(struct touch *a, struct memory_cell *word) {
    struct check *c = a->t->c;
    u32 others = word->others, only = others >> 6;
    if (word->write && answer_of(a, word->write >> 6)->order != ORDER_BEFORE)
        return false;
    if (!others || (!(others & LIST) && answer_of(a, only)->order == ORDER_BEFORE && answer_of(a, only)->stands)) {
        word->others = a->record << 6 | a->lane;
        return true;
    }
    if (!(others & LIST)) {
        if (only != a->record && !answer_of(a, only)->harmless)
            return false;
        u32 number = list_of_one(c, word);
        if (only == a->record)
            reader_at(c, number)->lanes |= (u64)1 << a->lane;
        else
            prepend(a, word);
        return true;
    }
    struct reader *first = reader_at(c, others & ~LIST);
    if (first->record == a->record && !a->differs)
        first->lanes |= (u64)1 << a->lane;
    else if (first->record == a->record || !all_apart(a, first))
        return false;
    else if (first->count >= READERS_MAX)
        replace(a, first);
    else
        prepend(a, word);
    return true;
}

static void touch_bytes(struct touch *a) {
    struct site *t = a->t;
    struct memory_cell *word = cell_of(a);
    if (!word)
        return;
    u32 value = a->value;
    if (a->bytes == 4 && word->write != SPLIT) {
        if (t->t->how != HOW_READ || !read_quickly(a, word))
            touch_cell(a, word);
        return;
    }
    if (!split(t->c, word))
        return;
    for (u32 i = 0; i < a->bytes && !t->c->failed; i++) {
        a->value = value >> 8 * i & 0xff;
        touch_cell(a, split(t->c, word) + (a->addr + i) % 4);
    }
}

void race_access(struct site *t) {
    struct touch a = {.t = t};
    t->c->sequence++;
    for (u64 left = t->exec; left && !t->c->failed; left &= left - 1) {
        u32 l = first_lane(left);
        if ((t->space[l] != SPACE_SHARED && t->space[l] != SPACE_GLOBAL) || t->addr[l] % t->bytes)
            continue;
        if (!a.record) {
            a.record = record_new(t);
            a.bit = bit_of(t->c, a.record);
        }
        a.lane = l;
        for (u32 offset = 0; a.record && offset < t->bytes; offset += 4) {
            a.addr = t->addr[l] + offset;
            a.bytes = t->bytes < 4 ? t->bytes : 4;
            a.value = stored(t, l, offset);
            touch_bytes(&a);
        }
    }
    if (t->t->how != HOW_READ && t->t->how != HOW_WRITE)
        order_strong(t);
}
