/* Is the table of structures what heddle.h declares? Names are read from the header a second time, here. */
#include "sim/api/record.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_header(void) {
    FILE *file = fopen("sim/api/heddle.h", "r");
    cr_assert(file);
    char *text = calloc(1, 1 << 20);
    cr_assert(text && fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* The structure's members without comments, in a row: "uint32_t a, b[3]; const char *c;" */
static char *members(const char *header, const char *name) {
    char head[80];
    snprintf(head, sizeof head, "\nstruct %s {", name);
    const char *at = strstr(header, head);
    cr_assert(at, "%s is not in the header", name);
    at += strlen(head);
    size_t n = 0;
    char *text = calloc(1, 1 << 16);
    cr_assert(text);
    while (*at != '}' && n < 1 << 15)
        if (strncmp(at, "/*", 2) == 0)
            at = strstr(at, "*/") + 2;
        else
            text[n++] = *at++;
    return text;
}

/* The next declared name, which ends before `,`, `;` or `[`. */
static bool next_member(char **at, char name[64]) {
    size_t end = strcspn(*at, ",;");
    if (!(*at)[end])
        return false;
    size_t stop = strcspn(*at, "[,;"), start = stop;
    while (start && (*at)[start - 1] != ' ' && (*at)[start - 1] != '*' && (*at)[start - 1] != '\n')
        start--;
    snprintf(name, 64, "%.*s", (int)(stop - start), *at + start);
    if (name[stop - start - 1] == '_') /* `class_` is called class */
        name[stop - start - 1] = 0;
    *at += end + 1;
    return true;
}

/* True if a member is the number of another one's elements, or its word. */
static bool is_count(const struct heddle_record *r, const char *name) {
    static const char *const others[] = {"count", "size"}; /* of heddle_proof_findings, heddle_proof_data */
    const struct heddle_field *of = name[0] == 'n' ? heddle_record_field(r, name + 1) : NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return (of && of->list) || strcmp(name, "nvalues") == 0 ||
           (strcmp(name, "name") == 0 && strcmp(r->name, "heddle_proof") == 0);
}

Test(record, every_member_is_a_field_in_its_order) {
    char *header = read_header(), name[64];
    for (const struct heddle_record *r = heddle_records; r->name; r++) {
        char *text = members(header, r->name), *at = text;
        uint32_t found = 0;
        while (next_member(&at, name)) {
            if (!heddle_record_field(r, name)) {
                cr_assert(is_count(r, name), "%s.%s is not in the table", r->name, name);
                continue;
            }
            cr_assert_str_eq(r->fields[found].name, name, "%s.%s: the table has %s here", r->name, name,
                             r->fields[found].name);
            cr_assert(*r->fields[found].doc && *r->doc, "%s.%s has no documentation", r->name, name);
            found++;
        }
        cr_assert_eq(found, r->nfields, "%s: %u of %u fields are in the header", r->name, found, r->nfields);
        free(text);
    }
    free(header);
}

/* Results of functions are in the table, with what they hold; arguments are not. */
Test(record, results_are_in_the_table) {
    static const char *const there[] = {"heddle_result", "heddle_line_count", "heddle_bin",   "heddle_proof",
                                        "heddle_state",  "heddle_level",      "heddle_memory"};
    static const char *const elsewhere[] = {"heddle_launch", "heddle_arg", "heddle_prove", "heddle_csv", "heddle"};
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        cr_assert(heddle_record(there[i]), "%s", there[i]);
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        cr_assert_null(heddle_record(elsewhere[i]), "%s", elsewhere[i]);
}

static struct heddle_value value(const char *of, const char *name, const void *record, uint64_t index) {
    const struct heddle_record *r = heddle_record(of);
    const struct heddle_field *f = r ? heddle_record_field(r, name) : NULL;
    cr_assert(f && heddle_field_there(f, record), "%s.%s", of, name);
    cr_assert_lt(index, heddle_field_count(f, record), "%s.%s", of, name);
    return heddle_field_value(f, record, index);
}

static bool there(const char *of, const char *name, const void *record) {
    return heddle_field_there(heddle_record_field(heddle_record(of), name), record);
}

Test(record, a_walk_gives_what_the_fields_hold) {
    struct heddle_line_count lines[2] = {{.line = 7, .text = "exit"}, {.line = 8}};
    struct heddle_result r = {.kernel = "k", .grid = {4, 5, 6}, .nlines = 2, .lines = lines, .seconds = 0.5};
    cr_assert_str_eq(value("heddle_result", "kernel", &r, 0).text, "k");
    cr_assert_eq(value("heddle_result", "grid", &r, 2).whole, 6);
    cr_assert_eq(value("heddle_result", "lines", &r, 1).record, &lines[1]);
    cr_assert_str_eq(value("heddle_line_count", "text", &lines[0], 0).text, "exit");
    cr_assert_not(there("heddle_result", "seconds", &r), "without a clock");
    r.board = "b";
    cr_assert_eq(value("heddle_result", "seconds", &r, 0).real, 0.5);
    cr_assert_not(there("heddle_result", "schedule", &r), "NULL");
    cr_assert_not(there("heddle_result", "orders", &r), "NULL");
    cr_assert_not(there("heddle_result", "fault", &r), "no kind");
    cr_assert_not(there("heddle_line_count", "stall", &lines[0]), "without a clock");
}

/* Collects what a walk sends, as "name=value;" for numbers and texts, "name;" for unknown ones. */
static void put_value(void *ctx, const char *name, const struct heddle_value *v) {
    char *to = ctx;
    snprintf(to + strlen(to), 200, "%s=%s%llu;", name ? name : "", v->text ? v->text : "",
             (unsigned long long)v->whole);
}

static void put_open(void *ctx, const char *name, char bracket) {
    char *to = ctx;
    snprintf(to + strlen(to), 200, "%s%c", name ? name : "", bracket);
}

static void put_close(void *ctx, char bracket) {
    strncat(ctx, (char[]){bracket, 0}, 2);
}

static void put_none(void *ctx, const char *name) {
    char *to = ctx;
    snprintf(to + strlen(to), 200, "%s;", name ? name : "");
}

Test(record, a_form_has_its_fields_and_what_exists) {
    static const uint8_t bytes[] = {'a', 'b', 0}; /* printed as text here */
    const struct heddle_proof_data data = {"x", bytes, 1};
    const struct heddle_proof p = {.verdict = HEDDLE_ORDER,
                                   .name = "order",
                                   .depends = {{.how = "branches on"}, {.line = 7}},
                                   .data = &data,
                                   .ndata = 1};
    char all[4096] = "", json[4096] = "";
    const struct heddle_sink every = {all, 0, put_open, put_close, put_value, put_none, NULL};
    const struct heddle_sink some = {json, HEDDLE_JSON, put_open, put_close, put_value, put_none, NULL};
    heddle_walk(&every, heddle_record("heddle_proof"), &p);
    heddle_walk(&some, heddle_record("heddle_proof"), &p);
    cr_assert(strncmp(all, "verdict=order0;", 15) == 0, "%s", all);
    cr_assert(strstr(all, "depends[{how=branches on0;line=0;};]"), "the second does not exist: %s", all);
    cr_assert(strstr(all, "data{x=ab1;}"), "%s", all);
    cr_assert(!strstr(all, "solver{") && !strstr(all, "difference{"), "%s", all);
    cr_assert(strstr(json, "depends[") && !strstr(json, "data{"), "%s", json);
}

Test(record, numbers_are_what_the_brackets_say) {
    uint64_t stall[64] = {0, 9};
    uint32_t regs[6] = {0};
    struct heddle_line_count line = {.stall = stall};
    struct heddle_metric ratio = {.value = 0.5}, hits = {.value = 3, .whole = true}, none = {.absent = true};
    struct heddle_event_row row = {.name = "r4", .nvalues = 2, .values = {1, 2, 3}};
    struct heddle_state s = {.nregs = 2, .width = 3, .regs = regs, .active = 5};
    const struct heddle_field *f = heddle_record_field(heddle_record("heddle_line_count"), "stall");
    cr_assert_eq(value("heddle_line_count", "stall", &line, 1).whole, 9);
    cr_assert_str_eq(f->element(1, NULL), heddle_stall_name(1, NULL));
    cr_assert_null(heddle_stall_name((uint32_t)heddle_field_count(f, &line), NULL));
    cr_assert_eq(value("heddle_metric", "value", &ratio, 0).kind, HEDDLE_KIND_REAL);
    cr_assert_eq(value("heddle_metric", "value", &hits, 0).whole, 3);
    cr_assert_eq(value("heddle_metric", "value", &hits, 0).kind, HEDDLE_KIND_WHOLE);
    cr_assert_not(there("heddle_metric", "value", &none));
    cr_assert_eq(heddle_record("heddle_metric")->value, heddle_record_field(heddle_record("heddle_metric"), "value"));
    cr_assert_str_eq(value("heddle_event_row", "name", &row, 0).text, "r4");
    f = heddle_record_field(heddle_record("heddle_event_row"), "values");
    cr_assert_eq(heddle_field_count(f, &row), 2);
    f = heddle_record_field(heddle_record("heddle_state"), "regs");
    cr_assert_eq(heddle_field_count(f, &s), 6);
    cr_assert_eq(f->row(&s), 3);
    cr_assert_eq(value("heddle_state", "active", &s, 0).kind, HEDDLE_KIND_HEX);
}
