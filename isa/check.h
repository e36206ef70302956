/*
 * What holds in every program that runs: checked when a program is assembled and when an object is loaded, so that the
 * executor, the disassembler and the linter can rely on it.
 *
 *   kernels    cover the code in order, none is empty, names are unique; the last instruction of each is an unguarded
 *              bra, exit, ret or trap
 *   code       every instruction is one that inst_decode gives (immediates of 32 bits are zero-extended in `imm`);
 *              branches stay in their kernel or function, calls go to the start of a function; a print has the values
 *              of its text
 *   sizes      regs counts every register that the code names; regs, shared and local are at least those of every
 *              function called; all are within the limits of program.h
 *   params     unique names; laid out in order, each at the next multiple of its size (8 for a buffer), param_bytes
 *              ends with the last; extents are canonical (see extent_check); functions have none
 *   module     unique names; constants and addresses of variables inside the const space, in the order of their
 *              offsets, without overlaps; no more initial values than elements
 *   variables  names unique among those and the parameters of their kernel or function; those of a space in the order
 *              of their offsets, without overlaps, within the declared shared or local memory; an access names only
 *              one of its own kernel or function, of the space that it accesses
 */
#ifndef HEDDLE_ISA_CHECK_H
#define HEDDLE_ISA_CHECK_H

#include "isa/program.h"

enum { NAME_LEN_MAX = 4096 }; /* compilers write long ones */
#define NAME_TOO_LONG "a name has at most 4,096 characters"
_Static_assert(NAME_LEN_MAX == 4096, "NAME_TOO_LONG says so");

/* A message of a trap, or the text of a print: what every terminal and file can show. */
enum { MESSAGE_LEN_MAX = 255 };
#define MESSAGE_BAD "a message has 1 to 255 printable characters of ASCII"
_Static_assert(MESSAGE_LEN_MAX == 255, "MESSAGE_BAD says so");
bool message_allows(const char *text);

enum problem_place { PROBLEM_FILE, PROBLEM_INST, PROBLEM_KERNEL, PROBLEM_PARAM, PROBLEM_VARIABLE, PROBLEM_MODULE };

/* The first mistake of a program, and where. */
struct problem {
    enum problem_place place;
    u32 index;      /* instruction, kernel or module variable */
    u32 param;      /* parameter or variable of that kernel, for PROBLEM_PARAM and PROBLEM_VARIABLE */
    char text[200]; /* "the branch leaves its kernel" */
};

/* Checks all that the head of this file lists; false with the first problem in `*problem`. */
bool program_check(const struct program *p, struct problem *problem);

/*
 * Raises regs, shared and local of every kernel and function to what its code and every function it may call need
 * (calls may be recursive; nothing is multiplied by their depth). Calls of anything but functions are passed over.
 * False when out of memory.
 */
bool program_close_calls(struct program *p);

/* Fills the reconvergence halves of all branches, kernel by kernel. False when out of memory. */
bool program_reconverge(struct program *p);

/* Bytes of a parameter in the parameter space, and its alignment there. */
u32 param_size(const struct param *param);
u32 param_align(const struct param *param);

/* True if control never flows from this instruction to the next one: an unguarded bra, exit, ret or trap. */
bool inst_ends_flow(const struct inst *i);

/* Number after the highest register that the instruction names; 0 when it names none. */
u32 inst_regs_used(const struct inst *i);

/* True for a name: letters, digits, _ . $, not starting with a digit, at most NAME_LEN_MAX. */
bool name_valid(const char *name, size_t len);

/* True if the text means something else where a parameter's name may stand: r0, rz, p3, pt, x1, inf, nan. */
bool name_reserved(const char *name, size_t len);

/*
 * NULL when the text is an extent over the whole-number scalar parameters of `k`, written without spaces: "", "n",
 * "m*k+2*n" (sums of products of names and decimal numbers of at most 18 digits); else what is wrong with it.
 */
const char *extent_check(const struct kernel *k, const char *extent);

#endif
