#include "sim/cli/sweep/lines.h"

#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/ui.h"

/* Whether the word is an option of the sweep; *value: its value is the next word. */
static bool is_own(const struct argp_option *own, const char *word, bool *value) {
    *value = false;
    for (u32 i = 0; i < 2; i++)
        for (const struct argp_option *o = i ? command_common[0].argp->options : own; o->name; o++) {
            size_t len = strlen(o->name);
            bool letter = word[0] == '-' && word[1] == o->key && o->key < 128;
            bool name = strncmp(word, "--", 2) == 0 && strncmp(word + 2, o->name, len) == 0;
            const char *rest = word + 2 + (name ? len : 0);
            if (!letter && !(name && (!*rest || *rest == '=')))
                continue;
            *value = o->arg && !*rest;
            return true;
        }
    return false;
}

bool lines_split(const struct argp_option *own, int argc, char **argv, struct arena *arena, struct lines *l) {
    l->own = arena_alloc(arena, ((size_t)argc + 1) * sizeof *l->own);
    l->point = arena_alloc(arena, ((size_t)argc + 1) * sizeof *l->point);
    if (!l->own || !l->point) {
        ui_error("out of memory");
        return false;
    }
    l->own[l->nown++] = argv[0];
    bool mine = true, value;
    for (int i = 1; i < argc; i++) {
        if (mine && strcmp(argv[i], "--") == 0) {
            mine = false;
        } else if (mine && is_own(own, argv[i], &value)) {
            l->own[l->nown++] = argv[i];
            if (value && i + 1 < argc)
                l->own[l->nown++] = argv[++i];
        } else {
            l->point[l->npoint++] = argv[i];
        }
    }
    return true;
}

bool lines_insert(struct sweep *s, const struct argp_option *own, struct lines *l) {
    struct arena *arena = &s->arena;
    int n;
    char **word;
    if (!sweep_file_words(&s->file, s->options, arena, &n, &word))
        return false;
    char **line = arena_alloc(arena, (size_t)(1 + n + l->nown + l->npoint) * sizeof *line);
    if (!line) {
        ui_error("out of memory");
        return false;
    }
    int argc = 0;
    line[argc++] = l->own[0];
    for (int i = 0; i < n; i++)
        line[argc++] = word[i];
    for (int i = 1; i < l->nown; i++)
        line[argc++] = l->own[i];
    for (int i = 1; i < l->npoint; i++)
        line[argc++] = l->point[i];
    *l = (struct lines){.nown = 0};
    return lines_split(own, argc, line, arena, l);
}

void lines_put(const struct lines *l, struct buf *words) {
    for (int i = 0; i < l->nown; i++)
        buf_append(words, l->own[i], strlen(l->own[i]) + 1);
    buf_append(words, "--", 3);
    for (int i = 0; i < l->npoint; i++)
        buf_append(words, l->point[i], strlen(l->point[i]) + 1);
}
