/* Lines of traces: three formats that simulators of memory read, and the levels of a place. */
#include "sim/api/replay.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *first, *form;
} formats[] = {
#define TRACE_FORMAT(id, name, first, form) {name, first, form},
#include "sim/api/replay.def"
};

const char *trace_format_name(enum trace_format format) {
    return formats[format].name;
}

enum trace_format trace_format_of(const char *name) {
    u32 i = 0;
    while (i < TRACE_FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    return (enum trace_format)i;
}

const char *heddle_trace_format(uint32_t index) {
    return index < TRACE_FORMATS ? formats[index].name : NULL;
}

bool trace_fail(const struct trace_reader *t, u32 column, const char *what) {
    char where[400];
    snprintf(where, sizeof where, "%.300s:%llu:%u", t->name, (unsigned long long)t->line, column);
    return context_fail(t->h, where, "%s", what);
}

/* ---- levels ---- */

struct trace_levels trace_levels_of(const struct board_dram *c, u32 buses) {
    struct trace_levels l = {.count = 0};
    const struct {
        const char *name;
        u64 size;
        bool there;
    } rows[] = {{"channel", buses / c->pseudo_channels, true},
                {"pseudochannel", c->pseudo_channels, c->pseudo_channels > 1},
                {"stack", c->stack_ids, c->stack_ids > 1},
                {"bankgroup", c->bank_groups, true},
                {"bank", c->banks, true},
                {"row", 0, true},
                {"column", c->row_bytes / c->burst_bytes, true}};
    for (u32 i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].there) {
            l.name[l.count] = rows[i].name;
            l.size[l.count++] = rows[i].size;
        }
    return l;
}

void trace_place(const struct board_dram *c, u32 bus, u32 bank, u64 level[TRACE_LEVELS]) {
    u32 n = 0, stack = c->bank_groups * c->banks;
    level[n++] = bus / c->pseudo_channels;
    if (c->pseudo_channels > 1)
        level[n++] = bus % c->pseudo_channels;
    if (c->stack_ids > 1)
        level[n++] = bank / stack;
    level[n++] = bank % c->bank_groups;
    level[n++] = bank % stack / c->bank_groups;
}

void trace_join(const struct board_dram *c, const u64 level[TRACE_LEVELS], u32 *bus, u32 *bank) {
    u32 n = 0;
    *bus = (u32)level[n++] * c->pseudo_channels;
    *bus += c->pseudo_channels > 1 ? (u32)level[n++] : 0;
    *bank = c->stack_ids > 1 ? (u32)level[n++] * c->bank_groups * c->banks : 0;
    *bank += (u32)level[n] + (u32)level[n + 1] * c->bank_groups;
}

/* ---- lines ---- */

struct cursor {
    const char *start, *at, *end;
};

static void skip_blanks(struct cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

static u32 column_of(const struct cursor *c) {
    return (u32)(c->at - c->start) + 1;
}

static bool at_word(const struct cursor *c) {
    return c->at < c->end && *c->at != ' ' && *c->at != '\t' && *c->at != ',' && *c->at != '\r';
}

/* True if the word here is that one, in capitals or not; passes it. */
static bool word(struct cursor *c, const char *text) {
    const char *p = c->at;
    while (*text && p < c->end && (*p == *text || *p == *text + ('a' - 'A'))) {
        p++;
        text++;
    }
    struct cursor after = {c->start, p, c->end};
    if (*text || at_word(&after))
        return false;
    c->at = p;
    skip_blanks(c);
    return true;
}

/* Digit of a base, or 16. */
static u32 digit(char ch) {
    return ch >= '0' && ch <= '9'                 ? (u32)(ch - '0')
           : (ch | 32) >= 'a' && (ch | 32) <= 'f' ? (u32)((ch | 32) - 'a') + 10
                                                  : 16;
}

/* A number, decimal or with 0x; false if there is none, or it has more than 64 bits. */
static bool number(struct cursor *c, u64 *value) {
    u64 base = 10, n = 0;
    const char *first = c->at;
    if (c->end - c->at > 2 && c->at[0] == '0' && (c->at[1] | 32) == 'x') {
        base = 16;
        first = c->at += 2;
    }
    for (; at_word(c); c->at++) {
        u32 d = digit(*c->at);
        if (d >= base || n > (UINT64_MAX - d) / base) {
            return false;
        }
        n = n * base + d;
    }
    *value = n;
    bool any = c->at > first;
    skip_blanks(c);
    return any;
}

static bool read_levels(const struct trace_reader *t, struct cursor *c, struct trace_request *q) {
    for (u32 i = 0; i < t->levels.count; i++) {
        q->column[i] = column_of(c);
        if (i && (c->at == c->end || *c->at++ != ','))
            return false;
        skip_blanks(c);
        q->column[i] = column_of(c);
        if (!number(c, &q->level[i]))
            return false;
    }
    return true;
}

static bool read_request(const struct trace_reader *t, struct cursor *c, struct trace_request *q) {
    switch (t->format) {
    case TRACE_ADDRESS: q->write = word(c, "ST"); return (q->write || word(c, "LD")) && number(c, &q->address);
    case TRACE_PLACES: q->write = word(c, "W"); return (q->write || word(c, "R")) && read_levels(t, c, q);
    case TRACE_CYCLES:
        if (!number(c, &q->address))
            return false;
        q->write = word(c, "WRITE");
        return (q->write || word(c, "READ")) && number(c, &q->cycle);
    case TRACE_FORMATS: break;
    }
    return false;
}

/* The message for a line that is no request. */
static int refuse(const struct trace_reader *t, u32 column) {
    char what[300], levels[120] = "";
    size_t len = 0;
    for (u32 i = 0; i < t->levels.count && t->format == TRACE_PLACES; i++)
        len += (size_t)snprintf(levels + len, sizeof levels - len, "%s%s", i ? "," : "", t->levels.name[i]);
    if (t->format == TRACE_FORMATS)
        snprintf(what, sizeof what, "expected a request: %s; %s; or %s", formats[0].form, formats[1].form,
                 formats[2].form);
    else if (t->format == TRACE_PLACES)
        snprintf(what, sizeof what, "expected R or W, and %s", levels);
    else
        snprintf(what, sizeof what, "expected %s", formats[t->format].form);
    trace_fail(t, column, what);
    return -1;
}

/* Checks that each level has that place. */
static int check_levels(const struct trace_reader *t, const struct trace_request *q) {
    char what[120];
    for (u32 i = 0; i < t->levels.count && t->format == TRACE_PLACES; i++)
        if (t->levels.size[i] && q->level[i] >= t->levels.size[i]) {
            snprintf(what, sizeof what, "%s %llu: this memory has %llu", t->levels.name[i],
                     (unsigned long long)q->level[i], (unsigned long long)t->levels.size[i]);
            trace_fail(t, q->column[i], what);
            return -1;
        }
    return 1;
}

int trace_line(struct trace_reader *t, const char *text, size_t len, struct trace_request *q) {
    const char *remark = memchr(text, '#', len);
    struct cursor c = {text, text, remark ? remark : text + len};
    *q = (struct trace_request){.write = false};
    t->line++;
    skip_blanks(&c);
    if (c.at == c.end)
        return 0;
    for (u32 i = 0; t->format == TRACE_FORMATS && i < TRACE_FORMATS; i++)
        if (*c.at && strchr(formats[i].first, *c.at >= 'a' ? *c.at - 32 : *c.at))
            t->format = (enum trace_format)i;
    if (t->format == TRACE_FORMATS || !read_request(t, &c, q) || c.at != c.end)
        return refuse(t, column_of(&c));
    return check_levels(t, q);
}
