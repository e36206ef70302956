#include "sim/prove/smt.h"

#include <stdlib.h>
#include <string.h>

#include "sim/prove/logic.h"
#include "sim/prove/source.h"

/* ---- what instructions are: A, B and C are the operands, a pair of registers as one word of 64 bits ---- */

#define IS(condition) "(ite " condition " #b1 #b0)"
#define ZERO32 "#x00000000"
#define ZERO64 "#x0000000000000000"
#define SIGNED(x) "((_ sign_extend 32) " x ")"
#define UNSIGNED(x) "((_ zero_extend 32) " x ")"
#define HIGH(x) "((_ extract 63 32) " x ")"
#define SIGNED128(x) "((_ sign_extend 64) " x ")"
#define UNSIGNED128(x) "((_ zero_extend 64) " x ")"
#define HIGH128(x) "((_ extract 127 64) " x ")"
#define CHOOSE(condition, yes, no) "(ite " condition " " yes " " no ")"
#define BIT31(x) "(= ((_ extract 31 31) " x ") #b1)"
#define COUNT_UP CHOOSE("(bvult A B)", "(bvadd A #x00000001)", ZERO32)
#define COUNT_DOWN CHOOSE("(bvult (bvsub A #x00000001) B)", "(bvsub A #x00000001)", "B")
#define WRAPPED "(bvand C #x0000001f)"
#define CLAMPED CHOOSE("(bvult C #x00000020)", "C", "#x00000020")

#define WORD33(x) "((_ zero_extend 1) " x ")"
#define CARRY33 "((_ zero_extend 32) C)"

