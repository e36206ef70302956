#include "sim/cli/replay/replay.h"

#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/ui.h"

/* ---- totals ---- */

struct tally {
    u64 kind[64], wait[64]; /* events by kind; cycles by stall reason */
    u64 events, first, last;
};

static bool of_interest(const struct replay *r, const struct heddle_event *e) {
    return !r->one || (e->block == r->block && e->warp == r->warp);
}

static void count(const struct replay *r, struct tally *t) {
    struct heddle_event e;
    for (u64 i = 0; heddle_event(r->run.h, i, &e); i++) {
        if (!of_interest(r, &e))
            continue;
        t->first = t->events++ ? t->first : e.cycle;
        t->last = e.cycle;
        t->kind[e.kind]++;
        if (strcmp(heddle_event_kind(e.kind, NULL, NULL, NULL), "wait") == 0)
            t->wait[e.value[1]] += e.value[0] - e.cycle;
    }
}

static json_t *counts(const u64 *n, const char *(*name)(u32 i)) {
    json_t *all = json_new();
    for (u32 i = 0; name(i); i++)
        if (n[i])
            json_put(all, name(i), json_u64(n[i]));
    return all;
}

static const char *kind_name(u32 i) {
    return heddle_event_kind(i, NULL, NULL, NULL);
}

static const char *stall_name(u32 i) {
    return heddle_stall_name(i, NULL);
}

static bool put_summary_json(const struct replay *r, const struct tally *t, struct buf *out) {
    const struct heddle_result *s = &r->run.result;
    const struct heddle_watch *w = &r->run.options.record.watch;
    json_t *all = json_make("{s:s,s:s,s:o,s:s,s:s*,s:I,s:o}", "format", "heddle-replay-1", "heddle", heddle_version(),
                            "recording", json_text(r->file), "kernel", s->kernel, "board", s->board, "warp",
                            (json_int_t)s->warp, "cycles", json_u64(s->cycles));
    json_put(all, "from", json_u64(w->from < s->cycles ? w->from : s->cycles));
    json_put(all, "to", json_u64(w->to && w->to < s->cycles ? w->to : s->cycles));
    json_put(all, "events", json_u64(t->events));
    json_put(all, "kinds", counts(t->kind, kind_name));
    json_put(all, "waits", counts(t->wait, stall_name));
    if (s->complete != UINT64_MAX)
        json_put(all, "complete", json_u64(s->complete));
    return json_write_line(all, out);
}

static void put_counts(const char *title, const u64 *n, const char *(*name)(u32 i), struct buf *out) {
    buf_puts(out, title);
    for (u32 i = 0; name(i); i++)
        if (n[i])
            buf_printf(out, "  %-20s %14s\n", name(i), grouped(n[i]).text);
}

static void put_summary(const struct replay *r, const struct tally *t, struct buf *out) {
    const struct heddle_result *s = &r->run.result;
    struct buf warps = {0};
    warps_recorded(r->run.h, &warps);
    buf_printf(out, "kernel '%s' on %s, warps of %u lanes: %s cycles\n", s->kernel, s->board ? s->board : "a board",
               s->warp, grouped(s->cycles).text);
    if (r->one)
        buf_printf(out, "warp %u of block %llu, ", r->warp, (unsigned long long)r->block);
    else
        buf_printf(out, "%s warps, ", grouped(warps.len / sizeof(struct warp_of)).text);
    buf_printf(out, "%s events in cycles %s to %s\n", grouped(t->events).text, grouped(t->first).text,
               grouped(t->last).text);
    if (s->complete != UINT64_MAX)
        buf_printf(out, "there was no room from cycle %s on: --span looks at other cycles\n",
                   grouped(s->complete).text);
    put_counts("\nevents\n", t->kind, kind_name, out);
    put_counts("\nwarps wait, cycles\n", t->wait, stall_name, out);
    out->failed |= warps.failed;
    buf_free(&warps);
}

/* ---- events and states ---- */

static void put_events(const struct replay *r, struct buf *out) {
    struct heddle_event e;
    for (u64 i = 0; heddle_event(r->run.h, i, &e); i++)
        if (of_interest(r, &e))
            run_record_event(r->run.h, &e, out);
}

/* Lists states; false if the requested warp is not there. */
static bool put_states(const struct replay *r, struct buf *out) {
    struct buf warps = {0};
    struct heddle_state s;
    bool any = false;
    warps_recorded(r->run.h, &warps);
    const struct warp_of *w = (const struct warp_of *)(const void *)warps.data;
    for (size_t n = warps.len / sizeof *w; n--; w++) {
        if ((r->one && (w->block != r->block || w->warp != r->warp)) || !replay_state(r->run.h, w, r->at, &s))
            continue;
        if (!any && !r->one && !r->json)
            warps_put_head(out);
        any = true;
        if (r->json || r->one)
            (r->json ? replay_put_json : replay_put_state)(r, w, &s, out);
        else
            warps_put_line(r->run.program, w, &s, r->at, out);
    }
    out->failed |= warps.failed;
    buf_free(&warps);
    if (!any && !r->one && !r->json)
        buf_printf(out, "no warp is on an SM in cycle %llu\n", (unsigned long long)r->at);
    if (any || !r->one)
        return true;
    return ui_error("warp %u of block %llu is not on an SM in cycle %llu", r->warp, (unsigned long long)r->block,
                    (unsigned long long)r->at);
}

int replay_answer(const struct replay *r, struct buf *out) {
    struct tally t = {0};
    bool ok = true;
    count(r, &t);
    if (r->one && !t.events && !r->state) {
        ui_error("nothing happens to warp %u of block %llu in these cycles", r->warp, (unsigned long long)r->block);
        return EXIT_FAULT;
    }
    if (r->json)
        ok = put_summary_json(r, &t, out);
    else if (!r->events && !r->state)
        put_summary(r, &t, out);
    if (r->events)
        put_events(r, out);
    if (r->state && !put_states(r, out))
        return EXIT_FAULT;
    if (!ok || out->failed)
        ui_error("out of memory");
    return ok && !out->failed ? EXIT_OK : EXIT_INPUT;
}
