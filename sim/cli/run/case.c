#include "sim/cli/run/case.h"

#include <string.h>

#include "sim/cli/script.h"
#include "sim/cli/ui.h"

/* True if the option replaces a buffer of the case; --out NAME=FILE only writes it. */
static bool replaces(const struct run_tensor *t) {
    return !data_spec_only_writes(&t->data);
}

static bool replaces_any(const struct run_options *o) {
    bool any = false;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        any |= replaces(run_tensor_at(o, i));
    return any;
}

static bool is_changed(const struct run_options *o) {
    return o->arg_count || o->launch.grid[0] || o->launch.block[0] || replaces_any(o);
}

static bool failed(const struct run_case *c) {
    ui_show(stderr, heddle_session_error(c->session));
    return false;
}

/* Counts the SMs that the launch may fill, of the board as shipped, so that --set changes no case; 0 without a board.
 * Options that follow every warp suit few SMs. False after a message. */
static bool count_sms(struct run_case *c, const struct run_options *o, struct heddle *h, u32 *count) {
    const struct board_choice ships = {.name = o->board.name};
    struct heddle_board_value sms = {.number = 0};
    *count = 0;
    if (!o->board.name || run_record_given(&o->record))
        return true;
    if (!board_apply(&ships, h) || !heddle_board_value(h, "sms", &sms))
        return false;
    *count = (u32)sms.number;
    c->board = o->board.name;
    return true;
}

bool run_case_find(struct run_case *c, struct run_options *o, struct heddle *h, const struct heddle_file *file) {
    bool given = is_changed(o) || run_entry_count(o) > 1;
    bool object = memchr(file->text, 0, file->len) != NULL;
    if ((given && !o->which_case) || (object && !o->which_case))
        return true;
    struct heddle_case_asked asked = {.which = o->which_case, .entry = run_entry(o, 0)};
    if (!count_sms(c, o, h, &asked.sms))
        return false;
    c->session = script_session(0);
    if (!c->session)
        return false;
    if (!heddle_case_find(c->session, h, file, &asked, &c->found))
        return failed(c);
    c->own_board = c->found.board && (!o->board.name || strcmp(o->board.name, c->found.board) == 0);
    if (c->own_board)
        o->board.name = c->found.board;
    return true;
}

/* Lists scalars, and the names of buffers that options replace. */
static bool list_given(const struct run_options *o, struct buf *list) {
    buf_append(list, o->numbers.data, o->arg_count * sizeof(struct heddle_arg));
    for (u32 i = 0; i < run_tensor_count(o); i++) {
        const struct run_tensor *t = run_tensor_at(o, i);
        struct heddle_arg *a = replaces(t) ? buf_push(list, sizeof *a) : NULL;
        if (a)
            *a = (struct heddle_arg){.name = t->name, .buffer = t->name};
    }
    if (list->failed)
        ui_error("out of memory");
    return !list->failed;
}

bool run_case_fill(struct run_case *c, const struct run_options *o, struct heddle *h, const struct heddle_program *p) {
    struct heddle_board_value width;
    struct buf list = {0};
    if (!c->found.entry)
        return true;
    bool ok = list_given(o, &list) && heddle_board_value(h, "warp_width", &width);
    if (ok) {
        const struct heddle_case_given given = {.warp = o->launch.warp,
                                                .board_warp = (u32)width.number,
                                                .args = (const struct heddle_arg *)(const void *)list.data,
                                                .nargs = (u32)(list.len / sizeof(struct heddle_arg))};
        ok = heddle_case_fill(c->session, p, &given, &c->launch) || failed(c);
    }
    buf_free(&list);
    return ok;
}

void run_case_complete(const struct run_case *c, struct heddle_launch *l) {
    if (!c->found.entry)
        return;
    l->entry = c->found.entry;
    l->warp = c->launch.warp;
    if (!l->grid[0])
        memcpy(l->grid, c->launch.grid, sizeof l->grid);
    if (!l->block[0])
        memcpy(l->block, c->launch.block, sizeof l->block);
    l->cooperative |= c->launch.cooperative;
    if (!l->rules)
        l->rules = c->launch.rules;
    if (!l->shared_bytes)
        l->shared_bytes = c->launch.shared_bytes;
    if (!l->max_instructions)
        l->max_instructions = c->launch.max_instructions;
}

bool run_case_check(struct run_case *c, const struct run_options *o, const struct heddle_result *result) {
    bool metrics = c->own_board && !o->board.sets.len && result->timed && !o->launch.warm;
    if (!c->found.entry || is_changed(o) || o->repeat > 1)
        return true;
    if (!heddle_case_check(c->session, result, metrics, &c->verdict))
        return failed(c);
    c->checked = c->verdict.total > 0;
    c->faulted = c->checked && result->fault.kind && c->verdict.met == c->verdict.total;
    ui_show(stderr, c->verdict.text);
    return true;
}

bool run_case_failed(const struct run_case *c) {
    return c->checked && c->verdict.met < c->verdict.total;
}

void run_case_line(const struct run_case *c, const struct run_options *o, const char *who, struct buf *out) {
    const char *before = " with other ";
    if (!c->found.entry)
        return;
    buf_printf(out, "%s case %u of %u of %s", who, c->found.number, c->found.count, o->file);
    const struct heddle_arg *numbers = (const struct heddle_arg *)(const void *)o->numbers.data;
    for (u32 i = 0; i < o->arg_count; i++, before = ", ")
        buf_printf(out, "%s%s", before, numbers[i].name);
    for (u32 i = 0; i < run_tensor_count(o); i++)
        if (replaces(run_tensor_at(o, i))) {
            buf_printf(out, "%s%s", before, run_tensor_at(o, i)->name);
            before = ", ";
        }
    if (o->launch.grid[0]) {
        buf_printf(out, "%sgrid", before);
        before = ", ";
    }
    if (o->launch.block[0])
        buf_printf(out, "%sblock", before);
    buf_printf(out, "%s: %s\n", c->found.count > 1 ? " (--case runs another)" : "", c->found.text);
}

void run_case_verdict(const struct run_case *c, struct buf *out) {
    if (c->checked)
        buf_printf(out, "expectations: %u of %u met%s\n", c->verdict.met, c->verdict.total,
                   c->faulted ? "; the case expects this fault" : "");
    else if (c->found.entry)
        buf_puts(out, "expectations: not checked, since the run is not the case's own\n");
}

json_t *run_case_json(const struct run_case *c) {
    json_t *one = json_make("{s:I,s:I,s:s}", "number", (json_int_t)c->found.number, "of", (json_int_t)c->found.count,
                            "run", c->found.text);
    json_put(one, "expectations",
             c->checked ? json_make("{s:I,s:I,s:s}", "total", (json_int_t)c->verdict.total, "met",
                                    (json_int_t)c->verdict.met, "failed", c->verdict.text)
                        : json_null());
    return one;
}

void run_case_free(struct run_case *c) {
    heddle_session_free(c->session);
}
