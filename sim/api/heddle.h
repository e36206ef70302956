/*
 * heddle: the public API. Everything a program, the command line or Lua can do goes through these functions.
 *
 *   struct heddle *h = heddle_new();
 *   struct heddle_program *p = heddle_load(h, "saxpy.hd", text, length);
 *   uint64_t shape[] = {16384};
 *   heddle_buffer(h, "x", "f32", 1, shape);                           zeros; fill through heddle_buffer_get
 *   heddle_buffer(h, "y", "f32", 1, shape);
 *   struct heddle_arg args[] = {{.name = "x", .buffer = "x"}, {.name = "y", .buffer = "y"},
 *                               {.name = "a", .number = 2.5}, {.name = "n", .number = 16384}};
 *   struct heddle_launch l = {.grid = {64, 1, 1}, .block = {256, 1, 1}, .warp = 32, .args = args, .nargs = 4};
 *   struct heddle_result r;
 *   if (heddle_launch(h, p, &l, &r) != HEDDLE_OK)
 *       fputs(heddle_error(h), stderr);
 *
 * Functions that can fail return a status, false or NULL and leave the reason, one or more lines ending in a
 * newline, in heddle_error. Nothing prints, exits, reads files or keeps state outside the opaque types; two
 * `struct heddle` may be used by two threads.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default) /* all that the library exports */
#endif

#define HEDDLE_VERSION "0.1.0"

enum {
    HEDDLE_DIMS_MAX = 8,
    HEDDLE_BLOCK_THREADS_MAX = 1024,
    HEDDLE_THREADS_MAX = 256, /* of the host */
    HEDDLE_PROVE_INSTRUCTIONS = 100000000,
    HEDDLE_PROVE_SECONDS = 10,
    HEDDLE_PROVE_BOUND = 64,
    HEDDLE_WATCH_BYTES = 256 << 20
};

struct heddle;         /* named buffers and the text of the last error */
struct heddle_program; /* an assembled or loaded file; outlives launches, may be shared by several `struct heddle` */

enum heddle_status {
    HEDDLE_OK = 0,
    HEDDLE_FAULT = 1, /* the simulated program did something illegal */
    HEDDLE_INPUT = 2, /* what was given is wrong: text, bytes, names, sizes */
    HEDDLE_MEMORY = 3 /* the host ran out of memory */
};

/* "0.1.0" */
const char *heddle_version(void);

struct heddle *heddle_new(void); /* NULL when out of memory */
void heddle_free(struct heddle *h);

/*
 * Bounds what the buffers, launches and proofs of the context take together; 0 = no bound. What needs more ends with
 * HEDDLE_MEMORY and an error that names it. Not counted: programs, boards, messages, and what Lua and a solver take.
 */
void heddle_max_memory(struct heddle *h, uint64_t bytes);

/*
 * Tells how much memory this process may have, where the caller knows of a bound that the library does not see (a
 * control group); 0 = of none. A timed launch whose resident blocks need more is refused.
 */
void heddle_computer_memory(struct heddle *h, uint64_t bytes);

/* In bytes; counted as heddle_max_memory says. */
struct heddle_memory {
    uint64_t used, peak; /* peak since the context was made */
    uint64_t limit;      /* 0 = none */
};
struct heddle_memory heddle_memory(const struct heddle *h);

/* A number of bytes from text: "1000", "512M", "2GiB"; K to T are powers of 1024. False when it is none, or 0. */
bool heddle_size(const char *text, uint64_t *bytes);

/* Of `count` names the one that was most likely meant by the word; NULL when none is near enough for that. */
const char *heddle_nearest(const char *word, const char *const *names, uint32_t count);

/* Why the last call on `h` failed; "" if it did not. Valid until the next call on `h`. */
const char *heddle_error(const struct heddle *h);

/*
 * Lines "FILE: note: ..." about what the last call made of its input, such as an array that it converted or a line of
 * names that it took for no data; "" if there is nothing to say. Likewise valid.
 */
const char *heddle_notes(const struct heddle *h);

/* ---- programs ---- */

/* The text of a file that another one names, which stays until the call returns; NULL when it cannot be read. */
typedef const char *(*heddle_read_fn)(void *ctx, const char *name, size_t *len);

/* A file that may name others: a kernel those that it includes, a board its `base:`. */
struct heddle_file {
    const char *name; /* in messages */
    const char *text; /* of a board NULL: the one of this name that ships, "v100" */
    size_t len;
    heddle_read_fn read; /* may be NULL */
    void *ctx;           /* of `read` */
};

/* Assembles text, or loads an object file, distinguished by the first bytes. `file` is the name shown in messages. */
struct heddle_program *heddle_load(struct heddle *h, const char *file, const void *bytes, size_t len);
/* The same with `.include`: `read` is given the path, relative to the folder of the including file's name. */
struct heddle_program *heddle_load_file(struct heddle *h, const struct heddle_file *file);
void heddle_program_free(struct heddle_program *p);

/*
 * The object file, or the disassembly, of a program: malloc'd, `*len` bytes and a NUL; free with heddle_release.
 */
char *heddle_program_object(struct heddle *h, const struct heddle_program *p, size_t *len);
char *heddle_program_text(struct heddle *h, const struct heddle_program *p, size_t *len);

/* Warnings, rendered with carets; "" when there are none. `*warnings` counts them. Free with heddle_release. */
char *heddle_program_lint(struct heddle *h, const struct heddle_program *p, uint32_t *warnings);

