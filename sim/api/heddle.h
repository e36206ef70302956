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
 * `struct heddle` may be used by two threads at once.
 *
 * JSON, Lua and Python have the fields of results by the same names; brackets in a comment are for what writes them.
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
#pragma GCC visibility push(default) /* everything that the library exports */
#endif

#define HEDDLE_VERSION "0.1.0"

enum {
    HEDDLE_DIMS_MAX = 8,
    HEDDLE_BLOCK_THREADS_MAX = 1024,
    HEDDLE_THREADS_MAX = 256, /* threads of the host */
    HEDDLE_PROVE_INSTRUCTIONS = 100000000,
    HEDDLE_PROVE_SECONDS = 10,
    HEDDLE_PROVE_BOUND = 64,
    HEDDLE_WATCH_BYTES = 256 << 20,
    HEDDLE_BOARDS_MAX = 1024 /* boards of an exchange */
};

struct heddle;         /* named buffers and the text of the last error */
struct heddle_program; /* an assembled or loaded file; outlives launches, may be shared by several `struct heddle` */

enum heddle_status {
    HEDDLE_OK = 0,
    HEDDLE_FAULT = 1, /* the simulated program did something illegal */
    HEDDLE_INPUT = 2, /* an argument is wrong: text, bytes, names, sizes */
    HEDDLE_MEMORY = 3 /* the host ran out of memory */
};

/* Returns the version of the library: "0.1.0". */
const char *heddle_version(void);

struct heddle *heddle_new(void); /* NULL when out of memory */
void heddle_free(struct heddle *h);

/*
 * Limits the memory of the context's buffers, launches and proofs together; 0 = no limit. A call that needs more fails
 * with HEDDLE_MEMORY and an error that names the need. Not counted: programs, boards, messages, Lua and solvers.
 */
void heddle_max_memory(struct heddle *h, uint64_t bytes);

/*
 * Sets how much memory this process may use, if the caller knows a limit that the library cannot see (a control
 * group); 0 = no such limit. A timed launch whose resident blocks need more is refused.
 */
void heddle_computer_memory(struct heddle *h, uint64_t bytes);

/* Bytes in use, as heddle_max_memory counts them. */
struct heddle_memory {
    uint64_t used, peak; /* now; most since the context was made */
    uint64_t limit;      /* of heddle_max_memory; 0 = none */
};
struct heddle_memory heddle_memory(const struct heddle *h);

/* Reads a number of bytes: "1000", "512M", "2GiB"; K to T are powers of 1024. False if the text is no number, or 0. */
bool heddle_size(const char *text, uint64_t *bytes);

/* Finds the name that a misspelt word most likely means; NULL if none is close enough. */
const char *heddle_nearest(const char *word, const char *const *names, uint32_t count);

/* Returns why the last call on `h` failed; "" if it succeeded. Valid until the next call on `h`. */
const char *heddle_error(const struct heddle *h);

/*
 * Returns lines "FILE: note: ..." on how the last call read its input, such as an array that was converted or a first
 * line taken for column names; "" if there are none. Valid until the next call on `h`.
 */
const char *heddle_notes(const struct heddle *h);

/* ---- programs ---- */

/* Reads a file that another one names. The text must stay valid until the call returns; NULL = cannot be read. */
typedef const char *(*heddle_read_fn)(void *ctx, const char *name, size_t *len);

/* A file that may name others: a kernel its includes, a board its `base:`. */
struct heddle_file {
    const char *name; /* in messages */
    const char *text; /* for a board, NULL = the shipped one of this name, "v100" */
    size_t len;
    heddle_read_fn read; /* may be NULL */
    void *ctx;           /* passed to `read` */
};

/* Assembles text, or loads an object file, distinguished by the first bytes. `file` is the name shown in messages. */
struct heddle_program *heddle_load(struct heddle *h, const char *file, const void *bytes, size_t len);
/* Loads a file that may `.include` others: `read` gets the path, relative to the folder of the including file. */
struct heddle_program *heddle_load_file(struct heddle *h, const struct heddle_file *file);
void heddle_program_free(struct heddle_program *p);

/* Write the object file or the disassembly of a program: malloc'd, `*len` bytes and a NUL; heddle_release it. */
char *heddle_program_object(struct heddle *h, const struct heddle_program *p, size_t *len);
char *heddle_program_text(struct heddle *h, const struct heddle_program *p, size_t *len);

/* Renders the warnings, with carets; "" if there are none. `*warnings` counts them. heddle_release it. */
char *heddle_program_lint(struct heddle *h, const struct heddle_program *p, uint32_t *warnings);

void heddle_release(void *block);

/* A parameter of a kernel. */
struct heddle_param_info {
    const char *name;   /* as the kernel declares it */
    const char *type;   /* element type: "f32" */
    bool buffer;        /* a buffer of elements of that type; false = a scalar */
    const char *extent; /* [if buffer] least number of elements, as declared; "" = any */
    bool written;       /* [if buffer] the kernel may write to it; false = it certainly does not */
};

/* What a kernel needs. */
struct heddle_kernel_info {
    const char *name;      /* as the program declares it */
    uint32_t regs;         /* registers of a thread */
    uint32_t shared_bytes; /* bytes of shared memory of a block */
    uint32_t local_bytes;  /* bytes of local memory of a thread */
    uint32_t instructions; /* of its text */
    bool widths[4];        /* [only c] whether it runs at warp width 8, 16, 32, 64 */
    uint32_t nparams;      /* [only c] parameters: heddle_param_info */
    uint32_t nvariables;   /* [only c] declared memory: heddle_variable_info */
};

/* A declared variable of a kernel in shared or local memory. */
struct heddle_variable_info {
    const char *name;                /* as the kernel declares it */
    const char *type;                /* element type: "f32" */
    const char *space;               /* [words] "shared" or "local"; of the module "const" or "global" */
    uint32_t offset;                 /* bytes from the start of its space */
    uint32_t ndim;                   /* [only c] dimensions; 0 = one element */
    uint64_t shape[HEDDLE_DIMS_MAX]; /* [ndim] elements in each dimension; 0: as many as the launch gives */
};

/* Describe the kernels that can be launched (not functions), their parameters and variables; false past the last. */
uint32_t heddle_kernel_count(const struct heddle_program *p);
bool heddle_kernel_info(const struct heddle_program *p, uint32_t kernel, struct heddle_kernel_info *info);
bool heddle_param_info(const struct heddle_program *p, uint32_t kernel, uint32_t param, struct heddle_param_info *info);
bool heddle_variable_info(const struct heddle_program *p, uint32_t kernel, uint32_t variable,
                          struct heddle_variable_info *info);

/* Describes what a launch finds by name outside of kernels, `space` "const" or "global"; false past the last. */
bool heddle_module_info(const struct heddle_program *p, uint32_t index, struct heddle_variable_info *info);

/* A register, predicate or label that a kernel or function names. */
struct heddle_name_info {
    const char *name;   /* as it is written */
    const char *kind;   /* [words] "register", "predicate" or "label" */
    const char *kernel; /* the kernel or function */
    uint32_t number;    /* of the first register, the predicate, or the label's instruction */
    uint32_t count;     /* registers that it names */
};

/* An instruction, numbered by `pc` as in launches and recordings. */
struct heddle_instruction_info {
    const char *file;   /* source file; NULL = the file that was loaded */
    uint32_t line;      /* source line; 0 = unknown */
    const char *kernel; /* the kernel or function */
    uint32_t first;     /* this instruction's pc in the first round of the `.repeat` around it; without one, its own */
    char text[160];     /* source text with macro arguments replaced; the disassembly, if loaded from an object file */
    char disassembly[160]; /* the instruction as the disassembler prints it */
};

/* Describe a name or an instruction; false past the last. A program loaded from an object file has no names. */
bool heddle_name_info(const struct heddle_program *p, uint32_t index, struct heddle_name_info *info);
bool heddle_instruction_info(const struct heddle_program *p, uint32_t pc, struct heddle_instruction_info *info);

/*
 * Returns the source text of the file that was loaded (NULL) or of an included one, by its name in
 * heddle_instruction_info; valid as long as the program. NULL if there is none, as for an object file.
 */
const char *heddle_program_source(const struct heddle_program *p, const char *file, size_t *len);

/* Finds the first instruction of a line of the file that was loaded; UINT32_MAX if the line has none. */
uint32_t heddle_line_instruction(const struct heddle_program *p, uint32_t line);

/* ---- boards ---- */

