/* Stops, and the last writer of registers and memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/debug/debug.h"
#include "sim/debug/values.h"

BUF_LIST(stop, struct debug, stops, struct stop)

/* ---- events that stops apply to ---- */

bool debug_touches(const struct heddle_event *e, u64 from, u64 to) {
    uint64_t address;
    for (u32 i = 0; heddle_event_address(e, i, &address); i++)
        if (address < to && address + e->value[3] > from)
            return true;
    return false;
}

/* True if the event changes the value of the register in any lane. */
static bool changes(struct debug *d, u64 i, const struct heddle_event *e, const char *name) {
    struct heddle_event_row row;
    struct heddle_state s;
    u32 before;
    for (u32 k = 0; heddle_event_row(d->h, e, k, &row); k++) {
        if (strcmp(row.name, name) != 0)
            continue;
        if (!heddle_state(d->h, e->block, e->warp, i, &s))
            return true;
        if (name[0] == 'p')
            return debug_value(&s, name, 0, &before) &&
                   s.preds[strtoul(name + 1, NULL, 10)] != (row.values[0] | (u64)row.values[1] << 32);
        for (u32 lane = 0; lane < row.nvalues; lane++)
            if (debug_value(&s, name, lane, &before) && before != row.values[lane])
                return true;
    }
    return false;
}

static bool compare(s64 a, const char *op, s64 b) {
    if (strcmp(op, "==") == 0)
        return a == b;
    if (strcmp(op, "!=") == 0)
        return a != b;
    return op[0] == '<' ? a < b || (op[1] && a == b) : a > b || (op[1] && a == b);
}

static bool condition_holds(struct debug *d, const struct stop *p, u64 i, const struct heddle_event *e) {
    struct heddle_state s;
    u32 v;
    if (!p->only_if)
        return true;
    return heddle_state(d->h, e->block, e->warp, i, &s) && debug_value(&s, p->cond, p->lane, &v) &&
           (compare((s64)v, p->op, p->value) || compare((s64)(s32)v, p->op, p->value));
}

static bool holds(struct debug *d, const struct stop *p, u64 i, enum event kind, const struct heddle_event *e) {
    const struct heddle_instruction_info *l;
    switch (p->kind) {
    case STOP_LINE:
        l = kind == EVENT_ISSUE ? debug_instruction(d, e->pc) : NULL;
        return l && l->line == p->line && debug_same_file(l->file, p->in) && condition_holds(d, p, i, e);
    case STOP_PC: return kind == EVENT_ISSUE && e->pc == p->from && condition_holds(d, p, i, e);
    case STOP_REGISTER:
        return (kind == EVENT_ISSUE || kind == EVENT_ARRIVE) && e->block == p->block && e->warp == p->warp &&
               changes(d, i, e, p->name);
    case STOP_ADDRESS: return kind == EVENT_ACCESS && debug_touches(e, p->from, p->to);
    case STOP_FAULT: return d->fault && i == d->events - 1;
    }
    return false;
}

/* Continues: events before the cursor have been seen, so only later ones stop it. */
bool debug_continue(struct debug *d, struct words *w) {
    struct heddle_event e;
    (void)w;
    if (!stop_count(d))
        return debug_refuse(d, "there is no breakpoint; `break LINE` makes one, `until end` moves to the end");
    for (u64 i = d->at; d->back ? i-- > 0 : ++i < d->events;) {
        enum event kind = debug_event(d, i, &e);
        for (u32 k = 0; k < stop_count(d); k++) {
            const struct stop *p = stop_at(d, k);
            if (e.warp == UINT32_MAX || !holds(d, p, i, kind, &e))
                continue;
            buf_printf(&d->out, "breakpoint %u: %s\n", p->number, p->text);
            bool done = !d->back && p->kind != STOP_LINE && p->kind != STOP_PC; /* has been read or written */
            debug_move(d, i + done, e.block, e.warp);
            debug_put_where(d);
            return true;
        }
    }
    return debug_answer(d, "no breakpoint is met %s here", d->back ? "before" : "after");
}

