/* A proof in words. */
#include "sim/api/prove/prove.h"

#include <string.h>

#include "sim/api/allow.h"

/* Keeps the text of a finished buf with the result; NULL when out of memory. */
static const char *keep(struct proof *p, struct buf *text) {
    const char *kept = text->failed ? NULL : arena_strndup(&p->h->result, text->data ? text->data : "", text->len);
    buf_free(text);
    return kept;
}

void proof_shorten(struct buf *text) {
    enum { NAME_MOST = 32 };
    struct buf out = {.failed = text->failed};
    for (const char *at = text->data ? text->data : ""; *at;) {
        size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
        buf_append(&out, at, n > NAME_MOST ? NAME_MOST - 3 : n ? n : 1);
        buf_puts(&out, n > NAME_MOST ? "..." : "");
        at += n ? n : 1;
    }
    buf_free(text);
    *text = out;
}

static const char *keep_lines(struct proof *p, struct buf *text) {
    proof_shorten(text);
    return keep(p, text);
}

static const char *keep_bits(struct proof *p, const u32 *bit, u32 n) {
    struct buf text = {0};
    describe_bits(&p->describe, bit, n, &text);
    return keep(p, &text);
}

/* ---- data-dependent control flow ---- */

static const char *const how[] = {[DEPEND_BRANCH] = "branches on",
                                  [DEPEND_GUARD] = "takes part or not depending on",
                                  [DEPEND_ADDRESS] = "computes an address from",
                                  [DEPEND_LANE] = "chooses a lane by",
                                  [DEPEND_MASK] = "names its lanes by",
                                  [DEPEND_THREADS] = "waits for a number of threads that is",
                                  [DEPEND_JOINED] = "gets from other warps, which is not followed,",
                                  [DEPEND_BOUND] = "is repeated more often than the bound, depending on",
                                  [DEPEND_PATHS] = "is reached on more paths than the bound, depending on",
                                  [DEPEND_FAULT] = "may fault, depending on",
                                  [DEPEND_LOOP] = "continues in a loop whose end was not reached, depending on",
                                  [DEPEND_LIMIT] = "is reached after more instructions than allowed, depending on"};

/* Names the element of a buffer, or the uninitialised value, that the bit depends on. */
static const char *depends_on(struct proof *p, u32 bit) {
    const struct source *from = &p->source[bit_atom(bit)];
    u32 word[32];
    if (!from->fresh && !from->input)
        return from->size ? "the size" : "the data";
    for (u32 i = 0; i < 32; i++)
        word[i] = bit_of(from->fresh ? from->fresh : from->input, i);
    if (from->fresh || term_operands(&p->terms, from->input)[0] >= p->count)
        return keep_bits(p, word, 32);
    u32 buffer = term_operands(&p->terms, from->input)[0], bits = 8 * proof_size(p, buffer);
    if (bits <= 32)
        return keep_bits(p, word, bits);
    struct buf text = {0};
    buf_printf(&text, "%s[%u]", p->buffer[buffer]->name, term_operands(&p->terms, from->input)[1] * 32 / bits);
    return keep(p, &text);
}

bool proof_tell_depends(struct proof *p, u32 side) {
    const struct depend *d = &p->shadow[side]->depends;
    const struct program *program = p->launch[side].program;
    struct heddle_proof_depends *out = &p->out->depends[side];
    *out = (struct heddle_proof_depends){0};
    if (d->kind == DEPEND_NONE)
        return true;
    struct line_place at = program_place(program, d->pc);
    *out = (struct heddle_proof_depends){.how = how[d->kind], .file = at.file, .line = at.line};
    out->what = depends_on(p, d->bit);
    return context_texts(p->h, program, d->pc, &out->text, &out->disassembly) && out->what;
}

/* ---- the difference ---- */

static u64 element_value(const struct proof *p, const struct memory *m, u32 buffer, u64 element) {
    u32 size = proof_size(p, buffer);
    const u8 *at = m->list[buffer].bytes + element * size;
    u64 v = 0;
    for (u32 n = size; n-- > 0;)
        v = v << 8 | at[n];
    return v;
}

