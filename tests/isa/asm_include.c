/* Are .include, line records and messages of several files right? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/program_text.h"

static const struct file {
    const char *path, *text;
} files[] = {
    {"lib/add.hd", ".equ STEP, 3\n.macro add_to d, by=STEP\n add.s32 \\d, \\d, \\by\n.endmacro\n"},
    {"lib/both.hd", ".include \"add.hd\"\n.include \"../lib/./add.hd\""},
    {"lib/code.hd", ".func f\n ret"},
    {"lib/empty.hd", ""},
    {"lib/open.hd", ".if 1\n nop\n"},
    {"lib/mistake.hd", "\n.macro bad d\n add.s33 \\d, \\d, 1\n.endmacro\n.equ 7\n"},
    {"lib/round.hd", ".include \"round2.hd\"\n"},
    {"lib/round2.hd", "\n.include \"round.hd\"\n"},
    {"/abs.hd", ".equ STEP, 1\n"},
    {"t.hd", "; the file itself\n"},
};

static const char *read_file(void *ctx, const char *path, size_t *len) {
    u32 *reads = ctx;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        if (strcmp(files[i].path, path) != 0)
            continue;
        ++*reads;
        *len = strlen(files[i].text);
        return files[i].text;
    }
    return NULL;
}

/* Assembles a text with a reader of files; with messages in `out` if it is not NULL. */
static struct program *assemble(const char *name, const char *text, u32 *reads, struct buf *out) {
    struct diag diag = {0};
    SCOPED(includes_free) struct includes includes = {.read = read_file, .ctx = reads};
    struct program *p = program_assemble(name, text, strlen(text), &includes, &diag);
    if (out)
        diag_render(&diag, out);
    return p;
}

static struct buf code_of(struct program *p) {
    struct buf out = {0};
    cr_assert(p != NULL);
    for (u32 i = 0; i < p->ninst; i++)
        inst_print(p, &p->inst[i], &out);
    program_free(p);
    return out;
}

/* ---- what it gives ---- */

static const struct {
    const char *text, *plain;
    u32 reads;
} same[] = {
    {".include \"lib/add.hd\"\n.kernel k\n add_to r1\n exit\n", ".kernel k\n add.s32 r1, r1, 3\n exit\n", 1},
    {".include \"lib/both.hd\"\n.include \"lib/add.hd\"\n.kernel k\n add_to r1, 2\n exit\n",
     ".kernel k\n add.s32 r1, r1, 2\n exit\n", 2},
    {".kernel k\n call f\n exit\n.include \"./lib/../lib/code.hd\"\n.func g\n ret\n",
     ".kernel k\n call f\n exit\n.func f\n ret\n.func g\n ret\n", 1},
    {".include \"lib/empty.hd\"\n.include \"lib/empty.hd\" ; again\n.kernel k\n exit\n", ".kernel k\n exit\n", 1},
    {".include \"/abs.hd\"\n.kernel k\n mov.b32 r1, STEP\n exit\n", ".kernel k\n mov.b32 r1, 1\n exit\n", 1},
    {".if 0\n.include \"nothing.hd\"\n.endif\n.kernel k\n exit\n", ".kernel k\n exit\n", 0},
    {".kernel k\n exit\n.include \"lib/code.hd\"", ".kernel k\n exit\n.func f\n ret\n", 1},
};

Test(asm_include, gives_the_lines_of_the_file) {
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        u32 reads = 0;
        SCOPED(buf_free) struct buf have = code_of(assemble("t.hd", same[i].text, &reads, NULL));
        SCOPED(buf_free) struct buf want = code_of(program_of_text(same[i].plain));
        cr_expect_str_eq(have.data, want.data, "case %zu", i);
        cr_expect_eq(reads, same[i].reads, "case %zu: %u files read", i, reads);
    }
}

static const char two_files[] = ".include \"../lib/add.hd\"\n"
                                ".kernel k\n"
                                " mov.b32 r1, 1\n"
                                " add_to r1\n"
                                " exit\n";

Test(asm_include, line_records_name_the_file) {
    u32 reads = 0;
    SCOPED(program_drop) struct program *p = assemble("k/t.hd", two_files, &reads, NULL);
    cr_assert(p && p->ninst == 3 && p->nincluded == 1);
    cr_expect_eq(program_place(p, 0).file, NULL);
    cr_expect_eq(program_place(p, 0).line, 3);
    cr_expect_str_eq(program_place(p, 1).file, "lib/add.hd");
    cr_expect_eq(program_place(p, 1).line, 3);
    cr_expect_str_eq(program_line(p, p->line[1]).text, "line 3 of add.hd");
    cr_expect_str_eq(program_line(p, p->line[2]).text, "line 5");
}

