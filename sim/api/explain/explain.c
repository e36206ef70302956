#include "sim/api/explain/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- writing a page ---- */

struct heddle_column *explain_column(struct explain_page *p, const char *name, enum heddle_cell kind) {
    for (u32 i = 0; i < p->ncolumns; i++)
        if (strcmp(p->column[i].name, name) == 0)
            return &p->column[i];
    if (p->ncolumns == COLUMNS_MAX)
        BUG("a table of too many columns");
    struct heddle_column *c = &p->column[p->ncolumns++];
    c->name = arena_strndup(&p->e->h->result, name, strlen(name));
    c->kind = kind;
    p->failed |= c->name == NULL;
    c->name = c->title = c->name ? c->name : "";
    return c;
}

void explain_number(struct heddle_column *c, u32 lane, u64 value) {
    c->lanes |= (u64)1 << lane;
    c->value[lane] = value;
}

void explain_text(struct explain_page *p, struct heddle_column *c, u32 lane, const char *text) {
    c->text[lane] = arena_strndup(&p->e->h->result, text, strlen(text));
    p->failed |= c->text[lane] == NULL;
    if (c->text[lane])
        c->lanes |= (u64)1 << lane;
}

void explain_end(struct explain_page *p) {
    char *first = p->words.data + p->start;
    if (p->start < p->words.len && *first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
    buf_putc(&p->words, 0);
    p->start = p->words.len;
    p->nwords++;
}

void explain_say(struct explain_page *p, const char *fmt, ...) {
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    buf_puts(&p->words, text);
    explain_end(p);
}

/* Finds the distance between neighbours, if at least six lanes have the same one; else 0. */
static u32 lanes_step(u64 lanes) {
    u32 first = 0, last = 0, step = 0, n = 0;
    for (u32 l = 0; l < WARP_MAX; l++) {
        if (!(lanes >> l & 1))
            continue;
        if (n == 0)
            first = l;
        else if (n == 1)
            step = l - first;
        else if (l - last != step)
            return 0;
        last = l;
        n++;
    }
    return n >= 6 ? step : 0;
}

void explain_lanes(const struct explain_page *p, u64 lanes, struct buf *out) {
    enum { RANGES = 6 };
    u32 n = explain_popcount(lanes), step = lanes_step(lanes), told = 0, ranges = 0;
    u32 width = p->e->launch->width;
    if (n == width && n > 1) {
        buf_printf(out, "all %u lanes", n);
        return;
    }
    buf_puts(out, n == 1 ? "lane" : "lanes");
    if (step > 1) {
        u32 first = 0;
        while (!(lanes >> first & 1))
            first++;
        buf_printf(out, " %u, %u, %u, ..., %u", first, first + step, first + 2 * step, first + (n - 1) * step);
        return;
    }
    for (u32 l = 0; l < WARP_MAX && told < n; l++) {
        u32 end = l;
        if (!(lanes >> l & 1))
            continue;
        if (ranges++ == RANGES) {
            buf_printf(out, " and %u more", n - told);
            return;
        }
        while (end + 1 < WARP_MAX && lanes >> (end + 1) & 1)
            end++;
        bool pair = end == l + 1; /* "4, 5" is no longer than "4-5", and plainer */
        end = pair ? l : end;
        told += end - l + 1;
        buf_printf(out, "%s%u", ranges == 1 ? " " : told == n ? " and " : ", ", l);
        if (end > l)
            buf_printf(out, "-%u", end);
        l = end;
    }
}

/* ---- watching ---- */

static const char *const tally_names[TALLY_COUNT] = {
    [TALLY_LANES] = "lanes",
    [TALLY_TAKEN] = "lanes_taken",
    [TALLY_LINES] = "lines",
    [TALLY_SECTORS] = "sectors",
    [TALLY_PASSES] = "passes",
    [TALLY_IDEAL] = "passes_without_conflicts",
    [TALLY_ADDRESSES] = "distinct_addresses",
    [TALLY_SERIAL] = "lanes_on_one_address",
};

void explain_count(struct explain_inst *i, enum tally_kind kind, u32 value) {
    struct tally *t = &i->tally[kind];
    t->name = tally_names[kind];
    t->bin[value < TALLY_TOP ? value : TALLY_TOP]++;
}

static struct explain_inst *find(const struct explain *e, u32 pc) {
    for (u32 i = 0; i < e->n; i++)
        if (e->inst[i].pc == pc)
            return &e->inst[i];
    return NULL;
}

static u64 block_number(const struct launch *l, const u32 block[3]) {
    return block[0] + l->grid[0] * (block[1] + (u64)l->grid[1] * block[2]);
}

/* Reads an operand of each lane: registers as numbers, wide ones by their low 64 bits, predicates as 0 and 1. */
static void read_operand(const struct watched *w, const struct inst *i, const struct operand *o, u32 width,
                         u64 value[WARP_MAX]) {
    u32 words = operand_regs(i, o);
    u8 field = inst_field(i, o->place);
    bool pred = o->kind == K_PRED || o->kind == K_PRED_OPT;
    u8 p = pred ? inst_pred_field(i, o->place) : PT;
    for (u32 l = 0; l < width; l++) {
        value[l] = 0;
        if (pred)
            value[l] = (w->preds[p & PT] >> l & 1) ^ (p & PRED_NEG ? 1u : 0u);
        else if (operand_is_immediate(i, o))
            value[l] = i->imm;
        else if (words && field != RZ)
            value[l] = w->regs[field * width + l] | (words > 1 ? (u64)w->regs[(field + 1u) * width + l] << 32 : 0);
    }
}

static void read_operands(const struct explain *e, const struct watched *w, u64 to[OPERANDS_MAX][WARP_MAX]) {
    const struct inst *i = &e->launch->program->inst[w->pc];
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        if (isa_rows[i->op].operand[k].kind != K_NONE)
            read_operand(w, i, &isa_rows[i->op].operand[k], e->launch->width, to[k]);
}

static bool is_branch(const struct inst *i) {
    return isa_rows[i->op].iclass == CLASS_BRANCH;
}

/* True if this is the requested execution; counts it. */
static bool chosen(const struct explain *e, struct explain_inst *i, const struct watched *w) {
    const struct heddle_explain *a = e->asked;
    if (i->shown || (a->given > 0 && block_number(e->launch, w->block) != a->which[0]) ||
        (a->given > 1 && w->warp != a->which[1]))
        return false;
    return ++i->turns == (a->given > 2 ? a->which[2] : 1);
}

static void see_before(struct explain *e, struct explain_inst *i, const struct watched *w) {
    const struct inst *inst = &e->launch->program->inst[w->pc];
    i->executions++;
    explain_count(i, TALLY_LANES, explain_popcount(w->active & (is_branch(inst) ? ~(u64)0 : w->exec)));
    if (is_branch(inst))
        explain_count(i, TALLY_TAKEN, explain_popcount(w->exec));
    if (!chosen(e, i, w))
        return;
    i->shown = true;
    i->warp = w->warp;
    i->active = w->active;
    i->exec = w->exec;
    memcpy(i->block, w->block, sizeof i->block);
    i->open = true;
    read_operands(e, w, i->source);
}

static void see_after(struct explain *e, struct explain_inst *i, const struct watched *w) {
    if (w->addr && !w->faulted)
        explain_memory_count(e, i, w->addr, w->exec);
    if (!i->open)
        return;
    i->open = false;
    i->faulted = w->faulted;
    i->late = w->waits && op_reduces(e->launch->program->inst[w->pc].op);
    i->access = w->addr != NULL;
    if (w->addr)
        memcpy(i->addr, w->addr, sizeof i->addr);
    read_operands(e, w, i->result);
}

/* Skips an instruction that no lane executes, but not a branch: not being taken is an outcome. */
static void see(void *ctx, const struct watched *w) {
    struct explain *e = ctx;
    struct explain_inst *i = find(e, w->pc);
    if (!i || (!w->exec && !is_branch(&e->launch->program->inst[w->pc])))
        return;
    if (w->after)
        see_after(e, i, w);
    else
        see_before(e, i, w);
}

/* ---- the result ---- */

static void tell_who(struct explain_page *p) {
    const struct explain_inst *i = p->at;
    const struct heddle_explain *a = p->e->asked;
    const struct kernel *k = program_at(p->e->launch->program, i->pc);
    u64 full = p->e->launch->width == 64 ? ~(u64)0 : ((u64)1 << p->e->launch->width) - 1;
    if (!i->executions) {
        explain_say(p, "No lane executed it in this launch.");
        if (k != p->e->launch->kernel)
            explain_say(p, "It belongs to %s '%s'.", k->function ? "the function" : "the kernel", k->name);
    } else if (!i->shown && a->given > 2 && i->turns) {
        explain_say(p, "Warp %llu of block %llu executed it %s time%s only.", (unsigned long long)a->which[1],
                    (unsigned long long)a->which[0], grouped(i->turns).text, i->turns == 1 ? "" : "s");
    } else if (!i->shown && a->given > 1) {
        explain_say(p, "Warp %llu of block %llu did not execute it.", (unsigned long long)a->which[1],
                    (unsigned long long)a->which[0]);
    } else if (!i->shown) {
        explain_say(p, "Block %llu did not execute it.", (unsigned long long)a->which[0]);
    } else {
        if (i->active != full)
            explain_say(p, "%u of the warp's %u lanes are active; the others diverged, have exited, or do not exist.",
                        explain_popcount(i->active), p->e->launch->width);
        if (i->exec != i->active && !is_branch(p->inst))
            explain_say(p, "The guard holds in %u of them; the others skip it.", explain_popcount(i->exec));
        if (i->faulted)
            explain_say(p, "This execution faulted and had no effect.");
        if (i->late)
            explain_say(p, "The warp waits; its result comes with the last warp that arrives.");
    }
}

static bool fill_spread(struct heddle *h, const struct tally *t, struct heddle_spread *s) {
    u64 n = 0, sum = 0;
    u32 bins = 0;
    for (u32 v = 0; v <= TALLY_TOP; v++)
        bins += t->bin[v] != 0;
    struct heddle_bin *bin = arena_alloc(&h->result, bins * sizeof *bin);
    if (!bin)
        return false;
    s->name = t->name;
    s->histogram = bin;
    for (u32 v = 0; v <= TALLY_TOP; v++) {
        if (!t->bin[v])
            continue;
        s->min = s->nhistogram ? s->min : v;
        s->max = v;
        bin[s->nhistogram++] = (struct heddle_bin){v, t->bin[v]};
        n += t->bin[v];
        sum += v * t->bin[v];
    }
    s->mean = (double)sum / (double)n;
    return true;
}

static bool fill_spreads(struct heddle *h, const struct explain_inst *i, struct heddle_explained *x) {
    struct heddle_spread *list = arena_alloc(&h->result, TALLY_COUNT * sizeof *list);
    for (u32 k = 0; k < TALLY_COUNT && list; k++)
        if (i->tally[k].name && !fill_spread(h, &i->tally[k], &list[x->ntotals++]))
            return false;
    x->totals = list;
    return list != NULL;
}

/* Moves the sentences into the result. */
static bool fill_words(struct heddle *h, const struct explain_page *p, struct heddle_explained *x) {
    const char **list = arena_alloc(&h->result, p->nwords * sizeof *list);
    const char *at = p->words.failed ? NULL : arena_strndup(&h->result, p->words.data, p->words.len);
    if (!list || !at)
        return false;
    for (u32 i = 0; i < p->nwords; i++) {
        list[i] = at;
        at += strlen(at) + 1;
    }
    x->words = list;
    x->nwords = p->nwords;
    return true;
}

static bool fill(struct explain *e, const struct explain_inst *i, struct heddle_explained *x) {
    const struct program *program = e->launch->program;
    struct explain_page p = {.e = e, .at = i, .inst = &program->inst[i->pc]};
    p.column = arena_alloc(&e->h->result, COLUMNS_MAX * sizeof *p.column);
    if (!p.column || !context_texts(e->h, program, i->pc, &x->text, &x->disassembly))
        return false;
    struct line_place at = program_place(program, i->pc);
    x->file = at.file;
    x->line = at.line;
    x->pc = i->pc;
    x->first = program_first(program, i->pc);
    x->executions = i->executions;
    x->shown = i->shown;
    x->warp = i->warp;
    x->active = i->active;
    x->ran = i->exec;
    memcpy(x->block, i->block, sizeof x->block);
    explain_say(&p, "%s", isa_rows[p.inst->op].doc);
    tell_who(&p);
    if (i->shown && i->access)
        explain_memory(&p);
    else if (i->shown)
        explain_warp(&p);
    bool ok = fill_words(e->h, &p, x) && fill_spreads(e->h, i, x) && !p.failed;
    x->columns = p.column;
    x->ncolumns = p.ncolumns;
    buf_free(&p.words);
    return ok;
}

enum heddle_status explain_begin(struct explain *e, bool dry) {
    e->watch.see = see;
    e->watch.ctx = e;
    enum heddle_status status = explain_choose(e);
    if (status != HEDDLE_OK || e->n == 0 || !dry || explain_dry_run(e, &e->watch))
        return status;
    context_no_memory(e->h, "the explanation");
    return HEDDLE_MEMORY;
}

bool explain_fill(struct explain *e, struct heddle_result *r) {
    struct heddle_explained *list = arena_alloc(&e->h->result, e->n * sizeof *list);
    bool ok = list != NULL;
    for (u32 i = 0; i < e->n && ok; i++)
        ok = fill(e, &e->inst[i], &list[i]);
    if (!ok)
        return context_no_memory(e->h, "the explanation");
    r->explain = list;
    r->nexplain = e->n;
    return true;
}
