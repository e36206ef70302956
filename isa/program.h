/*
 * A program: the code, constants and kernels of one source file, as the assembler or the object loader made it.
 * It is never changed afterwards and may be shared by any number of launches. All of it lives in one arena.
 */
#ifndef HEDDLE_ISA_PROGRAM_H
#define HEDDLE_ISA_PROGRAM_H

#include "isa/isa.h"
#include "sim/base/decimal.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/base/diag.h"

enum {
    PARAMS_MAX = 64,          /* parameters of a kernel */
    PARAM_BYTES_MAX = 32764,  /* bytes of a kernel's parameters */
    SHARED_MAX = 1024 * 1024, /* declared shared memory of a kernel, bytes */
    LOCAL_MAX = 64 * 1024,    /* declared local memory of a thread, bytes */
    CONST_MAX = 1024 * 1024,  /* .const data of a file, bytes */
    DATA_MAX = 1 << 26,       /* initial values of module variables, bytes */
    CODE_MAX = 1 << 20,       /* instructions of a file */
    INCLUDES_MAX = 64,        /* files that one program is assembled from, besides its own */
    VARIABLE_DIMS_MAX = 4     /* dimensions of a variable */
};

/* Element types, shared by parameters, constants and tensors. */
enum etype {
#define ETYPE(id, name, kind, bytes, descr, doc) ET_##id,
#include "isa/etypes.def"
    ET_COUNT
};

/* Meaning of the bits of an element. */
enum etype_kind { ETYPE_TRUTH, ETYPE_SIGNED, ETYPE_UNSIGNED, ETYPE_FLOAT, ETYPE_COMPLEX, ETYPE_RAW };

struct etype_row {
    const char *name;  /* "f32" */
    const char *descr; /* "<f4"; NULL for types that no .npy file has */
    const char *doc;
    enum etype_kind kind;
    u32 bytes;
};

extern const struct etype_row etypes[ET_COUNT];

/* ET_COUNT when there is no such type. */
enum etype etype_find(const char *name, size_t len);

/* True if the elements are whole numbers: i8 to i64, u8 to u64. */
bool etype_is_whole(enum etype type);

/* The format of its elements, or of the parts of a complex one; NULL when they are no floating-point numbers. */
const struct float_spec *etype_float_format(enum etype type);

/*
 * True if a tensor of type `have` may be bound where `want` is declared: the same type, or bN for any type of N bits.
 */
bool etype_accepts(enum etype want, enum etype have);

struct param {
    const char *name;
    u8 etype;           /* enum etype: of the scalar, or of the buffer's elements */
    bool buffer;        /* `name : f32[]`: a 64-bit address of a buffer */
    bool value;         /* `name : f32[4] value`: elements of the parameter space itself, as many as `extent` */
    u32 offset;         /* in the parameter space, bytes; naturally aligned */
    const char *extent; /* least number of elements, as an expression over scalar parameters; "" = any, or a scalar */
};

/* Declared shared or local memory: `.shared tile : f32[32,33]`. */
struct variable {
    const char *name;
    u8 etype;     /* enum etype */
    u8 space;     /* SPACE_SHARED or SPACE_LOCAL */
    u8 ndim;      /* 0: one element */
    bool dynamic; /* `.shared x : b8[]`: the launch gives its size; without one its dimension is 0 */
    u32 dim[VARIABLE_DIMS_MAX];
    u32 offset; /* in its space, bytes */
};

/*
 * What a launch finds by name outside of kernels: constants that it may write, `.const w : f32[8]`, and variables in
 * global memory, `.global count : u32[4]`, whose address lies in the const space.
 */
struct module_variable {
    struct variable is; /* SPACE_CONST: at its offset; SPACE_GLOBAL: its address is, 8 bytes */
    u32 data;           /* SPACE_GLOBAL: first of its initial values in the program's data; the others are 0 */
    u32 data_bytes;
};

struct kernel {
    const char *name;
    bool function;   /* a .func: reached by call, not by launch */
    u32 start, end;  /* instructions [start, end); entered at start */
    u32 regs;        /* 32-bit registers a thread needs, called functions included */
    u32 shared;      /* bytes of shared memory a block needs */
    u32 local;       /* bytes of local memory a thread needs, called functions included */
    u32 param_bytes; /* bytes of the parameter space */
    u8 warps;        /* allowed warp widths: bit 0 = 8, 1 = 16, 2 = 32, 3 = 64; 0 = any */
    u32 line;        /* source line of the .kernel directive */
    u32 nparams;
    struct param *param;
    u32 nvariables;
    struct variable *variable; /* its own; those of a space by ascending offset, none inside another */
};

enum name_kind { NAME_REGISTER, NAME_PREDICATE, NAME_LABEL };

/* A name in the text of a kernel or function. */
struct program_name {
    const char *text;
    enum name_kind kind;
    u32 kernel;        /* index in the program */
    u32 number, count; /* first register, and how many; a predicate; the instruction of a label */
};

