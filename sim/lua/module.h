/*
 * Inside the Lua module: the userdata of the objects that scripts hold, and functions that the files of sim/lua share.
 * Errors are raised through longjmp; while one can be raised, nothing is allocated outside Lua except in a `struct
 * lua_block`, which the garbage collector frees.
 */
#ifndef HEDDLE_LUA_MODULE_H
#define HEDDLE_LUA_MODULE_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <signal.h>

#include "sim/api/heddle.h"
#include "sim/base/types.h"
#include "sim/file/guard.h"
#include "sim/lua/session.h"

#define LUA_CONTEXT "heddle.context"
#define LUA_MAX_MEMORY "heddle.max_memory" /* in the registry: limit of a context's memory in bytes; 0 or nil = none */
#define LUA_HOME "heddle.home"             /* in the registry: the folder with shipped files, if the session knows it */
#define LUA_PROGRAM "heddle.program"
#define LUA_BUFFER "heddle.buffer"
#define LUA_DEBUGGER "heddle.debugger"
#define LUA_BLOCK "heddle.block"
#define LUA_ERROR "heddle.error"
#define LUA_ARRAY "heddle.array" /* metatable of tables that are JSON arrays */
#define LUA_NULL "heddle.null"
#define LUA_DOCUMENT "heddle.document"
#define LUA_READING "heddle.reading"
#define LUA_TABLE "heddle.table"

/* A context. User value 1 is the program launched last. */
struct lua_context {
    struct heddle *h;            /* NULL = closed */
    u64 generation;              /* changes with everything that may move or replace a buffer */
    bool busy;                   /* inside a launch, where callbacks must not use it */
    bool borrowed;               /* owned by a caller in C, which frees it */
    struct heddle_result result; /* of the last launch */
};

struct lua_program {
    struct heddle_program *p;
};

/* An element type, from its name: the letters give the kind, the digits the bits. */
enum element_kind { ELEMENT_BOOL, ELEMENT_SIGNED, ELEMENT_UNSIGNED, ELEMENT_FLOAT, ELEMENT_BRAIN, ELEMENT_COMPLEX };

struct element {
    enum element_kind kind;
    u32 size; /* bytes */
};

/* A buffer. User value 1 is the context, 2 the name. */
struct lua_buffer {
    struct lua_context *ctx;
    const char *name; /* user value 2 */
    u64 seen;         /* generation of the context when `tensor` was read */
    struct heddle_tensor tensor;
    struct element element; /* of tensor.type */
};

/* Memory of the library to be copied into a Lua string. */
struct lua_block {
    char *data;
};

/* ---- module.c ---- */

/* Opens the module: the only symbol that heddle.so exports. */
__attribute__((visibility("default"))) int luaopen_heddle(lua_State *L);

/* ---- class.c ---- */

/* Pushes an empty block. */
struct lua_block *lua_block_new(lua_State *L);

/* Pushes the block's bytes as a string and empties it. */
void lua_block_push(lua_State *L, struct lua_block *block, size_t len);

void lua_block_open(lua_State *L);

/* Pushes a new metatable with the functions `meta` and a field "methods", which luaopen_heddle fills. */
void lua_module_class(lua_State *L, const char *metatable, const luaL_Reg *meta);

/* Returns the prefix of a group's fields in messages: "heddle" of heddle.version. */
const char *lua_module_prefix(const char *group);

/* Ends an __index function: pushes the method named at index 2, or raises. */
int lua_module_method(lua_State *L, const char *group);

/* True if the group has a field (no function) of that name. */
bool lua_module_is_value(const char *group, const char *key);

/* Raises that the group has no `key`, with a suggestion from its rows. */
int lua_module_no_field(lua_State *L, const char *group, const char *key);

/* Registry key of the flag of lua_session_interrupt: a light userdata, or nil. */
extern const char lua_interrupt_key;

/* ---- field.c: texts, and fields of the table on top of the stack ---- */

/* Returns the string at `index`, NULL if there is none; raises if it holds a NUL, where names and paths would end. */
const char *lua_text(lua_State *L, int index);

/* Returns a string argument of a function; raises if it is missing or holds a NUL. */
const char *lua_check_text(lua_State *L, int arg);

void lua_field_integer(lua_State *L, const char *name, u64 v);
void lua_field_string(lua_State *L, const char *name, const char *v); /* NULL = nil */

/*
 * Raises unless the options at an index, if any, are a table with these names alone, a list that NULL ends; `of`: their
 * function.
 */
void lua_options_only(lua_State *L, int index, const char *of, const char *const *names);

/* Reads the option `empty` on top of the stack: true if empty fields of tables are NaN. */
bool lua_empty_nan(lua_State *L, int index);

/* ---- file.c ---- */

/* Returns the inputs that the state has read, which it never replaces. */
struct file_guard *lua_file_guard(lua_State *L);

/* Raises "PATH: " and the reason, an errno. */
int lua_file_error(lua_State *L, const char *path, int why);

/* Pushes the contents of a file of at most 256 MiB, or raises. */
void lua_file_read(lua_State *L, const char *path);

/* Pushes as much of a file as npy_read needs to accept or refuse it, or raises. */
void lua_file_read_npy(lua_State *L, const char *path);

/* Writes a file in one step (a temporary name, then renamed), or raises. */
void lua_file_write(lua_State *L, const char *path, const char *bytes, size_t len);

/* ---- shipped.c ---- */

/*
 * Finds the file of a kernel's or board's name: the name itself, or the path, pushed, of a shipped file. Raises if
 * several shipped kernels have the name.
 */
const char *lua_shipped_kernel(lua_State *L, const char *name);
const char *lua_shipped_board(lua_State *L, const char *name);

/* ---- error.c ---- */