/* Divisions by 0 are spelled out, so that they do not depend on the solver's convention. */
static const char *const meaning[OP_COUNT] = {
    [OP_ADD_S32] = "(bvadd A B)",
    [OP_SUB_S32] = "(bvsub A B)",
    [OP_MUL_LO_S32] = "(bvmul A B)",
    [OP_MUL_HI_S32] = HIGH("(bvmul " SIGNED("A") " " SIGNED("B") ")"),
    [OP_MUL_HI_U32] = HIGH("(bvmul " UNSIGNED("A") " " UNSIGNED("B") ")"),
    [OP_MUL_WIDE_S32] = "(bvmul " SIGNED("A") " " SIGNED("B") ")",
    [OP_MUL_WIDE_U32] = "(bvmul " UNSIGNED("A") " " UNSIGNED("B") ")",
    [OP_DIV_S32] = CHOOSE("(= B " ZERO32 ")", "#xffffffff", "(bvsdiv A B)"),
    [OP_DIV_U32] = CHOOSE("(= B " ZERO32 ")", "#xffffffff", "(bvudiv A B)"),
    [OP_REM_S32] = CHOOSE("(= B " ZERO32 ")", "A", "(bvsrem A B)"),
    [OP_REM_U32] = CHOOSE("(= B " ZERO32 ")", "A", "(bvurem A B)"),
    [OP_NEG_S32] = "(bvneg A)",
    [OP_ABS_S32] = CHOOSE("(bvslt A " ZERO32 ")", "(bvneg A)", "A"),
    [OP_MIN_S32] = CHOOSE("(bvslt A B)", "A", "B"),
    [OP_MAX_S32] = CHOOSE("(bvsgt A B)", "A", "B"),
    [OP_MIN_U32] = CHOOSE("(bvult A B)", "A", "B"),
    [OP_MAX_U32] = CHOOSE("(bvugt A B)", "A", "B"),
    [OP_SAD_U32] = "(bvadd " CHOOSE("(bvugt A B)", "(bvsub A B)", "(bvsub B A)") " C)",
    [OP_ADD_S64] = "(bvadd A B)",
    [OP_SUB_S64] = "(bvsub A B)",
    [OP_MUL_LO_S64] = "(bvmul A B)",
    [OP_MUL_HI_S64] = HIGH128("(bvmul " SIGNED128("A") " " SIGNED128("B") ")"),
    [OP_MUL_HI_U64] = HIGH128("(bvmul " UNSIGNED128("A") " " UNSIGNED128("B") ")"),
    [OP_DIV_S64] = CHOOSE("(= B " ZERO64 ")", "#xffffffffffffffff", "(bvsdiv A B)"),
    [OP_DIV_U64] = CHOOSE("(= B " ZERO64 ")", "#xffffffffffffffff", "(bvudiv A B)"),
    [OP_REM_S64] = CHOOSE("(= B " ZERO64 ")", "A", "(bvsrem A B)"),
    [OP_REM_U64] = CHOOSE("(= B " ZERO64 ")", "A", "(bvurem A B)"),
    [OP_NEG_S64] = "(bvneg A)",
    [OP_ABS_S64] = CHOOSE("(bvslt A " ZERO64 ")", "(bvneg A)", "A"),
    [OP_MIN_S64] = CHOOSE("(bvslt A B)", "A", "B"),
    [OP_MAX_S64] = CHOOSE("(bvsgt A B)", "A", "B"),
    [OP_MIN_U64] = CHOOSE("(bvult A B)", "A", "B"),
    [OP_MAX_U64] = CHOOSE("(bvugt A B)", "A", "B"),
    [OP_SHL_B32] = "(bvshl A B)",
    [OP_SHR_U32] = "(bvlshr A B)",
    [OP_SHR_S32] = "(bvashr A B)",
    [OP_SHL_B64] = "(bvshl A " UNSIGNED("B") ")",
    [OP_SHR_U64] = "(bvlshr A " UNSIGNED("B") ")",
    [OP_SHR_S64] = "(bvashr A " UNSIGNED("B") ")",
    [OP_SHF_L_WRAP_B32] = HIGH("(bvshl (concat B A) " UNSIGNED(WRAPPED) ")"),
    [OP_SHF_L_CLAMP_B32] = HIGH("(bvshl (concat B A) " UNSIGNED(CLAMPED) ")"),
    [OP_SHF_R_WRAP_B32] = "((_ extract 31 0) (bvlshr (concat B A) " UNSIGNED(WRAPPED) "))",
    [OP_SHF_R_CLAMP_B32] = "((_ extract 31 0) (bvlshr (concat B A) " UNSIGNED(CLAMPED) "))",
    [OP_SEL_MSB_B32] = CHOOSE(BIT31("A"), "B", "C"),
    [OP_SEL_MSB_B64] = CHOOSE(BIT31("A"), "B", "C"),
    [OP_ADDC_U32] = "(bvadd (bvadd A B) ((_ zero_extend 31) C))",
    [OP_SUBC_U32] = "(bvsub (bvsub A B) ((_ zero_extend 31) C))",
    [OP_SETP_CARRY_U32] = IS("(= ((_ extract 32 32) (bvadd (bvadd " WORD33("A") " " WORD33("B") ") " CARRY33 ")) #b1)"),
    [OP_SETP_BORROW_U32] = IS("(bvult " WORD33("A") " (bvadd " WORD33("B") " " CARRY33 "))"),
    [OP_SETP_EQ_S32] = IS("(= A B)"),
    [OP_SETP_NE_S32] = IS("(distinct A B)"),
    [OP_SETP_LT_S32] = IS("(bvslt A B)"),
    [OP_SETP_LE_S32] = IS("(bvsle A B)"),
    [OP_SETP_GT_S32] = IS("(bvsgt A B)"),
    [OP_SETP_GE_S32] = IS("(bvsge A B)"),
    [OP_SETP_LT_U32] = IS("(bvult A B)"),
    [OP_SETP_LE_U32] = IS("(bvule A B)"),
    [OP_SETP_GT_U32] = IS("(bvugt A B)"),
    [OP_SETP_GE_U32] = IS("(bvuge A B)"),
    [OP_SETP_EQ_S64] = IS("(= A B)"),
    [OP_SETP_NE_S64] = IS("(distinct A B)"),
    [OP_SETP_LT_S64] = IS("(bvslt A B)"),
    [OP_SETP_LE_S64] = IS("(bvsle A B)"),
    [OP_SETP_GT_S64] = IS("(bvsgt A B)"),
    [OP_SETP_GE_S64] = IS("(bvsge A B)"),
    [OP_SETP_LT_U64] = IS("(bvult A B)"),
    [OP_SETP_LE_U64] = IS("(bvule A B)"),
    [OP_SETP_GT_U64] = IS("(bvugt A B)"),
    [OP_SETP_GE_U64] = IS("(bvuge A B)"),
    [OP_TESTP_FINITE_F32] = IS("(distinct (bvand A #x7f800000) #x7f800000)"),
    [OP_TESTP_NAN_F32] = IS("(bvugt (bvand A #x7fffffff) #x7f800000)"),
    [OP_ATOM_CAS_B32] = CHOOSE("(= A B)", "C", "A"),
    [OP_ATOM_CAS_B64] = CHOOSE("(= A B)", "C", "A"),
    [OP_ATOM_INC_U32] = COUNT_UP,
    [OP_RED_INC_U32] = COUNT_UP,
    [OP_ATOM_DEC_U32] = COUNT_DOWN,
    [OP_RED_DEC_U32] = COUNT_DOWN,
};

