/*
 * The structures of heddle.h as a table, which the build makes from the header itself (scripts/records.lua): names,
 * kinds and comments of all fields that functions return. A walk over it leaves out no field, and uses each one's name
 * in C:
 *
 *   const struct heddle_record *of = heddle_record("heddle_result");
 *   for (uint32_t i = 0; i < of->nfields; i++) {
 *       const struct heddle_field *f = &of->fields[i];
 *       for (uint64_t k = 0; heddle_field_there(f, &result) && k < heddle_field_count(f, &result); k++)
 *           show(f->name, heddle_field_value(f, &result, k));
 *   }
 *
 * Every field of such a structure has a comment, on its line. Brackets before the words add facts that the declaration
 * leaves open; expressions may name members of the structure:
 *
 *   uint32_t nlines;
 *   const struct heddle_line_count *lines;  [nlines] is understood; without a comment nlines is no field
 *   const uint32_t *regs;                   [nregs] [width] number of elements; the second factor is that of a row
 *   const uint8_t *data;                    [bytes] of them: one value
 *   const uint64_t *stall;                  [by heddle_stall_name] an element for each name that the function gives
 *   const uint64_t *value;                  [columns heddle_line_column] the same, as members of the structure
 *   uint64_t cycles;                        [if timed] present under this condition; in a comment of its own: all
 *                                           fields up to the next such comment
 *   uint64_t lanes;                         [hex] written in base 16, as "0xff"
 *   uint64_t element;                       [index] counted from 0; from 1 in Lua, as all elements there
 *   const char *buffer;                     [null] present without a value if it is NULL; a number: UINT64_MAX
 *   const char *buffer;                     [exists] the structure is none if this is NULL, or 0
 *   const char *buffer;                     [name] name of the structure in a list by name, as a first member `name`
 *   double value;                           [value] its value there, instead of all other fields
 *   double value;                           [whole if whole] a whole number under this condition
 *   enum heddle_verdict verdict;            [word name] its value is the text of that member, which is no field then
 *   const char *caches;                     [words] one of the words in quotes: "cold" or "warm"
 *
 * Of the forms that results have outside of C:
 *
 *   struct heddle_fault_info fault;         [not json lua python page] not a field there; in a comment of its own: as
 *                                           [if]. [only c]: nowhere
 *   const char *rounds;                     [json text?] in JSON of this type (scripts/lib/heddle/schema/notation.lua),
 *                                           ? if it may be absent, +? if it is its members; what prints JSON makes it
 *   const struct heddle_spread *totals;     [python list] a tuple, though its elements have names
 *   struct heddle_line_count {              [python Line] before the structure: name of its class
 *
 * Without one of these a pointer to a structure points to one or, if NULL, to none. Other brackets are refused.
 */
#ifndef HEDDLE_API_RECORD_H
#define HEDDLE_API_RECORD_H

#include "sim/api/heddle.h"

/* Kind of a field's elements. */
enum heddle_kind {
    HEDDLE_KIND_BOOL,
    HEDDLE_KIND_WHOLE,  /* not negative; all enums too */
    HEDDLE_KIND_SIGNED, /* a whole number */
    HEDDLE_KIND_HEX,    /* a whole number that is written in base 16: lanes, bits, an address */
    HEDDLE_KIND_REAL,
    HEDDLE_KIND_TEXT,
    HEDDLE_KIND_BYTES, /* as many as `count` */
    HEDDLE_KIND_RECORD /* a structure */
};

/* Forms of results that may lack a field. */
enum { HEDDLE_JSON = 1, HEDDLE_LUA = 2, HEDDLE_PYTHON = 4, HEDDLE_PAGE = 8 };

struct heddle_record;

