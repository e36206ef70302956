/* The prompt, a file of commands, and which command a line means. */
#include <editline/readline.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/debug/debug.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

static const struct command_row {
    const char *name, *brief, *arguments, *doc;
    bool (*run)(struct debug *d, struct words *w);
} rows[] = {
#define COMMAND(name, brief, arguments, doc) {#name, brief, arguments, doc, debug_##name},
#include "sim/cli/debug/commands.def"
};

bool debug_refuse(struct debug *d, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    d->error.len = 0;
    buf_puts(&d->error, text);
    return false;
}

bool debug_answer(struct debug *d, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buf_printf(&d->out, "%s\n", text);
    return true;
}

/* By its name or its short form; a beginning that only one name has will do. */
static const struct command_row *find(const char *word, u32 *fit) {
    const struct command_row *found = NULL;
    *fit = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i].name, word) == 0 || strcmp(rows[i].brief, word) == 0) {
            *fit = 1;
            return &rows[i];
        }
        if (strncmp(rows[i].name, word, strlen(word)) == 0) {
            found = &rows[i];
            ++*fit;
        }
    }
    return found;
}

bool debug_perform(struct debug *d, const char *line) {
    struct words w = {line};
    char word[32], more[32];
    u32 fit;
    if (!*words_next(&w, word, sizeof word) || *word == '#')
        return true;
    const struct command_row *row = find(word, &fit);
    if (fit != 1)
        return debug_refuse(d,
                            fit ? "'%s' is the beginning of several commands; `help` lists them"
                                : "there is no command '%s'; `help` lists them",
                            word);
    if (!row->run(d, &w))
        return false;
    return !*words_next(&w, more, sizeof more) || debug_refuse(d, "%s takes no '%s' here", row->name, more);
}

bool debug_command(struct debug *d, const char *line) {
    d->back = false;
    d->out.len = d->error.len = 0;
    return debug_perform(d, line) && !d->out.failed;
}

bool debug_help(struct debug *d, struct words *w) {
    char word[32], head[80];
    u32 fit;
    const struct command_row *only = *words_next(w, word, sizeof word) ? find(word, &fit) : NULL;
    if (*word && (!only || fit != 1))
        return debug_refuse(d, "there is no command '%s'", word);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (only && only != &rows[i])
            continue;
        snprintf(head, sizeof head, "%s%s%s %s", rows[i].name, *rows[i].brief ? ", " : "", rows[i].brief,
                 rows[i].arguments);
        bool fits = strlen(head) < 22;
        buf_printf(&d->out, "%-22s%s%s\n", head, fits ? "" : "\n                      ", rows[i].doc);
    }
    return true;
}

bool debug_quit(struct debug *d, struct words *w) {
    (void)w;
    d->left = true;
    return true;
}

void debug_free(struct debug *d) {
    buf_free(&d->stops);
    buf_free(&d->out);
    buf_free(&d->error);
}

/* ---- lines ---- */

static char *match(const char *text, int state) {
    static size_t next;
    next = state ? next : 0;
    for (; next < COUNT_OF(rows); next++)
        if (strncmp(rows[next].name, text, strlen(text)) == 0)
            return strdup(rows[next++].name);
    return NULL;
}

static char **complete(const char *text, int start, int end) {
    (void)end;
    return start == 0 ? rl_completion_matches(text, match) : NULL;
}

static void show(struct debug *d, bool good) {
    fwrite(d->out.data ? d->out.data : "", 1, d->out.len, stdout);
    fflush(stdout);
    if (!good && d->error.len)
        fprintf(stderr, "%.*s\n", (int)d->error.len, d->error.data);
}

/* An empty line does the last command once more. */
static int at_prompt(struct debug *d) {
    char last[256] = "";
    rl_attempted_completion_function = complete;
    signal(SIGINT, SIG_IGN); /* commands are quick, and a line is given up by Ctrl-U */
    while (!d->left) {
        char *line = readline("(debug) ");
        if (!line) {
            putchar('\n');
            break;
        }
        if (*line) {
            add_history(line);
            snprintf(last, sizeof last, "%s", line);
        }
        free(line);
        show(d, debug_command(d, last));
    }
    return EXIT_OK;
}

/* Each line as at the prompt; the first that fails ends it. */
static int all_lines(struct debug *d, const char *name, const char *text, size_t len) {
    u32 number = 0;
    for (const char *p = text, *end = text + len; p < end && !d->left;) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)((eol ? eol : end) - p), p);
        line[strcspn(line, "\r")] = '\0';
        p = eol ? eol + 1 : end;
        number++;
        if (!line[strspn(line, " \t")])
            continue;
        printf("(debug) %s\n", line);
        bool good = debug_command(d, line);
        fwrite(d->out.data ? d->out.data : "", 1, d->out.len, stdout);
        if (!good) {
            fflush(stdout);
            ui_error_as(name, "line %u: %.*s", number, (int)d->error.len, d->error.len ? d->error.data : "");
            return EXIT_INPUT;
        }
    }
    return EXIT_OK;
}

int debug_session(struct debug *d, const char *file) {
    struct buf text = {0};
    if (!file && isatty(STDIN_FILENO))
        return at_prompt(d);
    int status = file_read(file ? file : "-", &text)
                     ? all_lines(d, file ? file : "standard input", text.data ? text.data : "", text.len)
                     : EXIT_INPUT;
    buf_free(&text);
    return status;
}
