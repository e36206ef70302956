/* heddle results: measurements of sweeps. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/decimal.h"
#include "sim/cli/compare.h"
#include "sim/cli/sweep/ask/results.h"
#include "sim/cli/script.h"
#include "sim/cli/json.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

enum { OPT_WITHIN = 0x100 };

struct results_options {
    const char *file, *sql, *folder, *within;
    struct results_question question;
    struct compare_output output;
};

static const struct argp_option options[] = {
    {"columns", KEEP_TEXT(results_options, question.columns), "NAME,...", 0,
     "Show these columns: 'cycles', a key of the board, the first words of several (l2), or with * and ? for any "
     "characters (default how points differ, and their time)",
     1},
    {"where", KEEP_TEXT(results_options, question.where), "CONDITION", 0,
     "Only points that meet it, in SQL: 'dram.channels >= 16 AND l2.hit_rate < 50'", 1},
    {"objective", KEEP_TEXT(results_options, question.objective), "NAME", 0,
     "Show the points with the least of it first, with the most of max:NAME; of --knee what is best (default seconds)",
     2},
    {"knee", KEEP_TEXT(results_options, question.knee), "NAME", 0,
     "Of each curve over this key or argument the smallest value whose objective is within 5 % of the best", 2},
    {"within", OPT_WITHIN, "PERCENT", 0, "Of --knee: how near to the best is enough, in percent (default 5)", 2},
    {"pareto", KEEP_TEXT(results_options, question.pareto), "NAME,...", 0,
     "Only points that no other point beats in all of these columns: dram.channels,seconds; max:NAME where more is "
     "better",
     2},
    {"plot", KEEP_TEXT(results_options, question.plot), "X,Y[,SERIES]", 0,
     "Draw a column over another, a curve for each value of a third, or of all that varies besides", 3},
    {"folder", KEEP_TEXT(results_options, folder), "DIR", 0,
     "Where --plot writes its page, Y-over-X.html (default here)", 3},
    {"sql", KEEP_TEXT(results_options, sql), "QUESTION", 0,
     "Show what SQLite answers, such as 'SELECT min(cycles) FROM point'", 2},
    {"csv", KEEP_FILE(results_options, output.csv), "FILE", OPTION_ARG_OPTIONAL,
     "Write comma-separated values, without --columns and --sql of all columns; without a FILE to standard output, in "
     "place of the text",
     3},
    {"markdown", KEEP_FILE(results_options, output.markdown), "FILE", OPTION_ARG_OPTIONAL,
     "Write the table as Markdown; without a FILE to standard output, in place of the text", 3},
    {"json", KEEP_TEXT(results_options, output.json), "FILE", 0,
     "Write the rows as JSON, of all columns as --csv; - is standard output", 3},
    OPTION_GROUP(1, "Which rows and columns:"),
    OPTION_GROUP(2, "Questions:"),
    OPTION_GROUP(3, "What is written:"),
    {0}};

static bool read_within(const char *text, double *share) {
    size_t len = strcspn(text, "%");
    char number[24];
    snprintf(number, sizeof number, "%.*s", len < sizeof number ? (int)len : (int)sizeof number - 1, text);
    bool ok = decimal_read(number, share) && *share <= 100 && text[len + (text[len] != 0)] == 0;
    *share /= 100;
    if (!ok)
        ui_option_error("--within", text, 0, strlen(text), "expected a number of percent from 0 to 100, such as 10%%");
    return ok;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct results_options *o = state->input;
    switch (key) {
    case OPT_WITHIN: o->within = arg; return read_within(arg, &o->question.within) ? 0 : EINVAL;
    case ARGP_KEY_ARG: return command_one(state, &o->file, arg, "one store is shown at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which store? heddle results FILE.db"); return EINVAL;
    default: return command_keep(state, key, arg);
    }
}

const struct argp cmd_results_argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.db",
    .doc =
        "Show what sweeps have put into a store: a row for each point.\vExample: heddle results results.db --columns "
        "dram.channels,arg.n,cycles,sol.dram --csv",
    .children = command_common};

/* Writes JSON with the names of columns, and their units apart. */
static bool put_json(struct results *r, struct buf *out) {
    json_t *all = json_make("{s:s,s:s}", "format", "heddle-results-1", "heddle", heddle_version()), *units = json_new();
    struct table_column *column = arena_alloc(&r->arena, r->table.columns * sizeof *column);
    struct table named = r->table;
    for (u32 i = 0; column && i < named.columns; i++) {
        const struct short_text unit = results_unit(results_column(r, i));
        column[i] = r->table.column[i];
        column[i].key = results_column(r, i);
        if (*unit.text)
            json_put(units, column[i].key, json_text(unit.text));
    }
    named.column = column;
    json_t *rows = column ? json_table(&named) : NULL;
    json_put(all, "units", units);
    if (rows)
        json_put(all, "rows", rows);
    bool ok = rows && json_write(all, out);
    json_decref(all);
    return ok;
}

