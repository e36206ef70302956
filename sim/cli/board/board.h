/* The board that a command line chooses: --board NAME and any number of --set KEY=VALUE. */
#ifndef HEDDLE_CLI_BOARD_H
#define HEDDLE_CLI_BOARD_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"
#include "sim/cli/resource_dir.h"

struct board_choice {
    const char *name; /* one of configs/ without its ending, or a YAML file; NULL = the default board */
    struct buf sets;  /* char * each: "sms=40" */
};

/* Stores a --set; false when out of memory. */
bool board_choice_set(struct board_choice *b, const char *assignment);

/* Makes it the context's board. False after messages. */
bool board_apply(const struct board_choice *b, struct heddle *h);

/* What --set changed, as a line of a header; nothing without it: "  with sms=10, dram.channels=8". */
void board_changes(const struct heddle *h, struct buf *out);

/* The same as an object: {"sms": 10}. */
json_t *board_changes_json(const struct heddle *h);

/* Every key that can be set, those that are a peak last. False behind the last. */
bool board_key_at(const struct heddle *h, u32 index, struct heddle_board_value *v);

/* The boards that ship. */
void board_dir_open(struct resource_dir *s);

#endif