void heddle_release(void *block);

struct heddle_param_info {
    const char *name;
    const char *type;   /* element type: "f32" */
    bool buffer;        /* a buffer of such elements, else a scalar */
    const char *extent; /* buffers: least number of elements as written, "" = any */
    bool written;       /* buffers: the kernel may write to it; certain where it is false */
};

struct heddle_kernel_info {
    const char *name;
    uint32_t regs;   /* registers of a thread */
    uint32_t shared; /* bytes of shared memory of a block */
    uint32_t local;  /* bytes of local memory of a thread */
    uint32_t instructions;
    bool widths[4]; /* runs at warp width 8, 16, 32, 64 */
    uint32_t nparams, nvariables;
};

/* Declared shared or local memory of a kernel. */
struct heddle_variable_info {
    const char *name;
    const char *type;  /* element type: "f32" */
    const char *space; /* "shared" or "local" */
    uint32_t offset;   /* in its space, bytes */
    uint32_t ndim;     /* 0: one element */
    uint64_t shape[HEDDLE_DIMS_MAX];
};

/* Kernels that can be launched (not functions), their parameters and variables; false behind the last. */
uint32_t heddle_kernel_count(const struct heddle_program *p);
bool heddle_kernel_info(const struct heddle_program *p, uint32_t kernel, struct heddle_kernel_info *info);
bool heddle_param_info(const struct heddle_program *p, uint32_t kernel, uint32_t param, struct heddle_param_info *info);
bool heddle_variable_info(const struct heddle_program *p, uint32_t kernel, uint32_t variable,
                          struct heddle_variable_info *info);

/* A name in the text of a kernel or function. */
struct heddle_name_info {
    const char *name;
    const char *kind;       /* "register", "predicate" or "label" */
    const char *in;         /* the kernel or function */
    uint32_t number, count; /* first register and how many it names; predicate; the label's instruction */
};

/* Its instructions, by `pc`, as launches and recordings count them. */
struct heddle_instruction_info {
    const char *file; /* of the line; NULL = the one that was loaded */
    uint32_t line;    /* source line, 0 = unknown */
    const char *in;   /* the kernel or function */
    uint32_t first;   /* the same in the first round of the `.repeat` around it; itself outside of one */
    char text[160]; /* as it is written, with the arguments of macros; disassembled, if it was loaded from an object */
    char disassembly[160];
};

/* Both are known before any launch. False behind the last; a program that was loaded from an object has no names. */
bool heddle_name_info(const struct heddle_program *p, uint32_t index, struct heddle_name_info *info);
bool heddle_instruction_info(const struct heddle_program *p, uint32_t pc, struct heddle_instruction_info *info);

/*
 * The text of a file of the program: of the one that was loaded (NULL), or of one that it includes, by the name that
 * heddle_instruction_info gives; valid as long as the program. NULL: it is not at hand, as that of an object file.
 */
const char *heddle_program_source(const struct heddle_program *p, const char *file, size_t *len);

/* The first instruction of a source line of the file that was loaded; UINT32_MAX: it has none. */
uint32_t heddle_line_instruction(const struct heddle_program *p, uint32_t line);

/* ---- boards ---- */

/*
 * The machine of the launches that follow: that of a YAML file (docs/reference/board.md), of the board that ships by
 * the name of a file without text, or for NULL the present one; with values changed, "sms=40", "l2.slices=64",
 * "energy.l1=204 derived". Rules between values (l2.slices is a multiple of dram.channels) are checked when the file
 * has been read, and when all values have been set. An error leaves the board as it was. With a file or a value,
 * launches are timed from then on.
 */
bool heddle_board_load(struct heddle *h, const struct heddle_file *file, const char *const *assignments,
                       uint32_t count);

/* The board as YAML, each value with its meaning and origin; or all keys with their ranges. heddle_release them. */
char *heddle_board_text(struct heddle *h, size_t *len);
char *heddle_board_keys(struct heddle *h, size_t *len);

/* Texts are valid until the board changes. */
struct heddle_board_value {
    const char *key; /* "l2.slices" */
    const char *unit, *doc;
    const char *origin; /* "a100.yaml:12", "--set", "default"; of a key that is a peak "derived" */
    const char *choice; /* the word, of a key that is a choice; else NULL */
    const char *scaled; /* of a peak that was set: "dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s"; or NULL */
    const char *basis;  /* of an energy: "measured", "derived" or "assumed"; else NULL */
    double number;
    double asked; /* of a peak that was set: what it was set to, which may be rounded */
    bool real;    /* it may have decimals */
};

/* The value of a key; false with an error that suggests one. Or all values, by index; false behind the last. */
bool heddle_board_value(struct heddle *h, const char *key, struct heddle_board_value *value);
bool heddle_board_value_at(const struct heddle *h, uint32_t index, struct heddle_board_value *value);

/*
 * Keys that are a peak, such as dram.gbs: where one is set, it scales what the peak follows from, and the peak is its
 * value. False behind the last.
 */
bool heddle_board_derived(const struct heddle *h, uint32_t index, struct heddle_board_value *value);

const char *heddle_board_name(const struct heddle *h);

/* What follows from the values: bandwidths, rates, latencies, limits. False behind the last. */
struct heddle_board_peak {
    const char *name, *unit, *doc; /* "dram_gbs", "GB/s" */
    double value;
};
bool heddle_board_peak(const struct heddle *h, uint32_t index, struct heddle_board_peak *peak);

