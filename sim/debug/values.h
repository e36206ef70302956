/* Numbers as commands print them. */
#ifndef HEDDLE_DEBUG_VALUES_H
#define HEDDLE_DEBUG_VALUES_H

#include "sim/debug/debug.h"

enum form { FORM_HEX, FORM_SIGNED, FORM_UNSIGNED, FORM_FLOAT, FORM_HALF };

/* Names a form: "hex"; NULL past the last. */
const char *values_form_name(u32 form);

/* Reads `as FORM` at the end of the words, which then end before it; without it *form is unchanged. */
bool values_form(struct debug *d, struct words *w, enum form *form);

/* Prints a register, or a word of memory, after `mark`; as wide as any other in that form. */
void values_put(struct buf *out, char mark, u32 v, enum form form);

/* Prints a word without a value, after `mark`: `sign`, once for each digit of a hexadecimal number. */
void values_put_none(struct buf *out, char mark, char sign, enum form form);

/* Prints an element of a type as in a .param, "f32", of `size` bytes; after a blank, at least 12 characters. */
void values_put_element(struct buf *out, const char *type, const u8 *bytes, u32 size);

/* The registers of a warp, as the command `registers` lists them. */

struct register_row {
    char label[80]; /* "r4 xv" */
    u32 number;
    bool pred; /* a predicate */
    u64 ready; /* first cycle when it can be read: waits_ready */
};

/* Gets row `index` of the registers of the state's function; false past the last. */
bool registers_row(struct debug *d, const struct heddle_state *s, u32 index, struct register_row *row);

/* Registers of a warp that are in flight, and until when. */

/*
 * Returns the first cycle when a register of the state at the cursor can be read, also of a load whose data arrive
 * later if that is recorded; else UINT64_MAX. `slot` counts registers, then predicates, then transit registers.
 */
u64 waits_ready(struct debug *d, const struct heddle_state *s, u32 slot);

/* Finds the issue of a register's last writer, in that lane (-1 = any); UINT64_MAX if there is none. */
u64 waits_writer(struct debug *d, const char *name, s64 lane);

/*
 * Contents of memory at the cursor, as far as they are recorded. A store counts from its issue on, as its own warp sees
 * it, and leaves the value of its register. The result of an atomic in shared memory, and the contents before, are
 * known if a load reads them before the next store.
 */

struct memory_cell {
    u64 since; /* number of the last event before the cursor that wrote it, plus 1; 0 = none */
    u64 next;  /* number of the first event from the cursor on that writes it; UINT64_MAX = none */
    u8 value;
    bool known; /* `value` is known */
    bool late;  /* its last write has issued, and has not reached memory */
};

struct memory_view {
    const char *space; /* "global", or "shared" of d->block */
    u64 from;          /* address of the first byte */
    struct buf cells;  /* list of struct memory_cell */
};

typedef void memory_touched(void *ctx, const struct heddle_touch *touch);

/* Calls back with all that lanes did there: warp by warp, each by issue; stores and atomics first, then loads. */
bool memory_touches(struct debug *d, const struct heddle_range *r, memory_touched *touched, void *ctx);

/* Finds the contents of `count` bytes from `from` on. False when out of memory. */
bool memory_look(struct debug *d, const char *space, u64 from, u64 count, struct memory_view *view);

const struct memory_cell *memory_at(const struct memory_view *view, u64 address);

#endif
