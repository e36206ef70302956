#include "sim/cli/debug/session.h"

#include <editline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/debug/screen.h"
#include "sim/cli/file.h"
#include "sim/cli/ui.h"

static char *match(const char *text, int state) {
    static u32 next;
    const char *name, *brief, *arguments, *doc;
    next = state ? next : 0;
    while (heddle_debugger_row(next++, &name, &brief, &arguments, &doc))
        if (strncmp(name, text, strlen(text)) == 0)
            return strdup(name);
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

/* Shows the view, and then prints where the cursor is. */
static void view(struct debug *d, const char *title) {
    const char *why;
    if (!screen_run(d, title, &why))
        fprintf(stderr, "%s\n", why);
    else if (!d->left)
        show(d, debug_command(d, "where"));
}

/* Runs the prompt. An empty line repeats the last command. */
static int at_prompt(struct debug *d, const char *title) {
    char *last = NULL;
    d->viewable = true;
    rl_attempted_completion_function = complete;
    signal(SIGINT, SIG_IGN); /* commands are quick, and Ctrl-U clears a line */
    while (!d->left) {
        char *line = readline("(debug) ");
        if (!line) {
            putchar('\n');
            break;
        }
        if (*line) {
            add_history(line);
            free(last);
            last = line;
        } else {
            free(line);
        }
        show(d, debug_command(d, last ? last : ""));
        if (d->view)
            view(d, title);
    }
    free(last);
    return EXIT_OK;
}

/* Runs each line as at the prompt, up to the first that fails. */
static int all_lines(struct debug *d, const char *name, const char *text, size_t len) {
    struct buf line = {0};
    u32 number = 0;
    bool good = true;
    for (const char *p = text, *end = text + len; p < end && good && !d->left;) {
        const char *eol = memchr(p, '\n', (size_t)(end - p));
        line.len = 0;
        buf_append(&line, p, (size_t)((eol ? eol : end) - p));
        buf_putc(&line, '\0');
        p = eol ? eol + 1 : end;
        number++;
        if (line.failed)
            break;
        line.data[strcspn(line.data, "\r")] = '\0';
        if (!line.data[strspn(line.data, " \t")])
            continue;
        printf("(debug) %s\n", line.data);
        good = debug_command(d, line.data);
        fwrite(d->out.data ? d->out.data : "", 1, d->out.len, stdout);
        fflush(stdout);
        if (!good)
            ui_error_as(name, "line %u: %.*s", number, (int)d->error.len, d->error.len ? d->error.data : "");
    }
    if (line.failed)
        ui_error("out of memory");
    good = good && !line.failed;
    buf_free(&line);
    return good ? EXIT_OK : EXIT_INPUT;
}

int debug_session(struct debug *d, const char *file, const char *title) {
    struct buf text = {0};
    if (!file && isatty(STDIN_FILENO))
        return at_prompt(d, title);
    int status = file_read(file ? file : "-", &text)
                     ? all_lines(d, file ? file : "standard input", text.data ? text.data : "", text.len)
                     : EXIT_INPUT;
    buf_free(&text);
    return status;
}
