#include "sim/cli/data_spec.h"

#include <string.h>
#include <strings.h>

#include "sim/api/element.h"
#include "sim/api/scalar.h"
#include "sim/base/diag.h"
#include "sim/cli/file.h"
#include "sim/cli/option.h"
#include "sim/cli/script.h"
#include "sim/cli/ui.h"

#define DATA_EXPECTED FILL_EXPECTED ", expr:EXPRESSION or @FILE"

/* ---- reading ---- */

static bool wrong(const struct data_spec *d, const char *at, size_t len, const char *text) {
    return ui_option_error(d->option, d->given, (size_t)(at - d->given), len ? len : 1, "%s", text);
}

/* Reads "TYPE[SHAPE]", "TYPE" or "[SHAPE]"; the rest begins at *at. */
static bool read_type(struct data_spec *d, struct arena *arena, const char **at) {
    size_t len = strcspn(*at, "[:");
    d->type = element_type(*at, len);
    if (!d->type && len) { /* heddle_buffer lists the types in its error */
        d->type = arena_strndup(arena, *at, len);
        if (!d->type)
            return ui_no_memory();
    }
    *at += len;
    d->shaped = **at == '[';
    if (d->shaped)
        *at = option_shape(d->option, d->given, *at, &d->ndim, d->shape);
    return *at != NULL;
}

/* True if a text begins with a type or shape, and not with a file's name. */
static bool is_typed(const char *at) {
    size_t len = strcspn(at, "[:"), name = strcspn(at, "./");
    return at[len] == '[' ? name > len : element_type(at, len) != NULL;
}

/*
 * Cuts IN:OUT in two. File names may contain ':' themselves: the cut is at the last ':' after the name of an existing
 * file, or the last of all.
 */
static const char *cut_files(const char *files, struct arena *arena) {
    for (size_t i = strlen(files); i-- > 0;) {
        if (files[i] != ':')
            continue;
        char *before = arena_strndup(arena, files, i);
        if (before && file_exists(before))
            return files + i;
    }
    return strrchr(files, ':');
}

static bool ends_in(const char *file, const char *ending) {
    size_t len = strlen(file), tail = strlen(ending);
    return len > tail && strcasecmp(file + len - tail, ending) == 0;
}

/* Keeps the text up to `end`, and the text after a ':' there as the output. */
static bool keep(struct data_spec *d, struct arena *arena, enum data_kind kind, const char *text, const char *end) {
    d->kind = kind;
    d->text = arena_strndup(arena, text, (size_t)(end - text));
    if (*end)
        d->out = end + 1;
    return d->text || ui_no_memory();
}

static bool read_fill(struct data_spec *d, struct arena *arena, enum data_role role, const char *at) {
    const char *end = at + strlen(at), *cut;
    size_t len = fill_length(at);
    if (*at == '@' || strncmp(at, "expr:", 5) == 0) {
        bool file = *at == '@';
        const char *text = at + (file ? 1 : 5);
        cut = role != DATA_INOUT ? NULL : file ? cut_files(text, arena) : strrchr(text, ':');
        end = cut && (file || ends_in(cut, ".npy")) ? cut : end;
        if (end == text)
            return wrong(d, end, 1, file ? "expected a file after '@'" : "expected an expression of i");
        return keep(d, arena, file ? DATA_FILE : DATA_EXPR, text, end);
    }
    if (!len)
        return wrong(d, at, strcspn(at, ":"), DATA_EXPECTED);
    if (at[len] && (role != DATA_INOUT || !at[len + 1]))
        return wrong(d, at + len, strlen(at + len), role == DATA_INOUT ? "expected a file after ':'" : DATA_EXPECTED);
    return keep(d, arena, DATA_FILL, at, at + len);
}

static const char *nth_fill(const void *ctx, size_t i) {
    (void)ctx;
    return fill_word(i) ? fill_word(i) : "expr";
}

