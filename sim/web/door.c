#include "sim/web/door.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/file/read.h"
#include "sim/api/write.h"

EXPORT(door_alloc) void *door_alloc(u32 bytes);
EXPORT(door_free) void door_free(void *block);
EXPORT(door_new) struct door *door_new(void);
EXPORT(door_reset) bool door_reset(struct door *d);
EXPORT(door_answer) const char *door_answer(const struct door *d);
EXPORT(door_length) u32 door_length(const struct door *d);
EXPORT(door_load) bool door_load(struct door *d, u32 slot, const char *name, const char *text);
EXPORT(door_board) bool door_board(struct door *d, const char *name, const char *text);
EXPORT(door_set) bool door_set(struct door *d, const char *settings);
EXPORT(door_buffer) u8 *door_buffer(struct door *d, const char *name, const char *type, u32 ndim, const u32 *shape);
EXPORT(door_data) const u8 *door_data(struct door *d, const char *name);
EXPORT(door_scalar) bool door_scalar(struct door *d, const char *name, const char *text);
EXPORT(door_launch) u32 door_launch(struct door *d, const char *entry, const struct door_launch *asked);
EXPORT(door_events) bool door_events(struct door *d, u32 from, u32 count);
EXPORT(door_columns) const u32 *door_columns(struct door *d, u32 from, u32 count);
EXPORT(door_state) bool door_state(struct door *d, u32 block, u32 warp, u32 before);
EXPORT(door_words) bool door_words(struct door *d);

void *door_alloc(u32 bytes) {
    return malloc(bytes ? bytes : 1);
}

void door_free(void *block) {
    free(block);
}

void door_begin(struct door *d) {
    buf_free(&d->out);
    d->out = (struct buf){0};
    write_open(&d->out, NULL, '{');
}

bool door_end(struct door *d, const char *error) {
    if (error)
        write_text(&d->out, "error", error);
    write_close(&d->out, '}');
    return !error;
}

/* Makes the context new: no board, buffers or arguments. The answer is empty, whatever was there. */
bool door_reset(struct door *d) {
    door_begin(d);
    door_forget(d);
    heddle_free(d->h);
    d->nargs = 0;
    d->cased = false;
    d->h = heddle_new();
    if (d->h)
        heddle_max_memory(d->h, DOOR_MEMORY);
    return door_end(d, d->h ? NULL : "no memory for heddle\n");
}

struct door *door_new(void) {
    struct door *d = calloc(1, sizeof *d);
    if (d && door_reset(d))
        return d;
    free(d);
    return NULL;
}

const char *door_answer(const struct door *d) {
    return d->out.data;
}

u32 door_length(const struct door *d) {
    return d->out.failed ? 0 : (u32)d->out.len;
}

/* Ends the answer, with the error of the context if the call has failed. */
static bool end(struct door *d, bool ok) {
    return door_end(d, ok ? NULL : heddle_error(d->h));
}

/* ---- programs ---- */

/* Keeps copies of name and text of program 0; false when out of memory. */
static bool keep_source(struct door *d, const char *name, const char *text) {
    char *path = strdup(name), *source = strdup(text);
    free(path && source ? d->path : path);
    free(path && source ? d->source : source);
    if (!path || !source)
        return false;
    d->path = path;
    d->source = source;
    return true;
}

/* Loads a kernel; the files that it includes are the page's, by their paths (scripts/web/files.js). */
bool door_load(struct door *d, u32 slot, const char *name, const char *text) {
    struct texts texts = {0};
    door_begin(d);
    if (slot >= DOOR_PROGRAMS)
        return door_end(d, "there is no such place for a kernel\n");
    struct heddle_file f = {.name = name, .text = text, .len = strlen(text), .read = texts_read, .ctx = &texts};
    struct heddle_program *p = heddle_load_file(d->h, &f);
    texts_free(&texts);
    if (p && slot == 0 && !keep_source(d, name, text)) {
        heddle_program_free(p);
        return door_end(d, "no memory for the text of the kernel\n");
    }
    if (p) {
        d->cased = d->cased && slot != 0;
        if (slot == 0)
            door_forget(d);
        heddle_program_free(d->program[slot]);
        d->program[slot] = p;
        door_put_program(d, p);
    }
    return end(d, p != NULL);
}