Test(asm_include, object_and_text_keep_the_files) {
    SCOPED(buf_free) struct buf object = {0}, text = {0};
    struct diag diag = {0};
    u32 reads = 0;
    struct program *p = assemble("k/t.hd", two_files, &reads, NULL);
    cr_assert(p != NULL);
    program_save(p, &object);
    program_free(p);
    p = program_load("t.hdo", (const u8 *)object.data, object.len, &diag);
    cr_assert(p != NULL);
    cr_expect_str_eq(program_place(p, 0).file, "k/t.hd");
    cr_expect_str_eq(program_place(p, 1).file, "lib/add.hd");
    cr_expect_eq(program_place(p, 1).line, 3);
    program_disassemble(p, &text);
    program_free(p);
    cr_expect(strncmp(text.data, ".file \"k/t.hd\"\n.file \"lib/add.hd\", 6\n", 37) == 0, "%s", text.data);
    p = program_of_text(text.data);
    expect_same_object(p, &object, "the object");
    program_free(p);
    /* lines before a file are ascending */
    object.data[40 + 3 * 20] = 0;
    cr_expect(!program_load("t.hdo", (const u8 *)object.data, object.len, &diag));
    cr_expect_str_eq(diag.message[0].text, "byte 100: the lines of the files are not in order");
}

/* ---- mistakes ---- */

static const struct {
    const char *text, *message;
} mistakes[] = {
    {".include \"lib/nothing.hd\"\n.kernel k\nexit\n",
     "k/t.hd:1:10: error: 'k/lib/nothing.hd' cannot be read; expected a plain file\n"
     "     1 | .include \"lib/nothing.hd\"\n"
     "       |          ^~~~~~~~~~~~~~~~\n"},
    {".include lib\n.kernel k\nexit\n", "k/t.hd:1:10: error: expected the file's name in quotes, found 'lib'\n"
                                        "     1 | .include lib\n"
                                        "       |          ^~~\n"},
    {".include \"\"\n.kernel k\nexit\n", "k/t.hd:1:10: error: the name is empty\n"
                                         "     1 | .include \"\"\n"
                                         "       |          ^~\n"},
    {".include \"../lib/add.hd\\x00\"\n.kernel k\nexit\n", "k/t.hd:1:10: error: a name holds no NUL\n"
                                                           "     1 | .include \"../lib/add.hd\\x00\"\n"
                                                           "       |          ^~~~~~~~~~~~~~~~~~~\n"},
    {".include \"t.hd\"\n.kernel k\nexit\n", "k/t.hd:1:10: error: 'k/t.hd' includes itself\n"
                                             "     1 | .include \"t.hd\"\n"
                                             "       |          ^~~~~~\n"},
    {".include \"../lib/round.hd\"\n.kernel k\nexit\n",
     "lib/round2.hd:2:10: error: 'lib/round.hd' includes itself, by way of other files\n"
     "     2 | .include \"round.hd\"\n"
     "       |          ^~~~~~~~~~\n"
     "  included, lib/round.hd:1\n"
     "  included, k/t.hd:1\n"},
    {".repeat 1\n.include \"../lib/add.hd\"\n.endrepeat\n.kernel k\nexit\n",
     "k/t.hd:2:1: error: '.include' is not allowed in a macro or '.repeat'\n"
     "     2 | .include \"../lib/add.hd\"\n"
     "       | ^~~~~~~~\n"
     "  in round 0 of the '.repeat', k/t.hd:1\n"},
    {".kernel k\n.include \"../lib/open.hd\"\nexit\n.endif\n",
     "k/t.hd:4:1: error: '.endif' without an '.if' before it\n"
     "     4 | .endif\n"
     "       | ^~~~~~\n"
     "lib/open.hd:1:1: error: '.if' has no '.endif' before the end of the file\n"
     "     1 | .if 1\n"
     "       | ^~~\n"
     "  included, k/t.hd:2\n"},
    {".include \"../lib/mistake.hd\"\n.kernel k\n bad r1\n.equ STEP\n exit\n",
     "k/t.hd:4:10: error: expected ',' and a number, found the end of the line\n"
     "     4 | .equ STEP\n"
     "       |          ^\n"
     "lib/mistake.hd:3:2: error: there is no 'add.s33'; did you mean 'add.s32'?\n"
     "     3 |  add.s33 \\d, \\d, 1\n"
     "       |  ^~~~~~~\n"
     "  in the expansion of 'bad', k/t.hd:3\n"
     "lib/mistake.hd:5:6: error: expected a name for a number, found '7'\n"
     "     5 | .equ 7\n"
     "       |      ^\n"
     "  included, k/t.hd:1\n"},
    {".include \"../lib/add.hd\"\n.equ STEP, 1\n.kernel k\n add_to r1, STEP\nexit\n.macro add_to\n.endmacro\n",
     "k/t.hd:2:6: error: 'STEP' is already the name of a number, on line 1 of add.hd\n"
     "     2 | .equ STEP, 1\n"
     "       |      ^~~~\n"
     "k/t.hd:6:8: error: there is already a macro 'add_to', on line 2 of add.hd\n"
     "     6 | .macro add_to\n"
     "       |        ^~~~~~\n"},
    {".kernel k\n add_to r1\n exit\n.include \"../lib/add.hd\"\n",
     "k/t.hd:2:2: error: macro 'add_to' is defined below, on line 2 of add.hd; its definition comes first\n"
     "     2 |  add_to r1\n"
     "       |  ^~~~~~\n"},
    {".file \"a\"\n.file \"b\", 0\n.kernel k\nexit\n",
     "k/t.hd:2:12: error: the number of lines before must be 1 to 4294967294\n"
     "     2 | .file \"b\", 0\n"
     "       |            ^\n"},
};

