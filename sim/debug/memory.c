#include "sim/debug/values.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/ascii.h"

enum { MOST_WAIT = 64 };                      /* most instructions of a warp that have issued and not reached memory */
enum { DATA_REGISTERS = 4, LANES_MOST = 64 }; /* registers of a 128-bit store */

enum touch { TOUCH_NONE, TOUCH_LOAD, TOUCH_STORE, TOUCH_UNKNOWN };

/* An issued instruction whose addresses a later access names; several accesses, if spaces differ. */
struct pending {
    u64 issue, lanes; /* number of the event; lanes that no access has named yet */
    u32 pc;
    enum touch touch;
    u32 data[DATA_REGISTERS][LANES_MOST]; /* what is stored, combined or loaded */
};

/* A walk over the recording: bytes `from` to `to` of a space, and who gets what lanes did there. */
struct walk {
    struct debug *d;
    const char *space;
    u64 from, to;
    bool stores; /* stores in this pass; else loads */
    memory_touched *touched;
    void *ctx;
    u64 block;
    u32 warp;
    u32 waiting;
    struct pending *pending; /* [MOST_WAIT] */
};

/* Fills in the cells of a view. */
struct fill {
    const struct debug *d;
    struct memory_view *view;
    bool at_once; /* is performed completely at issue */
};

const struct memory_cell *memory_at(const struct memory_view *view, u64 address) {
    return &((const struct memory_cell *)(const void *)view->cells.data)[address - view->from];
}

/* ---- instructions ---- */

/* Finds an instruction's effect on memory, from its text. */
static enum touch touch_of(const char *text) {
    text = debug_unguarded(text);
    if (strncmp(text, "ld.param", 8) == 0 || strncmp(text, "ld.const", 8) == 0)
        return TOUCH_NONE;
    if (strncmp(text, "ld.", 3) == 0)
        return TOUCH_LOAD;
    if (strncmp(text, "st.", 3) == 0 || (strncmp(text, "atom.", 5) == 0 && strstr(text, "exch")))
        return TOUCH_STORE;
    return strncmp(text, "atom.", 5) == 0 || strncmp(text, "red.", 4) == 0 ? TOUCH_UNKNOWN : TOUCH_NONE;
}

/* Reads the data of a store or an atomic: the registers after the last comma. "rz" is zeros. */
static void read_data(const struct heddle_state *s, const char *text, struct pending *p) {
    const char *comma = strrchr(text, ',');
    const char *name = comma ? comma + 1 + strspn(comma + 1, " ") : "";
    u32 first = name[0] == 'r' && is_digit(name[1]) ? (u32)strtoul(name + 1, NULL, 10) : UINT32_MAX;
    memset(p->data, 0, sizeof p->data);
    for (u32 k = 0; k < DATA_REGISTERS && first < s->nregs && first + k < s->nregs; k++)
        memcpy(p->data[k], s->regs + (size_t)(first + k) * s->width, s->width * sizeof(u32));
}

/* Reads the data of a load from the registers that its issue lists; false if it does not list them. */
static bool read_loaded(const struct walk *w, struct pending *p) {
    struct heddle_event e;
    struct heddle_event_row row;
    u32 k = 0;
    if (!heddle_event(w->d->h, p->issue, &e))
        return false;
    for (; k < DATA_REGISTERS && heddle_event_row(w->d->h, &e, k, &row); k++)
        memcpy(p->data[k], row.values, (row.nvalues < LANES_MOST ? row.nvalues : LANES_MOST) * sizeof(u32));
    return k > 0;
}

static void note_issue(struct walk *w, u64 i, const struct heddle_event *e) {
    const struct heddle_instruction_info *l = debug_instruction(w->d, e->pc);
    enum touch touch = l ? touch_of(l->disassembly) : TOUCH_NONE;
    struct heddle_state s;
    if (touch == TOUCH_NONE || e->value[1] == 0)
        return;
    if (w->waiting == MOST_WAIT)
        memmove(w->pending, w->pending + 1, --w->waiting * sizeof *w->pending);
    struct pending *p = &w->pending[w->waiting++];
    p->issue = i;
    p->lanes = e->value[1];
    p->pc = e->pc;
    p->touch = touch;
    if (w->stores && touch != TOUCH_LOAD) {
        if (heddle_state(w->d->h, w->block, w->warp, i, &s))
            read_data(&s, l->disassembly, p);
        else
            p->touch = TOUCH_UNKNOWN;
    }
}

/* ---- lanes ---- */

/* Calls back for a lane of an access; `t` has what its lanes have in common. */
static void touch_lane(const struct walk *w, const struct pending *p, struct heddle_touch t, u32 lane, u64 address) {
    if (address >= w->to || address + t.bytes <= w->from)
        return;
    t.address = address;
    t.lane = lane;
    for (u32 k = 0; k < DATA_REGISTERS; k++)
        t.value[k] = p->data[k][lane];
    w->touched(w->ctx, &t);
}

