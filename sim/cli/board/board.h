/* The board that a command line chooses: --board NAME and any number of --set KEY=VALUE. */
#ifndef HEDDLE_CLI_BOARD_H
#define HEDDLE_CLI_BOARD_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/compare.h"
#include "sim/cli/json.h"
#include "sim/cli/resource_dir.h"

struct board_choice {
    const char *name; /* a board of configs/ without its ending, or a YAML file; NULL = the default board */
    struct buf sets;  /* list of char *: "sms=40" */
};

/* Stores a --set; false when out of memory. */
bool board_choice_set(struct board_choice *b, const char *assignment);

/* Makes the chosen board the context's. False after messages. */
bool board_apply(const struct board_choice *b, struct heddle *h);

/* Appends the values changed by --set, as a header's line; nothing without: "  with sms=10, dram.channels=8". */
void board_changes(const struct heddle *h, struct buf *out);

/* Makes an object of the values changed by --set: {"sms": 10}. */
json_t *board_changes_json(const struct heddle *h);

/* Gets every key that can be set, peaks last. False past the last. */
bool board_key_at(const struct heddle *h, u32 index, struct heddle_board_value *v);

/* Returns the value of a key that every board has. */
double board_number(struct heddle *h, const char *key);

/* Open the folders of the shipped boards, of the memory devices. */
void board_dir_open(struct resource_dir *s);
void board_device_dir_open(struct resource_dir *s);

/* Output of `heddle board` besides the values: peaks and warnings, as comments of the YAML, or everything as JSON. */

/* False after a message. */
bool board_report_text(struct heddle *h, struct buf *out);
bool board_report_json(struct heddle *h, struct buf *out);

/*
 * Boards side by side: the keys that differ, by section, with units, and the peaks that follow from them.
 *
 *   struct board_compare b = {.n = 0};
 *   board_compare_read(&b, &names, &sets) && board_compare_text(&b, COMPARE_TEXT, false, &text)
 *   board_compare_free(&b);
 */

struct board_compare {
    u32 n;
    struct heddle *board[COMPARE_MOST];
    struct short_text title[COMPARE_MOST]; /* name as given */
};

/* Reads boards by their names, a list of char *, with the same values changed on all of them. False after messages. */
bool board_compare_read(struct board_compare *b, const struct buf *names, const struct buf *sets);

/* Writes the differences, or `all`. */
void board_compare_text(const struct board_compare *b, enum compare_form form, bool all, struct buf *out);
bool board_compare_json(const struct board_compare *b, bool all, struct buf *out);

void board_compare_free(struct board_compare *b);

/* ---- heddle board new, peaks, check, devices ---- */

/* A board that is to be written: NAME.yaml. */
struct board_new {
    const char *name, *like;
    const char *device, *stacks; /* NULL: as `like` */
};

/* Writes it, if it is a board, and nothing of that name exists. False after messages. */
bool board_new(const struct board_new *n);

/* Writes the memory of boards, of a struct board_compare, as a table: a compare_put. */
bool board_peaks_put(const void *ctx, enum compare_form form, struct buf *out);

/* Writes where boards differ from their devices; true if nowhere. */
bool board_check_put(const struct board_compare *b, struct buf *out);

/* Writes the links between boards and hosts as a table: a compare_put without a context. */
bool board_links_put(const void *ctx, enum compare_form form, struct buf *out);

/* Prints the memory devices of these names, or lists all. False after a message. */
bool board_devices(const char *const *names, size_t n);

#endif