/* Suggests a fill for the name of a missing file; NULL if none is near. */
static const char *nearest_fill(const char *at, struct arena *arena) {
    char *word = arena_strndup(arena, at, strcspn(at, ":"));
    const char *near =
        word && !file_exists(at) && !file_exists(word) ? nearest_name(word, FILL_NONE + 1, nth_fill, NULL) : NULL;
    struct buf text = {0};
    if (!near)
        return NULL;
    buf_printf(&text, "there is no such file; did you mean '%s'?", near);
    const char *kept = text.failed ? NULL : arena_strndup(arena, text.data, text.len);
    buf_free(&text);
    return kept;
}

static bool read_files(struct data_spec *d, struct arena *arena, enum data_role role) {
    const char *at = d->at, *end = at + strlen(at);
    if (!*at)
        return wrong(d, at, 1, "expected a file after '='");
    const char *meant = nearest_fill(at, arena);
    if (meant)
        return wrong(d, at, strcspn(at, ":"), meant);
    if (role == DATA_INOUT) {
        end = cut_files(at, arena);
        if (!end || end == at || !end[1])
            return wrong(d, at, strlen(at), "expected IN.npy:OUT.npy, or what fills it: " FILL_EXPECTED);
    }
    return keep(d, arena, DATA_FILE, at, end);
}

static bool read_out(struct data_spec *d, struct arena *arena) {
    const char *at = d->at;
    d->kind = DATA_NONE;
    d->text = "";
    if (!*at)
        return wrong(d, at, 1, "expected TYPE[SHAPE]:FILE, such as f32[4,1024]:y.npy");
    if (!is_typed(at)) {
        d->out = at;
        return true;
    }
    if (!read_type(d, arena, &at))
        return false;
    d->out = *at ? at + 1 : NULL;
    return !*at || (*at == ':' && at[1]) || wrong(d, at, 1, "expected ':' and a file");
}

bool data_spec_read(struct data_spec *d, struct arena *arena, enum data_role role) {
    const char *at = d->at;
    if (role == DATA_OUT)
        return read_out(d, arena);
    if (!is_typed(at))
        return *at == '@' || fill_length(at) || strncmp(at, "expr:", 5) == 0 ? read_fill(d, arena, role, at)
                                                                             : read_files(d, arena, role);
    if (!read_type(d, arena, &at))
        return false;
    return *at == ':' ? read_fill(d, arena, role, at + 1) : wrong(d, at, 1, "expected ':' and what fills it");
}

bool data_spec_only_writes(const struct data_spec *d) {
    return d->kind == DATA_NONE && !d->type && !d->shaped;
}

/* ---- making ---- */

/* Shows the error of the library, below the option. */
static bool refused(const struct data_spec *d, const char *error) {
    char text[400];
    const char *why = strstr(error, "error: ");
    snprintf(text, sizeof text, "%s", why ? why + strlen("error: ") : error);
    text[strcspn(text, "\n")] = 0;
    return wrong(d, d->at, strlen(d->at), text);
}

/* Finds a constant or variable of the module. */
static bool of_module(const struct data_place *to, const char *name, struct heddle_variable_info *info) {
    for (u32 i = 0; to->program && heddle_module_info(to->program, i, info); i++)
        if (strcmp(info->name, name) == 0)
            return true;
    return false;
}

