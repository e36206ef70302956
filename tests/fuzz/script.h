/*
 * Bytes of a fuzzer for a file of Lua: tests/fuzz/NAME.lua is run in an interpreter of its own with the bytes, in
 * hexadecimal, as its argument. An error that it raises ends the process.
 *
 *   return script_fuzz("points.lua", data, size);
 */
#ifndef HEDDLE_TESTS_FUZZ_SCRIPT_H
#define HEDDLE_TESTS_FUZZ_SCRIPT_H

#include "sim/base/types.h"

/* Always 0. */
int script_fuzz(const char *name, const u8 *data, size_t size);

/* Moves the process to an empty folder, which is removed at its end: scripts may write there. */
void script_leave(void);

#endif
