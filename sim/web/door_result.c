/* The answer of a launch. */
#include "sim/web/door.h"
#include "sim/web/write.h"

static void put_three(struct buf *out, const char *key, const u32 *n) {
    write_open(out, key, '[');
    for (u32 i = 0; i < 3; i++)
        write_whole(out, NULL, n[i]);
    write_close(out, ']');
}

static void put_fault(struct buf *out, const struct heddle_fault_info *f) {
    write_open(out, "fault", '{');
    write_text(out, "kind", f->kind);
    write_text(out, "file", f->file);
    write_whole(out, "line", f->line);
    put_three(out, "block", f->block);
    write_whole(out, "warp", f->warp);
    write_whole(out, "lane", f->lane);
    write_whole(out, "address", f->address);
    write_close(out, '}');
}

static void put_lines(struct buf *out, const struct heddle_result *r) {
    write_open(out, "lines", '[');
    for (u32 i = 0; i < r->nlines; i++) {
        const struct heddle_line_count *l = &r->lines[i];
        write_open(out, NULL, '{');
        write_whole(out, "line", l->line);
        write_whole(out, "pc", l->pc);
        write_whole(out, "issued", l->warp_instructions);
        write_whole(out, "lanes", l->lanes);
        if (l->stall) {
            write_open(out, "stall", '[');
            for (u32 s = 0; s < r->nstalls; s++)
                write_whole(out, NULL, l->stall[s]);
            write_close(out, ']');
        }
        write_close(out, '}');
    }
    write_close(out, ']');
}

static void put_traffic(struct buf *out, const struct heddle_result *r) {
    struct heddle_column_info column;
    write_open(out, "traffic", '[');
    for (u32 i = 0; i < r->ntraffic; i++) {
        write_open(out, NULL, '{');
        write_text(out, "name", r->traffic[i].name);
        for (u32 c = 0; heddle_traffic_column(c, &column); c++)
            write_whole(out, column.name, r->traffic[i].value[c]);
        write_close(out, '}');
    }
    write_close(out, ']');
}

static void put_place(struct buf *out, const struct heddle_finding_place *p) {
    write_open(out, NULL, '{');
    write_text(out, "file", p->file);
    write_whole(out, "line", p->line);
    write_text(out, "how", p->how);
    put_three(out, "block", p->block);
    write_whole(out, "warp", p->warp);
    write_whole(out, "lane", p->lane);
    write_close(out, '}');
}

static void put_findings(struct buf *out, const struct heddle_result *r) {
    write_open(out, "findings", '[');
    for (u32 i = 0; i < r->nfindings; i++) {
        const struct heddle_finding *f = &r->findings[i];
        write_open(out, NULL, '{');
        write_text(out, "kind", f->kind);
        write_text(out, "name", f->name);
        write_text(out, "text", f->text);
        write_text(out, "where", f->where);
        write_whole(out, "count", f->count);
        write_open(out, "places", '[');
        for (u32 k = 0; k < f->nplaces; k++)
            put_place(out, &f->places[k]);
        write_close(out, ']');
        write_close(out, '}');
    }
    write_close(out, ']');
}

static void put_clock(struct buf *out, const struct heddle_result *r) {
    write_whole(out, "cycles", r->cycles);
    write_number(out, "seconds", r->seconds);
    write_text(out, "board", r->board);
    write_text(out, "limiter", r->limiter);
    write_text(out, "hint", r->hint);
    write_text(out, "inconsistency", r->inconsistency);
    write_open(out, "metrics", '[');
    for (u32 i = 0; i < r->nmetrics; i++) {
        const struct heddle_metric *m = &r->metrics[i];
        write_open(out, NULL, '{');
        write_text(out, "name", m->name);
        write_text(out, "unit", m->unit);
        if (m->absent)
            write_text(out, "value", NULL);
        else
            write_number(out, "value", m->value);
        write_close(out, '}');
    }
    write_close(out, ']');
    put_traffic(out, r);
}

void door_put_result(struct door *d, enum heddle_status status) {
    struct buf *out = &d->out;
    const struct heddle_result *r = &d->result;
    write_whole(out, "status", status);
    if (r->fault.kind)
        put_fault(out, &r->fault);
    if (r->checked)
        put_findings(out, r);
    write_whole(out, "events", r->events);
    write_whole(out, "complete", r->complete);
    if (status != HEDDLE_OK)
        return;
    write_text(out, "kernel", r->kernel);
    put_three(out, "grid", r->grid);
    put_three(out, "block", r->block);
    write_whole(out, "warp", r->warp);
    write_whole(out, "warp_instructions", r->warp_instructions);
    write_whole(out, "thread_instructions", r->thread_instructions);
    write_open(out, "classes", '{');
    for (u32 i = 0; i < r->nclasses; i++)
        write_whole(out, r->classes[i].name, r->classes[i].warp_instructions);
    write_close(out, '}');
    put_lines(out, r);
    if (r->timed)
        put_clock(out, r);
}