/* Columns shown by default: all in a file, a choice in text. */
struct shown {
    struct results choice, all;
};

static bool is_whole(enum compare_form form) {
    return form == COMPARE_CSV || form == COMPARE_JSON;
}

static bool put(const void *ctx, enum compare_form form, struct buf *out) {
    struct shown *const *shown = ctx;
    struct results *r = is_whole(form) ? &(*shown)->all : &(*shown)->choice;
    const struct table *t = &r->table;
    switch (form) {
    case COMPARE_TEXT: table_text(t, terminal_width(), out); break;
    case COMPARE_CSV: table_csv(t, out); break;
    case COMPARE_MARKDOWN: table_markdown(t, out); break;
    case COMPARE_JSON: return put_json(r, out);
    }
    return !out->failed;
}

static bool ask(const struct results_options *o, struct results *r, bool all) {
    struct results_question q = o->question;
    q.all = all;
    return o->sql ? results_sql(r, o->sql) : results_question(r, &q);
}

static bool show(const struct results_options *o, struct store *store) {
    struct shown s = {.choice = {.store = store}, .all = {.store = store}}, *shown = &s;
    bool ok = ask(o, &s.choice, false) && (!(o->output.csv || o->output.json) || ask(o, &s.all, true)) &&
              compare_output_promise(&o->output) && compare_output_write(&o->output, put, &shown);
    results_free(&s.choice);
    results_free(&s.all);
    return ok;
}

/* Adds the arguments of scripts/plot.lua: folder, X, Y and the file, then x, y and the curve of each point. */
static bool add_points(const struct results *r, struct script_call *call) {
    bool ok = true;
    for (u32 row = 0; row < table_rows(&r->table) && ok; row++)
        for (u32 i = 0; i < 3 && ok; i++) {
            const struct store_value *v = results_value(r, row * 3 + i);
            char number[40];
            snprintf(number, sizeof number, "%.17g", v->number);
            ok = script_call_add(call, "point", v->kind == STORE_TEXT ? v->text : number) == 0;
        }
    return ok;
}

static bool plot(const struct results_options *o, struct store *store) {
    enum { HEAD = 3 };
    struct results r = {.store = store};
    struct script_call call = {.argc = 0};
    bool ok = ask(o, &r, false);
    ok = ok && script_call_begin(&call, (int)(HEAD + 3 * table_rows(&r.table)));
    if (ok && (script_call_add(&call, "folder", o->folder ? o->folder : ".") ||
               script_call_add(&call, "plot", o->question.plot) || script_call_add(&call, "file", o->file) ||
               !add_points(&r, &call))) {
        ui_error("out of memory");
        ok = false;
    }
    ok = ok && script_run_own("plot.lua", call.argc, call.argv) == EXIT_OK;
    script_call_free(&call);
    results_free(&r);
    return ok;
}

/* Checks options: --plot, --knee, --pareto and --sql exclude each other, and each allows some of the others. */
static bool agree(const struct results_options *o) {
    const struct results_question *q = &o->question;
    enum { PLOT = 1, KNEE = 2, PARETO = 4, SQL = 8 };
    const struct {
        const char *name;
        bool given;
        int without; /* actions that do not allow it */
    } rows[] = {{"--plot", q->plot, KNEE | PARETO | SQL},          {"--knee", q->knee, PLOT | PARETO | SQL},
                {"--pareto", q->pareto, PLOT | KNEE | SQL},        {"--sql", o->sql, PLOT | KNEE | PARETO},
                {"--columns", q->columns, PLOT | KNEE | SQL},      {"--where", q->where, SQL},
                {"--objective", q->objective, PLOT | PARETO | SQL}};
    for (u32 i = 0; i < 4; i++)
        for (u32 k = 0; k < COUNT_OF(rows); k++)
            if (rows[i].given && rows[k].given && rows[k].without & 1 << i)
                return ui_error("%s and %s do not go together", rows[i].name, rows[k].name);
    if (o->folder && !q->plot)
        ui_error("--folder is for the files of --plot");
    else if (o->within && !q->knee)
        ui_error("--within is for --knee NAME");
    else
        return true;
    return false;
}

int cmd_results(int argc, char **argv) {
    struct results_options o = {.question = {.within = RESULTS_WITHIN}};
    struct buf why = {0};
    if (!command_parse(&cmd_results_argp, argc, argv, &o) || !agree(&o))
        return EXIT_INPUT;
    struct store *store = store_look(o.file, &why);
    ui_show(stderr, why.data && !why.failed ? why.data : "");
    bool ok = store && guard_input(file_guard(), o.file) && (o.question.plot ? plot(&o, store) : show(&o, store));
    store_close(store);
    buf_free(&why);
    return ok ? EXIT_OK : EXIT_INPUT;
}