static u32 width_of(const struct terms *e, u32 atom) {
    const struct atom *a = term_at(e, atom);
    if (a->code == ATOM_INPUT || a->code == ATOM_FRESH)
        return 32;
    if (a->code >= ATOM_TABLE)
        return 1;
    const struct isa_row *row = &isa_rows[a->code];
    if (row->kind == ROW_ATOM)
        return 32 * (a->count / 3);
    if (a->code >= OP_MATCH_ANY_B32 && a->code <= OP_MATCH_ALL_B64)
        return 64;
    u32 kind = row->operand[0].kind;
    return kind == K_PRED ? 1 : kind == K_REG2 ? 64 : 32;
}

/* ---- names ---- */

bool smt_init(struct smt *s, const struct terms *e, struct arena *arena) {
    u32 atoms = term_atoms(e), words = (u32)(e->words.len / sizeof(struct word));
    *s = (struct smt){.e = e};
    s->atom_round = arena_alloc(arena, atoms * sizeof *s->atom_round);
    s->atom_name = arena_alloc(arena, atoms * sizeof *s->atom_name);
    s->word_round = arena_alloc(arena, words * sizeof *s->word_round);
    s->word_name = arena_alloc(arena, words * sizeof *s->word_name);
    return s->atom_round && s->atom_name && s->word_round && s->word_name;
}

void smt_free(struct smt *s) {
    buf_free(&s->work);
}

void smt_question_free(struct smt_question *q) {
    buf_free(&q->text);
    buf_free(&q->input);
    buf_free(&q->unread);
}

static bool named(const struct smt *s, u32 atom) {
    return atom == 0 || s->atom_round[atom] == s->round;
}

/* ---- bits and words, of atoms that have names ---- */

static void put_atom(const struct smt *s, u32 atom, struct buf *out) {
    buf_printf(out, "%c%u", term_at(s->e, atom)->code == ATOM_INPUT ? 'v' : 't', s->atom_name[atom]);
}

/* Number of bits from the first one on that are known, or neighbours of one atom. */
static u32 stretch(const u32 *bit, u32 n) {
    u32 i = 1;
    if (bit_known(bit[0]))
        while (i < n && bit_known(bit[i]))
            i++;
    else
        while (i < n && bit[i] == bit[0] + i && bit_atom(bit[i]) == bit_atom(bit[0]))
            i++;
    return i;
}

static void put_stretch(const struct smt *s, const u32 *bit, u32 n, struct buf *out) {
    u32 atom = bit_atom(bit[0]), low = bit[0] & 63;
    if (bit_known(bit[0])) {
        buf_puts(out, "#b");
        for (u32 i = n; i-- > 0;)
            buf_putc(out, bit[i] == BIT_1 ? '1' : '0');
        return;
    }
    buf_puts(out, bit[0] & BIT_NOT ? "(bvnot " : "");
    if (n == width_of(s->e, atom)) {
        put_atom(s, atom, out);
    } else {
        buf_printf(out, "((_ extract %u %u) ", low + n - 1, low);
        put_atom(s, atom, out);
        buf_putc(out, ')');
    }
    buf_puts(out, bit[0] & BIT_NOT ? ")" : "");
}

/* The bits as one vector, the last of them the highest. */
static void put_bits(const struct smt *s, const u32 *bit, u32 n, struct buf *out) {
    u32 first[64], length[64], count = 0;
    for (u32 i = 0; i < n; i += length[count++]) {
        first[count] = i;
        length[count] = stretch(bit + i, n - i);
    }
    for (u32 i = count; i-- > 0;) {
        buf_puts(out, i ? "(concat " : "");
        put_stretch(s, bit + first[i], length[i], out);
        buf_puts(out, i ? " " : "");
    }
    for (u32 i = 1; i < count; i++)
        buf_putc(out, ')');
}