/*
 * Sets the board of the launches that follow: a YAML file (docs/reference/board.md), a shipped board (a file with a
 * name and no text), or the present board (NULL); then changes values: "sms=40", "energy.l1=204 derived 100..400".
 * Rules between values (l2.slices is a multiple of dram.channels) are checked after reading the file, and
 * after setting all values. An error leaves the board as it was. A file or a value makes later launches timed.
 */
bool heddle_board_load(struct heddle *h, const struct heddle_file *file, const char *const *assignments,
                       uint32_t count);

/* Write the board as YAML, with meaning and origin of each value; or all keys with their ranges. heddle_release it. */
char *heddle_board_text(struct heddle *h, size_t *len);
char *heddle_board_keys(struct heddle *h, size_t *len);

/* A value of the board. Its texts are valid until the board changes. */
struct heddle_board_value {
    const char *key;    /* "l2.slices" */
    const char *unit;   /* "" = none */
    const char *doc;    /* its meaning, one sentence */
    const char *origin; /* "a100.yaml:12", "--set", "default"; "derived" for a peak */
    const char *choice; /* [only c] the word, if the key is a choice; else NULL */
    const char *scaled; /* if a peak was set: "dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s"; else NULL */
    const char *basis;  /* "measured", "derived", "fitted" or "assumed"; NULL if it has none; an energy has one */
    double number;      /* [only c] the value; of a choice, the number of its word */
    double asked;       /* [only c] if a peak was set: the value before rounding */
    double device;      /* [if devised] what the board's memory device has, in the board's clocks */
    double low, high;   /* [if ranged] [whole if !real] range, by what is published or argued; else the value itself */
    bool ranged;        /* [only c] a range is given */
    bool real;          /* [only c] may have decimals */
    bool devised;       /* [only c] the board's memory device has something for this key */
};

/* Get the value of a key, false with an error that suggests a key; or of all keys by index, false past the last. */
bool heddle_board_value(struct heddle *h, const char *key, struct heddle_board_value *value);
bool heddle_board_value_at(const struct heddle *h, uint32_t index, struct heddle_board_value *value);

/*
 * Lists the keys that are a peak, such as dram.gbs: setting one scales the values that the peak follows from. False
 * past the last.
 */
bool heddle_board_derived(const struct heddle *h, uint32_t index, struct heddle_board_value *value);

const char *heddle_board_name(const struct heddle *h);

/* Get the memory device that the board names, "hbm3-6.4", or NULL; those that ship, by index, NULL past the last. */
const char *heddle_board_device(const struct heddle *h);
const char *heddle_device_name(uint32_t index);

/* A figure that follows from the board's values: a bandwidth, rate, latency or limit. */
struct heddle_board_peak {
    const char *name, *unit, *doc; /* "dram_gbs", "GB/s" */
    double value;                  /* in that unit */
};
/* Gets a peak by index; false past the last. */
bool heddle_board_peak(const struct heddle *h, uint32_t index, struct heddle_board_peak *peak);

/* A loss that an ideal machine would not have: `heddle run --ideal` runs again without each. */
struct heddle_ideal {
    const char *name;     /* "latency" */
    const char *title;    /* what is left out: "memory latency" */
    const char *settings; /* assignments to the board, as of --set, with a space between two */
    const char *rule;     /* [null] rule of advice whose promise this measures; NULL = none */
    const char *doc;      /* what that means, one sentence */
};

/* Lists these losses; false past the last. */
bool heddle_ideal(uint32_t index, struct heddle_ideal *row);

/* Lists the settings that cap a level below its peak, one line each; "" if there are none. heddle_release it. */
char *heddle_board_warnings(struct heddle *h, size_t *len);

/* Lists where the board differs from its memory device, in numbers, one line each; "" if nowhere. heddle_release it. */
char *heddle_board_findings(struct heddle *h, size_t *len);

/* ---- links: boards and their hosts ---- */

/* A link between a board and its host, or other boards. */
struct heddle_link_info {
    const char *name;          /* "pcie4" */
    const char *doc;           /* what it is */
    const char *source;        /* where its numbers are from */
    double gbs;                /* GB/s of one direction, with headers */
    double data_gbs;           /* what headers leave of it */
    double latency_us;         /* from the start of a transfer to its first byte */
    double pj_bit;             /* energy of a bit at both ends */
    const char *gbs_basis;     /* how the rate is known: "standard", "vendor", "assumed", ... */
    const char *latency_basis; /* how the latency is known */
    const char *pj_basis;      /* how the energy is known */
};
/* Gets a link by index; false past the last. */
bool heddle_link_info(uint32_t index, struct heddle_link_info *link);

/* What goes over a link. */
struct heddle_transfer {
    const char *link; /* its name */
    const char *kind; /* "copy" (NULL), or of boards that each end with a part or all: "all_gather", "reduce_scatter",
                         "all_reduce" */
    const char *way;  /* of an exchange: "ring" (NULL), or "direct", each board to each through switches */
    uint32_t boards;  /* of an exchange */
    uint64_t bytes;   /* of the copy; of the whole that boards exchange */
};

/* The time and energy of a transfer. */
struct heddle_transferred {
    uint32_t steps;    /* one after the other; 1 of a copy */
    double step_bytes; /* that a board sends in each */
    double us;         /* microseconds of all steps */
    double joules;     /* of all boards together */
};

/* Computes what a transfer takes, by the closed forms of docs/links.md. False if there is no such link, kind or way. */
bool heddle_transfer(struct heddle *h, const struct heddle_transfer *asked, struct heddle_transferred *transferred);

/* ---- buffers ---- */

/* What a buffer holds. */
struct heddle_tensor {
    const char *type;                /* element type: "f32" */
    uint32_t ndim;                   /* 0..HEDDLE_DIMS_MAX */
    uint64_t shape[HEDDLE_DIMS_MAX]; /* [ndim] elements in each dimension */
    uint64_t count;                  /* number of elements */
    uint64_t bytes;                  /* of all of them */
    uint8_t *data;                   /* [bytes] in C order, little endian */
    uint64_t address;                /* [hex] in global memory; 0 for a tensor that is no buffer */
    bool written;                    /* it has content, for the checker `init` (docs/check.md) */
};

/* Creates (or replaces) the buffer `name`, of zeros, which checkers count as unwritten. */
bool heddle_buffer(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape);

/* Gets a buffer, whose data may be read and written between launches; false if the name is unknown. */
bool heddle_buffer_get(struct heddle *h, const char *name, struct heddle_tensor *t);
/* Gets a buffer for reading only: it stays unwritten for checkers. */
bool heddle_buffer_look(struct heddle *h, const char *name, struct heddle_tensor *t);
bool heddle_buffer_drop(struct heddle *h, const char *name);
uint32_t heddle_buffer_count(const struct heddle *h);
const char *heddle_buffer_name(const struct heddle *h, uint32_t index);

/*
 * Read and write NumPy .npy, versions 1 to 3. Reading makes the buffer `name`, converts Fortran order and big endian
 * and notes it in heddle_notes. Writing returns malloc'd bytes (version 1.0, C order, little endian, data 64-aligned).
 * `file` is the name shown in messages.
 */
bool heddle_npy_read(struct heddle *h, const char *name, const char *file, const void *bytes, size_t len);
char *heddle_npy_write(struct heddle *h, const char *name, size_t *len);

/* Sets all elements: "iota", "zeros", "ones", "fill:2.5", "random:7" (docs/running.md). */
bool heddle_buffer_fill(struct heddle *h, const char *name, const char *fill);

/* Options for reading a table. */
struct heddle_csv {
    const char *file; /* shown in messages */
    const char *type; /* of the elements */
    uint32_t ndim;
    const uint64_t *shape; /* NULL = rows and columns, or one dimension for a single row or column */
    bool empty_nan;        /* reads an empty field as NaN instead of refusing it; for floating-point types */
};

/*
 * Makes the buffer `name` from a table as text: fields between commas, semicolons, tabs or blanks, as many on each line
 * (docs/running.md). A first line of names is skipped and noted in heddle_notes.
 */
bool heddle_csv_read(struct heddle *h, const char *name, const struct heddle_csv *csv, const char *text, size_t len);

/* Makes the buffer `name` from little-endian elements, of the given shape or (NULL) in one dimension. */
bool heddle_raw_read(struct heddle *h, const char *name, const char *type, uint32_t ndim, const uint64_t *shape,
                     const char *file, const void *bytes, size_t len);

