/* Explains an instruction that accesses no memory, lane by lane: source lanes, jumps, operands and results. */
#include <stdio.h>
#include <string.h>

#include "isa/shuffle.h"
#include "sim/api/explain/explain.h"

/* ---- operands ---- */

static bool has_word(const char *name, size_t len, const char *word) {
    size_t n = strlen(word);
    for (const char *dot = strchr(name, '.'); dot && dot < name + len; dot = strchr(dot + 1, '.'))
        if (strncmp(dot + 1, word, n) == 0 && (dot[1 + n] == '.' || dot[1 + n] == 0))
            return true;
    return false;
}

/* Format of a register's numbers: the type in the instruction's name, the last one for sources. */
struct format {
    enum heddle_cell kind;
    u32 bits;
};

static struct format format_of(const char *name, bool result) {
    static const struct {
        const char *word;
        struct format format;
    } rows[] = {{"f32", {HEDDLE_CELL_FLOAT, 32}},  {"f64", {HEDDLE_CELL_FLOAT, 64}},  {"s32", {HEDDLE_CELL_SIGNED, 32}},
                {"s64", {HEDDLE_CELL_SIGNED, 64}}, {"u32", {HEDDLE_CELL_NUMBER, 32}}, {"u64", {HEDDLE_CELL_NUMBER, 64}},
                {"wide", {HEDDLE_CELL_HEX, 64}}};
    struct format f = {HEDDLE_CELL_HEX, 64};
    const char *best = NULL;
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        char dotted[8];
        snprintf(dotted, sizeof dotted, ".%s", rows[i].word);
        const char *at = has_word(name, strlen(name), rows[i].word) ? strstr(name, dotted) : NULL;
        if (at && (!best || (result ? at < best : at > best))) {
            best = at;
            f = rows[i].format;
        }
    }
    return f;
}

static u64 shown_value(struct format f, u32 words, u64 v) {
    if (f.kind == HEDDLE_CELL_SIGNED && words < 2)
        return (u64)(s64)(s32)(u32)v;
    if (f.kind == HEDDLE_CELL_FLOAT && words < 2) {
        u32 low = (u32)v;
        float single;
        memcpy(&single, &low, sizeof single);
        double number = single;
        memcpy(&v, &number, sizeof v);
    }
    return v;
}

/* Sets the title of a column: its name with the register's own name. */
static void name_column(struct explain_page *p, struct heddle_column *c, const char *before, bool pred, u32 number) {
    struct buf title = {0};
    buf_puts(&title, before);
    register_print(p->e->launch->program, p->at->pc, pred ? NAME_PREDICATE : NAME_REGISTER, number, &title);
    const char *kept = title.failed ? NULL : arena_strndup(&p->e->h->result, title.data, title.len);
    p->failed |= kept == NULL;
    c->title = kept ? kept : c->name;
    buf_free(&title);
}

static void operand_column(struct explain_page *p, const struct operand *o, const u64 value[WARP_MAX], bool result) {
    const struct explain_inst *at = p->at;
    bool pred = o->kind == K_PRED || o->kind == K_PRED_OPT;
    u32 words = operand_regs(p->inst, o);
    u8 field = pred ? inst_pred_field(p->inst, o->place) : inst_field(p->inst, o->place);
    struct format f = pred ? (struct format){HEDDLE_CELL_NUMBER, 1} : format_of(isa_rows[p->inst->op].name, result);
    char name[24], before[8];
    if ((!pred && (words == 0 || words > 2 || field == RZ)) || (pred && (field & PT) == PT) || o->kind == K_MASK_OPT)
        return;
    if (!pred && words == 2 && f.bits == 32) /* an address among numbers */
        f.kind = HEDDLE_CELL_HEX;
    const u32 number = pred ? field & (u32)PT : field;
    snprintf(before, sizeof before, "%s%s", result ? "new " : "", pred && field & PRED_NEG ? "!" : "");
    snprintf(name, sizeof name, "%s%c%u", before, pred ? 'p' : 'r', number);
    struct heddle_column *c = explain_column(p, name, f.kind);
    name_column(p, c, before, pred, number);
    for (u32 l = 0; l < WARP_MAX; l++)
        if (at->exec >> l & 1)
            explain_number(c, l, shown_value(f, words, value[l]));
}

