/* Reads results, and refuses other files. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/diff/diff.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"

/* Each with the one before it, which is read as well. */
static const char *const run_formats[] = {"heddle-run-2", "heddle-run-1"};
static const char *const runs_formats[] = {"heddle-runs-2", "heddle-runs-1"};

size_t diff_launches(const json_t *result) {
    const json_t *all = json_object_get(result, "launches");
    return all ? json_array_size(all) : 1;
}

const json_t *diff_launch(const json_t *result, size_t i) {
    const json_t *all = json_object_get(result, "launches");
    return all ? json_array_get(all, i) : result;
}

/* ---- what a result has ---- */

/* Path of a wrong member: "launches[1].metrics". */
struct path {
    char text[120];
};

static struct path path_of(const char *in, const char *name) {
    struct path p;
    snprintf(p.text, sizeof p.text, "%.60s%s%.50s", in, *in ? "." : "", name);
    return p;
}

static bool wrong(const char *file, const char *in, const char *name, const char *why) {
    return ui_error_as(file, "this is not a result of 'heddle run --json': '%s' %s", path_of(in, name).text, why);
}

/* Checks that all members are numbers, or null for unknown. */
static bool numbers(const char *file, const char *in, const json_t *object) {
    const char *name;
    json_t *value;
    if (!json_is_object(object))
        return object ? wrong(file, "", in, "is not an object") : true;
    json_object_foreach((json_t *)(uintptr_t)object, name, value) {
        if (!json_is_number(value) && !json_is_null(value))
            return wrong(file, in, name, "is not a number");
    }
    return true;
}

static bool lines_right(const char *file, const char *in, const json_t *lines) {
    size_t i;
    json_t *line;
    json_array_foreach((json_t *)(uintptr_t)lines, i, line) {
        char at[80];
        snprintf(at, sizeof at, "%.40s%slines[%zu]", in, *in ? "." : "", i);
        if (!json_is_string(json_object_get(line, "text")))
            return wrong(file, at, "text", "is missing, or is something else");
        if (!numbers(file, path_of(at, "stall").text, json_object_get(line, "stall")))
            return false;
    }
    return true;
}

static bool launch_right(const char *file, const char *in, const json_t *launch) {
    static const struct {
        const char *name;
        json_type type;
        bool timed;
    } needs[] = {{"kernel", JSON_STRING, false}, {"grid", JSON_ARRAY, false},     {"block", JSON_ARRAY, false},
                 {"warp", JSON_INTEGER, false},  {"classes", JSON_OBJECT, false}, {"lines", JSON_ARRAY, false},
                 {"metrics", JSON_OBJECT, true}, {"traffic", JSON_OBJECT, true}};
    bool timed = json_object_get(launch, "cycles") != NULL;
    for (size_t i = 0; i < COUNT_OF(needs); i++) {
        const json_t *member = json_object_get(launch, needs[i].name);
        if ((timed || !needs[i].timed) && (!member || json_typeof(member) != needs[i].type))
            return wrong(file, in, needs[i].name, "is missing, or is something else");
    }
    const char *buffer;
    json_t *columns;
    json_object_foreach(json_object_get(launch, "traffic"), buffer, columns) {
        if (!numbers(file, path_of(path_of(in, "traffic").text, buffer).text, columns))
            return false;
    }
    return numbers(file, path_of(in, "classes").text, json_object_get(launch, "classes")) &&
           numbers(file, path_of(in, "metrics").text, json_object_get(launch, "metrics")) &&
           lines_right(file, in, json_object_get(launch, "lines"));
}

/* Checks the format; results of versions that named none have the first. */
static bool format_right(const char *file, const json_t *result, const char *const want[2]) {
    const json_t *format = json_object_get(result, "format");
    const char *name = json_string_value(format), *by = json_string_value(json_object_get(result, "heddle"));
    size_t family = strlen(run_formats[0]) - 1;
    if (!format || (name && (strcmp(name, want[0]) == 0 || strcmp(name, want[1]) == 0)))
        return true;
    if (name && strncmp(name, run_formats[0], family) == 0 && by)
        ui_error_as(file, "its format is %s, of heddle %s; this one compares %s", name, by, want[0]);
    else
        ui_error_as(file, "this is not a result of 'heddle run --json': its format is '%s', not %s",
                    name ? name : "no text", want[0]);
    return false;
}

