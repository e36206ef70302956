
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/debug/values.h"

bool debug_register(const struct debug *d, u32 pc, const char *name, char found[8]) {
    struct heddle_name_info n;
    struct heddle_instruction_info here;
    char bare[64], *end;
    name += *name == '$'; /* registers as in gdb */
    snprintf(bare, sizeof bare, "%s", name);
    char *plus = strchr(bare, '+');
    u32 offset = plus ? (u32)strtoul(plus + 1, NULL, 10) : 0;
    if (plus)
        *plus = '\0';
    bool known = heddle_instruction_info(d->program, pc, &here);
    for (u32 i = 0; known && heddle_name_info(d->program, i, &n); i++)
        if (strcmp(n.name, bare) == 0 && strcmp(n.kernel, here.kernel) == 0 && strcmp(n.kind, "label") != 0 &&
            offset < n.count) {
            snprintf(found, 8, "%c%u", n.kind[0] == 'p' ? 'p' : 'r', (n.number + offset) % 1000);
            return true;
        }
    u64 number = (name[0] == 'r' || name[0] == 'p') && name[1] ? strtoull(name + 1, &end, 10) : 1000;
    if (number > 255 || *end)
        return false;
    snprintf(found, 8, "%c%u", name[0], (u32)number);
    return true;
}

bool debug_value(const struct heddle_state *s, const char *name, u32 lane, u32 *value) {
    u32 number = (u32)strtoul(name + 1, NULL, 10);
    if (lane >= s->width || number >= (name[0] == 'p' ? s->npreds : s->nregs))
        return false;
    *value = name[0] == 'p' ? s->preds[number] >> lane & 1 : s->regs[(size_t)number * s->width + lane];
    return true;
}

static void make_row(struct debug *d, const struct heddle_state *s, const char *name, const char *called,
                     struct register_row *row) {
    row->number = (u32)strtoul(name + 1, NULL, 10);
    row->pred = name[0] == 'p';
    row->ready = waits_ready(d, s, row->pred ? s->nregs + row->number : row->number);
    snprintf(row->label, sizeof row->label, "%s%s%s", name, *called ? " " : "", called);
}

/* Gets a register that the source names, or any if it names none. */
bool registers_row(struct debug *d, const struct heddle_state *s, u32 index, struct register_row *row) {
    struct heddle_name_info n;
    struct heddle_instruction_info here;
    char name[8], called[64];
    u32 rows = 0;
    if (!heddle_instruction_info(d->program, s->pc, &here))
        return false;
    for (u32 i = 0; heddle_name_info(d->program, i, &n); i++)
        for (u32 k = 0; strcmp(n.kind, "label") != 0 && strcmp(n.kernel, here.kernel) == 0 && k < n.count; k++) {
            bool pred = n.kind[0] == 'p';
            if (n.number + k >= (pred ? s->npreds : s->nregs) || rows++ != index)
                continue;
            snprintf(name, sizeof name, "%c%u", pred ? 'p' : 'r', (n.number + k) % 1000);
            snprintf(called, sizeof called, k ? "%.50s+%u" : "%.50s", n.name, k);
            make_row(d, s, name, called, row);
            return true;
        }
    if (rows || index >= s->nregs)
        return false;
    snprintf(name, sizeof name, "r%u", index % 1000);
    make_row(d, s, name, "", row);
    return true;
}

static void put_register(struct debug *d, const struct heddle_state *s, const struct register_row *row,
                         enum form form) {
    u32 lane = d->lane < 0 ? 0 : (u32)d->lane;
    buf_printf(&d->out, "%-14s%c", row->label, row->ready > d->cycle ? '~' : ' ');
    if (row->pred && d->lane < 0)
        buf_printf(&d->out, " lanes %llx\n", (unsigned long long)s->preds[row->number]);
    else if (row->pred)
        buf_printf(&d->out, " lane %u: %u\n", lane, (u32)(s->preds[row->number] >> lane & 1));
    else if (d->lane >= 0) {
        values_put(&d->out, ' ', s->regs[(size_t)row->number * s->width + lane], form);
        buf_printf(&d->out, "  lane %u\n", lane);
    }
    for (; !row->pred && d->lane < 0 && lane < s->width; lane++) {
        values_put(&d->out, ' ', s->regs[(size_t)row->number * s->width + lane], form);
        if (lane % 8 == 7)
            buf_printf(&d->out, lane + 1 < s->width ? "\n%15s" : "\n", "");
    }
}

/* Prints a register by its name, or one lane of it: "v[3]". */
static bool put_named(struct debug *d, const struct heddle_state *s, char *word, enum form form) {
    char name[8], *open = strchr(word, '[');
    const s32 lane = d->lane;
    struct register_row row;
    u32 value;
    u64 only = 0;
    if (open)
        *open = '\0';
    word += *word == '$';
    if (!debug_register(d, s->pc, word, name) || !debug_value(s, name, 0, &value))
        return debug_refuse(d, "there is no register '%s' here", word);
    if (open && (!debug_index(open + 1, &only) || only >= d->width))
        return debug_refuse(d, "a warp has lanes 0 to %u: '%s[%s'", d->width - 1, word, open + 1);
    d->lane = open ? (s32)only : lane;
    make_row(d, s, name, strcmp(word, name) == 0 ? "" : word, &row);
    put_register(d, s, &row, form);
    d->lane = lane;
    return true;
}

bool debug_registers(struct debug *d, struct words *w) {
    char word[64];
    enum form form = FORM_HEX;
    struct heddle_state s;
    struct register_row row;
    u32 shown = 0;
    if (!debug_state(d, &s))
        return debug_refuse(d, "this warp has not begun");
    if (!values_form(d, w, &form))
        return false;
    for (; *words_next(w, word, sizeof word); shown++)
        if (!put_named(d, &s, word, form))
            return false;
    for (u32 i = 0; !shown && registers_row(d, &s, i, &row); i++)
        put_register(d, &s, &row, form);
    return true;
}

/* Prints one character for each lane, the highest last: "#" = active. */
static void put_lanes(struct buf *out, u64 lanes, u32 width) {
    for (u32 i = 0; i < width; i++)
        buf_putc(out, lanes >> i & 1 ? '#' : '.');
}

bool debug_masks(struct debug *d, struct words *w) {
    struct heddle_state s;
    (void)w;
    if (!debug_state(d, &s))
        return debug_refuse(d, "this warp has not begun");
    u64 told = s.active;
    put_lanes(&d->out, s.active, s.width);
    buf_printf(&d->out, "  %s, active\n", debug_place(d, s.pc).text);
    for (u32 i = s.nlevels; i-- > 0; told |= s.levels[i].lanes) {
        u64 waiting = s.levels[i].lanes & ~told;
        if (!waiting)
            continue;
        put_lanes(&d->out, waiting, s.width);
        buf_printf(&d->out, "  %s, wait\n", debug_place(d, (u32)s.levels[i].next).text);
    }
    if (s.reconverge != UINT64_MAX)
        buf_printf(&d->out, "they meet at %s\n", debug_place(d, (u32)s.reconverge).text);
    return true;
}
