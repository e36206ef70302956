/* Descriptions of memory devices as YAML: one level of keys, and the list of their sources. */
#include "sim/board/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/board/board.h"
#include "sim/board/shipped.h"
#include "sim/board/yaml_tree.h"

enum { DEPTH_MOST = 4 };

struct reader {
    struct device *device;
    const struct board_source *source;
    struct diag *diag; /* of the file being read */
    const char *name;  /* "hbm3-6.4" */
    int depth;
    yaml_document_t doc;
    bool once[DEVICE_FIELDS];
};

/* ---- values: "350ns standard JESD238" ---- */

/* A word of a value, and its place. */
struct word {
    char text[48];
    struct span at;
};

static struct word next_word(const char **rest, struct span *at) {
    struct word w = {.at = *at};
    size_t skip = strspn(*rest, " "), len = strcspn(*rest + skip, " ");
    snprintf(w.text, sizeof w.text, "%.*s", (int)len, *rest + skip);
    w.at.col += (u32)skip;
    w.at.len = len ? (u32)len : 1;
    *rest += skip + len;
    at->col += (u32)(skip + len);
    return w;
}

static const char *word_at(const void *ctx, size_t i) {
    return ((const struct device_word *)ctx)[i].name;
}

/* Index of a word of a list; `n` after an error that suggests one. */
static u32 find_word(const struct device_word *list, u32 n, const struct word *w, const char *what, struct diag *diag) {
    char all[120] = "";
    for (u32 i = 0; i < n; i++) {
        size_t len = strlen(all);
        if (strcmp(list[i].name, w->text) == 0)
            return i;
        snprintf(all + len, sizeof all - len, "%s%s", i ? ", " : "", list[i].name);
    }
    const char *near = nearest_name(w->text, n, word_at, list);
    diag_error(diag, w->at, "%s is one of %s, not '%s'%s%s%s", what, all, w->text, near ? "; did you mean '" : "",
               near ? near : "", near ? "'?" : "");
    return n;
}

/* Reads "350ns" or "20". */
static bool read_number(const struct device_field_row *row, const struct word *w, struct device_value *v,
                        struct diag *diag) {
    char digits[48];
    size_t len = strspn(w->text, "0123456789.");
    snprintf(digits, sizeof digits, "%.*s", (int)len, w->text);
    v->ns = strcmp(w->text + len, "ns") == 0;
    bool whole = row->kind != DEVICE_KIND_REAL && !(v->ns && row->kind == DEVICE_KIND_TIME);
    const char *wanted = row->kind == DEVICE_KIND_TIME ? "clocks, such as 20, or a time, such as 12.5ns"
                         : whole                       ? "a whole number"
                                                       : "a number";
    bool ok = (v->ns ? row->kind == DEVICE_KIND_TIME : w->text[len] == 0) &&
              (whole ? decimal_read_whole(digits, &v->number) : decimal_read(digits, &v->number));
    return ok || diag_error(diag, w->at, "%s is %s%s%s, not '%s'", row->key, wanted, *row->unit ? " of " : "",
                            row->unit, w->text);
}

/* Index of a source. One is needed but for what is assumed or derived. */
static bool read_source(struct reader *r, const char *key, const struct word *w, struct device_value *v) {
    v->source = DEVICE_SOURCES_MAX;
    for (u32 i = 0; i < r->device->sources; i++)
        if (strcmp(r->device->source[i].name, w->text) == 0)
            v->source = (u8)i;
    if (v->source < DEVICE_SOURCES_MAX)
        return true;
    if (*w->text)
        return diag_error(r->diag, w->at, "%s: '%s' is none of the sources of this file", key, w->text);
    return v->basis >= DEVICE_BASIS_DERIVED ||
           diag_error(r->diag, w->at, "%s: '%s' needs its source, a name of the list 'sources'", key,
                      device_bases[v->basis].name);
}

static bool read_value(struct reader *r, enum device_field field, const yaml_node_t *node) {
    const struct device_field_row *row = &device_fields[field];
    struct device_value v = {.given = true, .line = (u16)(node->start_mark.line + 1)};
    struct span at = yaml_span(node);
    const char *text = yaml_text(node);
    if (!text)
        return diag_error(r->diag, at, "'%s' must be a number, its basis and its source", row->key);
    const struct word number = next_word(&text, &at), basis = next_word(&text, &at), source = next_word(&text, &at);
    const struct word more = next_word(&text, &at);
    if (!read_number(row, &number, &v, r->diag))
        return false;
    if (!*basis.text)
        return diag_error(r->diag, number.at, "%s: a number is followed by its basis, such as '%s standard JEDEC'",
                          row->key, number.text);
    v.basis = (u8)find_word(device_bases, DEVICE_BASIS_COUNT, &basis, "a basis", r->diag);
    if (v.basis == DEVICE_BASIS_COUNT || !read_source(r, row->key, &source, &v))
        return false;
    if (*more.text)
        return diag_error(r->diag, more.at, "%s: nothing follows the source of a number", row->key);
    snprintf(v.file, sizeof v.file, "%s", r->name);
    r->device->value[field] = v;
    return true;
}

