#include "sim/cli/sweep/plan/plan.h"

#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/ui.h"

/* Finds the option of a word, NULL = none; *value: its value is the next word. */
const struct argp_option *lines_option(const struct argp_option *options, const char *word, bool *value) {
    for (const struct argp_option *o = options; o->name; o++) {
        size_t len = strlen(o->name);
        bool letter = word[0] == '-' && word[1] == o->key && o->key < 128;
        bool name = strncmp(word, "--", 2) == 0 && strncmp(word + 2, o->name, len) == 0;
        const char *rest = word + 2 + (name ? len : 0);
        if (!letter && !(name && (!*rest || *rest == '=')))
            continue;
        *value = o->arg && !*rest && !(o->flags & OPTION_ARG_OPTIONAL);
        return o;
    }
    return NULL;
}

/* True for an option of the sweep, or of every command. */
static bool is_own(const struct argp_option *own, const char *word, bool *value) {
    *value = false;
    return lines_option(own, word, value) || lines_option(command_common[0].argp->options, word, value);
}

bool lines_operand(const struct lines *l, const struct argp_option *options) {
    for (int i = 1; i < l->npoint; i++) {
        bool value = false;
        if (*l->point[i] != '-' || strcmp(l->point[i], "-") == 0)
            return true;
        lines_option(options, l->point[i], &value);
        i += value;
    }
    return false;
}

bool lines_split(const struct argp_option *own, int argc, char **argv, struct arena *arena, struct lines *l) {
    l->own = arena_alloc(arena, ((size_t)argc + 1) * sizeof *l->own);
    l->point = arena_alloc(arena, ((size_t)argc + 1) * sizeof *l->point);
    if (!l->own || !l->point)
        return ui_error("out of memory");
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

void lines_put(const struct lines *l, struct buf *words) {
    for (int i = 0; i < l->nown; i++)
        buf_append(words, l->own[i], strlen(l->own[i]) + 1);
    buf_append(words, "--", 3);
    for (int i = 0; i < l->npoint; i++)
        buf_append(words, l->point[i], strlen(l->point[i]) + 1);
}
