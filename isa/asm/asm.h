/*
 * The assembler's own state; private to isa/asm/. The entry point is program_assemble in isa/program.h.
 *
 *   declare   (declare.c)    every line once: directives, labels; instructions are only found and counted
 *   calls     (calls.c)      who calls whom; places of local and shared data
 *   emit      (inst.c)       instructions, with holes where a named register stands
 *   allocate  (registers.c)  numbers for named registers, put into the holes
 *   finish    (assemble.c)   the program
 *
 * Between the text and the first of them lies the layer of macros: macro.h.
 *
 * Names are slices of the text. A mistake is reported where it is found, and its line is left.
 */
#ifndef HEDDLE_ISA_ASM_ASM_H
#define HEDDLE_ISA_ASM_ASM_H

#include "isa/asm/macro.h"
#include "isa/asm/lex.h"
#include "isa/program.h"

/* A whole number, -2^63 .. 2^64-1. */
struct number {
    u64 magnitude;
    bool negative; /* never set for 0 */
};

enum value_kind {
    V_NUMBER,  /* `number`; and `literal` if it was written as one token */
    V_FLOAT,   /* `literal` alone */
    V_REG,     /* `index` a register, or `symbol` one that is named; `number` is what was added to it */
    V_PRED,    /* `index` or `symbol`, and `negated` */
    V_TRANSIT, /* `index` */
    V_SREG     /* `index` */
};

/* Several names of data in one expression, or one that was not only added. */
#define DATA_MIXED UINT32_MAX

/* An operand or an expression. */
struct value {
    enum value_kind kind;
    struct number number;
    struct token literal; /* len 0: none */
    bool minus;           /* the literal's sign */
    bool address;         /* the number is an address of data */
    u32 data;             /* symbol + 1 of data that was added to it once, DATA_MIXED, or 0: none */
    bool plus;            /* register + number */
    bool negated;         /* a predicate with ! */
    u32 index;            /* number of a register, predicate, ... */
    u32 symbol;           /* its name, or NONE */
    struct span at;       /* what a message underlines */
};

enum symbol_kind { SYM_EQU, SYM_PARAM, SYM_SHARED, SYM_LOCAL, SYM_CONST, SYM_GLOBAL, SYM_REG, SYM_PRED };

struct symbol {
    struct token name;
    u8 kind;                   /* enum symbol_kind */
    u8 regs;                   /* SYM_REG: registers it names: 1, 2 or 4n */
    u8 number;                 /* SYM_REG, SYM_PRED: the one chosen */
    u32 align;                 /* SYM_SHARED, SYM_LOCAL; 0: it stands at `offset` */
    u64 size;                  /* likewise, bytes; 0: its directive had a mistake */
    u64 offset;                /* of data, in its space */
    u32 param;                 /* SYM_PARAM: index into params; SYM_SHARED, SYM_LOCAL: into the unit's variables */
    struct variable *variable; /* SYM_SHARED, SYM_LOCAL: its shape */
    struct value *value;       /* SYM_EQU */
};

/* Bits of the registers and predicates that something uses. */
struct used {
    u64 reg[4];
    u16 pred;
};

/* A kernel or function; `unit` elsewhere is its index. */
struct body {
    struct token name;
    bool function;
    bool foreign_name;        /* it uses a name of another, which was reported */
    u32 line;                 /* for the program's line records */
    u32 errors;               /* errors in diag at its start */
    u32 start, end;           /* statements */
    u32 first_param, nparams; /* in params */
    u32 param_bytes;
    u32 first_symbol;       /* in symbols, up to the next unit's; includes constants of the file */
    u32 first_label;        /* in labels, likewise */
    u32 first_call, ncalls; /* in calls */
    u8 warps;
    u32 regs_min, shared_min, local_min; /* .regs, .sharedbytes, .localbytes */
    bool dynamic;                        /* has shared memory that the launch sizes */
    u64 shared_end, local_end;           /* end of its own data, bytes */
    struct used numbered;                /* registers and predicates written as rN and pN */
};

struct asm_param {
    struct param param;
    u32 unit;
    struct lex extent; /* at the first token of the extent; `at` NULL when it is empty */
};

struct label {
    struct token name;
    u32 unit;
    u32 target; /* statement */
};

struct call {
    struct token name;
    u32 callee; /* unit, NONE when there is none of that name */
};

/* An instruction of the text. */
struct statement {
    struct lex at; /* first token after the labels */
    u32 unit;
    u32 line; /* for the program's line records */
};

/* A field to be filled with the number of a named register or predicate. */
struct hole {
    u32 inst;
    u32 symbol;
    u8 place; /* enum operand_place, or HOLE_GUARD */
    u8 offset;
    bool negated;
};

enum { HOLE_GUARD = 8 };

