#include "sim/debug/values.h"

#include <stdio.h>
#include <string.h>

/* Events of its warp after which a missing result counts as not recorded. */
enum { AHEAD = 1 << 12 };

/* ---- what is in flight ---- */

struct slot_name {
    char text[8];
};

static struct slot_name name_of(const struct heddle_state *s, u32 slot) {
    struct slot_name name;
    bool reg = slot < s->nregs, pred = !reg && slot < s->nregs + s->npreds;
    u32 number = reg ? slot : pred ? slot - s->nregs : slot - s->nregs - s->npreds;
    snprintf(name.text, sizeof name.text, "%c%u", reg ? 'r' : pred ? 'p' : 'x', number % 1000);
    return name;
}

static bool has_row(struct debug *d, const struct heddle_event *e, const char *name) {
    struct heddle_event_row row;
    for (u32 k = 0; heddle_event_row(d->h, e, k, &row); k++)
        if (strcmp(row.name, name) == 0)
            return true;
    return false;
}

/* Finds the issue of the load whose data arrive in event i. */
static u64 issue_of(struct debug *d, u64 i) {
    struct heddle_event load, e;
    debug_event(d, i, &load);
    while ((i = debug_issue(d, i, true)) != UINT64_MAX && debug_event(d, i, &e) == EVENT_ISSUE && e.pc != load.pc)
        ;
    return i;
}

/* Finds the event that brings the data of a load issued before the cursor; UINT64_MAX if none is known. */
static u64 arrival(struct debug *d, const char *name) {
    struct heddle_event e;
    u64 i = d->at;
    for (u32 n = 0; n < AHEAD && (i = heddle_event_next(d->h, d->block, d->warp, i)) != UINT64_MAX; n++, i++) {
        enum event kind = debug_event(d, i, &e);
        if ((kind != EVENT_ARRIVE && kind != EVENT_ISSUE) || !has_row(d, &e, name))
            continue;
        u64 issue = kind == EVENT_ARRIVE ? issue_of(d, i) : i;
        return issue == UINT64_MAX || issue < d->at ? i : UINT64_MAX;
    }
    return UINT64_MAX;
}

u64 waits_ready(struct debug *d, const struct heddle_state *s, u32 slot) {
    struct heddle_event e;
    u64 ready = s->ready[slot];
    if (ready != UINT64_MAX && (ready > d->cycle || !d->late))
        return ready;
    u64 i = arrival(d, name_of(s, slot).text);
    return i != UINT64_MAX && heddle_event(d->h, i, &e) ? e.cycle : ready;
}

u64 waits_writer(struct debug *d, const char *name, s64 lane) {
    struct heddle_event e, issue;
    u64 late = d->late ? arrival(d, name) : UINT64_MAX;
    for (u64 i = late != UINT64_MAX ? late + 1 : d->at;
         (i = heddle_event_previous(d->h, d->block, d->warp, i)) != UINT64_MAX;) {
        enum event kind = debug_event(d, i, &e);
        if ((kind != EVENT_ISSUE && kind != EVENT_ARRIVE) || !has_row(d, &e, name))
            continue;
        u64 from = kind == EVENT_ISSUE ? i : issue_of(d, i);
        if (from != UINT64_MAX && debug_event(d, from, &issue) == EVENT_ISSUE &&
            (lane < 0 || issue.value[1] >> lane & 1))
            return from;
    }
    return UINT64_MAX;
}

/* ---- why it waits ---- */

/* True if the text of an instruction names the register, perhaps as the second of a pair or of four. */
static bool names(const char *text, const char *name) {
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)) != NULL; p += n)
        if ((p == text || strchr(" [,!@", p[-1])) && (p[n] < '0' || p[n] > '9'))
            return true;
    return false;
}

/* Prints the board's value of a latency, if the board has that key. */
static bool put_latency(struct debug *d, const char *key) {
    struct heddle_board_value v;
    if (!heddle_board_value(d->h, key, &v) || v.number == 0) /* for an instruction without a latency of its own */
        return false;
    buf_printf(&d->out, "  %s of the board: %.0f %s\n", key, v.number, v.unit);
    return true;
}

