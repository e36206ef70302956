/* Numbers of board descriptions: decimal, the same in every locale, each written so that it reads back as itself. */
#ifndef HEDDLE_BOARD_DECIMAL_H
#define HEDDLE_BOARD_DECIMAL_H

#include "sim/base/types.h"

enum { DECIMAL_TEXT = 40 };

/* "12", "0.283": digits, at most 15 of them that count, and perhaps a point among them. False for anything else. */
bool decimal_read(const char *text, double *value);

/* A whole number in decimal, at most 10^12. */
bool decimal_read_whole(const char *text, double *value);

/* The shortest text of a number that decimal_read gave; other numbers are rounded to 15 digits. */
struct decimal {
    char text[DECIMAL_TEXT];
};
struct decimal decimal_write(double value);

#endif
