#include "sim/cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/ui.h"
#include "sim/sweep/hash.h"

void run_put_fact(struct buf *to, const char *name, const char *value) {
    buf_printf(to, "%s %zu %s\n", name, strlen(value), value);
}

#define PUT_DIMS(to, name, v) (buf_printf(to, name " %u %u %u\n", (v)[0], (v)[1], (v)[2]))
#define PUT_BLOCK PUT_DIMS
#define PUT_WARP(to, name, v) (buf_printf(to, name " %u\n", (v)))
#define PUT_FLAG(to, name, v) (buf_printf(to, name " %d\n", (v)))
#define PUT_CACHES PUT_FLAG
#define PUT_COUNT(to, name, v) (buf_printf(to, name " %llu\n", (unsigned long long)(v)))
#define PUT_CHECKS(to, name, v) (run_put_fact(to, name, (v) ? (v) : ""))
#define PUT_SCHEDULE PUT_CHECKS
#define PUT_SAMPLE(to, name, v) ((v) ? run_put_fact(to, name, v) : (void)0)
#define PUT_ROWS PUT_CHECKS
#define PUT_TEXT(to, name, v)    /* the executor does not affect results */
#define PUT_THREADS(to, name, v) /* threads do not affect results */

void run_put_launch(const struct run_options *o, struct buf *to) {
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) \
    PUT_##kind(to, name, o->launch.member);
#include "sim/base/launch.def"
    buf_printf(to, "repeat %u\n", o->repeat ? o->repeat : 1);
    if (o->draws)
        buf_printf(to, "uncertainty %u\n", o->draws);
    if (o->ideal)
        buf_puts(to, "ideal\n");
    run_put_fact(to, "case", o->which_case ? o->which_case : "");
    for (u32 i = 0; i < run_entry_count(o); i++)
        run_put_fact(to, "entry", run_entry(o, i));
}

void run_put_board(const struct run *r, bool timed, struct buf *to) {
    struct heddle_board_value v;
    for (u32 i = 0; heddle_board_value_at(r->h, i, &v); i++)
        if (timed || strcmp(v.key, "warp_width") == 0)
            buf_printf(to, "%s %.17g %s %s %.17g..%.17g\n", v.key, v.number, v.choice ? v.choice : "",
                       v.basis ? v.basis : "", v.low, v.high);
    buf_printf(to, "timed %d\n", timed);
}

bool run_put_program(struct heddle *h, const struct heddle_program *p, const struct buf *source, struct buf *to) {
    size_t len = 0;
    char *text = heddle_program_text(h, p, &len);
    if (!text) {
        ui_show(stderr, heddle_error(h));
        return false;
    }
    buf_append(to, source->data, source->len);
    for (size_t at = 0, line; at < len; at += line) {
        line = strcspn(text + at, "\n") + 1;
        if (strncmp(text + at, ".file ", 6) != 0) /* the path of a file does not matter */
            buf_append(to, text + at, at + line <= len ? line : len - at);
    }
    heddle_release(text);
    return true;
}

static json_t *buffers(struct run *r) {
    json_t *all = json_new();
    struct heddle_tensor t;
    for (u32 i = 0; i < heddle_buffer_count(r->h); i++) {
        const char *name = heddle_buffer_name(r->h, i);
        if (heddle_buffer_look(r->h, name, &t))
            json_put(all, name, json_text(hash_bytes(t.data, t.bytes).text));
    }
    return all;
}

json_t *run_identity(struct run *r) {
    struct buf kernel = {0}, board = {0}, launch = {0};
    const struct heddle_arg *a = (const struct heddle_arg *)(const void *)r->options.numbers.data;
    json_t *all = NULL;
    if (run_put_program(r->h, r->program, &r->source, &kernel)) {
        run_put_board(r, true, &board);
        run_put_launch(&r->options, &launch);
        for (u32 i = 0; i < r->options.arg_count; i++)
            run_put_fact(&launch, a[i].name, a[i].text);
        if (kernel.failed || board.failed || launch.failed)
            ui_error("out of memory");
        else
            all = json_make("{s:s,s:s,s:s,s:o}", "kernel", hash_bytes(kernel.data, kernel.len).text, "board",
                            hash_bytes(board.data, board.len).text, "launch", hash_bytes(launch.data, launch.len).text,
                            "buffers", buffers(r));
    }
    buf_free(&launch);
    buf_free(&kernel);
    buf_free(&board);
    return all;
}
