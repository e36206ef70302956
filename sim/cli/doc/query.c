#include "sim/cli/doc/doc.h"

#include <ctype.h>
#include <string.h>

const char *query_normal(struct doc_words *w, const char *all) {
    struct buf out = {0};
    for (const char *text = all; *text; text++)
        if (isalnum((unsigned char)*text) || (unsigned char)*text > 127)
            buf_putc(&out, (char)tolower((unsigned char)*text));
        else if (out.len && out.data[out.len - 1] != ' ')
            buf_putc(&out, ' ');
    while (out.len && out.data[out.len - 1] == ' ')
        out.len--;
    const char *kept = doc_words_keep(w, out.len ? out.data : all, out.len ? out.len : strlen(all));
    buf_free(&out);
    return kept;
}

/* Returns the name without folder or object: "saxpy" of classic/saxpy, "launch" of context:launch. */
static const char *tail_of(const char *name) {
    const char *cut = strpbrk(name, "/:");
    return cut && cut[1] ? cut + 1 : name;
}

/* Compares a name with a question, which may be a plural: "bank conflicts" is the entry "bank conflict". */
static bool same(const char *name, const char *asked) {
    size_t len = strlen(name);
    return *name && strncmp(name, asked, len) == 0 && (!asked[len] || (len > 2 && strcmp(asked + len, "s") == 0));
}

/* Text after the name of a family: none after a plain one, letters after "cudaMalloc*", another word after "sm__*". */
enum tail { TAIL_NONE, TAIL_LETTERS, TAIL_BLANK };

static enum tail tail_of_family(const struct doc_word *d) {
    size_t len = d->family ? strlen(d->name) : 0;
    if (len < 2 || d->name[len - 1] != '*')
        return TAIL_NONE;
    return isalnum((unsigned char)d->name[len - 2]) ? TAIL_LETTERS : TAIL_BLANK;
}

bool query_exact(const struct query *q, const struct doc_word *d) {
    if (tail_of_family(d) == TAIL_BLANK)
        return false;
    return same(query_normal(q->w, d->name), q->whole) || same(query_normal(q->w, tail_of(d->name)), q->whole);
}

size_t query_family(const struct query *q, const struct doc_word *d) {
    const char *name = d->family ? query_normal(q->w, d->name) : "";
    size_t len = strlen(name);
    if (!len || strncmp(name, q->whole, len) != 0)
        return 0;
    enum tail tail = tail_of_family(d);
    const char *rest = q->whole + len;
    bool part = *rest == ' ' && !strchr(q->given, ' '); /* allowed for one word */
    return part || (!*rest && tail != TAIL_BLANK) || (*rest && *rest != ' ' && tail == TAIL_LETTERS) ? len : 0;
}

/* True if a word of the text begins so: "hits" for "hit", but not "string" for "ring"; one or two letters are a whole
 * word. */
static bool has(const char *text, const char *word) {
    size_t len = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || at[-1] == ' ') && (len > 2 || !at[len] || at[len] == ' '))
            return true;
    return false;
}

bool query_in(const struct query *q, const char *normal) {
    bool all = q->n > 0;
    for (size_t i = 0; i < q->n; i++)
        all &= has(normal, q->word[i]);
    return all;
}

u32 query_rank(const struct query *q, const struct doc_word *d) {
    struct buf text = {0};
    if (query_in(q, query_normal(q->w, d->name)))
        return 2;
    buf_printf(&text, "%s %s %s", d->name, d->kind, d->text);
    u32 rank = !text.failed && query_in(q, query_normal(q->w, text.data));
    buf_free(&text);
    return rank;
}

void query_read(struct query *q, const char *given) {
    q->given = given;
    q->whole = query_normal(q->w, given);
    for (const char *at = q->whole; *at && q->n < COUNT_OF(q->word);) {
        size_t len = strcspn(at, " ");
        if (len) /* blanks alone are no word */
            q->word[q->n++] = doc_words_keep(q->w, at, len);
        at += len + (at[len] == ' ');
    }
}

bool query_shorten(struct query *q) {
    bool any = false;
    for (size_t i = 0; i < q->n; i++) {
        size_t len = strlen(q->word[i]);
        bool plural = len > 3 && q->word[i][len - 1] == 's' && q->word[i][len - 2] != 's';
        if (plural)
            q->word[i] = doc_words_keep(q->w, q->word[i], len - 1);
        any |= plural;
    }
    return any;
}
