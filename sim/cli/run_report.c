#include "sim/cli/run_report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/diag.h"

static double per(u64 part, u64 whole) {
    return whole ? (double)part / (double)whole : 0;
}

/* 1234567 as "1,234,567" */
struct grouped {
    char text[32];
};

static struct grouped group(u64 n) {
    struct grouped g;
    char digits[24];
    u32 len = (u32)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), k = 0;
    for (u32 i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            g.text[k++] = ',';
        g.text[k++] = digits[i];
    }
    g.text[k] = 0;
    return g;
}

/* "64" or "8x8x2" */
static struct grouped dims(const u32 d[3]) {
    struct grouped g;
    if (d[2] > 1)
        snprintf(g.text, sizeof g.text, "%ux%ux%u", d[0], d[1], d[2]);
    else if (d[1] > 1)
        snprintf(g.text, sizeof g.text, "%ux%u", d[0], d[1]);
    else
        snprintf(g.text, sizeof g.text, "%u", d[0]);
    return g;
}

static void print_shape(const struct heddle_tensor *t, struct buf *out) {
    buf_printf(out, "%s[", t->type);
    for (u32 i = 0; i < t->ndim; i++)
        buf_printf(out, "%s%llu", i ? "," : "", (unsigned long long)t->shape[i]);
    buf_puts(out, "]");
}

/* The bf16 of a kernel is written as u16, because .npy has no bf16. */
static const char *file_type(const struct heddle_tensor *t) {
    return strcmp(t->type, "bf16") == 0 ? "u16" : t->type;
}

/* ---- text ---- */

static void print_classes(const struct heddle_result *r, struct buf *out) {
    buf_printf(out, "\n  %-16s %16s  %7s\n", "class", "issued", "share");
    for (u32 i = 0; i < r->nclasses; i++)
        buf_printf(out, "  %-16s %16s  %6.2f%%\n", r->classes[i].name, group(r->classes[i].warp_instructions).text,
                   100 * per(r->classes[i].warp_instructions, r->warp_instructions));
}

static void print_files(const struct run_report *r, struct buf *out) {
    const char *head = "\n";
    for (u32 i = 0; i < run_tensor_count(r->options); i++) {
        const struct run_tensor *t = run_tensor_at(r->options, i);
        if (!t->out)
            continue;
        buf_printf(out, "%s  wrote %s = ", head, t->name);
        print_shape(&r->tensors[i], out);
        buf_printf(out, " to %s%s\n", t->out, strcmp(r->tensors[i].type, "bf16") == 0 ? " (as u16)" : "");
        head = "";
    }
}

/* Line `number` of the source, without leading blanks. */
static const char *source_line(const struct run_report *r, u32 number, int *len) {
    const char *at = r->source, *end = r->source + r->source_len;
    for (u32 n = 1; n < number && at; n++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at || number == 0)
        return NULL;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *len = (int)((newline ? newline : end) - at);
    while (*len && (at[*len - 1] == '\r' || at[*len - 1] == ' '))
        --*len;
    return at;
}

static void print_profile(const struct run_report *r, struct buf *out) {
    const struct heddle_result *result = r->result;
    buf_printf(out, "\n  %6s %16s  %7s  %s\n", "line", "issued", "share", "source");
    for (u32 i = 0; i < result->nlines; i++) {
        const struct heddle_line_count *l = &result->lines[i];
        int len = 0;
        const char *text = r->source ? source_line(r, l->line, &len) : NULL;
        char number[16] = "-";
        if (l->line)
            snprintf(number, sizeof number, "%u", l->line);
        buf_printf(out, "  %6s %16s  %6.2f%%  ", number, group(l->warp_instructions).text,
                   100 * per(l->warp_instructions, result->warp_instructions));
        if (text)
            diag_put_text(out, text, (size_t)len);
        else
            buf_puts(out, l->text);
        buf_putc(out, '\n');
    }
}

void run_report_text(const struct run_report *r, struct buf *out) {
    const struct heddle_result *s = r->result;
    double lanes = per(s->thread_instructions, s->warp_instructions);
    buf_printf(out, "%s: grid %s, block %s, warp %u, engine %s\n\n", s->kernel, dims(s->grid).text, dims(s->block).text,
               s->warp, s->engine);
    buf_printf(out, "  %-22s %16s\n", "blocks", group(s->blocks).text);
    buf_printf(out, "  %-22s %16s\n", "warps", group(s->warps).text);
    buf_printf(out, "  %-22s %16s\n", "warp-instructions", group(s->warp_instructions).text);
    buf_printf(out, "  %-22s %16s\n", "thread-instructions", group(s->thread_instructions).text);
    buf_printf(out, "  %-22s %16.2f  of %u, %.1f%%\n", "lanes per instruction", lanes, s->warp, 100 * lanes / s->warp);
    print_classes(s, out);
    if (r->options->profile)
        print_profile(r, out);
    print_files(r, out);
}