/* Assigns the lanes of an access to the oldest issue of its instruction that still waits for them. */
static void note_access(struct walk *w, u64 number, const struct heddle_event *e) {
    u64 lanes = e->value[4], address;
    u32 at = 0, lane = 0;
    while (at < w->waiting && (w->pending[at].pc != e->pc || (lanes & ~w->pending[at].lanes)))
        at++;
    if (at == w->waiting)
        return;
    struct pending *p = &w->pending[at];
    struct heddle_touch common = {.issue = p->issue, .access = number, .block = w->block, .warp = w->warp, .pc = p->pc};
    common.bytes = (u32)e->value[3];
    common.kind = p->touch == TOUCH_LOAD ? HEDDLE_LOADED : p->touch == TOUCH_STORE ? HEDDLE_STORED : HEDDLE_COMBINED;
    bool here = strcmp(heddle_event_word(e->kind, 1, e->value[1]), w->space) == 0;
    if (here && (w->stores ? p->touch != TOUCH_LOAD : p->touch == TOUCH_LOAD && read_loaded(w, p)))
        for (u32 k = 0; heddle_event_address(e, k, &address); k++, lane++) {
            while (lane < LANES_MOST && !(lanes >> lane & 1))
                lane++;
            touch_lane(w, p, common, lane, address);
        }
    p->lanes &= ~lanes;
    if (p->lanes == 0)
        memmove(p, p + 1, (--w->waiting - at) * sizeof *p);
}

/* ---- warps ---- */

static void walk_warp(struct walk *w) {
    struct heddle_event e;
    w->waiting = 0;
    for (u64 i = 0; (i = heddle_event_next(w->d->h, w->block, w->warp, i)) != UINT64_MAX; i++) {
        enum event kind = debug_event(w->d, i, &e);
        if (kind == EVENT_ISSUE)
            note_issue(w, i, &e);
        else if (kind == EVENT_ACCESS)
            note_access(w, i, &e);
    }
}

static void walk_warps(struct walk *w, u64 block) {
    const struct warp_of *of = (const struct warp_of *)(const void *)w->d->warps.data;
    for (size_t n = w->d->warps.len / sizeof *of; n--; of++) {
        if (strcmp(w->space, "shared") == 0 && of->block != block)
            continue;
        w->block = of->block;
        w->warp = of->warp;
        walk_warp(w);
    }
}

bool memory_touches(struct debug *d, const struct heddle_range *r, memory_touched *touched, void *ctx) {
    struct buf pending = {0};
    struct walk w = {.d = d, .space = r->space, .from = r->from, .to = r->from + r->count, .stores = true};
    w.touched = touched;
    w.ctx = ctx;
    for (u32 i = 0; i < MOST_WAIT; i++)
        buf_push(&pending, sizeof *w.pending);
    w.pending = (struct pending *)(void *)pending.data;
    bool room = !pending.failed;
    if (room) {
        walk_warps(&w, r->block);
        w.stores = false;
        walk_warps(&w, r->block);
    }
    buf_free(&pending);
    return room;
}

/* ---- bytes ---- */

/* Stores a byte. Calls are ordered: warp by warp, and within a warp by issue. */
static void store_byte(const struct fill *f, const struct heddle_touch *t, struct memory_cell *c, u8 value) {
    if (t->issue >= f->d->at) {
        c->next = t->issue < c->next ? t->issue : c->next;
    } else if (c->since <= t->issue + 1) { /* the highest lane's value stays */
        c->since = t->issue + 1;
        c->value = value;
        c->known = t->kind == HEDDLE_STORED;
        c->late = t->access >= f->d->at;
    }
}

/* Loads a byte. L2 performs an atomic of global memory after its issue: a later load may have read the old value. */
static void load_byte(const struct fill *f, const struct heddle_touch *t, struct memory_cell *c, u8 value) {
    if (c->known || t->issue < c->since || t->issue > c->next || (c->since && !f->at_once))
        return;
    c->value = value;
    c->known = true;
}

static void fill_cells(void *ctx, const struct heddle_touch *t) {
    const struct fill *f = ctx;
    struct memory_cell *cells = (struct memory_cell *)(void *)f->view->cells.data;
    u64 count = f->view->cells.len / sizeof *cells;
    for (u64 k = 0; k < t->bytes && k / 4 < DATA_REGISTERS; k++) {
        u64 at = t->address + k - f->view->from;
        u8 value = (u8)(t->value[k / 4] >> k % 4 * 8);
        if (t->address + k < f->view->from || at >= count)
            continue;
        if (t->kind == HEDDLE_LOADED)
            load_byte(f, t, &cells[at], value);
        else
            store_byte(f, t, &cells[at], value);
    }
}

bool memory_look(struct debug *d, const char *space, u64 from, u64 count, struct memory_view *view) {
    struct fill f = {.d = d, .view = view, .at_once = strcmp(space, "shared") == 0};
    *view = (struct memory_view){.space = space, .from = from};
    for (u64 i = 0; i < count; i++) {
        struct memory_cell *c = buf_push(&view->cells, sizeof *c);
        if (c)
            c->next = UINT64_MAX;
    }
    const struct heddle_range range = {.space = space, .block = d->block, .from = from, .count = count};
    return !view->cells.failed && memory_touches(d, &range, fill_cells, &f);
}