/* An access whose address is written with the name of a variable. */
struct named_access {
    u32 inst;
    u32 symbol;
};

enum {
    SOURCE_MAX = 1 << 30,  /* bytes of a file and those it includes: positions have 32 bits */
    INCLUDE_DEPTH_MAX = 16 /* files that include one another */
};

/* An included file that is being read. */
struct open_include {
    struct lex lex; /* place of the .include */
    u32 text;       /* in includes */
    u32 blocks;     /* open blocks at its start */
};

enum name_space { NAMES_UNITS, NAMES_SYMBOLS, NAMES_LABELS, NAMES_MNEMONICS, NAMES_MACROS };

struct assembler {
    struct program *program;
    struct diag *diag;
    struct lex lex;
    struct token tok;  /* current token */
    struct token last; /* previous token */
    u32 unit;          /* current unit; NONE outside */
    u32 depth;         /* nesting of parentheses and signs */
    u32 errors_before; /* errors in diag at the start */
    bool nomem;        /* out of memory: the result is discarded */
    bool has_file;
    u32 loc; /* current line of .loc */
    struct list units, symbols, labels, calls, statements, holes, params, mnemonics, named;
    struct list slots; /* hash table of names */
    u32 names;         /* used slots */
    struct buf consts;
    struct buf data;      /* initial values of module variables */
    struct list messages; /* const char * each, of traps */
    struct list module;   /* struct module_variable, without names */
    struct buf texts;     /* of instructions */
    struct arena scratch;
    u32 *order; /* units, callees before callers */
    u32 *group; /* [units] strongly connected component of the call graph */
    struct macros macros;
    struct includes *includes; /* or NULL */
    struct open_include include[INCLUDE_DEPTH_MAX];
    u32 include_depth;
    struct lex entered; /* start of the file to be entered at the next line, */
    bool enters;        /* if there is one */
    struct list files;  /* struct source_file, of .file */
};

/* ---- messages (message.c) ---- */

