/* The cursor's position, and its moves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/ascii.h"
#include "sim/debug/debug.h"

static enum event kind_of(u32 kind) {
    static const char *const names[] = {"wait", "issue", "access", "arrive", "barrier", "end"};
    const char *name = heddle_event_kind(kind, NULL, NULL, NULL);
    for (u32 i = 0; i < EVENT_OTHER; i++)
        if (strcmp(names[i], name) == 0)
            return (enum event)i;
    return EVENT_OTHER;
}

enum event debug_event(const struct debug *d, u64 i, struct heddle_event *e) {
    return heddle_event(d->h, i, e) ? kind_of(e->kind) : EVENT_OTHER;
}

u64 debug_issue(struct debug *d, u64 i, bool back) {
    struct heddle_event e;
    for (;;) {
        i = back ? heddle_event_previous(d->h, d->block, d->warp, i) : heddle_event_next(d->h, d->block, d->warp, i);
        if (i == UINT64_MAX || debug_event(d, i, &e) == EVENT_ISSUE)
            return i;
        i += !back;
    }
}

/* Finds the issue before event i, or the one after the instruction that issues next there. */
static u64 beside(struct debug *d, u64 i) {
    u64 here = d->back ? i : debug_issue(d, i, false);
    if (here == UINT64_MAX)
        return here;
    return d->back ? debug_issue(d, i, true) : debug_issue(d, here + 1, false);
}

u64 debug_cycle_of(const struct debug *d) {
    struct heddle_event e;
    if (heddle_event(d->h, d->at, &e) || (d->at && heddle_event(d->h, d->at - 1, &e)))
        return e.cycle;
    return 0;
}

void debug_move(struct debug *d, u64 i, u64 block, u32 warp) {
    d->at = i;
    d->block = block;
    d->warp = warp;
    d->cycle = debug_cycle_of(d);
}

bool debug_state(struct debug *d, struct heddle_state *s) {
    return heddle_state(d->h, d->block, d->warp, d->at, s);
}

/* Reads the texts of all instructions once: they are needed often, and printing one takes a microsecond. */
static bool read_code(struct debug *d) {
    struct heddle_instruction_info info;
    for (u32 pc = 0; heddle_instruction_info(d->program, pc, &info); pc++) {
        buf_append(&d->code, &info, sizeof info);
        d->late |= strstr(info.disassembly, "atom.") || strstr(info.disassembly, ".acquire");
    }
    return !d->code.failed;
}

const struct heddle_instruction_info *debug_instruction(const struct debug *d, u32 pc) {
    const struct heddle_instruction_info *code = (const struct heddle_instruction_info *)(const void *)d->code.data;
    return pc < d->code.len / sizeof *code ? &code[pc] : NULL;
}

/* Checks whether all warps begin in the recording, and end in it. */
static void count_warps(struct debug *d, u64 warps) {
    struct heddle_event e;
    u64 begun = 0, ended = 0;
    for (u64 i = 0; heddle_event(d->h, i, &e); i++) {
        begun += strcmp(heddle_event_kind(e.kind, NULL, NULL, NULL), "begin") == 0;
        ended += kind_of(e.kind) == EVENT_END;
    }
    d->from_start = begun == d->warps.len / sizeof(struct warp_of);
    d->whole = begun == warps && ended == warps;
}

bool debug_begin(struct debug *d, struct heddle *h, const struct heddle_program *program,
                 const struct heddle_result *result) {
    struct heddle_event e = {0};
    u64 first = 0;
    d->h = h;
    d->program = program;
    d->recording = heddle_recording(h);
    d->cycles = result->cycles;
    d->width = result->warp;
    d->shared = result->shared_bytes;
    d->fault = result->fault.kind != NULL;
    d->events = result->events;
    d->lane = -1;
    if (!d->recording || !d->events || !heddle_event(h, d->events - 1, &e) || !read_code(d))
        return false;
    warps_recorded(h, &d->warps);
    if (d->warps.failed)
        return false;
    d->kernel = result->kernel;
    count_warps(d, result->warps);
    while (first < d->events && debug_event(d, first, &e) != EVENT_ISSUE)
        first++;
    /* Warp 0 of its block, even if another warp issues first. */
    d->block = e.block;
    u64 i = debug_issue(d, 0, false);
    if (i != UINT64_MAX)
        debug_move(d, i, e.block, 0);
    else if (first < d->events)
        debug_move(d, first, e.block, e.warp);
    return true;
}

void debug_free(struct debug *d) {
    buf_free(&d->code);
    buf_free(&d->warps);
    buf_free(&d->stops);
    buf_free(&d->out);
    buf_free(&d->error);
}

