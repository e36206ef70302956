/* Any bytes as JSON: tests/fuzz/json.lua has the properties to hold. */
#include "tests/fuzz/script.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    return script_fuzz("json.lua", data, size);
}
