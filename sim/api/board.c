/* The board of a context: read, changed, shown, and whether it can run a launch. */
#include "sim/api/clock.h"

#include <string.h>

#include "isa/shapes.h"
#include "sim/gpu/gpu.h"

static bool read_file(struct heddle *h, const struct heddle_file *f, struct board *b) {
    struct diag diag = {.file = f->name, .source = f->text, .source_len = f->len};
    struct board_source source = {f->read, f->ctx};
    board_default(b);
    return (board_load(b, &source, &(struct board_text){f->name, f->text, f->len}, &diag) && board_check(b, &diag)) ||
           context_fail_diag(h, &diag);
}

/* Puts the message in the error, and below it the place in the assignment. */
static bool refuse_set(struct heddle *h, const struct diag *diag, const char *assignment) {
    const struct span at = diag->message[0].at;
    context_fail_diag(h, diag);
    buf_puts(&h->error, "    --set ");
    diag_put_text(&h->error, assignment, strlen(assignment));
    buf_printf(&h->error, "\n    %*s^", (int)(sizeof "--set " - 1 + at.col - 1), "");
    for (u32 i = 1; i < at.len; i++)
        buf_putc(&h->error, '~');
    buf_putc(&h->error, '\n');
    return false;
}

bool heddle_board_load(struct heddle *h, const struct heddle_file *file, const char *const *assignments,
                       uint32_t count) {
    struct diag diag = {.file = "--set"};
    struct board board = h->board;
    u32 wrong;
    context_begin(h);
    if (file && !read_file(h, file, &board))
        return false;
    if (count && !board_set_all(&board, assignments, count, &wrong, &diag))
        return refuse_set(h, &diag, assignments[wrong]);
    if (!file && h->board.draw && board.draw != h->board.draw)
        return context_fail(h, "--set", "this board is draw %u; load it again for another", h->board.draw);
    board_draw(&board);
    if (!board_check(&board, &diag))
        return context_fail_diag(h, &diag);
    h->board = board;
    h->clocked |= file || count;
    clock_forget(h);
    return true;
}

/* ---- shown ---- */

char *heddle_board_text(struct heddle *h, size_t *len) {
    struct buf text = {0};
    context_begin(h);
    board_print(&h->board, &text);
    return context_hand_out(h, &text, len);
}

char *heddle_board_keys(struct heddle *h, size_t *len) {
    struct buf text = {0};
    context_begin(h);
    board_print_keys(&text);
    return context_hand_out(h, &text, len);
}

const char *heddle_board_name(const struct heddle *h) {
    return h->board.name;
}

const char *heddle_board_device(const struct heddle *h) {
    return *h->board.device.name ? h->board.device.name : NULL;
}

const char *heddle_device_name(uint32_t index) {
    return device_shipped(index);
}

static struct heddle_board_value value_of(const struct board *b, u32 key) {
    const struct board_field_row *row = &board_fields[key];
    struct heddle_board_value v = {.key = row->key, .unit = row->unit, .doc = row->doc, .number = board_value(b, key)};
    v.origin = row->kind == KIND_DERIVED ? "derived" : b->origin[key];
    v.real = row->kind == KIND_REAL || row->kind == KIND_ENERGY || row->kind == KIND_DERIVED;
    if (row->kind == KIND_CHOICE)
        v.choice = row->option[(u32)v.number].name;
    if (row->kind == KIND_DERIVED)
        v.scaled = board_scaled(b, key);
    if (v.scaled)
        v.asked = b->scaling[key - BOARD_FIELDS].asked;
    v.low = v.high = v.number;
    if (row->kind != KIND_DERIVED) {
        const struct board_range range = board_range(b, (enum board_field)key);
        v.basis = basis_names[b->basis[key]];
        v.low = range.low;
        v.high = range.high;
        v.ranged = range.given;
        v.device = board_device_value(b, key);
        v.devised = v.device >= 0;
    }
    return v;
}

bool heddle_board_value(struct heddle *h, const char *key, struct heddle_board_value *value) {
    struct diag diag = {.file = h->board.name};
    context_begin(h);
    u32 k = board_key_find(key, 0, (struct span){0, 0, 1}, &diag);
    if (k == BOARD_KEYS)
        return context_fail_diag(h, &diag);
    *value = value_of(&h->board, k);
    return true;
}

