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

/* Back at the prompt, it says where that has led to. */
static void view(struct debug *d, const char *title) {
    const char *why;
    if (!screen_run(d, title, &why))
        fprintf(stderr, "%s\n", why);
    else if (!d->left)
        show(d, debug_command(d, "where"));
}

/* An empty line does the last command once more. */
static int at_prompt(struct debug *d, const char *title) {
    char last[256] = "";
    d->viewable = true;
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
        if (d->view)
            view(d, title);
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