/* Settings that cap a level below its peak, one line each; "" when there are none. heddle_release it. */
char *heddle_board_warnings(struct heddle *h, size_t *len);

/* ---- buffers ---- */

struct heddle_tensor {
    const char *type; /* element type: "f32" */
    uint32_t ndim;    /* 0..HEDDLE_DIMS_MAX */
    uint64_t shape[HEDDLE_DIMS_MAX];
    uint64_t count; /* elements */
    uint64_t bytes;
    uint8_t *data;    /* C order, little endian */
    uint64_t address; /* global address; 0 for a tensor that is no buffer */
};

/* Creates (or replaces) the buffer `name`, filled with zeros. */
bool heddle_buffer(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape);

/*
 * The buffer; its data may be read and written between launches. False when there is none of that name. One that has
 * never been given out, read from a file or bound to a launch counts as unwritten when a launch is checked.
 */
bool heddle_buffer_get(struct heddle *h, const char *name, struct heddle_tensor *t);
/* The same, for reading only. */
bool heddle_buffer_look(struct heddle *h, const char *name, struct heddle_tensor *t);
bool heddle_buffer_drop(struct heddle *h, const char *name);
uint32_t heddle_buffer_count(const struct heddle *h);
const char *heddle_buffer_name(const struct heddle *h, uint32_t index);

/*
 * NumPy .npy, versions 1 to 3. Reading makes the buffer `name`: Fortran order and big endian are converted, and
 * heddle_notes says so. Writing gives malloc'd bytes (version 1.0, C order, little endian, data at a multiple of 64).
 * `file` is the name shown in messages.
 */
bool heddle_npy_read(struct heddle *h, const char *name, const char *file, const void *bytes, size_t len);
char *heddle_npy_write(struct heddle *h, const char *name, size_t *len);

/* Sets all elements: "iota", "zeros", "ones", "fill:2.5", "random:7" (docs/running.md says what those are). */
bool heddle_buffer_fill(struct heddle *h, const char *name, const char *fill);

/* How a table is read. */
struct heddle_csv {
    const char *file; /* shown in messages */
    const char *type; /* of the elements */
    uint32_t ndim;
    const uint64_t *shape; /* NULL: rows and columns, or one dimension where there is one of them */
    bool empty_nan;        /* an empty field is NaN and no error; for floating-point types */
};

/*
 * Makes the buffer `name` from a table as text: fields between commas, semicolons, tabs or blanks, lines of equal
 * length (docs/running.md). A first line of names is no data, which heddle_notes says.
 */
bool heddle_csv_read(struct heddle *h, const char *name, const struct heddle_csv *csv, const char *text, size_t len);

/* Makes it from elements as bytes, little endian, of that shape, or (NULL) of one dimension. */
bool heddle_raw_read(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape,
                     const char *file, const void *bytes, size_t len);

/* ---- launches ---- */

struct heddle_arg {
    const char *name;   /* parameter */
    const char *buffer; /* name of the buffer bound to it; NULL for a scalar */
    const char *text;   /* scalar as text ("2.5", "-1", "0x10"): exact for 64-bit numbers; NULL: `number` */
    double number;      /* scalar */
};

/* Requests one source line, or the accesses that cost most, lane by lane. */
struct heddle_explain {
    const char *file; /* NULL = the one that was loaded; else another, or the end of its path: "find.hd" */
    uint32_t line;
    uint32_t worst;    /* 0 = the line; else so many accesses: those with most cycles beyond what their bytes need */
    uint32_t given;    /* how many of `which` are given; the others are those of the first execution */
    uint64_t which[3]; /* block (x first), warp of the block, execution of that warp (from 1) */
};

/*
 * Records a launch with a clock: what happened to each warp, in the cycles [from, to) and in the first `bytes` of it.
 * Nothing of the result changes. A recording that is cut short, or one of other cycles, is made by another launch.
 */
struct heddle_watch {
    uint64_t from, to; /* to 0 = to the end */
    uint64_t bytes;    /* 0 = HEDDLE_WATCH_BYTES; as many at most for copies of its buffers: heddle_buffer_before */
};

/*
 * What a launch is. Zeros stand for what is not given: a grid of one block, a block of one warp, the board's warp width
 * or else the widest that the kernel allows, the limits named below. The clock runs when a board was loaded with
 * heddle_board_load, unless `functional` is set.
 */
struct heddle_launch {
    const char *entry; /* kernel; NULL = the only one of the program */
    const struct heddle_arg *args;
    uint32_t nargs;
    /* Called now and then with the share of blocks finished, 0..1; returning false stops the launch. NULL = never. */
    bool (*progress)(void *ctx, double share);
    void *progress_ctx;
    const struct heddle_explain *explain; /* NULL = nothing; else the kernel is also run beforehand, on copies */
    const struct heddle_watch *watch;     /* NULL = nothing is recorded */
    /* The options that `heddle run` and Lua have as well. */
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) declaration;
#include "sim/base/launch.def"
};

struct heddle_class_count {
    const char *name; /* "shfl", "ld.shared", ... */
    uint64_t warp_instructions;
};

