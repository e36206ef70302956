/*
 * A board: the machine that a kernel is launched on, as one YAML file in configs/ describes it.
 *
 *   name: half
 *   base: a100             # all values of another board: a100.yaml beside this file, or the one that ships
 *   sms: 54                # and what differs
 *   l2:
 *     slices: 40
 *   dram:
 *     device: hbm3-6.4     # a memory device (sim/board/device.h): sets what the file does not
 *     stacks: 4
 *
 *   struct board b;
 *   board_default(&b);
 *   const struct board_text half = {"half.yaml", text, length};
 *   if (board_load(&b, &source, &half, &diag) && board_set(&b, "sms=27", &diag)) ...
 *
 * Components are given the section that is theirs, `const struct board_dram *`, never the whole board.
 */
#ifndef HEDDLE_BOARD_BOARD_H
#define HEDDLE_BOARD_BOARD_H

#include "isa/isa.h"
#include "sim/base/diag.h"
#include "sim/board/device.h"

/*
 * enum policy { policy_LRR, ... }, enum dispatch, ...: an enum for each choice, without a count, so that a switch over
 * it without `default:` does not compile when an option is missing. Such a switch decides wherever a choice is read.
 */
#define OPTIONS(choice) enum choice {
#define OPTION(choice, id, name, doc) choice##_##id,
#define OPTIONS_END(choice) \
    } \
    ;
#include "sim/board/fields.def"

struct board_option {
    const char *name, *doc; /* "lrr" */
};

/* Events that cost energy: ENERGY_instruction, ... */
enum energy_event {
#define ENERGY(id, ...) ENERGY_##id,
#include "sim/board/fields.def"
    ENERGY_COUNT
};

/* Basis of a number. */
enum basis { BASIS_NONE, BASIS_ASSUMED, BASIS_FITTED, BASIS_DERIVED, BASIS_MEASURED, BASIS_COUNT };
extern const char *const basis_names[BASIS_COUNT]; /* of BASIS_NONE NULL */

/* Values that a number may have, by what is published or argued. */
struct board_range {
    double low, high; /* the number itself, if none is given */
    bool given;
};

/* Sections of the file and groups of keys, in the order they are printed. */
enum board_section {
#define GROUP(section, doc) SECTION_##section,
#define BEGIN(section, doc) SECTION_##section,
#include "sim/board/fields.def"
    BOARD_SECTIONS
};

struct board_section_row {
    const char *name, *doc; /* "l2" */
};
extern const struct board_section_row board_sections[BOARD_SECTIONS];

/* Every key, in the order of the table: BOARD_top_sms, BOARD_l2_slices, BOARD_latency_FP32, ... */
enum board_field {
#define FIELD(section, key, ...) BOARD_##section##_##key,
#define CHOICE(section, key, ...) BOARD_##section##_##key,
#define LANES(unit, lanes) BOARD_lanes_##unit,
#define TIMING(class, latency, passes) BOARD_latency_##class, BOARD_passes_##class,
#define ENERGY(id, ...) BOARD_energy_##id,
#include "sim/board/fields.def"
    BOARD_FIELDS
};

/* Keys that follow from others, numbered after the fields: BOARD_dram_gbs, ... */
enum {
    BOARD_BEFORE_DERIVED = BOARD_FIELDS - 1,
#define DERIVED(section, key, ...) BOARD_##section##_##key,
#include "sim/board/fields.def"
    BOARD_KEYS,
    BOARD_DERIVED = BOARD_KEYS - BOARD_FIELDS,
    BOARD_DEVICE = BOARD_KEYS /* dram.device, which is a name */
};

/* The largest value of each key with a range: BOARD_MAX_sm_sub_cores, ... */
enum {
#define FIELD(section, key, kind, def, min, max, unit, doc) BOARD_MAX_##section##_##key = (int)(max),
#include "sim/board/fields.def"
};

enum { SUB_CORE_WARPS_MAX = 64 }; /* warps resident in one sub-core, as sim/board/rules.def demands */

enum { BOARD_NAME_MAX = 64, BOARD_BASE_DEPTH = 8, BOARD_ORIGIN_MAX = 64 };

enum { BOARD_SCALED = 2 };

