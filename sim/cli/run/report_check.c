#include "sim/cli/run/report.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/format.h"
#include "sim/cli/ui.h"

enum { SOURCE_WIDTH = 90 }; /* most bytes quoted of a line */

static const char *plural(u64 n) {
    return n == 1 ? "" : "s";
}

/* ---- one finding ---- */

static bool is_pair(const struct heddle_finding *f) {
    return f->nplaces == 2 && f->places[0].how && f->places[1].how && strcmp(f->kind, "init") != 0;
}

/* Returns the verb for an instruction's access, or its access before, in a finding. */
static const char *verb(const struct heddle_finding *f, u32 i) {
    const char *how = f->places[i].how;
    bool before = is_pair(f) && i == 1, reads = how && strstr(how, "read"), writes = how && strstr(how, "write");
    if (strcmp(f->kind, "init") == 0)
        return i == 1 ? "reads it" : "depends on it";
    if (reads)
        return before ? "read it before" : "reads it";
    if (writes)
        return before ? "wrote it before" : "writes it";
    return !how ? "this instruction" : before ? "updated it before, atomically" : "updates it atomically";
}

/* Appends "0", "(1, 2)" or "(1, 2, 3)" by the dimensions of the grid. */
static void put_block(const u32 grid[3], const u32 block[3], struct buf *out) {
    if (grid[2] > 1)
        buf_printf(out, "(%u, %u, %u)", block[0], block[1], block[2]);
    else if (grid[1] > 1)
        buf_printf(out, "(%u, %u)", block[0], block[1]);
    else
        buf_printf(out, "%u", block[0]);
}

/* Prints the line, with a caret under the address if it has one. */
static void put_source(const struct heddle_finding_place *p, struct buf *out) {
    const char *text = p->text, *address = p->how ? strchr(text, '[') : NULL;
    size_t len = strcspn(text, ";"), end = address ? strcspn(address, "]") : 0;
    while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
        len--;
    len = len < SOURCE_WIDTH ? len : SOURCE_WIDTH;
    if (p->line)
        buf_printf(out, "%6u | ", p->line);
    else
        buf_puts(out, "       | ");
    diag_put_text(out, text, len);
    buf_putc(out, '\n');
    if (!address || (size_t)(address - text) + end >= len)
        return;
    buf_printf(out, "       | %s", ui_paint("\033[1;32m"));
    for (const char *at = text; at < address; at++)
        buf_putc(out, *at == '\t' ? '\t' : ' ');
    buf_putc(out, '^');
    for (size_t i = 0; i < end; i++)
        buf_putc(out, '~');
    buf_printf(out, "%s\n", ui_paint("\033[0m"));
}

static void put_place(const struct heddle_result *s, const struct heddle_finding *f, u32 i, const char *file,
                      struct buf *out) {
    const struct heddle_finding_place *p = &f->places[i];
    const char *name = p->file ? p->file : file;
    buf_puts(out, "  ");
    diag_put_text(out, name, strlen(name));
    if (p->line)
        buf_printf(out, ":%u", p->line);
    buf_printf(out, ": %s: block ", verb(f, i));
    put_block(s->grid, p->block, out);
    buf_printf(out, ", warp %u, lane %u", p->warp, p->lane);
    if (s->timed)
        buf_printf(out, ", cycle %s", grouped(p->cycle).text);
    buf_putc(out, '\n');
    put_source(p, out);
}

/* Prints a sentence with a capital letter and a full stop. */
static void put_sentence(const char *text, struct buf *out) {
    size_t len = strlen(text), at;
    struct buf sentence = {0};
    buf_puts(&sentence, text);
    if (len && !sentence.failed && text[0] >= 'a' && text[0] <= 'z')
        sentence.data[0] = (char)(text[0] - 'a' + 'A');
    if (len && text[len - 1] != '.')
        buf_putc(&sentence, '.');
    out->failed |= sentence.failed;
    at = out->len;
    if (len && !sentence.failed) {
        buf_puts(out, "  ");
        format_folded(sentence.data, 2, 2, out);
        if (out->len > at && out->data[out->len - 1] != '\n')
            buf_putc(out, '\n');
    }
    buf_free(&sentence);
}

/* ---- groups ---- */

static bool same_line(const struct heddle_finding_place *a, const struct heddle_finding_place *b) {
    bool same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
    return a->line == b->line && a->line != 0 && same_file;
}

/* True for findings of one class at one pair of lines, in either order, none of them allowed. */
static bool alike(const struct heddle_finding *a, const struct heddle_finding *b) {
    const struct heddle_finding_place *p = a->places, *q = b->places;
    if (a->allowed || b->allowed || strcmp(a->kind, b->kind) != 0 || strcmp(a->class_, b->class_) != 0 ||
        a->nplaces != b->nplaces)
        return false;
    if (a->nplaces < 2)
        return same_line(&p[0], &q[0]);
    return (same_line(&p[0], &q[0]) && same_line(&p[1], &q[1])) || (same_line(&p[0], &q[1]) && same_line(&p[1], &q[0]));
}

static bool begins_group(const struct heddle_result *s, u32 i) {
    if (s->findings[i].allowed)
        return false;
    for (u32 k = 0; k < i; k++)
        if (alike(&s->findings[k], &s->findings[i]))
            return false;
    return true;
}

/* Prints "race read-write: ...", folded, the part before the colon in colour. */
static void put_head(const struct buf *text, struct buf *out) {
    struct buf folded = {0};
    size_t name = text->failed ? 0 : strcspn(text->data, ":") + 1;
    format_folded(text->failed ? "" : text->data, 0, 2, &folded);
    out->failed |= text->failed || folded.failed;
    if (!out->failed)
        buf_printf(out, "\n%s%.*s%s%s", ui_paint("\033[1;31m"), (int)name, folded.data, ui_paint("\033[0m"),
                   folded.data + name);
    buf_free(&folded);
}