/* `value`: the form in words. */
static bool tell_side(struct proof *p, u32 side, struct buf *value) {
    struct heddle_proof_side *out = &p->out->difference.sides[side];
    u32 size = proof_size(p, p->at_buffer);
    const struct writer *w = shadow_writer(p->shadow[side], p->at_buffer, p->at_element * size);
    out->value = keep(p, value);
    out->bits = p->refuted ? element_value(p, &p->after[side], p->at_buffer, p->at_element) : 0;
    out->written = w != NULL;
    if (w) {
        struct buf reg = {0}, title = {0};
        const struct program *program = p->launch[side].program;
        struct line_place at = program_place(program, w->pc);
        out->file = at.file;
        out->line = at.line;
        out->warp = w->warp;
        out->lane = w->lane;
        memcpy(out->block, w->block, sizeof out->block);
        buf_printf(&reg, w->reg == RZ ? "rz" : "r%u", w->reg);
        out->register_ = out->name = keep(p, &reg);
        if (w->reg != RZ) {
            register_print(program, w->pc, NAME_REGISTER, w->reg, &title);
            out->name = keep(p, &title);
        }
    }
    return out->value && (!w || (out->register_ && out->name));
}

static bool tell_difference(struct proof *p) {
    if (p->out->verdict != HEDDLE_DIFFERENT && p->out->verdict != HEDDLE_UNPROVED)
        return true;
    p->out->difference.buffer =
        arena_strndup(&p->h->result, p->buffer[p->at_buffer]->name, strlen(p->buffer[p->at_buffer]->name));
    p->out->difference.element = p->at_element;
    p->out->difference.elements = p->differing;
    u32 a[64], b[64];
    struct buf value[2] = {{0}, {0}};
    proof_bits(p, 0, p->at_buffer, p->at_element, a);
    proof_bits(p, 1, p->at_buffer, p->at_element, b);
    describe_difference(&p->describe, a, b, 8 * proof_size(p, p->at_buffer), value);
    bool told = tell_side(p, 0, &value[0]);
    return tell_side(p, 1, &value[1]) && told && p->out->difference.buffer;
}

/* Copies the names into the result, which outlives the proof: the context frees its own with a buffer. */
static bool own_names(struct proof *p) {
    struct describe_buffer *names = (struct describe_buffer *)(uintptr_t)p->describe.buffer;
    for (u32 i = 0; i < p->count; i++) {
        names[i].name = arena_strndup(&p->h->result, names[i].name, strlen(names[i].name));
        if (!names[i].name)
            return false;
    }
    return true;
}

/* ---- the text ---- */

static void say_depends(const struct proof *p, struct buf *out) {
    for (u32 side = 0; side < 2; side++) {
        const struct heddle_proof_depends *d = &p->out->depends[side];
        if (d->how)
            buf_printf(out, "  %s: line %u%s%s, `%s`, %s %s%s\n", p->out->kernels[side], d->line, d->file ? " of " : "",
                       d->file ? d->file : "", d->text, d->how, d->what,
                       p->out->paths ? ": both sides were followed" : "");
    }
}

/* Prints the place of a write: "block 2, warp 0, lane 5". */
static void say_place(const struct heddle_proof_side *s, struct buf *out) {
    buf_printf(out, "block %u", s->block[0]);
    if (s->block[1] || s->block[2])
        buf_printf(out, ",%u,%u", s->block[1], s->block[2]);
    buf_printf(out, ", warp %u, lane %u", s->warp, s->lane);
}

/* Prints the data of the two values: "  with src[2] = 0x8009454f, src[8] = 0x41c98ac3". */
static void say_example(struct proof *p, struct buf *out) {
    enum { MOST = 4 };
    u32 seen[MOST], n = 0, bit[64], size = 8 * proof_size(p, p->at_buffer);
    for (u32 i = 0; i < 2 * size && n < MOST; i++) {
        if (i % size == 0)
            proof_bits(p, i / size, p->at_buffer, p->at_element, bit);
        u32 atom = p->source[bit_atom(bit[i % size])].input, k = 0;
        while (k < n && seen[k] != atom)
            k++;
        if (!atom || k < n)
            continue;
        seen[n++] = atom;
        const u32 *at = term_operands(&p->terms, atom);
        u32 bytes = proof_size(p, at[0]);
        u64 element = 4 * (u64)at[1] / bytes;
        buf_printf(out, "%s%s[%llu] = 0x%0*llx", n > 1 ? ", " : "  with ", p->buffer[at[0]]->name,
                   (unsigned long long)element, (int)(2 * bytes),
                   (unsigned long long)element_value(p, &p->start, at[0], element));
    }
    buf_puts(out, n ? "\n" : "");
}

