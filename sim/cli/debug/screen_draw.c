/* Draws the view: a bar, the panes, the last answer, the keys. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/debug/screen_state.h"

/* ---- lines of panes ---- */

static enum look look_plain(const char *line) {
    (void)line;
    return LOOK_PLAIN;
}

/* Finds the look of a line: `>` marks this warp, `*` a breakpoint. */
static enum look look_here(const char *line) {
    return line[0] == '>' ? LOOK_HERE : line[1] == '*' ? LOOK_STOP : LOOK_PLAIN;
}

/* Finds the look of a line: `~` marks a value in flight. */
static enum look look_flight(const char *line) {
    return memchr(line, '~', strcspn(line, "\n")) ? LOOK_FLIGHT : LOOK_PLAIN;
}

static const struct pane_row {
    const char *name;
    void (*make)(struct screen *s, struct pane *p);
    enum look (*look)(const char *line);
} rows[PANES] = {
#define PANE(name, wide, narrow, least, share, looks) {#name, pane_##name, look_##looks},
#include "sim/cli/debug/screen_panes.def"
};

/* ---- panes ---- */

static const char *line_of(const struct pane *p, u32 line) {
    const char *at = p->text.data ? p->text.data : "";
    for (; line && *at; at++)
        line -= *at == '\n';
    return at;
}

/* Scrolls to where keys have moved, or so that the line of interest is in the middle. */
static void scroll(struct pane *p) {
    u32 room = p->box.rows > p->fixed ? p->box.rows - p->fixed : 1;
    u32 lines = p->lines > p->fixed ? p->lines - p->fixed : 0, most = lines > room ? lines - room : 0;
    if (!p->moved && p->at != NO_LINE) {
        u32 at = (u32)p->at - p->fixed;
        p->top = at > room / 2 ? at - room / 2 : 0;
    }
    p->top = p->top < most ? p->top : most;
}

/* Shows which part of the pane is visible, if not all. */
static void put_extent(const struct pane *p, struct buf *out) {
    u32 room = p->box.rows - p->fixed;
    if (p->lines > p->box.rows)
        buf_printf(out, " lines %u-%u of %u ", p->top + 1, p->top + room, p->lines - p->fixed);
}

/* Lists, after the area's last title, its panes without room, which Tab reaches. */
static void draw_hidden(struct screen *s, u32 pane, struct box *b) {
    for (u32 i = 0; i < PANES; i++)
        if (i > pane && s->panes[i].box.rows && s->panes[i].area == s->panes[pane].area)
            return;
    for (u32 i = 0; i < PANES; i++) {
        if (!s->panes[i].exists || s->panes[i].box.rows || s->panes[i].area != s->panes[pane].area || s->alone)
            continue;
        b->x += 1;
        b->cols = b->cols ? b->cols - 1 : 0;
        char name[32];
        snprintf(name, sizeof name, " %s ", rows[i].name);
        u32 n = canvas_text(&s->canvas, b, 0, LOOK_RULE, name);
        b->x += n;
        b->cols = b->cols > n ? b->cols - n : 0;
    }
}

static void draw_title(struct screen *s, u32 i) {
    const struct pane *p = &s->panes[i];
    struct box b = {.x = p->box.x, .y = p->box.y - 1, .cols = p->box.cols, .rows = 1};
    struct buf text = {0};
    bool focus = i == s->focus;
    canvas_fill(&s->canvas, &b, 0, LOOK_RULE, canvas_rule(&s->canvas, RULE_ACROSS));
    buf_printf(&text, focus ? "[%s]" : " %s ", p->title);
    b.x += 1;
    b.cols -= 1;
    u32 used = canvas_text(&s->canvas, &b, 0, focus ? LOOK_FOCUS : LOOK_TITLE, text.data ? text.data : "");
    b.x += used;
    b.cols = b.cols > used ? b.cols - used : 0;
    draw_hidden(s, i, &b);
    text.len = 0;
    put_extent(p, &text);
    if (text.len && text.len + 1 < b.cols) {
        b.x += b.cols - (u32)text.len - 1;
        b.cols = (u32)text.len;
        canvas_text(&s->canvas, &b, 0, LOOK_RULE, text.data);
    }
    buf_free(&text);
}