/*
 * Makes the buffers of the program's variables in global memory that the context lacks, with their initial values; a
 * launch does so as well. A buffer of a variable's name is the variable of each launch without an argument for it.
 */
bool heddle_module_make(struct heddle *h, const struct heddle_program *p);

/* ---- launches ---- */

struct heddle_arg {
    const char *name;   /* parameter, constant or variable of the module */
    const char *buffer; /* buffer bound to it, "x", "x+16" (from its byte 16 on) or "null"; NULL for a scalar */
    const char *text;   /* scalar as text ("2.5", "-1", "0x10"): exact for 64-bit numbers; NULL = use `number` */
    double number;      /* scalar */
};

/* Selects the instructions to explain lane by lane: those of a source line, or the accesses that cost most. */
struct heddle_explain {
    const char *file; /* NULL = the file that was loaded; else an included one, or the end of its path: "find.hd" */
    uint32_t line;
    uint32_t worst;    /* 0 = the line; else the number of accesses: those with most cycles beyond their bytes' need */
    uint32_t given;    /* entries set in `which`; the others are those of the first execution */
    uint64_t which[3]; /* block (x first), warp of the block, execution by that warp (from 1) */
};

/*
 * Records what happens to each warp of a timed launch in the cycles [from, to), until the recording has `bytes` bytes.
 * The result stays the same. Other cycles, or those after a recording that was cut short, need another launch.
 */
struct heddle_watch {
    uint64_t from, to; /* cycles; `to` 0 = to the end */
    uint64_t bytes;    /* 0 = HEDDLE_WATCH_BYTES; also limits the copies of buffers: heddle_buffer_before */
};

/*
 * Options of a launch. Zeros stand for the defaults: a grid of one block, a block of one warp, the board's warp width
 * or, without a board, the widest that the kernel allows, the limits named below. The clock runs if heddle_board_load
 * was called, unless `functional` is set.
 */
struct heddle_launch {
    const char *entry; /* kernel; NULL = the program's only kernel */
    const struct heddle_arg *args;
    uint32_t nargs;
    /* Called from time to time with the share of blocks finished, 0..1; false stops the launch. NULL = not called. */
    bool (*progress)(void *ctx, double share);
    void *progress_ctx;
    const struct heddle_explain *explain;          /* NULL = nothing; the kernel may run beforehand, too, on copies */
    const struct heddle_watch *watch;              /* NULL = no recording */
    const char *suppressions_name, *baseline_name; /* of these texts, in messages; NULL = "suppressions", "baseline" */
    /* Options that `heddle run` and Lua share. */
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) declaration;
#include "sim/base/launch.def"
};

/* How often the instructions of one class were issued. */
struct heddle_class_count {
    const char *name;           /* "shfl", "ld.shared", ... */
    uint64_t warp_instructions; /* [value] times issued */
};

/* A use of a macro. */
struct heddle_use {
    const char *file; /* source file; NULL = the file that was loaded */
    uint32_t line;    /* [exists] source line; 0 = unknown */
};

/* [python Line] An instruction, and what it cost. */
struct heddle_line_count {
    const char *file;       /* source file; NULL = the file that was loaded */
    uint32_t line;          /* source line; 0 = unknown */
    uint32_t pc;            /* number of the instruction in the program */
    uint32_t first;         /* its pc in the first round of the `.repeat` around it; without one, its own */
    struct heddle_use used; /* the outermost macro use that made it; line 0 = made by no macro */
    const char *text;   /* source text with macro arguments replaced; the disassembly, if loaded from an object file */
    const char *rounds; /* [json text?] the texts of all rounds of a `.repeat` in one: "shl.b32 v, w, 0..4" */
    const char *disassembly;    /* the instruction as the disassembler prints it */
    uint64_t warp_instructions; /* times issued */
    uint64_t lanes;             /* lanes that executed it, summed */
    const uint64_t *stall;      /* [by heddle_stall_name] with a clock: warp-cycles stalled, by reason */
    const uint64_t *value;      /* [columns heddle_line_column] with a clock: value of each column */
};

/* A counter, or a figure derived from counters. Names and meaning: docs/reference/counters.md. */
struct heddle_metric {
    const char *name;    /* "l1.hits" */
    const char *unit;    /* "" = none */
    const char *doc;     /* its meaning, one sentence */
    const char *formula; /* how it follows from other metrics; "" = counted */
    double value;        /* [value] [if !absent] [whole if whole] in that unit */
    bool whole;          /* a count, exact up to 2^53 */
    bool absent;         /* has no value, because its denominator is 0 */
};

/* Memory traffic of one buffer; "(local)" is the local memory of all threads. */
struct heddle_traffic {
    const char *name;      /* of the buffer */
    const uint64_t *value; /* [columns heddle_traffic_column] value of each column */
    double energy;         /* joules of its events in L1, L2 and DRAM */
};

/*
 * A bank of a data bus of DRAM: what its bursts took of the bus, or made it wait for. With `idle_cycles`, which are
 * no bank's, these add up to what the channel counted; `bus_cycles` are the sum of the bank's own parts.
 */
struct heddle_bank {
    uint32_t number;       /* from 0, among those of the data bus */
    const uint64_t *value; /* [columns heddle_channel_column] value of each column */
};

/* A data bus of DRAM: a channel, or a pseudo channel. What it counted is what the metrics dram.NAME sum. */
struct heddle_channel {
    uint32_t number;       /* from 0, among those of the board */
    const uint64_t *value; /* [columns heddle_channel_column] value of each column */
    uint32_t nbanks;
    const struct heddle_bank *banks; /* [if nbanks] its banks, where the launch counts them (dram_banks) */
};

/* A part of the energy of a launch, linear in a value of the board; all of them add up to the metric energy.total. */
struct heddle_energy {
    const char *name;  /* key of the board's value: "energy.l1", "power.sm_w" */
    double count;      /* events; of a power, picoseconds, of all SMs together for one of an SM */
    double value;      /* the board's value, in picojoules or watts */
    double picojoules; /* count x value */
    double low, high;  /* the same at the ends of the value's range; without one as it is */
    const char *basis; /* "measured", "derived", "fitted" or "assumed"; NULL if it has none */
    bool ranged;       /* the value has a range */
};

/* A column: what is counted for each buffer or each line. */
struct heddle_column_info {
    const char *name, *unit, *doc; /* "sectors", its unit ("" = none), and one sentence */
};

/* A fault of the simulated program, and its place. */
struct heddle_fault_info {
    const char *kind;   /* [exists] "out_of_bounds", ...; in JSON also "stopped"; NULL = none */
    const char *kernel; /* kernel that faulted */
    const char *file;   /* source file; NULL = the file that was loaded */
    uint32_t line;      /* source line; 0 = unknown */
    uint32_t block[3];  /* block in the grid, x first, from 0 */
    uint32_t warp;      /* warp of the block */
    uint32_t lane;      /* lane of the warp */
    uint64_t address;   /* [hex] address of the access; 0 for other faults */
};

enum heddle_cell {
    HEDDLE_CELL_NUMBER,
    HEDDLE_CELL_SIGNED, /* value[] is two's complement */
    HEDDLE_CELL_HEX,
    HEDDLE_CELL_FLOAT, /* value[] holds the bits of a double */
    HEDDLE_CELL_TEXT   /* text[] holds it */
};

/* A column of the table of lanes. */
struct heddle_column {
    const char *name;  /* "address", "bank", "new r4" */
    const char *title; /* the name with registers by their own names: "new sum" */
    /* [not python] The values. */
    enum heddle_cell kind; /* what the values are */
    uint64_t lanes;        /* [hex] lanes with a value, one bit each */
    uint64_t value[64];    /* of each lane */
    const char *text[64];  /* of each lane, of HEDDLE_CELL_TEXT */
};

/* How many executions had a value. */
struct heddle_bin {
    uint64_t value;      /* value of an execution */
    uint64_t executions; /* executions with it */
};

/* A number measured at each execution, and its distribution over all executions of the launch. */
struct heddle_spread {
    const char *name;  /* "sectors" */
    uint64_t min, max; /* over all executions */
    double mean;       /* over all executions */
    uint32_t nhistogram;
    const struct heddle_bin *histogram; /* bins, by ascending value */
};