static void say_difference(struct proof *p, struct buf *out) {
    const struct heddle_proof_difference *d = &p->out->difference;
    u32 digits = 2 * proof_size(p, p->at_buffer);
    u64 others = d->elements > 1 ? d->elements - 1 : 0;
    buf_printf(out, "  %s[%llu]%s", d->buffer, (unsigned long long)d->element, others ? " is the first; " : ":\n");
    if (others)
        buf_printf(out, "%s other%s too:\n", grouped(others).text, others == 1 ? "" : "s");
    for (u32 side = 0; side < 2; side++) {
        const struct heddle_proof_side *s = &d->sides[side];
        buf_printf(out, "    %c %s: %s", side ? 'B' : 'A', p->out->kernels[side], s->value);
        if (p->refuted)
            buf_printf(out, ", which is 0x%0*llx", (int)digits, (unsigned long long)s->bits);
        if (s->written) {
            buf_printf(out, "\n      stored at %s:%u by ", s->file ? s->file : p->launch[side].program->name, s->line);
            say_place(s, out);
            buf_printf(out, ", from %s\n", s->name);
        } else {
            buf_puts(out, "\n      never stored to\n");
        }
    }
    if (p->refuted)
        say_example(p, out);
}

/* True if the reported element depends on an uninitialised value. */
static bool unwritten(struct proof *p) {
    u32 bit[64];
    for (u32 side = 0; side < 2; side++) {
        proof_bits(p, side, p->at_buffer, p->at_element, bit);
        for (u32 i = 0; i < 8 * proof_size(p, p->at_buffer); i++)
            if (p->source[bit_atom(bit[i])].fresh)
                return true;
    }
    return false;
}

/* Prints the solver's answer, after the verdict. */
static void say_solver(const struct proof *p, struct buf *out) {
    const struct heddle_proof_solver *s = &p->out->solver;
    if (!s->name)
        return;
    if (strcmp(s->answer, "equal") == 0)
        buf_printf(out, " (decided by %s)", s->name);
    else if (strcmp(s->answer, "different") == 0)
        buf_printf(out, " (on data of %s)", s->name);
    else if (strcmp(s->answer, "candidate") == 0)
        buf_printf(out, "; data of %s show no difference", s->name);
    else if (strcmp(s->answer, "no data") == 0)
        buf_printf(out, "; %s gave no data in time", s->name);
    else
        buf_printf(out, "; %s did not decide it%s", s->name, p->seconds > 0 ? "" : " in time");
}

/* Prints at most three findings of each kernel: "  race: 18 of k.hd, `ld...`, against line 15, `st...`: ...". */
static void say_findings(const struct proof *p, struct buf *out) {
    enum { MOST = 3 };
    for (u32 side = 0; side < 2; side++) {
        const struct heddle_proof_findings *all = &p->out->findings[side];
        for (u32 i = 0; i < all->count && i < MOST; i++) {
            const struct heddle_finding *f = &all->list[i];
            buf_printf(out, "  %s: %s %s at ", p->out->kernels[side], f->kind, f->class_);
            for (u32 k = 0; k < f->nplaces; k++)
                buf_printf(out, "%sline %u%s%s, `%s`", k ? ", against " : "", f->places[k].line,
                           f->places[k].file ? " of " : "", f->places[k].file ? f->places[k].file : "",
                           f->places[k].text);
            buf_printf(out, "\n    %s\n", f->text);
        }
        if (all->count > MOST)
            buf_printf(out, "  %s: %u more\n", p->out->kernels[side], all->count - MOST);
        if (all->forgotten)
            buf_printf(out, "  %s: %s access%s forgotten to bound the checkers: races may be missing\n",
                       p->out->kernels[side], grouped(all->forgotten).text, all->forgotten == 1 ? " was" : "es were");
    }
}

static void say_allowances(const struct proof *p, struct buf *out) {
    for (u32 side = 0; side < 2; side++)
        if (allow_present(p->launch[side].program)) {
            buf_puts(out, "  lines ';! allow' are for runs: a proof makes no exception\n");
            return;
        }
}

/* Prints the board if a kernel reads a value that it sets: any, or the one that was tried. */
static void say_board(const struct proof *p, struct buf *out) {
    bool reads = false;
    for (u32 side = 0; side < 2; side++)
        for (u32 pc = 0; pc < p->launch[side].program->ninst; pc++) {
            const struct inst *i = &p->launch[side].program->inst[pc];
            reads |= isa_rows[i->op].iclass == CLASS_SREG && isa_sregs[i->a].by == BY_BOARD;
        }
    const bool equal = p->out->verdict == HEDDLE_EQUAL || p->out->verdict == HEDDLE_ORDER;
    if (reads && !p->launch[0].any_board)
        buf_printf(out, ", on board %s", p->h->board.name);
    else if (reads && equal)
        buf_puts(out, ", on any board");
    else if (reads)
        buf_printf(out, ", on a board of %u SM%s", p->launch[0].sms, p->launch[0].sms == 1 ? "" : "s");
}