/* Completes type and shape if the option leaves them out. */
static bool complete(struct data_spec *d, const char *name, const struct data_place *to) {
    struct heddle_tensor own;
    struct heddle_variable_info module;
    const char *type = NULL, *param = to->param ? to->param : name;
    u64 count = 0;
    if (d->type && d->shaped)
        return true;
    if (of_module(to, name, &module)) {
        d->type = d->type ? d->type : module.type[0] == 'b' && module.type[1] != 'f' ? "u8" : module.type;
        d->ndim = d->shaped ? d->ndim : module.ndim;
        memcpy(d->shape, d->shaped ? d->shape : module.shape, sizeof d->shape);
        d->shaped = true;
        return true;
    }
    if (to->has_case && heddle_buffer_look(to->h, name, &own)) {
        d->type = d->type ? d->type : element_type(own.type, strlen(own.type));
        d->ndim = d->shaped ? d->ndim : own.ndim;
        memcpy(d->shape, d->shaped ? d->shape : own.shape, sizeof d->shape);
        d->shaped = true;
        return true;
    }
    bool known = to->program && heddle_param_needs(to->h, to->program, to->launch, param, &type, &count);
    d->type = d->type ? d->type : type;
    if (d->shaped ? d->type != NULL : known) {
        d->ndim = d->shaped ? d->ndim : 1;
        d->shape[0] = d->shaped ? d->shape[0] : count;
        d->shaped = true;
        return true;
    }
    return to->program ? refused(d, heddle_error(to->h))
                       : wrong(d, d->at, strlen(d->at), "expected TYPE[SHAPE] before it");
}

static bool evaluate(const struct data_spec *d, const char *name, struct data_place *to) {
    to->session = to->session ? to->session : script_session(0);
    if (!to->session)
        return false;
    return heddle_case_expression(to->session, to->h, name, d->text, to->launch ? to->launch->args : NULL,
                                  to->launch ? to->launch->nargs : 0) ||
           refused(d, heddle_session_error(to->session));
}

/* Reads a file by its ending; one without an ending is a .npy file too. */
static bool read_file(struct data_spec *d, const char *name, struct data_place *to) {
    const char *base = strrchr(d->text, '/') ? strrchr(d->text, '/') : d->text;
    const char *shown = strcmp(d->text, "-") == 0 ? "standard input" : d->text;
    bool csv = ends_in(base, ".csv") || ends_in(base, ".tsv") || ends_in(base, ".txt") || ends_in(base, ".dat");
    bool raw = ends_in(base, ".raw") || ends_in(base, ".bin"), npy = !csv && !raw;
    struct data_spec whole = *d;
    struct buf bytes = {0};
    if (npy && (d->type || d->shaped))
        return wrong(d, d->at, strlen(d->at),
                     "a .npy file has a type and a shape of its own; tables end in .csv, .tsv, .txt or .dat");
    if (csv && !d->type && !to->program)
        whole.type = "f32";
    else if (!npy && !d->type && !complete(&whole, name, to))
        return false;
    if (!(npy ? file_read_npy(d->text, &bytes) : file_read(d->text, &bytes)))
        return false;
    const u64 *shape = d->shaped ? d->shape : NULL;
    const struct heddle_csv table = {shown, whole.type, d->ndim, shape, to->empty_nan};
    bool ok = npy   ? heddle_npy_read(to->h, name, shown, bytes.data, bytes.len)
              : csv ? heddle_csv_read(to->h, name, &table, bytes.data, bytes.len)
                    : heddle_raw_read(to->h, name, whole.type, d->ndim, shape, shown, bytes.data, bytes.len);
    buf_free(&bytes);
    if (!ok || !to->quiet)
        ui_show(stderr, ok ? heddle_notes(to->h) : heddle_error(to->h));
    return ok;
}

bool data_make(const struct data_spec *asked, const char *name, struct data_place *to) {
    struct data_spec d = *asked;
    struct heddle_tensor own;
    if (d.kind == DATA_FILE)
        return read_file(&d, name, to);
    struct heddle_variable_info module;
    if (data_spec_only_writes(&d) && (to->has_case || of_module(to, name, &module)) &&
        heddle_buffer_look(to->h, name, &own))
        return true;
    if (!complete(&d, name, to))
        return false;
    if (!heddle_buffer(to->h, name, d.type, d.ndim, d.shape)) {
        ui_show(stderr, heddle_error(to->h));
        return false;
    }
    if (d.kind == DATA_EXPR)
        return evaluate(&d, name, to);
    return d.kind == DATA_NONE || heddle_buffer_fill(to->h, name, d.text) || refused(&d, heddle_error(to->h));
}