bool heddle_board_value_at(const struct heddle *h, uint32_t index, struct heddle_board_value *value) {
    if (index >= h->values)
        return false;
    *value = value_of(&h->board, h->value[index]);
    return true;
}

bool heddle_board_derived(const struct heddle *h, uint32_t index, struct heddle_board_value *value) {
    if (index >= BOARD_DERIVED)
        return false;
    *value = value_of(&h->board, BOARD_FIELDS + index);
    return true;
}

bool heddle_board_peak(const struct heddle *h, uint32_t index, struct heddle_board_peak *peak) {
    struct board_peak list[BOARD_PEAKS_MAX];
    if (index >= board_peaks(&h->board, list))
        return false;
    *peak = (struct heddle_board_peak){list[index].name, list[index].unit, list[index].doc, list[index].value};
    return true;
}

bool heddle_ideal(uint32_t index, struct heddle_ideal *row) {
    static const struct heddle_ideal rows[] = {
#define IDEAL(name, title, settings, rule, doc) {name, title, settings, rule, doc},
#include "sim/board/ideal.def"
    };
    if (index >= COUNT_OF(rows))
        return false;
    *row = rows[index];
    return true;
}

static char *listed(struct heddle *h, void (*list)(const struct board *, struct diag *), size_t *len) {
    struct diag diag = {.file = ""};
    struct buf text = {0};
    context_begin(h);
    list(&h->board, &diag);
    for (u32 i = 0; i < diag.kept; i++)
        buf_printf(&text, "%s\n", diag.message[i].text);
    return context_hand_out(h, &text, len);
}

char *heddle_board_warnings(struct heddle *h, size_t *len) {
    return listed(h, board_warnings, len);
}

char *heddle_board_findings(struct heddle *h, size_t *len) {
    return listed(h, board_findings, len);
}

/* ---- what fits ---- */

/* Checks that the board takes the launch's grid, or its block, in each dimension. */
static bool admits_sizes(struct heddle *h, const struct launch *l, const u32 asked[3], const u32 most[3]) {
    bool grid = asked == l->grid;
    const char *word = grid ? "grid" : "block";
    for (u32 i = 0; i < 3; i++)
        if (asked[i] > most[i])
            return context_fail(h, l->program->file,
                                "kernel '%s': a %s of %ux%ux%u %s; board '%s' takes at most %s in %c (max_%s_%c)",
                                l->kernel->name, word, asked[0], asked[1], asked[2], grid ? "blocks" : "threads",
                                h->board.name, grouped(most[i]).text, "xyz"[i], word, "xyz"[i]);
    return true;
}

/* Checks the dimensions of a launch. Without a board, any that the machine can run are allowed. */
static bool admits_dims(struct heddle *h, const struct launch *l) {
    const struct board *b = &h->board;
    const u32 grid[3] = {b->max_grid_x, b->max_grid_y, b->max_grid_z};
    const u32 block[3] = {b->max_block_x, b->max_block_y, b->max_block_z};
    return !h->clocked || (admits_sizes(h, l, l->grid, grid) && admits_sizes(h, l, l->block, block));
}

/* Checks the resources of a single block. */
static bool admits_kernel(struct heddle *h, const struct launch *l, u32 threads) {
    const struct board *b = &h->board;
    const struct kernel *k = l->kernel;
    const char *file = l->program->file;
    if (threads > b->max_threads_per_block)
        return context_fail(h, file, "kernel '%s': a block of %s threads; board '%s' takes at most %s", k->name,
                            grouped(threads).text, b->name, grouped(b->max_threads_per_block).text);
    if (!admits_dims(h, l))
        return false;
    if (k->shared > b->max_shared_per_block)
        return context_fail(h, file, "kernel '%s': %s bytes of shared memory; board '%s' gives a block at most %s",
                            k->name, grouped(k->shared).text, b->name, grouped(b->max_shared_per_block).text);
    if (k->regs > b->max_registers_per_thread)
        return context_fail(h, file, "kernel '%s': %u registers; board '%s' gives a thread at most %u", k->name,
                            k->regs, b->name, b->max_registers_per_thread);
    return true;
}

