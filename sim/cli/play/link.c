#include "sim/cli/play/link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/ascii.h"
#include "sim/cli/file.h"
#include "sim/cli/json.h"
#include "sim/cli/ui.h"
#include "sim/file/read.h"

/* A kernel, or a file that it includes. */
struct part {
    char path[PATH_MAX]; /* real path */
    const char *text;
    size_t len;
};

struct parts {
    struct texts texts;
    struct buf list; /* list of struct part */
};

static bool add_part(struct buf *list, const char *path, const char *text, size_t len) {
    struct part *p = buf_push(list, sizeof *p);
    if (!p)
        return false;
    *p = (struct part){.text = text, .len = len};
    if (!realpath(path, p->path))
        snprintf(p->path, sizeof p->path, "/kernel.hd"); /* from standard input */
    return true;
}

/* Reads an included file as the assembler does, and keeps it. */
static const char *keep(void *ctx, const char *name, size_t *len) {
    struct parts *p = ctx;
    const char *text = texts_read(&p->texts, name, len);
    return text && add_part(&p->list, name, text, *len) ? text : NULL;
}

/* Measures the folder, with its slash, that contains all the files. */
static size_t common_folder(const struct part *parts, size_t n) {
    size_t len = strlen(parts[0].path);
    for (size_t i = 0; i < n; i++) {
        size_t same = 0;
        while (same < len && parts[i].path[same] == parts[0].path[same])
            same++;
        len = same;
    }
    while (len && parts[0].path[len - 1] != '/')
        len--;
    return len;
}

static json_t *content(const struct play_start *start, const struct parts *p) {
    const struct part *part = (const struct part *)(const void *)p->list.data;
    size_t n = p->list.len / sizeof *part;
    json_t *all = json_new(), *files = json_new();
    size_t folder = n ? common_folder(part, n) : 0;
    if (n) {
        json_put(all, "name", json_text(part[0].path + folder));
        json_put(all, "source", json_text_of(part[0].text, part[0].len));
    }
    for (size_t i = 1; i < n; i++)
        json_put(files, part[i].path + folder, json_text_of(part[i].text, part[i].len));
    json_put(all, "files", files);
    json_put(all, "version", json_text(heddle_version()));
    if (start->board)
        json_put(all, "board", json_text(start->board));
    if (start->which_case)
        json_put(all, "case", json_text(start->which_case));
    if (start->warp)
        json_put(all, "warp", json_u64(start->warp));
    if (start->lesson)
        json_put(all, "lesson", json_u64(start->lesson));
    return all;
}

/* Appends base64url by RFC 4648, section 5, without padding. */
static void put_base64url(struct buf *out, const char *bytes, size_t len) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (size_t i = 0; i < len; i += 3) {
        u32 three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < len ? (u8)bytes[i + k] : 0);
        for (size_t k = 0; k < 4 && i + k <= len; k++)
            buf_putc(out, digits[three >> (18 - 6 * k) & 63]);
    }
}

/* Appends a path as a part of an address: other than letters, digits and a few signs as %XX. */
static void put_address(struct buf *out, const char *path) {
    buf_puts(out, "file://");
    for (const char *c = path; *c; c++)
        if (strchr("/-._~", *c) || is_alphanumeric(*c))
            buf_putc(out, *c);
        else
            buf_printf(out, "%%%02X", (u8)*c);
}

static bool read_parts(struct parts *p, const char *kernel, struct buf *source) {
    struct heddle *h = heddle_new();
    bool ok = file_read(kernel, source);
    if (ok && h && add_part(&p->list, kernel, source->data, source->len)) {
        const struct heddle_file file = {kernel, source->data, source->len, keep, p};
        heddle_program_free(heddle_load_file(h, &file));
    }
    if (ok && (!h || p->list.failed))
        ui_error("out of memory");
    ok = ok && h && !p->list.failed;
    heddle_free(h);
    return ok;
}

bool play_link(const struct play_start *start, const char *page, struct buf *out) {
    struct parts p = {.texts = {.guard = file_guard()}};
    struct buf source = {0}, json = {0};
    bool ok = !start->kernel || read_parts(&p, start->kernel, &source);
    if (ok) {
        bool written = json_write_line(content(start, &p), &json);
        put_address(out, page);
        if (start->kernel || start->lesson) {
            buf_puts(out, "#0");
            put_base64url(out, json.data, json.len);
        }
        ok = written && !out->failed;
        if (!ok)
            ui_error("out of memory");
    }
    texts_free(&p.texts);
    buf_free(&p.list);
    buf_free(&source);
    buf_free(&json);
    return ok;
}
