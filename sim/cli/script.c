#include "sim/cli/script.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/ui.h"

/* For the handler of Ctrl-C, which has no argument. */
static struct heddle_session *running;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig) {
    (void)sig;
    interrupted = 1;
    lua_session_interrupt(running);
}

struct heddle_session *script_session(u64 max_memory) {
    struct heddle_session *s = heddle_session_new(resources_root(), max_memory);
    if (!s)
        ui_error("out of memory");
    return s;
}

int script_run_bounded(u64 max_memory, const char *file, const char *code, int argc, char *const *argv) {
    struct heddle_session *s = script_session(max_memory);
    /* A second Ctrl-C ends the process: the script may be waiting for something that is not Lua. */
    struct sigaction old, action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    if (!s)
        return EXIT_INPUT;
    running = s;
    sigaction(SIGINT, &action, &old);
    int status =
        code ? lua_session_run_text(s, "(command line)", code, argc, argv) : lua_session_run(s, file, argc, argv);
    sigaction(SIGINT, &old, NULL);
    ui_show(stderr, heddle_session_error(s));
    heddle_session_free(s);
    return status && interrupted ? EXIT_INTERRUPTED : status;
}

int script_run(const char *file, const char *code, int argc, char *const *argv) {
    return script_run_bounded(0, file, code, argc, argv);
}

int script_run_own(const char *name, int argc, char *const *argv) {
    char path[4096];
    const char *home = resources_root();
    int n = home ? snprintf(path, sizeof path, "%s/scripts/%s", home, name) : -1;
    if (n >= 0 && n < (int)sizeof path)
        return script_run(path, NULL, argc, argv);
    ui_error("scripts/%s of heddle is not to be found (set HEDDLE_HOME?)", name);
    return EXIT_INPUT;
}

bool script_call_begin(struct script_call *c, int most) {
    c->argv = arena_alloc(&c->memory, ((size_t)most + 1) * sizeof *c->argv);
    if (!c->argv)
        ui_error("out of memory");
    return c->argv != NULL;
}

error_t script_call_add(struct script_call *c, const char *name, const char *value) {
    size_t size = strlen(name) + (value ? strlen(value) : 0) + sizeof "--=";
    char *text = arena_alloc(&c->memory, size);
    if (!text)
        return ENOMEM;
    snprintf(text, size, "--%s%s%s", name, value ? "=" : "", value ? value : "");
    c->argv[c->argc++] = text;
    return 0;
}

error_t script_call_self(struct script_call *c) {
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    self[len > 0 ? len : 0] = 0;
    return script_call_add(c, "self", self);
}

error_t script_call_option(struct script_call *c, const struct argp_option *rows, int key, const char *value) {
    for (; rows->name; rows++)
        if (rows->key == key)
            return script_call_add(c, rows->name, value);
    return ARGP_ERR_UNKNOWN;
}

void script_call_free(struct script_call *c) {
    arena_free(&c->memory);
}

int script_command(const struct argp *argp, int argc, char **argv, struct script_call *c) {
    enum { OWN = 4 /* arguments besides those of the command line, at most */ };
    int status = EXIT_INPUT;
    if (script_call_begin(c, argc + OWN) && command_parse(argp, argc, argv, c)) {
        if (!c->finish || c->finish(c) == 0)
            status = script_run_own(c->script, c->argc, c->argv);
        else
            ui_error("out of memory");
    }
    script_call_free(c);
    return status;
}