/* An explained instruction. */
struct heddle_explained {
    const char *file; /* source file; NULL = the file that was loaded */
    uint32_t line;    /* as in the result's lines */
    uint32_t pc;      /* as in the result's lines */
    uint32_t first;   /* as in the result's lines */
    const char *text; /* source text with macro arguments replaced; the disassembly, if loaded from an object file */
    const char *disassembly; /* the instruction as the disassembler prints it */
    uint64_t executions;     /* executions with at least one lane */
    bool shown;              /* the requested execution took place; if not, `words` explain why */
    uint32_t block[3];       /* [if shown] block of that execution, x first */
    uint32_t warp;           /* [if shown] warp of the block */
    uint64_t active;         /* [hex] [if shown] lanes at the instruction */
    uint64_t ran;            /* [hex] [if shown] lanes whose guard held */
    uint32_t ncolumns, nwords, ntotals;
    const struct heddle_column *columns; /* [json +?lanes] [not lua] [python list] values that lanes read and wrote */
    const char *const *words;            /* the explanation, in sentences */
    const struct heddle_spread *totals;  /* [python list] numbers of all executions */
};

/* [python Place] An instruction of a finding, as one lane executed it. */
struct heddle_finding_place {
    const char *file;        /* source file; NULL = the file that was loaded */
    uint32_t line;           /* source line; 0 = unknown */
    const char *text;        /* as in the result's lines */
    const char *disassembly; /* as in the result's lines */
    const char *source;      /* [null] the source text; NULL = unknown */
    const char *how;         /* [null] "read", "write", "atomic", "strong read", "strong write"; NULL = no access */
    uint32_t block[3];       /* block in the grid, x first, from 0 */
    uint32_t warp;           /* warp of the block */
    uint32_t lane;           /* lane of the warp */
    uint64_t cycle;          /* [if cycle != UINT64_MAX] when; UINT64_MAX = no clock */
};

/* A finding of a checker: the first of its class at a pair of instructions, and the count of all. */
struct heddle_finding {
    const char *kind;   /* "race", "init", "sync", "mem", "value" */
    const char *class_; /* its class: "write-write" */
    const char *doc;    /* the class in words */
    const char *text;   /* what happened, and what would mend it */
    uint32_t nplaces;
    struct heddle_finding_place places[2]; /* the place that completed it, then the earlier one */
    /* [if space] */
    const char *space;    /* "shared", "global", ...; NULL = not about memory */
    const char *buffer;   /* [null] buffer in global memory; NULL = none */
    const char *variable; /* [null] variable in shared or local memory; NULL = none is declared there */
    uint64_t address;     /* in the buffer, or in its space */
    uint32_t bytes;       /* size of the access */
    const char *where; /* [null] "y[3,32]", "shared tile[3]", "bytes 4 to 7 of local memory"; NULL = not about memory */
    /* All findings of the class there. */
    uint64_t count;         /* number of times */
    const char *allowed;    /* [null] the reason of the allowance that covers it; NULL = none */
    const char *allowed_by; /* [null] place of that allowance: "k.hd:12:9"; NULL = none */
    bool known;             /* a line of the baseline covers it */
    const char *baseline;   /* the line of a baseline that will: "allow race read-write in k at ...: known" */
};

/* [python Step] An access of an order of warps. */
struct heddle_order_step {
    const char *file;        /* source file; NULL = the file that was loaded */
    uint32_t line;           /* source line; 0 = unknown */
    const char *text;        /* as in the result's lines */
    const char *disassembly; /* as in the result's lines */
    const char *how;         /* "reads", "writes", "updates", "arrives at" */
    const char *what;        /* "y[32]", "shared memory, byte 128", "barrier 1" */
    uint32_t block[3];       /* block in the grid, x first, from 0 */
    uint32_t warp;           /* warp of the block */
    uint32_t lane;           /* lane of the warp */
};

/* One of two orders of warps that end differently. */
struct heddle_order {
    const char *value;              /* [null] value of the element that differs; NULL = only one of the orders faults */
    struct heddle_fault_info fault; /* [json text|null] fault that it ends with; kind NULL = none */
    const char *message;            /* [null] the fault in full; NULL = none */
    uint32_t nsteps;
    const struct heddle_order_step *steps; /* accesses that change places, and the last write of the element */
};

/* A piece of advice about a launch: what to try, and how much it can gain at most. */
struct heddle_advice {
    const char *rule; /* its name: heddle_advice_rule */
    double gain;      /* upper bound: 1.8 = 1.8 times as fast, or as much work in the same time */
    const char *text; /* "avoid bank conflicts, up to 1.8x faster: they are 87 % of ... (line 14)" */
    const char *file; /* source file; NULL = the file that was loaded */
    uint32_t line;    /* [if line] source line that it concerns; 0 = none */
};

/* [python Printed] A line that a lane printed. */
struct heddle_printed {
    const char *text;  /* printable ASCII, without an end of line */
    const char *file;  /* source file of the print; NULL = the file that was loaded */
    uint32_t line;     /* source line; 0 = unknown */
    uint32_t block[3]; /* block in the grid, x first, from 0 */
    uint32_t warp;     /* warp of the block */
    uint32_t lane;     /* lane of the warp */
};

/* Results of all orders of warps that can matter. */
struct heddle_orders {
    uint64_t executed;            /* orders run to their end */
    uint64_t bound;               /* limit of orders to begin */
    bool all;                     /* no other order can matter */
    bool same;                    /* all leave the same bytes, or all fault */
    bool faults;                  /* the first order faults */
    const char *text;             /* the answer, one sentence */
    const char *buffer;           /* if not the same: first buffer that differs; NULL = only one of the orders faults */
    uint64_t element;             /* [if buffer] [index] its first element that differs */
    struct heddle_order order[2]; /* [if !same] an order with the first one's result, and one with another */
};

/*
 * Bytes of lines that a launch keeps, of each its text and 16 more. Lines from the first on that does not fit are
 * dropped and counted. Which are kept depends neither on the clock nor on `threads`.
 */
enum { HEDDLE_PRINTED_MAX = 1 << 20 };