static void put_word(const struct smt *s, u32 word, struct buf *out) {
    buf_printf(out, "w%u", s->word_name[word]);
}

/* ---- one operation ---- */

/* Operand `k` of the row, in one or two words of the list; advances. */
static void put_operand(const struct smt *s, const u32 *list, u32 words, struct buf *out) {
    if (words == 2) {
        buf_puts(out, "(concat ");
        put_word(s, list[1], out);
        buf_putc(out, ' ');
    }
    put_word(s, list[0], out);
    buf_puts(out, words == 2 ? ")" : "");
}

/* Number of words of the list for each of the three operands. */
static void operand_words(const struct terms *e, u32 atom, u32 words[3]) {
    const struct atom *a = term_at(e, atom);
    const struct isa_row *row = &isa_rows[a->code];
    for (u32 k = 0; k < 3; k++) {
        u32 kind = row->operand[k + 1].kind;
        words[k] = row->kind == ROW_ATOM ? a->count / 3 : kind == K_REG2 ? 2 : kind == K_REG ? 1 : 0;
    }
}

static void put_meaning(const struct smt *s, u32 atom, struct buf *out) {
    const u32 *list = term_operands(s->e, atom);
    u32 words[3];
    operand_words(s->e, atom, words);
    const u32 first[] = {0, words[0], words[0] + words[1]};
    for (const char *at = meaning[term_at(s->e, atom)->code]; *at; at++)
        if (*at >= 'A' && *at <= 'C')
            put_operand(s, list + first[*at - 'A'], words[*at - 'A'], out);
        else
            buf_putc(out, *at);
}

/* Prints a function of n bits, by the last of them. */
static void put_table(const struct smt *s, u64 table, u32 n, const u32 *bit, struct buf *out) {
    u64 half = n ? ((u64)1 << (1u << (n - 1))) - 1 : 0, low = table & half,
        high = n ? table >> (1u << (n - 1)) & half : 0;
    if (n == 0) {
        buf_puts(out, table & 1 ? "#b1" : "#b0");
    } else if (low == high) {
        put_table(s, low, n - 1, bit, out);
    } else {
        buf_puts(out, "(ite (= ");
        put_bits(s, &bit[n - 1], 1, out);
        buf_puts(out, " #b1) ");
        put_table(s, high, n - 1, bit, out);
        buf_putc(out, ' ');
        put_table(s, low, n - 1, bit, out);
        buf_putc(out, ')');
    }
}

static void put_any(const struct smt *s, u32 atom, u32 k, struct buf *out) {
    const u32 *operand = &term_operands(s->e, atom)[k];
    if (source_operand(s->e, atom, k) == OPERAND_BIT)
        put_bits(s, operand, 1, out);
    else
        put_word(s, *operand, out);
}

static void put_chain(const struct smt *s, u32 atom, const char *name, struct buf *out) {
    u32 count = term_at(s->e, atom)->count;
    for (u32 k = 0; k + 1 < count; k++) {
        buf_printf(out, "(%s ", name);
        put_any(s, atom, k, out);
        buf_putc(out, ' ');
    }
    put_any(s, atom, count - 1, out);
    for (u32 k = 0; k + 1 < count; k++)
        buf_putc(out, ')');
}

/* Ones of a word of n bits, counted from the lowest; or its zeros above the highest one. */
static void put_count(const struct smt *s, u32 atom, u32 n, bool ones, struct buf *out) {
    const u32 *list = term_operands(s->e, atom);
    for (u32 i = 0; i < n; i++) {
        u32 at = ones ? i : n - 1 - i;
        buf_printf(out, ones ? "(bvadd ((_ zero_extend 31) ((_ extract %u %u) " : "(ite (= ((_ extract %u %u) ",
                   at % 32, at % 32);
        put_word(s, list[at / 32], out);
        if (ones)
            buf_puts(out, ")) ");
        else
            buf_printf(out, ") #b1) #x%08x ", i);
    }
    buf_printf(out, "#x%08x", ones ? 0 : n);
    for (u32 i = 0; i < n; i++)
        buf_putc(out, ')');
}

