#include "sim/cli/replay/replay.h"

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

void replay_put_json(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out) {
    const struct heddle_sink to = run_record_sink(out);
    write_open(out, NULL, '{');
    write_text(out, "kind", "warp");
    write_whole(out, "cycle", r->at);
    write_whole(out, "sm", s->sm);
    write_whole(out, "block", w->block);
    write_whole(out, "warp", w->warp);
    write_whole(out, "pc", s->pc);
    write_whole(out, "sub_core", s->sub_core);
    write_whole(out, "active", s->active);
    write_whole(out, "reconverge", s->reconverge);
    if (s->reason && s->until > r->at) {
        write_text(out, "reason", s->reason);
        write_whole(out, "from", s->from);
        write_whole(out, "until", s->until);
    }
    write_open(out, "levels", '[');
    for (u32 i = 0; i < s->nlevels; i++) {
        write_open(out, NULL, '{');
        heddle_walk(&to, heddle_record("heddle_level"), &s->levels[i]);
        write_close(out, '}');
    }
    write_close(out, ']');
    heddle_walk_registers(&to, s, r->at);
    write_close(out, '}');
    buf_putc(out, '\n');
}