/* The result of a launch: what ran and, with a clock, how long it took and why. */
struct heddle_result {
    const char *kernel;                 /* its name */
    const char *engine;                 /* executor that ran */
    const char *schedule;               /* "random:7"; NULL = the machine's own order */
    const struct heddle_orders *orders; /* with the schedule "all"; valid until the next launch on `h`; else NULL */
    uint32_t grid[3];                   /* blocks in x, y and z */
    uint32_t block[3];                  /* threads of a block in x, y and z */
    uint32_t warp;                      /* lanes of a warp */
    uint64_t shared_bytes;              /* [if shared_bytes] shared memory that the launch gave a block, bytes */
    bool cooperative;                   /* [if cooperative] all blocks were resident at one time */
    const char *rules;                  /* [if rules] "hardware"; NULL = the strict rules */
    uint64_t lenient_barriers;          /* [if rules] barriers at which exited threads counted as arrived */
    uint64_t lenient_shuffles;          /* [if rules] shuffles that read lanes which were not active */
    uint64_t lenient_masks;             /* [if rules] member masks that named lanes which were not active */
    uint64_t lenient_paths;             /* [if rules] turns of lanes while others of their warp looped or waited */
    const char *rule_warnings;          /* [if rule_warnings] lines about these; NULL = none */
    uint64_t blocks;                    /* blocks run */
    uint64_t warps;                     /* warps run */
    uint64_t warp_instructions;         /* instructions that warps issued */
    uint64_t thread_instructions;       /* lanes that executed, summed over all warp-instructions */
    double lanes_per_instruction;       /* lanes that executed a warp-instruction, on average; 0 = none ran */
    double simt_efficiency;             /* lanes_per_instruction as a share of the warp's lanes */
    uint32_t nclasses, nlines;
    /* The lists are valid until the next launch on `h`. */
    const struct heddle_class_count *classes; /* classes issued at least once, in table order */
    const struct heddle_line_count *lines;    /* one for each instruction of the kernel and of the functions it calls */
    uint32_t nprinted;
    const struct heddle_printed *printed; /* [if nprinted] lines of `print`, by block, warp and order in the warp */
    uint64_t printed_dropped;             /* [if printed_dropped] lines that are more than HEDDLE_PRINTED_MAX */
    uint32_t nexplain;
    const struct heddle_explained *explain; /* [json explain?] instructions lane by lane */
    struct heddle_fault_info fault;         /* [not json lua python] fault that ended it */
    /* [if checked] With checkers; valid until the next launch on `h`. */
    const char *checked; /* checkers that ran: "race, init, sync, mem"; NULL = none */
    uint32_t nfindings;
    const struct heddle_finding *findings; /* findings, in order of occurrence */
    uint32_t allowed;                      /* findings among them that an allowance or the baseline covers */
    const char *allow_warnings;            /* [null] messages on allowances that cover nothing; NULL = none */
    uint64_t check_memory;                 /* bytes of the checkers' shadow memory */
    uint64_t check_forgotten;              /* accesses that checkers forgot to bound their memory */
    /* Without a clock, the rest is 0. */
    bool timed; /* ran with a clock */
    /* [if board] Not after a fault. */
    uint64_t cycles;             /* from the start of the first block to the last event of the launch */
    uint64_t overhead_cycles;    /* cycles of the launch itself, not part of `cycles` */
    double seconds;              /* `cycles` at the board's clock */
    const char *board;           /* [not json] its name */
    const char *caches;          /* [words] "cold" or "warm" */
    const char *limiter;         /* what bounds the launch, one sentence */
    const char *hint;            /* the advice to try first, or that none is worth trying; one sentence */
    const char *inconsistency;   /* counters that do not add up, a bug of heddle; NULL = all add up */
    const char *occupancy_limit; /* what limits the blocks of an SM (heddle_limit_name) */
    uint32_t nmetrics, ntraffic, nchannels, nadvice, nenergy;
    const struct heddle_advice *advice;    /* advice, by descending gain */
    const struct heddle_metric *metrics;   /* counters, and figures derived from them */
    const struct heddle_traffic *traffic;  /* traffic of each buffer */
    const struct heddle_channel *channels; /* what each channel of DRAM counted; the parts of its time add up */
    const struct heddle_energy *energy;    /* parts of the energy: events, then what always flows */
    uint32_t nstalls;                      /* [not json python] number of stall reasons: heddle_stall_name */
    uint64_t events;                       /* [not python] [if events] events recorded, with `watch`: heddle_event */
    /* [not python] [if events && complete != UINT64_MAX] */
    uint64_t complete; /* cycle up to which the recording is complete; UINT64_MAX = to the end, or to the watch's end */
    /* [if sample] With sampling. */
    const char *sample;     /* what was timed, or why all blocks were, one sentence; NULL = no sample was wanted */
    bool sampled;           /* time and counters are extrapolated; false = all blocks were timed */
    uint64_t sample_blocks; /* blocks that were timed */
    uint32_t sample_groups; /* groups of blocks that do the same; 0 = they were not grouped */
    uint64_t cycles_low;    /* `cycles` at the low end of the interval of 95 % */
    uint64_t cycles_high;   /* `cycles` at its high end */
    /* [if beside] Of one of several launches on the board (heddle_launch_all). */
    uint32_t beside;       /* launches that shared the board, with this one; 0 = it had the board alone */
    int32_t priority;      /* its priority among them */
    uint64_t first_block;  /* cycle of its first block */
    uint64_t sm_cycles;    /* cycles of SMs that held its blocks and no others, summed over SMs */
    uint64_t alone_cycles; /* cycles that it takes alone on the board; 0 = not measured, or it does not end alone */
    double slowdown;       /* `cycles` over `alone_cycles`; 0 = not known */
};

/* Runs a kernel to its end. After a fault, the result's `fault` holds the place and heddle_error the full message. */
enum heddle_status heddle_launch(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                                 struct heddle_result *result);

/* One of the launches of heddle_launch_all. */
struct heddle_beside {
    const struct heddle_program *program;
    const struct heddle_launch *launch;
    int32_t priority; /* its blocks start before those of lower ones; equals get as many SMs each */
    bool alone;       /* the launch runs alone as well, before, on a copy of the buffers: `alone_cycles`, `slowdown` */
};

enum { HEDDLE_BESIDE_MAX = 64 }; /* launches of one call */

/*
 * Runs `n` launches (1 to HEDDLE_BESIDE_MAX) at one time, as kernels in streams of CUDA: all from cycle 0, with cold
 * caches. An SM holds blocks of one launch at a time and takes those of another when nothing of the first is left to
 * start or in flight; L2, network and DRAM serve all. results[i] is the i-th launch's: `cycles` up to the last event of
 * its SMs, and the counts of these, without L2, DRAM and energy, which are the board's. *board (NULL = not wanted) has
 * the sums and all that is shared; its metrics of occupancy are the first launch's. `threads`, `max_cycles` and
 * `progress` are those of the first.
 *
 * HEDDLE_INPUT without a board, for no launch or too many, and for options of one launch alone: functional, warm,
 * check, schedule, explain, watch. HEDDLE_FAULT: a launch faulted, which ends all; its result has the `fault`.
 */
enum heddle_status heddle_launch_all(struct heddle *h, const struct heddle_beside *launches, uint32_t n,
                                     struct heddle_result *results, struct heddle_result *board);

/* How a launch is shared out to boards. */
struct heddle_share {
    const char *by; /* whole scalar parameter that counts rows; NULL = the first factor of the first buffer written */
    uint32_t boards;
    const char
        *along; /* grid's dimension that is shared out: "x" (NULL), "y", "z"; "all" = no, blocks loop over rows */
};

/* What one board gets of a launch. */
struct heddle_board_part {
    uint64_t first, rows; /* its rows: the board's value of the parameter is `rows` */
    uint32_t grid[3];     /* its blocks */
};

/*
 * Shares a launch out to boards (1 to HEDDLE_BOARDS_MAX), by rows: part[i] is what the i-th gets. Blocks are spread
 * over the boards as evenly as they can, each with the rows of its place: all blocks have as many, rounded up. Returns
 * the parameter that counts rows. NULL with the reason in heddle_error: no such parameter, or fewer blocks or rows than
 * boards.
 */
const char *heddle_share(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                         const struct heddle_share *share, struct heddle_board_part *part);

/*
 * Finds the elements of a row of a buffer parameter: m for `x : f32[n*m]`, by n. 0 = it has no such rows, and each
 * board gets all of it. -1 with the reason in heddle_error, also where that is unknown (`f32[n+1]`).
 */
int64_t heddle_share_row(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                         const char *by, const char *parameter);

/*
 * Checks that a block of the launch fits on an SM of the board; arguments are ignored. False with the reason in
 * heddle_error, which may also be an unknown kernel or wrong sizes.
 */
bool heddle_fits(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch);

/*
 * Finds the type and the least number of elements of a buffer for the parameter `name` of the launch's kernel (or of
 * the first kernel with such a parameter). A declared extent may need scalars among the launch's arguments. False with
 * the reason in heddle_error.
 */
bool heddle_param_needs(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                        const char *name, const char **type, uint64_t *count);

/* Checks that a kernel of the program accepts the argument. False with the reason in heddle_error. */
bool heddle_param_takes(struct heddle *h, const struct heddle_program *p, uint32_t kernel,
                        const struct heddle_arg *arg);

/* Names the reasons why a warp does not issue, in table order. NULL past the last. */
const char *heddle_stall_name(uint32_t index, const char **doc);

/* Describe the columns of `traffic`, `channels` and timed `lines`, in their order. False past the last. */
bool heddle_traffic_column(uint32_t index, struct heddle_column_info *column);
bool heddle_channel_column(uint32_t index, struct heddle_column_info *column);
bool heddle_line_column(uint32_t index, struct heddle_column_info *column);

/* Find the value of a column by its name; NULL if the name is unknown or the launch had no clock. */
const uint64_t *heddle_traffic_value(const struct heddle_traffic *traffic, const char *column);
const uint64_t *heddle_channel_value(const struct heddle_channel *channel, const char *column);
const uint64_t *heddle_line_value(const struct heddle_line_count *line, const char *column);

/* Names what can limit the blocks of an SM, in table order; `title` is its name in reports. NULL past the last. */
const char *heddle_limit_name(uint32_t index, const char **title);

/* Describes every metric of a timed launch: name, unit and documentation. False past the last. */
bool heddle_metric_row(uint32_t index, struct heddle_metric *row);

/* Describes the rules of advice: name, action and reason, one sentence. False past the last. */
bool heddle_advice_rule(uint32_t index, const char **name, const char **action, const char **doc);

/* Describes the checkers: name, one sentence, and whether "all" includes it. False past the last. */
bool heddle_check_kind(uint32_t index, const char **name, const char **doc, bool *standard);

/* What finds a class: a checker that "all" means, one that is named (it guesses what was meant), a proof. */
enum heddle_by { HEDDLE_BY_ALL, HEDDLE_BY_NAME, HEDDLE_BY_PROOF };

