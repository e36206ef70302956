/* Binds the arguments of a launch to the kernel's .param list: by name, type and size. */
#ifndef HEDDLE_API_BIND_H
#define HEDDLE_API_BIND_H

#include "sim/api/context.h"
#include "sim/api/scalar.h"

/* The target of an argument: "x", "x+16" (the buffer x from its byte 16 on) or "null". */
struct pointer {
    const struct buffer *buffer; /* NULL: none, or no such */
    u64 offset;                  /* bytes */
    bool null;
};

/* Bytes of the buffer from there on; 0 past its end. */
static inline u64 pointer_room(const struct pointer *at) {
    return at->offset < at->buffer->bytes ? at->buffer->bytes - at->offset : 0;
}

/* True if a text is no name of a buffer but a number, or a list of them. */
bool bind_is_number(const char *text);

/* The target of an argument; of a number none. */
struct pointer bind_pointer(const struct heddle *h, const struct heddle_arg *arg);

/*
 * Reads an argument for `count` elements: "1,2.5,3", or its number for the only one. Little endian. False with a
 * reason.
 */
bool bind_numbers(const struct heddle_arg *arg, enum etype type, u8 *to, u64 count, struct reason *why);

/* Writes a value in little endian. */
void bind_store(u8 *at, u64 value, u32 bytes);

/*
 * Fills the kernel's parameter space, `params` of k->param_bytes. False with each mistake as a line of the error, and
 * the list of the kernel's parameters.
 */
bool bind_arguments(struct heddle *h, const struct heddle_program *p, const struct kernel *k,
                    const struct heddle_launch *l, u8 *params);

/* Computes the bytes that the kernel declares for a buffer, after its arguments are bound; 0 if it declares none. */
u64 bind_extent(const struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                const struct buffer *buffer);

#endif
