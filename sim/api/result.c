#include "sim/api/result.h"

#include <string.h>

/* Loads, stores and atomics are counted by space: at most one count for each class and space. */
enum { COUNTS = CLASS_COUNT * SPACE_COUNT };

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
        /* A class that is not kept by space may have been met with several: it is one count. */
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

static bool fill_lines(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    const struct program *p = l->program;
    struct buf text = {0}; /* all instructions, each ended by NUL */
    u32 n = 0;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        if (!result_lists(l, pc))
            continue;
        inst_print(p, &p->inst[pc], &text);
        buf_putc(&text, 0);
        n++;
    }
    struct heddle_line_count *list = arena_alloc(&h->result, n * sizeof *list);
    char *at = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    if (!list || !at)
        return false;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        if (!result_lists(l, pc))
            continue;
        struct line_place at_line = program_place(p, pc);
        list[r->nlines++] = (struct heddle_line_count){.file = at_line.file,
                                                       .line = at_line.line,
                                                       .pc = pc,
                                                       .text = at,
                                                       .warp_instructions = l->issues[pc],
                                                       .lanes = l->lanes[pc]};
        at += strlen(at) + 1;
    }
    r->lines = list;
    return true;
}

bool result_fill(struct heddle *h, const struct launch *l, struct heddle_result *r) {
    u64 threads = (u64)l->block[0] * l->block[1] * l->block[2];
    r->blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    r->warps = r->blocks * ((threads + l->width - 1) / l->width);
    for (u32 pc = 0; pc < l->program->ninst; pc++) {
        r->warp_instructions += l->issues[pc];
        r->thread_instructions += l->lanes[pc];
    }
    return fill_classes(h, l, r) && fill_lines(h, l, r);
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
