#include "sim/cli/doc/doc.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/record.h"
#include "sim/cli/board/board.h"
#include "sim/cli/command.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/ui.h"
#include "sim/file/shipped.h"

void doc_words_add_row(struct doc_words *w, const struct doc_word *row) {
    buf_append(&w->words, row, sizeof *row);
}

void doc_words_add(struct doc_words *w, const char *kind, const char *name, const char *detail, const char *text) {
    doc_words_add_row(w, &(struct doc_word){kind, name, detail, text, false});
}

const char *doc_words_keep(struct doc_words *w, const char *text, size_t len) {
    const char *kept = arena_strndup(&w->arena, text, len);
    w->words.failed |= !kept;
    return kept ? kept : "";
}

static const char *keep(struct doc_words *w, const struct buf *text) {
    w->words.failed |= text->failed;
    return text->failed || !text->data ? "" : doc_words_keep(w, text->data, text->len);
}

static void add_manuals(struct doc_words *w) {
#define MANUAL(name, words, text) doc_words_add(w, "manual", #name, "", text);
#include "sim/cli/doc/manuals.def"
}

/* ---- the machine ---- */

static void add_instructions(struct doc_words *w) {
    struct heddle_isa_row row;
    const char *name, *doc;
    for (u32 i = 0; heddle_isa_row(i, &row); i++)
        doc_words_add(w, "instruction", row.name, doc_words_keep(w, row.syntax, strlen(row.syntax)), row.doc);
    for (u32 i = 0; heddle_special_register(i, &name, &doc); i++)
        doc_words_add(w, "special register", name, "", doc);
}

static void add_metrics(struct doc_words *w) {
    struct buf all = {0};
    doc_counters_list(&w->arena, &all);
    const struct heddle_metric *list = (const struct heddle_metric *)(const void *)all.data;
    for (size_t i = 0; i < all.len / sizeof *list; i++) {
        struct buf detail = {0};
        buf_puts(&detail, *list[i].unit ? list[i].unit : "");
        if (*list[i].formula) {
            buf_puts(&detail, *list[i].unit ? ", = " : "= ");
            doc_counters_formula(list[i].formula, &detail);
        }
        doc_words_add(w, *list[i].formula ? "metric" : "counter", list[i].name, keep(w, &detail), list[i].doc);
        buf_free(&detail);
    }
    w->words.failed |= all.failed;
    buf_free(&all);
    const char *name, *doc;
    for (u32 i = 0; (name = heddle_stall_name(i, &doc)); i++)
        doc_words_add(w, "stall reason", name, "", doc);
}

static void add_board(struct doc_words *w) {
    struct heddle_board_value v;
    struct heddle_board_peak p;
    for (u32 i = 0; heddle_board_value_at(w->h, i, &v); i++)
        doc_words_add(w, "board key", v.key, v.unit, v.doc);
    for (u32 i = 0; heddle_board_peak(w->h, i, &p); i++)
        doc_words_add(w, "peak of a board", p.name, p.unit, p.doc);
}

static void add_findings(struct doc_words *w) {
    const char *name, *doc, *kind, *class, *action;
    enum heddle_by by;
    bool standard;
    for (u32 i = 0; heddle_fault_kind(i, &name, &doc); i++)
        doc_words_add(w, "fault", name, "", doc);
    for (u32 i = 0; heddle_advice_rule(i, &name, &action, &doc); i++)
        doc_words_add(w, "rule of advice", name, action, doc);
    for (u32 i = 0; heddle_check_kind(i, &name, &doc, &standard); i++)
        doc_words_add(w, "checker", name, standard ? "of --check all" : "", doc);
    for (u32 i = 0; heddle_check_class(i, &kind, &class, &doc, &by); i++) {
        struct buf detail = {0};
        buf_printf(&detail, "found by the checker %s%s", kind, by == HEDDLE_BY_PROOF ? ", in proofs only" : "");
        doc_words_add(w, "finding", class, keep(w, &detail), doc);
        buf_free(&detail);
    }
    for (u32 i = 0; heddle_lint_class(i, &name, &doc); i++)
        doc_words_add(w, "warning of lint", name, "", doc);
}

/* ---- the command ---- */

static void add_options(struct doc_words *w, const char *command, const struct argp_option *options) {
    for (const struct argp_option *o = options; o && o->name; o++) {
        struct buf name = {0}, kind = {0};
        if (o->flags & OPTION_HIDDEN)
            continue;
        buf_printf(&name, "--%s", o->name);
        buf_printf(&kind, "option of %s", command);
        doc_words_add(w, keep(w, &kind), keep(w, &name), o->arg ? o->arg : "", o->doc ? o->doc : "");
        buf_free(&name);
        buf_free(&kind);
    }
}

