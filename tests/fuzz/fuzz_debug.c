/*
 * Any lines as commands of the debugger, over one recorded launch: a line is carried out and prints lines, or is
 * refused in one sentence and leaves the cursor where it was; the cursor stays on warps that were recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/scoped.h"
#include "sim/base/buf.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char kernel[] = ".kernel k\n"
                             ".param y : u32[16]\n"
                             ".shared tile : b32[16]\n"
                             ".reg   t, v, a, at:2\n"
                             ".pred  odd\n"
                             "        s2r           t, %tid.x\n"
                             "        ld.param.b64  at, [y]\n"
                             "        mad.wide.u32  at, t, 4, at\n"
                             "        and.b32       v, t, 1\n"
                             "        setp.ne.u32   odd, v, 0\n"
                             "@odd    bra           other\n"
                             "        call          twice\n"
                             "        bra           met\n"
                             "other:\n"
                             "        atom.global.add.u32 v, [at], t\n"
                             "met:\n"
                             "        shl.b32       a, t, 2\n"
                             "        st.shared.b32 [tile + a], v\n"
                             "        bar.sync      0\n"
                             "        xor.b32       a, a, 4\n"
                             "        ld.shared.b32 v, [tile + a]\n"
                             "        st.global.b32 [at], v\n"
                             "        exit\n"
                             ".func twice\n"
                             "        add.u32       r1, r0, r0\n"
                             "        ret\n";

static struct heddle *h;
static struct heddle_program *program;
static struct heddle_result result;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const struct heddle_watch all = {0};
    static const struct heddle_arg args[] = {{.name = "y", .buffer = "y"}};
    static const char *const set[] = {"sms=2", "warp_width=8"};
    const struct heddle_launch l = {
        .grid = {2, 1, 1}, .block = {16, 1, 1}, .args = args, .nargs = COUNT_OF(args), .watch = &all};
    (void)argc;
    (void)argv;
    h = heddle_new();
    program = h ? heddle_load(h, "k.hd", kernel, strlen(kernel)) : NULL;
    if (!program || !heddle_buffer(h, "y", "u32", 1, (const uint64_t[]){32}) ||
        !heddle_board_load(h, NULL, set, COUNT_OF(set)) || heddle_launch(h, program, &l, &result) != HEDDLE_OK) {
        fprintf(stderr, "%s\n", h ? heddle_error(h) : "out of memory");
        abort();
    }
    return 0;
}

static _Noreturn void wrong(const char *line, const char *text, const char *what) {
    fprintf(stderr, "%s\n%s\n%s\n", line, text, what);
    abort();
}

static void perform(struct heddle_debugger *d, const char *line) {
    const char *text;
    struct heddle_state s;
    struct heddle_debugger_place before = heddle_debugger_place(d);
    bool done = heddle_debugger_command(d, line, &text);
    struct heddle_debugger_place at = heddle_debugger_place(d);
    size_t len = strlen(text);
    if (done ? len && text[len - 1] != '\n' : !len || strchr(text, '\n'))
        wrong(line, text, "what is printed is no line, or what is refused no sentence");
    if (!done && (before.block != at.block || before.warp != at.warp || before.cycle != at.cycle ||
                  before.events != at.events || at.left))
        wrong(line, text, "a command that is refused moves the cursor");
    if (at.events > result.events || !heddle_state(h, at.block, at.warp, result.events, &s))
        wrong(line, text, "the cursor is outside the recording");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size) {
    SCOPED(heddle_debugger_drop) struct heddle_debugger *d = heddle_debugger_new(h, program, &result);
    SCOPED(buf_free) struct buf line = {0};
    if (!d)
        abort();
    for (size_t i = 0; i < size; i++) {
        buf_putc(&line, data[i] == '\n' ? '\0' : (char)data[i]);
        if (data[i] != '\n' && i + 1 < size)
            continue;
        buf_putc(&line, '\0');
        perform(d, line.data);
        line.len = 0;
    }
    return 0;
}
