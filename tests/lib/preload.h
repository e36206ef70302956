/*
 * For a library that is loaded into a program by LD_PRELOAD: begins the program with main_here(), which calls
 * main_of_program(). What it registers with atexit() runs before destructors, of which one writes counts of branches to
 * locked files. Needs _GNU_SOURCE, and glibc.
 */
#ifndef HEDDLE_TESTS_PRELOAD_H
#define HEDDLE_TESTS_PRELOAD_H

#include <dlfcn.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_function main_here;
static main_function *main_of_program;

start_function __libc_start_main;

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
    start_function *start;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    main_of_program = program;
    return start(main_here, argc, argv, init, fini, rtld_fini, stack_end);
}

#endif
