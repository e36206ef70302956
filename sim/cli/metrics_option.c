#include "sim/cli/option.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/meaning.h"
#include "sim/cli/ui.h"

enum { NAME_BYTES = 80 };

static const char *name_of(u32 metric) {
    struct heddle_metric m;
    return heddle_metric_row(metric, &m) ? m.name : NULL;
}

static const char *nth_name(const void *ctx, size_t i) {
    (void)ctx;
    return name_of((u32)i);
}

bool metric_find(const char *name, struct heddle_metric *row) {
    for (u32 i = 0; heddle_metric_row(i, row); i++)
        if (strcmp(row->name, name) == 0)
            return true;
    return false;
}

bool metric_meant(const char *metric, const char *name, size_t len) {
    char pattern[NAME_BYTES];
    if (strncmp(metric, name, len) == 0 && (metric[len] == 0 || metric[len] == '.'))
        return len > 0;
    if (len >= sizeof pattern || !(memchr(name, '*', len) || memchr(name, '?', len)))
        return false;
    memcpy(pattern, name, len);
    pattern[len] = 0;
    return fnmatch(pattern, metric, 0) == 0;
}

static bool means_any(const char *name, size_t len) {
    const char *metric;
    for (u32 i = 0; (metric = name_of(i)); i++)
        if (metric_meant(metric, name, len))
            return true;
    return false;
}

static bool unknown(const char *text, size_t at, size_t len) {
    char word[NAME_BYTES];
    u32 n = 0;
    snprintf(word, sizeof word, "%.*s", len < sizeof word ? (int)len : (int)sizeof word - 1, text + at);
    while (name_of(n))
        n++;
    const struct meaning near = meaning_of(word, n, nth_name, NULL);
    const char *section = strncmp(word, "line.", 5) == 0      ? "lines"
                          : strncmp(word, "traffic.", 8) == 0 ? "traffic"
                                                              : NULL;
    if (!len)
        ui_option_error("--metrics", text, at, 1, "expected the name of a metric; 'heddle doc counters' lists them");
    else if (section)
        ui_option_error("--metrics", text, at, len, "'%s' has a value for each %s: --section %s", word,
                        strcmp(section, "lines") == 0 ? "line" : "buffer", section);
    else
        ui_option_error("--metrics", text, at, len, "there is no metric '%s'%s", word,
                        *near.text ? near.text : "; 'heddle doc counters' lists them");
    return false;
}

bool metrics_option(const char *text, struct buf *names) {
    for (const char *at = text;; at++) {
        size_t len = strcspn(at, ",");
        if (!means_any(at, len))
            return unknown(text, (size_t)(at - text), len);
        buf_append(names, &at, sizeof at);
        at += len;
        if (!*at)
            return !names->failed;
    }
}

void metrics_each(const struct buf *names, void (*put)(void *ctx, u32 metric), void *ctx) {
    const char *const *name = (const char *const *)(const void *)names->data, *metric;
    for (size_t k = 0; k < names->len / sizeof *name; k++)
        for (u32 i = 0; (metric = name_of(i)); i++) {
            bool before = false;
            for (size_t b = 0; b < k; b++)
                before |= metric_meant(metric, name[b], strcspn(name[b], ","));
            if (!before && metric_meant(metric, name[k], strcspn(name[k], ",")))
                put(ctx, i);
        }
}