static void operand_columns(struct explain_page *p) {
    const struct isa_row *row = &isa_rows[p->inst->op];
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        if (row->operand[k].kind != K_NONE && row->operand[k].place != PLACE_D)
            operand_column(p, &row->operand[k], p->at->source[k], false);
    for (u32 k = 0; k < OPERANDS_MAX && !p->at->faulted && !p->at->late; k++)
        if (row->operand[k].kind != K_NONE && row->operand[k].place == PLACE_D)
            operand_column(p, &row->operand[k], p->at->result[k], true);
}

/* Finds the operand at that place as it was before the execution. */
static const u64 *operand_at(const struct explain_page *p, enum operand_place place) {
    const struct isa_row *row = &isa_rows[p->inst->op];
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        if (row->operand[k].kind != K_NONE && row->operand[k].place == place && row->operand[k].kind != K_MASK_OPT)
            return p->at->source[k];
    BUG("an explanation of an operand that is not there");
}

/* ---- shuffles ---- */

/* The source lane of each lane. */
struct shuffle {
    u32 from[WARP_MAX];
    u64 inside; /* lanes whose source lies in their segment */
    u32 segment;
};

/* A shuffle with segments in a register; those of its lanes may differ. */
static void clamped_sources(const struct explain_page *p, struct shuffle *x) {
    const u64 *b = operand_at(p, PLACE_B), *c = operand_at(p, PLACE_C);
    x->segment = p->e->launch->width;
    for (u32 l = 0; l < p->e->launch->width; l++) {
        bool exists;
        struct shuffle_clamped s = {p->inst->op, p->e->launch->width, l, (u32)b[l], (u32)c[l]};
        x->from[l] = shuffle_clamped(s, &exists);
        x->inside |= (u64)exists << l;
    }
}

static void shuffle_sources(const struct explain_page *p, struct shuffle *x) {
    const u64 *b = operand_at(p, PLACE_B);
    u32 seg = inst_mod(p->inst, GROUP_SEG), width = p->e->launch->width,
        s = seg && 1u << seg < width ? 1u << seg : width;
    x->segment = s;
    x->inside = 0;
    for (u32 l = 0; l < width; l++) {
        u32 i = l & (s - 1), by = (u32)b[l], source = by & (s - 1);
        bool ok = by < s;
        if (p->inst->op == OP_SHFL_UP_B32)
            ok = by <= i, source = i - by;
        else if (p->inst->op == OP_SHFL_DOWN_B32)
            ok = by < s - i, source = i + by;
        else if (p->inst->op == OP_SHFL_BFLY_B32)
            ok = (i ^ by) < s, source = i ^ by;
        bool wraps = p->inst->op == OP_SHFL_IDX_B32; /* an index beyond the segment wraps to its start */
        x->from[l] = ok || wraps ? (l & ~(s - 1)) + source : l;
        x->inside |= (u64)ok << l;
    }
}

/* True if every lane that reads another reads the one `by` further. */
static bool reads_at(const struct shuffle *x, u64 lanes, s32 by) {
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1 && (s32)x->from[l] - (s32)l != by)
            return false;
    return true;
}

static void say_shuffle(struct explain_page *p, const struct shuffle *x, u64 lanes) {
    u64 read = 0, others = 0, trades = 0;
    u32 first = WARP_MAX;
    for (u32 l = WARP_MAX; l-- > 0;) {
        if (!(lanes >> l & 1))
            continue;
        read |= (u64)1 << x->from[l];
        others |= (u64)(x->from[l] != l) << l;
        trades |= (u64)(x->from[l] != l && lanes >> x->from[l] & 1 && x->from[x->from[l]] == l) << l;
        first = x->from[l] != l ? l : first;
    }
    u32 n = explain_popcount(lanes), sources = explain_popcount(read);
    s32 by = others ? (s32)x->from[first] - (s32)first : 0;
    if (!others)
        explain_say(p, "Every lane keeps its own value.");
    else if (sources == 1)
        explain_say(p, "All read lane %u: a broadcast.", x->from[first]);
    else if (reads_at(x, others, by))
        explain_say(p, "Each reads the lane %u %s it.", by > 0 ? (u32)by : (u32)-by, by > 0 ? "above" : "below");
    else if (trades == lanes)
        explain_say(p, "They trade in pairs: lane %u with lane %u, and so on.", first, x->from[first]);
    else if (sources == n)
        explain_say(p, "Every lane is read by exactly one: a permutation.");
    else
        explain_say(p, "%u lane%s read by %u.", sources, sources == 1 ? " is" : "s are", n);
}