/* Describes the classes of findings: kind, name, one sentence, and what finds it. False past the last. */
bool heddle_check_class(uint32_t index, const char **kind, const char **name, const char **doc, enum heddle_by *by);

/* Describes what lint warns of: name and a few words. False past the last. */
bool heddle_lint_class(uint32_t index, const char **name, const char **doc);

/*
 * Describes the ways to make a buffer: the interface, how it is written there, what the buffer holds then, and whether
 * the checker `init` counts that as written. False past the last.
 */
bool heddle_content(uint32_t index, const char **where, const char **how, const char **doc, bool *written);

/* Describes the kinds of fault, in table order: name and one sentence. False past the last. */
bool heddle_fault_kind(uint32_t index, const char **name, const char **doc);

/* ---- memory alone ---- */

/*
 * A trace of memory requests through the DRAM of the context's board alone: its controllers, without SMs and caches.
 * Lines of text in one of the formats of heddle_trace_format, '#' begins a comment:
 *
 *   LD 0x1000                  ramulator: a read (ST: a write) of the burst with that address
 *   R 0,2,1,17,3               ramulator-rw: of a place: channel, bank group, bank, row, column as the board has levels
 *   0x1000 READ 12             dramsim3: of an address, at that cycle of the memory's clock
 *
 *   struct heddle_replayer *r = heddle_replay_begin(h, &asked);
 *   while (... && heddle_replay_feed(r, text, len))                     any pieces of the text, one after the other
 *   if (heddle_replay_end(r, &result)) ...
 *   heddle_replay_free(r);
 */
struct heddle_replay {
    const char *name;   /* of the trace, in messages; NULL = "trace" */
    const char *format; /* a name of heddle_trace_format; NULL = that of the first request */
    uint32_t channels;  /* channels that share the addresses, line by line; 0 = those of the board */
    bool open;          /* requests arrive at their cycles; false = each as soon as its queue has room */
    bool commands;      /* keeps the commands, for heddle_replay_commands */
};

/* A part of the time of DRAM's data buses; all of them add up to it. */
struct heddle_part {
    const char *name;  /* "refresh" */
    const char *title; /* its name in reports */
    const char *doc;   /* its meaning, one sentence */
    uint64_t cycles;   /* memory cycles, summed over data buses */
    double percent;    /* share of the time */
};

/* What a trace took, and where the time went. Times are of the memory: without the way from and to an SM. */
struct heddle_replayed {
    const char *format;     /* of the trace; "" = it has no request */
    uint64_t requests;      /* reads and writes */
    uint64_t reads;         /* requests that read */
    uint64_t writes;        /* requests that write */
    uint64_t bytes;         /* moved by them, a burst each */
    uint64_t cycles;        /* memory cycles to the end of the last data */
    double seconds;         /* `cycles` at the memory's clock */
    double gbs;             /* GB/s moved */
    double peak_gbs;        /* GB/s that the data buses can */
    uint64_t row_hits;      /* requests whose row was open */
    double row_hit_percent; /* their share */
    uint64_t activates;     /* rows opened */
    double latency_mean;    /* ns from the arrival of a read at its queue to the end of its data, on average */
    double latency_50;      /* ns that half of the reads take at most */
    double latency_90;      /* ns that 90 % of the reads take at most */
    double latency_99;      /* ns that 99 % of the reads take at most */
    double latency_most;    /* ns of the slowest read */
    double picojoules;      /* energy of these channels, of what dram.energy names: bursts or commands */
    double picojoules_bit;  /* energy of a bit moved; 0 = none was */
    uint32_t nparts, nchannels, nenergy;
    const struct heddle_part *parts;       /* where the time of the data buses went */
    const struct heddle_channel *channels; /* what each channel counted */
    const struct heddle_energy *energy;    /* parts of the energy */
    const char *commands; /* [null] [not json] commands given, as CSV, with `commands`; NULL = they were not kept */
};

struct heddle_replayer;

/*
 * Keeps what the DRAM of timed launches does from now on, or no more: the commands of its controllers, and the requests
 * that reach them. Results stay the same.
 */
void heddle_trace_memory(struct heddle *h, bool on);

/*
 * Writes what was kept of the last launch: "commands" as heddle_replay_commands has them, or requests in a format of
 * heddle_trace_format, in the order of their arrival, with addresses that go round the channels line by line.
 */
char *heddle_memory_trace(struct heddle *h, const char *form, size_t *len);

/*
 * Replays a whole text. The lists of the result are valid until the next launch or replay on `h`. False with an error
 * that names line and column.
 */
bool heddle_replay_text(struct heddle *h, const struct heddle_replay *asked, const char *text, size_t len,
                        struct heddle_replayed *result);

/* Begins a replay on the board as it is now; NULL with an error. */
struct heddle_replayer *heddle_replay_begin(struct heddle *h, const struct heddle_replay *asked);

/* Reads the next piece of the trace; false with an error that names line and column. */
bool heddle_replay_feed(struct heddle_replayer *r, const char *text, size_t len);

/* Serves what waits, and sums up; its lists are valid until heddle_replay_free. False with an error. */
bool heddle_replay_end(struct heddle_replayer *r, struct heddle_replayed *result);

/* Writes the commands given as CSV: clock,command,channel,...,row,column,type,source; channel by channel, in order. */
char *heddle_replay_commands(struct heddle_replayer *r, size_t *len);

void heddle_replay_free(struct heddle_replayer *r);

/* Names the formats of traces, by index. NULL past the last. */
const char *heddle_trace_format(uint32_t index);

/* ---- recordings ---- */

enum { HEDDLE_EVENT_VALUES = 8, HEDDLE_ROW_VALUES = 256 };

/* An event of a recorded launch. */
struct heddle_event {
    uint32_t kind;  /* [only c] heddle_event_kind */
    uint64_t cycle; /* cycle of the event */
    uint32_t sm;    /* [if sm != UINT32_MAX] SM; UINT32_MAX = none */
    uint64_t block; /* [if block != UINT64_MAX] number in the grid, x first; UINT64_MAX = none */
    uint32_t warp;  /* [if warp != UINT32_MAX] of the block; UINT32_MAX = none */
    uint32_t pc;    /* [if pc != UINT32_MAX] number of the instruction; UINT32_MAX = none */
    uint32_t nvalues;
    uint64_t value[HEDDLE_EVENT_VALUES]; /* [only c] [nvalues] as heddle_event_field describes them */
    uint32_t ntail;
    const uint64_t *tail; /* [only c] encoded: heddle_event_row, heddle_event_level, heddle_event_address */
};

/* Contents of an event's tail. */
enum heddle_tail {
    HEDDLE_TAIL_NONE,
    HEDDLE_TAIL_ROWS,     /* registers: heddle_event_row */
    HEDDLE_TAIL_LEVELS,   /* levels that wait, lowest first: heddle_event_level */
    HEDDLE_TAIL_ADDRESSES /* address of each active lane, by ascending lane: heddle_event_address */
};

/* Meaning of a number of an event. */
enum heddle_event_form {
    HEDDLE_EVENT_NUMBER,
    HEDDLE_EVENT_OPTIONAL, /* UINT64_MAX = none */
    HEDDLE_EVENT_MASK,     /* lanes or sectors, one bit each */
    HEDDLE_EVENT_WORD      /* stands for a word: heddle_event_word */
};

/* One register of a tail. */
struct heddle_event_row {
    char name[8];   /* "r4", "p0", "x1" */
    uint64_t ready; /* in a state: first cycle when it can be read, UINT64_MAX = not known yet; else 0 */
    uint32_t nvalues;
    uint32_t values[HEDDLE_ROW_VALUES]; /* r4: one for each lane; a predicate: 2, its mask; x1: slots, lane by lane */
};

/* A group of lanes that wait to reconverge. */
struct heddle_level {
    uint64_t lanes;      /* [hex] lanes that wait, one bit each */
    uint64_t next;       /* their next instruction */
    uint64_t reconverge; /* [null] where they rejoin the level below; UINT64_MAX = nowhere */
};

/*
 * Gets event number `index` of the last launch on `h`, ordered by cycle, then SM, then kind; valid until the next
 * launch or board. False past the last.
 */
bool heddle_event(const struct heddle *h, uint64_t index, struct heddle_event *event);

/* Returns a number that identifies the last recording and changes with each launch; 0 if there is none. */
uint64_t heddle_recording(const struct heddle *h);

