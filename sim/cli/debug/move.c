/* Where the cursor is, and how it moves. */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/debug/debug.h"

static enum event kind_of(u32 kind) {
    static const char *const names[] = {"wait", "issue", "access", "arrive", "barrier", "end"};
    const char *name = heddle_event_kind(kind, NULL, NULL, NULL);
    for (u32 i = 0; i < EVENT_OTHER; i++)
        if (strcmp(names[i], name) == 0)
            return (enum event)i;
    return EVENT_OTHER;
}

enum event debug_event(const struct debug *d, u64 i, struct heddle_event *e) {
    return heddle_event(d->r.run.h, i, e) ? kind_of(e->kind) : EVENT_OTHER;
}

u64 debug_issue(struct debug *d, u64 i, bool back) {
    struct heddle_event e;
    for (;;) {
        i = back ? heddle_event_previous(d->r.run.h, d->r.block, d->r.warp, i)
                 : heddle_event_next(d->r.run.h, d->r.block, d->r.warp, i);
        if (i == UINT64_MAX || debug_event(d, i, &e) == EVENT_ISSUE)
            return i;
        i += !back;
    }
}

/* The issue before event i, or the one behind the instruction that issues next there. */
static u64 beside(struct debug *d, u64 i) {
    u64 here = d->back ? i : debug_issue(d, i, false);
    if (here == UINT64_MAX)
        return here;
    return d->back ? debug_issue(d, i, true) : debug_issue(d, here + 1, false);
}

u64 debug_cycle_of(const struct debug *d) {
    struct heddle_event e;
    if (heddle_event(d->r.run.h, d->at, &e) || (d->at && heddle_event(d->r.run.h, d->at - 1, &e)))
        return e.cycle;
    return 0;
}

void debug_move(struct debug *d, u64 i, u64 block, u32 warp) {
    d->at = i;
    d->r.block = block;
    d->r.warp = warp;
    d->r.at = debug_cycle_of(d);
}

bool debug_state(struct debug *d, struct heddle_state *s) {
    return heddle_state(d->r.run.h, d->r.block, d->r.warp, d->at, s);
}

void debug_begin(struct debug *d) {
    struct heddle_event e;
    for (d->events = 0; heddle_event(d->r.run.h, d->events, &e); d->events++)
        ;
    u64 first = 0;
    while (first < d->events && debug_event(d, first, &e) != EVENT_ISSUE)
        first++;
    /* Warp 0 of its block, though another may be the first to issue. */
    d->r.block = e.block;
    u64 i = debug_issue(d, 0, false);
    if (i != UINT64_MAX)
        debug_move(d, i, e.block, 0);
    else if (first < d->events)
        debug_move(d, first, e.block, e.warp);
}

/* ---- words of a command ---- */

const char *words_next(struct words *w, char *word, size_t size) {
    size_t n = 0;
    w->rest += strspn(w->rest, " \t");
    for (; *w->rest && *w->rest != ' ' && *w->rest != '\t'; w->rest++)
        if (n + 1 < size)
            word[n++] = *w->rest;
    word[n] = '\0';
    return word;
}

/* A whole number from 1 on; `without` when there is no word. False after a message. */
static bool count_of(struct debug *d, struct words *w, u64 without, u64 *n) {
    char word[32], *end;
    *n = without;
    if (!*words_next(w, word, sizeof word))
        return true;
    *n = strtoull(word, &end, 10);
    return (*end == '\0' && *n && word[0] != '-') || debug_refuse(d, "'%s' is not a number from 1 on", word);
}

/* ---- commands ---- */

/* What has happened can be seen until the warp's last instruction: behind it there is nothing. */
static bool ended(struct debug *d) {
    if (d->back)
        return debug_answer(d, "this is the first instruction of warp %llu.%u", (unsigned long long)d->r.block,
                            d->r.warp);
    debug_move(d, d->events, d->r.block, d->r.warp);
    debug_put_where(d);
    return true;
}