/* ---- arguments of a launch ---- */

bool door_board(struct door *d, const char *name, const char *text) {
    door_begin(d);
    struct heddle_file f = {.name = name, .text = text, .len = strlen(text)};
    bool ok = heddle_board_load(d->h, &f, NULL, 0);
    if (ok)
        door_put_board(d);
    return end(d, ok);
}

/* Changes values of the board: assignments with a space between two. */
bool door_set(struct door *d, const char *settings) {
    enum { SETTINGS = 64 };
    const char *list[SETTINGS];
    char *words = strdup(settings), *rest = NULL;
    u32 n = 0;
    door_begin(d);
    if (!words)
        return door_end(d, "no memory for the settings\n");
    for (char *word = strtok_r(words, " ", &rest); word && n < SETTINGS; word = strtok_r(NULL, " ", &rest))
        list[n++] = word;
    bool ok = !n || heddle_board_load(d->h, NULL, list, n);
    free(words);
    return end(d, ok);
}

/* Names the next argument; NULL if there are too many or the name is too long. */
static struct heddle_arg *add_arg(struct door *d, const char *name) {
    if (d->nargs == DOOR_ARGS || strlen(name) >= DOOR_NAME)
        return NULL;
    memcpy(d->name[d->nargs], name, strlen(name) + 1);
    struct heddle_arg *a = &d->arg[d->nargs];
    *a = (struct heddle_arg){.name = d->name[d->nargs]};
    d->nargs++;
    return a;
}

static bool refuse_arg(struct door *d) {
    char why[128];
    snprintf(why, sizeof why, "a launch has at most %d arguments, whose names and numbers have at most %d characters\n",
             DOOR_ARGS, DOOR_NAME - 1);
    return door_end(d, why);
}

/* Makes a buffer of zeros as the argument of that name, and returns the place of its data. */
u8 *door_buffer(struct door *d, const char *name, const char *type, u32 ndim, const u32 *shape) {
    uint64_t wide[HEDDLE_DIMS_MAX] = {0};
    struct heddle_tensor t;
    door_begin(d);
    for (u32 i = 0; i < ndim && i < HEDDLE_DIMS_MAX; i++)
        wide[i] = shape[i];
    if (!heddle_buffer(d->h, name, type, ndim, wide) || !heddle_buffer_get(d->h, name, &t))
        return end(d, false), NULL;
    struct heddle_arg *a = add_arg(d, name);
    if (!a)
        return refuse_arg(d), NULL;
    a->buffer = a->name;
    write_whole(&d->out, "bytes", t.bytes);
    return end(d, true) ? t.data : NULL;
}

/* Returns the data of a buffer as a launch left them. */
const u8 *door_data(struct door *d, const char *name) {
    struct heddle_tensor t;
    door_begin(d);
    bool ok = heddle_buffer_look(d->h, name, &t);
    if (ok)
        write_whole(&d->out, "bytes", t.bytes);
    return end(d, ok) ? t.data : NULL;
}

bool door_scalar(struct door *d, const char *name, const char *text) {
    u32 n = d->nargs;
    door_begin(d);
    if (strlen(text) >= DOOR_NAME || !add_arg(d, name))
        return refuse_arg(d);
    memcpy(d->text[n], text, strlen(text) + 1);
    d->arg[n].text = d->text[n];
    return door_end(d, NULL);
}

/* ---- launches ---- */