/* Prints the board's latency of an instruction: by its class, or, for a load, of the nearest level. */
static void put_board(struct debug *d, u64 issue, const char *text) {
    struct heddle_isa_row row;
    struct heddle_event e;
    char key[64];
    const char *name = debug_unguarded(text), *class_name = NULL;
    size_t longest = 0, n;
    for (u32 k = 0; heddle_isa_row(k, &row); k++)
        if ((n = strlen(row.name)) > longest && strncmp(name, row.name, n) == 0 && strchr(" .", name[n])) {
            longest = n;
            class_name = row.class_;
        }
    snprintf(key, sizeof key, "latency.%s", class_name ? class_name : "");
    if (put_latency(d, key))
        return;
    for (u64 i = issue + 1; (i = heddle_event_next(d->h, d->block, d->warp, i)) != UINT64_MAX; i++) {
        enum event kind = debug_event(d, i, &e);
        if (kind == EVENT_ACCESS) {
            bool shared = strcmp(heddle_event_word(e.kind, 1, e.value[1]), "shared") == 0;
            bool plain = strcmp(heddle_event_word(e.kind, 2, e.value[2]), "load") == 0; /* else L2 performs it */
            put_latency(d, shared ? "shared.latency" : plain ? "l1.latency" : "l2.latency");
        }
        if (kind == EVENT_ACCESS || kind == EVENT_ISSUE)
            return;
    }
}

/* Returns a register's name, and its name in the source. */
static struct short_text full_name(const struct debug *d, const struct heddle_state *s, u32 slot) {
    struct slot_name name = name_of(s, slot);
    struct short_text called = {""}, full;
    if (slot < s->nregs)
        called = warps_name(d->program, s->pc, "register", slot);
    else if (slot < s->nregs + s->npreds)
        called = warps_name(d->program, s->pc, "predicate", slot - s->nregs);
    snprintf(full.text, sizeof full.text, "%s%s%.32s", name.text, *called.text ? " " : "", called.text);
    return full;
}

/* Prints the instruction that writes a register, and the board's latency for it. */
static void put_writer(struct debug *d, u64 issue, const struct heddle_event *e) {
    const struct heddle_instruction_info *l = debug_instruction(d, e->pc);
    char text[160];
    debug_line(d, e->pc, text, sizeof text);
    buf_printf(&d->out, "  %s, cycle %llu: %s\n", debug_place(d, e->pc).text, (unsigned long long)e->cycle, text);
    put_board(d, issue, l ? l->disassembly : "");
}

/* Prints the registers in the text of the next instruction that were in flight in that cycle. */
static void put_missing(struct debug *d, const struct heddle_state *s, const char *text, u64 cycle) {
    struct heddle_event e;
    for (u32 slot = 0; slot < s->nregs + s->npreds + s->ntransit; slot++) {
        u64 ready = waits_ready(d, s, slot);
        if (ready <= cycle || !names(text, name_of(s, slot).text))
            continue;
        buf_printf(&d->out, "%s is in flight", full_name(d, s, slot).text);
        if (ready != UINT64_MAX)
            buf_printf(&d->out, " until cycle %llu", (unsigned long long)ready);
        buf_putc(&d->out, '\n');
        u64 writer = waits_writer(d, name_of(s, slot).text, -1);
        if (writer != UINT64_MAX && debug_event(d, writer, &e) == EVENT_ISSUE && e.cycle <= cycle)
            put_writer(d, writer, &e);
    }
}

/* Finds the last arrival of a warp at a barrier before that event. */
static bool find_arrival(struct debug *d, u32 warp, u64 at, struct heddle_event *arrived) {
    while ((at = heddle_event_previous(d->h, d->block, warp, at)) != UINT64_MAX)
        if (debug_event(d, at, arrived) == EVENT_BARRIER)
            return true;
    return false;
}

/* Prints the last warp to arrive at the barrier of that wait, and when. The barrier opens before this warp goes on. */
static void put_last(struct debug *d, const struct heddle_event *wait) {
    struct heddle_event e, own, last;
    if (!find_arrival(d, d->warp, heddle_event_at(d->h, wait->value[0]), &own))
        return;
    for (u64 i = heddle_event_at(d->h, wait->cycle); heddle_event(d->h, i, &e) && e.cycle <= wait->value[0]; i++) {
        if (e.block != d->block || strcmp(heddle_event_kind(e.kind, NULL, NULL, NULL), "release") != 0 ||
            e.value[0] != own.value[0] || !find_arrival(d, e.warp, i, &last))
            continue;
        buf_printf(&d->out, "  warp %llu.%u arrives last, in cycle %llu\n", (unsigned long long)e.block, e.warp,
                   (unsigned long long)last.cycle);
        return;
    }
}

