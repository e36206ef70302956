/*
 * Warnings about code that assembles but is likely wrong. Silence on correct kernels is the first rule: what cannot be
 * known is taken to be fine.
 */
#include "isa/lint/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/check.h"
#include "isa/shapes.h"

/* ---- sets ---- */

bool set_join(struct reg_set *to, const struct reg_set *from) {
    u64 more = 0;
    for (u32 w = 0; w < SET_WORDS; w++) {
        more |= from->word[w] & ~to->word[w];
        to->word[w] |= from->word[w];
    }
    return more != 0;
}

static void add_registers(const struct inst *i, const struct operand *o, struct reg_set *set) {
    u8 reg = inst_field(i, (enum operand_place)o->place);
    u32 count = operand_regs(i, o);
    for (u32 n = 0; reg != RZ && n < count; n++)
        set_add(set, reg + n);
}

static void add_predicate(u8 pred, struct reg_set *set) {
    if ((pred & ~PRED_NEG) != PT)
        set_add(set, SET_PREDS + (pred & (PRED_NEG - 1u)));
}

static void add_operands(const struct inst *i, bool writes, struct reg_set *set) {
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &isa_rows[i->op].operand[n];
        if ((o->place == PLACE_D) != writes)
            continue;
        if (o->kind == K_PRED || o->kind == K_PRED_OPT)
            add_predicate(inst_pred_field(i, (enum operand_place)o->place), set);
        else
            add_registers(i, o, set);
    }
}

void inst_reads(const struct inst *i, struct reg_set *set) {
    add_operands(i, false, set);
    add_predicate(i->guard, set);
}

void inst_writes(const struct inst *i, struct reg_set *set) {
    add_operands(i, true, set);
}

/* ---- messages ---- */

static const char *skip_blanks(const char *text, const char *end) {
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

/* Behind the blanks and labels at the start of a line. */
static const char *skip_labels(const char *text, const char *end) {
    for (;;) {
        text = skip_blanks(text, end);
        const char *c = text;
        while (c < end && *c != '\0' && strchr(" \t\r\n:;,[]", *c) == NULL)
            c++;
        c = skip_blanks(c, end);
        if (c == end || *c != ':')
            return text;
        text = c + 1;
    }
}

struct span lint_span(const struct program *p, u32 pc, const char **found) {
    struct span at = {.line = p->line[pc], .col = 1, .len = 1};
    *found = NULL;
    const struct source_file source = program_source(p, at.line);
    const char *text = source.text, *end = text != NULL ? text + source.len : NULL;
    for (u32 line = source.first + 1; line < at.line && text != NULL; line++) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text != NULL ? text + 1 : NULL;
    }
    if (text == NULL || at.line == 0)
        return at;
    const char *start = text;
    text = skip_labels(text, end);
    const char *last = text;
    for (const char *c = text; c < end && *c != '\n' && *c != '\r' && *c != ';'; c++) {
        if (*c == '/' && c + 1 < end && c[1] == '/')
            break;
        last = *c != ' ' && *c != '\t' ? c + 1 : last;
    }
    at.col = (u32)(text - start) + 1;
    at.len = last > text ? (u32)(last - text) : 1;
    *found = last > text ? text : NULL;
    return at;
}

void lint_warn(struct lint *l, u32 pc, const char *fmt, ...) {
    char text[200];
    const char *source;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (u32 i = 0; i < l->diag->kept; i++) { /* a line in a macro has many instructions */
        const struct diag_message *m = &l->diag->message[i];
        if (m->at.line == l->p->line[pc] && strcmp(m->text, text) == 0)
            return;
    }
    if (l->diag->kept < DIAG_MAX)
        diag_warn(l->diag, lint_span(l->p, pc, &source), "%s", text);
    else
        diag_warn(l->diag, (struct span){.line = l->p->line[pc], .col = 1, .len = 1}, "%s", text);
}