struct heddle_line_count {
    const char *file;      /* of the line; NULL = the one that was loaded */
    uint32_t line;         /* source line, 0 = unknown */
    uint32_t pc;           /* number of the instruction in the program */
    uint32_t first;        /* that of the first round of the `.repeat` around it; its own outside of one */
    const char *used_file; /* of the use of a macro that it was made for, the outermost: as `file`, */
    uint32_t used;         /* and its line; 0 = of none */
    const char *text;      /* as it is written, with the arguments of macros; of an object, its disassembly */
    const char *rounds;    /* the texts of all rounds in one: "shl.b32 v, w, 0..4" */
    const char *disassembly;
    uint64_t warp_instructions; /* times issued */
    uint64_t lanes;             /* lanes that executed it, summed */
    /* With a clock, else NULL: */
    const uint64_t *stall; /* [nstalls] cycles of warps, by reason (heddle_stall_name) */
    const uint64_t *value; /* of each column (heddle_line_column) */
};

/* Something measured, or derived from it. Names and meaning: docs/reference/counters.md. */
struct heddle_metric {
    const char *name, *unit, *doc;
    const char *formula; /* how it follows from others; "" = it is counted */
    double value;
    bool whole;  /* a count, exact up to 2^53 */
    bool absent; /* its denominator is 0: it has no value */
};

/* What one buffer cost; "(local)" is the local memory of all threads. */
struct heddle_traffic {
    const char *name;
    const uint64_t *value; /* of each column (heddle_traffic_column) */
    double energy;         /* joules of the events of L1, L2 and DRAM that it caused */
};

/* Something counted for each buffer or for each line. */
struct heddle_column_info {
    const char *name, *unit, *doc;
};

struct heddle_fault_info {
    const char *kind; /* "out_of_bounds", ...; NULL = no fault */
    const char *kernel;
    const char *file; /* of the line; NULL = the one that was loaded */
    uint32_t line;    /* source line, 0 = unknown */
    uint32_t block[3], warp, lane;
    uint64_t address;
};

enum heddle_cell {
    HEDDLE_CELL_NUMBER,
    HEDDLE_CELL_SIGNED, /* value is two's complement */
    HEDDLE_CELL_HEX,
    HEDDLE_CELL_FLOAT, /* value holds the bits of a double */
    HEDDLE_CELL_TEXT   /* in text[] */
};

/* One column of a table with a row for each lane. */
struct heddle_column {
    const char *name;  /* "address", "bank", "new r4" */
    const char *title; /* the same with registers by their names: "new sum" */
    enum heddle_cell kind;
    uint64_t lanes; /* that have a value, one bit each */
    uint64_t value[64];
    const char *text[64];
};

struct heddle_bin {
    uint64_t value, count;
};

/* A number that each execution has, and its distribution over all executions of the launch. */
struct heddle_spread {
    const char *name; /* "sectors" */
    uint64_t min, max;
    double mean;
    uint32_t nbins;
    const struct heddle_bin *bins; /* by ascending value */
};

/* One instruction that was requested. */
struct heddle_explained {
    const char *file;         /* of the line; NULL = the one that was loaded */
    uint32_t line, pc, first; /* those of heddle_line_count */
    const char *text, *disassembly;
    uint64_t executions; /* in which some lane took part */
    bool shown;          /* the requested execution took place; if not, `words` say so */
    uint32_t block[3], warp;
    uint64_t active, ran; /* lanes at the instruction; those whose guard held */
    uint32_t ncolumns, nwords, nspreads;
    const struct heddle_column *columns;
    const char *const *words; /* sentences */
    const struct heddle_spread *spreads;
};

/* One end of a finding: an instruction as one lane executed it. */
struct heddle_finding_place {
    const char *file; /* of the line; NULL = the one that was loaded */
    uint32_t line;
    const char *text, *disassembly; /* those of heddle_line_count */
    const char *source;             /* the text; NULL = it is not known as it was written */
    const char *how;                /* "read", "write", "atomic", "strong read", "strong write"; NULL = no access */
    uint32_t block[3], warp, lane;
    uint64_t cycle; /* with a clock */
};

/* What a checker found: the first of its class at a pair of instructions, and how many there were. */
struct heddle_finding {
    const char *kind; /* "race", "init", "sync", "mem", "value" */
    const char *name; /* its class: "write-write" */
    const char *doc;  /* the class in words */
    const char *text; /* what exactly, and what would mend it */
    uint32_t nplaces;
    struct heddle_finding_place place[2]; /* the one that completed it, then the earlier one */
    const char *space;                    /* "shared", "global", ...; NULL = no memory is meant */
    const char *buffer;                   /* of global memory; NULL = none */
    const char *variable;                 /* of shared or local memory; NULL = none is declared there */
    uint64_t address;                     /* in the buffer, or in its space */
    uint32_t bytes;
    const char *where; /* "y[3,32]", "shared tile[3]", "bytes 4 to 7 of local memory"; NULL = no memory is meant */
    uint64_t count;
};

/* One access in the story of an order. */
struct heddle_order_step {
    const char *file; /* of the line; NULL = the one that was loaded */
    uint32_t line;
    const char *text, *disassembly; /* those of heddle_line_count */
    const char *how;                /* "reads", "writes", "updates", "arrives at" */
    const char *what;               /* "y[32]", "shared memory, byte 128", "barrier 1" */
    uint32_t block[3], warp, lane;
};

/* One of two orders of warps that end differently. */
struct heddle_order {
    const char *value;              /* of the element that differs; NULL = only one of the orders faults */
    struct heddle_fault_info fault; /* kind NULL = there is none */
    const char *error;              /* the fault in full */
    uint32_t nsteps;
    const struct heddle_order_step *steps; /* accesses that change places, and the last that wrote the element */
};