static void draw_pane(struct screen *s, u32 i) {
    struct pane *p = &s->panes[i];
    p->text.len = 0;
    p->lanes = p->fixed = 0;
    p->at = NO_LINE;
    rows[i].make(s, p);
    scroll(p);
    draw_title(s, i);
    struct box b = p->box;
    b.skip = p->lanes ? 0 : p->left;
    for (u32 row = 0; row < b.rows; row++) {
        u32 line = row < p->fixed ? row : row + p->top;
        if (line >= p->lines)
            continue;
        const char *text = line_of(p, line);
        canvas_text(&s->canvas, &b, row, rows[i].look(text), text);
    }
    for (u32 y = b.y - 1; b.x && y < b.y + b.rows; y++)
        *canvas_at(&s->canvas, b.x - 1, y) = (struct cell){canvas_rule(&s->canvas, RULE_DOWN), LOOK_RULE};
}

/* ---- around them ---- */

static void draw_bar(struct screen *s) {
    const struct debug *d = s->d;
    struct box all = {.cols = s->canvas.cols, .rows = 1};
    struct heddle_state state;
    struct buf text = {0};
    buf_printf(&text, " %s   cycle %s of %s   warp %" PRIu64 ".%u", s->title, grouped(d->cycle).text,
               grouped(d->cycles).text, d->block, d->warp);
    if (debug_state(s->d, &state) && !state.ended)
        buf_printf(&text, "   SM %u, sub-core %u", state.sm, state.sub_core);
    canvas_fill(&s->canvas, &all, 0, LOOK_BAR, ' ');
    canvas_text(&s->canvas, &all, 0, LOOK_BAR, text.data ? text.data : "");
    buf_free(&text);
}

static u32 draw_foot(struct screen *s) {
    u32 y = s->canvas.rows - 3;
    struct box foot = {.y = y, .cols = s->canvas.cols, .rows = 3};
    struct buf keys = {0};
    const char *answer = s->answer.data && s->answer.len ? s->answer.data : "", *second = strchr(answer, '\n');
    canvas_fill(&s->canvas, &foot, 2, LOOK_BAR, ' ');
    if (!s->more) {
        canvas_text(&s->canvas, &foot, 0, s->refused ? LOOK_ERROR : LOOK_PLAIN, answer);
        if (second)
            canvas_text(&s->canvas, &foot, 1, LOOK_PLAIN, second + 1);
    }
    if (s->asks) {
        buf_printf(&keys, ":%s", s->line);
        u32 at = canvas_text(&s->canvas, &foot, 2, LOOK_BAR, keys.data ? keys.data : "");
        buf_free(&keys);
        return at;
    }
    buf_puts(&keys, s->more ? " Up, Down: more   any other key: back to the panes"
                            : " n step   p back   : command   Tab pane   z alone   ? keys   q leave");
    canvas_text(&s->canvas, &foot, 2, LOOK_BAR, keys.data ? keys.data : "");
    buf_free(&keys);
    return UINT32_MAX;
}

/* Draws a long answer, above the panes. */
static void draw_answer(struct screen *s) {
    struct box b = {.y = 1, .cols = s->canvas.cols, .rows = s->canvas.rows - 2};
    const char *line = s->answer.data ? s->answer.data : "";
    for (u32 skip = s->from; skip && strchr(line, '\n'); skip--)
        line = strchr(line, '\n') + 1;
    for (u32 row = 0; row < b.rows; row++) {
        canvas_fill(&s->canvas, &b, row, LOOK_PLAIN, ' ');
        canvas_text(&s->canvas, &b, row, LOOK_PLAIN, line);
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "";
    }
}

static void draw_too_small(struct screen *s) {
    struct box b = {.cols = s->canvas.cols, .rows = s->canvas.rows};
    char text[128];
    snprintf(text, sizeof text, "The view needs %d columns and %d rows, and this terminal has %u and %u; q leaves.",
             LEAST_COLS, LEAST_ROWS, s->canvas.cols, s->canvas.rows);
    for (u32 row = 0; row < b.rows; row++, b.skip += b.cols)
        canvas_text(&s->canvas, &b, row, LOOK_PLAIN, text);
}

void screen_draw(struct screen *s) {
    u32 cursor = UINT32_MAX;
    if (!canvas_begin(&s->canvas, s->tty.cols, s->tty.rows, s->tty.utf8))
        return;
    if (!screen_place(s)) {
        draw_too_small(s);
    } else {
        draw_bar(s);
        for (u32 i = 0; i < PANES; i++)
            if (s->panes[i].box.rows)
                draw_pane(s, i);
        if (s->more)
            draw_answer(s);
        cursor = draw_foot(s);
    }
    tty_show(&s->canvas, cursor, s->canvas.rows - 1);
}
