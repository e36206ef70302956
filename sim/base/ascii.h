/* Kinds of ASCII characters, whatever the locale. */
#ifndef HEDDLE_BASE_ASCII_H
#define HEDDLE_BASE_ASCII_H

#include <stdbool.h>

static inline bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool is_alphanumeric(char c) {
    return is_letter(c) || is_digit(c);
}

#endif
