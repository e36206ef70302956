#include "sim/file/solver.h"

#include <string.h>

#include "sim/file/process.h"

bool solver_is_program(const char *choice) {
    return strcmp(choice, "auto") != 0 && strcmp(choice, "none") != 0;
}

bool solver_find(const char *choice, struct solver *s) {
    static const char *const known[] = {"z3", "bitwuzla"};
    s->name = NULL;
    if (strcmp(choice, "none") == 0)
        return true;
    if (strcmp(choice, "auto") == 0) {
        for (u32 i = 0; i < COUNT_OF(known) && !s->name; i++)
            if (process_find(known[i], s->path, sizeof s->path))
                s->name = known[i];
        return true;
    }
    if (!process_find(choice, s->path, sizeof s->path))
        return false;
    const char *slash = strrchr(s->path, '/');
    s->name = slash ? slash + 1 : s->path;
    return true;
}

/* Runs the solver; `under`: a program, and its words, that runs it. */
static enum process_end run(const struct solver *s, const char *const under[3], const char *script, double *seconds,
                            struct buf *out) {
    const bool z3 = strncmp(s->name, "z3", 2) == 0;
    const char *const argv[] = {under[0], under[1], under[2], s->path, z3 ? "-smt2" : NULL, "-in", NULL};
    return process_run(under[0] ? argv : argv + 3, script, strlen(script), seconds, out);
}

char *solver_ask(void *solver, const char *script, double *seconds) {
    char path[4096];
    /* The system then ends a solver whose heddle was killed. Without that option, as of busybox, it prints nothing. */
    const char *under[] = {process_find("setpriv", path, sizeof path) ? path : NULL, "--pdeathsig", "KILL"};
    struct buf out = {0};
    buf_puts(&out, "");
    enum process_end end = run(solver, under, script, seconds, &out);
    if (under[0] && end == PROCESS_ENDED && !out.len) {
        under[0] = NULL;
        end = run(solver, under, script, seconds, &out);
    }
    if (end == PROCESS_FAILED || end == PROCESS_SIGNAL || out.failed)
        buf_free(&out);
    return out.data;
}