struct lint_name lint_name(const struct lint *l, u32 pc, u32 bit) {
    struct lint_name name = {""};
    struct buf text = {0};
    bool pred = bit >= SET_PREDS;
    register_print(l->p, pc, pred ? NAME_PREDICATE : NAME_REGISTER, pred ? bit - SET_PREDS : bit, &text);
    snprintf(name.text, sizeof name.text, "%.63s", text.failed ? "" : text.data);
    buf_free(&text);
    return name;
}

/* ---- walking ---- */

bool lint_solve(struct lint *l, void (*visit)(struct lint *l, void *ctx, u32 block, bool changed[2]), void *ctx,
                u64 *budget) {
    u32 head = 0, count = 1, size = l->flow.count;
    l->queue[0] = 0;
    l->queued[0] = true;
    while (count > 0) {
        u32 b = l->queue[head];
        const struct flow_block *block = &l->flow.block[b];
        bool changed[2] = {false, false};
        head = head + 1 == size ? 0 : head + 1;
        count--;
        l->queued[b] = false;
        u64 work = block->last - block->first + (u64)1;
        *budget -= work < *budget ? work : *budget;
        if (*budget == 0) {
            memset(l->queued, 0, size * sizeof *l->queued);
            return false;
        }
        visit(l, ctx, b, changed);
        for (u32 s = 0; s < 2; s++) {
            u32 to = block->succ[s];
            if (to != FLOW_NONE && changed[s] && !l->queued[to]) {
                l->queued[to] = true;
                l->queue[(head + (u64)count) % size] = to;
                count++;
            }
        }
    }
    return true;
}

static void visit_reachable(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    (void)ctx;
    l->reached[block] = true;
    for (u32 s = 0; s < 2; s++) {
        u32 to = l->flow.block[block].succ[s];
        changed[s] = to != FLOW_NONE && !l->reached[to];
    }
}

static void lint_unreachable(struct lint *l) {
    for (u32 b = 1; b < l->flow.count; b++)
        if (!l->reached[b] && l->reached[b - 1])
            lint_warn(l, l->flow.block[b].first, "unreachable code in '%.60s'", l->k->name);
}

/* ---- registers that nothing has written ---- */

bool inst_clears(const struct inst *i) {
    bool op = i->op == OP_XOR_B32 || i->op == OP_XOR_B64 || i->op == OP_SUB_S32 || i->op == OP_SUB_S64;
    return op && i->isel == 0 && i->a == i->b;
}

static void step_written(const struct lint *l, const struct inst *i, struct reg_set *written) {
    inst_writes(i, written);
    if (i->op == OP_CALL)
        set_join(written, l->called_writes);
}

/* ctx: for each block, what may have been written before it. */
static void visit_written(struct lint *l, void *ctx, u32 block, bool changed[2]) {
    struct reg_set *before = ctx;
    struct reg_set written = before[block];
    const struct flow_block *b = &l->flow.block[block];
    for (u32 pc = b->first; pc <= b->last; pc++)
        step_written(l, &l->flow.inst[pc], &written);
    for (u32 s = 0; s < 2; s++) {
        if (b->succ[s] != FLOW_NONE) {
            bool first = !l->reached[b->succ[s]];
            l->reached[b->succ[s]] = true;
            changed[s] = set_join(&before[b->succ[s]], &written) || first;
        }
    }
}

static void warn_unwritten(struct lint *l, const struct inst *i, u32 pc, const struct reg_set *written,
                           struct reg_set *told) {
    struct reg_set reads = {{0}};
    inst_reads(i, &reads);
    for (u32 w = 0; w < SET_WORDS; w++)
        reads.word[w] &= ~written->word[w] & ~told->word[w];
    for (u32 bit = 0; bit < SET_BITS; bit++) {
        if (set_has(&reads, bit)) {
            lint_warn(l, pc, "%s is read here, but it was never written", lint_name(l, pc, bit).text);
            set_add(told, bit);
        }
    }
}

