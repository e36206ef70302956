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
    u32 data[DATA_REGISTERS][LANES_MOST]; /* the data of a store */
};

struct walk {
    struct debug *d;
    struct memory_view *view;
    bool stores;  /* stores in this pass; else loads */
    bool at_once; /* is performed completely at issue */
    u64 block;
    u32 warp;
    u32 waiting;
    struct pending *pending; /* [MOST_WAIT] */
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

/* Reads the data of a store: the registers after the last comma. "rz" is zeros. */
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
    if (w->stores && touch == TOUCH_STORE) {
        if (heddle_state(w->d->h, w->block, w->warp, i, &s))
            read_data(&s, l->disassembly, p);
        else
            p->touch = TOUCH_UNKNOWN;
    }
}

/* ---- bytes ---- */

/* Stores a byte. Calls are ordered: warp by warp, and within a warp by issue. */
static void store_byte(struct walk *w, const struct pending *p, struct memory_cell *c, u8 value) {
    if (p->issue >= w->d->at) {
        c->next = p->issue < c->next ? p->issue : c->next;
    } else if (c->since <= p->issue + 1) { /* the highest lane's value stays */
        c->since = p->issue + 1;
        c->value = value;
        c->known = p->touch == TOUCH_STORE;
    }
}

/* Loads a byte. L2 performs an atomic of global memory after its issue: a later load may have read the old value. */
static void load_byte(const struct walk *w, const struct pending *p, struct memory_cell *c, u8 value) {
    if (c->known || p->issue < c->since || p->issue > c->next || (c->since && !w->at_once))
        return;
    c->value = value;
    c->known = true;
}

static void touch_lane(struct walk *w, const struct pending *p, u64 address, u64 bytes, u32 lane) {
    struct memory_cell *cells = (struct memory_cell *)(void *)w->view->cells.data;
    u64 count = w->view->cells.len / sizeof *cells;
    for (u64 k = 0; k < bytes && k / 4 < DATA_REGISTERS; k++) {
        u64 at = address + k - w->view->from;
        u8 value = (u8)(p->data[k / 4][lane] >> k % 4 * 8);
        if (address + k < w->view->from || at >= count)
            continue;
        if (w->stores)
            store_byte(w, p, &cells[at], value);
        else
            load_byte(w, p, &cells[at], value);
    }
}

/* Assigns the lanes of an access to the oldest issue of its instruction that still waits for them. */
static void note_access(struct walk *w, const struct heddle_event *e) {
    u64 lanes = e->value[4], address;
    u32 at = 0, lane = 0;
    while (at < w->waiting && (w->pending[at].pc != e->pc || (lanes & ~w->pending[at].lanes)))
        at++;
    if (at == w->waiting)
        return;
    struct pending *p = &w->pending[at];
    bool here = strcmp(heddle_event_word(e->kind, 1, e->value[1]), w->view->space) == 0;
    if (here && (w->stores ? p->touch != TOUCH_LOAD : p->touch == TOUCH_LOAD && read_loaded(w, p)))
        for (u32 k = 0; heddle_event_address(e, k, &address); k++, lane++) {
            while (lane < LANES_MOST && !(lanes >> lane & 1))
                lane++;
            touch_lane(w, p, address, e->value[3], lane);
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
            note_access(w, &e);
    }
}

static void walk_warps(struct walk *w) {
    const struct warp_of *of = (const struct warp_of *)(const void *)w->d->warps.data;
    for (size_t n = w->d->warps.len / sizeof *of; n--; of++) {
        if (strcmp(w->view->space, "shared") == 0 && of->block != w->d->block)
            continue;
        w->block = of->block;
        w->warp = of->warp;
        walk_warp(w);
    }
}

bool memory_look(struct debug *d, const char *space, u64 from, u64 count, struct memory_view *view) {
    struct buf pending = {0};
    *view = (struct memory_view){.space = space, .from = from};
    for (u64 i = 0; i < count; i++) {
        struct memory_cell *c = buf_push(&view->cells, sizeof *c);
        if (c)
            c->next = UINT64_MAX;
    }
    struct walk w = {.d = d, .view = view, .stores = true, .at_once = strcmp(space, "shared") == 0};
    for (u32 i = 0; i < MOST_WAIT; i++)
        buf_push(&pending, sizeof *w.pending);
    w.pending = (struct pending *)(void *)pending.data;
    bool room = !pending.failed && !view->cells.failed;
    if (room) {
        walk_warps(&w);
        w.stores = false;
        walk_warps(&w);
    }
    buf_free(&pending);
    return room;
}
