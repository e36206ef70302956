/* A recording for Perfetto. */
#include "sim/cli/run/record.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/json.h"
#include "sim/cli/run/report.h"

enum { WARPS = 128 }; /* most warps of a block */

static u64 thread_of(const struct heddle_event *e) {
    return e->block * WARPS + e->warp + 1;
}

const struct heddle_line_count *run_record_line(const struct heddle_result *s, u32 pc) {
    u32 low = 0, high = s->nlines;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (s->lines[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->nlines && s->lines[low].pc == pc ? &s->lines[low] : NULL;
}

static void put_slice(const struct heddle_result *s, const struct heddle_event *e, const char *name, u64 cycles,
                      struct buf *out) {
    const struct heddle_line_count *l = run_record_line(s, e->pc);
    const char *text = l ? l->text : "";
    buf_putc(out, ',');
    json_write_line(json_make("{s:s,s:s,s:o,s:o,s:I,s:o,s:{s:I,s:s}}", "ph", "X", "name", name ? name : text, "ts",
                              json_u64(e->cycle), "dur", json_u64(cycles), "pid", (json_int_t)e->sm, "tid",
                              json_u64(thread_of(e)), "args", "line", (json_int_t)(l ? l->line : 0), "instruction",
                              text),
                    out);
}

static void put_name(const char *what, u32 pid, u64 tid, const char *name, struct buf *out) {
    buf_putc(out, ',');
    json_write_line(json_make("{s:s,s:s,s:I,s:o,s:{s:s}}", "ph", "M", "name", what, "pid", (json_int_t)pid, "tid",
                              json_u64(tid), "args", "name", name),
                    out);
}

void run_record_process(u32 pid, const char *name, struct buf *out) {
    put_name("process_name", pid, 0, name, out);
}

static void put_names(const struct heddle_event *e, struct buf *out) {
    char name[60];
    snprintf(name, sizeof name, "SM %u", e->sm);
    put_name("process_name", e->sm, 0, name, out);
    snprintf(name, sizeof name, "block %llu warp %u", (unsigned long long)e->block, e->warp);
    put_name("thread_name", e->sm, thread_of(e), name, out);
}

bool run_record_trace(const struct run_report *r, struct buf *out) {
    const struct heddle_result *s = r->last;
    struct heddle_event e;
    buf_printf(out, "{\"otherData\":{\"heddle\":\"%s\",\"unit\":\"1 us is a cycle\"},\"traceEvents\":[\n",
               heddle_version());
    buf_puts(out, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,\"args\":{\"labels\":\"1 us is a cycle\"}}\n");
    for (u64 i = 0; heddle_event(r->h, i, &e); i++) {
        const char *kind = heddle_event_kind(e.kind, NULL, NULL, NULL);
        const char *reason = strcmp(kind, "wait") == 0 ? heddle_stall_name((u32)e.value[1], NULL) : NULL;
        if (strcmp(kind, "begin") == 0)
            put_names(&e, out);
        else if (strcmp(kind, "issue") == 0)
            put_slice(s, &e, NULL, 1, out);
        else if (reason)
            put_slice(s, &e, reason, e.value[0] - e.cycle, out);
    }
    bool ok = run_record_rates(r, out);
    buf_puts(out, "]}\n");
    return ok && json_complete() && !out->failed;
}
