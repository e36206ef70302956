/*
 * JSON as text: answers of the page's module, lines of recordings. Commas follow from the text before.
 *
 *   write_open(out, "names", '['); write_text(out, NULL, "r4"); write_close(out, ']');     "names":["r4"]
 *
 * `key` is NULL in a list.
 */
#ifndef HEDDLE_API_WRITE_H
#define HEDDLE_API_WRITE_H

#include "sim/api/record.h"
#include "sim/base/buf.h"

/* Makes a sink of structures. */
struct heddle_sink write_sink(struct buf *out, u32 form, heddle_sink_field field);
void write_value(void *out, const char *name, const struct heddle_value *v); /* that of the sink */

/* Writes the fields of a structure of heddle.h as the page has them; `field`: that of the sink. */
void write_record(struct buf *out, const char *name, const void *record, heddle_sink_field field);
void write_object(struct buf *out, const char *name, const void *record); /* as an element of a list */

void write_open(struct buf *out, const char *key, char bracket);
void write_close(struct buf *out, char bracket);
void write_text(struct buf *out, const char *key, const char *text); /* null for NULL */
void write_whole(struct buf *out, const char *key, u64 n);           /* null for UINT64_MAX */
void write_mask(struct buf *out, const char *key, u64 mask);         /* "0xff": exact, whatever its size */
void write_number(struct buf *out, const char *key, double n);       /* null if it is not finite */
void write_truth(struct buf *out, const char *key, bool value);

#endif
