#include "sim/cli/replay/replay.h"

#include <string.h>

bool replay_state(struct heddle *h, const struct warp_of *w, u64 cycle, struct heddle_state *state) {
    return heddle_state(h, w->block, w->warp, heddle_event_at(h, cycle), state) && !state->ended;
}

/* ---- as text ---- */

static const char *text_at(const struct replay *r, u32 pc, u32 *line) {
    const struct heddle_line_count *l = run_record_line(&r->run.result, pc);
    *line = l ? l->line : 0;
    return l ? l->text : "";
}

static void put_values(const char *label, const u32 *v, u32 n, const char *note, struct buf *out) {
    enum { EACH = 8 };
    for (u32 k = 0; k < n; k++) {
        if (k % EACH == 0)
            buf_printf(out, k ? "\n  %-12s" : "  %-12s", k ? "" : label);
        buf_printf(out, " %08x", v[k]);
    }
    buf_printf(out, "%s\n", note);
}

static struct short_text ready_note(const struct heddle_state *s, u32 slot, u64 at) {
    struct short_text note = {""};
    if (s->ready[slot] == UINT64_MAX)
        snprintf(note.text, sizeof note.text, "  in flight");
    else if (s->ready[slot] > at)
        snprintf(note.text, sizeof note.text, "  in flight until %llu", (unsigned long long)s->ready[slot]);
    return note;
}

void replay_put_state(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out) {
    u32 line, slots = s->slots * s->width;
    const char *text = text_at(r, s->pc, &line);
    buf_printf(out, "cycle %llu, block %llu, warp %u: SM %u, sub-core %u\n", (unsigned long long)r->at,
               (unsigned long long)w->block, w->warp, s->sm, s->sub_core);
    buf_printf(out, "next: line %u, pc %u: %s\n", line, s->pc, text);
    if (s->reason && s->until > r->at)
        buf_printf(out, "waits from %llu to %llu: %s\n", (unsigned long long)s->from, (unsigned long long)s->until,
                   s->reason);
    buf_printf(out, "active lanes %llx\n", (unsigned long long)s->active);
    u64 told = s->active; /* a level has the lanes of the levels above it, too */
    for (u32 i = s->nlevels; i-- > 0; told |= s->levels[i].lanes) {
        u32 at = 0;
        if ((s->levels[i].lanes & ~told) == 0)
            continue;
        text_at(r, (u32)s->levels[i].next, &at);
        buf_printf(out, "waiting lanes %llx, which go on at line %u\n",
                   (unsigned long long)(s->levels[i].lanes & ~told), at);
    }
    char label[64];
    for (u32 i = 0; i < s->nregs; i++) {
        snprintf(label, sizeof label, "r%u %s", i, warps_name(r->run.program, s->pc, "register", i).text);
        put_values(label, s->regs + (size_t)i * s->width, s->width, ready_note(s, i, r->at).text, out);
    }
    for (u32 i = 0; i < s->npreds; i++)
        if (s->preds[i] || s->ready[s->nregs + i] > r->at)
            buf_printf(out, "  p%-2u %-8s %llx%s\n", i, warps_name(r->run.program, s->pc, "predicate", i).text,
                       (unsigned long long)s->preds[i], ready_note(s, s->nregs + i, r->at).text);
    for (u32 i = 0; i < s->ntransit; i++) {
        snprintf(label, sizeof label, "x%u ", i);
        put_values(label, s->transit + (size_t)i * slots, slots, ready_note(s, s->nregs + s->npreds + i, r->at).text,
                   out);
    }
}

/* ---- as JSON ---- */

static void put_list(const char *name, u32 i, const u32 *v, u32 n, struct buf *out) {
    buf_printf(out, "%s\"%s%u\":[", out->data[out->len - 1] == '{' ? "" : ",", name, i);
    for (u32 k = 0; k < n; k++)
        buf_printf(out, k ? ",%u" : "%u", v[k]);
    buf_putc(out, ']');
}

static void put_ready(const struct replay *r, const struct heddle_state *s, struct buf *out) {
    const char *before = "";
    buf_puts(out, ",\"ready\":{");
    for (u32 i = 0; i < s->nregs + s->npreds + s->ntransit; i++) {
        bool reg = i < s->nregs, pred = !reg && i < s->nregs + s->npreds;
        if (s->ready[i] <= r->at)
            continue;
        buf_printf(out, "%s\"%c%u\":", before,
                   reg    ? 'r'
                   : pred ? 'p'
                          : 'x',
                   reg    ? i
                   : pred ? i - s->nregs
                          : i - s->nregs - s->npreds);
        before = ",";
        if (s->ready[i] == UINT64_MAX)
            buf_puts(out, "null");
        else
            buf_printf(out, "%llu", (unsigned long long)s->ready[i]);
    }
    buf_putc(out, '}');
}

void replay_put_json(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out) {
    u32 slots = s->slots * s->width;
    buf_printf(out, "{\"kind\":\"warp\",\"cycle\":%llu,\"sm\":%u,\"block\":%llu,\"warp\":%u,\"pc\":%u",
               (unsigned long long)r->at, s->sm, (unsigned long long)w->block, w->warp, s->pc);
    buf_printf(out, ",\"sub_core\":%u,\"active\":%llu,\"reconverge\":", s->sub_core, (unsigned long long)s->active);
    if (s->reconverge == UINT64_MAX)
        buf_puts(out, "null");
    else
        buf_printf(out, "%llu", (unsigned long long)s->reconverge);
    if (s->reason && s->until > r->at)
        buf_printf(out, ",\"reason\":\"%s\",\"from\":%llu,\"until\":%llu", s->reason, (unsigned long long)s->from,
                   (unsigned long long)s->until);
    buf_puts(out, ",\"levels\":[");
    for (u32 i = 0; i < s->nlevels; i++)
        run_record_level(&s->levels[i], i == 0, out);
    buf_puts(out, "],\"registers\":{");
    for (u32 i = 0; i < s->nregs; i++)
        put_list("r", i, s->regs + (size_t)i * s->width, s->width, out);
    for (u32 i = 0; i < s->npreds; i++)
        buf_printf(out, "%s\"p%u\":%llu", i || s->nregs ? "," : "", i, (unsigned long long)s->preds[i]);
    for (u32 i = 0; i < s->ntransit; i++)
        put_list("x", i, s->transit + (size_t)i * slots, slots, out);
    buf_putc(out, '}');
    put_ready(r, s, out);
    buf_puts(out, "}\n");
}