/* What a rule of advice says of a launch: what to try, and what it can bring at most. */
struct heddle_advice {
    const char *rule; /* heddle_advice_rule */
    double gain;      /* at most: 1.8 = 1.8 times as fast, or as much work in the same time */
    const char *text; /* "avoid bank conflicts, up to 1.8x faster: they are 87 % of ... (line 14)" */
    const char *file; /* of the line; NULL = the one that was loaded */
    uint32_t line;    /* that it is about; 0 = none */
};

/* What the orders of warps that can matter leave. */
struct heddle_orders {
    uint64_t executed;  /* to their end */
    uint64_t bound;     /* of those that are begun */
    bool all;           /* there is no other */
    bool same;          /* they leave the same bytes, or all of them fault */
    bool faults;        /* the first one faults */
    const char *text;   /* the answer, one sentence */
    const char *buffer; /* not the same: that differs first; NULL = only one of the orders faults */
    uint64_t element;
    struct heddle_order order[2]; /* not the same: one that leaves what the first did, and the other */
};

struct heddle_result {
    const char *kernel;
    const char *engine;                 /* the one that ran */
    const char *schedule;               /* "random:7"; NULL = the machine's own order */
    const struct heddle_orders *orders; /* of the schedule "all", valid until the next launch on `h`; NULL = none */
    uint32_t grid[3], block[3], warp;
    uint64_t blocks, warps;
    uint64_t warp_instructions;
    uint64_t thread_instructions; /* warp-instructions times the lanes that executed them */
    uint32_t nclasses, nlines;
    /* Both are valid until the next launch on `h`. */
    const struct heddle_class_count *classes; /* those issued at least once, in table order */
    const struct heddle_line_count *lines; /* one for each instruction of the kernel, and of the functions it called */
    uint32_t nexplained;
    const struct heddle_explained *explained; /* the instructions that were requested; as long as those */
    struct heddle_fault_info fault;
    /* With checkers; valid until the next launch on `h`. */
    const char *checked; /* "race, init, sync, mem"; NULL = nothing was */
    uint32_t nfindings;
    const struct heddle_finding *findings; /* in the order in which they were met */
    uint64_t check_memory;                 /* bytes that the shadows took */
    uint64_t check_forgotten;              /* accesses that were forgotten to bound them */
    /* With a clock; else `timed` is false and the rest 0. */
    bool timed;
    uint64_t cycles;          /* from the start of the first block to the last event of the launch */
    uint64_t overhead_cycles; /* of the launch itself, not part of `cycles` */
    double seconds;           /* of `cycles` at the board's clock */
    const char *board;
    const char *caches;          /* "cold" or "warm" */
    const char *limiter;         /* what bounds it, one sentence */
    const char *hint;            /* what to try first, of the advice, or that there is none worth it; one sentence */
    const char *inconsistency;   /* counters that do not add up, which is a mistake of heddle's; NULL = all do */
    const char *occupancy_limit; /* what keeps more blocks from an SM (heddle_limit_name) */
    uint32_t nmetrics, ntraffic, nstalls, nadvice;
    const struct heddle_advice *advice; /* by descending gain */
    const struct heddle_metric *metrics;
    const struct heddle_traffic *traffic;
    uint64_t nevents;  /* of a launch that was watched: heddle_event */
    uint64_t complete; /* its recording is, up to this cycle; UINT64_MAX: to the end, or to that of the watch */
};

/* Runs a kernel to its end. On a fault the result's `fault` says where and heddle_error says it in full. */
enum heddle_status heddle_launch(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                                 struct heddle_result *result);

/*
 * Whether an SM of the board has room for a block of the launch, whose arguments are not looked at. False with the
 * reason in heddle_error, which may also be that it names no kernel or has wrong sizes.
 */
bool heddle_fits(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch);

/*
 * What a buffer must be for the parameter `name` of the launch's kernel (or of the first that has it): its type, and
 * the number of elements of the declared extent, which may need scalars among the launch's arguments. False with the
 * reason in heddle_error.
 */
bool heddle_param_needs(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                        const char *name, const char **type, uint64_t *count);

/* Whether the program's kernel of that number takes the argument. False with the reason in heddle_error. */
bool heddle_param_takes(struct heddle *h, const struct heddle_program *p, uint32_t kernel,
                        const struct heddle_arg *arg);

/* The reasons for which a warp does not issue, in the order of their table. NULL behind the last. */
const char *heddle_stall_name(uint32_t index, const char **doc);

/* The columns of `traffic` and of timed `lines`, in the order of their values. False behind the last. */
bool heddle_traffic_column(uint32_t index, struct heddle_column_info *column);
bool heddle_line_column(uint32_t index, struct heddle_column_info *column);

/* The value of a column by its name; NULL when there is none of that name, or the launch had no clock. */
const uint64_t *heddle_traffic_value(const struct heddle_traffic *traffic, const char *column);
const uint64_t *heddle_line_value(const struct heddle_line_count *line, const char *column);

/* What limits the blocks of an SM, in the order of the table; `title` is its name in reports. NULL behind the last. */
const char *heddle_limit_name(uint32_t index, const char **title);

/* Every metric that a timed launch has: name, unit and documentation. False behind the last. */
bool heddle_metric_row(uint32_t index, struct heddle_metric *row);