/*
 * Returns a buffer's bytes from before the last launch. NULL if that launch was not watched or did not use the buffer,
 * if its buffers were larger than `bytes` of the watch, or if the buffer has another size now.
 */
const uint8_t *heddle_buffer_before(const struct heddle *h, const char *name);

/* Finds the number of the first event at or after a cycle. */
uint64_t heddle_event_at(const struct heddle *h, uint64_t cycle);

/* Get row, level or address number `index` of an event's tail. False past the last, or if the tail holds others. */
bool heddle_event_row(const struct heddle *h, const struct heddle_event *event, uint32_t index,
                      struct heddle_event_row *row);
bool heddle_event_level(const struct heddle_event *event, uint32_t index, struct heddle_level *level);
bool heddle_event_address(const struct heddle_event *event, uint32_t index, uint64_t *address);

/* Describes the kinds of events: name, one sentence, contents of the tail (NULL = none). Pointers may be NULL. */
const char *heddle_event_kind(uint32_t index, const char **doc, enum heddle_tail *tail, const char **tail_doc);

/* Describes the numbers of a kind of event: name, form and one sentence. Pointers may be NULL. NULL past the last. */
const char *heddle_event_field(uint32_t kind, uint32_t index, enum heddle_event_form *form, const char **doc);

/* Returns the word that a number of an event stands for. */
const char *heddle_event_word(uint32_t kind, uint32_t index, uint64_t value);

/*
 * The state of a warp after the first events of a recording: the values of its registers, where it is, why it waits.
 * A value is shown from the issue of its instruction on, and can be read at `ready`.
 */
struct heddle_state {
    uint64_t cycle;      /* cycle of the warp's last event */
    uint32_t sm, place;  /* SM; place among its warps */
    uint32_t sub_core;   /* sub-core of the SM */
    uint32_t pc;         /* next instruction */
    bool ended;          /* all lanes have exited */
    uint64_t lanes;      /* [hex] [if lanes] lanes with a thread of the block; 0 = not recorded */
    uint64_t active;     /* [hex] lanes that execute at `pc` */
    uint64_t reconverge; /* [null] where they wait for the others; UINT64_MAX = nowhere */
    const char *reason;  /* why it waits, or waited last; NULL = unknown */
    uint64_t from;       /* [if reason] first cycle of that wait */
    uint64_t until;      /* [if reason && until != UINT64_MAX] its end; UINT64_MAX = not known yet */
    uint32_t width;      /* lanes of a warp */
    uint32_t nlevels;
    const struct heddle_level *levels; /* levels that wait below, the lowest first */
    uint32_t nregs, npreds, ntransit;
    uint32_t slots;          /* 32-bit slots of a transit register */
    const uint32_t *regs;    /* [only c] [nregs] [width] 0xcdcdcdcd = not written yet */
    const uint64_t *preds;   /* [only c] [npreds] [hex] lanes, one bit each */
    const uint32_t *transit; /* [only c] [ntransit * slots] [width] the slots of each */
    const uint64_t *ready;   /* [only c] [nregs + npreds + ntransit] when each can be read; UINT64_MAX = not known */
};

/*
 * Reconstructs the state of a warp after the first `before` events of the last launch; heddle_event_at gives the number
 * for a cycle. Valid until the next call, launch or board. False, with the reason in heddle_error, if it is not known.
 */
bool heddle_state(struct heddle *h, uint64_t block, uint32_t warp, uint64_t before, struct heddle_state *state);

/* Find a warp's first event at or after event `from`, or its last one before it; UINT64_MAX if there is none. */
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
 * Once another launch or board has replaced the recording, every command is refused. The program must stay alive, and
 * buffers as the launch left them.
 */
struct heddle_debugger;

/* Opens the recording of the last launch on `h`, of `p`. NULL, with the reason in heddle_error, if there is none. */
struct heddle_debugger *heddle_debugger_new(struct heddle *h, const struct heddle_program *p,
                                            const struct heddle_result *result);
void heddle_debugger_free(struct heddle_debugger *d);

/*
 * Executes a command line as typed at the prompt. `*text` is its output, lines that end in a newline; after false, the
 * reason for refusing it, without a newline. Valid until the next command.
 */
bool heddle_debugger_command(struct heddle_debugger *d, const char *line, const char **text);

/* Position of the cursor. */
struct heddle_debugger_place {
    uint64_t block;  /* number in the grid, x first */
    uint32_t warp;   /* warp of the block */
    uint64_t cycle;  /* the last that has begun */
    uint64_t events; /* number of events before it: `before` of heddle_state */
    bool left;       /* the last command was `quit` */
};
struct heddle_debugger_place heddle_debugger_place(const struct heddle_debugger *d);

/* Moves the cursor to a warp, before event number `events`. False if the warp is not in the recording. */
bool heddle_debugger_go(struct heddle_debugger *d, uint64_t block, uint32_t warp, uint64_t events);

/* What a lane did to memory. */
enum heddle_touch_kind {
    HEDDLE_STORED,   /* `value` is there from `issue` on, as its own warp sees it */
    HEDDLE_COMBINED, /* an atomic: `value` is its last operand, its result is not recorded */
    HEDDLE_LOADED    /* `value` was read */
};

/* One lane's part of an access in a recording. */
struct heddle_touch {
    uint64_t issue;    /* event of its instruction's issue */
    uint64_t access;   /* event that has the address, later if the memory pipe was taken */
    uint64_t block;    /* number in the grid, x first */
    uint64_t address;  /* in its space */
    uint32_t warp;     /* warp of the block */
    uint32_t lane;     /* lane of the warp */
    uint32_t pc;       /* its instruction */
    uint32_t bytes;    /* 1 to 16 */
    uint32_t kind;     /* enum heddle_touch_kind */
    uint32_t value[4]; /* little endian */
};

/* Bytes of "global" memory, or of the "shared" memory of a block. */
struct heddle_range {
    const char *space;
    uint64_t block, from, count;
};

/*
 * Calls back with all that lanes did to these bytes: stores and atomics first, then loads, each warp by warp and by
 * issue. Of lanes that store to one place, the highest wins. False when out of memory, or if another launch has
 * replaced the recording.
 */
bool heddle_debugger_touches(struct heddle_debugger *d, const struct heddle_range *range,
                             void (*touched)(void *ctx, const struct heddle_touch *touch), void *ctx);

/* Describes the commands: name, short form ("" = none), arguments and what they do. False past the last. */
bool heddle_debugger_row(uint32_t index, const char **name, const char **brief, const char **arguments,
                         const char **doc);

/* ---- proofs ---- */

enum heddle_verdict {
    HEDDLE_EQUAL,     /* for all inputs */
    HEDDLE_DIFFERENT, /* on an input that was found and run */
    HEDDLE_UNPROVED,  /* equal on all data tried; expressions differ, or depend on uninitialised data */
    HEDDLE_DEPENDS,   /* equal on all data tried; control flow is data-dependent and could not be followed */
    HEDDLE_ORDER,     /* equal for all inputs in the order tried; a race or a barrier lets other orders differ */
    HEDDLE_UNDECIDED  /* ended by max_seconds or progress before an answer */
};

enum heddle_role {
    HEDDLE_ROLE_ANY,    /* any data at the start; compared at the end */
    HEDDLE_ROLE_IN,     /* any data at the start; neither kernel may write to it */
    HEDDLE_ROLE_OUT,    /* zeros at the start; compared */
    HEDDLE_ROLE_SCRATCH /* zeros at the start; not compared */
};

struct heddle_prove_kernel {
    const struct heddle_program *program;
    const char *entry;
    uint32_t grid[3], block[3]; /* as in struct heddle_launch */
};

struct heddle_prove_buffer {
    const char *name; /* a buffer of the context */
    enum heddle_role role;
};

/* A buffer whose shape depends on a size: it is made, or replaced, for each. */
struct heddle_prove_shape {
    const char *buffer, *shape; /* "x", "f32[n,4]" */
};

/*
 * A range of a size, to be proved: the argument of its name, where a kernel has such a parameter, and counts that
 * depend on it, of numbers, the name, + - * / and ceil: "4*n", "ceil(n/256)".
 */
struct heddle_prove_sizes {
    const char *range;   /* "n=1..1000", "n=32..4096:32", or "n=1..": as far as it can be proved; NULL = one launch */
    const char *grid[2]; /* blocks of each kernel, up to three counts with commas; NULL = as in `kernel` */
    const struct heddle_prove_shape *shapes;
    uint32_t nshapes;
};