/* Reads a whole number from 1 on; `without` if there is no word. False after a message. */
static bool count_of(struct debug *d, struct words *w, u64 without, u64 *n) {
    char word[32], *end;
    *n = without;
    if (!*words_next(w, word, sizeof word))
        return true;
    *n = strtoull(word, &end, 10);
    return (*end == '\0' && *n && word[0] != '-') || debug_refuse(d, "'%s' is not a number from 1 on", word);
}

/* ---- commands ---- */

/* True at the warp's last instruction, the last point with a known state. */
static bool ended(struct debug *d) {
    if (d->back)
        return debug_answer(d, "this is the first instruction of warp %llu.%u", (unsigned long long)d->block, d->warp);
    debug_move(d, d->events, d->block, d->warp);
    debug_put_where(d);
    return true;
}

static bool steps(struct debug *d, u64 n) {
    for (; n; n--) {
        u64 i = beside(d, d->at);
        if (i == UINT64_MAX)
            return ended(d);
        debug_move(d, i, d->block, d->warp);
    }
    debug_put_where(d);
    return true;
}

bool debug_step(struct debug *d, struct words *w) {
    u64 n;
    return count_of(d, w, 1, &n) && steps(d, n);
}

bool debug_back(struct debug *d, struct words *w) {
    d->back = !d->back;
    return debug_step(d, w);
}

/* A goal of `until`: an instruction of a line, one whose text begins so, or the one at that pc. */
struct goal {
    const char *what; /* its name in messages */
    const struct line_spec *line;
    const char *begins;
    u64 pc;
};

static bool is_goal(const struct debug *d, const struct goal *g, u32 pc) {
    const struct heddle_instruction_info *l = debug_instruction(d, pc);
    if (!g->line && !g->begins)
        return pc == g->pc;
    return l && (g->line ? debug_is_at(l, g->line)
                         : strncmp(debug_unguarded(l->disassembly), g->begins, strlen(g->begins)) == 0);
}

/* Moves along the warp's issues, forward or back, to one of the goal. */
static bool until(struct debug *d, const struct goal *g) {
    struct heddle_event e;
    for (u64 i = d->at;;) {
        i = beside(d, i);
        if (i == UINT64_MAX)
            return debug_answer(d, "warp %llu.%u does not reach %s %s here", (unsigned long long)d->block, d->warp,
                                g->what, d->back ? "before" : "after");
        debug_event(d, i, &e);
        if (is_goal(d, g, e.pc)) {
            debug_move(d, i, d->block, d->warp);
            debug_put_where(d);
            return true;
        }
    }
}

bool debug_next(struct debug *d, struct words *w) {
    struct heddle_state s;
    (void)w;
    if (!debug_state(d, &s) || s.ended)
        return ended(d);
    const struct heddle_instruction_info *l = debug_instruction(d, s.pc);
    if (!d->back && l && strncmp(debug_unguarded(l->disassembly), "call ", 5) == 0)
        return until(d, &(struct goal){"the instruction after the call", .pc = s.pc + 1});
    return steps(d, 1);
}

static bool until_end(struct debug *d) {
    for (u64 i = d->at, last = i;; last = i) {
        i = beside(d, i);
        if (i == UINT64_MAX) {
            debug_move(d, last, d->block, d->warp);
            debug_put_where(d);
            return true;
        }
    }
}

bool debug_until(struct debug *d, struct words *w) {
    char word[64], what[80];
    struct heddle_state s;
    struct heddle_name_info n;
    struct line_spec at;
    words_next(w, word, sizeof word);
    enum spec spec = debug_line_spec(d, word, &at);
    if (!*word)
        return debug_refuse(d, "until what? A line, a label, barrier, reconverge or end");
    if (spec == SPEC_EMPTY)
        return debug_refuse(d, "line %s has no instruction", word);
    if (spec == SPEC_LINE) {
        snprintf(what, sizeof what, "line %s", word);
        return until(d, &(struct goal){what, .line = &at});
    }
    if (strcmp(word, "barrier") == 0)
        return until(d, &(struct goal){"a barrier", .begins = "bar."});
    if (strcmp(word, "end") == 0)
        return until_end(d);
    if (strcmp(word, "reconverge") == 0) {
        if (!debug_state(d, &s) || s.reconverge == UINT64_MAX)
            return debug_refuse(d, "no lanes of this warp wait for others");
        return until(d, &(struct goal){"the point where its lanes meet", .pc = s.reconverge});
    }
    for (u32 i = 0; heddle_name_info(d->program, i, &n); i++)
        if (strcmp(n.kind, "label") == 0 && strcmp(n.name, word) == 0) {
            snprintf(what, sizeof what, "'%s'", word);
            return until(d, &(struct goal){what, .pc = n.number});
        }
    return debug_refuse(d, "'%s' is no line, label, barrier, reconverge or end", word);
}

