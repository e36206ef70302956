/* How reports are written. Numbers come in a small struct each, so that they can stand in the arguments of printf. */
#ifndef HEDDLE_CLI_FORMAT_H
#define HEDDLE_CLI_FORMAT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

struct text {
    char text[48];
};

/* 1234567 as "1,234,567" */
struct text format_count(u64 n);

/* "64" or "8x8x2" */
struct text format_dims(const u32 d[3]);

/* Three digits or more: "0.25", "12.3", "1,555" */
struct text format_number(double v);

/* "12.3 uJ", from 12.3e-6 and "J" */
struct text format_si(double v, const char *unit);

/* "71.2 %"; "-" when the whole is 0 */
struct text format_share(double part, double whole);

/* "4.00", likewise */
struct text format_quotient(double part, double whole);

/* "#######   ", so many characters wide, for a share from 0 to 1 */
struct text format_bar(double share, u32 width);

/* The metric of a timed result: its value, or false when it is absent. Aborts when there is none of that name. */
bool format_metric(const struct heddle_result *r, const char *name, double *value);

/* The same as text: "-" when it is absent. */
struct text format_metric_number(const struct heddle_result *r, const char *name);

/* Text folded at blanks to 100 columns, of which `indent` are left free from the second line on. */
void format_folded(const char *text, u32 indent, struct buf *out);

#endif
