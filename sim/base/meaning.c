#include "sim/base/meaning.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 12, PART = 24, SHOWN = 4, FAR = 1000 };

static const struct {
    const char *word, *name;
} synonyms[] = {
#define MEANS(word, name) {word, name},
#include "sim/base/synonyms.def"
};

/* The words of a name, in small letters: of "l2_size" and of "L2Size" l2 and size. */
struct parts {
    char text[PARTS][PART];
    u32 n;
};

static struct parts parts_of(const char *name) {
    struct parts p = {.n = 0};
    while (*name && p.n < PARTS) {
        u32 len = 0;
        for (bool small = false; isalnum((unsigned char)*name) && !(small && isupper((unsigned char)*name)); name++) {
            small = !isupper((unsigned char)*name);
            if (len + 1 < PART)
                p.text[p.n][len++] = (char)tolower((unsigned char)*name);
        }
        p.n += len > 0;
        name += *name && !isalnum((unsigned char)*name);
    }
    return p;
}

/* True for equal words, and for a word and its plural in s. */
static bool same(const char *a, const char *b) {
    size_t len = strlen(a), other = strlen(b);
    const char *longer = len > other ? a : b;
    size_t least = len < other ? len : other;
    return strncmp(a, b, least) == 0 && (len == other || (least + 1 == strlen(longer) && longer[least] == 's'));
}

/* Distance from a word to its best match in a name, which is marked as found; FAR: the name has none. */
static u32 distance(const char *word, const struct parts *name, u32 *found) {
    for (u32 i = 0; i < name->n; i++)
        if (same(word, name->text[i])) {
            *found |= 1u << i;
            return 0;
        }
    for (u32 s = 0; s < COUNT_OF(synonyms); s++) {
        if (!same(word, synonyms[s].word))
            continue;
        if (!*synonyms[s].name)
            return 1;
        for (u32 i = 0; i < name->n; i++)
            if (strcmp(name->text[i], synonyms[s].name) == 0) {
                *found |= 1u << i;
                return 1;
            }
    }
    return FAR;
}

/* Distance of words from a name: each part of it that they leave out adds 10. FAR or more: a word is not in it. */
static u32 apart(const struct parts *words, const char *candidate) {
    const struct parts name = parts_of(candidate);
    u32 found = 0, sum = 0;
    for (u32 i = 0; i < words->n && sum < FAR; i++)
        sum += distance(words->text[i], &name, &found);
    for (u32 i = 0; i < name.n; i++)
        sum += found >> i & 1 ? 0 : 10;
    return found ? sum : FAR;
}

/* Adds a name to those shown: "; did you mean 'a'", ", 'b'", " or 'c'". */
static void add(struct meaning *m, const char *name, u32 index, u32 of) {
    size_t len = strlen(m->text);
    snprintf(m->text + len, sizeof m->text - len, "%s'%.40s'%s",
             index == 0        ? "; did you mean "
             : index + 1 == of ? " or "
                               : ", ",
             name, index + 1 == of ? "?" : "");
}

struct meaning meaning_of(const char *word, size_t n, const char *(*name)(const void *ctx, size_t i), const void *ctx) {
    const struct parts words = parts_of(word);
    const char *best[SHOWN] = {NULL};
    struct meaning m = {""};
    u32 least = FAR, found = 0;
    for (size_t i = 0; i < n; i++) {
        const char *candidate = name(ctx, i);
        u32 far = candidate ? apart(&words, candidate) : FAR;
        if (far < least)
            found = 0;
        least = far < least ? far : least;
        if (far == least && far < FAR && found < SHOWN)
            best[found++] = candidate;
    }
    if (!found && (best[0] = nearest_name(word, n, name, ctx)) != NULL)
        found = 1;
    for (u32 i = 0; i < found; i++)
        add(&m, best[i], i, found);
    return m;
}
