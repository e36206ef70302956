/*
 * `heddle run --boards N`: a launch whose rows are shared out to equal boards. It runs on one board first, then on each
 * board with a memory of its own, which has its rows and no others, so that a kernel that needs more faults. Each must
 * leave what one board leaves. Copies take --link, from each board's own host; --gather gives all rows to every board.
 */
#include "sim/cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"
#include "sim/file/table.h"

/* A buffer parameter of the launch. */
struct shared {
    const char *parameter, *buffer;
    u64 row;      /* elements; 0 = every board has all of it */
    bool written; /* the kernel may write to it */
};

/* What a board took. */
struct board_time {
    struct run_copy in, back;
    u64 cycles;
    double seconds;
};

struct shares {
    struct run *one; /* the launch on one board */
    struct heddle_launch launch;
    const char *by;
    struct heddle_share share;
    struct heddle_board_part *part; /* [n] */
    struct board_time *time;        /* [n] */
    struct shared *buffer;
    u32 n, buffers;
    u64 rows, different; /* elements that differ from those of one board */
    struct run_copy gather;
    json_t *boards; /* array of results */
};

/* ---- options ---- */

/* Splits "n:y" or "nvlink3:direct" at its colon; NULL = out of memory. */
static const char *head_of(struct run_options *o, const char *text, const char **rest) {
    const size_t len = strcspn(text, ":");
    *rest = text[len] ? text + len + 1 : NULL;
    return arena_strndup(&o->arena, text, len);
}

static bool read_options(struct shares *s) {
    struct run_options *o = &s->one->options;
    const char *along = NULL, *by = o->share ? head_of(o, o->share, &along) : NULL;
    s->n = o->boards;
    s->share = (struct heddle_share){.by = by, .boards = s->n, .along = along};
    s->part = arena_alloc(&o->arena, s->n * sizeof *s->part);
    s->time = arena_alloc(&o->arena, s->n * sizeof *s->time);
    return (s->part && s->time && (by || !o->share)) || ui_no_memory();
}

static bool told(const struct shares *s, bool ok) {
    if (!ok)
        ui_show(stderr, heddle_error(s->one->h));
    return ok;
}

/* Lists the buffers of the launch, with their rows. */
static bool list_buffers(struct shares *s) {
    struct run *r = s->one;
    const struct heddle_launch *l = &s->launch;
    s->buffer = arena_alloc(&r->options.arena, (l->nargs + 1) * sizeof *s->buffer);
    if (!s->buffer)
        return ui_no_memory();
    for (u32 i = 0; i < l->nargs; i++) {
        struct shared *b = &s->buffer[s->buffers];
        struct heddle_tensor t;
        struct heddle_param_info p;
        *b = (struct shared){.parameter = l->args[i].name, .buffer = l->args[i].buffer};
        if (!b->buffer || !run_parameter(r->program, r->result.kernel, b->parameter, &p) || !p.buffer)
            continue;
        b->written = p.written;
        int64_t row = heddle_share_row(r->h, r->program, l, s->by, b->parameter);
        if (!told(s, row >= 0))
            return false;
        b->row = (u64)row;
        if (!heddle_buffer_look(r->h, b->buffer, &t))
            return ui_error("--boards: '%s' points into a buffer, or nowhere: it cannot be shared out", b->parameter);
        s->buffers++;
    }
    return true;
}

/* ---- a board ---- */

/* Leaves a board its rows of a buffer. */
static bool cut(const struct shares *s, struct heddle *h, const struct shared *b, u32 board) {
    struct heddle_tensor t;
    if (!b->row || !heddle_buffer_look(h, b->buffer, &t))
        return true;
    const u64 bytes = t.bytes / t.count * b->row, count = b->row * s->part[board].rows;
    struct buf rows = {0};
    bool written = t.written;
    buf_append(&rows, t.data + s->part[board].first * bytes, s->part[board].rows * bytes);
    bool ok = !rows.failed || ui_no_memory();
    if (ok && written)
        ok = heddle_raw_read(h, b->buffer, t.type, 1, &count, b->buffer, rows.data, rows.len);
    else if (ok)
        ok = heddle_buffer(h, b->buffer, t.type, 1, &count);
    buf_free(&rows);
    return ok;
}

/* Gives a run the launch of a board. */
static bool cut_all(const struct shares *s, struct run *r, u32 board) {
    struct run_options *o = &r->options;
    const struct heddle_board_part *part = &s->part[board];
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)part->rows);
    struct heddle_arg rows = {.name = s->by, .text = arena_strndup(&o->arena, text, strlen(text))}, *to = NULL;
    for (u32 i = 0; i < o->numbers.len / sizeof *to; i++) {
        struct heddle_arg *arg = (struct heddle_arg *)(void *)o->numbers.data + i;
        to = strcmp(arg->name, s->by) == 0 ? arg : to;
    }
    to = to ? to : buf_push(&o->numbers, sizeof *to);
    if (!to || !rows.text)
        return ui_no_memory();
    *to = rows;
    memcpy(o->launch.grid, part->grid, sizeof part->grid);
    for (u32 i = 0; i < s->buffers; i++)
        if (!cut(s, r->h, &s->buffer[i], board))
            return ui_show(stderr, heddle_error(r->h)), false;
    return true;
}

