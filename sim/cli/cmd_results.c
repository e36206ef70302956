/* heddle results: what sweeps have measured. */
#include "sim/cli/command.h"

#include <errno.h>
#include <stdio.h>

#include "sim/api/heddle.h"
#include "sim/cli/compare_output.h"
#include "sim/cli/results.h"
#include "sim/cli/table_json.h"
#include "sim/cli/ui.h"

enum { OPT_COLUMNS = 0x100, OPT_SQL, OPT_CSV, OPT_MARKDOWN, OPT_JSON };

struct results_options {
    const char *file, *columns, *sql;
    struct compare_output output;
};

static const struct argp_option options[] = {
    {"columns", OPT_COLUMNS, "NAME,...", 0,
     "Show these columns: 'cycles', a key of the board, the first words of several (l2), or with * and ? for any "
     "characters (default how points differ, and their time)",
     1},
    {"sql", OPT_SQL, "QUESTION", 0, "Show what SQLite answers, such as 'SELECT min(cycles) FROM point'", 1},
    {"csv", OPT_CSV, "FILE", OPTION_ARG_OPTIONAL,
     "Write comma-separated values, without --columns and --sql of all columns; without a FILE to standard output, in "
     "place of the text",
     2},
    {"markdown", OPT_MARKDOWN, "FILE", OPTION_ARG_OPTIONAL, "Write the table as Markdown, likewise", 2},
    {"json", OPT_JSON, "FILE", 0, "Write the rows as JSON, of all columns as --csv; - is standard output", 2},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
    struct results_options *o = state->input;
    switch (key) {
    case OPT_COLUMNS: o->columns = arg; return 0;
    case OPT_SQL: o->sql = arg; return 0;
    case OPT_CSV: o->output.csv = arg ? arg : "-"; return 0;
    case OPT_MARKDOWN: o->output.markdown = arg ? arg : "-"; return 0;
    case OPT_JSON: o->output.json = arg; return 0;
    case ARGP_KEY_ARG: return command_one(state, &o->file, arg, "one store is shown at a time");
    case ARGP_KEY_NO_ARGS: argp_error(state, "which store? heddle results FILE.db"); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
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

static bool put_json(const struct table *t, struct buf *out) {
    json_t *all = json_make("{s:s,s:s}", "format", "heddle-results-1", "heddle", heddle_version());
    json_t *rows = table_json(t);
    if (rows)
        json_put(all, "rows", rows);
    bool ok = rows && json_write(all, out);
    json_decref(all);
    return ok;
}

/* What is shown when nothing was chosen: a file has all columns, the text a choice. */
struct shown {
    struct results choice, all;
};

static bool is_whole(enum compare_form form) {
    return form == COMPARE_CSV || form == COMPARE_JSON;
}

static bool put(const void *ctx, enum compare_form form, struct buf *out) {
    const struct shown *s = ctx;
    const struct table *t = is_whole(form) ? &s->all.table : &s->choice.table;
    switch (form) {
    case COMPARE_TEXT: table_text(t, ui_width(), out); break;
    case COMPARE_CSV: table_csv(t, out); break;
    case COMPARE_MARKDOWN: table_markdown(t, out); break;
    case COMPARE_JSON: return put_json(t, out);
    }
    return !out->failed;
}

static bool ask(const struct results_options *o, struct results *r, bool all) {
    struct buf sql = {0};
    bool ok = o->sql ? results_ask(r, o->sql, true)
                     : results_query(r, o->columns, all, &sql) && results_ask(r, sql.data, false);
    buf_free(&sql);
    return ok;
}

static bool show(const struct results_options *o, struct store *store) {
    struct shown s = {.choice = {.store = store}, .all = {.store = store}};
    bool ok = ask(o, &s.choice, false) && (!(o->output.csv || o->output.json) || ask(o, &s.all, true)) &&
              compare_output_promise(&o->output) && compare_output_write(&o->output, put, &s);
    results_free(&s.choice);
    results_free(&s.all);
    return ok;
}

int cmd_results(int argc, char **argv) {
    struct results_options o = {.file = NULL};
    struct buf why = {0};
    if (!command_parse(&cmd_results_argp, argc, argv, &o))
        return EXIT_INPUT;
    struct store *store = store_look(o.file, &why);
    ui_show(stderr, why.data && !why.failed ? why.data : "");
    bool ok = store && guard_input(file_guard(), o.file) && show(&o, store);
    store_close(store);
    buf_free(&why);
    return ok ? EXIT_OK : EXIT_INPUT;
}