/* Gives lines of heddle-run-1 the names that they have since. */
static void rename_lines(const json_t *launch) {
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(launch, "lines"), i, line) {
        json_t *issued = json_object_get(line, "issued"), *text = json_object_get(line, "text"),
               *source = json_object_get(line, "source");
        if (json_object_get(line, "disassembly") || !text)
            continue;
        json_put(line, "disassembly", json_incref(text));
        if (issued)
            json_put(line, "warp_instructions", json_incref(issued));
        if (source)
            json_put(line, "text", json_incref(source));
    }
}

/* Checks a result, and renames what an earlier version called otherwise. */
static bool is_result(const char *file, const json_t *result) {
    const json_t *all = json_object_get(result, "launches");
    if (!json_is_object(result))
        return wrong(file, "", "kernel", "is missing, or is something else");
    if (!format_right(file, result, run_formats))
        return false;
    if (!json_is_string(json_object_get(result, "heddle")))
        return wrong(file, "", "heddle", "is missing, or is something else");
    if (all && (!json_is_array(all) || json_array_size(all) == 0))
        return wrong(file, "", "launches", "is missing, or is something else");
    for (size_t i = 0; i < diff_launches(result); i++) {
        char in[40] = "";
        if (all)
            snprintf(in, sizeof in, "launches[%zu]", i);
        if (!launch_right(file, in, diff_launch(result, i)))
            return false;
        rename_lines(diff_launch(result, i));
    }
    return true;
}

/* ---- adding ---- */

bool diff_add(struct diff_runs *r, const char *file, const char *title, json_t *result) {
    if (r->n == DIFF_RUNS) {
        ui_error_as(file, "at most %d results are compared at a time", DIFF_RUNS);
        json_decref(result);
        return false;
    }
    struct diff_run *run = &r->run[r->n++];
    *run = (struct diff_run){.file = file, .result = result};
    snprintf(run->title, sizeof run->title, "%.16s", title);
    return true;
}

static const char *board_of(const json_t *result) {
    const char *name = json_string_value(json_object_get(json_object_get(result, "board"), "name"));
    return name ? name : "";
}

static bool add_all(struct diff_runs *r, const char *file, json_t *root) {
    const json_t *runs = json_object_get(root, "runs");
    bool ok = true;
    if (!runs)
        return is_result(file, root) && diff_add(r, file, compare_stem(file).text, json_incref(root));
    if (!format_right(file, root, runs_formats))
        return false;
    if (!json_is_array(runs) || !json_array_size(runs))
        return wrong(file, "", "runs", "is missing, or is something else");
    for (size_t i = 0; i < json_array_size(runs) && ok; i++) {
        json_t *one = json_array_get(runs, i);
        ok = is_result(file, one) && diff_add(r, file, board_of(one), json_incref(one));
    }
    return ok;
}

static bool is_blank(const char *text, size_t len) {
    size_t blanks = 0;
    while (blanks < len && strchr(" \t\r\n", text[blanks]))
        blanks++;
    return blanks == len;
}

bool diff_parse(struct diff_runs *r, const char *file, const char *text, size_t len) {
    struct buf why = {0};
    if (is_blank(text, len))
        return ui_error_as(file, "the file is empty; 'heddle run --json %s' writes a result", file);
    json_t *root = document_read(file, text, len, &why);
    bool full = !json_complete() || why.failed;
    if (full)
        ui_error("out of memory");
    else if (!root)
        ui_show(stderr, why.data);
    bool ok = !full && root && add_all(r, file, root);
    buf_free(&why);
    json_decref(root);
    return ok;
}

bool diff_read(struct diff_runs *r, const char *path) {
    struct buf text = {0};
    if (!file_read(path, &text))
        return false;
    bool ok = diff_parse(r, strcmp(path, "-") == 0 ? "standard input" : path, text.data ? text.data : "", text.len);
    buf_free(&text);
    return ok;
}

/* ---- titles ---- */

static bool told_apart(const struct diff_runs *r) {
    for (u32 i = 0; i < r->n; i++) {
        if (!*r->run[i].title)
            return false;
        for (u32 k = 0; k < i; k++)
            if (strcmp(r->run[i].title, r->run[k].title) == 0)
                return false;
    }
    return true;
}

/* Names runs by their files, without folder and ending; a, b, c, ... if those are the same, or differ too late. */
void diff_name(struct diff_runs *r) {
    bool fine = told_apart(r);
    for (u32 i = 0; i < r->n && !fine; i++)
        snprintf(r->run[i].title, sizeof r->run[i].title, "%c", (char)('a' + i));
}

void diff_free(struct diff_runs *r) {
    for (u32 i = 0; i < r->n; i++)
        json_decref(r->run[i].result);
    r->n = 0;
}
