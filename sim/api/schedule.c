#include "sim/api/schedule.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/result.h"
#include "sim/base/ascii.h"
#include "sim/check/explore.h"

/* ---- the request ---- */

/* Reads the number after a word of a schedule, "random:7"; false if there is none. */
static bool read_number(const char *text, u64 *value) {
    u64 v = 0;
    bool ok = *text != 0;
    for (; *text && ok; text++) {
        u64 digit = (u64)(*text - '0');
        ok = is_digit(*text) && v <= (UINT64_MAX - digit) / 10;
        v = v * 10 + digit;
    }
    *value = v;
    return ok;
}

const char *schedule_read(const char *text, struct schedule *s) {
    static const char random[] = "random:", all[] = "all";
    if (strncmp(text, random, strlen(random)) == 0) {
        text += strlen(random);
        return read_number(text, &s->random.seed) ? NULL : text;
    }
    if (strncmp(text, all, strlen(all)) != 0)
        return text;
    s->bound = EXPLORE_BOUND;
    text += strlen(all);
    if (!*text)
        return NULL;
    return *text == ':' && read_number(text + 1, &s->bound) && s->bound ? NULL : text + (*text == ':');
}

bool schedule_prepare(struct heddle *h, const struct heddle_launch *asked, struct launch *l, struct schedule *s) {
    const char *text = asked->schedule;
    if (!text)
        return true;
    if (h->clocked && !asked->functional)
        return context_fail(h, "heddle",
                            "the schedule '%s' is for launches without a clock: with one, the clock of "
                            "'%s' decides which warp runs when; functional (--functional) runs without it",
                            text, heddle_board_name(h));
    if (schedule_read(text, s))
        return context_fail(h, "heddle", "unknown schedule '%s'; " SCHEDULE_EXPECTED, text);
    if (!s->bound)
        l->chooser = schedule_random(&s->random);
    return true;
}

/* ---- the answer ---- */

static const char *keep(struct heddle *h, struct buf *text) {
    const char *kept = text->failed ? NULL : arena_strndup(&h->result, text->data ? text->data : "", text->len);
    buf_free(text);
    return kept;
}

/* Prints an element of a buffer as a number, or its bits if C has no such number. */
static const char *element_text(struct heddle *h, const struct buffer *b, const u8 *bytes) {
    struct buf text = {0};
    u64 v = 0;
    u32 size = etypes[b->type].bytes;
    for (u32 i = 0; i < size; i++)
        v |= (u64)bytes[i] << 8 * i;
    float single;
    double wide;
    u32 low = (u32)v;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &v, sizeof wide);
    if (b->type == ET_F32)
        buf_printf(&text, "%.9g", (double)single);
    else if (b->type == ET_F64)
        buf_printf(&text, "%.17g", wide);
    else if (etypes[b->type].kind == ETYPE_SIGNED)
        buf_printf(&text, "%lld", (long long)(v << (64 - 8 * size)) >> (64 - 8 * size));
    else if (etypes[b->type].kind == ETYPE_UNSIGNED || etypes[b->type].kind == ETYPE_TRUTH)
        buf_printf(&text, "%llu", (unsigned long long)v);
    else
        buf_printf(&text, "0x%0*llx", (int)(2 * size), (unsigned long long)v);
    return keep(h, &text);
}

static void put_variable(const struct variable *v, u64 byte, struct buf *out) {
    buf_puts(out, "shared ");
    variable_print_element(v, byte, out);
}

/* Names a place: "y[32]", "shared tile[32]", "shared memory, byte 128", "barrier 1". */
static const char *place_text(struct heddle *h, const struct launch *l, const struct explore_step *s) {
    struct buf text = {0};
    const struct allocation *a = s->at < TURN_SHARED ? memory_find(l->memory, s->at) : NULL;
    const struct buffer *b = a ? context_buffer(h, a->name) : NULL;
    const struct variable *v =
        s->at >= TURN_SHARED ? program_variable(l->program, l->kernel, s->pc, SPACE_SHARED, s->at % TURN_SHARED) : NULL;
    if (s->way == WAY_BARRIER)
        buf_printf(&text, "barrier %u", s->barrier);
    else if (b)
        buf_printf(&text, "%s[%llu]", b->name, (unsigned long long)((s->at - a->base) / etypes[b->type].bytes));
    else if (v)
        put_variable(v, s->at % TURN_SHARED, &text);
    else if (s->at >= TURN_SHARED)
        buf_printf(&text, "shared memory, byte %llu", (unsigned long long)(s->at % TURN_SHARED));
    else
        buf_printf(&text, "address 0x%llx", (unsigned long long)s->at);
    return keep(h, &text);
}

static bool fill_step(struct heddle *h, const struct launch *l, const struct explore_step *from,
                      struct heddle_order_step *to) {
    static const char *const how[] = {[WAY_READ] = "reads",
                                      [WAY_WRITE] = "writes",
                                      [WAY_ATOMIC] = "updates",
                                      [WAY_REDUCE] = "updates",
                                      [WAY_BARRIER] = "arrives at"};
    struct line_place at = program_place(l->program, from->pc);
    *to = (struct heddle_order_step){.file = at.file,
                                     .line = at.line,
                                     .how = how[from->way],
                                     .what = place_text(h, l, from),
                                     .warp = from->warp,
                                     .lane = from->lane};
    memcpy(to->block, from->block, sizeof to->block);
    return context_texts(h, l->program, from->pc, &to->text, &to->disassembly) && to->what;
}

