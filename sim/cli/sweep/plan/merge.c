/* Merges the words of a sweep's file with those of the command line, which replace words that both give. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/sweep/plan/plan.h"
#include "sim/cli/ui.h"

/* An option with its value, or another word. */
struct item {
    char *word[2];
    int words;
    const char *option; /* "over"; NULL = none */
    const char *value;
    const char *about; /* its subject: "sms", "arg.n", "board"; the name as an axis */
    bool gone;         /* replaced by another */
    bool taken;        /* in a file's list: from the command line */
};

struct merge {
    struct sweep *s;
    const struct argp_option *own;
    struct item *file, *line; /* of the command line: words of the sweep, then of its points */
    u32 nfile, nline;
};

static const char *print(struct merge *m, const char *a, const char *b, const char *c, size_t len) {
    struct buf text = {0};
    buf_printf(&text, "%s%s%.*s", a, b, (int)len, c);
    const char *kept = text.failed ? NULL : arena_strndup(&m->s->arena, text.data, text.len);
    buf_free(&text);
    return kept;
}

static bool is_axis(const struct item *i) {
    static const char *const axes[] = {"over", "with", "bisect"};
    for (u32 k = 0; k < COUNT_OF(axes); k++)
        if (i->option && strcmp(i->option, axes[k]) == 0)
            return true;
    return false;
}

/* Returns the subject: "arg.n" of --arg n=1, "sms" of --set sms=4 and --over sms=1,2, "grid" of --grid 4. */
static const char *about(struct merge *m, const struct item *i, const char *form) {
    bool named = is_axis(i) || strcmp(i->option, "set") == 0;
    if (!i->value || !(named || (form && strchr(form, '='))))
        return i->option;
    return print(m, named ? "" : i->option, named ? "" : ".", i->value, strcspn(i->value, "="));
}

/* Reads the word at `at` with its value; returns their number. */
static int read_item(struct merge *m, char **word, int at, int n, struct item *i) {
    bool value = false;
    const struct argp_option *o = NULL;
    *i = (struct item){.word = {word[at]}, .words = 1};
    if (*word[at] == '-' && !(o = lines_option(m->own, word[at], &value)))
        o = m->s->options ? lines_option(m->s->options, word[at], &value) : NULL;
    if (!o) {
        i->about = sweep_is_run(m->s) && *word[at] != '-' ? "kernel" : NULL;
        return 1;
    }
    const char *equals = strchr(word[at], '=');
    i->option = o->name;
    i->value = !o->arg ? NULL : equals && word[at][1] == '-' ? equals + 1 : word[at][1] != '-' ? word[at] + 2 : NULL;
    if (value && at + 1 < n) {
        i->word[1] = word[at + 1];
        i->value = word[at + 1];
        i->words = 2;
    }
    i->about = about(m, i, o->arg);
    return i->words;
}

static void read_items(struct merge *m, char **word, int n, struct item *list, u32 *count) {
    for (int at = 1; at < n; (*count)++)
        at += read_item(m, word, at, n, &list[*count]);
}

/* ---- words that both give ---- */

static void say(const struct merge *m, const struct item *now, const struct item *was) {
    if (now->option && was->option && strcmp(now->option, was->option) == 0 && !now->value == !was->value &&
        (!now->value || strcmp(now->value, was->value) == 0))
        return;
    const char *slash = strrchr(m->s->file.path, '/');
    struct buf text = {0};
    buf_printf(&text, "%s: ", slash ? slash + 1 : m->s->file.path);
    const struct item *both[] = {now, was};
    for (u32 i = 0; i < 2; i++)
        buf_printf(&text, "%s%s%s%s%s", i ? " in place of " : "", both[i]->option ? "--" : "",
                   both[i]->option ? both[i]->option : both[i]->word[0], both[i]->value ? " " : "",
                   both[i]->value ? both[i]->value : "");
    buf_puts(&text, "\n");
    ui_show(stderr, text.failed ? "" : text.data);
    buf_free(&text);
}

