/*
 * Random programs on random boards, watched: bytes, cycles and counters are those of a launch that is not; three host
 * threads record the same events; a span has what the whole recording has of these cycles, and knows the same of each
 * warp; one that is full is the beginning of the whole; a step back undoes a step on.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

enum { BOARD_BYTES = 48, SPAN_BYTES = 4, WARPS = 12, MOST = 20000 /* events of a recording that is looked at */ };

/* Results of a launch, and its events if it was watched, one after another. */
struct left {
    u8 *bytes;
    size_t len;
    struct buf numbers, events;
    struct heddle_result result;
};

/* Number `index` of events of that kind counts accesses of an SM, which a span counts anew. */
static bool counts_accesses(const struct heddle_event *e, u32 index) {
    const char *name = heddle_event_field(e->kind, index, NULL, NULL),
               *kind = heddle_event_kind(e->kind, NULL, NULL, NULL);
    return strcmp(name, "access") == 0 || (strcmp(kind, "access") == 0 && strcmp(name, "number") == 0);
}

static bool is_kind(const struct heddle_event *e, const char *kind) {
    return strcmp(heddle_event_kind(e->kind, NULL, NULL, NULL), kind) == 0;
}

/* Appends the event's words, then its contents, with whether it is optional. */
static void append_event(const struct heddle_event *e, bool spare, struct buf *out) {
    u64 head[] = {
        8 + e->nvalues + e->ntail, spare, e->kind, e->sm, e->cycle, e->block, e->warp, e->pc, e->nvalues, e->ntail};
    buf_append(out, head, sizeof head);
    for (u32 i = 0; i < e->nvalues; i++) {
        u64 v = counts_accesses(e, i) ? 0 : e->value[i];
        buf_append(out, &v, sizeof v);
    }
    buf_append(out, e->tail, e->ntail * sizeof *e->tail);
}

/*
 * Events of these cycles, and waits that reach into them. A span begins with states, which are left out, and with the
 * levels of warps that have diverged, which may be left out: both have no cycle of their own.
 */
static void append_events(const struct session *s, const struct heddle_watch *span, struct buf *out) {
    u64 began[WARPS] = {0}; /* cycle of the state, and one more */
    struct heddle_event e;
    for (u64 i = 0; heddle_event(s->h, i, &e); i++) {
        u64 *mine = &began[(e.block * 4 + e.warp) % WARPS];
        bool reaches = e.cycle >= span->from || (is_kind(&e, "wait") && e.value[0] > span->from);
        if (is_kind(&e, "state"))
            *mine = e.cycle + 1;
        else if (is_kind(&e, "stack") && *mine == e.cycle + 1)
            append_event(&e, true, out);
        else if (reaches && (!span->to || e.cycle < span->to))
            append_event(&e, false, out);
    }
}

/* True if the part has all events of the whole, and no others but optional ones. */
static bool same_events(const struct buf *whole, const struct buf *part) {
    const u64 *w = (const u64 *)(const void *)whole->data, *p = (const u64 *)(const void *)part->data;
    const u64 *w_end = w + whole->len / sizeof *w, *p_end = p + part->len / sizeof *p;
    while (p < p_end) {
        bool alike = w < w_end && *w == *p && memcmp(w + 2, p + 2, (size_t)*p * sizeof *p) == 0;
        if (!alike && !p[1])
            return false;
        w += alike ? *w + 2 : 0;
        p += *p + 2;
    }
    return w == w_end;
}

/* `watch` NULL: it is not watched; `of`: the events that are kept. */
static bool run(struct session *s, const struct heddle_watch *watch, u32 threads, const struct heddle_watch *of,
                struct left *left) {
    struct heddle_launch l = s->launch;
    l.watch = watch;
    l.threads = threads;
    *left = (struct left){0};
    if (session_launch(s, &l, &left->result) != HEDDLE_OK)
        return false;
    left->bytes = session_bytes(s, &left->len);
    session_numbers(&left->result, &left->numbers);
    if (watch)
        append_events(s, of, &left->events);
    return true;
}

static void drop(struct left *left) {
    free(left->bytes);
    buf_free(&left->numbers);
    buf_free(&left->events);
}

