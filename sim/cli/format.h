/* Formats of numbers and texts in reports. */
#ifndef HEDDLE_CLI_FORMAT_H
#define HEDDLE_CLI_FORMAT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* Formats dimensions: "64" or "8x8x2". */
struct short_text format_dims(const u32 d[3]);

/* Formats three digits or more: "0.25", "12.3", "1,555". */
struct short_text format_number(double v);

/* Formats six digits or more, without zeros at the end: "0.0123457", "99.5", "1,555". */
struct short_text format_precise(double v);

/* Formats 12.3e-6 and "J" as "12.3 uJ". */
struct short_text format_si(double v, const char *unit);

/* Formats "71.2 %"; "-" if the whole is 0. */
struct short_text format_share(double part, double whole);

/* Formats "4.00"; "-" if the whole is 0. */
struct short_text format_quotient(double part, double whole);

/* Formats "1 block", "1,024 blocks". */
struct short_text format_count(u64 n, const char *what);

/* Draws a share from 0 to 1 in `width` characters: "#######   ". */
struct short_text format_bar(double share, u32 width);

/* Gets a metric of a timed result; false if it has no value. Aborts if the name is unknown. */
bool format_metric(const struct heddle_result *r, const char *name, double *value);

/* Gets a metric, 0 if it has no value. */
double metric_or_zero(const struct heddle_result *r, const char *name);

/* Formats a metric, "-" if it has no value. */
struct short_text format_metric_number(const struct heddle_result *r, const char *name);

/* Folds text at blanks to the terminal: `used` columns of the first line are taken, `indent` of the others free. */
void format_folded(const char *text, u32 used, u32 indent, struct buf *out);

/* Appends a word of a command line, quoted where a shell needs it. */
void format_shell_word(const char *word, struct buf *out);

#endif
