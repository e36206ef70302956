/* Points of commands other than `heddle run`: their identity, and the row made of their JSON. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/program.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/sweep/run/run.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/run/run.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"

enum { PATH = 4096, JSON_MOST = 1 << 24 }; /* bytes of a path; of the JSON that a row keeps whole */

/* ---- files ---- */

static int is_visible(const struct dirent *d) {
    return d->d_name[0] != '.' && strcmp(d->d_name, "node_modules") != 0;
}

static bool put_file(const char *path, struct buf *to) {
    struct buf text = {0};
    bool ok = file_read(path, &text);
    buf_printf(to, "%s\n", hash_bytes(text.data, text.len).text);
    buf_free(&text);
    return ok;
}

/* Appends the files of a folder by name: those with the ending (NULL = all), and of folders in it if `deep`. */
static bool put_folder(const char *path, const char *ending, bool deep, struct buf *to) {
    struct dirent **entry = NULL;
    int n = scandir(path, &entry, is_visible, alphasort);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        char name[PATH];
        struct stat st;
        int len = snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
        bool there = ok && len < (int)sizeof name && stat(name, &st) == 0;
        if (there && S_ISDIR(st.st_mode) && deep) {
            buf_printf(to, "%s/\n", entry[i]->d_name);
            ok = put_folder(name, ending, true, to);
        } else if (there && S_ISREG(st.st_mode) && (!ending || file_ends_in(name, ending))) {
            buf_printf(to, "%s ", entry[i]->d_name);
            ok = put_file(name, to);
        }
        free(entry[i]);
    }
    free(entry);
    return ok;
}

/* Hashes the shipped files, any of which a command may read. */
static bool hash_shipped(struct sweep *s) {
    static const char *const folder[] = {"kernels", "configs", "scripts"};
    const char *root = resources_root();
    struct buf facts = {0};
    bool ok = true;
    for (u32 i = 0; root && i < COUNT_OF(folder) && ok; i++) {
        char path[PATH];
        if (snprintf(path, sizeof path, "%s/%s", root, folder[i]) < (int)sizeof path)
            ok = put_folder(path, NULL, true, &facts);
    }
    s->shipped = hash_bytes(facts.data, facts.len);
    buf_free(&facts);
    return ok;
}

/* Appends a kernel with its includes. */
static bool put_kernel(const char *path, struct buf *to) {
    struct heddle *h = option_context(0);
    struct buf source = {0};
    struct heddle_program *p = h ? program_read(h, path, &source) : NULL;
    bool ok = p && run_put_program(h, p, &source, to);
    if (!h)
        ui_no_memory();
    heddle_program_free(p);
    heddle_free(h);
    buf_free(&source);
    return ok;
}

/* Appends the contents of a file that a word names; of a script also the files beside it, which it may need. */
static bool read_named(const char *path, bool folder, struct buf *to) {
    const char *slash = strrchr(path, '/');
    char beside[PATH];
    if (folder)
        return put_folder(path, NULL, true, to);
    if (file_ends_in(path, ".hd"))
        return put_kernel(path, to);
    if (!file_ends_in(path, ".lua"))
        return put_file(path, to);
    snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    return put_folder(beside, ".lua", false, to);
}

/* Adds the hash of a file, computed once. `whole`: a word that may be a folder. */
static bool put_named(struct sweep *s, const char *path, bool whole, struct buf *to) {
    struct stat st;
    struct buf facts = {0};
    if (stat(path, &st) != 0 || !(S_ISREG(st.st_mode) || (whole && S_ISDIR(st.st_mode))))
        return true;
    const struct hash name = hash_bytes(path, strlen(path));
    const char *known = json_string_value(json_object_get(s->files, name.text));
    bool ok = known || read_named(path, S_ISDIR(st.st_mode), &facts);
    if (!known)
        json_put(s->files, name.text, json_text(hash_bytes(facts.data, facts.len).text));
    buf_printf(to, "%s %s\n", path, json_string_value(json_object_get(s->files, name.text)));
    buf_free(&facts);
    return ok;
}

/* Adds the files in a word such as --in=x.npy, in:src=x.npy or a.hd,b.hd. */
static bool put_word(struct sweep *s, const char *word, struct buf *to) {
    bool ok = true;
    for (const char *at = word; ok; at += strcspn(at, "=,:") + 1) {
        size_t part = strcspn(at, ",:");
        char path[PATH];
        ok = put_named(s, at, at == word, to);
        if (ok && at[part] && part < sizeof path) {
            snprintf(path, sizeof path, "%.*s", (int)part, at);
            ok = put_named(s, path, false, to);
        }
        if (!at[strcspn(at, "=,:")])
            break;
    }
    return ok;
}

/* ---- what identifies a point ---- */

/* Refuses options for JSON, which the sweep adds itself, and standard input, which can be read only once. */
static bool agree(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0 || strncmp(argv[i], "--json=", strlen("--json=")) == 0)
            return ui_error("--json is of one run; 'heddle results' shows those of a sweep");
        if (strcmp(argv[i], "-") == 0) {
            return ui_error("standard input, '-', can be read only once, and a sweep has many points");
        }
    }
    return true;
}