/* Finds the item of the file's list with the same subject, from `from` on. */
static u32 find(const struct merge *m, const struct item *i, u32 from) {
    while (from < m->nfile && (m->file[from].gone || m->file[from].taken || !m->file[from].about ||
                               strcmp(i->about, m->file[from].about) != 0))
        from++;
    return from;
}

/* Makes an axis of one word: --over=arg.n=4 from --arg n=4, if the file has an axis arg.n. */
static bool put_axis(struct merge *m, const struct item *from, const char *option, struct item *to) {
    bool named = is_axis(from) || strchr(from->about, '.') || strcmp(from->option, "set") == 0;
    const char *values = named ? strchr(from->value, '=') + 1 : from->value;
    const char *value = print(m, from->about, "=", values, strlen(values));
    const char *start = value ? print(m, "--", option, "=", 1) : NULL;
    const char *word = start ? print(m, start, "", value, strlen(value)) : NULL;
    *to = (struct item){.word = {(char *)(uintptr_t)word},
                        .words = 1,
                        .option = option,
                        .value = value,
                        .about = from->about,
                        .taken = true};
    return word != NULL;
}

/* Puts an axis after the replaced one that it follows. */
static bool follow(struct merge *m, struct item *i, u32 *at) {
    memmove(&m->file[*at + 2], &m->file[*at + 1], (m->nfile - *at - 1) * sizeof *m->file);
    m->nfile++;
    i->gone = true;
    return put_axis(m, i, i->option, &m->file[++*at]);
}

/* Replaces items of the file's list. *at: last axis replaced there, which axes of --with follow; UINT32_MAX = none. */
static bool replace(struct merge *m, struct item *i, u32 *at) {
    bool with = i->option && strcmp(i->option, "with") == 0, axis = is_axis(i), ok = true;
    if (!i->about)
        return true; /* adds more values of a command */
    u32 there = find(m, i, 0);
    if (there == m->nfile && with && *at != UINT32_MAX)
        return follow(m, i, at);
    *at = axis && !with ? UINT32_MAX : *at;
    for (; there < m->nfile && ok; there = find(m, i, there + 1)) {
        struct item was = m->file[there];
        bool can = is_axis(&was) && i->value && (strchr(i->value, '=') || !axis);
        say(m, i, &was);
        m->file[there].gone = true;
        if (!can)
            continue;
        bool kept = strcmp(was.option, "with") == 0 || !axis;
        ok = put_axis(m, i, kept ? was.option : i->option, &m->file[there]);
        i->gone = true;
        *at = there;
        break;
    }
    return ok;
}

static char **put_items(const struct item *list, u32 n, char **to) {
    for (u32 i = 0; i < n; i++)
        for (int k = 0; k < list[i].words && !list[i].gone; k++)
            *to++ = list[i].word[k];
    return to;
}

bool lines_insert(struct sweep *s, const struct argp_option *own, struct lines *l) {
    struct merge m = {.s = s, .own = own};
    int n;
    char **word;
    if (!sweep_file_words(&s->file, s->options, &s->arena, &n, &word))
        return false;
    size_t most = (size_t)n + (size_t)l->nown + (size_t)l->npoint;
    m.file = arena_alloc(&s->arena, most * sizeof *m.file);
    m.line = arena_alloc(&s->arena, most * sizeof *m.line);
    char **line = arena_alloc(&s->arena, (most + 1) * sizeof *line), **end = line;
    if (!m.file || !m.line || !line)
        return ui_no_memory();
    read_items(&m, word, n, m.file, &m.nfile);
    read_items(&m, l->own, l->nown, m.line, &m.nline);
    read_items(&m, l->point, l->npoint, m.line, &m.nline);
    u32 at = UINT32_MAX;
    bool ok = true;
    for (u32 i = 0; i < m.nline && ok; i++)
        ok = replace(&m, &m.line[i], &at);
    if (!ok)
        return ui_no_memory();
    *end++ = l->own[0];
    *end++ = word[0];
    end = put_items(m.file, m.nfile, end);
    end = put_items(m.line, m.nline, end);
    *l = (struct lines){.nown = 0};
    return lines_split(own, (int)(end - line), line, &s->arena, l);
}