static void add_commands(struct doc_words *w) {
    for (size_t i = 0; i < command_count; i++) {
        struct buf usage = {0};
        buf_printf(&usage, "heddle %s --help", commands[i].name);
        doc_words_add(w, "command", commands[i].name, keep(w, &usage), commands[i].doc);
        buf_free(&usage);
        add_options(w, commands[i].name, commands[i].argp->options);
    }
    add_options(w, "every command", command_common[0].argp->options);
#define SECTION(name, clock, doc) doc_words_add(w, "section of run", #name, "heddle run --section " #name, doc);
#include "sim/cli/run/sections.def"
}

/* Adds the fields of structures that functions return, which have one name in C, Lua, Python and JSON. */
static void add_fields(struct doc_words *w) {
    for (const struct heddle_record *r = heddle_records; r->name; r++)
        for (u32 i = 0; i < r->nfields; i++) {
            struct buf kind = {0};
            buf_printf(&kind, "field of %s", r->name);
            doc_words_add(w, keep(w, &kind), r->fields[i].name, "", r->fields[i].doc);
            buf_free(&kind);
        }
}

/* Adds objects as in signatures: "context:launch". */
static void add_lua(struct doc_words *w) {
#define LUA_FUNCTION(group, name, function, signature, doc) \
    doc_words_add(w, "Lua function", doc_words_keep(w, signature, strcspn(signature, "(")), signature, doc);
#define LUA_FIELD(group, name, doc) doc_words_add(w, "Lua field of " #group, name, "", doc);
#include "sim/lua/api.def"
}

/* ---- shipped files ---- */

/* Returns the first line of a kernel, without the comment sign and its own name. */
static const char *first_line(struct doc_words *w, const char *kernel) {
    char path[RESOURCE_PATH], line[400] = "";
    struct buf names = {0};
    FILE *f =
        shipped_kernel(resources_root(), kernel, path, sizeof path, &names) == SHIPPED_FOUND ? fopen(path, "r") : NULL;
    if (f && !fgets(line, sizeof line, f))
        *line = 0;
    if (f)
        fclose(f);
    buf_free(&names);
    const char *text = *line == ';' ? line + strspn(line, "; ") : "", *colon = strstr(text, ": ");
    text = colon ? colon + 2 : text;
    return doc_words_keep(w, text, strcspn(text, "\n"));
}

static void add_kernels(struct doc_words *w) {
    struct buf names = {0};
    if (resources_root())
        shipped_kernels(resources_root(), &names);
    for (const char *at = names.data ? names.data : ""; *at;) {
        size_t len = strcspn(at, "\n");
        const char *name = doc_words_keep(w, at, len);
        struct buf usage = {0};
        buf_printf(&usage, "heddle run %s", name);
        doc_words_add(w, "kernel", name, keep(w, &usage), first_line(w, name));
        buf_free(&usage);
        at += len + (at[len] == '\n');
    }
    w->words.failed |= names.failed;
    buf_free(&names);
}

/* Adds boards and studies: "NAME  the first line of the file". */
static void add_resources(struct doc_words *w, const struct resource_dir *s, const char *usage) {
    struct buf list = {0};
    resource_dir_print(s, &list);
    for (const char *at = list.data ? list.data : ""; *at;) {
        size_t end = strcspn(at, "\n");
        const char *name = at + strspn(at, " "), *text = name + strcspn(name, " \n");
        struct buf detail = {0};
        buf_printf(&detail, "%s %.*s", usage, (int)(text - name), name);
        text += strspn(text, " ");
        doc_words_add(w, s->kind, doc_words_keep(w, name, strcspn(name, " \n")), keep(w, &detail),
                      doc_words_keep(w, text, text < at + end ? (size_t)(at + end - text) : 0));
        buf_free(&detail);
        at += end + (at[end] == '\n');
    }
    w->words.failed |= list.failed;
    buf_free(&list);
}

bool doc_words_collect(struct doc_words *w) {
    struct resource_dir boards, studies;
    board_dir_open(&boards);
    study_dir_open(&studies);
    add_manuals(w);
    add_instructions(w);
    add_metrics(w);
    add_board(w);
    add_findings(w);
    add_commands(w);
    add_resources(w, &studies, "heddle study");
    add_resources(w, &boards, "heddle board");
    add_kernels(w);
    doc_pages_collect(w);
    add_fields(w);
    add_lua(w);
    resource_dir_close(&boards);
    resource_dir_close(&studies);
    if (w->words.failed)
        ui_error("out of memory");
    return !w->words.failed;
}

void doc_words_free(struct doc_words *w) {
    buf_free(&w->words);
    buf_free(&w->passages);
    arena_free(&w->arena);
}
