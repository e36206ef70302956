/* How reports are written. */
#ifndef HEDDLE_CLI_FORMAT_H
#define HEDDLE_CLI_FORMAT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* "64" or "8x8x2" */
struct short_text format_dims(const u32 d[3]);

/* Three digits or more: "0.25", "12.3", "1,555" */
struct short_text format_number(double v);

/* Six digits or more, without zeros at the end: "0.0123457", "99.5", "1,555" */
struct short_text format_precise(double v);

/* "12.3 uJ", from 12.3e-6 and "J" */
struct short_text format_si(double v, const char *unit);

/* "71.2 %"; "-" when the whole is 0 */
struct short_text format_share(double part, double whole);

/* "4.00", likewise */
struct short_text format_quotient(double part, double whole);

/* "1 block", "1,024 blocks" */
struct short_text format_count(u64 n, const char *what);

/* "#######   ", so many characters wide, for a share from 0 to 1 */
struct short_text format_bar(double share, u32 width);

/* The metric of a timed result: its value, or false when it is absent. Aborts when there is none of that name. */
bool format_metric(const struct heddle_result *r, const char *name, double *value);

/* The same, 0 when it is absent. */
double metric_or_zero(const struct heddle_result *r, const char *name);

/* The same as text: "-" when it is absent. */
struct short_text format_metric_number(const struct heddle_result *r, const char *name);

/* Text folded at blanks to the terminal: `used` columns of the first line are taken, `indent` of the others free. */
void format_folded(const char *text, u32 used, u32 indent, struct buf *out);

#endif
