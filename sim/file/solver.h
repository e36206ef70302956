/*
 * SMT solvers as external programs (sim/file/process.h): z3 or bitwuzla where PATH has one, or any that reads SMT-LIB 2
 * from its standard input.
 *
 *   struct solver s;
 *   if (solver_find("auto", &s) && s.name)
 *       asked.solver = (struct heddle_solver){.name = s.name, .ask = solver_ask, .ctx = &s};
 */
#ifndef HEDDLE_FILE_SOLVER_H
#define HEDDLE_FILE_SOLVER_H

#include "sim/base/types.h"

struct solver {
    const char *name; /* "z3"; NULL: none */
    char path[4096];
};

/* "auto" (the first there is, or none), "none", or a program: false when that cannot be executed. */
bool solver_find(const char *choice, struct solver *s);

/*
 * A heddle_solver's `ask`: the output on a script, from malloc, as far as it got in *seconds, which become those that
 * are left. NULL when the program could not be run, or a signal that ends programs waits.
 */
char *solver_ask(void *solver, const char *script, double *seconds);

#endif
