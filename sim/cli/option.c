#include "sim/cli/option.h"

#include <stdlib.h>
#include <string.h>

#include "sim/api/sample.h"
#include "sim/api/schedule.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

bool option_number(const char *text, size_t len, u64 *value) {
    *value = 0;
    for (; len && *text == ' '; len--)
        text++;
    while (len && text[len - 1] == ' ')
        len--;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || *value > (UINT64_MAX - 9) / 10)
            return false;
        *value = *value * 10 + (u64)(text[i] - '0');
    }
    return len > 0;
}

bool option_dims(const char *option, const char *text, u32 dims[3]) {
    const char *at = text;
    for (u32 i = 0;; i++) {
        size_t len = strcspn(at, ",x");
        u64 value;
        if (i == 3)
            return ui_option_error(option, text, (size_t)(at - text), strlen(at), "more than three dimensions");
        if (!option_number(at, len, &value) || value < 1 || value > INT32_MAX) {
            return ui_option_error(option, text, (size_t)(at - text), len, "expected a number from 1 to 2^31 - 1");
        }
        dims[i] = (u32)value;
        if (!at[len])
            break;
        at += len + 1;
    }
    for (u32 i = 0; i < 3; i++)
        dims[i] = dims[i] ? dims[i] : 1;
    return true;
}

bool option_block(const char *option, const char *text, u32 block[3]) {
    u64 threads = 1;
    if (!option_dims(option, text, block))
        return false;
    for (u32 i = 0; i < 3 && threads <= HEDDLE_BLOCK_THREADS_MAX; i++)
        threads *= block[i];
    if (threads > HEDDLE_BLOCK_THREADS_MAX)
        ui_option_error(option, text, 0, strlen(text), "at most %s threads are a block",
                        grouped(HEDDLE_BLOCK_THREADS_MAX).text);
    return threads <= HEDDLE_BLOCK_THREADS_MAX;
}

bool option_warp(const char *option, const char *text, u32 *warp) {
    u64 value;
    if (!option_number(text, strlen(text), &value) || (value != 8 && value != 16 && value != 32 && value != 64))
        return ui_option_error(option, text, 0, strlen(text), "expected 8, 16, 32 or 64");
    *warp = (u32)value;
    return true;
}

/* Reads a number as for --arg: 1e6 and 0x10 are whole numbers too, as far as a double is exact. */
bool option_whole(const char *option, const char *text, u64 least, u64 *number) {
    char *end;
    bool whole = option_number(text, strlen(text), number);
    if (!whole) {
        double v = strtod(text, &end);
        whole = end != text && *end == 0 && v >= 1 && v <= 0x1p53 && v == (double)(u64)v;
        *number = whole ? (u64)v : 0;
    }
    if (!whole || *number < least)
        ui_option_error(option, text, 0, strlen(text), "expected a whole number from %llu on",
                        (unsigned long long)least);
    return whole && *number >= least;
}

bool option_count(const char *option, const char *text, u64 *count) {
    return option_whole(option, text, 1, count);
}

bool option_checks(const char *option, const char *text) {
    const char *word;
    size_t len;
    if (checking_kinds(text, &word, &len))
        return true;
    return ui_option_error(option, text, (size_t)(word - text), len, "unknown checker '%.*s'; %s", (int)len, word,
                           checking_expected(word, len).text);
}

bool option_schedule(const char *option, const char *text) {
    struct schedule s = {0};
    const char *wrong = schedule_read(text, &s);
    if (wrong)
        ui_option_error(option, text, (size_t)(wrong - text), strlen(wrong), SCHEDULE_EXPECTED);
    return !wrong;
}

bool option_sample(const char *option, const char *text, const char **sample) {
    double bound;
    *sample = text ? text : SAMPLE_STANDARD;
    return sample_read(*sample, &bound) || ui_option_error(option, *sample, 0, strlen(*sample), SAMPLE_EXPECTED);
}

bool option_empty(const char *text, bool *empty_nan) {
    *empty_nan = strcmp(text, "nan") == 0;
    if (*empty_nan || strcmp(text, "error") == 0)
        return true;
    return ui_option_error("--empty", text, 0, strlen(text), "expected error or nan");
}

bool option_size(const char *option, const char *text, u64 *bytes) {
    if (heddle_size(text, bytes))
        return true;
    return ui_option_error(option, text, 0, strlen(text), "expected a number of bytes, such as 512M or 2G");
}

struct heddle *option_context(u64 max_memory) {
    struct heddle *h = heddle_new();
    if (h) {
        heddle_max_memory(h, max_memory);
        heddle_computer_memory(h, file_memory_limit());
    }
    return h;
}

const char *option_name(struct arena *arena, const char *option, const char *form, char *text, char **rest) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        ui_option_error(option, text, 0, equals ? 1 : strlen(text), "expected %s", form);
        return NULL;
    }
    const char *name = arena_strndup(arena, text, (size_t)(equals - text));
    *rest = equals + 1;
    if (!name)
        ui_error("out of memory");
    return name;
}

bool option_scalar(struct arena *arena, char *text, struct buf *args) {
    char *value;
    const char *name = option_name(arena, "--arg", "NAME=NUMBER", text, &value);
    if (!name)
        return false;
    struct heddle_arg *a = buf_push(args, sizeof *a);
    if (!a)
        return ui_error("out of memory");
    *a = (struct heddle_arg){.name = name, .text = value};
    return true;
}

const char *option_shape(const char *option, const char *text, const char *at, u32 *ndim, u64 shape[HEDDLE_DIMS_MAX]) {
    for (at++; *at != ']';) {
        size_t len = strcspn(at, ",]");
        if (*ndim == HEDDLE_DIMS_MAX) {
            ui_option_error(option, text, (size_t)(at - text), len, "more than %d dimensions", HEDDLE_DIMS_MAX);
            return NULL;
        }
        if (!at[len] || !option_number(at, len, &shape[*ndim])) {
            ui_option_error(option, text, (size_t)(at - text), len, "expected a dimension, then ',' or ']'");
            return NULL;
        }
        ++*ndim;
        at += len + (at[len] == ',');
    }
    return at + 1;
}