/* The rules of advice: name, what they advise and why, one sentence. False behind the last. */
bool heddle_advice_rule(uint32_t index, const char **name, const char **action, const char **doc);

/* The kinds of checker: name, one sentence, and whether "all" means it. False behind the last. */
bool heddle_check_kind(uint32_t index, const char **name, const char **doc, bool *standard);

/* The classes of findings: kind, name, one sentence, and whether only proofs find it. False behind the last. */
bool heddle_check_class(uint32_t index, const char **kind, const char **name, const char **doc, bool *proof);

/* The kinds of fault, in the order of their table: name and one sentence. False behind the last. */
bool heddle_fault_kind(uint32_t index, const char **name, const char **doc);

/* ---- recordings ---- */

enum { HEDDLE_EVENT_VALUES = 8, HEDDLE_ROW_VALUES = 256 };

/* Something that happened in a launch that was watched. */
struct heddle_event {
    uint32_t kind; /* heddle_event_kind */
    uint32_t sm;   /* UINT32_MAX: it is of none */
    uint64_t cycle;
    uint64_t block;    /* number in the grid, x first; UINT64_MAX: it is of none */
    uint32_t warp, pc; /* warp of the block, index of the instruction; UINT32_MAX: it is of none */
    uint32_t nvalues;
    uint64_t value[HEDDLE_EVENT_VALUES]; /* of heddle_event_field */
    uint32_t ntail;
    const uint64_t *tail; /* what follows them: heddle_event_row, heddle_event_level, heddle_event_address */
};

/* What the tail of an event holds. */
enum heddle_tail {
    HEDDLE_TAIL_NONE,
    HEDDLE_TAIL_ROWS,     /* registers: heddle_event_row */
    HEDDLE_TAIL_LEVELS,   /* levels that wait, the lowest first: heddle_event_level */
    HEDDLE_TAIL_ADDRESSES /* of each lane that takes part, ascending: heddle_event_address */
};

/* How a number of an event is meant. */
enum heddle_event_form {
    HEDDLE_EVENT_NUMBER,
    HEDDLE_EVENT_OPTIONAL, /* UINT64_MAX: there is none */
    HEDDLE_EVENT_MASK,     /* lanes or sectors, one bit each */
    HEDDLE_EVENT_WORD      /* it stands for a word: heddle_event_word */
};

/* One register of a tail. */
struct heddle_event_row {
    char name[8];     /* "r4", "p0", "x1" */
    uint64_t ready;   /* of a state: the cycle from which on it can be read, UINT64_MAX: not known yet; else 0 */
    uint32_t nvalues; /* of r4: one for each lane; of a predicate: 2, a mask; of x1: slots, lane by lane */
    uint32_t values[HEDDLE_ROW_VALUES];
};

/* Lanes that wait for others. */
struct heddle_level {
    uint64_t lanes, next; /* one bit each; their next instruction */
    uint64_t reconverge;  /* the instruction at which they meet those below; UINT64_MAX: none */
};

/*
 * Event number `index` of the last launch on `h`, in the order of cycles, then of SMs, then of kinds; valid until the
 * next launch or board. False behind the last.
 */
bool heddle_event(const struct heddle *h, uint64_t index, struct heddle_event *event);

/* A number of what was recorded last, another one after each launch; 0: there is nothing. */
uint64_t heddle_recording(const struct heddle *h);

/*
 * What a buffer that was bound to the last launch held before, as many bytes as it has. NULL: the launch was not
 * watched, the buffers were larger than the recording may be, or the buffer has another size now.
 */
const uint8_t *heddle_buffer_before(const struct heddle *h, const char *name);

/* The number of the first event at or after that cycle. */
uint64_t heddle_event_at(const struct heddle *h, uint64_t cycle);

/* Row, level or address number `index` of its tail. False behind the last, or when it has none. */
bool heddle_event_row(const struct heddle *h, const struct heddle_event *event, uint32_t index,
                      struct heddle_event_row *row);
bool heddle_event_level(const struct heddle_event *event, uint32_t index, struct heddle_level *level);
bool heddle_event_address(const struct heddle_event *event, uint32_t index, uint64_t *address);

/* The kinds of events: name, one sentence, and what the tail holds (NULL = nothing, for a pointer as well). */
const char *heddle_event_kind(uint32_t index, const char **doc, enum heddle_tail *tail, const char **tail_doc);

/* The numbers of an event of that kind: name, one sentence (NULL = no wish, likewise). NULL behind the last. */
const char *heddle_event_field(uint32_t kind, uint32_t index, enum heddle_event_form *form, const char **doc);

/* The word that one of them stands for. */
const char *heddle_event_word(uint32_t kind, uint32_t index, uint64_t value);

/*
 * The state of a warp, as the first events of a recording leave it: what each of its registers holds, where it is, why
 * it waits. Values are there from the issue of their instruction on, and can be read at `ready`.
 */