/* The position of the lowest one of a word of n bits, from 1; 0 for 0. */
static void put_lowest(const struct smt *s, u32 atom, u32 n, struct buf *out) {
    const u32 *list = term_operands(s->e, atom);
    for (u32 i = 0; i < n; i++) {
        buf_printf(out, "(ite (= ((_ extract %u %u) ", i % 32, i % 32);
        put_word(s, list[i / 32], out);
        buf_printf(out, ") #b1) #x%08x ", i + 1);
    }
    buf_puts(out, ZERO32);
    for (u32 i = 0; i < n; i++)
        buf_putc(out, ')');
}

/* A function of its operands without known properties: numbers that are no operands are part of its name. */
static void put_unread(const struct smt *s, u32 atom, struct smt_question *q, struct buf *out) {
    const struct atom *a = term_at(s->e, atom);
    const u32 *list = term_operands(s->e, atom);
    struct buf name = {0}, line = {0};
    u32 operands = 0;
    buf_printf(&name, "f_%s_%x_%u", isa_rows[a->code].id, a->mods, a->count);
    buf_puts(&line, " (");
    for (u32 k = 0; k < a->count; k++) {
        enum operand_is is = source_operand(s->e, atom, k);
        if (is == OPERAND_NUMBER)
            buf_printf(&name, "_%x", list[k]);
        else
            buf_printf(&line, operands++ ? " (_ BitVec %u)" : "(_ BitVec %u)", is == OPERAND_BIT ? 1u : 32u);
    }
    buf_printf(&line, ") (_ BitVec %u))\n", width_of(s->e, atom));
    buf_putc(&name, '\n');
    if (!q->unread.data || !name.data || !strstr(q->unread.data, name.data)) {
        buf_append(&q->unread, name.data, name.len);
        buf_printf(&q->text, "(declare-fun %.*s%s", (int)(name.len ? name.len - 1 : 0), name.data ? name.data : "",
                   line.data ? line.data : "");
    }
    buf_printf(out, operands ? "(%.*s" : "%.*s", (int)(name.len ? name.len - 1 : 0), name.data ? name.data : "");
    for (u32 k = 0; k < a->count; k++)
        if (source_operand(s->e, atom, k) != OPERAND_NUMBER) {
            buf_putc(out, ' ');
            put_any(s, atom, k, out);
        }
    buf_puts(out, operands ? ")" : "");
    q->exact = false;
    out->failed |= name.failed || line.failed;
    buf_free(&name);
    buf_free(&line);
}

static void put_operation(const struct smt *s, u32 atom, struct smt_question *q, struct buf *out) {
    const struct atom *a = term_at(s->e, atom);
    switch (a->code) {
    case ATOM_TABLE:
        put_table(s, logic_table(s->e, atom), logic_table_bits(s->e, atom), term_operands(s->e, atom) + 2, out);
        return;
    case ATOM_XOR: put_chain(s, atom, "bvxor", out); return;
    case ATOM_AND: put_chain(s, atom, "bvand", out); return;
    case OP_POPC_B32: put_count(s, atom, 32, true, out); return;
    case OP_POPC_B64: put_count(s, atom, 64, true, out); return;
    case OP_CLZ_B32: put_count(s, atom, 32, false, out); return;
    case OP_CLZ_B64: put_count(s, atom, 64, false, out); return;
    case OP_FFS_B32: put_lowest(s, atom, 32, out); return;
    case OP_FFS_B64: put_lowest(s, atom, 64, out); return;
    default: break;
    }
    if (meaning[a->code])
        put_meaning(s, atom, out);
    else
        put_unread(s, atom, q, out);
}

/* ---- what is defined before it is used ---- */

static void define_word(struct smt *s, u32 word, struct smt_question *q) {
    u32 bit[32];
    if (s->word_round[word] == s->round)
        return;
    s->word_round[word] = s->round;
    s->word_name[word] = s->names++;
    term_bits(s->e, word, bit);
    buf_printf(&q->text, "(define-fun w%u () (_ BitVec 32) ", s->word_name[word]);
    put_bits(s, bit, 32, &q->text);
    buf_puts(&q->text, ")\n");
}