/* ---- JSON ---- */

static json_t *json_dims(const u32 d[3]) {
    return json_pack("[I,I,I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *json_u64(u64 n) {
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *json_classes(const struct heddle_result *r) {
    json_t *all = json_object();
    for (u32 i = 0; i < r->nclasses; i++)
        json_object_set_new(all, r->classes[i].name, json_u64(r->classes[i].warp_instructions));
    return all;
}

static json_t *json_lines(const struct heddle_result *r) {
    json_t *all = json_array();
    for (u32 i = 0; i < r->nlines; i++)
        json_array_append_new(all, json_pack("{s:I,s:o,s:s}", "line", (json_int_t)r->lines[i].line, "issued",
                                             json_u64(r->lines[i].warp_instructions), "text", r->lines[i].text));
    return all;
}

/* File names need not be UTF-8, JSON must be: bytes that are not are replaced. */
static json_t *json_name(const char *text) {
    json_t *s = json_string(text);
    struct buf clean = {0};
    if (s)
        return s;
    for (; *text; text++)
        buf_putc(&clean, (unsigned char)*text < 0x80 ? *text : '?');
    s = json_string(clean.data ? clean.data : "");
    buf_free(&clean);
    return s;
}

static json_t *json_outputs(const struct run_report *r) {
    json_t *all = json_array();
    for (u32 i = 0; i < run_tensor_count(r->options); i++) {
        const struct run_tensor *t = run_tensor_at(r->options, i);
        json_t *shape = json_array();
        for (u32 d = 0; d < r->tensors[i].ndim; d++)
            json_array_append_new(shape, json_u64(r->tensors[i].shape[d]));
        if (t->out && r->status == HEDDLE_OK)
            json_array_append_new(all, json_pack("{s:o,s:o,s:s,s:O}", "name", json_name(t->name), "file",
                                                 json_name(t->out), "type", file_type(&r->tensors[i]), "shape", shape));
        json_decref(shape);
    }
    return all;
}

static json_t *json_fault(const struct run_report *r) {
    const struct heddle_fault_info *f = &r->result->fault;
    char address[32];
    if (r->status == HEDDLE_OK)
        return json_null();
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->address);
    return json_pack("{s:s,s:s,s:I,s:o,s:I,s:I,s:s,s:o}", "kind", f->kind ? f->kind : "stopped", "kernel",
                     r->result->kernel, "line", (json_int_t)f->line, "block", json_dims(f->block), "warp",
                     (json_int_t)f->warp, "lane", (json_int_t)f->lane, "address", address, "message",
                     json_name(r->error));
}

bool run_report_json(const struct run_report *r, struct buf *out) {
    const struct heddle_result *s = r->result;
    double lanes = per(s->thread_instructions, s->warp_instructions);
    json_t *all = json_pack("{s:s,s:o,s:s,s:s,s:o,s:o,s:I}", "heddle", heddle_version(), "file", json_name(r->file),
                            "kernel", s->kernel, "engine", s->engine, "grid", json_dims(s->grid), "block",
                            json_dims(s->block), "warp", (json_int_t)s->warp);
    json_object_set_new(all, "blocks", json_u64(s->blocks));
    json_object_set_new(all, "warps", json_u64(s->warps));
    json_object_set_new(all, "warp_instructions", json_u64(s->warp_instructions));
    json_object_set_new(all, "thread_instructions", json_u64(s->thread_instructions));
    json_object_set_new(all, "lanes_per_instruction", json_real(lanes));
    json_object_set_new(all, "simt_efficiency", json_real(lanes / s->warp));
    json_object_set_new(all, "classes", json_classes(s));
    json_object_set_new(all, "lines", json_lines(s));
    json_object_set_new(all, "outputs", json_outputs(r));
    json_object_set_new(all, "fault", json_fault(r));
    char *text = all ? json_dumps(all, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
    json_decref(all);
    if (!text)
        return false;
    buf_puts(out, text);
    buf_putc(out, '\n');
    free(text);
    return !out->failed;
}