/* Finds the wait that ended at an issue, or the one at the cursor; false if there is none. */
static bool find_wait(struct debug *d, struct heddle_event *e) {
    bool begins =
        debug_event(d, d->at, e) == EVENT_WAIT && e->block == d->block && e->warp == d->warp && e->cycle <= d->cycle;
    u64 i = heddle_event_previous(d->h, d->block, d->warp, d->at + begins);
    while (i != UINT64_MAX && debug_event(d, i, e) != EVENT_WAIT && debug_event(d, i, e) != EVENT_ISSUE)
        i = heddle_event_previous(d->h, d->block, d->warp, i);
    return i != UINT64_MAX && debug_event(d, i, e) == EVENT_WAIT;
}

static const char *doc_of(const char *reason) {
    const char *doc = "", *name;
    for (u32 k = 0; (name = heddle_stall_name(k, &doc)) != NULL && strcmp(name, reason) != 0; k++)
        ;
    return name ? doc : "";
}

bool debug_why(struct debug *d, struct words *w) {
    struct heddle_state s;
    struct heddle_event e;
    (void)w;
    if (!debug_state(d, &s))
        return debug_answer(d, "this warp has not begun");
    if (s.ended)
        return debug_answer(d, "this warp has ended");
    if (!find_wait(d, &e))
        return debug_answer(d, "it waits for nothing: its instruction issues after the one before");
    const char *reason = heddle_event_word(e.kind, 1, e.value[1]);
    u64 cycles = e.value[0] - e.cycle;
    buf_printf(&d->out, "it waits from cycle %llu to %llu, %llu cycle%s, %s: %s\n", (unsigned long long)e.cycle,
               (unsigned long long)e.value[0], (unsigned long long)cycles, cycles == 1 ? "" : "s", reason,
               doc_of(reason));
    const struct heddle_instruction_info *l = debug_instruction(d, s.pc);
    put_missing(d, &s, l ? l->disassembly : "", e.cycle);
    if (strcmp(reason, "barrier") == 0)
        put_last(d, &e);
    return true;
}

/* ---- all that is in flight ---- */

static void put_flight(struct debug *d, const struct heddle_state *s, u32 slot, u64 ready, char mark) {
    struct heddle_event e;
    char text[160], until[24] = "?";
    if (ready != UINT64_MAX)
        snprintf(until, sizeof until, "%llu", (unsigned long long)ready);
    buf_printf(&d->out, "%c %-13s until %-8s", mark, full_name(d, s, slot).text, until);
    u64 writer = waits_writer(d, name_of(s, slot).text, -1);
    if (writer != UINT64_MAX && debug_event(d, writer, &e) == EVENT_ISSUE) {
        debug_line(d, e.pc, text, sizeof text);
        buf_printf(&d->out, " %s, cycle %llu: %s", debug_place(d, e.pc).text, (unsigned long long)e.cycle, text);
    }
    buf_putc(&d->out, '\n');
}

bool debug_scoreboard(struct debug *d, struct words *w) {
    struct heddle_state s;
    char text[160];
    (void)w;
    if (!debug_state(d, &s))
        return debug_answer(d, "this warp has not begun");
    if (s.ended)
        return debug_answer(d, "this warp has ended");
    const struct heddle_instruction_info *l = debug_instruction(d, s.pc);
    for (u32 slot = 0; slot < s.nregs + s.npreds + s.ntransit; slot++) {
        u64 ready = waits_ready(d, &s, slot);
        if (ready > d->cycle)
            put_flight(d, &s, slot, ready, l && names(l->disassembly, name_of(&s, slot).text) ? '>' : ' ');
    }
    if (!d->out.len)
        buf_puts(&d->out, "nothing is in flight\n");
    debug_line(d, s.pc, text, sizeof text);
    buf_printf(&d->out, "next: %s: %s\n", debug_place(d, s.pc).text, text);
    if (s.reason && s.until > d->cycle && s.from <= d->cycle)
        buf_printf(&d->out, "it waits until cycle %llu, %s\n", (unsigned long long)s.until, s.reason);
    return true;
}