static void say_verdict(struct proof *p, struct buf *out) {
    const struct heddle_proof *r = p->out;
    if (r->verdict == HEDDLE_UNDECIDED) /* proof_tell_undecided */
        return;
    buf_printf(out, "warp %u: %s and %s are ", r->warp, r->kernels[0], r->kernels[1]);
    switch (r->verdict) {
    case HEDDLE_EQUAL: buf_puts(out, "equal for all inputs"); break;
    case HEDDLE_DIFFERENT:
        buf_puts(out, "different");
        buf_puts(out, p->asked->assume ? ", in any order of floating-point sums" : "");
        break;
    case HEDDLE_UNPROVED:
        buf_puts(out, "not proved equal: ");
        buf_puts(out, unwritten(p) ? "they depend on values that were never written" : "different expressions");
        buf_printf(out,
                   r->assumed ? ", though %u sets of data show nothing but what the order of sums explains"
                              : ", though equal on %u sets of data",
                   r->trials);
        break;
    case HEDDLE_DEPENDS:
        buf_printf(out, "equal on %u sets of data, ", r->trials);
        buf_puts(out, r->assumed ? "but for what the order of sums explains, " : "");
        buf_printf(out, "not proved for all inputs, because %s",
                   p->shadow[0]->joined || p->shadow[1]->joined ? "results of barriers are not followed"
                                                                : "their control flow is data-dependent");
        break;
    case HEDDLE_ORDER: buf_puts(out, "equal in the order that was tried, not proved for others"); break;
    case HEDDLE_UNDECIDED: break;
    }
}

static const char *say(struct proof *p) {
    struct buf out = {0};
    const struct heddle_proof *r = p->out;
    say_verdict(p, &out);
    say_board(p, &out);
    if (r->assumed & HEDDLE_ASSUME_REASSOCIATION)
        buf_puts(&out, ", assuming that floating-point sums may be reassociated");
    else
        say_solver(p, &out);
    buf_putc(&out, '\n');
    say_findings(p, &out);
    say_allowances(p, &out);
    say_depends(p, &out);
    if (r->difference.buffer)
        say_difference(p, &out);
    if (r->verdict == HEDDLE_EQUAL)
        proof_say_elements(p, &out);
    return keep_lines(p, &out);
}

/* Describes the data that shows the difference. */
static bool tell_data(struct proof *p) {
    if (p->out->verdict != HEDDLE_DIFFERENT)
        return true;
    struct heddle_proof_data *list = arena_alloc(&p->h->result, p->count * sizeof *list);
    p->out->data = list;
    for (u32 i = 0; list && i < p->count; i++) {
        const u64 size = p->buffer[i]->bytes;
        u8 *bytes = arena_alloc(&p->h->result, size);
        if (!bytes)
            return false;
        if (size)
            memcpy(bytes, p->start.list[i].bytes, size);
        list[p->out->ndata++] = (struct heddle_proof_data){p->describe.buffer[i].name, bytes, size};
    }
    return list != NULL;
}

bool proof_tell(struct proof *p) {
    if (!own_names(p) || !tell_data(p) || !tell_difference(p) || !proof_tell_elements(p))
        return false;
    p->out->text = say(p);
    return p->out->text != NULL;
}

bool proof_tell_undecided(struct proof *p) {
    struct heddle_proof *r = p->out;
    struct buf out = {0};
    const struct heddle_proof said = {.warp = r->warp, .kernels = {r->kernels[0], r->kernels[1]}};
    *r = said;
    r->verdict = HEDDLE_UNDECIDED;
    r->name = "undecided";
    r->undecided = p->undecided;
    buf_printf(&out, "warp %u: %s and %s are undecided: ", r->warp, r->kernels[0], r->kernels[1]);
    if (strcmp(p->undecided, "time") == 0)
        buf_printf(&out, "no answer within %g s", p->asked->max_seconds);
    else
        buf_puts(&out, "the proof was stopped");
    buf_printf(&out, "\n  it ended while %s\n", p->step);
    r->text = keep_lines(p, &out);
    return r->text != NULL;
}