/* Checks that an empty SM has room for a block. */
static bool admits_block(struct heddle *h, const struct launch *l, u32 threads) {
    const struct board *b = &h->board;
    const char *file = l->program->file, *name = l->kernel->name;
    struct occupancy o = occupancy_of(b, l);
    u32 warps = (threads + l->width - 1) / l->width;
    if (!o.by[LIMIT_WARPS])
        return context_fail(h, file, "kernel '%s': a block of %u warps; an SM of board '%s' holds %u", name, warps,
                            b->name, b->sm.max_warps);
    if (!o.by[LIMIT_REGISTERS])
        return context_fail(h, file,
                            "kernel '%s': a block of %u warps of %u threads with %u registers takes %s; an SM of "
                            "board '%s' has %s",
                            name, warps, l->width, l->kernel->regs, grouped(o.registers).text, b->name,
                            grouped(b->sm.registers).text);
    if (!o.by[LIMIT_SHARED])
        return context_fail(h, file,
                            "kernel '%s': a block takes %s bytes of shared memory, %s of them the system's; an "
                            "SM of board '%s' has %s",
                            name, grouped(o.shared).text, grouped(b->sm.shared_reserved).text, b->name,
                            grouped(b->sm.shared_bytes).text);
    return true;
}

/* Finds the first instruction in [start, end) with a matrix in more than `lanes` lanes; NULL if there is none. */
static const struct inst *first_matrix(const struct program *p, u32 start, u32 end, u32 lanes) {
    for (u32 pc = start; pc < end; pc++)
        if (isa_shapes[isa_rows[p->inst[pc].op].shape].lanes > lanes)
            return &p->inst[pc];
    return NULL;
}

/* Assumes that a kernel with calls calls every function of its file. */
static const struct inst *first_matrix_of(const struct launch *l, u32 lanes) {
    const struct program *p = l->program;
    const struct kernel *k = l->kernel;
    const struct inst *i = first_matrix(p, k->start, k->end, lanes);
    bool calls = false;
    for (u32 pc = k->start; pc < k->end; pc++)
        calls |= p->inst[pc].op == OP_CALL;
    for (u32 f = 0; f < p->nkernels && calls && !i; f++)
        if (p->kernel[f].function)
            i = first_matrix(p, p->kernel[f].start, p->kernel[f].end, lanes);
    return i;
}

static bool admits_matrices(struct heddle *h, const struct launch *l) {
    const struct program *p = l->program;
    bool units = h->board.lanes[UNIT_MMA] > 0;
    const struct inst *i = first_matrix_of(l, units ? l->width : 0);
    if (!i)
        return true;
    const char *kernel = l->kernel->name, *name = isa_rows[i->op].name;
    struct line_name line = program_line(p, p->line[i - p->inst]);
    if (units)
        return context_fail(h, p->file, "kernel '%s': %s (%s) is a product of %u lanes; the warp has %u", kernel, name,
                            line.text, isa_shapes[isa_rows[i->op].shape].lanes, l->width);
    return context_fail(h, p->file, "kernel '%s': %s (%s) needs matrix units; board '%s' has none: its lanes.mma is 0",
                        kernel, name, line.text, h->board.name);
}

static u32 threads_of_block(const struct launch *l) {
    return l->block[0] * l->block[1] * l->block[2];
}

bool board_fits(struct heddle *h, const struct launch *l) {
    u32 threads = threads_of_block(l);
    return admits_kernel(h, l, threads) && admits_block(h, l, threads);
}

/* Checks that all blocks of a cooperative launch are resident at one time. */
static bool admits_together(struct heddle *h, const struct launch *l) {
    static const char *const titles[] = {
#define LIMIT(id, name, title, doc) title,
#include "sim/stat/limits.def"
    };
    const struct board *b = &h->board;
    const struct occupancy o = occupancy_of(b, l);
    u64 blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2], room = (u64)o.blocks * b->sms;
    if (!l->cooperative || !h->clocked || blocks <= room)
        return true;
    return context_fail(
        h, l->program->file,
        "kernel '%s': a cooperative grid of %s blocks, and board '%s' holds %s at one time: %u on each SM, "
        "by %s",
        l->kernel->name, grouped(blocks).text, b->name, grouped(room).text, o.blocks, titles[o.limit]);
}

bool board_admits(struct heddle *h, const struct launch *l) {
    u32 threads = threads_of_block(l);
    return admits_kernel(h, l, threads) && admits_matrices(h, l) && admits_block(h, l, threads) &&
           admits_together(h, l);
}