static void tell_shuffle(struct explain_page *p) {
    struct shuffle x = {{0}, 0, 0};
    u64 lanes = p->at->exec;
    struct heddle_column *c = explain_column(p, "reads lane", HEDDLE_CELL_NUMBER);
    if (isa_rows[p->inst->op].operand[4].kind == K_REG)
        clamped_sources(p, &x);
    else
        shuffle_sources(p, &x);
    for (u32 l = 0; l < WARP_MAX; l++)
        if (lanes >> l & 1)
            explain_number(c, l, x.from[l]);
    if (x.segment < p->e->launch->width)
        explain_say(p, "Lanes read within segments of %u.", x.segment);
    say_shuffle(p, &x, lanes);
    u64 alone = lanes & ~x.inside;
    if (!alone)
        return;
    explain_lanes(p, alone, &p->words);
    if (p->inst->op == OP_SHFL_IDX_B32)
        buf_puts(&p->words, ": the number lies beyond the segment, and counts from its start again.");
    else
        buf_puts(&p->words, ": no such lane in the segment; the own value stays.");
    explain_end(p);
}

/* ---- votes, matches ---- */

static void say_groups(struct explain_page *p, const u64 *value) {
    enum { GROUPS = 4 };
    u64 left = p->at->exec;
    u32 told = 0, more = 0;
    for (u32 l = 0; l < WARP_MAX; l++) {
        u64 same = 0;
        if (!(left >> l & 1))
            continue;
        for (u32 k = l; k < WARP_MAX; k++)
            same |= (u64)(left >> k & 1 && value[k] == value[l]) << k;
        left &= ~same;
        if (told++ >= GROUPS) {
            more++;
            continue;
        }
        explain_lanes(p, same, &p->words);
        buf_printf(&p->words, ": 0x%llx.", (unsigned long long)value[l]);
        explain_end(p);
    }
    if (more)
        explain_say(p, "%u more value%s.", more, more == 1 ? "" : "s");
}

static void tell_elect(struct explain_page *p) {
    u32 chosen = 0;
    while (chosen < WARP_MAX && !(p->at->exec >> chosen & 1))
        chosen++;
    explain_say(p, "Lane %u, the lowest of %u.", chosen, explain_popcount(p->at->exec));
}

static void tell_vote(struct explain_page *p) {
    if (p->inst->op == OP_ELECT) {
        tell_elect(p);
        return;
    }
    const u64 *value = operand_at(p, PLACE_A);
    bool predicate = false;
    u64 holds = 0;
    for (u32 k = 0; k < OPERANDS_MAX; k++)
        predicate |=
            isa_rows[p->inst->op].operand[k].kind == K_PRED && isa_rows[p->inst->op].operand[k].place == PLACE_A;
    if (!predicate) {
        say_groups(p, value);
        return;
    }
    for (u32 l = 0; l < WARP_MAX; l++)
        holds |= (p->at->exec >> l & 1 & value[l]) << l;
    buf_printf(&p->words, "It holds in %u of %u lanes", explain_popcount(holds), explain_popcount(p->at->exec));
    if (holds) {
        buf_puts(&p->words, ": ");
        explain_lanes(p, holds, &p->words);
    }
    buf_puts(&p->words, ".");
    explain_end(p);
}

/* ---- transit registers ---- */

