/*
 * A proof for a range of a size: sizes of less than one or two periods are proved by themselves, the others by
 * induction: for each rest that they leave when divided by the period, one proof stands for all (sim/prove/sizes.h).
 */
#include "sim/api/prove/range.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/bits.h"

enum {
    SINGLE_MOST = 4096,     /* sizes that are proved one by one */
    SINGLE_BYTES = 1 << 22, /* of buffers of such a size, where more are not */
    BEGUN = 32,             /* first sizes that are, of a long or endless range without induction */
    BEYOND = 3,             /* sizes after the proved ones that are tried, in search of a difference */
    FEW = 4                 /* periods for which a proof is tried first */
};

/* ---- one proof ---- */

static bool on_step(void *ctx, double share, const char *step) {
    struct range *r = ctx;
    const struct heddle_prove *asked = r->asked;
    snprintf(r->said, sizeof r->said, "%s = %" PRIu64 "%s, %s", r->name, r->n, r->many ? ", ..." : "", step);
    return !asked->progress || asked->progress(asked->progress_ctx, share, r->said);
}

/* Proves the launch that range_launch has made. */
static enum heddle_status prove(struct range *r, u64 n, struct sizes *sizes) {
    const struct heddle_prove *asked = r->asked;
    double left = asked->max_seconds > 0 ? r->until - asked->clock() : 0;
    r->n = n;
    r->many = sizes != NULL;
    r->one.max_seconds = asked->max_seconds > 0 && left <= 0 ? 1e-9 : left; /* it ends at once, and reports it */
    enum heddle_status status = proof_once(r->h, &r->one, sizes, r->out);
    if (status == HEDDLE_INPUT || status == HEDDLE_FAULT)
        buf_printf(&r->h->error, "heddle: this was with %s = %" PRIu64 "\n", r->name, n);
    if (status != HEDDLE_OK || r->out->verdict != HEDDLE_EQUAL)
        return status;
    size_t len = strcspn(r->out->text, "\n");
    r->assumed |= r->out->assumed;
    if (!r->line || len > strlen(r->line))
        r->line = arena_strndup(&r->arena, r->out->text, len);
    return r->line || context_no_memory(r->h, "a proof") ? HEDDLE_OK : HEDDLE_MEMORY;
}

static bool equal(const struct range *r, enum heddle_status status) {
    return status == HEDDLE_OK && r->out->verdict == HEDDLE_EQUAL;
}

/* Proves one size by itself. */
static enum heddle_status prove_single(struct range *r, u64 n) {
    return range_launch(r, n) ? prove(r, n, NULL) : HEDDLE_INPUT;
}

/* Proves sizes by themselves from r->next on, up to `last`. */
static enum heddle_status prove_each(struct range *r, u64 last) {
    enum heddle_status status = HEDDLE_OK;
    for (; r->next <= last; r->next += r->step) {
        status = prove_single(r, r->next);
        if (!equal(r, status))
            break;
    }
    return status;
}

/* ---- induction ---- */

/* Notes why the last proof, by induction, does not hold. */
static void reason(struct range *r) {
    const struct sizes *z = &r->sizes;
    r->wraps = z->wraps && !z->varies;
    const struct sizes_place at = z->why ? z->why_at : z->wraps_at;
    const struct program *p = r->asked->kernel[at.side].program->program;
    const char *text = "", *disassembly;
    buf_free(&r->why);
    if (!z->why && !r->wraps) {
        buf_puts(&r->why, r->out->text + strcspn(r->out->text, "\n") + 1);
        return;
    }
    struct line_place line = program_place(p, at.pc);
    context_texts(r->h, p, at.pc, &text, &disassembly);
    buf_printf(&r->why, "  %s: line %u%s%s, `%s`, ", r->out->kernels[at.side], line.line, line.file ? " of " : "",
               line.file ? line.file : "", text);
    if (z->why)
        buf_printf(&r->why, "%s %s\n", z->why, r->h->memory.list[z->why_buffer].name);
    else
        buf_puts(&r->why, "depends on a number that wraps around\n");
}

/* True if a size is one of the range. */
static bool of_range(const struct range *r, u64 n) {
    return n >= r->first && n <= r->last && (n - r->first) % r->step == 0;
}

