#include "sim/cli/ui.h"

#include <editline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sim/api/heddle.h"
#include "sim/lua/session.h"

enum { HISTORY_LINES = 1000, PATH_BYTES = 4096 };

/* For the handler of Ctrl-C, which has no argument. */
static struct heddle_session *running; /* session of the prompt */
static volatile sig_atomic_t typing;   /* a line is being typed: Ctrl-C cancels it */
static volatile sig_atomic_t given_up;

struct terminal {
    char *line;               /* by libedit; freed before the next */
    char history[PATH_BYTES]; /* file, "" = none */
};

static void on_interrupt(int sig) {
    (void)sig;
    if (typing)
        given_up = 1;
    else
        lua_session_interrupt(running);
}

static const char *terminal_read(void *ctx, const char *prompt, bool *cancelled) {
    struct terminal *t = ctx;
    free(t->line);
    given_up = 0;
    typing = 1;
    t->line = readline(prompt);
    typing = 0;
    if (given_up) {
        putchar('\n');
        *cancelled = true;
        return "";
    }
    if (!t->line)
        putchar('\n');
    else if (*t->line)
        add_history(t->line);
    return t->line;
}

static void terminal_show(void *ctx, const char *message) {
    (void)ctx;
    fflush(stdout);
    fputs(message, stderr);
}

/* Finds the path of the history file. */
static void find_history(struct terminal *t) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct stat at;
    int n = -1;
    if (state && *state) {
        n = snprintf(t->history, sizeof t->history, "%s/heddle", state);
        if (n > 0 && (size_t)n < sizeof t->history && stat(t->history, &at) == 0 && S_ISDIR(at.st_mode)) {
            n = snprintf(t->history, sizeof t->history, "%s/heddle/history", state);
        } else {
            n = -1;
        }
    }
    if (n < 0 && home && *home)
        n = snprintf(t->history, sizeof t->history, "%s/.heddle_history", home);
    if (n < 0 || (size_t)n >= sizeof t->history)
        t->history[0] = '\0';
}

int prompt_run(struct heddle_session *session) {
    static struct terminal t;
    struct lua_terminal terminal = {.read = terminal_read, .show = terminal_show, .ctx = &t};
    struct sigaction on = {.sa_handler = on_interrupt}, old;
    running = session;
    rl_readline_name = "heddle";
    using_history();
    stifle_history(HISTORY_LINES);
    find_history(&t);
    if (t.history[0])
        read_history(t.history);
    printf("heddle %s. heddle.help() lists everything, Ctrl-D ends.\n", heddle_version());
    sigemptyset(&on.sa_mask);
    sigaction(SIGINT, &on, &old);
    int status = lua_session_prompt(session, &terminal);
    sigaction(SIGINT, &old, NULL);
    if (t.history[0])
        write_history(t.history);
    free(t.line);
    t.line = NULL;
    return status;
}