Test(asm_include, mistakes) {
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        SCOPED(buf_free) struct buf out = {0};
        u32 reads = 0;
        cr_expect(!assemble("k/t.hd", mistakes[i].text, &reads, &out));
        cr_expect_str_eq(out.data, mistakes[i].message, "case %zu: got\n%s", i, out.data);
    }
}

Test(asm_include, text_without_its_files) {
    static const char text[] = ".include \"a.hd\"\n.kernel k\nexit\n";
    struct diag diag = {0};
    cr_assert(!program_assemble("t.hd", text, sizeof text - 1, NULL, &diag) && diag.errors == 1);
    cr_expect_str_eq(diag.message[0].text, "'.include' is not possible here: this text was given without its files");
}

/* ---- bounds ---- */

/* "n.hd" includes the file of the number above, or for "x" nothing. */
static const char *read_number(void *ctx, const char *path, size_t *len) {
    static char text[128][32];
    u32 n = (u32)strtoul(path, NULL, 10);
    (void)ctx;
    *len = (size_t)snprintf(text[n], sizeof text[n], strchr(path, 'x') ? "; %u\n" : ".include \"%u.hd\"\n", n + 1);
    return text[n];
}

static void bounded(const char *text, const char *where) {
    struct diag diag = {0};
    SCOPED(buf_free) struct buf out = {0};
    SCOPED(includes_free) struct includes includes = {.read = read_number};
    cr_assert(!program_assemble("t.hd", text, strlen(text), &includes, &diag) && diag.errors == 1);
    diag_render(&diag, &out);
    cr_expect(strncmp(out.data, where, strlen(where)) == 0, "%s", out.data);
}

Test(asm_include, bounds) {
    SCOPED(buf_free) struct buf text = {0};
    bounded(".include \"1.hd\"\n.kernel k\n exit\n", "16.hd:1:10: error: includes nested more than 16 deep\n");
    for (u32 i = 0; i <= INCLUDES_MAX; i++)
        buf_printf(&text, ".include \"%ux.hd\"\n", i);
    buf_puts(&text, ".kernel k\n exit\n");
    bounded(text.data, "t.hd:65:10: error: more than 64 files are included\n");
}

Test(asm_include, paths) {
    static const struct {
        const char *from, *name, *path;
    } cases[] = {
        {"a.hd", "b.hd", "b.hd"},
        {"a/b/c.hd", "../d.hd", "a/d.hd"},
        {"a/c.hd", "../../d.hd", "../d.hd"},
        {"../c.hd", "../d.hd", "../../d.hd"},
        {"/a/c.hd", "../../d.hd", "/d.hd"},
        {"a/c.hd", "/x/./y//../d", "/x/d"},
        {"./c.hd", "./d.hd", "d.hd"},
        {"standard input", "d/e.hd", "d/e.hd"},
        {"a/c.hd", "..d/.e", "a/..d/.e"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(buf_free) struct buf path = {0};
        source_file_path(cases[i].from, cases[i].name, &path);
        cr_expect_str_eq(path.data, cases[i].path);
    }
}