struct heddle_state {
    uint64_t cycle;          /* of the last of these events that is of the warp */
    uint32_t sm, place;      /* its place among the warps of the SM */
    uint32_t sub_core;       /* of the SM */
    uint32_t pc;             /* next instruction */
    bool ended;              /* all of its lanes have exited */
    uint64_t lanes;          /* with a thread of the block, as far as the recording says; else 0 */
    uint64_t active;         /* that go on at `pc` */
    uint64_t reconverge;     /* where they wait for others; UINT64_MAX: nowhere */
    const char *reason;      /* for which it waits or waited last; NULL: none is known */
    uint64_t from, until;    /* of that wait */
    uint32_t nlevels, width; /* levels that wait below; lanes of a warp */
    const struct heddle_level *levels;
    uint32_t nregs, npreds, ntransit, slots; /* 32-bit slots of a transit register */
    const uint32_t *regs;                    /* [nregs][width]; 0xcdcdcdcd: not written yet */
    const uint64_t *preds;                   /* [npreds] lanes, one bit each */
    const uint32_t *transit;                 /* [ntransit][slots][width] */
    const uint64_t *ready; /* [nregs + npreds + ntransit] when each can be read; UINT64_MAX: not known */
};

/*
 * What the first `before` events of the last launch leave of a warp; heddle_event_at gives the number for a cycle.
 * Valid until the next call, launch or board. False, with the reason in heddle_error, when none of them says it.
 */
bool heddle_state(struct heddle *h, uint64_t block, uint32_t warp, uint64_t before, struct heddle_state *state);

/* The number of a warp's first event at or after `from`, or of its last one before it; UINT64_MAX: there is none. */
uint64_t heddle_event_next(struct heddle *h, uint64_t block, uint32_t warp, uint64_t from);
uint64_t heddle_event_previous(struct heddle *h, uint64_t block, uint32_t warp, uint64_t from);

/* ---- the debugger ---- */

/*
 * A cursor in the recording of a launch, which the commands of `heddle debug` move (docs/debug.md):
 *
 *   struct heddle_debugger *d = heddle_debugger_new(h, p, &result);        of a launch with `watch`
 *   const char *text;
 *   if (heddle_debugger_command(d, "until 38", &text) && heddle_debugger_command(d, "why", &text))
 *       fputs(text, stdout);
 *   heddle_debugger_free(d);
 *
 * When the recording is gone, by another launch or board, every command is refused. The program must stay, and buffers
 * as the launch left them.
 */
struct heddle_debugger;

/* Looks at the last launch on `h`, of `p`. NULL, with the reason in heddle_error, when nothing of it was recorded. */
struct heddle_debugger *heddle_debugger_new(struct heddle *h, const struct heddle_program *p,
                                            const struct heddle_result *result);
void heddle_debugger_free(struct heddle_debugger *d);

/*
 * Carries out a line as it is typed at the prompt. `*text` is what it prints, lines that end in a newline, or, with
 * false, a sentence without one, why it cannot be carried out; valid until the next command.
 */
bool heddle_debugger_command(struct heddle_debugger *d, const char *line, const char **text);

/* Where the cursor is. */
struct heddle_debugger_place {
    uint64_t block;
    uint32_t warp;
    uint64_t cycle;
    uint64_t events; /* so many have happened: `before` of heddle_state */
    bool left;       /* `quit` was the last command */
};
struct heddle_debugger_place heddle_debugger_place(const struct heddle_debugger *d);

/* Moves it to a warp, at the event before which so many have happened. False when that warp is not in the recording. */
bool heddle_debugger_go(struct heddle_debugger *d, uint64_t block, uint32_t warp, uint64_t events);

/* The commands: name, short form ("" = none), arguments and what they do. False behind the last. */
bool heddle_debugger_row(uint32_t index, const char **name, const char **brief, const char **arguments,
                         const char **doc);

/* ---- proofs ---- */

enum heddle_verdict {
    HEDDLE_EQUAL,     /* for all inputs */
    HEDDLE_DIFFERENT, /* on some input, which was found and run */
    HEDDLE_UNPROVED,  /* alike on all data tried; expressions differ, or depend on uninitialised data */
    HEDDLE_DEPENDS,   /* alike on all data tried; control flow is data-dependent and could not be followed */
    HEDDLE_ORDER,     /* for all inputs in the order that was tried; a race or a barrier lets other orders differ */
    HEDDLE_UNDECIDED  /* ended by max_seconds or progress before there was an answer */
};

enum heddle_role {
    HEDDLE_ROLE_ANY,    /* any data at the start; compared at the end */
    HEDDLE_ROLE_IN,     /* the same, and neither kernel may write to it */
    HEDDLE_ROLE_OUT,    /* zeros at the start; compared */
    HEDDLE_ROLE_SCRATCH /* zeros at the start; not compared */
};

struct heddle_prove_kernel {
    const struct heddle_program *program;
    const char *entry;
    uint32_t grid[3], block[3]; /* as in struct heddle_launch */
};

struct heddle_prove_buffer {
    const char *name; /* of a buffer of the context */
    enum heddle_role role;
};

/* An SMT solver, which decides what is left when expressions differ. */
struct heddle_solver {
    const char *name; /* in the answer; NULL = there is none */
    /*
     * What it prints on a script of SMT-LIB 2, from malloc, as far as it got in *seconds; these become what is left of
     * them. NULL when it could not be run.
     */
    char *(*ask)(void *ctx, const char *script, double *seconds);
    void *ctx;
};

enum { HEDDLE_ASSUME_REASSOCIATION = 1 }; /* floating-point sums may be reassociated */

