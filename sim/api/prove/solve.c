/*
 * Elements that normal forms leave open, for an SMT solver: one question for each pair of expressions of different
 * structure. A model is data for one more run of both kernels, and means nothing until that shows a difference.
 */
#include "sim/api/prove/prove.h"

#include <string.h>

#include "sim/prove/smt.h"

enum {
    QUESTIONS_MAX = 4096,
    MODELS_MAX = 8,       /* models that are run */
    VALUES_MAX = 1 << 16, /* words of models that come with the answers */
    TEXT_MAX = 64u << 20  /* limit of all questions, in bytes */
};

enum verdict { OPEN, UNSAT, SAT };

struct question {
    struct smt_question q;
    u32 buffer; /* the first element with this question */
    u64 element;
    u32 hash;
    enum verdict said;
    const char *values; /* its model, in the answers; NULL: not there */
};

struct solving {
    struct proof *p;
    struct arena arena;
    struct smt smt;
    struct question *list;
    u32 n;
    size_t bytes;
    bool all; /* every element that differs has a question */
    char *answers;
};

static u32 hash_text(const struct buf *text) {
    u32 h = 1;
    for (size_t i = 0; i < text->len; i++)
        h = (h ^ (u8)text->data[i]) * 0x01000193u;
    return h;
}

static bool known(const struct solving *s, const struct question *q) {
    for (u32 i = 0; i < s->n; i++) {
        const struct question *o = &s->list[i];
        if (o->hash == q->hash && o->q.text.len == q->q.text.len &&
            memcmp(o->q.text.data, q->q.text.data, q->q.text.len) == 0)
            return true;
    }
    return false;
}

/* Adds the question of one element, unless it exists already. */
static void add(struct solving *s, u32 buffer, u64 element, const u32 *a, const u32 *b) {
    struct question q = {.buffer = buffer, .element = element, .q.most = TEXT_MAX - s->bytes};
    u32 n = 8 * proof_size(s->p, buffer);
    bool ok = s->n < QUESTIONS_MAX && s->bytes < TEXT_MAX && smt_differ(&s->smt, a, b, n, &q.q);
    q.hash = ok ? hash_text(&q.q.text) : 0;
    if (ok && !known(s, &q)) {
        s->bytes += q.q.text.len;
        s->list[s->n++] = q;
        return;
    }
    s->all &= ok;
    smt_question_free(&q.q);
}

static void collect(struct solving *s) {
    struct proof *p = s->p;
    u32 a[64], b[64];
    for (u32 i = 0; i < p->count && s->all; i++)
        for (u64 k = 0; k < p->buffer[i]->count && s->all; k++)
            if (proof_unlike(p, i, k, a, b))
                add(s, i, k, a, b);
}

/* Finds the next word of an answer; "" at the end. */
static const char *next_word(const char **at, size_t *len) {
    *at += strspn(*at, " \t\r\n");
    const char *word = *at;
    *len = strcspn(word, " \t\r\n");
    *at += *len;
    return word;
}

static bool is(const char *word, size_t len, const char *text) {
    return len == strlen(text) && memcmp(word, text, len) == 0;
}

/* Skips the list in parentheses that comes next, and returns it; NULL: a word is next, or nothing. */
static const char *next_list(const char **at) {
    const char *list = *at += strspn(*at, " \t\r\n");
    u32 depth = *list == '(';
    if (!depth)
        return NULL;
    while (depth && *++*at)
        depth = **at == '(' ? depth + 1 : **at == ')' ? depth - 1 : depth;
    *at += **at == ')';
    return list;
}

/* Reads the answers in turn, each with its model, or with an error instead. Any other word ends them. */
static void read_answers(struct solving *s) {
    const char *at = s->answers;
    for (u32 i = 0; i < s->n; i++) {
        size_t len;
        const char *word = next_word(&at, &len);
        if (is(word, len, "unsat"))
            s->list[i].said = UNSAT;
        else if (is(word, len, "sat"))
            s->list[i].said = SAT;
        else if (!is(word, len, "unknown") && !is(word, len, "timeout"))
            return;
        s->list[i].values = next_list(&at);
    }
}

#define MODELS "(set-option :produce-models true)\n(set-logic QF_UFBV)\n"

/* Runs the solver; false if that failed. It may take the time left for the solver or for the whole proof. */
static bool ask(struct solving *s, const struct buf *script, char **answer) {
    struct proof *p = s->p;
    double left = p->until > 0 ? p->until - p->asked->clock() : p->seconds;
    double seconds = left < p->seconds ? left : p->seconds, before = seconds;
    proof_step(p, "asking", p->solver.name);
    *answer = NULL;
    if (!script->failed && seconds > 0 && proof_goes_on(p)) {
        *answer = p->solver.ask(p->solver.ctx, script->data, &seconds);
        p->seconds -= before - seconds;
        proof_goes_on(p);
    }
    return *answer != NULL;
}

static void ask_values(const struct question *q, struct buf *script) {
    buf_puts(script, "(get-value ");
    smt_names(&q->q, script);
    buf_puts(script, ")\n");
}

/*
 * Decides all questions in one run of the solver. z3 prints the model at once where there is one, and continues after
 * the error where there is none; others may end there.
 */
static void decide(struct solving *s) {
    const bool continues = strncmp(s->p->solver.name, "z3", 2) == 0;
    struct buf script = {0};
    size_t values = 0;
    buf_puts(&script, MODELS);
    for (u32 i = 0; i < s->n; i++) {
        const struct question *q = &s->list[i];
        buf_puts(&script, "(push 1)\n");
        buf_append(&script, q->q.text.data, q->q.text.len);
        buf_puts(&script, "(check-sat)\n");
        values += q->q.input.len / sizeof(u32);
        if (continues && q->q.input.len && values < VALUES_MAX)
            ask_values(q, &script);
        buf_puts(&script, "(pop 1)\n");
    }
    if (ask(s, &script, &s->answers))
        read_answers(s);
    buf_free(&script);
}