/* An SMT solver, which decides elements whose expressions differ. */
struct heddle_solver {
    const char *name; /* in the answer; NULL = no solver */
    /*
     * Runs a script of SMT-LIB 2 for at most *seconds, from which it subtracts the time taken. Returns the output, from
     * malloc; NULL if the solver could not be run.
     */
    char *(*ask)(void *ctx, const char *script, double *seconds);
    void *ctx;
};

enum { HEDDLE_ASSUME_REASSOCIATION = 1 }; /* floating-point sums may be reassociated */

struct heddle_prove {
    struct heddle_prove_kernel kernel[2];
    uint32_t warp;
    const struct heddle_arg *args; /* for both kernels: each takes the arguments that it has parameters for */
    uint32_t nargs;
    const struct heddle_prove_buffer *buffers; /* buffers not named here are HEDDLE_ROLE_ANY */
    uint32_t nbuffers;
    uint64_t max_instructions; /* 0 = HEDDLE_PROVE_INSTRUCTIONS */
    uint64_t shared_bytes;     /* as in struct heddle_launch, of both kernels */
    /*
     * Limits how often a branch that depends on data is followed, and the runs that follow data-dependent control flow
     * for all data. 0 = HEDDLE_PROVE_BOUND; negative = not followed.
     */
    int32_t bound;
    uint32_t assume; /* HEDDLE_ASSUME_ bits: what the proof may assume where it needs to */
    struct heddle_solver solver;
    double solver_seconds; /* 0 = HEDDLE_PROVE_SECONDS */
    /*
     * Seconds for the whole proof, 0 = no limit, by `clock`, which counts them from any moment on: the library has no
     * clock of its own and refuses a limit without one. A difference found by then is still described.
     */
    double max_seconds;
    double (*clock)(void);
    struct heddle_prove_sizes sizes; /* a range of sizes, instead of one launch */
    /* Called from time to time with the name of a step and the share of it done, 0..1; false ends the proof. */
    bool (*progress)(void *ctx, double share, const char *step);
    void *progress_ctx;
};

/* First data-dependent control flow. */
struct heddle_proof_depends {
    const char *how;         /* [exists] "branches on", ...; NULL = nowhere */
    const char *file;        /* source file; NULL = the file that was loaded */
    uint32_t line;           /* source line; 0 = unknown */
    const char *text;        /* as in the result's lines */
    const char *disassembly; /* as in the result's lines */
    const char *what;        /* "src[5]", or an uninitialised value */
};

/* The result of one kernel in the element that differs. */
struct heddle_proof_side {
    const char *value; /* "src[4]", or a longer expression, shortened */
    uint64_t bits;     /* [hex] value on the data that shows the difference; 0 if none does */
    bool written;      /* whether the kernel wrote it, at the place below */
    /* [if written] */
    const char *file;      /* source file; NULL = the file that was loaded */
    uint32_t line;         /* source line; 0 = unknown */
    uint32_t block[3];     /* block in the grid, x first, from 0 */
    uint32_t warp;         /* warp of the block */
    uint32_t lane;         /* lane of the warp */
    const char *register_; /* register that it stored: "r4" */
    const char *name;      /* its name: "sum" */
};

/* The first element that differs. */
struct heddle_proof_difference {
    const char *buffer;                /* [exists] its buffer; NULL = no difference */
    uint64_t element;                  /* [index] of that buffer, from 0 */
    uint64_t elements;                 /* elements that differ, in all buffers */
    struct heddle_proof_side sides[2]; /* its value from each kernel */
};

/* The origin of an element's value from the first kernel. */
struct heddle_proof_element {
    const char *buffer;    /* its buffer */
    uint64_t element;      /* [index] its number, from 0 */
    const char *kind;      /* "copy", "kept", "constant", "bits", "computed", "unwritten" */
    bool assumed;          /* equal only under what the proof assumes */
    const char *from;      /* of a copy: buffer that it was copied from; NULL = none */
    uint64_t from_element; /* [if from] [index] number of the copied element, from 0 */
};

/* The solver's answer on the elements whose expressions differ. */
struct heddle_proof_solver {
    const char *name;   /* [exists] its name; NULL = not used */
    const char *answer; /* "equal"; "different", by data that was run; "candidate": by none; "no data"; "unknown" */
    uint64_t questions; /* elements of one structure count once */
};

/* Findings of the checkers of races and barriers in a kernel. */
struct heddle_proof_findings {
    const struct heddle_finding *list; /* [count] findings, in order of occurrence */
    uint32_t count;
    uint64_t forgotten; /* accesses that checkers forgot to bound their memory: findings may be missing */
};

/* Contents of a buffer at the start of the runs that show a difference. */
struct heddle_proof_data {
    const char *buffer;   /* [name] its name */
    const uint8_t *bytes; /* [value] [size] little endian */
    uint64_t size;
};

/* What is proved of a range of sizes. */
struct heddle_proof_sizes {
    const char *name; /* [exists] the size; NULL = the proof is of one launch */
    uint64_t first;   /* first size of the range */
    uint64_t last;    /* last size of the range; without an end, the last that a launch can have */
    uint64_t step;    /* from one size to the next */
    uint64_t proved;  /* each size of the range up to this one is proved; 0 = none */
    uint64_t period;  /* sizes after which blocks repeat themselves, for induction; 0 = each size by itself */
    uint64_t at;      /* size that the rest of the answer is about; 0 = all */
    const char *why;  /* why no more is proved, in lines; NULL = all are, or the answer is about one */
    /* [if at] */
    uint32_t grid_a[3]; /* blocks of the first kernel at that size */
    uint32_t grid_b[3]; /* blocks of the second */
};

/* The answer of a proof. */
struct heddle_proof {
    enum heddle_verdict verdict;     /* [word name] */
    const char *name;                /* [words] "equal", "different", "unproved", "depends", "order", "undecided" */
    const char *text;                /* the whole answer in words, lines ending in a newline */
    const char *kernels[2];          /* names of both */
    uint32_t warp;                   /* lanes of a warp */
    uint32_t trials;                 /* sets of data that both kernels ran on */
    uint32_t paths;                  /* runs that followed data-dependent control flow for all data; 0 = not followed */
    const char *undecided;           /* why, if "undecided": "time", or "stopped" by `progress`; NULL = none */
    struct heddle_proof_sizes sizes; /* of a range of sizes; name NULL = of one launch */
    struct heddle_proof_depends depends[2];   /* where the control flow of each depends on data */
    struct heddle_proof_findings findings[2]; /* races and wrong barriers of each */
    uint32_t assumed; /* [json [text]] [not lua] what the verdict depends on: HEDDLE_ASSUME_ bits */
    struct heddle_proof_difference difference; /* the first difference; buffer NULL = none */
    const struct heddle_proof_data *data;      /* [not json] if "different": every buffer */
    uint32_t ndata;
    struct heddle_proof_solver solver; /* the solver's answer; name NULL = not used */
    struct heddle_fault_info fault;    /* [not json lua python] with the status HEDDLE_FAULT */
    uint64_t nelements;
    const struct heddle_proof_element *elements; /* elements of the compared buffers that a kernel wrote to */
};

/*
 * Compares two kernels: derives the contents of the context's buffers after each as functions of the contents before.
 * The buffers give names, types and shapes; their contents are neither used nor changed. The result is valid until the
 * next proof or launch on `h`. A kernel that faults gives HEDDLE_FAULT.
 */
enum heddle_status heddle_prove(struct heddle *h, const struct heddle_prove *asked, struct heddle_proof *proof);

/* ---- the instruction set ---- */

/* An instruction. */
struct heddle_isa_row {
    const char *name, *class_;   /* its mnemonic and its class */
    const char *operation, *doc; /* what it does as an expression, and in one sentence */
    char syntax[128];            /* "add.f32{.ftz}{.sat} d, a, b" */
    uint32_t code;               /* opcode */
};

uint32_t heddle_isa_count(void);
bool heddle_isa_row(uint32_t index, struct heddle_isa_row *row);

/* Describes the special registers, which s2r reads: "%tid.x" and one sentence. False past the last. */
bool heddle_special_register(uint32_t index, const char **name, const char **doc);

/* Writes the manual of one instruction (mnemonic, alias, or a first word such as "shfl") or, with NULL, of all, as text
 * or as the Markdown of docs/reference/isa.md. NULL if it is unknown; heddle_error suggests one. */
char *heddle_isa_manual(struct heddle *h, const char *mnemonic, bool markdown, size_t *len);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