struct heddle_prove {
    struct heddle_prove_kernel kernel[2];
    uint32_t warp;
    const struct heddle_arg *args; /* of both: each kernel takes those that it has parameters for */
    uint32_t nargs;
    const struct heddle_prove_buffer *buffers; /* those not named here are HEDDLE_ROLE_ANY */
    uint32_t nbuffers;
    uint64_t max_instructions; /* 0 = HEDDLE_PROVE_INSTRUCTIONS */
    /*
     * Control flow that depends on data is followed for all data: through a branch at most so often, and in at most so
     * many runs. 0 = HEDDLE_PROVE_BOUND; negative = it is not followed.
     */
    int32_t bound;
    uint32_t assume; /* HEDDLE_ASSUME_ bits: what may be taken for true where it is needed */
    struct heddle_solver solver;
    double solver_seconds; /* 0 = HEDDLE_PROVE_SECONDS */
    /*
     * Seconds for all of it, 0 = no bound, by a clock that counts them from any moment on: the library has none of its
     * own, and refuses a bound without. A difference that has been found by then is still described.
     */
    double max_seconds;
    double (*clock)(void);
    /* Called now and then: how much of a step is done, 0..1, and what it does; returning false ends the proof. */
    bool (*progress)(void *ctx, double share, const char *step);
    void *progress_ctx;
};

/* First data-dependent control flow. */
struct heddle_proof_depends {
    const char *how;  /* "branches on", ...; NULL = nowhere */
    const char *file; /* of the line; NULL = the one that was loaded */
    uint32_t line;
    const char *text, *disassembly; /* those of heddle_line_count */
    const char *what;               /* "src[5]", or an uninitialised value */
};

/* What one kernel leaves in the element that differs. */
struct heddle_proof_side {
    const char *value; /* "src[4]", or a longer expression, shortened */
    uint64_t bits;     /* on the data that shows the difference; 0 if none does */
    bool written;      /* the rest says by whom */
    const char *file;  /* of the line; NULL = the one that was loaded */
    uint32_t line, block[3], warp, lane;
    const char *reg;   /* "r4" */
    const char *title; /* its name: "sum" */
};

struct heddle_proof_difference {
    const char *buffer; /* NULL = there is none */
    uint64_t element;
    uint64_t elements; /* that differ, in all buffers */
    struct heddle_proof_side side[2];
};

struct heddle_proof_element {
    const char *buffer;
    uint64_t element;
    const char *kind; /* "copy", "kept", "constant", "bits", "computed", "unwritten" */
    const char *from; /* of a copy: the element's buffer */
    uint64_t from_element;
};

/* What the solver said of the elements whose expressions differ. */
struct heddle_proof_solver {
    const char *name;   /* NULL = it was not asked */
    const char *answer; /* "equal"; "different", on data that was run; "candidate": its data show none; "unknown" */
    uint64_t questions; /* elements of one structure are one */
};

/* What the checkers of races and barriers found in a kernel. */
struct heddle_proof_findings {
    const struct heddle_finding *list;
    uint32_t count;
    uint64_t forgotten; /* accesses that checkers forgot to bound their memory: findings may be missing */
};

/* What a buffer held at the start of the runs that show a difference. */
struct heddle_proof_data {
    const char *buffer;
    const uint8_t *bytes;
    uint64_t size;
};

struct heddle_proof {
    enum heddle_verdict verdict;
    const char *name; /* "equal", "different", "unproved", "depends", "order", "undecided" */
    const char *text; /* all of it in words, lines ending in a newline */
    const char *kernel[2];
    uint32_t warp;
    uint32_t trials; /* sets of data on which both kernels were run */
    uint32_t paths;  /* runs in which control flow that depends on data was followed for all data; 0 = it was not */
    const char *undecided; /* of HEDDLE_UNDECIDED: "time", or "stopped" by `progress` */
    struct heddle_proof_depends depends[2];
    struct heddle_proof_findings findings[2];
    uint32_t assumed; /* HEDDLE_ASSUME_ bits without which the verdict does not hold */
    struct heddle_proof_difference difference;
    const struct heddle_proof_data *data; /* [ndata] of HEDDLE_DIFFERENT: every buffer */
    uint32_t ndata;
    struct heddle_proof_solver solver;
    struct heddle_fault_info fault; /* when the status is HEDDLE_FAULT */
    uint64_t nelements; /* of the buffers that a kernel wrote to and that are compared, as the first leaves them */
    const struct heddle_proof_element *elements;
};

/*
 * Derives what two kernels leave in the buffers of the context as functions of what was in them, and compares. The
 * buffers give names, types and shapes; their contents are neither used nor changed. Everything in the result is valid
 * until the next proof or launch on `h`. A kernel that faults gives HEDDLE_FAULT.
 */
enum heddle_status heddle_prove(struct heddle *h, const struct heddle_prove *asked, struct heddle_proof *proof);

/* ---- the instruction set ---- */

struct heddle_isa_row {
    const char *name, *class_name, *operation, *doc;
    char syntax[128]; /* "add.f32{.ftz}{.sat} d, a, b" */
    uint32_t code;
};

uint32_t heddle_isa_count(void);
bool heddle_isa_row(uint32_t index, struct heddle_isa_row *row);

/* The special registers, which s2r reads: "%tid.x" and one sentence. False behind the last. */
bool heddle_special_register(uint32_t index, const char **name, const char **doc);

/* The manual of one instruction (mnemonic, alias, or a first word such as "shfl") or, with NULL, of all, as text; or as
 * the Markdown of docs/reference/isa.md. NULL when there is no such instruction; heddle_error suggests one. */
char *heddle_isa_manual(struct heddle *h, const char *mnemonic, bool markdown, size_t *len);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