/* ---- keys ---- */

static bool read_sources(struct reader *r, const yaml_node_t *node) {
    struct device *d = r->device;
    if (node->type != YAML_MAPPING_NODE)
        return diag_error(r->diag, yaml_span(node), "'sources' is a list of 'name: text' lines");
    for (const yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = yaml_document_get_node(&r->doc, p->key);
        const yaml_node_t *text = yaml_document_get_node(&r->doc, p->value);
        struct device_source *s = &d->source[d->sources];
        if (d->sources == DEVICE_SOURCES_MAX)
            return diag_error(r->diag, yaml_span(name), "a device has at most %d sources, those of its base included",
                              DEVICE_SOURCES_MAX);
        if (!yaml_text(name) || !yaml_text(text) || strlen(yaml_text(name)) >= sizeof s->name ||
            strlen(yaml_text(text)) >= sizeof s->text || strchr(yaml_text(name), ' '))
            return diag_error(r->diag, yaml_span(name),
                              "a source is a word of at most %zu letters, and its text of %zu", sizeof s->name - 1,
                              sizeof s->text - 1);
        snprintf(s->name, sizeof s->name, "%s", yaml_text(name));
        snprintf(s->text, sizeof s->text, "%s", yaml_text(text));
        d->sources++;
    }
    return true;
}

static const char *key_at(const void *ctx, size_t i) {
    static const char *const others[] = {"standard", "part", "base", "sources"};
    (void)ctx;
    return i < DEVICE_FIELDS ? device_fields[i].key : others[i - DEVICE_FIELDS];
}

