/*
 * Questions for an SMT solver, as SMT-LIB 2 text: does any data make two expressions differ?
 *
 *   struct smt s;
 *   smt_init(&s, &terms, &arena);
 *   struct smt_question q = {0};
 *   smt_differ(&s, a, b, 32, &q);              q.text: declarations, definitions, one assertion; q.input: its words
 *   ... (check-sat): unsat = equal for all inputs
 *   smt_value(answer, 0, &value);              of (get-value (v0 v1 ...)): what the model has for q.input[0]
 *   smt_question_free(&q);
 *
 * Integers and bits mean what they do in the machine (QF_BV). Words of buffers and uninitialised values are free
 * constants; what no row of smt.c spells, floating-point numbers above all, is a function about which nothing is known
 * (QF_UFBV). So "unsat" holds for the machine, and a model is data worth a try, no more. Names are given in the order
 * of use: questions of the same structure are the same text.
 */
#ifndef HEDDLE_PROVE_SMT_H
#define HEDDLE_PROVE_SMT_H

#include "sim/base/arena.h"
#include "sim/prove/term.h"

struct smt_question {
    struct buf text;
    struct buf input;  /* u32 each: atoms of the words v0, v1, ... */
    struct buf unread; /* the functions declared so far, one in a line */
    size_t most;       /* bytes of `text` that there may be */
    bool exact;        /* no function without known properties: a model is a difference */
};

struct smt {
    const struct terms *e;
    u32 round;                    /* of the question */
    u32 *atom_round, *word_round; /* round that an atom or a word was named in last */
    u32 *atom_name, *word_name;
    u32 names;
    struct buf work;
};

/* For terms that are final: nothing may be added from here on. False when out of memory, of `arena` too. */
bool smt_init(struct smt *s, const struct terms *e, struct arena *arena);
void smt_free(struct smt *s);

/* Writes whether the `n` bits of a and of b can differ. False when out of memory, or with more text than q->most. */
bool smt_differ(struct smt *s, const u32 *a, const u32 *b, u32 n, struct smt_question *q);
void smt_question_free(struct smt_question *q);

/* Appends "(v0 v1 ...)", the argument of get-value. */
void smt_names(const struct smt_question *q, struct buf *out);

/* The value of input number `k` in the answer; false when it has none. */
bool smt_value(const char *answer, u32 k, u32 *value);

#endif