/* Counts the elements of a board's buffer that are not those of one board. */
static u64 differing(const struct shares *s, struct heddle *h, const struct shared *b, u32 board) {
    struct heddle_tensor whole, own;
    u64 n = 0;
    if (!b->written || !heddle_buffer_look(s->one->h, b->buffer, &whole) || !heddle_buffer_look(h, b->buffer, &own) ||
        !own.count)
        return 0;
    const u64 size = own.bytes / own.count;
    const uint8_t *expected = whole.data + s->part[board].first * b->row * size;
    for (u64 i = 0; i < own.count; i++)
        n += memcmp(expected + i * size, own.data + i * size, size) != 0;
    return n;
}

static void compare(struct shares *s, struct heddle *h, u32 board) {
    for (u32 i = 0; i < s->buffers; i++) {
        u64 n = differing(s, h, &s->buffer[i], board);
        s->different += n;
        if (n)
            ui_error("board %u of %u: %s elements of '%s' differ from those of one board: %s", board + 1, s->n,
                     grouped(n).text, s->buffer[i].buffer,
                     s->buffer[i].row ? "rows depend on others" : "every board has its own, and writes to it");
    }
}

static void keep(struct shares *s, const struct run *r, u32 board) {
    struct board_time *t = &s->time[board];
    *t = (struct board_time){r->report.copied_in, r->report.copied_out, r->report.cycles, r->report.seconds};
    json_add(s->boards, json_make("{s:o,s:o,s:o,s:o,s:o}", "first_row", json_u64(s->part[board].first), "rows",
                                  json_u64(s->part[board].rows), "in", run_copy_json(&t->in), "out",
                                  run_copy_json(&t->back), "launch", run_report_json_launch(&r->result)));
}

static int run_board(struct shares *s, u32 board) {
    struct run r = {.part = board + 1, .parts = s->n};
    int status = run_reopen(&r, s->one, NULL);
    if (status == EXIT_OK)
        status = cut_all(s, &r, board) ? run_launches(&r) : EXIT_INPUT;
    if (status == EXIT_OK && r.report.status != HEDDLE_OK) {
        ui_error("board %u of %u has rows %s to %s of '%s', and its launch faults", board + 1, s->n,
                 grouped(s->part[board].first).text, grouped(s->part[board].first + s->part[board].rows - 1).text,
                 s->by);
        status = EXIT_FAULT;
    }
    if (status == EXIT_OK) {
        compare(s, r.h, board);
        keep(s, &r, board);
    }
    run_close(&r);
    return status;
}

/* ---- all boards ---- */

/* Adds what it takes until every board has all rows of a buffer. */
static bool gather_one(struct shares *s, const struct shared *b, const char *link, const char *way) {
    struct heddle_transfer all = {.link = link, .kind = "all_gather", .way = way, .boards = s->n};
    struct heddle_transferred moved;
    struct heddle_tensor t;
    if (!b->written || !b->row || !heddle_buffer_look(s->one->h, b->buffer, &t))
        return true;
    all.bytes = t.bytes;
    if (!told(s, heddle_transfer(s->one->h, &all, &moved)))
        return false;
    s->gather.bytes += t.bytes;
    s->gather.seconds += moved.us * 1e-6;
    s->gather.joules += moved.joules;
    return true;
}

static bool gather(struct shares *s) {
    struct run_options *o = &s->one->options;
    const char *way, *link = o->gather ? head_of(o, o->gather, &way) : NULL;
    bool ok = link || !o->gather || ui_no_memory();
    for (u32 i = 0; i < s->buffers && link && ok; i++)
        ok = gather_one(s, &s->buffer[i], link, way);
    return ok;
}

static double time_of(const struct board_time *t) {
    return t->in.seconds + t->seconds + t->back.seconds;
}

/* The board that takes longest. */
static const struct board_time *slowest(const struct shares *s) {
    const struct board_time *most = s->time;
    for (u32 i = 1; i < s->n; i++)
        most = time_of(&s->time[i]) > time_of(most) ? &s->time[i] : most;
    return most;
}

static struct board_time one_board(const struct shares *s) {
    const struct run_report *r = &s->one->report;
    return (struct board_time){r->copied_in, r->copied_out, r->cycles, r->seconds};
}

/* ---- the report ---- */