static bool put_words(struct sweep *s, int argc, char **argv, struct buf *all, struct buf *inputs) {
    bool ok = agree(argc, argv);
    for (int i = 1; i < argc && ok; i++) {
        size_t name = strncmp(argv[i], "--", 2) == 0 ? strcspn(argv[i], "=") : strlen(argv[i]);
        buf_printf(all, "word %zu %.*s\n", name, (int)name, argv[i]);
        if (argv[i][name]) /* --name=value is --name value */
            buf_printf(all, "word %zu %s\n", strlen(argv[i] + name + 1), argv[i] + name + 1);
        ok = put_word(s, argv[i], inputs);
    }
    return ok;
}

int sweep_identify_other(struct sweep *s, struct sweep_point *p) {
    struct arena arena = {0};
    struct buf all = {0}, inputs = {0};
    int argc;
    char **argv;
    bool ok = *s->shipped.text || hash_shipped(s);
    ok = ok && (sweep_command(s, p, &arena, &argc, &argv) || ui_no_memory());
    if (ok) {
        buf_printf(&all, "heddle %s %s\nshipped %s\ncommand %s\n", heddle_version(), s->build.text, s->shipped.text,
                   s->command);
        ok = put_words(s, argc, argv, &all, &inputs);
        p->is.inputs = hash_bytes(inputs.data, inputs.len);
        buf_printf(&all, "inputs %s\n", p->is.inputs.text);
    }
    for (u32 i = 0; i < s->naxes && ok; i++)
        if (s->axis[i].form == SWEEP_SAMPLE)
            buf_printf(&all, "sample %s\n", sweep_value(s, p, i));
    p->is.key = hash_bytes(all.data, all.len);
    ok = ok && ((!all.failed && !inputs.failed) || ui_no_memory());
    buf_free(&all);
    buf_free(&inputs);
    arena_free(&arena);
    return ok ? EXIT_OK : EXIT_INPUT;
}

/* ---- its run ---- */

/* Adds --json - to the words: after the name of a study, which ends heddle's own options. */
static bool add_json(struct arena *arena, int *argc, char ***argv, int at) {
    static char json[] = "--json", standard[] = "-";
    char **word = arena_alloc(arena, ((size_t)*argc + 3) * sizeof *word);
    if (!word)
        return ui_no_memory();
    at = at < *argc ? at : *argc;
    memcpy(word, *argv, (size_t)at * sizeof *word);
    word[at] = json;
    word[at + 1] = standard;
    memcpy(word + at + 2, *argv + at, (size_t)(*argc - at) * sizeof *word);
    *argc += 2;
    word[*argc] = NULL;
    *argv = word;
    return true;
}

/* Reads the command's standard output. */
static bool read_output(int fd, struct buf *text) {
    char part[1 << 16];
    ssize_t n;
    for (off_t at = 0; (n = pread(fd, part, sizeof part, at)) > 0; at += n)
        buf_append(text, part, (size_t)n);
    return n == 0 && !text->failed;
}

static bool write_result(const struct sweep *s, const struct sweep_point *p, int status, const struct buf *text,
                         int fd) {
    struct buf why = {0};
    json_t *row = json_new(), *all = document_read("the command's JSON", text->data ? text->data : "", text->len, &why);
    u32 left = 0;
    json_put(row, "heddle", json_text(heddle_version()));
    json_put(row, "build", json_text_of(s->build.text, SWEEP_BUILD_SHOWN));
    json_put(row, "inputs_hash", json_text(p->is.inputs.text));
    json_put(row, "exit_status", json_s64(status));
    json_put(row, "json", text->len < JSON_MOST && all ? json_text_of(text->data, text->len) : json_null());
    sweep_put_axes(s, p, row);
    if (all)
        flatten(all, row, &left);
    if (left)
        fprintf(stderr, "values without a column, which are in 'json': %u\n", left);
    bool ok = all && sweep_write_row(row, fd);
    if (!all)
        ui_show(stderr, why.failed || !why.data ? "" : why.data);
    json_decref(all);
    json_decref(row);
    buf_free(&why);
    return ok;
}

int sweep_run_other(const struct sweep *s, const struct sweep_point *p, int fd) {
    const struct command *c = command_find(s->command);
    struct arena arena = {0};
    struct buf text = {0};
    int argc, out = memfd_create("result", MFD_CLOEXEC), status = EXIT_INPUT;
    const bool is_study = strcmp(s->command, "study") == 0;
    char **argv;
    bool ok = c && out >= 0 && dup2(out, STDOUT_FILENO) >= 0 && sweep_command(s, p, &arena, &argc, &argv) &&
              add_json(&arena, &argc, &argv, 1 + is_study);
    if (ok) {
        status = c->run(argc, argv);
        fflush(stdout);
        ok = read_output(out, &text) && (status == EXIT_INPUT || write_result(s, p, status, &text, fd));
    }
    buf_free(&text);
    arena_free(&arena);
    return ok ? status : EXIT_INPUT;
}
