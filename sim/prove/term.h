/*
 * What a bit of a kernel's state is, as a function of the bits the kernel was given: a table of expressions where equal
 * expressions are one entry, so that "the same for all inputs" is a comparison of two numbers.
 *
 *   bit    0, 1, or bit k of an atom, maybe complemented
 *   word   32 bits, in one of three forms: a constant; 32 neighbouring bits of an atom; any 32 bits
 *   atom   the source of bits: a word of a buffer as it was at the start; an uninitialised value; or an
 *          operation on words and bits, whose result is 1, 32 or 64 bits
 *
 *   u32 x = term_input(e, buffer, 5);                        word 5 of a buffer
 *   u32 y = term_word(e, bits);                              the same bits give the same number
 *   x == y                                                   equal, whatever the buffer holds
 *
 * Forms are canonical: a word of known bits is a constant however it was made. The table itself knows nothing of
 * operations; their normal forms are made before the atom (sim/prove/algebra.h, sim/prove/logic.h).
 */
#ifndef HEDDLE_PROVE_TERM_H
#define HEDDLE_PROVE_TERM_H

#include "isa/isa.h"
#include "sim/base/buf.h"

/*
 * A bit: complemented (1) | atom (25) | position (6). Atom 0 is the constant 0.
 */
#define BIT_NOT 0x80000000u
#define BIT_0 0u
#define BIT_1 BIT_NOT

enum {
    ATOMS_MAX = 1 << 25,
    WORD_NONE = 0, /* no word: a cell that has not been written */
    OPERANDS = 64 * 2 + 8
};

/* The kind of an atom: the instruction row that computes it, or one of these. */
enum {
    ATOM_INPUT = OP_COUNT, /* {buffer, word}: what a buffer held at the start */
    ATOM_FRESH,            /* {number}: an uninitialised value; the number is its row in terms.fresh */
    /* Functions of bits (sim/prove/logic.h): */
    ATOM_TABLE, /* {truth table in two halves, bits...}, of up to six */
    ATOM_XOR,   /* {bits...}: their sum modulo 2 */
    ATOM_AND    /* {bits...}: whether all are 1 */
};

struct atom {
    u16 code; /* enum op, or ATOM_ */
    u16 mods; /* of the instruction: rounding and the like */
    u32 first, count;
};

/* A value that no instruction computed from others. */
enum fresh_kind {
    FRESH_REGISTER,
    FRESH_PREDICATE,
    FRESH_TRANSIT,
    FRESH_SHARED,
    FRESH_LOCAL,
    FRESH_SPECIAL,
    FRESH_BOARD,
    /* Parts of a launch of unknown size, one value each for both kernels (sim/prove/sizes.h): */
    FRESH_SIZE,   /* number 0: whole periods in the size, 1: an inner period */
    FRESH_ADDRESS /* of a buffer; number: 2 * buffer, and 1 more for the high half */
};

struct fresh {
    enum fresh_kind kind;
    u32 number; /* register, predicate, transit register, word of memory, special register, or as the kind has it */
    u32 side;   /* kernel 0 or 1 */
    u32 block;  /* linear */
    u32 warp, lane;
    u32 value; /* what the machine has there, so that runs can be compared */
};

struct word {
    u8 form; /* enum word_form */
    u32 at;  /* the value; the lowest bit; the place of 32 bits in `bits` */
};

struct terms {
    struct buf atoms, operands;     /* struct atom, u32 */
    struct buf words, bits;         /* struct word, u32 */
    struct buf fresh;               /* struct fresh */
    struct buf winners, candidates; /* of sim/prove/winner.c */
    struct buf winner_index, joined;
    struct buf atom_index; /* open addressing: number + 1 each */
    struct buf word_index;
    u32 of_board[SREG_COUNT]; /* the word of a special register that the board decides; WORD_NONE: not made */
    bool reassociate;         /* floating-point sums have no order: an assumption */
    bool failed;              /* out of memory, or ATOMS_MAX: nothing that was derived holds */
};

bool term_init(struct terms *e);

/* Takes memory from the budget from now on; false when the terms so far exceed it. */
bool term_bound(struct terms *e, struct budget *budget);
void term_free(struct terms *e);

/* ---- words ---- */

u32 term_const(struct terms *e, u32 value);
u32 term_word(struct terms *e, const u32 bit[32]);
void term_bits(const struct terms *e, u32 word, u32 bit[32]);
bool term_value(const struct terms *e, u32 word, u32 *value);

/* True if the word is 32 neighbouring bits of an atom; the lowest. */
bool term_neighbours(const struct terms *e, u32 word, u32 *bit);

/* The word's 32 bits from bit `low` (0 or 32) of an atom on. */
u32 term_slice(struct terms *e, u32 atom, u32 low);
u32 term_input(struct terms *e, u32 buffer, u32 word);
u32 term_fresh(struct terms *e, const struct fresh *f);

/* The value of a special register on a board that is not known: the same to both kernels and all threads. */
u32 term_of_board(struct terms *e, u32 sreg, u32 value);

/* ---- bits ---- */

static inline bool bit_known(u32 bit) {
    return (bit & ~BIT_NOT) == 0;
}

static inline u32 bit_of(u32 atom, u32 position) {
    return atom << 6 | position;
}

static inline u32 bit_atom(u32 bit) {
    return (bit & ~BIT_NOT) >> 6;
}

/* ---- atoms ---- */

/* Atom of an operation on operands; only the caller knows its meaning. */
u32 term_atom(struct terms *e, u32 code, u32 mods, u32 count, const u32 *operands);

static inline struct atom *term_at(const struct terms *e, u32 atom) {
    return &((struct atom *)(void *)e->atoms.data)[atom];
}

static inline const u32 *term_operands(const struct terms *e, u32 atom) {
    return (const u32 *)(const void *)e->operands.data + term_at(e, atom)->first;
}

/* Bits of its result: 1, 32 or 64. */
u32 term_width(const struct terms *e, u32 atom);

static inline u32 term_atoms(const struct terms *e) {
    return (u32)(e->atoms.len / sizeof(struct atom));
}

static inline const struct fresh *term_fresh_at(const struct terms *e, u32 atom) {
    return (const struct fresh *)(const void *)e->fresh.data + *term_operands(e, atom);
}

#endif