/* Raises the last error of the context as an error object of that kind. */
int lua_raise(lua_State *L, struct lua_context *ctx, const char *kind);
int lua_raise_message(lua_State *L, const char *kind, const char *message);

/* Pushes the last error of the context as an error object; raises it. */
void lua_status_push(lua_State *L, struct lua_context *ctx, enum heddle_status status,
                     const struct heddle_fault_info *f);
int lua_raise_status(lua_State *L, struct lua_context *ctx, enum heddle_status status,
                     const struct heddle_fault_info *f);
void lua_error_open(lua_State *L);

/* ---- context.c ---- */

/*
 * Returns the open context at `index`, or raises. Metamethods, and finalizers at any allocation, may close it: check
 * again between anything that may run a script and the use of ctx->h.
 */
struct lua_context *lua_context_check(lua_State *L, int index);
/* Pushes the object of a context that the caller still owns. */
void lua_context_borrow(lua_State *L, struct heddle *h);
void lua_context_open(lua_State *L);

/* ---- program.c ---- */
struct lua_program *lua_program_check(lua_State *L, int index);
void lua_program_open(lua_State *L);

/* ---- buffer.c ---- */

/* Pushes the object of the buffer `name` of the context at `context`, or nil when there is none. */
bool lua_buffer_push(lua_State *L, int context, const char *name);
/* Marks the buffer as written, for checkers. */
void lua_buffer_written(const struct lua_buffer *b);
struct lua_buffer *lua_buffer_check(lua_State *L, int index);

/* Finds the address of element `i` (from 0), looked up again if buffers have changed. */
u8 *lua_buffer_at(lua_State *L, struct lua_buffer *b, u64 i);
void lua_buffer_refresh(lua_State *L, struct lua_buffer *b);
void lua_buffer_open(lua_State *L);

/* ---- set.c ---- */

/* Sets all elements of `b` from the value at `value`, which is argument `arg`. */
void lua_buffer_fill(lua_State *L, struct lua_buffer *b, int value, int arg);

/* Finds the shape of a nested table, a string of bytes or (one element) a number; returns the number of dimensions. */
u32 lua_shape_of(lua_State *L, int value, struct element e, u64 *shape);

/* ---- launch.c: options are the fields of the table at index 3 ---- */

/* Raises that the option is wrong. */
int lua_option_error(lua_State *L, const char *name, const char *what);

/* Raises unless all options are fields of the group. */
void lua_option_names(lua_State *L, const char *group);

/* Reads a number or a list of up to three; numbers not given stay as they are. */
void lua_option_dims(lua_State *L, const char *name, u32 dims[3]);

/* Returns a string option, which stays on the stack to keep it alive; NULL if it is not given. */
const char *lua_option_string(lua_State *L, const char *name);

/* Reads the options that launches and proofs share; `second` may be NULL. Arguments stay on the stack. */
void lua_launch_options(lua_State *L, const struct heddle_program *first, const struct heddle_program *second,
                        struct heddle_launch *l);

/* Receiver of progress: it runs inside the library, where no Lua error may pass. */
struct lua_watch {
    lua_State *L;
    int function;                           /* stack index of options.progress; 0 = none */
    const volatile sig_atomic_t *interrupt; /* NULL = nothing can set it */
    bool failed;                            /* the function raised an error, now on top of the stack */
};

/* Reads options.progress, which stays on the stack. */
void lua_watch_find(lua_State *L, struct lua_watch *w);

/* Calls the function with the share and the step (NULL = nil); false if it, or an interrupt, ends the work. */
bool lua_watch_progress(struct lua_watch *w, double share, const char *step);

/* ---- session.c ---- */

/* Calls body(job) protected; false with the reason in heddle_session_error, without a traceback. */
bool lua_session_call(struct heddle_session *s, lua_CFunction body, void *job);

/* ---- explain.c ---- */

/* Reads the option at the top of the stack. */
void lua_explain_option(lua_State *L, struct heddle_explain *x);

/* ---- recording.c ---- */

/* Reads the option `watch` into `watch`, if it is given. */
void lua_recording_option(lua_State *L, struct heddle_launch *l, struct heddle_watch *watch);

/* ---- debugger.c ---- */
void lua_debugger_open(lua_State *L);

/* ---- record.c ---- */

/* Pushes a structure of heddle.h as a table. */
void lua_record_push(lua_State *L, const char *record, const void *at);

/* Sets its fields in the table on top of the stack. */
void lua_record_set(lua_State *L, const char *record, const void *at);

/* Push an event, and a state, of a recording as a table. */
void lua_event_push(lua_State *L, const struct heddle *h, const struct heddle_event *event);
void lua_state_push(lua_State *L, const struct heddle_state *state);

/* Adds the fields of a group's structure to the list at index 1, as rows of heddle.reference. */
void lua_record_rows(lua_State *L, const char *group);

/* ---- result.c ---- */

/* Pushes the result of a launch as a table. */
void lua_result_push(lua_State *L, const struct heddle_result *r);

/* ---- value.c ---- */
struct element element_of(const char *type);
void element_push(lua_State *L, struct element e, const u8 *p);

/* Stores the value at `index` into the element at `p`; NULL, or what is wrong with the value. Pushes nothing. */
const char *element_read(lua_State *L, int index, struct element e, u8 *p);

/* ---- json.c, parse.c, read_table.c, table.c ---- */
void lua_json_open(lua_State *L);
void lua_parse_open(lua_State *L);
void lua_read_table_open(lua_State *L);
void lua_table_open(lua_State *L);

/* Pushes the value that stands for JSON's null. */
void lua_json_null(lua_State *L);

/* ---- functions of the rows, each in the file of its group ---- */
#define LUA_FUNCTION(group, name, function, signature, doc) int function(lua_State *L);
#include "sim/lua/api.def"

#endif