enum heddle_status door_perform(struct door *d, struct heddle_launch *l, const struct door_launch *asked) {
    struct heddle_watch watch = {.bytes = asked->watch};
    l->functional = asked->functional;
    l->watch = asked->watch ? &watch : NULL;
    l->check = asked->check ? "all" : NULL;
    door_forget(d);
    enum heddle_status status = heddle_launch(d->h, d->program[0], l, &d->result);
    door_put_result(d, status);
    return status;
}

u32 door_launch(struct door *d, const char *entry, const struct door_launch *asked) {
    door_begin(d);
    if (!d->program[0]) {
        door_end(d, "no kernel was loaded\n");
        return HEDDLE_INPUT;
    }
    struct heddle_launch l = {.entry = *entry ? entry : NULL,
                              .args = d->arg,
                              .nargs = d->nargs,
                              .warp = asked->warp,
                              .max_instructions = asked->max_instructions};
    memcpy(l.grid, asked->grid, sizeof l.grid);
    memcpy(l.block, asked->block, sizeof l.block);
    enum heddle_status status = door_perform(d, &l, asked);
    end(d, status == HEDDLE_OK);
    return status;
}

bool door_events(struct door *d, u32 from, u32 count) {
    door_begin(d);
    door_put_events(d, from, count);
    return end(d, true);
}

/* Writes events as rows of words; door_length gives their bytes: 40,000 events in 30 ms, where JSON takes 700. */
const u32 *door_columns(struct door *d, u32 from, u32 count) {
    buf_free(&d->out);
    d->out = (struct buf){0};
    door_put_columns(d, from, count);
    return (const u32 *)(const void *)d->out.data;
}

bool door_state(struct door *d, u32 block, u32 warp, u32 before) {
    door_begin(d);
    return end(d, door_put_state(d, block, warp, before));
}

static void put_word(struct buf *out, const char *name, const char *doc) {
    write_text(out, "name", name);
    write_text(out, "doc", doc);
}

/* Writes the language: what an editor marks, completes and explains. */
static void put_language(struct buf *out) {
    struct heddle_isa_row row;
    const char *name, *doc;
    write_open(out, "instructions", '[');
    for (u32 i = 0; heddle_isa_row(i, &row); i++) {
        write_object(out, "heddle_isa_row", &row);
    }
    write_close(out, ']');
    write_open(out, "registers", '[');
    for (u32 i = 0; heddle_special_register(i, &name, &doc); i++) {
        write_open(out, NULL, '{');
        put_word(out, name, doc);
        write_close(out, '}');
    }
    write_close(out, ']');
}

/* Writes the tables: the language, and the names of the numbers of events, stalls and columns. */
bool door_words(struct door *d) {
    struct buf *out = &d->out;
    const char *name, *doc;
    enum heddle_event_form form;
    struct heddle_column_info column;
    door_begin(d);
    write_text(out, "version", heddle_version());
    write_whole(out, "row", DOOR_ROW);
    write_whole(out, "touch", DOOR_TOUCH);
    write_open(out, "kinds", '[');
    for (u32 k = 0; (name = heddle_event_kind(k, &doc, NULL, NULL)); k++) {
        write_open(out, NULL, '{');
        put_word(out, name, doc);
        write_open(out, "fields", '[');
        for (u32 i = 0; (name = heddle_event_field(k, i, &form, &doc)); i++)
            write_text(out, NULL, name);
        write_close(out, ']');
        write_close(out, '}');
    }
    write_close(out, ']');
    write_open(out, "stalls", '[');
    for (u32 i = 0; (name = heddle_stall_name(i, &doc)); i++) {
        write_open(out, NULL, '{');
        put_word(out, name, doc);
        write_close(out, '}');
    }
    write_close(out, ']');
    write_open(out, "traffic", '[');
    for (u32 i = 0; heddle_traffic_column(i, &column); i++)
        write_text(out, NULL, column.name);
    write_close(out, ']');
    put_language(out);
    return end(d, true);
}
