/* Error, notes, sizes and texts of a context, for all parts of the API. */
#include "sim/api/context.h"

#include <stdarg.h>
#include <stdio.h>

void context_begin(struct heddle *h) {
    h->error.len = h->notes.len = 0;
    h->error.failed = h->notes.failed = false;
    h->budget.refused = 0;
}

/* Appends "WHERE: KIND: ..." and a line end. */
static void put_line(struct buf *to, const char *where, const char *kind, const char *fmt, va_list ap) {
    va_list again;
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    buf_printf(to, "%s: %s: ", where, kind);
    char *text = len > 0 ? buf_push(to, (size_t)len + 1) : NULL;
    if (text) {
        vsnprintf(text, (size_t)len + 1, fmt, ap);
        to->data[to->len - 1] = '\n'; /* for the NUL */
    }
}

bool context_fail(struct heddle *h, const char *where, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    put_line(&h->error, where, "error", fmt, ap);
    va_end(ap);
    return false;
}

void context_note(struct heddle *h, const char *where, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    put_line(&h->notes, where, "note", fmt, ap);
    va_end(ap);
}

bool context_no_memory(struct heddle *h, const char *for_what) {
    u64 refused = h->budget.refused, used = h->budget.used;
    if (!refused)
        return context_fail(h, "heddle", "out of memory: %s", for_what);
    return context_fail(h, "heddle", "out of memory: %s: %s more, and of the %s that max-memory allows %s are taken",
                        for_what, size_text(refused).text, size_text(h->budget.limit).text, size_text(used).text);
}

bool context_fail_diag(struct heddle *h, const struct diag *diag) {
    if (diag->errors == 0)
        return context_no_memory(h, diag->file);
    diag_render(diag, &h->error);
    return false;
}

struct size_text size_text(u64 bytes) {
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    struct size_text t;
    u32 u = 0;
    double n = (double)bytes;
    for (; n >= 1024 && u + 1 < COUNT_OF(units); u++)
        n /= 1024;
    snprintf(t.text, sizeof t.text, u ? "%.1f %s" : "%.0f %s", n, units[u]);
    return t;
}

struct suggestion suggest(const char *near) {
    struct suggestion s = {""};
    if (near)
        snprintf(s.text, sizeof s.text, "; did you mean '%s'?", near);
    return s;
}

char *context_hand_out(struct heddle *h, struct buf *text, size_t *len) {
    buf_append(text, "", 0); /* makes a block with a NUL even if nothing was written */
    if (text->failed) {
        buf_free(text);
        context_no_memory(h, "the text");
        return NULL;
    }
    if (len)
        *len = text->len;
    return text->data;
}

bool context_texts(struct heddle *h, const struct program *p, u32 pc, const char **text, const char **disassembly) {
    struct buf both = {0};
    source_print(p, pc, &both);
    buf_putc(&both, 0);
    size_t second = both.len;
    inst_print(p, &p->inst[pc], &both);
    const char *kept = both.failed ? NULL : arena_strndup(&h->result, both.data, both.len);
    buf_free(&both);
    *text = kept;
    *disassembly = kept ? kept + second : NULL;
    return kept != NULL;
}