struct program {
    struct arena arena;
    const char *name; /* of the file that was assembled or loaded */
    const char *file; /* name of the source file */
    char *source;     /* its text, for messages; NULL when loaded from an object whose source is not at hand */
    size_t source_len;
    u32 nincluded;
    struct source_file *included; /* other texts; their lines follow those of `source` */
    u32 ninst;
    struct inst *inst; /* [ninst] */
    u32 *line;         /* [ninst] source line of each instruction, 0 = unknown */
    u32 *base;         /* [ninst] number + 1 of the variable that an access names, `[tile+r3]`; 0 = none */
    char *texts; /* instructions as they are written, with the arguments of macros; NULL when loaded from an object */
    u32 *text;   /* [ninst] where its own begins among those, each ended by NUL */
    u32 *first;  /* [ninst] the same instruction in the first round of the repeats around it */
    u32 *used;   /* [ninst] line of the use of a macro that it was made for, in no macro itself; 0 = none */
    u32 nkernels;
    struct kernel
        *kernel; /* kernels and functions, in source order, by ascending start; together they cover the code */
    u32 nnames;  /* 0 when it was loaded from an object file */
    struct program_name *names;
    u32 const_bytes;
    u8 *consts; /* [const_bytes] contents of the const space, where a launch does not write it */
    u32 nmodule;
    struct module_variable *module; /* by ascending offset, none inside another */
    u32 data_bytes;
    u8 *data; /* [data_bytes] initial values of module variables */
    u32 nmessages;
    const char **message; /* [nmessages] of traps and prints, in the order of their instructions */
};

/* The reader for `.include`. */
struct includes {
    /* The text of a file, which stays until includes_free; NULL when it cannot be read. */
    const char *(*read)(void *ctx, const char *path, size_t *len);
    void *ctx;
    /* filled while a program is assembled: */
    struct source_file text[INCLUDES_MAX];
    u32 by[INCLUDES_MAX]; /* line of the .include */
    u32 count;
    struct arena names;
};

void includes_free(struct includes *includes);

/*
 * Assembles `len` bytes of text. NULL with errors in `diag` (which keeps pointing at `text` and the included ones) when
 * it is not a program. `includes` may be NULL: nothing can be included.
 */
struct program *program_assemble(const char *file, const char *text, size_t len, struct includes *includes,
                                 struct diag *diag);

/* Object file (docs/object.md) <-> program. Loading checks everything the executor relies on. */
void program_save(const struct program *p, struct buf *out);
struct program *program_load(const char *file, const u8 *bytes, size_t len, struct diag *diag);

/* Text that assembles to the same object bytes. */
void program_disassemble(const struct program *p, struct buf *out);

/* Prints an instruction as text; `p` may be NULL (then code addresses are printed as numbers). */
void inst_print(const struct program *p, const struct inst *i, struct buf *out);

/* An instruction as its author wrote it, arguments of macros put in; disassembled where the source is not known. */
void source_print(const struct program *p, u32 pc, struct buf *out);

/*
 * All rounds of a repeated instruction in one text: what differs is shown from the first to the last, "add.u32 v0..v3,
 * w, 0..12".
 */
void source_print_rounds(const struct program *p, u32 first, u32 last, struct buf *out);

/* The first round's copy of an instruction that a .repeat holds; `pc` itself outside of one. */
u32 program_first(const struct program *p, u32 pc);

/* A register or predicate by its name at an instruction, "sum", "at+1"; "r4", "p0" where it has none. */
void register_print(const struct program *p, u32 pc, enum name_kind kind, u32 number, struct buf *out);

enum lint_class {
#define LINT(id, name, doc) LINT_##id,
#include "isa/lints.def"
    LINT_COUNT
};

struct lint_class_row {
    const char *name, *doc;
};

extern const struct lint_class_row lint_classes[LINT_COUNT];

/* Warnings that someone has looked at, and keeps: true for one of this class at instruction pc. */
struct lint_allowed {
    bool (*is)(void *ctx, enum lint_class class, u32 pc);
    void *ctx;
};

/* Adds warnings about suspicious code but for the allowed ones; NULL: none is. */
void program_lint(const struct program *p, const struct lint_allowed *allowed, struct diag *diag);

/* The kernel of that name; with name NULL the only kernel, or NULL when there are several. Functions do not count. */
const struct kernel *program_kernel(const struct program *p, const char *name);

/* The kernel's parameter of that name; NULL when there is none. */
const struct param *kernel_param(const struct kernel *k, const char *name);

/* The text that holds a line; its `text` may be NULL. */
struct source_file program_source(const struct program *p, u32 line);
/* File and line of an instruction; `file` is NULL for the file that was assembled or loaded. */
struct line_place {
    const char *file;
    u32 line; /* 0: unknown */
};
struct line_place program_place(const struct program *p, u32 pc);
/* File and line of the outermost use of a macro that made an instruction; line 0: none did. */
struct line_place program_use(const struct program *p, u32 pc);
struct line_name program_line(const struct program *p, u32 line); /* "line 12", "line 12 of find.hd" */

/* The kernel or function that holds instruction pc. */
const struct kernel *program_at(const struct program *p, u32 pc);

/* The module variable of that name; NULL when there is none. */
const struct module_variable *program_module(const struct program *p, const char *name);

/* The variable whose name the instruction's address is written with; NULL when there is none. */
const struct variable *program_base(const struct program *p, u32 pc);

/*
 * The variable that holds a byte of shared or local memory, as instruction pc of a launch of `k` sees it: one of its
 * own function or of the kernel; NULL when there is none.
 */
const struct variable *program_variable(const struct program *p, const struct kernel *k, u32 pc, enum space space,
                                        u64 byte);

/* The variable that holds a byte among those of one kernel or function. */
const struct variable *kernel_variable(const struct kernel *k, enum space space, u64 byte);

u64 variable_bytes(const struct variable *v);

/* "tile[3,17]": the element that holds a byte of its space. */
void variable_print_element(const struct variable *v, u64 byte, struct buf *out);

void program_free(struct program *p);

/*
 * Control flow of instructions [start, end): fills the reconvergence half of every branch's immediate with its
 * immediate post-dominator (lanes that end on the way do not count, see cfg.c), NO_RECONVERGENCE where there is none.
 * False when out of memory.
 */
bool cfg_reconverge(struct inst *inst, u32 start, u32 end);

#endif
