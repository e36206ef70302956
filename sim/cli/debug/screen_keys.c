/* Actions of keys. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/debug/screen_state.h"
#include "sim/debug/values.h"

static u32 answer_lines(const struct screen *s) {
    u32 lines = 0;
    for (size_t i = 0; i < s->answer.len; i++)
        lines += s->answer.data[i] == '\n';
    return lines;
}

void screen_command(struct screen *s, const char *line) {
    if (s->line != line)
        snprintf(s->line, sizeof s->line, "%s", line);
    if (!*line)
        return;
    snprintf(s->last, sizeof s->last, "%s", line);
    bool good = debug_command(s->d, s->last);
    const struct buf *said = good ? &s->d->out : &s->d->error;
    s->refused = !good;
    s->answer.len = 0;
    canvas_wrap(said->data ? said->data : "", said->len, s->tty.cols, &s->answer);
    s->more = answer_lines(s) > 2;
    s->from = 0;
    s->left = s->d->left;
    for (u32 i = 0; i < PANES; i++)
        s->panes[i].moved = false;
}

static void say(struct screen *s, const char *text) {
    s->answer.len = 0;
    buf_puts(&s->answer, text);
    s->refused = s->more = false;
}

/* ---- actions ---- */

static void key_command(struct screen *s, const char *text) {
    screen_command(s, text);
}

static void key_again(struct screen *s, const char *text) {
    (void)text;
    if (*s->last)
        screen_command(s, s->last);
}

static void key_ask(struct screen *s, const char *text) {
    snprintf(s->line, sizeof s->line, "%s", text);
    s->asks = true;
}

/* Moves to the neighbouring warp of the recording. */
static void key_warp(struct screen *s, const char *text) {
    char line[64];
    const struct debug *d = s->d;
    const struct warp_of *w = (const struct warp_of *)(const void *)d->warps.data, *end = w + d->warps.len / sizeof *w;
    const struct warp_of *first = w;
    while (w < end && (w->block != d->block || w->warp != d->warp))
        w++;
    if (*text == '+' ? w + 1 >= end : w == first) {
        say(s, *text == '+' ? "this is the last warp" : "this is the first warp");
        return;
    }
    w += *text == '+' ? 1 : -1;
    snprintf(line, sizeof line, "warp %" PRIu64 ".%u", w->block, w->warp);
    screen_command(s, line);
}

static void key_focus(struct screen *s, const char *text) {
    do
        s->focus = (s->focus + (*text == '+' ? 1 : PANES - 1)) % PANES;
    while (!s->panes[s->focus].exists);
}

static void key_zoom(struct screen *s, const char *text) {
    (void)text;
    s->alone = !s->alone;
}

static void scroll_by(struct screen *s, const char *text, u32 lines) {
    struct pane *p = &s->panes[s->focus];
    p->moved = true;
    p->top = *text == '+' ? p->top + lines : p->top > lines ? p->top - lines : 0;
}

static void key_scroll(struct screen *s, const char *text) {
    scroll_by(s, text, 1);
}

static void key_page(struct screen *s, const char *text) {
    const struct pane *p = &s->panes[s->focus];
    scroll_by(s, text, p->box.rows > p->fixed + 1 ? p->box.rows - p->fixed - 1 : 1);
}

static void key_shift(struct screen *s, const char *text) {
    struct pane *p = &s->panes[s->focus];
    u32 by = p->lanes ? 1 : 8, most = p->lanes ? p->all_lanes - p->lanes : LINE_BYTES;
    p->left = *text == '-' ? (p->left > by ? p->left - by : 0) : p->left + by < most ? p->left + by : most;
}

static void key_home(struct screen *s, const char *text) {
    struct pane *p = &s->panes[s->focus];
    (void)text;
    p->moved = false;
    p->top = p->left = 0;
}