/* Change made by setting a derived key. */
struct board_scaling {
    double asked, got, to[BOARD_SCALED]; /* its value as given and as reached, and those of the scaled fields */
    char text[128]; /* "dram.gbs=1200: dram.clock_mhz 877 -> 1172, 1200.13 GB/s"; "": it was not given */
};

#define MEMBER_COUNT u32
#define MEMBER_POWER2 u32
#define MEMBER_REAL double
struct board {
    char name[BOARD_NAME_MAX];
#define BEGIN(section, doc) struct board_##section {
#define END(section) \
    } \
    section;
#define FIELD(section, key, kind, ...) MEMBER_##kind key;
#define CHOICE(section, key, choice, ...) enum choice key;
#include "sim/board/fields.def"
    u32 lanes[UNIT_COUNT];
    u32 latency[CLASS_COUNT], passes[CLASS_COUNT];
    double energy[ENERGY_COUNT];                 /* picojoules */
    u8 basis[BOARD_FIELDS];                      /* enum basis; an energy always has one */
    struct board_range range[BOARD_FIELDS];      /* read by board_range */
    char origin[BOARD_FIELDS][BOARD_ORIGIN_MAX]; /* source of each value: "default", "a100.yaml:7", "--set" */
    struct board_scaling scaling[BOARD_DERIVED];
    struct device device;                 /* that the board names as dram.device */
    char device_origin[BOARD_ORIGIN_MAX]; /* where it does */
};

enum field_kind { KIND_COUNT, KIND_POWER2, KIND_REAL, KIND_CHOICE, KIND_ENERGY, KIND_DERIVED };

struct board_field_row {
    const char *key; /* "l2.slices" */
    const char *unit, *doc;
    const struct board_option *option; /* KIND_CHOICE: [max + 1], by the values of the enum */
    double def, min, max;
    double low, high;         /* KIND_ENERGY: range of the default */
    size_t offset;            /* offset in struct board */
    u8 kind;                  /* enum field_kind */
    u8 section;               /* enum board_section */
    u8 event;                 /* KIND_ENERGY: enum energy_event */
    const char *peak;         /* KIND_DERIVED: its value */
    u16 scaled[BOARD_SCALED]; /* KIND_DERIVED: fields that it scales; the second may be the first */
};

extern const struct board_field_row board_fields[BOARD_KEYS];

/* Source of the text of a file named by `base:`; NULL: it has none. The text stays the source's. */
struct board_source {
    const char *(*read)(void *ctx, const char *name, size_t *len);
    void *ctx;
};

/* A description, or (text NULL) the name of a board that ships. */
struct board_text {
    const char *file, *text;
    size_t len;
};

/* Unit of a class: packed fp16 runs on the FMA unit of a board without lanes for it. */
static inline enum unit board_unit(const struct board *b, enum iclass iclass) {
    u8 unit = isa_classes[iclass].unit;
    return unit == UNIT_FP16 && b->lanes[UNIT_FP16] == 0 ? UNIT_FMA : (enum unit)unit;
}

/* Banks of a data bus, those of all its stack ids. */
static inline u32 board_banks(const struct board_dram *d) {
    return d->bank_groups * d->banks * d->stack_ids;
}

/* Data buses of all channels. */
static inline u32 board_buses(const struct board_dram *d) {
    return d->channels * d->pseudo_channels;
}

/* True if banks are refreshed one by one, or one of each group, for rfc_bank; false if all at once, for rfc. */
static inline bool board_refreshes_banks(const struct board_dram *d) {
    return d->refresh == refresh_AT_DUE ? d->rfc_bank > 0 : d->refresh != refresh_ALL_BANK;
}

/* True for a field with one possible value: a latency of a class that takes its time elsewhere. It is not shown. */
bool board_field_fixed(u32 key);

/* Every field at its default, named "default". */
void board_default(struct board *b);

/*
 * Reads a description over the values in `b`; without a text that of the board `file` that ships. False with
 * errors in `diag`, then `b` is not to be used.
 */
bool board_load(struct board *b, const struct board_source *source, const struct board_text *t, struct diag *diag);

/* Sets values from "l2.slices=40"; *wrong is the index of the one that is refused, and the place is in its text. */
bool board_set_all(struct board *b, const char *const *assignments, u32 count, u32 *wrong, struct diag *diag);
bool board_set(struct board *b, const char *assignment, struct diag *diag);