/* Proves the sizes of a rest up to `most` periods: *holds, else r->why. */
static enum heddle_status prove_rest(struct range *r, u64 rest, u64 most, bool *holds) {
    u64 n = (u64)sizes_q(&r->sizes) * r->period + rest;
    *holds = false;
    r->sizes.most = (s64)most;
    if (!range_launch(r, n) || !range_sizes(r, rest))
        return r->apart ? HEDDLE_OK : HEDDLE_INPUT;
    enum heddle_status status = prove(r, n, &r->sizes);
    *holds = equal(r, status) && !r->sizes.why && !r->sizes.open;
    if (!*holds && status == HEDDLE_OK)
        reason(r);
    sizes_free(&r->sizes);
    bool shown = status == HEDDLE_OK && r->out->verdict == HEDDLE_DIFFERENT && of_range(r, n);
    return shown ? prove(r, n, NULL) : status; /* described without unknown sizes */
}

/* True if the last proof answers for the whole range: one size is not equal, or time is up. */
static bool answers(const struct range *r) {
    return r->out->verdict == HEDDLE_UNDECIDED ||
           (r->many ? r->out->verdict == HEDDLE_DIFFERENT && of_range(r, r->n) : r->out->verdict != HEDDLE_EQUAL);
}

static bool ends(const struct range *r, enum heddle_status status) {
    return status != HEDDLE_OK || r->apart || answers(r);
}

/* Proves a rest as far as it can: `*next`, the first size that is not proved, becomes less if it cannot. */
static enum heddle_status prove_far(struct range *r, u64 rest, u64 *next) {
    u64 most = (*next - 1 - rest) / r->period, least = 1 + (u64)r->sizes.edge;
    most = most < FEW ? FEW : most;
    for (u64 low = 0, high = most + 1, q = most; high - low > 1; q = low ? low + (high - low) / 2 : FEW) {
        bool holds;
        enum heddle_status status = prove_rest(r, rest, q, &holds);
        if (ends(r, status))
            return status;
        low = holds ? q : low;
        high = holds ? high : q;
        if (high <= most)
            *next = (!low && q == FEW ? least : high) * r->period + rest;
        if (!low && q == FEW)
            break;
    }
    return HEDDLE_OK;
}

static enum heddle_status induct(struct range *r) {
    u64 from = r->next, next = r->last + 1;
    enum heddle_status status = HEDDLE_OK;
    for (u64 n = from; n < from + r->period && n < next; n += r->step) {
        status = prove_far(r, n % r->period, &next);
        if (ends(r, status))
            return status;
    }
    r->next = next;
    r->from = next > from ? from : 0;
    return status;
}

/* ---- the range ---- */

/* Sizes below `periods` periods by themselves, the others by induction. */
static enum heddle_status prove_from(struct range *r, u64 periods) {
    enum heddle_status status = prove_each(r, periods * r->period - 1);
    r->sizes.edge = (s64)periods - 1;
    buf_free(&r->why);
    return ends(r, status) ? status : induct(r);
}

static enum heddle_status prove_range(struct range *r) {
    bool brief = r->last < (FEW + 1) * r->period,
         few = r->bounded && (brief || (r->last - r->first) / r->step < SINGLE_MOST);
    u64 begun = r->first + (BEGUN - 1) * r->step, bytes;
    r->apart = brief && !few ? "launches have no more than a few periods of it" : r->apart;
    if (!r->period || brief)
        return prove_each(r, few ? r->last : min_u64(r->last, begun));
    enum heddle_status status = prove_from(r, 1);
    if (!ends(r, status) && r->next < 2 * r->period)
        status = prove_from(r, 2);
    if (r->next > r->last || (ends(r, status) && !r->apart))
        return status;
    if (few)
        return prove_each(r, r->last);
    for (u64 k = 0, n = r->next; k < BEYOND && n <= r->last && status == HEDDLE_OK; k++, n += r->period) {
        if (!range_bytes(r, n, &bytes) || bytes > SINGLE_BYTES)
            break;
        status = prove_single(r, n);
        if (r->out->verdict == HEDDLE_DIFFERENT || r->out->verdict == HEDDLE_UNDECIDED)
            return status;
    }
    r->many = true; /* keeps the last proof, of one size, from being the answer, which is r->why */
    return status;
}

/* ---- the answer ---- */

static void say_equal(struct range *r, struct buf *out) {
    const char *name = r->name;
    buf_printf(out, "%s, for every %s from %s to", r->line, name, grouped(r->first).text);
    buf_printf(out, " %s", grouped(r->out->sizes.proved).text);
    if (r->step > 1)
        buf_printf(out, " in steps of %s", grouped(r->step).text);
    if (r->from > r->first)
        buf_printf(out, "\n  below %s each by itself, then by induction over blocks, %s at a time\n",
                   grouped(r->from).text, grouped(r->period).text);
    else
        buf_printf(out, "\n  %s\n", r->from ? "by induction over blocks" : "each by itself");
    if (r->why.len)
        buf_printf(out, "  not for larger ones:\n%s", r->why.data);
}

