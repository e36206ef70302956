#include "sim/api/result.h"

#include <string.h>

/* Loads, stores and atomics are counted by space: at most one count for each class and space. */
enum { COUNTS = (int)CLASS_COUNT * (int)SPACE_COUNT };

static bool fill_classes(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    struct heddle_class_count count[COUNTS] = {{0}};
    for (u32 pc = 0; pc < l->program->ninst; pc++) {
        const struct inst *i = &l->program->inst[pc];
        if (!l->issues[pc])
            continue;
        u32 space = inst_mod(i, GROUP_SPACE);
        struct heddle_class_count *c = &count[isa_rows[i->op].iclass * SPACE_COUNT + (space < SPACE_COUNT ? space : 0)];
        c->name = inst_count_class(i);
        c->warp_instructions += l->issues[pc];
    }
    struct heddle_class_count *list = arena_alloc(&h->result, sizeof count);
    if (!list)
        return false;
    for (u32 i = 0; i < COUNTS; i++) {
        if (!count[i].name)
            continue;
        /* A class without spaces may have been counted under several: they are one count. */
        struct heddle_class_count *last = r->nclasses ? &list[r->nclasses - 1] : NULL;
        if (last && strcmp(last->name, count[i].name) == 0)
            last->warp_instructions += count[i].warp_instructions;
        else
            list[r->nclasses++] = count[i];
    }
    r->classes = list;
    return true;
}

bool result_lists(const struct launch *l, u32 pc) {
    return (pc >= l->kernel->start && pc < l->kernel->end) || l->issues[pc];
}

/* Writes an instruction's text, its disassembly and, for one of several rounds, the texts of all; each ended by NUL. */
static void put_texts(const struct program *p, u32 pc, u32 last, struct buf *out) {
    u32 first = program_first(p, pc);
    source_print(p, pc, out);
    buf_putc(out, 0);
    inst_print(p, &p->inst[pc], out);
    buf_putc(out, 0);
    if (first != last) {
        source_print_rounds(p, first, last, out);
        buf_putc(out, 0);
    }
}

static const char *take_text(const char **at) {
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

/* `last`: for the instruction of a first round, its instruction in the last round. */
static bool fill_lines(struct heddle *h, const struct launch *l, const u32 *last, struct heddle_result *r) {
    const struct program *p = l->program;
    struct buf text = {0};
    u32 n = 0;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        if (!result_lists(l, pc))
            continue;
        put_texts(p, pc, last[program_first(p, pc)], &text);
        n++;
    }
    struct heddle_line_count *list = arena_alloc(&h->result, n * sizeof *list);
    const char *at = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    if (!list || !at)
        return false;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        if (!result_lists(l, pc))
            continue;
        struct line_place at_line = program_place(p, pc), use = program_use(p, pc);
        struct heddle_line_count *line = &list[r->nlines++];
        *line = (struct heddle_line_count){.file = at_line.file,
                                           .line = at_line.line,
                                           .pc = pc,
                                           .first = program_first(p, pc),
                                           .used = {use.file, use.line},
                                           .warp_instructions = l->issues[pc],
                                           .lanes = l->lanes[pc]};
        line->text = take_text(&at);
        line->disassembly = take_text(&at);
        line->rounds = last[line->first] == line->first ? line->text : take_text(&at);
    }
    r->lines = list;
    return true;
}

static bool fill_all_lines(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    struct arena arena = {0};
    u32 *last = arena_alloc(&arena, l->program->ninst * sizeof *last);
    for (u32 pc = 0; last && pc < l->program->ninst; pc++)
        last[program_first(l->program, pc)] = pc;
    bool ok = last && fill_lines(h, l, last, r);
    arena_free(&arena);
    return ok;
}

bool result_fill(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    u64 threads = (u64)l->block[0] * l->block[1] * l->block[2];
    r->blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    r->warps = r->blocks * ((threads + l->width - 1) / l->width);
    for (u32 pc = 0; pc < l->program->ninst; pc++) {
        r->warp_instructions += l->issues[pc];
        r->thread_instructions += l->lanes[pc];
    }
    if (r->warp_instructions)
        r->lanes_per_instruction = (double)r->thread_instructions / (double)r->warp_instructions;
    r->simt_efficiency = r->lanes_per_instruction / l->width;
    return fill_classes(h, l, r) && fill_all_lines(h, l, r);
}

void result_fault(const struct launch *l, const struct fault *f, struct heddle_result *r) {
    struct line_place at = program_place(l->program, f->pc);
    r->fault = (struct heddle_fault_info){.kind = fault_names[f->kind],
                                          .kernel = l->kernel->name,
                                          .file = at.file,
                                          .line = at.line,
                                          .warp = f->warp,
                                          .lane = f->lane,
                                          .address = f->address};
    memcpy(r->fault.block, f->block, sizeof f->block);
}

bool heddle_fault_kind(uint32_t index, const char **name, const char **doc) {
    if (index >= FAULT_COUNT - 1) /* FAULT_NONE is no kind */
        return false;
    *name = fault_names[index + 1];
    *doc = fault_docs[index + 1];
    return true;
}
