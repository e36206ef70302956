#include "sim/cli/run/record.h"

#include <string.h>

#include "sim/cli/json.h"
#include "sim/cli/option.h"
#include "sim/cli/run/report.h"
#include "sim/cli/ui.h"

/* ---- the options ---- */

/* Finds the colon of a span at the end, or NULL: "F:100..", not "a:b" or "a:../b". A wrong span is not in a name. */
static const char *span_of(const char *text) {
    const char *colon = strrchr(text, ':');
    return colon && strstr(colon, "..") && !strchr(colon, '/') ? colon : NULL;
}

/* Reads a bound, 0 if it is left out. */
static bool read_bound(const char *option, const char *text, size_t len, struct arena *arena, u64 *to) {
    const char *part = arena_strndup(arena, text, len);
    *to = 0;
    if (!part)
        return ui_error("out of memory");
    return len == 0 || option_whole(option, part, 0, to);
}

bool run_record_span(const char *option, const char *value, const char *span, struct arena *arena,
                     struct heddle_watch *watch) {
    const char *dots = strstr(span, "..");
    *watch = (struct heddle_watch){0};
    if (!dots)
        return ui_option_error(option, value, (size_t)(span - value), strlen(span), "expected FROM..TO, in cycles");
    if (!read_bound(option, span, (size_t)(dots - span), arena, &watch->from) ||
        !read_bound(option, dots + 2, strlen(dots + 2), arena, &watch->to))
        return false;
    if (dots[2] && watch->from >= watch->to)
        return ui_option_error(option, value, (size_t)(span - value), strlen(span),
                               "no cycle is in it: FROM..TO ends before TO");
    return true;
}

const char *run_record_given(const struct run_record *r) {
    return r->events ? "--record" : r->trace ? "--trace" : r->konata ? "--konata" : NULL;
}

bool run_record_option(struct run_record *r, const char *option, const char *text, struct arena *arena) {
    const char *colon = span_of(text), *file = colon ? arena_strndup(arena, text, (size_t)(colon - text)) : text;
    if (!file || !*file)
        return ui_option_error(option, text, 0, 1, "expected FILE or FILE:FROM..TO");
    *(strcmp(option, "--trace") == 0 ? &r->trace : strcmp(option, "--konata") == 0 ? &r->konata : &r->events) = file;
    if (!colon)
        return true;
    struct heddle_watch w;
    if (!run_record_span(option, text, colon + 1, arena, &w))
        return false;
    if (r->given && (w.from != r->watch.from || w.to != r->watch.to))
        return ui_option_error(option, text, (size_t)(colon + 1 - text), strlen(colon + 1),
                               "one recording is made, and %s has given other cycles", r->given);
    r->given = option;
    r->watch = w;
    return true;
}

/* ---- lines of JSON ---- */

static json_t *instructions(const struct heddle_result *s) {
    json_t *all = json_list();
    for (u32 i = 0; i < s->nlines; i++) {
        const struct heddle_line_count *l = &s->lines[i];
        json_add(all, json_make("{s:I,s:I,s:s*,s:s,s:s,s:s}", "pc", (json_int_t)l->pc, "line", (json_int_t)l->line,
                                "file", l->file, "text", l->text, "disassembly", l->disassembly, "source", l->text));
    }
    return all;
}

static json_t *names(const struct heddle_program *p) {
    json_t *all = json_list();
    struct heddle_name_info n;
    for (u32 i = 0; heddle_name_info(p, i, &n); i++)
        json_add(all, record_json("heddle_name_info", &n, NULL));
    return all;
}

static bool put_head(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    json_t *head =
        json_make("{s:s,s:s,s:o,s:s,s:s*,s:I,s:o,s:o,s:o}", "format", "heddle-recording-2", "heddle", heddle_version(),
                  "file", json_text(r->file), "kernel", s->kernel, "board", s->board, "warp", (json_int_t)s->warp,
                  "cycles", json_u64(s->cycles), "events", json_u64(s->events), "instructions", instructions(s));
    const struct heddle_watch *span = &r->options->record.watch;
    json_put(head, "names", names(r->program));
    json_put(head, "from", json_u64(span->from < s->cycles ? span->from : s->cycles));
    json_put(head, "to", json_u64(span->to && span->to < s->cycles ? span->to : s->cycles));
    if (r->recorded)
        json_merge(head, r->recorded);
    if (s->complete != UINT64_MAX)
        json_put(head, "complete", json_u64(s->complete));
    return json_write_line(head, out);
}

/* Writes masks as numbers. */
static void put_value(void *out, const char *name, const struct heddle_value *v) {
    if (v->kind == HEDDLE_KIND_HEX)
        write_whole(out, name, v->whole);
    else
        write_value(out, name, v);
}

struct heddle_sink run_record_sink(struct buf *out) {
    struct heddle_sink to = write_sink(out, HEDDLE_JSON, NULL);
    to.value = put_value;
    return to;
}

void run_record_event(const struct heddle *h, const struct heddle_event *e, struct buf *out) {
    const struct heddle_sink to = run_record_sink(out);
    write_open(out, NULL, '{');
    heddle_walk_event(&to, h, e);
    write_close(out, '}');
    buf_putc(out, '\n');
}

bool run_record_events(const struct run_report *r, struct buf *out) {
    struct heddle_event e;
    bool ok = put_head(r, r->last, out);
    for (u64 i = 0; ok && heddle_event(r->h, i, &e); i++)
        run_record_event(r->h, &e, out);
    return ok && !out->failed;
}