static void say_open(struct range *r, struct buf *out) {
    const struct heddle_proof *p = r->out;
    const char *name = r->name;
    buf_printf(out, "warp %u: %s and %s are not proved equal for every %s from %s", p->warp, p->kernels[0],
               p->kernels[1], name, grouped(r->first).text);
    if (r->bounded)
        buf_printf(out, " to %s", grouped(r->last).text);
    if (p->sizes.proved)
        buf_printf(out, ", only up to %s", grouped(p->sizes.proved).text);
    buf_putc(out, '\n');
    if (r->apart)
        buf_printf(out, "  no induction: %s\n", r->apart);
    if (r->why.len)
        buf_puts(out, r->why.data);
}

/* Words and numbers of the answer: equal; open, without an answer for all; or what the last proof has of its size. */
static enum heddle_status conclude(struct range *r) {
    struct heddle_proof *p = r->out;
    struct heddle_proof_sizes *z = &p->sizes;
    struct buf text = {0};
    bool all = r->next > r->last || (!r->bounded && r->wraps && r->next > r->first);
    bool single = !all && answers(r);
    *z = (struct heddle_proof_sizes){.name = arena_strndup(&r->h->result, r->name, strlen(r->name)),
                                     .first = r->first,
                                     .last = r->last,
                                     .step = r->step};
    z->proved = r->next > r->first ? r->next - 1 - (r->next - 1 - r->first) % r->step : 0;
    z->period = r->from ? r->period : 0;
    z->at = single ? r->n : 0;
    memcpy(z->grid_a, r->one.kernel[0].grid, sizeof z->grid_a);
    memcpy(z->grid_b, r->one.kernel[1].grid, sizeof z->grid_b);
    p->assumed |= r->assumed;
    if (r->next > r->last)
        buf_free(&r->why);
    if (single) {
        size_t len = strcspn(p->text, "\n");
        buf_append(&text, p->text, len);
        buf_printf(&text, ", with %s = %s%s", z->name, grouped(r->n).text, p->text + len);
    } else {
        p->verdict = all ? HEDDLE_EQUAL : HEDDLE_UNPROVED;
        p->name = all ? "equal" : "unproved";
        p->nelements = 0;
        p->difference.buffer = NULL;
        if (all)
            say_equal(r, &text);
        else
            say_open(r, &text);
    }
    if (r->why.len && !single)
        z->why = arena_strndup(&r->h->result, r->why.data, r->why.len);
    proof_shorten(&text);
    p->text = text.failed || r->why.failed ? NULL : arena_strndup(&r->h->result, text.data, text.len);
    buf_free(&text);
    return p->text || context_no_memory(r->h, "a proof") ? HEDDLE_OK : HEDDLE_MEMORY;
}

/* The request for one size. */
static bool begin(struct range *r) {
    const struct heddle_prove *asked = r->asked;
    struct heddle_arg *args = arena_alloc(&r->arena, (asked->nargs + 1) * sizeof *args);
    if (!args)
        return context_no_memory(r->h, "a proof");
    if (asked->nargs)
        memcpy(args, asked->args, asked->nargs * sizeof *args);
    bool takes = false; /* a kernel has the size as a parameter */
    for (u32 side = 0; side < 2; side++) {
        const struct kernel *k = program_kernel(asked->kernel[side].program->program, asked->kernel[side].entry);
        const struct param *p = k ? kernel_param(k, r->name) : NULL;
        takes |= p && !p->buffer;
    }
    args[asked->nargs] = (struct heddle_arg){.name = r->name, .text = r->number};
    r->one = *asked;
    r->one.sizes.range = NULL;
    r->one.args = args;
    r->one.nargs = asked->nargs + takes;
    r->one.progress = on_step;
    r->one.progress_ctx = r;
    r->next = r->first;
    r->until = asked->max_seconds > 0 && asked->clock ? asked->clock() + asked->max_seconds : 0;
    return true;
}

enum heddle_status proof_range(struct heddle *h, const struct heddle_prove *asked, struct heddle_proof *proof) {
    struct range r = {.h = h, .asked = asked, .out = proof};
    context_begin(h);
    *proof = (struct heddle_proof){0};
    enum heddle_status status = HEDDLE_INPUT;
    if (range_read(&r) && range_addresses(&r) && begin(&r) && range_period(&r) && range_last(&r))
        status = prove_range(&r);
    if (status == HEDDLE_OK)
        status = conclude(&r);
    buf_free(&r.why);
    arena_free(&r.arena);
    return status;
}