static const struct table_column columns[] = {{"board", "board", TABLE_NUMBER},   {"rows", "rows", TABLE_NUMBER},
                                              {"grid", "grid", TABLE_WORD},       {"in", "to it", TABLE_NUMBER},
                                              {"cycles", "cycles", TABLE_NUMBER}, {"kernel", "kernel", TABLE_NUMBER},
                                              {"out", "back", TABLE_NUMBER},      {"time", "time", TABLE_NUMBER}};

static void put_seconds(struct table *t, double seconds) {
    if (seconds > 0)
        table_number(t, seconds, format_si(seconds, "s"));
    else
        table_none(t);
}

static void put_boards(const struct shares *s, struct buf *out) {
    struct table t = {.name = "boards", .column = columns, .columns = COUNT_OF(columns)};
    for (u32 i = 0; i < s->n; i++) {
        const struct board_time *b = &s->time[i];
        table_number(&t, i + 1, grouped(i + 1));
        table_number(&t, (double)s->part[i].rows, grouped(s->part[i].rows));
        table_word(&t, format_dims(s->part[i].grid).text);
        put_seconds(&t, b->in.seconds);
        table_number(&t, (double)b->cycles, grouped(b->cycles));
        put_seconds(&t, b->seconds);
        put_seconds(&t, b->back.seconds);
        put_seconds(&t, time_of(b));
    }
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

static void put_text(const struct shares *s, struct buf *out) {
    const struct board_time *most = slowest(s), one = one_board(s);
    const double all = time_of(most) + s->gather.seconds;
    buf_printf(out, "%s, %s rows by '%s', shared out to %u boards like %s\n", s->one->result.kernel,
               grouped(s->rows).text, s->by, s->n, heddle_board_name(s->one->h));
    buf_printf(out, "  time       %s: kernel %s", format_si(all, "s").text, format_si(most->seconds, "s").text);
    if (s->one->options.link)
        buf_printf(out, ", copies %s to the board and %s back", format_si(most->in.seconds, "s").text,
                   format_si(most->back.seconds, "s").text);
    if (s->one->options.gather)
        buf_printf(out, ", exchange %s", format_si(s->gather.seconds, "s").text);
    buf_printf(out, "\n  one board  %s, %.2f times as long\n", format_si(time_of(&one), "s").text, time_of(&one) / all);
    buf_printf(out, "  results    %s\n\n",
               s->different ? "not those of one board: these rows cannot be shared out"
                            : "the same bytes as on one board");
    put_boards(s, out);
}

static bool put_json(const struct shares *s, struct buf *out) {
    const struct run *r = s->one;
    const struct board_time one = one_board(s);
    const double seconds = time_of(slowest(s)) + s->gather.seconds;
    json_t *all =
        json_make("{s:s,s:s,s:s,s:s,s:o,s:o,s:o,s:o}", "format", "heddle-shares-1", "heddle", heddle_version(), "file",
                  r->file, "share", s->by, "rows", json_u64(s->rows), "seconds", json_number(seconds),
                  "one_board_seconds", json_number(time_of(&one)), "different", json_u64(s->different));
    json_put(all, "link", r->options.link ? json_text(r->options.link) : json_null());
    json_put(all, "gather", r->options.gather ? run_copy_json(&s->gather) : json_null());
    json_put(all, "boards", json_incref(s->boards));
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}

static int report(struct shares *s) {
    const struct run_options *o = &s->one->options;
    struct buf text = {0}, json = {0};
    if (!o->quiet)
        put_text(s, &text);
    if (!s->different)
        run_buffers_print(o, s->one->h, &text);
    json.failed |= o->json && !put_json(s, &json);
    bool ok = run_write(o, &s->one, !s->different, &text, &json);
    return ok ? s->different ? EXIT_FAULT : EXIT_OK : EXIT_INPUT;
}

/* Plans the boards' launches, and runs that of one board. */
static int begin(struct shares *s) {
    struct run *r = s->one;
    if (!run_agree(&r->options, RUN_BOARDS) || !read_options(s) || run_promise(&r->options) != EXIT_OK)
        return EXIT_INPUT;
    s->launch = run_asked(r, run_entry(&r->options, 0));
    s->by = heddle_share(r->h, r->program, &s->launch, &s->share, s->part);
    if (!told(s, s->by != NULL))
        return EXIT_INPUT;
    for (u32 i = 0; i < s->n; i++)
        s->rows += s->part[i].rows;
    int status = run_launches(r);
    if (status == EXIT_OK && r->report.status != HEDDLE_OK)
        status = EXIT_FAULT;
    return status == EXIT_OK && !(list_buffers(s) && gather(s)) ? EXIT_INPUT : status;
}

int run_shares(struct run *r) {
    struct shares s = {.one = r, .boards = json_list()};
    int status = begin(&s);
    for (u32 i = 0; i < s.n && status == EXIT_OK; i++)
        status = run_board(&s, i);
    if (status == EXIT_OK)
        status = report(&s);
    json_decref(s.boards);
    return status;
}
