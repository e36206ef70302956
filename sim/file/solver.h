/*
 * SMT solvers as external programs (sim/file/process.h): z3 or bitwuzla from PATH, or any that reads SMT-LIB 2 from its
 * standard input.
 *
 *   struct solver s;
 *   if (solver_find("auto", &s) && s.name)
 *       asked.solver = (struct heddle_solver){.name = s.name, .ask = solver_ask, .ctx = &s};
 */
#ifndef HEDDLE_FILE_SOLVER_H
#define HEDDLE_FILE_SOLVER_H

#include "sim/base/types.h"

struct solver {
    const char *name; /* "z3"; NULL = none */
    char path[4096];
};

/* Finds a solver: "auto" (the first in PATH, or none), "none", or a program; false if that cannot be executed. */
bool solver_find(const char *choice, struct solver *s);

/* True if the choice is a program that it names itself. */
bool solver_is_program(const char *choice);

/*
 * Runs a script for heddle_solver: returns the output, from malloc, of at most *seconds, which becomes the time left.
 * NULL if the program could not be run, or a signal that ends programs is pending.
 */
char *solver_ask(void *solver, const char *script, double *seconds);

#endif