/* Prints the finding, with those after it that are alike. */
static void put_group(const struct heddle_result *s, u32 first, const char *file, struct buf *out) {
    const struct heddle_finding *f = &s->findings[first];
    struct buf head = {0};
    u64 count = f->count, pairs = 1;
    for (u32 i = first + 1; i < s->nfindings; i++)
        if (alike(f, &s->findings[i])) {
            count += s->findings[i].count;
            pairs++;
        }
    buf_printf(&head, "%s %s: %s", f->kind, f->class_, f->doc);
    if (f->where)
        buf_printf(&head, ", %s", f->where);
    if (count > 1)
        buf_printf(&head, "; %s times", grouped(count).text);
    if (pairs > 1)
        buf_printf(&head, " at %s instructions of the line%s", grouped(pairs).text, plural(f->nplaces));
    put_head(&head, out);
    buf_free(&head);
    for (u32 i = 0; i < f->nplaces; i++)
        put_place(s, f, i, file, out);
    put_sentence(f->text, out);
}

/* Prints "2 findings allowed (1 race, 1 init)", or those of the baseline, if there are any. */
static void put_allowed(const struct heddle_result *s, bool known, struct buf *out) {
    u32 count = 0;
    struct buf kinds = {0};
    const char *kind, *doc;
    bool standard;
    for (u32 k = 0; heddle_check_kind(k, &kind, &doc, &standard); k++) {
        u32 n = 0;
        for (u32 i = 0; i < s->nfindings; i++)
            n += s->findings[i].allowed && s->findings[i].known == known && strcmp(s->findings[i].kind, kind) == 0;
        if (n)
            buf_printf(&kinds, "%s%s %s", count ? ", " : "", grouped(n).text, kind);
        count += n;
    }
    if (count)
        buf_printf(out, "%s finding%s %s (%s)\n", grouped(count).text, plural(count),
                   known ? "of the baseline" : "allowed", kinds.failed ? "" : kinds.data);
    out->failed |= kinds.failed;
    buf_free(&kinds);
}

/* Orders texts up to the ends of their lines. */
static int by_line(const void *a, const void *b) {
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    for (; *x == *y && *x && *x != '\n'; x++, y++)
        ;
    return (*x == '\n' ? 0 : (unsigned char)*x) - (*y == '\n' ? 0 : (unsigned char)*y);
}

void check_baseline_add(const struct heddle_result *s, struct buf *rows) {
    struct buf there = {0}, here = {0}, lacking = {0};
    for (const char *at = rows->len ? rows->data : ""; *at; at += strcspn(at, "\n") + 1)
        buf_append(&there, &at, sizeof at);
    for (u32 i = 0; i < s->nfindings; i++)
        if (!s->findings[i].allowed || s->findings[i].known)
            buf_append(&here, &s->findings[i].baseline, sizeof s->findings[i].baseline);
    const char **old = (const char **)(void *)there.data, **new = (const char **)(void *)here.data;
    const size_t nold = there.len / sizeof *old, nnew = here.len / sizeof *new;
    if (nold)
        qsort(old, nold, sizeof *old, by_line);
    if (nnew)
        qsort(new, nnew, sizeof *new, by_line);
    for (size_t i = 0, k = 0; i < nnew; i++) {
        while (k < nold && by_line(&old[k], &new[i]) < 0)
            k++;
        if (k < nold && by_line(&old[k], &new[i]) == 0)
            k++; /* each line stands for one finding */
        else
            buf_printf(&lacking, "%s\n", new[i]);
    }
    buf_append(rows, lacking.data, lacking.len);
    rows->failed |= there.failed || here.failed || lacking.failed;
    buf_free(&there);
    buf_free(&here);
    buf_free(&lacking);
}

void check_report_text(const struct heddle_result *s, const char *file, const char *launch, u32 most, struct buf *out) {
    u32 groups = 0;
    if (!s->checked)
        return;
    buf_printf(out, "%s%s", launch, ui_paint("\033[1m"));
    u32 found = s->nfindings - s->allowed;
    if (found == 0)
        buf_puts(out, s->allowed ? "no other findings" : "no findings");
    else
        buf_printf(out, "%s%s finding%s", grouped(found).text, s->allowed ? " other" : "", plural(found));
    buf_printf(out, "%s by %s; shadow memory %s\n", ui_paint("\033[0m"), s->checked,
               format_si((double)s->check_memory, "B").text);
    put_allowed(s, false, out);
    put_allowed(s, true, out);
    if (s->check_forgotten)
        buf_printf(out, "%s access%s forgotten to bound it: findings may be missing\n",
                   grouped(s->check_forgotten).text, s->check_forgotten == 1 ? " was" : "es were");
    for (u32 i = 0; i < s->nfindings; i++)
        if (begins_group(s, i) && ++groups <= most)
            put_group(s, i, file, out);
    if (groups > most)
        buf_printf(out, "\n%s more pair%s of lines: --findings 0 shows all, --json FILE has them\n",
                   grouped(groups - most).text, plural(groups - most));
    if (groups)
        buf_putc(out, '\n');
}

json_t *check_report_kinds(const struct heddle_result *s) {
    json_t *kinds = json_list();
    for (const char *at = s->checked; *at;) {
        size_t len = strcspn(at, ",");
        json_add(kinds, json_text_of(at, len));
        at += len;
        at += strspn(at, ", ");
    }
    return kinds;
}
