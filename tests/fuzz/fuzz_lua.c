/* Calls of the Lua module that bytes choose: tests/fuzz/lua.lua has the properties to hold. */
#include "tests/fuzz/script.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    script_leave();
    return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    return script_fuzz("lua.lua", data, size);
}