static void key_form(struct screen *s, const char *text) {
    (void)text;
    s->form = values_form_name(s->form + 1) ? s->form + 1 : 0;
    s->formed = true;
}

/* As many elements of memory in a line as fit, or 4 to 32. */
static void key_columns(struct screen *s, const char *text) {
    enum { LEAST = 4, MOST = 32 };
    (void)text;
    s->columns = !s->columns ? LEAST : s->columns < MOST ? 2 * s->columns : 0;
}

/* Redraws the screen: the view is drawn after every key, but this one first clears the terminal. */
static void key_redraw(struct screen *s, const char *text) {
    (void)s, (void)text;
}

static void key_help(struct screen *s, const char *text) {
    (void)text;
    s->answer.len = 0;
    screen_put_keys(&s->answer);
    s->refused = false;
    s->more = true;
    s->from = 0;
}

static void key_leave(struct screen *s, const char *text) {
    (void)text;
    s->left = true;
}

static const struct key_row {
    const char *name, *other;
    void (*act)(struct screen *s, const char *text);
    const char *text, *doc;
} rows[] = {
#define KEY(name, other, action, text, doc) {name, other, key_##action, text, doc},
#include "sim/cli/debug/screen_keys.def"
};

void screen_put_keys(struct buf *out) {
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char names[40];
        snprintf(names, sizeof names, "%s%s%s", rows[i].name, *rows[i].other ? ", " : "", rows[i].other);
        buf_printf(out, "%-10s %-16s %s\n", names, rows[i].text[0] && rows[i].text[1] ? rows[i].text : "", rows[i].doc);
    }
}

/* ---- a key ---- */

/* Handles a key while a command is typed. */
static void type(struct screen *s, const char *key) {
    size_t n = strlen(s->line);
    if (strcmp(key, "Enter") == 0) {
        s->asks = false;
        screen_command(s, s->line);
    } else if (strcmp(key, "Escape") == 0) {
        s->asks = false;
    } else if (strcmp(key, "Ctrl-U") == 0) {
        s->line[0] = '\0';
    } else if (strcmp(key, "Up") == 0) {
        snprintf(s->line, sizeof s->line, "%s", s->last);
    } else if (strcmp(key, "Backspace") == 0) {
        while (n && ((u8)s->line[n - 1] & 0xc0) == 0x80)
            n--;
        s->asks = n > 0;
        s->line[n ? n - 1 : 0] = '\0';
    } else if (strcmp(key, "Space") == 0 || key[0] < 'A' || key[0] > 'Z' || !key[1]) {
        const char *typed = strcmp(key, "Space") == 0 ? " " : key;
        if (n + strlen(typed) < sizeof s->line)
            memcpy(s->line + n, typed, strlen(typed) + 1);
    }
}

/* Handles a key while a long answer is read; false if the key closes it. */
static bool read_on(struct screen *s, const char *key) {
    u32 page = s->canvas.rows > 4 ? s->canvas.rows - 4 : 1, lines = answer_lines(s);
    u32 most = lines > page ? lines - page : 0, by = strncmp(key, "Page", 4) == 0 ? page : 1;
    if (strcmp(key, "Up") == 0 || strcmp(key, "PageUp") == 0)
        s->from = s->from > by ? s->from - by : 0;
    else if (strcmp(key, "Down") == 0 || strcmp(key, "PageDown") == 0)
        s->from = s->from + by < most ? s->from + by : most;
    else
        return false;
    return true;
}

void screen_key(struct screen *s, const char *key) {
    if (!*key)
        return;
    if (s->asks) {
        type(s, key);
        return;
    }
    if (s->more) {
        s->more = read_on(s, key);
        return;
    }
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(rows[i].name, key) == 0 || strcmp(rows[i].other, key) == 0) {
            rows[i].act(s, rows[i].text);
            return;
        }
    char text[64];
    snprintf(text, sizeof text, "the key %s does nothing; ? lists those that do", key);
    say(s, text);
}