/* Asks for the model of a question alone; NULL where none came, for example in time. */
static char *ask_model(struct solving *s, const struct question *q) {
    struct buf script = {0};
    char *answer;
    buf_puts(&script, MODELS);
    buf_append(&script, q->q.text.data, q->q.text.len);
    buf_puts(&script, "(check-sat)\n");
    if (q->q.input.len)
        ask_values(q, &script);
    ask(s, &script, &answer);
    buf_free(&script);
    return answer;
}

/* Reads the model of a question into p->model; false where none came. */
static bool model(struct solving *s, const struct question *q) {
    struct proof *p = s->p;
    char *answer = q->values ? NULL : ask_model(s, q);
    const char *at = answer ? answer : "";
    size_t len;
    const char *word = next_word(&at, &len), *values = q->values ? q->values : at;
    bool ok = q->values || is(word, len, "sat");
    p->model.len = 0;
    for (u32 k = 0; ok && k < q->q.input.len / sizeof(u32); k++) {
        const u32 *of = term_operands(&p->terms, ((const u32 *)(const void *)q->q.input.data)[k]);
        struct model_word m = {.buffer = of[0], .word = of[1]};
        ok = smt_value(values, k, &m.value);
        buf_append(&p->model, &m, sizeof m);
    }
    heddle_release(answer);
    return ok && !p->model.failed;
}

/* Runs both kernels on data of the solver, and counts the runs. */
static enum heddle_status replay(struct solving *s, u32 *tried) {
    struct proof *p = s->p;
    u32 buffer = p->at_buffer;
    u64 element = p->at_element;
    for (u32 i = 0; i < s->n && *tried < MODELS_MAX; i++) {
        if (s->list[i].said != SAT || !model(s, &s->list[i]))
            continue;
        enum heddle_status status = trial_both(p, TRIAL_MODEL);
        if (status != HEDDLE_OK)
            return status;
        ++*tried;
        p->out->trials++;
        p->at_buffer = s->list[i].buffer;
        p->at_element = s->list[i].element;
        if (trial_differs(p)) {
            p->refuted = true;
            p->trial = TRIAL_MODEL;
            return HEDDLE_OK;
        }
    }
    p->at_buffer = buffer;
    p->at_element = element;
    return HEDDLE_OK;
}

static enum heddle_status solve(struct solving *s) {
    struct heddle_proof_solver *out = &s->p->out->solver;
    u32 said[3] = {0}, ran = 0;
    collect(s);
    if (s->n)
        decide(s);
    for (u32 i = 0; i < s->n; i++)
        said[s->list[i].said]++;
    out->name = arena_strndup(&s->p->h->result, s->p->solver.name, strlen(s->p->solver.name));
    out->questions = s->n;
    enum heddle_status status = said[SAT] ? replay(s, &ran) : HEDDLE_OK;
    out->answer = s->p->refuted                           ? "different"
                  : ran                                   ? "candidate"
                  : said[SAT]                             ? "no data"
                  : s->n && s->all && said[UNSAT] == s->n ? "equal"
                                                          : "unknown";
    return out->name ? status : HEDDLE_MEMORY;
}

enum heddle_status proof_solve(struct proof *p) {
    struct solving s = {.p = p, .all = true, .arena = {.budget = &p->h->budget}};
    enum heddle_status status = HEDDLE_MEMORY;
    s.list = arena_alloc(&s.arena, QUESTIONS_MAX * sizeof *s.list);
    if (s.list && smt_init(&s.smt, &p->terms, &s.arena))
        status = solve(&s);
    else
        context_no_memory(p->h, "the questions for a solver");
    for (u32 i = 0; i < s.n; i++)
        smt_question_free(&s.list[i].q);
    heddle_release(s.answers);
    smt_free(&s.smt);
    arena_free(&s.arena);
    return status;
}

/* ---- bits ---- */

struct never {
    const char *text; /* the question, in p->arena */
    size_t len;
    bool is;
};

static const struct never *asked(const struct proof *p, const struct buf *text) {
    const struct never *list = (const struct never *)(const void *)p->never.data;
    for (size_t i = 0; i < p->never.len / sizeof *list; i++)
        if (list[i].len == text->len && memcmp(list[i].text, text->data, text->len) == 0)
            return &list[i];
    return NULL;
}

bool proof_never(void *proof, u32 bit) {
    enum { MOST = 256 };
    struct proof *p = proof;
    struct solving s = {.p = p, .arena = {.budget = &p->h->budget}};
    struct question q = {.q.most = TEXT_MAX};
    struct never n = {.is = false};
    const u32 zero = BIT_0;
    if (p->never.len / sizeof n < MOST && p->seconds > 0 && smt_init(&s.smt, &p->terms, &s.arena) &&
        smt_differ(&s.smt, &bit, &zero, 1, &q.q)) {
        const struct never *known = asked(p, &q.q.text);
        if (known) {
            n.is = known->is;
        } else {
            s.list = &q;
            s.n = 1;
            decide(&s);
            n.is = q.said == UNSAT;
            n.len = q.q.text.len;
            n.text = arena_strndup(&p->arena, q.q.text.data, n.len);
            if (n.text)
                buf_append(&p->never, &n, sizeof n);
        }
    }
    heddle_release(s.answers);
    smt_question_free(&q.q);
    smt_free(&s.smt);
    arena_free(&s.arena);
    return n.is;
}