static bool fill_order(struct heddle *h, const struct launch *l, const struct explore_story *from,
                       struct heddle_order *to) {
    struct heddle_order_step *steps = arena_alloc(&h->result, EXPLORE_STEPS * sizeof *steps);
    if (!steps)
        return false;
    for (u32 i = 0; i < from->count; i++)
        if (!fill_step(h, l, &from->step[i], &steps[i]))
            return false;
    to->steps = steps;
    to->nsteps = from->count;
    if (from->fault.kind == FAULT_NONE)
        return true;
    struct heddle_result where = {0};
    struct buf text = {0};
    result_fault(l, &from->fault, &where);
    fault_render(&from->fault, l, &text);
    to->fault = where.fault;
    to->message = keep(h, &text);
    return to->message != NULL;
}

/* Writes the answer in a sentence. */
static const char *answer(struct heddle *h, const struct heddle_orders *o, const struct explore_result *r) {
    struct buf text = {0};
    if (o->buffer)
        buf_printf(&text, "%s[%llu] depends on the order of warps: it is %s in one and %s in another", o->buffer,
                   (unsigned long long)o->element, o->order[0].value, o->order[1].value);
    else if (!r->same)
        buf_printf(&text, "whether the launch faults (%s) depends on the order of warps",
                   o->order[o->order[0].fault.kind ? 0 : 1].fault.kind);
    else if (r->too_long)
        buf_printf(&text, "not explored: an order of warps has more than %s",
                   "65,536 accesses or 10,000,000 instructions");
    else if (!r->all)
        buf_printf(&text, "the %s orders of warps that were executed %s; there are more", grouped(r->orders).text,
                   o->faults ? "all fault" : "leave the same bytes");
    else if (r->orders == 1)
        buf_printf(&text, "every order of warps %s: none conflict", o->faults ? "faults" : "leaves the same bytes");
    else
        buf_printf(&text, "all %s orders of warps %s", grouped(r->orders).text,
                   o->faults ? "fault" : "leave the same bytes");
    return keep(h, &text);
}

static bool fill_difference(struct heddle *h, const struct launch *l, const struct explore_result *r,
                            struct heddle_orders *o) {
    for (u32 i = 0; i < 2; i++)
        if (!fill_order(h, l, &r->story[i], &o->order[i]))
            return false;
    if (!r->byte)
        return true;
    const struct buffer *b = context_buffer(h, l->memory->list[r->allocation].name);
    u32 size = etypes[b->type].bytes;
    o->buffer = b->name;
    o->element = r->offset / size;
    for (u32 i = 0; i < 2; i++) {
        o->order[i].value = element_text(h, b, r->story[i].bytes + o->element * size % sizeof r->story[i].bytes);
        if (!o->order[i].value)
            return false;
    }
    return true;
}

/* Reports a deadlock of the first order, the machine's own: warps that wait in a loop would wait up to the limit. */
static enum heddle_status deadlocked(struct heddle *h, const struct launch *l, const struct fault *f,
                                     struct checking *c, struct heddle_result *r) {
    if (!result_fill(h, l, r) || (c && !checking_fill(c, NULL, r))) {
        context_no_memory(h, "the launch");
        return HEDDLE_MEMORY;
    }
    result_fault(l, f, r);
    fault_render(f, l, &h->error);
    return HEDDLE_FAULT;
}

static const struct launch *watch_order(void *ctx, const struct launch *l) {
    return checking_other(ctx, l);
}

static bool order_watched(void *ctx, const struct fault *f) {
    return checking_other_end(ctx, f);
}

enum heddle_status schedule_explore(struct heddle *h, const struct launch *l, const struct schedule *s,
                                    struct checking *c, struct heddle_result *r) {
    struct explore_setup setup = {.launch = l,
                                  .bound = s->bound,
                                  .progress = l->progress,
                                  .progress_ctx = l->progress_ctx};
    struct explore_result found;
    if (!s->bound)
        return HEDDLE_OK;
    if (c)
        setup.watch = (struct explore_watch){watch_order, order_watched, c};
    enum outcome outcome = explore_run(&setup, &found);
    if (outcome == RUN_FAULT) {
        context_fail(h, "heddle", "the schedule 'all' is for launches of at most %d warps in all blocks",
                     (int)EXPLORE_WARPS);
        return HEDDLE_INPUT;
    }
    if (outcome == RUN_STOPPED) {
        context_fail(h, l->program->file, "kernel '%s': stopped after %llu orders of warps", l->kernel->name,
                     (unsigned long long)found.orders);
        return HEDDLE_FAULT;
    }
    struct heddle_orders *o = arena_alloc(&h->result, sizeof *o);
    bool ok = o && outcome == RUN_OK;
    if (ok) {
        *o = (struct heddle_orders){.executed = found.orders, .bound = s->bound, .all = found.all, .same = found.same};
        o->faults = found.first.kind != FAULT_NONE;
        ok = found.same || fill_difference(h, l, &found, o);
    }
    if (ok)
        o->text = answer(h, o, &found);
    if (!ok || !o->text) {
        context_no_memory(h, "the orders of warps");
        return HEDDLE_MEMORY;
    }
    r->orders = o;
    return found.first.kind == FAULT_DEADLOCK ? deadlocked(h, l, &found.first, c, r) : HEDDLE_OK;
}