/* A field of a structure. A word of C++ that ends in '_' in the header, as `class_`, has none here. */
struct heddle_field {
    const char *name, *doc;
    enum heddle_kind kind;              /* of an element */
    uint32_t offset, size;              /* of the field in its structure, and of an element */
    bool far;                           /* a pointer at `offset` points to the elements */
    uint32_t length;                    /* of an array in the structure that is meant as a whole; else 0 */
    bool null;                          /* present without a value if NULL or UINT64_MAX */
    bool index;                         /* number of an element, from 0 */
    bool words;                         /* a text that is one of those quoted in `doc` */
    bool unknown;                       /* a number that its condition compares with the one for unknown */
    bool list;                          /* has several elements, or none */
    bool columns;                       /* elements are members of the structure, by the names that `element` gives */
    uint32_t without;                   /* HEDDLE_JSON, ...: forms that do not have it */
    const char *json, *python;          /* its type there if it has another form; else NULL */
    const struct heddle_record *record; /* of a HEDDLE_KIND_RECORD */
    /* NULL if the header declares none. */
    uint64_t (*count)(const void *record);                    /* elements */
    uint64_t (*row)(const void *record);                      /* elements of a row, in a table of rows */
    bool (*there)(const void *record);                        /* true if the structure has it */
    bool (*whole)(const void *record);                        /* true if a real number is whole */
    const char *(*element)(uint32_t index, const char **doc); /* names of its elements; NULL past the last */
};

/* A structure. */
struct heddle_record {
    const char *name, *doc;
    const char *python; /* name of its class; NULL = it follows from `name` */
    uint32_t size, nfields;
    const struct heddle_field *fields;
    bool named;                        /* the first field is its name: a list of them is a map */
    const struct heddle_field *value;  /* its value in such a list; NULL = all other fields */
    const struct heddle_field *exists; /* field without which it is none; NULL = it always exists */
};

/* All structures, ended by one without a name. */
extern const struct heddle_record heddle_records[];

/* Finds the structure of that name, "heddle_result"; NULL if it is unknown. */
const struct heddle_record *heddle_record(const char *name);

/* Finds a field by its name; NULL if it is unknown. */
const struct heddle_field *heddle_record_field(const struct heddle_record *of, const char *name);

/* True if the structure at `record` has the field: its condition holds, and its pointer is not NULL. */
bool heddle_field_there(const struct heddle_field *f, const void *record);

/* Counts its elements; 1 for a field that is no list. */
uint64_t heddle_field_count(const struct heddle_field *f, const void *record);

/* An element. */
struct heddle_value {
    enum heddle_kind kind;            /* WHOLE of a REAL that is known to be whole */
    const struct heddle_field *field; /* that has it; NULL = a walk has made it */
    bool truth;                       /* of a BOOL */
    uint64_t whole;                   /* of a WHOLE or HEX */
    int64_t number;                   /* of a SIGNED */
    double real;                      /* of a REAL */
    const char *text;                 /* of a TEXT; of an element of a list it may be NULL. Of BYTES: `whole` of them */
    const void *record;               /* of a RECORD */
};
struct heddle_value heddle_field_value(const struct heddle_field *f, const void *record, uint64_t index);

struct heddle_sink;

/* Writes a field that has another `json`, or leaves it out; false: the walk writes it. */
typedef bool (*heddle_sink_field)(const struct heddle_sink *to, const struct heddle_record *of,
                                  const struct heddle_field *f, const void *record);

/*
 * Receiver of a walk. Lists by name become maps, as do elements [by FUNCTION], of numbers above 0; a missing field is
 * left out.
 */
struct heddle_sink {
    void *ctx;
    uint32_t form; /* HEDDLE_JSON, ...; 0 = one with all fields */
    /* Begins a map '{' or a list '['; `name` is NULL in a list. */
    void (*open)(void *ctx, const char *name, char bracket);
    void (*close)(void *ctx, char bracket);
    void (*value)(void *ctx, const char *name, const struct heddle_value *value); /* BOOL to TEXT; REAL may be NaN */
    void (*none)(void *ctx, const char *name);                                    /* an unknown value */
    heddle_sink_field field;                                                      /* NULL = the walk writes all */
};

/* Sends all fields of the structure at `record` to the sink. */
void heddle_walk(const struct heddle_sink *to, const struct heddle_record *of, const void *record);

/* Sends an event: its fields, its numbers by their names, and its tail as `rows`, `levels` or `addresses`. */
void heddle_walk_event(const struct heddle_sink *to, const struct heddle *h, const struct heddle_event *event);

/*
 * Sends the columns of an explained instruction as `lanes`, a structure for each lane, and `titles`, those named after
 * registers. Lanes without a value are left out unless `every` gives the number of lanes.
 */
void heddle_walk_lanes(const struct heddle_sink *to, const struct heddle_explained *x, uint32_t every);

/* Sends `registers` of a state by name; `ready`: when those can be read that cannot at `cycle`, none = unknown. */
void heddle_walk_registers(const struct heddle_sink *to, const struct heddle_state *state, uint64_t cycle);

#endif
