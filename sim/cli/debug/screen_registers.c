/* The pane of registers: lanes side by side, as many as fit. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/debug/screen_state.h"
#include "sim/debug/values.h"

enum { LABEL = 14, OF = 6 }; /* most columns of a label, and of " of 32" */

/* Measures the columns of the longest label, and of a value with the blank before it. */
static u32 label_columns(struct debug *d, const struct heddle_state *s) {
    struct register_row row;
    u32 most = 4;
    for (u32 i = 0; registers_row(d, s, i, &row); i++)
        most = strlen(row.label) > most ? (u32)strlen(row.label) : most;
    return most < LABEL ? most : LABEL;
}

static u32 value_columns(enum form form) {
    struct buf one = {0};
    values_put(&one, ' ', 0, form);
    u32 columns = (u32)one.len;
    buf_free(&one);
    return columns;
}

/* Prints the numbers of lanes, inactive ones in brackets. */
static void put_head(struct pane *p, const struct heddle_state *s, u32 label, u32 columns) {
    buf_printf(&p->text, "%-*s ", (int)label, "lane");
    for (u32 lane = p->left; lane < p->left + p->lanes; lane++) {
        char number[16];
        snprintf(number, sizeof number, s->active >> lane & 1 ? "%u" : "(%u)", lane);
        buf_printf(&p->text, "%*s", (int)columns, number);
    }
    buf_printf(&p->text, p->lanes < s->width ? " of %u\n" : "\n", s->width);
}

static void put_row(struct pane *p, const struct heddle_state *s, const struct register_row *row, enum form form) {
    u32 columns = value_columns(form);
    for (u32 lane = p->left; lane < p->left + p->lanes; lane++)
        if (row->pred)
            buf_printf(&p->text, "%*u", (int)columns, (u32)(s->preds[row->number] >> lane & 1));
        else
            values_put(&p->text, ' ', s->regs[(size_t)row->number * s->width + lane], form);
    buf_putc(&p->text, '\n');
}

void pane_registers(struct screen *s, struct pane *p) {
    struct heddle_state state;
    struct register_row row;
    struct debug *d = s->d;
    char line[40];
    snprintf(line, sizeof line, "registers as %s", values_form_name(s->form));
    if (!debug_state(d, &state) || d->lane >= 0) {
        pane_command(s, p, line);
        return;
    }
    snprintf(p->title, sizeof p->title, "%s", line);
    u32 label = label_columns(d, &state), columns = value_columns(s->form), room = p->box.cols - label - 1;
    p->all_lanes = state.width;
    p->lanes = room / columns < state.width ? (room - OF) / columns : state.width;
    p->left = p->left < state.width - p->lanes ? p->left : state.width - p->lanes;
    p->fixed = p->lines = 1;
    put_head(p, &state, label, columns);
    for (u32 i = 0; registers_row(d, &state, i, &row); i++, p->lines++) {
        buf_printf(&p->text, "%-*.*s%c", (int)label, (int)label, row.label, row.ready > d->cycle ? '~' : ' ');
        put_row(p, &state, &row, s->form);
    }
}
