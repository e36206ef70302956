/*
 * A memory device: what is in the stacks or chips of a board's DRAM, as one YAML file in configs/devices/ describes it.
 *
 *   standard: HBM3
 *   part: stack                      # what dram.stacks counts
 *   base: hbm3-6.4                   # another device: its times stay the same in ns
 *   sources:
 *     JESD238: JEDEC JESD238
 *   gbps: 5.2 card MT4G              # a number, its basis and its source
 *   rfc: 350ns standard JESD238
 *
 * Naming it, `dram.device: hbm3-5.2` sets its values on the board, but for keys that are given beside it;
 * `dram.stacks: 5` the channels and the capacity.
 */
#ifndef HEDDLE_BOARD_DEVICE_H
#define HEDDLE_BOARD_DEVICE_H

#include "sim/base/diag.h"

enum device_basis {
#define DEVICE_BASIS(id, ...) DEVICE_BASIS_##id,
#include "sim/board/device.def"
    DEVICE_BASIS_COUNT
};

enum device_part {
#define DEVICE_PART(id, ...) DEVICE_PART_##id,
#include "sim/board/device.def"
    DEVICE_PART_COUNT
};

enum device_field {
#define DEVICE_FIELD(key, ...) DEVICE_##key,
#include "sim/board/device.def"
    DEVICE_FIELDS
};

enum device_kind { DEVICE_KIND_COUNT, DEVICE_KIND_REAL, DEVICE_KIND_CLOCKS, DEVICE_KIND_TIME };

struct device_word {
    const char *name, *doc; /* "datasheet" */
};
extern const struct device_word device_bases[DEVICE_BASIS_COUNT], device_parts[DEVICE_PART_COUNT];

struct device_field_row {
    const char *key, *unit, *doc;
    u32 field; /* key of the board that it sets; BOARD_FIELDS: none */
    u8 kind;   /* enum device_kind */
    bool must;
};
extern const struct device_field_row device_fields[DEVICE_FIELDS];

enum { DEVICE_NAME_MAX = 40, DEVICE_SOURCES_MAX = 8 };

struct device_value {
    double number;
    bool given, ns;             /* it is a time, not clocks */
    u8 basis;                   /* enum device_basis */
    u8 source;                  /* index of its source, DEVICE_SOURCES_MAX: none */
    u16 line;                   /* of the file of that name */
    char file[DEVICE_NAME_MAX]; /* that gave it: "hbm3-6.4" */
};

struct device_source {
    char name[24], text[200];
};

struct device {
    char name[DEVICE_NAME_MAX]; /* "hbm3-5.2"; "": none is named */
    bool known;                 /* false: the name alone is, as in a printed board whose device is not to be found */
    char standard[16];          /* "HBM3" */
    u8 part;                    /* enum device_part */
    struct device_value value[DEVICE_FIELDS];
    struct device_source source[DEVICE_SOURCES_MAX];
    u32 sources;
};

struct board_source;

/*
 * Reads the device of that name: devices/NAME.yaml beside the board, from `source` (NULL: none), or the one that ships.
 * False after an error at `at`. No error if there is none: then it is not `known`.
 */
bool device_read(struct device *d, const struct board_source *source, const char *name, struct span at,
                 struct diag *diag);

/* Clock of its commands, which its data rate gives. */
double device_clock_mhz(const struct device *d);

/* A number in clocks of `mhz`, times rounded up; as it is, if it is none. */
double device_number(const struct device *d, enum device_field field, double mhz);

/* A time in ns, whatever it was given in. */
double device_ns(const struct device *d, enum device_field field);

/* GB/s of the pins of a part. */
double device_gbs(const struct device *d);

/* Devices that ship, by index; NULL past the last. */
const char *device_shipped(u32 index);

#endif
