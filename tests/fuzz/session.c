#include "tests/fuzz/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/board/board.h"

_Noreturn void session_wrong(const struct session *s, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\nwidth %u, grid %ux%u, block %ux%u, inputs %u\n%s", s->text.width, s->text.grid[0],
            s->text.grid[1], s->text.block[0], s->text.block[1], s->seed, s->text.text.data);
    if (s->h)
        fprintf(stderr, "%s", heddle_error(s->h));
    abort();
}

void session_begin(struct session *s, const u8 *bytes, size_t len, const struct program_options *options) {
    *s = (struct session){.seed = len ? bytes[0] : 0};
    program_random(bytes + (len > 0), len - (len > 0), options, &s->text);
    program_buffers(&s->text, s->buffer);
    s->h = heddle_new();
    s->program = s->h ? heddle_load(s->h, "random.hd", s->text.text.data, s->text.text.len) : NULL;
    if (!s->program)
        session_wrong(s, "the program does not load");
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        u64 words = s->buffer[b].words;
        if (!heddle_buffer(s->h, s->buffer[b].name, "u32", 1, &words))
            session_wrong(s, "no buffer");
        s->args[b] = (struct heddle_arg){.name = s->buffer[b].name, .buffer = s->buffer[b].name};
    }
    s->launch = (struct heddle_launch){.args = s->args, .nargs = PROGRAM_BUFFERS, .warp = s->text.width};
    memcpy(s->launch.grid, s->text.grid, sizeof s->launch.grid);
    memcpy(s->launch.block, s->text.block, sizeof s->launch.block);
    s->launch.max_instructions = 2000000;
    s->launch.max_cycles = 200000000;
    session_rewind(s);
}

void session_end(struct session *s) {
    heddle_program_free(s->program);
    heddle_free(s->h);
    program_text_free(&s->text);
}

void session_rewind(struct session *s) {
    struct heddle_tensor t;
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        if (!heddle_buffer_get(s->h, s->buffer[b].name, &t))
            session_wrong(s, "a buffer is gone");
        memset(t.data, 0, t.bytes);
        for (u32 i = 0; b == 0 && i < s->buffer[b].words; i++) {
            u32 word = program_in_word(i, s->seed);
            memcpy(t.data + 4 * (size_t)i, &word, sizeof word);
        }
    }
}

enum heddle_status session_launch(struct session *s, const struct heddle_launch *l, struct heddle_result *r) {
    session_rewind(s);
    enum heddle_status status = heddle_launch(s->h, s->program, l, r);
    if (status == HEDDLE_FAULT)
        session_wrong(s, "a fault in a program that has none");
    if (status == HEDDLE_OK && r->inconsistency)
        session_wrong(s, "counters do not add up: %s", r->inconsistency);
    return status;
}

u8 *session_bytes(struct session *s, size_t *len) {
    struct heddle_tensor t[PROGRAM_BUFFERS];
    *len = 0;
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        if (!heddle_buffer_get(s->h, s->buffer[b].name, &t[b]))
            session_wrong(s, "a buffer is gone");
        *len += t[b].bytes;
    }
    u8 *bytes = malloc(*len), *at = bytes;
    for (u32 b = 0; bytes && b < PROGRAM_BUFFERS; at += t[b++].bytes)
        memcpy(at, t[b].data, t[b].bytes);
    return bytes;
}

void session_numbers(const struct heddle_result *r, struct buf *out) {
    struct heddle_column_info c;
    u32 ntraffic = 0, nlines = 0;
    while (heddle_traffic_column(ntraffic, &c))
        ntraffic++;
    while (heddle_line_column(nlines, &c))
        nlines++;
    buf_append(out, &r->cycles, sizeof r->cycles);
    buf_append(out, &r->warp_instructions, sizeof r->warp_instructions);
    for (u32 i = 0; i < r->nmetrics; i++)
        if (!r->metrics[i].absent)
            buf_append(out, &r->metrics[i].value, sizeof r->metrics[i].value);
    for (u32 i = 0; i < r->ntraffic; i++)
        buf_append(out, r->traffic[i].value, ntraffic * sizeof *r->traffic[i].value);
    for (u32 i = 0; i < r->nlines; i++) {
        buf_append(out, r->lines[i].stall, r->nstalls * sizeof *r->lines[i].stall);
        buf_append(out, r->lines[i].value, nlines * sizeof *r->lines[i].value);
    }
}

/* A value near the ends of the range, near the present one, or any. */
static double choose(const struct board_field_row *row, double now, u8 how, u8 rest) {
    double v[] = {row->min, row->min + 1, now / 2, now * 2, now * 3, now + 1, now - 1, 1 << rest % 12, rest};
    double chosen = v[how % COUNT_OF(v)];
    return chosen < row->min ? row->min : chosen > row->max ? row->max : chosen;
}

void session_board(struct session *s, const u8 *bytes, size_t len) {
    heddle_board_load(s->h, NULL, NULL, 0);
    const char *small[] = {"sms=3", "l2.slices=2", "dram.channels=2"};
    if (!heddle_board_load(s->h, NULL, small, COUNT_OF(small)))
        session_wrong(s, "the board is refused");
    for (; len >= 3; bytes += 3, len -= 3) {
        u32 f = (bytes[0] | (u32)(bytes[1] & 1) << 8) % BOARD_FIELDS;
        const struct board_field_row *row = &board_fields[f];
        struct heddle_board_value now;
        char text[128];
        const char *assignment = text;
        if (row->kind == KIND_ENERGY || !heddle_board_value(s->h, row->key, &now))
            continue;
        if (row->kind == KIND_CHOICE)
            snprintf(text, sizeof text, "%s=%s", row->key, row->option[bytes[2] % ((u32)row->max + 1)].name);
        else
            snprintf(text, sizeof text, "%s=%.0f", row->key, choose(row, now.number, bytes[1] >> 1, bytes[2]));
        heddle_board_load(s->h, NULL, &assignment, 1); /* or not */
    }
}