/* ---- the list ---- */

static bool read_condition(struct debug *d, struct words *w, struct stop *p) {
    char word[64], *end;
    words_next(w, word, sizeof word);
    if (!*word)
        return true;
    if (strcmp(word, "if") != 0)
        return debug_refuse(d, "expected `if REGISTER[LANE] OP NUMBER`, not '%s'", word);
    words_next(w, word, sizeof word);
    char *open = strchr(word, '[');
    u64 lane = (u64)d->lane;
    if (open ? !debug_index(open + 1, &lane) : d->lane < 0)
        return debug_refuse(d, "expected REGISTER[LANE], as r4[3], not '%s'; `lane 3` is for those without", word);
    if (lane >= d->width)
        return debug_refuse(d, "a warp has lanes 0 to %u: '%s'", d->width - 1, word);
    p->lane = (u32)lane;
    if (open)
        *open = '\0';
    if (!debug_register(d, (u32)p->from, word, p->cond))
        return debug_refuse(d, "there is no register '%s' there", word);
    words_next(w, word, sizeof word);
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    for (size_t i = 0; i < COUNT_OF(ops); i++)
        if (strcmp(word, ops[i]) == 0)
            snprintf(p->op, sizeof p->op, "%s", ops[i]);
    if (!*p->op)
        return debug_refuse(d, "'%s' is none of == != < <= > >=", word);
    words_next(w, word, sizeof word);
    p->value = strtoll(word, &end, 0);
    p->only_if = true;
    return (*word && !*end) || debug_refuse(d, "'%s' is not a number", word);
}

static bool add(struct debug *d, struct stop *p, const char *text) {
    p->number = ++d->stopped;
    snprintf(p->text, sizeof p->text, "%s", text);
    buf_append(&d->stops, p, sizeof *p);
    buf_printf(&d->out, "breakpoint %u: %s\n", p->number, p->text);
    return !d->stops.failed || debug_refuse(d, "out of memory");
}

/* Finds the instruction of a label, or the first of a kernel or function. */
static bool find_pc(const struct debug *d, const char *name, u64 *pc) {
    struct heddle_name_info n;
    const struct heddle_instruction_info *l;
    for (u32 i = 0; heddle_name_info(d->program, i, &n); i++)
        if (strcmp(n.kind, "label") == 0 && strcmp(n.name, name) == 0) {
            *pc = n.number;
            return true;
        }
    for (*pc = 0; (l = debug_instruction(d, (u32)*pc)) != NULL; ++*pc)
        if (strcmp(l->kernel, name) == 0)
            return true;
    return false;
}

bool debug_break(struct debug *d, struct words *w) {
    char word[64];
    struct stop p = {.kind = STOP_LINE};
    struct line_spec at;
    const char *text = w->rest + strspn(w->rest, " \t");
    words_next(w, word, sizeof word);
    enum spec spec = debug_line_spec(d, word, &at);
    if (!*word)
        return debug_refuse(d, "break where? At a line, a label, a kernel, fault, BUFFER[ELEMENT] or an address");
    if (strcmp(word, "fault") == 0) {
        p.kind = STOP_FAULT;
        return add(d, &p, text);
    }
    if (spec == SPEC_EMPTY)
        return debug_refuse(d, "line %s has no instruction", word);
    if (spec == SPEC_LINE) {
        p.from = at.pc;
        p.line = at.line;
        p.in = debug_instruction(d, at.pc)->file;
        return read_condition(d, w, &p) && add(d, &p, text);
    }
    if (find_pc(d, word, &p.from)) {
        p.kind = STOP_PC;
        return read_condition(d, w, &p) && add(d, &p, text);
    }
    p.kind = STOP_ADDRESS;
    return debug_address(d, word, &p.from, &p.to) && add(d, &p, text);
}