static bool steps(struct debug *d, u64 n) {
    for (; n; n--) {
        u64 i = beside(d, d->at);
        if (i == UINT64_MAX)
            return ended(d);
        debug_move(d, i, d->r.block, d->r.warp);
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

/* The warp's issues, on or back, up to one at that pc. */
static bool until_pc(struct debug *d, u64 pc, const char *what) {
    struct heddle_event e;
    for (u64 i = d->at;;) {
        i = beside(d, i);
        if (i == UINT64_MAX)
            return debug_answer(d, "warp %llu.%u does not reach %s %s here", (unsigned long long)d->r.block, d->r.warp,
                                what, d->back ? "before" : "after");
        debug_event(d, i, &e);
        if (e.pc == pc) {
            debug_move(d, i, d->r.block, d->r.warp);
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
    const struct heddle_line_count *l = run_record_line(&d->r.run.result, s.pc);
    if (!d->back && l && strstr(l->text, "call") != NULL)
        return until_pc(d, s.pc + 1, "the instruction behind the call");
    return steps(d, 1);
}

/* The warp's issues up to an instruction of that line, or one whose text begins so. */
static bool until_text(struct debug *d, u64 line, const char *begins, const char *what) {
    struct heddle_event e;
    for (u64 i = d->at;;) {
        i = beside(d, i);
        if (i == UINT64_MAX)
            return debug_answer(d, "warp %llu.%u does not reach %s %s here", (unsigned long long)d->r.block, d->r.warp,
                                what, d->back ? "before" : "after");
        debug_event(d, i, &e);
        const struct heddle_line_count *l = run_record_line(&d->r.run.result, e.pc);
        const char *text = l ? l->text : "";
        text = *text == '@' && strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
        if (l && (begins ? strncmp(text, begins, strlen(begins)) == 0 : l->line == line)) {
            debug_move(d, i, d->r.block, d->r.warp);
            debug_put_where(d);
            return true;
        }
    }
}

static bool until_end(struct debug *d) {
    for (u64 i = d->at, last = i;; last = i) {
        i = beside(d, i);
        if (i == UINT64_MAX) {
            debug_move(d, last, d->r.block, d->r.warp);
            debug_put_where(d);
            return true;
        }
    }
}

bool debug_until(struct debug *d, struct words *w) {
    char word[64], what[80], *end;
    struct heddle_state s;
    struct heddle_name_info n;
    words_next(w, word, sizeof word);
    u64 line = strtoull(word, &end, 10);
    if (!*word)
        return debug_refuse(d, "until what? A line, a label, barrier, reconverge or end");
    if (*end == '\0' && (line > UINT32_MAX || heddle_line_instruction(d->r.run.program, (u32)line) == UINT32_MAX))
        return debug_refuse(d, "line %s has no instruction", word);
    if (*end == '\0') {
        snprintf(what, sizeof what, "line %s", word);
        return until_text(d, line, NULL, what);
    }
    if (strcmp(word, "barrier") == 0)
        return until_text(d, 0, "bar.", "a barrier");
    if (strcmp(word, "end") == 0)
        return until_end(d);
    if (strcmp(word, "reconverge") == 0) {
        if (!debug_state(d, &s) || s.reconverge == UINT64_MAX)
            return debug_refuse(d, "no lanes of this warp wait for others");
        return until_pc(d, s.reconverge, "the point where its lanes meet");
    }
    for (u32 i = 0; heddle_name_info(d->r.run.program, i, &n); i++)
        if (strcmp(n.kind, "label") == 0 && strcmp(n.name, word) == 0) {
            snprintf(what, sizeof what, "'%s'", word);
            return until_pc(d, n.number, what);
        }
    return debug_refuse(d, "'%s' is no line, label, barrier, reconverge or end", word);
}

bool debug_cycle(struct debug *d, struct words *w) {
    char word[32], *end;
    words_next(w, word, sizeof word);
    u64 cycle = strtoull(word, &end, 10), cycles = d->r.run.result.cycles;
    if (!*word || *end || word[0] == '-')
        return debug_refuse(d, "'%s' is no cycle; the launch has %s", word, grouped(cycles).text);
    if (cycle > cycles)
        return debug_refuse(d, "the launch has %s cycles", grouped(cycles).text);
    debug_move(d, heddle_event_at(d->r.run.h, cycle), d->r.block, d->r.warp);
    d->r.at = cycle;
    debug_put_where(d);
    return true;
}

bool debug_reverse(struct debug *d, struct words *w) {
    static const char *const may[] = {"step", "s", "next", "n", "until", "u", "continue", "c"};
    char word[32];
    const char *line = w->rest;
    words_next(w, word, sizeof word);
    for (size_t i = 0; i < COUNT_OF(may); i++)
        if (strcmp(word, may[i]) == 0) {
            d->back = true;
            bool ok = debug_perform(d, line);
            w->rest += strlen(w->rest);
            return ok;
        }
    return debug_refuse(d, "step, next, until and continue have a way back, '%s' has none", word);
}

bool debug_warp(struct debug *d, struct words *w) {
    char word[48], *dot;
    struct heddle_state s;
    words_next(w, word, sizeof word);
    u64 block = strtoull(word, &dot, 10), warp = *dot == '.' && dot[1] ? strtoull(dot + 1, &dot, 10) : UINT32_MAX;
    if (*dot || warp >= UINT32_MAX)
        return debug_refuse(d, "'%s' is not BLOCK.WARP, as 3.1 for warp 1 of block 3", word);
    if (!heddle_state(d->r.run.h, block, (u32)warp, d->events, &s))
        return debug_refuse(d, "there is no warp %llu of block %llu in the recording", (unsigned long long)warp,
                            (unsigned long long)block);
    u64 cycle = d->r.at;
    debug_move(d, d->at, block, (u32)warp);
    d->r.at = cycle;
    debug_put_where(d);
    return true;
}