static void lint_unwritten(struct lint *l) {
    struct reg_set *before = arena_alloc(&l->flow.arena, l->flow.count * sizeof *before);
    struct reg_set told = {{0}};
    u64 budget = LINT_BUDGET;
    if (before == NULL || l->k->function)
        return; /* callers set a function's arguments */
    memset(l->reached, 0, l->flow.count * sizeof *l->reached);
    l->reached[0] = true;
    if (!lint_solve(l, visit_written, before, &budget))
        return;
    for (u32 b = 0; b < l->flow.count; b++) {
        struct reg_set written = before[b];
        const struct flow_block *block = &l->flow.block[b];
        for (u32 pc = block->first; l->reached[b] && pc <= block->last; pc++) {
            const struct inst *i = &l->flow.inst[pc];
            if (!inst_clears(i))
                warn_unwritten(l, i, pc, &written, &told);
            step_written(l, i, &written);
        }
    }
    lint_first_reads(l, before);
}

/* ---- widths ---- */

/* Warns of products of more lanes than the narrowest warp that the kernel allows. */
static void lint_widths(struct lint *l) {
    for (u32 pc = l->k->start; pc < l->k->end; pc++) {
        u32 op = l->p->inst[pc].op, lanes = isa_shapes[isa_rows[op].shape].lanes;
        u32 width = 8;
        while (width < lanes && !(l->k->warps & width / 8)) /* bit 0 = 8, 1 = 16, ... */
            width *= 2;
        if (width < lanes)
            lint_warn(l, pc, "%s is a product of %u lanes, and .warp names %u", isa_rows[op].name, lanes, width);
    }
}

/* ---- variables ---- */

/* Accesses at a fixed address outside of the variable that they name. */
static void lint_variables(struct lint *l) {
    for (u32 pc = l->k->start; pc < l->k->end; pc++) {
        const struct inst *i = &l->p->inst[pc];
        const struct variable *v = program_base(l->p, pc);
        s64 first = v ? (s64)(s32)(u32)i->imm - v->offset : 0;
        if (v && i->a == RZ && (first < 0 || (u64)first + inst_access_bytes(i) > variable_bytes(v)))
            lint_warn(l, pc, "the access leaves '%.60s', which has %s bytes", v->name, grouped(variable_bytes(v)).text);
    }
}

/* ---- the whole ---- */

static void lint_kernel(struct lint *l) {
    u64 budget = LINT_BUDGET;
    if (!flow_build(&l->flow, l->p->inst, l->k->start, l->k->end))
        return;
    l->reached = arena_alloc(&l->flow.arena, l->flow.count * sizeof *l->reached);
    l->queued = arena_alloc(&l->flow.arena, l->flow.count * sizeof *l->queued);
    l->queue = arena_alloc(&l->flow.arena, l->flow.count * sizeof *l->queue);
    if (l->reached != NULL && l->queued != NULL && l->queue != NULL && lint_solve(l, visit_reachable, NULL, &budget)) {
        lint_unreachable(l);
        lint_unwritten(l);
        lint_barriers(l);
        lint_alignment(l);
        lint_widths(l);
        lint_variables(l);
        lint_parameters(l);
    }
    flow_free(&l->flow);
}

void program_lint(const struct program *p, struct diag *diag) {
    struct reg_set called_writes = {{0}};
    for (u32 k = 0; k < p->nkernels; k++)
        for (u32 pc = p->kernel[k].start; p->kernel[k].function && pc < p->kernel[k].end; pc++)
            inst_writes(&p->inst[pc], &called_writes);
    struct arena arena = {0};
    bool *meets = arena_alloc(&arena, p->nkernels * sizeof *meets);
    if (meets != NULL)
        lint_meetings(p, meets);
    for (u32 k = 0; meets != NULL && k < p->nkernels; k++) {
        struct lint l = {.p = p, .k = &p->kernel[k], .called_writes = &called_writes, .meets = meets, .diag = diag};
        lint_kernel(&l);
    }
    arena_free(&arena);
}