bool debug_watch(struct debug *d, struct words *w) {
    char word[64];
    struct heddle_state s;
    struct stop p = {.kind = STOP_REGISTER, .block = d->block, .warp = d->warp};
    words_next(w, word, sizeof word);
    if (!debug_state(d, &s) || !debug_register(d, s.pc, word, p.name))
        return debug_refuse(d, "there is no register '%s' here%s", word,
                            strchr(word, '[') ? "; `break BUFFER[ELEMENT]` stops at accesses of an element" : "");
    char text[sizeof p.text];
    snprintf(text, sizeof text, "%s of warp %llu.%u changes", word, (unsigned long long)p.block, p.warp);
    return add(d, &p, text);
}

bool debug_breakpoints(struct debug *d, struct words *w) {
    (void)w;
    for (u32 i = 0; i < stop_count(d); i++)
        buf_printf(&d->out, "%4u  %s\n", stop_at(d, i)->number, stop_at(d, i)->text);
    if (!stop_count(d))
        buf_puts(&d->out, "no breakpoints\n");
    return true;
}

bool debug_delete(struct debug *d, struct words *w) {
    char word[32], more[32], *end;
    words_next(w, word, sizeof word);
    u64 number = strtoull(word, &end, 10);
    if (*words_next(w, more, sizeof more))
        return debug_refuse(d, "delete takes one number, or none: '%s'", more);
    if (!*word) {
        d->stops.len = 0;
        return true;
    }
    for (u32 i = 0; i < stop_count(d) && !*end; i++)
        if (stop_at(d, i)->number == number) {
            memmove(stop_at(d, i), stop_at(d, i + 1), (stop_count(d) - i - 1) * sizeof(struct stop));
            d->stops.len -= sizeof(struct stop);
            return true;
        }
    return debug_refuse(d, "there is no breakpoint %s", word);
}

/* ---- the last writer ---- */

static bool wrote(struct debug *d, u64 i, const char *what) {
    struct heddle_event e;
    char text[160];
    debug_event(d, i, &e);
    debug_line(d, e.pc, text, sizeof text);
    buf_printf(&d->out, "%s was written by warp %u of block %llu in cycle %llu, %s: %s\n", what, e.warp,
               (unsigned long long)e.block, (unsigned long long)e.cycle, debug_place(d, e.pc).text, text);
    debug_move(d, i, e.block, e.warp);
    return true;
}

static bool who_register(struct debug *d, const char *name, s64 lane, const char *what) {
    u64 i = waits_writer(d, name, lane);
    return i != UINT64_MAX ? wrote(d, i, what)
                           : debug_answer(d, "nothing that was recorded has written %s before", what);
}

static bool who_memory(struct debug *d, u64 from, u64 to, const char *what) {
    struct heddle_event e;
    for (u64 i = d->at; i-- > 0;) {
        if (debug_event(d, i, &e) != EVENT_ACCESS || !debug_touches(&e, from, to))
            continue;
        const char *operation = heddle_event_word(e.kind, 2, e.value[2]);
        if (strcmp(operation, "store") != 0 && strcmp(operation, "atomic") != 0)
            continue;
        d->block = e.block;
        d->warp = e.warp;
        u64 issue = debug_issue(d, i, true);
        return wrote(d, issue == UINT64_MAX ? i : issue, what);
    }
    return debug_answer(d, "nothing that was recorded has written %s before", what);
}

bool debug_who(struct debug *d, struct words *w) {
    char word[64], bare[64], name[8];
    struct heddle_state s;
    u64 from, to;
    words_next(w, word, sizeof word);
    snprintf(bare, sizeof bare, "%s", word);
    char *open = strchr(bare, '[');
    if (open)
        *open = '\0';
    if (debug_state(d, &s) && debug_register(d, s.pc, bare, name)) {
        u64 lane;
        if (open && (!debug_index(open + 1, &lane) || lane >= d->width))
            return debug_refuse(d, "a warp has lanes 0 to %u: '%s'", d->width - 1, word);
        return who_register(d, name, open ? (s64)lane : d->lane, word);
    }
    return debug_address(d, word, &from, &to) && who_memory(d, from, to, word);
}