/* Reports an error; in an expanded line, at the line of the body, with a note for each use that led there; false. */
bool asm_error(struct assembler *as, struct span at, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Reports an error at a place in the file; `expansion` may be NONE. */
void asm_report(struct assembler *as, struct span at, u32 expansion, const char *text);
/* True if a message may still have a "did you mean": no longer once messages are only counted. */
bool asm_suggests(const struct assembler *as);
/* The file's line of a token, which may be in an expanded line. */
u32 asm_line(const struct assembler *as, u32 line);
/* "line 12", or "line 12 of find.hd" */
struct line_name asm_line_name(const struct assembler *as, u32 line);

/* ---- tokens (tokens.c) ---- */

void asm_next(struct assembler *as);
bool asm_accept(struct assembler *as, u32 kind);
/* Skips the token, or reports that `what` was expected. */
bool asm_expect(struct assembler *as, u32 kind, const char *what);
/* Reports that something else was expected at the current token. Always false. */
bool asm_unexpected(struct assembler *as, const char *what);
bool asm_end_of_line(struct assembler *as);
/* Continues reading at a place. */
void asm_seek(struct assembler *as, struct lex at);
void *list_push(struct assembler *as, struct list *list, size_t size);

/* ---- names (names.c) ---- */

u32 names_find(const struct assembler *as, enum name_space space, u32 scope, const struct token *name);
bool names_add(struct assembler *as, enum name_space space, u32 scope, const struct token *name, u32 index);
bool names_check_length(struct assembler *as, const struct token *name);
/* The symbol of that name in the unit or in the file. */
u32 symbol_find(const struct assembler *as, const struct token *name);
/* Declares one; NONE when it is reserved or exists, which is reported. `scope` is a unit or NONE for the file. */
u32 symbol_add(struct assembler *as, u32 scope, const struct token *name, enum symbol_kind kind);
const char *symbol_kind_name(enum symbol_kind kind);
void names_unknown_symbol(struct assembler *as, const struct token *name);
/* "; did you mean 'x'?" with x the nearest of `n` names, or "". */
const char *names_near(struct assembler *as, const struct token *list, u32 n, const struct token *name, char out[80]);
/* "; did you mean 'x'?" where x is a macro, or "". */
const char *names_near_macro(struct assembler *as, const struct token *name, char out[80]);
/* Keeps text in the program (keep.c): that of each instruction; then, of a program without mistakes, all of it. */
void text_keep(struct assembler *as, u32 index);
void text_keep_all(struct assembler *as);
u32 names_label(struct assembler *as, const struct token *name);
u32 names_function(struct assembler *as, const struct token *name);
/* Reports a macro used above its definition or after a guard; false if the name is no macro's. */
bool names_misplaced_macro(struct assembler *as, const struct token *name, bool guarded);

/* ---- expressions and literals (expr.c, number.c) ---- */

/* Every parser returns false after reporting. */
bool expr_value(struct assembler *as, struct value *v);       /* any value, predicates and registers too */
bool expr_destination(struct assembler *as, struct value *v); /* the same, stopping before '|' */
bool expr_number(struct assembler *as, struct value *v);      /* a whole number known now: no address of data */
bool expr_in_range(struct assembler *as, s64 least, u64 most, const char *what, u64 *n);

bool number_read(struct assembler *as, const struct token *t, struct value *v);
bool number_add(struct number a, struct number b, struct number *r);
bool number_binary(u32 op, struct number a, struct number b, struct number *r, const char **why);
struct number number_negate(struct number a);
bool number_invert(struct number a, struct number *r);
u64 number_bits(struct number n);
bool number_within(struct number n, s64 least, u64 most);

/* The bits of a literal: of `literal` type in an instruction, or of an element type in .const. */
bool literal_bits(struct assembler *as, const struct value *v, enum literal literal, bool pair, u64 *bits);
bool literal_element(struct assembler *as, const struct value *v, enum etype type, u64 *bits);
bool literal_wide(struct assembler *as, const struct value *v, u64 *bits); /* 64 bits, whole or fp64 */

/* ---- instructions (mnemonic.c, operand.c, inst.c) ---- */

struct mnemonic {
    u32 op; /* NONE: no instruction */
    u16 mods;
    u8 word[GROUP_COUNT]; /* which dotted word gave each modifier; 0 = none */
};

/* False after reporting. */
bool mnemonic_match(struct assembler *as, const struct token *t, bool guarded, struct mnemonic *m);
/* True if the token's first word is that of an instruction. */
bool mnemonic_known(const struct token *t);
/* The part of a token that is its n-th dotted word. */
struct token mnemonic_word(const struct token *t, u32 n);

struct inst_text {
    struct inst inst;
    u32 index; /* of the instruction */
    struct token name;
    const struct isa_row *row;
    bool guarded; /* has a guard other than pt */
};

bool operand_parse(struct assembler *as, struct inst_text *it, const struct operand *o);
/* Puts a predicate into the field of a place, or into the guard for HOLE_GUARD. */
bool operand_predicate(struct assembler *as, struct inst_text *it, const struct value *v, u8 place);
const char *operand_wanted(const struct inst_text *it, const struct operand *o);

void asm_emit(struct assembler *as);

/* ---- the rest ---- */

void asm_declare(struct assembler *as); /* declare.c */

bool directive(struct assembler *as); /* directive.c */
void asm_finish_unit(struct assembler *as);

bool directive_include(struct assembler *as, const struct token *word); /* include.c */
bool directive_file(struct assembler *as, const struct token *word);
/* Moves to the next line of the file being read, or of one it includes or is included by; false at the end of all. */
bool include_newline(struct assembler *as);
/* Copies the texts into the program; false when out of memory. */
bool include_keep(struct assembler *as);

/*
 * The text of a string token, without its quotes; NULL after reporting, or when out of memory. \xHH is a byte, \
 * before any other character is that character.
 */
const char *include_text(struct assembler *as, const struct token *t);

bool directive_data(struct assembler *as, enum symbol_kind kind); /* data.c */
bool directive_const(struct assembler *as, const struct token *word);
bool directive_global(struct assembler *as, const struct token *word);
bool directive_param(struct assembler *as);

enum { DATA_ALIGN = 16 }; /* bytes, the widest access */

bool data_typed_name(struct assembler *as, struct token *name, enum etype *type); /* NAME : TYPE */
/* "[32,33]"; of shared memory also "[]", whose size the launch gives. */
bool data_dims(struct assembler *as, u64 most, struct variable *v);
/* Reads "V, V, ...", and appends them up to `end` bytes. */
bool data_values(struct assembler *as, enum etype type, struct buf *to, u64 end);

/* The rest of `.const NAME : TYPE[SIZE]`, from '[' on (module.c). */
bool module_constant(struct assembler *as, const struct token *word, const struct token *name, enum etype type);
void param_extents(struct assembler *as, u32 unit);

void calls_resolve(struct assembler *as); /* calls.c */
void calls_place_data(struct assembler *as);

void registers_allocate(struct assembler *as); /* registers.c */
void registers_use(struct used *u, u32 reg, u32 count);

/* The innermost expansion that is being read; NULL in the file itself. */
static inline struct reader *reader_innermost(const struct assembler *as) {
    u32 n = as->macros.depth;
    return n ? (struct reader *)&as->macros.reader[n - 1] : NULL;
}

static inline struct body *asm_unit(struct assembler *as, u32 i) {
    return AT(struct body, as->units, i);
}

static inline struct symbol *asm_symbol(struct assembler *as, u32 i) {
    return AT(struct symbol, as->symbols, i);
}

#endif
