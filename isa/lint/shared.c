/* What the parts of the linter share: sets of registers, messages, and the walk over blocks. */
#include "isa/lint/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

bool inst_clears(const struct inst *i) {
    bool op = i->op == OP_XOR_B32 || i->op == OP_XOR_B64 || i->op == OP_SUB_S32 || i->op == OP_SUB_S64;
    return op && i->isel == 0 && i->a == i->b;
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

struct span lint_span(struct lint *l, u32 pc, const char **found) {
    struct span at = {.line = l->p->line[pc], .col = 1, .len = 1};
    *found = NULL;
    const struct source_file source = program_source(l->p, at.line);
    const char *text = source.text, *end = text != NULL ? text + source.len : NULL;
    u32 line = source.first + 1;
    if (text != NULL && l->last.text == text && l->last.line <= at.line) {
        line = l->last.line;
        text = l->last.at;
    }
    for (; line < at.line && text != NULL; line++) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text != NULL ? text + 1 : NULL;
    }
    if (text == NULL || at.line == 0)
        return at;
    l->last.text = source.text;
    l->last.at = text;
    l->last.line = at.line;
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

void lint_warn(struct lint *l, enum lint_class class, u32 pc, const char *fmt, ...) {
    char text[200];
    const char *source;
    va_list ap;
    if (l->allowed && l->allowed->is(l->allowed->ctx, class, pc))
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (u32 i = 0; i < l->diag->kept; i++) { /* a line in a macro has many instructions */
        const struct diag_message *m = &l->diag->message[i];
        if (m->at.line == l->p->line[pc] && strcmp(m->text, text) == 0)
            return;
    }
    const struct span nowhere = {.line = l->p->line[pc]}; /* of one that is counted only */
    diag_warn(l->diag, l->diag->kept < DIAG_MAX ? lint_span(l, pc, &source) : nowhere, "%s", text);
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