static bool read_key(struct reader *r, const yaml_node_t *key, const yaml_node_t *value) {
    const char *word = yaml_text(key) ? yaml_text(key) : "";
    struct device *d = r->device;
    struct word text = {.at = yaml_span(value)};
    snprintf(text.text, sizeof text.text, "%s", yaml_text(value) ? yaml_text(value) : "");
    if (strcmp(word, "base") == 0 || strcmp(word, "sources") == 0) /* have been read */
        return true;
    if (strcmp(word, "standard") == 0) {
        snprintf(d->standard, sizeof d->standard, "%.15s", text.text);
        return *d->standard != 0 || diag_error(r->diag, text.at, "a standard is a word, such as HBM3");
    }
    if (strcmp(word, "part") == 0)
        return (d->part = (u8)find_word(device_parts, DEVICE_PART_COUNT, &text, "a part", r->diag)) < DEVICE_PART_COUNT;
    for (u32 f = 0; f < DEVICE_FIELDS; f++) {
        if (strcmp(device_fields[f].key, word) != 0)
            continue;
        if (r->once[f])
            return diag_error(r->diag, yaml_span(key), "'%s' is set twice", word);
        r->once[f] = true;
        return read_value(r, (enum device_field)f, value);
    }
    const char *near = nearest_name(word, DEVICE_FIELDS + 4, key_at, NULL);
    return diag_error(r->diag, yaml_span(key), "a memory device has no key '%.40s'%s%s%s", word,
                      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static const yaml_node_t *find_key(struct reader *r, const yaml_node_t *root, const char *name) {
    for (const yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
        if (yaml_text(key) && strcmp(yaml_text(key), name) == 0)
            return yaml_document_get_node(&r->doc, p->value);
    }
    return NULL;
}

/* ---- files ---- */

/* Finds the description: a file beside the board, or one that ships. */
static struct description find(const struct reader *r) {
    struct description d = {.text = NULL};
    snprintf(d.file, sizeof d.file, "devices/%s.yaml", r->name);
    if (r->source && r->source->read && !strchr(r->name, '/') && strlen(r->name) < DEVICE_NAME_MAX)
        d.text = r->source->read(r->source->ctx, d.file, &d.len);
    return d.text ? d : description_device(r->name);
}

static bool read_device(struct reader *r, struct span at);

/* Reads the base; what it has in clocks becomes a time, because another data rate may follow. */
static bool read_base(struct reader *r, const yaml_node_t *node) {
    struct reader base = {.device = r->device, .source = r->source, .diag = r->diag, .name = yaml_text(node)};
    base.depth = r->depth + 1;
    if (!base.name || base.depth > DEPTH_MOST)
        return diag_error(r->diag, yaml_span(node), "a base is the name of a device, over at most %d files",
                          DEPTH_MOST);
    if (!find(&base).text)
        return diag_error(r->diag, yaml_span(node), "there is no memory device '%.30s'", base.name);
    return read_device(&base, yaml_span(node));
}

/* Keeps the times of a base of another data rate: they are the same in ns, and derived. */
static void keep_times(struct device *d, double before) {
    double after = device_clock_mhz(d);
    for (u32 f = 0; f < DEVICE_FIELDS; f++) {
        struct device_value *v = &d->value[f];
        bool clocks = v->given && !v->ns && device_fields[f].kind == DEVICE_KIND_TIME;
        if (!clocks || before <= 0 || (before <= after && before >= after))
            continue;
        v->number = v->number * 1000 / before;
        v->ns = true;
        v->basis = DEVICE_BASIS_DERIVED;
    }
}

/* Checks what no single key can be blamed for. */
static bool is_whole(struct reader *r, const yaml_node_t *root) {
    const struct device *d = r->device;
    const struct device_value *ids = &d->value[DEVICE_stack_ids];
    for (u32 f = 0; f < DEVICE_FIELDS; f++)
        if (device_fields[f].must && !d->value[f].given)
            return diag_error(r->diag, yaml_span(root), "%s is missing: %s", device_fields[f].key,
                              device_fields[f].doc);
    for (u32 f = DEVICE_gbps; f <= DEVICE_row_bytes; f++)
        if (d->value[f].given && d->value[f].number <= 0)
            return diag_error(r->diag, (struct span){d->value[f].line, 1, 1}, "%s must be more than 0",
                              device_fields[f].key);
    if (ids->given && ids->number > 1 && d->part != DEVICE_PART_STACK)
        return diag_error(r->diag, (struct span){ids->line, 1, 1},
                          "stack_ids is for a part of dies on each other, a "
                          "stack; a %s has none",
                          device_parts[d->part].name);
    return true;
}

static bool read_document(struct reader *r) {
    const yaml_node_t *root = yaml_document_get_root_node(&r->doc);
    if (!root || root->type != YAML_MAPPING_NODE)
        return diag_error(r->diag, (struct span){1, 1, 1}, "a memory device is a list of 'key: value' lines");
    const yaml_node_t *base = find_key(r, root, "base"), *sources = find_key(r, root, "sources");
    if (base && !read_base(r, base))
        return false;
    double before = base ? device_clock_mhz(r->device) : 0;
    bool ok = !sources || read_sources(r, sources);
    for (u32 pass = 0; pass < 2 && ok; pass++) {
        /* The rate first: clocks of the base are kept as a time before this file's own clocks are read. */
        const yaml_node_pair_t *p = root->data.mapping.pairs.start;
        for (; p < root->data.mapping.pairs.top && ok; p++) {
            const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
            const char *word = yaml_text(key) ? yaml_text(key) : "";
            bool rate = strcmp(word, "gbps") == 0 || strcmp(word, "burst_cycles") == 0 || strcmp(word, "width") == 0;
            if (rate == (pass == 0))
                ok = read_key(r, key, yaml_document_get_node(&r->doc, p->value));
        }
        if (base && pass == 0 && ok)
            keep_times(r->device, before);
    }
    return ok && is_whole(r, root);
}

/* Reads the file with diagnostics of its own; the first is passed on at the place that names the device. */
static bool read_device(struct reader *r, struct span at) {
    const struct description d = find(r);
    struct diag own = {.file = d.file, .source = d.text, .source_len = d.len}, *above = r->diag;
    r->diag = &own;
    bool ok = yaml_tree(&r->doc, d.text, d.len, &own);
    if (ok) {
        ok = read_document(r);
        yaml_document_delete(&r->doc);
    }
    r->diag = above;
    if (!ok)
        diag_error(above, at, "%s:%u:%u: %s", d.file, own.message[0].at.line, own.message[0].at.col,
                   own.message[0].text);
    return ok;
}

bool device_read(struct device *d, const struct board_source *source, const char *name, struct span at,
                 struct diag *diag) {
    struct reader r = {.device = d, .source = source, .diag = diag, .name = name};
    *d = (struct device){.known = false};
    snprintf(d->name, sizeof d->name, "%s", name);
    if (!find(&r).text)
        return true;
    return d->known = read_device(&r, at);
}
