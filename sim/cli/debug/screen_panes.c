/* Contents of panes: lines of text, mostly the output of the command of the same name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/debug/screen_state.h"
#include "sim/debug/values.h"

static void put_lines(struct pane *p, const char *text, size_t len) {
    buf_append(&p->text, text, len);
    if (len && text[len - 1] != '\n')
        buf_putc(&p->text, '\n');
}

static void count_lines(struct pane *p) {
    p->lines = 0;
    for (size_t i = 0; i < p->text.len; i++)
        p->lines += p->text.data[i] == '\n';
}

/* Runs a command for a pane: its output, or the reason for refusing it. */
static const struct buf *ask(struct screen *s, struct pane *p, const char *line) {
    snprintf(p->title, sizeof p->title, "%s", line);
    return debug_command(s->d, line) ? &s->d->out : &s->d->error;
}

void pane_command(struct screen *s, struct pane *p, const char *line) {
    const struct buf *said = ask(s, p, line);
    put_lines(p, said->data ? said->data : "", said->len);
    count_lines(p);
}

void pane_wrapped(struct screen *s, struct pane *p, const char *line) {
    const struct buf *said = ask(s, p, line);
    canvas_wrap(said->data ? said->data : "", said->len, p->box.cols, &p->text);
    count_lines(p);
}

void pane_masks(struct screen *s, struct pane *p) {
    pane_wrapped(s, p, "masks");
}

void pane_why(struct screen *s, struct pane *p) {
    pane_wrapped(s, p, "why");
}

void pane_scoreboard(struct screen *s, struct pane *p) {
    pane_command(s, p, "scoreboard");
}

void pane_access(struct screen *s, struct pane *p) {
    pane_command(s, p, "access");
}

void pane_shared(struct screen *s, struct pane *p) {
    char line[40];
    snprintf(line, sizeof line, "shared as %s", values_form_name(s->form));
    pane_command(s, p, line);
}

void pane_memory(struct screen *s, struct pane *p) {
    enum { LABEL = 14, ELEMENT = 13, MOST = 32 };
    char line[40];
    u32 fit = MOST;
    while (fit > 1 && LABEL + ELEMENT * fit > p->box.cols)
        fit /= 2;
    int n = snprintf(line, sizeof line, "memory %u", s->columns ? s->columns : fit);
    if (s->formed) /* elements of another size than a register's have the form of their type */
        snprintf(line + n, sizeof line - (size_t)n, " as %s", values_form_name(s->form));
    if (s->formed && !debug_command(s->d, line))
        line[n] = '\0';
    pane_command(s, p, line);
}

/* Prints letters and their reasons, in as few lines as possible. */
static void put_legend(struct pane *p, const char *legend, const char *end) {
    enum { APART = 3 };
    for (size_t used = 0, n; legend < end; legend += n + 1) {
        const char *eol = memchr(legend, '\n', (size_t)(end - legend));
        n = (size_t)((eol ? eol : end) - legend);
        bool fits = used && used + APART + n <= p->box.cols;
        if (used)
            buf_puts(&p->text, fits ? "   " : "\n");
        buf_append(&p->text, legend, n);
        used = fits ? used + APART + n : n;
    }
    buf_putc(&p->text, '\n');
}

/* Marks the line of this warp, and makes it visible. */
static void mark_warp(const struct debug *d, struct pane *p) {
    char name[48];
    int n = snprintf(name, sizeof name, "%" PRIu64 ".%u ", d->block, d->warp);
    char *at = p->text.data;
    for (s32 line = 0; at && *at; line++) {
        if (strncmp(at + strspn(at, " "), name, (size_t)n) == 0) {
            *at = '>';
            p->at = line;
        }
        at = strchr(at, '\n');
        at += at != NULL;
    }
}

/* Shows the cycles that fit. The line that marks the cursor's cycle is above the warps, because they may be many. */
void pane_timeline(struct screen *s, struct pane *p) {
    enum { AROUND = 16, MOST = 200 };
    char line[32];
    u32 room = p->box.cols - AROUND;
    snprintf(line, sizeof line, "timeline %u", room < MOST ? room : MOST);
    const struct buf *said = ask(s, p, line);
    const char *text = said->len ? said->data : "", *end = text + said->len;
    const char *warps = strchr(text, '\n'), *legend = strstr(text, "\n#"), *mark = legend;
    if (!legend) {
        put_lines(p, text, said->len);
        count_lines(p);
        return;
    }
    while (mark > warps && mark[-1] != '\n')
        mark--;
    put_lines(p, text, (size_t)(warps + 1 - text));
    put_lines(p, mark, (size_t)(legend + 1 - mark));
    put_lines(p, warps + 1, (size_t)(mark - warps - 1));
    put_legend(p, legend + 1, end);
    count_lines(p);
    p->fixed = 2;
    mark_warp(s->d, p);
}
