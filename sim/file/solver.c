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

char *solver_ask(void *solver, const char *script, double *seconds) {
    const struct solver *s = solver;
    const char *const z3[] = {s->path, "-smt2", "-in", NULL}, *const other[] = {s->path, NULL};
    struct buf out = {0};
    buf_puts(&out, "");
    enum process_end end =
        process_run(strncmp(s->name, "z3", 2) == 0 ? z3 : other, script, strlen(script), seconds, &out);
    if (end == PROCESS_FAILED || end == PROCESS_SIGNAL || out.failed)
        buf_free(&out);
    return out.data;
}
