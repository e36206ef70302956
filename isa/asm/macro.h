/*
 * Macros, repeats and conditions: the layer between the text of a file and its statements; private to isa/asm/.
 *
 *   pieces   (piece.c)   a line of a body with its \NAMEs replaced, and where a place in that lies in the file
 *   readers  (reader.c)  the next line: of the innermost expansion, else of the file
 *   blocks   (block.c)   the line that ends a block; conditions
 *   macros   (macro.c)   definitions and uses; repeats
 *
 * A body is a range of the file's lines, so that a line made from it is the file's line with the expansion it is made
 * for. Tokens of such a line have a `line` with LINE_MADE set; the rest is its index in `lines`. Only asm_error, for
 * messages, and asm_line, for line records, know how to find the place.
 */
#ifndef HEDDLE_ISA_ASM_MACRO_H
#define HEDDLE_ISA_ASM_MACRO_H

#include "isa/asm/lex.h"
#include "sim/base/arena.h"

struct assembler;

#define NONE UINT32_MAX
#define LINE_MADE (1u << 31) /* a file has fewer lines */

/* A growing array of one type of element; AT gives an element. */
struct list {
    struct buf bytes;
    u32 count;
};

#define AT(type, list, i) (&((type *)(void *)(list).bytes.data)[i])

enum {
    MACRO_PARAMS_MAX = 32,
    MACRO_MISTAKES_MAX = 1000,         /* in a file; the next one in an expansion stops assembly */
    MACRO_DEPTH_MAX = 32,              /* nested macros and repeats */
    MACRO_LINE_MAX = 4096,             /* bytes of an expanded line */
    MACRO_LINES_MAX = 1 << 20,         /* expanded lines of a file */
    MACRO_BYTES_MAX = 64 * 1024 * 1024 /* bytes of those, before and after expansion */
};

/* A macro, or one execution of a repeat directive. */
struct macro {
    struct token name; /* of a repeat the word ".repeat" */
    bool repeat;
    bool wrong;           /* mistake in its first line: uses expand to nothing */
    const char *at, *end; /* the lines of its body */
    u32 line;             /* of the body's first line */
    u32 nparams;
    struct token *param;  /* of a repeat its counter, if it has one */
    struct token *preset; /* defaults of a macro's parameters; len 0: none */
};

/* One use of a macro, or one round of a repeat. */
struct expansion {
    const struct macro *macro;
    const struct token *arg; /* of a macro, [nparams] */
    u32 round;               /* of a repeat, from 0 */
    u32 number;              /* value of \@: that of the macro, for repeats in it too */
    bool in_macro;
    u32 parent;      /* the expansion whose text holds the use, or NONE */
    struct span use; /* the word that is expanded */
};

struct made_line {
    const char *text; /* in the file */
    u32 line;
    u32 expansion;
};

/* An expansion being read. */
struct reader {
    const struct macro *macro;
    u32 expansion;
    const char *at; /* the next line */
    u32 line;
    u32 left;   /* rounds left, including this one */
    u32 blocks; /* open blocks at its start */
};

enum block_kind { BLOCK_MACRO, BLOCK_REPEAT, BLOCK_IF };

/* An open block. */
struct block {
    struct token word; /* directive that opened the block */
    enum block_kind kind;
    bool taken; /* BLOCK_IF: the first half is assembled */
    bool other; /* BLOCK_IF: the .else was read */
};

struct macros {
    struct list all; /* struct macro * */
    struct list expansions, lines, blocks;
    struct reader reader[MACRO_DEPTH_MAX];
    u32 depth;       /* readers in use */
    struct lex file; /* place in the file while depth > 0 */
    u32 lines_read, bytes_read;
    bool over;    /* a limit was exceeded: assembly stops without a program */
    u32 numbers;  /* next number for \@ */
    u32 repeated; /* repeated messages left out */
    char *room;   /* free text memory */
    size_t room_left;
};

/* A place at the start of a line. */
struct cursor {
    const char *at, *end; /* of the file or of the body */
    u32 line;
};

/* ---- pieces of a made line (piece.c) ---- */

struct piece {
    const char *text;
    u32 len;
    u32 from, width;  /* offset and bytes in the file's line */
    bool as_written;  /* not a replaced \NAME */
    bool unknown;     /* a \NAME that is not defined */
    char decimal[12]; /* storage for `text` */
};

/* The next piece of a line, from the offset `at`; false at its end. */
bool piece_next(const struct assembler *as, const struct made_line *made, const char *end, u32 at, struct piece *p);
/* The parameter of that name and the expansion that has it; a repeat sees the parameters of the text around it. */
const struct expansion *piece_param(const struct assembler *as, u32 e, const char *name, u32 len, u32 *param);

/* ---- readers (cursor.c, reader.c) ---- */

/* Moves to the start of the next line that the assembler sees; false at the end of the file. */
bool asm_newline(struct assembler *as);
/* Starts an expansion after the current line, which uses it at `word`. False after reporting. */
bool reader_start(struct assembler *as, const struct token *word, const struct macro *macro, const struct token *arg,
                  u32 rounds);
/* Gets, or sets, the line that follows the current one. */
struct cursor reader_next(const struct assembler *as);
void reader_set_next(struct assembler *as, const struct cursor *next);
/* Counts an expanded line against the limits; false after ending all expansions at a limit. */
bool reader_charge(struct assembler *as, size_t bytes);

/* ---- lines (expand.c) ---- */

/* Makes the expanded line at text the current line. */
void expand_line(struct assembler *as, u32 expansion, const char *text, const char *end, u32 line);
/* True if \NAME is defined in the text being read. */
bool expand_knows(const struct assembler *as, const struct token *name);

/* ---- blocks (block.c) ---- */

/* Opens a block and finds the line with its end; false after reporting that there is none. */
bool block_begin(struct assembler *as, enum block_kind kind, const struct token *word, struct cursor *end);
/* Reports and closes open blocks above the first `count`. */
void blocks_close(struct assembler *as, u32 count);

/* ---- macros (macro.c) ---- */

/* Starts the expansion of a macro if the current token names one, or reports what is wrong with the use. */
bool macro_use(struct assembler *as);

/* ---- directives ---- */

bool directive_macro(struct assembler *as, const struct token *word);
bool directive_repeat(struct assembler *as, const struct token *word);
bool directive_if(struct assembler *as, const struct token *word);
bool directive_else(struct assembler *as, const struct token *word);
bool directive_endmacro(struct assembler *as, const struct token *word);
bool directive_endrepeat(struct assembler *as, const struct token *word);
bool directive_endif(struct assembler *as, const struct token *word);

#endif