static bool same(const struct buf *a, const struct buf *b) {
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static void expect_same(struct session *s, const struct left *a, const struct left *b, const char *what) {
    if (a->len != b->len || memcmp(a->bytes, b->bytes, a->len) != 0 || !same(&a->numbers, &b->numbers))
        session_wrong(s, "%s changes bytes, cycles or counters\n%s", what, heddle_board_text(s->h, NULL));
}

/* ---- states ---- */

/* All that is known of a warp; of what is in flight only that, since it may hold its old or its new value. */
static void append_state(const struct heddle_state *t, struct buf *out) {
    u64 head[] = {t->sm, t->place, t->sub_core, t->pc, t->ended, t->active, t->reconverge, t->nlevels, t->width};
    u32 slots = t->nregs + t->npreds + t->ntransit;
    buf_append(out, head, sizeof head);
    buf_append(out, t->levels, t->nlevels * sizeof *t->levels);
    for (u32 i = 0; i < slots; i++) {
        bool flies = t->ready[i] >= t->cycle; /* what arrives in the cycle itself, only a span's state knows before */
        buf_append(out, &flies, sizeof flies);
        if (flies)
            continue;
        if (i < t->nregs)
            buf_append(out, t->regs + (size_t)i * t->width, t->width * sizeof *t->regs);
        else if (i < t->nregs + t->npreds)
            buf_append(out, t->preds + (i - t->nregs), sizeof *t->preds);
        else
            buf_append(out, t->transit + (size_t)(i - t->nregs - t->npreds) * t->slots * t->width,
                       (size_t)t->slots * t->width * sizeof *t->transit);
    }
}

/* The states of the warps at that cycle, as far as `only` has them (NULL = all). */
static void append_states(struct session *s, u64 cycle, const bool *only, bool *has, struct buf *out) {
    for (u32 w = 0; w < WARPS; w++) {
        struct heddle_state state;
        has[w] = heddle_state(s->h, w / 4, w % 4, heddle_event_at(s->h, cycle), &state) && !state.ended;
        if (has[w] && (!only || only[w])) {
            state.cycle = cycle; /* what is in flight then, whenever the warp was last heard of */
            append_state(&state, out);
        }
    }
}

/* A walk over the events of a warp, and back. */
static void check_steps(struct session *s, u64 nevents) {
    u64 at = heddle_event_next(s->h, 0, 0, 0), before = UINT64_MAX, steps = 0;
    for (; at != UINT64_MAX; at = heddle_event_next(s->h, 0, 0, at + 1), steps++) {
        if (heddle_event_previous(s->h, 0, 0, at) != before)
            session_wrong(s, "event %llu: a step back leads elsewhere", (unsigned long long)at);
        before = at;
    }
    if (steps == 0 || steps > nevents)
        session_wrong(s, "a warp has %llu events", (unsigned long long)steps);
}

/* ---- an input ---- */

static struct heddle_watch choose_span(const u8 *bytes, u64 cycles) {
    u64 from = (bytes[0] | (u64)bytes[1] << 8) * cycles >> 16, more = (bytes[2] | (u64)bytes[3] << 8) * cycles >> 17;
    return (struct heddle_watch){.from = from, .to = from + more + 1};
}

static void check_span(struct session *s, const struct heddle_watch *span, const struct left *plain) {
    static const struct heddle_watch all = {0};
    struct left whole, part;
    struct buf want = {0}, got = {0};
    bool in_whole[WARPS], in_part[WARPS];
    u64 middle = span->from + (span->to - span->from) / 2;
    run(s, span, 1, span, &part);
    expect_same(s, plain, &part, "a span that is recorded");
    append_states(s, middle, NULL, in_part, &got);
    run(s, &all, 1, span, &whole);
    append_states(s, middle, in_part, in_whole, &want);
    if (!same_events(&whole.events, &part.events))
        session_wrong(s, "cycles %llu to %llu are not those of the whole\n%s", (unsigned long long)span->from,
                      (unsigned long long)span->to, heddle_board_text(s->h, NULL));
    if (!same(&want, &got))
        session_wrong(s, "warps are elsewhere in cycle %llu, of a span from %llu\n%s", (unsigned long long)middle,
                      (unsigned long long)span->from, heddle_board_text(s->h, NULL));
    buf_free(&want);
    buf_free(&got);
    drop(&whole);
    drop(&part);
}

/* With little memory: all events up to a cycle, and none after it. */
static void check_full(struct session *s, const u8 *bytes, const struct left *whole) {
    const struct heddle_watch little = {.bytes = 1000 + (bytes[0] | (u64)bytes[1] << 8) * 4};
    const struct heddle_watch until = {.to = UINT64_MAX};
    struct left part;
    run(s, &little, 1, &until, &part);
    expect_same(s, whole, &part, "a recording that is full");
    const u64 *next = (const u64 *)(const void *)(whole->events.data + part.events.len);
    bool all = part.events.len == whole->events.len;
    if (part.events.len > whole->events.len ||
        (part.events.len && memcmp(whole->events.data, part.events.data, part.events.len) != 0) ||
        (part.result.complete == UINT64_MAX ? !all : !all && next[4] < part.result.complete))
        session_wrong(s, "a recording that is full is not the beginning, up to %llu\n%s",
                      (unsigned long long)part.result.complete, heddle_board_text(s->h, NULL));
    drop(&part);
}

static void check(struct session *s, const u8 *bytes) {
    static const struct heddle_watch all = {0};
    struct left plain, watched, three;
    if (run(s, NULL, 1, NULL, &plain)) { /* else the board has no room for a block */
        run(s, &all, 1, &all, &watched);
        expect_same(s, &plain, &watched, "a recording");
        check_steps(s, watched.result.events);
        run(s, &all, 3, &all, &three);
        expect_same(s, &plain, &three, "a recording with three threads");
        if (!same(&watched.events, &three.events))
            session_wrong(s, "threads change events\n%s", heddle_board_text(s->h, NULL));
        check_full(s, bytes, &watched);
        if (watched.result.events < MOST) {
            struct heddle_watch span = choose_span(bytes, plain.result.cycles);
            check_span(s, &span, &plain);
        }
        drop(&watched);
        drop(&three);
    }
    drop(&plain);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    static const struct program_options options = {
        .shared = true, .global = true, .divergent = true, .warps = 3, .statements = 24};
    struct session s;
    if (size <= 2 * BOARD_BYTES + SPAN_BYTES)
        return 0;
    session_begin(&s, data + BOARD_BYTES + SPAN_BYTES, size - BOARD_BYTES - SPAN_BYTES, &options);
    session_board(&s, data + SPAN_BYTES, BOARD_BYTES);
    check(&s, data);
    session_end(&s);
    return 0;
}
