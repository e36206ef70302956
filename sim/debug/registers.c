/* Registers and masks of the warp at the cursor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/debug/debug.h"
#include "sim/debug/values.h"
#include "sim/debug/waits.h"

bool debug_register(const struct debug *d, u32 pc, const char *name, char found[8]) {
    struct heddle_name_info n;
    struct heddle_instruction_info here;
    char bare[64], *end;
    snprintf(bare, sizeof bare, "%s", name);
    char *plus = strchr(bare, '+');
    u32 offset = plus ? (u32)strtoul(plus + 1, NULL, 10) : 0;
    if (plus)
        *plus = '\0';
    bool known = heddle_instruction_info(d->program, pc, &here);
    for (u32 i = 0; known && heddle_name_info(d->program, i, &n); i++)
        if (strcmp(n.name, bare) == 0 && strcmp(n.in, here.in) == 0 && strcmp(n.kind, "label") != 0 &&
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

static void put_register(struct debug *d, const struct heddle_state *s, const char *name, const char *called,
                         enum form form) {
    u32 number = (u32)strtoul(name + 1, NULL, 10), lane = d->lane < 0 ? 0 : (u32)d->lane;
    bool pred = name[0] == 'p';
    char label[80];
    snprintf(label, sizeof label, "%s%s%s", name, *called ? " " : "", called);
    buf_printf(&d->out, "%-14s%c", label, waits_ready(d, s, pred ? s->nregs + number : number) > d->cycle ? '~' : ' ');
    if (pred && d->lane < 0)
        buf_printf(&d->out, " lanes %llx\n", (unsigned long long)s->preds[number]);
    else if (pred)
        buf_printf(&d->out, " lane %u: %u\n", lane, (u32)(s->preds[number] >> lane & 1));
    else if (d->lane >= 0) {
        values_put(&d->out, ' ', s->regs[(size_t)number * s->width + lane], form);
        buf_printf(&d->out, "  lane %u\n", lane);
    }
    for (; !pred && d->lane < 0 && lane < s->width; lane++) {
        values_put(&d->out, ' ', s->regs[(size_t)number * s->width + lane], form);
        if (lane % 8 == 7)
            buf_printf(&d->out, lane + 1 < s->width ? "\n%15s" : "\n", "");
    }
}

/* All, as the source names them. */
static void put_all(struct debug *d, const struct heddle_state *s, enum form form) {
    struct heddle_name_info n;
    struct heddle_instruction_info here;
    char name[8], called[64];
    bool any = false;
    if (!heddle_instruction_info(d->program, s->pc, &here))
        return;
    for (u32 i = 0; heddle_name_info(d->program, i, &n); i++)
        for (u32 k = 0; strcmp(n.kind, "label") != 0 && strcmp(n.in, here.in) == 0 && k < n.count; k++) {
            u32 number = n.number + k;
            bool pred = n.kind[0] == 'p';
            if (number >= (pred ? s->npreds : s->nregs))
                continue;
            snprintf(name, sizeof name, "%c%u", pred ? 'p' : 'r', number % 1000);
            snprintf(called, sizeof called, k ? "%.50s+%u" : "%.50s", n.name, k);
            put_register(d, s, name, called, form);
            any = true;
        }
    for (u32 i = 0; !any && i < s->nregs; i++) {
        snprintf(name, sizeof name, "r%u", i % 1000);
        put_register(d, s, name, "", form);
    }
}

bool debug_registers(struct debug *d, struct words *w) {
    char word[64], name[8];
    enum form form = FORM_HEX;
    struct heddle_state s;
    u32 shown = 0, value;
    if (!debug_state(d, &s))
        return debug_refuse(d, "this warp has not begun");
    if (!values_form(d, w, &form))
        return false;
    for (; *words_next(w, word, sizeof word); shown++) {
        if (!debug_register(d, s.pc, word, name) || !debug_value(&s, name, 0, &value))
            return debug_refuse(d, "there is no register '%s' here", word);
        put_register(d, &s, name, strcmp(word, name) == 0 ? "" : word, form);
    }
    if (!shown)
        put_all(d, &s, form);
    return true;
}

/* A lane a character, the highest last: "#" active. */
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
