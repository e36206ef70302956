/*
 * What holds in every program that runs: checked when a program is assembled and when an object is loaded, so that the
 * executor can rely on it.
 *
 *   kernels    cover the code in order, none is empty, the last instruction of each is an unguarded bra, exit, ret or trap
 *   code       every instruction is one that inst_decode gives; branches stay in their kernel or function, calls go to
 *              the start of a function
 *   registers  kernel->regs counts every register that the kernel and the functions it may call use
 *   params     unique names, natural alignment, inside param_bytes; extents are sums of products of numbers and scalars
 *   sizes      within the limits of program.h
 */
#ifndef HEDDLE_ISA_CHECK_H
#define HEDDLE_ISA_CHECK_H

#include "isa/program.h"

enum problem_place { PROBLEM_FILE, PROBLEM_INST, PROBLEM_KERNEL, PROBLEM_PARAM };

/* The first thing that is wrong with a program, and where. */
struct problem {
    enum problem_place place;
    u32 index; /* instruction or kernel */
    u32 param; /* parameter of that kernel, for PROBLEM_PARAM */
    char text[200];
};

/*
 * Raises regs and local of every kernel and function to what its code and every function it may call need (calls may be
 * recursive; local memory of recursive calls is not multiplied). Call targets that are no function are passed over.
 * False when memory is out.
 */
bool program_close_calls(struct program *p);

/* Fills the reconvergence halves of all branches, kernel by kernel. False when memory is out. */
bool program_reconverge(struct program *p);

/* Whether the program holds what the head of this file lists; if not, the first problem is in `*problem`. */
bool program_check(const struct program *p, struct problem *problem);

/* Whether control never goes from this instruction to the next one: an unguarded bra, exit, ret or trap. */
bool inst_ends_flow(const struct inst *i);

/* One past the highest register that the instruction names; 0 when it names none. */
u32 inst_regs_used(const struct inst *i);

/* NULL when the text is an extent over the scalar parameters of `k`: "", "n", "m*k + 2*n"; else what is wrong with it. */
const char *extent_check(const struct kernel *k, const char *extent);

#endif