/* An atom whose operands have names. */
static void define_atom(struct smt *s, u32 atom, struct smt_question *q) {
    const struct atom *a = term_at(s->e, atom);
    const u32 *list = term_operands(s->e, atom);
    struct buf text = {0};
    s->atom_round[atom] = s->round;
    if (a->code == ATOM_INPUT) {
        s->atom_name[atom] = (u32)(q->input.len / sizeof atom);
        buf_append(&q->input, &atom, sizeof atom);
        buf_printf(&q->text, "(declare-const v%u (_ BitVec 32))\n", s->atom_name[atom]);
        return;
    }
    s->atom_name[atom] = s->names++;
    if (a->code == ATOM_FRESH) {
        buf_printf(&q->text, "(declare-const t%u (_ BitVec 32))\n", s->atom_name[atom]);
        return;
    }
    for (u32 k = 0; k < a->count; k++)
        if (source_operand(s->e, atom, k) == OPERAND_WORD)
            define_word(s, list[k], q);
    put_operation(s, atom, q, &text); /* beside the text, because it may declare a function there */
    buf_printf(&q->text, "(define-fun t%u () (_ BitVec %u) ", s->atom_name[atom], width_of(s->e, atom));
    buf_append(&q->text, text.data, text.len);
    buf_puts(&q->text, ")\n");
    q->text.failed |= text.failed;
    buf_free(&text);
}

static void push(struct smt *s, u32 atom) {
    if (!named(s, atom))
        buf_append(&s->work, &atom, sizeof atom);
}

static void push_bits(struct smt *s, const u32 *bit, u32 n) {
    for (u32 i = n; i-- > 0;)
        if (i == 0 || bit_atom(bit[i]) != bit_atom(bit[i - 1]))
            push(s, bit_atom(bit[i]));
}

/* Operands first: an atom stays below them on the stack until all of them have names. */
static void define(struct smt *s, size_t most, struct smt_question *q) {
    while (s->work.len && !s->work.failed && !q->text.failed && q->text.len <= most) {
        u32 atom = ((const u32 *)(const void *)s->work.data)[s->work.len / sizeof atom - 1], bit[32];
        size_t before = s->work.len;
        if (named(s, atom)) {
            s->work.len -= sizeof atom;
            continue;
        }
        for (u32 k = term_at(s->e, atom)->count; k-- > 0;) {
            enum operand_is is = source_operand(s->e, atom, k);
            u32 operand = term_operands(s->e, atom)[k];
            if (is == OPERAND_BIT)
                push(s, bit_atom(operand));
            if (is != OPERAND_WORD || s->word_round[operand] == s->round)
                continue;
            term_bits(s->e, operand, bit);
            push_bits(s, bit, 32);
        }
        if (s->work.len != before)
            continue;
        s->work.len -= sizeof atom;
        define_atom(s, atom, q);
    }
}

bool smt_differ(struct smt *s, const u32 *a, const u32 *b, u32 n, struct smt_question *q) {
    s->round++;
    s->names = 0;
    s->work.len = 0;
    q->text.len = q->input.len = q->unread.len = 0;
    buf_puts(&q->unread, "\n");
    q->exact = true;
    push_bits(s, b, n);
    push_bits(s, a, n);
    define(s, q->most, q);
    if (q->text.len > q->most)
        return false;
    buf_puts(&q->text, "(assert (distinct ");
    put_bits(s, a, n, &q->text);
    buf_putc(&q->text, ' ');
    put_bits(s, b, n, &q->text);
    buf_puts(&q->text, "))\n");
    return !s->work.failed && !q->text.failed && !q->input.failed && !q->unread.failed;
}

/* ---- answers ---- */

void smt_names(const struct smt_question *q, struct buf *out) {
    for (u32 k = 0; k < q->input.len / sizeof(u32); k++)
        buf_printf(out, k ? " v%u" : "(v%u", k);
    buf_puts(out, ")");
}

bool smt_value(const char *answer, u32 k, u32 *value) {
    struct buf name = {0};
    buf_printf(&name, "(v%u ", k);
    const char *at = name.failed ? NULL : strstr(answer, name.data);
    if (at)
        at += name.len;
    buf_free(&name);
    if (!at || at[0] != '#' || (at[1] != 'x' && at[1] != 'b'))
        return false;
    *value = (u32)strtoul(at + 2, NULL, at[1] == 'x' ? 16 : 2);
    return true;
}