bool debug_cycle(struct debug *d, struct words *w) {
    char word[32], *end;
    words_next(w, word, sizeof word);
    u64 cycle = strtoull(word, &end, 10), cycles = d->cycles;
    if (!*word || *end || word[0] == '-')
        return debug_refuse(d, "'%s' is no cycle; the launch has %s", word, grouped(cycles).text);
    if (cycle > cycles)
        return debug_refuse(d, "the launch has %s cycles", grouped(cycles).text);
    debug_move(d, heddle_event_at(d->h, cycle), d->block, d->warp);
    d->cycle = cycle;
    debug_put_where(d);
    return true;
}

/* Moves to another warp, at the same time. */
static bool look_at(struct debug *d, u64 block, u32 warp) {
    u64 cycle = d->cycle;
    debug_move(d, d->at, block, warp);
    d->cycle = cycle;
    debug_put_where(d);
    return true;
}

/* Reads a whole number of 32 bits, which is required. */
static bool number_of(struct debug *d, struct words *w, const char *what, u32 *n) {
    char word[32], *end;
    words_next(w, word, sizeof word);
    unsigned long long v = strtoull(word, &end, 10);
    *n = (u32)v;
    return (is_digit(*word) && !*end && v < UINT32_MAX) ||
           debug_refuse(d, "'%s' is not the number of %s, which count from 0", word, what);
}

bool debug_block(struct debug *d, struct words *w) {
    struct heddle_state s;
    u32 block;
    if (!number_of(d, w, "a block", &block))
        return false;
    if (heddle_state(d->h, block, d->warp, d->events, &s))
        return look_at(d, block, d->warp);
    const struct warp_of *of = (const struct warp_of *)(const void *)d->warps.data;
    for (size_t n = d->warps.len / sizeof *of; n--; of++)
        if (of->block == block)
            return look_at(d, block, of->warp);
    return debug_refuse(d, "there is no block %u in the recording", block);
}

/* Moves to the first warp that has begun on the SM and not ended. */
bool debug_sm(struct debug *d, struct words *w) {
    struct heddle_state s;
    struct heddle_event e;
    struct heddle_board_value sms;
    u32 sm;
    if (!number_of(d, w, "an SM", &sm))
        return false;
    if (heddle_board_value(d->h, "sms", &sms) && sm >= sms.number)
        return debug_refuse(d, "the board has SMs 0 to %.0f, not %u", sms.number - 1, sm);
    const struct warp_of *of = (const struct warp_of *)(const void *)d->warps.data;
    for (size_t n = d->warps.len / sizeof *of; n--; of++)
        if (heddle_state(d->h, of->block, of->warp, d->at, &s) && s.sm == sm && !s.ended)
            return look_at(d, of->block, of->warp);
    u64 i = d->at; /* an SM with a higher number has later events in the same cycle */
    while (i < d->events && (debug_event(d, i, &e) != EVENT_ISSUE || e.sm != sm))
        i++;
    if (i < d->events && e.cycle == d->cycle) {
        debug_move(d, i, e.block, e.warp);
        debug_put_where(d);
        return true;
    }
    if (i < d->events)
        return debug_answer(d, "no warp is on SM %u in cycle %llu; warp %llu.%u issues there in cycle %llu", sm,
                            (unsigned long long)d->cycle, (unsigned long long)e.block, e.warp,
                            (unsigned long long)e.cycle);
    return debug_answer(d, "no warp is on SM %u in cycle %llu, or later", sm, (unsigned long long)d->cycle);
}

bool debug_lane(struct debug *d, struct words *w) {
    struct words rest = *w;
    char word[32];
    u32 lane;
    if (strcmp(words_next(&rest, word, sizeof word), "all") == 0) {
        *w = rest;
        d->lane = -1;
        return debug_answer(d, "registers are those of all lanes");
    }
    if (!number_of(d, w, "a lane", &lane))
        return false;
    if (lane >= d->width)
        return debug_refuse(d, "a warp has lanes 0 to %u, not %u", d->width - 1, lane);
    d->lane = (s32)lane;
    return debug_answer(d, "registers, and those of conditions, are those of lane %u", lane);
}

bool debug_warp(struct debug *d, struct words *w) {
    char word[48], *dot;
    struct heddle_state s;
    words_next(w, word, sizeof word);
    u64 block = strtoull(word, &dot, 10), warp = *dot == '.' && dot[1] ? strtoull(dot + 1, &dot, 10) : UINT32_MAX;
    if (*dot || warp >= UINT32_MAX)
        return debug_refuse(d, "'%s' is not BLOCK.WARP, as 3.1 for warp 1 of block 3", word);
    if (!heddle_state(d->h, block, (u32)warp, d->events, &s))
        return debug_refuse(d, "there is no warp %llu of block %llu in the recording", (unsigned long long)warp,
                            (unsigned long long)block);
    return look_at(d, block, (u32)warp);
}
