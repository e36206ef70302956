#include "tests/model/compare.h"

#include <stdlib.h>
#include <string.h>

#include "sim/arch/machine.h"
#include "tests/model/model.h"

enum { LIMIT = 2000000 };

/* The buffers of a program, twice: what the machine leaves, and what the model does. */
struct sides {
    struct program_buffer want[PROGRAM_BUFFERS];
    u32 *machine[PROGRAM_BUFFERS], *model[PROGRAM_BUFFERS];
    struct model_buffer buffer[PROGRAM_BUFFERS];
    struct memory memory;
    u8 params[PARAM_BYTES_MAX];
};

static bool make_sides(const struct program_text *t, u32 seed, const struct kernel *k, struct sides *s) {
    program_buffers(t, s->want);
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        u32 words = s->want[b].words;
        s->machine[b] = calloc(words, 4);
        s->model[b] = calloc(words, 4);
        if (!s->machine[b] || !s->model[b])
            return false;
        for (u32 i = 0; b == 0 && i < words; i++)
            s->machine[0][i] = s->model[0][i] = program_in_word(i, seed);
        u64 address = memory_add(&s->memory, s->want[b].name, (u8 *)s->machine[b], 4ull * words);
        s->buffer[b] = (struct model_buffer){address, (u8 *)s->model[b], 4ull * words};
        memcpy(s->params + k->param[b].offset, &address, sizeof address);
    }
    return true;
}

static void free_sides(struct sides *s) {
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        free(s->machine[b]);
        free(s->model[b]);
    }
    memory_free(&s->memory);
}

static bool run_machine(const struct program *p, const struct program_text *t, struct sides *s, struct buf *why) {
    struct launch l = {.program = p, .kernel = &p->kernel[0], .memory = &s->memory, .width = t->width};
    struct fault fault = {0};
    memcpy(l.grid, t->grid, sizeof l.grid);
    memcpy(l.block, t->block, sizeof l.block);
    l.params = s->params;
    l.engine = engine_best();
    l.max_instructions = LIMIT;
    l.issues = calloc(p->ninst, sizeof *l.issues);
    l.lanes = calloc(p->ninst, sizeof *l.lanes);
    enum outcome o = l.issues && l.lanes ? machine_run(&l, &fault) : RUN_NO_MEMORY;
    if (o == RUN_FAULT)
        fault_render(&fault, &l, why);
    free(l.issues);
    free(l.lanes);
    return o == RUN_OK;
}

static bool run_model(const struct program *p, const struct program_text *t, u32 seed, struct sides *s,
                      struct buf *why) {
    struct model_launch l = {.program = p, .kernel = &p->kernel[0], .width = t->width, .params = s->params};
    struct model_fault fault;
    memcpy(l.grid, t->grid, sizeof l.grid);
    memcpy(l.block, t->block, sizeof l.block);
    l.buffer = s->buffer;
    l.nbuffers = PROGRAM_BUFFERS;
    l.max_instructions = LIMIT;
    l.turn = seed % 4;
    l.backwards = seed / 4 % 2;
    if (model_run(&l, &fault) == MODEL_DONE)
        return true;
    struct line_name at = program_line(p, p->line[fault.pc]);
    buf_printf(why, "the model ends at %s: %s\n", at.text, fault.kind ? fault.kind : "out of memory");
    return false;
}

static bool same_bytes(const struct sides *s, struct buf *why) {
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        for (u32 i = 0; i < s->want[b].words; i++)
            if (s->machine[b][i] != s->model[b][i]) {
                buf_printf(why, "%s[%u]: 0x%08x on the machine, 0x%08x on the model\n", s->want[b].name, i,
                           s->machine[b][i], s->model[b][i]);
                return false;
            }
    return true;
}

/* The meeting points that the assembler wrote are those of the definition. */
static bool same_meetings(const struct program *p, struct buf *why) {
    for (u32 pc = 0; pc < p->ninst; pc++)
        if (p->inst[pc].op == OP_BRA && p->inst[pc].guard != PT &&
            inst_reconvergence(&p->inst[pc]) != model_meeting_point(p, pc)) {
            buf_printf(why, "the branch at %s meets at %u, and must at %u\n", program_line(p, p->line[pc]).text,
                       inst_reconvergence(&p->inst[pc]), model_meeting_point(p, pc));
            return false;
        }
    return true;
}

bool model_agrees(const struct program_text *t, u32 seed, struct buf *why) {
    struct diag diag = {.file = "random.hd"};
    struct program *p = program_assemble("random.hd", t->text.data, t->text.len, NULL, &diag);
    struct sides s = {0};
    diag_render(&diag, why);
    bool same = p && make_sides(t, seed, &p->kernel[0], &s) && same_meetings(p, why) && run_machine(p, t, &s, why) &&
                run_model(p, t, seed, &s, why) && same_bytes(&s, why);
    free_sides(&s);
    program_free(p);
    if (!same)
        buf_printf(why, "seed %u, width %u, grid %ux%u, block %ux%u\n%s", seed, t->width, t->grid[0], t->grid[1],
                   t->block[0], t->block[1], t->text.data);
    return same;
}