/* Describes the eight rows that the four slots form, every second row and column of them (docs/reference/isa.md). */
static void tell_extract(struct explain_page *p) {
    u32 k = p->e->launch->width / 4, rows = p->inst->b >> 1 & 1u, cols = p->inst->b & 1u;
    if (k == 0)
        BUG("a warp of fewer than four lanes");
    struct heddle_column *slot = explain_column(p, "slot", HEDDLE_CELL_NUMBER);
    struct heddle_column *from = explain_column(p, "pushed by lane", HEDDLE_CELL_NUMBER);
    explain_say(p, "Phase %u: the %s rows and the %s columns of the array of 8 rows and %u columns.", p->inst->b & 3u,
                rows ? "odd" : "even", cols ? "odd" : "even", 2 * k);
    for (u32 l = 0; l < 4 * k; l++) {
        u32 row = 2 * (l / k) + rows, col = 2 * (l % k) + cols;
        if (!(p->at->exec >> l & 1))
            continue;
        explain_number(slot, l, (row >= 4 ? 2u : 0u) + (col >= k ? 1u : 0u));
        explain_number(from, l, row % 4 * k + col % k);
    }
}

/* ---- control flow ---- */

static void say_place(struct explain_page *p, u32 pc) {
    const struct program *program = p->e->launch->program;
    if (pc < program->ninst && program->line[pc])
        buf_puts(&p->words, program_line(program, program->line[pc]).text);
    else
        buf_printf(&p->words, "instruction %u", pc);
}

static void say_branch(struct explain_page *p) {
    u64 go_on = p->at->active & ~p->at->exec;
    if (p->at->exec) {
        explain_lanes(p, p->at->exec, &p->words);
        buf_puts(&p->words, " jump to ");
        say_place(p, inst_target(p->inst));
        buf_puts(&p->words, ".");
        explain_end(p);
    }
    if (go_on) {
        explain_lanes(p, go_on, &p->words);
        buf_puts(&p->words, " go on at ");
        say_place(p, p->at->pc + 1);
        buf_puts(&p->words, ".");
        explain_end(p);
    }
    if (!p->at->exec || !go_on) {
        explain_say(p, "The lanes stay together.");
        return;
    }
    if (inst_reconvergence(p->inst) == NO_RECONVERGENCE) {
        explain_say(p, "They diverge, and reconverge only at the end of the thread.");
        return;
    }
    buf_puts(&p->words, "They diverge, and run one group after the other until they reconverge at ");
    say_place(p, inst_reconvergence(p->inst));
    buf_puts(&p->words, ".");
    explain_end(p);
}

static void tell_branch(struct explain_page *p) {
    static const struct {
        u16 op;
        const char *cell, *does;
    } rows[] = {{OP_BRA, "jumps", NULL},
                {OP_CALL, "calls", " call"},
                {OP_RET, "returns", " return"},
                {OP_EXIT, "ends", " end"},
                {OP_TRAP, "stops", " stop the launch"}};
    for (u32 i = 0; i < COUNT_OF(rows); i++) {
        if (rows[i].op != p->inst->op)
            continue;
        struct heddle_column *c = explain_column(p, "does", HEDDLE_CELL_TEXT);
        for (u32 l = 0; l < WARP_MAX; l++)
            if (p->at->active >> l & 1)
                explain_text(p, c, l, p->at->exec >> l & 1 ? rows[i].cell : "goes on");
        if (rows[i].op == OP_BRA) {
            say_branch(p);
        } else if (p->at->exec) {
            explain_lanes(p, p->at->exec, &p->words);
            buf_printf(&p->words, "%s.", rows[i].does);
            explain_end(p);
        }
    }
}

void explain_warp(struct explain_page *p) {
    switch ((enum iclass)isa_rows[p->inst->op].iclass) {
    case CLASS_BRANCH: tell_branch(p); return;
    case CLASS_SHFL: tell_shuffle(p); break;
    case CLASS_VOTE:
    case CLASS_MATCH: tell_vote(p); break;
    case CLASS_XEXT: tell_extract(p); break;
    default: break;
    }
    operand_columns(p);
}