/*
 * Values that are given together, in a file or by --set:
 *
 *   struct board_given g = {.board = &b, .diag = &diag}; board_put(&g, key, "40", "a100.yaml:7", at); ... board_end(&g)
 *
 * Derived keys are applied at the end, when everything else is known that they follow from.
 */
struct board_given {
    struct board *board;
    struct diag *diag;
    bool lines;                     /* the places are of a file */
    u32 next;                       /* key after the last one: most stand in the order of the rows */
    struct span at[BOARD_KEYS + 1]; /* where each was given, dram.device last; .len 0: it was not */
    double asked[BOARD_DERIVED];
    bool multiple[BOARD_DERIVED]; /* given as a multiple of the board's own value */
    char origin[BOARD_DERIVED][BOARD_ORIGIN_MAX];
};

/*
 * Checks `text` as a value of the key and stores it with its origin; a number may be followed by its basis and range,
 * "42 assumed 28..84". False after an error, as below.
 */
bool board_put(struct board_given *g, u32 key, const char *text, const char *origin, struct span at);

/*
 * Names the memory device, of the file that `source` reads or of those that ship. It sets what is not given at once, so
 * that multiples which follow are of that. False after an error.
 */
bool board_put_device(struct board_given *g, const struct board_source *source, const char *name, const char *origin,
                      struct span at);

/* Sets the fields that the number of the parts of a device decides, but for those given. For board_end. */
bool board_end_device(struct board_given *g);

/*
 * Gets the value that the device and the number of its parts have for a field, times in clocks of the board's memory;
 * -1: none. board_device_differs: the board has something else, by a clock or more.
 */
double board_device_value(const struct board *b, u32 key);
bool board_device_differs(const struct board *b, u32 key);

/* Sets the fields that derived keys scale; refuses what they cannot have, or a field that is given as well. */
bool board_end(struct board_given *g);

/* Sentence on what setting a derived key changed; NULL: it was not set, or what it follows from has changed since. */
const char *board_scaled(const struct board *b, u32 key);

/* Checks `text` as the name of the board and stores it. */
bool board_put_name(struct board *b, const char *text, struct span at, struct diag *diag);

/* The key of that name, looked for from key `from` on and round; BOARD_KEYS: none, with an error that suggests one. */
u32 board_key_find(const char *key, u32 from, struct span at, struct diag *diag);

/* Rules between fields ("l2.slices is a multiple of dram.channels"): an error for each that is broken. */
bool board_check(const struct board *b, struct diag *diag);

/* The value of a key as a number; the value of the enum for KIND_CHOICE. */
double board_value(const struct board *b, u32 key);

/* The range of a field; from the number to itself, if none is given. */
struct board_range board_range(const struct board *b, enum board_field field);

/* Sets a field, without a range; its basis and its origin stay. */
void board_store(struct board *b, enum board_field field, double value);

/*
 * Replaces each value that has a range by draw b->draw of it: the same for the same key and number, whatever the other
 * values are. Half of the draws lie below the value; on each side equal ratios are equally likely (differences, where
 * the range holds 0). Without effect for draw 0. What was drawn has no range any more.
 */
void board_draw(struct board *b);

/* The description as YAML, each value with its unit, meaning and origin: loading it gives the same board. */
void board_print(const struct board *b, struct buf *out);

/* All keys with unit, range, default and meaning. */
void board_print_keys(struct buf *out);

/* A figure that follows from the description, for people and for speed of light. */
struct board_peak {
    const char *name; /* "dram_bandwidth" */
    const char *unit; /* "bytes/cycle" of the SM clock, "GB/s", "GFLOP/s", "warps", ... */
    const char *doc;
    double value;
};

enum { BOARD_PEAKS_MAX = 64 };

/* Fills `list` with every derived peak and returns their number. Formulas are at the code, sim/board/peaks.c. */
u32 board_peaks(const struct board *b, struct board_peak list[BOARD_PEAKS_MAX]);

/* The peak of that name; 0 when there is none. */
double board_peak(const struct board *b, const char *name);

/* Settings that cap a level below its wire, in words, one warning each. */
void board_warnings(const struct board *b, struct diag *diag);

/* Lists differences between the board and its memory device, one warning each. */
void board_findings(const struct board *b, struct diag *diag);

#endif
